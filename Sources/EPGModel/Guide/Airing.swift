/// The identifier of an airing in a store. It is stable while station and start stay the same, and never reused.
public struct AiringID: Hashable, Comparable, Sendable, CustomStringConvertible {
    public let rawValue: Int64

    /// Creates an identifier from its number in a store. The airing need not exist.
    public init(_ rawValue: Int64) {
        self.rawValue = rawValue
    }

    public static func < (lhs: AiringID, rhs: AiringID) -> Bool { lhs.rawValue < rhs.rawValue }

    public var description: String { String(rawValue) }
}

/// A transmission of a programme on a station, with the programme data that a grid shows.
public struct Airing: Hashable, Sendable, Identifiable {
    public var id: AiringID
    public var station: StationID
    /// The time of the airing. Airings of a station never overlap; airings of a clump share a window.
    public var window: TimeWindow
    /// The position in a clump; `nil` for an airing that does not share its window.
    public var clump: Clump?
    /// The times in the feed, if they differ from ``window``.
    public var published: PublishedTimes?
    /// Whether the stop was inferred because the feed has no valid one (Rules.md, rule 1).
    public var isStopInferred: Bool
    /// Whether it continues after an airing within it, so that the same programme is on earlier, too (Rules.md, rule 16).
    public var isContinuation: Bool
    /// Whether a source that takes precedence covers part of its time, so that ``window`` is the rest.
    public var isCut: Bool
    /// The first title of the feed; empty if there is none. People see ``shownTitle``.
    public var title: String
    public var subtitle: String?
    /// The first description of the feed; `nil` in queries for a grid.
    public var description: String?
    /// The categories of the feed; only the first in queries for a grid.
    public var categories: [String]
    /// The readable episode number, such as `S1 E13`.
    public var episode: String?
    /// The text that ``episode`` was derived from; `nil` if the feed has the number.
    package var episodeSource: EpisodeText.Field?
    public var marks: AiringMarks
    /// The genre by all categories of the feed, also in queries for a grid.
    public var genre: ProgrammeGenre

    /// Creates an airing. By default, it has the published times, does not share its window, and has no marks, no genre and no texts
    /// except its title.
    public init(
        id: AiringID, station: StationID, window: TimeWindow, clump: Clump? = nil, published: PublishedTimes? = nil,
        isStopInferred: Bool = false, isContinuation: Bool = false, isCut: Bool = false, title: String,
        subtitle: String? = nil,
        description: String? = nil, categories: [String] = [], episode: String? = nil, marks: AiringMarks = [],
        genre: ProgrammeGenre = .none
    ) {
        self.id = id
        self.station = station
        self.window = window
        self.clump = clump
        self.published = published
        self.isStopInferred = isStopInferred
        self.isContinuation = isContinuation
        self.isCut = isCut
        self.title = title
        self.subtitle = subtitle
        self.description = description
        self.categories = categories
        self.episode = episode
        self.marks = marks
        self.genre = genre
    }

    /// The title for people: ``untitled`` if there is none.
    package var shownTitle: String { title.isEmpty ? Airing.untitled : title }

    /// The title that people see for an airing without one. JSON and XMLTV leave it out.
    package static let untitled = "Untitled"
}

/// The marks of an airing in a grid.
public struct AiringMarks: OptionSet, Hashable, Sendable {
    public let rawValue: UInt8

    /// Creates marks from their bits: the sum of the raw values of the marks. Other bits are kept.
    public init(rawValue: UInt8) {
        self.rawValue = rawValue
    }

    /// `<new/>`
    public static let new = AiringMarks(rawValue: 1)
    /// `<premiere>`
    public static let premiere = AiringMarks(rawValue: 2)
    /// `<live/>`, which is not in the DTD but written by Kodi's add-ons and by grabbers for Schedules Direct.
    public static let live = AiringMarks(rawValue: 4)
    /// `<previously-shown>`: a repeat.
    public static let repeated = AiringMarks(rawValue: 16)
    /// `<derived>`: no feed lists the airing. It was derived from a playlist or from another station (Rules.md, rule 19).
    public static let derived = AiringMarks(rawValue: 8)

    package init(_ programme: Programme) {
        self = []
        if programme.isNew { formUnion(.new) }
        if programme.premiere != nil { formUnion(.premiere) }
        if programme.previouslyShown != nil { formUnion(.repeated) }
        for element in programme.extras.elements {
            switch element.name {
            case "live": formUnion(.live)
            // A repetition of the element, or one with more attributes than the DTD has.
            case "previously-shown": formUnion(.repeated)
            case "derived": formUnion(.derived)
            default: break
            }
        }
    }
}

/// The position of a programme among those that share a window: `clumpidx="1/2"` is index 1 of 2.
///
/// The true boundaries between them are unknown (Rules.md, rule 5): a grid splits the window for display only.
public struct Clump: Hashable, Sendable {
    /// The 0-based index, below ``count``.
    public let index: Int
    /// The number of programmes, from 2 to 255.
    public let count: Int

    /// The maximum of ``count``.
    package static let maximumCount = 255

    /// Creates a position; `nil` if the count is not from 2 to 255 (`0/1`), or the index is out of range (`3/2`).
    @inlinable
    public init?(index: Int, count: Int) {
        guard (2...255).contains(count), (0..<count).contains(index) else { return nil }
        self.index = index
        self.count = count
    }

    /// Parses `clumpidx`; `nil` if the window isn't shared or the text has another form.
    package init?(clumpidx text: String) {
        guard let (index, count) = Clump.numbers(ofClumpidx: text) else { return nil }
        self.init(index: index, count: count)
    }

