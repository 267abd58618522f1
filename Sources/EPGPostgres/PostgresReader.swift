import EPGJSON
import EPGModel
import EPGSQL
import EPGSearch

/// Queries of a guide on PostgreSQL through one connection. See ``GuideReading``.
///
/// A read of ``PostgresGuide`` is one transaction that sees one state of the guide.
class PostgresReader: GuideReading, SQLReading, @unchecked Sendable {
    let connection: PostgresConnection
    let location: String
    /// Changes the stations that reads return.
    let shown: @Sendable (StationRow) -> StationRow
    let search: PostgresSearch

    init(
        _ connection: PostgresConnection, location: String, search: PostgresSearch,
        shown: @escaping @Sendable (StationRow) -> StationRow = { $0 }
    ) {
        self.connection = connection
        self.location = location
        self.search = search
        self.shown = shown
    }

    /// Runs a method of this protocol; a writer converts its errors here.
    func read<Value>(_ body: () throws -> Value) throws -> Value {
        do {
            return try body()
        } catch let damage as GuideDamage {
            throw StoreError.damaged(path: location, detail: damage.detail)
        } catch let damage as StoredDocument.Damage {
            throw StoreError.damaged(path: location, detail: "a document that cannot be read: \(damage.detail)")
        }
    }

    func reading<Value>(_ body: (any SQLConnection) throws -> Value) throws -> Value {
        try read { try body(connection) }
    }

    func state() throws -> GuideState { try reading { try $0.state() } }

    // MARK: - Stations

    /// The columns of ``station(_:)``, of the station `s`.
    static let stationColumns = """
        s.feed_id, s.document, s.position, s.described_by IS NOT DISTINCT FROM
            (SELECT id FROM source WHERE name = '\(Derivation.source.name)') AND s.described_by IS NOT NULL,
        (SELECT c.number FROM channel c JOIN lineup l ON l.id = c.lineup_id
            WHERE c.station_id = s.id ORDER BY l.name, c.ordinal LIMIT 1),
        (SELECT c.logo FROM channel c JOIN lineup l ON l.id = c.lineup_id
            WHERE c.station_id = s.id AND c.logo <> '' ORDER BY l.name, c.ordinal LIMIT 1)
        """

    static func station(_ row: PostgresRow) throws -> (nodes: [ContentNode], row: StationRow) {
        let nodes = try StoredDocument.nodes(row.blob(1))
        let station = Station(id: StationID(row.text(0)), nodes: nodes, isDerived: row.flag(3))
        return (
            nodes,
            StationRow(
                row: Int(row.integer(2)), station: station,
                channelNumber: row.textIfPresent(4).flatMap { ChannelNumber($0) }, channelLogo: row.textIfPresent(5))
        )
    }

    func stationCount() throws -> Int { Int(try connection.integer("SELECT count(*) FROM station") ?? 0) }

    func stations(inRows rows: Range<Int>) throws -> [StationRow] {
        try read {
            try connection.values(
                """
                SELECT \(Self.stationColumns) FROM station s WHERE s.position >= $1 AND s.position < $2 ORDER BY s.position
                """, [.integer(Int64(rows.lowerBound)), .integer(Int64(rows.upperBound))]
            ) { shown(try Self.station($0).row) }
        }
    }

    func station(_ id: StationID) throws -> StationRow? {
        try read {
            try connection.first(
                "SELECT \(Self.stationColumns) FROM station s WHERE s.feed_id = $1", [.text(id.rawValue)]
            ) { shown(try Self.station($0).row) }
        }
    }

    func stations(
        _ filter: StationFilter, offset: Int, limit: Int
    ) throws -> (total: Int, stations: [StationRow]) {
        try read {
            let rows = try TokenizerConnection.shared.withTokenizer { tokenizer in
                try selectedRows(filter, StationText(filter.text, tokenizer))
            }
            let total = try rows?.count ?? stationCount()
            let start = min(max(0, offset), total)
            let page = start..<start + min(max(0, limit), total - start)
            guard let rows else { return (total, try stations(inRows: page)) }
            let stations = try connection.values(
                "SELECT \(Self.stationColumns) FROM station s WHERE s.position = ANY($1) ORDER BY s.position",
                [.integers(rows[page].map(Int64.init))]
            ) { shown(try Self.station($0).row) }
            return (total, stations)
        }
    }

