public import CollectionLayout
public import EPGModel

/// The geometry of the guide grid: stations as rows, time as columns, and a viewport over them.
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
/// The origin of content coordinates is the upper leading corner of the content, which includes the station column and
/// the header.
///
/// Layout takes two steps, so that clients read only what is visible: ``demand(of:)`` returns the rows and the time that
/// a viewport needs, and ``page(in:of:)`` creates the elements from the schedules read for it. ``GuideGridLayout`` is the
/// same layout as a collection view layout.
public struct GuideLayout: Hashable, Sendable {
    /// The dimensions of the grid.
    public internal(set) var metrics: GuideMetrics
    /// The time that the guide spans.
    public let window: TimeWindow
    /// The time axis. If it is vertical, stations are side by side (GridRules.md).
    public let timeAxis: Axis
    /// The direction of text. Right to left mirrors the whole grid (GridRules.md).
    public internal(set) var direction: LayoutDirection
    /// The policy for clusters of short airings; `nil` for no clusters.
    public internal(set) var clusters: ClusterPolicy?
    var rows: GuideRows

    /// The maximum length of the window in seconds, about 34,000 years. Up to it, different seconds have different x.
    public static let longestWindow: Int64 = 1 << 40
    /// The maximum number of rows.
    public static let maximumRowCount = 1_000_000_000

    /// Creates a layout.
    ///
    /// - Parameter groups: The groups of stations in any order; rows before the first group belong to none.
    /// - Throws: ``GuideLayoutError`` if the window exceeds ``longestWindow``, the number of rows is negative or exceeds
    ///   ``maximumRowCount``, or two groups begin in the same row or one begins outside the rows.
    public init(
        metrics: GuideMetrics, window: TimeWindow, rowCount: Int, groups: [GuideGroup] = [],
        timeAxis: Axis = .horizontal, direction: LayoutDirection = .leftToRight, clusters: ClusterPolicy? = nil
    ) throws(GuideLayoutError) {
        guard window.seconds <= GuideLayout.longestWindow else {
            throw .windowTooLong(seconds: window.seconds, limit: GuideLayout.longestWindow)
        }
        self.rows = try GuideRows(count: rowCount, groups: groups)
        self.metrics = metrics
        self.window = window
        self.timeAxis = timeAxis
        self.direction = direction
        self.clusters = clusters
    }

    /// The number of stations.
    public var rowCount: Int { rows.count }

    /// The groups of stations, sorted by row.
    public var groups: [GuideGroup] { rows.groups }

    /// Whether groups have headers, which requires a header height above 0.
    var hasGroupHeaders: Bool { !groups.isEmpty && metrics.groupHeaderHeight > 0 }

    /// The size of the content: columns + window · points per hour, and header + rows + spacing (GridRules.md).
    public var contentSize: Size {
        let size = solvedSize
        return timeAxis == .horizontal ? size : Size(width: size.height, height: size.width)
    }

    /// The size of the content of the solved grid, in which time runs to the right.
    var solvedSize: Size {
        Size(width: metrics.pixels.snapped(x(of: window.end)), height: metrics.pixels.snapped(contentHeight))
    }

    /// The transformation from the solved grid to content coordinates.
    var transform: GridTransform {
        GridTransform(
            timeAxis: timeAxis, isMirrored: direction == .rightToLeft, width: contentSize.width, pixels: metrics.pixels)
    }

    /// Returns the number of text lines that fit in a frame of the solved grid.
    func textLines(in frame: Rect) -> Int {
        Int(frame.length(timeAxis.perpendicular) / metrics.lineHeight, clampedTo: 0...1_000_000)
    }
}

// MARK: - Time and x

extension GuideLayout {
    /// The x of the guide's first instant.
    var timeOrigin: Double { metrics.stationColumnWidth + metrics.thumbnailColumnWidth }

    /// Returns the x of an instant in the solved grid before snapping: columns + (instant − window start) · points per hour.
    ///
    /// It depends on the instant only, not on the widths of preceding cells, so that neither gaps nor rounding shift a row
    /// (GridRules.md). Instants outside the window have positions outside the content.
    public func x(of instant: Instant) -> Double {
        timeOrigin + Double(window.start.seconds(to: instant)) * metrics.pointsPerHour / 3600
    }

