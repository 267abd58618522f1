import CollectionLayout
import CollectionView
import LayoutTestSupport
import TestSupport
import Testing

/// Runs the cell cases of the corpus, whose expected values were calculated by hand.
@Suite struct CellCorpusTests {
    @Test(arguments: try CorpusJSON.corpus("list.json").member("cells").array)
    func cellsMatchCorpus(_ sample: CorpusJSON) throws {
        let layout = try sample.cell.layout(
            width: try sample.member("width").number, height: try sample["height"]?.number,
            direction: try sample["direction"]?.named() ?? .leftToRight,
            pixels: PixelGrid(scale: try sample["scale"]?.number ?? 1), measuring: Lists.measure)
        func check(_ frame: Rect?, _ key: String) throws {
            guard let expected = try sample[key]?.rect else { return }
            let frame = try #require(frame, "no \(key)")
            #expect(frame.isClose(to: expected), "\(key): \(frame)")
        }
        try check(layout.imageFrame, "image")
        try check(layout.textFrame, "text")
        try check(layout.secondaryTextFrame, "secondaryText")
        try check(layout.contentFrame, "contentFrame")
        if let expected = try sample["accessoryFrames"]?.array.map({ try $0.rect }) {
            expectEqual(layout.accessories.map(\.frame), expected)
        }
        if let leading = try sample["separatorLeading"]?.number { expectEqual(layout.separatorLeading, leading) }
        if let height = try sample["preferredHeight"]?.number {
            #expect(abs(layout.preferredHeight - height) < 1e-6, "\(layout.preferredHeight)")
        }
        let problems = try sample["diagnostics"]?.array.map { try $0.string } ?? []
        expectEqual(layout.diagnostics.map { "\($0.problem)" }, problems)
    }
}

extension CorpusJSON {
    fileprivate var cell: ListCell {
        get throws {
            let json = try member("content")
            var content = ContentConfiguration(style: try json.member("style").named())
            content.text = try json["text"]?.string
            content.secondaryText = try json["secondaryText"]?.string
            content.image = try json["image"].map { CellImage(name: "image", size: try $0.size) }
            content.imageProperties.reservedLayoutSize = try json["reserved"]?.size ?? .zero
            content.imageProperties.maximumSize = try json["maximum"]?.size ?? .zero
            content.textProperties.numberOfLines = Int(try json["numberOfLines"]?.number ?? 0)
            content.textProperties.alignment = try json["alignment"]?.named() ?? .natural
            content.margins = try json["margins"]?.insets ?? content.margins
            var cell = ListCell(content: content)
            cell.state.isEditing = try self["editing"]?.bool ?? false
            cell.indentationLevel = Int(try self["indentation"]?.number ?? 0)
            cell.accessories = try self["accessories"]?.array.map { try $0.accessory } ?? []
            return cell
        }
    }

    private var accessory: CellAccessory {
        get throws {
            let text = try self["text"]?.string ?? ""
            var accessory: CellAccessory =
                switch try member("kind").named(CellAccessory.Kind.self) {
                case .disclosureIndicator: .disclosureIndicator()
                case .detail: .detail()
                case .checkmark: .checkmark()
                case .delete: .delete()
                case .insert: .insert()
                case .reorder: .reorder()
                case .multiselect: .multiselect()
                case .outlineDisclosure: .outlineDisclosure()
                case .label: .label(text)
                case .custom:
                    .custom(text, size: try member("size").size, placement: try member("placement").named())
                }
            if let displayed = self["displayed"] { accessory.displayed = try displayed.named() }
            switch self["reserved"] {
            case nil: break
            case .string: accessory.reservedLayoutWidth = .standard
            case .some(let width): accessory.reservedLayoutWidth = .custom(try width.number)
            }
            return accessory
        }
    }
}

/// Cells with unusable numbers.
@Suite struct ListCellRobustnessTests {
    private static let numbers: [Double] = [
        .nan, .infinity, -.infinity, -1, 0, -0.0, .leastNonzeroMagnitude, 1e-9, 0.5, 1, 44, 1e6, 1e12, 1e300,
        .greatestFiniteMagnitude, -.greatestFiniteMagnitude,
    ]

    private func isFinite(_ rect: Rect?) -> Bool {
        guard let rect else { return true }
        return [rect.minX, rect.minY, rect.maxX, rect.maxY].allSatisfy(\.isFinite)
    }

    @Test func invalidNumbersInCellProduceFiniteFrames() {
        let seed = SeededGenerator.anySeed()
        var generator = SeededGenerator(seed: seed)
        func number() -> Double { Self.numbers.randomElement(using: &generator) ?? 0 }
        func size() -> Size { Size(width: number(), height: number()) }
        func insets() -> EdgeInsets {
            EdgeInsets(top: number(), leading: number(), bottom: number(), trailing: number())
        }
        for round in 0..<TestScope.cases(10_000) {
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
        var content = ContentConfiguration(style: .cell)
        content.text = "abc"
        content.margins.leading = -4
        var cell = ListCell(content: content)
        cell.accessories = [.custom("a", size: Size(width: .nan, height: 4), placement: .trailing)]
        let layout = cell.layout(width: .infinity, measuring: Lists.measure)
        expectEqual(
            layout.diagnostics.map(\.detail).sorted(),
            [
                "custom.width is nan", "margins.leading is -4.0", "width is inf",
            ])
        #expect(layout.diagnostics.allSatisfy { $0.problem == .unusableLength })
    }
}

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

    @Test func rightToLeftCellIsMirrorImage() {
        let seed = SeededGenerator.anySeed()
        var generator = SeededGenerator(seed: seed)
        for round in 0..<TestScope.cases(10_000) {
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

    @Test func partsDoNotOverlapAndFitIfThereIsSpace() {
        let seed = SeededGenerator.anySeed()
        var generator = SeededGenerator(seed: seed)
        for round in 0..<TestScope.cases(10_000) {
            let cell = cell(&generator)
            let layout = cell.layout(width: 500, pixels: PixelGrid(scale: 2), measuring: Lists.measure)
            let texts = [layout.imageFrame, layout.textFrame, layout.secondaryTextFrame].compactMap { $0 }
            let frames = texts + layout.accessories.map(\.frame)
            let bounds = Rect(origin: .zero, size: layout.size)
            let inside = frames.allSatisfy { $0.intersection(bounds) == $0 }
            let content = texts.allSatisfy {
                $0.minX >= layout.contentFrame.minX && $0.maxX <= layout.contentFrame.maxX
            }
            var isDisjoint = true
            for (index, frame) in frames.enumerated() {
                for other in frames[..<index] where !frame.isEmpty && !other.isEmpty {
                    isDisjoint = isDisjoint && !frame.intersects(other)
                }
            }
            guard inside, content, isDisjoint, layout.diagnostics.isEmpty else {
                Issue.record("seed \(seed), round \(round): \(layout)")
                return
            }
        }
    }
}

extension Lists {
    /// Letters are 10 wide and lines 20 high. A line contains as many letters as fit, but at least one.
    static func measure(_ request: TextRequest) -> Size {
        let count = request.text.count
        let fitting = request.width < 1e6 ? max(1, Int(request.width / 10)) : max(1, count)
        var lines = (count + fitting - 1) / fitting
        if request.properties.numberOfLines > 0 { lines = min(lines, request.properties.numberOfLines) }
        return Size(width: Double(min(count, fitting)) * 10, height: Double(lines) * 20)
    }
}
