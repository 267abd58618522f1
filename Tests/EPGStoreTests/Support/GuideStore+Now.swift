import EPGModel
import EPGStore

/// Changes of a guide at ``ScratchGuide/now``.
extension GuideStore {
    func save(_ source: Source) throws { try save(source, now: ScratchGuide.now) }

    func removeSource(named name: String) throws -> Bool { try removeSource(named: name, now: ScratchGuide.now) }

    /// Removes what is old, however much it is.
    func prune(before instant: Instant) throws -> Int {
        try prune(before: instant, now: ScratchGuide.now, limit: .none)
    }

    func saveLineup(_ lineup: Lineup, matcher: any ChannelMatching) throws -> LineupOutcome {
        try saveLineup(lineup, matcher: matcher, now: ScratchGuide.now)
    }

    func removeLineup(named name: String) throws -> Bool { try removeLineup(named: name, now: ScratchGuide.now) }

    func setMapping(_ key: String, to station: StationID?, matcher: any ChannelMatching) throws {
        try setMapping(key, to: station, matcher: matcher, now: ScratchGuide.now)
    }

    func rematch(_ matcher: any ChannelMatching) throws { try rematch(matcher, now: ScratchGuide.now) }
}
