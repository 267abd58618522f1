import EPGModel

/// The periods of a zone from the one that holds an instant to the one that holds another, in order.
struct ZonePeriods: Sequence, IteratorProtocol {
    private let zone: Zone
    private let last: Instant
    /// Where the next period begins, or any instant of it; `nil` when there is none.
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
    /// The periods from the one that holds an instant to the one that holds another.
    func periods(from first: Instant, to last: Instant) -> ZonePeriods {
        ZonePeriods(of: self, from: first, to: last)
    }
}
