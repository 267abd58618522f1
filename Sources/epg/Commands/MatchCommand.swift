import ArgumentParser
import EPGImport
package import EPGJSON
import EPGModel
import EPGProgram
import EPGRender

/// `epg match`: shows which station each entry of a playlist shows and why, and stores decisions of the user.
struct MatchCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "match", abstract: "Show or set the stations of playlist entries.",
        discussion: """
            Without arguments, counts the matched entries and lists those without a station. With ENTRY, explains its \
            match. With ENTRY and STATION, maps the entry to the station; the mapping survives imports.

            The rules apply in this order: your mapping, the identifier, the identifier ignoring case, the identifier \
            without @feed, the name, the number. If a rule finds several stations, the entry has no station. With \
            --shift, the entry shows the listings of the station later or earlier, instead of its tvg-shift.
            """)

    @Argument(help: "tvg-id, name or number of an entry.")
    var entry: String?

    @Argument(help: "Identifier or name of the station that the entry shows.")
    var station: String?

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp(
            "With STATION, show its listings later or earlier: +1h, -30min, +1h30min, 0 (default: tvg-shift).",
            valueName: "duration"))
    var shift: String?

    @Flag(help: "Explain every entry: the result of each rule and the nearest stations.")
    var explain = false

    @Option(help: ArgumentHelp("Lineup to match (default: all).", valueName: "name"))
    var lineup: String?

    @Option(help: ArgumentHelp("Remove the mapping of an entry.", valueName: "entry"))
    var remove: String?

    @Flag(help: "Wait while another process is writing.")
    var wait = false

    @OptionGroup var output: OutputOptions
    @OptionGroup var database: DatabaseOptions

    func validate() throws {
        if remove != nil, entry != nil || explain {
            throw ValidationError("--remove cannot be used with ENTRY, STATION or --explain.")
        }
        if let shift {
            guard station != nil else { throw ValidationError("--shift requires ENTRY and STATION.") }
            guard Self.seconds(of: shift) != nil else {
                throw ValidationError(
                    "--shift: “\(shift.prefix(64))” is not a duration such as +1h, -30min or +1h30min, at most a day.")
            }
        }
        if explain, station != nil { throw ValidationError("--explain cannot be used with STATION.") }
    }

    func run() throws {
        if let remove {
            let change = try database.change(waits: wait) { guide in
                let change = try removeMapping(of: remove, in: guide)
                try updateDerivedListings(in: guide)
                return change
            }
            try output.print(change) { _ in change.text }
        } else if let entry, let station {
            let change = try database.change(waits: wait) { guide in
                let change = try map(entry, to: station, in: guide)
                try updateDerivedListings(in: guide)
                return change
            }
            try output.print(change) { _ in change.text }
        } else {
            let reports = try database.read { try self.reports(of: $0) }
            try output.print(reports) { terminal in MatchText(reports, isDetailed: isDetailed).text(for: terminal) }
        }
    }

    private var isDetailed: Bool { explain || entry != nil }

    private func updateDerivedListings(in guide: any GuideWriting) throws {
        let outcome = try SettingsOptions.derivedGuide(now: SystemClock.now).update(guide)
        if outcome.changedGuide { try guide.refreshSearchIndex() }
    }

    /// Parses a shift: an optional sign, and hours and minutes with units; 0 needs none. At most a day.
    private static func seconds(of text: String) -> Int? {
        let isNegative = text.hasPrefix("-")
        var rest = (isNegative || text.hasPrefix("+") ? text.dropFirst() : text[...]).filter { $0 != " " }
        if rest == "0" { return 0 }
        var seconds = 0
        for (unit, factor) in [("h", 3600), ("min", 60)] {
            let digits = rest.prefix { ("0"..."9").contains($0) }
            guard !digits.isEmpty, rest.dropFirst(digits.count).hasPrefix(unit), let number = Int(digits),
                number <= 1440
            else { continue }
            seconds += number * factor
            rest = String(rest.dropFirst(digits.count + unit.count))
        }
        return rest.isEmpty && (1...86_400).contains(seconds) ? (isNegative ? -seconds : seconds) : nil
    }

    // MARK: - Reading

    private func reports(of guide: any GuideReading) throws -> [MatchReport] {
        let lineups = try self.lineups(of: guide)
        let all = try guide.stations(inRows: 0..<Int.max).map(\.station)
        // Channels are matched with stations of feeds only.
        let stations = all.filter { $0.derivation == nil }
        let derivations = Dictionary(
            all.compactMap { station in station.derivation.map { (station.id, $0) } }
        ) { first, _ in first }
        let mappings = try guide.mappings()
        let shifts = try guide.mappingShifts()
        let key = try entry.map { try Self.key(of: $0, in: lineups.flatMap(\.lineup.channels)) }
        let matcher = StationMatcher()
        let reports = lineups.map { lineup, matches in
            let explainer = MatchExplainer(channels: lineup.channels, stations: stations, mappings: mappings)
            let selected = zip(lineup.channels, matches).filter { channel, match in
                if let key { return matcher.channelKey(channel) == key }
                return explain || match == nil
            }
            return MatchReport(
                lineup: lineup.name, matches: matches,
                explanations: selected.map { channel, match in
                    ExplainedMatch(
                        explanation: explainer.explain(channel), shown: match?.station,
                        derivation: match.flatMap { derivations[$0.station] },
                        shift: channel.shift(in: lineup, mappingShifts: shifts),
                        isShiftMapped: shifts[channel.key] != nil)
                },
                stations: all)
        }
        // Omit lineups without the requested entry.
        return key == nil ? reports : reports.filter { !$0.explanations.isEmpty }
    }

    private func lineups(of guide: any GuideReading) throws -> [(lineup: Lineup, matches: [ChannelMatch?])] {
        let names = try guide.lineups()
        guard !names.isEmpty else {
            throw CommandFailure(.noInput, "There are no playlists. Import one first: `epg import channels.m3u`.")
        }
        if let lineup, !names.contains(lineup) {
            throw CommandFailure(
                .noInput,
                "There is no lineup “\(lineup.prefix(64))”. Lineups: "
                    + names.prefix(20).map { String($0.prefix(64)) }.joined(separator: ", ") + ".")
        }
        return try names.filter { lineup == nil || $0 == lineup }.compactMap { try guide.lineup(named: $0) }
    }

    // MARK: - Mapping

    private func map(_ entry: String, to station: String, in guide: any GuideWriting) throws -> MappingChange {
        let channels = try lineups(of: guide).flatMap(\.lineup.channels)
        let key = try Self.key(of: entry, in: channels)
        let found = try StationQuery(station).find(in: guide).station
        let matcher = StationMatcher()
        try guide.setMapping(key, to: found.id, matcher: matcher, now: SystemClock.now)
        let shift = shift.flatMap(Self.seconds)
        try guide.setShift(ofMapping: key, to: shift, matcher: matcher, now: SystemClock.now)
        return MappingChange(
            key: key, station: found, shift: shift, count: channels.count { matcher.channelKey($0) == key })
    }

    private func removeMapping(of entry: String, in guide: any GuideWriting) throws -> MappingChange {
        let mappings = try guide.mappings()
        // The entry may be gone from all playlists; its mapping is stored under its key.
        let channels = try guide.lineups().isEmpty ? [] : lineups(of: guide).flatMap(\.lineup.channels)
        let key = try mappings[entry] == nil ? Self.key(of: entry, in: channels) : entry
        guard mappings[key] != nil else {
            throw CommandFailure(
                .noInput, "There is no mapping for “\(key.prefix(64))”.")
        }
        let matcher = StationMatcher()
        try guide.setMapping(key, to: nil, matcher: matcher, now: SystemClock.now)
        return MappingChange(
            key: key, station: nil, shift: nil, count: channels.count { matcher.channelKey($0) == key })
    }

    /// Returns the key of the entry that the user named.
    private static func key(of text: String, in channels: [Channel]) throws(CommandFailure) -> String {
        let shown = text.prefix(64)
        switch ChannelFinder(channels).find(text) {
        case .found(let key, _): return key
        case .ambiguous(let several):
            throw CommandFailure(
                .noInput, "“\(shown)” is ambiguous: \(list(several)). Name one by its tvg-id or full name.")
        case .none(let nearest):
            throw CommandFailure(
                .noInput,
                "There is no entry “\(shown)”. "
                    + (nearest.isEmpty
                        ? "List the entries with `epg match --explain`." : "Did you mean \(list(nearest))?"))
        }
    }

    private static func list(_ channels: [Channel]) -> String {
        var names: [String] = []
        for channel in channels {
            let id = channel.guideID.map { " (\($0.prefix(64)))" } ?? ""
            let name = "\(channel.name.prefix(64))\(id)"
            if !names.contains(name), names.count < 5 { names.append(name) }
        }
        return names.joined(separator: ", ")
    }
}

