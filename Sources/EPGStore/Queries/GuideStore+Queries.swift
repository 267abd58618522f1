import EPGJSON
package import EPGModel
import EPGSQL
import EPGSearch
import GRDB

extension GuideStore {
    /// The columns of ``StationRecord``, of the station `s`. The last ones are the number of its first channel and the first logo
    /// of its channels.
    fileprivate static let stationColumns = """
        s.feed_id, s.document, \(isDerivedColumn), s.position, \
        (SELECT c.number FROM channel c CROSS JOIN lineup l ON l.id = c.lineup_id \
        WHERE c.station_id = s.id ORDER BY l.name, c.ordinal LIMIT 1) AS channel_number, \
        (SELECT c.logo FROM channel c CROSS JOIN lineup l ON l.id = c.lineup_id \
        WHERE c.station_id = s.id AND c.logo <> '' ORDER BY l.name, c.ordinal LIMIT 1) AS channel_logo
        """

    /// Whether a station was made for a channel, for ``EPGModel/Station/init(_:nodes:)``.
    static let isDerivedColumn =
        "described_by = (SELECT id FROM source WHERE name = '\(Derivation.source.name)') AS is_derived"

    static let stationsSQL =
        "SELECT \(stationColumns) FROM station s WHERE s.position >= ? AND s.position < ? ORDER BY s.position"

    static let rowsSQL =
        "SELECT \(VisibleStation.columns) FROM station WHERE position >= ? AND position < ? ORDER BY position"

    private static let briefSQL =
        "SELECT title, subtitle, category, is_new, is_premiere, is_live, is_derived, genre FROM programme WHERE id = ?"

    private static let detailSQL = """
        SELECT \(AiringColumns.full), t.attributes, s.feed_id, s.name, o.name, s.source_id = a.source_id,
            \(Showing.columns)
        FROM airing a CROSS JOIN programme p ON p.id = a.programme_id
        CROSS JOIN station s ON s.id = a.station_id CROSS JOIN source o ON o.id = a.source_id
        LEFT JOIN transmission t ON t.id = a.transmission_id
        WHERE a.id = ?
        """

    // MARK: - Stations

    package func stationCount() throws -> Int {
        try read { try Int.fetchOne($0.cachedStatement(sql: "SELECT count(*) FROM station")) ?? 0 }
    }

    package func stations(inRows rows: Range<Int>) throws -> [StationRow] {
        try read { database in
            try StationRecord.fetchAll(
                database.cachedStatement(sql: Self.stationsSQL), arguments: [rows.lowerBound, rows.upperBound]
            ).map { shown($0.row) }
        }
    }

    package func station(_ id: StationID) throws -> StationRow? {
        let sql = "SELECT \(Self.stationColumns) FROM station s WHERE s.feed_id = ?"
        return try read { database in
            try StationRecord.fetchOne(database.cachedStatement(sql: sql), arguments: [id.rawValue])
                .map { shown($0.row) }
        }
    }

