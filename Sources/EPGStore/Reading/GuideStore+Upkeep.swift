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

    /// How many airings stopped by an instant, of how many.
    static func aged(_ database: Database, _ instant: Instant) throws -> AgedAirings {
        try database.firstRow(
            "SELECT count(*) FILTER (WHERE stop <= ?), count(*) FROM airing", .integer(instant.secondsSince1970)
        ) { AgedAirings(count: Int($0.integer(0)), total: Int($0.integer(1))) } ?? AgedAirings(count: 0, total: 0)
    }
}
