import CollectionLayout
import CollectionView
import EPGModel
import TestSupport
import Testing

@testable import EPGLayout

/// Tests of the grid as a collection view layout.
@Suite struct GridLayoutTests {
    private let bounds = Rect(x: 20_000, y: 3_000, width: 1200, height: 700)

    private func lazyLayout(rows: Int, days: Int = 14, groups: Bool = false) throws -> (GuideGridLayout, LazyGuide) {
        let metrics = try GuideMetrics(
            pointsPerHour: 240, rowHeight: 60, stationColumnWidth: 160, headerHeight: 40, thumbnails: .sticky(width: 80)
        )
        let range = window(0, Int64(days) * 1440)
        let grid = try GuideLayout(
            metrics: metrics, window: range, rowCount: rows,
            groups: groups ? [GuideGroup(firstRow: 5, title: "A group")] : [])
        let source = LazyGuide(rowCount: rows, days: days)
        let marks = (0..<days * 48).map {
            TimeMark(instant: minutes(Int64($0) * 30), label: "", kind: $0.isMultiple(of: 2) ? .hour : .halfHour)
        }
        return (GuideGridLayout(grid, source: source, marks: GuideMarks(marks), now: minutes(5000)), source)
    }

    /// Known faults: scanning all cells, and preparing everything on each scroll.
    @Test(arguments: [(200, false), (20_000, false), (20_000, true)])
    func viewportCostDependsOnVisibleAiringsOnly(rows: Int, groups: Bool) throws {
        var (layout, source) = try lazyLayout(rows: rows, groups: groups)
        layout.prepare(in: LayoutContainer(bounds: bounds, counts: GuideCounts(source)))
        #expect(source.made.count == 0 && layout.diagnostics.isEmpty)
        expectEqual(layout.contentSize.width, 240 + 14 * 24 * 240)
        let attributes = layout.attributes(in: bounds)
        let made = source.made.count
        let cost = layout.cost(in: bounds)
        // 700 points show at most 13 rows of 60, and 1200 at most 11 cells of 120, with half hours as marks. Each row also has
        // a station and a thumbnail, and there is a corner.
        #expect(cost.sections <= 13 && cost.items <= 13 * 12 + 12)
        #expect(cost.attributes <= 13 * (12 + 2) + 12 + 2)
        #expect(attributes.count > 12 * 10 && attributes.count <= cost.attributes)
        // Each row has two adjacent airings more.
        #expect(made <= 13 * (12 + 4))
    }

    @Test func costIsIndependentOfStationCount() throws {
        func cost(rows: Int) throws -> LayoutCost {
            var (layout, source) = try lazyLayout(rows: rows)
            layout.prepare(in: LayoutContainer(bounds: bounds, counts: GuideCounts(source)))
            return layout.cost(in: bounds)
        }
        try expectEqual(cost(rows: 200), cost(rows: 20_000))
    }

    @Test func distantElementIsFoundDirectly() throws {
        var (layout, source) = try lazyLayout(rows: 20_000)
        layout.prepare(in: LayoutContainer(bounds: bounds, counts: GuideCounts(source)))
        let last = LayoutElement.item(IndexPath(section: 19_999, item: 671))
        let frame = Rect(x: 240 + 671 * 120, y: 40 + 19_999 * 60, width: 120, height: 60)
        expectEqual(layout.attributes(of: last)?.frame, frame)
        #expect(source.made.count < 10)
        for path in [(20_000, 0), (-1, 0), (0, -1), (0, 672), (.max, .max), (.min, .min)] {
            let path = IndexPath(section: path.0, item: path.1)
            expectEqual(layout.attributes(of: .item(path)), nil)
            for kind: ElementKind in [.station, .thumbnail, .groupHeader, .cluster] where path.section != 0 {
                expectEqual(layout.attributes(of: .supplementary(kind, path)), nil)
            }
            expectEqual(layout.attributes(of: .decoration(.gap, path)), nil)
            expectEqual(layout.attributes(of: .decoration(.daySeparator, path)), nil)
        }
        expectEqual(layout.attributes(of: .supplementary("other", IndexPath(section: 0, item: 0))), nil)
    }

    @Test func scrollMovesOnlyPinnedElements() throws {
        var (layout, source) = try lazyLayout(rows: 200)
        layout.prepare(in: LayoutContainer(bounds: bounds, counts: GuideCounts(source)))
        let before = Dictionary(
            uniqueKeysWithValues: layout.attributes(in: bounds).map { ($0.element, $0.frame) })
        let next = bounds.offset(x: 30, y: 10)
        #expect(layout.shouldInvalidate(forBoundsChangeFrom: bounds, to: next))
        #expect(!layout.shouldInvalidate(forBoundsChangeFrom: bounds, to: bounds))
        #expect(!layout.invalidationContext(forBoundsChangeFrom: bounds, to: next).invalidatesCounts)
        layout.prepare(in: LayoutContainer(bounds: next, counts: GuideCounts(source)))
        let moved = layout.attributes(in: next).filter { element in
            before[element.element].map { $0 != element.frame } ?? false
        }
        #expect(!moved.isEmpty && moved.allSatisfy { $0.band >= .pinned })
    }

