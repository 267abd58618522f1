import EPGCalendar
import EPGConfig
import EPGModel
import EPGRefresh
import Synchronization

/// The settings that take effect without a restart, as they were read last.
///
/// Each refresh rereads the settings and uses the current sources, retention, time zone and derived listings, like `epg refresh`;
/// otherwise the two would alternate between different settings. All other settings are those from the start of the service.
final class CurrentSettings: Sendable {
    /// Settings, and what follows from them.
    struct Values: Sendable {
        let configuration: ServiceConfiguration
        let zone: Zone
        /// The configured sources by name.
        let plans: [String: SourcePlan]
        /// The times of the service's refreshes; `nil` without a refresh schedule.
        let times: ServiceSchedule?

        /// Seconds to keep airings after their stop.
        var retention: Int64 { Int64(configuration.retention) * 86_400 }

        /// - Parameter path: The location of the guide.
        /// - Throws: `ZoneError` and `CronError`, which cannot happen for validated settings.
        init(_ configuration: ServiceConfiguration, databasePath path: String) throws {
            self.configuration = configuration
            let zone = try configuration.zone.map { try Zone(named: $0) } ?? .current
            let plans = try SourcePlan.plans(of: configuration.sources, zone: zone)
            times = try configuration.refresh.map {
                try ServiceSchedule($0, in: zone, databasePath: path, plans: plans)
            }
            (self.zone, self.plans) = (zone, plans)
        }
    }

    private let path: String
    private let readConfiguration: @Sendable () throws -> ServiceConfiguration
    private let latest: Mutex<Values>

    /// - Parameters:
    ///   - configuration: The settings at the start of the service.
    ///   - path: The location of the guide.
    ///   - readConfiguration: Reads the current settings.
    /// - Throws: As ``Values/init(_:databasePath:)``.
    init(
        _ configuration: ServiceConfiguration, databasePath path: String,
        readConfiguration: @escaping @Sendable () throws -> ServiceConfiguration
    ) throws {
        self.path = path
        self.readConfiguration = readConfiguration
        latest = Mutex(try Values(configuration, databasePath: path))
    }

    /// The settings that were read last.
    var values: Values { latest.withLock { $0 } }

    /// Rereads the settings.
    ///
    /// - Throws: `ConfigurationRefusal` if the settings are invalid, and errors of the store. The former settings stay.
    func read() throws {
        let values = try Values(try readConfiguration(), databasePath: path)
        latest.withLock { $0 = values }
    }
}
