import EPGModel
import GRDB

/// The data of a station in queries of several stations.
struct VisibleStation {
    let key: Int64
    let id: StationID
    let name: String
    let source: Int64?
    let position: Int
    /// Whether several sources cover it.
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

/// Statements for the airings of a station from one source. Their columns begin with identifier, start and stop.
struct AiringQuery {
    static let brief = AiringQuery("\(AiringColumns.brief) FROM airing a \(programme)")
    static let full = AiringQuery("\(AiringColumns.full) FROM airing a \(programme)")
    /// Reads a single table.
    static let outline = AiringQuery("\(AiringColumns.outline) FROM airing a")
    /// The columns of an export: the whole programme, then the attributes of the transmission.
    static let exported = AiringQuery(
        """
        \(AiringColumns.full), t.attributes FROM airing a \(programme)
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
    private var overlay: StationOverlay?

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
        _ shown: StationOverlay.Shown, _ query: AiringQuery, _ airing: (Columns) throws -> Airing
    ) throws -> [Airing] {
        try database.values(
            query.at, [shown.source, station.key, shown.stored.start.secondsSince1970], value: airing)
    }
}

/// The combination of several sources of a station by the rule at the table `coverage` of `schema.sql`.
///
/// It reads only the requested airings and adjacent ones, never the whole schedule, and results do not depend on earlier
/// requests. A clump counts as one airing, identified by its start.
struct StationOverlay {
    struct Shown {
        let source: Int64
        /// The stored time.
        let stored: TimeWindow
        /// The shown time.
        let window: TimeWindow
    }

    /// A source with its coverage.
    private struct RankedSource {
        /// The number of the source.
        let id: Int64
        let coverage: TimeWindow
        /// The coverage of all better sources, sorted by start.
        let better: [TimeWindow]
        /// The shown times of airings determined so far, by their start; `nil` for hidden airings.
        var known: [Instant: TimeWindow?] = [:]
    }

    /// The sources of a station in order of precedence. Further sources are ignored.
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

    private let database: Database
    private let station: Int64
    /// The sources in order of precedence.
    private var sources: [RankedSource] = []

    init(_ database: Database, station: Int64) throws {
        self.database = database
        self.station = station
        var better: [TimeWindow] = []
        for source in try database.values(Self.rankingSQL, [station], value: { $0.integer(0) }) {
            // The bounds are beyond all instants of a guide.
            guard let first = try earliest(of: source, after: Instant(secondsSince1970: .min)),
                let last = try latest(of: source, before: Instant(secondsSince1970: .max))
            else { continue }
            let window = TimeWindow(start: first.start, end: max(first.start, last.end))
            sources.append(RankedSource(id: source, coverage: window, better: better))
            better.append(window)
            better.sort { ($0.start, $0.end) < ($1.start, $1.end) }
        }
    }

    /// Returns the shown airings during a window in ascending order: a few seeks per source and airing.
    mutating func shown(during window: TimeWindow) throws -> [Shown] {
        var shown: [Shown] = []
        for (rank, source) in sources.enumerated() where source.coverage.overlaps(window) {
            var end = window.end
            while let airing = try latest(of: source.id, before: end), airing.end > window.start {
                end = airing.start
                guard let left = try self.window(of: airing, rank: rank), left.overlaps(window) else { continue }
                shown.append(Shown(source: source.id, stored: airing, window: left))
            }
        }
        return shown.sorted { $0.window.start < $1.window.start }
    }

    /// Returns the first shown airing that starts after an instant.
    mutating func next(after instant: Instant) throws -> Shown? {
        var best: Shown?
        for (rank, source) in sources.enumerated() where source.coverage.end > instant {
            // An airing that has already begun in its source may be shown from a later instant on.
            var candidate = try latest(of: source.id, before: instant.advanced(by: 1))
            var reached = instant
            while true {
                if let airing = candidate, let window = try window(of: airing, rank: rank), window.start > instant {
                    if best.map({ window.start < $0.window.start }) ?? true {
                        best = Shown(source: source.id, stored: airing, window: window)
                    }
                    break
                }
                candidate = try earliest(of: source.id, after: reached)
                guard let airing = candidate, best.map({ airing.start < $0.window.start }) ?? true else { break }
                reached = airing.start
            }
        }
        return best
    }

    /// Returns the shown time of an airing; `nil` if it is hidden.
    mutating func window(of airing: TimeWindow, source: Int64) throws -> TimeWindow? {
        try sources.firstIndex { $0.id == source }.flatMap { try window(of: airing, rank: $0) }
    }

    private mutating func window(of airing: TimeWindow, rank: Int) throws -> TimeWindow? {
        if rank == 0 { return airing }
        if let known = sources[rank].known[airing.start] { return known }
        var window = Self.firstPiece(of: airing, outside: sources[rank].better)
        if window == nil, try isFree(airing, below: rank) { window = airing }
        sources[rank].known.updateValue(window, forKey: airing.start)
        return window
    }

    /// Returns whether no shown airing of a better source overlaps an airing: at most two unnecessary lookups per source.
    private mutating func isFree(_ airing: TimeWindow, below rank: Int) throws -> Bool {
        for better in 0..<rank where sources[better].coverage.overlaps(airing) {
            var end = airing.end
            while let other = try latest(of: sources[better].id, before: end), other.end > airing.start {
                if try window(of: other, rank: better)?.overlaps(airing) ?? false { return false }
                end = other.start
            }
        }
        return true
    }

    /// Returns the first part of an airing outside windows that are sorted by start.
    private static func firstPiece(of airing: TimeWindow, outside windows: [TimeWindow]) -> TimeWindow? {
        var start = airing.start
        for window in windows where window.end > start {
            if window.start > start { return TimeWindow(start: start, end: min(airing.end, window.start)) }
            start = window.end
            if start >= airing.end { return nil }
        }
        return TimeWindow(start: start, end: airing.end)
    }

    // A damaged index may return rows beyond the bound, which would cause an endless loop.

    private func latest(of source: Int64, before end: Instant) throws -> TimeWindow? {
        try seek(Self.latestSQL, source, end).flatMap { $0.start < end ? $0 : nil }
    }

    private func earliest(of source: Int64, after start: Instant) throws -> TimeWindow? {
        try seek(Self.earliestSQL, source, start).flatMap { $0.start > start ? $0 : nil }
    }

    private func seek(_ sql: String, _ source: Int64, _ bound: Instant) throws -> TimeWindow? {
        try database.values(sql, [source, station, bound.secondsSince1970]) { $0.window(0, 1) }.first
    }
}

extension Airing {
    /// Clips the window to its shown part and keeps the published times.
    mutating func show(_ shown: TimeWindow) {
        guard shown != window else { return }
        published = published ?? PublishedTimes(start: window.start, stop: window.end)
        window = shown
        isCut = true
    }
}
