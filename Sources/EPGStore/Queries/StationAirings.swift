import EPGModel
import GRDB

/// A station as the queries of many stations see it.
struct VisibleStation {
    let key: Int64
    let id: StationID
    let name: String
    let source: Int64?
    let position: Int
    /// Whether several sources know it.
    let isShared: Bool
}

extension VisibleStation {
    /// The columns of ``init(_:)``.
    static let columns = "id, feed_id, name, source_id, position, is_shared"

    init(_ columns: Columns) {
        self.init(
            key: columns.integer(0), id: StationID(columns.text(1)), name: columns.text(2),
            source: columns.integerIfPresent(3), position: Int(columns.integer(4)), isShared: columns.integer(5) != 0)
    }
}

/// The airings of a station from one source; the columns begin with number, start and stop.
struct AiringQuery {
    static let brief = AiringQuery("\(AiringColumns.brief) FROM airing a \(programme)")
    static let full = AiringQuery("\(AiringColumns.full) FROM airing a \(programme)")
    /// Reads one table alone.
    static let outline = AiringQuery("\(AiringColumns.outline) FROM airing a")
    /// What an export writes: all of the programme, and then the attributes of the transmission.
    static let exported = AiringQuery(
        """
        \(AiringColumns.full), t.attributes FROM airing a \(programme)
        LEFT JOIN transmission t ON t.id = a.transmission_id
        """)

    private static let programme = "CROSS JOIN programme p ON p.id = a.programme_id"

    /// Those that start before an instant, the latest first: the reader stops at the first one that ends before its window.
    let before: String
    /// The first that starts after an instant.
    let after: String
    /// Those that start at an instant: one, or a clump.
    let at: String
    /// Those that overlap a window, whose stop comes first, in order.
    let during: String

    private init(_ select: String) {
        let station = "SELECT \(select) WHERE a.source_id = ? AND a.station_id = ?"
        before = station + " AND a.start < ? ORDER BY a.start DESC, a.part DESC"
        after = station + " AND a.start > ? ORDER BY a.start, a.part LIMIT 1"
        at = station + " AND a.start = ? ORDER BY a.part"
        during = station + " AND a.start < ? AND a.stop > ? ORDER BY a.start, a.part"
    }
}

/// Reads what is shown of one station, from its source or from several.
struct StationAirings {
    let station: VisibleStation
    private let database: Database
    private let query: AiringQuery
    private let before: PreparedQuery
    /// Of a station that several sources know.
    private var overlay: StationOverlay?

    /// - Parameters:
    ///   - query: What is read of each airing.
    ///   - before: The query's ``AiringQuery/before``.
    init(of station: VisibleStation, _ database: Database, _ query: AiringQuery, before: PreparedQuery) throws {
        self.station = station
        self.database = database
        self.query = query
        self.before = before
        overlay = station.isShared ? try StationOverlay(database, station: station.key) : nil
    }

    /// What a grid shows of the airings that overlap a window, in order; with ``AiringQuery/brief``.
    mutating func during(_ window: TimeWindow) throws -> [Airing] {
        let id = station.id
        return try during(window) { $0.brief(station: id, shown: $1) }
    }

    /// The airings that overlap a window, in order.
    ///
    /// - Parameter airing: Makes an airing of its columns, and of what is shown of it where several sources know the station.
    /// - Complexity: O(airings of the answer), and of a shared station a few seeks for each.
    mutating func during<Airing>(
        _ window: TimeWindow, _ airing: (Columns, TimeWindow?) throws -> Airing
    ) throws -> [Airing] {
        if let shown = try overlay?.shown(during: window) {
            return try shown.flatMap { shown in try read(shown, query) { try airing($0, shown.window) } }
        }
        guard let source = station.source, !window.isEmpty else { return [] }
        var airings: [Airing] = []
        // A window of a few hours mostly shows no more: growing from one would move them three times.
        airings.reserveCapacity(6)
        try before.rows([source, station.key, window.end.secondsSince1970]) { columns in
            guard columns.integer(2) > window.start.secondsSince1970 else { return false }
            airings.append(try airing(columns, nil))
            return true
        }
        airings.reverse()
        return airings
    }

    /// The first airing that starts after an instant.
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
        _ shown: StationOverlay.Shown, _ query: AiringQuery, _ airing: (Columns) throws -> Airing
    ) throws -> [Airing] {
        try database.values(
            query.at, [shown.source, station.key, shown.stored.start.secondsSince1970], value: airing)
    }
}
