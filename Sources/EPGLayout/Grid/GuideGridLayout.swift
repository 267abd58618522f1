public import CollectionLayout
public import EPGModel

/// The guide grid as a collection view layout: stations are sections, airings are items (GridRules.md).
///
/// It uses a ``GuideLayout`` and reads from its source what a rectangle needs. It stores no airings, so that nothing of it becomes
/// invalid: a view asks for attributes again after each change.
///
/// ```swift
/// let grid = try GuideLayout(metrics: metrics, window: window, rowCount: source.rowCount)
/// var layout = GuideGridLayout(grid, source: source, marks: marks, now: now)
/// layout.prepare(in: LayoutContainer(bounds: bounds, counts: GuideCounts(source)))
/// let visible = layout.attributes(in: bounds)
/// ```
///
/// To change the layout in a view, call methods that return the context to invalidate:
///
/// ```swift
/// view.changeLayout(GuideGridLayout.self) { $0.tick(to: now) }
/// view.changeLayout(GuideGridLayout.self) { $0.replaceGrid(grid, source: source) }
/// ```
///
/// Selections in a view are index paths. To preserve a selection when airings change, keep a ``GuideFocus``, restore it with
/// ``GuideNavigator/restored(_:visible:)``, and select ``indexPath(of:)``. To make an airing visible next to the pinned
/// columns and below the headers, use ``GuideLayout/contentOffset(showing:in:)`` and
/// ``GuideLayout/contentOffset(showingRow:in:)``, because the view does not know the pinned elements.
public struct GuideGridLayout: CollectionViewLayout {
    /// The geometry, with the scale and direction of the last container.
    public private(set) var grid: GuideLayout
    /// The source of airings; see ``replaceGrid(_:source:marks:)``.
    public private(set) var source: any GuideSource
    /// The marks for headers and day separators.
    public private(set) var marks: GuideMarks
    /// The time of the now-line; `nil` for none.
    public private(set) var now: Instant?
    /// Problems of the view at the last preparation.
    public private(set) var diagnostics: [LayoutDiagnostic] = []
    /// The maximum number of rows, airings, marks and attributes that one query processes; it omits the rest.
    ///
    /// A query first adds headers, corner and lines, then rows from the first one on.
    public static let queryLimit = 1_000_000
    /// The visible part of the content: the bounds within the content inset.
    private(set) var viewport: Viewport

    /// Creates a layout.
    public init(_ grid: GuideLayout, source: any GuideSource, marks: GuideMarks = GuideMarks(), now: Instant? = nil) {
        self.grid = grid
        self.source = source
        self.marks = marks
        self.now = now
        viewport = Viewport(nearest: .zero)
    }

    /// Updates offset, size, direction and scale from a container.
    ///
    /// Adds a diagnostic if the number of the view's sections differs from the guide's rows, which take precedence, and if
    /// the view shows more than ``queryLimit``. If visible rows × visible hours (at least 1) exceed 10,000, a query
    /// determines the latter.
    /// - Complexity: O(1), or the complexity of a query for such a large view.
    public mutating func prepare(in container: LayoutContainer) {
        viewport = Viewport(nearest: container.visibleBounds)
        grid.direction = container.layoutDirection
        grid.metrics.scale = container.pixels.scale
        diagnostics = []
        if container.counts.sectionCount != grid.rowCount {
            diagnostics.append(
                LayoutDiagnostic(
                    .unknownIndexPath,
                    detail: "the view has \(container.counts.sectionCount) sections, the guide \(grid.rowCount) rows"))
        }
        diagnoseOversizedView()
    }

    /// Adds a diagnostic if the view shows more than a query can process.
    private mutating func diagnoseOversizedView() {
        let demand = grid.demand(of: viewport)
        let hours = Double(demand.window.seconds) / 3600
        guard Double(demand.rows.count) * max(1, hours) > 10_000,
            demand.rows.count > Self.queryLimit || cost(in: viewport.rect).total >= Self.queryLimit
        else { return }
        diagnostics.append(
            LayoutDiagnostic(
                .limitReached,
                detail: "the view shows \(demand.rows.count) rows of \(Int(hours, clampedTo: 0...Int.max)) hours, but "
                    + "a query is limited to \(Self.queryLimit) rows, airings and attributes; reduce the visible area"))
    }

