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
    /// The number of bytes of the content, at most 65,535.
    public var richness: UInt16
    /// A hash of the title: equal titles have equal keys.
    public var titleKey: UInt32
    /// The number of the stored attributes of this transmission (`showview`, `catchup-id`, …); 0 if it has none.
    public var transmission: UInt32
    /// The 1-based line of the feed on which the programme begins.
    public var line: UInt32

    @inlinable
    public init(
        start: Instant, stop: Instant?, programme: Int64, transmission: UInt32 = 0, contentKey: UInt64,
        titleKey: UInt32, line: UInt32, richness: UInt16, clump: Clump? = nil
    ) {
        self.start = start
        self.stop = stop
        self.programme = programme
        self.transmission = transmission
        self.contentKey = contentKey
        self.titleKey = titleKey
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
}

/// The normalized listings of a station.
public struct NormalizedListings: Hashable, Sendable {
    /// The airings, sorted by start and without overlaps; those of a clump share a window, in the order of the clump.
    public var airings: [ScheduledListing]
    /// The changed, merged and dropped listings, sorted by start.
    public var repairs: [Repair]
    /// The range from the first start to the last stop, without inferred and implausibly long airings; `nil` if there is none.
    ///
    /// An import replaces exactly this range of its source.
    public var coverage: TimeWindow?

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