// MARK: - Results

/// A new or removed mapping.
private struct MappingChange: Sendable {
    let key: String
    /// The station of the mapping; `nil` if it was removed.
    let station: Station?
    /// The seconds by which the entry is later than the station, instead of its `tvg-shift`; `nil` for the latter.
    let shift: Int?
    /// The number of playlist entries with the key.
    let count: Int

    var text: String {
        let entries = "“\(key.prefix(64))” (\(count) \(count == 1 ? "entry" : "entries"))"
        let sentence =
            if let station {
                "\(entries) now shows \(station.name.prefix(64)) (\(station.id.rawValue.prefix(64)))"
                    + (shift.map { $0 == 0 ? " at its own times." : ", \(ShiftText.text(of: $0))." } ?? ".")
            } else {
                "Removed the mapping of \(entries). The rules apply again."
            }
        return sentence.withoutControls + "\n"
    }
}

/// The explanation of an entry, and the station that it shows.
private struct ExplainedMatch: Sendable {
    let explanation: MatchExplanation
    /// The station that the entry shows, which may have been made for it.
    let shown: StationID?
    /// The derivation of that station.
    let derivation: StationDerivation?
    /// The seconds by which the entry is later than its station.
    let shift: Int
    /// Whether the mapping sets the shift, instead of `tvg-shift`.
    let isShiftMapped: Bool
}

