import EPGAccess
import EPGAdmin
import EPGCalendar
import EPGConfig
import EPGFiles
import EPGHTTP
import EPGModel
import EPGOutput
import EPGPostgres
import EPGProgram
import EPGRefresh
import EPGServer
import EPGStore
import Glibc
import Logging
import ServiceLifecycle
import UnixSignals

/// The composition root: creates the service from its settings, and runs it until a signal ends it.
struct Daemon {
    /// The time that current requests have to finish after the first signal.
    static let drainTime = Duration.seconds(10)

    private let configuration: ServiceConfiguration
    private let guide: any GuideStorage
    private let settings: ServerSettings
    let current: CurrentSettings
    private let refreshes = RefreshQueue()
    private let access: AccessStore
    private let reader: ConfigurationReader
    private let flags: [String: [String]]
    private let logger: Logger

    /// The settings file; `nil` if there is none.
    private let file: String?

    /// - Parameters:
    ///   - file: The value of `--config`.
    ///   - flags: The values of the other options, by the key of the setting.
    /// - Throws: `ConfigurationRefusal` for invalid settings; ``ConfigurationError`` for settings that cannot be used.
    init(reading reader: ConfigurationReader, file: String?, flags: [String: [String]]) throws {
        var findings = try reader.read(file: file, flags: flags)
        (self.reader, self.flags) = (reader, flags)
        logger = Logger(findings.configuration.log)
        self.file = findings.file ?? file
        var settings = try ServerSettings(findings)
        settings.limits.connections = try OpenFileLimit.raise(
            forConnections: settings.limits.connections, logger: logger)
        let guide = try findings.configuration.guide(logos: settings.site.logos, logger: logger)
        do {
            try reader.apply(settingsOf: guide, to: &findings)
        } catch let refusal as ConfigurationRefusal {
            // Another version may have stored them. Refreshes fail until they are changed, so that nothing is removed.
            logger.error("settings in the database are ignored", metadata: ["reason": "\(refusal.message)"])
        }
        (self.guide, configuration) = (guide, findings.configuration)
        access = AccessStore(besideGuide: guide.companionPath)
        current = try CurrentSettings(configuration, databasePath: guide.location) { [file = findings.file ?? file] in
            // A settings file that has disappeared is an error, not an empty list of sources.
            try reader.read(file: file, flags: flags, guide: guide).configuration
        }
        settings.zone = { [current] in current.values.zone }
        settings.artwork = configuration.artworkSettings(
            besideDatabase: guide.companionPath,
            privateHosts: { [current] in current.values.configuration.privateHosts })
        self.settings = settings
        if let file = findings.file { logger.info("read the settings", metadata: ["file": "\(file)"]) }
        for file in findings.exposedSecretFiles(and: access.path) { logger.warning("\(file)") }
    }

