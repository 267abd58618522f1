package import EPGModel
import GRDB

extension GuideStore {
    /// The columns of ``StationRecord``, of the station `s`. The last one is the number of the first channel that shows it.
    static let stationColumns = """
        s.feed_id, s.document, s.position, \
        (SELECT c.number FROM channel c CROSS JOIN lineup l ON l.id = c.lineup_id \
        WHERE c.station_id = s.id ORDER BY l.name, c.ordinal LIMIT 1) AS channel_number
        """

    static let stationsSQL =
        "SELECT \(stationColumns) FROM station s WHERE s.position >= ? AND s.position < ? ORDER BY s.position"

    static let versionSQL =
        "SELECT g.generation, n.nonce, n.at FROM guide g LEFT JOIN generation n ON n.generation = g.generation"

    static let rowsSQL =
        "SELECT \(VisibleStation.columns) FROM station WHERE position >= ? AND position < ? ORDER BY position"

    private static let briefSQL =
        "SELECT title, subtitle, category, is_new, is_premiere, is_live FROM programme WHERE id = ?"

    private static let detailSQL = """
        SELECT \(AiringColumns.full), t.attributes, s.feed_id, s.name, o.name, s.source_id = a.source_id,
            \(Showing.columns)
        FROM airing a CROSS JOIN programme p ON p.id = a.programme_id
        CROSS JOIN station s ON s.id = a.station_id CROSS JOIN source o ON o.id = a.source_id
        LEFT JOIN transmission t ON t.id = a.transmission_id
        WHERE a.id = ?
        """

    // MARK: - Versions

    package func version() throws -> GuideVersion {
        try read { database in
            guard let row = try Row.fetchOne(database.cachedStatement(sql: Self.versionSQL)) else {
                throw DatabaseError(resultCode: .SQLITE_CORRUPT, message: "the table guide has no row")
            }
            return Self.version(row)
        }
    }

    package func version(of generation: Generation) throws -> GuideVersion? {
        guard generation.rawValue > 0 else { return GuideVersion(generation: Generation(0), nonce: 0, since: nil) }
        return try read { database in
            try Row.fetchOne(
                database, sql: "SELECT generation, nonce, at FROM generation WHERE generation = ?",
                arguments: [generation.rawValue]
            ).map(Self.version)
        }
    }

    private static func version(_ row: Row) -> GuideVersion {
        GuideVersion(generation: Generation(row["generation"]), nonce: row["nonce"] ?? 0, since: row.instant("at"))
    }

    // MARK: - Stations

    package func stationCount() throws -> Int {
        try read { try Int.fetchOne($0.cachedStatement(sql: "SELECT count(*) FROM station")) ?? 0 }
    }

    package func stations(inRows rows: Range<Int>) throws -> [StationRow] {
        try read { database in
            try StationRecord.fetchAll(
                database.cachedStatement(sql: Self.stationsSQL), arguments: [rows.lowerBound, rows.upperBound]
            ).map(\.row)
        }
    }

    package func station(_ id: StationID) throws -> StationRow? {
        let sql = "SELECT \(Self.stationColumns) FROM station s WHERE s.feed_id = ?"
        return try read { try StationRecord.fetchOne($0, sql: sql, arguments: [id.rawValue])?.row }
    }

    package func stations(
        _ filter: StationFilter, offset: Int, limit: Int
    ) throws -> (total: Int, stations: [StationRow]) {
        try read { database in
            let rows = try StationSelection(database: database).rows(filter)
            let total = try rows?.count ?? stationCount()
            let start = min(max(0, offset), total)
            let page = start..<start + min(max(0, limit), total - start)
            // Neighbors are read at once.
            let ranges = rows.map { Array(RangeSet($0[page].map { $0..<$0 + 1 }).ranges) } ?? [page]
            return (total, try ranges.flatMap { try stations(inRows: $0) })
        }
    }

    package func stationGroups() throws -> [NameCount] { try read { try StationSelection(database: $0).groups() } }

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
            let stationSQL = "SELECT \(VisibleStation.columns) FROM station WHERE id = ?"
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

    package func outlines(inRow row: Int, during window: TimeWindow) throws -> [AiringOutline] {
        try stations(inRows: row..<row + 1, .outline) { station, airings in
            let outlines = try airings.during(window) { $0.outline(shown: $1) }
            try checkOrder(of: outlines, on: station.id)
            return outlines
        }.first ?? []
    }

    package func briefs(ofProgrammes numbers: [Int64]) throws -> [ProgrammeBrief] {
        try read { database in
            let query = try database.query(Self.briefSQL)
            return try numbers.flatMap { number in
                try query.values([number]) { columns in
                    ProgrammeBrief(
                        number: number, title: columns.text(0), subtitle: columns.textIfPresent(1),
                        category: columns.textIfPresent(2), marks: columns.marks(from: 3))
                }
            }
        }
    }

    package func airing(_ id: AiringID) throws -> AiringDetail? {
        try read { database in
            let found = try database.values(Self.detailSQL, [id.rawValue]) { columns in
                let next = AiringColumns.fullCount
                let detail = AiringDetail(
                    airing: try columns.full(station: StationID(columns.text(next + 1))),
                    stationName: columns.text(next + 2), programme: try columns.programme,
                    transmission: try columns.attributes(next), source: columns.text(next + 3),
                    isShown: columns.integer(next + 4) != 0)
                return (detail: detail, showing: Showing(columns, from: next + 5))
            }
            guard case (var detail, let showing)? = found.first else { return nil }
            if showing.isShared {
                var times = ShownTimes()
                let shown = try times.shown([showing], in: database).first
                if let shown { detail.airing.show(shown.window) }
                detail.isShown = shown != nil
            }
            return detail
        }
    }

    package func guideSpan() throws -> TimeWindow? {
        try read { database in
            try Row.fetchOne(database, sql: "SELECT min(start) AS start, max(stop) AS stop FROM coverage")?
                .window("start", "stop")
        }
    }

    package func categories() throws -> [NameCount] {
        try read { database in
            try database.values(
                """
                SELECT category, count(*) FROM programme WHERE category <> '' GROUP BY category
                ORDER BY count(*) DESC, category LIMIT 500
                """
            ) { NameCount(name: $0.text(0), count: Int($0.integer(1))) }
        }
    }

    /// What some rows show, each with the airings of its station.
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

    /// - Throws: ``StoreError`` where airings overlap: the database was changed by something else.
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

/// A station of ``GuideStore/stationColumns``, and its description as it is stored.
struct StationRecord: FetchableRecord {
    let nodes: [ContentNode]
    let row: StationRow

    init(row: Row) throws {
        nodes = try row.nodes("document")
        self.row = StationRow(
            row: row["position"], station: Station(id: StationID(row["feed_id"]), nodes: nodes),
            channelNumber: row.channelNumber("channel_number"))
    }
}
