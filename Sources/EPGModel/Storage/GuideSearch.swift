/// A search for words.
public struct SearchQuery: Hashable, Sendable {
    /// Words that must all occur in title, sub-title or description; see ``SearchExpression``.
    /// Case and, in Latin letters, accents don't matter.
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

/// A search for words whose answer comes in pages, with what is most likely wanted first.
///
/// Airings that stop after ``now`` come first. Among them those whose title has all the words, then those whose title and
/// sub-title have them all together, then the others; each by start. Those that are over follow in the same three ranks,
/// the latest first.
public struct RankedQuery: Hashable, Sendable {
    /// Words that must all occur in title, sub-title or description; see ``SearchExpression``.
    /// Case and, in Latin letters, accents don't matter.
    public var words: String
    /// What stops at or before it is over.
    public var now: Instant
    /// How many matches to pass over; below 0 counts as 0.
    public var offset: Int
    /// How many matches to give, at least 1.
    public var limit: Int

    public init(words: String, now: Instant, offset: Int = 0, limit: Int = 50) {
        self.words = words
        self.now = now
        self.offset = offset
        self.limit = limit
    }
}

/// A page of what a ranked search found.
public struct RankedResults: Hashable, Sendable {
    /// How many airings match, on all pages; at least so many are known where the number isn't exact.
    public var total: Int
    /// Whether ``total`` is the true number.
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
    /// Where the words stand, one for each field that has any of them.
    public var highlights: [Highlight]

    public init(airing: Airing, stationName: String, row: Int, highlights: [Highlight]) {
        self.airing = airing
        self.stationName = stationName
        self.row = row
        self.highlights = highlights
    }
}

/// Where the words of a search stand in a text of an airing.
public struct Highlight: Hashable, Sendable {
    /// The texts of an airing that are searched.
    public enum Field: String, Hashable, Sendable, CaseIterable {
        case title
        case subtitle
        case description
    }

    public var field: Field
    /// Ranges of UTF-8 bytes, ascending; they neither overlap nor touch, and each begins and ends between two characters'
    /// code points.
    public var ranges: [Range<Int>]

    public init(field: Field, ranges: [Range<Int>]) {
        self.field = field
        self.ranges = ranges
    }
}
