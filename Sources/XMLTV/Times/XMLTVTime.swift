/// A date and time in XMLTV format: `YYYYMMDDhhmmss` or a prefix of it, optionally followed by a time zone.
///
/// The rules come from `xmltv.dtd`, "All dates and times in this DTD follow the same format". A time without a zone
/// is in UTC. ``init(parsing:)`` lists other accepted forms.
public struct XMLTVTime: Hashable, Sendable {
    /// The precision of a written time: its smallest part.
    public enum Precision: Int, Hashable, Sendable, Comparable {
        case year, month, day, hour, minute, second

        public static func < (lhs: Precision, rhs: Precision) -> Bool { lhs.rawValue < rhs.rawValue }
    }

    /// Seconds from 1970-01-01T00:00:00 to the written date and time, regardless of the zone. Missing parts have their
    /// lowest value (January, the 1st, midnight).
    ///
    /// A reader that knows the default time zone of a source applies it to this number if the time has no zone.
    public let localSeconds: Int64

    /// The offset of the written zone from UTC in seconds, within ±15:59; `nil` if no zone was written.
    public let utcOffset: Int?

    /// Whether the zone was written as an ambiguous name, such as `IST`; see ``init(parsing:)``.
    public let isAmbiguousZone: Bool

    /// The precision of the written time.
    public let precision: Precision

    /// Whether a zone was written.
    public var hasZone: Bool { utcOffset != nil }

    /// Seconds since 1970-01-01T00:00:00Z. A time without a zone is in UTC.
    public var secondsSince1970: Int64 { localSeconds - Int64(utcOffset ?? 0) }

    /// Creates a time from its parts.
    init(localSeconds: Int64, utcOffset: Int?, isAmbiguousZone: Bool = false, precision: Precision) {
        self.localSeconds = localSeconds
        self.utcOffset = utcOffset
        self.isAmbiguousZone = isAmbiguousZone
        self.precision = precision
    }

    /// Parses the bytes of a `start` or `stop` attribute (or of any other date in the DTD).
    ///
    /// Forms of the DTD: 4, 6, 8, 10, 12, or 14 digits, optionally followed by white space and a zone.
    /// Other forms: white space around the time, or none before the zone; offsets `+HHMM`, `+HH:MM`, `+H:MM`, `+HH`,
    /// `+H`, `+HMM`, and `0`; `Z`; the usual abbreviations in any case, and `UTC` or `GMT` followed by an offset; the
    /// extended and basic forms of ISO 8601, `2026-03-29T00:30:00+01:00` and `20260329T0030Z`, with a space instead of
    /// the `T`, without seconds, and with a fraction of a second, which is dropped.
    /// Hour 24 is the midnight that ends the day (ISO 8601:2004, 4.2.3). Second 60 is the next second (POSIX, "Seconds
    /// Since the Epoch").
    ///
    /// `IST`, `CST`, `MST`, and `AST` are ambiguous: they are read as +0530, −0600, −0700, and −0400, and set
    /// ``isAmbiguousZone``. An unknown name is an error, never silently UTC.
    ///
    /// - Throws: ``XMLTVTimeError``.
    /// - Complexity: O(*n*) for *n* bytes, without allocation.
    public init(parsing bytes: Span<UInt8>) throws(XMLTVTimeError) {
        if let common = XMLTVTime(commonForm: bytes) {
            self = common
        } else {
            var reader = XMLTVTimeReader()
            self = try reader.readTime(in: bytes)
        }
    }

    /// Parses a string like ``init(parsing:)``.
    ///
    /// - Throws: ``XMLTVTimeError``.
    public init(_ text: String) throws(XMLTVTimeError) {
        try self.init(parsing: text.utf8.span)
    }

    /// Parses `20260329003000 +0100`, the form that nearly every feed uses. Fails for any other form, valid or not.
    private init?(commonForm bytes: Span<UInt8>) {
        guard bytes.count == 20, bytes[14] == UInt8(ascii: " ") else { return nil }
        let isWest = bytes[15] == UInt8(ascii: "-")
        guard isWest || bytes[15] == UInt8(ascii: "+") else { return nil }

        // Minus "0", a byte that is not a digit exceeds 9, so one comparison at the end checks all eighteen.
        var highest: UInt8 = 0
        func pair(_ index: Int) -> Int {
            let tens = bytes[index] &- UInt8(ascii: "0")
            let ones = bytes[index + 1] &- UInt8(ascii: "0")
            highest = max(highest, tens, ones)
            return Int(tens) * 10 + Int(ones)
        }
        let year = pair(0) * 100 + pair(2)
        let month = pair(4)
        let day = pair(6)
        let hour = pair(8)
        let minute = pair(10)
        let second = pair(12)
        let zoneHour = pair(16)
        let zoneMinute = pair(18)
        guard highest <= 9, hour < 24, minute < 60, second < 60, zoneHour < 16, zoneMinute < 60,
            let days = XMLTVTime.daysSince1970(year: year, month: month, day: day)
        else { return nil }

        let offset = zoneHour * 3600 + zoneMinute * 60
        self.init(
            localSeconds: Int64(days * 86_400 + hour * 3600 + minute * 60 + second),
            utcOffset: isWest ? -offset : offset, precision: .second)
    }

