import CollectionLayout
import CollectionView
import LayoutTestSupport
import Testing

/// Cells with numbers that can't be used.
@Suite struct ListCellHostileTests {
    private static let numbers: [Double] = [
        .nan, .infinity, -.infinity, -1, 0, -0.0, .leastNonzeroMagnitude, 1e-9, 0.5, 1, 44, 1e6, 1e12, 1e300,
        .greatestFiniteMagnitude, -.greatestFiniteMagnitude,
    ]

    private func isFinite(_ rect: Rect?) -> Bool {
        guard let rect else { return true }
        return [rect.minX, rect.minY, rect.maxX, rect.maxY].allSatisfy(\.isFinite)
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
}
