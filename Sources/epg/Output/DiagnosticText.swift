import EPGCalendar
package import EPGJSON
import EPGModel
import EPGRender

extension DiagnosticText {
    /// Creates the text of a diagnostic with the options that change its handling.
    init(_ diagnostic: Diagnostic, file: String, zone: Zone) {
        self.init(
            diagnostic, file: file, zone: zone,
            hints: [.doubleencoding: "(--no-repair-text keeps it)", .missingtimezone: "(--zone)"])
    }

    /// Returns the message, wrapped to the width of the terminal, with a trailing newline.
    func text(for terminal: Terminal) -> String {
        let lines = Paragraph.lines(of: message, columns: terminal.columns.map { $0 - 4 })
        return lines.enumerated().map { index, line in (index == 0 ? "" : "    ") + line + "\n" }.joined()
    }
}

/// Prints the number of diagnostics by keyword, the most frequent first, each with a sample if there is one.
struct DiagnosticCountsText {
    private let counts: [Diagnostic.Keyword: Int]
    private let samples: [Diagnostic.Keyword: String]

    init(_ counts: [Diagnostic.Keyword: Int], samples: [Diagnostic.Keyword: String] = [:]) {
        self.counts = counts.filter { $0.value > 0 }
        self.samples = samples
    }

    func text(for terminal: Terminal) -> String {
        guard !counts.isEmpty else { return "" }
        var table = Table(
            [Table.Column(alignment: .trailing), Table.Column(), Table.Column(minimumWidth: 20)], indent: 2)
        for (keyword, count) in counts.sorted(by: { ($1.value, $0.key.rawValue) < ($0.value, $1.key.rawValue) }) {
            let sample = samples[keyword].map { ", such as “\($0.prefix(30))”" } ?? ""
            table.append([Cell(String(count)), Cell(keyword.rawValue, .yellow), Cell(keyword.meaning + sample, .dim)])
        }
        return "\n" + table.text(for: terminal)
    }
}

// MARK: - JSON

extension Diagnostic: JSONObject {
    /// `{"severity", "keyword", "action", "line", "station", "listing", "other", "window", "quote"}`,
    /// without the unknown members.
    package func writeMembers(to json: inout JSONWriter) {
        json.member("severity", severity.rawValue)
        json.member("keyword", keyword.rawValue)
        json.member("action", action.rawValue)
        json.member("line", line > 0 ? line : nil)
        json.member("station", station)
        json.member("listing", listing)
        json.member("other", other)
        json.member("window", window)
        json.member("quote", quote)
    }
}

extension Diagnostic.Reference: JSONObject {
    /// `{"line", "start", "stop", "title"}`, with the published times.
    package func writeMembers(to json: inout JSONWriter) {
        json.member("line", line)
        json.member("start", start)
        json.member("stop", stop)
        json.member("title", title)
    }
}
