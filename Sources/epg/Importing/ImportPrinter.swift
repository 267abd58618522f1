import EPGJSON
import EPGCalendar
import EPGImport
import EPGModel
import EPGRender

/// Prints what an import did: a summary, every repair where that was asked for, or both as JSON.
struct ImportPrinter: Sendable {
    let zone: Zone
    let explains: Bool
    let writesJSON: Bool

    func print(_ outcome: ImportOutcome, of name: String, as source: Source, from guide: any GuideReading) throws {
        if writesJSON {
            let report = ImportJSON(
                file: name, source: source.name, outcome: outcome,
                diagnostics: explains ? try diagnostics(of: outcome, in: guide) : nil)
            var json = JSONWriter()
            json.write(report)
            return try StandardOutput.write(json.takeBytes() + Array("\n".utf8))
        }
        let terminal = Terminal.standardOutput
        if explains { try explain(outcome, of: name, from: guide, terminal: terminal) }
        try StandardOutput.write(
            ImportText(outcome, file: name, source: source.name).text(for: terminal))
    }

    /// Prints what a playlist gave.
    func print(
        _ outcome: LineupOutcome, _ findings: PlaylistFindings, of name: String, as lineup: String
    ) throws {
        let diagnostics = findings.diagnostics
        if writesJSON {
            let report = LineupJSON(
                file: name, lineup: lineup, outcome: outcome, diagnostics: explains ? diagnostics : nil)
            var json = JSONWriter()
            json.write(report)
            return try StandardOutput.write(json.takeBytes() + Array("\n".utf8))
        }
        let terminal = Terminal.standardOutput
        if explains {
            let texts = diagnostics.map { DiagnosticText($0, file: name, zone: zone).text(for: terminal) }
            try StandardOutput.write(texts.joined() + (texts.isEmpty ? "" : "\n"))
        }
        try StandardOutput.write(
            LineupText(outcome, findings: findings.counts, file: name, lineup: lineup).text(for: terminal))
    }

    private func diagnostics(of outcome: ImportOutcome, in guide: any GuideReading) throws -> [Diagnostic] {
        var diagnostics: [Diagnostic] = []
        try guide.diagnostics(ofImport: outcome.importID) { diagnostic in
            diagnostics.append(diagnostic)
            return true
        }
        return diagnostics
    }

    /// Writes the repairs as they are read: a large guide has many thousands.
    private func explain(
        _ outcome: ImportOutcome, of name: String, from guide: any GuideReading, terminal: Terminal
    ) throws {
        var text = ""
        var hasAny = false
        try guide.diagnostics(ofImport: outcome.importID) { diagnostic in
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
