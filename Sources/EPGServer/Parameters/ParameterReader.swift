import CollectionLayout
import EPGCalendar
import EPGModel
import EPGRender
import Hummingbird
import Synchronization

/// Reads the parameters of a request, and collects the canonical form of its URL.
///
/// Each method names a parameter, returns its default if it is missing, and throws a ``Problem`` with status 400 that says
/// what the parameter accepts. A parameter that equals its default is not part of the canonical form.
struct ParameterReader: Sendable {
    /// The current time, rounded down to the minute.
    let clock: Instant
    /// The zone of requests without `zone`.
    let defaultZone: Zone
    /// The host that the client named.
    private let givenHost: String?
    /// The parameters in the path, decoded.
    private let pathParameters: [String: String]
    private var unread: [(name: String, value: String)]
    /// The parameters that were read and differ from their defaults.
    private(set) var canonical: [(name: String, value: String)] = []
    /// Whether the response depends on the clock, because ``minute()`` was read and the URL does not state it.
    private(set) var followsClock = false
    /// Whether the response depends on the host that the client named.
    private(set) var readsHost = false
    /// The generation that the URL names; `nil` for the current one.
    private(set) var generation: GenerationName?

    /// Reads the parameters of a request that the router has matched.
    ///
    /// - Throws: ``Problem`` if path or query are not percent-encoded UTF-8, are too long, or name a parameter twice.
    init(
        _ request: Request, _ context: GuideRequestContext, clock: Instant, defaultZone: Zone
    ) throws(Problem) {
        var path: [String: String] = [:]
        for (name, encoded) in context.parameters {
            guard let value = PercentEncoding.decoded(encoded.utf8), value.utf8.count <= 1000 else {
                throw Problem(.badRequest, "The path is not percent-encoded UTF-8.")
            }
            path[String(name)] = value
        }
        try self.init(
            query: request.uri.query, path: path, clock: clock, defaultZone: defaultZone, host: request.head.authority)
    }

    /// - Parameters:
    ///   - path: The parameters in the path, decoded.
    ///   - host: The host that the client named.
    /// - Throws: ``Problem`` if the query is not percent-encoded UTF-8, is too long, or names a parameter twice.
    init(
        query: String?, path: [String: String] = [:], clock: Instant, defaultZone: Zone, host: String? = nil
    ) throws(Problem) {
        self.clock = clock.startOfMinute
        self.defaultZone = defaultZone
        givenHost = host
        pathParameters = path
        unread = try PercentEncoding.pairs(ofQuery: query ?? "")
        if let text = take("generation") {
            guard let name = GenerationName(text) else {
                throw .badParameter(
                    "generation", "“\(text.prefix(40))” is not a generation such as 42 or 42.k3f9.")
            }
            generation = name
        }
    }

    // MARK: - Parameters

    /// The host that the client named. It becomes part of the canonical form, because the response contains it.
    mutating func host() -> String? {
        readsHost = true
        if let givenHost { record("host", givenHost) }
        return givenHost
    }

    /// A parameter in the path.
    func path(_ name: String) -> String { pathParameters[name] ?? "" }

    /// A text; `nil` if it is missing or empty.
    ///
    /// - Parameter limit: The maximum number of bytes.
    mutating func text(_ name: String, maximumLength limit: Int = 200) throws(Problem) -> String? {
        guard let text = take(name), !text.isEmpty else { return nil }
        guard text.utf8.count <= limit else {
            throw .badParameter(name, "the text has \(text.utf8.count) bytes; the maximum is \(limit).")
        }
        guard !text.unicodeScalars.contains(where: { $0.value < 0x20 || $0.value == 0x7F }) else {
            throw .badParameter(name, "the text contains control characters. Remove them.")
        }
        record(name, text)
        return text
    }

    /// A value with a notation of its own, whose description is its canonical form; `nil` if it is missing or empty.
    ///
    /// - Parameters:
    ///   - expected: What the parameter accepts, such as "a day such as 2026-03-29".
    ///   - read: Returns `nil` for an invalid value.
    mutating func value<Value: CustomStringConvertible>(
        _ name: String, maximumLength limit: Int = 200, expected: String, _ read: (String) -> Value?
    ) throws(Problem) -> Value? {
        guard let text = take(name), !text.isEmpty else { return nil }
        guard text.utf8.count <= limit, let value = read(text) else {
            throw .badParameter(name, "“\(text.prefix(40))” is not \(expected).")
        }
        record(name, value.description)
        return value
    }

