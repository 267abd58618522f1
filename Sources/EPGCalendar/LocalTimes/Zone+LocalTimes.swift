public import EPGModel

extension Zone {
    /// What calendar and clock show at an instant.
    ///
    /// - Complexity: As ``offset(at:)``.
    public func localDateTime(at instant: Instant) -> LocalDateTime {
        LocalDateTime(secondsSince1970: instant.advanced(by: offset(at: instant).seconds).secondsSince1970)
    }

    /// What the calendar shows at an instant.
    public func date(at instant: Instant) -> CivilDate {
        localDateTime(at: instant).date
    }

    /// ISO 8601 with the offset, `2026-03-29T20:00:00+01:00`; with `Z` in ``utc``.
    public func iso8601(_ instant: Instant) -> String {
        "\(localDateTime(at: instant))" + (isUTC ? "Z" : "\(offset(at: instant))")
    }

    /// The instants at which the clocks show a local time, ascending: one as a rule; none where the clocks were put
    /// forward past it; two where they were put back and show it again.
    public func instants(of local: LocalDateTime) -> [Instant] {
        let seconds = local.secondsSince1970
        var instants: [Instant] = []
        for period in periods(aroundLocalSeconds: seconds) {
            let instant = period.instant(ofLocalSeconds: seconds)
            if period.window.contains(instant) { instants.append(instant) }
        }
        return instants
    }

    /// The instant that a person means by a local time.
    ///
    /// A repeated time is the first of the two. A missing one is shifted forward by what the clocks skip: 01:30 in
    /// London on 2026-03-29, when 01:00 becomes 02:00, is 02:30. (So do RFC 5545, 3.3.5, and java.time.)
    public func instant(of local: LocalDateTime) -> Instant {
        instant(ofLocalSeconds: local.secondsSince1970)
    }

    /// The instant that is meant by a local time, as ``instant(of:)``.
    ///
    /// - Parameter seconds: Seconds from 1970-01-01T00:00:00 local, as a zone-less time of a guide is counted.
    /// - Complexity: A few searches as in ``offset(at:)``; nothing is allocated.
    public func instant(ofLocalSeconds seconds: Int64) -> Instant {
        var before: ZonePeriod?
        for period in periods(aroundLocalSeconds: seconds) {
            let instant = period.instant(ofLocalSeconds: seconds)
            if period.window.contains(instant) { return instant }
            // The clocks of this period begin beyond it, those of the one before ended short of it.
            if instant < period.window.start, let before { return before.instant(ofLocalSeconds: seconds) }
            before = period
        }
        return Instant(secondsSince1970: seconds).advanced(by: -offset(at: Instant(secondsSince1970: seconds)).seconds)
    }

    /// The periods whose clocks may show a local time, in order.
    ///
    /// No clock is as much as 26 hours ahead of or behind UTC.
    func periods(aroundLocalSeconds seconds: Int64) -> ZonePeriods {
        let local = Instant(secondsSince1970: seconds)
        return periods(from: local.advanced(by: -26 * 3600), to: local.advanced(by: 26 * 3600))
    }
}
