package import EPGModel
import GRDB

extension GuideStore {
    /// The visitor must not ask this store: the connection is busy.
    package func export<Visitor: GuideVisitor>(_ selection: ExportSelection, to visitor: inout Visitor) throws {
        try read { try ExportReader($0, selection).read(into: &visitor) }
    }
}

/// Reads a guide in the order of an export.
private struct ExportReader {
    /// A station that is given out.
    private struct Place {
        let key: Int64
        let id: StationID
        let source: Int64?
        let isShared: Bool
    }

    private let database: Database
    private let selection: ExportSelection
    /// The source that was asked for.
    private let source: Int64?
    private let sourceNames: [Int64: String]
    private let window: TimeWindow

    init(_ database: Database, _ selection: ExportSelection) throws {
        self.database = database
        self.selection = selection
        let sources = try database.values("SELECT id, name FROM source") { ($0.integer(0), $0.text(1)) }
        sourceNames = Dictionary(sources, uniquingKeysWith: { first, _ in first })
        source = try selection.source.map { name in
            guard let source = sources.first(where: { $0.1 == name }) else { throw UnknownSource(name: name) }
            return source.0
        }
        let (first, last) = (Instant(secondsSince1970: .min), Instant(secondsSince1970: .max))
        window = selection.window ?? TimeWindow(start: first, end: last)
    }

    func read(into visitor: inout some GuideVisitor) throws {
        try visitor.begin(header: try header())
        for place in try stations(into: &visitor) where !window.isEmpty { try airings(of: place, into: &visitor) }
        try visitor.end()
    }

    /// The attributes of `<tv>` of the source that was asked for, or of the only one.
    private func header() throws -> [ContentAttribute] {
        guard let only = source ?? (sourceNames.count == 1 ? sourceNames.keys.first : nil) else { return [] }
        return try database.firstRow("SELECT header FROM source_state WHERE source_id = ?", .integer(only)) {
            try $0.attributes(0)
        } ?? []
    }

    private func stations(into visitor: inout some GuideVisitor) throws -> [Place] {
        var places: [Place] = []
        let rows = try Row.fetchCursor(
            database,
            sql: """
                SELECT \(GuideStore.stationColumns), s.id, s.source_id, s.is_shared FROM station s
                WHERE :source IS NULL OR s.described_by IS :source
                    OR EXISTS (SELECT 1 FROM coverage c WHERE c.station_id = s.id AND c.source_id = :source)
                ORDER BY \(selection.inRows ? "s.position" : "s.described_by IS NULL, s.described_by, s.ordinal, s.id")
                """, arguments: ["source": source])
        while let row = try rows.next() {
            let station = try StationRecord(row: row)
            guard selection.stations?(station.row.station) ?? true else { continue }
            let id = station.row.station.id
            places.append(Place(key: row["id"], id: id, source: row["source_id"], isShared: row["is_shared"]))
            try visitor.station(station.row, nodes: station.nodes)
        }
        return places
    }

    private func airings(of place: Place, into visitor: inout some GuideVisitor) throws {
        if source == nil, place.isShared {
            var overlay = try StationOverlay(database, station: place.key)
            for shown in try overlay.shown(during: window) {
                try database.rows(
                    AiringQuery.exported.at, .integer(shown.source), .integer(place.key), .instant(shown.stored.start)
                ) { try visit($0, of: place, from: shown.source, shown: shown.window, &visitor) }
            }
        } else if let source = source ?? place.source {
            try database.rows(
                AiringQuery.exported.during, .integer(source), .integer(place.key), .instant(window.end),
                .instant(window.start)
            ) { try visit($0, of: place, from: source, shown: nil, &visitor) }
        }
    }

    private func visit(
        _ columns: Columns, of place: Place, from source: Int64, shown: TimeWindow?, _ visitor: inout some GuideVisitor
    ) throws -> Bool {
        var airing = ExportedAiring(
            station: place.id, window: columns.window(1, 2), published: columns.published,
            isStopInferred: columns.isStopInferred, clump: columns.clump,
            transmission: try columns.attributes(AiringColumns.fullCount), programme: columns.storedProgramme,
            source: sourceNames[source] ?? "")
        if let shown, shown != airing.window {
            airing.published = airing.published ?? PublishedTimes(start: airing.window.start, stop: airing.window.end)
            airing.window = shown
        }
        try visitor.airing(airing)
        return true
    }
}
