import CollectionLayout
import LayoutTestSupport
import TestSupport
import Testing

@Suite struct ListSectionTests {
    @Test func listCanBeOneSectionAmongOthers() {
        var list = ListConfiguration(appearance: .plain)
        list.headerMode = .supplementary
        let banner = LayoutSection(
            group: .horizontal(
                layoutSize: LayoutSize(widthDimension: .fractionalWidth(1), heightDimension: .absolute(100)),
                subitems: [LayoutItem(layoutSize: .full)]))
        var layout = CompositionalLayout { [list] section, environment in
            section == 1 ? .list(using: list, layoutEnvironment: environment) : banner
        }
        layout.prepare(
            in: LayoutContainer(bounds: Rect(x: 0, y: 0, width: 320, height: 480), counts: ItemCounts([1, 2, 1])))
        // 100, then 22 + 28 + 2 · 44 = 138, then 100.
        let header = layout.attributes(of: .supplementary(.header, IndexPath(section: 1, item: 0)))
        expectEqual(header?.frame, Rect(x: 0, y: 122, width: 320, height: 28))
        expectEqual(layout.attributes(of: Lists.item(1, 1))?.frame, Rect(x: 0, y: 194, width: 320, height: 44))
        expectEqual(layout.attributes(of: Lists.item(2, 0))?.frame, Rect(x: 0, y: 238, width: 320, height: 100))
        #expect(layout.contentSize == Size(width: 320, height: 338) && layout.diagnostics.isEmpty)
    }

    @Test func listSectionCanBeModified() {
        let list = Lists.configuration(.plain) { $0.headerMode = .supplementary }
        var layout = CompositionalLayout { _, environment in
            var section = LayoutSection.list(using: list, layoutEnvironment: environment)
            section.boundarySupplementaryItems = []
            section.interGroupSpacing = 6
            section.contentInsets.leading = 10
            return section
        }
        layout.prepare(
            in: LayoutContainer(bounds: Rect(x: 0, y: 0, width: 320, height: 480), counts: ItemCounts([2])))
        expectEqual(layout.attributes(of: Lists.item(0, 1))?.frame, Rect(x: 10, y: 72, width: 310, height: 44))
    }

    @Test(arguments: [0, 1e-9, 1e-4, 1.0]) func eachRowHasOneItemWhateverItsWidth(_ width: Double) {
        var layout = CompositionalLayout.list(using: ListConfiguration(appearance: .plain))
        layout.prepare(
            in: LayoutContainer(bounds: Rect(x: 0, y: 0, width: width, height: 480), counts: ItemCounts([3])))
        expectEqual((0..<3).map { layout.attributes(of: Lists.item(0, $0))?.frame.minY }, [0, 44, 88])
    }

    @Test func horizontallyScrollingListPlacesRowsSideBySide() {
        var layout = CompositionalLayout.list(using: ListConfiguration(appearance: .plain))
        layout.configuration.scrollDirection = .horizontal
        layout.prepare(
            in: LayoutContainer(bounds: Rect(x: 0, y: 0, width: 320, height: 480), counts: ItemCounts([2])))
        expectEqual(layout.attributes(of: Lists.item(0, 1))?.frame, Rect(x: 320, y: 0, width: 320, height: 44))
    }

    @Test func unknownElementsOfListHaveNoAttributes() {
        let layout = Lists.layout(Lists.configuration(.insetGrouped), counts: [2])
        for element in [
            Lists.item(0, 2), Lists.item(0, -1), Lists.item(1, 0), Lists.item(0, .max),
            .decoration("other", IndexPath(section: 0, item: 0)),
            .supplementary(.header, IndexPath(section: 0, item: 0)),
        ] { expectEqual(layout.attributes(of: element), nil, "\(element)") }
    }

    @Test func appearancesHaveTheirDefaults() {
        typealias Row = (ListConfiguration.Appearance, pins: Bool, margins: Double, padding: Double)
        let table: [Row] = [
            (.plain, true, 0, 22), (.grouped, false, 17.5, 0), (.insetGrouped, false, 17.5, 0),
        ]
        expectEqual(table.map(\.0), ListConfiguration.Appearance.allCases)
        for row in table {
            var list = ListConfiguration(appearance: row.0)
            expectEqual(list.appearance.pinsHeaders, row.pins)
            expectEqual(list.resolvedSectionMargins, EdgeInsets(top: row.margins, bottom: row.margins))
            expectEqual(list.resolvedHeaderTopPadding, 0)
            list.headerMode = .supplementary
            expectEqual(list.resolvedHeaderTopPadding, row.padding)
            expectEqual(list.resolvedSectionMargins, EdgeInsets(bottom: row.margins))
            expectEqual(list.headerMode, .supplementary)
            expectEqual(list.footerMode, .none)
            expectEqual(list.estimatedRowHeight, 44)
        }
    }
}

