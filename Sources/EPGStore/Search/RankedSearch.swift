import EPGModel
import GRDB

/// Finds the page of a ranked search.
struct RankedSearch {
    /// An airing that matches, and when it is shown.
    struct Found: Hashable {
        let airing: Int64
        let span: StationOverlay.Span
        let rank: SearchRank
    }

    /// How many showings of each rank are looked at.
    static let most = 20_000

    private let query: RankedQuery
    private let expression: SearchExpression
    private let store: GuideStore
    private let database: Database
    private var times: ShownTimes
    private var found: [Found] = []
    private var known: Set<Int64> = []
    private(set) var isTotalExact = true

    init(_ query: RankedQuery, _ expression: SearchExpression, store: GuideStore, _ database: Database) {
        self.query = query
        self.expression = expression
        self.store = store
        self.database = database
        times = ShownTimes(database)
    }

    var total: Int { found.count }

    /// The matches of the page, ranked.
    mutating func page() throws -> [Found] {
        for rank in SearchRank.allCases { try look(in: rank) }
        let now = query.now.secondsSince1970
        let limit = min(max(1, query.limit), 1 << 20)
        return Array(
            found.sorted { Self.place($0, now) < Self.place($1, now) }.dropFirst(max(0, query.offset)).prefix(limit))
    }

    private mutating func look(in rank: SearchRank) throws {
        let showings = try showings(rank)
        if showings.count >= Self.most { isTotalExact = false }
        for showing in showings where known.insert(showing.airing).inserted {
            guard let span = try times.span(of: showing) else { continue }
            found.append(Found(airing: showing.airing, span: span, rank: rank))
        }
    }

    private func showings(_ rank: SearchRank) throws -> [Showing] {
        guard let text = expression.text(inColumns: rank.columns) else { return [] }
        return try store.readSearchIndex { index in
            var showings: [Showing] = []
            try index.rows(GuideStore.foundSQL, .text(text), .integer(Int64(Self.most))) { columns in
                showings.append(Showing(programme: columns.integer(0), airing: columns.integer(1)))
                return true
            }
            return showings
        } ?? []
    }

    /// What is on or to come by rank and start; then what is over by rank, the latest first.
    private static func place(_ found: Found, _ now: Int64) -> (Int, Int, Int64, Int64) {
        let isOver = found.span.stop <= now
        return (isOver ? 1 : 0, found.rank.rawValue, isOver ? 0 &- found.span.start : found.span.start, found.airing)
    }
}