    /// Returns the instant at x: the last whole second at or before it.
    ///
    /// With t(x) for this method, t(x(t)) = t and x(t(x)) ≤ x < x(t(x) + 1 s) for every instant of the window. An x outside
    /// the content results in an instant outside the window, which saturates; NaN results in the window's start.
    public func instant(atX x: Double) -> Instant {
        guard !x.isNaN else { return window.start }
        let estimate = ((x - timeOrigin) / metrics.pointsPerHour * 3600).floored
        // Double represents seconds exactly up to 2⁵³, far beyond the longest window.
        let limit = 9_007_199_254_740_992.0
        var instant = window.start.advanced(by: Int64(estimate.clamped(to: -limit...limit)))
        // Rounding of the division may be off by one second if x is the position of a whole second.
        if self.x(of: instant) > x { instant = instant.advanced(by: -1) }
        if self.x(of: instant.advanced(by: 1)) <= x { instant = instant.advanced(by: 1) }
        return instant
    }

    /// Returns the x of an instant, snapped to a device pixel.
    func edge(at instant: Instant) -> Double {
        metrics.pixels.snapped(x(of: instant))
    }

    /// Returns the part of the window that may intersect a range of x, extended by a pixel on both sides because edges are
    /// snapped, and by a second at the end because instants are rounded down.
    private func times(fromX minX: Double, toX maxX: Double) -> TimeWindow {
        let pixel = metrics.pixels.pixel
        let range = window.start...window.end
        let start = instant(atX: minX - pixel).clamped(to: range)
        let end = instant(atX: maxX + pixel).advanced(by: 1).clamped(to: range)
        return TimeWindow(start: start, end: max(start, end))
    }

    /// The cluster policy at the current scale; `nil` without a policy.
    var clusterTimes: ClusterTimes? {
        clusters.map { ClusterTimes($0, pointsPerHour: metrics.pointsPerHour, origin: window.start) }
    }

    // MARK: - Demand

    /// Returns the rows and the time that must be read for a viewport, clipped to the content.
    public func demand(of viewport: Viewport) -> GuideDemand {
        demand(of: transform.solved(viewport.rect))
    }

    /// Returns the rows and the time that may be visible in a rectangle of the solved grid. With clusters, the time includes
    /// what determines which airings share a cell.
    func demand(of rect: Rect) -> GuideDemand {
        let seen = times(fromX: rect.minX, toX: rect.maxX)
        let rows = rows(fromY: rect.minY, toY: rect.maxY)
        guard let clusterTimes, !seen.isEmpty else { return GuideDemand(rows: rows, window: seen) }
        return GuideDemand(rows: rows, window: clusterTimes.reach(of: seen).intersection(window) ?? seen)
    }
}

// MARK: - Rows and y

extension GuideLayout {
    /// The distance between the upper edges of consecutive rows of a group.
    private var rowPitch: Double { metrics.rowHeight + metrics.rowSpacing }

    /// Returns the y at which a row begins, including the header of its group if it is the first row.
    private func start(ofRow row: Int) -> Double {
        metrics.headerHeight + Double(row) * rowPitch
            + Double(rows.groupCount(beforeRow: row)) * metrics.groupHeaderLead
    }

    /// Returns the upper edge of a row before snapping.
    private func top(ofRow row: Int) -> Double {
        guard let group = rows.group(ofRow: row), rows.groups[group].firstRow == row else { return start(ofRow: row) }
        return start(ofRow: row) + metrics.groupHeaderLead
    }

    private var contentHeight: Double {
        rowCount == 0 ? metrics.headerHeight : max(metrics.headerHeight, start(ofRow: rowCount) - metrics.rowSpacing)
    }

    /// Returns the snapped upper and lower edges of a row.
    ///
    /// - Complexity: O(log n) in the number of groups.
    func edges(ofRow row: Int) -> (minY: Double, maxY: Double) {
        let top = top(ofRow: row)
        return (metrics.pixels.snapped(top), metrics.pixels.snapped(top + metrics.rowHeight))
    }

