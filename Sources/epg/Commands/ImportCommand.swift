import ArgumentParser
import EPGCalendar
import EPGImport
import EPGJSON
import EPGModel
import EPGProgram
import EPGRender

/// `epg import`: imports guides and playlists into the database.
struct ImportCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "import", abstract: "Import guides and playlists from files or standard input.",
        discussion: """
            Reads XMLTV in any encoding, JSON (Schedules Direct, TVmaze, EPG JSON) and M3U playlists, plain or \
            compressed (gzip, xz, bzip2, zstd, zip). The content of a file decides its format, not its name. All JSON \
            files of one command together form one guide.

            The import of a guide is one transaction: if it fails, the database keeps the current guide. A guide \
            replaces what its source had for the same stations and times. A playlist replaces the lineup of the same \
            name. --json prints one report per line.
            """)

    @Argument(help: ArgumentHelp("Guides and playlists, or folders of them; - is standard input.", valueName: "file"))
    var files: [String]

    @Option(help: ArgumentHelp("Name of the source of the guides", valueName: "name"))
    var source = "default"

    @OptionGroup var times: TimeReadingOptions

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp("Number of days to import, from today (default: all).", valueName: "n"))
    var days: Int?

    @Option(
        parsing: .upToNextOption,
        help: ArgumentHelp(
            "Import stations whose identifier matches one of these patterns; * and ? are wildcards.",
            valueName: "pattern"))
    var stations: [String] = []

    @Option(
        help: ArgumentHelp("Name of the lineup of a playlist (default: the name of the file).", valueName: "name"))
    var lineup: String?

    @OptionGroup var inputFormat: InputFormatOptions

    @Flag(help: "List every problem found in the guides and how it was handled.")
    var explain = false

    @Flag(help: "Import a guide even if the times of most programmes are implausible.")
    var force = false

    @OptionGroup var output: OutputOptions
    @OptionGroup var database: WritableDatabase

    func validate() throws {
        try ValidationError.check(sourceName: source, of: "--source")
        if let lineup { try ValidationError.check(name: lineup, of: "--lineup") }
        try ValidationError.check(days, in: 1...3660, of: "--days")
    }

    func run() throws {
        let inputs = try GuideInputs(files)
        let limits = try SettingsOptions.importLimits()
        // An unknown time zone is reported before anything changes.
        var named = Source(name: source)
        try times.apply(to: &named)
        try database.write { guide in
            let zone = try ZoneOptions.zone(named: nil) { try guide.storedSettings() }
            let moment = Moment(zone: zone, now: SystemClock.now)
            let printer = ImportPrinter(zone: zone, explains: explain, writesJSON: output.json)
            let job = ImportJob(
                guide: guide, source: source, times: times, options: options(at: moment, limits), lineup: lineup,
                now: moment.now)
            try job.run(
                inputs, derived: SettingsOptions.derivedGuide(for: guide, limits: limits, now: moment.now),
                printer: printer)
        }
    }

    private func options(at moment: Moment, _ limits: ImportLimits) -> ImportOptions {
        let window = days.map { days in
            let end = moment.zone.start(of: moment.zone.date(at: moment.now).advanced(byDays: days))
            return TimeWindow(start: moment.today.start, end: max(end, moment.today.end))
        }
        var options = ImportOptions(window: window, stations: stations.map { WildcardPattern($0) })
        inputFormat.apply(to: &options)
        options.limits = limits
        options.acceptsMissingTimes = force
        return options
    }
}

// MARK: - Import

/// Imports guides and playlists in turn, and then updates the search index.
private struct ImportJob {
    let guide: any GuideWriting
    let source: String
    /// Override the settings of a known source for this import only.
    let times: TimeReadingOptions
    let options: ImportOptions
    /// The name of the lineup of a playlist; `nil` for the name of the file.
    let lineup: String?
    let now: Instant

