import EPGModel
import GRDB

/// The rows in which the stations of a guide stand (schema.sql, `station.position`).
enum RowArrangement {
    private struct Place {
        let key: Int64
        /// The rank of the lineup that lists the station, in the order of the names; the last one for no lineup.
        var lineup = Int.max
        /// In the lineup, else in the feed.
        var number: ChannelNumber?
        /// 0 in a lineup.
        var source: Int64 = 0
        var ordinal: Int64
        /// The row in which the station stands.
        var position = 0

        static func precedes(_ left: Place, _ right: Place) -> Bool {
            if left.lineup != right.lineup { return left.lineup < right.lineup }
            if left.number != right.number {
                guard let first = left.number, let second = right.number else { return left.number != nil }
                return first < second
            }
            return (left.source, left.ordinal, left.key) < (right.source, right.ordinal, right.key)
        }
    }

    static let channelsSQL = """
        SELECT c.station_id, c.lineup_id, c.number, c.ordinal
        FROM lineup l CROSS JOIN channel c ON c.lineup_id = l.id
        WHERE c.station_id IS NOT NULL ORDER BY l.name, c.ordinal
        """

    /// Numbers the rows anew, and returns the number of stations that moved.
    ///
    /// - Complexity: O(n log n) for n stations and channels; only rows that moved are written.
    static func arrange(in database: Database) throws -> Int {
        let channels = try channels(in: database)
        let sql = "SELECT id, number, described_by, ordinal, position FROM station"
        let places = try database.values(sql) { columns in
            let key = columns.integer(0)
            var place =
                channels[key]
                ?? Place(
                    key: key, number: columns.textIfPresent(1).flatMap { ChannelNumber($0) },
                    source: columns.integerIfPresent(2) ?? .max, ordinal: columns.integer(3))
            place.position = Int(columns.integer(4))
            return place
        }
        var moved = 0
        let update = try database.makeStatement(sql: "UPDATE station SET position = ? WHERE id = ?")
        for (position, place) in places.sorted(by: Place.precedes).enumerated() where place.position != position {
            try update.execute(arguments: [position, place.key])
            moved += 1
        }
        return moved
    }

    /// The first channel of each station: a station that stands in two counts in the first.
    private static func channels(in database: Database) throws -> [Int64: Place] {
        var channels: [Int64: Place] = [:]
        var (lineup, last) = (-1, Int64.min)
        try Row.fetchCursor(database, sql: channelsSQL).forEach { row in
            if row["lineup_id"] != last { (lineup, last) = (lineup + 1, row["lineup_id"]) }
            let station: Int64 = row["station_id"]
            if channels[station] == nil {
                channels[station] = Place(
                    key: station, lineup: lineup, number: row.channelNumber("number"), ordinal: row["ordinal"])
            }
        }
        return channels
    }
}
