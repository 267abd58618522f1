import EPGJSON
import EPGModel
import EPGSQL

/// A reader of a guide in the order of an export.
struct PostgresExport {
    private let connection: PostgresConnection
    private let selection: ExportSelection
    private let scope: ExportScope

    init(_ connection: PostgresConnection, _ selection: ExportSelection) throws {
        self.connection = connection
        self.selection = selection
        let sources = try connection.values("SELECT id, name FROM source ORDER BY id") { ($0.integer(0), $0.text(1)) }
        scope = try ExportScope(of: selection, in: sources)
    }

    private struct Station {
        let key: Int64
        let id: StationID
        let source: Int64?
        let isShared: Bool
    }

    func read(into visitor: inout some GuideVisitor) throws {
        try visitor.begin(header: try header())
        for station in try stations(into: &visitor) where !scope.window.isEmpty {
            try airings(of: station, into: &visitor)
        }
        try visitor.end()
    }

    /// Returns the attributes of `<tv>` of the only source.
    private func header() throws -> [ContentAttribute] {
        guard let source = scope.describingSource else { return [] }
        return try connection.first(
            "SELECT header FROM source_state WHERE source_id = $1 AND header IS NOT NULL", [.integer(source)]
        ) { try StoredDocument.attributes($0.blob(0)) } ?? []
    }

    /// Visits the selected stations and returns them; with a selected source, only that source counts.
    private func stations(into visitor: inout some GuideVisitor) throws -> [Station] {
        var stations: [Station] = []
        let order = selection.inRows ? "s.position" : "s.described_by IS NULL, s.described_by, s.ordinal, s.id"
        try connection.rows(
            """
            SELECT \(PostgresReader.stationColumns), s.id, s.source_id, s.is_shared FROM station s
            WHERE $1 IS NULL OR s.described_by = $1
                OR EXISTS (SELECT 1 FROM coverage c WHERE c.station_id = s.id AND c.source_id = $1)
            ORDER BY \(order)
            """, [.integer(scope.source)]
        ) { row in
            let (nodes, found) = try PostgresReader.station(row)
            guard selection.stations?(found.station) ?? true else { return true }
            stations.append(
                Station(
                    key: row.integer(6), id: found.station.id, source: scope.source ?? row.integerIfPresent(7),
                    isShared: scope.source == nil && row.flag(8)))
            try visitor.station(found, nodes: nodes)
            return true
        }
        return stations
    }

    private static let columns = """
        SELECT \(AiringColumns.full), t.attributes FROM airing a JOIN programme p ON p.id = a.programme_id
        LEFT JOIN transmission t ON t.id = a.transmission_id WHERE a.source_id = $1 AND a.station_id = $2
        """

    /// Visits airings one by one, because a station may have up to the import limit, each with a long description.
    private func airings(of station: Station, into visitor: inout some GuideVisitor) throws {
        if station.isShared {
            let seeker = PostgresSeeker(connection: connection)
            try seeker.prepare([(station.key, scope.window)])
            var overlay = try PostgresOverlay(seeker, station: station.key)
            let shown = try overlay.shown(during: scope.window)
            try connection.rows(
                """
                SELECT \(AiringColumns.full), t.attributes, w.place
                FROM unnest($2::bigint[], $3::bigint[]) WITH ORDINALITY AS w (source, start, place)
                JOIN airing a ON a.source_id = w.source AND a.station_id = $1 AND a.start = w.start
                JOIN programme p ON p.id = a.programme_id LEFT JOIN transmission t ON t.id = a.transmission_id
                ORDER BY w.place, a.part
                """,
                [
                    .integer(station.key), .integers(shown.map(\.source)),
                    .integers(shown.map(\.stored.start.secondsSince1970)),
                ], streams: true
            ) { row in
                let shown = shown[Int(row.integer(AiringColumns.fullCount + 1)) - 1]
                return try visit(row, of: station, from: shown.source, shown: shown.window, &visitor)
            }
        } else if let source = station.source {
            try connection.rows(
                "\(Self.columns) AND a.start < $3 AND a.stop > $4 ORDER BY a.start, a.part",
                [
                    .integer(source), .integer(station.key), .integer(scope.window.end.secondsSince1970),
                    .integer(scope.window.start.secondsSince1970),
                ], streams: true
            ) { try visit($0, of: station, from: source, shown: nil, &visitor) }
        }
    }

    private func visit(
        _ row: PostgresRow, of station: Station, from source: Int64, shown: TimeWindow?,
        _ visitor: inout some GuideVisitor
    ) throws -> Bool {
        let name = scope.sourceNames[source] ?? ""
        try visitor.airing(row.exported(station: station.id, source: name, shown: shown))
        return true
    }
}