    mutating func integer(_ name: String, default value: Int, in range: ClosedRange<Int>) throws(Problem) -> Int {
        guard let text = take(name) else { return value }
        guard let number = Int(text), range.contains(number) else {
            throw .badParameter(
                name,
                "“\(text.prefix(40))” is not a whole number from \(range.lowerBound) to \(range.upperBound).")
        }
        if number != value { record(name, String(number)) }
        return number
    }

    mutating func number(
        _ name: String, default value: Double, in range: ClosedRange<Double>
    ) throws(Problem) -> Double {
        try number(name, in: range, unless: value) ?? value
    }

    /// A number; `nil` if it is missing.
    mutating func number(_ name: String, in range: ClosedRange<Double>) throws(Problem) -> Double? {
        try number(name, in: range, unless: nil)
    }

    private mutating func number(
        _ name: String, in range: ClosedRange<Double>, unless value: Double?
    ) throws(Problem) -> Double? {
        guard let text = take(name) else { return nil }
        guard let number = Double(text), range.contains(number), !text.contains(where: { "xXpP".contains($0) }) else {
            throw .badParameter(
                name, "“\(text.prefix(40))” is not a number from \(range.lowerBound) to \(range.upperBound).")
        }
        if number != value { record(name, number.description) }
        return number
    }

    /// One of the values of an enumeration, by its raw value.
    mutating func choice<Value: RawRepresentable & CaseIterable & Equatable>(
        _ name: String, default value: Value
    ) throws(Problem) -> Value where Value.RawValue == String {
        guard let text = take(name) else { return value }
        guard let choice = Value(rawValue: text) else {
            let all = Value.allCases.map(\.rawValue).joined(separator: ", ")
            throw .badParameter(name, "“\(text.prefix(40))” is not one of \(all).")
        }
        if choice != value { record(name, text) }
        return choice
    }

    /// An instant: seconds since 1970, or ISO 8601 with a zone, such as `2026-03-29T18:00:00Z`; between the years 1900 and
    /// 2200.
    mutating func instant(_ name: String) throws(Problem) -> Instant? {
        guard let text = take(name) else { return nil }
        guard let instant = Instant(parameter: text) else {
            throw .badParameter(
                name,
                "“\(text.prefix(40))” is not a time from 1900 to 2199. Use seconds since 1970, or a form such as 2026-03-29T18:00:00Z."
            )
        }
        record(name, String(instant.secondsSince1970))
        return instant
    }

    /// The parameter `at`: the current time to assume, rounded down to the minute (default: now).
    mutating func minute() throws(Problem) -> Instant {
        let given = try instant("at")
        canonical.removeAll { $0.name == "at" }
        let instant = given ?? clock
        if given == nil { followsClock = true }
        record("at", String(instant.startOfMinute.secondsSince1970))
        return instant.startOfMinute
    }

    /// The parameters `at` and `zone`: the zone, and the start of the current day in it.
    mutating func today() throws(Problem) -> (zone: Zone, start: Instant) {
        let zone = try zone()
        let given = try instant("at")
        canonical.removeAll { $0.name == "at" }
        if given == nil { followsClock = true }
        let start = zone.start(of: zone.date(at: given ?? clock))
        record("at", String(start.secondsSince1970))
        return (zone, start)
    }

    /// The parameter `zone`: an IANA time zone (default: the zone of the service).
    mutating func zone() throws(Problem) -> Zone {
        guard let name = take("zone"), !name.isEmpty else { return defaultZone }
        guard name.utf8.count <= 64, let zone = ZoneCache.shared.zone(named: name) else {
            throw .badParameter(
                "zone", "there is no zone “\(name.prefix(40))”. Use an IANA name such as Europe/London.")
        }
        record("zone", name)
        return zone
    }

    /// A local day: a date from 1900 to 2199, such as `2026-03-29`; `nil` if it is missing.
    mutating func day(_ name: String) throws(Problem) -> CivilDate? {
        try value(name, expected: ParameterReader.expectedDay, CivilDate.init(parameter:))
    }

