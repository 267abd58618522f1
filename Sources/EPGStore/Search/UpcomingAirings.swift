import EPGModel
import GRDB

/// Goes through what is on or to come on all stations, a stretch of time after the other.
///
/// It finds the next airings of what stands everywhere, where to look at all that a word brings up would take long; the
/// more frequent it is, the sooner that ends.
struct UpcomingAirings {
    /// An airing with the texts of its programme.
    struct Row {
        let showing: Showing
        fileprivate let columns: Columns

        var programme: Int64 { columns.integer(6) }
        var title: String { columns.text(7) }
        var subtitle: String? { columns.textIfPresent(8) }
        var description: String? { columns.textIfPresent(9) }
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

    /// How many airings are looked at, at most: some tens of milliseconds.
    private static let most = 20_000

    private let database: Database
    private var left = UpcomingAirings.most

    init(_ database: Database) {
        self.database = database
    }

    /// The airings that fit, until there are enough of them; those of each stretch of time in no order.
    ///
    /// - Parameter count: How many are enough; all of the stretch in which that is reached are given.
    mutating func first(
        _ count: Int, from instant: Instant, _ fits: (Row) throws -> Bool
    ) throws -> [Showing] {
        let end = try Int64.fetchOne(database, sql: "SELECT max(stop) FROM coverage") ?? .min
        var found: [Showing] = []
        var start = instant.secondsSince1970
        try look(Self.onSQL, [.integer(start)], &found, fits)
        start = instant.advanced(by: 1).secondsSince1970
        var length: Int64 = 3600
        while found.count < count, left > 0, start < end {
            let stop = min(end, Instant(secondsSince1970: start).advanced(by: length).secondsSince1970)
            try look(Self.laterSQL, [.integer(start), .integer(stop)], &found, fits)
            start = stop
            length = min(length * 2, 1 << 40)
        }
        return found
    }

    private mutating func look(
        _ sql: String, _ bindings: [Binding], _ found: inout [Showing], _ fits: (Row) throws -> Bool
    ) throws {
        var left = left
        try database.rows(sql, bindings) { columns in
            let row = Row(showing: Showing(columns), columns: columns)
            if try fits(row) { found.append(row.showing) }
            left -= 1
            return left > 0
        }
        self.left = left
    }
}
