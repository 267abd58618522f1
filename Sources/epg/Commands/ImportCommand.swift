import ArgumentParser
import EPGCalendar
import EPGImport
import EPGModel

/// `epg import`: reads guides into the database.
struct ImportCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "import", abstract: "Imports guides and playlists from files, or from standard input.",
        discussion: """
            XMLTV in any encoding, JSON (Schedules Direct, TVmaze, EPG JSON), and playlists (M3U), packed or not (gzip, \
            xz, bzip2, zstd, zip): the bytes tell, not the name. All files in JSON make one guide, those of a folder \
            too.

            Each guide is one transaction: it stands as a whole, or the guide that stood before stays untouched. A guide \
            replaces, station by station, what its source said of the same time; a playlist replaces the lineup of its \
            name. With --json each report is an object on a line of its own.
            """)

    @Argument(help: ArgumentHelp("The guides, or folders of them; - is standard input.", valueName: "file"))
    var files: [String]

    @Option(help: ArgumentHelp("The source whose listings they are.", valueName: "name"))
    var source = "default"

    @Option(
        help: ArgumentHelp("The zone of the guide's times that name none. The default is UTC.", valueName: "zone"))
    var timeZone: String?

    @Option(parsing: .unconditional, help: ArgumentHelp("Seconds to add to all times.", valueName: "seconds"))
    var shift: Int64?

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp("Only what is on today and on the days after it, so many in all.", valueName: "n"))
    var days: Int?

    @Option(
        parsing: .upToNextOption,
        help: ArgumentHelp(
            "Only stations whose identifier matches one of these; * and ? stand for other text.", valueName: "pattern"))
    var stations: [String] = []

    @Option(
        help: ArgumentHelp("What a playlist's lineup is called. The default is the file's name.", valueName: "name"))
    var lineup: String?

    @OptionGroup var badFiles: BadFileOptions

    @Flag(help: "List every repair.")
    var explain = false

    @Flag(help: "Wait while another process is writing.")
    var wait = false

    @OptionGroup var zone: ZoneOptions
    @OptionGroup var output: OutputOptions
    @OptionGroup var database: DatabaseOptions

    func validate() throws {
        guard !source.trimmed.isEmpty else { throw ValidationError("--source is a name of at least one letter.") }
        guard lineup.map({ !$0.trimmed.isEmpty }) ?? true else {
            throw ValidationError("--lineup is a name of at least one letter.")
        }
        for (option, name) in [("--source", source), ("--lineup", lineup ?? "")] where name.hasURLCredentials {
            throw ValidationError("\(option) is a public name and must not contain a user or password.")
        }
        guard days.map({ (1...3660).contains($0) }) ?? true else {
            throw ValidationError("--days is a number from 1 to 3660.")
        }
        guard (shift ?? 0).magnitude <= 10 * 366 * 86_400 else {
            throw ValidationError("--shift is a number of seconds below ten years.")
        }
    }

    func run() throws {
        let inputs = try GuideInputs(files)
        let limits = try SettingsOptions.importLimits()
        let moment = Moment(zone: try zone.zone(), now: SystemClock.now)
        let reading = try SourceReading(name: source, timeZone: timeZone, shift: shift)
        let printer = ImportPrinter(zone: moment.zone, explains: explain, writesJSON: output.json)
        try database.write(waits: wait) { guide in
            let job = ImportJob(
                guide: guide, reading: reading, options: options(at: moment, limits), lineup: lineup, now: moment.now)
            try job.run(inputs, printer: printer)
        }
    }

    private func options(at moment: Moment, _ limits: ImportLimits) -> ImportOptions {
        let window = days.map { days in
            let end = moment.zone.start(of: moment.zone.date(at: moment.now).advanced(byDays: days))
            return TimeWindow(start: moment.today.start, end: max(end, moment.today.end))
        }
        var options = ImportOptions(window: window, stations: stations.map { StationPattern($0) })
        badFiles.complete(&options)
        options.limits = limits
        return options
    }
}
