import EPGModel
import EPGRender

/// What importing a playlist did, in numbers.
struct LineupText {
    private let outcome: LineupOutcome
    private let findings: [Diagnostic.Keyword: Int]
    private let file: String
    private let lineup: String

    init(_ outcome: LineupOutcome, findings: [Diagnostic.Keyword: Int], file: String, lineup: String) {
        self.outcome = outcome
        self.findings = findings
        self.file = file
        self.lineup = lineup
    }

    func text(for terminal: Terminal) -> String {
        var fields = FieldList(indent: 2)
        fields.append("read", Wording.count(outcome.channels, "channel"))
        fields.append("matched", matched)
        if outcome.unmatched > 0 {
            fields.append("unmatched", "\(outcome.unmatched); “epg match --explain” says why")
        }
        fields.append("guide", outcome.changedGuide ? "changed" : "nothing is different")
        var heading = Cell(file, .bold)
        heading.append("→ lineup \(lineup)")
        return heading.text(for: terminal) + "\n" + fields.text(for: terminal)
            + FindingsText(findings).text(for: terminal)
    }

    /// `58: 50 by identifier, 8 by name`.
    private var matched: String {
        let parts = ChannelMatchRule.allCases.compactMap { rule in
            outcome.matched[rule].map { "\($0) by \(rule.words)" }
        }
        let sum = outcome.channels - outcome.unmatched
        return parts.isEmpty ? "0" : "\(sum): " + parts.joined(separator: ", ")
    }
}
