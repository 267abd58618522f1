package import EPGModel
import GRDB

extension GuideStore {
    static let matchSQL = """
        SELECT \(AiringColumns.full), s.feed_id, s.name, s.position
        FROM airing a CROSS JOIN programme p ON p.id = a.programme_id CROSS JOIN station s ON s.id = a.station_id
        WHERE a.id = ?
        """

    static let programmeSQL = "SELECT programme_id FROM airing WHERE id = ?"

    package func search(_ query: SearchQuery) throws -> SearchResults {
        try read { guide in
            let terms = try SearchTerms(query.words, guide)
            let state = try GuideState(guide)
            guard !terms.isEmpty, state.nextProgramme > 1 else { return SearchResults() }
            let results = try readSearchIndex { index in
                let mark = try SearchIndex.mark(index)
                guard mark.isFilled(for: state) else { throw SearchIndexMissing() }
                var search = RankedSearch(terms, query, index: index, guide: guide)
                let highlighted = query.order == .relevance ? terms : nil
                let matches = try search.page().compactMap { try match($0, highlighted, guide) }
                return SearchResults(
                    total: search.total, isTotalExact: mark.isCurrent(for: state) && !search.isCut, matches: matches)
            }
            guard let results else { throw SearchIndexMissing() }
            return results
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
                .compactMap { try match($0, nil, database) }
        }
    }

    /// The airing that was found; `nil` where it is gone.
    private func match(_ found: Showing, _ highlighted: SearchTerms?, _ database: Database) throws -> SearchMatch? {
        try database.values(Self.matchSQL, [found.airing]) { columns in
            let next = AiringColumns.fullCount
            let airing = try columns.full(station: StationID(columns.text(next)), shown: found.window)
            return SearchMatch(
                airing: airing, stationName: columns.text(next + 1), row: Int(columns.integer(next + 2)),
                highlights: try highlighted?.highlights(in: airing))
        }.first
    }
}