    public var contentSize: Size { grid.contentSize }

    /// Returns the attributes in a rectangle in drawing order.
    ///
    /// - Complexity: O(visible rows · log airings + visible elements), at most ``queryLimit``, plus the complexity of the
    ///   source.
    public func attributes(in rect: Rect) -> [LayoutAttributes] { collected(.attributes, in: rect).attributes() }

    /// Returns the cost of ``attributes(in:)``.
    package func cost(in rect: Rect) -> LayoutCost { collected(.cost, in: rect).cost }

    public func attributes(of element: LayoutElement) -> LayoutAttributes? {
        guard let found = find(element) else { return nil }
        return LayoutAttributes(found.element, isHidden: found.isInCluster)
    }

    // MARK: - Elements

    /// Returns the elements of ``attributes(in:)`` with their content, from back to front, up to ``queryLimit``.
    public func page(in rect: Rect) -> GuidePage {
        let collector = collected(.elements, in: rect)
        return GuidePage(elements: collector.elements.inDrawingOrder(), cost: collector.cost)
    }

    /// Returns an element with its content; `nil` if it does not exist.
    public func guideElement(_ element: LayoutElement) -> GuideElement? { find(element)?.element }

    private func collected(_ product: ElementCollector.Product, in rect: Rect) -> ElementCollector {
        let transform = grid.transform
        var collector = ElementCollector(product, rect: rect, transform: transform, limit: Self.queryLimit)
        let demand = grid.demand(of: transform.solved(rect))
        let solver = ElementSolver(grid, at: viewport)
        solver.addSurroundings(of: demand, from: content([]), to: &collector)
        let end = demand.rows.lowerBound + min(demand.rows.count, Self.queryLimit)
        var row = demand.rows.lowerBound
        while row < end, !collector.isFull {
            let rows = row..<min(end, row + demand.window.rowsPerRead)
            let slices = source.slices(inRows: rows, during: demand.window)
            solver.addRows(
                of: GuideDemand(rows: rows, window: demand.window), from: content(slices), to: &collector)
            row = rows.upperBound
        }
        return collector
    }

    private func content(_ slices: [GuideSlice]) -> GuideContent {
        GuideContent(slices: slices, coverage: grid.window, marks: marks, now: now)
    }
}

extension TimeWindow {
    /// The number of rows to read at once: 256 for a window of a day, fewer for longer ones, to limit memory.
    fileprivate var rowsPerRead: Int { Int((256 * 86_400 / max(1, seconds)).clamped(to: 1...256)) }
}

extension GuideGridLayout {
    /// Returns whether the bounds differ: pinned elements move with them.
    public func shouldInvalidate(forBoundsChangeFrom old: Rect, to new: Rect) -> Bool { old != new }

    /// Does nothing: the layout caches nothing.
    public mutating func invalidate(with context: InvalidationContext) {}

    // MARK: - Changes

    /// Moves the now-line to an instant. Absolute instants keep it correct after the system sleeps.
    ///
    /// - Returns: The context to invalidate.
    public mutating func tick(to now: Instant?) -> InvalidationContext {
        self.now = now
        return .everything
    }

    /// Replaces the geometry and the airings, for other stations, another window or another scale.
    ///
    /// - Parameters:
    ///   - source: The new source; `nil`, the default, to keep the current one.
    ///   - marks: The new marks; `nil`, the default, to keep the current ones.
    /// - Returns: The context to invalidate, which includes everything.
    public mutating func replaceGrid(
        _ grid: GuideLayout, source: (any GuideSource)? = nil, marks: GuideMarks? = nil
    ) -> InvalidationContext {
        self.grid = grid
        if let source { self.source = source }
        if let marks { self.marks = marks }
        return .counts
    }

}

// MARK: - Lookup

extension GuideGridLayout {
    /// Returns the index path of the focused airing; `nil` for a gap, and if the airing no longer exists.
    ///
    /// - Complexity: The complexity of the source's lookups.
    public func indexPath(of focus: GuideFocus) -> IndexPath? {
        guard let airing = focus.airing, let row = source.row(of: focus.station),
            let item = source.item(of: airing, inRow: row)
        else { return nil }
        return IndexPath(section: row, item: item)
    }

