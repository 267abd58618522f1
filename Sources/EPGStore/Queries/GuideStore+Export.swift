package import EPGModel
import GRDB

extension GuideStore {
    /// Gives the guide out.
    ///
    /// The visitor must not ask this store: the connection is busy.
    /// - Throws: ``UnknownSource``, what the visitor throws, and ``StoreError``.
    package func export<Visitor: GuideVisitor>(_ selection: ExportSelection, to visitor: inout Visitor) throws {
        // What the visitor throws is not the store's error, so that it isn't translated.
        var failure: (any Error)?
        try read { database in
            let reader = try ExportReader(database, selection)
            do {
                try reader.read(into: &visitor)
            } catch let error as VisitorFailure {
                // A document that a visitor cannot read is the store's.
                failure = StoreError(error.cause, path: path) ?? error.cause
            }
        }
        if let failure { throw failure }
    }
}

/// What a visitor threw, on its way through the reader.
private struct VisitorFailure: Error {
    let cause: any Error
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
    /// The window as the queries have it.
    private let window: StationOverlay.Span

    init(_ database: Database, _ selection: ExportSelection) throws {
        self.database = database
        self.selection = selection
        let rows = try Row.fetchAll(database, sql: "SELECT id, name FROM source")
        let names: [Int64: String] = Dictionary(
            rows.map { ($0["id"], $0["name"]) }, uniquingKeysWith: { first, _ in first })
        sourceNames = names
        source = try selection.source.map { name in
            guard let id = names.first(where: { $0.value == name })?.key else { throw UnknownSource(name: name) }
            return id
        }
        window = selection.window.map { StationOverlay.Span($0) } ?? StationOverlay.Span(start: .min, stop: .max)
    }

    func read(into visitor: inout some GuideVisitor) throws {
        let header = try header()
        try visiting { try visitor.begin(header: header) }
        for place in try stations(into: &visitor) where window.start < window.stop {
            try airings(of: place, into: &visitor)
        }
        try visiting { try visitor.end() }
    }

    /// The attributes of `<tv>` of the source that was asked for, or of the only one.
    private func header() throws -> [ContentAttribute] {
        guard let only = source ?? (sourceNames.count == 1 ? sourceNames.keys.first : nil) else { return [] }
        return try Row.fetchOne(
            database, sql: "SELECT header FROM source_state WHERE source_id = ?", arguments: [only]
        )?.attributes("header") ?? []
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
            places.append(
                Place(
                    key: row["id"], id: station.row.station.id, source: row["source_id"], isShared: row["is_shared"]))
            try visiting { try visitor.station(station.row, nodes: station.nodes) }
        }
        return places
    }

    private func airings(of place: Place, into visitor: inout some GuideVisitor) throws {
        if source == nil, place.isShared {
            var overlay = try StationOverlay(database, station: place.key)
            for shown in try overlay.shown(during: window) {
                try database.rows(
                    AiringQuery.exported.at, .integer(shown.source), .integer(place.key), .integer(shown.stored.start)
                ) { try visit($0, of: place, from: shown.source, shown: shown.span, &visitor) }
            }
        } else if let source = source ?? place.source {
            try database.rows(
                AiringQuery.exported.during, .integer(source), .integer(place.key), .integer(window.stop),
                .integer(window.start)
            ) { try visit($0, of: place, from: source, shown: nil, &visitor) }
        }
    }

    private func visit(
        _ columns: Columns, of place: Place, from source: Int64, shown: StationOverlay.Span?,
        _ visitor: inout some GuideVisitor
    ) throws -> Bool {
        var airing = ExportedAiring(
            station: place.id, window: AiringColumns.window(columns, 1, 2),
            published: AiringColumns.published(columns), isStopInferred: columns.integer(5) != 0,
            clump: AiringColumns.clump(columns), transmission: try columns.attributes(AiringColumns.fullCount),
            programme: AiringColumns.stored(columns), source: sourceNames[source] ?? "")
        if let shown, shown != StationOverlay.Span(airing.window) {
            airing.published = airing.published ?? PublishedTimes(start: airing.window.start, stop: airing.window.end)
            airing.window = TimeWindow(shown)
        }
        try visiting { try visitor.airing(airing) }
        return true
    }

    /// Does something with the visitor, whose errors pass through as they are.
    private func visiting(_ body: () throws -> Void) throws {
        do { try body() } catch { throw VisitorFailure(cause: error) }
    }
}
