import EPGModel

/// The rule for a zone's yearly clock changes: a POSIX `TZ` string, such as the footer of a zone file.
struct ZoneRule: Hashable, Sendable {
    /// The daylight saving time of a rule.
    struct Daylight: Hashable, Sendable {
        let offset: ZoneOffset
        /// When it begins, in standard time.
        let start: YearlyChange
        /// When it ends, in daylight saving time.
        let end: YearlyChange
    }

    let standard: ZoneOffset
    let daylight: Daylight?

    /// Returns the period that contains an instant.
    ///
    /// The Gregorian calendar with its weekdays repeats every 400 years, so one cycle covers all of `Int64`.
    func period(containing instant: Instant) -> ZonePeriod {
        guard let daylight else { return ZonePeriod(window: .always, offset: standard) }
        let cycle: Int64 = 12_622_780_800
        let (_, within) = instant.secondsSince1970.quotientAndRemainderFloored(dividingBy: cycle)
        let year = CivilDate(daysSince1970: within / 86_400).year

        // A change may be up to eight days outside its year, and daylight saving time may end in the next year.
        var latest = Int64.min
        var next = Int64.max
        var isDaylight = false
        func record(_ change: Int64) {
            if change <= within { latest = max(latest, change) } else { next = min(next, change) }
        }
        for candidate in year - 2...year + 2 {
            let start = daylight.start.localSeconds(inYear: candidate) - standard.seconds
            let endOfYear = daylight.end.localSeconds(inYear: candidate) - daylight.offset.seconds
            let end =
                start < endOfYear
                ? endOfYear : daylight.end.localSeconds(inYear: candidate + 1) - daylight.offset.seconds
            if start <= within, within < end { isDaylight = true }
            record(start)
            record(end)
        }
        // The loop covers two years before and after, so both changes were found. Near the limits of Int64 the instants
        // saturate.
        return ZonePeriod(
            window: TimeWindow(
                start: instant.advanced(by: latest - within), end: instant.advanced(by: next - within)),
            offset: isDaylight ? daylight.offset : standard)
    }
}

/// A day and time of year at which the clocks change.
struct YearlyChange: Hashable, Sendable {
    enum Day: Hashable, Sendable {
        /// `Mm.w.d`: the *w*-th (5: the last) weekday of a month; weekdays from 0, Sunday.
        case weekday(Int, week: Int, month: Int)
        /// `Jn`: 1…365, not counting 29 February.
        case dayWithoutLeapDay(Int)
        /// `n`: 0…365, counting 29 February.
        case dayFromZero(Int)
    }

    let day: Day
    /// Seconds from the day's midnight, −167 to 167 hours (RFC 8536, 3.3.1).
    let secondsOfDay: Int64

    /// Returns the change in a year as seconds since 1970-01-01T00:00:00, in the local time before it.
    func localSeconds(inYear year: Int64) -> Int64 {
        days(inYear: year) * 86_400 + secondsOfDay
    }

    private func days(inYear year: Int64) -> Int64 {
        let newYear = YearlyChange.daysToFirst(ofMonth: 1, year: year)
        switch day {
        case .dayFromZero(let number):
            return newYear + Int64(number)
        case .dayWithoutLeapDay(let number):
            let isAfterLeapDay = number >= 60 && CivilDate.days(inMonth: 2, ofYear: year) == 29
            return newYear + Int64(number) - (isAfterLeapDay ? 0 : 1)
        case .weekday(let weekday, let week, let month):
            let first = YearlyChange.daysToFirst(ofMonth: month, year: year)
            // 1970-01-01 was a Thursday, the fourth day from Sunday.
            let weekdayOfFirst = (first + 4).quotientAndRemainderFloored(dividingBy: 7).remainder
            let toWeekday = (Int64(weekday) - weekdayOfFirst + 7) % 7
            let day = toWeekday + Int64(week - 1) * 7
            let isBeyondMonth = day >= Int64(CivilDate.days(inMonth: month, ofYear: year))
            return first + (isBeyondMonth ? day - 7 : day)
        }
    }

    /// Returns the days from 1970-01-01 to the first day of a month.
    private static func daysToFirst(ofMonth month: Int, year: Int64) -> Int64 {
        guard let date = CivilDate(year: year, month: month, day: 1) else {
            preconditionFailure("the years are within one cycle, and the parser validates months")
        }
        return date.daysSince1970
    }
}

extension TimeWindow {
    /// The window of all instants.
    static var always: TimeWindow {
        TimeWindow(start: Instant(secondsSince1970: .min), end: Instant(secondsSince1970: .max))
    }
}

// MARK: - Parsing

extension ZoneRule {
    /// Parses a POSIX `TZ` string with the extensions of RFC 8536, 3.3.1; `nil` for invalid text.
    ///
    ///     std offset [dst [offset] [,start[/time],end[/time]]]
    ///
    /// If the string does not define the changes, POSIX leaves them unspecified. The rule of the United States applies,
    /// as in the zone database's `posixrules`.
    init?(posix text: some StringProtocol) {
        var reader = PosixZoneReader(text)
        guard let rule = reader.readRule(), reader.isAtEnd else { return nil }
        self = rule
    }
}

