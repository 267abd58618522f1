package import EPGModel
import GRDB

extension GuideStore {
    static let changesSQL =
        "SELECT station_id, is_whole FROM change WHERE generation > ? ORDER BY generation, station_id"

    /// What later generations changed of airings, the earlier ones first.
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
                // A log with a hole, which ``check()`` finds.
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

    /// From which generation on the log can tell what was asked for, and whether that is all of it.
    private static func reach(
        of start: GuideChanges.Start, to current: Generation, _ database: Database
    ) throws -> (since: Generation, isComplete: Bool)? {
        let first = try Row.fetchOne(database, sql: "SELECT generation, at FROM generation ORDER BY generation LIMIT 1")
        // What lies before the first entry isn't known any more.
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

/// The changes of one station's schedule over several generations, as one.
struct FoldedChanges {
    /// `nil` where the whole schedule may be another.
    private var changes: [AiringID: AiringChange]? = [:]

    mutating func setWhole() { changes = nil }

    mutating func add(_ change: AiringChange) {
        let earlier = changes?[change.id]
        changes?[change.id] = earlier.map { $0.followed(by: change) } ?? change
        // Bounds the memory.
        if let count = changes?.count, count > ChangeLog.limit { changes = nil }
    }

    /// What is left of all, in order of start; `nil` where nothing is.
    var extent: StationChanges.Extent? {
        guard let changes else { return .whole }
        let starts = changes.values.compactMap { change in (change.after ?? change.before).map { ($0.start, change) } }
        let sorted = starts.sorted { ($0.0, $0.1.id) < ($1.0, $1.1.id) }.map(\.1)
        return sorted.isEmpty ? nil : .airings(sorted)
    }
}
