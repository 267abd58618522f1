import ArgumentParser
import EPGImport
package import EPGJSON
import EPGModel
import EPGProgram
import EPGRender

/// `epg match`: shows which station each channel of a playlist shows and why, and stores decisions of the user.
struct MatchCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "match", abstract: "Show or set the stations of playlist channels.",
        discussion: """
            Without arguments, counts the matched channels and lists those without a station, and those whose name \
            contradicts the station that their identifier names. With CHANNEL, explains its match. With CHANNEL and \
            STATION, maps the channel to the station; the mapping survives imports.

            The rules apply in this order: your mapping, the identifier, the identifier ignoring case, the identifier \
            without @feed, the name, the name without country and quality, a similar name, the number. If a rule finds \
            several stations, the channel has no station. With --shift, the channel shows the listings of the station \
            later or earlier, instead of its tvg-shift.
            """)

    @Argument(help: ArgumentHelp("tvg-id, name or number of a channel.", valueName: "channel"))
    var entry: String?

    @Argument(help: "Identifier or name of the station that the channel shows.")
    var station: String?

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp(
            "With STATION, show its listings later or earlier: +1h, -30min, +1h30min, 0 (default: tvg-shift).",
            valueName: "duration"))
    var shift: String?

    @Flag(help: "Explain every channel: the result of each rule, the nearest stations, and the evidence for them.")
    var explain = false

    @Flag(
        help: "List similar stations and their scores for each channel without a station; --explain adds the evidence.")
    var suggest = false

    @Option(
        help: ArgumentHelp(
            "Map each channel without a station to the most similar station if its score is at least this (0 to 1) and no "
                + "other station is close.", valueName: "score"))
    var acceptAbove: Double?

    @Option(help: ArgumentHelp("Lineup to match (default: all).", valueName: "name"))
    var lineup: String?

    @Option(help: ArgumentHelp("Remove the mapping of a channel.", valueName: "channel"))
    var remove: String?

    @OptionGroup var output: OutputOptions
    @OptionGroup var database: WritableDatabase

    func validate() throws {
        if remove != nil, entry != nil || explain || suggest {
            throw ValidationError("--remove cannot be used with CHANNEL, STATION, --explain or --suggest.")
        }
        if let acceptAbove {
            guard (0...1).contains(acceptAbove) else {
                throw ValidationError("--accept-above must be between 0 and 1, such as 0.9.")
            }
            if entry != nil || remove != nil {
                throw ValidationError("--accept-above cannot be used with CHANNEL, STATION or --remove.")
            }
        }
        if suggest, station != nil { throw ValidationError("--suggest cannot be used with STATION.") }
        if let shift {
            guard station != nil else { throw ValidationError("--shift requires CHANNEL and STATION.") }
            guard Self.seconds(of: shift) != nil else {
                throw ValidationError(
                    "--shift: “\(shift.prefix(64))” is not a duration such as +1h, -30min or +1h30min, at most a day.")
            }
        }
        if explain, station != nil { throw ValidationError("--explain cannot be used with STATION.") }
    }

    func run() throws {
        if let remove {
            let change = try database.changeLineups { try removeMapping(of: remove, in: $0) }
            try output.print(change) { _ in change.text }
        } else if let entry, let station {
            let change = try database.changeLineups { try map(entry, to: station, in: $0) }
            try output.print(change) { _ in change.text }
        } else if let acceptAbove {
            let change = try database.changeLineups { try accept(above: acceptAbove, in: $0) }
            try output.print(change) { change.text(for: $0, explains: explain) }
        } else {
            let reports = try database.options.read { try self.reports(of: $0) }
            try output.print(reports) { terminal in MatchText(reports: reports, form: form).text(for: terminal) }
        }
    }

    private var form: MatchText.Form {
        if suggest {
            .suggestions(explained: explain)
        } else if explain || entry != nil {
            .explanations
        } else {
            .table
        }
    }

    /// Parses a shift: an optional sign, and hours and minutes (`min` or `m`); 0 needs no unit. At most a day.
    private static func seconds(of text: String) -> Int? {
        let isNegative = text.hasPrefix("-")
        var rest = (isNegative || text.hasPrefix("+") ? text.dropFirst() : text[...]).filter { $0 != " " }
        if rest == "0" { return 0 }
        var seconds = 0
        for (unit, factor) in [("h", 3600), ("min", 60), ("m", 60)] {
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
        let lineups = try guide.storedLineups(lineup)
        let all = try guide.stations(inRows: 0..<Int.max).map(\.station)
        // Channels are matched with stations of feeds only.
        let stations = all.filter { $0.derivation == nil }
        let derivations = Dictionary(
            all.compactMap { station in station.derivation.map { (station.id, $0) } }
        ) { first, _ in first }
        let mappings = try guide.mappings()
        let shifts = try guide.mappingShifts()
        let key = try entry.map { try lineups.flatMap(\.lineup.channels).key(ofChannel: $0) }
        let matcher = StationMatcher()
        let reports = lineups.map { lineup, matches in
            let explainer = MatchExplainer(channels: lineup.channels, stations: stations, mappings: mappings)
            let selected = zip(lineup.channels, matches).filter { channel, match in
                if let key { return matcher.channelKey(channel) == key }
                if channel.isHidden { return explain }
                if suggest || acceptAbove != nil { return match == nil || match?.rule == .derived }
                return explain || match == nil || explainer.isDoubtful(channel)
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
        // Omit lineups without the requested channel.
        return key == nil ? reports : reports.filter { !$0.explanations.isEmpty }
    }

    // MARK: - Mapping

    private func map(_ entry: String, to station: String, in guide: any GuideWriting) throws -> MappingChange {
        let channels = try guide.storedLineups(lineup).flatMap(\.lineup.channels)
        let key = try channels.key(ofChannel: entry)
        let found = try guide.station(named: station).station
        guard found.derivation == nil else {
            throw CommandFailure(
                .noInput,
                "“\(found.name.prefix(64))” has only derived listings. Name a station of a feed; `epg stations` lists them."
            )
        }
        let matcher = StationMatcher()
        try guide.setMapping(key, to: found.id, matcher: matcher, now: SystemClock.now)
        let shift = shift.flatMap(Self.seconds)
        try guide.setShift(ofMapping: key, to: shift, matcher: matcher, now: SystemClock.now)
        return MappingChange(
            key: key, station: found, shift: shift, count: channels.count { matcher.channelKey($0) == key })
    }

    /// Maps channels to their best suggestions. Does not replace mappings of the user.
    private func accept(above minimum: Double, in guide: any GuideWriting) throws -> AcceptedReport {
        let matches = try reports(of: guide).flatMap(\.explanations)
        let accepted = AcceptedSuggestions(of: matches.lazy.map(\.explanation), above: minimum)
        if !accepted.mappings.isEmpty {
            try guide.setMappings(accepted.stations, matcher: StationMatcher(), now: SystemClock.now)
        }
        let mapped = Set(accepted.mappings.map(\.key))
        return AcceptedReport(
            accepted: accepted,
            unmatched: matches.count { $0.shown == nil && !mapped.contains($0.explanation.key) })
    }

    private func removeMapping(of entry: String, in guide: any GuideWriting) throws -> MappingChange {
        let mappings = try guide.mappings()
        // The channel may be gone from all playlists; its mapping is stored under its key.
        let channels = try guide.lineups().isEmpty ? [] : guide.storedLineups(lineup).flatMap(\.lineup.channels)
        let key = try mappings[entry] == nil ? channels.key(ofChannel: entry) : entry
        guard mappings[key] != nil else {
            throw CommandFailure(
                .noInput, "There is no mapping for “\(key.prefix(64))”.")
        }
        let matcher = StationMatcher()
        try guide.setMapping(key, to: nil, matcher: matcher, now: SystemClock.now)
        return MappingChange(
            key: key, station: nil, shift: nil, count: channels.count { matcher.channelKey($0) == key })
    }
}

// MARK: - Results

/// A new or removed mapping.
private struct MappingChange: Sendable {
    let key: String
    /// The station of the mapping; `nil` if it was removed.
    let station: Station?
    /// The seconds by which the channel is later than the station, instead of its `tvg-shift`; `nil` for the latter.
    let shift: Int?
    /// The number of channels with the key.
    let count: Int

    var text: String {
        let channels = "“\(key.prefix(64))” (\(Wording.count(count, "channel")))"
        let sentence =
            if let station {
                "\(channels) now shows \(station.name.prefix(64)) (\(station.id.rawValue.prefix(64)))"
                    + (shift.map { $0 == 0 ? " at its own times." : ", \(ShiftText.text(of: $0))." } ?? ".")
            } else {
                "Removed the mapping of \(channels). The rules apply again."
            }
        return sentence.withoutControls + "\n"
    }
}

/// The mappings of accepted suggestions.
private struct AcceptedReport: Sendable {
    let accepted: AcceptedSuggestions
    /// The number of channels that still have no station.
    let unmatched: Int

    private var mappings: [AcceptedSuggestions.Mapping] { accepted.mappings }

    func text(for terminal: Terminal, explains: Bool) -> String {
        let count = mappings.reduce(0) { $0 + $1.count }
        var text = ""
        if mappings.isEmpty {
            text = "No channel without a station has a clear suggestion with a score of at least \(accepted.minimum).\n"
        } else {
            text = "Mapped \(Wording.count(count, "channel")):\n"
            var columns = [
                Table.Column("channel", minimumWidth: 12), Table.Column("station", minimumWidth: 12),
                Table.Column("score", alignment: .trailing),
            ]
            if explains { columns.append(Table.Column("evidence", minimumWidth: 12)) }
            var table = Table(columns, indent: 2)
            for mapping in mappings {
                let suggestion = mapping.suggestion
                var cells = [
                    Cell(mapping.name, .bold), Cell(suggestion.stationText), Cell(suggestion.scoreText),
                ]
                if explains { cells.append(Cell(suggestion.evidenceText, .dim)) }
                table.append(cells)
            }
            text += table.text(for: terminal)
            text += "To undo a mapping, run `epg match --remove CHANNEL`.\n"
        }
        guard unmatched > 0 else { return text }
        return text
            + "\(unmatched) \(unmatched == 1 ? "channel has" : "channels have") no station; `epg match --suggest` lists "
            + "similar stations.\n"
    }
}

// MARK: - JSON

extension AcceptedReport: JSONObject {
    /// `{"accepted": [{"key", "name", "station", "score", "evidence", "entries"}], "unmatched"}`: `unmatched` is the number of
    /// channels that still have no station.
    package func writeMembers(to json: inout JSONWriter) {
        json.member("accepted", list: accepted.mappings)
        json.member("unmatched", unmatched)
    }
}

extension AcceptedSuggestions.Mapping: JSONObject {
    package func writeMembers(to json: inout JSONWriter) {
        json.member("key", key)
        json.member("name", name)
        json.member("station", suggestion.station)
        json.member("score", (suggestion.score * 100).rounded() / 100)
        json.member("evidence", list: suggestion.evidence)
        json.member("entries", count)
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