    /// Returns the rows of matching stations, ascending; `nil` for all.
    private func selectedRows(_ filter: StationFilter, _ text: StationText) throws -> [Int]? {
        var members: Set<Int64>?
        if filter.group != nil || filter.lineup != nil {
            members = []
            try channels(ofLineup: filter.lineup) { station, groups, _ in
                if filter.group.map(groups.contains) ?? true { members?.insert(station) }
            }
        }
        if text.isEmpty, members == nil { return nil }
        var numbers: [Int64: [String]] = [:]
        if !text.isEmpty {
            try channels(ofLineup: nil) { station, _, number in
                if let number { numbers[station, default: []].append(number) }
            }
        }
        var rows: [Int] = []
        try connection.rows("SELECT position, feed_id, document, number, id FROM station ORDER BY position") { row in
            let key = row.integer(4)
            guard members?.contains(key) ?? true else { return true }
            if !text.isEmpty {
                let station = Station(id: StationID(row.text(1)), nodes: try StoredDocument.nodes(row.blob(2)))
                let texts =
                    station.displayNames.map(\.text) + [station.id.rawValue, row.textIfPresent(3)].compactMap { $0 }
                    + (numbers[key] ?? [])
                guard try text.matches(texts) else { return true }
            }
            rows.append(Int(row.integer(0)))
            return true
        }
        return rows
    }

    func stationGroups() throws -> [NameCount] {
        try read {
            var counter = GroupCounter()
            try channels(ofLineup: nil) { station, groups, _ in counter.add(station, to: groups) }
            return counter.counts
        }
    }

    /// Visits the channels with a station, of all lineups or of one, in the order of the lineups.
    private func channels(
        ofLineup lineup: String?, _ body: (_ station: Int64, _ groups: [String], _ number: String?) -> Void
    ) throws {
        try connection.rows(
            """
            SELECT c.station_id, c.groups, c.number FROM lineup l JOIN channel c ON c.lineup_id = l.id
            WHERE c.station_id IS NOT NULL AND ($1 IS NULL OR l.name = $1) ORDER BY l.name, c.ordinal
            """, [.text(lineup)]
        ) { row in
            body(row.integer(0), try StoredDocument.texts(row.blob(1)), row.textIfPresent(2))
            return true
        }
    }

    // MARK: - Schedules

    /// Returns the statement of the viewport: the stations that a condition selects, in row order, each with the airings of its
    /// only source that overlap a window. `$1` and `$2` are the bounds of the window.
    ///
    /// It seeks the last airing that starts by the beginning of the window, and then reads to the end.
    static func viewportSQL(_ columns: String, readsProgrammes: Bool = true, where condition: String) -> String {
        """
        SELECT s.id, s.feed_id, s.name, s.source_id, s.position, s.is_shared, a.*
        FROM station s LEFT JOIN LATERAL (
            SELECT \(columns) FROM airing a \(readsProgrammes ? "JOIN programme p ON p.id = a.programme_id" : "")
            WHERE a.source_id = s.source_id AND a.station_id = s.id AND a.start < $2 AND a.stop > $1
                AND a.start >= coalesce((
                    SELECT b.start FROM airing b WHERE b.source_id = s.source_id AND b.station_id = s.id AND b.start <= $1
                    ORDER BY b.start DESC LIMIT 1), $1)
            ORDER BY a.start, a.part
        ) a ON NOT s.is_shared
        WHERE \(condition) ORDER BY s.position, a.start, a.part
        """
    }

    static let gridSQL = viewportSQL(
        AiringColumns.brief, where: "s.position >= $3 AND s.position < $4")

    /// The columns of a station before those of an airing.
    private struct Visible {
        let key: Int64
        let id: StationID
        let name: String
        let position: Int
        let isShared: Bool

        init(_ row: PostgresRow) {
            key = row.integer(0)
            id = StationID(row.text(1))
            name = row.text(2)
            position = Int(row.integer(4))
            isShared = row.flag(5)
        }
    }

