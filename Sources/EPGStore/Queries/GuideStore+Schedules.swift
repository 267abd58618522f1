package import EPGModel
import GRDB

extension GuideStore {
    /// The viewport query: the airings of one station that start before an instant, the latest first.
    ///
    /// One seek in the clustered key; the caller stops at the first airing that ends before its window, so the cost is
    /// that of what is visible. The join is one seek by row number for each airing.
    static let viewportSQL = """
        SELECT \(AiringColumns.brief) FROM airing a CROSS JOIN programme p ON p.id = a.programme_id
        WHERE a.source_id = ? AND a.station_id = ? AND a.start < ? ORDER BY a.start DESC, a.part DESC
        """

    /// The stations of some rows, with what the viewport query needs to know of them.
    static let rowsSQL = """
        SELECT id, feed_id, name, source_id, position, is_shared FROM station
        WHERE position >= ? AND position < ? ORDER BY position
        """

    static let nextSQL = """
        SELECT \(AiringColumns.brief) FROM airing a CROSS JOIN programme p ON p.id = a.programme_id
        WHERE a.source_id = ? AND a.station_id = ? AND a.start > ? ORDER BY a.start, a.part LIMIT 1
        """

    private static let fullSQL = """
        SELECT \(AiringColumns.full) FROM airing a CROSS JOIN programme p ON p.id = a.programme_id
        WHERE a.source_id = ? AND a.station_id = ? AND a.start < ? ORDER BY a.start DESC, a.part DESC
        """

    /// A station as the queries over many of them see it.
    struct VisibleStation {
        let key: Int64
        let id: StationID
        let name: String
        let source: Int64?
        let position: Int
        /// Whether several sources know it.
        let isShared: Bool
    }

    package func schedules(inRows rows: Range<Int>, during window: TimeWindow) throws -> [RowSchedule] {
        try read { database in
            try self.rows(rows, database).map { row in
                let airings = try Self.airings(of: row, during: window, database)
                return RowSchedule(
                    row: row.position, stationName: row.name, schedule: try Self.schedule(row.id, airings, path))
            }
        }
    }

    package func schedules(inRows rows: [Int], during window: TimeWindow) throws -> [RowSchedule] {
        try read { _ in
            let found = try NeighboringRows(rows).flatMap { try schedules(inRows: $0, during: window) }
            return NeighboringRows.inOrder(of: rows, found, row: \.row)
        }
    }

    package func schedule(of station: StationID, during window: TimeWindow) throws -> Schedule {
        try read { database in
            var airings: [Airing] = []
            let row = try database.firstRow(
                "SELECT id, source_id, is_shared FROM station WHERE feed_id = ?", .text(station.rawValue)
            ) { (key: $0.integer(0), source: $0.integerIfPresent(1), isShared: $0.integer(2) != 0) }
            if let row, row.isShared {
                var overlay = try StationOverlay(database, station: row.key)
                airings = try overlay.airings(during: window, of: station, as: .full)
                return try Self.schedule(station, airings, path)
            }
            if let row, let source = row.source, !window.isEmpty {
                try database.rows(
                    Self.fullSQL, .integer(source), .integer(row.key), .integer(window.end.secondsSince1970)
                ) { columns in
                    guard columns.integer(2) > window.start.secondsSince1970 else { return false }
                    airings.append(try AiringColumns.full(columns, station: station))
                    return true
                }
            }
            airings.reverse()
            return try Self.schedule(station, airings, path)
        }
    }

    package func nowAndNext(at instant: Instant, inRows rows: Range<Int>) throws -> [NowAndNext] {
        let moment = TimeWindow(start: instant, end: instant.advanced(by: 1))
        return try read { database in
            try self.rows(rows, database).map { row in
                var now: [Airing] = []
                var next: Airing?
                if row.isShared {
                    var overlay = try StationOverlay(database, station: row.key)
                    now = try overlay.airings(during: moment, of: row.id, as: .brief)
                    next = try overlay.nextAiring(after: instant, of: row.id)
                } else if let source = row.source {
                    now = try Self.airings(of: row, during: moment, database)
                    next = try database.firstRow(
                        Self.nextSQL, .integer(source), .integer(row.key), .integer(instant.secondsSince1970)
                    ) { AiringColumns.brief($0, station: row.id) }
                }
                return NowAndNext(
                    row: row.position, station: row.id, stationName: row.name, now: now, next: next)
            }
        }
    }

    /// The stations of some rows.
    func rows(_ rows: Range<Int>, _ database: Database) throws -> [VisibleStation] {
        var found: [VisibleStation] = []
        try database.rows(
            Self.rowsSQL, .integer(Int64(rows.lowerBound)), .integer(Int64(rows.upperBound))
        ) { columns in
            found.append(
                VisibleStation(
                    key: columns.integer(0), id: StationID(columns.text(1)), name: columns.text(2),
                    source: columns.integerIfPresent(3), position: Int(columns.integer(4)),
                    isShared: columns.integer(5) != 0))
            return true
        }
        return found
    }

    private static func airings(of row: VisibleStation, during window: TimeWindow, _ database: Database) throws
        -> [Airing]
    {
        if row.isShared {
            var overlay = try StationOverlay(database, station: row.key)
            return try overlay.airings(during: window, of: row.id, as: .brief)
        }
        guard let source = row.source, !window.isEmpty else { return [] }
        var airings: [Airing] = []
        try database.rows(
            viewportSQL, .integer(source), .integer(row.key), .integer(window.end.secondsSince1970)
        ) { columns in
            guard columns.integer(2) > window.start.secondsSince1970 else { return false }
            airings.append(AiringColumns.brief(columns, station: row.id))
            return true
        }
        airings.reverse()
        return airings
    }

    /// A schedule of what was read; overlaps mean that the database was changed by something else.
    private static func schedule(_ station: StationID, _ airings: [Airing], _ path: String) throws -> Schedule {
        do {
            return try Schedule(checking: airings, of: station)
        } catch {
            throw StoreError.damaged(
                path: path, detail: "the airings \(error.first) and \(error.second) of \(station) overlap")
        }
    }
}
