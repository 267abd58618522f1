import EPGCalendar
import EPGModel
import EPGRender

/// Reads the parameters of an address, and writes the one canonical form of it.
///
/// Every method names the parameter, gives its default where it isn't there, and throws a ``Problem`` with status 400 that
/// says what may stand there. A parameter that equals its default isn't part of the canonical form.
struct RequestReader: Sendable {
    /// What counts as now, rounded down to the minute.
    let clock: Instant
    /// The zone of people who name none.
    let defaultZone: Zone
    /// The host that was asked, as `Host` has it.
    private let givenHost: String?
    /// What stands in the braces of the path, decoded.
    private let captures: [String: String]
    private var unread: [(name: String, value: String)]
    private(set) var canonical: [(name: String, value: String)] = []
    /// Whether the answer depends on the clock, because ``minute()`` was asked and the address doesn't say.
    private(set) var followsClock = false
    /// Whether the answer depends on the host that was asked.
    private(set) var readsHost = false
    /// The generation that the address names, if any.
    private(set) var generation: GenerationName?

    /// - Throws: ``Problem`` where the query isn't percent-encoded UTF-8, is too long, or names a parameter twice.
    init(
        query: String?, captures: [String: String], clock: Instant, defaultZone: Zone, host: String?
    ) throws(Problem) {
        self.clock = Instant(
            secondsSince1970: clock.secondsSince1970
                - clock.secondsSince1970.quotientAndRemainderFloored(dividingBy: 60).remainder)
        self.defaultZone = defaultZone
        givenHost = host
        self.captures = captures
        unread = try PercentEncoding.pairs(ofQuery: query ?? "")
        if let text = take("generation") {
            guard let name = GenerationName(text) else {
                throw .badParameter(
                    "generation", "“\(text.prefix(40))” isn't a number from 0, nor one with a key such as 42.k3f9.")
            }
            generation = name
        }
    }

    // MARK: - Parameters

    /// The host that was asked, as `Host` has it: a part of the canonical address, because answers that name it differ.
    mutating func host() -> String? {
        readsHost = true
        if let givenHost { record("host", givenHost) }
        return givenHost
    }

    /// What stands in the braces of the path.
    func capture(_ name: String) -> String { captures[name] ?? "" }

    /// A text of at most so many bytes; an empty one counts as none.
    mutating func text(_ name: String, atMost limit: Int = 200) throws(Problem) -> String? {
        guard let text = take(name), !text.isEmpty else { return nil }
        guard text.utf8.count <= limit else {
            throw .badParameter(name, "the text has \(text.utf8.count) bytes; give at most \(limit).")
        }
        guard !text.unicodeScalars.contains(where: { $0.value < 0x20 || $0.value == 0x7F }) else {
            throw .badParameter(name, "there are control characters in it; leave them out.")
        }
        record(name, text)
        return text
    }

    /// A value that has a notation of its own; what describes it is its canonical form.
    ///
    /// - Parameters:
    ///   - wanted: What may stand there, such as `“…” isn't a day such as 2026-03-29.` without its beginning.
    ///   - read: Gives `nil` for what isn't such a value.
    mutating func value<Value: CustomStringConvertible>(
        _ name: String, atMost limit: Int = 200, wanted: String, _ read: (String) -> Value?
    ) throws(Problem) -> Value? {
        guard let text = take(name), !text.isEmpty else { return nil }
        guard text.utf8.count <= limit, let value = read(text) else {
            throw .badParameter(name, "“\(text.prefix(40))” isn't \(wanted).")
        }
        record(name, value.description)
        return value
    }

    mutating func integer(_ name: String, default value: Int, in range: ClosedRange<Int>) throws(Problem) -> Int {
        guard let text = take(name) else { return value }
        guard let number = Int(text), range.contains(number) else {
            throw .badParameter(
                name,
                "“\(text.prefix(40))” isn't a whole number from \(range.lowerBound) to \(range.upperBound).")
        }
        if number != value { record(name, String(number)) }
        return number
    }

    mutating func number(
        _ name: String, default value: Double, in range: ClosedRange<Double>
    ) throws(Problem) -> Double {
        try number(name, in: range, unless: value) ?? value
    }