    /// Returns the stations of ``viewportSQL(_:readsProgrammes:where:)``, each with its airings.
    private func viewport<Airing>(
        _ sql: String, _ columns: String, readsProgrammes: Bool = true, _ window: TimeWindow,
        _ parameters: [SQLValue],
        _ airing: (PostgresRow, StationID, TimeWindow?) throws -> Airing
    ) throws -> [(station: Visible, airings: [Airing])] {
        var found: [(station: Visible, airings: [Airing])] = []
        var window = window
        // No airing overlaps an empty window, whose bounds the statement would include.
        if window.isEmpty { window = TimeWindow(start: .endOfTime, end: .endOfTime) }
        let bounds: [SQLValue] = [
            .integer(window.start.secondsSince1970), .integer(window.end.secondsSince1970),
        ]
        try connection.rows(sql, bounds + parameters) { row in
            if found.last?.station.key != row.integer(0) { found.append((Visible(row), [])) }
            if !row.isNull(6) {
                let station = found[found.count - 1].station.id
                found[found.count - 1].airings.append(try airing(row.columns(from: 6), station, nil))
            }
            return true
        }
        let shared = found.indices.filter { found[$0].station.isShared }
        let seeker = PostgresSeeker(connection: connection)
        try seeker.prepare(shared.map { (found[$0].station.key, window) })
        var wanted: [(index: Int, shown: PostgresOverlay.Shown)] = []
        for index in shared {
            var overlay = try PostgresOverlay(seeker, station: found[index].station.key)
            wanted += try overlay.shown(during: window).map { (index, $0) }
        }
        try visit(
            wanted.map { (found[$0.index].station.key, $0.shown) }, columns, readsProgrammes: readsProgrammes
        ) { row, place in
            let (index, shown) = wanted[place]
            found[index].airings.append(try airing(row, found[index].station.id, shown.window))
        }
        return found
    }

    /// Visits shown airings of shared stations, of which some are clumps.
    private func visit(
        _ shown: [(station: Int64, PostgresOverlay.Shown)], _ columns: String, readsProgrammes: Bool,
        _ body: (PostgresRow, _ place: Int) throws -> Void
    ) throws {
        guard !shown.isEmpty else { return }
        try connection.rows(
            """
            SELECT w.place, \(columns)
            FROM unnest($1::bigint[], $2::bigint[], $3::bigint[]) WITH ORDINALITY AS w (station, source, start, place)
            JOIN airing a ON a.source_id = w.source AND a.station_id = w.station AND a.start = w.start
            \(readsProgrammes ? "JOIN programme p ON p.id = a.programme_id" : "") ORDER BY w.place, a.part
            """,
            [
                .integers(shown.map(\.station)), .integers(shown.map(\.1.source)),
                .integers(shown.map(\.1.stored.start.secondsSince1970)),
            ]
        ) { row in
            try body(row.columns(from: 1), Int(row.integer(0)) - 1)
            return true
        }
    }

    func schedules(inRows rows: Range<Int>, during window: TimeWindow) throws -> [RowSchedule] {
        try viewport(
            Self.gridSQL, AiringColumns.brief, window,
            [.integer(Int64(rows.lowerBound)), .integer(Int64(rows.upperBound))]
        ) { $0.brief(station: $1, shown: $2) }.map { station, airings in
            RowSchedule(
                row: station.position, stationName: station.name, schedule: try schedule(of: station.id, airings))
        }
    }

    private static let scheduleSQL = viewportSQL(AiringColumns.full, where: "s.feed_id = $3")

    func schedule(of id: StationID, during window: TimeWindow) throws -> Schedule {
        try read {
            let found = try viewport(Self.scheduleSQL, AiringColumns.full, window, [.text(id.rawValue)]) {
                try $0.full(station: id, shown: $2)
            }
            return try schedule(of: id, found.first?.airings ?? [])
        }
    }

    private static let outlineSQL = viewportSQL(
        AiringColumns.outline, readsProgrammes: false, where: "s.position = ANY($3)")

    func outlines(inRows rows: [Int], during window: TimeWindow) throws -> [Int: [AiringOutline]] {
        let found = try viewport(
            Self.outlineSQL, AiringColumns.outline, readsProgrammes: false, window, [.integers(rows.map(Int64.init))]
        ) { airing, _, shown in airing.outline(shown: shown) }
        for (station, outlines) in found {
            for (previous, next) in zip(outlines, outlines.dropFirst()) {
                guard next.window.start < previous.window.end,
                    next.window != previous.window || !next.isInClump || !previous.isInClump
                else { continue }
                throw overlap(of: previous.id, next.id, on: station.id)
            }
        }
        return Dictionary(found.map { ($0.station.position, $0.airings) }) { first, _ in first }
    }

