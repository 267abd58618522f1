import EPGJSON
package import EPGModel
package import EPGSQL
import EPGSearch
import GRDB

extension GuideStore {
    static let rowsSQL =
        "SELECT \(VisibleStation.columns) FROM station s WHERE s.position >= ? AND s.position < ? ORDER BY s.position"

    private static let briefSQL =
        "SELECT title, subtitle, category, is_new, is_premiere, is_live, is_derived, is_repeat, genre FROM programme WHERE id = ?"

    // MARK: - Schedules and airings

    /// The viewport query.
    package func schedules(inRows rows: Range<Int>, during window: TimeWindow) throws -> [RowSchedule] {
        try stations(inRows: rows) { station, airings in
            let schedule = try schedule(of: station.id, try airings.during(window))
            return RowSchedule(row: station.position, stationName: station.name, schedule: schedule)
        }
    }

    package func schedule(of id: StationID, during window: TimeWindow) throws -> Schedule {
        try read { database in
            let key = try Int64.fetchOne(
                database.cachedStatement(sql: "SELECT id FROM station WHERE feed_id = ?"), arguments: [id.rawValue])
            let stationSQL = "SELECT \(VisibleStation.columns) FROM station s WHERE s.id = ?"
            guard let key, let station = try database.values(stationSQL, [key], value: VisibleStation.init).first
            else { return try schedule(of: id, []) }
            let before = try database.query(AiringQuery.full.before)
            var airings = try StationAirings(of: station, database, .full, before: before)
            let found = try airings.during(window) { try $0.full(station: id, shown: $1) }
            return try schedule(of: id, found)
        }
    }

    package func nowAndNext(at instant: Instant, inRows rows: Range<Int>) throws -> [NowAndNext] {
        let moment = TimeWindow(start: instant, end: instant.advanced(by: 1))
        return try stations(inRows: rows) { station, airings in
            NowAndNext(
                row: station.position, station: station.id, stationName: station.name, now: try airings.during(moment),
                next: try airings.next(after: instant))
        }
    }

    package func outlines(inRows rows: [Int], during window: TimeWindow) throws -> [Int: [AiringOutline]] {
        var found: [Int: [AiringOutline]] = [:]
        for row in rows {
            found[row] =
                try stations(inRows: row..<row + 1, .outline) { station, airings in
                    let outlines = try airings.during(window) { $0.outline(shown: $1) }
                    try checkOrder(of: outlines, on: station.id)
                    return outlines
                }.first
        }
        return found
    }

    package func contents(inRows rows: Range<Int>, during window: TimeWindow) throws -> [Int: [AiringContent]] {
        try read { database in
            let stations = try stations(inRows: rows, .content) { station, airings in
                (row: station.position, airings: try airings.during(window) { $0.content(shown: $1) })
            }
            return try StoredContent.contents(stations, SQLiteConnection(database: database))
        }
    }

    package func briefs(ofProgrammes numbers: [Int64]) throws -> [ProgrammeBrief] {
        try read { database in
            let query = try database.query(Self.briefSQL)
            return try numbers.flatMap { number in
                try query.values([number]) { columns in
                    ProgrammeBrief(
                        number: number, title: columns.text(0), subtitle: columns.textIfPresent(1),
                        category: columns.textIfPresent(2), marks: columns.marks(from: 3),
                        genre: columns.genre(8))
                }
            }
        }
    }

    /// Returns a value for each station in rows, made from its airings.
    private func stations<Shown>(
        inRows rows: Range<Int>, _ query: AiringQuery = .brief,
        _ shown: (VisibleStation, inout StationAirings) throws -> Shown
    ) throws -> [Shown] {
        try read { database in
            let before = try database.query(query.before)
            let bounds = [Int64(rows.lowerBound), Int64(rows.upperBound)]
            return try database.values(Self.rowsSQL, bounds, value: VisibleStation.init).map { station in
                var airings = try StationAirings(of: station, database, query, before: before)
                return try shown(station, &airings)
            }
        }
    }

    /// - Throws: ``StoreError`` if airings overlap, which means that another program modified the database.
    private func schedule(of station: StationID, _ airings: [Airing]) throws -> Schedule {
        do {
            return try Schedule(checking: airings, of: station)
        } catch {
            throw overlap(of: error.first, error.second, on: station)
        }
    }

    private func checkOrder(of airings: [AiringOutline], on station: StationID) throws {
        for (previous, next) in zip(airings, airings.dropFirst()) {
            guard next.window.start < previous.window.end || next.window.start < previous.window.start,
                next.window != previous.window || !next.isInClump || !previous.isInClump
            else { continue }
            throw overlap(of: previous.id, next.id, on: station)
        }
    }

    private func overlap(of first: AiringID, _ second: AiringID, on station: StationID) -> StoreError {
        .damaged(path: path, detail: "the airings \(first) and \(second) of \(station) overlap")
    }
}

extension GuideStore {
    package func filtering<Value>(
        by text: String?, _ body: ((([String]) throws -> Bool)?) throws -> Value
    ) throws -> Value {
        try read { database in
            let text = try StationText(text, WordTokenizer(database))
            return try body(text.isEmpty ? nil : text.matches)
        }
    }

    package func shown(_ showings: [Showing]) throws -> [Showing] {
        try read { database in
            var times = ShownTimes(SQLiteSeeker(database: database))
            return try times.shown(showings)
        }
    }

    package func visitAirings(
        of station: VisibleStation, during window: TimeWindow,
        _ body: (any StoredRow, _ source: Int64, _ shown: TimeWindow?) throws -> Void
    ) throws {
        try read { database in
            if station.isShared {
                var overlay = try StationOverlay(database, station: station.key)
                for shown in try overlay.shown(during: window) {
                    let start = shown.stored.start.secondsSince1970
                    try database.rows(AiringQuery.exported.at, [shown.source, station.key, start]) {
                        try body($0, shown.source, shown.window)
                        return true
                    }
                }
            } else if let source = station.source {
                let (start, end) = (window.start.secondsSince1970, window.end.secondsSince1970)
                try database.rows(AiringQuery.exported.during, [source, station.key, end, start]) {
                    try body($0, source, nil)
                    return true
                }
            }
        }
    }
}
