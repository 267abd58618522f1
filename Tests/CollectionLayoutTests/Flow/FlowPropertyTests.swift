import CollectionLayout
import LayoutTestSupport
import TestSupport
import Testing

/// Properties of all flow layouts, each tested with random ones (10,000 for a release); a failure prints its seed.
@Suite struct FlowPropertyTests {
    static let rounds = TestScope.cases(10_000)

    /// Tests a property until it fails.
    func forEachCase(_ rule: (inout FlowCase, inout SeededGenerator) -> Bool) {
        let seed = SeededGenerator.anySeed()
        var generator = SeededGenerator(seed: seed)
        for round in 0..<Self.rounds {
            var example = FlowCase(using: &generator)
            guard rule(&example, &generator) else {
                Issue.record("seed \(seed), round \(round): \(example)")
                return
            }
        }
    }

    func rect(in layout: FlowLayout, _ generator: inout SeededGenerator) -> Rect {
        Rect(
            x: quarters(Int(layout.contentSize.width) + 10, &generator) - 5,
            y: quarters(Int(layout.contentSize.height) + 10, &generator) - 5, width: quarters(80, &generator),
            height: quarters(120, &generator))
    }

    @Test func rectangleQueryEqualsElementQueries() {
        forEachCase { example, generator in
            example.layout.rounding = Bool.random(using: &generator) ? .edges : .components
            example.prepare()
            let rect = rect(in: example.layout, &generator)
            return example.layout.attributes(in: rect)
                == example.all.filter { $0.frame.intersects(rect) }.inOrder
        }
    }

    @Test func splittingRectangleSplitsResult() {
        forEachCase { example, generator in
            example.prepare()
            let rect = rect(in: example.layout, &generator)
            let middle = rect.minY + (rect.height / 2)
            let upper = Rect(minX: rect.minX, minY: rect.minY, maxX: rect.maxX, maxY: middle)
            let lower = Rect(minX: rect.minX, minY: middle, maxX: rect.maxX, maxY: rect.maxY)
            guard !upper.isEmpty, !lower.isEmpty else { return true }
            let both = Set(example.layout.attributes(in: upper)).union(example.layout.attributes(in: lower))
            return both == Set(example.layout.attributes(in: rect))
        }
    }

    /// The view is at the mirrored position, so that pinned elements are mirrored, too.
    @Test func mirroringTwiceRestoresLayout() {
        forEachCase { example, _ in
            example.prepare()
            let once = example.all
            let width = example.layout.contentSize.width
            let isMirrored = example.container.layoutDirection == .rightToLeft
            example.container.layoutDirection = isMirrored ? .leftToRight : .rightToLeft
            example.container.bounds = example.container.bounds.mirrored(inWidth: width)
            example.prepare()
            return example.layout.contentSize.width == width && example.all.map { $0.mirrored(inWidth: width) } == once
        }
    }

    @Test func pinnedElementsStayInTheirSection() {
        forEachCase { example, _ in
            example.layout.sectionHeadersPinToVisibleBounds = false
            example.layout.sectionFootersPinToVisibleBounds = false
            example.prepare()
            let all = example.all
            example.layout.sectionHeadersPinToVisibleBounds = true
            example.layout.sectionFootersPinToVisibleBounds = true
            let axis = example.layout.scrollDirection
            for section in example.counts.indices {
                let extent = all.filter { $0.indexPath.section == section }
                let start = extent.map { $0.frame.start(axis) }.min() ?? 0
                let end = extent.map { $0.frame.end(axis) }.max() ?? 0
                let boundaries = all.filter { $0.element.kind != nil && $0.indexPath.section == section }
                // With only one of them, the other end of the section is an inset beyond the items.
                guard boundaries.count == 2 else { continue }
                for boundary in boundaries {
                    guard let pinned = example.layout.attributes(of: boundary.element) else { return false }
                    guard pinned.band == .pinned, pinned.frame.start(axis) >= start, pinned.frame.end(axis) <= end
                    else { return false }
                }
            }
            return true
        }
    }

    @Test func itemsOfRowDoNotOverlapAndStayInsideInsets() {
        forEachCase { example, _ in
            example.container.layoutDirection = .leftToRight
            example.prepare()
            let perpendicular = example.layout.scrollDirection.perpendicular
            let size = example.layout.contentSize
            // A snapped edge is up to half a pixel beyond an inset that isn't on the grid.
            let slack = example.container.pixels.pixel / 2
            let low = example.layout.sectionInset.start(perpendicular) - slack
            let high = size[perpendicular] - example.layout.sectionInset.end(perpendicular) + slack
            let fits = example.layout.diagnostics.allSatisfy { $0.problem != .noRoom }
            for (section, count) in example.counts.enumerated() {
                let frames = example.layout.items(count, in: section).compactMap { $0 }
                guard frames.count == count else { return false }
                guard !fits || frames.allSatisfy({ $0.start(perpendicular) >= low && $0.end(perpendicular) <= high })
                else { return false }
                for (frame, next) in zip(frames, frames.dropFirst()) {
                    let follows = next.start(perpendicular) >= frame.end(perpendicular)
                    let axis = example.layout.scrollDirection
                    guard follows || next.start(axis) >= frame.end(axis) else { return false }
                }
            }
            return true
        }
    }

    @Test func equalIndividualSizesMatchCommonSize() {
        forEachCase { example, _ in
            example.layout.delegate = FlowLayoutDelegate()
            if example.layout.lastRow == .bySizes { example.layout.lastRow = .asIfFilled }
            example.prepare()
            let computed = example.all
            let content = example.layout.contentSize
            let common = example.layout.itemSize
            example.layout.delegate.sizeForItem = { _ in common }
            example.prepare()
            return example.all == computed && example.layout.contentSize == content
        }
    }

    @Test func measuredSizesMatchDelegateSizes() {
        forEachCase { example, generator in
            // Some items are never measured and keep the estimate.
            let estimate = size(30, 30)
            let expectedSizes = example.sizes.map { row in
                row.map { Bool.random(using: &generator) ? $0 : estimate }
            }
            example.layout.delegate = FlowLayoutDelegate(sizes: expectedSizes)
            example.prepare()
            let expected = example.all
            let content = example.layout.contentSize
            example.layout.delegate = FlowLayoutDelegate()
            example.layout.estimatedItemSize = estimate
            example.prepare()
            var sizes: [(LayoutElement, Size)] = []
            for (section, row) in expectedSizes.enumerated() {
                for (item, size) in row.enumerated() where size != estimate {
                    sizes.append((.item(IndexPath(section: section, item: item)), size))
                }
            }
            sizes.shuffle(using: &generator)
            while !sizes.isEmpty {
                let batch = sizes.suffix(Int.random(in: 1...4, using: &generator))
                sizes.removeLast(batch.count)
                let context = example.layout.invalidationContext(
                    forPreferredSizes: Dictionary(batch) { $1 })
                let before = example.layout.contentSize
                example.layout.invalidate(with: context)
                let after = example.layout.contentSize
                let growth = size(after.width - before.width, after.height - before.height)
                guard growth == context.contentSizeAdjustment else { return false }
            }
            return example.all == expected && example.layout.contentSize == content
        }
    }
}
