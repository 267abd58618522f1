package import EPGImport
package import EPGModel
import XMLTV

// Reads of a stored guide in the notation of `Day`, and changes at a fixed instant.

extension GuideReading {
    /// Returns all airings that a station shows.
    package func airings(of station: String = "one") throws -> [Airing] {
        try schedule(of: StationID(station), during: Day.allTime).airings
    }

    /// Returns all airings that a station shows, in the notation of ``Day``.
    package func lines(of station: String = "one") throws -> [String] {
        try airings(of: station).map(Day.line)
    }

    /// Returns the identifier of the airing with a title; `nil` unless exactly one airing has it.
    package func identifier(of title: String, on station: String = "one") throws -> AiringID? {
        let found = try airings(of: station).filter { $0.title == title }
        return found.count == 1 ? found.first?.id : nil
    }

    /// Returns the changes since a generation, in the notation of ``ChangeText``.
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

    /// Removes a source and its listings without matching lineups again.
    package func removeSource(named name: String) throws -> Bool {
        try removeSource(named: name, matcher: nil, now: Day.now)
    }

    /// Begins an import with the default limits, without a safeguard, and without matching lineups.
    package func beginImport(of source: Source, now: Instant) throws -> any ImportSession {
        try beginImport(of: source, now: now, matcher: nil, safeguard: nil, limits: ImportLimits())
    }

    /// Removes old airings without a limit.
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
