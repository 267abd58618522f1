import EPGModel
import GRDB

/// The rows in which the stations of a guide stand (schema.sql, `station.position`).
enum RowArrangement {
    /// Where a lineup has a station.
    private struct ChannelPlace {
        /// Of the lineup, in the order of the names.
        let lineup: Int
        let number: ChannelNumber?
        let ordinal: Int64
    }

    private struct Place {
        let key: Int64
        /// `nil` where no lineup lists the station.
        let channel: ChannelPlace?
        let number: ChannelNumber?
        let source: Int64
        let ordinal: Int64
        let position: Int64
    }

    static let channelsSQL = """
        SELECT c.station_id, c.lineup_id, c.number, c.ordinal
        FROM lineup l CROSS JOIN channel c ON c.lineup_id = l.id
        WHERE c.station_id IS NOT NULL ORDER BY l.name, c.ordinal
        """

    /// Numbers the rows anew.
    ///
    /// - Returns: The number of stations that moved.
    /// - Complexity: O(n log n) for n stations and channels; only rows that moved are written.
    static func arrange(in database: Database) throws -> Int {
        let channels = try channels(in: database)
        var places: [Place] = []
        let rows = try Row.fetchCursor(
            database, sql: "SELECT id, number, described_by, ordinal, position FROM station")
        while let row = try rows.next() {
            places.append(
                Place(
                    key: row["id"], channel: channels[row["id"]],
                    number: (row["number"] as String?).flatMap { ChannelNumber($0) },
                    source: row["described_by"] ?? .max,
                    ordinal: row["ordinal"], position: row["position"]))
        }
        places.sort(by: precedes)
        var moved = 0
        let update = try database.makeStatement(sql: "UPDATE station SET position = ? WHERE id = ?")
        for (position, place) in places.enumerated() where place.position != Int64(position) {
            try update.execute(arguments: [position, place.key])
            moved += 1
        }
        return moved
    }

    /// The first channel of each station: a station that stands in two counts in the first.
    private static func channels(in database: Database) throws -> [Int64: ChannelPlace] {
        var channels: [Int64: ChannelPlace] = [:]
        var (lineup, last) = (-1, Int64.min)
        let rows = try Row.fetchCursor(database, sql: channelsSQL)
        while let row = try rows.next() {
            if row["lineup_id"] != last { (lineup, last) = (lineup + 1, row["lineup_id"]) }
            let station: Int64 = row["station_id"]
            if channels[station] == nil {
                channels[station] = ChannelPlace(
                    lineup: lineup, number: (row["number"] as String?).flatMap { ChannelNumber($0) },
                    ordinal: row["ordinal"])
            }
        }
        return channels
    }

    private static func precedes(_ left: Place, _ right: Place) -> Bool {
        switch (left.channel, right.channel) {
        case (let first?, let second?):
            if first.lineup != second.lineup { return first.lineup < second.lineup }
            return precedes(first.number, second.number) ?? (first.ordinal < second.ordinal)
        case (_?, nil): return true
        case (nil, _?): return false
        case (nil, nil):
            return precedes(left.number, right.number)
                ?? ((left.source, left.ordinal, left.key) < (right.source, right.ordinal, right.key))
        }
    }

    /// Numbers in their order, before what has none; `nil` where they decide nothing.
    private static func precedes(_ left: ChannelNumber?, _ right: ChannelNumber?) -> Bool? {
        switch (left, right) {
        case (let first?, let second?): first == second ? nil : first < second
        case (_?, nil): true
        case (nil, _?): false
        case (nil, nil): nil
        }
    }
}
