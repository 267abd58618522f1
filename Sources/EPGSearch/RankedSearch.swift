package import EPGModel
package import GRDB

/// A search for airings, ranked by the texts that contain all terms: 1 for the title, 2 with the subtitle, 3 with the
/// description. In a search by start, all matches have the same rank.
package struct RankedSearch<Guide: SearchedAirings> {
    private let terms: SearchTerms
    private let query: SearchQuery
    private let index: Database
    private let guide: Guide
    private var times: ShownTimes<Guide.Seeker>
    private var found: [(showing: Showing, rank: Int)] = []
    private var known: Set<Int64> = []
    /// Whether the search found more airings than it looks up.
    package private(set) var isTruncated = false

    package init(_ terms: SearchTerms, _ query: SearchQuery, index: Database, guide: Guide) {
        self.terms = terms
        self.query = query
        self.index = index
        self.guide = guide
        times = ShownTimes(guide.seeker)
    }

    /// The number of matches; a lower bound if ``isTruncated``.
    package var total: Int { isTruncated && query.order != .any ? max(found.count, Guide.limit) : found.count }

    /// Returns the matches of a page.
    ///
    /// A search by start looks up all airings, and so does a search by relevance with few matches. Otherwise, it looks up all
    /// airings of ranks with few matches, and scans current and upcoming airings for ranks with many.
    package mutating func page() throws -> [Showing] {
        let isByStart = query.order == .start
        let maximum = isByStart ? 1 << 20 : Guide.limit
        let (offset, limit) = (min(max(0, query.offset), maximum), min(max(1, query.limit), maximum))
        switch query.order {
        case .start: try add(showings(rank: 3, limit: .max - 1), rank: 3)
        case .relevance: try addRanks(upTo: offset + limit)
        case .any: try addSome(offset + limit)
        }
        return found.sorted { sortKey($0) < sortKey($1) }.dropFirst(offset).prefix(limit).map(\.showing)
    }

    /// Adds at most `count` airings that match in the title, else any others.
    private mutating func addSome(_ count: Int) throws {
        for rank in [1, 3] where found.isEmpty {
            let some = try showings(rank: rank, limit: count)
            isTruncated = some.count > count
            try add(Array(some.prefix(count)), rank: rank)
        }
    }

    /// Adds the airings of each rank until there are enough current and upcoming ones.
    private mutating func addRanks(upTo count: Int) throws {
        let all = try showings(rank: 3)
        isTruncated = all.count > Guide.limit
        for rank in 1...3 {
            if isTruncated, upcoming >= count { break }
            var showings = rank == 3 ? all : try showings(rank: rank)
            if showings.count > Guide.limit {
                showings = try guide.upcoming(count, from: query.now) { airing in
                    try terms.match(airing.texts(rank))
                }
            }
            try add(showings, rank: rank)
        }
        // Past airings among those that were stored last.
        if isTruncated, upcoming < count { try add(all, rank: 3) }
    }

    /// The number of current and upcoming airings found.
    private var upcoming: Int { found.count { $0.showing.window.end > query.now } }

    private func sortKey(_ found: (showing: Showing, rank: Int)) -> (Int, Int, Int64, Int64) {
        let isOver = found.showing.window.end <= query.now
        let start = found.showing.window.start.secondsSince1970
        return (isOver ? 1 : 0, found.rank, isOver ? 0 &- start : start, found.showing.airing)
    }

    private mutating func add(_ showings: [Showing], rank: Int) throws {
        let new = showings.filter { known.insert($0.airing).inserted }
        found += try times.shown(new).map { (showing: $0, rank: rank) }
    }

    /// Returns the airings of a rank or a better one, in reverse order of storage; at most `limit` + 1.
    private func showings(rank: Int, limit: Int = Guide.limit) throws -> [Showing] {
        var showings: [Showing] = []
        let programmes = try Int64.fetchCursor(
            index.cachedStatement(sql: "SELECT rowid FROM text WHERE text MATCH ? ORDER BY rowid DESC"),
            arguments: [terms.matchExpression(rank: rank)])
        // A guide on a server needs few requests, and a local one no unnecessary lookups.
        var chunk: [Int64] = []
        while showings.count <= limit {
            let programme = try programmes.next()
            if let programme { chunk.append(programme) }
            if chunk.count == 256 || programme == nil {
                showings += try guide.showings(ofProgrammes: chunk, limit: limit + 1 - showings.count)
                chunk = []
            }
            if programme == nil { break }
        }
        return showings
    }
}

