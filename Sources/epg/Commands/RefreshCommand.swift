import ArgumentParser
import EPGAccess
import EPGCalendar
import EPGConfig
package import EPGJSON
import EPGModel
import EPGProgram
import EPGRefresh
import EPGRender
import Logging

/// `epg refresh`: fetches and imports the sources that are due, and removes old airings.
struct RefreshCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "refresh",
        abstract: "Fetch and import the sources that are due, and remove old airings.",
        discussion: """
            The sources are those in epg.yml and those added with `epg source add`. Without errors, the command prints \
            nothing, except a line per source on a terminal. If a source fails, its listings stay, the other sources \
            are refreshed, and standard error shows the error. The exit code is then 74 if the database or the disk \
            failed, else the code of the failures if all are of one kind, else 69.

            A guide is rejected if it is empty, or if its number of stations or airings from now on is less than \
            --share percent of those that the source has in the database for the same time, and a playlist if its \
            number of channels is. A guide whose airings have \
            all ended is imported, but its source counts as failed. If more than half of all airings are old, epg \
            removes the oldest half of all airings while something is on now, and none otherwise, because the clock may \
            be wrong. --force accepts every guide, removes all old airings, and downloads every source again.
            """)

    @Argument(help: ArgumentHelp("Sources to refresh, due or not (default: all that are due).", valueName: "source"))
    var sources: [String] = []

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp(
            "Days to keep airings after their stop (default: retention in epg.yml, else 7).", valueName: "n"))
    var retention: Int?

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp(
            "Minimum size of a guide as a percentage of the current guide (default: minimum-share in epg.yml, else 50).",
            valueName: "percent"))
    var share: Int?

    @Flag(help: "Accept guides of any size, and remove all old airings.")
    var force = false

    @Flag(help: "Log each step on standard error.")
    var verbose = false

    @Flag(help: "Show no progress on a terminal.")
    var quiet = false

    @Flag(help: "Wait while another process is refreshing or writing.")
    var wait = false

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp("Current time to assume, for demonstrations.", valueName: "time", visibility: .hidden))
    var at: String?

    @OptionGroup var settings: SettingsOptions
    @OptionGroup var output: OutputOptions
    @OptionGroup var database: DatabaseOptions

    func validate() throws {
        try ValidationError.check(retention, in: 0...3660, of: "--retention")
        try ValidationError.check(share, in: 0...100, of: "--share")
    }

    func run() throws {
        var database = database
        let configuration: ServiceConfiguration
        do {
            configuration = try settings.read(for: &database, warns: true).configuration
        } catch let error as StoreError {
            throw Self.failure(of: error)
        }
        let options = try options(configuration)
        let guide = try guide(in: database, for: options)
        let clock = Moment(zone: try configuration.scheduleZone(), now: SystemClock.now)
        let fixed = try at.map { try clock.instant($0, option: "--at") }
        Interruption.installHandlers()
        // Waiting for another refresh may take hours.
        let report = try withLock(of: guide) { try refresh(guide, options, at: fixed ?? SystemClock.now) }
        if output.json, !report.wasCancelled { try output.print(report) { _ in "" } }
        StandardError.write(report.failureText)
        if report.wasCancelled {
            StandardError.report("Refresh interrupted. The next refresh continues.")
        } else if report.sources.isEmpty, !quiet {
            StandardError.report("No sources to refresh. \(Self.adviceWithoutSources)")
        }
        Interruption.finish()
        if report.exitStatus != .success { throw ExitCode(report.exitStatus.rawValue) }
    }

    /// Returns the failure with the same code as for damage that a refresh finds: 65 is for guides.
    private static func failure(of error: StoreError) -> any Error {
        guard case .damaged = error else { return error }
        return CommandFailure(.inputOutput, CommandFailure(error).message)
    }

    private static let adviceWithoutSources =
        "Add one with `epg source add NAME URL`, or list sources in epg.yml (see `epg config example`)."

    /// Returns the guide, and creates it if the settings name sources.
    private func guide(in database: DatabaseOptions, for options: RefreshOptions) throws -> any GuideStorage {
        let guide = try database.guide()
        if guide.exists { return guide }
        guard !options.plans.isEmpty else {
            throw CommandFailure(
                .noInput,
                "There is no guide at \(guide.location), and no source to create it from. \(Self.adviceWithoutSources)")
        }
        try database.write(waits: true) { _ in }
        return guide
    }

    private func options(_ configuration: ServiceConfiguration) throws -> RefreshOptions {
        var configuration = configuration
        if let share {
            // The command line takes precedence over the settings.
            for index in configuration.sources.indices { configuration.sources[index].minimumShare = share }
        }
        var options = RefreshOptions(retention: Int64(retention ?? configuration.retention) * 86_400)
        options.plans = try configuration.plans()
        options.limits = configuration.importLimits
        options.privateHosts = configuration.privateHosts
        options.derived = configuration.derivedListings
        options.minimumShare = share ?? options.minimumShare
        options.names = sources.isEmpty ? nil : Set(sources)
        options.isForced = force
        return options
    }
}