/// Parses a POSIX `TZ` string.
private struct PosixZoneReader {
    private let bytes: [UInt8]
    private var index = 0

    init(_ text: some StringProtocol) {
        // Longer than any reasonable rule. A truncated text is not at its end, or is not a rule.
        bytes = Array(text.utf8.prefix(257))
    }

    var isAtEnd: Bool { index == bytes.count && bytes.count <= 256 }

    mutating func readRule() -> ZoneRule? {
        guard let name = readName(), let seconds = readOffset(),
            ZoneOffset.acceptedSeconds.contains(-seconds)
        else { return nil }
        let standard = ZoneOffset(seconds: -seconds, abbreviation: name, isDaylightSaving: false)
        if isAtEnd { return ZoneRule(standard: standard, daylight: nil) }

        guard let daylightName = readName() else { return nil }
        var daylightSeconds = standard.seconds + 3600
        if index < bytes.count, bytes[index] != UInt8(ascii: ",") {
            guard let seconds = readOffset() else { return nil }
            daylightSeconds = -seconds
        }
        guard ZoneOffset.acceptedSeconds.contains(daylightSeconds) else { return nil }
        let offset = ZoneOffset(seconds: daylightSeconds, abbreviation: daylightName, isDaylightSaving: true)
        if isAtEnd {
            let start = YearlyChange(day: .weekday(0, week: 2, month: 3), secondsOfDay: 7200)
            let end = YearlyChange(day: .weekday(0, week: 1, month: 11), secondsOfDay: 7200)
            return ZoneRule(standard: standard, daylight: .init(offset: offset, start: start, end: end))
        }
        guard skip(","), let start = readChange(), skip(","), let end = readChange() else { return nil }
        return ZoneRule(standard: standard, daylight: .init(offset: offset, start: start, end: end))
    }

    /// Parses `CET` or `<+0545>`.
    private mutating func readName() -> String? {
        let isQuoted = skip("<")
        let start = index
        while index < bytes.count, isQuoted ? bytes[index].isAbbreviation : bytes[index].isLetter { index += 1 }
        guard let name = String(zoneAbbreviation: bytes[start..<index]), !isQuoted || skip(">") else { return nil }
        return name
    }

    /// Parses `[+-]hh[:mm[:ss]]` as seconds, up to 167 hours.
    private mutating func readOffset() -> Int64? {
        let isNegative = skip("-")
        if !isNegative { _ = skip("+") }
        guard let hours = readNumber(in: 0...167) else { return nil }
        var seconds = Int64(hours) * 3600
        for unit: Int64 in [60, 1] where skip(":") {
            guard let number = readNumber(in: 0...59) else { return nil }
            seconds += Int64(number) * unit
        }
        return isNegative ? -seconds : seconds
    }

    /// Parses `Mm.w.d`, `Jn` or `n`, optionally followed by `/time`; the default is 02:00.
    private mutating func readChange() -> YearlyChange? {
        let day: YearlyChange.Day
        if skip("M") {
            guard let month = readNumber(in: 1...12), skip("."), let week = readNumber(in: 1...5), skip("."),
                let weekday = readNumber(in: 0...6)
            else { return nil }
            day = .weekday(weekday, week: week, month: month)
        } else if skip("J") {
            guard let number = readNumber(in: 1...365) else { return nil }
            day = .dayWithoutLeapDay(number)
        } else {
            guard let number = readNumber(in: 0...365) else { return nil }
            day = .dayFromZero(number)
        }
        guard skip("/") else { return YearlyChange(day: day, secondsOfDay: 7200) }
        guard let time = readOffset() else { return nil }
        return YearlyChange(day: day, secondsOfDay: time)
    }

    private mutating func readNumber(in range: ClosedRange<Int>) -> Int? {
        let start = index
        var number = 0
        while index < bytes.count, index < start + 3, bytes[index].isDigit {
            number = number * 10 + Int(bytes[index] - UInt8(ascii: "0"))
            index += 1
        }
        return index > start && range.contains(number) ? number : nil
    }

    private mutating func skip(_ character: Unicode.Scalar) -> Bool {
        guard index < bytes.count, bytes[index] == UInt8(ascii: character) else { return false }
        index += 1
        return true
    }
}

extension String {
    /// Creates the abbreviation of a zone: 3 to 31 letters, digits, `+` and `-` (RFC 8536, 3.2); `nil` for anything
    /// else.
    ///
    /// Other characters are rejected because abbreviations are printed to terminals and pages.
    init?(zoneAbbreviation bytes: some Collection<UInt8>) {
        guard (3...31).contains(bytes.count), bytes.allSatisfy(\.isAbbreviation) else { return nil }
        self = String(decoding: bytes, as: UTF8.self)
    }
}

extension UInt8 {
    /// `0`…`9`.
    var isDigit: Bool { self &- UInt8(ascii: "0") <= 9 }
    /// An ASCII letter.
    var isLetter: Bool { (self | 0x20) &- UInt8(ascii: "a") < 26 }
    fileprivate var isAbbreviation: Bool {
        isDigit || isLetter || self == UInt8(ascii: "+") || self == UInt8(ascii: "-")
    }
}
