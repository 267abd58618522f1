import Dispatch
import EPGJSON
import EPGModel
import EPGSQL

/// The transaction of an import into a guide on PostgreSQL.
final class PostgresImportQueue: ImportQueue {
    private let store: PostgresWriter
    private let queue = DispatchQueue(label: "epg.import")

    init(_ store: PostgresWriter) { self.store = store }

    func enqueue(_ work: @escaping @Sendable () -> Void) { queue.async(execute: work) }

    func wait<Value>(for work: () throws -> Value) throws -> Value { try queue.sync(execute: work) }

    func converting<Value>(_ body: () throws -> Value) throws -> Value { try store.converting(body) }

    func begin() throws { try store.connection.execute(script: "BEGIN") }

    func rollBack() { store.connection.rollBack() }
}

/// The tables of a guide on PostgreSQL, as an import writes them.
///
/// New rows are copied in binary form. Changes of stored airings are one statement for each station.
final class PostgresImportTables: SQLImportTables {
    let importID: Int64
    private let postgres: PostgresConnection
    var connection: any SQLConnection { postgres }
    /// The size at which buffered rows are copied.
    private static let chunk = 4 << 20
    private var programmes = BinaryRows()
    private var pieces = BinaryRows()
    private var transmissions = BinaryRows()
    private var diagnosticRows = BinaryRows()
    private var diagnosticCount: Int64 = 0

    init(_ store: PostgresWriter) throws {
        postgres = store.connection
        importID = try postgres.nextImport()
    }

    func schedules(ofSource source: Int64) throws -> PostgresScheduleTable {
        try PostgresScheduleTable(postgres, source: source)
    }

    // MARK: - Contents and stations

    func insert(_ batch: ContentBatch) throws {
        batch.documents.withUnsafeBytes { documents in
            batch.texts.withUnsafeBytes { texts in
                for row in batch.programmes {
                    programmes.addRow { row.write(to: &$0, texts: texts, documents: documents) }
                }
            }
            for row in batch.transmissions {
                transmissions.addRow { sink in
                    sink.add(row.id)
                    sink.add(blob: row.hash.blob)
                    sink.add(bytes: row.attributes.bytes(in: documents))
                }
            }
        }
        if let first = batch.programmes.first {
            pieces.addRow { row in
                row.add(first.id)
                row.add(blob: DigestPiece.bytes(of: batch.programmes))
            }
        }
        if programmes.size > Self.chunk { try finishContents() }
    }

    func insert(_ diagnostics: [Diagnostic]) throws {
        for diagnostic in diagnostics {
            diagnosticCount += 1
            diagnosticRows.addRow { diagnostic.write(to: &$0, importID: importID, ordinal: diagnosticCount) }
        }
        if diagnosticRows.size > Self.chunk { try finishContents() }
    }

    func dropWaitingDiagnostics() { diagnosticRows = BinaryRows() }

    func flushProgrammes() throws {
        try postgres.copy(programmes, into: "programme (\(ContentBatch.ProgrammeRow.columns))")
        programmes = BinaryRows()
    }

    func finishContents() throws {
        try flushProgrammes()
        try postgres.copy(pieces, into: "programme_digest (first_id, digests)")
        try postgres.copy(transmissions, into: "transmission (id, hash, attributes)")
        try postgres.copy(diagnosticRows, into: "diagnostic (\(Diagnostic.columns))")
        (pieces, transmissions, diagnosticRows) = (BinaryRows(), BinaryRows(), BinaryRows())
    }

    func store(_ stations: [StationRegistry.Stored], describedBy source: Int64) throws {
        try postgres.execute(
            """
            INSERT INTO station (id, feed_id, name, number, document, described_by, ordinal, position, source_id)
            SELECT key, feed_id, name, number, document, $7, ordinal, ordinal, $7
            FROM unnest($1::bigint[], $2::text[], $3::text[], $4::text[], $5::json[], $6::bigint[])
                AS s (key, feed_id, name, number, document, ordinal)
            ON CONFLICT (id) DO UPDATE SET name = excluded.name, number = excluded.number, document = excluded.document,
                described_by = excluded.described_by, ordinal = excluded.ordinal
            """,
            [
                .integers(stations.map(\.key)), .texts(stations.map(\.id.rawValue)), .texts(stations.map(\.name)),
                .texts(stations.map(\.number)), .documents(stations.map(\.document)),
                .integers(stations.map(\.ordinal)),
                .integer(source),
            ])
    }

