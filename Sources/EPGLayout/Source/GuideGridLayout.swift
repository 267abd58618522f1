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
public struct GuideGridLayout: CollectionViewLayout {
    /// The geometry; scale and direction are those of the last container.
    public internal(set) var grid: GuideLayout
    public internal(set) var source: any GuideSource
    public internal(set) var marks: GuideMarks
    /// Where the now-line stands; `nil` for none.
    public internal(set) var now: Instant?
    public private(set) var diagnostics: [LayoutDiagnostic] = []
    /// What is seen: the bounds within the content inset.
    private(set) var viewport: Viewport

    public init(_ grid: GuideLayout, source: any GuideSource, marks: GuideMarks = GuideMarks(), now: Instant? = nil) {
        self.grid = grid
        self.source = source
        self.marks = marks
        self.now = now
        viewport = Viewport(nearest: .zero)
    }

    /// Takes over offset, size, direction and scale.
    ///
    /// A view with other sections than the guide has rows is told by a diagnostic; the guide's number holds (chosen).
    /// - Complexity: O(1).
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
    }

    public var contentSize: Size { grid.contentSize }

    /// The attributes in a rectangle, in the order of drawing.
    ///
    /// - Complexity: O(visible rows · log airings + visible elements), besides what the source takes.
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
        var collector = ElementCollector(product, rect: rect, presentation: presentation)
        let demand = grid.demand(of: presentation.solved(rect))
        let slices =
            demand.rows.isEmpty ? [] : source.slices(inRows: demand.rows, during: demand.window)
        let content = GuideContent(slices: slices, coverage: grid.window, marks: marks, now: now)
        grid.collect(in: rect, at: viewport, of: content, to: &collector)
        return collector
    }
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