    /// Known fault: a now-line that advances by intervals and is stale after the system sleeps.
    @Test func tickMovesNowLineAfterAnyPause() throws {
        var (layout, source) = try lazyLayout(rows: 200)
        let line = LayoutElement.decoration(.nowLine, IndexPath(section: IndexPath.wholeLayoutSection, item: 0))
        layout.prepare(in: LayoutContainer(bounds: bounds, counts: GuideCounts(source)))
        expectEqual(layout.attributes(of: line)?.frame.minX, 20_240.0)
        expectEqual(layout.tick(to: minutes(5000 + 8 * 60)).invalidatesCounts, false)
        expectEqual(layout.attributes(of: line)?.frame.minX, 22_160.0)
        _ = layout.tick(to: nil)
        expectEqual(layout.attributes(of: line), nil)
    }

    @Test func pinnedElementsStayWithinTheContentInset() throws {
        var (layout, source) = try lazyLayout(rows: 200)
        layout.prepare(
            in: LayoutContainer(
                bounds: bounds, counts: GuideCounts(source), contentInset: EdgeInsets(top: 20, leading: 8)))
        let corner = layout.attributes(
            of: .supplementary(.corner, IndexPath(section: IndexPath.wholeLayoutSection, item: 0)))
        expectEqual(corner?.frame.origin, Point(x: 20_008, y: 3020))
    }

    @Test(arguments: [Double.nan, .infinity, -.infinity, 1e300, -1e300, 0, -5])
    func anyContainerGivesFiniteLayoutAndDiagnosesCounts(number: Double) throws {
        var (layout, _) = try lazyLayout(rows: 30, days: 1)
        let invalid = Rect(x: number, y: number, width: number, height: number)
        layout.prepare(
            in: LayoutContainer(
                bounds: invalid, counts: ItemCounts([1, 2]), contentInset: EdgeInsets(all: number), scale: number))
        expectEqual(layout.diagnostics.map(\.detail), ["the view has 2 sections, the guide 30 rows"])
        let far = Rect(x: 0, y: 0, width: 2000, height: 1000)
        #expect(layout.attributes(in: far).allSatisfy { $0.frame.minX.isFinite && $0.frame.maxY.isFinite })
        _ = layout.attributes(in: invalid)
    }

    @Test func collectionViewShowsAndScrollsGuide() throws {
        final class Rows: CollectionViewDataSource {
            let guide: LazyGuide
            init(_ guide: LazyGuide) { self.guide = guide }
            func numberOfSections(in view: CollectionView) -> Int { guide.rowCount }
            func collectionView(_ view: CollectionView, numberOfItemsInSection section: Int) -> Int {
                guide.airingCount(inRow: section)
            }
            func sectionCounts(for view: CollectionView) -> any SectionCounts { GuideCounts(guide) }
        }
        let (layout, source) = try lazyLayout(rows: 20_000)
        let view = CollectionView(layout: layout, bounds: Rect(x: 0, y: 0, width: 1200, height: 700))
        let rows = Rows(source)
        view.dataSource = rows
        view.layoutIfNeeded()
        #expect(view.visibleItems.contains(IndexPath(section: 10, item: 7)))
        view.contentOffset = Point(x: 40_000, y: 900_000)
        view.layoutIfNeeded()
        let station = view.visibleElements.first { $0.element.kind == .station }
        expectEqual(station?.frame.minX, 40_000)
        #expect(view.visibleItems.allSatisfy { (14_999...15_011).contains($0.section) })
        #expect(source.made.count < 2 * 14 * 20)
    }

    /// The memory of the layout does not depend on what it has shown.
    @Test func scrollingDoesNotGrowLayout() throws {
        func count(_ value: Any) -> Int { Mirror(reflecting: value).children.reduce(1) { $0 + count($1.value) } }
        var (layout, source) = try lazyLayout(rows: 20_000, days: 2, groups: true)
        var sizes: Set<Int> = []
        for step in 0..<5 {
            let bounds = Rect(x: Double(step) * 1000, y: Double(step) * 200_000, width: 1200, height: 700)
            layout.prepare(in: LayoutContainer(bounds: bounds, counts: GuideCounts(source)))
            #expect(layout.attributes(in: bounds).count > 100)
            sizes.insert(
                Mirror(reflecting: layout).children.filter { $0.label != "source" }.reduce(0) { $0 + count($1.value) })
        }
        expectEqual(sizes.count, 1)
        // Five views of 13 rows and 12 cells with adjacent ones; the guide has 1,920,000 airings.
        #expect(source.made.count <= 5 * 13 * (12 + 4))
    }

    @Test func groupHeaderIsFoundByFirstRow() throws {
        let metrics = try GuideMetrics(
            pointsPerHour: 600, rowHeight: 80, rowSpacing: 10, stationColumnWidth: 100, headerHeight: 40)
        let groups = [GuideGroup(firstRow: 0, title: "A"), GuideGroup(firstRow: 2, title: "B")]
        let grid = try GuideLayout(metrics: metrics, window: window(0, 120), rowCount: 3, groups: groups)
        let source = LazyGuide(rowCount: 3, days: 1)
        var layout = GuideGridLayout(grid, source: source)
        let bounds = Rect(x: 0, y: 150, width: 400, height: 150)
        layout.prepare(in: LayoutContainer(bounds: bounds, counts: GuideCounts(source)))
        func top(_ row: Int) -> Double? {
            layout.attributes(of: .supplementary(.groupHeader, IndexPath(section: row, item: 0)))?.frame.minY
        }
        expectEqual(top(0), 190)
        expectEqual(top(1), nil)
        expectEqual(top(2), 254)
    }
}
