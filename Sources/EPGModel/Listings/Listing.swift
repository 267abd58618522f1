/// One `<programme>` of a feed before it is normalised: its times, and where its content is stored.
///
/// An import keeps a listing in memory for each programme of the file, so it is small (56 bytes).
public struct Listing: Hashable, Sendable {
    /// As the feed gives it.
    public var start: Instant
    /// The number of the stored programme.
    public var programme: Int64
    /// A hash of programme and transmission, the same in every import: the last tie-breaker of every rule, so that the
    /// order of the input decides nothing.
    public var contentKey: UInt64
    /// As the feed gives it, perhaps before the start; `nil` where it is missing or unreadable.
    public var stop: Instant?
    @usableFromInline var clumpIndex: UInt8 = 0
    /// 0 without a clump.
    @usableFromInline var clumpCount: UInt8 = 0
    /// How much the feed says of it: the number of bytes of its content, at most 65,535.
    public var richness: UInt16
    /// A hash of the title: equal titles have equal keys.
    public var titleKey: UInt32
    /// The stored attributes of this transmission (`showview`, `catchup-id` …), or 0 where it has none.
    public var transmission: UInt32
    /// The line of the feed on which the programme begins, from 1.
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

    /// The value of `clumpidx`; `nil` where the listing has its window for itself.
    @inlinable public var clump: Clump? {
        get { Clump(index: Int(clumpIndex), count: Int(clumpCount)) }
        set {
            clumpIndex = UInt8(newValue?.index ?? 0)
            clumpCount = UInt8(newValue?.count ?? 0)
        }
    }

    public var published: PublishedTimes { PublishedTimes(start: start, stop: stop) }
}

/// A listing that has its place in a schedule.
public struct ScheduledListing: Hashable, Sendable {
    public var window: TimeWindow
    /// As ``Airing/clump``.
    public var clump: Clump?
    /// The times as the feed gave them, where they differ from ``window``.
    public var published: PublishedTimes?
    /// Whether the stop was inferred because the feed gave no usable one (facts, rule 1).
    public var isStopInferred: Bool
    /// The number of the stored programme.
    public var programme: Int64
    /// 0 where the transmission has no attributes.
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

/// The normalised listings of one station.
public struct NormalisedListings: Hashable, Sendable {
    /// Sorted by start, without overlaps; those of a clump share a window, in the order of the clump.
    public var airings: [ScheduledListing]
    /// Every listing that was changed, merged or dropped, in the order of start.
    public var repairs: [Repair]
    /// [first start, last stop) without inferred and implausibly long airings; `nil` where no airing is left.
    ///
    /// The next import of the source replaces exactly this range.
    public var coverage: TimeWindow?

    public init(airings: [ScheduledListing] = [], repairs: [Repair] = [], coverage: TimeWindow? = nil) {
        self.airings = airings
        self.repairs = repairs
        self.coverage = coverage
    }
}

/// One change that the normaliser made, with both listings that it concerns.
public struct Repair: Hashable, Sendable {
    /// What was wrong.
    public var keyword: Diagnostic.Keyword
    /// What was done about it.
    public var action: Diagnostic.Action
    /// The listing that was changed or dropped.
    public var listing: Listing
    /// The listing that was the reason, where there is one.
    public var other: Listing?
    /// The new window; `nil` where the listing was dropped or merged.
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
