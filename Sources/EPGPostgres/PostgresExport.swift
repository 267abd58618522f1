import EPGJSON
import EPGModel

/// A reader of a guide in the order of an export.
struct PostgresExport {
    private let connection: PostgresConnection
    private let selection: ExportSelection
    /// The selected source; `nil` for the shown guide.
    private let source: Int64?
    private let sourceNames: [Int64: String]
    private let window: TimeWindow

    init(_ connection: PostgresConnection, _ selection: ExportSelection) throws {
        self.connection = connection
        self.selection = selection
        let sources = try connection.values("SELECT id, name FROM source") { ($0.integer(0), $0.text(1)) }
        sourceNames = Dictionary(sources) { first, _ in first }
        source = try selection.source.map { name in
            guard let source = sources.first(where: { $0.1 == name }) else { throw UnknownSource(name: name) }
            return source.0
        }
        let (first, last) = (Instant(secondsSince1970: .min), Instant(secondsSince1970: .max))
        window = selection.window ?? TimeWindow(start: first, end: last)
    }

    private struct Station {
        let key: Int64
        let id: StationID
        let source: Int64?
        let isShared: Bool
    }

    func read(into visitor: inout some GuideVisitor) throws {
        try visitor.begin(header: try header())
        for station in try stations(into: &visitor) where !window.isEmpty {
            try airings(of: station, into: &visitor)
        }
        try visitor.end()
    }

    /// Returns the attributes of `<tv>` of the selected source, or of the only one besides that of derived listings.
    private func header() throws -> [ContentAttribute] {
        let feeds = sourceNames.filter { $0.value != Derivation.source.name }
        guard let only = source ?? (feeds.count == 1 ? feeds.keys.first : nil) else { return [] }
        return try connection.first(
            "SELECT header FROM source_state WHERE source_id = $1 AND header IS NOT NULL", [.integer(only)]
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
            """, [.integer(source)]
        ) { row in
            let (nodes, found) = try PostgresReader.station(row)
            guard selection.stations?(found.station) ?? true else { return true }
            stations.append(
                Station(
                    key: row.integer(6), id: found.station.id, source: source ?? row.integerIfPresent(7),
                    isShared: source == nil && row.boolean(8)))
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
            var overlay = try StationOverlay(PostgresSeeker(connection: connection), station: station.key)
            for shown in try overlay.shown(during: window) {
                try connection.rows(
                    "\(Self.columns) AND a.start = $3 ORDER BY a.part",
                    [.integer(shown.source), .integer(station.key), .integer(shown.stored.start.secondsSince1970)]
                ) { try visit($0, of: station, from: shown.source, shown: shown.window, &visitor) }
            }
        } else if let source = station.source {
            try connection.rows(
                "\(Self.columns) AND a.start < $3 AND a.stop > $4 ORDER BY a.start, a.part",
                [
                    .integer(source), .integer(station.key), .integer(window.end.secondsSince1970),
                    .integer(window.start.secondsSince1970),
                ], streams: true
            ) { try visit($0, of: station, from: source, shown: nil, &visitor) }
        }
    }

    private func visit(
        _ row: PostgresRow, of station: Station, from source: Int64, shown: TimeWindow?,
        _ visitor: inout some GuideVisitor
    ) throws -> Bool {
        let columns = AiringRow(row: row, first: 0)
        var airing = ExportedAiring(
            station: station.id, window: columns.window(1, 2), programme: columns.storedProgramme,
            source: sourceNames[source] ?? "")
        airing.published = columns.published
        airing.isStopInferred = columns.isStopInferred
        airing.isContinuation = columns.isContinuation
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
