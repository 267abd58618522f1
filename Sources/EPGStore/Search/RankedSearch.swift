import EPGModel
import GRDB

/// Finds the airings of a search, ranked by the number of texts that it takes for all words: 1 where the title has them, 2
/// with the subtitle, 3 with the description. Those of a search by start are all of one rank.
struct RankedSearch {
    /// How many airings are looked up for a page.
    static let most = 10_000

    let terms: SearchTerms
    private let query: SearchQuery
    private let index: Database
    private let guide: Database
    private var times = ShownTimes()
    private var found: [(showing: Showing, rank: Int)] = []
    private var known: Set<Int64> = []
    /// Whether the airings are so many that not all of them are looked up.
    private(set) var isCut = false

    init(_ terms: SearchTerms, _ query: SearchQuery, index: Database, guide: Database) {
        self.terms = terms
        self.query = query
        self.index = index
        self.guide = guide
    }

    /// How many airings match; where they are many, how many there are at least.
    var total: Int { isCut ? max(found.count, Self.most) : found.count }

    /// The matches of a page.
    ///
    /// A search by start looks up each airing. One by relevance does, and is exact, where the words bring up few. Where they
    /// bring up many, so does each rank: one with few is looked up; of one with many the next airings are found by going
    /// through what is on and to come.
    mutating func page() throws -> [Showing] {
        let isByStart = query.order == .start
        let most = isByStart ? 1 << 20 : Self.most
        let (offset, limit) = (min(max(0, query.offset), most), min(max(1, query.limit), most))
        if isByStart {
            try add(showings(rank: 3, limit: .max - 1), rank: 3)
        } else {
            try addRanks(upTo: offset + limit)
        }
        return found.sorted { place($0) < place($1) }.dropFirst(offset).prefix(limit).map(\.showing)
    }

    /// Adds the airings of each rank, until as many as wanted are on or to come.
    private mutating func addRanks(upTo count: Int) throws {
        let all = try showings(rank: 3)
        isCut = all.count > Self.most
        for rank in 1...3 {
            if isCut, upcoming >= count { break }
            var showings = rank == 3 ? all : try showings(rank: rank)
            if showings.count > Self.most {
                showings = try UpcomingAirings.first(count, from: query.now, in: guide) { row in
                    try terms.stand(in: row.texts(rank))
                }
            }
            try add(showings, rank: rank)
        }
        // What is over, as far as it is among those that were stored last.
        if isCut, upcoming < count { try add(all, rank: 3) }
    }

    /// How many of those that were found are on or to come.
    private var upcoming: Int { found.count { $0.showing.window.end > query.now } }

    private func place(_ found: (showing: Showing, rank: Int)) -> (Int, Int, Int64, Int64) {
        let isOver = found.showing.window.end <= query.now
        let start = found.showing.window.start.secondsSince1970
        return (isOver ? 1 : 0, found.rank, isOver ? 0 &- start : start, found.showing.airing)
    }

    private mutating func add(_ showings: [Showing], rank: Int) throws {
        let new = showings.filter { known.insert($0.airing).inserted }
        found += try times.shown(new, in: guide).map { (showing: $0, rank: rank) }
    }

    /// The airings of a rank or a better one, those first that were stored last; one more than a limit where there are more.
    private func showings(rank: Int, limit: Int = most) throws -> [Showing] {
        var showings: [Showing] = []
        let programmes = try Int64.fetchCursor(
            index, sql: "SELECT rowid FROM text WHERE text MATCH ? ORDER BY rowid DESC",
            arguments: [terms.matchExpression(rank: rank)])
        while showings.count <= limit, let programme = try programmes.next() {
            showings += try guide.showings(ofProgramme: programme, limit: limit + 1 - showings.count)
        }
        return showings
    }
}
