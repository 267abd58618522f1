import EPGImport
package import EPGJSON
import EPGModel
import EPGRender

/// The explanation of a channel, and the station that it shows.
struct ExplainedMatch: Sendable {
    let explanation: MatchExplanation
    /// The station that the channel shows, which may have been made for it.
    let shown: StationID?
    /// The derivation of that station.
    let derivation: StationDerivation?
    /// The seconds by which the channel is later than its station.
    let shift: Int
    /// Whether the mapping sets the shift, instead of `tvg-shift`.
    let isShiftMapped: Bool

    /// The station that matches but is limited to other groups of channels.
    var limited: StationID? {
        guard shown == nil, !explanation.channel.isHidden else { return nil }
        return explanation.outcome.match?.station
    }
}

/// Shifts in messages.
enum ShiftText {
    /// Returns `1 h later` or `30 min earlier`.
    static func text(of seconds: Int) -> String {
        "\(Wording.duration(Int64(abs(seconds)))) \(seconds < 0 ? "earlier" : "later")"
    }
}

/// The matches of a lineup.
struct MatchReport: Sendable {
    let lineup: String
    /// The number of channels.
    let count: Int
    /// The number of matched channels by rule.
    let counts: [(rule: ChannelMatchRule, count: Int)]
    /// The explanations of the selected channels.
    let explanations: [ExplainedMatch]
    private let names: [StationID: String]

    init(lineup: String, matches: [ChannelMatch?], explanations: [ExplainedMatch], stations: [Station]) {
        self.lineup = lineup
        count = matches.count
        counts = ChannelMatchRule.allCases.compactMap { rule in
            let count = matches.count { $0?.rule == rule }
            return count > 0 ? (rule, count) : nil
        }
        self.explanations = explanations
        names = Dictionary(stations.map { ($0.id, $0.name) }) { first, _ in first }
    }

    /// The number of matched channels.
    var matched: Int { counts.reduce(0) { $0 + $1.count } }

    func name(of station: StationID) -> String? { names[station] }
}

// MARK: - Text

/// Prints the matches of lineups.
struct MatchText {
    let reports: [MatchReport]
    let form: Form

    enum Form {
        /// A table of the channels without a station.
        case table
        /// The results of all rules for each channel.
        case explanations
        /// A table of the suggestions for channels without a station.
        case suggestions(explained: Bool)
    }

    func text(for terminal: Terminal) -> String {
        reports.map { report in
            let rules = report.counts.map { "\($0.count) by \($0.rule.label)" }.joined(separator: ", ")
            let heading = Cell(report.lineup, .bold).text(for: terminal)
            let details = rules.isEmpty ? "" : ": \(rules)"
            let channels = report.count == 1 ? "1 channel shows" : "\(report.count) channels show"
            let summary = "\(heading): \(report.matched) of \(channels) a station\(details).\n"
            switch form {
            case .table: return summary + table(of: report, terminal)
            case .explanations: return summary + explanations(of: report, terminal)
            case .suggestions(let explained): return summary + suggestions(of: report, explained: explained, terminal)
            }
        }.joined(separator: "\n")
    }

    private func suggestions(of report: MatchReport, explained: Bool, _ terminal: Terminal) -> String {
        var columns = [
            Table.Column("without a station", minimumWidth: 12), Table.Column("why", minimumWidth: 12),
            Table.Column("score", alignment: .trailing), Table.Column("similar station", minimumWidth: 12),
        ]
        if explained { columns.append(Table.Column("evidence", minimumWidth: 12)) }
        var table = Table(columns, indent: 2)
        for match in report.explanations {
            let explanation = match.explanation
            let why = match.derivation == nil ? reason(match) : "derived listings"
            let heading = [Cell(explanation.channel.name, .bold), Cell(why)]
            if explanation.suggestions.isEmpty {
                table.append(heading + Array(repeating: Cell(""), count: columns.count - 2))
            }
            for (index, suggestion) in explanation.suggestions.enumerated() {
                var cells = index == 0 ? heading : [Cell(""), Cell("")]
                let style: PrintStyle = suggestion.isContradicted ? .dim : .plain
                cells += [Cell(suggestion.scoreText, style), Cell(suggestion.stationText, style)]
                if explained { cells.append(Cell(suggestion.evidenceText, .dim)) }
                table.append(cells)
            }
        }
        return table.text(for: terminal)
    }

    private func table(of report: MatchReport, _ terminal: Terminal) -> String {
        var table = Table(
            [
                Table.Column("number", alignment: .trailing),
                Table.Column("without a station, or doubtful", minimumWidth: 12),
                Table.Column("tvg-id", minimumWidth: 8), Table.Column("why", minimumWidth: 12),
                Table.Column("nearest", minimumWidth: 12),
            ], indent: 2)
        for explained in report.explanations {
            let explanation = explained.explanation
            let channel = explanation.channel
            table.append([
                Cell(channel.number?.description ?? ""), Cell(channel.name, .bold), Cell(channel.guideID ?? "", .cyan),
                Cell(reason(explained)), Cell(explanation.suggestions.first.map(text(of:)) ?? "", .dim),
            ])
        }
        return table.text(for: terminal)
    }