    // MARK: - The end

    func restart() throws { try postgres.execute(script: "ROLLBACK; BEGIN") }

    func commit() throws { try postgres.commit() }
}

/// The airings and the coverage of one source in a guide on PostgreSQL.
final class PostgresScheduleTable: ScheduleTable {
    private let connection: PostgresConnection
    private let source: Int64
    private var coverage: [Int64: StoredCoverage]
    /// The stations whose coverage is not yet written.
    private var extended: Set<Int64> = []
    private var airings = BinaryRows()
    /// The stations of ``airings``.
    private var buffered: Set<Int64> = []

    init(_ connection: PostgresConnection, source: Int64) throws {
        self.connection = connection
        self.source = source
        let rows = try connection.values(
            "SELECT station_id, start, stop, listings FROM coverage WHERE source_id = $1", [.integer(source)]
        ) { row in
            (
                row.integer(0),
                StoredCoverage(start: row.integer(1), stop: row.integer(2), hash: ContentHash(blob: row.blob(3)))
            )
        }
        coverage = Dictionary(rows) { first, _ in first }
    }

    func coverage(of station: Int64) -> StoredCoverage? { coverage[station] }

    func firstStart(of station: Int64, from start: Int64, before end: Int64) throws -> Int64? {
        try flush(station)
        return try connection.integer(
            """
            SELECT start FROM airing WHERE source_id = $1 AND station_id = $2 AND start >= $3 AND start < $4
            ORDER BY start LIMIT 1
            """, [.integer(source), .integer(station), .integer(start), .integer(end)])
    }

    func airings(of station: Int64, stoppingAfter start: Int64, startingBefore end: Int64) throws -> [StoredAiring] {
        try flush(station)
        return try connection.values(
            """
            SELECT id, start, part, parts, stop, coalesce(listed_programme_id, programme_id), transmission_id, inferred,
                published_start, published_stop, CASE WHEN listed_programme_id IS NOT NULL THEN programme_id END
            FROM airing WHERE source_id = $1 AND station_id = $2 AND start < $4 AND stop > $3
            ORDER BY start DESC, part DESC
            """, [.integer(source), .integer(station), .integer(start), .integer(end)]
        ) { row in
            StoredAiring(
                id: row.integer(0), start: row.integer(1), part: row.integer(2), parts: row.integer(3),
                stop: row.integer(4), programme: row.integer(5), transmission: row.integerIfPresent(6),
                inferred: row.flag(7) ? 1 : 0, publishedStart: row.integerIfPresent(8),
                publishedStop: row.integerIfPresent(9), completed: row.integerIfPresent(10))
        }
    }

    func hasAirings(of station: Int64) throws -> Bool {
        try flush(station)
        return try connection.integer(
            "SELECT 1::bigint FROM airing WHERE source_id = $1 AND station_id = $2 LIMIT 1",
            [.integer(source), .integer(station)]) != nil
    }

    func delete(_ airings: [StoredAiring], of station: Int64) throws {
        guard !airings.isEmpty else { return }
        try connection.execute(
            """
            DELETE FROM airing a USING unnest($3::bigint[], $4::bigint[]) AS d (start, part)
            WHERE a.source_id = $1 AND a.station_id = $2 AND a.start = d.start AND a.part = d.part
            """,
            [.integer(source), .integer(station), .integers(airings.map(\.start)), .integers(airings.map(\.part))])
    }

