import EPGImport
import EPGModel
import EPGRender

/// Which entries of a lineup have stations, and why.
struct MatchReport: Sendable {
    let lineup: String
    /// The entries of the lineup.
    let count: Int
    /// How many of them show a station, by the rule that found it.
    let counts: [(rule: ChannelMatchRule, count: Int)]
    /// Of the entries that are told of.
    let explanations: [MatchExplanation]
    private let names: [StationID: String]

    init(lineup: String, matches: [ChannelMatch?], explanations: [MatchExplanation], stations: [Station]) {
        self.lineup = lineup
        count = matches.count
        counts = ChannelMatchRule.allCases.compactMap { rule in
            let count = matches.count { $0?.rule == rule }
            return count > 0 ? (rule, count) : nil
        }
        self.explanations = explanations
        names = Dictionary(stations.map { ($0.id, $0.name) }) { first, _ in first }
    }

    /// How many entries show a station.
    var matched: Int { counts.reduce(0) { $0 + $1.count } }

    func name(of station: StationID) -> String? { names[station] }
}

/// The matches of lineups, for reading.
struct MatchText {
    private let reports: [MatchReport]
    private let isDetailed: Bool

    /// - Parameter isDetailed: Whether each entry is explained, instead of a table of those without a station.
    init(_ reports: [MatchReport], isDetailed: Bool) {
        self.reports = reports
        self.isDetailed = isDetailed
    }

    func text(for terminal: Terminal) -> String {
        reports.map { report in
            let rules = report.counts.map { "\($0.count) by \($0.rule.words)" }.joined(separator: ", ")
            let heading = Cell(report.lineup, .bold).text(for: terminal)
            let details = rules.isEmpty ? "" : ": \(rules)"
            let entries = report.count == 1 ? "1 entry shows" : "\(report.count) entries show"
            let summary = "\(heading): \(report.matched) of \(entries) a station\(details).\n"
            return summary + (isDetailed ? explanations(of: report, terminal) : table(of: report, terminal))
        }.joined(separator: "\n")
    }

    private func table(of report: MatchReport, _ terminal: Terminal) -> String {
        var table = Table(
            [
                Table.Column("number", alignment: .trailing), Table.Column("without a station", leastWidth: 12),
                Table.Column("tvg-id", leastWidth: 8), Table.Column("why", leastWidth: 12),
                Table.Column("nearest", leastWidth: 12),
            ], indent: 2)
        for explanation in report.explanations {
            let channel = explanation.channel
            table.append([
                Cell(channel.number?.description ?? ""), Cell(channel.name, .bold), Cell(channel.guideID ?? "", .cyan),
                Cell(reason(explanation)), Cell(explanation.suggestions.first.map(words) ?? "", .dim),
            ])
        }
        return table.text(for: terminal)
    }

    private func reason(_ explanation: MatchExplanation) -> String {
        switch explanation.outcome {
        case .matched(let match): "shows \(match.station)"
        case .ambiguous(let rule): "several by \(rule.words)"
        case .missing(let station): "your choice \(station) isn't in the guide"
        case .unmatched: "nothing matches"
        }
    }

    private func explanations(of report: MatchReport, _ terminal: Terminal) -> String {
        report.explanations.map { explanation in
            let channel = explanation.channel
            var heading = Cell(channel.number?.description ?? "", .dim)
            heading.append(channel.name, .bold)
            if let id = channel.guideID { heading.append(id, .cyan) }
            if let name = channel.guideName, name != channel.name { heading.append("“\(name)”", .dim) }
            return "\n" + heading.text(for: terminal) + "\n" + fields(of: explanation, in: report).text(for: terminal)
        }.joined()
    }

    private func fields(of explanation: MatchExplanation, in report: MatchReport) -> FieldList {
        var fields = FieldList(indent: 2)
        if case .matched(let match) = explanation.outcome {
            fields.append("shows", "\(station(match.station, report)), by \(match.rule.words)", .green)
        } else {
            fields.append("shows", "no station: \(reason(explanation))", .yellow)
        }
        for verdict in explanation.verdicts {
            if let answer = words(verdict.answer, report) { fields.append(verdict.rule.words, answer) }
        }
        for suggestion in explanation.suggestions { fields.append("near", words(suggestion)) }
        return fields
    }

    /// What a rule says; `nil` where it has nothing to say.
    private func words(_ answer: MatchAnswer, _ report: MatchReport) -> String? {
        switch answer {
        case .silent: return nil
        case .none: return "no station"
        case .one(let station): return self.station(station, report)
        case .missing(let station): return "\(station), which isn't in the guide"
        case .several(let stations, let count, let channels):
            let list = stations.map { self.station($0, report) }.joined(separator: ", ")
            let more = count > stations.count ? " and \(count - stations.count) more" : ""
            return channels > 1 ? "\(list)\(more), but \(channels) entries have the number" : "several: \(list)\(more)"
        }
    }

    private func station(_ id: StationID, _ report: MatchReport) -> String {
        let name = report.name(of: id)
        return name == nil || name == id.rawValue ? id.rawValue : "\(id.rawValue) (\(name ?? ""))"
    }

    private func words(_ suggestion: MatchExplanation.Suggestion) -> String {
        let name = suggestion.name == suggestion.station.rawValue ? "" : " (\(suggestion.name))"
        return "\(suggestion.station)\(name), \(Int((suggestion.score * 100).rounded())) %"
    }
}

extension ChannelMatchRule {
    /// What people call the rule, in at most 20 columns.
    var words: String {
        switch self {
        case .mapping: "your choice"
        case .exactID: "identifier"
        case .foldedID: "identifier, any case"
        case .feedlessID: "identifier, no @feed"
        case .name: "name"
        case .number: "number"
        }
    }
}
