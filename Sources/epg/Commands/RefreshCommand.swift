import ArgumentParser
import EPGModel
import EPGRefresh

/// `epg refresh`: the nightly job.
struct RefreshCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "refresh",
        abstract: "Fetches all sources that are due, imports what changed, removes what is old.",
        discussion: """
            Silent where all goes well. A source that fails keeps its listings and the others go on; then standard error \
            tells what happened, and the exit code isn't 0.
            """)

    @Option(parsing: .unconditional, help: ArgumentHelp("Days that airings stay after their stop.", valueName: "n"))
    var retention = 7

    @Flag(help: "Tell each step on standard error.")
    var verbose = false

    @Flag(help: "Wait while another process is writing.")
    var wait = false

    @OptionGroup var output: OutputOptions
    @OptionGroup var database: DatabaseOptions

    func validate() throws {
        guard (0...3660).contains(retention) else { throw ValidationError("--retention is a number from 0 to 3660.") }
    }

    func run() throws {
        let report = try database.change(waits: wait) { guide in
            let job = RefreshJob(guide: guide, retention: Int64(retention) * 86_400, isVerbose: verbose)
            return try job.run(at: SystemClock.now)
        }
        if output.json { try output.print(report) { _ in "" } }
        StandardError.write(report.failureText)
        if report.exitCode != 0 { throw ExitCode(report.exitCode) }
    }
}
