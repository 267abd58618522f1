public import EPGModel
import GRDB

extension GuideStore {
    /// The stations that later generations changed.
    static let changesSQL = "SELECT station_id, is_whole FROM change WHERE generation > ? ORDER BY generation, station_id"

    /// What later generations changed of airings, the earlier ones first.
    static let airingChangesSQL = """
        SELECT station_id, airing_id, old_start, old_stop, new_start, new_stop FROM airing_change WHERE generation > ?
        ORDER BY generation, station_id, airing_id
        """

    public func changes(since generation: Generation) throws -> GuideChanges? {
        try read { database in
            let current = try GuideState(database).generation
            guard (0...current).contains(generation.rawValue) else { return nil }
            var changes = GuideChanges(since: generation, generation: Generation(current))
            guard generation.rawValue < current else { return changes }
            let logged = try database.firstRow(
                "SELECT count(*), ifnull(max(changes_stations), 0) FROM generation WHERE generation > ? AND generation <= ?",
                .integer(generation.rawValue), .integer(current)
            ) { (count: $0.integer(0), changesStations: $0.integer(1) != 0) }
            guard let logged, logged.count == current - generation.rawValue else { return nil }
            changes.changesStations = logged.changesStations
            changes.stations = try Self.stations(changedSince: generation, database)
            return changes
        }
    }

    private static func stations(changedSince generation: Generation, _ database: Database) throws -> [StationChanges] {
        var folded: [Int64: FoldedChanges] = [:]
        try database.rows(changesSQL, .integer(generation.rawValue)) { columns in
            let station = columns.integer(0)
            if folded[station] == nil { folded[station] = FoldedChanges() }
            if columns.integer(1) != 0 { folded[station]?.setWhole() }
            return true
        }
        try database.rows(airingChangesSQL, .integer(generation.rawValue)) { columns in
            let change = AiringChange(
                AiringID(columns.integer(1)), from: window(columns, 2, 3), to: window(columns, 4, 5))
            if let change { folded[columns.integer(0)]?.add(change) }
            return true
        }
        var stations: [StationChanges] = []
        for (key, changes) in folded {
            guard let extent = changes.extent else { continue }
            let station = try database.firstRow(
                "SELECT position, feed_id FROM station WHERE id = ?", .integer(key)
            ) { StationChanges(row: Int($0.integer(0)), station: StationID($0.text(1)), extent: extent) }
            if let station { stations.append(station) }
        }
        return stations.sorted { $0.row < $1.row }
    }

    private static func window(_ columns: Columns, _ start: Int32, _ stop: Int32) -> TimeWindow? {
        columns.isNull(start) ? nil : AiringColumns.window(columns, start, stop)
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
