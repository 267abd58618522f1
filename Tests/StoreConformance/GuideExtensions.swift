package import EPGImport
package import EPGModel
import XMLTV

// A stored guide in the notation of Day: what is read of it, and changes at a fixed instant.

extension GuideReading {
    /// All airings that a station shows.
    package func airings(of station: String = "one") throws -> [Airing] {
        try schedule(of: StationID(station), during: Day.allTime).airings
    }

    /// All airings that a station shows, as ``Day`` writes them.
    package func lines(of station: String = "one") throws -> [String] {
        try airings(of: station).map(Day.line)
    }

    /// The identifier of the only airing with a title.
    package func identifier(of title: String, on station: String = "one") throws -> AiringID? {
        let found = try airings(of: station).filter { $0.title == title }
        return found.count == 1 ? found.first?.id : nil
    }

    /// The changes since a generation, as ``ChangeText`` writes them.
    package func changeLines(since generation: Int64) throws -> [String] {
        ChangeText.lines(try changes(since: Generation(generation)))
    }
}

extension GuideWriting {
    /// Imports an XMLTV guide.
    @discardableResult
    package func importing(
        text: String, as source: Source = Source(name: "feed"), options: ImportOptions = ImportOptions(),
        now: Instant = Day.now
    ) throws -> ImportOutcome {
        try GuideImporter(store: self).importGuide(
            ChunkSource(Array(text.utf8)), as: source, options: options, now: now)
    }

    package func save(_ source: Source) throws { try save(source, now: Day.now) }

    /// Removes a source and its listings, and leaves the lineups as they are.
    package func removeSource(named name: String) throws -> Bool {
        try removeSource(named: name, matcher: nil, now: Day.now)
    }

    /// Begins an import with the default limits and without a safeguard, which leaves the lineups as they are.
    package func beginImport(of source: Source, now: Instant) throws -> any ImportSession {
        try beginImport(of: source, now: now, matcher: nil, safeguard: nil, limits: ImportLimits())
    }

    /// Removes what is old, however much it is.
    package func prune(before instant: Instant) throws -> Int {
        try prune(before: instant, now: Day.now, limit: .none)
    }

    package func saveLineup(_ lineup: Lineup, matcher: any ChannelMatching) throws -> LineupOutcome {
        try saveLineup(lineup, matcher: matcher, now: Day.now)
    }

    package func removeLineup(named name: String) throws -> Bool { try removeLineup(named: name, now: Day.now) }

    package func setMapping(_ key: String, to station: StationID?, matcher: any ChannelMatching) throws {
        try setMapping(key, to: station, matcher: matcher, now: Day.now)
    }
}
