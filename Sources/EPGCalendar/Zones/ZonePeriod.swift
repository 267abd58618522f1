public import EPGModel

/// A time window during which the offset of a zone does not change.
public struct ZonePeriod: Hashable, Sendable {
    /// The window between two changes. The first and the last period extend to the limits of `Instant`.
    public let window: TimeWindow
    /// The offset from UTC during the window.
    public let offset: ZoneOffset

    /// Returns the local time of an instant of the period, as seconds since 1970-01-01T00:00:00 local time. Saturates.
    func localSeconds(at instant: Instant) -> Int64 {
        instant.advanced(by: offset.seconds).secondsSince1970
    }

    /// Returns the instant of a local time with the offset of the period, whether or not the period contains it.
    func instant(ofLocalSeconds seconds: Int64) -> Instant {
        Instant(secondsSince1970: seconds).advanced(by: -offset.seconds)
    }
}

/// The periods of a zone from one instant to another, in order.
struct ZonePeriods: Sequence, IteratorProtocol {
    private let zone: Zone
    private let last: Instant
    /// An instant of the next period; `nil` at the end.
    private var upcoming: Instant?

    init(of zone: Zone, from first: Instant, to last: Instant) {
        self.zone = zone
        self.last = last
        upcoming = first
    }

    mutating func next() -> ZonePeriod? {
        guard let instant = upcoming else { return nil }
        let period = zone.period(containing: instant)
        let end = period.window.end
        upcoming = end <= last && end < TimeWindow.always.end ? end : nil
        return period
    }
}

extension Zone {
    /// Returns the periods that contain `first`, `last` and the instants between them.
    func periods(from first: Instant, to last: Instant) -> ZonePeriods {
        ZonePeriods(of: self, from: first, to: last)
    }
}

/// An offset from UTC with its abbreviation.
public struct ZoneOffset: Hashable, Sendable {
    /// Seconds ahead of UTC, negative west of Greenwich; from −25 to +26 hours (RFC 8536, 3.2).
    public let seconds: Int64
    /// The abbreviation in the zone database, such as `BST`, or `+0545` for zones without one.
    public let abbreviation: String
    /// Whether the offset is daylight saving time, according to the zone database.
    ///
    /// In Europe/Dublin this is winter, because Irish law defines summer time as the standard.
    public let isDaylightSaving: Bool

    init(seconds: Int64, abbreviation: String, isDaylightSaving: Bool) {
        self.seconds = seconds
        self.abbreviation = abbreviation
        self.isDaylightSaving = isDaylightSaving
    }

    /// The valid offsets in seconds (RFC 8536, 3.2).
    static let acceptedSeconds: ClosedRange<Int64> = -89_999...93_599

    static let utc = ZoneOffset(seconds: 0, abbreviation: "UTC", isDaylightSaving: false)
}

extension ZoneOffset: CustomStringConvertible {
    /// ISO 8601: `+05:45`, or `-00:01:15` for historical local mean times.
    public var description: String {
        let magnitude = abs(seconds)
        let hoursAndMinutes = "\(digits: magnitude / 3600):\(digits: magnitude / 60 % 60)"
        let rest = magnitude % 60 == 0 ? "" : ":\(digits: magnitude % 60)"
        return (seconds < 0 ? "-" : "+") + hoursAndMinutes + rest
    }
}

extension DefaultStringInterpolation {
    /// Appends a number padded to two digits.
    mutating func appendInterpolation(digits number: some BinaryInteger) {
        if number >= 0, number < 10 { appendLiteral("0") }
        appendInterpolation("\(number)")
    }
}
