import ArgumentParser
import EPGConfig
import EPGImport
import EPGFiles
import EPGModel
import EPGOutput
import EPGProgram

/// `epg export`: writes the guide in the formats of other programs.
struct ExportCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "export", abstract: "Export the guide as XMLTV, JSON, a playlist or a calendar.",
        discussion: """
            XMLTV output suits players: every programme has a stop, and none overlap. With --times published, \
            importing the XMLTV file again gives the same guide; this is the default for JSON if the guide has one \
            source. Logos, genres and texts are written as epg.yml says; see epg config example. An output file is replaced \
            only when the export is complete.
            """)

    @Option(help: "Output format")
    var format = ExportFormat.xmltv

    @Option(
        help: ArgumentHelp(
            "Output file (default: standard output). A name that ends in .gz is compressed with gzip.",
            valueName: "file"))
    var output: String?

    @OptionGroup var time: ExportWindow

    @Option(
        parsing: .upToNextOption,
        help: ArgumentHelp(
            "Export stations whose identifier matches one of these patterns; * and ? are wildcards.",
            valueName: "pattern"))
    var stations: [String] = []

    @Option(
        help: ArgumentHelp(
            "Export all airings of this source, shown or not (default: what the guide shows, from all sources).",
            valueName: "name"))
    var source: String?

    @Option(help: ArgumentHelp("Lineup to export as a playlist (default: the only one).", valueName: "name"))
    var lineup: String?

    @Option(
        help: """
            Times to write: as published by the source, without inferred stops, or as shown in the guide; auto is published \
            for JSON from one source, and shown for everything else
            """)
    var times = ExportRequest.Times.automatic

    @Flag(help: "Omit elements and attributes that xmltv.dtd does not allow.")
    var strict = false

    @Flag(help: "Compress the output with gzip.")
    var gzip = false

    @OptionGroup var shape: ExportShape
    @OptionGroup var moment: MomentOptions
    @OptionGroup var database: DatabaseOptions

    func validate() throws {
        let selects = time.isLimited || !stations.isEmpty || source != nil || times != .automatic || strict
        guard format != .m3u || !selects && !shape.changesProgrammes else {
            throw ValidationError("--format m3u supports only --lineup, --output, --gzip and --unchanged.")
        }
        guard format == .m3u || lineup == nil else { throw ValidationError("--lineup requires --format m3u.") }
        guard format == .xmltv || !strict else { throw ValidationError("--strict requires --format xmltv.") }
        guard format == .xmltv || format == .json || times == .automatic else {
            throw ValidationError("--times requires --format xmltv or json.")
        }
    }

    func run() throws {
        let isCompressed = gzip || output?.lowercased().hasSuffix(".gz") ?? false
        let storage = try database.guide()
        let omittedCount = try storage.read { guide in
            let moment = try moment.moment(in: guide)
            return try OutputFile(at: output, of: storage).write(isCompressed: isCompressed) {
                try write(guide, at: moment, to: $0)
            }
        }
        if omittedCount > 0 {
            StandardError.report(
                "Omitted \(omittedCount) airings: the format cannot represent their times, or more programmes share a "
                    + "time slot than it has seconds.")
        }
    }

    /// Writes the guide, or a part of it, and returns the number of omitted airings.
    private func write(_ guide: any GuideReading, at moment: Moment, to sink: @escaping ExportSink) throws -> Int {
        let output = try shape.output()
        var request = ExportRequest()
        request.window = try time.window(at: moment)
        request.patterns = stations.map { WildcardPattern($0) }
        request.source = source
        request.times = times
        request.isStrict = strict
        request.generator = "swift-epg/\(EPGCommand.version)"
        (request.output, request.logos) = output
        switch format {
        case .xmltv: return try request.write(guide, as: .xmltv, to: sink)
        case .json: return try request.write(guide, as: .json, to: sink)
        case .ics:
            let exporter = CalendarExporter(name: "TV", generator: request.generator, now: moment.now, to: sink)
            return try request.export(guide, to: exporter).omittedCount
        case .m3u:
            let name = try guide.storedLineup(lineup).lineup.name
            try PlayerPlaylist(of: [name], in: guide, logos: output.logos).write(to: sink)
            return 0
        }
    }
}

// MARK: - Options

/// The output format of an export.
enum ExportFormat: String, ExpressibleByArgument, CaseIterable, Sendable {
    case xmltv
    /// EPG JSON: one object per line.
    case json
    /// A playlist of an imported lineup.
    case m3u
    /// iCalendar.
    case ics
}

extension ExportRequest.Times: ExpressibleByArgument {}

