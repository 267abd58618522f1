/// A receiver of the contents of a guide.
public protocol GuideVisitor {
    /// Begins, with the attributes of `<tv>` of the only source, or none where there are several.
    mutating func begin(header: [ContentAttribute]) throws

    /// Receives a station. All stations come before the first airing.
    ///
    /// - Parameter nodes: Its description as it is stored, in the order of the feed; empty where no feed declared it.
    mutating func station(_ station: StationRow, nodes: [ContentNode]) throws

    /// Receives an airing. Those of a station are consecutive, in order of start and part.
    mutating func airing(_ airing: ExportedAiring) throws

    mutating func end() throws
}

/// A choice of stations and airings for an export; by default all that are shown.
public struct ExportSelection: Sendable {
    /// Airings that overlap it, with their whole times.
    public var window: TimeWindow?
    /// The name of a source, for all of its airings, shown or not, and the stations that it describes or has airings of.
    public var source: String?
    public var stations: (@Sendable (Station) -> Bool)?
    /// Whether stations are in the order of the rows; otherwise by the source that describes them and their place in it.
    public var inRows = false

    public init() {}
}

/// An airing with everything that the feed says of its programme; see ``Airing``.
public struct ExportedAiring: Sendable {
    public var station: StationID
    /// When it is on; where a source that takes precedence cut it, what is left.
    public var window: TimeWindow
    public var published: PublishedTimes?
    public var isStopInferred = false
    public var clump: Clump?
    /// Attributes of the transmission (`showview`, `catchup-id` …), in the order of the feed.
    public var transmission: [ContentAttribute] = []
    public var programme: StoredProgramme
    /// The name of the source.
    public var source: String

    /// An airing that is alone in its window and has the published times; set the other properties where they differ.
    public init(station: StationID, window: TimeWindow, programme: StoredProgramme, source: String) {
        self.station = station
        self.window = window
        self.programme = programme
        self.source = source
    }
}

/// The source that an export names doesn't exist.
public struct UnknownSource: Error, Hashable, Sendable, CustomStringConvertible {
    public let name: String

    public init(name: String) {
        self.name = name
    }

    public var description: String { "There is no source \(name)." }
}
