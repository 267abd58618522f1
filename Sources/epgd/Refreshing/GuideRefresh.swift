import EPGAccess
import EPGAdmin
import EPGCalendar
import EPGConfig
import EPGFiles
import EPGModel
import EPGProgram
import EPGRefresh
import EPGRender
import Glibc
import Logging
import Synchronization

/// The refresh of the service, which works like `epg refresh`.
///
/// Each refresh rereads the settings and uses the current sources, retention, time zone and derived listings, like `epg refresh`;
/// otherwise the two would alternate between different settings. All other settings are those from the start of the service.
///
/// The service reads the guide through read-only handles. A refresh holds the refresh lock, and opens the guide for
/// writing only briefly, under the writer lock, like other processes.
final class GuideRefresh: Sendable {
    /// Reads the current settings.
    typealias Settings = @Sendable () throws -> ServiceConfiguration

    /// What follows from the settings that were read last.
    private struct Current {
        var zone: Zone
        var derived: DerivedSettings
        /// Seconds to keep airings after their stop.
        var retention: Int64
        /// `nil` without a refresh schedule.
        var times: ServiceSchedule?
        var privateHosts: Set<String>

        init(_ configuration: ServiceConfiguration, guide: any GuideStorage) throws {
            zone = try configuration.zone.map { try Zone(named: $0) } ?? .current
            derived = configuration.derivedListings
            retention = Int64(configuration.retention) * 86_400
            privateHosts = configuration.privateHosts
            if let refresh = configuration.refresh {
                times = try ServiceSchedule(
                    refresh, in: zone, databasePath: guide.location,
                    plans: try SourcePlan.plans(of: configuration.sources, zone: zone))
            }
        }
    }

    private let guide: any GuideStorage
    private let settings: Settings
    private let current: Mutex<Current>
    private let logger: Logger

    /// - Parameters:
    ///   - configuration: The settings at the start of the service.
    ///   - guide: The guide to refresh.
    ///   - settings: Reads the current settings at each refresh.
    /// - Throws: `ZoneError` and `CronError`, which cannot happen for validated settings.
    init(
        _ configuration: ServiceConfiguration, guide: any GuideStorage, logger: Logger, settings: @escaping Settings
    ) throws {
        self.guide = guide
        self.settings = settings
        current = Mutex(try Current(configuration, guide: guide))
        // The caller logs failures once.
        var steps = logger
        if steps.logLevel > .debug { steps.logLevel = .critical }
        self.logger = steps
    }

    /// The refresh times by the settings that were read last; `nil` without a refresh schedule.
    var times: ServiceSchedule? { current.withLock { $0.times } }

    /// The time zone by the settings that were read last.
    var zone: Zone { current.withLock { $0.zone } }

    /// The hosts that may have private addresses, by the settings that were read last.
    var privateHosts: Set<String> { current.withLock { $0.privateHosts } }

    /// The path beside which refreshes keep their files.
    var companionPath: String { guide.companionPath }

    /// The settings of derived listings that were read last.
    var derived: DerivedSettings { current.withLock { $0.derived } }

    /// The seconds to keep airings after their stop, by the settings that were read last.
    var retention: Int64 { current.withLock { $0.retention } }

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
        let refresher = Refresher(
            guide: guide, fetcher: fetcher, options: options, logger: logger,
            watch: { watch(RefreshState.Step($0)) }, isCancelled: isCancelled,
            secret: { [access = AccessStore(besideGuide: guide.companionPath)] in
                try $0.value(environment: ProcessEnvironment.variables) {
                    try access.records().accounts[AccountName(username: $0, url: $1)]
                }
            }, advice: { $0.advice }
        ) { fetched, store in
            guard limitsMemory else { return try fetched.importGuide(into: store) }
            return try RefreshProcess.limitingMemory(to: Self.memory(for: fetched.limits)) {
                try fetched.importGuide(into: store)
            }
        }
        return try guide.withRefreshLock(waiting: .never) { try refresher.refresh(at: now) }
    }

    /// Rereads the settings, and updates ``times``, ``zone``, ``privateHosts``, ``derived`` and ``retention``.
    ///
    /// - Throws: `ConfigurationRefusal` if the settings are invalid, and errors of the store.
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
        let current = try Current(configuration, guide: guide)
        var options = RefreshOptions(retention: current.retention)
        options.plans = try SourcePlan.plans(of: configuration.sources, zone: current.zone)
        options.limits = configuration.importLimits
        options.privateHosts = configuration.privateHosts
        options.derived = configuration.derivedListings
        self.current.withLock { $0 = current }
        return options
    }
}
