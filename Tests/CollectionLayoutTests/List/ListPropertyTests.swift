import CollectionLayout
import LayoutTestSupport
import TestSupport
import Testing

@Suite struct ListPropertyTests {
    @Test func framesEqualThoseOfIterationOverAllRows() {
        let seed = SeededGenerator.anySeed()
        var generator = SeededGenerator(seed: seed)
        for round in 0..<TestScope.cases(10_000) {
            let list = RandomList(&generator)
            let layout = list.layout(.leftToRight)
            let expected = list.frames()
            let found = layout.attributes(in: list.bounds)
            let frames = Dictionary(found.map { ($0.element, $0.frame) }) { first, _ in first }
            guard frames == expected.frames, found.count == frames.count, layout.contentSize.height == expected.height
            else {
                Issue.record("seed \(seed), round \(round): \(frames) instead of \(expected)")
                return
            }
        }
    }

    @Test func rectangleQueryEqualsScan() {
        let seed = SeededGenerator.anySeed()
        var generator = SeededGenerator(seed: seed)
        for round in 0..<TestScope.cases(1_000) {
            let list = RandomList(&generator)
            let direction = LayoutDirection.allCases.randomElement(using: &generator) ?? .leftToRight
            let layout = list.layout(direction)
            let all = list.frames().frames.keys.map { layout.attributes(of: $0) }
            for _ in 0..<10 {
                func number(_ range: ClosedRange<Int>) -> Double {
                    Double(Int.random(in: range, using: &generator)) / 2
                }
                let rect = Rect(
                    x: number(-20...400), y: number(-40...1200), width: number(0...400), height: number(0...400))
                let scanned = Set(all.compactMap { $0 }.filter { $0.frame.intersects(rect) })
                let found = layout.attributes(in: rect)
                guard Set(found) == scanned, found.count == scanned.count, !all.contains(nil) else {
                    Issue.record("seed \(seed), round \(round): in \(rect)")
                    return
                }
            }
        }
    }

    @Test func rightToLeftListIsMirrorImage() {
        let seed = SeededGenerator.anySeed()
        var generator = SeededGenerator(seed: seed)
        for round in 0..<TestScope.cases(10_000) {
            let list = RandomList(&generator)
            let layout = list.layout(.leftToRight)
            let other = list.layout(.rightToLeft)
            let width = layout.contentSize.width
            let mirrored = Set(layout.attributes(in: list.bounds).map { $0.mirrored(inWidth: width) })
            let twice = Set(mirrored.map { $0.mirrored(inWidth: width) })
            guard Set(other.attributes(in: list.bounds)) == mirrored, twice == Set(layout.attributes(in: list.bounds))
            else {
                Issue.record("seed \(seed), round \(round)")
                return
            }
        }
    }

    @Test func pinnedHeadersStayInTheirSections() {
        let seed = SeededGenerator.anySeed()
        var generator = SeededGenerator(seed: seed)
        let list = Lists.configuration(.plain) { $0.headerMode = .supplementary }
        for round in 0..<TestScope.cases(10_000) {
            let counts = (0..<3).map { _ in Int.random(in: 0...6, using: &generator) }
            let offset = Double(Int.random(in: -200...1000, using: &generator))
            let layout = Lists.layout(list, counts: counts, offset: offset)
            var start = 0.0
            for (section, count) in counts.enumerated() {
                let end = start + 22 + 28 + 44 * Double(count)
                let header = layout.attributes(of: .supplementary(.header, IndexPath(section: section, item: 0)))
                let expected = min(max(start + 22, offset), end - 28)
                guard header?.frame == Rect(x: 0, y: expected, width: 320, height: 28) else {
                    Issue.record("seed \(seed), round \(round): header \(section) of \(counts) at \(offset)")
                    return
                }
                start = end
            }
        }
    }
}

/// A random list with a few sections, and its expected frames, computed by iterating over all rows.
struct RandomList {
    let configuration: ListConfiguration
    let counts: [Int]
    /// The heights of measured rows, in half points.
    let heights: [IndexPath: Double]
    let margins: EdgeInsets
    let bounds: Rect

    init(_ generator: inout SeededGenerator) {
        var configuration = ListConfiguration(appearance: .allCases.randomElement(using: &generator) ?? .plain)
        configuration.headerMode = .allCases.randomElement(using: &generator) ?? .none
        configuration.footerMode = .allCases.randomElement(using: &generator) ?? .none
        if Bool.random(using: &generator) { configuration.headerTopPadding = 7 }
        counts = (0..<Int.random(in: 1...3, using: &generator)).map { _ in Int.random(in: 0...4, using: &generator) }
        var heights: [IndexPath: Double] = [:]
        for (section, count) in counts.enumerated() {
            for item in 0..<count {
                let path = IndexPath(section: section, item: item)
                if Int.random(in: 0..<3, using: &generator) == 0 {
                    heights[path] = Double(Int.random(in: 2...120, using: &generator)) / 2
                }
            }
        }
        self.configuration = configuration
        self.heights = heights
        margins = EdgeInsets(leading: 20, trailing: 10)
        // At the very top, only footers are pinned; a tall view leaves those at their natural positions.
        bounds = Rect(x: 0, y: 0, width: 200, height: 4000)
    }

    func container(_ direction: LayoutDirection) -> LayoutContainer {
        LayoutContainer(
            bounds: bounds, counts: ItemCounts(counts), layoutMargins: margins, layoutDirection: direction, scale: 2)
    }

    func layout(_ direction: LayoutDirection) -> CompositionalLayout {
        var layout = CompositionalLayout.list(using: configuration)
        layout.prepare(in: container(direction))
        guard !heights.isEmpty else { return layout }
        var context = InvalidationContext()
        for (path, height) in heights { context.preferredSizes[.item(path)] = Size(width: 1, height: height) }
        layout.invalidate(with: context)
        layout.prepare(in: container(direction))
        return layout
    }

    /// Computes all elements with their frames from left to right, by iterating over all rows.
    func frames() -> (frames: [LayoutElement: Rect], height: Double) {
        var frames: [LayoutElement: Rect] = [:]
        let isInset = configuration.appearance == .insetGrouped
        let isGrouped = isInset || configuration.appearance == .grouped
        let left = isInset ? margins.leading : 0
        let right = bounds.width - (isInset ? margins.trailing : 0)
        func stretch(_ from: Double, _ to: Double) -> Rect { Rect(minX: left, minY: from, maxX: right, maxY: to) }
        let hasHeader = configuration.headerMode == .supplementary
        let hasFooter = configuration.footerMode == .supplementary
        var y = 0.0
        for (section, count) in counts.enumerated() {
            let boundary = IndexPath(section: section, item: 0)
            if hasHeader {
                y += configuration.headerTopPadding ?? (configuration.appearance == .plain ? 22 : 0)
                frames[.supplementary(.header, boundary)] = stretch(y, y + 28)
                y += 28
            } else if isGrouped {
                y += 17.5
            }
            for item in 0..<count {
                let path = IndexPath(section: section, item: item)
                let end = y + (heights[path] ?? 44)
                frames[.item(path)] = stretch(y, end)
                y = end
            }
            if hasFooter {
                frames[.supplementary(.footer, boundary)] = stretch(y, y + 28)
                y += 28
            } else if isGrouped {
                y += 17.5
            }
        }
        return (frames, y)
    }
}
