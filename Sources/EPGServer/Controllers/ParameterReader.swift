import EPGCalendar
import EPGHTTP
import EPGImport
import EPGModel
import EPGRender
import Hummingbird

/// Reads the parameters of a request, and collects the canonical form of its URL.
///
/// Each method names a parameter, returns its default if it is missing, and throws a ``Problem`` with status 400 that says
/// what the parameter accepts. A parameter that equals its default is not part of the canonical form.
struct ParameterReader: Sendable {
    /// The current time, rounded down to the minute.
    let clock: Instant
    /// The zone of requests without `zone`.
    let defaultZone: Zone
    /// The language of pages that the service prefers to the languages of clients; `nil` for none.
    private let defaultLanguage: String?
    /// The header `Accept-Language`.
    private let acceptedLanguages: String?
    /// The host of the request, and its scheme.
    private let givenHost: String?
    private let usesTLS: Bool
    /// Whether the user agent is a television.
    private let isTelevision: Bool
    /// The parameters in the path, decoded.
    private let pathParameters: [String: String]
    private var unread: [(name: String, value: String)]
    /// The parameters that were read and differ from their defaults.
    private(set) var canonical: [(name: String, value: String)] = []
    /// Whether the response depends on the clock, because ``minute()`` was read and the URL does not state it.
    private(set) var followsClock = false
    /// Whether the response depends on the host that the client named.
    private(set) var readsHost = false
    /// Whether the response depends on the languages that the client accepts.
    private(set) var readsLanguages = false
    /// Whether the response depends on the user agent, because it is a television and the URL does not say what the page is for.
    private(set) var readsAgent = false
    /// The generation that the URL names; `nil` for the current one.
    private(set) var generation: GenerationName?
    /// A generation that the client has seen, so that the guide has it or will have it soon; `nil` if the URL names none.
    var knownGeneration: GenerationName?
    /// The parental limit of the parameters `lockAge` and `lockCategory`; every URL supports them.
    private(set) var limit = ParentalLimit.none

    /// The parameters of ``limit``. Links to other pages keep them, and a URL may repeat the second one.
    static let limitNames = ["lockAge", "lockCategory"]
    /// The parameters that a URL may repeat.
    private static let repeatedNames: Set = ["lockCategory", "any", "without", "first"]

    /// Reads the parameters of a request that the router has matched.
    ///
    /// - Throws: ``Problem`` if path or query are not percent-encoded UTF-8, are too long, or name a parameter twice.
    init(
        _ request: Request, _ context: ServiceRequestContext, clock: Instant, site: Site
    ) throws(Problem) {
        var path: [String: String] = [:]
        for (name, encoded) in context.parameters {
            guard let value = String(percentDecoding: encoded.utf8), value.utf8.count <= 1000 else {
                throw Problem(.badRequest, "The path is not percent-encoded UTF-8.")
            }
            path[String(name)] = value
        }
        try self.init(
            query: request.uri.query, path: path, clock: clock, defaultZone: site.zone, defaultLanguage: site.language,
            acceptedLanguages: request.headers[.acceptLanguage], host: request.head.authority, usesTLS: request.usesTLS,
            isTelevision: request.headers[.userAgent].map(TelevisionAgent.isNamed) ?? false)
    }

    /// - Parameters:
    ///   - path: The parameters in the path, decoded.
    ///   - defaultLanguage: The language of pages regardless of the client; `nil` for none.
    ///   - acceptedLanguages: The header `Accept-Language`.
    ///   - host: The host that the client named.
    ///   - usesTLS: Whether the client sent the request by HTTPS.
    ///   - isTelevision: Whether the user agent is a television.
    /// - Throws: ``Problem`` if the query is not percent-encoded UTF-8, is too long, or names a parameter twice.
    init(
        query: String?, path: [String: String] = [:], clock: Instant, defaultZone: Zone, defaultLanguage: String? = nil,
        acceptedLanguages: String? = nil, host: String? = nil, usesTLS: Bool = false, isTelevision: Bool = false
    ) throws(Problem) {
        self.clock = clock.startOfMinute
        self.defaultZone = defaultZone
        self.defaultLanguage = defaultLanguage
        self.acceptedLanguages = acceptedLanguages
        givenHost = host
        self.usesTLS = usesTLS
        self.isTelevision = isTelevision
        pathParameters = path
        unread = try ParameterReader.pairs(ofQuery: query ?? "")
        if let text = removeValue(named: "generation") {
            guard let name = GenerationName(text) else {
                throw .badParameter(
                    "generation", "“\(text.prefix(40))” is not a generation such as 42 or 42.k3f9.")
            }
            generation = name
            knownGeneration = name
        }
        try readLimit()
    }

