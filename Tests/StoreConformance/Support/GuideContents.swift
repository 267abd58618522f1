import EPGModel

/// What a guide holds, whatever its generation is.
struct GuideListings: Equatable {
    private let stations: [StationRow]
    private let groups: [NameCount]
    private let schedules: [RowSchedule]
    private let airings: [AiringDetail]
    private let categories: [NameCount]
    private let lineups: [Lineup]
    private let matches: [[ChannelMatch?]]
    private let mappings: [String: StationID]
    private let sources: [Source]
    private let headers: [[ContentAttribute]]
    /// What the guide shows, and all that each source lists.
    private let exports: [[String]]

    init(_ guide: any GuideReading) throws {
        stations = try guide.stations(inRows: 0..<guide.stationCount())
        groups = try guide.stationGroups()
        schedules = try guide.schedules(inRows: 0..<stations.count, during: Day.allTime)
        airings = try schedules.flatMap(\.schedule.airings).compactMap { try guide.airing($0.id) }
        categories = try guide.categories()
        let names = try guide.lineups()
        let stored = try names.compactMap { try guide.lineup(named: $0) }
        lineups = stored.map(\.lineup)
        matches = stored.map(\.matches)
        mappings = try guide.mappings()
        let summaries = try guide.sources()
        sources = summaries.map(\.source)
        headers = summaries.map(\.header)
        exports = try ([nil] + summaries.map(\.source.name)).map { (name: String?) in
            var selection = ExportSelection()
            selection.source = name
            return try ExportLog.of(guide, selection).lines
        }
    }
}

/// Everything that belongs to one generation of a guide: guides with equal contents are the same.
struct GuideContents: Equatable {
    private let version: GuideVersion
    private let listings: GuideListings
    /// Since each of the last 20 generations.
    private let changes: [GuideChanges?]

    init(_ guide: any GuideReading) throws {
        version = try guide.version()
        listings = try GuideListings(guide)
        let last = version.generation.rawValue
        changes = try (max(0, last - 20)...last).map { try guide.changes(since: Generation($0)) }
    }
}

/// Everything that a reader can learn of a guide: its contents, how its imports and refreshes went, and the favorites.
struct GuideSnapshot: Equatable {
    private let contents: GuideContents
    private let states: [SourceState]
    private let imports: [ImportSummary?]
    private let favorites: [StationID]

    init(_ guide: any GuideReading) throws {
        contents = try GuideContents(guide)
        states = try guide.sourceRecords().map(\.state)
        imports = try guide.sources().map(\.lastImport)
        favorites = try guide.favorites()
    }
}

extension GuideUnderTest {
    /// What the guide holds, whatever its generation is.
    func listings() throws -> GuideListings {
        try storage.read { try GuideListings($0) }
    }

    /// What belongs to the generation of the guide.
    func contents() throws -> GuideContents {
        try storage.read { try GuideContents($0) }
    }

    /// What belongs to the generation, how imports and refreshes went, and the favorites.
    func snapshot() throws -> GuideSnapshot {
        try storage.read { try GuideSnapshot($0) }
    }
}