    /// Returns the index and the count in the text of `clumpidx`, valid or not: two numbers of at most nine digits around a
    /// slash. Spaces are ignored.
    package static func numbers(ofClumpidx text: String) -> (index: Int, count: Int)? {
        let parts = text.filter { $0 != " " }.split(separator: "/", omittingEmptySubsequences: false)
        guard parts.count == 2, let index = number(parts[0]), let count = number(parts[1]) else { return nil }
        return (index, count)
    }

    private static func number(_ text: Substring) -> Int? {
        text.utf8.count <= 9 && text.utf8.allSatisfy { $0 &- 0x30 < 10 } ? Int(text) : nil
    }
}

/// The times of an airing in its feed, before normalization.
public struct PublishedTimes: Hashable, Sendable {
    public var start: Instant
    /// `nil` if the feed has none.
    public var stop: Instant?

    /// Creates times as they are in the feed.
    ///
    /// - Parameter stop: The stop, which may be before the start; `nil` if the feed has none.
    public init(start: Instant, stop: Instant?) {
        self.start = start
        self.stop = stop
    }
}

/// An airing with all of its details.
public struct AiringDetail: Hashable, Sendable {
    public var airing: Airing
    /// See ``Station/name``.
    public var stationName: String
    /// The content according to the feed.
    public var programme: Programme
    /// Attributes of the transmission, such as `pdc-start`, `showview` and `catchup-id`.
    public var transmission: [ContentAttribute]
    /// The name of the source.
    public var source: String
    /// Whether the airing is part of the station's schedule; otherwise another source takes precedence at its time.
    public var isShown: Bool

    /// Creates an airing with its details.
    ///
    /// - Parameter isShown: Whether the airing is part of the station's schedule (the default), or hidden by another source.
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

    /// Sets the shown time of an airing on a station that several sources cover; `nil` hides it.
    package mutating func show(_ window: TimeWindow?) {
        if let window { airing.show(window) }
        isShown = window != nil
    }
}

/// The airings of a station, sorted by start and without overlaps.
public struct Schedule: Hashable, Sendable {
    public let station: StationID
    /// The airings, sorted by start; airings of a clump share a window, in the order of the clump.
    public let airings: [Airing]

    /// Creates a schedule.
    /// - Precondition: The airings are sorted, do not overlap, and only airings of a clump share a window. Use
    ///   ``init(checking:of:)`` for external airings.
    /// - Complexity: O(n).
    public init(station: StationID, airings: [Airing]) {
        precondition(Schedule.firstOverlap(in: airings) == nil, "the airings of a schedule must not overlap")
        self.station = station
        self.airings = airings
    }

    /// Creates a schedule from external airings.
    /// - Throws: ``ScheduleOverlap`` for the first two airings that overlap.
    public init(checking airings: [Airing], of station: StationID) throws(ScheduleOverlap) {
        if let index = Schedule.firstOverlap(in: airings) {
            throw ScheduleOverlap(first: airings[index - 1].id, second: airings[index].id)
        }
        self.station = station
        self.airings = airings
    }

    /// Returns the airings and gaps that tile a window (Rules.md, rule 7).
    ///
    /// Airings keep their own times, even beyond the window; gaps are clipped to it. The airings of a clump are one segment.
    /// An empty window has no segments.
    /// - Complexity: O(log n + k) for k segments.
    public func segments(in window: TimeWindow) -> [ScheduleSegment] {
        guard !window.isEmpty else { return [] }
        var segments: [ScheduleSegment] = []
        var reached = window.start
        var index = airings.partitioningIndex { $0.window.end > window.start }
        while index < airings.count, airings[index].window.start < window.end {
            let shared = airings[index].window
            var end = index + 1
            while end < airings.count, airings[end].window == shared { end += 1 }
            if shared.start > reached { segments.append(.gap(TimeWindow(start: reached, end: shared.start))) }
            segments.append(.airings(airings[index..<end]))
            reached = max(reached, shared.end)
            index = end
        }
        if reached < window.end { segments.append(.gap(TimeWindow(start: reached, end: window.end))) }
        return segments
    }

    /// Returns the index of the first airing that overlaps the one before it.
    private static func firstOverlap(in airings: [Airing]) -> Int? {
        guard airings.count > 1 else { return nil }
        return (1..<airings.count).first { index in
            let (previous, current) = (airings[index - 1], airings[index])
            if current.window == previous.window, let first = previous.clump, let second = current.clump {
                return second.index <= first.index
            }
            return current.window.start < previous.window.end || current.window.start < previous.window.start
        }
    }
}

/// A part of a schedule.
public enum ScheduleSegment: Hashable, Sendable {
    /// One airing, or those that share a window.
    case airings(ArraySlice<Airing>)
    case gap(TimeWindow)
}

/// Two overlapping airings of a station.
public struct ScheduleOverlap: Error, Hashable, Sendable {
    public let first: AiringID
    /// The airing that starts before the first one stops.
    public let second: AiringID
}

extension RandomAccessCollection {
    /// Returns the first index at which a predicate holds that is first false, then true.
    ///
    /// - Complexity: O(log n).
    @inlinable package func partitioningIndex(
        where belongsInSecondPartition: (Element) throws -> Bool
    ) rethrows -> Index {
        var low = startIndex
        var remaining = count
        while remaining > 0 {
            let half = remaining / 2
            let middle = index(low, offsetBy: half)
            if try belongsInSecondPartition(self[middle]) {
                remaining = half
            } else {
                low = index(after: middle)
                remaining -= half + 1
            }
        }
        return low
    }
}
