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
        try read { database in
            let tokenizer = try WordTokenizer(database)
            let expression = try SearchExpression(query.words, words: tokenizer.searchWords)
            guard let match = MatchExpression(expression) else { return [] }
            let showings = try readFilledSearchIndex(of: database) { index, _ in
                try database.showings(matching: match.text, in: index)
            }
            var found = Candidates(now: query.now, limit: query.limit)
            var times = ShownTimes(database)
            for showing in showings ?? [] {
                if let span = try times.span(of: showing) { found.consider(Candidate(id: showing.airing, span: span)) }
            }
            return try found.best().compactMap { try self.match($0.id, shown: $0.span, database)?.match }
        }
    }

    package func search(_ query: RankedQuery) throws -> RankedResults {
        try read { database in
            let tokenizer = try WordTokenizer(database)
            let expression = try SearchExpression(query.words, words: tokenizer.searchWords)
            guard let match = MatchExpression(expression) else { return RankedResults(total: 0, matches: []) }
            let terms = SearchTerms(expression, tokenizer)
            let results = try readFilledSearchIndex(of: database) { index, isCurrent in
                var search = RankedSearch(query, match, terms, index: index, database)
                let matches = try search.page().compactMap { found in
                    try self.match(found.airing, shown: found.span, database).map { match, row in
                        RankedMatch(
                            airing: match.airing, stationName: match.stationName, row: row,
                            highlights: try terms.highlights(in: match.airing))
                    }
                }
                return RankedResults(
                    total: search.total, isTotalExact: isCurrent && !search.isCut, matches: matches)
            }
            return results ?? RankedResults(total: 0, matches: [])
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
                var airings = UpcomingAirings(database)
                showings = try airings.first(limit + 1, from: instant) { $0.programme == programme }
            }
            var times = ShownTimes(database)
            let found = try showings.compactMap { showing -> Candidate? in
                guard showing.airing != airing.rawValue, let span = try times.span(of: showing),
                    span.stop > instant.secondsSince1970
                else { return nil }
                return Candidate(id: showing.airing, span: span)
            }
            return try found.sorted { ($0.span.start, $0.id) < ($1.span.start, $1.id) }.prefix(limit)
                .compactMap { try match($0.id, shown: $0.span, database)?.match }
        }
    }

    /// The airing that was found, as it is shown, and the row of its station; `nil` where it is gone.
    private func match(
        _ airing: Int64, shown span: StationOverlay.Span, _ database: Database
    ) throws -> (match: SearchMatch, row: Int)? {
        try database.firstRow(Self.matchSQL, .integer(airing)) { columns in
            let next = AiringColumns.fullCount
            let airing = try AiringColumns.full(columns, station: StationID(columns.text(next)), shown: span)
            return (SearchMatch(airing: airing, stationName: columns.text(next + 1)), Int(columns.integer(next + 2)))
        }
    }

    /// Reads the search index in a state that has something of the guide.
    ///
    /// - Parameters:
    ///   - guide: The guide, in a transaction.
    ///   - body: Gets the index, and whether it holds exactly what the guide does.
    /// - Returns: `nil` where the guide has nothing to search for.
    /// - Throws: ``SearchIndexMissing``.
    private func readFilledSearchIndex<Value>(
        of guide: Database, _ body: (Database, _ isCurrent: Bool) throws -> Value
    ) throws -> Value? {
        let state = try GuideState(guide)
        guard state.nextProgramme > 1 else { return nil }
        let value: Value?? = try readSearchIndex { index in
            let mark = try SearchIndex.mark(index)
            guard mark.isFilled(for: state) else { return nil }
            return try body(index, mark.isCurrent(for: state))
        }
        guard let value = value ?? nil else { throw SearchIndexMissing() }
        return value
    }
}

/// An airing that was found, and when it is shown.
private struct Candidate {
    let id: Int64
    let span: StationOverlay.Span
}

/// Chooses the airings to show: those that are on or to come in their order, then those that are over, the latest first.
private struct Candidates {
    private let now: Int64
    private let limit: Int
    private var kept: [Candidate] = []

    init(now: Instant, limit: Int) {
        self.now = now.secondsSince1970
        self.limit = min(max(1, limit), 1 << 20)
    }

    mutating func consider(_ showing: Candidate) {
        kept.append(showing)
        // Sorting now and then keeps memory to a multiple of the limit.
        if kept.count >= limit * 4 + 1024 { kept = best() }
    }

    func best() -> [Candidate] {
        Array(kept.sorted { rank($0) < rank($1) }.prefix(limit))
    }

    private func rank(_ showing: Candidate) -> (Int, Int64, Int64) {
        let isOver = showing.span.stop <= now
        let start = showing.span.start
        return (isOver ? 1 : 0, isOver ? 0 &- start : start, showing.id)
    }
}

extension SearchTerms {
    /// Where the words stand in the texts of an airing.
    fileprivate func highlights(in airing: Airing) throws -> [Highlight] {
        let texts: [(Highlight.Field, String?)] = [
            (.title, airing.title), (.subtitle, airing.subtitle), (.description, airing.description),
        ]
        return try texts.compactMap { field, text in
            let ranges = try ranges(in: text ?? "")
            return ranges.isEmpty ? nil : Highlight(field: field, ranges: ranges)
        }
    }
}
