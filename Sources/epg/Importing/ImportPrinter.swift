import EPGCalendar
import EPGModel
import EPGRender
import EPGStore

/// Prints what an import did: a summary, every repair where that was asked for, or both as JSON.
struct ImportPrinter: Sendable {
    let zone: Zone
    let explains: Bool
    let writesJSON: Bool

    func print(_ outcome: ImportOutcome, of input: GuideInput, as source: Source, from guide: GuideStore) throws {
        if writesJSON {
            let report = ImportJSON(
                file: input.name, source: source.name, outcome: outcome,
                diagnostics: explains ? try diagnostics(of: outcome, in: guide) : nil)
            var json = JSONWriter()
            json.write(report)
            return try StandardOutput.write(json.takeBytes() + Array("\n".utf8))
        }
        let terminal = Terminal.standardOutput
        if explains { try explain(outcome, of: input, from: guide, terminal: terminal) }
        try StandardOutput.write(
            ImportText(outcome, file: input.name, source: source.name).text(for: terminal))
    }

    private func diagnostics(of outcome: ImportOutcome, in guide: GuideStore) throws -> [LoggedDiagnostic] {
        var diagnostics: [LoggedDiagnostic] = []
        try guide.diagnostics(ofImport: outcome.importID) { diagnostic in
            diagnostics.append(diagnostic)
            return true
        }
        return diagnostics
    }

    /// Writes the repairs as they are read: a large guide has many thousands.
    private func explain(
        _ outcome: ImportOutcome, of input: GuideInput, from guide: GuideStore, terminal: Terminal
    ) throws {
        var text = ""
        var hasAny = false
        try guide.diagnostics(ofImport: outcome.importID) { diagnostic in
            text += DiagnosticText(diagnostic, file: input.name, zone: zone).text(for: terminal)
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
