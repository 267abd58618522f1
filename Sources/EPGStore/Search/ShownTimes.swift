import GRDB

/// An airing that shows a programme.
struct Showing {
    let airing: Int64
    /// As it is stored.
    let span: StationOverlay.Span
    let station: Int64
    let source: Int64
    /// Whether several sources cover the station: then it may be shown in part, or not at all.
    let isShared: Bool

    /// The columns of ``init(_:)``, of the airing `a` and its station `s`.
    static let columns = "a.id, a.start, a.stop, a.station_id, a.source_id, s.is_shared"

    init(_ columns: Columns) {
        airing = columns.integer(0)
        span = StationOverlay.Span(start: columns.integer(1), stop: columns.integer(2))
        station = columns.integer(3)
        source = columns.integer(4)
        isShared = columns.integer(5) != 0
    }

    /// The airings of a programme, the latest first. What is never shown, because a better source covers its station, is left out.
    static let sql = """
        SELECT \(columns) FROM airing a CROSS JOIN station s ON s.id = a.station_id
        WHERE a.programme_id = ? AND (s.source_id = a.source_id OR s.is_shared) ORDER BY a.id DESC
        """
}

extension Database {
    /// The airings that show a programme, the latest first; at most `limit`.
    func showings(ofProgramme programme: Int64, limit: Int = .max) throws -> [Showing] {
        var showings: [Showing] = []
        try rows(Showing.sql, .integer(programme)) { columns in
            showings.append(Showing(columns))
            return showings.count < limit
        }
        return showings
    }

    /// The airings whose programme's texts match, those first that were stored last; one more than a limit where there are more.
    ///
    /// - Parameter expression: In the query language of FTS5.
    func showings(matching expression: String, in index: Database, limit: Int = .max - 1) throws -> [Showing] {
        var showings: [Showing] = []
        try index.rows("SELECT rowid FROM text WHERE text MATCH ? ORDER BY rowid DESC", .text(expression)) { columns in
            showings += try self.showings(ofProgramme: columns.integer(0), limit: limit + 1 - showings.count)
            return showings.count <= limit
        }
        return showings
    }
}

/// When airings that were found are shown.
struct ShownTimes {
    private let database: Database
    /// Of the stations that several sources cover.
    private var overlays: [Int64: StationOverlay] = [:]

    init(_ database: Database) {
        self.database = database
    }

    /// When an airing is shown; `nil` where it is not.
    mutating func span(of showing: Showing) throws -> StationOverlay.Span? {
        guard showing.isShared else { return showing.span }
        var overlay =
            try overlays.removeValue(forKey: showing.station) ?? StationOverlay(database, station: showing.station)
        defer { overlays[showing.station] = overlay }
        return try overlay.span(of: showing.span, source: showing.source)
    }
}
