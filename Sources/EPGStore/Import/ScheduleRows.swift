import EPGModel
import EPGSearch
import GRDB

/// The airings and the coverage of one source in an SQLite guide.
final class ScheduleRows: ScheduleTable {
    private let database: Database
    private let source: Int64
    private let insert: BulkInsert
    private let update: InsertStatement
    private let delete: InsertStatement
    private let extendCoverage: InsertStatement

    init(_ database: Database, source: Int64) throws {
        self.database = database
        self.source = source
        insert = try BulkInsert(
            database, into: "airing",
            columns: """
                station_id, start, part, parts, stop, id, programme_id, transmission_id, inferred, published_start, published_stop,
                listed_programme_id, source_id
                """)
        update = try InsertStatement(
            database,
            """
            UPDATE airing SET parts = ?4, stop = ?5, programme_id = ?7, transmission_id = ?8, inferred = ?9,
                published_start = ?10, published_stop = ?11, listed_programme_id = ?12
            WHERE source_id = \(source) AND station_id = ?1 AND start = ?2 AND part = ?3 AND id = ?6
            """)
        delete = try InsertStatement(
            database,
            "DELETE FROM airing WHERE source_id = \(source) AND station_id = ? AND start = ? AND part = ?")
        extendCoverage = try InsertStatement(
            database,
            """
            INSERT INTO coverage (source_id, station_id, start, stop, listings) VALUES (\(source), ?, ?, ?, ?)
            ON CONFLICT DO UPDATE SET start = min(start, excluded.start), stop = max(stop, excluded.stop),
                listings = excluded.listings
            """)
    }

    func coverage(of station: Int64) throws -> StoredCoverage? {
        try database.values(
            "SELECT start, stop, listings FROM coverage WHERE station_id = ? AND source_id = ?", [station, source]
        ) { columns in
            StoredCoverage(
                start: columns.integer(0), stop: columns.integer(1), hash: ContentHash(blob: columns.blob(2)))
        }.first
    }

    func firstStart(of station: Int64, from start: Int64, before end: Int64) throws -> Int64? {
        try database.values(
            """
            SELECT start FROM airing WHERE source_id = ? AND station_id = ? AND start >= ? AND start < ?
            ORDER BY start LIMIT 1
            """, [source, station, start, end]
        ) { $0.integer(0) }.first
    }

    func airings(of station: Int64, stoppingAfter start: Int64, startingBefore end: Int64) throws -> [StoredAiring] {
        var airings: [StoredAiring] = []
        try database.rows(
            """
            SELECT id, start, part, parts, stop, coalesce(listed_programme_id, programme_id), transmission_id, inferred,
                published_start, published_stop, CASE WHEN listed_programme_id IS NOT NULL THEN programme_id END
            FROM airing WHERE source_id = ? AND station_id = ? AND start < ? ORDER BY start DESC, part DESC
            """, [source, station, end]
        ) { columns in
            guard columns.integer(4) > start else { return false }
            airings.append(
                StoredAiring(
                    id: columns.integer(0), start: columns.integer(1), part: columns.integer(2),
                    parts: columns.integer(3), stop: columns.integer(4), programme: columns.integer(5),
                    transmission: columns.integerIfPresent(6), inferred: columns.integer(7),
                    publishedStart: columns.integerIfPresent(8), publishedStop: columns.integerIfPresent(9),
                    completed: columns.integerIfPresent(10)))
            return true
        }
        return airings
    }

    func hasAirings(of station: Int64) throws -> Bool {
        let sql = "SELECT 1 FROM airing WHERE source_id = ? AND station_id = ? LIMIT 1"
        return try !database.values(sql, [source, station]) { _ in true }.isEmpty
    }

    func delete(_ airings: [StoredAiring], of station: Int64) throws {
        for airing in airings {
            try delete.run { binder in
                binder.integer(1, station)
                binder.integer(2, airing.start)
                binder.integer(3, airing.part)
            }
        }
    }

    func update(_ airings: [StoredAiring], of station: Int64) throws {
        for airing in airings { try update.run { bind(airing, to: $0, station) } }
    }

    func insert(_ airings: [StoredAiring], of station: Int64) throws {
        try insert.run(airings) { binder, airing in
            bind(airing, to: binder, station)
            binder.integer(13, source)
        }
    }

    func extendCoverage(of station: Int64, from start: Int64, to stop: Int64, hash: ContentHash) throws {
        try extendCoverage.run { binder in
            binder.integer(1, station)
            binder.integer(2, start)
            binder.integer(3, stop)
            binder.blob(4, hash.blob)
        }
    }

    func airingCounts(
        from start: Int64, to stop: Int64, where isCompared: (_ key: Int64, _ station: StationID) -> Bool
    ) throws -> [Int] {
        // Iterate backward from the last airing that begins in the range.
        let stops = try database.makeStatement(
            sql: """
                SELECT stop FROM airing WHERE source_id = ? AND station_id = ? AND start < ?
                ORDER BY start DESC, part DESC
                """)
        let covered = try Row.fetchAll(
            database,
            sql: """
                SELECT c.station_id, s.feed_id FROM coverage c CROSS JOIN station s ON s.id = c.station_id
                WHERE c.source_id = ? AND c.stop > ?
                """, arguments: [source, start])
        return try covered.filter { isCompared($0["station_id"], StationID($0["feed_id"])) }.map { station in
            let cursor = try Int64.fetchCursor(stops, arguments: [source, station["station_id"], stop])
            return try Array(cursor.prefix { $0 > start }).count
        }
    }

    private func bind(_ airing: StoredAiring, to binder: Binder, _ station: Int64) {
        binder.integer(1, station)
        binder.integer(2, airing.start)
        binder.integer(3, airing.part)
        binder.integer(4, airing.parts)
        binder.integer(5, airing.stop)
        binder.integer(6, airing.id)
        binder.integer(7, airing.completed ?? airing.programme)
        binder.integer(8, airing.transmission)
        binder.integer(9, airing.inferred)
        binder.integer(10, airing.publishedStart)
        binder.integer(11, airing.publishedStop)
        binder.integer(12, airing.completed.map { _ in airing.programme })
    }
}
