import EPGCalendar
import EPGConfig
import EPGModel
import EPGRefresh
import EPGStore
import Glibc
import Logging

/// The refresh of the service: the same as that of `epg refresh`, with the settings of the service.
///
/// The service reads the guide through handles that can't write. A refresh takes the lock of refreshes, and opens the guide
/// for writing for moments, under the lock of the one writer, as the other program does.
struct GuideRefresh: Sendable {
    /// When it is made.
    let times: ServiceTimetable
    private let guide: GuideDatabase
    private let options: RefreshOptions
    private let logger: Logger

    /// - Parameters:
    ///   - path: The database.
    ///   - zone: By whose clocks the timetables go.
    /// - Returns: `nil` where the settings name no time.
    /// - Throws: `CronError`, which settings that were read don't have.
    init?(_ configuration: ServiceConfiguration, path: String, zone: Zone, logger: Logger) throws(CronError) {
        guard let refresh = configuration.refresh else { return nil }
        guide = GuideDatabase(path: path)
        var options = RefreshOptions(retention: Int64(configuration.retention) * 86_400)
        options.orders = try SourceOrder.orders(of: configuration.sources, zone: zone)
        self.options = options
        times = try ServiceTimetable(refresh, in: zone, databasePath: path, orders: options.orders)
        // A failure is told once, by who asked for the refresh.
        var steps = logger
        if steps.logLevel > .debug { steps.logLevel = .critical }
        self.logger = steps
    }

    /// Makes an empty guide where there is none: the first refresh fills it.
    ///
    /// - Parameter place: Where the guide is if nothing says it, whose folders are made too.
    /// - Throws: ``StoreError``.
    func prepare(_ place: DefaultDatabase? = nil) throws {
        guard access(guide.path, F_OK) != 0 else { return }
        if let place, place.path == guide.path {
            do throws(DefaultDatabase.Failure) {
                try place.makeFolder()
            } catch {
                throw StoreError.inaccessible(path: error.folder, detail: String(cString: strerror(error.number)))
            }
        }
        try guide.write { _ in }
    }

    /// Refreshes; blocks until that is done.
    ///
    /// - Throws: ``StoreError/refreshing(path:)`` and ``StoreError/busy(path:)`` at once where another process is at work.
    func run(
        _ occasion: RefreshOccasion, at now: Instant, isCancelled: @escaping @Sendable () -> Bool
    ) throws -> RefreshReport {
        var options = options
        options.timetable = times.timetable
        options.isRunOfTimetable = occasion == .timetable
        // Each time another one: tokens may have been changed by another process.
        let guide = guide.waiting(unless: isCancelled)
        let fetcher = GuideFetcher(userAgent: "swift-epg/\(EPGDaemon.version)", databasePath: guide.path)
        let intake = GuideIntake(now: now, isCancelled: isCancelled)
        let refresher = Refresher(
            guide: guide, fetcher: fetcher, options: options, logger: logger, isCancelled: isCancelled,
            secret: { try $0.value(environment: ProcessEnvironment.variables) }
        ) { fetched, store in
            try intake.take(fetched, into: store)
        }
        return try guide.refreshing(waits: false) { try refresher.refresh(at: now) }
    }
}
