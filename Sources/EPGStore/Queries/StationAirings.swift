import EPGJSON
import EPGModel
import EPGSQL
import GRDB

/// Statements for the airings of a station from one source. Their columns begin with identifier, start and stop.
struct AiringQuery {
    static let brief = AiringQuery("\(AiringColumns.brief) FROM airing a \(programme)")
    static let full = AiringQuery("\(AiringColumns.full) FROM airing a \(programme)")
    /// Reads a single table.
    static let outline = AiringQuery("\(AiringColumns.outline) FROM airing a")
    /// Reads a single table.
    static let content = AiringQuery("\(AiringColumns.content) FROM airing a")
    /// The columns of an export: the whole programme, then the attributes of the transmission.
    static let exported = AiringQuery(
        """
        \(AiringColumns.exported) FROM airing a \(programme)
        LEFT JOIN transmission t ON t.id = a.transmission_id
        """)

    private static let programme = "CROSS JOIN programme p ON p.id = a.programme_id"

    /// The airings that start before an instant, in descending order. Readers stop at the first one that ends before a window.
    let before: String
    /// The first airing that starts after an instant.
    let after: String
    /// The airings that start at an instant: one, or a clump.
    let at: String
    /// The airings that overlap a window in ascending order. The first parameter is the end of the window.
    let during: String

    private init(_ select: String) {
        let station = "SELECT \(select) WHERE a.source_id = ? AND a.station_id = ?"
        before = station + " AND a.start < ? ORDER BY a.start DESC, a.part DESC"
        after = station + " AND a.start > ? ORDER BY a.start, a.part LIMIT 1"
        at = station + " AND a.start = ? ORDER BY a.part"
        during = station + " AND a.start < ? AND a.stop > ? ORDER BY a.start, a.part"
    }
}

/// A reader of the shown airings of a station from one or more sources.
struct StationAirings {
    let station: VisibleStation
    private let database: Database
    private let query: AiringQuery
    private let before: PreparedQuery
    /// The overlay; `nil` for a station that a single source covers.
    private var overlay: StationOverlay<SQLiteSeeker>?

    /// - Parameters:
    ///   - query: The columns to read.
    ///   - before: The query's ``AiringQuery/before``.
    init(of station: VisibleStation, _ database: Database, _ query: AiringQuery, before: PreparedQuery) throws {
        self.station = station
        self.database = database
        self.query = query
        self.before = before
        overlay = station.isShared ? try StationOverlay(database, station: station.key) : nil
    }

    /// Returns the airings that overlap a window in ascending order, for ``AiringQuery/brief``.
    mutating func during(_ window: TimeWindow) throws -> [Airing] {
        let id = station.id
        return try during(window) { $0.brief(station: id, shown: $1) }
    }

    /// Returns the airings that overlap a window in ascending order.
    ///
    /// - Parameter airing: Creates an airing from its columns and, for a shared station, its shown time.
    /// - Complexity: O(returned airings); a few seeks per airing for a shared station.
    mutating func during<Airing>(
        _ window: TimeWindow, _ airing: (Columns, TimeWindow?) throws -> Airing
    ) throws -> [Airing] {
        if let shown = try overlay?.shown(during: window) {
            return try shown.flatMap { shown in try read(shown, query) { try airing($0, shown.window) } }
        }
        guard let source = station.source, !window.isEmpty else { return [] }
        var airings: [Airing] = []
        // Enough for a window of a few hours, to avoid repeated growth.
        airings.reserveCapacity(6)
        try before.rows([source, station.key, window.end.secondsSince1970]) { columns in
            guard columns.integer(2) > window.start.secondsSince1970 else { return false }
            airings.append(try airing(columns, nil))
            return true
        }
        airings.reverse()
        return airings
    }

    /// Returns the first airing that starts after an instant.
    mutating func next(after instant: Instant) throws -> Airing? {
        guard overlay == nil else {
            return try overlay?.next(after: instant).flatMap { shown in
                try read(shown, .brief) { $0.brief(station: station.id, shown: shown.window) }.first
            }
        }
        return try station.source.flatMap { source in
            try database.values(AiringQuery.brief.after, [source, station.key, instant.secondsSince1970]) {
                $0.brief(station: station.id)
            }.first
        }
    }

    private func read<Airing>(
        _ shown: StationOverlay<SQLiteSeeker>.Shown, _ query: AiringQuery, _ airing: (Columns) throws -> Airing
    ) throws -> [Airing] {
        try database.values(
            query.at, [shown.source, station.key, shown.stored.start.secondsSince1970], value: airing)
    }
}

/// The seeks of an overlay in an SQLite guide.
struct SQLiteSeeker: AiringSeeking {
    let database: Database

    /// Does nothing, because a seek in a file is fast.
    func prepare(_ ranges: [(station: Int64, window: TimeWindow)]) {}

    static let rankingSQL = """
        SELECT c.source_id FROM coverage c CROSS JOIN source o ON o.id = c.source_id
        WHERE c.station_id = ? ORDER BY o.priority DESC, c.stop DESC, c.source_id LIMIT 8
        """

    static let latestSQL = """
        SELECT start, stop FROM airing WHERE source_id = ? AND station_id = ? AND start < ?
        ORDER BY start DESC, part DESC LIMIT 1
        """

    static let earliestSQL = """
        SELECT start, stop FROM airing WHERE source_id = ? AND station_id = ? AND start > ?
        ORDER BY start, part LIMIT 1
        """

    func ranking(ofSourcesOf station: Int64) throws -> [Int64] {
        try database.values(Self.rankingSQL, [station]) { $0.integer(0) }
    }

    func latest(of source: Int64, station: Int64, before end: Instant) throws -> TimeWindow? {
        try seek(Self.latestSQL, source, station, end)
    }

    func earliest(of source: Int64, station: Int64, after start: Instant) throws -> TimeWindow? {
        try seek(Self.earliestSQL, source, station, start)
    }

    private func seek(_ sql: String, _ source: Int64, _ station: Int64, _ bound: Instant) throws -> TimeWindow? {
        try database.values(sql, [source, station, bound.secondsSince1970]) { $0.window(0, 1) }.first
    }
}

extension StationOverlay<SQLiteSeeker> {
    init(_ database: Database, station: Int64) throws {
        try self.init(SQLiteSeeker(database: database), station: station)
    }
}
