package import EPGCalendar
package import EPGModel

/// When the service refreshes the guide by itself, and when it asks which source.
package struct ServiceTimetable: Hashable, Sendable {
    package let timetable: Timetable
    private var orders: [String: SourceOrder]

    /// The greatest delay of a run, in seconds, so that not all services ask the same servers at once.
    private static let jitter: Int64 = 600

    /// - Parameters:
    ///   - expression: The cron expression of the setting `refresh`.
    ///   - zone: By whose clocks it goes.
    ///   - path: The guide's database, which with the machine's name tells this service's delays from those of others.
    ///   - orders: How the sources of the settings are asked, by name.
    package init(
        _ expression: String, in zone: Zone, databasePath path: String, orders: [String: SourceOrder]
    ) throws(CronError) {
        timetable = Timetable(
            try CronExpression(expression), in: zone, jitter: Self.jitter, seed: "\(MachineName.current) \(path)")
        self.orders = orders
    }

    /// The same times, with other sources.
    package func asking(_ orders: [String: SourceOrder]) -> ServiceTimetable {
        var times = self
        times.orders = orders
        return times
    }

    /// The first run after an instant by which a source is asked; `nil` for one that is imported by hand.
    package func nextRefresh(of source: Source, after state: SourceState, now: Instant) -> Instant? {
        let order = orders[source.name] ?? SourceOrder(SourceConfiguration(source), timetable: nil)
        guard source.location != nil || !order.command.isEmpty, !source.isConfigured || orders[source.name] != nil
        else { return nil }
        guard !order.isDue(at: now, after: state), let due = order.nextRefresh(after: state), due > now else {
            return timetable.next(after: now)
        }
        return timetable.next(after: due.advanced(by: -1))
    }
}
