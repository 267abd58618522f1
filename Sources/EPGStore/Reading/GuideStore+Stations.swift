public import EPGModel
import GRDB

extension GuideStore {
    public func generation() throws -> Generation {
        try read { database in
            Generation(try database.firstRow("SELECT generation FROM guide") { $0.integer(0) } ?? 0)
        }
    }

    public func stationCount() throws -> Int {
        try read { database in
            Int(try database.firstRow("SELECT count(*) FROM station") { $0.integer(0) } ?? 0)
        }
    }

    public func stations(inRows rows: Range<Int>) throws -> [StationRow] {
        try read { database in
            var stations: [StationRow] = []
            try database.rows(
                """
                SELECT feed_id, document, position FROM station
                WHERE position >= ? AND position < ? ORDER BY position
                """, .integer(Int64(rows.lowerBound)), .integer(Int64(rows.upperBound))
            ) { columns in
                stations.append(try Self.stationRow(columns))
                return true
            }
            return stations
        }
    }

    public func station(_ id: StationID) throws -> StationRow? {
        try read { database in
            try database.firstRow(
                "SELECT feed_id, document, position FROM station WHERE feed_id = ?", .text(id.rawValue)
            ) { try Self.stationRow($0) }
        }
    }

    public func stationSuggestions(for text: String, limit: Int) throws -> [StationID] {
        try read { database in
            var nearest = NearestNames(text)
            try database.rows("SELECT feed_id, name FROM station ORDER BY position") { columns in
                nearest.consider(id: columns.text(0), name: columns.text(1))
                return true
            }
            return nearest.best(limit).map { StationID($0) }
        }
    }

    private static func stationRow(_ columns: Columns) throws -> StationRow {
        var decoder = ContentDecoder(columns.blob(1))
        let station = Station(id: StationID(columns.text(0)), nodes: try decoder.nodes())
        return StationRow(row: Int(columns.integer(2)), station: station)
    }
}
