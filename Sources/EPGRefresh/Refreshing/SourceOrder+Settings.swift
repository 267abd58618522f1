package import EPGCalendar
package import EPGModel

extension SourceOrder {
    /// A source that is asked by a timetable that isn't its own; `nil` by its interval, else at every run.
    init(_ configuration: SourceConfiguration, timetable: Timetable?) {
        self.configuration = configuration
        self.timetable = timetable
    }

    /// How the sources of the settings are asked, by name; of those of one name the first.
    ///
    /// - Parameters:
    ///   - zone: By whose clocks their schedules go.
    ///   - machine: See ``init(_:zone:machine:)``.
    package static func orders(
        of sources: [SourceConfiguration], zone: Zone, machine: String = MachineName.current
    ) throws(CronError) -> [String: SourceOrder] {
        var orders: [String: SourceOrder] = [:]
        for source in sources where orders[source.source.name] == nil {
            orders[source.source.name] = try SourceOrder(source, zone: zone, machine: machine)
        }
        return orders
    }
}