    /// Returns the rows that may intersect a range of y, extended by a pixel on both sides because edges are snapped.
    ///
    /// A row includes the header of the group that begins with it.
    ///
    /// - Complexity: O(log n) in the number of rows, or O(1) without groups.
    func rows(fromY minY: Double, toY maxY: Double) -> Range<Int> {
        let upper = minY - metrics.pixels.pixel
        let lower = maxY + metrics.pixels.pixel
        guard rowCount > 0, lower >= metrics.headerHeight, upper < start(ofRow: rowCount) else { return 0..<0 }
        let first = row(startingAtOrBefore: upper)
        return first..<max(first, row(startingAtOrBefore: lower)) + 1
    }

    private func row(startingAtOrBefore y: Double) -> Int {
        guard !groups.isEmpty else {
            return Int(((y - metrics.headerHeight) / rowPitch).floored, clampedTo: 0...rowCount - 1)
        }
        return max(0, (0..<rowCount).partitioningIndex { start(ofRow: $0) > y } - 1)
    }

    /// Returns the row at y; `nil` above the first, below the last, in group headers and between rows.
    func row(atY y: Double) -> Int? {
        rows(fromY: y, toY: y).first { row in
            let edges = edges(ofRow: row)
            return edges.minY <= y && y < edges.maxY
        }
    }

    // MARK: - Groups

    /// Returns the snapped edges of a group's header.
    ///
    /// y = min(max(visible top, group top), group bottom − height): the header stays visible within its group, as pinned
    /// headers of a flow layout do (LayoutRules.md, layout 3).
    /// - Parameter visibleTop: The lower edge of the pinned header before snapping.
    func headerEdges(ofGroup index: Int, visibleTop: Double) -> (minY: Double, maxY: Double) {
        let rows = rows.rows(ofGroup: index)
        let top = start(ofRow: rows.lowerBound)
        let height = metrics.groupHeaderHeight
        let bottom = self.top(ofRow: rows.upperBound - 1) + metrics.rowHeight
        let minY = max(top, min(max(visibleTop, top), bottom - height))
        return (metrics.pixels.snapped(minY), metrics.pixels.snapped(minY + height))
    }
}

/// The edges of the pinned columns and the header for a viewport, in the solved grid.
struct PinnedEdges {
    /// The snapped x of the station column.
    let leading: Double
    /// The snapped x of the end of the pinned columns, from which airings are visible.
    let columnsEnd: Double
    /// The snapped y of the header.
    let top: Double
    /// The snapped y of the header's lower edge.
    let headerEnd: Double
    /// ``headerEnd`` before snapping.
    let headerBottom: Double
    /// The range of x in which airings are visible.
    let sight: ClosedRange<Double>
    /// ``columnsEnd`` before snapping. Computing times from snapped edges would drift with every step.
    fileprivate let columnsEdge: Double
}

extension GuideLayout {
    /// Returns the positions of the pinned parts: at the visible edge, but never outside the content.
    ///
    /// While the view is pulled beyond the content, they stay with the content, as pinned headers of a flow layout stay in
    /// their section: min(max(visible edge, content start), content end − length), on both axes (LayoutRules.md, layout 3).
    func pins(at viewport: Viewport) -> PinnedEdges {
        let pixels = metrics.pixels
        let size = solvedSize
        let seen = transform.solved(viewport.rect)
        let leading = min(max(seen.minX, 0), max(0, size.width - metrics.pinnedWidth))
        let top = min(max(seen.minY, 0), max(0, size.height - metrics.headerHeight))
        let columnsEnd = pixels.snapped(leading + metrics.pinnedWidth)
        return PinnedEdges(
            leading: pixels.snapped(leading), columnsEnd: columnsEnd, top: pixels.snapped(top),
            headerEnd: pixels.snapped(top + metrics.headerHeight), headerBottom: top + metrics.headerHeight,
            sight: columnsEnd...max(columnsEnd, seen.maxX), columnsEdge: leading + metrics.pinnedWidth)
    }

