public import EPGModel

/// Times in command-line arguments and URLs.
///
///     now                                 +2h  -30m  +1h30m              @UNIXSECONDS
///     20:00  20:00:30  8pm  8:30pm        today                          2026-03-29
///     today 20:00                         tomorrow 8pm                   yesterday 20:00
///     sat  saturday 20:00                 2026-03-29T20:00               2026-03-29 20:00:00
///     2026-03-29T20:00Z                   2026-03-29T20:00:00.5+01:00
public enum TimeExpression {
    /// Parses a time.
    ///
    /// Case-insensitive. A time of day is today's; a day is its first instant; a weekday is today or the next day with
    /// that name. A time without an offset is in `zone`; ``Zone/instant(of:)`` resolves skipped and repeated times.
    /// `24:00` is midnight at the end of the day. Fractions of a second are dropped.
    ///
    /// - Parameters:
    ///   - text: The text. Surrounding white space is ignored.
    ///   - now: The current time, to which `+2h` is relative.
    ///   - zone: The time zone of local times, which also determines the current date.
    /// - Throws: ``TimeExpressionError``, also if the instant is outside the years 0000 to 9999.
    public static func parse(
        _ text: String, now: Instant, zone: Zone
    ) throws(TimeExpressionError) -> Instant {
        var reader = TimeExpressionReader(text: text, now: now, zone: zone)
        do throws(TimeExpressionError.Problem) {
            let instant = try reader.read()
            guard instant.hasFourDigitYear else { throw .outOfRange }
            return instant
        } catch {
            throw TimeExpressionError(text: text, problem: error)
        }
    }
}

/// An invalid ``TimeExpression``.
public struct TimeExpressionError: Error, Hashable, Sendable {
    /// The reason that the text is invalid.
    public enum Problem: Error, Hashable, Sendable {
        /// The text is empty.
        case empty
        /// The text has none of the supported formats.
        case unknownForm
        /// The date does not exist.
        case noSuchDay
        /// The time of day does not exist.
        case noSuchTime
        /// The offset from UTC exceeds ±15:59 or is malformed.
        case badOffset
        /// The instant is outside the years 0000 to 9999.
        case outOfRange
    }

    /// The invalid text.
    public let text: String
    /// The reason that the text is invalid.
    public let problem: Problem

    init(text: String, problem: Problem) {
        self.text = text
        self.problem = problem
    }
}

extension TimeExpressionError: CustomStringConvertible {
    /// The supported formats, for messages and help.
    public static let forms =
        "now, 20:00, 8:30pm, today, tomorrow 20:00, sat 20:00, 2026-03-29, 2026-03-29T20:00, "
        + "2026-03-29T20:00:00+01:00, +2h, -30m, +1h30m or @1774728000"

    /// The error message in English: the problem, and what to write instead.
    public var description: String {
        switch problem {
        case .empty: "the time is empty; use \(TimeExpressionError.forms)"
        case .unknownForm: "\(quoted: text) is not a time; use \(TimeExpressionError.forms)"
        case .noSuchDay: "the date in \(quoted: text) does not exist; use a date such as 2026-03-29"
        case .noSuchTime: "the time of day in \(quoted: text) does not exist; use a time from 00:00 to 24:00"
        case .badOffset: "invalid offset from UTC in \(quoted: text); use Z or an offset such as +01:00, up to 15:59"
        case .outOfRange: "\(quoted: text) is outside the years 0000 to 9999"
        }
    }
}

/// Parses a ``TimeExpression``.
private struct TimeExpressionReader {
    typealias Problem = TimeExpressionError.Problem

    private let bytes: [UInt8]
    private let now: Instant
    private let zone: Zone
    private var index = 0

    /// - Parameter text: The text. One of more than 100 bytes is truncated, which makes it invalid.
    init(text: String, now: Instant, zone: Zone) {
        var trimmed = text.utf8.prefix(100).drop { $0.isBlank }
        while trimmed.last?.isBlank == true { trimmed.removeLast() }
        bytes = trimmed.map { (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains($0) ? $0 | 0x20 : $0 }
        self.now = now
        self.zone = zone
    }

    private var isAtEnd: Bool { index == bytes.count }

    /// Parses the complete text.
    mutating func read() throws(Problem) -> Instant {
        guard let first = bytes.first else { throw .empty }
        let instant: Instant
        switch first {
        case UInt8(ascii: "@"): instant = try readUnixSeconds()
        case UInt8(ascii: "+"), UInt8(ascii: "-"): instant = try readDistance()
        case _ where first.isLetter: instant = try readNamedDay()
        case _ where first.isDigit && bytes.dropFirst(4).first == UInt8(ascii: "-"): instant = try readDate()
        default: instant = self.instant(of: try readTime(), on: zone.date(at: now), offset: nil)
        }
        guard isAtEnd else { throw .unknownForm }
        return instant
    }
}

// MARK: - Forms

extension TimeExpressionReader {
    /// Parses `@` and an optionally signed number.
    private mutating func readUnixSeconds() throws(Problem) -> Instant {
        index += 1
        guard !isAtEnd, bytes[index] != UInt8(ascii: "+"),
            bytes.dropFirst(index).allSatisfy({ $0.isDigit || $0 == UInt8(ascii: "-") })
        else { throw .unknownForm }
        let digits = String(decoding: bytes.dropFirst(index), as: UTF8.self)
        index = bytes.count
        guard let seconds = Int64(digits) else { throw digits.dropFirst().contains("-") ? .unknownForm : .outOfRange }
        return Instant(secondsSince1970: seconds)
    }