    func run() async throws {
        let place = DefaultDatabase(environment: ProcessEnvironment.variables)
        if configuration.refresh != nil || guide.location == place?.path || createsGuide {
            try guide.createOrMigrate(at: place)
        }
        let now: @Sendable () -> Instant = { Instant(secondsSince1970: Int64(time(nil))) }
        var settings = settings
        settings.settingsChanged = { [current, refreshes, logger] in
            do {
                try current.read()
            } catch {
                logger.warning(
                    "changed settings have no effect", metadata: ["reason": "\(DaemonFailure.message(of: error))"])
                return false
            }
            refreshes.wake()
            return true
        }
        settings.nextRefresh = { [current] in
            current.values.times?.nextRefresh(of: $0.source, after: $0.state, now: now())
        }
        var accessSettings = AccessSettings(access)
        accessSettings.requiresLogin = configuration.requiresLogin
        accessSettings.startToken = try startToken()
        settings.access = accessSettings
        let administration = ServiceAdministration(
            reader: reader, file: file, flags: flags, guide: guide, access: access, current: current,
            refreshes: refreshes, limits: configuration.importLimits, spool: configuration.spool, now: now)
        let server = try GuideServer(
            guide,
            importer: StoreImporter(
                guide: guide, limits: configuration.importLimits,
                derived: { [current] in current.values.configuration.derivedListings },
                retention: { [current] in current.values.retention }),
            administration: { [imports = settings.importing] in
                AdminController(administration, imports: imports, of: $0)
            },
            settings: settings, logger: logger, now: now,
            onRunning: { [startToken = accessSettings.startToken, publicURL = configuration.publicURL] address in
                var lines = "listening on \(address)\n"
                if let startToken, address.port != nil {
                    lines += """
                        To set up the guide in a browser, open this link within 15 minutes:
                        \(publicURL ?? address.localURL)/admin/start?token=\(startToken)

                        """
                }
                _ = lines.utf8.withContiguousStorageIfAvailable { write(1, $0.baseAddress, $0.count) }
            })
        var services: [any Service] = [
            server,
            RefreshService(
                { [current] in current.values.times?.schedule }, queue: refreshes, clock: .continuous, now: now,
                logger: logger
            ) { [current, refreshes, flags = workerFlags, location = guide.location] trigger, _, isCancelled in
                // Invalid settings stop the refresh here; valid ones update the times of the next refreshes.
                try current.read()
                return try RefreshProcess.start(
                    trigger, flags: flags, guide: location, logger: logger, isCancelled: isCancelled,
                    takeStep: refreshes.record)
            },
        ]
        if !configuration.reminders.isEmpty {
            services.append(
                ReminderService(
                    guide: guide, targets: configuration.reminders, zone: { [current] in current.values.zone },
                    now: now,
                    flags: workerFlags, logger: logger))
        }
        var groupConfiguration = ServiceGroupConfiguration(
            services: [JoinedServices(services: services)], logger: groupLogger)
        groupConfiguration.maximumGracefulShutdownDuration = Daemon.drainTime
        let group = ServiceGroup(configuration: groupConfiguration)
        let signals = ShutdownSignals(logger: logger)
        do {
            try await withThrowingTaskGroup(of: Void.self) { tasks in
                tasks.addTask { await signals.watch(group, drainTime: Daemon.drainTime) }
                defer { tasks.cancelAll() }
                try await group.run()
            }
        } catch is CancellationError {
            // The drain time is over.
        }
        logger.info("ended")
    }

    /// Whether to create a guide at a location that is not the default one, although the service has no schedule. The folder of a
    /// file must exist: another location may be a mistake.
    private var createsGuide: Bool {
        guard let path = configuration.database, !PostgresGuide.isLocation(path), !guide.exists else { return false }
        return FileStatus(path: FilePath.folder(of: path))?.isFolder ?? false
    }

    /// Returns the token of a link that sets the first password, for a guide without sources.
    ///
    /// - Throws: ``StoreError`` if the guide cannot be read.
    private func startToken() throws -> String? {
        let records: AccessRecords
        do throws(AccessFailure) {
            records = try access.records()
        } catch {
            logger.error("passwords and tokens cannot be read", metadata: ["reason": "\(error)"])
            return nil
        }
        if configuration.requiresLogin, records.administrator == nil, records.reader == nil {
            logger.warning("nobody can log in, because there is no password; run epg admin password")
        }
        guard records.administrator == nil, !records.tokens.contains(where: { $0.scopes.contains(.administration) }),
            try guide.read({ try $0.sourceRecords().isEmpty })
        else { return nil }
        return RandomSecret.make()
    }

    /// The options of the processes that refresh and send reminders: the service's options, and the settings that keep their
    /// values until a restart. The processes read all others themselves.
    var workerFlags: [String] {
        let single: [(String, String?)] = [
            ("--config", file), ("--database", configuration.database), ("--refresh", flags["refresh"]?.first),
            ("--zone", flags["zone"]?.first), ("--public-url", configuration.publicURL),
            ("--log-level", configuration.log.level.rawValue), ("--log-format", configuration.log.format.rawValue),
        ]
        return single.flatMap { flag, value in value.map { [flag, $0] } ?? [] }
            + (flags["private-hosts"] ?? []).flatMap { ["--private-hosts", $0] }
    }

