import EPGModel
import GRDB

/// An airing of a programme.
struct Showing {
    let airing: Int64
    /// As it is stored, or as it is shown.
    var window: TimeWindow
    let station: Int64
    let source: Int64
    /// Whether several sources cover the station: then it may be shown in part, or not at all.
    let isShared: Bool

    /// The columns of ``init(_:)``, of the airing `a` and its station `s`.
    static let columns = "a.id, a.start, a.stop, a.station_id, a.source_id, s.is_shared"

    init(_ columns: Columns, from first: Int32 = 0) {
        airing = columns.integer(first)
        window = columns.window(first + 1, first + 2)
        station = columns.integer(first + 3)
        source = columns.integer(first + 4)
        isShared = columns.integer(first + 5) != 0
    }

    /// So many airings of a programme, the latest first, without what a better source keeps from being shown.
    static let sql = """
        SELECT \(columns) FROM airing a CROSS JOIN station s ON s.id = a.station_id
        WHERE a.programme_id = ? AND (s.source_id = a.source_id OR s.is_shared) ORDER BY a.id DESC LIMIT ?
        """
}

extension Database {
    /// The airings of a programme, the latest first; at most `limit`.
    func showings(ofProgramme programme: Int64, limit: Int) throws -> [Showing] {
        try values(Showing.sql, [programme, Int64(limit)]) { Showing($0) }
    }
}

/// Finds out when airings are shown.
struct ShownTimes {
    private var overlays: [Int64: StationOverlay] = [:]

    /// Those of some airings that are shown, with the time for which they are.
    mutating func shown(_ showings: [Showing], in database: Database) throws -> [Showing] {
        try showings.compactMap { showing in
            guard showing.isShared else { return showing }
            var overlay =
                try overlays.removeValue(forKey: showing.station) ?? StationOverlay(database, station: showing.station)
            defer { overlays[showing.station] = overlay }
            guard let window = try overlay.window(of: showing.window, source: showing.source) else { return nil }
            var showing = showing
            showing.window = window
            return showing
        }
    }
}

/// Goes through what is on or to come on all stations, a stretch of time after the other: it finds the next airings of what
/// so many programmes have that looking at all of them would take long. The more there are, the sooner it ends.
enum UpcomingAirings {
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

    /// The airings that fit, of as many stretches of time as hold the count; those of each stretch in no order.
    static func first(
        _ count: Int, from instant: Instant, in database: Database, where fits: (Row) throws -> Bool
    ) throws -> [Showing] {
        var found: [Showing] = []
        // How many airings are looked at, at most: some tens of milliseconds.
        var left = 20_000
        func look(_ sql: String, _ bounds: Instant...) throws {
            try database.rows(sql, bounds.map(\.secondsSince1970)) { columns in
                if try fits(Row(columns: columns)) { found.append(Showing(columns)) }
                left -= 1
                return left > 0
            }
        }
        let end = try Int64.fetchOne(database, sql: "SELECT max(stop) FROM coverage") ?? .min
        try look(onSQL, instant)
        var start = instant.advanced(by: 1)
        var length: Int64 = 3600
        while found.count < count, left > 0, start.secondsSince1970 < end {
            let stop = min(Instant(secondsSince1970: end), start.advanced(by: length))
            try look(laterSQL, start, stop)
            start = stop
            length = min(length * 2, 1 << 40)
        }
        return found
    }
}
