public import EPGModel

/// A stretch of time during which the clocks of a zone aren't changed.
public struct ZonePeriod: Hashable, Sendable {
    /// From one change of the clocks to the next; the first and the last period reach to the ends of `Instant`.
    public let window: TimeWindow
    public let offset: ZoneOffset

    /// The local time, as seconds since 1970-01-01T00:00:00 local, of an instant of the period; saturating.
    func localSeconds(at instant: Instant) -> Int64 {
        instant.advanced(by: offset.seconds).secondsSince1970
    }

    /// The instant at which the clocks of the period would show a local time, whether it lies in the period or not.
    func instant(ofLocalSeconds seconds: Int64) -> Instant {
        Instant(secondsSince1970: seconds).advanced(by: -offset.seconds)
    }
}
