/// What the clocks of a zone show during a period: the offset from UTC, and what people call it.
public struct ZoneOffset: Hashable, Sendable {
    /// Seconds ahead of UTC; negative west of Greenwich. Within −25 to +26 hours (RFC 8536, 3.2).
    public let seconds: Int64
    /// What the zone database calls it, such as `BST`, or `+0545` where nobody has a name for it.
    public let abbreviation: String
    /// Whether it is the zone's daylight saving time, as the zone database has it.
    ///
    /// In Europe/Dublin that is the winter: Irish law makes summer time the standard.
    public let isDaylightSaving: Bool

    init(seconds: Int64, abbreviation: String, isDaylightSaving: Bool) {
        self.seconds = seconds
        self.abbreviation = abbreviation
        self.isDaylightSaving = isDaylightSaving
    }

    /// The offsets that are accepted, in seconds (RFC 8536, 3.2).
    static let acceptedSeconds: ClosedRange<Int64> = -89_999...93_599

    static let utc = ZoneOffset(seconds: 0, abbreviation: "UTC", isDaylightSaving: false)
}

extension ZoneOffset: CustomStringConvertible {
    /// ISO 8601: `+05:45`; with seconds, `-00:01:15`, for the local mean times of old.
    public var description: String {
        let magnitude = abs(seconds)
        let hoursAndMinutes = "\(digits: magnitude / 3600):\(digits: magnitude / 60 % 60)"
        let rest = magnitude % 60 == 0 ? "" : ":\(digits: magnitude % 60)"
        return (seconds < 0 ? "-" : "+") + hoursAndMinutes + rest
    }
}

extension DefaultStringInterpolation {
    /// Appends a number of at least two digits.
    mutating func appendInterpolation(digits number: some BinaryInteger) {
        if number >= 0, number < 10 { appendLiteral("0") }
        appendInterpolation("\(number)")
    }
}
