import EPGJSON
package import EPGModel
import EPGSQL
import EPGSearch
import GRDB

extension GuideStore {
    package func search(_ query: SearchQuery) throws -> SearchResults {
        try read { guide in
            let terms = try SearchTerms(query, WordTokenizer(guide))
            let state = try GuideState(guide)
            guard !terms.isEmpty, state.nextProgramme > 1 else { return SearchResults() }
            let results = try readSearchIndex { index in
                let mark = try SearchIndex.mark(index)
                guard mark.isFilled(for: state) else { throw SearchIndexMissing() }
                var search = RankedSearch(terms, query, index: index, guide: SearchedRows(database: guide))
                let matches = try matches(of: search.page()) { airing in
                    query.order == .start ? nil : try terms.highlights(in: airing)
                }
                return SearchResults(
                    total: search.total, isTotalExact: mark.isCurrent(for: state) && !search.isTruncated,
                    matches: matches)
            }
            guard let results else { throw SearchIndexMissing() }
            return results
        }
    }

    package func corrections(of query: SearchQuery) throws -> [String] {
        try read { guide in
            let state = try GuideState(guide)
            return try readSearchIndex { index in
                guard try SearchIndex.mark(index).isFilled(for: state) else { return [] }
                return try SearchTerms.corrections(of: query, WordTokenizer(index), in: index)
            } ?? []
        }
    }

    /// Returns the query for titles, categories and marks of programmes, and perhaps their texts, which lie on further pages.
    static func programmesSQL(withTexts: Bool) -> String {
        "SELECT id, title, category, is_new, is_premiere\(withTexts ? ", subtitle, description" : "") FROM programme WHERE id > ? ORDER BY id"
    }

    package func programmes(
        meeting conditions: [ProgrammeCondition], above number: Int64
    ) throws -> [Result<ProgrammeMatches, any Error>] {
        try read { guide in
            let state = try GuideState(guide)
            var scan = ProgrammeScan(conditions)
            if scan.isNecessary {
                try guide.rows(Self.programmesSQL(withTexts: scan.needsTexts), [number]) { columns in
                    scan.visit(
                        columns.integer(0), title: columns.text(1), category: columns.textIfPresent(2),
                        isNew: columns.flag(3) || columns.flag(4)
                    ) { [columns.textIfPresent(5), columns.textIfPresent(6)] }
                    return true
                }
            }
            let tokenizer = try WordTokenizer(guide)
            return try scan.results(upTo: state.nextProgramme - 1) { words in
                let terms = try SearchTerms(words, tokenizer)
                return try readSearchIndex { try terms.programmes(above: number, of: state, in: $0) }
                    ?? terms.programmes(above: number, of: state, in: nil)
            }
        }
    }

    package func showings(of airing: AiringID, after instant: Instant, limit: Int) throws -> [SearchMatch] {
        guard limit > 0 else { return [] }
        return try read { database in
            let programmes = try SQLiteConnection(database: database).programmes(likeOf: airing)
            guard !programmes.isEmpty else { return [] }
            return try matches(
                of: SearchedRows(database: database).showings(
                    ofAny: programmes, except: airing, after: instant, limit: limit))
        }
    }
}

/// The programmes of an SQLite guide.
struct StoredTexts: SearchTexts {
    let state: GuideState
    private let database: Database

    init(_ database: Database) throws {
        state = try GuideState(database)
        self.database = database
    }

    func programmeCount() throws -> Int { try DigestPiece.liveCount(database) }

    func programmeCount(above number: Int64) throws -> Int64 {
        try Int64.fetchOne(database, sql: "SELECT count(*) FROM programme WHERE id > ?", arguments: [number]) ?? 0
    }

    func visitProgrammes(
        above number: Int64,
        _ body: (Int64, UnsafeRawBufferPointer?, UnsafeRawBufferPointer?, UnsafeRawBufferPointer?) throws -> Void
    ) throws {
        let sql = "SELECT id, title, subtitle, description FROM programme WHERE id > ? ORDER BY id"
        try database.rows(sql, [number]) { columns in
            try body(columns.integer(0), columns.bytes(1), columns.bytes(2), columns.bytes(3))
            return true
        }
    }
}

/// The airings of an SQLite guide.
struct SearchedRows: SearchedAirings {
    let database: Database

    var seeker: SQLiteSeeker { SQLiteSeeker(database: database) }

    /// The latest airings of a programme, in descending order, without airings of sources that are never shown.
    static let showingsSQL = """
        SELECT \(AiringSQL.showing) FROM airing a CROSS JOIN station s ON s.id = a.station_id
        WHERE a.programme_id = ? AND (s.source_id = a.source_id OR s.is_shared) ORDER BY a.id DESC LIMIT ?
        """

    func showings(ofProgrammes programmes: [Int64], limit: Int) throws -> [Showing] {
        var showings: [Showing] = []
        let query = try database.query(Self.showingsSQL)
        for programme in programmes where showings.count < limit {
            showings += try query.values([programme, Int64(limit - showings.count)]) { Showing($0) }
        }
        return showings
    }

    private static let columns = """
        SELECT \(AiringSQL.showing), a.programme_id, p.title, p.subtitle, p.description
        FROM station s
        CROSS JOIN coverage c ON c.station_id = s.id AND (s.is_shared OR c.source_id = s.source_id) AND c.stop > ?1
        CROSS JOIN airing a ON a.source_id = c.source_id AND a.station_id = c.station_id
        """

    /// The airings at an instant: one seek per station and source.
    static let onSQL = """
        \(columns) AND a.start = (SELECT max(b.start) FROM airing b
            WHERE b.source_id = c.source_id AND b.station_id = c.station_id AND b.start <= ?1)
        CROSS JOIN programme p ON p.id = a.programme_id WHERE a.stop > ?1 LIMIT ?2
        """

    /// The airings that start in a range.
    static let laterSQL = """
        \(columns) AND a.start >= ?1 AND a.start < ?2 CROSS JOIN programme p ON p.id = a.programme_id LIMIT ?3
        """

    func visitAirings(at instant: Instant, limit: Int, _ body: (UpcomingAiring) throws -> Void) throws {
        try visit(Self.onSQL, [instant.secondsSince1970, Int64(limit)], body)
    }

    func visitAirings(startingIn window: TimeWindow, limit: Int, _ body: (UpcomingAiring) throws -> Void) throws {
        try visit(Self.laterSQL, [window.start.secondsSince1970, window.end.secondsSince1970, Int64(limit)], body)
    }

    private func visit(_ sql: String, _ parameters: [Int64], _ body: (UpcomingAiring) throws -> Void) throws {
        try database.rows(sql, parameters) { columns in
            try body(
                UpcomingAiring(showing: Showing(columns), programme: columns.integer(6)) { count in
                    (0..<Int32(count)).map { columns.text(7 + $0) }
                })
            return true
        }
    }

    func end() throws -> Instant? {
        try Int64.fetchOne(database, sql: "SELECT max(stop) FROM coverage").map(Instant.init(secondsSince1970:))
    }
}