    private mutating func readLimit() throws(Problem) {
        guard unread.contains(where: { ParameterReader.limitNames.contains($0.name) }) else { return }
        var age: Int?
        if let text = removeValue(named: "lockAge"), !text.isEmpty {
            guard let number = Int(text) else {
                throw .badParameter("lockAge", "“\(text.prefix(40))” is not an age from 0 to 21.")
            }
            age = number
        }
        var categories: [String] = []
        while let category = removeValue(named: "lockCategory") { categories.append(category) }
        do throws(ProfileError) {
            limit = try ParentalLimit(maximumAge: age, hiddenCategories: categories)
        } catch {
            throw .badParameter(error == .invalidAge ? "lockAge" : "lockCategory", "\(error)")
        }
        if let age { record("lockAge", String(age)) }
        for category in limit.hiddenCategories { record("lockCategory", category) }
    }

    /// The names and values of a query, decoded; `+` means a space, as in HTML forms.
    private static func pairs(ofQuery query: String) throws(Problem) -> [(name: String, value: String)] {
        var pairs: [(name: String, value: String)] = []
        for part in query.utf8.split(separator: UInt8(ascii: "&")) {
            let sides = part.split(separator: UInt8(ascii: "="), maxSplits: 1, omittingEmptySubsequences: false)
            guard let name = String(percentDecoding: sides[0], decodesPlus: true),
                let value = sides.count > 1 ? String(percentDecoding: sides[1], decodesPlus: true) : ""
            else {
                let start = String(part.prefix(40)) ?? ""
                throw Problem(.badRequest, "The query is not percent-encoded UTF-8: “\(start)”.")
            }
            guard repeatedNames.contains(name) || !pairs.contains(where: { $0.name == name }) else {
                throw .badParameter(String(name.prefix(40)), "the URL contains this parameter twice. Use it once.")
            }
            pairs.append((name, value))
            guard pairs.count <= 64 else { throw Problem(.badRequest, "The URL has more than 64 parameters.") }
        }
        return pairs
    }

    // MARK: - Parameters

    /// The scheme and the host that the client named, such as `https://tv.example`; `nil` if it named no host. They become part
    /// of the canonical form, because the response contains them.
    mutating func origin() -> String? {
        readsHost = true
        // ``CheckedHead`` rejects anything other than the name of a host.
        guard let givenHost else { return nil }
        record("host", givenHost)
        if usesTLS { record("scheme", "https") }
        return (usesTLS ? "https://" : "http://") + givenHost
    }

    /// The parameter `tv`: whether a page is for televisions (default: whether the user agent is a television).
    mutating func isForTelevision() throws(Problem) -> Bool {
        let given = try value(
            "tv", of: removeValue(named: "tv"), expected: "0 or 1", description: { $0 ? "1" : "0" },
            { ["0": false, "1": true][$0] })
        if given == nil, isTelevision {
            readsAgent = true
            record("agent", "tv")
        }
        return given ?? isTelevision
    }

    /// The token in the URL of a feed; `nil` without one.
    ///
    /// - Parameter isWritten: Whether the response contains it, so that it is part of the canonical form.
    mutating func token(isWritten: Bool) throws(Problem) -> String? {
        guard let text = removeValue(named: "token"), !text.isEmpty, text.utf8.count <= 200 else { return nil }
        if isWritten { record("token", text) }
        return text
    }

    /// A parameter in the path.
    func path(_ name: String) -> String { pathParameters[name] ?? "" }

    /// The number of an airing in the path, `id`; `nil` for anything but digits.
    func pathAiring() -> AiringID? {
        let text = path("id")
        return text.utf8.allSatisfy { 0x30...0x39 ~= $0 } ? Int64(text).map { AiringID($0) } : nil
    }

