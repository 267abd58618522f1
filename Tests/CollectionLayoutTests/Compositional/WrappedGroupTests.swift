import CollectionLayout
import LayoutTestSupport
import TestSupport
import Testing

/// Tag clouds: groups filled by the measured lengths of their items.
@Suite struct WrappedGroupTests {
    /// Lines of the full width, with items that have an estimated width of 80 points.
    private static func cloud(
        _ height: LayoutDimension = .absolute(30), spacing: LayoutSpacing? = nil, lines: Double = 0,
        edges: LayoutEdgeSpacing? = nil
    ) -> CompositionalLayout {
        var item = LayoutItem(
            layoutSize: LayoutSize(widthDimension: .estimated(80), heightDimension: height))
        item.edgeSpacing = edges
        var section = LayoutSection(
            group: .horizontal(
                layoutSize: LayoutSize(widthDimension: .fractionalWidth(1), heightDimension: height),
                subitems: [item], interItemSpacing: spacing))
        section.interGroupSpacing = lines
        return CompositionalLayout(section: section)
    }

    private static func container(_ count: Int, rtl: Bool = false) -> LayoutContainer {
        LayoutContainer(
            bounds: Rect(x: 0, y: 0, width: 320, height: 480), counts: ItemCounts([count]),
            layoutDirection: rtl ? .rightToLeft : .leftToRight, scale: 1)
    }

    private static func item(_ index: Int) -> LayoutElement { .item(IndexPath(section: 0, item: index)) }

    /// Prepares the layout and applies measured sizes, all at once.
    private static func measure(
        _ layout: inout CompositionalLayout, _ sizes: [Int: Size], in container: LayoutContainer
    ) {
        var context = InvalidationContext()
        for (index, size) in sizes { context.preferredSizes[item(index)] = size }
        layout.invalidate(with: context)
        layout.prepare(in: container)
    }

    private static func widths(_ widths: [Double], height: Double = 30) -> [Int: Size] {
        Dictionary(uniqueKeysWithValues: widths.enumerated().map { ($0, Size(width: $1, height: height)) })
    }

    private static func frames(_ layout: CompositionalLayout, _ count: Int) -> [Rect?] {
        (0..<count).map { layout.attributes(of: item($0))?.frame }
    }

    private static func laidOut(
        _ layout: CompositionalLayout, _ sizes: [Int: Size], in container: LayoutContainer
    ) -> CompositionalLayout {
        var layout = layout
        layout.prepare(in: container)
        measure(&layout, sizes, in: container)
        return layout
    }

    // MARK: - Expected values by hand

