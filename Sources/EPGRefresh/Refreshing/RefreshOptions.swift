package import EPGCalendar
package import EPGModel

/// What a refresh takes, and what it keeps.
package struct RefreshOptions: Hashable, Sendable {
    /// Seconds that airings stay after their stop: seven days.
    package static let standardRetention: Int64 = 7 * 86_400

    /// Seconds that airings stay after their stop, at least 0.
    package var retention: Int64 {
        didSet { retention = max(0, retention) }
    }
    /// Percent of what stands that a source must bring again, see `ImportSafeguard`; for those without one of their own.
    package var minimumShare = ImportSafeguard.standardShare
    /// How much a guide may bring.
    package var limits = ImportLimits()
    /// The sources of the settings, by name: the store is told of them first.
    package var orders: [String: SourceOrder] = [:]
    /// The timetable of the sources that have neither one of their own nor an interval; `nil` asks them at every run.
    package var timetable: Timetable?
    /// Whether this refresh is a run of that timetable, so that all of these sources are asked.
    package var isRunOfTimetable = false
    /// The names of the sources that are asked, due or not; `nil` for all that are due.
    package var names: Set<String>?
    /// Whether sources are asked that aren't due, guides taken that a safeguard would refuse, and more than half of all
    /// airings removed where they are old.
    package var isForced = false

    package init(retention: Int64 = RefreshOptions.standardRetention) {
        self.retention = max(0, retention)
    }

    /// What a source must bring; `nil` takes whatever comes.
    func minimumShare(ofSource name: String) -> Int? {
        isForced ? nil : orders[name]?.configuration.minimumShare ?? minimumShare
    }

    /// What says whether a source is asked now.
    func rule(of source: Source) -> SourceOrder { isRunOfTimetable ? order(of: source) : regularRule(of: source) }

    /// When a source is asked from one refresh to the next.
    func regularRule(of source: Source) -> SourceOrder {
        let order = order(of: source)
        guard let timetable, order.timetable == nil, order.configuration.source.interval == nil else { return order }
        return SourceOrder(order.configuration, timetable: timetable)
    }

    private func order(of source: Source) -> SourceOrder {
        orders[source.name] ?? SourceOrder(SourceConfiguration(source), timetable: nil)
    }

    /// Whether a source is asked that is due or isn't.
    func asksAtOnce(_ name: String) -> Bool {
        isForced || names?.contains(name) ?? false
    }
}