    /// A number, or `nil` where none is given.
    mutating func number(_ name: String, in range: ClosedRange<Double>) throws(Problem) -> Double? {
        try number(name, in: range, unless: nil)
    }

    private mutating func number(
        _ name: String, in range: ClosedRange<Double>, unless value: Double?
    ) throws(Problem) -> Double? {
        guard let text = take(name) else { return nil }
        guard let number = Double(text), range.contains(number), !text.contains(where: { "xXpP".contains($0) }) else {
            throw .badParameter(
                name, "“\(text.prefix(40))” isn't a number from \(range.lowerBound) to \(range.upperBound).")
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
            throw .badParameter(name, "“\(text.prefix(40))” isn't one of \(all).")
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
                "“\(text.prefix(40))” isn't a time from 1900 to 2200: give seconds since 1970, or such as 2026-03-29T18:00:00Z."
            )
        }
        record(name, String(instant.secondsSince1970))
        return instant
    }

    /// `at`: what counts as now, rounded down to the minute; the clock's where the address doesn't say.
    mutating func minute() throws(Problem) -> Instant {
        let given = try instant("at")
        canonical.removeAll { $0.name == "at" }
        let instant = given ?? clock
        let minute = instant.secondsSince1970.quotientAndRemainderFloored(dividingBy: 60).quotient * 60
        if given == nil { followsClock = true }
        record("at", String(minute))
        return Instant(secondsSince1970: minute)
    }

    /// `at` and `zone`: the zone, and the first instant of the day in it that counts as today; the clock's day where the
    /// address doesn't say.
    mutating func today() throws(Problem) -> (zone: Zone, start: Instant) {
        let zone = try zone()
        let given = try instant("at")
        canonical.removeAll { $0.name == "at" }
        if given == nil { followsClock = true }
        let start = zone.start(of: zone.date(at: given ?? clock))
        record("at", String(start.secondsSince1970))
        return (zone, start)
    }

    /// `zone`: an IANA zone; the service's where none is given.
    mutating func zone() throws(Problem) -> Zone {
        guard let name = take("zone"), !name.isEmpty else { return defaultZone }
        guard name.utf8.count <= 64, let zone = ZoneCache.shared.zone(named: name) else {
            throw .badParameter(
                "zone", "there is no zone “\(name.prefix(40))”; give an IANA name such as Europe/London.")
        }
        record("zone", name)
        return zone
    }

    /// `lang`: languages, the best first, with commas between them; none where it isn't there.
    mutating func languages() throws(Problem) -> [String] {
        guard let text = try text("lang", atMost: 100) else { return [] }
        let languages = text.split(separator: ",").map(String.init)
        for language in languages {
            guard language.utf8.count <= 35, language.utf8.allSatisfy({ $0.isLetterDigitOrHyphen }) else {
                throw .badParameter("lang", "“\(language.prefix(40))” isn't a language such as en or pt-BR.")
            }
        }
        return languages
    }

    // MARK: - The end

    /// Makes sure that every parameter was read, and gives the canonical query.
    func finish() throws(Problem) -> String {
        if let other = unread.first {
            throw .badParameter(
                String(other.name.prefix(40)),
                "this address takes no such parameter; /openapi.yaml lists those it takes.")
        }
        return canonical.sorted { $0.name < $1.name }
            .map { $0.name.percentEncoded + "=" + $0.value.percentEncoded }
            .joined(separator: "&")
    }

    private mutating func take(_ name: String) -> String? {
        guard let index = unread.firstIndex(where: { $0.name == name }) else { return nil }
        return unread.remove(at: index).value
    }

    /// Makes a value part of the canonical address.
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

extension RequestReader {
    /// A path with what was captured in the places of its braces.
    func filled(_ path: String) -> String {
        path.split(separator: "/").map { part in
            guard part.hasPrefix("{"), let end = part.firstIndex(of: "}") else { return "/" + part }
            let name = part[part.index(after: part.startIndex)..<end]
            return "/" + capture(String(name)).percentEncoded + part[part.index(after: end)...]
        }.joined()
    }
}
