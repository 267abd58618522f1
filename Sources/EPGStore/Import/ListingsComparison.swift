import EPGModel
import GRDB

/// Counts what new listings hold of what is to come, and what stood in their range; the rule is ``ImportSafeguard``'s.
struct ListingsComparison {
    /// What is over by then isn't counted.
    private let now: Int64
    /// By the number of the station; one that is compared again counts once.
    private var stations: [Int64: (found: Int, stood: Int)] = [:]
    /// From the first start to the last stop of all listings.
    private var range: (start: Int64, stop: Int64)?

    init(from now: Instant) {
        self.now = now.secondsSince1970
    }

    /// Notes the listings of a station, and what stood from the first start to the last stop of the new ones.
    mutating func note(
        _ new: [StoredAiring], inPlaceOf old: [StoredAiring], of station: Int64, from start: Int64, to stop: Int64
    ) {
        stations[station] = (new.count { $0.stop > now }, old.count { $0.stop > now })
        range = (min(start, range?.start ?? start), max(stop, range?.stop ?? stop))
    }

    mutating func forget(_ station: Int64) { stations[station] = nil }

    /// What the listings bring, and what stood: of their stations, and of the source's other stations in the same range.
    ///
    /// - Parameter isTaken: Which of the other stations count.
    /// - Complexity: A seek for each of them, and O(airings that count).
    func sizes(
        ofSource source: Int64, in database: Database, _ isTaken: (StationID) -> Bool
    ) throws -> (found: (stations: Int, airings: Int), stood: (stations: Int, airings: Int)) {
        let found = stations.values.map(\.found).filter { $0 > 0 }
        var stood = stations.values.map(\.stood)
        guard let range else { return ((0, 0), (0, 0)) }
        let start = max(now, range.start)
        let others = try Row.fetchAll(
            database,
            sql: """
                SELECT c.station_id, s.feed_id FROM coverage c CROSS JOIN station s ON s.id = c.station_id
                WHERE c.source_id = ? AND c.stop > ?
                """, arguments: [source, start])
        for other in others where stations[other["station_id"]] == nil && isTaken(StationID(other["feed_id"])) {
            // The airings that overlap the range, from the last one back to the first.
            var count = 0
            try database.rows(
                "SELECT stop FROM airing WHERE source_id = ? AND station_id = ? AND start < ? ORDER BY start DESC, part DESC",
                .integer(source), .integer(other["station_id"]), .integer(range.stop)
            ) { columns in
                guard columns.integer(0) > start else { return false }
                count += 1
                return true
            }
            stood.append(count)
        }
        return ((found.count, found.reduce(0, +)), (stood.count { $0 > 0 }, stood.reduce(0, +)))
    }
}