    private static let contentSQL = viewportSQL(
        AiringColumns.content, readsProgrammes: false, where: "s.position >= $3 AND s.position < $4")

    func contents(inRows rows: Range<Int>, during window: TimeWindow) throws -> [Int: [AiringContent]] {
        try read {
            let stations = try viewport(
                Self.contentSQL, AiringColumns.content, readsProgrammes: false, window,
                [.integer(Int64(rows.lowerBound)), .integer(Int64(rows.upperBound))]
            ) { airing, _, shown in airing.content(shown: shown) }
            .map { (row: $0.station.position, airings: $0.airings) }
            return try StoredContent.contents(stations, connection)
        }
    }

    private static let nextSQL = """
        SELECT s.position, \(AiringColumns.brief) FROM station s JOIN LATERAL (
            SELECT * FROM airing a WHERE a.source_id = s.source_id AND a.station_id = s.id AND a.start > $1
            ORDER BY a.start, a.part LIMIT 1
        ) a ON NOT s.is_shared JOIN programme p ON p.id = a.programme_id
        WHERE s.position >= $2 AND s.position < $3
        """

    func nowAndNext(at instant: Instant, inRows rows: Range<Int>) throws -> [NowAndNext] {
        let bounds: [SQLValue] = [.integer(Int64(rows.lowerBound)), .integer(Int64(rows.upperBound))]
        let moment = TimeWindow(start: instant, end: instant.advanced(by: 1))
        let now = try viewport(Self.gridSQL, AiringColumns.brief, moment, bounds) { $0.brief(station: $1, shown: $2) }
        let stations = Dictionary(now.map { ($0.station.position, $0.station.id) }) { first, _ in first }
        var next: [Int: Airing] = [:]
        try connection.rows(Self.nextSQL, [.integer(instant.secondsSince1970)] + bounds) { row in
            let position = Int(row.integer(0))
            if let station = stations[position] {
                next[position] = row.columns(from: 1).brief(station: station)
            }
            return true
        }
        let shared = now.map(\.station).filter(\.isShared)
        let seeker = PostgresSeeker(connection: connection)
        try seeker.prepare(shared.map { ($0.key, moment) })
        var wanted: [(station: Visible, shown: PostgresOverlay.Shown)] = []
        for station in shared {
            var overlay = try PostgresOverlay(seeker, station: station.key)
            if let shown = try overlay.next(after: instant) { wanted.append((station, shown)) }
        }
        try visit(wanted.map { ($0.station.key, $0.shown) }, AiringColumns.brief, readsProgrammes: true) { row, place in
            let (station, shown) = wanted[place]
            // The first part of a clump.
            if next[station.position] == nil {
                next[station.position] = row.brief(station: station.id, shown: shown.window)
            }
        }
        return now.map { station, airings in
            NowAndNext(
                row: station.position, station: station.id, stationName: station.name, now: airings,
                next: next[station.position])
        }
    }

