package import EPGModel
import GRDB

extension GuideStore {
    /// The stations that later generations changed.
    static let changesSQL =
        "SELECT station_id, is_whole FROM change WHERE generation > ? ORDER BY generation, station_id"

    /// What later generations changed of airings, the earlier ones first.
    static let airingChangesSQL = """
        SELECT station_id, airing_id, old_start, old_stop, new_start, new_stop FROM airing_change WHERE generation > ?
        ORDER BY generation, station_id, airing_id
        """

    package func changes(since generation: Generation) throws -> GuideChanges? {
        try read { database in
            let current = try GuideState(database).generation
            guard (0...current).contains(generation.rawValue) else { return nil }
            var changes = GuideChanges(since: generation, generation: Generation(current))
            guard generation.rawValue < current else { return changes }
            let logged = try Row.fetchOne(
                database,
                sql: """
                    SELECT count(*) AS count, ifnull(max(changes_stations), 0) AS changes_stations FROM generation
                    WHERE generation > ? AND generation <= ?
                    """, arguments: [generation.rawValue, current])
            guard let logged, logged["count"] == current - generation.rawValue else { return nil }
            changes.changesStations = logged["changes_stations"]
            changes.stations = try Self.stations(changedSince: generation, database)
            return changes
        }
    }

    private static func stations(changedSince generation: Generation, _ database: Database) throws -> [StationChanges] {
        var folded: [Int64: FoldedChanges] = [:]
        for row in try Row.fetchAll(database, sql: changesSQL, arguments: [generation.rawValue]) {
            let station: Int64 = row["station_id"]
            if folded[station] == nil { folded[station] = FoldedChanges() }
            if row["is_whole"] { folded[station]?.setWhole() }
        }
        let rows = try Row.fetchCursor(database, sql: airingChangesSQL, arguments: [generation.rawValue])
        while let row = try rows.next() {
            let change = AiringChange(
                AiringID(row["airing_id"]), from: row.window("old_start", "old_stop"),
                to: row.window("new_start", "new_stop"))
            if let change { folded[row["station_id"]]?.add(change) }
        }
        var stations: [StationChanges] = []
        let station = try database.makeStatement(sql: "SELECT position, feed_id FROM station WHERE id = ?")
        for (key, changes) in folded {
            guard let extent = changes.extent else { continue }
            if let row = try Row.fetchOne(station, arguments: [key]) {
                stations.append(
                    StationChanges(row: row["position"], station: StationID(row["feed_id"]), extent: extent))
            }
        }
        return stations.sorted { $0.row < $1.row }
    }
}

/// The changes of one station's schedule over several generations, as one.
struct FoldedChanges {
    /// `nil` where the whole schedule may be another.
    private var changes: [AiringID: AiringChange]? = [:]

    /// Any of the schedule may be another.
    mutating func setWhole() { changes = nil }

    /// Adds what a later generation changed.
    mutating func add(_ change: AiringChange) {
        guard changes != nil else { return }
        if let earlier = changes?[change.id] {
            changes?[change.id] = earlier.followed(by: change)
        } else {
            changes?[change.id] = change
        }
        // What is more than a generation may tell isn't told of several, either; so memory is bounded.
        if let count = changes?.count, count > LoggedChanges.limit { changes = nil }
    }

    /// What is left of all; `nil` where nothing is.
    var extent: StationChanges.Extent? {
        guard let changes else { return .whole }
        guard !changes.isEmpty else { return nil }
        return .airings(
            changes.values.sorted { left, right in
                (left.place, left.id) < (right.place, right.id)
            })
    }
}

extension AiringChange {
    /// By what changes are ordered.
    fileprivate var place: Instant { (after ?? before)?.start ?? Instant(secondsSince1970: .min) }
}