    /// Returns the snapped edges of the station column.
    func stationColumn(_ pins: PinnedEdges) -> (minX: Double, maxX: Double) {
        (pins.leading, metrics.pixels.snapped(pins.leading + metrics.stationColumnWidth))
    }

    /// Returns the snapped edges of the thumbnail column: after the pinned station column, or at the start of the content.
    func thumbnailColumn(_ pins: PinnedEdges) -> (minX: Double, maxX: Double)? {
        switch metrics.thumbnails {
        case .none: nil
        case .sticky: (stationColumn(pins).maxX, pins.columnsEnd)
        case .scrolling: (metrics.pixels.snapped(metrics.stationColumnWidth), metrics.pixels.snapped(timeOrigin))
        }
    }
}

/// The transformation from the solved grid to content coordinates (GridRules.md).
///
/// In the solved grid, time runs to the right. A vertical time axis swaps the axes; right-to-left direction then mirrors x.
/// Edges on the pixel grid stay on it, so that mirroring twice is the identity.
struct GridTransform: Sendable {
    let timeAxis: Axis
    let isMirrored: Bool
    /// The snapped width of the content.
    let width: Double
    let pixels: PixelGrid

    var isIdentity: Bool { timeAxis == .horizontal && !isMirrored }

    /// Whether time runs from right to left.
    var isTimeReversed: Bool { isMirrored && timeAxis == .horizontal }

    /// Converts a rectangle of the solved grid to content coordinates with snapped edges.
    func shown(_ rect: Rect) -> Rect {
        let swapped = swapped(rect)
        guard isMirrored else { return swapped }
        return Rect(
            minX: pixels.snapped(width - swapped.maxX), minY: swapped.minY, maxX: pixels.snapped(width - swapped.minX),
            maxY: swapped.maxY)
    }

    /// Converts a rectangle in content coordinates to the solved grid, exact within rounding.
    func solved(_ rect: Rect) -> Rect {
        isIdentity ? rect : swapped(isMirrored ? rect.mirrored(inWidth: width) : rect)
    }

    /// Converts a rectangle of the solved grid to content coordinates without snapping.
    fileprivate func unsnapped(_ rect: Rect) -> Rect {
        isMirrored ? swapped(rect).mirrored(inWidth: width) : swapped(rect)
    }

    /// Converts a point in content coordinates to the solved grid.
    func solved(_ point: Point) -> Point {
        let mirrored = Point(x: isMirrored ? width - point.x : point.x, y: point.y)
        return timeAxis == .horizontal ? mirrored : Point(x: mirrored.y, y: mirrored.x)
    }

    /// Converts a coordinate along the time axis to content coordinates.
    func shownTime(_ x: Double) -> Double { isTimeReversed ? width - x : x }

    private func swapped(_ rect: Rect) -> Rect {
        timeAxis == .horizontal ? rect : Rect(minX: rect.minY, minY: rect.minX, maxX: rect.maxY, maxY: rect.maxX)
    }
}

// MARK: - Elements

extension GuideLayout {
    /// Returns the visible elements of a viewport.
    ///
    /// - Complexity: O(visible rows · log airings + k log k) for k visible elements, regardless of the size of the content.
    public func page(in viewport: Viewport, of content: GuideContent) -> GuidePage {
        page(in: viewport.rect, at: viewport, of: content)
    }

    /// Returns the elements that intersect a rectangle of the content, with pinned elements positioned for a viewport.
    ///
    /// The results for two halves of a rectangle together equal the result for the whole. Rows without a schedule are
    /// empty.
    public func page(in rect: Rect, at viewport: Viewport, of content: GuideContent) -> GuidePage {
        var collector = ElementCollector(rect: rect, transform: transform)
        let (demand, solver) = (demand(of: transform.solved(rect)), ElementSolver(self, at: viewport))
        solver.addRows(of: demand, from: content, to: &collector)
        solver.addSurroundings(of: demand, from: content, to: &collector)
        return GuidePage(elements: collector.elements.inDrawingOrder(), cost: collector.cost)
    }