    /// Returns the days from 1970-01-01 to a day of the proleptic Gregorian calendar, or `nil` for an invalid day.
    ///
    /// Years start on March 1, so that the leap day is the last of its year (H. Hinnant, "chrono-compatible low-level
    /// date algorithms").
    ///
    /// - Parameter year: 0…9999.
    static func daysSince1970(year: Int, month: Int, day: Int) -> Int? {
        guard (1...12).contains(month), day >= 1 else { return nil }
        if day > 28 {
            let isLeapYear = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0)
            let length = month == 2 ? (isLeapYear ? 29 : 28) : 30 + (month + month / 8) % 2
            guard day <= length else { return nil }
        }
        // Add an era of 400 years and subtract it again, so that no division has a negative operand.
        let marchYear = (month > 2 ? year : year - 1) + 400
        let monthFromMarch = month > 2 ? month - 3 : month + 9
        let dayOfYear = (153 * monthFromMarch + 2) / 5 + day - 1
        return marchYear * 365 + marchYear / 4 - marchYear / 100 + marchYear / 400 + dayOfYear - 719_468 - 146_097
    }
}

extension XMLTVTime {
    /// Formats a time as `20260329003000 +0000`, which every reader accepts.
    ///
    /// - Parameter seconds: Seconds since 1970-01-01T00:00:00Z.
    /// - Returns: `nil` outside the years 0000…9999, which four digits can't represent.
    public static func format(secondsSince1970 seconds: Int64) -> String? {
        // From 0000-01-01T00:00:00Z to 9999-12-31T23:59:59Z.
        guard (-62_167_219_200...253_402_300_799).contains(seconds) else { return nil }
        let sinceYear0 = Int(seconds) + 62_167_219_200
        let (days, second) = sinceYear0.quotientAndRemainder(dividingBy: 86_400)

        // Days since 0000-03-01, shifted by 400 years; see daysSince1970(year:month:day:).
        let fromMarch = days - 60 + 146_097
        let (era, dayOfEra) = fromMarch.quotientAndRemainder(dividingBy: 146_097)
        let yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
        let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let monthFromMarch = (5 * dayOfYear + 2) / 153
        let day = dayOfYear - (153 * monthFromMarch + 2) / 5 + 1
        let month = monthFromMarch < 10 ? monthFromMarch + 3 : monthFromMarch - 9
        let year = (era - 1) * 400 + yearOfEra + (month <= 2 ? 1 : 0)

        let number =
            ((year * 100 + month) * 100 + day) * 1_000_000
            + (second / 3600 * 100 + second / 60 % 60) * 100 + second % 60
        let digits = String(number)
        return String(repeating: "0", count: 14 - digits.utf8.count) + digits + " +0000"
    }
}

/// The reason why bytes are not a valid ``XMLTVTime``.
public enum XMLTVTimeError: Error, Hashable, Sendable {
    /// Nothing but white space.
    case empty
    /// Neither digits in the order of `YYYYMMDDhhmmss` nor ISO 8601.
    case notATime
    /// A well-formed date with an invalid month or day (February 30).
    case noSuchDay
    /// A well-formed time with an invalid hour, minute, or second (25:00).
    case noSuchTime
    /// A malformed offset, one beyond ±15:59, or one with more than 59 minutes.
    case badOffset
    /// An unknown name in place of a zone.
    case unknownZone
}

extension XMLTVTimeError: CustomStringConvertible {
    /// The error message with the accepted form. The caller adds the position.
    public var description: String {
        switch self {
        case .empty: "empty time; write YYYYMMDDhhmmss +HHMM"
        case .notATime: "not a time; write YYYYMMDDhhmmss +HHMM"
        case .noSuchDay: "no such day; months are 01…12, days 01…31"
        case .noSuchTime: "no such time of day; write hhmmss from 000000 to 235959"
        case .badOffset: "malformed offset from UTC; write +HHMM or -HHMM, at most 1559"
        case .unknownZone: "unknown time zone; write the offset from UTC as +HHMM"
        }
    }
}