// MARK: - Refresh

extension RefreshCommand {
    private func withLock(
        of guide: any GuideStorage, _ refresh: () throws -> RefreshReport
    ) throws -> RefreshReport {
        do {
            return try guide.withRefreshLock(waiting: wait ? .until { Interruption.isRequested } : .never, refresh)
        } catch let error as StoreError {
            // An interruption while waiting for another refresh is not a failure of this one.
            Interruption.finish()
            throw Self.failure(of: error)
        }
    }

    private func refresh(
        _ guide: any GuideStorage, _ options: RefreshOptions, at now: Instant
    ) throws -> RefreshReport {
        let progress = RefreshProgress(isWanted: !quiet && !output.json && !verbose)
        let fetcher = GuideFetcher(userAgent: "swift-epg/\(EPGCommand.version)", databasePath: guide.companionPath)
        let refresher = Refresher(
            guide: guide, fetcher: fetcher, options: options, logger: logger,
            watch: { progress.show($0) }, isCancelled: { Interruption.isRequested },
            secret: { [access = AccessStore(besideGuide: guide.companionPath)] in
                try $0.value(environment: ProcessEnvironment.variables) {
                    try access.records().accounts[AccountName(username: $0, url: $1)]
                }
            }, advice: { $0.advice }
        ) { fetched, store in
            do {
                return try fetched.importContent(into: store)
            } catch let error as StoreError {
                // Database errors are not the fault of the guide, so damage is an I/O error here.
                let failure = CommandFailure(error)
                throw RefreshFailure(sentence: failure.message, kind: failure.status == .busy ? .busy : .inputOutput)
            }
        }
        defer { progress.close() }
        return try refresher.refresh(at: now)
    }

    /// Logs with `--verbose` only; the report contains the failures.
    private var logger: Logger {
        guard verbose else { return Logger(label: "epg") { _ in SwiftLogNoOpLogHandler() } }
        var logger = Logger(label: "epg") { StreamLogHandler.standardError(label: $0) }
        logger.logLevel = .debug
        return logger
    }
}

// MARK: - JSON

extension RefreshReport: JSONObject {
    /// `{"at", "exitCode", "changedGuide", "prunedAirings", "sources", "maintenanceFailure"}`.
    package func writeMembers(to json: inout JSONWriter) {
        json.member("at", now)
        json.member("exitCode", Int(exitStatus.rawValue))
        json.member("changedGuide", changedGuide)
        json.member("prunedAirings", prunedAirings)
        json.member("sources", sources)
        json.member("maintenanceFailure", maintenanceFailure?.sentence)
    }
}

extension SourceRefresh: JSONObject {
    /// `{"name", "location", "outcome", "next", "byteCount", "difference", "import", "failure", "exitCode",
    /// "lastSuccess"}`.
    ///
    /// The outcome is `not-due`, `not-configured`, `not-modified`, `unchanged`, `imported` or `failed`, and determines
    /// the other members. A playlist has `lineup` instead of `difference` and `import`.
    package func writeMembers(to json: inout JSONWriter) {
        json.member("name", name)
        json.member("location", location)
        json.member("outcome", outcome.keyword)
        switch outcome {
        case .notDue(let next): json.member("next", next)
        case .notModified, .notConfigured: break
        case .unchanged(let byteCount): json.member("byteCount", byteCount)
        case .imported(.guide(let imported), let byteCount):
            json.member("byteCount", byteCount)
            json.member("difference", imported.airings)
            json.member("import", imported)
        case .imported(.playlist(let imported, _), let byteCount):
            json.member("byteCount", byteCount)
            json.member("lineup", imported)
        case .failed(let failure):
            json.member("failure", failure.sentence)
            json.member("exitCode", Int(failure.kind.exitStatus.rawValue))
        }
        json.member("lastSuccess", lastSuccess)
    }
}

extension AiringDifference: JSONObject {
    /// `{"inserted", "removed", "moved", "changed"}`: numbers of airings.
    package func writeMembers(to json: inout JSONWriter) {
        json.member("inserted", inserted)
        json.member("removed", removed)
        json.member("moved", moved)
        json.member("changed", changed)
    }
}