    /// Imports all inputs. Reports an invalid input and continues with the others. Skips other files in folders.
    ///
    /// - Throws: The exit code of the first input that failed, after all inputs; an error of the database at once.
    func run(_ inputs: GuideInputs, derived: DerivedGuide?, printer: ImportPrinter) throws {
        var firstFailure: CommandFailure?
        /// The first skipped file, which is a failure if there are only such files.
        var skipped: CommandFailure?
        var importsAny = false
        func report(_ failure: CommandFailure) {
            StandardError.report(failure.message)
            firstFailure = firstFailure ?? failure
        }
        try inputs.forEach { piece in
            do {
                try run(piece, printer)
                importsAny = true
            } catch let error as GuideFileError where error.isOtherFile && piece.isFromFolder {
                StandardError.report("skipped \(piece.name), which is neither a guide nor a playlist")
                skipped = skipped ?? CommandFailure(error, name: piece.name)
            } catch let error as GuideFileError {
                report(CommandFailure(error, name: piece.name))
            } catch let error as ExceededImportLimit {
                report(CommandFailure(error, name: piece.name))
            }
        }
        do {
            _ = try derived?.update(guide)
        } catch let error as ExceededImportLimit {
            report(CommandFailure(error, name: "derived listings"))
        }
        try guide.refreshSearchIndex()
        if let skipped, firstFailure == nil, !importsAny {
            StandardError.report("Nothing was imported, because the folder has neither a guide nor a playlist.")
            firstFailure = skipped
        }
        if let firstFailure { throw ExitCode(firstFailure.status.rawValue) }
    }

    private func run(_ piece: GuideInputs.Piece, _ printer: ImportPrinter) throws {
        let importer = GuideImporter(store: guide)
        if piece.isPlaylist, var file = piece.files.first {
            file.encoding = options.encoding
            let name = lineup ?? piece.name.fileStem
            let (outcome, findings) = try importer.importLineup(
                file, named: name, limits: options.limits, now: now)
            piece.progress?.finish()
            return try printer.print(outcome, findings, of: piece.name, as: name)
        }
        let known = try guide.sourceRecords().first { $0.source.name == source }
        var resolved = known?.source ?? Source(name: source)
        try times.apply(to: &resolved)
        // If the source has a location, the state forgets the last download, so that the next refresh fetches the guide again.
        let state = SourceState(importedAt: now, into: known)
        let outcome = try {
            defer { piece.progress?.finish() }
            return try importer.importGuide(piece.files, as: resolved, options: options, now: now, state: state)
        }()
        try printer.print(outcome, of: piece.name, as: source, from: guide)
    }
}

extension String {
    /// The file name without its folder and extensions: `tv/channels.m3u.gz` → `channels`.
    fileprivate var fileStem: String {
        let name = split(separator: "/").last.map(String.init) ?? self
        let stem = name.prefix { $0 != "." }
        return stem.isEmpty ? name : String(stem)
    }
}

// MARK: - Output

/// Prints the result of an import: a summary, diagnostics on request, or both as JSON.
///
/// The JSON of a guide is `{"file", "source", "outcome", "diagnostics"}`, and of a playlist `{"file", "lineup", "channels",
/// "matched": {RULE: n}, "unmatched", "added", "removed", "renamed", "changedGuide", "diagnostics"}`; `diagnostics` only with `--explain`.
private struct ImportPrinter: Sendable {
    let zone: Zone
    let explains: Bool
    let writesJSON: Bool

    func print(_ outcome: ImportOutcome, of name: String, as source: String, from guide: any GuideReading) throws {
        guard writesJSON else {
            if explains { try explain(name) { try guide.diagnostics(ofImport: outcome.importID, $0) } }
            return try StandardOutput.write(
                ImportText(outcome: outcome, file: name, source: source).text(for: .standardOutput))
        }
        var diagnostics: [Diagnostic] = []
        if explains {
            try guide.diagnostics(ofImport: outcome.importID) { diagnostic in
                diagnostics.append(diagnostic)
                return true
            }
        }
        try printJSON { json in
            json.member("file", name)
            json.member("source", source)
            json.member("outcome", outcome)
            json.member("diagnostics", explains ? diagnostics : nil)
        }
    }

    /// Prints the result of importing a playlist.
    func print(
        _ outcome: LineupOutcome, _ findings: PlaylistFindings, of name: String, as lineup: String
    ) throws {
        guard writesJSON else {
            if explains { try explain(name) { for diagnostic in findings.diagnostics { _ = try $0(diagnostic) } } }
            return try StandardOutput.write(
                LineupText(outcome: outcome, findings: findings.counts, file: name, lineup: lineup)
                    .text(for: .standardOutput))
        }
        try printJSON { json in
            json.member("file", name)
            json.member("lineup", lineup)
            outcome.writeMembers(to: &json)
            json.member("diagnostics", explains ? findings.diagnostics : nil)
        }
    }

    /// Prints an object on one line.
    private func printJSON(_ members: (inout JSONWriter) -> Void) throws {
        var json = JSONWriter()
        json.object(members)
        try StandardOutput.write(json.takeBytes() + Array("\n".utf8))
    }

