import CollectionLayout
import CollectionView
import LayoutTestSupport
import TestSupport
import Testing

@Suite struct LayoutCycleTests {
    @Test func dataSourceIsNotCalledBeforeFirstLayout() {
        let source = RowSource(rows: 3)
        let view = CollectionView(layout: RowTable(), bounds: Rect(x: 0, y: 0, width: 100, height: 100))
        view.dataSource = source
        view.setNeedsLayout()
        #expect(source.countRequests == 0 && view.preparationCount == 0 && view.visibleElements.isEmpty)
        #expect(view.contentSize == .zero && view.needsLayout)
    }

    @Test func severalMarksCauseOnePreparation() {
        let source = RowSource(rows: 3)
        let view = CollectionView(layout: RowTable(), bounds: Rect(x: 0, y: 0, width: 100, height: 100))
        view.dataSource = source
        for _ in 0..<5 {
            view.setNeedsLayout()
            view.invalidateLayout()
        }
        view.contentInset = EdgeInsets(all: 1)
        view.scale = 2
        view.layoutIfNeeded()
        expectEqual(view.preparationCount, 1)
        for _ in 0..<5 { view.invalidateLayout() }
        view.layoutIfNeeded()
        expectEqual(view.preparationCount, 2)
    }

    @Test func unmarkedViewDoesNothing() {
        let source = RowSource(rows: 3)
        let view = makeView(source)
        #expect(!view.needsLayout && view.preparationCount == 1)
        #expect(view.layoutIfNeeded().isEmpty)
        expectEqual(view.preparationCount, 1)
        expectEqual(source.countRequests, 1)
    }

    @Test func markAloneQueriesWithoutPreparation() {
        let view = makeView(RowSource(rows: 3))
        view.setNeedsLayout()
        view.layoutIfNeeded()
        expectEqual(view.preparationCount, 1)
    }

    @Test func scrollingPreparesOnlyIfLayoutRequiresIt() throws {
        let source = RowSource(rows: 50)
        let view = makeView(source)
        view.setContentOffset(Point(x: 0, y: 100))
        view.layoutIfNeeded()
        expectEqual(view.preparationCount, 1)
        expectEqual(view.rowNames, ["r5", "r6", "r7", "r8", "r9"])
        var invalidating = RowTable()
        invalidating.invalidatesForBounds = true
        let other = makeView(source, invalidating)
        let before = other.preparationCount
        other.setContentOffset(Point(x: 0, y: 100))
        other.setContentOffset(Point(x: 0, y: 200))
        other.layoutIfNeeded()
        expectEqual(other.preparationCount, before + 1)
        let layout = try #require(other.layout as? RowTable)
        expectEqual(layout.contexts.last?.invalidatesEverything, true)
    }

    @Test func layoutReceivesContainer() throws {
        let view = makeView(RowSource(rows: 3))
        view.contentInset = EdgeInsets(top: 1, leading: 2, bottom: 3, trailing: 4)
        view.safeAreaInsets = EdgeInsets(top: 10, leading: 0, bottom: 0, trailing: 0)
        view.layoutMargins = EdgeInsets(all: 8)
        view.layoutDirection = .rightToLeft
        view.scale = 3
        view.layoutIfNeeded()
        let container = try #require(view.layout as? RowTable).container
        expectEqual(container.contentInset, EdgeInsets(top: 11, leading: 2, bottom: 3, trailing: 4))
        expectEqual(container.safeAreaInsets, EdgeInsets(top: 10))
        expectEqual(container.layoutMargins, EdgeInsets(top: 18, leading: 8, bottom: 8, trailing: 8))
        expectEqual(container.layoutDirection, .rightToLeft)
        expectEqual(container.pixels.scale, 3)
        expectEqual(container.counts.itemCount(inSection: 0), 3)
        expectEqual(container.bounds.size, Size(width: 100, height: 100))
    }

    @Test func reloadingCountsDataAndRequestsEveryCell() {
        let source = RowSource(rows: 3)
        let view = makeView(source)
        let cell = view.row(0, 0)
        source.sections = [["a", "b"], ["c"]]
        view.reloadData()
        let changes = view.layoutIfNeeded()
        expectEqual(view.counts.sectionCount, 2)
        expectEqual(view.rowNames, ["a", "b", "c"])
        #expect(changes.entered.count == 3 && changes.left.count == 3 && changes.moved.isEmpty)
        // The old cells are reused, the last stored one first.
        #expect(view.row(1, 0) === cell && cell?.reuses == 1)
    }

