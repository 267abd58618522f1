public import CollectionLayout
public import EPGModel

/// One thing to draw: a cell, a header, a line.
public struct GuideElement: Hashable, Sendable {
    /// What is drawn; the order is that of drawing within one ``GuideElement/zIndex``.
    public enum Kind: String, Hashable, Sendable, CaseIterable {
        /// A line between two days, a stretch of which nothing is known, an airing, short airings in one cell, a live
        /// picture, the line at now, the head of a station's row, the header of a group of rows, of a half hour, of an hour.
        case daySeparator, gap, airing, cluster, thumbnail, nowLine, station, groupHeader, halfHourHeader, hourHeader
        /// What lies over both headers where they meet.
        case corner
    }

    /// Decides which of the other members say something.
    public let kind: Kind
    /// In content coordinates, snapped to device pixels.
    public private(set) var frame: Rect
    /// The higher one covers the lower one; a raw value of `ZBand`.
    public let zIndex: Int
    /// The station's row, from 0; of a group header its first row; `nil` for what belongs to no row.
    public let row: Int?
    /// Whose row it is in; `nil` for what belongs to no station.
    public let station: StationID?
    /// The airing with its own times, which the grid never changes.
    public let airing: Airing?
    /// The range in full: of an airing its window, of a clump's member the window that it shares.
    public let window: TimeWindow?
    /// The range that the frame stands for: ``window`` cut at the guide's window, of a clump's member its share.
    public let shown: TimeWindow?
    /// The guide's window cuts the start off. Of a gap: it may begin earlier than is known.
    public let isStartClipped: Bool
    /// The guide's window cuts the end off. Of a gap: it may end later than is known.
    public let isEndClipped: Bool
    /// Where, along the time axis, the first point is that the pinned columns leave in sight, between the frame's edges.
    public private(set) var visibleStart: Double
    /// Where, along the time axis, the end is of what is in sight, between the frame's edges; where time runs from right to
    /// left, left of ``visibleStart``.
    public private(set) var visibleEnd: Double
    /// The station's name, the group's title, the hour's or the day's label.
    public let label: String?
    /// How many lines of text fit: first the title, then the time, then the description, see ``GuideElement/showsTime`` and
    /// ``GuideElement/descriptionLines``.
    public let textLines: Int
    /// The place among its like, from 0: of an airing among those of its row that were handed in, of a gap that of the airing
    /// after it, of a cluster that of its first airing, of an hour or a day among the marks.
    public let ordinal: Int
    /// The airings that a cluster stands for, each as it would be by itself; empty for all else.
    ///
    /// A cluster has no ``label``: what is written in it, such as “3 short programmes”, is the face's, which knows the
    /// language; it has the number and the times from here.
    public private(set) var members: [GuideElement]
    /// Along which axis time runs.
    public private(set) var timeAxis = Axis.horizontal
    /// Whether time runs from right to left.
    public private(set) var isTimeReversed = false

    init(
        _ place: ElementPlace, station: StationID? = nil, airing: Airing? = nil, window: TimeWindow? = nil,
        shown: TimeWindow? = nil, isStartClipped: Bool = false, isEndClipped: Bool = false,
        sight: ClosedRange<Double>, label: String? = nil, textLines: Int = 0, members: [GuideElement] = []
    ) {
        kind = place.kind
        frame = place.frame
        zIndex = place.band.rawValue
        row = place.row
        self.station = station
        self.airing = airing
        self.window = window
        self.shown = shown
        self.isStartClipped = isStartClipped
        self.isEndClipped = isEndClipped
        self.visibleStart = sight.lowerBound.clamped(to: frame.minX...frame.maxX)
        self.visibleEnd = sight.upperBound.clamped(to: frame.minX...frame.maxX)
        self.label = label
        self.textLines = textLines
        ordinal = place.ordinal
        self.members = members
    }

    /// Brings an element of the solved grid to where it is shown.
    mutating func place(by presentation: Presentation) {
        frame = presentation.shown(frame)
        visibleStart = presentation.shownTime(visibleStart)
        visibleEnd = presentation.shownTime(visibleEnd)
        timeAxis = presentation.timeAxis
        isTimeReversed = presentation.isTimeReversed
        for index in members.indices { members[index].place(by: presentation) }
    }
}

// MARK: - Text

extension GuideElement {
    /// Whether the title has a line; where there is none, a face may cut it.
    public var showsTitle: Bool { textLines > 0 }

    /// Whether the time has a line below that of the title.
    public var showsTime: Bool { textLines > 1 }

    /// The lines that are left for the description below title and time.
    public var descriptionLines: Int { max(0, textLines - 2) }

    /// How far a title moves from the leading edge, along the time axis, to stay in sight.
    ///
    /// It is min(max(0, visible edge − cell start), max(0, width − least text width)): the title follows the visible edge
    /// until the least width is left, and then goes with its cell (facts, layout 2: chosen).
    /// - Parameter leastTextWidth: The width that a text needs at least, in points.
    public func leadingTextInset(leastTextWidth: Double) -> Double {
        let hidden = isTimeReversed ? frame.maxX - visibleStart : visibleStart - frame.start(timeAxis)
        return min(hidden, max(0, frame.length(timeAxis) - leastTextWidth))
    }

    /// The same at the trailing edge.
    public func trailingTextInset(leastTextWidth: Double) -> Double {
        let hidden = isTimeReversed ? visibleEnd - frame.minX : frame.end(timeAxis) - visibleEnd
        return min(hidden, max(0, frame.length(timeAxis) - leastTextWidth))
    }

    /// How much of an airing has passed, from 0 to 1; `nil` for what is no airing.
    ///
    /// The members of a clump share the progress of their window: the boundary between them is unknown.
    public func progress(at now: Instant) -> Double? {
        guard let window = airing?.window else { return nil }
        guard window.contains(now) else { return now < window.start ? 0 : 1 }
        return Double(window.start.seconds(to: now)) / Double(window.seconds)
    }
}
