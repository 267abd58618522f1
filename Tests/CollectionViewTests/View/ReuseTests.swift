import CollectionLayout
import CollectionView
import LayoutTestSupport
import TestSupport
import Testing

@Suite struct ReuseTests {
    @Test func cellThatLeftIsReused() {
        let source = RowSource(rows: 50)
        let view = makeView(source)
        let first = view.row(0, 0)
        view.setContentOffset(Point(x: 0, y: 20))
        view.layoutIfNeeded()
        #expect(view.row(0, 5) === first && first?.reuses == 1 && first?.text == "r5")
        #expect(view.cell(at: path(0, 0)) == nil)
    }

    @Test func scrollingCreatesNoMoreCellsThanVisible() {
        let source = RowSource(rows: 500)
        let view = makeView(source)
        var cells: Set<ObjectIdentifier> = []
        for offset in stride(from: 0.0, to: 9000, by: 10) {
            view.setContentOffset(Point(x: 0, y: offset))
            view.layoutIfNeeded()
            for path in view.visibleItems { cells.insert(ObjectIdentifier(view.cell(at: path) ?? RowCell())) }
        }
        // Between two rows, six are visible.
        expectEqual(cells.count, 6)
    }

    @Test func registrationsDoNotShareCells() {
        let source = RowSource(rows: 50)
        source.others = Set((5..<50).map { "r\($0)" })
        let view = makeView(source)
        let old = (0..<5).compactMap { view.row(0, $0) }
        view.setContentOffset(Point(x: 0, y: 100))
        view.layoutIfNeeded()
        let new = (5..<10).compactMap { view.row(0, $0) }
        #expect(new.count == 5 && new.allSatisfy { cell in !old.contains { $0 === cell } })
    }

    @Test func copiesOfRegistrationShareCells() {
        let view = CollectionView(layout: RowTable())
        let registration = CellRegistration<RowCell, Int> { $0.text = "\($2)" }
        let copy = registration
        let cell = view.dequeueCell(using: copy, for: path(0, 0), item: 7)
        expectEqual(cell.text, "7")
    }

    @Test func cellsAndIndexPathsMapToEachOther() throws {
        let view = makeView(RowSource(rows: 50))
        let cell = try #require(view.cell(at: path(0, 3)))
        expectEqual(view.indexPath(for: cell), path(0, 3))
        expectEqual(view.indexPath(for: RowCell()), nil)
        #expect(view.cell(at: path(0, 5)) == nil)
        #expect(view.cell(at: path(7, -1)) == nil)
        expectEqual(view.visibleItems, (0..<5).map { path(0, $0) })
    }

    @Test func headersHaveSeparatePool() {
        let source = RowSource([["a"], ["b"], ["c"], ["d"], ["e"], ["f"]])
        let view = makeView(source, RowTable(headerHeight: 30))
        let header = view.supplementaryView(ofKind: .header, at: path(0, 0)) as? RowHeader
        expectEqual(header?.text, "header [0, 0]")
        #expect(view.supplementaryView(ofKind: .footer, at: path(0, 0)) == nil)
        view.setContentOffset(Point(x: 0, y: 200))
        view.layoutIfNeeded()
        expectEqual(view.visibleItems, [path(4, 0), path(5, 0)])
        let later = [4, 5].map { view.supplementaryView(ofKind: .header, at: path($0, 0)) }
        #expect(later.contains { $0 === header } && header?.reuses == 1)
    }

    @Test func attributesAreAppliedBeforeDisplayAndAfterChanges() {
        let view = makeView(RowSource(rows: 5))
        let cell = view.row(0, 1)
        expectEqual(cell?.attributes.map(\.frame.minY), [20])
        view.setNeedsLayout()
        view.layoutIfNeeded()
        expectEqual(cell?.attributes.count, 1)
        view.layout = RowTable(rowHeight: 15)
        view.layoutIfNeeded()
        expectEqual(cell?.attributes.map(\.frame.minY), [20, 15])
    }

    @Test func delegateReceivesDisplayEvents() {
        let delegate = DisplayDelegate()
        let view = makeView(RowSource(rows: 50), bounds: Rect(x: 0, y: 0, width: 100, height: 40))
        view.delegate = delegate
        view.setContentOffset(Point(x: 0, y: 20))
        view.layoutIfNeeded()
        expectEqual(delegate.log, ["-item [0, 0]", "+item [0, 2]"])
        expectEqual(delegate.scrolls, 1)
    }

    @Test func dataSourceWithoutCellsIsLaidOut() {
        final class Counts: CollectionViewDataSource {
            func collectionView(_ view: CollectionView, numberOfItemsInSection section: Int) -> Int { 9 }
        }
        let source = Counts()
        let view = CollectionView(layout: RowTable(), bounds: Rect(x: 0, y: 0, width: 100, height: 100))
        view.dataSource = source
        expectEqual(view.layoutIfNeeded().entered.count, 5)
        expectEqual(view.visibleItems.count, 5)
        #expect(view.cell(at: path(0, 0)) == nil)
    }

    @Test func cellIsNotShownTwice() {
        final class Single: CollectionViewDataSource {
            let cell = RowCell()
            func collectionView(_ view: CollectionView, numberOfItemsInSection section: Int) -> Int { 50 }
            func collectionView(_ view: CollectionView, cellForItemAt path: IndexPath) -> (any ReusableView)? { cell }
        }
        let source = Single()
        let view = CollectionView(layout: RowTable(), bounds: Rect(x: 0, y: 0, width: 100, height: 100))
        view.dataSource = source
        view.layoutIfNeeded()
        expectEqual(view.visibleItems.filter { view.cell(at: $0) != nil }, [path(0, 0)])
        view.setContentOffset(Point(x: 0, y: 400))
        view.layoutIfNeeded()
        expectEqual(view.visibleItems.filter { view.cell(at: $0) != nil }, [path(0, 20)])
        expectEqual(source.cell.reuses, 0)
    }

    @Test func dequeuedCellThatIsNotReturnedIsReused() {
        final class UnusedCellSource: CollectionViewDataSource {
            let registration = CellRegistration<RowCell, Int> { _, _, _ in }
            var cells: Set<ObjectIdentifier> = []
            var kept: [RowCell] = []
            func collectionView(_ view: CollectionView, numberOfItemsInSection section: Int) -> Int { 50 }
            func collectionView(_ view: CollectionView, cellForItemAt path: IndexPath) -> (any ReusableView)? {
                for _ in 0..<2 {
                    let cell = view.dequeueCell(using: registration, for: path, item: 0)
                    kept.append(cell)
                    cells.insert(ObjectIdentifier(cell))
                }
                return view.dequeueCell(using: registration, for: path, item: 0)
            }
        }
        let source = UnusedCellSource()
        let view = CollectionView(layout: RowTable(), bounds: Rect(x: 0, y: 0, width: 100, height: 100))
        view.dataSource = source
        view.layoutIfNeeded()
        // Two unused cells of an item are reused for the next item, which shows one of them.
        #expect(source.cells.count <= 7)
    }
}