    package func stations(
        _ filter: StationFilter, offset: Int, limit: Int
    ) throws -> (total: Int, stations: [StationRow]) {
        try read { database in
            let rows = try StationSelection(database: database).rows(filter)
            let total = try rows?.count ?? stationCount()
            let start = min(max(0, offset), total)
            let page = start..<start + min(max(0, limit), total - start)
            // Read adjacent rows at once.
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
                        genre: columns.genre(7))
                }
            }
        }
    }

    package func airings(_ ids: [AiringID]) throws -> [AiringDetail] {
        try read { database in
            let query = try database.query(Self.detailSQL)
            var times = ShownTimes(OverlayRows(database: database))
            return try ids.flatMap { id in
                try query.values([id.rawValue]) { columns in
                    let next = AiringColumns.fullCount
                    let programme = try columns.programme
                    var detail = AiringDetail(
                        airing: columns.full(station: StationID(columns.text(next + 1)), of: programme),
                        stationName: columns.text(next + 2), programme: programme,
                        transmission: try columns.attributes(next), source: columns.text(next + 3),
                        isShown: columns.flag(next + 4))
                    let showing = Showing(columns, from: next + 5)
                    if showing.isShared { detail.show(try times.shown([showing]).first?.window) }
                    return detail
                }
            }
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

/// A station from ``GuideStore/stationColumns`` with its stored description.
struct StationRecord: FetchableRecord {
    let nodes: [ContentNode]
    let row: StationRow

    init(row: Row) throws {
        nodes = try row.nodes("document")
        self.row = StationRow(
            row: row["position"], station: Station(row, nodes: nodes),
            channelNumber: row.channelNumber("channel_number"), channelLogo: row["channel_logo"])
    }
}

extension Station {
    /// Creates a station from `feed_id`, ``GuideStore/isDerivedColumn`` and its stored description.
    init(_ row: Row, nodes: [ContentNode]) {
        self.init(id: StationID(row["feed_id"]), nodes: nodes, isDerived: row["is_derived"] ?? false)
    }
}

/// The selection of stations by a filter.
struct StationSelection {
    /// The names, identifier and numbers of all stations.
    static let textsSQL = "SELECT position, feed_id, document, number, id FROM station ORDER BY position"

    /// The channels with a station, of all lineups or of one (`?1`), in the order of the lineups.
    static let channelsSQL = """
        SELECT c.station_id, c.groups, c.number FROM lineup l CROSS JOIN channel c ON c.lineup_id = l.id
        WHERE c.station_id IS NOT NULL AND (?1 IS NULL OR l.name = ?1) ORDER BY l.name, c.ordinal
        """

    static let positionsSQL = "SELECT position, id FROM station ORDER BY position"

    let database: Database

    /// Returns the rows of matching stations, ascending; `nil` for all.
    func rows(_ filter: StationFilter) throws -> [Int]? {
        let words = try StationText(filter.text, WordTokenizer(database))
        let members = filter.group == nil && filter.lineup == nil ? nil : try self.members(filter)
        if words.isEmpty, members == nil { return nil }
        let numbers = words.isEmpty ? [:] : try channelNumbers()
        let stations = try Row.fetchCursor(database, sql: words.isEmpty ? Self.positionsSQL : Self.textsSQL)
        let selected = stations.filter { row in
            let key: Int64 = row["id"]
            guard members?.contains(key) ?? true else { return false }
            if words.isEmpty { return true }
            return try words.matches(Self.texts(row) + (numbers[key] ?? []))
        }
        return try Array(selected.map { $0["position"] })
    }

    private static func texts(_ row: Row) throws -> [String] {
        let station = Station(id: StationID(row["feed_id"]), nodes: try row.nodes("document"))
        let number: String? = row["number"]
        return station.displayNames.map(\.text) + [station.id.rawValue, number].compactMap { $0 }
    }

    /// Returns the groups of all lineups with their numbers of stations.
    func groups() throws -> [NameCount] {
        var counter = GroupCounter()
        try channels(ofLineup: nil) { station, groups, _ in counter.add(station, to: groups) }
        return counter.counts
    }

    /// Returns the stations of a lineup, a group, or a group of a lineup.
    private func members(_ filter: StationFilter) throws -> Set<Int64> {
        var members: Set<Int64> = []
        try channels(ofLineup: filter.lineup) { station, groups, _ in
            if filter.group.map(groups.contains) ?? true { members.insert(station) }
        }
        return members
    }

    private func channelNumbers() throws -> [Int64: [String]] {
        var numbers: [Int64: [String]] = [:]
        try channels(ofLineup: nil) { station, _, number in
            if let number { numbers[station, default: []].append(number) }
        }
        return numbers
    }

    private func channels(
        ofLineup lineup: String?, _ body: (_ station: Int64, _ groups: [String], _ number: String?) -> Void
    ) throws {
        let channels = try Row.fetchCursor(database, sql: Self.channelsSQL, arguments: [lineup])
        while let row = try channels.next() { body(row["station_id"], try row.texts("groups"), row["number"]) }
    }
}

extension GuideStore {
    /// - Precondition: The visitor does not use this store, because its connection is busy.
    package func export<Visitor: GuideVisitor>(_ selection: ExportSelection, to visitor: inout Visitor) throws {
        try read { try ExportReader($0, selection).read(into: &visitor) }
    }
}

/// A reader of a guide in the order of an export.
private struct ExportReader {
    private let database: Database
    private let selection: ExportSelection
    private let scope: ExportScope

    init(_ database: Database, _ selection: ExportSelection) throws {
        self.database = database
        self.selection = selection
        let sources = try database.values("SELECT id, name FROM source") { ($0.integer(0), $0.text(1)) }
        scope = try ExportScope(of: selection, in: sources)
    }

    func read(into visitor: inout some GuideVisitor) throws {
        try visitor.begin(header: try header())
        for station in try stations(into: &visitor) where !scope.window.isEmpty {
            try airings(of: station, into: &visitor)
        }
        try visitor.end()
    }

    /// Returns the attributes of `<tv>` of the only source.
    private func header() throws -> [ContentAttribute] {
        guard let source = scope.describingSource else { return [] }
        let sql = "SELECT header FROM source_state WHERE source_id = ?"
        return try Row.fetchOne(database, sql: sql, arguments: [source])?.attributes("header") ?? []
    }

    /// Visits the selected stations and returns them; with a selected source, only that source counts.
    private func stations(into visitor: inout some GuideVisitor) throws -> [VisibleStation] {
        var stations: [VisibleStation] = []
        let rows = try Row.fetchCursor(
            database,
            sql: """
                SELECT \(GuideStore.stationColumns), s.id, s.source_id, s.is_shared FROM station s
                WHERE :source IS NULL OR s.described_by IS :source
                    OR EXISTS (SELECT 1 FROM coverage c WHERE c.station_id = s.id AND c.source_id = :source)
                ORDER BY \(selection.inRows ? "s.position" : "s.described_by IS NULL, s.described_by, s.ordinal, s.id")
                """, arguments: ["source": scope.source])
        while let row = try rows.next() {
            let record = try StationRecord(row: row)
            let station = record.row.station
            guard selection.stations?(station) ?? true else { continue }
            stations.append(
                VisibleStation(
                    key: row["id"], id: station.id, name: station.name, source: scope.source ?? row["source_id"],
                    position: record.row.row, isShared: scope.source == nil && row["is_shared"]))
            try visitor.station(record.row, nodes: record.nodes)
        }
        return stations
    }

    /// Visits airings one by one, because a station may have up to the import limit, each with a long description.
    private func airings(of station: VisibleStation, into visitor: inout some GuideVisitor) throws {
        if station.isShared {
            var overlay = try StationOverlay(database, station: station.key)
            for shown in try overlay.shown(during: scope.window) {
                let start = shown.stored.start.secondsSince1970
                try database.rows(AiringQuery.exported.at, [shown.source, station.key, start]) {
                    try visit($0, of: station, from: shown.source, shown: shown.window, &visitor)
                }
            }
        } else if let source = station.source {
            let (start, end) = (scope.window.start.secondsSince1970, scope.window.end.secondsSince1970)
            try database.rows(AiringQuery.exported.during, [source, station.key, end, start]) {
                try visit($0, of: station, from: source, shown: nil, &visitor)
            }
        }
    }

    private func visit(
        _ columns: Columns, of station: VisibleStation, from source: Int64, shown: TimeWindow?,
        _ visitor: inout some GuideVisitor
    ) throws -> Bool {
        let name = scope.sourceNames[source] ?? ""
        try visitor.airing(columns.exported(station: station.id, source: name, shown: shown))
        return true
    }
}
