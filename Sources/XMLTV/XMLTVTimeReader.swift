/// Reads a time in any of the forms that ``XMLTVTime/init(parsing:)`` lists, byte after byte.
///
/// The bytes are handed to every step, for a stored `Span` would make the reader non-escapable.
struct XMLTVTimeReader {
    /// The next byte.
    private var index = 0
    /// Behind the last byte that counts.
    private var end = 0

    private var year = 0
    private var month = 1
    private var day = 1
    private var hour = 0
    private var minute = 0
    private var second = 0
    private var precision = XMLTVTime.Precision.year

    /// Reads the whole of the bytes.
    ///
    ///     [white] date-and-time [white] [zone] [white]
    mutating func readTime(in bytes: Span<UInt8>) throws(XMLTVTimeError) -> XMLTVTime {
        end = bytes.count
        while end > 0, bytes[end - 1].isXMLWhite { end -= 1 }
        skipWhite(in: bytes)
        guard index < end else { throw .empty }

        try readDateAndTime(in: bytes)
        let local = try localSeconds()
        skipWhite(in: bytes)
        guard index < end else { return XMLTVTime(localSeconds: local, utcOffset: nil, precision: precision) }

        let zone = try readZone(in: bytes)
        return XMLTVTime(
            localSeconds: local, utcOffset: zone.seconds, isAmbiguousZone: zone.isAmbiguous, precision: precision)
    }

    /// The fields as seconds.
    private func localSeconds() throws(XMLTVTimeError) -> Int64 {
        guard let days = XMLTVTime.daysSince1970(year: year, month: month, day: day) else { throw .noSuchDay }
        guard minute < 60, second <= 60, hour < 24 || hour == 24 && minute == 0 && second == 0 else {
            throw .noSuchTime
        }
        return Int64(days * 86_400 + hour * 3600 + minute * 60 + second)
    }
}

// MARK: - Date and time

extension XMLTVTimeReader {
    ///     YYYY[MM[DD[hh[mm[ss[fraction]]]]]]
    ///     YYYYMMDD time-of-day
    ///     YYYY-MM[-DD [time-of-day]]
    private mutating func readDateAndTime(in bytes: Span<UInt8>) throws(XMLTVTimeError) {
        guard let century = readPair(in: bytes), let years = readPair(in: bytes) else { throw .notATime }
        year = century * 100 + years

        if startsISOMonth(in: bytes) {
            index += 1
            month = try pair(in: bytes)
            precision = .month
            guard byte(at: index, in: bytes) == UInt8(ascii: "-") else { return }
            index += 1
            day = try pair(in: bytes)
            precision = .day
            return try readTimeOfDay(in: bytes)
        }

        if let field = readPair(in: bytes) { (month, precision) = (field, .month) }
        if precision == .month, let field = readPair(in: bytes) { (day, precision) = (field, .day) }
        if precision == .day, let field = readPair(in: bytes) {
            (hour, precision) = (field, .hour)
            try readMinuteAndSecond(colons: false, in: bytes)
        } else if precision == .day {
            try readTimeOfDay(in: bytes)
        }
        // An odd digit, or a fifteenth.
        guard byte(at: index, in: bytes)?.isDigit != true else { throw .notATime }
    }

    /// Whether `-MM` comes next and then the end or another `-`, for `2026-0100` is a year with an offset.
    private func startsISOMonth(in bytes: Span<UInt8>) -> Bool {
        guard byte(at: index, in: bytes) == UInt8(ascii: "-"), byte(at: index + 1, in: bytes)?.isDigit == true,
            byte(at: index + 2, in: bytes)?.isDigit == true
        else { return false }
        let next = byte(at: index + 3, in: bytes)
        return next == nil || next == UInt8(ascii: "-")
    }

    ///     Thh[[:]mm[[:]ss[fraction]]]
    ///     white hh:mm[:ss[fraction]]
    private mutating func readTimeOfDay(in bytes: Span<UInt8>) throws(XMLTVTimeError) {
        let next = byte(at: index, in: bytes)
        var start = index
        if next == UInt8(ascii: "T") || next == UInt8(ascii: "t") {
            start += 1
            // A zone may begin with T, too.
            guard byte(at: start, in: bytes)?.isDigit == true else { return }
        } else {
            while byte(at: start, in: bytes)?.isXMLWhite == true { start += 1 }
            guard start > index, byte(at: start, in: bytes)?.isDigit == true else { return }
            guard byte(at: start + 2, in: bytes) == UInt8(ascii: ":") else { throw .notATime }
        }
        index = start
        hour = try pair(in: bytes)
        precision = .hour
        try readMinuteAndSecond(colons: byte(at: index, in: bytes) == UInt8(ascii: ":"), in: bytes)
    }

