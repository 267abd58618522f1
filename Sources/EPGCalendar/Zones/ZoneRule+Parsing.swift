extension ZoneRule {
    /// Reads a POSIX `TZ` string with the extensions of RFC 8536, 3.3.1; `nil` where it isn't one.
    ///
    ///     std offset [dst [offset] [,start[/time],end[/time]]]
    ///
    /// POSIX leaves it open when the clocks change where that isn't said; then it is the rule of the United States, as
    /// in the zone database's `posixrules`.
    init?(posix text: some StringProtocol) {
        var reader = PosixZoneReader(text)
        guard let rule = reader.readRule(), reader.isAtEnd else { return nil }
        self = rule
    }
}

/// Reads a POSIX `TZ` string.
private struct PosixZoneReader {
    private let bytes: [UInt8]
    private var index = 0

    init(_ text: some StringProtocol) {
        // Longer than any rule can sensibly be; what is cut off leaves a text that isn't at its end or isn't a rule.
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
        guard take(","), let start = readChange(), take(","), let end = readChange() else { return nil }
        return ZoneRule(standard: standard, daylight: .init(offset: offset, start: start, end: end))
    }

    /// `CET` or `<+0545>`.
    private mutating func readName() -> String? {
        let isQuoted = take("<")
        let start = index
        while index < bytes.count, isQuoted ? bytes[index].isAbbreviation : bytes[index].isLetter { index += 1 }
        guard let name = String(zoneAbbreviation: bytes[start..<index]), !isQuoted || take(">") else { return nil }
        return name
    }

    /// `[+-]hh[:mm[:ss]]` as seconds, hours up to 167.
    private mutating func readOffset() -> Int64? {
        let isNegative = take("-")
        if !isNegative { _ = take("+") }
        guard let hours = readNumber(in: 0...167) else { return nil }
        var seconds = Int64(hours) * 3600
        for unit: Int64 in [60, 1] where take(":") {
            guard let number = readNumber(in: 0...59) else { return nil }
            seconds += Int64(number) * unit
        }
        return isNegative ? -seconds : seconds
    }

    /// `Mm.w.d`, `Jn` or `n`, then perhaps `/time`, by default 02:00.
    private mutating func readChange() -> YearlyChange? {
        let day: YearlyChange.Day
        if take("M") {
            guard let month = readNumber(in: 1...12), take("."), let week = readNumber(in: 1...5), take("."),
                let weekday = readNumber(in: 0...6)
            else { return nil }
            day = .weekday(weekday, week: week, month: month)
        } else if take("J") {
            guard let number = readNumber(in: 1...365) else { return nil }
            day = .dayWithoutLeapDay(number)
        } else {
            guard let number = readNumber(in: 0...365) else { return nil }
            day = .dayFromZero(number)
        }
        guard take("/") else { return YearlyChange(day: day, secondsOfDay: 7200) }
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

    private mutating func take(_ character: Unicode.Scalar) -> Bool {
        guard index < bytes.count, bytes[index] == UInt8(ascii: character) else { return false }
        index += 1
        return true
    }
}

extension String {
    /// The abbreviation of a zone: 3 to 31 letters, digits, `+` and `-` (RFC 8536, 3.2); `nil` where it isn't one.
    ///
    /// Nothing else is let in, for abbreviations are printed on terminals and in pages.
    init?(zoneAbbreviation bytes: some Collection<UInt8>) {
        guard (3...31).contains(bytes.count), bytes.allSatisfy(\.isAbbreviation) else { return nil }
        self = String(decoding: bytes, as: UTF8.self)
    }
}

extension UInt8 {
    /// `0`…`9`.
    var isDigit: Bool { self &- UInt8(ascii: "0") <= 9 }
    /// A letter of ASCII.
    var isLetter: Bool { (self | 0x20) &- UInt8(ascii: "a") < 26 }
    fileprivate var isAbbreviation: Bool {
        isDigit || isLetter || self == UInt8(ascii: "+") || self == UInt8(ascii: "-")
    }
}