    func briefs(ofProgrammes numbers: [Int64]) throws -> [ProgrammeBrief] {
        try connection.values(
            """
            SELECT id, title, subtitle, category, is_new, is_premiere, is_live, is_derived, genre
            FROM programme WHERE id = ANY($1)
            """, [.integers(Array(Set(numbers)))]
        ) { row in
            ProgrammeBrief(
                number: row.integer(0), title: row.text(1), subtitle: row.textIfPresent(2),
                category: row.textIfPresent(3), marks: row.marks(from: 4), genre: row.genre(8))
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

    private func overlap(of first: AiringID, _ second: AiringID, on station: StationID) -> StoreError {
        .damaged(path: location, detail: "the airings \(first) and \(second) of \(station) overlap")
    }

    // MARK: - Airings and searches

    private static let showingColumns = "a.id, a.start, a.stop, a.station_id, a.source_id, s.is_shared"

    static func showing(_ row: PostgresRow, from first: Int32) -> Showing {
        Showing(
            airing: row.integer(first), window: row.window(first + 1, first + 2), station: row.integer(first + 3),
            source: row.integer(first + 4), isShared: row.flag(first + 5))
    }

    func airings(_ ids: [AiringID]) throws -> [AiringDetail] {
        try read {
            var found = try connection.values(
                """
                SELECT \(AiringColumns.full), t.attributes, s.feed_id, s.name, o.name,
                    s.source_id IS NOT DISTINCT FROM a.source_id, \(Self.showingColumns)
                FROM airing a JOIN programme p ON p.id = a.programme_id JOIN station s ON s.id = a.station_id
                JOIN source o ON o.id = a.source_id LEFT JOIN transmission t ON t.id = a.transmission_id
                WHERE a.id = ANY($1)
                """, [.integers(ids.map(\.rawValue))]
            ) { row in
                let next = AiringColumns.fullCount
                let programme = try row.programme
                let detail = AiringDetail(
                    airing: row.full(station: StationID(row.text(next + 1)), of: programme),
                    stationName: row.text(next + 2), programme: programme,
                    transmission: try row.attributes(next), source: row.text(next + 3),
                    isShown: row.flag(next + 4))
                return (detail: detail, showing: Self.showing(row, from: next + 5))
            }
            let shared = found.indices.filter { found[$0].showing.isShared }
            if !shared.isEmpty {
                var times = ShownTimes(PostgresSeeker(connection: connection))
                let shown = try times.shown(shared.map { found[$0].showing }).map { ($0.airing, $0.window) }
                let windows = Dictionary(shown) { first, _ in first }
                for index in shared { found[index].detail.show(windows[found[index].showing.airing]) }
            }
            return found.map(\.detail)
        }
    }

    func showings(of airing: AiringID, after instant: Instant, limit: Int) throws -> [SearchMatch] {
        guard limit > 0 else { return [] }
        return try read {
            let sql = "SELECT programme_id FROM airing WHERE id = $1"
            guard let programme = try connection.integer(sql, [.integer(airing.rawValue)]) else { return [] }
            return try matches(
                of: SearchedTables(connection: connection).showings(
                    ofProgramme: programme, except: airing, after: instant, limit: limit)
            ) { _ in nil }
        }
    }

    func search(_ query: SearchQuery) throws -> SearchResults {
        try read {
            try search.results(of: query, for: self) { showings, highlights in try matches(of: showings, highlights) }
        }
    }

    func isSearchIndexCurrent() throws -> Bool { try search.isCurrent(for: self) }

    func programmes(
        meeting conditions: [ProgrammeCondition], above number: Int64
    ) throws -> [Result<ProgrammeMatches, any Error>] {
        var scan = ProgrammeScan(conditions)
        if scan.isNecessary {
            try connection.rows(
                "SELECT id, title, category, is_new OR is_premiere FROM programme WHERE id > $1 ORDER BY id",
                [.integer(number)], streams: true
            ) { row in
                scan.visit(
                    row.integer(0), title: row.text(1), category: row.textIfPresent(2), isNew: row.flag(3))
                return true
            }
        }
        let (found, last) = (scan, try state().nextProgramme - 1)
        guard found.hasWords else { return try found.results(upTo: last) { _ in throw SearchIndexMissing() } }
        return try search.withProgrammes(above: number, for: self) { try found.results(upTo: last, words: $0) }
    }

    /// Returns matches with their airings, without those that no longer exist.
    private func matches(
        of showings: [Showing], _ highlights: (Airing) throws -> [SearchMatch.Field: [Range<Int>]]?
    ) throws -> [SearchMatch] {
        try connection.values(
            """
            SELECT w.place, s.feed_id, s.name, s.position, \(AiringColumns.full)
            FROM unnest($1::bigint[]) WITH ORDINALITY AS w (id, place) JOIN airing a ON a.id = w.id
            JOIN programme p ON p.id = a.programme_id JOIN station s ON s.id = a.station_id ORDER BY w.place
            """, [.integers(showings.map(\.airing))]
        ) { row in
            let window = showings[Int(row.integer(0)) - 1].window
            let airing = try row.columns(from: 4).full(station: StationID(row.text(1)), shown: window)
            return SearchMatch(
                airing: airing, stationName: row.text(2), row: Int(row.integer(3)), highlights: try highlights(airing))
        }
    }

    func categories() throws -> [NameCount] {
        try connection.values(
            """
            SELECT category, count(*) FROM programme WHERE category <> '' GROUP BY category
            ORDER BY count(*) DESC, category LIMIT 500
            """
        ) { NameCount(name: $0.text(0), count: Int($0.integer(1))) }
    }

    // MARK: - Export

    func export<Visitor: GuideVisitor>(_ selection: ExportSelection, to visitor: inout Visitor) throws {
        try read { try PostgresExport(connection, selection).read(into: &visitor) }
    }
}