    private func reason(_ explained: ExplainedMatch) -> String {
        let explanation = explained.explanation
        if let station = explained.limited { return "the source of \(station) is for other groups" }
        return switch explanation.outcome {
        case .matched(let match) where explanation.isDoubtful:
            "doubtful: shows \(match.station); " + (explanation.basis?.contradictionText ?? "other name")
        case .matched(let match): "shows \(match.station)"
        case .ambiguous(let rule): "ambiguous \(rule.label)"
        case .missing(let station): "your mapping to \(station): not in the guide"
        case .unmatched: "no match"
        }
    }

    private func explanations(of report: MatchReport, _ terminal: Terminal) -> String {
        report.explanations.map { explained in
            let channel = explained.explanation.channel
            var heading = Cell(channel.number?.description ?? "", .dim)
            heading.append(channel.name, .bold)
            if let id = channel.guideID { heading.append(id, .cyan) }
            if let name = channel.guideName, name != channel.name { heading.append("“\(name)”", .dim) }
            return "\n" + heading.text(for: terminal) + "\n" + fields(of: explained, in: report).text(for: terminal)
        }.joined()
    }

    private func fields(of explained: ExplainedMatch, in report: MatchReport) -> FieldList {
        let explanation = explained.explanation
        var fields = FieldList(indent: 2)
        if let shown = explained.shown, let derivation = explained.derivation {
            fields.append("shows", "\(shown), \(origin(of: derivation, report))", .green)
        } else if explained.limited == nil, case .matched(let match) = explanation.outcome {
            let doubt = explanation.isDoubtful ? ", doubtful" : ""
            fields.append("shows", "\(station(match.station, report)), by \(match.rule.label)\(doubt)", .green)
            fields.append("evidence", explanation.basis?.evidenceText)
        } else {
            fields.append("shows", "no station: \(reason(explained))", .yellow)
        }
        if explained.shift != 0 || explained.isShiftMapped {
            let origin = explained.isShiftMapped ? "by your mapping" : "by tvg-shift"
            fields.append(
                "shift", explained.shift == 0 ? "none, \(origin)" : "\(ShiftText.text(of: explained.shift)), \(origin)")
        }
        for verdict in explanation.verdicts {
            if let text = text(of: verdict.result, report) { fields.append(verdict.rule.label, text) }
        }
        for suggestion in explanation.suggestions {
            fields.append("nearest", "\(text(of: suggestion)): \(suggestion.evidenceText)")
        }
        return fields
    }

    /// The origin of derived listings.
    private func origin(of derivation: StationDerivation, _ report: MatchReport) -> String {
        switch derivation.kind {
        case .shift:
            let parent = derivation.parent.map { station($0, report) } ?? "another station"
            return "with the listings of \(parent), \(ShiftText.text(of: derivation.delay))"
        case .channelName: return "with listings from the name of the channel"
        case .placeholder: return "with placeholders"
        }
    }

    /// The result of a rule; `nil` if the rule does not apply.
    private func text(of result: RuleResult, _ report: MatchReport) -> String? {
        switch result {
        case .notApplicable: return nil
        case .none: return "no match"
        case .one(let station): return self.station(station, report)
        case .missing(let station): return "\(station), not in the guide"
        case .several(let stations, let count, let channels):
            let list = stations.map { self.station($0, report) }.joined(separator: ", ")
            let more = count > stations.count ? " and \(count - stations.count) more" : ""
            return channels > 1
                ? "\(list)\(more), but \(channels) channels have this number" : "ambiguous: \(list)\(more)"
        }
    }

    private func station(_ id: StationID, _ report: MatchReport) -> String {
        let name = report.name(of: id)
        return name == nil || name == id.rawValue ? id.rawValue : "\(id.rawValue) (\(name ?? ""))"
    }

    private func text(of suggestion: MatchExplanation.Suggestion) -> String {
        "\(suggestion.stationText), \(suggestion.scoreText)"
    }
}

// MARK: - JSON

extension MatchReport: JSONObject {
    /// `{"lineup", "entries", "matched", "rules", "channels"}`: `rules` has the number of channels by rule, and
    /// `channels` the selected ones.
    package func writeMembers(to json: inout JSONWriter) {
        json.member("lineup", lineup)
        json.member("entries", count)
        json.member("matched", matched)
        json.member(
            "rules",
            object: { json in
                for (rule, count) in counts { json.member(named: rule.rawValue, count) }
            })
        json.member("channels", list: explanations)
    }
}

