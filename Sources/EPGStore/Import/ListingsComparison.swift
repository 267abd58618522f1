import EPGModel
import GRDB

/// Counts the current and future airings of new listings and the stored ones in their range, for ``ImportSafeguard``.
struct ListingsComparison {
    private let safeguard: ImportSafeguard
    /// What is over by then isn't counted.
    private let now: Int64
    /// By the number of the station; one that is compared again counts once.
    private var stations: [Int64: (found: Int, stored: Int)] = [:]
    /// From the first start to the last stop of all listings.
    private var range: (start: Int64, stop: Int64)?

    init(_ safeguard: ImportSafeguard, from now: Instant) {
        self.safeguard = safeguard
        self.now = now.secondsSince1970
    }

    /// Notes the listings of a station, and its stored airings from the first start to the last stop of the new ones.
    mutating func note(
        _ new: [StoredAiring], inPlaceOf old: [StoredAiring], of station: Int64, from start: Int64, to stop: Int64
    ) {
        stations[station] = (new.count { $0.stop > now }, old.count { $0.stop > now })
        range = (min(start, range?.start ?? start), max(stop, range?.stop ?? stop))
    }

    mutating func forget(_ station: Int64) { stations[station] = nil }

    /// Compares the listings with the stored airings of their stations, and of the source's other stations in the same
    /// range.
    ///
    /// - Complexity: A seek for each of the other stations, and O(airings that count).
    func check(_ report: ImportReport, ofSource source: Int64, in database: Database) throws {
        guard report.airingsStored > 0 else { throw RefusedImport.empty(programmesRead: report.programmesRead) }
        guard safeguard.minimumShare > 0, let range else { return }
        let start = max(now, range.start)
        // From the last airing that begins in the range back to the first.
        let stops = try database.makeStatement(
            sql: """
                SELECT stop FROM airing WHERE source_id = ? AND station_id = ? AND start < ?
                ORDER BY start DESC, part DESC
                """)
        let others = try Row.fetchAll(
            database,
            sql: """
                SELECT c.station_id, s.feed_id FROM coverage c CROSS JOIN station s ON s.id = c.station_id
                WHERE c.source_id = ? AND c.stop > ?
                """, arguments: [source, start])
        var stored = stations.values.map(\.stored)
        for other in others
        where stations[other["station_id"]] == nil && safeguard.takes(StationID(other["feed_id"])) {
            let cursor = try Int64.fetchCursor(stops, arguments: [source, other["station_id"], range.stop])
            stored.append(try Array(cursor.prefix { $0 > start }).count)
        }
        func size(_ counts: [Int]) -> (stations: Int, airings: Int) {
            (counts.count { $0 > 0 }, counts.reduce(0, +))
        }
        let refusal = safeguard.refusal(found: size(stations.values.map(\.found)), stored: size(stored))
        if let refusal { throw refusal }
    }
}
