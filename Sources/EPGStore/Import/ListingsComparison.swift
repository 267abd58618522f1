import EPGModel
import GRDB

/// Counts what new listings hold of what is to come, and what stood in their range; the rule is ``ImportSafeguard``'s.
struct ListingsComparison {
    /// What is over by then isn't counted.
    private let now: Int64
    /// By the number of the station; one that is compared again counts once.
    private var stations: [Int64: Counts] = [:]
    /// From the first start to the last stop of all listings.
    private var range: (start: Int64, stop: Int64)?

    private struct Counts {
        var found: Int
        var stood: Int
    }

    init(from now: Instant) {
        self.now = now.secondsSince1970
    }

    /// Notes the listings of a station.
    ///
    /// - Parameters:
    ///   - old: What stood between the first start and the last stop of the new ones.
    ///   - start: Where the new ones begin.
    ///   - stop: Where they end.
    /// - Complexity: O(airings).
    mutating func note(
        _ new: [StoredAiring], inPlaceOf old: [StoredAiring], of station: Int64, from start: Int64, to stop: Int64
    ) {
        stations[station] = Counts(found: new.count { $0.stop > now }, stood: old.count { $0.stop > now })
        range = (min(start, range?.start ?? start), max(stop, range?.stop ?? stop))
    }

    /// Takes back what was noted of a station.
    mutating func forget(_ station: Int64) {
        stations[station] = nil
    }

    /// What the listings bring.
    var found: ListingsSize { size(\.found) }

    /// What stood of their stations.
    var stood: ListingsSize { size(\.stood) }

    private func size(_ count: KeyPath<Counts, Int>) -> ListingsSize {
        stations.values.reduce(into: ListingsSize()) { size, counts in
            guard counts[keyPath: count] > 0 else { return }
            size.stations += 1
            size.airings += counts[keyPath: count]
        }
    }

    /// What stands of the source's other stations.
    ///
    /// - Parameter isTaken: Which stations count.
    /// - Complexity: A seek for each of them, and O(airings that count).
    func missing(
        ofSource source: Int64, in database: Database, _ isTaken: (StationID) -> Bool
    ) throws -> ListingsSize {
        guard let range else { return ListingsSize() }
        var others: [Int64] = []
        let rows = try Row.fetchCursor(
            database,
            sql: """
                SELECT c.station_id, s.feed_id FROM coverage c CROSS JOIN station s ON s.id = c.station_id
                WHERE c.source_id = ? AND c.stop > ?
                """, arguments: [source, max(now, range.start)])
        while let row = try rows.next() {
            let station: Int64 = row["station_id"]
            if stations[station] == nil, isTaken(StationID(row["feed_id"])) { others.append(station) }
        }
        var size = ListingsSize()
        for station in others {
            let count = try count(of: station, source, from: max(now, range.start), to: range.stop, database)
            size.airings += count
            if count > 0 { size.stations += 1 }
        }
        return size
    }

    /// The airings that overlap a range, from the last one back to the first.
    private func count(
        of station: Int64, _ source: Int64, from start: Int64, to stop: Int64, _ database: Database
    ) throws -> Int {
        var count = 0
        try database.rows(
            "SELECT stop FROM airing WHERE source_id = ? AND station_id = ? AND start < ? ORDER BY start DESC, part DESC",
            .integer(source), .integer(station), .integer(stop)
        ) { columns in
            guard columns.integer(0) > start else { return false }
            count += 1
            return true
        }
        return count
    }
}

extension ListingsSize {
    static func + (lhs: ListingsSize, rhs: ListingsSize) -> ListingsSize {
        ListingsSize(stations: lhs.stations + rhs.stations, airings: lhs.airings + rhs.airings)
    }
}
