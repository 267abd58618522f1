import EPGCalendar
import EPGConfig
import EPGModel
import EPGRefresh
import Glibc
import Logging
import Synchronization

/// The refresh of the service: the same as that of `epg refresh`, with the settings of the service.
///
/// Each refresh reads the settings anew and takes the sources and the retention from them, as `epg refresh` does: both would
/// else tell the guide of other sources in turn. All other settings are those of the start.
///
/// The service reads the guide through handles that can't write. A refresh takes the lock of refreshes, and opens the guide
/// for writing for moments, under the lock of the one writer, as the other program does.
final class GuideRefresh: Sendable {
    /// Reads the settings as they are now.
    typealias Settings = @Sendable () throws -> ServiceConfiguration

    private let guide: any GuideStorage
    private let zone: Zone
    private let settings: Settings
    private let lastTimes: Mutex<ServiceTimetable>
    private let logger: Logger

    /// - Parameters:
    ///   - configuration: The settings of the start.
    ///   - guide: The guide that is refreshed.
    ///   - zone: By whose clocks the timetables go.
    ///   - settings: Is asked at each refresh.
    /// - Returns: `nil` where the settings name no time.
    /// - Throws: `CronError`, which settings that were read don't have.
    init?(
        _ configuration: ServiceConfiguration, guide: any GuideStorage, zone: Zone, logger: Logger,
        settings: @escaping Settings
    ) throws(CronError) {
        guard let refresh = configuration.refresh else { return nil }
        self.guide = guide
        self.zone = zone
        self.settings = settings
        let orders = try SourceOrder.orders(of: configuration.sources, zone: zone)
        lastTimes = Mutex(try ServiceTimetable(refresh, in: zone, databasePath: guide.location, orders: orders))
        // A failure is told once, by who asked for the refresh.
        var steps = logger
        if steps.logLevel > .debug { steps.logLevel = .critical }
        self.logger = steps
    }

    /// When it is made, and when it asks which source, by the settings that were read last.
    var times: ServiceTimetable { lastTimes.withLock { $0 } }

    /// Makes an empty guide where there is none, which the first refresh fills, and migrates one of an older version.
    ///
    /// - Parameter place: Where the guide is if nothing says it, whose folders are made too.
    /// - Throws: ``StoreError``.
    func prepare(_ place: DefaultDatabase? = nil) throws {
        if guide.exists {
            do {
                try guide.read { _ in }
            } catch StoreError.olderSchema {
                _ = try guide.migrate(waiting: .always)
            } catch StoreError.notFound {
                // A first import was killed after it created the file.
                try guide.write(waiting: .always) { _ in }
            }
            return
        }
        if let place, place.path == guide.location {
            do throws(DefaultDatabase.Failure) {
                try place.makeFolder()
            } catch {
                throw StoreError.inaccessible(path: error.folder, detail: String(cString: strerror(error.number)))
            }
        }
        try guide.write(waiting: .always) { _ in }
    }

    /// Refreshes; blocks until that is done.
    ///
    /// - Throws: ``StoreError/refreshing(path:)`` and ``StoreError/busy(path:)`` at once where another process is at work;
    ///   `ConfigurationRefusal` where the settings can't be read or are wrong now: nothing is then refreshed or removed, and
    ///   the next run reads them again.
    func run(
        _ occasion: RefreshOccasion, at now: Instant, isCancelled: @escaping @Sendable () -> Bool,
        limitsMemory: Bool = false
    ) throws -> RefreshReport {
        var options = try options()
        options.timetable = times.timetable
        options.isRunOfTimetable = occasion == .timetable
        // It may have been deleted since the start.
        try prepare()
        // Each time another one: tokens may have been changed by another process.
        let fetcher = GuideFetcher(userAgent: "swift-epg/\(EPGDaemon.version)", databasePath: guide.location)
        let intake = GuideIntake(now: now, isCancelled: isCancelled)
        let refresher = Refresher(
            guide: guide, fetcher: fetcher, options: options, logger: logger, isCancelled: isCancelled,
            secret: { try $0.value(environment: ProcessEnvironment.variables) }
        ) { fetched, store in
            guard limitsMemory else { return try intake.take(fetched, into: store) }
            return try RefreshProcess.limitingMemory(to: Self.memory(for: fetched.limits)) {
                try intake.take(fetched, into: store)
            }
        }
        return try guide.refreshing(waiting: .never) { try refresher.refresh(at: now) }
    }

    /// Reads the settings, so that ``times`` are those of the next run.
    ///
    /// - Throws: `ConfigurationRefusal` where they can't be read or are wrong now.
    func readSettings() throws { _ = try options() }

    /// Bytes that the process of a refresh may have while it imports. What an import holds is limited by the settings; the rest
    /// is for the index of what is stored, buffers and stacks.
    private static func memory(for limits: ImportLimits) -> Int {
        let (twice, overflows) = limits.memory.multipliedReportingOverflow(by: 2)
        return overflows ? .max : twice.addingReportingOverflow(1 << 30).overflow ? .max : twice + 1 << 30
    }

    /// What the settings say now.
    private func options() throws -> RefreshOptions {
        let configuration = try settings()
        var options = RefreshOptions(retention: Int64(configuration.retention) * 86_400)
        let orders = try SourceOrder.orders(of: configuration.sources, zone: zone)
        options.orders = orders
        options.limits = configuration.importing
        lastTimes.withLock { $0 = $0.asking(orders) }
        return options
    }
}