/// The time window of an export.
struct ExportWindow: ParsableArguments {
    @Option(
        parsing: .unconditional,
        help: ArgumentHelp("Number of days to export, from today.", valueName: "n"))
    var days: Int?

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp("Days from today to the first day; negative for the past.", valueName: "n"))
    var offset: Int?

    @Option(parsing: .unconditional, help: ArgumentHelp("Start of the time window.", valueName: "time"))
    var from: String?

    @Option(parsing: .unconditional, help: ArgumentHelp("End of the time window.", valueName: "time"))
    var to: String?

    func validate() throws {
        try ValidationError.check(days, in: 1...3660, of: "--days")
        try ValidationError.check(offset, in: -3660...3660, of: "--offset")
        guard days == nil && offset == nil || from == nil && to == nil else {
            throw ValidationError("Give either --days and --offset, or --from and --to.")
        }
    }

    /// Whether any option limits the window.
    var isLimited: Bool { days != nil || offset != nil || from != nil || to != nil }

    /// The window, or `nil` for the whole guide.
    func window(at moment: Moment) throws(CommandFailure) -> TimeWindow? {
        if days != nil || offset != nil { return moment.days(days, offset: offset ?? 0) }
        guard from != nil || to != nil else { return nil }
        let start = try from.map { text throws(CommandFailure) in try moment.instant(text, option: "--from") }
        let end = try to.map { text throws(CommandFailure) in try moment.instant(text, option: "--to") }
        let window = TimeWindow(from: start ?? .beginningOfTime, to: end ?? .endOfTime)
        guard let window, !window.isEmpty else {
            throw CommandFailure(.usage, "--to is not later than --from.")
        }
        return window
    }
}

/// The genres, texts and logos of an export.
struct ExportShape: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            """
            Genres (ETSI EN 300 468) to write: none, etsi (their English names in addition to the categories), or \
            etsi-only, without the categories
            """, valueName: "genres"))
    var genres: OutputSettings.Genres?

    @Option(
        help: ArgumentHelp(
            "Template of titles, such as \"{title}[ S{season:2}E{episode:2}] {new}\".", valueName: "template"))
    var title: String?

    @Option(help: ArgumentHelp("Template of subtitles.", valueName: "template"))
    var subtitle: String?

    @Option(
        help: ArgumentHelp("Template of descriptions, such as \"[{subtitle}. ]{description}\".", valueName: "template"))
    var description: String?

    @Option(
        parsing: .upToNextOption,
        help: ArgumentHelp("Omit these XMLTV elements of programmes, such as credits.", valueName: "element"))
    var drop: [String] = []

    @Option(
        parsing: .upToNextOption,
        help: ArgumentHelp(
            "Write titles, subtitles and descriptions only in the first of these languages that is available.",
            valueName: "language"))
    var languages: [String] = []

    @Flag(help: "Ignore logos, genres and output in epg.yml.")
    var unchanged = false

    func validate() throws {
        _ = try texts()
    }

    /// Whether an option changes programmes.
    var changesProgrammes: Bool {
        genres != nil || title != nil || subtitle != nil || description != nil || !drop.isEmpty || !languages.isEmpty
    }

    /// The texts of the options.
    private func texts() throws(ValidationError) -> OutputTexts {
        var texts = OutputTexts()
        texts.title = try Self.template(title, "--title")
        texts.subtitle = try Self.template(subtitle, "--subtitle")
        texts.description = try Self.template(description, "--description")
        if let unknown = drop.first(where: { !OutputTexts.droppable.contains($0) }) {
            throw ValidationError(
                "--drop: cannot drop “\(unknown.prefix(80))”. Allowed: "
                    + "\(OutputTexts.droppable.joined(separator: ", ")).".withoutControls)
        }
        texts.dropped = drop.isEmpty ? nil : drop
        texts.languages = languages.isEmpty ? nil : languages
        return texts
    }

    private static func template(_ text: String?, _ option: String) throws(ValidationError) -> TextTemplate? {
        guard let text else { return nil }
        do throws(TextTemplateError) {
            return try TextTemplate(text)
        } catch {
            throw ValidationError("\(option): \(error.reason).".withoutControls)
        }
    }

    /// The settings of `epg.yml`, overridden by the options, and the logos.
    ///
    /// - Throws: `ConfigurationRefusal`, ``CommandFailure``.
    func output() throws -> (settings: OutputSettings, logos: Logos) {
        let (configured, logos) = unchanged ? (OutputSettings(), .guide) : try Self.configured()
        var settings = configured
        settings.genres = genres ?? settings.genres
        let texts = try texts()
        if texts != OutputTexts() { settings.stations.append(StationTexts(patterns: ["*"], texts: texts)) }
        return (settings, logos)
    }

    /// The settings of `epg.yml` and the logos.
    ///
    /// Logos in a folder have URLs of the service if `public-url` is set, and of files otherwise.
    /// - Throws: `ConfigurationRefusal`, ``CommandFailure``.
    static func configured() throws -> (settings: OutputSettings, logos: Logos) {
        let (settings, publicURL) = try ConfigurationReader.ofProgram.output()
        let folder = settings.logos.folder ?? ""
        let base = publicURL.map { $0 + Logos.path } ?? "file://\(folder)/".percentEncodedURL
        do throws(SystemFault) {
            return (settings, try Logos(settings.logos, base: base))
        } catch {
            throw CommandFailure(.noInput, "Cannot read the folder of logos \(folder): \(error).")
        }
    }
}

extension OutputSettings.Genres: ExpressibleByArgument {}
