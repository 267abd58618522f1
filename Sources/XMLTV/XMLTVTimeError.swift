/// Why bytes are no ``XMLTVTime``.
public enum XMLTVTimeError: Error, Hashable, Sendable {
    /// Nothing but white space.
    case empty
    /// Neither digits in the order of `YYYYMMDDhhmmss` nor ISO 8601.
    case notATime
    /// Written like a time, but the calendar has no such month or day (30 February).
    case noSuchDay
    /// Written like a time, but the clock has no such hour, minute or second (25:00).
    case noSuchTime
    /// The offset is beyond ±15:59, or has more than 59 minutes, or isn't written like one.
    case badOffset
    /// What stands where the zone should be is no name that this library knows.
    case unknownZone
}

extension XMLTVTimeError: CustomStringConvertible {
    /// What is wrong and what would be right, in English; where it stands is known to the caller.
    public var description: String {
        switch self {
        case .empty: "the time is empty; write YYYYMMDDhhmmss +HHMM"
        case .notATime: "this is not a time; write YYYYMMDDhhmmss +HHMM"
        case .noSuchDay: "the calendar has no such day; months are 01…12, days 01…31"
        case .noSuchTime: "the clock has no such time; write hhmmss from 000000 to 235959"
        case .badOffset: "the offset from UTC can't be read; write +HHMM or -HHMM, at most 1559"
        case .unknownZone: "the zone is unknown; write the offset from UTC as +HHMM"
        }
    }
}
