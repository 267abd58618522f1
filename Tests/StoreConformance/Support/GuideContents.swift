import EPGModel

/// The contents of a guide, regardless of its generation.
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
    /// Exports of the shown airings and of each source.
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

/// All data of one generation of a guide.
struct GuideContents: Equatable {
    private let version: GuideVersion
    private let listings: GuideListings
    /// The changes since each of the last 20 generations.
    private let changes: [GuideChanges?]

    init(_ guide: any GuideReading) throws {
        version = try guide.version()
        listings = try GuideListings(guide)
        let last = version.generation.rawValue
        changes = try (max(0, last - 20)...last).map { try guide.changes(since: Generation($0)) }
    }
}

/// All data that a reader gets from a guide: contents, states of sources, summaries of imports, and favorites.
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
    /// Returns the contents, regardless of the generation.
    func listings() throws -> GuideListings {
        try storage.read { try GuideListings($0) }
    }

    /// Returns all data of the current generation.
    func contents() throws -> GuideContents {
        try storage.read { try GuideContents($0) }
    }

    /// Returns all data that a reader gets.
    func snapshot() throws -> GuideSnapshot {
        try storage.read { try GuideSnapshot($0) }
    }
}
