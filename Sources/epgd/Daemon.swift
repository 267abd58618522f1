import EPGCalendar
import EPGConfig
import EPGModel
import EPGRefresh
import EPGServer
import Glibc
import Logging
import ServiceLifecycle

/// The composition root: makes the service of a configuration, and runs it until a signal ends it.
struct Daemon {
    /// How long requests under way may take after the first signal.
    static let drainTime = Duration.seconds(10)

    private let configuration: ServiceConfiguration
    private let guide: any GuideStorage
    private let settings: ServerSettings
    /// `nil` where others refresh the guide.
    let refresh: GuideRefresh?
    private let logger: Logger

    /// The file with the settings; `nil` where there is none.
    private let file: String?

    /// - Parameters:
    ///   - file: The file of `--config`.
    ///   - flags: The values of the other flags, by the key of the setting.
    /// - Throws: `ConfigurationRefusal`; ``ConfigurationError`` for settings that are well formed but wrong.
    init(reading reader: ConfigurationReader, file: String?, flags: [String: [String]]) throws {
        let findings = try reader.read(file: file, flags: flags)
        configuration = findings.configuration
        logger = Logger(configuration.log)
        guide = configuration.guide(logger: logger)
        self.file = findings.file ?? file
        var settings = try ServerSettings(findings)
        settings.limits.connections = try OpenFileLimit.raise(
            forConnections: settings.limits.connections, logger: logger)
        self.settings = settings
        refresh = try GuideRefresh(
            configuration, guide: guide, zone: settings.site.zone, logger: logger,
            settings: { [file = findings.file ?? file] in
                // A file that is gone meanwhile is no file without sources.
                try reader.read(file: file, flags: flags).configuration
            })
        if let file = findings.file { logger.info("read the settings", metadata: ["file": "\(file)"]) }
        for file in findings.looseSecretFiles { logger.warning("\(file)") }
    }

    func run() async throws {
        try refresh?.prepare(DefaultDatabase(environment: ProcessEnvironment.variables))
        let now: @Sendable () -> Instant = { Instant(secondsSince1970: Int64(time(nil))) }
        var settings = settings
        if let refresh {
            settings.nextRefresh = { refresh.times.nextRefresh(of: $0.source, after: $0.state, now: now()) }
        }
        let server = try GuideServer(
            guide, importer: StoreImporter(guide: guide, limits: configuration.importing), settings: settings,
            logger: logger,
            now: now,
            onRunning: { address in
                let line = "listening on \(address)\n"
                _ = line.utf8.withContiguousStorageIfAvailable { write(1, $0.baseAddress, $0.count) }
            })
        var services: [any Service] = [server]
        if let refresh {
            services.append(
                RefreshService(refresh.times.timetable, clock: .continuous, now: now, logger: logger) {
                    [flags = refreshFlags, location = guide.location] occasion, _, isCancelled in
                    // A refresh with wrong settings isn't begun, and the service knows its next time from them.
                    try refresh.readSettings()
                    return try RefreshRunEnding(
                        running: occasion, flags: flags, guide: location, isCancelled: isCancelled)
                })
        }
        var groupConfiguration = ServiceGroupConfiguration(
            services: [JoinedServices(services: services)], logger: quietLogger)
        groupConfiguration.maximumGracefulShutdownDuration = Daemon.drainTime
        let group = ServiceGroup(configuration: groupConfiguration)
        let signals = EndingSignals(logger: logger)
        do {
            try await withThrowingTaskGroup(of: Void.self) { tasks in
                tasks.addTask { await signals.watch(group, drainTime: Daemon.drainTime) }
                defer { tasks.cancelAll() }
                try await group.run()
            }
        } catch is CancellationError {
            // The time for draining was over.
        }
        logger.info("ended")
    }

    /// The settings that a process of a refresh takes from the start of the service; sources, retention and limits it reads
    /// from the file as that is then.
    private var refreshFlags: [String] {
        let flags: [(String, String?)] = [
            ("--config", file), ("--database", configuration.database), ("--refresh", configuration.refresh),
            ("--zone", configuration.zone), ("--log-level", configuration.log.level.rawValue),
            ("--log-format", configuration.log.format.rawValue),
        ]
        return flags.flatMap { flag, value in value.map { [flag, $0] } ?? [] }
    }

    /// What the service group tells of its own doings is of interest to those who look for faults.
    private var quietLogger: Logger {
        var quiet = logger
        if quiet.logLevel == .info { quiet.logLevel = .warning }
        return quiet
    }
}

extension Logger {
    /// The log of a configuration, on standard error.
    init(_ choice: LogChoice) {
        self.init(label: "epgd") { _ in
            LineLogHandler(format: choice.format == .json ? .json : .text, level: choice.level.level)
        }
        logLevel = choice.level.level
    }
}

extension LogChoice.Level {
    fileprivate var level: Logger.Level { Logger.Level(rawValue: rawValue) ?? .info }
}
