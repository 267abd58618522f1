import EPGModel
import GRDB

/// Finds the page of a ranked search.
///
/// Where the words bring up few airings, each is looked up, and the answer is exact. Where they bring up many, so does each
/// rank: one with few is looked up; of one with many the next airings are found by going through what is on and to come.
struct RankedSearch {
    /// An airing that matches, and when it is shown.
    struct Found: Hashable {
        let airing: Int64
        let span: StationOverlay.Span
        let rank: SearchRank
    }

    /// How many airings are looked up.
    static let most = 10_000

    private let query: RankedQuery
    private let expression: MatchExpression
    private let terms: SearchTerms
    private let index: Database
    private let database: Database
    private var times: ShownTimes
    private var found: [Found] = []
    private var known: Set<Int64> = []
    /// Whether the airings are so many that not all of them are looked up.
    private(set) var isCut = false

    /// - Parameters:
    ///   - index: The search index.
    ///   - database: The guide.
    init(
        _ query: RankedQuery, _ expression: MatchExpression, _ terms: SearchTerms, index: Database, _ database: Database
    ) {
        self.query = query
        self.expression = expression
        self.terms = terms
        self.index = index
        self.database = database
        times = ShownTimes(database)
    }

    /// How many airings match; where they are many, how many there are at least.
    var total: Int { isCut ? max(found.count, Self.most) : found.count }

    private var offset: Int { min(max(0, query.offset), Self.most) }
    private var limit: Int { min(max(1, query.limit), Self.most) }
    private var now: Int64 { query.now.secondsSince1970 }

    /// The matches of the page, ranked.
    mutating func page() throws -> [Found] {
        let all = try showings(.anywhere)
        isCut = all.count > Self.most
        for rank in SearchRank.allCases {
            if isCut, upcoming >= offset + limit { break }
            let showings = rank == .anywhere ? all : try showings(rank)
            if showings.count > Self.most { try add(soonest(rank), rank) } else { try add(showings, rank) }
        }
        // What is over, as far as it is among those that were stored last.
        if isCut, upcoming < offset + limit { try add(all, .anywhere) }
        return Array(found.sorted { place($0) < place($1) }.dropFirst(offset).prefix(limit))
    }

    /// How many of those that were found are on or to come.
    private var upcoming: Int { found.count { $0.span.stop > now } }

    private mutating func add(_ showings: [Showing], _ rank: SearchRank) throws {
        for showing in showings where known.insert(showing.airing).inserted {
            guard let span = try times.span(of: showing) else { continue }
            found.append(Found(airing: showing.airing, span: span, rank: rank))
        }
    }

    /// The next airings whose texts have the words.
    private func soonest(_ rank: SearchRank) throws -> [Showing] {
        var airings = UpcomingAirings(database)
        return try airings.first(offset + limit, from: query.now) { row in
            switch rank {
            case .title: try terms.stand(in: [row.title])
            case .titleAndSubtitle: try terms.stand(in: [row.title, row.subtitle ?? ""])
            case .anywhere: try terms.stand(in: [row.title, row.subtitle ?? "", row.description ?? ""])
            }
        }
    }

    /// The airings whose programme has the words in the texts of a rank or a better one; one more than ``most`` where there
    /// are more.
    private func showings(_ rank: SearchRank) throws -> [Showing] {
        try database.showings(
            matching: expression.text(inColumns: rank.columns), in: index, limit: Self.most)
    }

    /// What is on or to come by rank and start; then what is over by rank, the latest first.
    private func place(_ found: Found) -> (Int, Int, Int64, Int64) {
        let isOver = found.span.stop <= now
        return (isOver ? 1 : 0, found.rank.rawValue, isOver ? 0 &- found.span.start : found.span.start, found.airing)
    }
}

/// In which texts the words of a search stand: the less, the better.
enum SearchRank: Int, CaseIterable, Comparable {
    case title
    case titleAndSubtitle
    case anywhere

    /// The columns of the index that are searched.
    var columns: String {
        switch self {
        case .title: "title"
        case .titleAndSubtitle: "title subtitle"
        case .anywhere: "title subtitle description"
        }
    }

    static func < (lhs: SearchRank, rhs: SearchRank) -> Bool { lhs.rawValue < rhs.rawValue }
}
