import ArgumentParser
import EPGCalendar
import EPGConfig
import EPGModel
import EPGRefresh

/// `epg refresh`: the nightly job.
struct RefreshCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "refresh",
        abstract: "Fetches all sources that are due, imports what changed, removes what is old.",
        discussion: """
            The sources are those of epg.yml and those that “epg source add” named. Silent where all goes well; a terminal \
            shows a line for each source. A source that fails keeps its listings and the others go on; then standard error \
            tells what happened, and the exit code isn't 0: 74 where the database or the disk failed, whatever else did; \
            else the code of the failures where all are of one kind; else 69.

            A guide isn't taken where it is empty, or where its stations or its airings fall below a share (--share) of \
            what stands of its source for the same time, from now on; it is told where nothing of one airs any more. Where \
            more than half of all airings are old, half of all go while something is on; else none does, since the clock may \
            be wrong. --force takes and removes them all, and asks every source as if nothing of it were known.
            """)

    @Argument(help: ArgumentHelp("Only these sources, due or not; all that are due otherwise.", valueName: "source"))
    var sources: [String] = []

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp(
            "Days that airings stay after their stop. The default is that of epg.yml, else 7.", valueName: "n"))
    var retention: Int?

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp(
            "Percent of what stands that a guide must bring; 0 takes less. The default is that of epg.yml, else 50.",
            valueName: "percent"))
    var share: Int?

    @Flag(help: "Take guides however little they bring, and remove what is old however much it is.")
    var force = false

    @Flag(help: "Tell each step on standard error.")
    var verbose = false

    @Flag(help: "Show no progress on a terminal.")
    var quiet = false

    @Flag(help: "Wait while another process is refreshing or writing.")
    var wait = false

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp("The time that counts as now, for demonstrations.", valueName: "time", visibility: .hidden))
    var at: String?

    @OptionGroup var settings: SettingsOptions
    @OptionGroup var output: OutputOptions
    @OptionGroup var database: DatabaseOptions

    func validate() throws {
        guard (0...3660).contains(retention ?? 0) else {
            throw ValidationError("--retention is a number from 0 to 3660.")
        }
        guard (0...100).contains(share ?? 0) else { throw ValidationError("--share is a number from 0 to 100.") }
    }

    func run() throws {
        let configuration = try settings.read(warns: true)
        var database = database
        database.database = database.database ?? configuration.database
        let options = try options(configuration)
        let job = RefreshJob(
            guide: try guide(in: database, for: options), options: options, waits: wait, isVerbose: verbose,
            showsProgress: !quiet && !output.json)
        let clock = Moment(zone: .current, now: SystemClock.now)
        let fixed = try at.map { try clock.instant($0, option: "--at") }
        Interruption.take()
        let report = try job.run { fixed ?? SystemClock.now }
        if output.json, !report.wasCancelled { try output.print(report) { _ in "" } }
        StandardError.write(report.failureText)
        if report.wasCancelled {
            StandardError.write("epg: The refresh was broken off. The next one takes it up.\n")
        } else if report.sources.isEmpty, !quiet {
            StandardError.write("epg: There are no sources to refresh. \(Self.adviceWithoutSources)\n")
        }
        Interruption.finish()
        if report.exitCode != 0 { throw ExitCode(report.exitCode) }
    }

    private static let adviceWithoutSources =
        "Add one (epg source add NAME URL), or name sources in epg.yml (epg config example)."

    /// The guide; settings that name sources are enough to begin with.
    private func guide(in database: DatabaseOptions, for options: RefreshOptions) throws -> any GuideStorage {
        let guide = try database.guide()
        if guide.exists { return guide }
        guard !options.orders.isEmpty else {
            throw CommandFailure(
                .noInput,
                "There is no guide at \(guide.location), and no source to make one of. \(Self.adviceWithoutSources)")
        }
        try database.write(waits: true) { _ in }
        return guide
    }

    private func options(_ configuration: ServiceConfiguration) throws -> RefreshOptions {
        var configuration = configuration
        if let share {
            // What is asked for on the command line goes before what stands in the settings.
            for index in configuration.sources.indices { configuration.sources[index].minimumShare = share }
        }
        var options = RefreshOptions(retention: Int64(retention ?? configuration.retention) * 86_400)
        options.orders = try configuration.orders()
        options.limits = configuration.importing
        options.minimumShare = share ?? options.minimumShare
        options.names = sources.isEmpty ? nil : Set(sources)
        options.isForced = force
        return options
    }
}