/// Shifts in messages.
private enum ShiftText {
    /// Returns `1 h later` or `30 min earlier`.
    static func text(of seconds: Int) -> String {
        "\(Wording.duration(Int64(abs(seconds)))) \(seconds < 0 ? "earlier" : "later")"
    }
}

/// The matches of a lineup.
private struct MatchReport: Sendable {
    let lineup: String
    /// The number of entries.
    let count: Int
    /// The number of matched entries by rule.
    let counts: [(rule: ChannelMatchRule, count: Int)]
    /// The explanations of the selected entries.
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

    /// The number of matched entries.
    var matched: Int { counts.reduce(0) { $0 + $1.count } }

    func name(of station: StationID) -> String? { names[station] }
}

// MARK: - Text

/// Prints the matches of lineups.
private struct MatchText {
    private let reports: [MatchReport]
    private let isDetailed: Bool

    /// - Parameter isDetailed: Whether to explain each entry instead of listing those without a station.
    init(_ reports: [MatchReport], isDetailed: Bool) {
        self.reports = reports
        self.isDetailed = isDetailed
    }

    func text(for terminal: Terminal) -> String {
        reports.map { report in
            let rules = report.counts.map { "\($0.count) by \($0.rule.label)" }.joined(separator: ", ")
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
                Table.Column("number", alignment: .trailing), Table.Column("without a station", minimumWidth: 12),
                Table.Column("tvg-id", minimumWidth: 8), Table.Column("why", minimumWidth: 12),
                Table.Column("nearest", minimumWidth: 12),
            ], indent: 2)
        for explanation in report.explanations.map(\.explanation) {
            let channel = explanation.channel
            table.append([
                Cell(channel.number?.description ?? ""), Cell(channel.name, .bold), Cell(channel.guideID ?? "", .cyan),
                Cell(reason(explanation)), Cell(explanation.suggestions.first.map(text(of:)) ?? "", .dim),
            ])
        }
        return table.text(for: terminal)
    }

    private func reason(_ explanation: MatchExplanation) -> String {
        switch explanation.outcome {
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
        if case .matched(let match) = explanation.outcome {
            fields.append("shows", "\(station(match.station, report)), by \(match.rule.label)", .green)
        } else {
            fields.append("shows", "no station: \(reason(explanation))", .yellow)
        }
        if explained.shift != 0 || explained.isShiftMapped {
            let origin = explained.isShiftMapped ? "by your mapping" : "by tvg-shift"
            fields.append(
                "shift", explained.shift == 0 ? "none, \(origin)" : "\(ShiftText.text(of: explained.shift)), \(origin)")
        }
        if let shown = explained.shown, let derivation = explained.derivation {
            fields.append("derived", "\(shown), \(origin(of: derivation, report))")
        }
        for verdict in explanation.verdicts {
            if let text = text(of: verdict.result, report) { fields.append(verdict.rule.label, text) }
        }
        for suggestion in explanation.suggestions { fields.append("nearest", text(of: suggestion)) }
        return fields
    }

    /// The origin of derived listings.
    private func origin(of derivation: StationDerivation, _ report: MatchReport) -> String {
        switch derivation.kind {
        case .shift:
            let parent = derivation.parent.map { station($0, report) } ?? "another station"
            return "with the listings of \(parent), \(ShiftText.text(of: derivation.delay))"
        case .channelName: return "with listings from the name of the entry"
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
                ? "\(list)\(more), but \(channels) entries have this number" : "ambiguous: \(list)\(more)"
        }
    }

    private func station(_ id: StationID, _ report: MatchReport) -> String {
        let name = report.name(of: id)
        return name == nil || name == id.rawValue ? id.rawValue : "\(id.rawValue) (\(name ?? ""))"
    }

    private func text(of suggestion: MatchExplanation.Suggestion) -> String {
        let name = suggestion.name == suggestion.station.rawValue ? "" : " (\(suggestion.name))"
        return "\(suggestion.station)\(name), \(Int((suggestion.score * 100).rounded())) %"
    }
}

