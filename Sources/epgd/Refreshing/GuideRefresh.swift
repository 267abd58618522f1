import EPGCalendar
import EPGConfig
import EPGFiles
import EPGModel
import EPGProgram
import EPGRefresh
import EPGRender
import EPGServer
import Glibc
import Logging
import Synchronization

/// The refresh of the service, which works like `epg refresh`.
///
/// Each refresh rereads the settings and uses the current sources, retention and derived listings, like `epg refresh`; otherwise
/// the two would alternate between different settings. All other settings are those from the start of the service.
///
/// The service reads the guide through read-only handles. A refresh holds the refresh lock, and opens the guide for
/// writing only briefly, under the writer lock, like other processes.
final class GuideRefresh: Sendable {
    /// Reads the current settings.
    typealias Settings = @Sendable () throws -> ServiceConfiguration

    private let guide: any GuideStorage
    private let zone: Zone
    private let settings: Settings
    /// `nil` without a refresh schedule.
    private let currentTimes: Mutex<ServiceSchedule?>
    private let currentDerived: Mutex<DerivedSettings>
    private let logger: Logger

    /// - Parameters:
    ///   - configuration: The settings at the start of the service.
    ///   - guide: The guide to refresh.
    ///   - zone: The time zone of schedules.
    ///   - settings: Reads the current settings at each refresh.
    /// - Throws: `CronError`, which cannot happen for validated settings.
    init(
        _ configuration: ServiceConfiguration, guide: any GuideStorage, zone: Zone, logger: Logger,
        settings: @escaping Settings
    ) throws(CronError) {
        self.guide = guide
        self.zone = zone
        self.settings = settings
        currentDerived = Mutex(configuration.derivedListings)
        currentTimes = Mutex(try Self.times(configuration, guide: guide, zone: zone))
        // The caller logs failures once.
        var steps = logger
        if steps.logLevel > .debug { steps.logLevel = .critical }
        self.logger = steps
    }

    private static func times(
        _ configuration: ServiceConfiguration, guide: any GuideStorage, zone: Zone
    ) throws(CronError) -> ServiceSchedule? {
        guard let refresh = configuration.refresh else { return nil }
        return try ServiceSchedule(
            refresh, in: zone, databasePath: guide.location,
            plans: try SourcePlan.plans(of: configuration.sources, zone: zone))
    }

    /// The refresh times by the settings that were read last; `nil` without a refresh schedule.
    var times: ServiceSchedule? { currentTimes.withLock { $0 } }

    /// The path beside which refreshes keep their files.
    var companionPath: String { guide.companionPath }

    /// The settings of derived listings that were read last.
    var derived: DerivedSettings { currentDerived.withLock { $0 } }

    /// Creates an empty guide if there is none, or migrates one of an older version.
    ///
    /// - Parameter place: The default location, whose folders are created if the guide is there.
    /// - Throws: ``StoreError``.
    func prepare(_ place: DefaultDatabase? = nil) throws {
        if guide.exists {
            do {
                try guide.migrateIfOlder(waiting: .always)
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
                throw StoreError.inaccessible(path: error.folder, detail: "\(error.fault)")
            }
        }
        try guide.write(waiting: .always) { _ in }
    }

    /// Refreshes the guide; blocks until done.
    ///
    /// - Parameters:
    ///   - request: The sources that an administrator requested; `nil` for those that are due.
    ///   - watch: Receives the steps of the refresh.
    /// - Throws: ``StoreError/refreshing(path:)`` or ``StoreError/busy(path:)`` at once if another process is
    ///   refreshing or writing; `ConfigurationRefusal` if the current settings are invalid. Then nothing is refreshed or
    ///   removed, and the next run reads them again.
    func run(
        _ trigger: RefreshTrigger, at now: Instant, isCancelled: @escaping @Sendable () -> Bool,
        limitsMemory: Bool = false, request: RefreshRequest? = nil,
        watch: @escaping @Sendable (RefreshState.Step) -> Void = { _ in }
    ) throws -> RefreshReport {
        var options = try options()
        options.schedule = times?.schedule
        options.names = request?.names
        options.isForced = request?.isForced ?? false
        options.isScheduledRun = trigger == .schedule
        // The database may have been deleted since the start.
        try prepare()
        // Use a new fetcher for each run, because another process may have changed tokens.
        let fetcher = GuideFetcher(userAgent: "swift-epg/\(EPGDaemon.version)", databasePath: guide.companionPath)
        let importer = FetchedGuideImporter(
            now: now,
            watch: { name, progress in
                watch(
                    RefreshState.Step(
                        source: name, kind: .importing, byteCount: progress.byteCount, total: progress.total))
            }, isCancelled: isCancelled)
        let refresher = Refresher(
            guide: guide, fetcher: fetcher, options: options, logger: logger,
            watch: { watch(RefreshState.Step($0)) }, isCancelled: isCancelled,
            secret: { try $0.value(environment: ProcessEnvironment.variables) }, advice: { $0.advice }
        ) { fetched, store in
            guard limitsMemory else { return try importer.importGuide(fetched, into: store) }
            return try RefreshProcess.limitingMemory(to: Self.memory(for: fetched.limits)) {
                try importer.importGuide(fetched, into: store)
            }
        }
        return try guide.withRefreshLock(waiting: .never) { try refresher.refresh(at: now) }
    }

    /// Rereads the settings, and updates ``times`` and ``derived``.
    ///
    /// - Throws: `ConfigurationRefusal` if the settings are invalid.
    func readSettings() throws { _ = try options() }

    /// The memory limit of the refresh process during an import, in bytes: twice the limit of the settings for the
    /// import, and 1 GiB for the index of stored airings, buffers and stacks.
    private static func memory(for limits: ImportLimits) -> Int {
        let (doubled, overflows) = limits.memory.multipliedReportingOverflow(by: 2)
        return overflows ? .max : doubled.addingReportingOverflow(1 << 30).overflow ? .max : doubled + 1 << 30
    }

    /// Reads the current settings.
    private func options() throws -> RefreshOptions {
        let configuration = try settings()
        var options = RefreshOptions(retention: Int64(configuration.retention) * 86_400)
        let plans = try SourcePlan.plans(of: configuration.sources, zone: zone)
        options.plans = plans
        options.limits = configuration.importLimits
        options.privateHosts = Set(configuration.sourceHosts)
        options.derived = configuration.derivedListings
        let times = try Self.times(configuration, guide: guide, zone: zone)
        currentTimes.withLock { $0 = times }
        currentDerived.withLock { $0 = configuration.derivedListings }
        return options
    }
}
