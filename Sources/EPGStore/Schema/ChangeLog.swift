package import EPGModel
import EPGSearch
import GRDB

/// The change log: a row for each generation of the last week, with its changed stations and airings.
enum ChangeLog {
    /// Writes the entry of a new generation, after its stations, and removes old entries.
    static func write(_ entry: ChangeLogEntry, generation: Int64, in database: Database) throws {
        // Remove all generations up to the last old one, so that numbers stay contiguous even if the clock was wrong.
        let last = try Int64.fetchOne(
            database, sql: "SELECT max(generation) FROM generation WHERE at < ?",
            arguments: [entry.horizon.secondsSince1970])
        if let last {
            // Deletes do not cascade during an import.
            for table in ["airing_change", "change", "generation"] {
                try database.execute(sql: "DELETE FROM \(table) WHERE generation <= ?", arguments: [last])
            }
        }
        try database.execute(
            sql: "INSERT INTO generation (generation, nonce, at, changes_stations) VALUES (?, ?, ?, ?)",
            arguments: [generation, Int64.random(in: .min ... .max), entry.at.secondsSince1970, entry.changesStations])
        let insertStation = try InsertStatement(
            database, "INSERT INTO change (generation, station_id, is_whole) VALUES (\(generation), ?, ?)")
        let insert = try InsertStatement(
            database,
            """
            INSERT INTO airing_change (generation, station_id, airing_id, old_start, old_stop, new_start, new_stop)
            VALUES (\(generation), ?, ?, ?, ?, ?, ?)
            """)
        for station in entry.stations {
            guard let isShared = try StationWriter.isShared(station, in: database),
                let changes = entry.extent(of: station, isShared: isShared)
            else { continue }
            try insertStation.run { binder in
                binder.integer(1, station)
                binder.integer(2, changes == .whole ? 1 : 0)
            }
            guard case .airings(let airings) = changes else { continue }
            for change in airings.sorted(by: { $0.id < $1.id }) {
                try insert.run { binder in
                    binder.integer(1, station)
                    binder.integer(2, change.id.rawValue)
                    binder.integer(3, change.before?.start.secondsSince1970)
                    binder.integer(4, change.before?.end.secondsSince1970)
                    binder.integer(5, change.after?.start.secondsSince1970)
                    binder.integer(6, change.after?.end.secondsSince1970)
                }
            }
        }
    }
}

extension GuideStore: ChangeLogTable {
    static let changesSQL = "SELECT station_id FROM change WHERE generation > ? AND is_whole"

    /// The airing changes of later generations in ascending order.
    static let airingChangesSQL = """
        SELECT station_id, airing_id, old_start, old_stop, new_start, new_stop FROM airing_change WHERE generation > ?
        ORDER BY generation, station_id, airing_id
        """

    package func changes(since start: GuideChanges.Start, of station: StationID?) throws -> GuideChanges? {
        try read { _ in try loggedChanges(since: start, of: station) }
    }

    package func generation() throws -> Generation { try read { Generation(try GuideState($0).generation) } }

    package func start(of generation: Generation) throws -> Instant? { try version(of: generation)?.since }

    package func firstLogged() throws -> (generation: Int64, start: Instant)? {
        try read { database in
            try Row.fetchOne(database, sql: "SELECT generation, at FROM generation ORDER BY generation LIMIT 1")
                .map { ($0["generation"], Instant(secondsSince1970: $0["at"])) }
        }
    }

    package func firstLogged(after instant: Instant) throws -> Int64? {
        try read { database in
            try Int64.fetchOne(
                database, sql: "SELECT generation FROM generation WHERE at > ? ORDER BY generation LIMIT 1",
                arguments: [instant.secondsSince1970])
        }
    }

    package func logged(after generation: Generation) throws -> (count: Int64, changesStations: Bool) {
        try read { database in
            let row = try Row.fetchOne(
                database,
                sql: """
                    SELECT count(*) AS count, ifnull(max(changes_stations), 0) AS changes_stations FROM generation
                    WHERE generation > ?
                    """, arguments: [generation.rawValue])
            return row.map { ($0["count"], $0["changes_stations"]) } ?? (0, false)
        }
    }

    package func entirelyChanged(after generation: Generation) throws -> Set<Int64> {
        try read { try Int64.fetchSet($0, sql: Self.changesSQL, arguments: [generation.rawValue]) }
    }

    package func visitChanges(
        after generation: Generation, _ body: (_ station: Int64, AiringChange?) throws -> Void
    ) throws {
        try read { database in
            try Row.fetchCursor(database, sql: Self.airingChangesSQL, arguments: [generation.rawValue]).forEach { row in
                try body(
                    row["station_id"],
                    AiringChange(
                        AiringID(row["airing_id"]), from: row.window("old_start", "old_stop"),
                        to: row.window("new_start", "new_stop")))
            }
        }
    }

    package func rows(ofStations stations: [Int64]) throws -> [(key: Int64, row: Int, id: StationID)] {
        try read { database in
            let statement = try database.makeStatement(sql: "SELECT position, feed_id FROM station WHERE id = ?")
            return try stations.compactMap { key in
                try Row.fetchOne(statement, arguments: [key])
                    .map { (key, $0["position"], StationID($0["feed_id"])) }
            }
        }
    }
}