    /// A text; `nil` if it is missing or empty.
    ///
    /// - Parameter limit: The maximum number of bytes.
    mutating func text(_ name: String, maximumLength limit: Int = 200) throws(Problem) -> String? {
        guard let text = removeValue(named: name), !text.isEmpty else { return nil }
        guard text.utf8.count <= limit else {
            throw .badParameter(name, "the text has \(text.utf8.count) bytes; the maximum is \(limit).")
        }
        guard !text.unicodeScalars.contains(where: { $0.value < 0x20 || $0.value == 0x7F }) else {
            throw .badParameter(name, "the text contains control characters. Remove them.")
        }
        record(name, text)
        return text
    }

    /// The texts of a parameter that a URL may repeat, without empty ones.
    ///
    /// - Parameter limit: The maximum number of bytes of each.
    mutating func texts(_ name: String, maximumLength limit: Int) throws(Problem) -> [String] {
        var texts: [String] = []
        while unread.contains(where: { $0.name == name }) {
            if let text = try text(name, maximumLength: limit) { texts.append(text) }
        }
        return texts
    }

    /// A value with a notation of its own, whose description is its canonical form; `nil` if it is missing or empty.
    ///
    /// - Parameters:
    ///   - expected: What the parameter accepts, such as "a day such as 2026-03-29".
    ///   - read: Returns `nil` for an invalid value.
    mutating func value<Value: CustomStringConvertible>(
        _ name: String, maximumLength limit: Int = 200, expected: String, _ read: (String) -> Value?
    ) throws(Problem) -> Value? {
        guard let text = removeValue(named: name), !text.isEmpty else { return nil }
        return try value(name, of: text, expected: expected, description: \.description) {
            $0.utf8.count <= limit ? read($0) : nil
        }
    }

    /// Reads the text of a parameter; `nil` if the parameter is missing.
    ///
    /// - Parameters:
    ///   - isDefault: Whether a value is the default, which the canonical form omits.
    ///   - description: The canonical form of a value.
    private mutating func value<Value>(
        _ name: String, of text: String?, expected: @autoclosure () -> String,
        isDefault: (Value) -> Bool = { _ in false }, description: (Value) -> String, _ read: (String) -> Value?
    ) throws(Problem) -> Value? {
        guard let text else { return nil }
        guard let value = read(text) else {
            throw .badParameter(name, "“\(text.prefix(40))” is not \(expected()).")
        }
        if !isDefault(value) { record(name, description(value)) }
        return value
    }

    mutating func integer(_ name: String, default value: Int, in range: ClosedRange<Int>) throws(Problem) -> Int {
        try self.value(
            name, of: removeValue(named: name),
            expected: "a whole number from \(range.lowerBound) to \(range.upperBound)",
            isDefault: { $0 == value }, description: \.description
        ) { Int($0).flatMap { range.contains($0) ? $0 : nil } } ?? value
    }

    /// Whether a parameter is 1; the default is 0.
    mutating func flag(_ name: String) throws(Problem) -> Bool { try integer(name, default: 0, in: 0...1) == 1 }

    mutating func number(
        _ name: String, default value: Double, in range: ClosedRange<Double>
    ) throws(Problem) -> Double {
        try number(name, in: range, unless: value) ?? value
    }

    /// A number; `nil` if it is missing.
    ///
    /// - Parameter value: The default, which the canonical form omits.
    mutating func number(
        _ name: String, in range: ClosedRange<Double>, unless value: Double? = nil
    ) throws(Problem) -> Double? {
        try self.value(
            name, of: removeValue(named: name), expected: "a number from \(range.lowerBound) to \(range.upperBound)",
            isDefault: { $0 == value }, description: \.description
        ) { text in
            guard let number = Double(text), range.contains(number), !text.contains(where: { "xXpP".contains($0) })
            else { return nil }
            return number
        }
    }

    /// One of the values of an enumeration, by its raw value.
    mutating func choice<Value: RawRepresentable & CaseIterable & Equatable>(
        _ name: String, default value: Value
    ) throws(Problem) -> Value where Value.RawValue == String {
        try self.value(
            name, of: removeValue(named: name),
            expected: "one of \(Value.allCases.map(\.rawValue).joined(separator: ", "))",
            isDefault: { $0 == value }, description: \.rawValue, Value.init(rawValue:)) ?? value
    }

