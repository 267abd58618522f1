/// A search for words, whose results come in pages. Airings that stop after ``now`` come before those that are over.
public struct SearchQuery: Hashable, Sendable {
    public enum Order: Hashable, Sendable {
        /// By start; of what is over, the latest first.
        case start
        /// First those whose title has all the words, then those whose title and sub-title together have them, then the
        /// others; each by ``start``.
        case relevance
    }

    /// Words that must all occur in title, sub-title or description, ignoring case and, in Latin letters, accents; see
    /// ``SearchExpression``.
    public var words: String
    public var now: Instant
    public var order: Order
    /// The number of matches to skip; below 0 counts as 0.
    public var offset: Int
    /// The maximum number of matches, at least 1.
    public var limit: Int

    public init(words: String, now: Instant, order: Order = .relevance, offset: Int = 0, limit: Int = 50) {
        self.words = words
        self.now = now
        self.order = order
        self.offset = offset
        self.limit = limit
    }
}

/// A page of the matches of a search.
public struct SearchResults: Hashable, Sendable {
    /// The number of matches on all pages, or a lower bound of it.
    public var total: Int
    /// Whether ``total`` is exact.
    ///
    /// It isn't where ten thousand airings or more match by relevance: they are not all counted, and the pages hold the next
    /// ones in their order, but not all that are far ahead or over. Nor is it while the search index is behind the guide.
    public var isTotalExact: Bool
    public var matches: [SearchMatch]

    public init(total: Int = 0, isTotalExact: Bool = true, matches: [SearchMatch] = []) {
        self.total = total
        self.isTotalExact = isTotalExact
        self.matches = matches
    }
}

/// An airing that a search found.
public struct SearchMatch: Hashable, Sendable {
    /// The texts of an airing that are searched.
    public enum Field: String, Hashable, Sendable, CaseIterable {
        case title, subtitle, description
    }

    public var airing: Airing
    /// As ``Station/name``.
    public var stationName: String
    /// The row of the station, from 0.
    public var row: Int
    /// Where the words are, for each field that has any of them; `nil` unless the order is ``SearchQuery/Order/relevance``.
    ///
    /// Ranges of UTF-8 bytes, ascending, without overlapping or touching, each from one Unicode scalar to another.
    public var highlights: [Field: [Range<Int>]]?

    public init(airing: Airing, stationName: String, row: Int, highlights: [Field: [Range<Int>]]? = nil) {
        self.airing = airing
        self.stationName = stationName
        self.row = row
        self.highlights = highlights
    }
}
