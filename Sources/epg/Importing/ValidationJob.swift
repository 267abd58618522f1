import EPGJSON
import EPGCalendar
import EPGImport
import EPGModel
import EPGRender

/// Looks through guides one after the other, and prints what is wrong with them.
final class ValidationJob {
    private let validator: GuideValidator
    private let zone: Zone
    private let writesJSON: Bool
    private let terminal = Terminal.standardOutput
    private var waiting = ""
    /// Whoever read the output has gone; the verdict still counts.
    private var isAlone = false

    /// Findings of one guide that are written as JSON; the others are counted.
    private static let jsonLimit = 10_000

    init(validator: GuideValidator, zone: Zone, writesJSON: Bool) {
        self.validator = validator
        self.zone = zone
        self.writesJSON = writesJSON
    }

    /// - Returns: Whether nothing worse than notes was found.
    func run(_ inputs: GuideInputs) throws -> Bool {
        var isValid = true
        try inputs.forEach { piece in
            defer { piece.progress?.finish() }
            let verdict = try verdict(on: piece)
            isValid = isValid && verdict.isValid
            try print(verdict)
        }
        return isValid
    }

    private func verdict(on piece: GuideInputs.Piece) throws -> Verdict {
        var verdict = Verdict(file: piece.name)
        do {
            verdict.report = try validator.validate(piece.files) { finding in
                verdict.isValid = verdict.isValid && finding.severity == .note
                guard self.writesJSON else { return try self.print(finding, of: piece.name) }
                if verdict.findings.count < Self.jsonLimit {
                    verdict.findings.append(finding)
                } else {
                    verdict.leftOut += 1
                }
            }
        } catch let error as GuideFileError {
            verdict.isValid = false
            verdict.refusal = error.description(offering: "--partial")
        } catch let error as ExceededImportLimit {
            verdict.isValid = false
            verdict.refusal = "\(error); import.\(error.key) in epg.yml sets this limit"
        }
        return verdict
    }

    private func print(_ finding: Diagnostic, of file: String) throws {
        waiting += DiagnosticText(finding, file: file, zone: zone).text(for: terminal)
        if waiting.utf8.count > 1 << 16 { try flush() }
    }

    private func print(_ verdict: Verdict) throws {
        if writesJSON {
            var json = JSONWriter()
            json.write(verdict)
            waiting += String(decoding: json.takeBytes(), as: UTF8.self) + "\n"
        } else {
            waiting += ValidationText(verdict).text(for: terminal)
        }
        try flush()
    }

    private func flush() throws {
        defer { waiting = "" }
        guard !isAlone else { return }
        do throws(CommandFailure) {
            try StandardOutput.write(waiting)
        } catch {
            guard error.isQuiet else { throw error }
            isAlone = true
        }
    }
}

/// What is to be said of one guide.
struct Verdict {
    let file: String
    var isValid = true
    /// `nil` where it can't be read as a guide.
    var report: ImportReport?
    /// Why it can't be read as a guide.
    var refusal: String?
    var findings: [Diagnostic] = []
    /// Findings that are not among ``findings``.
    var leftOut = 0

    init(file: String) {
        self.file = file
    }
}

extension Verdict: JSONObject {
    /// `{"file", "valid", "refusal", "programmes", "stations", "airings", "keywords": {KEYWORD: n}, "diagnostics",
    /// "diagnosticsLeftOut"}`.
    func writeMembers(to json: inout JSONWriter) {
        json.member("file", file)
        json.member("valid", isValid)
        json.member("refusal", refusal)
        json.member("programmes", report?.programmesRead)
        json.member("stations", report?.stationsRead)
        json.member("airings", report?.airingsStored)
        json.member("keywords", report.map { KeywordCounts(counts: $0.diagnostics) })
        json.member("diagnostics", findings)
        json.member("diagnosticsLeftOut", leftOut > 0 ? leftOut : nil)
    }
}

private struct KeywordCounts: JSONObject {
    let counts: [Diagnostic.Keyword: Int]

    func writeMembers(to json: inout JSONWriter) {
        for keyword in Diagnostic.Keyword.allCases {
            if let count = counts[keyword] { json.member(named: keyword.rawValue, count) }
        }
    }
}