    /// An instant: seconds since 1970, or ISO 8601 with a zone, such as `2026-03-29T18:00:00Z`; between the years 1900 and
    /// 2200.
    mutating func instant(_ name: String) throws(Problem) -> Instant? {
        try value(
            name, of: removeValue(named: name),
            expected: "a time from 1900 to 2199. Use seconds since 1970, or a form such as 2026-03-29T18:00:00Z",
            description: { String($0.secondsSince1970) }, Instant.init(absolute:))
    }

    /// The parameter `at`: the current time to assume, rounded down to the minute (default: now).
    mutating func minute() throws(Problem) -> Instant {
        let minute = try assumedTime().startOfMinute
        record("at", String(minute.secondsSince1970))
        return minute
    }

    /// The parameters `at` and `zone`: the zone, and the start of the current day in it.
    mutating func today() throws(Problem) -> (zone: Zone, start: Instant) {
        let zone = try zone()
        let start = zone.start(of: zone.date(at: try assumedTime()))
        record("at", String(start.secondsSince1970))
        return (zone, start)
    }

    /// Reads `at`. The caller records which part of it the response depends on.
    private mutating func assumedTime() throws(Problem) -> Instant {
        guard let given = try instant("at") else {
            followsClock = true
            return clock
        }
        canonical.removeAll { $0.name == "at" }
        return given
    }

    /// The parameters `days`, `at` and `zone`: a number of days from today on; `nil` if `days` is missing or 0.
    mutating func days() throws(Problem) -> TimeWindow? {
        let days = try integer("days", default: 0, in: 0...3660)
        guard days > 0 else { return nil }
        let (zone, start) = try today()
        return zone.window(ofDays: days, from: zone.date(at: start))
    }

    /// The parameter `zone`: an IANA time zone (default: the zone of the service).
    mutating func zone() throws(Problem) -> Zone {
        guard let name = removeValue(named: "zone"), !name.isEmpty else { return defaultZone }
        guard name.utf8.count <= 64, let zone = ZoneCache.shared.zone(named: name) else {
            throw .badParameter(
                "zone", "there is no zone “\(name.prefix(40))”. Use an IANA name such as Europe/London.")
        }
        record("zone", name)
        return zone
    }

    /// The parameter `zone` of a page: like ``zone()``, but an unknown zone is the default.
    mutating func viewerZone() -> Zone { (try? zone()) ?? defaultZone }

    /// A local day: a date from 1900 to 2199, such as `2026-03-29`; `nil` if it is missing.
    mutating func day(_ name: String) throws(Problem) -> CivilDate? {
        try value(name, expected: ParameterReader.expectedDay, CivilDate.init(absolute:))
    }

    /// A local day in the path.
    func pathDay(_ name: String) throws(Problem) -> CivilDate {
        let text = path(name)
        guard let day = CivilDate(absolute: text) else {
            throw .badParameter(name, "“\(text.prefix(40))” is not \(ParameterReader.expectedDay).")
        }
        return day
    }

    private static let expectedDay = "a day such as 2026-03-29, from 1900 to 2199"

