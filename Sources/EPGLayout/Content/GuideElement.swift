public import CollectionLayout
public import EPGModel

/// An element to draw: a cell, a header or a line.
public struct GuideElement: Hashable, Sendable {
    /// The kind of an element, in drawing order within one ``GuideElement/zIndex``.
    public enum Kind: String, Hashable, Sendable, CaseIterable {
        /// A line between two days.
        case daySeparator
        /// A time without listings.
        case gap
        /// An airing.
        case airing
        /// Several short airings in one cell.
        case cluster
        /// The live picture of a row.
        case thumbnail
        /// The line at the current time.
        case nowLine
        /// The station cell of a row.
        case station
        /// The header of a group of rows.
        case groupHeader
        /// The header of a half hour.
        case halfHourHeader
        /// The header of an hour.
        case hourHeader
        /// The corner between the header and the station column.
        case corner
    }

    /// The kind, which determines the other properties that have a value.
    public let kind: Kind
    /// The frame in content coordinates, snapped to device pixels.
    public private(set) var frame: Rect
    /// The raw value of a `ZBand`; elements with higher values cover those with lower ones.
    public let zIndex: Int
    /// The 0-based row; for a group header the first row of the group; `nil` for elements outside rows.
    public let row: Int?
    /// The station of the row; `nil` for elements outside rows.
    public let station: StationID?
    /// The airing with its own times, which the grid never changes.
    public let airing: Airing?
    /// The full range: the window of an airing, which members of a clump share.
    public let window: TimeWindow?
    /// The range of the frame: ``window`` clipped to the guide's window, or the share of a clump's member.
    public let shown: TimeWindow?
    /// Whether the guide's window clips the start. A clipped gap may begin earlier.
    public let isStartClipped: Bool
    /// Whether the guide's window clips the end. A clipped gap may end later.
    public let isEndClipped: Bool
    /// The coordinate along the time axis, within the frame, at which the visible part begins after the pinned columns.
    public private(set) var visibleStart: Double
    /// The coordinate along the time axis, within the frame, at which the visible part ends. If time runs from right to
    /// left, it is left of ``visibleStart``.
    public private(set) var visibleEnd: Double
    /// The station's name, the group's title, or the label of an hour or a day.
    public let label: String?
    /// The number of text lines that fit: title, time, then description. If none does, clients may clip the title.
    public let textLines: Int
    /// The 0-based index among elements of the kind: of an airing in its row's content, of a gap the index of the following
    /// airing, of a cluster the index of its first airing, of an hour or a day among the marks.
    public let ordinal: Int
    /// The airings of a cluster as separate elements; empty for other kinds.
    ///
    /// A cluster has no ``label``, because its text, such as “3 short programs”, depends on the language of the user
    /// interface.
    public private(set) var members: [GuideElement]
    /// The time axis.
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

    /// Converts an element of the solved grid to content coordinates.
    mutating func place(by transform: GridTransform) {
        frame = transform.shown(frame)
        visibleStart = transform.shownTime(visibleStart)
        visibleEnd = transform.shownTime(visibleEnd)
        timeAxis = transform.timeAxis
        isTimeReversed = transform.isTimeReversed
        for index in members.indices { members[index].place(by: transform) }
    }
}

// MARK: - Text

extension GuideElement {
    /// Returns the distance that a title moves along the time axis from the leading edge to stay visible.
    ///
    /// It is min(max(0, visible edge − cell start), max(0, width − minimum text width)): the title follows the visible edge
    /// until only the minimum width is left, and then moves with its cell (GridRules.md).
    /// - Parameter leastTextWidth: The minimum width of a text in points.
    public func leadingTextInset(leastTextWidth: Double) -> Double {
        let hidden = isTimeReversed ? frame.maxX - visibleStart : visibleStart - frame.start(timeAxis)
        return min(hidden, max(0, frame.length(timeAxis) - leastTextWidth))
    }
}

/// The position of an element in the drawing order: band and z-index, kind, row, column.
///
/// The order is total, so that the same guide always has the same sequence (LayoutRules.md, layout 1). UICollectionView's
/// documentation leaves the order of equal z-indexes undefined.
private struct DrawingOrder: Comparable {
    let zIndex: Int
    let kind: Int
    let row: Int
    let start: Instant
    let clump: Int

    init(_ element: GuideElement) {
        zIndex = element.zIndex
        kind = element.kind.rank
        row = element.row ?? -1
        start = element.shown?.start ?? Instant(secondsSince1970: .min)
        clump = element.airing?.clump?.index ?? 0
    }

    static func < (lhs: DrawingOrder, rhs: DrawingOrder) -> Bool {
        (lhs.zIndex, lhs.kind, lhs.row, lhs.start, lhs.clump) < (rhs.zIndex, rhs.kind, rhs.row, rhs.start, rhs.clump)
    }
}

extension GuideElement.Kind {
    /// The 0-based position in the drawing order.
    var rank: Int {
        switch self {
        case .daySeparator: 0
        case .gap: 1
        case .airing: 2
        case .cluster: 3
        case .thumbnail: 4
        case .nowLine: 5
        case .station: 6
        case .groupHeader: 7
        case .halfHourHeader: 8
        case .hourHeader: 9
        case .corner: 10
        }
    }
}

extension [GuideElement] {
    /// Returns the elements from back to front.
    ///
    /// Sorts small keys instead of the elements, which are large.
    /// - Complexity: O(n log n).
    func inDrawingOrder() -> [GuideElement] {
        let keys = enumerated().map { (order: DrawingOrder($0.element), index: $0.offset) }
        return keys.sorted { ($0.order, $0.index) < ($1.order, $1.index) }.map { self[$0.index] }
    }
}

/// The elements of a viewport, and the cost of finding them.
public struct GuidePage: Hashable, Sendable {
    /// The elements from back to front: sorted by band and z-index, kind, row and time.
    public let elements: [GuideElement]
    /// The cost, with rows as sections, airings and marks (hours, half hours, days) as items, and frames as attributes.
    package let cost: LayoutCost
}
