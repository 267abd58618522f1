/// A search for words.
public struct SearchQuery: Hashable, Sendable {
    /// Words that must all occur in title, sub-title or description, ignoring case and, in Latin letters, accents; see
    /// ``SearchExpression``.
    public var words: String
    /// Airings that stop after it come first, in order of start; the others follow, the latest first.
    public var now: Instant
    /// At least 1.
    public var limit: Int

    public init(words: String, now: Instant, limit: Int = 50) {
        self.words = words
        self.now = now
        self.limit = limit
    }
}

/// An airing that a search found.
public struct SearchMatch: Hashable, Sendable {
    /// What a grid shows of it.
    public var airing: Airing
    /// As ``Station/name``.
    public var stationName: String

    public init(airing: Airing, stationName: String) {
        self.airing = airing
        self.stationName = stationName
    }
}

/// A search for words whose answer comes in pages, the most relevant matches first.
///
/// Airings that stop after ``now`` come first: those whose title has all the words, then those whose title and sub-title
/// together have them, then the others; each by start. Airings that are over follow in the same three ranks, the latest first.
public struct RankedQuery: Hashable, Sendable {
    /// As ``SearchQuery/words``.
    public var words: String
    public var now: Instant
    /// The number of matches to skip; below 0 counts as 0.
    public var offset: Int
    /// The maximum number of matches, at least 1.
    public var limit: Int

    public init(words: String, now: Instant, offset: Int = 0, limit: Int = 50) {
        self.words = words
        self.now = now
        self.offset = offset
        self.limit = limit
    }
}

/// A page of the matches of a ranked search.
public struct RankedResults: Hashable, Sendable {
    /// The number of matches on all pages, or a lower bound of it.
    public var total: Int
    /// Whether ``total`` is exact.
    ///
    /// It isn't where ten thousand airings or more match: they are not all counted, and the pages hold the next ones in
    /// their order, but not all that are far ahead or over. Nor is it while the search index is behind the guide.
    public var isTotalExact: Bool
    public var matches: [RankedMatch]

    public init(total: Int, isTotalExact: Bool = true, matches: [RankedMatch]) {
        self.total = total
        self.isTotalExact = isTotalExact
        self.matches = matches
    }
}

/// An airing that a ranked search found.
public struct RankedMatch: Hashable, Sendable {
    public var airing: Airing
    public var stationName: String
    /// The row of the station, from 0.
    public var row: Int
    /// One for each field that has any of the words.
    public var highlights: [Highlight]

    public init(airing: Airing, stationName: String, row: Int, highlights: [Highlight]) {
        self.airing = airing
        self.stationName = stationName
        self.row = row
        self.highlights = highlights
    }
}

/// The places of the words of a search in a text of an airing.
public struct Highlight: Hashable, Sendable {
    /// The texts of an airing that are searched.
    public enum Field: String, Hashable, Sendable, CaseIterable {
        case title, subtitle, description
    }

    public var field: Field
    /// Ranges of UTF-8 bytes, ascending, without overlapping or touching, each from one Unicode scalar to another.
    public var ranges: [Range<Int>]

    public init(field: Field, ranges: [Range<Int>]) {
        self.field = field
        self.ranges = ranges
    }
}
