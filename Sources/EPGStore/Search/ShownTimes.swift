import EPGModel
import GRDB

/// An airing that shows a programme.
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

    /// The airings of a programme, the latest first. What is never shown, because a better source covers its station, is left out.
    static let sql = """
        SELECT \(columns) FROM airing a CROSS JOIN station s ON s.id = a.station_id
        WHERE a.programme_id = ? AND (s.source_id = a.source_id OR s.is_shared) ORDER BY a.id DESC
        """
}

extension Database {
    /// The airings that show a programme, the latest first; at most `limit`.
    func showings(ofProgramme programme: Int64, limit: Int) throws -> [Showing] {
        var showings: [Showing] = []
        try rows(Showing.sql, .integer(programme)) { columns in
            showings.append(Showing(columns))
            return showings.count < limit
        }
        return showings
    }
}

/// When airings are shown.
struct ShownTimes {
    private let database: Database
    /// Of the stations that several sources cover.
    private var overlays: [Int64: StationOverlay] = [:]

    init(_ database: Database) {
        self.database = database
    }

    /// Those of some airings that are shown, with the time for which they are.
    mutating func shown(_ showings: [Showing]) throws -> [Showing] {
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
