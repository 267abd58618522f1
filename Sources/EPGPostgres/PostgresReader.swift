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

    // MARK: - Stations and exports

    func filtering<Value>(
        by text: String?, _ body: ((([String]) throws -> Bool)?) throws -> Value
    ) throws -> Value {
        try TokenizerConnection.shared.withTokenizer { tokenizer in
            let text = try StationText(text, tokenizer)
            return try body(text.isEmpty ? nil : text.matches)
        }
    }

    func visitAirings(
        of station: VisibleStation, during window: TimeWindow,
        _ body: (any StoredRow, _ source: Int64, _ shown: TimeWindow?) throws -> Void
    ) throws {
        if station.isShared {
            let seeker = PostgresSeeker(connection: connection)
            try seeker.prepare([(station.key, window)])
            var overlay = try PostgresOverlay(seeker, station: station.key)
            let shown = try overlay.shown(during: window)
            try connection.rows(
                """
                SELECT \(AiringColumns.exported), w.place
                FROM unnest($2::bigint[], $3::bigint[]) WITH ORDINALITY AS w (source, start, place)
                JOIN airing a ON a.source_id = w.source AND a.station_id = $1 AND a.start = w.start
                JOIN programme p ON p.id = a.programme_id LEFT JOIN transmission t ON t.id = a.transmission_id
                ORDER BY w.place, a.part
                """,
                [
                    .integer(station.key), .integers(shown.map(\.source)),
                    .integers(shown.map(\.stored.start.secondsSince1970)),
                ], streams: true
            ) { (row: PostgresRow) in
                let shown = shown[Int(row.integer(AiringColumns.fullCount + 1)) - 1]
                try body(row, shown.source, shown.window)
                return true
            }
        } else if let source = station.source {
            try connection.rows(
                """
                SELECT \(AiringColumns.exported) FROM airing a JOIN programme p ON p.id = a.programme_id
                LEFT JOIN transmission t ON t.id = a.transmission_id
                WHERE a.source_id = $1 AND a.station_id = $2 AND a.start < $3 AND a.stop > $4 ORDER BY a.start, a.part
                """, [.integer(source), .integer(station.key), .instant(window.end), .instant(window.start)],
                streams: true
            ) { (row: PostgresRow) in
                try body(row, source, nil)
                return true
            }
        }
    }

    // MARK: - Schedules

    /// Returns the statement of the viewport: the stations that a condition selects, in row order, each with the airings of its
    /// only source that overlap a window. `$1` and `$2` are the bounds of the window.
    ///
    /// It seeks the last airing that starts by the beginning of the window, and then reads to the end.
    static func viewportSQL(_ columns: String, readsProgrammes: Bool = true, where condition: String) -> String {
        """
        SELECT \(VisibleStation.columns), a.*
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

    /// Returns the stations of ``viewportSQL(_:readsProgrammes:where:)``, each with its airings.
    private func viewport<Airing>(
        _ sql: String, _ columns: String, readsProgrammes: Bool = true, _ window: TimeWindow,
        _ parameters: [SQLValue],
        _ airing: (PostgresRow, StationID, TimeWindow?) throws -> Airing
    ) throws -> [(station: VisibleStation, airings: [Airing])] {
        var found: [(station: VisibleStation, airings: [Airing])] = []
        var window = window
        // No airing overlaps an empty window, whose bounds the statement would include.
        if window.isEmpty { window = TimeWindow(start: .endOfTime, end: .endOfTime) }
        let bounds: [SQLValue] = [
            .integer(window.start.secondsSince1970), .integer(window.end.secondsSince1970),
        ]
        try connection.rows(sql, bounds + parameters) { row in
            if found.last?.station.key != row.integer(0) { found.append((VisibleStation(row), [])) }
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
        var wanted: [(station: VisibleStation, shown: PostgresOverlay.Shown)] = []
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
            SELECT id, title, subtitle, category, is_new, is_premiere, is_live, is_derived, is_repeat, genre
            FROM programme WHERE id = ANY($1)
            """, [.integers(Array(Set(numbers)))]
        ) { row in
            ProgrammeBrief(
                number: row.integer(0), title: row.text(1), subtitle: row.textIfPresent(2),
                category: row.textIfPresent(3), marks: row.marks(from: 4), genre: row.genre(9))
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

    func shown(_ showings: [Showing]) throws -> [Showing] {
        var times = ShownTimes(PostgresSeeker(connection: connection))
        return try times.shown(showings)
    }

    func showings(of airing: AiringID, after instant: Instant, limit: Int) throws -> [SearchMatch] {
        guard limit > 0 else { return [] }
        return try read {
            let programmes = try connection.programmes(likeOf: airing)
            guard !programmes.isEmpty else { return [] }
            return try matches(
                of: SearchedTables(connection: connection).showings(
                    ofAny: programmes, except: airing, after: instant, limit: limit))
        }
    }

    func search(_ query: SearchQuery) throws -> SearchResults {
        try read {
            try search.results(of: query, for: self) { showings, highlights in try matches(of: showings, highlights) }
        }
    }

    func corrections(of query: SearchQuery) throws -> [String] {
        try read { try search.corrections(of: query, for: self) }
    }

    func isSearchIndexCurrent() throws -> Bool { try search.isCurrent(for: self) }

    func programmes(
        meeting conditions: [ProgrammeCondition], above number: Int64
    ) throws -> [Result<ProgrammeMatches, any Error>] {
        var scan = ProgrammeScan(conditions)
        if scan.isNecessary {
            let texts = scan.needsTexts ? ", subtitle, description" : ""
            try connection.rows(
                "SELECT id, title, category, is_new OR is_premiere\(texts) FROM programme WHERE id > $1 ORDER BY id",
                [.integer(number)], streams: true
            ) { row in
                scan.visit(
                    row.integer(0), title: row.text(1), category: row.textIfPresent(2), isNew: row.flag(3)
                ) { [row.textIfPresent(4), row.textIfPresent(5)] }
                return true
            }
        }
        let (found, last) = (scan, try state().nextProgramme - 1)
        guard found.hasWords else { return try found.results(upTo: last) { _ in throw SearchIndexMissing() } }
        return try search.withProgrammes(above: number, for: self) { try found.results(upTo: last, words: $0) }
    }
}