    /// Parses a sign and numbers with the units `d` (24 hours), `h`, `m` or `s`.
    private mutating func readDistance() throws(Problem) -> Instant {
        let isBack = bytes[index] == UInt8(ascii: "-")
        index += 1
        var seconds: Int64 = 0
        repeat {
            guard let number = readNumber(upTo: 7), let unit = readUnit() else { throw .unknownForm }
            // No overflow: at most 9,999,999 days per number, and 100 bytes.
            seconds += Int64(number) * unit
        } while !isAtEnd
        return now.advanced(by: isBack ? -seconds : seconds)
    }

    private mutating func readUnit() -> Int64? {
        guard !isAtEnd else { return nil }
        let units: [(UInt8, Int64)] = [
            (UInt8(ascii: "d"), 86_400), (UInt8(ascii: "h"), 3600), (UInt8(ascii: "m"), 60), (UInt8(ascii: "s"), 1),
        ]
        guard let unit = units.first(where: { $0.0 == bytes[index] }) else { return nil }
        index += 1
        return unit.1
    }

    /// Parses `now`, or the name of a day with an optional time of day.
    private mutating func readNamedDay() throws(Problem) -> Instant {
        let start = index
        while !isAtEnd, bytes[index].isLetter { index += 1 }
        let name = String(decoding: bytes[start..<index], as: UTF8.self)
        if name == "now" { return now }
        guard let days = daysAhead(ofDayNamed: name) else { throw .unknownForm }
        let date = zone.date(at: now).advanced(byDays: days)
        guard !isAtEnd else { return zone.start(of: date) }
        guard skipBlanks() else { throw .unknownForm }
        return instant(of: try readTime(), on: date, offset: nil)
    }

    private func daysAhead(ofDayNamed name: String) -> Int? {
        switch name {
        case "yesterday": return -1
        case "today": return 0
        case "tomorrow": return 1
        default:
            let names: [(Weekday, [String])] = [
                (.monday, ["mon", "monday"]), (.tuesday, ["tue", "tues", "tuesday"]),
                (.wednesday, ["wed", "wednesday"]), (.thursday, ["thu", "thur", "thurs", "thursday"]),
                (.friday, ["fri", "friday"]), (.saturday, ["sat", "saturday"]), (.sunday, ["sun", "sunday"]),
            ]
            guard let weekday = names.first(where: { $0.1.contains(name) })?.0 else { return nil }
            return (weekday.rawValue - zone.date(at: now).weekday.rawValue + 7) % 7
        }
    }

    /// Parses `YYYY-MM-DD`, optionally followed by `T` or a blank and a time of day, and an offset.
    private mutating func readDate() throws(Problem) -> Instant {
        guard let year = readNumber(digits: 4), skip("-"), let month = readNumber(digits: 2), skip("-"),
            let day = readNumber(digits: 2)
        else { throw .unknownForm }
        guard let date = CivilDate(year: Int64(year), month: month, day: day) else { throw .noSuchDay }
        guard !isAtEnd else { return zone.start(of: date) }
        guard skip("t") || skipBlanks() else { throw .unknownForm }
        let time = try readTime()
        return instant(of: time, on: date, offset: try readOffset())
    }
}

// MARK: - Parts

extension TimeExpressionReader {
    /// Parses a time of day as seconds, 0…86,400: `20:00`, `20:00:30.5`, `8pm`, `8:30 pm`, `24:00`.
    private mutating func readTime() throws(Problem) -> Int64 {
        guard var hour = readNumber(upTo: 2) else { throw .unknownForm }
        var minute = 0
        var second = 0
        let hasMinutes = skip(":")
        if hasMinutes {
            guard let number = readNumber(digits: 2) else { throw .unknownForm }
            minute = number
            if skip(":") {
                guard let number = readNumber(digits: 2) else { throw .unknownForm }
                second = number
                if skip(".") || skip(",") {
                    guard !isAtEnd, bytes[index].isDigit else { throw .unknownForm }
                    while !isAtEnd, bytes[index].isDigit { index += 1 }
                }
            }
        }
        if let isAfternoon = readHalfOfDay() {
            guard (1...12).contains(hour) else { throw .noSuchTime }
            hour = hour % 12 + (isAfternoon ? 12 : 0)
        } else if !hasMinutes {
            throw .unknownForm
        }
        guard minute < 60, second < 60, hour < 24 || hour == 24 && minute == 0 && second == 0 else {
            throw .noSuchTime
        }
        return Int64(hour * 3600 + minute * 60 + second)
    }

