import CollectionLayout
import LayoutTestSupport
import Testing

/// What holds for all layouts, over 10,000 by chance; a failure prints its seed.
@Suite struct CompositionalPropertyTests {
    @Test func aRectangleQueryEqualsAScanAndSplits() {
        let seed = SeededGenerator.anySeed()
        var maker = RandomCompositional(random: SeededGenerator(seed: seed))
        for _ in 0..<10_000 {
            var sample = maker.next()
            sample.layout.prepare(in: sample.container)
            if maker.chance(30) { maker.measure(&sample) }
            let all = sample.elements
            let rect = maker.rect(sample.layout.contentSize)
            let found = Set(sample.query(rect))
            guard found == Set(all.filter { $0.frame.intersects(rect) }) else {
                Issue.record("seed \(seed): the query of \(rect) differs from a scan")
                return
            }
            let axis: Axis = maker.chance(50) ? .horizontal : .vertical
            let (start, end) = (rect.start(axis), rect.end(axis))
            let middle = start + (end - start) / 2
            let cross = (rect.start(axis.crossing), rect.end(axis.crossing))
            let halves =
                sample.query(Rect(along: axis, (start, middle), across: cross))
                + sample.query(Rect(along: axis, (middle, end), across: cross))
            guard rect.isEmpty || middle == start || Set(halves) == found else {
                Issue.record("seed \(seed): \(rect) split at \(middle), \(axis), gives other elements")
                return
            }
        }
    }

    @Test func mirroredTwiceIsTheSame() {
        let seed = SeededGenerator.anySeed()
        var maker = RandomCompositional(random: SeededGenerator(seed: seed))
        for _ in 0..<10_000 {
            var sample = maker.next()
            sample.container.layoutDirection = .leftToRight
            sample.layout.prepare(in: sample.container)
            let width = sample.layout.contentSize.width
            var other = sample
            other.container.layoutDirection = .rightToLeft
            other.container.bounds = sample.container.bounds.mirrored(inWidth: width)
            other.layout.prepare(in: other.container)
            let mirrored = other.elements.map { $0.mirrored(inWidth: width) }
            // Rectangles are half-open: what has no width and stands at an edge of the bounds is shown to handlers at one
            // edge, and not at the other.
            let bounds = sample.container.bounds
            func isClear(_ attributes: LayoutAttributes) -> Bool {
                let frame = attributes.layoutFrame
                return frame.width > 0 || (frame.minX != bounds.minX && frame.minX != bounds.maxX)
            }
            guard other.layout.contentSize == sample.layout.contentSize,
                mirrored.filter(isClear) == sample.elements.filter(isClear)
            else {
                Issue.record("seed \(seed): right to left is not the mirror image")
                return
            }
        }
    }

    @Test func pinnedElementsNeverLeaveTheirHost() {
        let seed = SeededGenerator.anySeed()
        var maker = RandomCompositional(random: SeededGenerator(seed: seed), pins: true)
        var reached = (sections: 0, whole: 0)
        for _ in 0..<20_000 where min(reached.sections, reached.whole) < 10_000 {
            var sample = maker.next()
            sample.layout.prepare(in: sample.container)
            let unpinned = sample.unpinned
            for attributes in sample.elements where attributes.band == .pinned {
                let isOfWhole = attributes.indexPath.section == IndexPath.wholeLayoutSection
                let host: Rect
                if isOfWhole {
                    host = Rect(origin: .zero, size: sample.layout.contentSize)
                    reached.whole += 1
                } else {
                    let path = IndexPath(section: attributes.indexPath.section, item: 0)
                    guard let background = sample.layout.attributes(of: .decoration("background", path)) else {
                        Issue.record("seed \(seed): a section without its background")
                        return
                    }
                    host = background.layoutFrame
                    reached.sections += 1
                }
                // Offsets may put an element outside of its host from the beginning; it doesn't go farther.
                let natural = unpinned.attributes(of: attributes.element)?.layoutFrame ?? host
                let room = host.union(natural).inset(by: EdgeInsets(all: -1 / sample.container.pixels.scale))
                guard room.union(attributes.layoutFrame) == room else {
                    Issue.record("seed \(seed): \(attributes) is outside of \(host), unpinned \(natural)")
                    return
                }
            }
        }
        #expect(min(reached.sections, reached.whole) >= 10_000, "seed \(seed): \(reached) cases reached the rule")
    }

    @Test func hostileNumbersGiveFiniteLayouts() {
        let seed = SeededGenerator.anySeed()
        var maker = RandomCompositional(random: SeededGenerator(seed: seed), isHostile: true)
        for _ in 0..<10_000 {
            var sample = maker.next()
            sample.layout.prepare(in: sample.container)
            if maker.chance(20) { maker.measure(&sample) }
            var frames = sample.query(maker.rect(sample.layout.contentSize)).map(\.frame)
            for section in sample.counts.indices {
                for item in 0..<sample.counts[section] {
                    let path = IndexPath(section: section, item: item)
                    if let attributes = sample.layout.attributes(of: .item(path)) { frames.append(attributes.frame) }
                }
                frames.append(
                    Rect(
                        x: sample.layout.orthogonalOffset(section: section),
                        y: sample.layout.targetOrthogonalOffset(
                            section: section, proposed: maker.length(0...90), velocity: maker.length(-1...1)),
                        width: 0, height: 0))
            }
            frames.append(Rect(origin: .zero, size: sample.layout.contentSize))
            guard frames.allSatisfy({ $0.minX.isFinite && $0.minY.isFinite && $0.maxX.isFinite && $0.maxY.isFinite })
            else {
                Issue.record("seed \(seed): a frame is not finite")
                return
            }
        }
    }
}

extension RandomCompositional.Case {
    fileprivate func query(_ rect: Rect) -> [LayoutAttributes] {
        var cost = LayoutCost()
        return layout.attributes(in: rect, cost: &cost)
    }

    /// The same with nothing pinned.
    fileprivate var unpinned: CompositionalLayout {
        let provider = layout
        var configuration = layout.configuration
        for place in configuration.boundarySupplementaryItems.indices {
            configuration.boundarySupplementaryItems[place].pinToVisibleBounds = false
        }
        var copy = CompositionalLayout(configuration: configuration) { index, environment in
            var section = provider.sectionProvider(index, environment)
            for place in section?.boundarySupplementaryItems.indices ?? 0..<0 {
                section?.boundarySupplementaryItems[place].pinToVisibleBounds = false
            }
            return section
        }
        copy.prepare(in: container)
        return copy
    }
}
