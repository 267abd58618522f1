import CollectionLayout
import CollectionView
import LayoutTestSupport
import Testing

@Suite struct ListCellPropertyTests {
    private func cell(_ generator: inout SeededGenerator) -> ListCell {
        func half(_ range: ClosedRange<Int>) -> Double { Double(Int.random(in: range, using: &generator)) / 2 }
        func text() -> String? {
            let count = Int.random(in: 0...30, using: &generator)
            return count == 0 ? nil : String(repeating: "m", count: count)
        }
        var content = ContentConfiguration(style: .allCases.randomElement(using: &generator) ?? .cell)
        content.text = text()
        content.secondaryText = text()
        if Bool.random(using: &generator) {
            content.image = CellImage(name: "image", size: Size(width: half(0...100), height: half(0...100)))
        }
        content.prefersSideBySideTextAndSecondaryText = Bool.random(using: &generator)
        var cell = ListCell(content: content)
        let all: [CellAccessory] = [
            .disclosureIndicator(), .checkmark(), .delete(), .reorder(), .label("12"),
            .custom("a", size: Size(width: 15, height: 20), placement: .leading),
        ]
        cell.accessories = all.filter { _ in Bool.random(using: &generator) }.shuffled(using: &generator)
        cell.state.isEditing = Bool.random(using: &generator)
        cell.indentationLevel = Int.random(in: 0...3, using: &generator)
        return cell
    }

    @Test func rightToLeftIsTheMirrorImageAndTwiceTheSame() {
        let seed = SeededGenerator.anySeed()
        var generator = SeededGenerator(seed: seed)
        for round in 0..<10_000 {
            let cell = cell(&generator)
            let width = Double(Int.random(in: 0...800, using: &generator)) / 2
            let grid = PixelGrid(scale: 2)
            let left = cell.layout(width: width, pixels: grid, measuring: Lists.measure)
            let right = cell.layout(width: width, direction: .rightToLeft, pixels: grid, measuring: Lists.measure)
            guard left.mirrored() == right, right.mirrored() == left, left.preferredHeight == right.preferredHeight
            else {
                Issue.record("seed \(seed), round \(round): \(cell)")
                return
            }
        }
    }

    @Test func nothingOverlapsAndAllFitsWhereThereIsRoom() {
        let seed = SeededGenerator.anySeed()
        var generator = SeededGenerator(seed: seed)
        for round in 0..<10_000 {
            let cell = cell(&generator)
            let layout = cell.layout(width: 500, pixels: PixelGrid(scale: 2), measuring: Lists.measure)
            let texts = [layout.imageFrame, layout.textFrame, layout.secondaryTextFrame].compactMap { $0 }
            let frames = texts + layout.accessories.map(\.frame)
            let bounds = Rect(origin: .zero, size: layout.size)
            let inside = frames.allSatisfy { $0.intersection(bounds) == $0 }
            let content = texts.allSatisfy {
                $0.minX >= layout.contentFrame.minX && $0.maxX <= layout.contentFrame.maxX
            }
            var apart = true
            for (index, frame) in frames.enumerated() {
                for other in frames[..<index] where !frame.isEmpty && !other.isEmpty {
                    apart = apart && !frame.intersects(other)
                }
            }
            guard inside, content, apart, layout.diagnostics.isEmpty else {
                Issue.record("seed \(seed), round \(round): \(layout)")
                return
            }
        }
    }
}