extension PostgresReader {
    /// Checks the invariants that constraints cannot express, and counts the contents; see ``GuideStorage/check()``.
    func check() throws -> StoreCheck {
        var check = StoreCheck()
        // References without a foreign key.
        for sql in [
            """
            SELECT 'airings of missing programmes: ' || count(*) FROM airing a
            WHERE NOT EXISTS (SELECT 1 FROM programme p WHERE p.id = a.programme_id)
                OR a.listed_programme_id IS NOT NULL
                    AND NOT EXISTS (SELECT 1 FROM programme p WHERE p.id = a.listed_programme_id)
            HAVING count(*) > 0
            """,
            """
            SELECT 'airings of missing transmissions: ' || count(*) FROM airing a WHERE a.transmission_id IS NOT NULL
                AND NOT EXISTS (SELECT 1 FROM transmission t WHERE t.id = a.transmission_id) HAVING count(*) > 0
            """,
            """
            SELECT 'coverage of missing stations: ' || count(*) FROM coverage c
            WHERE NOT EXISTS (SELECT 1 FROM station s WHERE s.id = c.station_id) HAVING count(*) > 0
            """,
            """
            SELECT 'diagnostics of missing imports or programmes: ' || count(*) FROM diagnostic d
            WHERE NOT EXISTS (SELECT 1 FROM import i WHERE i.id = d.import_id)
                OR d.programme_id IS NOT NULL AND NOT EXISTS (SELECT 1 FROM programme p WHERE p.id = d.programme_id)
                OR d.other_programme_id IS NOT NULL
                    AND NOT EXISTS (SELECT 1 FROM programme p WHERE p.id = d.other_programme_id)
            HAVING count(*) > 0
            """,
        ] {
            check.problems += try connection.values(sql) { $0.text(0) }
        }
        try connection.inspect(&check)
        // A state with numbers out of range is among the problems.
        check.isSearchComplete = try check.problems.isEmpty && isSearchIndexCurrent()
        return check
    }
}
