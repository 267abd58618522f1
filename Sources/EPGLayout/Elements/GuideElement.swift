public import EPGModel

/// One thing to draw: a cell, a header, a line.
public struct GuideElement: Hashable, Sendable {
    /// What is drawn; the order is that of drawing within one ``GuideElement/zIndex``.
    public enum Kind: String, Hashable, Sendable, CaseIterable {
        case daySeparator, gap, airing, thumbnail, nowLine, station, halfHourHeader, hourHeader, corner
    }

    public let kind: Kind
    /// In content coordinates, snapped to device pixels.
    public let frame: Rect
    /// The higher one covers the lower one; see ``GuideBand``.
    public let zIndex: Int
    /// The station's row, from 0; `nil` for what belongs to no row.
    public let row: Int?
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
    /// x of the first point that the pinned columns leave in sight, between the frame's edges.
    public let visibleStart: Double
    /// x of the end of what is in sight, between the frame's edges.
    public let visibleEnd: Double
    /// The station's name, the hour's or the day's label.
    public let label: String?
    /// How many lines of text fit: first the title, then the time, then the description.
    public let textLines: Int

    init(
        kind: Kind, frame: Rect, band: GuideBand, row: Int? = nil, station: StationID? = nil, airing: Airing? = nil,
        window: TimeWindow? = nil, shown: TimeWindow? = nil, isStartClipped: Bool = false, isEndClipped: Bool = false,
        sight: ClosedRange<Double>, label: String? = nil, textLines: Int = 0
    ) {
        self.kind = kind
        self.frame = frame
        self.zIndex = band.rawValue
        self.row = row
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
    }
}

/// The bands of the z-order, from the back to the front; each has room for a hundred z-indexes (facts,
/// layout 2: chosen here, since UICollectionView leaves equal z-indexes undefined).
public enum GuideBand: Int, Hashable, Sendable, CaseIterable {
    case background = 0
    case lines = 100
    case cells = 200
    case nowLine = 300
    case pinned = 400
    case corner = 500
}

// MARK: - Text

extension GuideElement {
    /// How far a title moves from the leading edge to stay in sight.
    ///
    /// It is min(max(0, visible edge − cell start), max(0, width − least text width)): the title follows the visible edge
    /// until the least width is left, and then goes with its cell (facts, layout 2).
    /// - Parameter leastTextWidth: The width that a text needs at least, in points.
    public func leadingTextInset(leastTextWidth: Double) -> Double {
        min(visibleStart - frame.minX, max(0, frame.width - leastTextWidth))
    }

    /// The same at the trailing edge.
    public func trailingTextInset(leastTextWidth: Double) -> Double {
        min(frame.maxX - visibleEnd, max(0, frame.width - leastTextWidth))
    }
}
