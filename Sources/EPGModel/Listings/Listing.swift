/// A `<programme>` element of a feed before normalization: its times and a reference to its stored content.
///
/// It is small (56 bytes), because an import keeps a listing in memory for each programme of the file.
public struct Listing: Hashable, Sendable {
    /// The start in the feed.
    public var start: Instant
    /// The number of the stored programme.
    public var programme: Int64
    /// A hash of programme and transmission, equal in every import. It is the final tie-breaker of all rules, so that
    /// results do not depend on the order of the input.
    public var contentKey: UInt64
    /// The stop in the feed, which may be before the start; `nil` if it is missing or unreadable.
    public var stop: Instant?
    @usableFromInline var clumpIndex: UInt8 = 0
    /// 0 without a clump.
    @usableFromInline var clumpCount: UInt8 = 0
    /// Whether it is a release by a streaming service, which doesn't overlap others at the same moment (Rules.md, rule 20).
    public var isRelease = false
    /// The amount of information in the content: the number of its characters, less a penalty for damaged text; at most 65,535
    /// (Rules.md, rule 15).
    public var richness: UInt16
    /// A hash of the title: equal titles have equal keys. 0 without a title.
    public var titleKey: UInt32
    /// The episode, as far as the feed gives it.
    public var episodeKey: EpisodeKey
    /// The number of the stored attributes of this transmission (`showview`, `catchup-id`, …); 0 if it has none.
    public var transmission: UInt32
    /// The 1-based line of the feed on which the programme begins.
    public var line: UInt32

    /// Creates a listing.
    ///
    /// - Parameters:
    ///   - start: The published start.
    ///   - stop: The published stop, which may be before the start; `nil` if it is missing or unreadable.
    ///   - programme: The number of the stored programme.
    ///   - transmission: The number of the stored attributes; 0 (the default) if there are none.
    ///   - contentKey: A hash of programme and transmission.
    ///   - titleKey: A hash of the title; 0 without a title.
    ///   - episodeKey: The episode; by default, the feed gives none.
    ///   - line: The 1-based line of the feed.
    ///   - richness: The amount of information in the content (Rules.md, rule 15).
    ///   - clump: The position in a clump; `nil` (the default) if the listing does not share its window.
    @inlinable
    public init(
        start: Instant, stop: Instant?, programme: Int64, transmission: UInt32 = 0, contentKey: UInt64,
        titleKey: UInt32, episodeKey: EpisodeKey = EpisodeKey(rawValue: 0), line: UInt32, richness: UInt16,
        clump: Clump? = nil
    ) {
        self.start = start
        self.stop = stop
        self.programme = programme
        self.transmission = transmission
        self.contentKey = contentKey
        self.titleKey = titleKey
        self.episodeKey = episodeKey
        self.line = line
        self.richness = richness
        self.clump = clump
    }

    /// The value of `clumpidx`; `nil` if the listing does not share its window.
    @inlinable public var clump: Clump? {
        get { Clump(index: Int(clumpIndex), count: Int(clumpCount)) }
        set {
            clumpIndex = UInt8(newValue?.index ?? 0)
            clumpCount = UInt8(newValue?.count ?? 0)
        }
    }

    public var published: PublishedTimes { PublishedTimes(start: start, stop: stop) }
}

/// The episode of a listing in 32 bits: 16 bits each of its number and of its subtitle, 0 if the feed gives none.
///
/// Two listings with the same title and window are different episodes if their numbers differ, or, unless both have a number, if
/// their subtitles differ (Rules.md, rule 14).
public struct EpisodeKey: Hashable, Sendable {
    public let rawValue: UInt32

    /// Creates a key from its bits: the number in the upper 16 and the hash of the subtitle in the lower 16.
    @inlinable
    public init(rawValue: UInt32) {
        self.rawValue = rawValue
    }

    /// Creates a key.
    ///
    /// - Parameters:
    ///   - season: The 1-based season; `nil` if the feed gives none.
    ///   - episode: The 1-based episode; `nil` if the feed gives none.
    ///   - part: The 1-based part; `nil` if the feed gives none.
    ///   - subtitle: A hash of the subtitle; `nil` without one.
    package init(season: Int?, episode: Int?, part: Int?, subtitle: UInt64?) {
        var number: UInt32 = 0
        if let episode {
            // Three bits for the season, nine for the episode and three for the part, so that keys sort like the numbers.
            number = 1 << 15 | (UInt32(truncatingIfNeeded: season ?? 0) & 7) << 12
            number |= (UInt32(truncatingIfNeeded: episode) & 511) << 3 | UInt32(truncatingIfNeeded: part ?? 0) & 7
        }
        let text = subtitle.map { UInt32(truncatingIfNeeded: max(1, $0 & 0xFFFF)) } ?? 0
        rawValue = number << 16 | text
    }

