import CollectionLayout
import Testing

@Suite struct FlowCostTests {
    /// Five in each row of a view 300 wide, each row 60 apart: a rectangle of 600 touches eleven rows at most;
    /// two more at either end may be looked at.
    @Test(arguments: [100_000, 1_000_000, 10_000_000_000])
    func aViewportOfMillionsCostsWhatItShows(count: Int) {
        let layout = FlowLayout.prepared(width: 300, counts: [count])
        for row in [0, count / 10, count / 5 - 20] {
            var cost = LayoutCost()
            let found = layout.attributes(in: box(0, Double(row) * 60, 300, 600), cost: &cost)
            #expect(found.count == 50)
            #expect(cost.total <= 2 * 5 * 15 + 1)
        }
        #expect(layout.item(count - 1)?.minY == Double(count / 5 - 1) * 60)
        #expect(layout.contentSize.height == Double(count / 5) * 60 - 10)
    }

    @Test func aNarrowRectangleDoesNotWalkItsRows() {
        let layout = FlowLayout.prepared(width: 1_000_000, counts: [1_000_000]) {
            $0.itemSize = size(5, 5)
            $0.minimumInteritemSpacing = 0
        }
        var cost = LayoutCost()
        #expect(layout.attributes(in: box(500_000, 0, 10, 10), cost: &cost).count == 2)
        #expect(cost.total <= 2 * 16 + 1)
    }

    @Test(arguments: [200, 20_000])
    func theNumberOfSectionsDoesNotCount(sections: Int) {
        let layout = FlowLayout.prepared(width: 300, counts: Array(repeating: 6, count: sections)) {
            $0.headerReferenceSize = size(0, 20)
            $0.sectionHeadersPinToVisibleBounds = true
        }
        var cost = LayoutCost()
        // A section is 130 long: six of them at most touch the rectangle.
        _ = layout.attributes(in: box(0, Double(sections) * 65, 300, 600), cost: &cost)
        #expect(cost.sections <= 6)
        #expect(cost.total <= 6 * (1 + 2 * 6 + 1))
    }

    @Test func rowsOfOwnSizesAreFoundWithoutScanning() {
        let layout = FlowLayout.prepared(width: 300, counts: [100_000]) {
            $0.delegate.sizeForItem = { size(50, Double(10 + $0.item % 40)) }
        }
        var cost = LayoutCost()
        let found = layout.attributes(in: box(0, layout.contentSize.height / 2, 300, 300), cost: &cost)
        #expect(!found.isEmpty)
        #expect(cost.total <= 2 * 5 * 32)
    }

    @Test func aMeasuredItemAmongMillionsMovesTheRest() {
        let count = 10_000_000_000
        var layout = FlowLayout.prepared(width: 300, counts: [count]) {
            $0.estimatedItemSize = size(50, 50)
        }
        layout.measure(size(50, 80), items: 500_000..<500_007)
        layout.measure(size(50, 70), items: 12..<13)
        #expect(layout.item(11)?.minY == 130)
        #expect(layout.item(12)?.minY == 120)
        #expect(layout.item(15)?.minY == 200)
        #expect(layout.item(500_010)?.minY == 6_000_200)
        #expect(layout.contentSize.height == Double(count / 5) * 60 - 10 + 20 + 60)
        var cost = LayoutCost()
        _ = layout.attributes(in: box(0, 60e6, 300, 600), cost: &cost)
        #expect(cost.total <= 2 * 5 * 15 + 1)
    }
}
