package import EPGModel
import GRDB

extension GuideStore {
    static let matchSQL = """
        SELECT \(AiringColumns.full), s.feed_id, s.name, s.position
        FROM airing a CROSS JOIN programme p ON p.id = a.programme_id CROSS JOIN station s ON s.id = a.station_id
        WHERE a.id = ?
        """

    /// The programmes that match, those that were stored last first.
    static let foundSQL = "SELECT rowid FROM text WHERE text MATCH ? ORDER BY rowid DESC"

    package func search(_ query: RankedQuery) throws -> RankedResults {
        try read { database in
            let tokenizer = try WordTokenizer(database)
            let expression = try SearchExpression(query.words, words: tokenizer.searchWords)
            guard let match = MatchExpression(expression) else { return RankedResults(total: 0, matches: []) }
            let terms = SearchTerms(expression, tokenizer)
            let results = try readFilledSearchIndex(of: database) { index, isCurrent in
                var search = RankedSearch(query, match, terms, index: index, database)
                let matches = try search.page().compactMap { try self.match($0, terms, database) }
                return RankedResults(
                    total: search.total, isTotalExact: isCurrent && !search.isCut, matches: matches)
            }
            return results ?? RankedResults(total: 0, matches: [])
        }
    }

    /// Reads the search index in a state that has something of the guide.
    ///
    /// - Parameters:
    ///   - guide: The guide, in a transaction.
    ///   - body: Gets the index, and whether it holds exactly what the guide does.
    /// - Returns: `nil` where the guide has nothing to search for.
    /// - Throws: ``SearchIndexMissing``.
    func readFilledSearchIndex<Value>(
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

    /// - Returns: `nil` where the airing is gone.
    private func match(_ found: RankedSearch.Found, _ terms: SearchTerms, _ database: Database) throws -> RankedMatch? {
        try database.firstRow(Self.matchSQL, .integer(found.airing)) { columns in
            var airing = try AiringColumns.full(columns, station: StationID(columns.text(AiringColumns.fullCount)))
            airing.show(found.span)
            let texts: [(Highlight.Field, String?)] = [
                (.title, airing.title), (.subtitle, airing.subtitle), (.description, airing.description),
            ]
            let highlights = try texts.compactMap { field, text in
                let ranges = try terms.ranges(in: text ?? "")
                return ranges.isEmpty ? nil : Highlight(field: field, ranges: ranges)
            }
            return RankedMatch(
                airing: airing, stationName: columns.text(AiringColumns.fullCount + 1),
                row: Int(columns.integer(AiringColumns.fullCount + 2)), highlights: highlights)
        }
    }
}