    /// The parameter `lang`: comma-separated languages in order of preference (default: none).
    mutating func languages() throws(Problem) -> [String] {
        guard let text = try text("lang", maximumLength: 100) else { return [] }
        let languages = text.split(separator: ",").map(String.init)
        for language in languages {
            let isValid = language.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber || $0 == "-") }
            guard isValid, language.utf8.count <= 35 else {
                throw .badParameter("lang", "“\(language.prefix(40))” is not a language such as en or pt-BR.")
            }
        }
        return languages
    }

    /// The language of a page: the parameter `ui`, the language of the service, or the language that the client prefers; English if
    /// the pages have none of these. The language is part of the canonical form.
    mutating func pageTexts() throws(Problem) -> PageTexts {
        if let texts = try namedTexts() { return texts }
        if let texts = defaultLanguage.flatMap({ PageTexts.texts(in: $0) }) { return texts }
        readsLanguages = true
        let texts = PageTexts.preferred(by: acceptedLanguages) ?? .english
        record("accept-language", texts.language)
        return texts
    }

    /// The clock of a page: as usual in its language, in the region of the client. A clock of 12 hours is part of the canonical form.
    mutating func pageClock(in texts: PageTexts) -> ClockStyle {
        if texts.language == "en" { readsLanguages = true }
        let style = texts.clockStyle(acceptedLanguages: acceptedLanguages)
        if style == .twelveHours { record("clock", style.rawValue) }
        return style
    }

    /// The texts in the language of the parameter `ui`; `nil` if it is missing.
    mutating func namedTexts() throws(Problem) -> PageTexts? {
        guard let code = try text("ui", maximumLength: 35) else { return nil }
        guard let texts = PageTexts.texts(in: code) else {
            let languages = PageTexts.all.map(\.language).joined(separator: ", ")
            throw .badParameter("ui", "“\(code)” is not a language of the pages: \(languages).")
        }
        return texts
    }

    /// The parameter `stations`: comma-separated patterns of identifiers (default: none).
    mutating func stationPatterns() throws(Problem) -> [WildcardPattern] {
        let patterns = try text("stations", maximumLength: 2000)?.split(separator: ",") ?? []
        return patterns.map { WildcardPattern(String($0)) }
    }

    /// The parameter `rows`, such as `0-19,25`; `nil` if it is missing.
    mutating func rows() throws(Problem) -> RowRanges? {
        try value(
            "rows", maximumLength: 4000,
            expected: "a list of rows such as 0-19,25, counted from 0, of at most 4000 characters", RowRanges.init(_:))
    }

    // MARK: - Canonical form

    /// Returns the canonical query.
    ///
    /// - Throws: ``Problem`` if a parameter was not read.
    func finish() throws(Problem) -> String {
        if let other = unread.first {
            throw .badParameter(
                String(other.name.prefix(40)),
                "this URL does not support the parameter. /openapi.yaml lists those it supports.")
        }
        return canonical.sorted { $0.name < $1.name }
            .map { $0.name.percentEncoded + "=" + $0.value.percentEncoded }
            .joined(separator: "&")
    }

    private mutating func removeValue(named name: String) -> String? {
        guard let index = unread.firstIndex(where: { $0.name == name }) else { return nil }
        return unread.remove(at: index).value
    }

    /// Adds a value to the canonical form.
    mutating func record(_ name: String, _ value: String) {
        canonical.append((name, value))
    }

    /// A path of Hummingbird's notation with its parameters filled in.
    func filledPath(_ pattern: String) -> String {
        pattern.split(separator: "/").map { part in
            guard let start = part.firstIndex(of: "{"), let end = part.firstIndex(of: "}") else { return "/" + part }
            let name = part[part.index(after: start)..<end]
            return "/" + part[..<start] + path(String(name)).percentEncoded + part[part.index(after: end)...]
        }.joined()
    }
}

extension ParentalLimit {
    /// Returns the query of a URL with the parameters of the limit; empty if it has no parameter at all.
    ///
    /// - Parameter first: The parameters before them; empty for none.
    func query(after first: String) -> String {
        var parts = first.isEmpty ? [] : [first]
        if let maximumAge { parts.append("lockAge=\(maximumAge)") }
        parts += hiddenCategories.map { "lockCategory=\($0.percentEncoded)" }
        return parts.isEmpty ? "" : "?" + parts.joined(separator: "&")
    }
}

/// A page of a list.
struct PageRange: Hashable, Sendable {
    let offset: Int
    let limit: Int

    /// Reads `offset`, from 0 to `maximumOffset`, and `limit`, from 1 to `maximum`.
    init(
        _ parameters: inout ParameterReader, default limit: Int = 100, maximum: Int = 500,
        maximumOffset: Int = 999_999_999
    ) throws(Problem) {
        offset = try parameters.integer("offset", default: 0, in: 0...maximumOffset)
        self.limit = try parameters.integer("limit", default: limit, in: 1...maximum)
    }

    /// Returns the range of the page in a list.
    func places(inListOf count: Int) -> Range<Int> { min(offset, count)..<min(offset + limit, count) }
}

extension TimeWindow {
    /// The window between the parameters `from` and `to`.
    ///
    /// - Throws: ``Problem`` unless the end is later than the start, by at most 15 days.
    static func between(_ start: Instant, _ end: Instant) throws(Problem) -> TimeWindow {
        guard let window = TimeWindow(from: start, to: end), !window.isEmpty else {
            throw .badParameter("to", "the end must be later than from, which is \(start).")
        }
        guard window.seconds <= 15 * 86_400 else {
            throw .badParameter("to", "the window is longer than 15 days. Request a part of it.")
        }
        return window
    }
}
