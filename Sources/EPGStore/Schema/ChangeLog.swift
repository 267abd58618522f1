package import EPGModel
import GRDB

/// The change log: a row for each generation of the last week, with its changed stations and airings.
enum ChangeLog {
    /// The number of seconds for which changes are kept.
    private static let retention: Int64 = 7 * 86_400

    struct Entry {
        var at: Instant
        /// Whether stations were added or removed, or their descriptions, numbers or order changed.
        var changesStations: Bool
        /// The changed schedules by the number of the station. Schedules of shared stations count as entirely changed.
        var schedules: [Int64: StationChanges.Extent] = [:]
        /// Stations with other changes that matter only if the station is shared.
        var sources: [Int64] = []
    }

    /// Writes the entry of a new generation, after its stations, and removes entries that are more than a week older.
    static func write(_ entry: Entry, generation: Int64, in database: Database) throws {
        // Remove all generations up to the last old one, so that numbers stay contiguous even if the clock was wrong.
        let last = try Int64.fetchOne(
            database, sql: "SELECT max(generation) FROM generation WHERE at < ?",
            arguments: [entry.at.advanced(by: -retention).secondsSince1970])
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
        for station in Set(entry.schedules.keys).union(entry.sources).sorted() {
            guard let isShared = try StationWriter.isShared(station, in: database),
                let changes = isShared ? .whole : entry.schedules[station]
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

extension GuideStore {
    static let changesSQL =
        "SELECT station_id, is_whole FROM change WHERE generation > ? ORDER BY generation, station_id"

    /// The airing changes of later generations in ascending order.
    static let airingChangesSQL = """
        SELECT station_id, airing_id, old_start, old_stop, new_start, new_stop FROM airing_change WHERE generation > ?
        ORDER BY generation, station_id, airing_id
        """

    package func changes(since start: GuideChanges.Start, of station: StationID?) throws -> GuideChanges? {
        try read { database in
            let current = Generation(try GuideState(database).generation)
            guard let reach = try Self.reach(of: start, to: current, database) else { return nil }
            let since = reach.since
            var changes = GuideChanges(since: since, generation: current, isComplete: reach.isComplete)
            guard since < current else { return changes }
            let logged = try Row.fetchOne(
                database,
                sql: """
                    SELECT count(*) AS count, ifnull(max(changes_stations), 0) AS changes_stations FROM generation
                    WHERE generation > ? AND generation <= ?
                    """, arguments: [since.rawValue, current.rawValue])
            guard let logged, logged["count"] == current.rawValue - since.rawValue else {
                // The log has a gap, which ``check()`` reports.
                changes.isComplete = false
                return changes
            }
            changes.from = try version(of: Generation(since.rawValue + 1))?.since
            changes.changesStations = logged["changes_stations"]
            changes.stations = try Self.stations(changedSince: since, database)
            if let station { changes.stations.removeAll { $0.station != station } }
            return changes
        }
    }

    private static func stations(changedSince generation: Generation, _ database: Database) throws -> [StationChanges] {
        var folded: [Int64: FoldedChanges] = [:]
        for row in try Row.fetchAll(database, sql: changesSQL, arguments: [generation.rawValue]) where row["is_whole"] {
            folded[row["station_id"], default: FoldedChanges()].setWhole()
        }
        try Row.fetchCursor(database, sql: airingChangesSQL, arguments: [generation.rawValue]).forEach { row in
            let change = AiringChange(
                AiringID(row["airing_id"]), from: row.window("old_start", "old_stop"),
                to: row.window("new_start", "new_stop"))
            if let change { folded[row["station_id"], default: FoldedChanges()].add(change) }
        }
        let station = try database.makeStatement(sql: "SELECT position, feed_id FROM station WHERE id = ?")
        return try folded.compactMap { key, changes in
            guard let extent = changes.extent, let row = try Row.fetchOne(station, arguments: [key]) else { return nil }
            return StationChanges(row: row["position"], station: StationID(row["feed_id"]), extent: extent)
        }.sorted { $0.row < $1.row }
    }

    /// Returns the generation after which the log has the requested changes, and whether they are complete.
    private static func reach(
        of start: GuideChanges.Start, to current: Generation, _ database: Database
    ) throws -> (since: Generation, isComplete: Bool)? {
        let first = try Row.fetchOne(database, sql: "SELECT generation, at FROM generation ORDER BY generation LIMIT 1")
        // Changes before the first entry are no longer known.
        let floor: Int64 = first.map { $0["generation"] - 1 } ?? current.rawValue
        switch start {
        case .generation(let generation):
            guard (0...current.rawValue).contains(generation.rawValue) else { return nil }
            return (Generation(max(generation.rawValue, floor)), generation.rawValue >= floor)
        case .instant(let instant):
            let later = try Int64.fetchOne(
                database, sql: "SELECT generation FROM generation WHERE at > ? ORDER BY generation LIMIT 1",
                arguments: [instant.secondsSince1970])
            let reachesBack = first.map { $0["at"] <= instant.secondsSince1970 } ?? true
            return (later.map { Generation($0 - 1) } ?? current, reachesBack || floor == 0)
        }
    }
}
