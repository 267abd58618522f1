package import EPGModel
import GRDB

extension GuideStore {
    static let showingsSQL = """
        SELECT \(AiringColumns.full), s.feed_id, s.name
        FROM airing a CROSS JOIN programme p ON p.id = a.programme_id CROSS JOIN station s ON s.id = a.station_id
        WHERE a.id = ?
        """

    /// - Complexity: O(m log m) seeks for m airings that have the words.
    package func search(_ query: SearchQuery) throws -> [SearchMatch] {
        try read { database in
            let tokenizer = try WordTokenizer(database)
            let expression = try SearchExpression(query.words, words: tokenizer.searchWords)
            guard let match = MatchExpression(expression) else { return [] }
            let airings =
                try readFilledSearchIndex(of: database) { index, _ in try Self.found(match, index, database) } ?? []
            var showings = Candidates(now: query.now, limit: query.limit)
            var times = ShownTimes(database)
            for showing in airings {
                if let span = try times.span(of: showing) {
                    showings.consider(Candidate(id: showing.airing, span: span))
                }
            }
            return try showings.best().compactMap { try self.match($0, database) }
        }
    }

    /// The airing that was found, as it is shown.
    func match(_ found: Candidate, _ database: Database) throws -> SearchMatch? {
        try database.firstRow(Self.showingsSQL, .integer(found.id)) { columns in
            var airing = try AiringColumns.full(columns, station: StationID(columns.text(AiringColumns.fullCount)))
            airing.show(found.span)
            return SearchMatch(airing: airing, stationName: columns.text(AiringColumns.fullCount + 1))
        }
    }

    /// The airings whose programme's texts match.
    private static func found(_ expression: MatchExpression, _ index: Database, _ database: Database) throws
        -> [Showing]
    {
        var showings: [Showing] = []
        try index.rows(foundSQL, .text(expression.text)) { columns in
            showings += try database.showings(ofProgramme: columns.integer(0))
            return true
        }
        return showings
    }
}

/// An airing that was found, and when it is shown.
struct Candidate {
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
