import CollectionLayout
import CollectionView
import LayoutTestSupport
import Testing

@Suite struct LazyDataTests {
    /// 20,000 stations of 650 airings each: 13 million. Whoever counts them is written down.
    private final class Guide: CollectionViewDataSource, @unchecked Sendable {
        struct Counts: SectionCounts {
            let guide: Guide
            let sectionCount = 20_000
            func itemCount(inSection section: Int) -> Int {
                guide.asked += 1
                return 650
            }
        }

        nonisolated(unsafe) var asked = 0
        let registration = CellRegistration<RowCell, IndexPath> { $0.text = "\($2)" }

        func sectionCounts(for view: CollectionView) -> any SectionCounts { Counts(guide: self) }

        func collectionView(_ view: CollectionView, numberOfItemsInSection section: Int) -> Int { 650 }

        func collectionView(_ view: CollectionView, cellForItemAt path: IndexPath) -> (any ReusableView)? {
            view.dequeueCell(using: registration, for: path, item: path)
        }
    }

    @Test func onlyWhatIsSeenIsCountedAndMade() {
        let guide = Guide()
        let view = CollectionView(layout: LazyPlane(), bounds: Rect(x: 0, y: 0, width: 400, height: 300))
        view.dataSource = guide
        view.layoutIfNeeded()
        // Six rows of four.
        #expect(view.visibleItems.count == 24 && guide.asked < 100)
        guide.asked = 0
        view.contentOffset = Point(x: 40_000, y: 500_000)
        view.layoutIfNeeded()
        #expect((view.cell(at: path(10_000, 400)) as? RowCell)?.text == "[10000, 400]")
        #expect(guide.asked < 100 && view.lastCost.items < 50 && view.preparationCount == 1)
    }

    @Test func updatesOfFewRowsNeedNotCountAll() throws {
        let guide = Guide()
        let view = CollectionView(layout: LazyPlane(), bounds: Rect(x: 0, y: 0, width: 400, height: 300))
        view.dataSource = guide
        view.countChecking = .namedSections
        view.layoutIfNeeded()
        let cell = view.cell(at: path(0, 1))
        guide.asked = 0
        try view.performBatchUpdates { $0.moveItem(at: path(0, 1), to: path(0, 2)) }
        #expect(view.cell(at: path(0, 2)) === cell && guide.asked < 300)
    }
}
