import EPGModel
import Synchronization

/// A store of sources alone, for the refresh; it knows no schedules.
final class MemoryStore: ScheduleWriting, GuideOpening {
    /// What a test makes fail.
    struct Broken: Error, CustomStringConvertible {
        let description: String
    }

    struct Contents {
        var sources: [String: SourceSummary] = [:]
        var prunedBefore: [Instant] = []
        var searchRefreshes = 0
        /// How many hold it open for writing.
        var writers = 0
        /// The limit of the last pruning.
        var limit: PruningLimit?
        var pruningRefusal: RefusedPruning?
        var isStateBroken = false
        var isPruneBroken = false
        var isSearchIndexCurrent = true
        /// When the listings of every source end.
        var end: Instant? = Instant(secondsSince1970: .max)
        var isAnythingOn = false
        /// How often the bodies were forgotten.
        var forgotten = 0
    }

    let contents: Mutex<Contents>
    private let pruned: Int

    init(_ sources: [Source], pruned: Int = 0) {
        var contents = Contents()
        for source in sources {
            contents.sources[source.name] = SourceSummary(source: source, state: SourceState(), stations: 0, airings: 0)
        }
        self.contents = Mutex(contents)
        self.pruned = pruned
    }

    func state(of name: String) -> SourceState {
        contents.withLock { $0.sources[name]?.state ?? SourceState() }
    }

    func read<Answer>(_ body: (any UpkeepReading) throws -> Answer) throws -> Answer { try body(self) }

    func write<Answer>(_ body: (any ScheduleWriting) throws -> Answer) throws -> Answer {
        contents.withLock { $0.writers += 1 }
        defer { contents.withLock { $0.writers -= 1 } }
        return try body(self)
    }

    func sourceRecords() throws -> [SourceRecord] {
        try sources().map { SourceRecord(source: $0.source, state: $0.state) }
    }

    func hasAirings(stoppedBy instant: Instant) throws -> Bool {
        contents.withLock { $0.isPruneBroken || $0.pruningRefusal != nil } || pruned > 0
    }

    func end(ofSource name: String) throws -> Instant? { contents.withLock { $0.end } }

    func isAnythingOn(at instant: Instant) throws -> Bool { contents.withLock { $0.isAnythingOn } }

    func wasKeptUp(after instant: Instant) throws -> Bool {
        contents.withLock { contents in
            contents.sources.values.contains {
                [$0.state.lastAttempt, $0.state.lastSuccess].contains { $0.map { $0 > instant } ?? false }
            }
        }
    }

    func forgetBodies(notedAfter instant: Instant) throws {
        contents.withLock { contents in
            contents.forgotten += 1
            for name in contents.sources.keys {
                contents.sources[name]?.state.bodyHash = nil
                contents.sources[name]?.state.entityTag = nil
                contents.sources[name]?.state.lastModified = nil
            }
        }
    }

    func isSearchIndexCurrent() throws -> Bool { contents.withLock { $0.isSearchIndexCurrent } }

    func sources() throws -> [SourceSummary] {
        contents.withLock { contents in contents.sources.values.sorted { $0.source.name < $1.source.name } }
    }

    func saveState(_ state: SourceState, ofSource name: String) throws {
        try contents.withLock { contents in
            if contents.isStateBroken { throw Broken(description: "disk is full") }
            contents.sources[name]?.state = state
        }
    }

    func save(_ source: Source, now: Instant) throws {
        contents.withLock { contents in
            contents.sources[
                source.name,
                default: SourceSummary(
                    source: source, state: SourceState(), stations: 0, airings: 0)
            ].source = source
        }
    }

    func removeSource(named name: String, matcher: (any ChannelMatching)?, now: Instant) throws -> Bool {
        contents.withLock { $0.sources.removeValue(forKey: name) != nil }
    }

    func prune(before instant: Instant, now: Instant, limit: PruningLimit) throws -> Int {
        try contents.withLock { contents in
            contents.limit = limit
            if let refusal = contents.pruningRefusal, limit == .half { throw refusal }
            if contents.isPruneBroken { throw Broken(description: "disk is full") }
            contents.prunedBefore.append(instant)
        }
        return pruned
    }

    func refreshSearchIndex() throws {
        contents.withLock { contents in
            contents.searchRefreshes += 1
            contents.isSearchIndexCurrent = true
        }
    }

    func beginImport(
        of source: Source, now: Instant, matcher: (any ChannelMatching)?, safeguard: ImportSafeguard?,
        limits: ImportLimits
    ) throws -> any ImportSession {
        throw Broken(description: "this store takes no imports")
    }

    // MARK: - An empty guide

    func generation() throws -> Generation { Generation(0) }
    func changes(since generation: Generation) throws -> GuideChanges? { nil }
    func stationCount() throws -> Int { 0 }
    func stations(inRows rows: Range<Int>) throws -> [StationRow] { [] }
    func station(_ id: StationID) throws -> StationRow? { nil }
    func schedules(inRows rows: Range<Int>, during window: TimeWindow) throws -> [RowSchedule] { [] }
    func schedule(of station: StationID, during window: TimeWindow) throws -> Schedule {
        throw Broken(description: "this store has no schedules")
    }
    func nowAndNext(at instant: Instant, inRows rows: Range<Int>) throws -> [NowAndNext] { [] }
    func search(_ query: SearchQuery) throws -> [SearchMatch] { [] }
    func airing(_ id: AiringID) throws -> AiringDetail? { nil }
    func stationSuggestions(for text: String, limit: Int) throws -> [StationID] { [] }

    // MARK: - No lineups

    func lineups() throws -> [String] { [] }
    func lineup(named name: String) throws -> Lineup? { nil }
    func channelMatches(ofLineup name: String) throws -> [ChannelMatch?] { [] }
    func mappings() throws -> [String: StationID] { [:] }
    func saveLineup(_ lineup: Lineup, matcher: any ChannelMatching, now: Instant) throws -> LineupOutcome {
        throw Broken(description: "this store takes no lineups")
    }
    func removeLineup(named name: String, now: Instant) throws -> Bool { false }
    func setMapping(_ key: String, to station: StationID?, matcher: any ChannelMatching, now: Instant) throws {
        throw Broken(description: "this store takes no mappings")
    }
    func rematch(_ matcher: any ChannelMatching, now: Instant) throws {}
}