extension ExplainedMatch: JSONObject {
    /// The members of the explanation, `limited` if the source of the station is for other groups, `shift` in seconds unless it is 0,
    /// and `derived` if the channel shows a station made
    /// for it: `{"station", "kind", "from", "delay"}`.
    package func writeMembers(to json: inout JSONWriter) {
        explanation.writeMembers(to: &json)
        json.member("limited", limited == nil ? nil : true)
        if shift != 0 || isShiftMapped { json.member("shift", shift) }
        guard let shown, let derivation else { return }
        json.member(
            "derived",
            object: { json in
                json.member("station", shown)
                json.member("kind", derivation.kind.rawValue)
                json.member("from", derivation.parent)
                if derivation.kind == .shift { json.member("delay", derivation.delay) }
            })
    }
}

extension MatchExplanation: JSONObject {
    /// `{"name", "number", "guideID", "guideName", "key", "outcome", "station", "rule", "doubtful", "evidence", "results",
    /// "suggestions"}`.
    ///
    /// The outcome is `matched`, `ambiguous`, `missing` (the station of the user's mapping is not in the guide) or
    /// `unmatched`; `station`, `rule`, `doubtful` and `evidence` are present where they apply.
    package func writeMembers(to json: inout JSONWriter) {
        json.member("name", channel.name)
        json.member("number", channel.number?.description)
        json.member("guideID", channel.guideID)
        json.member("guideName", channel.guideName)
        json.member("key", key)
        switch outcome {
        case .matched(let match):
            json.member("outcome", "matched")
            json.member("station", match.station)
            json.member("rule", match.rule.rawValue)
            json.member("doubtful", isDoubtful ? true : nil)
            if let basis { json.member("evidence", list: basis.evidence) }
        case .ambiguous(let rule):
            json.member("outcome", "ambiguous")
            json.member("rule", rule.rawValue)
        case .missing(let station):
            json.member("outcome", "missing")
            json.member("station", station)
            json.member("rule", ChannelMatchRule.mapping.rawValue)
        case .unmatched: json.member("outcome", "unmatched")
        }
        json.member("results", list: verdicts.filter { $0.result != .notApplicable })
        json.member("suggestions", list: suggestions)
    }
}

extension MatchExplanation.Verdict: JSONObject {
    /// `{"rule", "stations", "count", "entries"}`: at most five of the `count` stations that the rule finds, and the
    /// number of channels with the same number if there are several.
    package func writeMembers(to json: inout JSONWriter) {
        json.member("rule", rule.rawValue)
        switch result {
        case .notApplicable, .none: json.member("stations", [StationID]())
        case .one(let station): json.member("stations", [station])
        case .missing(let station):
            json.member("stations", [StationID]())
            json.member("missing", station)
        case .several(let stations, let count, let channels):
            json.member("stations", stations)
            json.member("count", count)
            json.member("entries", channels > 1 ? channels : nil)
        }
    }
}

extension MatchExplanation.Suggestion: JSONObject {
    /// `{"station", "name", "score", "contradicted", "evidence"}`; the score is from 0 to 1, rounded to hundredths.
    package func writeMembers(to json: inout JSONWriter) {
        json.member("station", station)
        json.member("name", name)
        json.member("score", (score * 100).rounded() / 100)
        json.member("contradicted", isContradicted)
        json.member("evidence", list: evidence)
    }
}

extension MatchEvidence: JSONObject {
    /// `{"kind", "words"}` or `{"kind", "channel", "station"}`: what is common to the names of the channel and the station or
    /// found in one of them, or what differs.
    package func writeMembers(to json: inout JSONWriter) {
        switch self {
        case .sameWords(let words): write("sameWords", words, to: &json)
        case .similarWords(let channel, let station): write("similarWords", [channel], [station], to: &json)
        case .onlyInChannel(let words): write("onlyInChannel", words, to: &json)
        case .onlyInStation(let words): write("onlyInStation", words, to: &json)
        case .otherOrder: json.member("kind", "otherOrder")
        case .sameCountry(let countries): write("sameCountry", countries, to: &json)
        case .differentCountries(let channel, let station): write("differentCountries", channel, station, to: &json)
        case .differentNumbers(let channel, let station): write("differentNumbers", channel, station, to: &json)
        case .differentShifts(let channel, let station):
            write("differentShifts", ["\(channel)"], ["\(station)"], to: &json)
        case .differentQualities: json.member("kind", "differentQualities")
        }
    }

    private func write(_ kind: String, _ words: [String], to json: inout JSONWriter) {
        json.member("kind", kind)
        json.member("words", words)
    }

    private func write(_ kind: String, _ channel: [String], _ station: [String], to json: inout JSONWriter) {
        json.member("kind", kind)
        json.member("channel", channel)
        json.member("station", station)
    }
}
