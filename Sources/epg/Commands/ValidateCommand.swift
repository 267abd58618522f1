import ArgumentParser
import EPGCalendar
import EPGImport
import EPGJSON
import EPGModel
import EPGProgram
import EPGRender

/// `epg validate`: reports the problems of guides, without a database.
struct ValidateCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "validate", abstract: "Report problems in guides without importing them.",
        discussion: """
            Reports the same problems as tv_validate_file of the XMLTV project, by the same keywords, and every repair \
            that an import would make, with line numbers. The exit code is 0 if there are only notes, else 65. --json \
            prints one report per line. --zone is also the zone of times without one in a guide, which are UTC by default.

            --score prints a table instead: the hours that schedules show as published, the hours of airings that are \
            cut, the hours of airings whose stop is inferred, and the hours of gaps of at most 24 hours. A station is \
            affected if an airing is cut or has an inferred stop. The exit code is 0 if all guides can be read.
            """)

    @Argument(help: ArgumentHelp("Guides, or folders of them; - is standard input.", valueName: "file"))
    var files: [String]

    @Flag(help: "Print the hours that the schedules show as published, instead of the problems.")
    var score = false

    @OptionGroup var inputFormat: InputFormatOptions
    @OptionGroup var zone: ZoneOptions
    @OptionGroup var output: OutputOptions

    func run() throws {
        let inputs = try GuideInputs(files)
        var options = ImportOptions()
        inputFormat.apply(to: &options)
        options.limits = try SettingsOptions.importLimits()
        let job = ValidationJob(
            validator: GuideValidator(options: options), source: Source(name: "file", timeZone: zone.name),
            zone: try zone.zone(), scoresOnly: score, writesJSON: output.json)
        guard try job.run(inputs) else { throw ExitCode(ExitStatus.invalidData.rawValue) }
    }
}

// MARK: - Validation

/// Validates guides in turn and prints their problems.
private final class ValidationJob {
    private let validator: GuideValidator
    private let source: Source
    private let zone: Zone
    /// Whether to print the quality of the schedules instead of the problems.
    private let scoresOnly: Bool
    private let writesJSON: Bool
    private var scores = ScoreTable()
    private let terminal = Terminal.standardOutput
    private var buffer = ""
    /// Whether the reader of the output has closed the pipe; the exit code still counts.
    private var isOutputClosed = false

    /// Maximum number of diagnostics per guide in JSON; the others are only counted.
    private static let jsonLimit = 10_000

    init(validator: GuideValidator, source: Source, zone: Zone, scoresOnly: Bool, writesJSON: Bool) {
        self.validator = validator
        self.source = source
        self.zone = zone
        self.scoresOnly = scoresOnly
        self.writesJSON = writesJSON
    }

    /// - Returns: Whether all guides have only notes, or can be read if only their quality matters.
    func run(_ inputs: GuideInputs) throws -> Bool {
        var isValid = true
        try inputs.forEach { piece in
            defer { piece.progress?.finish() }
            let verdict = try verdict(on: piece)
            isValid = isValid && (scoresOnly ? verdict.rejection == nil : verdict.isValid)
            try print(verdict)
        }
        buffer += scores.text(for: terminal)
        try flush()
        return isValid
    }

    private func verdict(on piece: GuideInputs.Piece) throws -> Verdict {
        var verdict = Verdict(file: piece.name)
        do {
            let result = try validator.validate(piece.files, as: source) { diagnostic in
                verdict.isValid = verdict.isValid && diagnostic.severity == .note
                guard !self.scoresOnly else { return }
                guard self.writesJSON else { return try self.print(diagnostic, of: piece.name) }
                if verdict.diagnostics.count < Self.jsonLimit {
                    verdict.diagnostics.append(diagnostic)
                } else {
                    verdict.omittedCount += 1
                }
            }
            verdict.report = result.report
            verdict.quality = scoresOnly ? result.quality : nil
        } catch let error as GuideFileError {
            verdict.isValid = false
            verdict.rejection = error.message
        } catch let error as ExceededImportLimit {
            verdict.isValid = false
            verdict.rejection = "\(error). Raise import.\(error.key) in epg.yml if you trust the source"
        }
        return verdict
    }

    private func print(_ diagnostic: Diagnostic, of file: String) throws {
        buffer += DiagnosticText(diagnostic, file: file, zone: zone).text(for: terminal)
        if buffer.utf8.count > 1 << 16 { try flush() }
    }

    private func print(_ verdict: Verdict) throws {
        if writesJSON {
            var json = JSONWriter()
            json.write(verdict)
            buffer += String(decoding: json.takeBytes(), as: UTF8.self) + "\n"
        } else if let quality = verdict.quality {
            scores.append(quality, of: verdict.file)
        } else {
            buffer += verdict.text(for: terminal)
        }
        try flush()
    }

    private func flush() throws {
        defer { buffer = "" }
        guard !isOutputClosed else { return }
        do throws(CommandFailure) {
            try StandardOutput.write(buffer)
        } catch {
            guard error.isSilent else { throw error }
            isOutputClosed = true
        }
    }
}

/// The result for one guide.
private struct Verdict {
    let file: String
    var isValid = true
    /// `nil` if the file is not a readable guide.
    var report: ImportReport?
    /// The quality of the schedules, if requested.
    var quality: ScheduleQuality?
    /// The reason why the file is not a readable guide.
    var rejection: String?
    var diagnostics: [Diagnostic] = []
    /// The number of diagnostics beyond the limit of ``diagnostics``.
    var omittedCount = 0

    func text(for terminal: Terminal) -> String {
        var heading = Cell(file, .bold)
        if let rejection {
            heading.append("cannot be read: \(rejection)")
            return heading.text(for: terminal) + "\n"
        }
        guard let report else { return "" }
        let size =
            Wording.count(report.programmesRead, "programme") + ", "
            + Wording.count(report.stationsRead, "station description")
        heading.append(isValid ? "is valid: \(size)" : "is not valid: \(size)")
        return heading.text(for: terminal) + "\n"
            + DiagnosticCountsText(report.diagnostics, samples: report.samples).text(for: terminal)
    }
}

extension Verdict: JSONObject {
    /// `{"file", "valid", "refusal", "programmes", "stations", "airings", "keywords": {KEYWORD: n}, "diagnostics",
    /// "diagnosticsLeftOut", "score"}`, with either the diagnostics or the score.
    func writeMembers(to json: inout JSONWriter) {
        json.member("file", file)
        json.member("valid", isValid)
        json.member("refusal", rejection)
        json.member("programmes", report?.programmesRead)
        json.member("stations", report?.stationsRead)
        json.member("airings", report?.airingsStored)
        if let report {
            json.member(
                "keywords",
                object: { json in
                    for keyword in Diagnostic.Keyword.allCases {
                        if let count = report.diagnostics[keyword] { json.member(named: keyword.rawValue, count) }
                    }
                })
        }
        json.member("score", quality)
        guard quality == nil else { return }
        json.member("diagnostics", diagnostics)
        json.member("diagnosticsLeftOut", omittedCount > 0 ? omittedCount : nil)
    }
}
