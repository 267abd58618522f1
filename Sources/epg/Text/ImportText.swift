import EPGModel
import EPGRender

/// What an import did, in numbers.
struct ImportText {
    private let outcome: ImportOutcome
    private let file: String
    private let source: String

    init(_ outcome: ImportOutcome, file: String, source: String) {
        self.outcome = outcome
        self.file = file
        self.source = source
    }

    func text(for terminal: Terminal) -> String {
        let report = outcome.report
        var fields = FieldList(indent: 2)
        fields.append(
            "read",
            Wording.count(report.programmesRead, "programme") + ", "
                + Wording.count(report.stationsRead, "station description"))
        fields.append("stored", Wording.count(report.airingsStored, "airing"))
        if report.merged > 0 { fields.append("merged", "\(report.merged) that said the same as another") }
        fields.append("dropped", counts(report.dropped))
        fields.append("skipped", counts(report.skipped))
        if report.filtered > 0 { fields.append("filtered", "\(report.filtered) outside what was asked for") }
        fields.append("guide", change)
        var heading = Cell(file, .bold)
        heading.append("→ \(source)")
        return heading.text(for: terminal) + "\n" + fields.text(for: terminal)
            + FindingsText(report.diagnostics).text(for: terminal)
    }

    /// What changed in the store.
    private var change: String {
        let changes = [
            (outcome.airings.inserted, "added"), (outcome.airings.changed, "changed"),
            (outcome.airings.moved, "moved"), (outcome.airings.removed, "removed"),
            (outcome.airingsUnchanged, "unchanged"),
        ]
        var words = changes.filter { $0.0 > 0 }.map { "\($0.0) \($0.1)" }
        if outcome.stationsInserted > 0 { words.append(Wording.count(outcome.stationsInserted, "new station")) }
        if outcome.stationsChanged > 0 { words.append(Wording.count(outcome.stationsChanged, "changed station")) }
        let sum = words.isEmpty ? "" : words.joined(separator: ", ") + "; "
        return outcome.changedGuide
            ? "\(sum)now at generation \(outcome.generation)"
            : "\(sum)nothing is different, still at generation \(outcome.generation)"
    }

    /// `2 badstart`, `3: 2 badstart, 1 unknownid`; `nil` for none.
    private func counts(_ counts: [Diagnostic.Keyword: Int]) -> String? {
        guard !counts.isEmpty else { return nil }
        let parts = Diagnostic.Keyword.allCases.compactMap { keyword in
            counts[keyword].map { "\($0) \(keyword.rawValue)" }
        }
        let sum = parts.count > 1 ? "\(counts.values.reduce(0, +)): " : ""
        return sum + parts.joined(separator: ", ")
    }
}

/// Findings by kind, the most frequent first.
struct FindingsText {
    private let counts: [Diagnostic.Keyword: Int]

    init(_ counts: [Diagnostic.Keyword: Int]) {
        self.counts = counts.filter { $0.value > 0 }
    }

    func text(for terminal: Terminal) -> String {
        guard !counts.isEmpty else { return "" }
        var table = Table(
            [Table.Column(alignment: .trailing), Table.Column(), Table.Column(leastWidth: 20)], indent: 2)
        for (keyword, count) in counts.sorted(by: { ($1.value, $0.key.rawValue) < ($0.value, $1.key.rawValue) }) {
            table.append([Cell(String(count)), Cell(keyword.rawValue, .yellow), Cell(keyword.meaning, .dim)])
        }
        return "\n" + table.text(for: terminal)
    }
}

extension Diagnostic.Keyword {
    /// What it says of a feed, for a summary.
    var meaning: String {
        switch self {
        case .missingstop: "no stop was given; it was inferred"
        case .zerolength: "a heading that stops when it starts"
        case .duplicate: "the same airing twice"
        case .badclump: "a shared time whose parts don't agree"
        case .overlap: "two airings at the same time"
        case .toolong: "longer than can be believed"
        case .badstart: "a start that can't be read"
        case .badstop: "a stop that can't be read or lies before the start"
        case .invalidtimezone: "a zone that is unknown or has several meanings"
        case .missingtimezone: "times without a zone"
        case .emptytitle: "no title"
        case .emptydescription: "an empty description"
        case .badepisode: "an episode's number that can't be read"
        case .badentity: "a reference that XML doesn't know"
        case .unknownid: "a station that nothing describes, or none named"
        case .invalidid: "an identifier that is missing, too long, or not of the form a.b"
        case .duplicateid: "a station that is described twice"
        case .channelnoprogramme: "a station without programmes"
        case .noprogrammes: "a guide without programmes"
        case .notvalid: "something that has no place there"
        case .notwell: "not well-formed"
        case .badiso8859, .badutf8: "bytes that are not in the encoding they should be in"
        }
    }
}
