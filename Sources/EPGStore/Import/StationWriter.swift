import EPGModel
import EPGSearch
import GRDB

/// The stations of an SQLite guide, as modifications read and write them.
enum StationWriter {
    /// Returns all stations.
    static func stations(in database: Database) throws -> [StationRegistry.Stored] {
        try Row.fetchAll(database, sql: "SELECT * FROM station").map { row in
            StationRegistry.Stored(
                id: StationID(row["feed_id"]), key: row["id"], name: row["name"], number: row["number"],
                document: row.bytes("document"), describedBy: row["described_by"], ordinal: row["ordinal"])
        }
    }

    /// Inserts or updates stations that a source describes.
    static func write(
        _ stations: [StationRegistry.Stored], describedBy source: Int64, in database: Database
    ) throws {
        let store = try InsertStatement(
            database,
            """
            INSERT INTO station (id, feed_id, name, number, document, described_by, ordinal, position, source_id)
            VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?7, ?6)
            ON CONFLICT (id) DO UPDATE SET name = excluded.name, number = excluded.number,
                document = excluded.document, described_by = excluded.described_by, ordinal = excluded.ordinal
            """)
        for station in stations {
            try station.document.withUnsafeBytes { document in
                try store.run { binder in
                    binder.integer(1, station.key)
                    binder.text(2, station.id.rawValue)
                    binder.text(3, station.name)
                    binder.text(4, station.number)
                    binder.text(5, bytes: document)
                    binder.integer(6, source)
                    binder.integer(7, station.ordinal)
                }
            }
        }
    }

    /// Updates the best source of stations, and whether there are others. Returns the number of changed stations.
    static func resolveSources(of stations: [Int64], in database: Database) throws -> Int {
        var changes = 0
        // Without coverage, its source stays the one that described it.
        let update = try InsertStatement(
            database,
            """
            UPDATE station SET source_id = ifnull(?1, source_id), is_shared = ?2
            WHERE id = ?3 AND (source_id IS NOT ifnull(?1, source_id) OR is_shared <> ?2)
            """)
        for station in stations {
            let sources = try database.values(OverlayRows.rankingSQL, [station]) { $0.integer(0) }
            try update.run { binder in
                binder.integer(1, sources.first)
                binder.integer(2, sources.count > 1 ? 1 : 0)
                binder.integer(3, station)
            }
            changes += database.changesCount
        }
        return changes
    }

    /// Returns whether several sources cover a station; `nil` if it does not exist.
    static func isShared(_ station: Int64, in database: Database) throws -> Bool? {
        try database.values("SELECT is_shared FROM station WHERE id = ?", [station]) { $0.integer(0) != 0 }.first
    }
}

/// The order of the rows of a guide; see ``RowPlace``.
enum RowArrangement {
    static let channelsSQL = """
        SELECT c.station_id, c.lineup_id, c.ordinal,
            iif(json_type(c.attributes, '$."\(Channel.listPlaceName)"') IS NULL, c.number, NULL) AS number
        FROM lineup l CROSS JOIN channel c ON c.lineup_id = l.id
        WHERE c.station_id IS NOT NULL ORDER BY l.name, c.ordinal
        """

    /// Renumbers the rows and returns the number of moved stations.
    ///
    /// - Complexity: O(n log n) for n stations and channels; writes only moved rows.
    static func arrange(in database: Database) throws -> Int {
        let channels = try Row.fetchAll(database, sql: channelsSQL).map { row in
            RowPlace.Channel(
                station: row["station_id"], lineup: row["lineup_id"], number: row.channelNumber("number"),
                ordinal: row["ordinal"])
        }
        let sql = "SELECT id, number, described_by, ordinal, position FROM station"
        let places = try database.values(sql) { columns in
            RowPlace(
                station: columns.integer(0), number: columns.textIfPresent(1).flatMap { ChannelNumber($0) },
                source: columns.integerIfPresent(2), ordinal: columns.integer(3), position: Int(columns.integer(4)))
        }
        let update = try database.makeStatement(sql: "UPDATE station SET position = ? WHERE id = ?")
        let moves = RowPlace.moves(of: places, channels: channels)
        for move in moves { try update.execute(arguments: [move.position, move.station]) }
        return moves.count
    }
}
