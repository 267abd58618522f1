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
        sourceNames = Dictionary(sources) { first, _ in first }
        source = try selection.source.map { name in
            guard let source = sources.first(where: { $0.1 == name }) else { throw UnknownSource(name: name) }
            return source.0
        }
        let (first, last) = (Instant(secondsSince1970: .min), Instant(secondsSince1970: .max))
        window = selection.window ?? TimeWindow(start: first, end: last)
    }

    func read(into visitor: inout some GuideVisitor) throws {
        try visitor.begin(header: try header())
        for station in try stations(into: &visitor) where !window.isEmpty {
            try airings(of: station, into: &visitor)
        }
        try visitor.end()
    }

    /// The attributes of `<tv>` of the source that was asked for, or of the only one.
    private func header() throws -> [ContentAttribute] {
        guard let only = source ?? (sourceNames.count == 1 ? sourceNames.keys.first : nil) else { return [] }
        let sql = "SELECT header FROM source_state WHERE source_id = ?"
        return try Row.fetchOne(database, sql: sql, arguments: [only])?.attributes("header") ?? []
    }

    /// The stations that are given out; those of a source that was asked for with that one alone.
    private func stations(into visitor: inout some GuideVisitor) throws -> [VisibleStation] {
        var stations: [VisibleStation] = []
        let rows = try Row.fetchCursor(
            database,
            sql: """
                SELECT \(GuideStore.stationColumns), s.id, s.source_id, s.is_shared FROM station s
                WHERE :source IS NULL OR s.described_by IS :source
                    OR EXISTS (SELECT 1 FROM coverage c WHERE c.station_id = s.id AND c.source_id = :source)
                ORDER BY \(selection.inRows ? "s.position" : "s.described_by IS NULL, s.described_by, s.ordinal, s.id")
                """, arguments: ["source": source])
        while let row = try rows.next() {
            let record = try StationRecord(row: row)
            let station = record.row.station
            guard selection.stations?(station) ?? true else { continue }
            stations.append(
                VisibleStation(
                    key: row["id"], id: station.id, name: station.name, source: source ?? row["source_id"],
                    position: record.row.row, isShared: source == nil && row["is_shared"]))
            try visitor.station(record.row, nodes: record.nodes)
        }
        return stations
    }

    /// Reads airing by airing: a station may have as many as the import's limits allow, each with a long description.
    private func airings(of station: VisibleStation, into visitor: inout some GuideVisitor) throws {
        if station.isShared {
            var overlay = try StationOverlay(database, station: station.key)
            for shown in try overlay.shown(during: window) {
                let start = shown.stored.start.secondsSince1970
                try database.rows(AiringQuery.exported.at, [shown.source, station.key, start]) {
                    try visit($0, of: station, from: shown.source, shown: shown.window, &visitor)
                }
            }
        } else if let source = station.source {
            let (start, end) = (window.start.secondsSince1970, window.end.secondsSince1970)
            try database.rows(AiringQuery.exported.during, [source, station.key, end, start]) {
                try visit($0, of: station, from: source, shown: nil, &visitor)
            }
        }
    }

    private func visit(
        _ columns: Columns, of station: VisibleStation, from source: Int64, shown: TimeWindow?,
        _ visitor: inout some GuideVisitor
    ) throws -> Bool {
        var airing = ExportedAiring(
            station: station.id, window: columns.window(1, 2), programme: columns.storedProgramme,
            source: sourceNames[source] ?? "")
        airing.published = columns.published
        airing.isStopInferred = columns.isStopInferred
        airing.clump = columns.clump
        airing.transmission = try columns.attributes(AiringColumns.fullCount)
        if let shown, shown != airing.window {
            airing.published = airing.published ?? PublishedTimes(start: airing.window.start, stop: airing.window.end)
            airing.window = shown
        }
        try visitor.airing(airing)
        return true
    }
}
