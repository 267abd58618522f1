import ArgumentParser
import EPGImport
import EPGModel

/// `epg export`: the guide for other programs.
struct ExportCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "export", abstract: "Writes the guide as XMLTV, JSON, a playlist or a calendar.",
        discussion: """
            XMLTV is written for players: each programme has a stop, and none overlap. Add --times published for an \
            XMLTV file that gives the same guide when it is imported again; JSON does so by default where the guide has one source. A file is replaced \
            only when the new one is complete.
            """)

    @Option(help: "What is written.")
    var format = ExportFormat.xmltv

    @Option(
        help: ArgumentHelp(
            "The file to replace. The default is standard output. A name that ends in .gz is packed.",
            valueName: "file"))
    var output: String?

    @OptionGroup var time: ExportWindow

    @Option(
        parsing: .upToNextOption,
        help: ArgumentHelp(
            "Only stations whose identifier matches one of these; * and ? stand for other text.", valueName: "pattern"))
    var stations: [String] = []

    @Option(
        help: ArgumentHelp(
            "All airings of this source, shown or not. The default is what the guide shows, of whichever source.",
            valueName: "name"))
    var source: String?

    @Option(help: ArgumentHelp("The lineup of the playlist. The default is the only one.", valueName: "name"))
    var lineup: String?

    @Option(
        help: """
            Times as the source published them, without inferred stops, or as the guide shows them. (default: shown in \
            XMLTV and where several sources are mixed, else published)
            """)
    var times: ExportedTimes?

    @Flag(help: "Leave out what xmltv.dtd doesn't allow.")
    var strict = false

    @Flag(help: "Pack the output with gzip.")
    var gzip = false

    @OptionGroup var moment: MomentOptions
    @OptionGroup var database: DatabaseOptions

    func validate() throws {
        let selects = time.isLimited || !stations.isEmpty || source != nil || times != nil || strict
        guard format != .m3u || !selects else {
            throw ValidationError("A playlist is written whole: only --lineup, --output and --gzip go with it.")
        }
        guard format == .m3u || lineup == nil else { throw ValidationError("--lineup goes with --format m3u.") }
        guard format == .xmltv || !strict else { throw ValidationError("--strict goes with --format xmltv.") }
        guard format == .xmltv || format == .json || times == nil else {
            throw ValidationError("--times goes with --format xmltv or json.")
        }
    }

    func run() throws {
        let moment = try moment.moment()
        let isCompressed = gzip || output?.lowercased().hasSuffix(".gz") ?? false
        let storage = try database.guide()
        let leftOut = try storage.read { guide in
            let write = try writing(of: guide, at: moment)
            return try ExportOutput(to: output, of: storage).write(isCompressed: isCompressed) { try write($0) }
        }
        if leftOut > 0 {
            StandardError.write(
                "epg: \(leftOut) airings are left out: the format can't write their times, or their time slot has fewer seconds than "
                    + "programmes.\n")
        }
    }

    /// What writes the guide to a sink, and returns how many airings were left out.
    private func writing(of guide: any GuideReading, at moment: Moment) throws -> (@escaping ExportSink) throws -> Int {
        switch format {
        case .m3u:
            let playlist = try LineupExport(lineup, in: guide)
            return { sink in
                try playlist.write(to: sink)
                return 0
            }
        case .xmltv:
            let export = try export(of: guide, at: moment)
            return { try export.writeXMLTV(guide, to: $0) }
        case .json:
            let export = try export(of: guide, at: moment)
            return { try export.writeJSON(guide, to: $0) }
        case .ics:
            let export = try export(of: guide, at: moment)
            return { try export.writeCalendar(guide, at: moment.now, to: $0) }
        }
    }

    private func export(of guide: any GuideReading, at moment: Moment) throws -> GuideExport {
        let sources = try guide.sourceRecords().map(\.source.name)
        if let source, !sources.contains(source) {
            throw CommandFailure(.noInput, "There is no source \(source). “epg sources” lists them.")
        }
        var selection = ExportSelection()
        selection.window = try time.window(at: moment)
        selection.source = source
        if !stations.isEmpty {
            let patterns = stations.map { StationPattern($0) }
            selection.stations = { station in patterns.contains { $0.matches(station.id.rawValue) } }
        }
        let isMixed = source == nil && sources.count > 1
        let times = times ?? (format == .xmltv || isMixed ? .shown : .published)
        return GuideExport(
            selection: selection,
            options: ExportOptions(
                times: times.choice, isStrict: strict, generator: "swift-epg/\(EPGCommand.version)"))
    }
}
