package import EPGModel
import GRDB

extension GuideStore {
    static let matchSQL = """
        SELECT \(AiringColumns.full), s.feed_id, s.name, s.position
        FROM airing a CROSS JOIN programme p ON p.id = a.programme_id CROSS JOIN station s ON s.id = a.station_id
        WHERE a.id = ?
        """

    static let programmeSQL = "SELECT programme_id FROM airing WHERE id = ?"

    /// - Complexity: O(m log m) seeks for m airings that have the words.
    package func search(_ query: SearchQuery) throws -> [SearchMatch] {
        try read { guide in
            let found = try search(for: query.words, now: query.now, in: guide) { search, _ in try search.all() } ?? []
            return try found.prefix(min(max(1, query.limit), 1 << 20)).compactMap { try match($0, guide)?.match }
        }
    }

    package func search(_ query: RankedQuery) throws -> RankedResults {
        try read { guide in
            try search(for: query.words, now: query.now, in: guide) { search, isCurrent in
                let page = try search.page(offset: query.offset, limit: query.limit)
                let matches = try page.compactMap { showing in
                    try match(showing, guide).map { match, row in
                        RankedMatch(
                            airing: match.airing, stationName: match.stationName, row: row,
                            highlights: try search.terms.highlights(in: match.airing))
                    }
                }
                return RankedResults(total: search.total, isTotalExact: isCurrent && !search.isCut, matches: matches)
            } ?? RankedResults(total: 0, matches: [])
        }
    }

    package func showings(of airing: AiringID, after instant: Instant, limit: Int) throws -> [SearchMatch] {
        guard limit > 0 else { return [] }
        return try read { database in
            let programme = try Int64.fetchOne(database, sql: Self.programmeSQL, arguments: [airing.rawValue])
            guard let programme else { return [] }
            let limit = min(limit, RankedSearch.most)
            var showings = try database.showings(ofProgramme: programme, limit: RankedSearch.most + 1)
            if showings.count > RankedSearch.most {
                // The next ones; the airing itself is among them, too.
                showings = try UpcomingAirings.first(limit + 1, from: instant, in: database) {
                    $0.programme == programme
                }
            }
            var times = ShownTimes()
            return try times.shown(showings.filter { $0.airing != airing.rawValue }, in: database)
                .filter { $0.window.end > instant }
                .sorted { ($0.window.start, $0.airing) < ($1.window.start, $1.airing) }.prefix(limit)
                .compactMap { try match($0, database)?.match }
        }
    }

    /// The airing that was found, and the row of its station; `nil` where it is gone.
    private func match(_ found: Showing, _ database: Database) throws -> (match: SearchMatch, row: Int)? {
        try database.values(Self.matchSQL, [found.airing]) { columns in
            let next = AiringColumns.fullCount
            let airing = try columns.full(station: StationID(columns.text(next)), shown: found.window)
            let match = SearchMatch(airing: airing, stationName: columns.text(next + 1))
            return (match: match, row: Int(columns.integer(next + 2)))
        }.first
    }

    /// Hands over a search in a guide, which is in a transaction, and whether the search index holds all of the guide.
    ///
    /// - Returns: `nil` where there is nothing to search for, or nothing to search.
    /// - Throws: ``SearchExpressionError``, ``SearchIndexMissing``.
    private func search<Answer>(
        for words: String, now: Instant, in guide: Database,
        _ body: (inout RankedSearch, _ isCurrent: Bool) throws -> Answer
    ) throws -> Answer? {
        let tokenizer = try WordTokenizer(guide)
        let terms = SearchTerms(try SearchExpression(words, words: tokenizer.searchWords), tokenizer)
        let state = try GuideState(guide)
        guard !terms.isEmpty, state.nextProgramme > 1 else { return nil }
        let answer = try readSearchIndex { index in
            let mark = try SearchIndex.mark(index)
            guard mark.isFilled(for: state) else { throw SearchIndexMissing() }
            var search = RankedSearch(terms, now: now, index: index, guide: guide)
            return try body(&search, mark.isCurrent(for: state))
        }
        guard let answer else { throw SearchIndexMissing() }
        return answer
    }
}
