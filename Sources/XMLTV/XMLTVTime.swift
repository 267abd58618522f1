/// A date and time as XMLTV writes it: `YYYYMMDDhhmmss` or an initial part of that, and perhaps a zone.
///
/// Source of the rules: `xmltv.dtd`, "All dates and times in this DTD follow the same format"; without a zone a time
/// is meant in UTC. What else is read, because feeds have it, stands at ``init(parsing:)``.
public struct XMLTVTime: Hashable, Sendable {
    /// How much of the time was written.
    public enum Precision: Int, Hashable, Sendable, Comparable {
        case year, month, day, hour, minute, second

        public static func < (lhs: Precision, rhs: Precision) -> Bool { lhs.rawValue < rhs.rawValue }
    }

    /// Seconds from 1970-01-01T00:00:00 to the written fields, whatever the zone; parts that are missing are the first
    /// of their kind (January, the 1st, midnight).
    ///
    /// A reader that knows in which zone a source means its zone-less times applies that zone to this number.
    public let localSeconds: Int64

    /// Seconds that the written zone is ahead of UTC, within ±15:59; `nil` when no zone was written.
    public let utcOffset: Int?

    /// Whether the zone was written as a name that has several meanings, such as `IST`; see ``init(parsing:)``.
    public let isAmbiguousZone: Bool

    /// How much of the time was written.
    public let precision: Precision

    /// Whether a zone was written.
    public var hasZone: Bool { utcOffset != nil }

    /// Seconds from 1970-01-01T00:00:00Z to the time, which is in UTC when no zone was written.
    public var secondsSince1970: Int64 { localSeconds - Int64(utcOffset ?? 0) }

    /// A time from its parts.
    init(localSeconds: Int64, utcOffset: Int?, isAmbiguousZone: Bool = false, precision: Precision) {
        self.localSeconds = localSeconds
        self.utcOffset = utcOffset
        self.isAmbiguousZone = isAmbiguousZone
        self.precision = precision
    }

    /// Reads the bytes of a `start` or `stop` attribute (or of any other date of the DTD).
    ///
    /// Read as the DTD has it: 4, 6, 8, 10, 12 or 14 digits, then perhaps white space and a zone.
    /// Read as it was meant: white space around it or none before the zone; offsets `+HHMM`, `+HH:MM`, `+H:MM`, `+HH`,
    /// `+H` and `+HMM`; `Z`; the usual abbreviations in any case, and `UTC` or `GMT` with an offset behind it;
    /// ISO 8601 in its extended and basic forms, `2026-03-29T00:30:00+01:00`, `20260329T0030Z`, with a blank instead of
    /// the `T`, without seconds, and with a fraction of a second, which is dropped.
    /// Hour 24 is the midnight that ends the day (ISO 8601:2004, 4.2.3); second 60 is the next second (POSIX, "Seconds
    /// Since the Epoch").
    ///
    /// `IST`, `CST`, `MST` and `AST` have several meanings: they are read as +0530, −0600, −0700 and −0400, and
    /// ``isAmbiguousZone`` tells. An unknown name is an error, never a silent UTC.
    ///
    /// - Complexity: O(*n*) for *n* bytes; nothing is allocated.
    public init(parsing bytes: Span<UInt8>) throws(XMLTVTimeError) {
        if let usual = XMLTVTime(usualForm: bytes) {
            self = usual
        } else {
            var reader = XMLTVTimeReader()
            self = try reader.readTime(in: bytes)
        }
    }

    /// Reads a text like ``init(parsing:)``.
    public init(_ text: String) throws(XMLTVTimeError) {
        try self.init(parsing: text.utf8.span)
    }

    /// Reads `20260329003000 +0100`, which is what nearly every feed writes; `nil` for all else, faulty or not.
    private init?(usualForm bytes: Span<UInt8>) {
        guard bytes.count == 20, bytes[14] == UInt8(ascii: " ") else { return nil }
        let isWest = bytes[15] == UInt8(ascii: "-")
        guard isWest || bytes[15] == UInt8(ascii: "+") else { return nil }

        // Not a digit is more than 9 once "0" is taken off, so one comparison at the end does for all eighteen.
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

    /// Days from 1970-01-01 to a day of the proleptic Gregorian calendar; `nil` where it has no such day.
    ///
    /// Counted from 1 March, so that the leap day is the last of its year (H. Hinnant, "chrono-compatible low-level
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
        // An era of 400 years is added and taken off again, so that no division meets a negative number.
        let marchYear = (month > 2 ? year : year - 1) + 400
        let monthFromMarch = month > 2 ? month - 3 : month + 9
        let dayOfYear = (153 * monthFromMarch + 2) / 5 + day - 1
        return marchYear * 365 + marchYear / 4 - marchYear / 100 + marchYear / 400 + dayOfYear - 719_468 - 146_097
    }
}