    /// Prints diagnostics while reading them, because a large guide has many thousands.
    private func explain(_ name: String, _ visit: ((Diagnostic) throws -> Bool) throws -> Void) throws {
        let terminal = Terminal.standardOutput
        var text = ""
        var hasAny = false
        try visit { diagnostic in
            text += DiagnosticText(diagnostic, file: name, zone: zone).text(for: terminal)
            hasAny = true
            if text.utf8.count > 1 << 16 {
                try StandardOutput.write(text)
                text = ""
            }
            return true
        }
        try StandardOutput.write(text + (hasAny ? "\n" : ""))
    }
}

/// Prints a summary of an import.
private struct ImportText {
    let outcome: ImportOutcome
    let file: String
    let source: String

    func text(for terminal: Terminal) -> String {
        let report = outcome.report
        var fields = FieldList(indent: 2)
        fields.append(
            "read",
            Wording.count(report.programmesRead, "programme") + ", "
                + Wording.count(report.stationsRead, "station description"))
        fields.append("stored", Wording.count(report.airingsStored, "airing"))
        if report.merged > 0 { fields.append("merged", "\(report.merged) identical to another airing") }
        fields.append("dropped", counts(report.dropped))
        fields.append("skipped", counts(report.skipped))
        if report.filtered > 0 { fields.append("filtered", "\(report.filtered) excluded by --days or --stations") }
        for (source, count) in outcome.completed.sorted(by: { $0.key < $1.key }) {
            fields.append("completed", count.text(from: source))
        }
        fields.append("guide", change)
        var heading = Cell(file, .bold)
        heading.append("→ \(source)")
        return heading.text(for: terminal) + "\n" + fields.text(for: terminal)
            + DiagnosticCountsText(report.diagnostics, samples: report.samples).text(for: terminal)
    }

    /// The changes to the guide.
    private var change: String {
        let changes = [
            (outcome.airings.inserted, "added"), (outcome.airings.changed, "changed"),
            (outcome.airings.moved, "moved"), (outcome.airings.removed, "removed"),
            (outcome.airingsUnchanged, "unchanged"),
        ]
        var parts = changes.filter { $0.0 > 0 }.map { "\($0.0) \($0.1)" }
        if outcome.stationsInserted > 0 { parts.append(Wording.count(outcome.stationsInserted, "new station")) }
        if outcome.stationsChanged > 0 { parts.append(Wording.count(outcome.stationsChanged, "changed station")) }
        let sum = parts.isEmpty ? "" : parts.joined(separator: ", ") + "; "
        return outcome.changedGuide
            ? "\(sum)now at generation \(outcome.generation)"
            : "\(sum)no changes, at generation \(outcome.generation)"
    }

    /// `2 badstart`, or `3: 2 badstart, 1 unknownid`; `nil` for none.
    private func counts(_ counts: [Diagnostic.Keyword: Int]) -> String? {
        guard !counts.isEmpty else { return nil }
        let parts = Diagnostic.Keyword.allCases.compactMap { keyword in
            counts[keyword].map { "\($0) \(keyword.rawValue)" }
        }
        let sum = parts.count > 1 ? "\(counts.values.reduce(0, +)): " : ""
        return sum + parts.joined(separator: ", ")
    }
}

/// Prints a summary of importing a playlist.
private struct LineupText {
    let outcome: LineupOutcome
    let findings: [Diagnostic.Keyword: Int]
    let file: String
    let lineup: String

    func text(for terminal: Terminal) -> String {
        var fields = FieldList(indent: 2)
        fields.append("read", Wording.count(outcome.channels, "channel"))
        fields.append("matched", matched)
        if outcome.unmatched > 0 {
            fields.append("unmatched", "\(outcome.unmatched); `epg match --explain` shows why")
        }
        if !outcome.changes.isEmpty { fields.append("changes", Wording.difference(outcome.changes)) }
        fields.append("guide", outcome.changedGuide ? "changed" : "no changes")
        var heading = Cell(file, .bold)
        heading.append("→ lineup \(lineup)")
        return heading.text(for: terminal) + "\n" + fields.text(for: terminal)
            + DiagnosticCountsText(findings).text(for: terminal)
    }

    /// `58: 50 by identifier, 8 by name`.
    private var matched: String {
        let parts = ChannelMatchRule.allCases.compactMap { rule in
            outcome.matched[rule].map { "\($0) by \(rule.label)" }
        }
        let sum = outcome.channels - outcome.unmatched
        return parts.isEmpty ? "0" : "\(sum): " + parts.joined(separator: ", ")
    }
}
