/// What a guide is given out to.
public protocol GuideVisitor {
    /// Begins: the attributes of `<tv>` of the only source, or none where there are several.
    mutating func begin(header: [ContentAttribute]) throws

    /// A station. All stations come before the first airing.
    ///
    /// - Parameter nodes: Its description as it is stored, in the order of the feed; empty where no feed declared it.
    mutating func station(_ station: StationRow, nodes: [ContentNode]) throws

    /// An airing; those of a station come one after the other, in order of start and part.
    mutating func airing(_ airing: ExportedAiring) throws

    /// Everything was shown.
    mutating func end() throws
}

/// What is to be given out of a guide.
public struct ExportSelection: Sendable {
    /// Airings that overlap it, with their whole times; `nil` for all.
    public var window: TimeWindow?
    /// The name of a source, for all that it says, shown or not; `nil` for what is shown. The stations are then those
    /// that it describes or has airings of.
    public var source: String?
    /// Which stations; `nil` for all.
    public var stations: (@Sendable (Station) -> Bool)?
    /// Whether stations come in the order of the rows; else by the source that describes them and their place in it.
    public var inRows = false

    public init() {}
}

/// An airing with everything that the feed says of its programme.
public struct ExportedAiring: Sendable {
    /// Where it is shown.
    public var station: StationID
    /// When it is on; where a better source speaks for a part of its time, what is left of it.
    public var window: TimeWindow
    /// What the feed said, where that differs from ``window``.
    public var published: PublishedTimes?
    /// The feed gave no usable stop: the one here was inferred.
    public var isStopInferred: Bool
    /// Its place among those that share the window; `nil` where it has the window for itself.
    public var clump: Clump?
    /// Attributes of the transmission (`showview`, `catchup-id` …), in the order of the feed.
    public var transmission: [ContentAttribute]
    /// The content of the programme.
    public var programme: StoredProgramme
    /// The name of the source that it came from.
    public var source: String

    public init(
        station: StationID, window: TimeWindow, published: PublishedTimes? = nil, isStopInferred: Bool = false,
        clump: Clump? = nil, transmission: [ContentAttribute] = [],
        programme: StoredProgramme, source: String
    ) {
        self.station = station
        self.window = window
        self.published = published
        self.isStopInferred = isStopInferred
        self.clump = clump
        self.transmission = transmission
        self.programme = programme
        self.source = source
    }
}

/// There is no source of the name that an export was to give out.
public struct UnknownSource: Error, Hashable, Sendable, CustomStringConvertible {
    /// As it was asked for.
    public let name: String

    public init(name: String) {
        self.name = name
    }

    public var description: String { "There is no source \(name). See epg source list." }
}