extension ChannelMatchRule {
    /// A label that is at most 20 columns wide.
    var label: String {
        switch self {
        case .mapping: "your mapping"
        case .exactID: "identifier"
        case .foldedID: "identifier, any case"
        case .feedlessID: "identifier, no @feed"
        case .name: "name"
        case .number: "number"
        case .derived: "derived listings"
        }
    }
}

// MARK: - JSON

extension MatchReport: JSONObject {
    /// `{"lineup", "entries", "matched", "rules", "channels"}`: `rules` has the number of entries by rule, and
    /// `channels` the selected entries.
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
    /// The members of the explanation, `shift` in seconds unless it is 0, and `derived` if the entry shows a station that was made
    /// for it: `{"station", "kind", "from", "delay"}`.
    package func writeMembers(to json: inout JSONWriter) {
        explanation.writeMembers(to: &json)
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
    /// `{"name", "number", "guideID", "guideName", "key", "outcome", "station", "rule", "results", "suggestions"}`.
    ///
    /// The outcome is `matched`, `ambiguous`, `missing` (the station of the user's mapping is not in the guide) or
    /// `unmatched`; `station` and `rule` are present where they apply.
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
    /// number of entries with the same channel number if there are several.
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
    /// `{"station", "name", "score"}`; the score is from 0 to 1, rounded to hundredths.
    package func writeMembers(to json: inout JSONWriter) {
        json.member("station", station)
        json.member("name", name)
        json.member("score", (score * 100).rounded() / 100)
    }
}

extension MappingChange: JSONObject {
    /// `{"key", "station", "shift", "entries"}`; without `station` if the mapping was removed, and without `shift` (in
    /// seconds) if it has none.
    package func writeMembers(to json: inout JSONWriter) {
        json.member("key", key)
        json.member("station", station?.id)
        json.member("shift", shift)
        json.member("entries", count)
    }
}
