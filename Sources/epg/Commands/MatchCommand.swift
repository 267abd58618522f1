import ArgumentParser
import EPGImport
import EPGModel

/// `epg match`: which station each entry of a playlist shows, why, and what the user says of it.
struct MatchCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "match", abstract: "Shows and decides which stations the entries of playlists show.",
        discussion: """
            Without arguments: how many entries have a station, and which have none. With ENTRY: why it shows its station, or \
            none. With ENTRY and STATION: the entry shows that station from now on, whatever is imported.

            Rules, in their order: your own choice, the identifier, the identifier in any case, the identifier without @feed, \
            the name, the number. Where a rule finds several stations, the entry has none.
            """)

    @Argument(help: "An entry: its tvg-id, name or number.")
    var entry: String?

    @Argument(help: "The station that it shows: its identifier, as epg stations shows it.")
    var station: String?

    @Flag(help: "Explain every entry: what each rule says, and what nearly matched.")
    var explain = false

    @Option(help: ArgumentHelp("Only this lineup; epg match names them.", valueName: "name"))
    var lineup: String?

    @Option(help: ArgumentHelp("Forget what was decided for an entry.", valueName: "entry"))
    var remove: String?

    @Flag(help: "Wait while another process is writing.")
    var wait = false

    @OptionGroup var output: OutputOptions
    @OptionGroup var database: DatabaseOptions

    func validate() throws {
        if remove != nil, entry != nil || explain {
            throw ValidationError("--remove stands alone: epg match --remove ENTRY.")
        }
        if explain, station != nil { throw ValidationError("--explain explains; leave STATION out.") }
    }

    func run() throws {
        if let remove {
            let decision = try database.change(waits: wait) { try forget(remove, in: $0) }
            try output.print(decision) { _ in decision.sentence }
        } else if let entry, let station {
            let decision = try database.change(waits: wait) { try decide(entry, station, in: $0) }
            try output.print(decision) { _ in decision.sentence }
        } else {
            let reports = try database.read { try self.reports(of: $0) }
            try output.print(reports) { terminal in MatchText(reports, isDetailed: isDetailed).text(for: terminal) }
        }
    }

    private var isDetailed: Bool { explain || entry != nil }

    // MARK: - Reading

    private func reports(of guide: any GuideReading) throws -> [MatchReport] {
        let lineups = try self.lineups(of: guide)
        let stations = try guide.stations(inRows: 0..<Int.max).map(\.station)
        let mappings = try guide.mappings()
        let key = try entry.map { try Self.key(of: $0, in: lineups.flatMap(\.lineup.channels)) }
        let matcher = StationMatcher()
        let reports = lineups.map { lineup, matches in
            let explainer = MatchExplainer(channels: lineup.channels, stations: stations, mappings: mappings)
            let told = zip(lineup.channels, matches).filter { channel, match in
                if let key { return matcher.channelKey(channel) == key }
                return explain || match == nil
            }
            return MatchReport(
                lineup: lineup.name, matches: matches, explanations: told.map { explainer.explain($0.0) },
                stations: stations)
        }
        // Of a single entry only the lineups that have it are told.
        return key == nil ? reports : reports.filter { !$0.explanations.isEmpty }
    }

    private func lineups(of guide: any GuideReading) throws -> [(lineup: Lineup, matches: [ChannelMatch?])] {
        let names = try guide.lineups()
        guard !names.isEmpty else {
            throw CommandFailure(.noInput, "There is no playlist yet. Import one: epg import channels.m3u")
        }
        if let lineup, !names.contains(lineup) {
            throw CommandFailure(
                .noInput,
                "There is no lineup “\(lineup.prefix(64))”. There are: "
                    + names.prefix(20).map { String($0.prefix(64)) }.joined(separator: ", ") + ".")
        }
        return try names.filter { lineup == nil || $0 == lineup }.compactMap { try guide.lineup(named: $0) }
    }

    // MARK: - Deciding

    private func decide(_ entry: String, _ station: String, in guide: any GuideWriting) throws -> MatchDecision {
        let channels = try lineups(of: guide).flatMap(\.lineup.channels)
        let key = try Self.key(of: entry, in: channels)
        let found = try StationQuery(station).find(in: guide).station
        let matcher = StationMatcher()
        try guide.setMapping(key, to: found.id, matcher: matcher, now: SystemClock.now)
        return MatchDecision(
            key: key, station: found, count: channels.count { matcher.channelKey($0) == key })
    }

    private func forget(_ entry: String, in guide: any GuideWriting) throws -> MatchDecision {
        let mappings = try guide.mappings()
        // The entry may have gone from all playlists; what was said of it stands under its key.
        let channels = try guide.lineups().isEmpty ? [] : lineups(of: guide).flatMap(\.lineup.channels)
        let key = try mappings[entry] == nil ? Self.key(of: entry, in: channels) : entry
        guard mappings[key] != nil else {
            throw CommandFailure(
                .noInput, "Nothing was decided for “\(key.prefix(64))”, so there is nothing to forget.")
        }
        let matcher = StationMatcher()
        try guide.setMapping(key, to: nil, matcher: matcher, now: SystemClock.now)
        return MatchDecision(
            key: key, station: nil, count: channels.count { matcher.channelKey($0) == key })
    }

    /// The key of the entry that a person named.
    private static func key(of text: String, in channels: [Channel]) throws(CommandFailure) -> String {
        let shown = text.prefix(64)
        switch ChannelFinder(channels).find(text) {
        case .found(let key, _): return key
        case .ambiguous(let several):
            throw CommandFailure(
                .noInput, "“\(shown)” are several entries: \(words(several)). Name one by its tvg-id or its full name.")
        case .none(let nearest):
            throw CommandFailure(
                .noInput,
                "There is no entry “\(shown)”. "
                    + (nearest.isEmpty ? "“epg match --explain” lists them all." : "Did you mean \(words(nearest))?"))
        }
    }

    private static func words(_ channels: [Channel]) -> String {
        var words: [String] = []
        for channel in channels {
            let id = channel.guideID.map { " (\($0.prefix(64)))" } ?? ""
            let text = "\(channel.name.prefix(64))\(id)"
            if !words.contains(text), words.count < 5 { words.append(text) }
        }
        return words.joined(separator: ", ")
    }
}

/// What was decided for the entries of one key.
struct MatchDecision: Sendable {
    let key: String
    /// The station that they show from now on; `nil` where what was decided is forgotten.
    let station: Station?
    /// How many entries of playlists have the key.
    let count: Int

    var sentence: String {
        let entries = "“\(key.prefix(64))” (\(count) \(count == 1 ? "entry" : "entries"))"
        let words =
            if let station {
                "\(entries) shows \(station.name.prefix(64)) (\(station.id.rawValue.prefix(64))) from now on."
            } else {
                "\(entries) is matched by the rules again."
            }
        return words.withoutControls + "\n"
    }
}
