import ArgumentParser
import CMemory
import EPGConfig
import Glibc
import Logging

/// `epgd`: serves the guide over HTTP.
@main
struct EPGDaemon: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "epgd",
        abstract: "Serves the guide over HTTP: pages, feeds and an interface for programs.",
        discussion: """
            Settings are taken from flags, else from the environment (EPG_LISTEN for --listen, and so on), else from the \
            file epg.yml: the one of --config or EPG_CONFIG, else XDG_CONFIG_HOME/epg/epg.yml, else /etc/epg/epg.yml.

            With --refresh the service refreshes the guide by itself, as epg refresh does, in a process of its own; else cron or \
            a timer may call that. \
            Each refresh reads the sources and the retention of epg.yml anew; all other settings are those of the start.

            SIGTERM and SIGINT let the requests under way be finished, for at most ten seconds; a second one ends at once.

            Exit codes: 0 done, 64 usage, 65 bad database, 66 no database, 69 can't listen, 74 I/O error, 78 configuration \
            or too few open files (192, three for each processor, and 16 connections).
            """,
        version: version)

    /// The version of the package.
    static let version = "0.1.0"

    @OptionGroup var flags: DaemonFlags

    /// Why the service started this process: to refresh once, rather than to serve.
    @Option(help: .private)
    var refreshRun: String?

    static func main() async {
        ProcessFiles.reserveStandardStreams()
        await main(Array(ProcessArguments.all.dropFirst()))
    }

    func run() async throws {
        // A client that has gone is then an error of the write.
        signal(SIGPIPE, SIG_IGN)
        // A limit of file sizes (`ulimit -f`) is then an error of the write too.
        signal(SIGXFSZ, SIG_IGN)
        cmemory_keep_freed()
        do {
            let reader = ConfigurationReader(environment: ProcessEnvironment.variables)
            if let refreshRun {
                guard let occasion = RefreshOccasion(rawValue: refreshRun) else {
                    throw ValidationError("--refresh-run is for the service itself.")
                }
                let run = try RefreshRun(reading: reader, file: flags.config, flags: flags.values)
                throw ExitCode(try await DedicatedThread.run { run.run(occasion) }.rawValue)
            }
            try await Daemon(reading: reader, file: flags.config, flags: flags.values).run()
        } catch {
            guard let failure = DaemonFailure(error) else { throw error }
            let line = "epgd: \(failure.sentence)\n"
            line.utf8.withContiguousStorageIfAvailable { _ = write(2, $0.baseAddress, $0.count) }
            throw ExitCode(failure.code)
        }
    }
}
