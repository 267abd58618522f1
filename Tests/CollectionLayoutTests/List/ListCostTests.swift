import CollectionLayout
import LayoutTestSupport
import Testing

@Suite struct ListCostTests {
    private func cost(rows: Int, _ list: ListConfiguration) -> LayoutCost {
        let layout = Lists.layout(list, counts: [rows])
        var cost = LayoutCost()
        let found = layout.attributes(in: Rect(x: 0, y: 44 * 4000 + 10, width: 320, height: 480), cost: &cost)
        // 4000 to 4011: 480 points from 10 points below the start of a row reach into the twelfth.
        #expect(found.filter { $0.element.kind == nil }.count == 12)
        return cost
    }

    @Test(arguments: ListConfiguration.Appearance.allCases)
    func aViewportTouchesItsRowsAlone(_ appearance: ListConfiguration.Appearance) {
        let list = Lists.configuration(appearance) {
            $0.headerMode = .firstItemInSection
            $0.showsSeparators = true
        }
        let cost = cost(rows: 10_000, list)
        // Rows that touch the edges come with the slack of a pixel; each with its line, and the ground.
        #expect(cost.items <= 14 && cost.attributes <= 2 * 14 + 1 && cost.sections == 1)
        #expect(cost == self.cost(rows: 1_000_000_000, list))
    }

    @Test func handlersAreAskedForRowsThatAreLookedAt() {
        final class Asked: @unchecked Sendable {
            // Only this test's own thread asks.
            var items: Set<Int> = []
        }
        let asked = Asked()
        let list = Lists.configuration(.plain) {
            $0.itemSeparatorHandler = { path, section in
                asked.items.insert(path.item)
                return section
            }
        }
        _ = cost(rows: 10_000, list)
        #expect(asked.items.isSubset(of: Set(3998...4012)) && asked.items.count >= 12)
    }

    @Test func manyMeasuredRowsAreFoundBySearch() {
        let list = Lists.configuration(.insetGrouped)
        var layout = Lists.layout(list, counts: [10_000])
        var context = InvalidationContext()
        for item in 0..<10_000 { context.preferredSizes[Lists.item(0, item)] = Size(width: 320, height: 50) }
        layout.invalidate(with: context)
        layout.prepare(
            in: LayoutContainer(bounds: Rect(x: 0, y: 0, width: 320, height: 480), counts: ItemCounts([10_000])))
        #expect(layout.contentSize.height == 500_035)
        var cost = LayoutCost()
        let found = layout.attributes(in: Rect(x: 0, y: 250_017.5, width: 320, height: 500), cost: &cost)
        #expect(found.contains { $0.element == Lists.item(0, 5_000) } && cost.items <= 13)
    }
}