/// The stored airings of a guide for searches.
package protocol SearchedAirings {
    associatedtype Seeker: AiringSeeking

    var seeker: Seeker { get }

    /// Returns at most `limit` airings of programmes in the order of the programmes, the latest airing of each first. Airings of
    /// sources that are never shown are not included.
    func showings(ofProgrammes programmes: [Int64], limit: Int) throws -> [Showing]

    /// Visits at most `limit` airings at an instant, one per station and source. They need not be shown.
    func visitAirings(at instant: Instant, limit: Int, _ body: (UpcomingAiring) throws -> Void) throws

    /// Visits at most `limit` airings that start in a window.
    func visitAirings(startingIn window: TimeWindow, limit: Int, _ body: (UpcomingAiring) throws -> Void) throws

    /// Returns the end of the guide; `nil` for an empty one.
    func end() throws -> Instant?
}

/// An airing in a scan of ``SearchedAirings``.
package struct UpcomingAiring {
    package let showing: Showing
    package let programme: Int64
    /// Returns the first `count` of title, subtitle and description.
    package let texts: (_ count: Int) -> [String]

    package init(showing: Showing, programme: Int64, texts: @escaping (_ count: Int) -> [String]) {
        self.showing = showing
        self.programme = programme
        self.texts = texts
    }
}

extension SearchedAirings {
    /// The maximum number of airings to look up for a page.
    fileprivate static var limit: Int { 10_000 }

    /// Returns other shown airings of programmes with one content that stop after an instant, sorted by start.
    package func showings(
        ofAny programmes: [Int64], except airing: AiringID, after instant: Instant, limit: Int
    ) throws -> [Showing] {
        let limit = min(limit, Self.limit)
        var showings = try showings(ofProgrammes: programmes, limit: Self.limit + 1)
        if showings.count > Self.limit {
            // Upcoming showings only, including the airing itself.
            showings = try upcoming(limit + 1, from: instant) { programmes.contains($0.programme) }
        }
        var times = ShownTimes(seeker)
        return try times.shown(showings.filter { $0.airing != airing.rawValue })
            .filter { $0.window.end > instant }
            .sorted { ($0.window.start, $0.airing) < ($1.window.start, $1.airing) }.prefix(limit).map(\.self)
    }

    /// Returns at least `count` matching current and upcoming airings if there are that many, unsorted within each step of time.
    ///
    /// It scans all stations in growing steps of time, to find the next matches of a search with so many matching programmes that
    /// looking up all of them would take long. The more matches there are, the sooner it ends.
    fileprivate func upcoming(
        _ count: Int, from instant: Instant, where fits: (UpcomingAiring) throws -> Bool
    ) throws -> [Showing] {
        var found: [Showing] = []
        // The maximum number of airings to examine, which takes tens of milliseconds.
        var left = 20_000
        func examine(_ airing: UpcomingAiring) throws {
            if try fits(airing) { found.append(airing.showing) }
            left -= 1
        }
        let end = try end() ?? Instant(secondsSince1970: .min)
        try visitAirings(at: instant, limit: left, examine)
        var start = instant.advanced(by: 1)
        var length: Int64 = 3600
        while found.count < count, left > 0, start < end {
            let stop = min(end, start.advanced(by: length))
            try visitAirings(startingIn: TimeWindow(start: start, end: stop), limit: left, examine)
            start = stop
            length = min(length * 2, 1 << 40)
        }
        return found
    }
}
