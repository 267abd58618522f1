import CollectionLayout
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

    @Test func anyNumbersInACellGiveFiniteFrames() {
        let seed = SeededGenerator.anySeed()
        var generator = SeededGenerator(seed: seed)
        func number() -> Double { Self.numbers.randomElement(using: &generator) ?? 0 }
        func size() -> Size { Size(width: number(), height: number()) }
        func insets() -> EdgeInsets {
            EdgeInsets(top: number(), leading: number(), bottom: number(), trailing: number())
        }
        for round in 0..<10_000 {
            var content = ContentConfiguration(style: .allCases.randomElement(using: &generator) ?? .cell)
            content.text = "text"
            content.secondaryText = Bool.random(using: &generator) ? "" : "more"
            content.image = CellImage(name: "image", size: size())
            content.imageProperties.maximumSize = size()
            content.imageProperties.reservedLayoutSize = size()
            content.margins = insets()
            content.imageToTextPadding = number()
            content.textToSecondaryTextHorizontalPadding = number()
            content.textToSecondaryTextVerticalPadding = number()
            content.minimumHeight = number()
            content.textProperties.numberOfLines = .min
            content.textProperties.alignment = .center
            var cell = ListCell(content: content)
            cell.accessories = [.label("1"), .custom("a", size: size(), placement: .leading)]
            cell.accessories[1].reservedLayoutWidth = .custom(number())
            cell.indentationLevel = [.min, -1, 0, 3, .max].randomElement(using: &generator) ?? 0
            cell.indentationWidth = number()
            cell.indentsAccessories = Bool.random(using: &generator)
            cell.layoutMargins = insets()
            let answer = size()
            let layout = cell.layout(
                width: number(), height: Bool.random(using: &generator) ? number() : nil,
                direction: .allCases.randomElement(using: &generator) ?? .leftToRight,
                pixels: PixelGrid(scale: number())
            ) { _ in answer }
            let frames = [layout.imageFrame, layout.textFrame, layout.secondaryTextFrame, layout.contentFrame]
            guard (frames + layout.accessories.map(\.frame)).allSatisfy(isFinite), layout.preferredHeight.isFinite,
                layout.preferredHeight >= 0, layout.separatorLeading.isFinite, layout.size.width.isFinite
            else {
                Issue.record("seed \(seed), round \(round): \(layout)")
                return
            }
        }
    }

    @Test func unusableNumbersAreReported() {
        var content = ContentConfiguration.cell()
        content.text = "abc"
        content.margins.leading = -4
        var cell = ListCell(content: content)
        cell.accessories = [.custom("a", size: Size(width: .nan, height: 4), placement: .trailing)]
        let layout = cell.layout(width: .infinity, measuring: Lists.measure)
        #expect(
            layout.diagnostics.map(\.detail).sorted() == [
                "custom.width is nan", "margins.leading is -4.0", "width is inf",
            ])
        #expect(layout.diagnostics.allSatisfy { $0.problem == .unusableLength })
    }

    @Test func countsWithoutEndAreFinite() {
        let layout = Lists.layout(
            Lists.configuration(.insetGrouped) { $0.headerMode = .firstItemInSection }, counts: [.max, .max])
        #expect(layout.contentSize.height.isFinite)
        #expect(layout.attributes(in: Rect(x: 0, y: 0, width: 320, height: 480)).count < 40)
    }
}