    /// Parses `am` or `pm`; returns `nil` for neither.
    private mutating func readHalfOfDay() -> Bool? {
        let start = index
        _ = skipBlanks()
        for (name, isAfternoon) in [("am", false), ("pm", true)] where bytes[index...].elementsEqual(name.utf8) {
            index += 2
            return isAfternoon
        }
        index = start
        return nil
    }

    /// Parses `Z`, `+01:00`, `+0100` or `+01` as seconds; returns `nil` at the end.
    private mutating func readOffset() throws(Problem) -> Int64? {
        _ = skipBlanks()
        if isAtEnd { return nil }
        if skip("z") { return 0 }
        let isWest = skip("-")
        guard isWest || skip("+") else { throw .unknownForm }
        guard let hours = readNumber(digits: 2) else { throw .badOffset }
        var minutes = 0
        if !isAtEnd {
            _ = skip(":")
            guard let number = readNumber(digits: 2) else { throw .badOffset }
            minutes = number
        }
        guard hours <= 15, minutes <= 59 else { throw .badOffset }
        return Int64(hours * 3600 + minutes * 60) * (isWest ? -1 : 1)
    }

    private func instant(of secondsOfDay: Int64, on date: CivilDate, offset: Int64?) -> Instant {
        if let offset { return Instant(secondsSince1970: date.midnightSeconds + secondsOfDay - offset) }
        if secondsOfDay == 86_400 { return zone.start(of: date.advanced(byDays: 1)) }
        return zone.instant(ofLocalSeconds: date.midnightSeconds + secondsOfDay)
    }
}

// MARK: - Steps

extension TimeExpressionReader {
    private mutating func skip(_ character: Unicode.Scalar) -> Bool {
        guard !isAtEnd, bytes[index] == UInt8(ascii: character) else { return false }
        index += 1
        return true
    }

    /// Returns whether there were any blanks.
    private mutating func skipBlanks() -> Bool {
        let start = index
        while !isAtEnd, bytes[index].isBlank { index += 1 }
        return index > start
    }

    /// Parses a number with an exact count of digits.
    private mutating func readNumber(digits count: Int) -> Int? {
        let start = index
        guard let number = readNumber(upTo: count), index - start == count else { return nil }
        return number
    }

    /// Parses a number with 1 to `count` digits.
    private mutating func readNumber(upTo count: Int) -> Int? {
        let start = index
        var number = 0
        while !isAtEnd, index - start < count, bytes[index].isDigit {
            number = number * 10 + Int(bytes[index] - UInt8(ascii: "0"))
            index += 1
        }
        return index > start ? number : nil
    }
}

extension UInt8 {
    fileprivate var isBlank: Bool { self == UInt8(ascii: " ") || self == UInt8(ascii: "\t") }
}

// MARK: - Absolute times in URLs and documents

extension CivilDate {
    /// Parses `YYYY-MM-DD`; `nil` for anything else, for a date that does not exist, and outside the years 1900 to
    /// 2199.
    package init?(absolute text: String) {
        let parts = text.utf8.split(separator: UInt8(ascii: "-"), omittingEmptySubsequences: false)
        guard parts.map(\.count) == [4, 2, 2], parts.allSatisfy({ $0.allSatisfy(\.isDigit) }) else { return nil }
        let numbers = parts.compactMap { Int(Substring($0)) }
        guard numbers.count == 3, (1900...2199).contains(numbers[0]) else { return nil }
        self.init(year: Int64(numbers[0]), month: numbers[1], day: numbers[2])
    }
}

extension Instant {
    /// Parses seconds since 1970, or ISO 8601 with an offset; `nil` for anything else, and outside the years 1900 to
    /// 2199.
    ///
    /// A space counts as `+`, because an unencoded `+` in a URL decodes to a space.
    package init?(absolute text: String) {
        let range: ClosedRange<Int64> = -2_208_988_800...7_258_118_399
        if let seconds = Int64(text) {
            guard range.contains(seconds) else { return nil }
            self.init(secondsSince1970: seconds)
            return
        }
        let text = String(decoding: text.utf8.map { $0 == UInt8(ascii: " ") ? UInt8(ascii: "+") : $0 }, as: UTF8.self)
        guard Instant.isDateAndTimeWithZone(Array(text.utf8)),
            case .success(let instant) = Result(catching: { () throws(TimeExpressionError) in
                try TimeExpression.parse(text, now: Instant(secondsSince1970: 0), zone: .utc)
            }), range.contains(instant.secondsSince1970)
        else { return nil }
        self = instant
    }

    /// Returns whether a text may be an ISO 8601 date and time with an offset.
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
