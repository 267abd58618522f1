import ArgumentParser
import CMemory
import CVersion
import EPGConfig
import EPGProgram
import Glibc
import Logging

/// `epgd`: serves the guide over HTTP.
@main
struct EPGDaemon: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "epgd",
        abstract: "Serve the guide over HTTP as web pages, feeds and an API.",
        discussion: """
            Options take precedence over environment variables (EPG_LISTEN for --listen, and so on), which take \
            precedence over epg.yml: the file given with --config or EPG_CONFIG, else XDG_CONFIG_HOME/epg/epg.yml, \
            else /etc/epg/epg.yml.

            With --refresh, the service refreshes the guide itself, as epg refresh does, in a separate process. \
            Without it, run epg refresh from cron or a timer. Each refresh rereads sources and retention in epg.yml; \
            changes to all other settings require a restart. If epg.yml has targets under reminders, the service sends \
            the reminders of the watchlist, as epg watch send does.

            On SIGTERM or SIGINT, the service finishes current requests within three seconds. A second signal stops it.

            Exit codes: \(ExitStatus.summary). The service needs 192 open files, 3 per processor, and 16 for \
            connections.
            """,
        version: String(cString: cversion_full()))

    /// The version of the package, such as `0.1.0`.
    static var version: String { String(cString: cversion_number()) }

    @OptionGroup var flags: DaemonFlags

    /// The reason why the service started this process to refresh the guide once; `nil` to serve.
    @Option(help: .private)
    var refreshRun: String?

    /// The sources that an administrator requested; none for all that are due.
    @Option(parsing: .unconditionalSingleValue, help: .private)
    var refreshSource: [String] = []

    /// Whether the administrator accepts guides of any size.
    @Flag(help: .private)
    var refreshForced = false

    /// Whether the service started this process to send the reminders that are due.
    @Flag(help: .private)
    var remindRun = false

    static func main() async {
        ProcessFiles.reserveStandardStreams()
        let arguments = Array(ProcessArguments.all.dropFirst())
        if let advice = arguments.lazy.compactMap(Setting.advice(onOption:)).first {
            exit(withError: ValidationError(advice))
        }
        await main(arguments)
    }

    func run() async throws {
        // Writing to a disconnected client then fails with EPIPE.
        signal(SIGPIPE, SIG_IGN)
        // Exceeding the file size limit (`ulimit -f`) then fails with EFBIG.
        signal(SIGXFSZ, SIG_IGN)
        cmemory_keep_freed()
        do {
            let reader = ConfigurationReader(environment: ProcessEnvironment.variables)
            if let refreshRun {
                guard let trigger = RefreshTrigger(named: refreshRun, sources: refreshSource, isForced: refreshForced)
                else { throw ValidationError("--refresh-run is for internal use.") }
                let refresh = try RefreshProcess(reading: reader, file: flags.config, flags: flags.values)
                throw ExitCode(try await DedicatedThread.run { _ in refresh.run(trigger) }.rawValue)
            }
            if remindRun {
                let reminders = try ReminderProcess(reading: reader, file: flags.config, flags: flags.values)
                throw ExitCode(try await DedicatedThread.run { _ in reminders.run() })
            }
            try await Daemon(reading: reader, file: flags.config, flags: flags.values).run()
        } catch {
            guard let failure = DaemonFailure(error) else { throw error }
            let line = "epgd: \(failure.message)\n"
            line.utf8.withContiguousStorageIfAvailable { _ = write(2, $0.baseAddress, $0.count) }
            throw ExitCode(failure.status.rawValue)
        }
    }
}

/// The options of `epgd`. Each overrides a setting of `epg.yml`, and EPGConfig validates the values.
struct DaemonFlags: ParsableArguments {
    @Option(help: ArgumentHelp("Settings file (default: the first epg.yml found).", valueName: "file"))
    var config: String?

    @Option(help: .setting("database", "file"))
    var database: String?

    @Option(help: .setting("listen", "address"))
    var listen: String?

    @Option(help: ArgumentHelp("Port to listen on at 127.0.0.1; 0 for any free port.", valueName: "number"))
    var port: String?

    @Option(help: .setting("zone", "zone"))
    var zone: String?

    @Option(help: .setting("title", "text"))
    var title: String?

    @Option(help: .setting("public-url", "url"))
    var publicURL: String?

    @Option(help: .setting("log.level", "level"))
    var logLevel: String?

    @Option(help: .setting("log.format", "format"))
    var logFormat: String?

    @Option(help: .setting("log.requests", "level"))
    var logRequests: String?

    @Option(help: .setting("limits.connections", "number"))
    var limitsConnections: String?

    @Option(help: .setting("limits.per-address", "number"))
    var limitsPerAddress: String?

    @Option(help: .setting("limits.requests-per-minute", "number"))
    var limitsRequestsPerMinute: String?

    @Option(help: .setting("limits.body", "size"))
    var limitsBody: String?

    @Option(help: .setting("limits.query-deadline", "time"))
    var limitsQueryDeadline: String?

    @Option(help: .setting("limits.cache", "size"))
    var limitsCache: String?

    @Option(help: .setting("limits.schedules", "size"))
    var limitsSchedules: String?

    @Option(help: .setting("limits.artwork", "size"))
    var limitsArtwork: String?

    @Option(help: .setting("artwork", "mode"))
    var artwork: String?

    @Option(help: .setting("private-hosts", "host"))
    var privateHosts: [String] = []

    @Option(help: .setting("cors.origins", "origin"))
    var corsOrigins: [String] = []

    @Option(help: .setting("trusted-proxies", "address"))
    var trustedProxies: [String] = []

    @Option(help: .setting("refresh", "cron"))
    var refresh: String?

    @Option(help: .setting("spool", "folder"))
    var spool: String?

    func validate() throws {
        if port != nil, listen != nil { throw ValidationError("Give either --listen or --port.") }
        if let port, UInt16(port) == nil {
            throw ValidationError("--port must be a number from 0 to 65535, not “\(port)”.")
        }
    }

    /// The given values by the key of the setting.
    var values: [String: [String]] {
        let single: [String: String?] = [
            "database": database, "listen": listen ?? port.map { "127.0.0.1:" + $0 }, "zone": zone, "title": title,
            "public-url": publicURL, "log.level": logLevel, "log.format": logFormat,
            "log.requests": logRequests, "limits.connections": limitsConnections,
            "limits.per-address": limitsPerAddress, "limits.requests-per-minute": limitsRequestsPerMinute,
            "limits.body": limitsBody, "limits.query-deadline": limitsQueryDeadline, "limits.cache": limitsCache,
            "limits.schedules": limitsSchedules, "limits.artwork": limitsArtwork, "artwork": artwork,
            "refresh": refresh, "spool": spool,
        ]
        var values = single.compactMapValues { $0.map { [$0] } }
        if !corsOrigins.isEmpty { values["cors.origins"] = corsOrigins }
        if !privateHosts.isEmpty { values["private-hosts"] = privateHosts }
        if !trustedProxies.isEmpty { values["trusted-proxies"] = trustedProxies }
        return values
    }
}

extension ArgumentHelp {
    /// The help of an option for a setting: the description and the default of the setting.
    fileprivate static func setting(_ key: String, _ valueName: String) -> ArgumentHelp {
        guard let setting = Setting.named(key) else { preconditionFailure("unknown setting \(key)") }
        let note = setting.defaultValue.map { " (default: \($0))" } ?? ""
        return ArgumentHelp("\(setting.help)\(note).", valueName: valueName)
    }
}
