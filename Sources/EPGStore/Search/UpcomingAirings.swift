import EPGModel
import GRDB

/// Goes through what is on or to come on all stations, a stretch of time after the other.
///
/// It finds the next airings of what stands everywhere, where to look at all that a word brings up would take long; the
/// more frequent it is, the sooner that ends.
enum UpcomingAirings {
    /// An airing with the texts of its programme.
    struct Row {
        fileprivate let columns: Columns

        var programme: Int64 { columns.integer(6) }

        /// So many of title, subtitle and description.
        func texts(_ count: Int) -> [String] { (0..<Int32(count)).map { columns.text(7 + $0) } }
    }

    private static let columns = """
        SELECT \(Showing.columns), a.programme_id, p.title, p.subtitle, p.description
        FROM station s
        CROSS JOIN coverage c ON c.station_id = s.id AND (s.is_shared OR c.source_id = s.source_id) AND c.stop > ?1
        CROSS JOIN airing a ON a.source_id = c.source_id AND a.station_id = c.station_id
        """

    /// What is on at an instant: one seek for each station and source.
    static let onSQL = """
        \(columns) AND a.start = (SELECT max(b.start) FROM airing b
            WHERE b.source_id = c.source_id AND b.station_id = c.station_id AND b.start <= ?1)
        CROSS JOIN programme p ON p.id = a.programme_id WHERE a.stop > ?1
        """

    /// What starts in a stretch of time.
    static let laterSQL = """
        \(columns) AND a.start >= ?1 AND a.start < ?2 CROSS JOIN programme p ON p.id = a.programme_id
        """

    /// The airings that fit, until there are enough of them; those of each stretch of time in no order.
    ///
    /// - Parameter count: How many are enough; all of the stretch in which that is reached are given.
    static func first(
        _ count: Int, from instant: Instant, in database: Database, where fits: (Row) throws -> Bool
    ) throws -> [Showing] {
        var found: [Showing] = []
        // How many airings are looked at, at most: some tens of milliseconds.
        var left = 20_000
        func look(_ sql: String, _ bounds: Int64...) throws {
            try database.rows(sql, bounds.map { .integer($0) }) { columns in
                if try fits(Row(columns: columns)) { found.append(Showing(columns)) }
                left -= 1
                return left > 0
            }
        }
        let end = try Int64.fetchOne(database, sql: "SELECT max(stop) FROM coverage") ?? .min
        try look(onSQL, instant.secondsSince1970)
        var start = instant.advanced(by: 1)
        var length: Int64 = 3600
        while found.count < count, left > 0, start.secondsSince1970 < end {
            let stop = min(Instant(secondsSince1970: end), start.advanced(by: length))
            try look(laterSQL, start.secondsSince1970, stop.secondsSince1970)
            start = stop
            length = min(length * 2, 1 << 40)
        }
        return found
    }
}
