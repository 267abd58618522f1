import EPGModel

/// Reads a ``TimeExpression``, byte after byte.
struct TimeExpressionReader {
    typealias Problem = TimeExpressionError.Problem

    private let bytes: [UInt8]
    private let now: Instant
    private let zone: Zone
    private var index = 0

    /// - Parameter text: No form has 100 bytes, so what is longer is cut and found to be none.
    init(text: String, now: Instant, zone: Zone) {
        var trimmed = text.utf8.prefix(100).drop { $0.isBlank }
        while trimmed.last?.isBlank == true { trimmed.removeLast() }
        bytes = trimmed.map { (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains($0) ? $0 | 0x20 : $0 }
        self.now = now
        self.zone = zone
    }

    private var isAtEnd: Bool { index == bytes.count }

    /// The instant that the whole text means.
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
    /// `@` and a number, perhaps with a sign.
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

    /// A sign, then numbers with `d`, `h`, `m` or `s` behind each; a day is one of 24 hours.
    private mutating func readDistance() throws(Problem) -> Instant {
        let isBack = bytes[index] == UInt8(ascii: "-")
        index += 1
        var seconds: Int64 = 0
        repeat {
            guard let number = readNumber(upTo: 7), let unit = readUnit() else { throw .unknownForm }
            // At most 9,999,999 days, and no more of those than 100 bytes hold.
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

    /// `now`, or a day's name and perhaps a time of day.
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

    /// `YYYY-MM-DD`, then perhaps `T` or a blank and a time of day, then perhaps an offset.
    private mutating func readDate() throws(Problem) -> Instant {
        guard let year = readNumber(digits: 4), take("-"), let month = readNumber(digits: 2), take("-"),
            let day = readNumber(digits: 2)
        else { throw .unknownForm }
        guard let date = CivilDate(year: Int64(year), month: month, day: day) else { throw .noSuchDay }
        guard !isAtEnd else { return zone.start(of: date) }
        guard take("t") || skipBlanks() else { throw .unknownForm }
        let time = try readTime()
        return instant(of: time, on: date, offset: try readOffset())
    }
}

// MARK: - Parts

extension TimeExpressionReader {
    /// Seconds of the day, 0…86,400: `20:00`, `20:00:30.5`, `8pm`, `8:30 pm`, `24:00`.
    private mutating func readTime() throws(Problem) -> Int64 {
        guard var hour = readNumber(upTo: 2) else { throw .unknownForm }
        var minute = 0
        var second = 0
        let hasMinutes = take(":")
        if hasMinutes {
            guard let number = readNumber(digits: 2) else { throw .unknownForm }
            minute = number
            if take(":") {
                guard let number = readNumber(digits: 2) else { throw .unknownForm }
                second = number
                if take(".") || take(",") {
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

    /// `am` or `pm`; `nil` when neither comes next.
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

    /// `Z`, `+01:00`, `+0100` or `+01` as seconds; `nil` at the end.
    private mutating func readOffset() throws(Problem) -> Int64? {
        _ = skipBlanks()
        if isAtEnd { return nil }
        if take("z") { return 0 }
        let isWest = take("-")
        guard isWest || take("+") else { throw .unknownForm }
        guard let hours = readNumber(digits: 2) else { throw .badOffset }
        var minutes = 0
        if !isAtEnd {
            _ = take(":")
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
    private mutating func take(_ character: Unicode.Scalar) -> Bool {
        guard !isAtEnd, bytes[index] == UInt8(ascii: character) else { return false }
        index += 1
        return true
    }

    /// Whether there were any.
    private mutating func skipBlanks() -> Bool {
        let start = index
        while !isAtEnd, bytes[index].isBlank { index += 1 }
        return index > start
    }

    /// A number of exactly so many digits.
    private mutating func readNumber(digits count: Int) -> Int? {
        let start = index
        guard let number = readNumber(upTo: count), index - start == count else { return nil }
        return number
    }

    /// A number of 1 to so many digits.
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
