package import EPGModel
import GRDB

extension GuideStore {
    static let matchSQL = """
        SELECT \(AiringColumns.full), s.feed_id, s.name, s.position
        FROM airing a CROSS JOIN programme p ON p.id = a.programme_id CROSS JOIN station s ON s.id = a.station_id
        WHERE a.id = ?
        """

    /// The showings of programmes that match, the programmes that were stored last first.
    static let foundSQL = """
        SELECT s.programme_id, s.airing_id FROM text t CROSS JOIN showing s ON s.programme_id = t.rowid
        WHERE t.text MATCH ? ORDER BY t.rowid DESC LIMIT ?
        """

    package func search(_ query: RankedQuery) throws -> RankedResults {
        let expression = SearchExpression(query.words)
        guard !expression.phrases.isEmpty else { return RankedResults(total: 0, matches: []) }
        return try read { database in
            let terms = try SearchTerms(expression.phrases, database)
            var search = RankedSearch(query, expression, terms, store: self, database)
            let page = try search.page()
            let matches = try page.compactMap { try match($0, terms, database) }
            return RankedResults(total: search.total, isTotalExact: search.isTotalExact, matches: matches)
        }
    }

    package func isSearchIndexCurrent() throws -> Bool {
        try read { _ in
            let generation = try generation().rawValue
            return try readSearchIndex { try SearchIndex.mark($0).generation == generation } ?? false
        }
    }

    private func match(_ found: RankedSearch.Found, _ terms: SearchTerms, _ database: Database) throws -> RankedMatch? {
        try database.firstRow(Self.matchSQL, .integer(found.airing)) { columns in
            var airing = try AiringColumns.full(columns, station: StationID(columns.text(13)))
            airing.show(found.span)
            let texts: [(Highlight.Field, String?)] = [
                (.title, airing.title), (.subtitle, airing.subtitle), (.description, airing.description),
            ]
            let highlights = try texts.compactMap { field, text in
                let ranges = try terms.ranges(in: text ?? "")
                return ranges.isEmpty ? nil : Highlight(field: field, ranges: ranges)
            }
            return RankedMatch(
                airing: airing, stationName: columns.text(14), row: Int(columns.integer(15)), highlights: highlights)
        }
    }
}
