/// One `<programme>` of a feed before it is normalised: its times, and where its content is stored.
///
/// An import keeps one of these for each programme of the file, so it is small (56 bytes): the content went to the store.
public struct Listing: Hashable, Sendable {
    /// What the feed says of the stop.
    public enum Stop: Hashable, Sendable {
        /// No stop, or one that can't be read.
        case missing
        /// The instant that was given.
        case at(Instant)
    }

    @usableFromInline var startSeconds: Int64
    /// 0 where there is none.
    @usableFromInline var stopSeconds: Int64
    /// The stored programme's number.
    public var programme: Int64
    /// A hash of programme and transmission, the same in every import: the last tie-breaker of every rule, so that the
    /// order of the input decides nothing.
    public var contentKey: UInt64
    /// A hash of the title: equal titles are equal keys.
    public var titleKey: UInt32
    /// The stored attributes of this transmission (`showview`, `catchup-id` …), or 0 where it has none.
    public var transmission: UInt32
    /// The line of the feed on which the programme begins, from 1.
    public var line: UInt32
    /// How much the feed says of it: the number of bytes of its content, cut at 65,535.
    public var richness: UInt16
    @usableFromInline var clumpIndex: UInt8
    /// 0 where it has its window for itself; the highest bit says that there is a stop.
    @usableFromInline var clumpCountAndStop: UInt16

    @inlinable
    public init(
        start: Instant, stop: Stop, programme: Int64, transmission: UInt32 = 0, contentKey: UInt64, titleKey: UInt32,
        line: UInt32, richness: UInt16, clump: Clump? = nil
    ) {
        startSeconds = start.secondsSince1970
        stopSeconds = 0
        self.programme = programme
        self.transmission = transmission
        self.contentKey = contentKey
        self.titleKey = titleKey
        self.line = line
        self.richness = richness
        clumpIndex = 0
        clumpCountAndStop = 0
        self.stop = stop
        self.clump = clump
    }

    /// As the feed gives it.
    @inlinable public var start: Instant {
        get { Instant(secondsSince1970: startSeconds) }
        set { startSeconds = newValue.secondsSince1970 }
    }

    /// As the feed gives it; it may lie before the start.
    @inlinable public var stop: Stop {
        get { clumpCountAndStop & 0x8000 == 0 ? .missing : .at(Instant(secondsSince1970: stopSeconds)) }
        set {
            switch newValue {
            case .missing:
                stopSeconds = 0
                clumpCountAndStop &= 0x7FFF
            case .at(let instant):
                stopSeconds = instant.secondsSince1970
                clumpCountAndStop |= 0x8000
            }
        }
    }

    /// `clumpidx`, where it says that a window is shared.
    @inlinable public var clump: Clump? {
        get { Clump(index: Int(clumpIndex), count: Int(clumpCountAndStop & 0x7FFF)) }
        set {
            clumpIndex = UInt8(newValue?.index ?? 0)
            clumpCountAndStop = clumpCountAndStop & 0x8000 | UInt16(newValue?.count ?? 0)
        }
    }

    /// The times as the feed gave them.
    public var published: PublishedTimes {
        if case .at(let instant) = stop {
            PublishedTimes(start: start, stop: instant)
        } else {
            PublishedTimes(start: start, stop: nil)
        }
    }
}

/// A listing that has its place in a schedule.
public struct ScheduledListing: Hashable, Sendable {
    /// When it is on.
    public var window: TimeWindow
    /// Its place among those that share the window; `nil` where it has the window for itself.
    public var clump: Clump?
    /// The times as the feed gave them, where they differ from ``window``.
    public var published: PublishedTimes?
    /// The feed gave no usable stop (facts, rule 1).
    public var isStopInferred: Bool
    /// The stored programme's number.
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

/// What became of the listings of one station.
public struct NormalisedListings: Hashable, Sendable {
    /// Sorted by start, not overlapping; those of a clump share a window, in the clump's order.
    public var airings: [ScheduledListing]
    /// Every listing that was changed, merged or dropped, in the order of start.
    public var repairs: [Repair]
    /// [first start, last stop) without what was inferred or is absurdly long; `nil` where no airing is left.
    ///
    /// Importing the source again replaces just this range (architecture.md).
    public var coverage: TimeWindow?

    public init(airings: [ScheduledListing] = [], repairs: [Repair] = [], coverage: TimeWindow? = nil) {
        self.airings = airings
        self.repairs = repairs
        self.coverage = coverage
    }
}

/// One thing that the normaliser did, with both sides of it.
public struct Repair: Hashable, Sendable {
    /// What was wrong.
    public var keyword: Diagnostic.Keyword
    /// What was done about it.
    public var action: Diagnostic.Action
    /// The listing that was changed or dropped.
    public var listing: Listing
    /// The other listing that was the reason, where there is one.
    public var other: Listing?
    /// The window that it has now; `nil` where it was dropped or merged.
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
