/// The number of an airing in the store: kept while station and start stand, never used again.
public struct AiringID: Hashable, Comparable, Sendable, CustomStringConvertible {
    public let rawValue: Int64

    public init(_ rawValue: Int64) {
        self.rawValue = rawValue
    }

    public static func < (lhs: AiringID, rhs: AiringID) -> Bool { lhs.rawValue < rhs.rawValue }

    public var description: String { String(rawValue) }
}

/// One transmission of a programme on a station, with as much of the programme as a grid shows.
public struct Airing: Hashable, Sendable, Identifiable {
    /// Its number in the store.
    public var id: AiringID
    /// Where it is shown.
    public var station: StationID
    /// When it is on. Airings of one station never overlap; those of a clump share one window.
    public var window: TimeWindow
    /// The place in its clump, or `nil` where it has the window for itself.
    public var clump: Clump?
    /// What the feed said, where that differs from ``window``.
    public var published: PublishedTimes?
    /// The feed gave no usable stop: the one here was inferred (facts, rule 1).
    public var isStopInferred: Bool
    /// A better source speaks for the rest of its time: the window is what is left of it.
    public var isCut: Bool
    /// The first title of the feed; empty where there is none.
    public var title: String
    /// The first sub-title of the feed, or `nil`.
    public var subtitle: String?
    /// The first description of the feed, or `nil`; also `nil` where only what a grid shows was read.
    public var description: String?
    /// All of the feed; where only what a grid shows was read, the first.
    public var categories: [String]
    /// The episode's number for people, such as `S1 E13`.
    public var episode: String?
    /// What a grid marks it with.
    public var marks: AiringMarks

    public init(
        id: AiringID, station: StationID, window: TimeWindow, clump: Clump? = nil, published: PublishedTimes? = nil,
        isStopInferred: Bool = false, isCut: Bool = false, title: String, subtitle: String? = nil,
        description: String? = nil, categories: [String] = [], episode: String? = nil, marks: AiringMarks = []
    ) {
        self.id = id
        self.station = station
        self.window = window
        self.clump = clump
        self.published = published
        self.isStopInferred = isStopInferred
        self.isCut = isCut
        self.title = title
        self.subtitle = subtitle
        self.description = description
        self.categories = categories
        self.episode = episode
        self.marks = marks
    }
}

/// The place of a programme among those that share one window: `clumpidx="1/2"` is index 1 of 2.
///
/// The true boundary between them is unknown (facts, rule 5): a grid splits the window for display only.
public struct Clump: Hashable, Sendable {
    /// From 0, below ``count``.
    public let index: Int
    /// At least 2.
    public let count: Int

    /// A place in a clump, or `nil` where there is nothing to share or the index lies outside (`0/1`, `3/2`), or where
    /// more than 255 programmes would share one window.
    @inlinable
    public init?(index: Int, count: Int) {
        guard count >= 2, count <= 255, (0..<count).contains(index) else { return nil }
        self.index = index
        self.count = count
    }
}

/// The times that a feed published for an airing, before they were repaired.
public struct PublishedTimes: Hashable, Sendable {
    /// Never missing: without one there is no airing.
    public var start: Instant
    /// `nil` where the feed gave none.
    public var stop: Instant?

    public init(start: Instant, stop: Instant?) {
        self.start = start
        self.stop = stop
    }
}

/// An airing with everything that is known of it.
public struct AiringDetail: Hashable, Sendable {
    /// What a grid shows of it, and more.
    public var airing: Airing
    /// As ``Station/name``.
    public var stationName: String
    /// Everything that is said of what it transmits.
    public var programme: Programme
    /// Attributes of the transmission: `pdc-start`, `showview`, `catchup-id`, whatever the feed gives.
    public var transmission: [ContentAttribute]
    /// The name of the source it came from.
    public var source: String

    /// Whether it is part of the station's schedule; else a better source speaks for its time.
    public var isShown: Bool

    public init(
        airing: Airing, stationName: String, programme: Programme, transmission: [ContentAttribute], source: String,
        isShown: Bool = true
    ) {
        self.airing = airing
        self.stationName = stationName
        self.programme = programme
        self.transmission = transmission
        self.source = source
        self.isShown = isShown
    }
}