    /// Returns an element by its identity, and whether it is only visible as part of a cluster.
    ///
    /// - Complexity: O(log n), plus the complexity of the source.
    private func find(_ element: LayoutElement) -> (element: GuideElement, isInCluster: Bool)? {
        let path = element.indexPath
        let isInPlace = element.isOfWholeGuide ? path.section == IndexPath.wholeLayoutSection : path.section >= 0
        guard isInPlace, path.item >= 0 else { return nil }
        var collector = ElementCollector(rect: .everywhere, transform: grid.transform)
        let solver = ElementSolver(grid, at: viewport)
        switch element {
        case .item:
            collectAirings(around: path, by: solver, to: &collector)
        case .supplementary(.cluster, _):
            collectAirings(around: path, by: solver, to: &collector)
        case .decoration(.gap, _):
            collectGap(before: path, by: solver, to: &collector)
        case .supplementary(.station, _), .supplementary(.thumbnail, _):
            let nothing = TimeWindow(start: grid.window.start, end: grid.window.start)
            collectRow(path.section, during: nothing, by: solver, to: &collector)
        case .supplementary(.groupHeader, _):
            guard grid.hasGroupHeaders, let group = grid.rows.group(ofRow: path.section) else { return nil }
            solver.addGroupHeader(group, to: &collector)
        case .supplementary(.hourHeader, _), .supplementary(.halfHourHeader, _):
            collectHeader(path, by: solver, to: &collector)
        case .supplementary(.corner, _):
            solver.addCorner(marks, to: &collector)
        case .decoration(.nowLine, _):
            if let now { solver.addNowLine(at: now, to: &collector) }
        case .decoration(.daySeparator, _):
            guard marks.days.indices.contains(path.item) else { return nil }
            solver.addDaySeparator(marks.days, at: path.item, to: &collector)
        default:
            return nil
        }
        return collector.elements.lazy.flatMap { [($0, false)] + $0.members.map { ($0, true) } }
            .first { LayoutElement($0.0) == element }
    }

    private func collectRow(
        _ row: Int, during window: TimeWindow, by solver: ElementSolver, to collector: inout ElementCollector
    ) {
        guard let slice = source.slice(inRow: row, during: window) else { return }
        solver.addRow(
            slice.schedule, firstItem: slice.firstItem, during: window, coverage: grid.window, to: &collector)
    }

    private func collectAirings(around path: IndexPath, by solver: ElementSolver, to collector: inout ElementCollector)
    {
        guard let airing = source.airing(path.item, inRow: path.section) else { return }
        let end = max(airing.window.end, airing.window.start.advanced(by: 1))
        // Start a second earlier to find airings of zero length.
        let window = TimeWindow(start: airing.window.start.advanced(by: -1), end: end)
        guard let inGuide = window.intersection(grid.window) else { return }
        collectRow(path.section, during: grid.clusterTimes?.reach(of: inGuide) ?? inGuide, by: solver, to: &collector)
    }

    private func collectGap(before path: IndexPath, by solver: ElementSolver, to collector: inout ElementCollector) {
        guard !grid.window.isEmpty else { return }
        let next = source.airing(path.item, inRow: path.section)?.window.start ?? grid.window.end
        let last = min(next, grid.window.end).advanced(by: -1)
        guard last >= grid.window.start else { return }
        collectRow(
            path.section, during: TimeWindow(start: last, end: last.advanced(by: 1)), by: solver, to: &collector)
    }

    private func collectHeader(_ path: IndexPath, by solver: ElementSolver, to collector: inout ElementCollector) {
        guard marks.hours.indices.contains(path.item), !grid.window.isEmpty else { return }
        let instant = marks.hours[path.item].instant.clamped(
            to: grid.window.start...grid.window.end.advanced(by: -1))
        let moment = TimeWindow(start: instant, end: instant.advanced(by: 1))
        solver.addHeaders(marks, during: moment, to: &collector)
    }
}