    /// The number, which sorts by season, episode and part; 0 if there is none.
    package var number: UInt32 { rawValue >> 16 }

    /// The hash of the subtitle; 0 if there is none.
    package var subtitle: UInt32 { rawValue & 0xFFFF }

    /// Returns whether both are known to be different episodes.
    package func isOther(than other: EpisodeKey) -> Bool {
        if number != 0, other.number != 0 { return number != other.number }
        return subtitle != 0 && other.subtitle != 0 && subtitle != other.subtitle
    }
}

/// A normalized listing in a schedule.
public struct ScheduledListing: Hashable, Sendable {
    public var window: TimeWindow
    /// See ``Airing/clump``.
    public var clump: Clump?
    /// The times in the feed, if they differ from ``window``.
    public var published: PublishedTimes?
    /// Whether the stop was inferred because the feed has no valid one (Rules.md, rule 1).
    public var isStopInferred: Bool
    /// The number of the stored programme.
    public var programme: Int64
    /// The number of the attributes of the transmission; 0 if it has none.
    public var transmission: UInt32

    /// Creates a listing. By default, it has the published times, does not share its window, and has no attributes.
    public init(
        window: TimeWindow, clump: Clump? = nil, published: PublishedTimes? = nil, isStopInferred: Bool = false,
        programme: Int64, transmission: UInt32 = 0
    ) {
        self.window = window
        self.clump = clump
        self.published = published
        self.isStopInferred = isStopInferred
        self.programme = programme
        self.transmission = transmission
    }

    /// Whether it continues after an embedded airing, so that it starts later than the feed says (Rules.md, rule 16).
    package var isContinuation: Bool { published.map { $0.start < window.start } ?? false }
}

/// The normalized listings of a station.
public struct NormalizedListings: Hashable, Sendable {
    /// The airings, sorted by start and without overlaps; airings of a clump share a window, in the order of the clump.
    public var airings: [ScheduledListing]
    /// The changed, merged and dropped listings, sorted by start.
    public var repairs: [Repair]
    /// The range from the first start to the last stop, without inferred and implausibly long airings; `nil` if there is none.
    ///
    /// An import replaces exactly this range of its source.
    public var coverage: TimeWindow?

    /// Creates the normalized listings of a station.
    ///
    /// - Parameters:
    ///   - airings: The airings, sorted by start and without overlaps, which is not checked; none by default.
    ///   - repairs: The changed, merged and dropped listings, sorted by start; none by default.
    ///   - coverage: The range that an import replaces; `nil` (the default) if there is none.
    public init(airings: [ScheduledListing] = [], repairs: [Repair] = [], coverage: TimeWindow? = nil) {
        self.airings = airings
        self.repairs = repairs
        self.coverage = coverage
    }
}

/// A change that normalization made, with the listings involved.
public struct Repair: Hashable, Sendable {
    /// The kind of problem.
    public var keyword: Diagnostic.Keyword
    public var action: Diagnostic.Action
    /// The listing that was changed or dropped.
    public var listing: Listing
    /// The listing that caused the problem, if there is one.
    public var other: Listing?
    /// The new window; `nil` if the listing was dropped or merged.
    public var window: TimeWindow?

    /// Creates a repair.
    ///
    /// - Parameters:
    ///   - keyword: The kind of problem.
    ///   - action: What normalization did with the listing.
    ///   - listing: The listing that was changed or dropped.
    ///   - other: The listing that caused the problem; `nil` (the default) if there is none.
    ///   - window: The new window; `nil` (the default) if the listing was dropped or merged.
    public init(
        keyword: Diagnostic.Keyword, action: Diagnostic.Action, listing: Listing, other: Listing? = nil,
        window: TimeWindow? = nil
    ) {
        self.keyword = keyword
        self.action = action
        self.listing = listing
        self.other = other
        self.window = window
    }
}
