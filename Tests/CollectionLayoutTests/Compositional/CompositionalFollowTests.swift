import CollectionLayout
import LayoutTestSupport
import Testing

/// What becomes of measures and offsets when batch updates give items and sections other places.
@Suite struct CompositionalFollowTests {
    private static func container(_ counts: [Int], y: Double = 0) -> LayoutContainer {
        LayoutContainer(bounds: Rect(x: 0, y: y, width: 100, height: 100), counts: ItemCounts(counts))
    }

    /// Rows that are taken for 40 high, with a badge each and a header that is taken for 10, measured as told.
    private static func layout(
        _ counts: [Int], _ heights: [LayoutElement: Double], _ change: (inout LayoutSection) -> Void = { _ in }
    ) -> CompositionalLayout {
        let size = LayoutSize(widthDimension: .fractionalWidth(1), heightDimension: .estimated(40))
        var item = LayoutItem(layoutSize: size)
        item.supplementaryItems = [
            AnchoredSupplementary(
                elementKind: "badge",
                layoutSize: LayoutSize(widthDimension: .absolute(8), heightDimension: .estimated(8)),
                containerAnchor: LayoutAnchor(edges: [.top, .leading]))
        ]
        var section = LayoutSection(group: .horizontal(layoutSize: size, subitems: [.item(item)]))
        section.boundarySupplementaryItems = [
            BoundarySupplementary(
                elementKind: "header",
                layoutSize: LayoutSize(widthDimension: .fractionalWidth(1), heightDimension: .estimated(10)),
                alignment: .top)
        ]
        change(&section)
        var layout = CompositionalLayout(section: section)
        layout.prepare(in: container(counts))
        layout.invalidate(
            with: InvalidationContext(preferredSizes: heights.mapValues { Size(width: 100, height: $0) }))
        layout.prepare(in: container(counts))
        return layout
    }

    private static func item(_ section: Int, _ item: Int) -> LayoutElement { .item(path(section, item)) }

    private static func header(_ section: Int) -> LayoutElement { .supplementary("header", path(section, 0)) }

    private static func height(_ element: LayoutElement, _ layout: CompositionalLayout) -> Double? {
        layout.attributes(of: element)?.layoutFrame.height
    }

    @Test func measuresGoAlongWithTheirItems() throws {
        var layout = Self.layout([6, 2], [Self.item(0, 3): 60, Self.item(0, 5): 70, Self.item(1, 0): 90])
        var updates = BatchUpdates()
        updates.deleteItems(at: [path(0, 2)])
        updates.insertItems(at: [path(0, 0)])
        updates.moveItem(at: path(0, 5), to: path(1, 0))
        layout.follow(try UpdateMap(updates, from: ItemCounts([6, 2]), to: ItemCounts([5, 3])))
        layout.invalidate(with: .counts)
        layout.prepare(in: Self.container([5, 3]))
        // New, 0, 1, 3, 4; then 5 of the section before, 0, 1.
        #expect((0..<5).map { Self.height(Self.item(0, $0), layout) } == [40, 40, 40, 60, 40])
        #expect((0..<3).map { Self.height(Self.item(1, $0), layout) } == [70, 90, 40])
        #expect(layout.contentSize.height == 10 + 220 + 10 + 200)
    }

    @Test func twoUpdatesBeforeOneLayoutAddUp() throws {
        var layout = Self.layout([3], [Self.item(0, 0): 60])
        var updates = BatchUpdates()
        updates.insertItems(at: [path(0, 0)])
        for count in [3, 4] {
            layout.follow(try UpdateMap(updates, from: ItemCounts([count]), to: ItemCounts([count + 1])))
            layout.invalidate(with: .counts)
        }
        layout.prepare(in: Self.container([5]))
        #expect((0..<5).map { Self.height(Self.item(0, $0), layout) } == [40, 40, 60, 40, 40])
    }

    /// Loaded data has other items.
    @Test(arguments: [[InvalidationContext.counts, .counts], [.everything, .counts, .counts]])
    func onlyTheCountsOfTheUpdatesKeepMeasures(contexts: [InvalidationContext]) throws {
        var layout = Self.layout([3], [Self.item(0, 0): 60])
        layout.follow(try UpdateMap(BatchUpdates(), from: ItemCounts([3]), to: ItemCounts([3])))
        for context in contexts { layout.invalidate(with: context) }
        layout.prepare(in: Self.container([3]))
        #expect(layout.contentSize.height == 130)
    }