@Suite struct ListRobustnessTests {
    private static let numbers: [Double] = [
        .nan, .infinity, -.infinity, -1, 0, -0.0, .leastNonzeroMagnitude, 1e-9, 0.5, 1, 44, 1e6, 1e12, 1e300,
        .greatestFiniteMagnitude, -.greatestFiniteMagnitude,
    ]

    private func isFinite(_ rect: Rect?) -> Bool {
        guard let rect else { return true }
        return [rect.minX, rect.minY, rect.maxX, rect.maxY].allSatisfy(\.isFinite)
    }

    @Test func invalidNumbersInConfigurationProduceFiniteLayout() {
        let seed = SeededGenerator.anySeed()
        var generator = SeededGenerator(seed: seed)
        func number() -> Double { Self.numbers.randomElement(using: &generator) ?? 0 }
        func insets() -> EdgeInsets {
            EdgeInsets(top: number(), leading: number(), bottom: number(), trailing: number())
        }
        for round in 0..<TestScope.cases(10_000) {
            var list = ListConfiguration(appearance: .allCases.randomElement(using: &generator) ?? .plain)
            list.headerMode = .allCases.randomElement(using: &generator) ?? .none
            list.footerMode = .allCases.randomElement(using: &generator) ?? .none
            list.headerTopPadding = number()
            if Bool.random(using: &generator) { list.sectionMargins = insets() }
            list.estimatedRowHeight = number()
            list.estimatedHeaderHeight = number()
            list.estimatedFooterHeight = number()
            var layout = CompositionalLayout.list(using: list)
            let container = LayoutContainer(
                bounds: Rect(x: 0, y: number(), width: number(), height: number()), counts: ItemCounts([3, 0, 1]),
                layoutMargins: insets(), layoutDirection: .allCases.randomElement(using: &generator) ?? .leftToRight,
                scale: number())
            layout.prepare(in: container)
            layout.invalidate(
                with: InvalidationContext(preferredSizes: [
                    Lists.item(0, 1): Size(width: number(), height: number())
                ]))
            layout.prepare(in: container)
            let found = layout.attributes(in: Rect(minX: -1e15, minY: -1e15, maxX: 1e15, maxY: 1e15))
            guard found.allSatisfy({ isFinite($0.frame) }), layout.contentSize.height.isFinite else {
                Issue.record("seed \(seed), round \(round): \(list)")
                return
            }
        }
    }

    @Test func endlessCountsProduceFiniteList() {
        let layout = Lists.layout(Lists.configuration(.insetGrouped), counts: [.max, .max])
        #expect(layout.contentSize.height.isFinite)
        #expect(layout.attributes(in: Rect(x: 0, y: 0, width: 320, height: 480)).count < 40)
    }
}

@Suite struct ListCostTests {
    private func cost(rows: Int, _ list: ListConfiguration) -> LayoutCost {
        let layout = Lists.layout(list, counts: [rows])
        var cost = LayoutCost()
        let found = layout.attributes(in: Rect(x: 0, y: 44 * 4000 + 10, width: 320, height: 480), cost: &cost)
        // 4000 to 4011: 480 points, starting 10 points below the start of a row, reach into the twelfth row.
        expectEqual(found.filter { $0.element.kind == nil }.count, 12)
        return cost
    }

    @Test(arguments: ListConfiguration.Appearance.allCases)
    func listQueryExaminesOnlyVisibleRows(_ appearance: ListConfiguration.Appearance) {
        let list = Lists.configuration(appearance) { $0.sectionMargins = .zero }
        let cost = cost(rows: 10_000, list)
        // The slack of a pixel adds rows that touch the edges.
        #expect(cost.items <= 14 && cost.attributes <= 14 && cost.sections == 1)
        expectEqual(cost, self.cost(rows: 1_000_000_000, list))
    }

    @Test func measuredRowsAreFoundByBinarySearch() {
        let list = Lists.configuration(.insetGrouped)
        var layout = Lists.layout(list, counts: [10_000])
        var context = InvalidationContext()
        for item in 0..<10_000 { context.preferredSizes[Lists.item(0, item)] = Size(width: 320, height: 50) }
        layout.invalidate(with: context)
        layout.prepare(
            in: LayoutContainer(bounds: Rect(x: 0, y: 0, width: 320, height: 480), counts: ItemCounts([10_000])))
        expectEqual(layout.contentSize.height, 500_035)
        var cost = LayoutCost()
        let found = layout.attributes(in: Rect(x: 0, y: 250_017.5, width: 320, height: 500), cost: &cost)
        #expect(found.contains { $0.element == Lists.item(0, 5_000) } && cost.items <= 13)
    }
}
