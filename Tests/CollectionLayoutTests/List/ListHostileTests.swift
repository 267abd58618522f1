import CollectionLayout
import LayoutTestSupport
import Testing

@Suite struct ListHostileTests {
    private static let numbers: [Double] = [
        .nan, .infinity, -.infinity, -1, 0, -0.0, .leastNonzeroMagnitude, 1e-9, 0.5, 1, 44, 1e6, 1e12, 1e300,
        .greatestFiniteMagnitude, -.greatestFiniteMagnitude,
    ]

    private func isFinite(_ rect: Rect?) -> Bool {
        guard let rect else { return true }
        return [rect.minX, rect.minY, rect.maxX, rect.maxY].allSatisfy(\.isFinite)
    }

    @Test func anyNumbersInAConfigurationGiveAFiniteLayout() {
        let seed = SeededGenerator.anySeed()
        var generator = SeededGenerator(seed: seed)
        func number() -> Double { Self.numbers.randomElement(using: &generator) ?? 0 }
        func insets() -> EdgeInsets {
            EdgeInsets(top: number(), leading: number(), bottom: number(), trailing: number())
        }
        for round in 0..<10_000 {
            var list = ListConfiguration(appearance: .allCases.randomElement(using: &generator) ?? .plain)
            list.headerMode = .allCases.randomElement(using: &generator) ?? .none
            list.footerMode = .allCases.randomElement(using: &generator) ?? .none
            list.showsSeparators = true
            list.separatorConfiguration.bottomSeparatorInsets = .init(leading: number(), trailing: number())
            list.separatorConfiguration.topSeparatorVisibility = .visible
            list.textLeading = number()
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
            guard found.allSatisfy({ isFinite($0.layoutFrame) }), layout.contentSize.height.isFinite else {
                Issue.record("seed \(seed), round \(round): \(list)")
                return
            }
        }
    }

    @Test func countsWithoutEndAreFinite() {
        let layout = Lists.layout(
            Lists.configuration(.insetGrouped) { $0.headerMode = .firstItemInSection }, counts: [.max, .max])
        #expect(layout.contentSize.height.isFinite)
        #expect(layout.attributes(in: Rect(x: 0, y: 0, width: 320, height: 480)).count < 40)
    }
}