    /// Returns the visible gaps, airings and clusters, sorted by row and time.
    ///
    /// They are the same as in ``page(in:of:)``, without frames, headers and drawing order.
    /// - Parameters:
    ///   - rows: The rows, sorted and without duplicates.
    ///   - coverage: The time for which the rows were read; see ``GuideContent/coverage``.
    /// - Complexity: O(visible rows · log airings + k) for k visible cells.
    package func cells(in viewport: Viewport, of rows: [RowWindows], coverage: TimeWindow) -> [GuideCell] {
        var collector = ElementCollector(.cells, rect: viewport.rect, transform: transform)
        let demand = demand(of: viewport)
        let solver = ElementSolver(self, at: viewport)
        for row in rows[rows.partitioningIndex { $0.row >= demand.rows.lowerBound }...] {
            guard row.row < demand.rows.upperBound else { break }
            solver.addRow(row, firstItem: 0, during: demand.window, coverage: coverage, to: &collector)
        }
        return collector.cells
    }
}

// MARK: - Scrolling

extension GuideLayout {
    /// Returns the time that is visible next to the pinned columns, clipped to the guide's window; empty if none is.
    ///
    /// An edge within 1/1024 pixel of an instant counts as that instant, so that paging back and forth and mirroring do not
    /// change the result.
    public func visibleTime(in viewport: Viewport) -> TimeWindow {
        let slack = min(metrics.pixels.pixel / 1024, metrics.pointsPerHour / 7200)
        let range = window.start...window.end
        let start = instant(atX: pins(at: viewport).columnsEdge + slack).clamped(to: range)
        // A partly visible second counts as visible.
        let edge = transform.solved(viewport.rect).maxX - slack
        let last = instant(atX: edge)
        let end = (x(of: last) < edge ? last.advanced(by: 1) : last).clamped(to: range)
        return TimeWindow(start: start, end: max(start, end))
    }

    /// Returns the rows that are at least partly visible below the header and their group's header.
    public func visibleRows(in viewport: Viewport) -> Range<Int> {
        let pins = pins(at: viewport)
        let bottom = transform.solved(viewport.rect).maxY
        let found = rows(fromY: pins.headerEnd, toY: max(pins.headerEnd, bottom))
        let first = found.first { edges(ofRow: $0).maxY > coveredEnd(ofRow: $0, pins: pins) } ?? found.upperBound
        let last = found.last { edges(ofRow: $0).minY < bottom } ?? found.lowerBound - 1
        return first..<max(first, last + 1)
    }

    /// Returns the y down to which pinned headers cover a row.
    private func coveredEnd(ofRow row: Int, pins: PinnedEdges) -> Double {
        guard hasGroupHeaders, let group = rows.group(ofRow: row) else { return pins.headerEnd }
        return max(pins.headerEnd, headerEdges(ofGroup: group, visibleTop: pins.headerBottom).maxY)
    }

    /// Returns the content offset at which an instant is the first visible one, clamped to the content. The guide's first
    /// instant also makes scrolling thumbnails visible.
    public func contentOffset(showing instant: Instant, in viewport: Viewport) -> Point {
        let seen = transform.solved(viewport.rect)
        let x = instant <= window.start ? 0 : x(of: min(instant, window.end)) - metrics.pinnedWidth
        return contentOffset(ofSolved: seen.offset(x: x - seen.minX, y: 0))
    }

    /// Returns the content offset nearest to a viewport's offset at which a row is fully visible below the headers.
    ///
    /// - Parameter row: The row; clamped to the rows of the guide.
    public func contentOffset(showingRow row: Int, in viewport: Viewport) -> Point {
        let seen = transform.solved(viewport.rect)
        guard rowCount > 0 else { return contentOffset(ofSolved: seen) }
        let row = row.clamped(to: 0...rowCount - 1)
        let edges = edges(ofRow: row)
        let headers = metrics.headerHeight + (rows.group(ofRow: row) == nil ? 0 : metrics.groupHeaderHeight)
        let lowest = edges.minY - headers
        let highest = edges.maxY - seen.height
        let y = lowest < seen.minY ? lowest : min(max(seen.minY, highest), max(lowest, highest))
        return contentOffset(ofSolved: seen.offset(x: 0, y: min(y, lowest) - seen.minY))
    }