    /// A local day in the path.
    func pathDay(_ name: String) throws(Problem) -> CivilDate {
        let text = path(name)
        guard let day = CivilDate(parameter: text) else {
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
            guard language.utf8.count <= 35, language.utf8.allSatisfy({ $0.isLetterDigitOrHyphen }) else {
                throw .badParameter("lang", "“\(language.prefix(40))” is not a language such as en or pt-BR.")
            }
        }
        return languages
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

    private mutating func take(_ name: String) -> String? {
        guard let index = unread.firstIndex(where: { $0.name == name }) else { return nil }
        return unread.remove(at: index).value
    }

    /// Adds a value to the canonical form.
    mutating func record(_ name: String, _ value: String) {
        canonical.append((name, value))
    }
}

extension UInt8 {
    fileprivate var isLetterDigitOrHyphen: Bool {
        switch self {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"):
            true
        default: false
        }
    }
}

extension ParameterReader {
    /// A path of Hummingbird's notation with its parameters filled in.
    func filledPath(_ pattern: String) -> String {
        pattern.split(separator: "/").map { part in
            guard let start = part.firstIndex(of: "{"), let end = part.firstIndex(of: "}") else { return "/" + part }
            let name = part[part.index(after: start)..<end]
            return "/" + part[..<start] + path(String(name)).percentEncoded + part[part.index(after: end)...]
        }.joined()
    }
}

/// The direction of text, as parameters name it.
enum TextDirection: String, CaseIterable, Sendable {
    case ltr, rtl

    var layoutDirection: LayoutDirection { self == .rtl ? .rightToLeft : .leftToRight }
}

/// A parameter that is off or on.
enum Toggle: String, CaseIterable, Sendable {
    case off = "0"
    case on = "1"

    var isOn: Bool { self == .on }
}

extension CivilDate {
    /// `YYYY-MM-DD`; `nil` for anything else, for a date that does not exist, and outside of the years 1900 to 2199.
    fileprivate init?(parameter text: String) {
        let digits = Array(text.utf8)
        guard digits.count == 10, digits[4] == UInt8(ascii: "-"), digits[7] == UInt8(ascii: "-") else { return nil }
        func number(_ range: Range<Int>) -> Int64? {
            guard digits[range].allSatisfy({ (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }) else { return nil }
            return digits[range].reduce(0) { $0 * 10 + Int64($1 - UInt8(ascii: "0")) }
        }
        guard let year = number(0..<4), let month = number(5..<7), let day = number(8..<10),
            (1900...2199).contains(year)
        else { return nil }
        self.init(year: year, month: Int(month), day: Int(day))
    }
}

extension Instant {
    /// The instant rounded down to the minute.
    var startOfMinute: Instant {
        Instant(
            secondsSince1970: secondsSince1970 - secondsSince1970.quotientAndRemainderFloored(dividingBy: 60).remainder)
    }

    /// Seconds since 1970, or ISO 8601 with a zone; `nil` for anything else, and outside of the years 1900 to 2199.
    init?(parameter text: String) {
        let range: ClosedRange<Int64> = -2_208_988_800...7_258_118_399
        if let seconds = Int64(text) {
            guard range.contains(seconds) else { return nil }
            self.init(secondsSince1970: seconds)
            return
        }
        // An unencoded + of an offset decodes to a space.
        let text = text.replacing(" ", with: "+")
        guard Instant.isDateAndTimeWithZone(Array(text.utf8)),
            case .success(let instant) = Result(catching: { () throws(TimeExpressionError) in
                try TimeExpression.parse(text, now: Instant(secondsSince1970: 0), zone: .utc)
            }), range.contains(instant.secondsSince1970)
        else { return nil }
        self = instant
    }

    /// Whether a text may be an ISO 8601 date and time with an offset. Other time expressions, such as `Tuesday`, depend on the
    /// current time.
    private static func isDateAndTimeWithZone(_ bytes: [UInt8]) -> Bool {
        guard (17...40).contains(bytes.count), bytes[4] == UInt8(ascii: "-"), bytes[10] | 0x20 == UInt8(ascii: "t")
        else {
            return false
        }
        let time = bytes[11...]
        return time.last.map { $0 | 0x20 } == UInt8(ascii: "z")
            || time.contains { $0 == UInt8(ascii: "+") || $0 == UInt8(ascii: "-") }
    }
}

/// The zones that requests named, so that each zone's file is read once.
final class ZoneCache: Sendable {
    /// The cache of the process.
    static let shared = ZoneCache(capacity: 64)

    private let capacity: Int
    /// `nil` for names without a zone.
    private let zones = Mutex<[String: Zone?]>([:])

    init(capacity: Int) {
        self.capacity = capacity
    }

    /// The zone with an IANA name; `nil` if there is none, or its file can't be read.
    func zone(named name: String) -> Zone? {
        if let known = zones.withLock({ $0[name] }) { return known }
        let zone: Zone?
        do throws(ZoneError) {
            zone = try ZoneDatabase.system.zoneIfPresent(named: name)
        } catch {
            zone = nil
        }
        zones.withLock { zones in
            if zones.count >= capacity { zones.removeAll(keepingCapacity: true) }
            zones[name] = .some(zone)
        }
        return zone
    }
}