    /// A logger for the service group, whose messages are useful for debugging only.
    private var groupLogger: Logger {
        var copy = logger
        if copy.logLevel == .info { copy.logLevel = .warning }
        return copy
    }
}

extension Logger {
    /// Creates the logger of a configuration, which writes to standard error.
    init(_ settings: LogSettings) {
        self.init(label: "epgd") { _ in
            LineLogHandler(format: settings.format == .json ? .json : .text, level: settings.level.level)
        }
        logLevel = settings.level.level
    }
}

extension LogSettings.Level {
    fileprivate var level: Logger.Level { Logger.Level(rawValue: rawValue) ?? .info }
}

extension ArtworkFailure {
    init(_ error: FetchError) {
        let scope: Scope =
            switch error.reason {
            case .unknownHost, .cannotConnect, .timedOut: .host
            case .libraryMissing: .machine
            default: error.kind == .inputOutput ? .machine : error.isTransient ? .attempt : .picture
            }
        self.init(reason: "\(error)", scope: scope)
    }
}

extension ServiceConfiguration {
    /// The settings of the pictures that the service keeps; `nil` if it keeps none.
    fileprivate func artworkSettings(
        besideDatabase path: String, privateHosts: @escaping @Sendable () -> Set<String>
    ) -> ArtworkSettings? {
        guard artwork == .kept else { return nil }
        let fetcher = PictureFetcher(
            userAgent: "swift-epg/\(EPGDaemon.version)", privateHosts: privateHosts,
            privateOrigins: output.logos.origins)
        var settings = ArtworkSettings(folder: path + "-art") { url, isCancelled throws(ArtworkFailure) in
            do throws(FetchError) {
                return try fetcher.bytes(at: url, isCancelled: isCancelled)
            } catch {
                throw ArtworkFailure(error)
            }
        }
        settings.capacity = limits.artwork
        return settings
    }

    /// The served guide. Only this property knows the storage engine.
    ///
    /// - Parameters:
    ///   - logos: The logos of stations.
    ///   - logger: Logs a warning when the disk may be failing.
    func guide(logos: Logos = .guide, logger: Logger) throws -> any GuideStorage {
        if let database, PostgresGuide.isLocation(database) {
            return try PostgresGuide(
                database, backups: .sqlite, connections: GuideServer.concurrentReadings,
                shown: { logos.applied(to: $0) })
        }
        return GuideDatabase(
            path: database ?? "", connections: GuideServer.concurrentReadings,
            reportUnfinished: { error in
                logger.warning("the database is behind its log", metadata: ["reason": "\(error)"])
            }, shown: { logos.applied(to: $0) })
    }
}

extension GuideStorage {
    /// Creates an empty guide if there is none, or migrates one of an older version.
    ///
    /// - Parameter place: The default location, whose folders are created if the guide is there.
    /// - Throws: ``StoreError``.
    func createOrMigrate(at place: DefaultDatabase? = nil) throws {
        if exists {
            do {
                return try migrateIfOlder(waiting: .always)
            } catch StoreError.notFound {
                // A first import was killed after it created the file.
            }
        } else if let place, place.path == location {
            do throws(DefaultDatabase.Failure) {
                try place.makeFolder()
            } catch {
                throw StoreError.inaccessible(path: error.folder, detail: "\(error.fault)")
            }
        }
        try write(waiting: .always) { _ in }
    }
}

extension ConfigurationReader {
    /// Reads the settings of a process that the service has started, and returns them with its guide and its logger.
    ///
    /// - Throws: As ``Daemon/init(reading:file:flags:)``.
    func workerSettings(
        file: String?, flags: [String: [String]]
    ) throws -> (ServiceConfiguration, any GuideStorage, Logger) {
        var findings = try read(file: file, flags: flags)
        let logger = Logger(findings.configuration.log)
        let guide = try findings.configuration.guide(logger: logger)
        try apply(settingsOf: guide, to: &findings)
        return (findings.configuration, guide, logger)
    }
}

