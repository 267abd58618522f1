import CollectionLayout
import CollectionView
import EPGLayout
import EPGModel

/// A guide grid in a view of 1280 × 720 points, in the measured modes.
enum ScrolledGuide {
    static let size = Size(width: 1280, height: 720)

    /// What a step measures.
    enum Mode: String, CaseIterable {
        /// Only the source, which all other modes include.
        case source
        /// `GuideGridLayout` alone: invalidated, prepared, and queried for the attributes in the viewport.
        case grid
        /// The same with higher rows at every third position, and a group with a pinned header for every ten rows.
        case varied
        /// A collection view with a data source, and a delegate that counts displayed elements.
        case view
    }

    /// Returns a layout with rows of 60 points, hours of 240 points, a station column, sticky thumbnails, half hours
    /// and a now-line.
    static func layout(stationCount: Int, isVaried: Bool) throws -> GuideGridLayout {
        let metrics = try GuideMetrics(
            pointsPerHour: 240, rowHeight: 60, stationColumnWidth: 160, headerHeight: 40,
            thumbnails: .sticky(width: 80))
        let groups = stride(from: 0, to: isVaried ? stationCount : 0, by: 10)
        let grid = try GuideLayout(
            metrics: metrics, window: LazyGuide.window, rowCount: stationCount,
            groups: groups.map { GuideGroup(firstRow: $0, title: "A group") })
        let marks = (0..<LazyGuide.days * 48).map { index in
            TimeMark(
                instant: LazyGuide.window.start.advanced(by: Int64(index) * 1800), label: "00:00",
                kind: index.isMultiple(of: 2) ? .hour : .halfHour)
        }
        return GuideGridLayout(
            grid, source: LazyGuide(rowCount: stationCount), marks: GuideMarks(marks),
            now: LazyGuide.window.start.advanced(by: 3 * 86_400))
    }

    /// Returns a function that scrolls to an offset and returns the number of attributes.
    static func stepper(_ mode: Mode, stationCount: Int) throws -> (Point) -> Int {
        let source = LazyGuide(rowCount: stationCount)
        var layout = try layout(stationCount: stationCount, isVaried: mode == .varied)
        var old = Rect(origin: .zero, size: size)
        switch mode {
        case .source:
            return { offset in
                let bounds = Rect(origin: offset, size: size)
                let viewport = try? Viewport(x: bounds.x, y: bounds.y, width: bounds.width, height: bounds.height)
                guard let demand = viewport.map(layout.grid.demand(of:)) else { return 0 }
                return source.slices(inRows: demand.rows, during: demand.window)
                    .reduce(0) { $0 + $1.schedule.schedule.airings.count }
            }
        case .grid, .varied:
            let counts = GuideCounts(source)
            return { offset in
                let bounds = Rect(origin: offset, size: size)
                layout.invalidate(with: layout.invalidationContext(forBoundsChangeFrom: old, to: bounds))
                layout.prepare(in: LayoutContainer(bounds: bounds, counts: counts))
                old = bounds
                return layout.attributes(in: bounds).count
            }
        case .view:
            let screen = Screen(layout: layout, guide: source)
            return { screen.show(at: $0) }
        }
    }
}

/// A collection view with its data source and delegate.
private final class Screen: CollectionViewDataSource, CollectionViewDelegate {
    private let guide: LazyGuide
    private let view: CollectionView
    /// Number of currently displayed elements.
    private var shownCount = 0

    init(layout: GuideGridLayout, guide: LazyGuide) {
        self.guide = guide
        view = CollectionView(layout: layout, bounds: Rect(origin: .zero, size: ScrolledGuide.size))
        view.dataSource = self
        view.delegate = self
    }

    func show(at offset: Point) -> Int {
        view.contentOffset = offset
        view.layoutIfNeeded()
        return shownCount
    }

    func numberOfSections(in view: CollectionView) -> Int { guide.rowCount }

    func collectionView(_ view: CollectionView, numberOfItemsInSection section: Int) -> Int {
        guide.airingCount(inRow: section)
    }

    func sectionCounts(for view: CollectionView) -> any SectionCounts { GuideCounts(guide) }

    func collectionView(
        _ view: CollectionView, willDisplay content: (any ReusableView)?, with attributes: LayoutAttributes
    ) { shownCount += 1 }

    func collectionView(
        _ view: CollectionView, didEndDisplaying content: (any ReusableView)?, with attributes: LayoutAttributes
    ) { shownCount -= 1 }
}
