public import EPGModel
import GRDB

extension GuideStore {
    /// What the log has of all later generations; bytes that are too long to be right count as whole, unread.
    static let changesSQL = """
        SELECT station_id, iif(length(airings) <= \(LoggedChanges.longest), airings, NULL) FROM change
        WHERE generation > ? ORDER BY generation, station_id
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
            folded[columns.integer(0), default: FoldedChanges()].add(
                columns.isNull(1) ? .whole : .airings(columns.blob(1)))
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
}