    /// Returns the length of a page: the visible time, rounded down to half hours if it is at least one.
    public func secondsPerPage(in viewport: Viewport) -> Int64 {
        let seconds = visibleTime(in: viewport).seconds
        return seconds >= 1800 ? seconds / 1800 * 1800 : max(1, seconds)
    }

    /// Returns the content offset a number of pages later, or earlier if it is negative (GridRules.md).
    public func contentOffset(pagingBy pages: Int, in viewport: Viewport) -> Point {
        let count = Int64(pages.clamped(to: -1_000_000...1_000_000))
        let start = visibleTime(in: viewport).start
        return contentOffset(showing: start.advanced(by: count * secondsPerPage(in: viewport)), in: viewport)
    }

    // MARK: - Offsets

    /// Returns the content offset that shows a rectangle of the solved grid, clamped to the content.
    func contentOffset(ofSolved seen: Rect) -> Point {
        let size = solvedSize
        let x = seen.minX.clamped(to: 0...max(0, size.width - seen.width))
        let y = seen.minY.clamped(to: 0...max(0, size.height - seen.height))
        return transform.unsnapped(Rect(x: x, y: y, width: seen.width, height: seen.height)).origin
    }

    /// Returns a viewport at another content offset.
    func viewport(_ viewport: Viewport, at offset: Point) -> Viewport {
        Viewport(
            nearest: Rect(x: offset.x, y: offset.y, width: viewport.width, height: viewport.height))
    }
}

/// The part of the grid at a point, which depends on the geometry only.
public enum GuidePlace: Hashable, Sendable {
    /// The corner between the header and the station column.
    case corner
    /// The header above an instant.
    case header(Instant)
    /// The header of a group of stations, by its index.
    case group(Int)
    /// The station cell of a row.
    case station(row: Int)
    /// The thumbnail of a row.
    case thumbnail(row: Int)
    /// An instant in the schedule of a row.
    case schedule(row: Int, Instant)
}

extension GuideLayout {
    /// Returns the part of the grid at a point of the content for a viewport; `nil` outside and between rows.
    ///
    /// Cells are half-open in time: the point at which one airing stops belongs to the next, also if time runs from right
    /// to left. Pinned parts hide what they cover.
    public func place(atX x: Double, y: Double, in viewport: Viewport) -> GuidePlace? {
        let pins = pins(at: viewport)
        let size = solvedSize
        let point = transform.solved(Point(x: x, y: y))
        guard point.x >= 0, point.x < size.width, point.y >= 0, point.y < size.height else { return nil }
        if pins.top <= point.y, point.y < pins.headerEnd {
            let isCorner = pins.leading <= point.x && point.x < max(pins.columnsEnd, edge(at: window.start))
            return isCorner ? .corner : .header(instant(atX: point.x))
        }
        if let group = group(atY: point.y, pins: pins) { return .group(group) }
        guard let row = row(atY: point.y) else { return nil }
        let column = stationColumn(pins)
        if column.minX <= point.x, point.x < column.maxX { return .station(row: row) }
        if let thumbnails = thumbnailColumn(pins), thumbnails.minX <= point.x, point.x < thumbnails.maxX {
            return .thumbnail(row: row)
        }
        let instant = instant(atX: point.x)
        return window.contains(instant) ? .schedule(row: row, instant) : nil
    }

    /// Returns the group whose header contains a y of the solved grid.
    private func group(atY y: Double, pins: PinnedEdges) -> Int? {
        guard hasGroupHeaders else { return nil }
        return rows(fromY: y, toY: y).lazy.compactMap { rows.group(ofRow: $0) }.first { group in
            let edges = headerEdges(ofGroup: group, visibleTop: pins.headerBottom)
            return edges.minY <= y && y < edges.maxY
        }
    }
}