    /// Who changed its mind ten times is asked no more; with other data it is asked again.
    @Test func allAreFreeToAskAgainAfterUpdates() throws {
        var layout = Self.layout([2], [:])
        func asks(_ height: Double) throws -> Bool {
            let original = try #require(layout.attributes(of: Self.item(0, 0)))
            var preferred = original
            preferred.layoutFrame = Rect(x: 0, y: 0, width: 100, height: height)
            return layout.shouldInvalidate(forPreferred: preferred, original: original)
        }
        for height in 41...50 {
            let size = Size(width: 100, height: Double(height))
            layout.invalidate(with: InvalidationContext(preferredSizes: [Self.item(0, 0): size]))
            layout.prepare(in: Self.container([2]))
        }
        #expect(try !asks(60) && layout.diagnostics.map(\.problem) == [.unsettledEstimates])
        layout.follow(try UpdateMap(BatchUpdates(), from: ItemCounts([2]), to: ItemCounts([2])))
        layout.invalidate(with: .counts)
        layout.prepare(in: Self.container([2]))
        #expect(try asks(60) && Self.height(Self.item(0, 0), layout) == 50 && layout.diagnostics.isEmpty)
    }

    @Test func headersGoWithSectionsAndBadgesWithItems() throws {
        let badge = LayoutElement.supplementary("badge", path(1, 0))
        var layout = Self.layout([2, 2, 2], [Self.header(1): 30, badge: 20, Self.header(2): 25, Self.item(2, 0): 50])
        var updates = BatchUpdates()
        updates.deleteSections([0])
        updates.insertItems(at: [path(0, 0)])
        updates.reloadSections([2])
        layout.follow(try UpdateMap(updates, from: ItemCounts([2, 2, 2]), to: ItemCounts([3, 2])))
        layout.invalidate(with: .counts)
        layout.prepare(in: Self.container([3, 2]))
        #expect(Self.height(Self.header(0), layout) == 30)
        #expect((0..<3).map { Self.height(.supplementary("badge", path(0, $0)), layout) } == [8, 20, 8])
        // A reloaded section has other items, and another header.
        #expect(Self.height(Self.header(1), layout) == 10 && Self.height(Self.item(1, 0), layout) == 40)
    }

    @Test func aHeaderOfTheWholeLayoutStaysAsItIs() throws {
        let size = LayoutSize(widthDimension: .fractionalWidth(1), heightDimension: .estimated(10))
        let header = LayoutElement.supplementary("top", path(IndexPath.wholeLayoutSection, 0))
        var layout = Self.layout([2], [:])
        layout.configuration.boundarySupplementaryItems = [
            BoundarySupplementary(elementKind: "top", layoutSize: size, alignment: .top)
        ]
        layout.prepare(in: Self.container([2]))
        layout.invalidate(with: InvalidationContext(preferredSizes: [header: Size(width: 100, height: 33)]))
        layout.follow(try UpdateMap(BatchUpdates(), from: ItemCounts([2]), to: ItemCounts([2])))
        layout.invalidate(with: .counts)
        layout.prepare(in: Self.container([2]))
        #expect(Self.height(header, layout) == 33)
    }

    @Test func offsetsGoWithTheirSections() throws {
        let size = LayoutSize(widthDimension: .absolute(80), heightDimension: .absolute(30))
        var section = LayoutSection(
            group: .horizontal(layoutSize: size, subitems: [.item(LayoutItem(layoutSize: .full))]))
        section.orthogonalScrollingBehavior = .continuous
        var layout = CompositionalLayout(section: section)
        layout.prepare(in: Self.container([9, 9]))
        layout.setOrthogonalOffset(120, section: 0)
        layout.setOrthogonalOffset(50, section: 1)
        var updates = BatchUpdates()
        updates.insertSections([0])
        updates.deleteSections([1])
        layout.follow(try UpdateMap(updates, from: ItemCounts([9, 9]), to: ItemCounts([9, 9])))
        layout.invalidate(with: .counts)
        layout.prepare(in: Self.container([9, 9]))
        #expect([0, 1].map { layout.orthogonalOffset(section: $0) } == [0, 120])
    }
}
