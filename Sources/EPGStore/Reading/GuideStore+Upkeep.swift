package import EPGModel
import GRDB

extension GuideStore: UpkeepReading {
    package func sourceRecords() throws -> [SourceRecord] {
        try read { database in
            var records: [SourceRecord] = []
            try database.rows(
                """
                SELECT \(SourceRow.columns) FROM source o LEFT JOIN source_state t ON t.source_id = o.id ORDER BY o.name
                """
            ) { columns in
                records.append(SourceRecord(source: SourceRow.source(columns), state: SourceRow.state(columns)))
                return true
            }
            return records
        }
    }

    /// The first airing of each station and source: of those that don't overlap it is the first to stop.
    static let firstStopsSQL = """
        SELECT (SELECT a.stop FROM airing a WHERE a.source_id = c.source_id AND a.station_id = c.station_id
            ORDER BY a.start LIMIT 1)
        FROM coverage c
        """

    package func hasAirings(stoppedBy instant: Instant) throws -> Bool {
        try read { database in
            var isFound = false
            try database.rows(Self.firstStopsSQL) { columns in
                isFound = columns.integerIfPresent(0).map { $0 <= instant.secondsSince1970 } ?? false
                return !isFound
            }
            return isFound
        }
    }

    /// When the last airing of a source ends; `nil` where it has none, or isn't known.
    ///
    /// - Throws: ``StoreError``.
    /// - Complexity: A seek for each of its stations.
    package func end(ofSource name: String) throws -> Instant? {
        try read { database in
            try database.firstRow(
                """
                SELECT max((SELECT max(a.stop) FROM airing a WHERE a.source_id = c.source_id AND a.station_id = c.station_id))
                FROM coverage c WHERE c.source_id = (SELECT id FROM source WHERE name = ?)
                """, .text(name)
            ) { $0.integerIfPresent(0) }?.map(Instant.init(secondsSince1970:))
        }
    }

    /// Whether an airing of any source is on at an instant.
    ///
    /// - Throws: ``StoreError``.
    /// - Complexity: A seek for each station and source that covers the instant.
    package func isAnythingOn(at instant: Instant) throws -> Bool {
        try read { database in
            try database.firstRow(
                """
                SELECT EXISTS (SELECT 1 FROM coverage c JOIN airing a USING (source_id, station_id)
                               WHERE c.start <= ?1 AND c.stop > ?1 AND a.start <= ?1 AND a.stop > ?1)
                """, .integer(instant.secondsSince1970)
            ) { $0.integer(0) == 1 } ?? false
        }
    }

    /// Whether a source was asked, or airings were removed for their age, later than an instant, by the clock of then.
    ///
    /// - Throws: ``StoreError``.
    /// - Complexity: O(sources).
    package func wasKeptUp(after instant: Instant) throws -> Bool {
        try read { database in
            try database.firstRow(
                """
                SELECT EXISTS (SELECT 1 FROM source_state WHERE last_attempt > ?1 OR last_success > ?1)
                    OR EXISTS (SELECT 1 FROM guide WHERE pruned_at > ?1)
                """, .integer(instant.secondsSince1970)
            ) { $0.integer(0) == 1 } ?? false
        }
    }

    /// By when half of all airings had stopped, or as many as make no more than that.
    static func middleStop(_ database: Database, of total: Int) throws -> Instant? {
        try database.firstRow("SELECT stop FROM airing ORDER BY stop LIMIT 1 OFFSET ?", .integer(Int64(total / 2))) {
            Instant(secondsSince1970: $0.integer(0) - 1)
        }
    }

    /// How many airings stopped by an instant, of how many.
    static func aged(_ database: Database, _ instant: Instant) throws -> AgedAirings {
        try database.firstRow(
            "SELECT count(*) FILTER (WHERE stop <= ?), count(*) FROM airing", .integer(instant.secondsSince1970)
        ) { AgedAirings(count: Int($0.integer(0)), total: Int($0.integer(1))) } ?? AgedAirings(count: 0, total: 0)
    }
}