extension Rect {
    /// The whole plane.
    static let everywhere = Rect(minX: -.infinity, minY: -.infinity, maxX: .infinity, maxY: .infinity)
}

/// The rows and airings of a source as sections and items. The airings of a section are counted on demand.
public struct GuideCounts: SectionCounts {
    private let source: any GuideSource

    /// Creates counts that are read from a source on demand.
    public init(_ source: any GuideSource) {
        self.source = source
    }

    public var sectionCount: Int { max(0, source.rowCount) }

    public func itemCount(inSection section: Int) -> Int {
        (0..<sectionCount).contains(section) ? max(0, source.airingCount(inRow: section)) : 0
    }
}

/// The kinds of supplementary and decoration elements of a guide; airings are the items.
///
/// Elements outside rows have section -1, `IndexPath.wholeLayoutSection`, so that inserting, deleting and moving rows does
/// not affect them.
extension ElementKind {
    /// Supplementary: item 0 of each row.
    public static let station: ElementKind = "station"
    /// Supplementary: item 0 of each row if there are thumbnails.
    public static let thumbnail: ElementKind = "thumbnail"
    /// Supplementary: item 0 of the group's first row.
    public static let groupHeader: ElementKind = "groupHeader"
    /// Supplementary: the index path of the first airing.
    public static let cluster: ElementKind = "cluster"
    /// Supplementary: section `IndexPath.wholeLayoutSection`, and as item the index among hours and half hours together.
    public static let hourHeader: ElementKind = "hourHeader"
    /// Supplementary: section `IndexPath.wholeLayoutSection`, and as item the index among hours and half hours together.
    public static let halfHourHeader: ElementKind = "halfHourHeader"
    /// Supplementary: section `IndexPath.wholeLayoutSection`, item 0.
    public static let corner: ElementKind = "corner"
    /// Decoration: the index path of the following airing; after the last airing, the item is the number of airings.
    public static let gap: ElementKind = "gap"
    /// Decoration: section `IndexPath.wholeLayoutSection`, item 0.
    public static let nowLine: ElementKind = "nowLine"
    /// Decoration: section `IndexPath.wholeLayoutSection`, and as item the index among the days.
    public static let daySeparator: ElementKind = "daySeparator"
}

extension LayoutElement {
    /// Creates the identity of a guide's element in a collection view: rows are sections, airings are items
    /// (GridRules.md).
    public init(_ element: GuideElement) {
        self.init(element.kind, row: element.row, ordinal: element.ordinal)
    }

    init(_ place: ElementPlace) { self.init(place.kind, row: place.row, ordinal: place.ordinal) }

    private init(_ kind: GuideElement.Kind, row: Int?, ordinal: Int) {
        let section = row ?? IndexPath.wholeLayoutSection
        let path = IndexPath(section: section, item: ordinal)
        let head = IndexPath(section: section, item: 0)
        self =
            switch kind {
            case .airing: .item(path)
            case .cluster: .supplementary(.cluster, path)
            case .station: .supplementary(.station, head)
            case .thumbnail: .supplementary(.thumbnail, head)
            case .groupHeader: .supplementary(.groupHeader, head)
            case .hourHeader: .supplementary(.hourHeader, path)
            case .halfHourHeader: .supplementary(.halfHourHeader, path)
            case .corner: .supplementary(.corner, head)
            case .gap: .decoration(.gap, path)
            case .nowLine: .decoration(.nowLine, path)
            case .daySeparator: .decoration(.daySeparator, path)
            }
    }
}

extension LayoutElement {
    /// Whether the element is outside rows.
    var isOfWholeGuide: Bool {
        switch self {
        case .supplementary(.hourHeader, _), .supplementary(.halfHourHeader, _), .supplementary(.corner, _),
            .decoration(.nowLine, _), .decoration(.daySeparator, _):
            true
        default: false
        }
    }
}

extension LayoutAttributes {
    /// Creates the attributes of a guide's element.
    init(_ element: GuideElement, isHidden: Bool = false) {
        self.init(
            LayoutElement(element), frame: element.frame, band: ZBand(rawValue: element.zIndex),
            zIndex: element.kind.rank, isHidden: isHidden)
    }
}
