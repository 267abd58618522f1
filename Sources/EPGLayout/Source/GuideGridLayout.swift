public import CollectionLayout
public import EPGModel

/// The guide grid as the layout of a collection view: a section is a station, an item an airing (facts, layout 1).
///
/// It is ``GuideLayout`` behind a protocol: the same engine, which asks its source for what a rectangle needs. The layout keeps
/// measures, marks and, for rows of several heights, eight bytes a row; of airings it keeps none.
///
/// ```swift
/// let grid = try GuideLayout(metrics: metrics, window: window, rowCount: source.rowCount)
/// var layout = GuideGridLayout(grid, source: source, marks: marks, now: now)
/// layout.prepare(in: LayoutContainer(bounds: bounds, counts: GuideCounts(source)))
/// let visible = layout.attributes(in: bounds)
/// ```
///
/// In a view it is changed where it is, and says what of it is invalid by that:
///
/// ```swift
/// view.changeLayout(GuideGridLayout.self) { $0.tick(to: now) }
/// view.changeLayout(GuideGridLayout.self) { $0.replaceSource(newSource, changedRows: [12]) }
/// view.changeLayout(GuideGridLayout.self) { $0.replaceGrid(zoomed) }
/// ```
///
/// Selections of a view are index paths. One that shall survive other airings is kept as a ``GuideFocus``, restored by
/// ``GuideNavigator/restored(_:visible:)``, and selected again by ``indexPath(of:)``. To bring an airing into sight beside
/// the pinned column and below the headers, ask ``GuideLayout/contentOffset(showing:in:)`` and
/// ``GuideLayout/contentOffset(showingRow:in:)``; the view itself knows nothing of what is pinned over its content.
public struct GuideGridLayout: CollectionViewLayout {
    /// The geometry; scale and direction are those of the last container.
    public internal(set) var grid: GuideLayout
    /// Where airings come from; another one is taken by ``replaceSource(_:changedRows:)``.
    public internal(set) var source: any GuideSource
    /// What headers and lines between days are made of.
    public internal(set) var marks: GuideMarks
    /// Where the now-line stands; `nil` for none.
    public internal(set) var now: Instant?
    /// What was wrong with the view at the last preparation.
    public private(set) var diagnostics: [LayoutDiagnostic] = []
    /// The most rows, airings, marks and attributes, together, that one query touches: what lies beyond is left out.
    ///
    /// Headers, corner and lines go first, then the rows from the first one on, so that a query without end ends (chosen).
    public static let queryLimit = 1_000_000
    /// What is seen: the bounds within the content inset.
    private(set) var viewport: Viewport

    /// A geometry with what is to be placed in it; without `now` there is no line at now.
    public init(_ grid: GuideLayout, source: any GuideSource, marks: GuideMarks = GuideMarks(), now: Instant? = nil) {
        self.grid = grid
        self.source = source
        self.marks = marks
        self.now = now
        viewport = Viewport(nearest: .zero)
    }

    /// Takes over offset, size, direction and scale.
    ///
    /// A view with other sections than the guide has rows is told by a diagnostic; the guide's number holds (chosen). So is
    /// a view that shows more at once than ``queryLimit``: where rows × hours in sight (at least one) pass 10,000,
    /// that is found by a query.
    /// - Complexity: O(1), of a view of more than that the complexity of a query.
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
        noteTooLargeView()
    }

    /// Says that the view shows more than a query places.
    private mutating func noteTooLargeView() {
        let demand = grid.demand(of: viewport)
        let hours = Double(demand.window.seconds) / 3600
        guard Double(demand.rows.count) * max(1, hours) > 10_000,
            demand.rows.count > Self.queryLimit || collected(.cost, in: viewport.rect).isFull
        else { return }
        diagnostics.append(
            LayoutDiagnostic(
                .limitReached,
                detail: "the view shows \(demand.rows.count) rows of \(Int(hours, clampedTo: 0...Int.max)) hours; "
                    + "a query touches \(Self.queryLimit) rows, airings and attributes: show less at once"))
    }

    public var contentSize: Size { grid.contentSize }

    /// The attributes in a rectangle, in the order of drawing.
    ///
    /// - Complexity: O(visible rows · log airings + visible elements), at most ``queryLimit``, besides what the source
    ///   takes.
    public func attributes(in rect: Rect, cost: inout LayoutCost) -> [LayoutAttributes] {
        let collector = collected(.attributes, in: rect)
        cost.sections += collector.cost.sections
        cost.items += collector.cost.items
        cost.attributes += collector.cost.attributes
        return collector.attributes()
    }

    public func attributes(of element: LayoutElement) -> LayoutAttributes? {
        guard let found = find(element) else { return nil }
        return LayoutAttributes(found.element, isHidden: found.isInCluster)
    }

    // MARK: - What is drawn

    /// The same elements as ``attributes(in:cost:)`` with all that a face draws, from the back to the front.
    ///
    /// The same limit holds: ``queryLimit``.
    public func page(in rect: Rect) -> GuidePage {
        let collector = collected(.elements, in: rect)
        return GuidePage(elements: collector.elements.inDrawingOrder(), cost: collector.cost)
    }

    /// What a face draws of one element; `nil` for one that the guide doesn't place.
    public func guideElement(_ element: LayoutElement) -> GuideElement? { find(element)?.element }

    /// What the source will be asked for next while the view is scrolled; see
    /// ``GuideLayout/prefetchDemands(in:movingBy:pages:)``.
    public func prefetchDemands(movingBy movement: Point, pages: Double = 1) -> [GuideDemand] {
        grid.prefetchDemands(in: viewport, movingBy: movement, pages: pages)
    }

    private func collected(_ product: ElementCollector.Product, in rect: Rect) -> ElementCollector {
        let presentation = grid.presentation
        var collector = ElementCollector(product, rect: rect, presentation: presentation, limit: Self.queryLimit)
        let demand = grid.demand(of: presentation.solved(rect))
        let pins = grid.pins(at: viewport)
        grid.addSurroundings(of: demand, from: content([]), pins: pins, to: &collector)
        let end = demand.rows.lowerBound + min(demand.rows.count, Self.queryLimit)
        var row = demand.rows.lowerBound
        while row < end, !collector.isFull {
            let rows = row..<min(end, row + demand.window.rowsPerRead)
            let slices = source.slices(inRows: rows, during: demand.window)
            grid.addRows(
                of: GuideDemand(rows: rows, window: demand.window), from: content(slices), pins: pins, to: &collector)
            row = rows.upperBound
        }
        return collector
    }

    private func content(_ slices: [GuideSlice]) -> GuideContent {
        GuideContent(slices: slices, coverage: grid.window, marks: marks, now: now)
    }
}

extension TimeWindow {
    /// How many rows are read at once for the window: of a day 256, of more as much less, so that memory is bounded.
    fileprivate var rowsPerRead: Int { Int((256 * 86_400 / max(1, seconds)).clamped(to: 1...256)) }
}

extension Viewport {
    /// The viewport nearest to a rectangle, whatever its numbers: no length below 10⁻⁶, nothing beyond 10¹².
    init(nearest rect: Rect) {
        x = rect.minX.asDistance
        y = rect.minY.asDistance
        width = max(rect.width.asLength, 1e-6)
        height = max(rect.height.asLength, 1e-6)
    }
}