    ///     mm[ss[fraction]]      or      :mm[:ss[fraction]]
    private mutating func readMinuteAndSecond(colons: Bool, in bytes: Span<UInt8>) throws(XMLTVTimeError) {
        guard let minute = try readField(colons: colons, in: bytes) else { return }
        (self.minute, precision) = (minute, .minute)
        guard let second = try readField(colons: colons, in: bytes) else { return }
        (self.second, precision) = (second, .second)
        let mark = byte(at: index, in: bytes)
        if mark == UInt8(ascii: ".") || mark == UInt8(ascii: ",") {
            index += 1
            guard byte(at: index, in: bytes)?.isDigit == true else { throw .notATime }
            while byte(at: index, in: bytes)?.isDigit == true { index += 1 }
        }
    }

    /// Reads two digits, behind a colon or not; `nil` when something else comes next.
    private mutating func readField(colons: Bool, in bytes: Span<UInt8>) throws(XMLTVTimeError) -> Int? {
        guard colons else { return readPair(in: bytes) }
        guard byte(at: index, in: bytes) == UInt8(ascii: ":") else { return nil }
        index += 1
        return try pair(in: bytes)
    }
}

// MARK: - Zone

extension XMLTVTimeReader {
    ///     offset | name | (UTC | UT | GMT) [white] offset
    private mutating func readZone(in bytes: Span<UInt8>) throws(XMLTVTimeError) -> XMLTVTimeZoneName {
        let next = bytes[index]
        if next == UInt8(ascii: "+") || next == UInt8(ascii: "-") {
            return XMLTVTimeZoneName(seconds: try readOffset(in: bytes), isAmbiguous: false)
        }
        guard next.isASCIILetter else { throw .notATime }
        var name = XMLTVTimeZoneName.Key()
        while let letter = byte(at: index, in: bytes), letter.isASCIILetter {
            name.append(letter)
            index += 1
        }
        guard let zone = XMLTVTimeZoneName(name) else { throw .unknownZone }
        skipWhite(in: bytes)
        guard let sign = byte(at: index, in: bytes) else { return zone }
        guard sign == UInt8(ascii: "+") || sign == UInt8(ascii: "-"), zone.seconds == 0, name != "Z", name != "WET"
        else { throw .unknownZone }
        return XMLTVTimeZoneName(seconds: try readOffset(in: bytes), isAmbiguous: false)
    }

    /// Seconds of an offset that ends the bytes.
    ///
    ///     (+ | -) (H | HH | HMM | HHMM | H:MM | HH:MM)
    private mutating func readOffset(in bytes: Span<UInt8>) throws(XMLTVTimeError) -> Int {
        let isWest = bytes[index] == UInt8(ascii: "-")
        index += 1
        var number = 0
        var digits = 0
        var digitsBeforeColon: Int?
        while let next = byte(at: index, in: bytes) {
            if next.isDigit, digits < 4 {
                number = number * 10 + Int(next - UInt8(ascii: "0"))
                digits += 1
            } else if next == UInt8(ascii: ":"), digitsBeforeColon == nil, digits == 1 || digits == 2 {
                digitsBeforeColon = digits
            } else {
                throw .badOffset
            }
            index += 1
        }
        if let digitsBeforeColon, digits != digitsBeforeColon + 2 { throw .badOffset }
        guard digits > 0 else { throw .badOffset }
        let (hours, minutes) = digits <= 2 ? (number, 0) : (number / 100, number % 100)
        guard hours < 16, minutes < 60 else { throw .badOffset }
        return (isWest ? -1 : 1) * (hours * 3600 + minutes * 60)
    }
}

// MARK: - Steps

extension XMLTVTimeReader {
    /// The byte at a place, or `nil` at the end.
    private func byte(at place: Int, in bytes: Span<UInt8>) -> UInt8? {
        place < end ? bytes[place] : nil
    }

    private mutating func skipWhite(in bytes: Span<UInt8>) {
        while index < end, bytes[index].isXMLWhite { index += 1 }
    }

    /// Reads two digits, or nothing and gives `nil`.
    private mutating func readPair(in bytes: Span<UInt8>) -> Int? {
        guard index + 1 < end, bytes[index].isDigit, bytes[index + 1].isDigit else { return nil }
        let value = Int(bytes[index] - UInt8(ascii: "0")) * 10 + Int(bytes[index + 1] - UInt8(ascii: "0"))
        index += 2
        return value
    }

    /// Reads two digits that must be there.
    private mutating func pair(in bytes: Span<UInt8>) throws(XMLTVTimeError) -> Int {
        guard let value = readPair(in: bytes) else { throw .notATime }
        return value
    }
}

extension UInt8 {
    fileprivate var isDigit: Bool { self &- UInt8(ascii: "0") <= 9 }
    fileprivate var isASCIILetter: Bool { (self | 0x20) &- UInt8(ascii: "a") < 26 }
    fileprivate var isXMLWhite: Bool { self == 0x20 || self == 0x0A || self == 0x0D || self == 0x09 }
}
