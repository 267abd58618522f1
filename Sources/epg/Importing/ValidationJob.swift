import EPGCalendar
import EPGImport
import EPGModel
import EPGRender
import EPGStore

/// Looks through guides one after the other, and prints what is wrong with them.
struct ValidationJob {
    let validator: GuideValidator
    let zone: Zone
    let writesJSON: Bool

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
                let logged = LoggedDiagnostic(
                    diagnostic: finding.diagnostic, title: finding.title, otherTitle: finding.otherTitle)
                verdict.isValid = verdict.isValid && finding.diagnostic.severity == .note
                if writesJSON { verdict.findings.append(logged) } else { try print(logged, of: piece.name) }
            }
        } catch let error as GuideFileError {
            verdict.isValid = false
            verdict.refusal = "\(error)"
        }
        return verdict
    }

    private func print(_ finding: LoggedDiagnostic, of file: String) throws {
        try StandardOutput.write(
            DiagnosticText(finding, file: file, zone: zone).text(for: Terminal.standardOutput))
    }

    private func print(_ verdict: Verdict) throws {
        if writesJSON {
            var json = JSONWriter()
            json.write(verdict)
            return try StandardOutput.write(json.takeBytes() + Array("\n".utf8))
        }
        try StandardOutput.write(ValidationText(verdict).text(for: Terminal.standardOutput))
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
    var findings: [LoggedDiagnostic] = []

    init(file: String) {
        self.file = file
    }
}

extension Verdict: JSONValue {
    /// `{"file", "valid", "refusal", "programmes", "stations", "airings", "keywords": {KEYWORD: n}, "diagnostics"}`.
    func write(to json: inout JSONWriter) {
        json.object { json in
            json.member("file", file)
            json.member("valid", isValid)
            json.member("refusal", refusal)
            json.member("programmes", report?.programmesRead)
            json.member("stations", report?.stationsRead)
            json.member("airings", report?.airingsStored)
            json.member("keywords", report.map { KeywordCounts(counts: $0.diagnostics) })
            json.member("diagnostics", findings)
        }
    }
}

private struct KeywordCounts: JSONValue {
    let counts: [Diagnostic.Keyword: Int]

    func write(to json: inout JSONWriter) {
        json.object { json in
            for keyword in Diagnostic.Keyword.allCases {
                if let count = counts[keyword] { json.member(named: keyword.rawValue, count) }
            }
        }
    }
}
