/// A parser of the time formats that ``XMLTVTime/init(parsing:)`` lists.
///
/// Each step takes the bytes as an argument, because a stored `Span` would make the parser non-escapable.
struct XMLTVTimeReader {
    /// The next byte.
    private var index = 0
    /// The end of the significant bytes.
    private var end = 0

    private var year = 0
    private var month = 1
    private var day = 1
    private var hour = 0
    private var minute = 0
    private var second = 0
    private var precision = XMLTVTime.Precision.year

    /// Parses all bytes.
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

    /// Returns the parsed date and time in seconds.
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
        // An odd number of digits, or a fifteenth digit.
        guard byte(at: index, in: bytes)?.isDigit != true else { throw .notATime }
    }

    /// Returns whether `-MM` follows, and then the end or another `-`, because `2026-0100` is a year with an offset.
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
            // A zone name may start with T, too.
            guard byte(at: start, in: bytes)?.isDigit == true else { return }
        } else {
            while byte(at: start, in: bytes)?.isXMLWhite == true { start += 1 }
            // A single digit is a zone of 0.
            guard start > index, byte(at: start, in: bytes)?.isDigit == true, start + 1 < end else { return }
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

    /// Parses two digits, after a colon if `colons` is true. Returns `nil` if something else follows.
    private mutating func readField(colons: Bool, in bytes: Span<UInt8>) throws(XMLTVTimeError) -> Int? {
        guard colons else { return readPair(in: bytes) }
        guard byte(at: index, in: bytes) == UInt8(ascii: ":") else { return nil }
        index += 1
        return try pair(in: bytes)
    }
}

// MARK: - Zone

extension XMLTVTimeReader {
    ///     offset | 0 | name | (UTC | UT | GMT) [white] offset
    private mutating func readZone(in bytes: Span<UInt8>) throws(XMLTVTimeError) -> XMLTVTimeZoneName {
        let next = bytes[index]
        if next == UInt8(ascii: "+") || next == UInt8(ascii: "-") {
            return XMLTVTimeZoneName(seconds: try readOffset(in: bytes), isAmbiguous: false)
        }
        if next == UInt8(ascii: "0"), index + 1 == end { return XMLTVTimeZoneName(seconds: 0, isAmbiguous: false) }
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

    /// Parses an offset that ends the bytes, in seconds.
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
    /// Returns the byte at an index, or `nil` at the end.
    private func byte(at place: Int, in bytes: Span<UInt8>) -> UInt8? {
        place < end ? bytes[place] : nil
    }

    private mutating func skipWhite(in bytes: Span<UInt8>) {
        while index < end, bytes[index].isXMLWhite { index += 1 }
    }

    /// Parses two digits, or returns `nil` without advancing.
    private mutating func readPair(in bytes: Span<UInt8>) -> Int? {
        guard index + 1 < end, bytes[index].isDigit, bytes[index + 1].isDigit else { return nil }
        let value = Int(bytes[index] - UInt8(ascii: "0")) * 10 + Int(bytes[index + 1] - UInt8(ascii: "0"))
        index += 2
        return value
    }

    /// Parses two mandatory digits.
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

/// The meaning of a zone that was written as a name or an offset.
private struct XMLTVTimeZoneName: Hashable, Sendable {
    /// Seconds ahead of UTC.
    let seconds: Int
    /// Whether the name has other meanings, too.
    let isAmbiguous: Bool

    init(seconds: Int, isAmbiguous: Bool) {
        self.seconds = seconds
        self.isAmbiguous = isAmbiguous
    }

    /// Looks up a name. Returns `nil` if it is unknown.
    init?(_ name: Key) {
        guard let zone = XMLTVTimeZoneName.known[name] else { return nil }
        self = zone
    }

    /// The abbreviations that feeds use.
    ///
    /// BST is British Summer Time, as in the DTD. IST (India, Ireland, Israel), CST (America, China, Cuba), MST
    /// (America, Malaysia, Myanmar), and AST (Atlantic coast, Arabia) are ambiguous. The offsets come from the IANA
    /// time zone database, including its former ones for names that it no longer abbreviates.
    private static let known: [Key: XMLTVTimeZoneName] = {
        let offsets: [(Int, [Key])] = [
            (0, ["Z", "UTC", "UT", "GMT", "WET"]),
            (100, ["BST", "WEST", "CET", "MET", "WAT"]),
            (200, ["CEST", "MEST", "EET", "CAT", "SAST"]),
            (300, ["EEST", "MSK", "TRT", "EAT", "IDT"]),
            (400, ["GST"]), (500, ["PKT", "UZT"]), (545, ["NPT"]), (600, ["BDT"]), (630, ["MMT"]),
            (700, ["ICT", "WIB"]), (800, ["AWST", "HKT", "SGT", "MYT", "PHT", "WITA"]),
            (900, ["JST", "KST", "WIT"]), (930, ["ACST"]), (1000, ["AEST", "CHST"]), (1030, ["ACDT"]),
            (1100, ["AEDT"]), (1200, ["NZST", "FJT"]), (1300, ["NZDT"]),
            (-1100, ["SST"]), (-1000, ["HST"]), (-900, ["AKST", "HDT"]), (-800, ["PST", "AKDT"]), (-700, ["PDT"]),
            (-600, ["MDT"]), (-500, ["EST", "CDT", "COT", "PET"]), (-400, ["EDT", "CLT", "VET", "BOT"]),
            (-330, ["NST"]), (-300, ["ADT", "BRT", "ART", "UYT", "CLST"]), (-230, ["NDT"]), (-200, ["BRST"]),
        ]
        let ambiguous: [(Int, [Key])] = [(530, ["IST"]), (-600, ["CST"]), (-700, ["MST"]), (-400, ["AST"])]
        var known: [Key: XMLTVTimeZoneName] = [:]
        for (table, isAmbiguous) in [(offsets, false), (ambiguous, true)] {
            for (offset, names) in table {
                let seconds = offset / 100 * 3600 + offset % 100 * 60
                for name in names { known[name] = XMLTVTimeZoneName(seconds: seconds, isAmbiguous: isAmbiguous) }
            }
        }
        return known
    }()
}

extension XMLTVTimeZoneName {
    /// A case-insensitive name of at most seven letters, packed into a number so that lookups allocate nothing.
    ///
    /// A longer name equals no name of the table.
    struct Key: Hashable, Sendable, ExpressibleByStringLiteral {
        private var packed: UInt64 = 0

        init() {}

        init(stringLiteral name: String) {
            for letter in name.utf8 { append(letter) }
        }

        /// Adds an ASCII letter.
        mutating func append(_ letter: UInt8) {
            // The eighth letter fills the top byte, which stays nonzero: no name of the table is that long.
            let kept = packed & 0xFF00_0000_0000_0000
            packed = kept != 0 ? packed : packed << 8 | UInt64(letter & 0xDF)
        }
    }
}