    @Test func itemsWrapByTheirMeasuredWidths() {
        let container = Self.container(5)
        let layout = Self.laidOut(Self.cloud(), Self.widths([40, 250, 40, 40, 250]), in: container)
        #expect(
            Self.frames(layout, 5) == [
                Rect(x: 0, y: 0, width: 40, height: 30), Rect(x: 40, y: 0, width: 250, height: 30),
                Rect(x: 0, y: 30, width: 40, height: 30), Rect(x: 40, y: 30, width: 40, height: 30),
                // 40 + 40 + 250 is more than 320.
                Rect(x: 0, y: 60, width: 250, height: 30),
            ])
        expectEqual(layout.contentSize, Size(width: 320, height: 90))
        #expect(layout.diagnostics.isEmpty)
    }

    @Test func estimatesDetermineGroupsWithoutMeasuredSizes() {
        var layout = Self.cloud()
        layout.prepare(in: Self.container(.max))
        expectEqual(layout.attributes(of: Self.item(4))?.frame, Rect(x: 0, y: 30, width: 80, height: 30))
        expectEqual(
            layout.attributes(of: Self.item(4_000_003))?.frame, Rect(x: 240, y: 30_000_000, width: 80, height: 30))
        #expect(layout.attributes(of: Self.item(.max - 1)) != nil)
        expectEqual(layout.attributes(in: Rect(x: 0, y: 30, width: 320, height: 60)).count, 8)
    }

    @Test func measuredSizeMovesItemsBetweenGroups() {
        let container = Self.container(8)
        var layout = Self.cloud()
        layout.prepare(in: container)
        expectEqual(layout.contentSize.height, 60)
        // 0 and 1 | 2 to 5, by their estimates | 6 and 7.
        Self.measure(&layout, [1: Size(width: 200, height: 30)], in: container)
        expectEqual(Self.frames(layout, 8).map(\.?.minY), [0, 0, 30, 30, 30, 30, 60, 60])
        expectEqual(Self.frames(layout, 8).map(\.?.minX), [0, 80, 0, 80, 160, 240, 0, 80])
        // 0 to 3: 80 + 40 + 80 + 80 | 4 to 7; the same when 1 is as wide as the estimate.
        for width in [40.0, 80] {
            Self.measure(&layout, [1: Size(width: width, height: 30)], in: container)
            expectEqual(Self.frames(layout, 8).map(\.?.minY), [0, 0, 0, 0, 30, 30, 30, 30])
        }
        // An item that didn't fit moves back as soon as it is narrow: 320 − 4 · 75 = 20.
        Self.measure(
            &layout, [0: 75, 1: 75, 2: 75, 3: 75].mapValues { Size(width: $0, height: 30) }, in: container)
        expectEqual(Self.frames(layout, 8).map(\.?.minY), [0, 0, 0, 0, 30, 30, 30, 30])
        Self.measure(&layout, [4: Size(width: 20, height: 30)], in: container)
        expectEqual(Self.frames(layout, 8).map(\.?.minY), [0, 0, 0, 0, 0, 30, 30, 30])
        expectEqual(layout.attributes(of: Self.item(4))?.frame, Rect(x: 300, y: 0, width: 20, height: 30))
    }

    @Test func distantMeasuredSizeMovesFollowingItems() {
        let container = Self.container(1_000_000_000)
        var layout = Self.cloud()
        layout.prepare(in: container)
        // It was at the end of line 25,000,000. It now fills a line alone, and the next line begins with the following
        // item.
        Self.measure(&layout, [100_000_003: Size(width: 320, height: 30)], in: container)
        expectEqual(layout.attributes(of: Self.item(100_000_002))?.frame.minY, 750_000_000)
        expectEqual(
            layout.attributes(of: Self.item(100_000_003))?.frame, Rect(x: 0, y: 750_000_030, width: 320, height: 30))
        expectEqual(
            layout.attributes(of: Self.item(100_000_004))?.frame, Rect(x: 0, y: 750_000_060, width: 80, height: 30))
        expectEqual(layout.contentSize.height, 7_500_000_030)
    }

    @Test func appendedItemsFillTheLastGroup() throws {
        var layout = Self.laidOut(Self.cloud(), Self.widths([200, 40]), in: Self.container(2))
        expectEqual(layout.contentSize.height, 30)
        var updates = BatchUpdates()
        updates.insertItems(at: (2..<5).map { IndexPath(section: 0, item: $0) })
        layout.prepare(forUpdates: try UpdateMap(updates, from: ItemCounts([2]), to: ItemCounts([5])))
        layout.invalidate(with: .counts)
        layout.prepare(in: Self.container(5))
        // 200 + 40 + 80 = 320.
        expectEqual(Self.frames(layout, 5).map(\.?.minX), [0, 200, 240, 0, 80])
        expectEqual(Self.frames(layout, 5).map(\.?.minY), [0, 0, 0, 30, 30])
    }

    @Test func nestedGroupThatDoesNotFitMovesToNextLine() {
        let item = LayoutItem(layoutSize: LayoutSize(widthDimension: .estimated(40), heightDimension: .absolute(30)))
        let pair = LayoutGroup.horizontal(
            layoutSize: LayoutSize(widthDimension: .estimated(80), heightDimension: .absolute(30)),
            repeatingSubitem: item, count: 2)
        let section = LayoutSection(
            group: .horizontal(
                layoutSize: LayoutSize(widthDimension: .fractionalWidth(1), heightDimension: .absolute(30)),
                subitems: [pair]))
        var layout = Self.laidOut(
            CompositionalLayout(section: section), Self.widths([100, 90, 60, 80]), in: Self.container(4))
        // 190 + 140 is more than 320; with a last item of 70, it is not.
        expectEqual(Self.frames(layout, 4).map(\.?.minX), [0, 100, 0, 60])
        expectEqual(Self.frames(layout, 4).map(\.?.minY), [0, 0, 30, 30])
        Self.measure(&layout, Self.widths([100, 90, 60, 70]), in: Self.container(4))
        expectEqual(Self.frames(layout, 4).map(\.?.minX), [0, 100, 190, 250])
        expectEqual(Self.frames(layout, 4).map(\.?.minY), [0, 0, 0, 0])
    }

    @Test func costOfQueriesAndMeasuringIsIndependentOfItemCount() {
        var costs: [Int] = []
        for count in [10_000, 10_000_000] {
            let layout = Self.laidOut(Self.cloud(), Self.widths([40, 250, 300]), in: Self.container(count))
            var cost = LayoutCost()
            expectEqual(layout.attributes(in: Rect(x: 0, y: 3_000, width: 320, height: 300), cost: &cost).count, 40)
            costs.append(cost.total)
        }
        #expect(costs[0] == costs[1] && costs[0] < 120)
    }

    @Test func spacingTakesSpaceInGroupsAndBetweenThem() {
        let edges = LayoutEdgeSpacing(
            leading: .fixed(5), top: nil, trailing: .fixed(5), bottom: nil)
        let layout = Self.laidOut(
            Self.cloud(spacing: .fixed(10), lines: 6, edges: edges), Self.widths([100, 100, 70, 71, 100, 69]),
            in: Self.container(6))
        // 110 + 10 + 110 + 10 + 80 = 320: three fit. 81 + 10 + 110 + 10 + 79 = 290.
        expectEqual(Self.frames(layout, 6).map(\.?.minX), [5, 125, 245, 5, 96, 216])
        expectEqual(Self.frames(layout, 6).map(\.?.minY), [0, 0, 0, 36, 36, 36])
        let wider = Self.laidOut(
            Self.cloud(spacing: .fixed(10), lines: 6, edges: edges), Self.widths([100, 100, 71]),
            in: Self.container(3))
        expectEqual(Self.frames(wider, 3).map(\.?.minY), [0, 0, 36])
    }

    @Test func flexibleSpacingSharesRemainingLength() {
        let layout = Self.laidOut(
            Self.cloud(spacing: .flexible(10)), Self.widths([100, 60, 100, 200, 110]), in: Self.container(5))
        // 320 − 260 = 60, shared by three. 200 + 10 + 110 = 320.
        expectEqual(Self.frames(layout, 5).map(\.?.minX), [0, 130, 220, 0, 210])
        expectEqual(Self.frames(layout, 5).map(\.?.minY), [0, 0, 0, 30, 30])
    }

    @Test func groupWithEstimatedHeightIsAsHighAsItsHighestItem() {
        var sizes = Self.widths([200, 100, 300, 40])
        sizes[1]?.height = 50
        sizes[2]?.height = 20
        sizes[3]?.height = 24
        let layout = Self.laidOut(Self.cloud(.estimated(30)), sizes, in: Self.container(4))
        expectEqual(
            Self.frames(layout, 4),
            [
                Rect(x: 0, y: 0, width: 200, height: 30), Rect(x: 200, y: 0, width: 100, height: 50),
                Rect(x: 0, y: 50, width: 300, height: 20), Rect(x: 0, y: 70, width: 40, height: 24),
            ])
        expectEqual(layout.contentSize.height, 94)
    }

    @Test func rightToLeftLayoutIsMirrored() {
        let layout = Self.laidOut(
            Self.cloud(), Self.widths([40, 250, 40, 40, 250]), in: Self.container(5, rtl: true))
        expectEqual(Self.frames(layout, 5).map(\.?.maxX), [320, 280, 320, 280, 320])
        expectEqual(Self.frames(layout, 5).map(\.?.minY), [0, 0, 30, 30, 60])
    }

    @Test func itemLongerThanContainerFillsGroupAlone() {
        let layout = Self.laidOut(Self.cloud(), Self.widths([100, 400, 100, 100]), in: Self.container(4))
        expectEqual(Self.frames(layout, 4).map(\.?.minY), [0, 30, 60, 60])
        expectEqual(Self.frames(layout, 4).map(\.?.minX), [0, 0, 0, 100])
        expectEqual(layout.diagnostics.map(\.problem), [.noRoom])
    }

    @Test func badgesMoveWithTheirItems() {
        var item = LayoutItem(layoutSize: LayoutSize(widthDimension: .estimated(80), heightDimension: .absolute(30)))
        item.supplementaryItems = [
            AnchoredSupplementary(
                elementKind: "badge",
                layoutSize: LayoutSize(widthDimension: .absolute(10), heightDimension: .absolute(10)),
                containerAnchor: LayoutAnchor(edges: [.top, .trailing]))
        ]
        let section = LayoutSection(
            group: .horizontal(
                layoutSize: LayoutSize(widthDimension: .fractionalWidth(1), heightDimension: .absolute(30)),
                subitems: [item]))
        let layout = Self.laidOut(
            CompositionalLayout(section: section), Self.widths([40, 250, 40]), in: Self.container(3))
        let badges = (0..<3).map {
            layout.attributes(of: .supplementary("badge", IndexPath(section: 0, item: $0)))?.frame
        }
        expectEqual(
            badges,
            [
                Rect(x: 30, y: 0, width: 10, height: 10), Rect(x: 280, y: 0, width: 10, height: 10),
                Rect(x: 30, y: 30, width: 10, height: 10),
            ])
    }

    @Test func orthogonalSectionWrapsIntoPages() {
        var section = LayoutSection(
            group: .horizontal(
                layoutSize: LayoutSize(widthDimension: .fractionalWidth(1), heightDimension: .absolute(30)),
                subitems: [

                    LayoutItem(
                        layoutSize: LayoutSize(widthDimension: .estimated(80), heightDimension: .absolute(30)))
                ]))
        section.orthogonalScrollingBehavior = .continuous
        let layout = Self.laidOut(
            CompositionalLayout(section: section), Self.widths([200, 200, 100]), in: Self.container(3))
        expectEqual(Self.frames(layout, 3).map(\.?.minX), [0, 320, 520])
        expectEqual(Self.frames(layout, 3).map(\.?.minY), [0, 0, 0])
    }

    // MARK: - Properties

    @Test func queryEqualsScanInAnyOrderOfMeasuring() {
        let seed = SeededGenerator.anySeed()
        var random = SeededGenerator(seed: seed)
        for _ in 0..<TestScope.cases(1_000) {
            let count = Int.random(in: 1...40, using: &random)
            let container = Self.container(count, rtl: Bool.random(using: &random))
            let spacing = Double(Int.random(in: 0...12, using: &random))
            let empty = Self.cloud(.estimated(30), spacing: .fixed(spacing), lines: spacing)
            var layout = empty
            layout.prepare(in: container)
            var sizes: [Int: Size] = [:]
            for _ in 0..<Int.random(in: 1...4, using: &random) {
                var some: [Int: Size] = [:]
                for _ in 0..<Int.random(in: 1...5, using: &random) {
                    some[Int.random(in: 0..<count, using: &random)] = Size(
                        width: Double(Int.random(in: 0...320, using: &random)),
                        height: Double(Int.random(in: 0...50, using: &random)))
                }
                sizes.merge(some) { $1 }
                Self.measure(&layout, some, in: container)
            }
            let frames = Self.frames(layout, count)
            guard frames == Self.frames(Self.laidOut(empty, sizes, in: container), count),
                frames
                    == Self.greedy(
                        sizes, count: count, spacing: spacing, isMirrored: container.layoutDirection == .rightToLeft)
            else {
                Issue.record(
                    "seed \(seed): the order of measuring changes the frames, or they differ from a plain loop's")
                return
            }
            guard frames.allSatisfy({ $0.map { $0.minX >= 0 && $0.maxX <= 320 } == true }) else {
                Issue.record("seed \(seed): an item is beyond the container")
                return
            }
            let y = Double(Int.random(in: 0...400, using: &random))
            let rect = Rect(x: Double(Int.random(in: 0...300, using: &random)), y: y, width: 70, height: 90)
            let found = Set(layout.attributes(in: rect).map(\.indexPath.item))
            guard found == Set((0..<count).filter { frames[$0]?.intersects(rect) == true }) else {
                Issue.record("seed \(seed): the query of \(rect) differs from a scan")
                return
            }
        }
    }

    /// Computes the frames by a loop over all items.
    private static func greedy(
        _ sizes: [Int: Size], count: Int, spacing: Double, isMirrored: Bool
    ) -> [Rect?] {
        var frames: [Rect?] = []
        var (x, y, height) = (0.0, 0.0, 0.0)
        var isFirst = true
        for index in 0..<count {
            let size = sizes[index] ?? Size(width: 80, height: 30)
            if !isFirst, x + spacing + size.width > 320 {
                y += height + spacing
                (x, height, isFirst) = (0, 0, true)
            }
            if !isFirst { x += spacing }
            let left = isMirrored ? 320 - x - size.width : x
            frames.append(Rect(x: left, y: y, width: size.width, height: size.height))
            (x, height, isFirst) = (x + size.width, max(height, size.height), false)
        }
        return frames
    }
}
