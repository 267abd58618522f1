public import CollectionLayout
public import EPGModel

/// The guide grid as a pure function: stations down, time across, a viewport over it.
///
/// ```swift
/// let layout = try GuideLayout(metrics: metrics, window: window, rowCount: 500)
/// let viewport = try Viewport(x: 0, y: 0, width: 1280, height: 720)
/// let demand = layout.demand(of: viewport)
/// let schedules = try guide.schedules(inRows: demand.rows, during: demand.window)
/// let content = GuideContent(schedules: schedules, coverage: demand.window, now: now)
/// for element in layout.page(in: viewport, of: content).elements { draw(element) }
/// ```
///
/// Content coordinates begin in the upper leading corner of all content, with the station column and the header.
///
/// It takes two steps, so that only what is visible is ever read: ``demand(of:)`` tells which rows and which stretch of
/// time a viewport needs, and ``page(in:of:)`` makes the elements of what was read for it. ``GuideGridLayout`` is the same
/// layout behind the protocol of a collection view.
public struct GuideLayout: Hashable, Sendable {
    /// The measures of the grid; rows may have heights of their own.
    public internal(set) var metrics: GuideMetrics
    /// The stretch of time that the guide spans.
    public let window: TimeWindow
    /// Along which axis time runs; where it runs downwards, the stations stand side by side (facts, layout 2: chosen).
    public let timeAxis: Axis
    /// Where text begins; from right to left, the whole grid is mirrored (facts, layout 2: chosen).
    public internal(set) var direction: LayoutDirection
    /// When short airings share a cell; `nil` for never.
    public internal(set) var clusters: ClusterPolicy?
    var rows: GuideRows

    /// The longest window in seconds, about 34,000 years: up to here two seconds never get the same x.
    public static let longestWindow: Int64 = 1 << 40
    /// The greatest number of rows.
    public static let greatestRowCount = 1_000_000_000
    /// The greatest number of rows where they have several heights, or groups.
    public static let greatestVariedRowCount = OffsetTree.greatestCount

    /// A layout.
    ///
    /// - Parameter groups: Groups of stations in any order; rows before the first one belong to none.
    /// - Throws: ``GuideLayoutError`` where the window exceeds ``longestWindow``, the number of rows is negative or exceeds
    ///   ``greatestRowCount`` (with groups ``greatestVariedRowCount``), or a group has no row of its own to begin in.
    public init(
        metrics: GuideMetrics, window: TimeWindow, rowCount: Int, groups: [GuideGroup] = [],
        timeAxis: Axis = .horizontal, direction: LayoutDirection = .leftToRight, clusters: ClusterPolicy? = nil
    ) throws(GuideLayoutError) {
        guard window.seconds <= GuideLayout.longestWindow else {
            throw .windowTooLong(seconds: window.seconds, limit: GuideLayout.longestWindow)
        }
        self.rows = try GuideRows(
            count: rowCount, groups: groups, lead: metrics.groupHeaderLead)
        self.metrics = metrics
        self.window = window
        self.timeAxis = timeAxis
        self.direction = direction
        self.clusters = clusters
    }

    /// The number of stations.
    public var rowCount: Int { rows.count }

    /// Groups of stations, in order of row.
    public var groups: [GuideGroup] { rows.groups }

    /// Columns + window · points per hour, and header + rows + the spacing between rows (facts, layout 2).
    public var contentSize: Size {
        let size = solvedSize
        return timeAxis == .horizontal ? size : Size(width: size.height, height: size.width)
    }

    /// The size of all content with time to the right.
    var solvedSize: Size {
        Size(width: metrics.pixels.snapped(x(of: window.end)), height: metrics.pixels.snapped(contentHeight))
    }

    /// How the solved grid is shown.
    var presentation: Presentation {
        Presentation(
            timeAxis: timeAxis, isMirrored: direction == .rightToLeft, width: contentSize.width, pixels: metrics.pixels)
    }

    /// How many lines of text have room in a frame of the solved grid.
    func textLines(in frame: Rect) -> Int {
        Int(frame.length(timeAxis.crossing) / metrics.lineHeight, clampedTo: 0...1_000_000)
    }
}