    func update(_ airings: [StoredAiring], of station: Int64) throws {
        guard !airings.isEmpty else { return }
        try connection.execute(
            """
            UPDATE airing a SET parts = u.parts, stop = u.stop, programme_id = u.programme,
                transmission_id = u.transmission, inferred = u.inferred, published_start = u.published_start,
                published_stop = u.published_stop, listed_programme_id = u.listed
            FROM unnest($3::bigint[], $4::bigint[], $5::bigint[], $6::bigint[], $7::bigint[], $8::bigint[], $9::boolean[],
                $10::bigint[], $11::bigint[], $12::bigint[], $13::bigint[])
                AS u (start, part, parts, stop, programme, transmission, inferred, published_start, published_stop, id, listed)
            WHERE a.source_id = $1 AND a.station_id = $2 AND a.start = u.start AND a.part = u.part AND a.id = u.id
            """,
            [
                .integer(source), .integer(station), .integers(airings.map(\.start)), .integers(airings.map(\.part)),
                .integers(airings.map(\.parts)), .integers(airings.map(\.stop)),
                .integers(airings.map { $0.completed ?? $0.programme }),
                .integers(airings.map(\.transmission)), .booleans(airings.map { $0.inferred != 0 }),
                .integers(airings.map(\.publishedStart)), .integers(airings.map(\.publishedStop)),
                .integers(airings.map(\.id)), .integers(airings.map { $0.completed == nil ? nil : $0.programme }),
            ])
    }

    func insert(_ new: [StoredAiring], of station: Int64) throws {
        guard !new.isEmpty else { return }
        for airing in new {
            airings.addRow { row in
                for number in [
                    source, station, airing.start, airing.part, airing.parts, airing.stop, airing.id,
                    airing.completed ?? airing.programme,
                ] {
                    row.add(number)
                }
                row.add(airing.transmission)
                row.add(airing.inferred != 0)
                row.add(airing.publishedStart)
                row.add(airing.publishedStop)
                row.add(airing.completed.map { _ in airing.programme })
            }
        }
        buffered.insert(station)
        if airings.size > 4 << 20 { try copyAirings() }
    }

    func extendCoverage(of station: Int64, from start: Int64, to stop: Int64, hash: ContentHash) {
        let known = coverage[station]
        coverage[station] = StoredCoverage(
            start: min(start, known?.start ?? start), stop: max(stop, known?.stop ?? stop), hash: hash)
        extended.insert(station)
    }

    func airingCounts(
        from start: Int64, to stop: Int64, where isCompared: (_ key: Int64, _ station: StationID) -> Bool
    ) throws -> [Int] {
        try connection.values(
            """
            SELECT c.station_id, s.feed_id, (SELECT count(*) FROM airing a
                WHERE a.source_id = $1 AND a.station_id = c.station_id AND a.start < $3 AND a.stop > $2)
            FROM coverage c JOIN station s ON s.id = c.station_id WHERE c.source_id = $1 AND c.stop > $2
            """, [.integer(source), .integer(start), .integer(stop)]
        ) { row in isCompared(row.integer(0), StationID(row.text(1))) ? Int(row.integer(2)) : nil }.compactMap { $0 }
    }

    /// Writes all buffered rows.
    func flush() throws {
        try copyAirings()
        guard !extended.isEmpty else { return }
        let stations = extended.sorted()
        let rows = stations.compactMap { coverage[$0] }
        try connection.execute(
            """
            INSERT INTO coverage (source_id, station_id, start, stop, listings)
            SELECT $1, c.station, c.start, c.stop, c.listings
            FROM unnest($2::bigint[], $3::bigint[], $4::bigint[], $5::bytea[]) AS c (station, start, stop, listings)
            ON CONFLICT (station_id, source_id) DO UPDATE SET start = excluded.start, stop = excluded.stop,
                listings = excluded.listings
            """,
            [
                .integer(source), .integers(stations), .integers(rows.map(\.start)), .integers(rows.map(\.stop)),
                .blobs(rows.map { $0.hash?.blob }),
            ])
        extended = []
    }

    /// Writes the buffered rows of a station before they are read or deleted.
    private func flush(_ station: Int64) throws { if buffered.contains(station) { try copyAirings() } }

    private func copyAirings() throws {
        try connection.copy(
            airings,
            into: """
                airing (source_id, station_id, start, part, parts, stop, id, programme_id, transmission_id, inferred,
                    published_start, published_stop, listed_programme_id)
                """)
        (airings, buffered) = (BinaryRows(), [])
    }
}
