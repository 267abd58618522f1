import CollectionLayout
import CollectionView
import LayoutTestSupport
import Testing

/// What growth out of sight does to what is seen, in compositional layouts.
@Suite struct GrowthTests {
    private static func rows(_ estimate: Double, perRow: Int = 1) -> LayoutSection {
        let item = LayoutSize(
            widthDimension: .fractionalWidth(1 / Double(perRow)), heightDimension: .estimated(estimate))
        let row = LayoutSize(widthDimension: .fractionalWidth(1), heightDimension: .estimated(estimate))
        return LayoutSection(
            group: .horizontal(
                layoutSize: row, subitems: Array(repeating: .item(LayoutItem(layoutSize: item)), count: perRow)))
    }

    /// The place of a row in the view.
    private func seen(_ item: Int, in view: CollectionView) throws -> Double {
        try #require(view.attributes(of: .item(path(0, item)))).layoutFrame.minY - view.contentOffset.y
    }

    /// Rows of 76 that are taken for 10: each that is measured above would push the others down by 66.
    ///
    /// Sixty steps up: 420, 600 and 1980, in rows of 76.
    @Test(arguments: [(7.0, 144), (10, 142), (33, 123)])
    func scrollingUpMovesRowsByWhatIsScrolled(step: Double, last: Int) throws {
        let source = RowSource(rows: 200)
        source.heights = Dictionary(uniqueKeysWithValues: (0..<200).map { ("r\($0)", 76) })
        let view = makeView(source, CompositionalLayout(section: Self.rows(10)))
        try view.scrollToItem(at: path(0, 150), position: .top)
        view.layoutIfNeeded()
        #expect(try seen(150, in: view) == 0)
        var first = 150
        for _ in 0..<60 {
            let before = try seen(first, in: view)
            view.contentOffset.y -= step
            view.layoutIfNeeded()
            let moved = try seen(first, in: view) - before
            #expect(abs(moved - step) < 1e-6)
            first = try #require(view.visibleItems.first).item
        }
        #expect(first == last)
    }

    /// Rows of three: the first is 30 high, the others 20 until they are seen. At 45 the second row, 30 to 50, is cut.
    @Test func theItemsOfARowMoveTheOffsetOnce() {
        let source = RowSource(rows: 18)
        source.heights = Dictionary(uniqueKeysWithValues: (0..<18).map { ("r\($0)", 30) })
        let view = makeView(
            source, CompositionalLayout(section: Self.rows(20, perRow: 3)),
            bounds: Rect(x: 0, y: 0, width: 90, height: 20))
        view.contentOffset.y = 45
        view.layoutIfNeeded()
        // It grows by 10 for all three, and the third row stays 5 below the edge.
        #expect(view.contentOffset.y == 55)
        #expect(view.attributes(of: .item(path(0, 6)))?.frame.minY == 60)
    }

    @Test func growthInSightMovesNothing() {
        let source = RowSource(rows: 50)
        let view = makeView(source, CompositionalLayout(section: Self.rows(20)))
        source.heights = ["r11": 40]
        // r10 begins at the edge, r11 at 20 below it.
        view.contentOffset.y = 200
        view.layoutIfNeeded()
        #expect(view.contentOffset.y == 200 && view.contentSize.height == 1020)
    }

    /// A row that is seen and grows does so downwards, the first one too.
    @Test func theFirstRowInSightGrowsDownwards() throws {
        let source = RowSource(rows: 50)
        let view = makeView(source, CompositionalLayout(section: Self.rows(20)))
        view.contentOffset.y = 200
        view.layoutIfNeeded()
        try view.performBatchUpdates { updates in
            source.heights = ["r10": 60]
            updates.reconfigureItems(at: [path(0, 10)])
        }
        #expect(view.contentOffset.y == 200 && view.contentSize.height == 1040)
    }

    /// The columns begin at the right; from both sides the same is seen.
    @Test func horizontallyTheSameIsSeenFromBothSides() throws {
        var pictures: [[Double]] = []
        for direction in [LayoutDirection.leftToRight, .rightToLeft] {
            var layout = CompositionalLayout(
                section: LayoutSection(
                    group: .horizontal(
                        layoutSize: LayoutSize(widthDimension: .estimated(20), heightDimension: .fractionalHeight(1)),
                        subitems: [
                            .item(
                                LayoutItem(
                                    layoutSize: LayoutSize(
                                        widthDimension: .estimated(20), heightDimension: .fractionalHeight(1))))
                        ])))
            layout.configuration.scrollDirection = .horizontal
            layout.prepare(in: container(direction, x: 0))
            // In content of 2000 the view stands 505 from where it begins.
            let x = direction == .leftToRight ? 505.0 : 2000 - 505 - 100
            layout.prepare(in: container(direction, x: x))
            // The 25th stands before it and is cut; the 27th is seen in full.
            let sizes: [LayoutElement: Size] = [
                .item(path(0, 25)): Size(width: 50, height: 100), .item(path(0, 27)): Size(width: 25, height: 100),
            ]
            let context = layout.invalidationContext(forPreferredSizes: sizes)
            #expect(context.contentSizeAdjustment.width == 35)
            layout.invalidate(with: context)
            let moved = x + context.contentOffsetAdjustment.x
            layout.prepare(in: container(direction, x: moved))
            let frames = try (26...29).map { try #require(layout.attributes(of: .item(path(0, $0)))).layoutFrame }
            pictures.append(
                frames.map { direction == .leftToRight ? $0.minX - moved : moved + 100 - $0.maxX })
        }
        // The 26th stays 15 from the edge.
        #expect(pictures == [[15, 35, 60, 80], [15, 35, 60, 80]])
    }

    private func container(_ direction: LayoutDirection, x: Double) -> LayoutContainer {
        var container = LayoutContainer(
            bounds: Rect(x: x, y: 0, width: 100, height: 100), counts: ItemCounts([100]))
        container.layoutDirection = direction
        return container
    }

    @Test func aFixedLayoutIsNotPreparedWhileItScrolls() {
        let source = RowSource(rows: 50)
        let size = LayoutSize(widthDimension: .fractionalWidth(1), heightDimension: .absolute(20))
        let view = makeView(
            source,
            CompositionalLayout(
                section: LayoutSection(
                    group: .horizontal(layoutSize: size, subitems: [.item(LayoutItem(layoutSize: .full))]))))
        view.contentOffset.y = 200
        view.layoutIfNeeded()
        #expect(view.preparationCount == 1)
    }
}
