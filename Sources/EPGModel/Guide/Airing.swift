/// The number of an airing in the store: kept while station and start stay, never used again.
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
    public var id: AiringID
    public var station: StationID
    /// When it is on. Airings of one station never overlap; those of a clump share one window.
    public var window: TimeWindow
    /// The place in its clump; `nil` where it has the window for itself.
    public var clump: Clump?
    /// The times in the feed, where they differ from ``window``.
    public var published: PublishedTimes?
    /// Whether the stop was inferred because the feed gave no usable one (facts, rule 1).
    public var isStopInferred: Bool
    /// Whether a source that takes precedence cut it: the window is what is left of its time.
    public var isCut: Bool
    /// The first title of the feed; empty where there is none.
    public var title: String
    public var subtitle: String?
    /// The first description of the feed; also `nil` where only what a grid shows was read.
    public var description: String?
    /// All of the feed; where only what a grid shows was read, the first.
    public var categories: [String]
    /// The number of the episode for people, such as `S1 E13`.
    public var episode: String?
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

/// The marks of an airing in a grid: new, shown for the first time here, or live.
public struct AiringMarks: OptionSet, Hashable, Sendable {
    public let rawValue: UInt8

    public init(rawValue: UInt8) {
        self.rawValue = rawValue
    }

    /// `<new/>`
    public static let new = AiringMarks(rawValue: 1)
    /// `<premiere>`
    public static let premiere = AiringMarks(rawValue: 2)
    /// `<live/>`, which isn't in the DTD; Kodi's add-ons and grabbers of Schedules Direct write it.
    public static let live = AiringMarks(rawValue: 4)

    package init(_ programme: Programme) {
        self = []
        if programme.isNew { formUnion(.new) }
        if programme.premiere != nil { formUnion(.premiere) }
        if programme.extras.elements.contains(where: { $0.name == "live" }) { formUnion(.live) }
    }
}

/// The place of a programme among those that share one window: `clumpidx="1/2"` is index 1 of 2.
///
/// The true boundary between them is unknown (facts, rule 5): a grid splits the window for display only.
public struct Clump: Hashable, Sendable {
    /// From 0, below ``count``.
    public let index: Int
    /// 2…255.
    public let count: Int

    /// A place in a clump; `nil` where nothing is shared (`0/1`), the index lies outside (`3/2`), or the count exceeds 255.
    @inlinable
    public init?(index: Int, count: Int) {
        guard (2...255).contains(count), (0..<count).contains(index) else { return nil }
        self.index = index
        self.count = count
    }
}

/// The times that a feed published for an airing, before they were repaired.
public struct PublishedTimes: Hashable, Sendable {
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
    public var airing: Airing
    /// As ``Station/name``.
    public var stationName: String
    /// Everything that the feed says of the content.
    public var programme: Programme
    /// Attributes of the transmission, such as `pdc-start`, `showview` and `catchup-id`.
    public var transmission: [ContentAttribute]
    /// The name of the source.
    public var source: String
    /// Whether it is part of the station's schedule; otherwise another source takes precedence at its time.
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
