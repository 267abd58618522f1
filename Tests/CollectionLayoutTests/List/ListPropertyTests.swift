import CollectionLayout
import LayoutTestSupport
import Testing

@Suite struct ListPropertyTests {
    @Test func everyElementStandsWhereAWalkOverAllRowsPutsIt() {
        let seed = SeededGenerator.anySeed()
        var generator = SeededGenerator(seed: seed)
        for round in 0..<10_000 {
            let list = RandomList(&generator)
            let layout = list.layout(.leftToRight)
            let expected = list.frames()
            let found = layout.attributes(in: list.bounds)
            let frames = Dictionary(found.map { ($0.element, $0.layoutFrame) }) { first, _ in first }
            guard frames == expected.frames, found.count == frames.count, layout.contentSize.height == expected.height
            else {
                Issue.record("seed \(seed), round \(round): \(frames) instead of \(expected)")
                return
            }
        }
    }

    @Test func aRectangleFindsWhatAScanFinds() {
        let seed = SeededGenerator.anySeed()
        var generator = SeededGenerator(seed: seed)
        for round in 0..<1_000 {
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
                let scanned = Set(all.compactMap { $0 }.filter { $0.layoutFrame.intersects(rect) })
                let found = layout.attributes(in: rect)
                guard Set(found) == scanned, found.count == scanned.count, !all.contains(nil) else {
                    Issue.record("seed \(seed), round \(round): in \(rect)")
                    return
                }
            }
        }
    }

    @Test func rightToLeftIsTheMirrorImage() {
        let seed = SeededGenerator.anySeed()
        var generator = SeededGenerator(seed: seed)
        for round in 0..<10_000 {
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

    @Test func pinnedHeadersNeverLeaveTheirSections() {
        let seed = SeededGenerator.anySeed()
        var generator = SeededGenerator(seed: seed)
        let list = Lists.configuration(.plain) { $0.headerMode = .supplementary }
        for round in 0..<10_000 {
            let counts = (0..<3).map { _ in Int.random(in: 0...6, using: &generator) }
            let offset = Double(Int.random(in: -200...1000, using: &generator))
            let layout = Lists.layout(list, counts: counts, offset: offset)
            var start = 0.0
            for (section, count) in counts.enumerated() {
                let end = start + 22 + 28 + 44 * Double(count)
                let header = layout.attributes(of: .supplementary(.header, IndexPath(section: section, item: 0)))
                let expected = min(max(start + 22, offset), end - 28)
                guard header?.layoutFrame == Rect(x: 0, y: expected, width: 320, height: 28) else {
                    Issue.record("seed \(seed), round \(round): header \(section) of \(counts) at \(offset)")
                    return
                }
                start = end
            }
        }
    }
}