/// Services that start and stop together; a `ServiceGroup` would stop them one after the other.
struct JoinedServices: Service {
    let services: [any Service]

    /// Runs until all services have ended.
    ///
    /// - Throws: The first error, which cancels the other services.
    func run() async throws {
        try await withThrowingTaskGroup(of: Void.self) { tasks in
            for service in services { tasks.addTask { try await service.run() } }
            // waitForAll() would throw an error only after all other services have ended.
            while try await tasks.next() != nil {}
        }
    }
}

/// Handles the signals that end the service: the first one finishes current requests, the second one ends at once.
private struct ShutdownSignals {
    let logger: Logger

    /// Waits for signals until the task is canceled.
    ///
    /// - Parameter drainTime: The time for current requests; two seconds after it, the process ends in any case.
    func watch(_ group: ServiceGroup, drainTime: Duration) async {
        var startTime: ContinuousClock.Instant?
        await withDiscardingTaskGroup { tasks in
            for await signal in await UnixSignalsSequence(trapping: .sigterm, .sigint) {
                let number = signal == .sigint ? SIGINT : SIGTERM
                if let startTime {
                    // `timeout` and some supervisors signal the process and then its group; treat both as one signal.
                    guard startTime.duration(to: .now) > .milliseconds(200) else { continue }
                    logger.warning("ended by a second signal")
                    RunningCommand.end()
                    _exit(128 + number)
                }
                startTime = .now
                logger.info("ending", metadata: ["signal": "\(signal)"])
                await group.triggerGracefulShutdown()
                tasks.addTask {
                    do {
                        try await Task.sleep(for: drainTime + .seconds(2))
                    } catch {
                        return
                    }
                    logger.warning("ended with unfinished requests")
                    RunningCommand.end()
                    _exit(0)
                }
            }
        }
    }
}

extension ServerSettings {
    /// Creates the server settings from a configuration.
    ///
    /// - Throws: ``ConfigurationError`` if the time zone is unknown, or a file or folder cannot be used.
    fileprivate init(_ findings: ConfigurationFindings) throws {
        let configuration = findings.configuration
        var site = Site(zone: .current)
        site.title = configuration.title
        site.language = configuration.language?.rawValue
        site.publicURL = configuration.publicURL
        site.output = configuration.output
        site.sendsReminders = !configuration.reminders.isEmpty
        do throws(SystemFault) {
            site.logos = try Logos(configuration.output.logos, base: (configuration.publicURL ?? "") + Logos.path)
        } catch {
            throw findings.failure(
                "logos", "cannot read \(configuration.output.logos.folder ?? "the folder"): \(error)")
        }
        self.init(site: site)
        address =
            switch configuration.listen {
            case .port(let port, let host): .port(port, host: host)
            case .socket(let path): .socket(path: path)
            }
        limits.connections = configuration.limits.connections
        limits.connectionsPerAddress = configuration.limits.connectionsPerAddress
        limits.requestsPerMinute = configuration.limits.requestsPerMinute
        // Let the import reject a body that is too large, so that its audit log entry gives the reason.
        limits.bodyBytes = configuration.limits.body + 1 << 20
        queryDeadline = configuration.limits.queryDeadline
        cacheCapacity = configuration.limits.cache
        scheduleCapacity = configuration.limits.schedules
        crossOrigins = configuration.corsOrigins
        trustedProxies = configuration.trustedProxies
        requestLogLevel = Logger.Level(rawValue: configuration.log.requests.rawValue) ?? .debug
        database = configuration.database
        importing.maximumSize = configuration.limits.body
        if let folder = configuration.spool {
            var status = stat()
            guard stat(folder, &status) == 0, status.st_mode & S_IFMT == S_IFDIR, Glibc.access(folder, W_OK | X_OK) == 0
            else {
                throw findings.failure("spool", "\(folder) is not a writable folder")
            }
            importing.folder = folder
            feeds.folder = folder
        }
    }
}