    @Test func replacingLayoutKeepsCells() {
        let source = RowSource(rows: 3)
        let view = makeView(source)
        let cells = (0..<3).map { view.row(0, $0) }
        view.layout = RowTable(rowHeight: 30)
        let changes = view.layoutIfNeeded()
        #expect((0..<3).map { view.row(0, $0) }.elementsEqual(cells) { $0 === $1 })
        #expect(changes.entered.isEmpty && changes.left.isEmpty)
        expectEqual(changes.moved.map(\.new.frame.minY), [0, 30, 60])
        expectEqual(source.requests.count, 3)
    }

    @Test func layoutDuringLayoutIsDeferred() {
        final class ReentrantSource: CollectionViewDataSource {
            var errors: [BatchUpdateError] = []
            func collectionView(_ view: CollectionView, numberOfItemsInSection section: Int) -> Int { 2 }
            func collectionView(_ view: CollectionView, cellForItemAt path: IndexPath) -> (any ReusableView)? {
                #expect(view.layoutIfNeeded().isEmpty)
                do throws(BatchUpdateError) { try view.performBatchUpdates { _ in } } catch { errors.append(error) }
                view.setContentOffset(Point(x: 5, y: 5), within: .free)
                return nil
            }
        }
        let source = ReentrantSource()
        let view = CollectionView(layout: RowTable(), bounds: Rect(x: 0, y: 0, width: 100, height: 100))
        view.dataSource = source
        view.layoutIfNeeded()
        expectEqual(source.errors, [.nested, .nested])
        #expect(view.needsLayout && view.contentOffset == Point(x: 5, y: 5))
    }

    @Test func viewWithoutDataSourceIsEmpty() {
        let view = CollectionView(layout: RowTable(), bounds: Rect(x: 0, y: 0, width: 100, height: 100))
        #expect(view.layoutIfNeeded().isEmpty && view.counts.sectionCount == 0)
    }
}

@Suite struct LazyDataTests {
    /// 20,000 stations with 650 airings each: 13 million airings. Records which sections are counted.
    private final class Guide: CollectionViewDataSource, @unchecked Sendable {
        struct Counts: SectionCounts {
            let guide: Guide
            let sectionCount: Int
            func itemCount(inSection section: Int) -> Int {
                guide.countRequests += 1
                return 650
            }
        }

        private let sectionCount: Int
        nonisolated(unsafe) var countRequests = 0
        let registration = CellRegistration<RowCell, IndexPath> { $0.text = "\($2)" }

        init(sectionCount: Int = 20_000) { self.sectionCount = sectionCount }

        func sectionCounts(for view: CollectionView) -> any SectionCounts {
            Counts(guide: self, sectionCount: sectionCount)
        }

        func collectionView(_ view: CollectionView, numberOfItemsInSection section: Int) -> Int { 650 }

        func collectionView(_ view: CollectionView, cellForItemAt path: IndexPath) -> (any ReusableView)? {
            view.dequeueCell(using: registration, for: path, item: path)
        }
    }

    @Test func onlyVisibleSectionsAreCountedAndCreated() {
        let guide = Guide()
        let view = CollectionView(layout: LazyPlane(), bounds: Rect(x: 0, y: 0, width: 400, height: 300))
        view.dataSource = guide
        view.layoutIfNeeded()
        // Six rows of four.
        #expect(view.visibleItems.count == 24 && guide.countRequests < 100)
        guide.countRequests = 0
        view.contentOffset = Point(x: 40_000, y: 500_000)
        view.layoutIfNeeded()
        expectEqual((view.cell(at: path(10_000, 400)) as? RowCell)?.text, "[10000, 400]")
        #expect(guide.countRequests < 100 && view.preparationCount == 1)
    }

    @Test func updatesOfMoreThanAMillionRowsCountOnlyNamedRows() throws {
        let guide = Guide(sectionCount: CollectionView.eagerSectionLimit + 1)
        let view = CollectionView(layout: LazyPlane(), bounds: Rect(x: 0, y: 0, width: 400, height: 300))
        view.dataSource = guide
        view.layoutIfNeeded()
        let cell = view.cell(at: path(0, 1))
        guide.countRequests = 0
        try view.performBatchUpdates { $0.moveItem(at: path(0, 1), to: path(0, 2)) }
        #expect(view.cell(at: path(0, 2)) === cell && guide.countRequests < 300)
    }
}
