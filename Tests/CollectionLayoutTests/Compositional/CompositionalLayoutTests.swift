import CollectionLayout
import Synchronization
import Testing

/// Rules that are not about the numbers of a single layout.
@Suite struct CompositionalLayoutTests {
    /// Rows of one item.
    private static func rows(_ height: LayoutDimension) -> LayoutGroup {
        let size = LayoutSize(widthDimension: .fractionalWidth(1), heightDimension: height)
        return .horizontal(
            layoutSize: size,
            subitems: [
                .item(LayoutItem(layoutSize: LayoutSize(widthDimension: .fractionalWidth(1), heightDimension: height)))
            ])
    }

    private static func container(_ counts: [Int], y: Double = 0, scale: Double = 1) -> LayoutContainer {
        LayoutContainer(
            bounds: Rect(x: 0, y: y, width: 300, height: 400), counts: ItemCounts(counts), scale: scale)
    }

    private static func header(pins: Bool = false) -> BoundarySupplementary {
        BoundarySupplementary(
            elementKind: "header",
            layoutSize: LayoutSize(widthDimension: .fractionalWidth(1), heightDimension: .absolute(30)),
            alignment: .top, pinToVisibleBounds: pins)
    }

    // MARK: - Cost

    @Test func aGroupIsSolvedOnceForAllItsRepetitions() {
        let calls = Counter()
        let group = LayoutGroup.custom(
            layoutSize: LayoutSize(widthDimension: .fractionalWidth(1), heightDimension: .absolute(100))
        ) { _ in
            calls.add()
            return [LayoutGroup.CustomItem(frame: Rect(x: 0, y: 0, width: 50, height: 100))]
        }
        var layout = CompositionalLayout(section: LayoutSection(group: group))
        layout.prepare(in: Self.container([Int](repeating: 1_000_000, count: 50)))
        #expect(calls.count == 1)
        #expect(layout.contentSize == Size(width: 300, height: 5_000_000_000))
    }

    @Test func aQueryTouchesWhatIsVisibleHoweverManyItemsThereAre() {
        var costs: [Int] = []
        for count in [1_000, 1_000_000, 1_000_000_000] {
            var layout = CompositionalLayout(section: LayoutSection(group: Self.rows(.absolute(44))))
            layout.prepare(in: Self.container([count]))
            var cost = LayoutCost()
            let found = layout.attributes(in: Rect(x: 0, y: 22_000, width: 300, height: 440), cost: &cost)
            #expect(found.count == 10)
            costs.append(cost.total)
        }
        #expect(costs[0] == costs[2] && costs[1] == costs[2])
        #expect(costs[0] <= 30)
    }

    @Test func aQueryTouchesTheSectionsItMeetsHoweverManyThereAre() {
        var layout = CompositionalLayout(section: LayoutSection(group: Self.rows(.absolute(44))))
        layout.prepare(in: Self.container([Int](repeating: 10, count: 20_000)))
        var cost = LayoutCost()
        let found = layout.attributes(in: Rect(x: 0, y: 4_000_000, width: 300, height: 880), cost: &cost)
        #expect(found.count == 21)
        #expect(cost.sections <= 4)
        #expect(cost.total <= 80)
    }

    @Test func countsUpToTheGreatestAreArithmetic() {
        var layout = CompositionalLayout(section: LayoutSection(group: Self.rows(.absolute(44))))
        layout.prepare(in: Self.container([.max, .max]))
        let last = layout.attributes(of: .item(IndexPath(section: 1, item: .max - 1)))
        #expect(last?.layoutFrame.maxY.isFinite == true)
        #expect(layout.attributes(in: Rect(x: 0, y: 0, width: 300, height: 100)).count == 3)
        #expect(layout.attributes(of: .item(IndexPath(section: 1, item: .max))) == nil)
    }

    // MARK: - Layers

    @Test func backgroundsLieBelowAndPinnedElementsAbove() {
        var section = LayoutSection(group: Self.rows(.absolute(44)))
        section.decorationItems = [.background(elementKind: "background", zIndex: 9)]
        section.boundarySupplementaryItems = [Self.header(pins: true)]
        var layout = CompositionalLayout(section: section)
        layout.prepare(in: Self.container([2]))
        let drawn = layout.attributes(in: Rect(x: 0, y: 0, width: 300, height: 400))
        #expect(drawn.map(\.band) == [.background, .content, .content, .pinned])
        #expect(drawn.last?.element == .supplementary("header", IndexPath(section: 0, item: 0)))
    }

    @Test func customItemsKeepTheirZIndex() {
        let group = LayoutGroup.custom(layoutSize: .full) { _ in
            [
                LayoutGroup.CustomItem(frame: Rect(x: 0, y: 0, width: 9, height: 9), zIndex: 7),
                LayoutGroup.CustomItem(frame: Rect(x: 0, y: 0, width: 9, height: 9)),
            ]
        }
        var layout = CompositionalLayout(section: LayoutSection(group: group))
        layout.prepare(in: Self.container([2]))
        let drawn = layout.attributes(in: Rect(x: 0, y: 0, width: 9, height: 9))
        #expect(drawn.map(\.indexPath.item) == [1, 0])
    }

    @Test func ofTwoElementsOfOneNameTheFirstIsPlaced() {
        var item = LayoutItem(layoutSize: .full)
        item.supplementaryItems = ["header", "badge", "badge"].map {
            AnchoredSupplementary(
                elementKind: $0, layoutSize: .full, containerAnchor: LayoutAnchor(edges: .top))
        }
        let size = LayoutSize(widthDimension: .fractionalWidth(1), heightDimension: .absolute(44))
        var section = LayoutSection(group: .horizontal(layoutSize: size, subitems: [.item(item)]))
        section.boundarySupplementaryItems = [Self.header()]
        var layout = CompositionalLayout(section: section)
        layout.prepare(in: Self.container([1]))
        let drawn = layout.attributes(in: Rect(x: 0, y: 0, width: 300, height: 400))
        #expect(drawn.count == 3)
        #expect(Set(drawn.map(\.element)).count == 3)
        #expect(layout.diagnostics.contains { $0.problem == .duplicateElement })
    }

    // MARK: - What there is not

    @Test func unknownElementsHaveNoAttributes() {
        var layout = CompositionalLayout(section: LayoutSection(group: Self.rows(.absolute(44))))
        #expect(layout.attributes(of: .item(IndexPath(section: 0, item: 0))) == nil)
        #expect(layout.contentSize == .zero)
        layout.prepare(in: Self.container([2]))
        for path in [(0, 2), (1, 0), (-1, 0), (0, -1), (.min, .max), (.max, .min)] {
            let path = IndexPath(section: path.0, item: path.1)
            #expect(layout.attributes(of: .item(path)) == nil)
            #expect(layout.attributes(of: .supplementary("header", path)) == nil)
            #expect(layout.attributes(of: .decoration("background", path)) == nil)
            layout.setOrthogonalOffset(.nan, section: path.section)
            #expect(layout.orthogonalOffset(section: path.section) == 0)
        }
    }

    @Test func aSectionThatTheProviderDoesNotGiveIsEmpty() {
        var layout = CompositionalLayout { index, _ in
            index == 0 ? nil : LayoutSection(group: Self.rows(.absolute(44)))
        }
        layout.prepare(in: Self.container([3, 1]))
        #expect(layout.contentSize.height == 44)
        #expect(layout.diagnostics.map(\.section) == [0])
    }

    @Test func aRectangleWithoutNumbersHoldsNothingAndAnInfiniteOneAll() {
        var layout = CompositionalLayout(section: LayoutSection(group: Self.rows(.absolute(44))))
        layout.prepare(in: Self.container([5]))
        #expect(layout.attributes(in: Rect(minX: .nan, minY: 0, maxX: 9, maxY: 9)).isEmpty)
        let all = Rect(minX: -.infinity, minY: -.infinity, maxX: .infinity, maxY: .infinity)
        #expect(layout.attributes(in: all).count == 5)
    }

    @Test func sectionsBeyondTheLimitAreReported() {
        struct Endless: SectionCounts {
            var sectionCount: Int { .max }
            func itemCount(inSection section: Int) -> Int { 1 }
        }
        var layout = CompositionalLayout(section: LayoutSection(group: Self.rows(.absolute(44))))
        var container = Self.container([])
        container.counts = Endless()
        layout.prepare(in: container)
        #expect(layout.diagnostics.map(\.problem) == [.limitReached])
        #expect(layout.diagnostics.first?.section == CompositionalLayout.greatestSectionCount)
        #expect(layout.contentSize.height == 44 * Double(CompositionalLayout.greatestSectionCount))
    }

    @Test func aQueryWithoutEndEnds() {
        var layout = CompositionalLayout(section: LayoutSection(group: Self.rows(.absolute(44))))
        layout.prepare(in: Self.container([.max, .max]))
        var cost = LayoutCost()
        let all = Rect(minX: -.infinity, minY: -.infinity, maxX: .infinity, maxY: .infinity)
        #expect(layout.attributes(in: all, cost: &cost).count <= CompositionalLayout.queryLimit)
        #expect(cost.items <= CompositionalLayout.queryLimit && cost.sections == 1)
    }

    @Test func groupsInGroupsAndTheirItemsHaveALimit() {
        var nested = LayoutSubitem.item(LayoutItem(layoutSize: .full))
        for _ in 0..<200 { nested = .group(.horizontal(layoutSize: .full, subitems: [nested])) }
        var layout = CompositionalLayout(
            section: LayoutSection(group: .vertical(layoutSize: .full, subitems: [nested])))
        layout.prepare(in: Self.container([5]))
        #expect(layout.diagnostics.contains { $0.problem == .limitReached })

        let tiny = LayoutItem(
            layoutSize: LayoutSize(widthDimension: .absolute(1e-9), heightDimension: .fractionalHeight(1)))
        layout = CompositionalLayout(
            section: LayoutSection(group: .horizontal(layoutSize: .full, subitems: [.item(tiny)])))
        layout.prepare(in: Self.container([LayoutGroup.greatestCount + 1]))
        #expect(layout.diagnostics.contains { $0.problem == .limitReached })
        #expect(layout.contentSize.height == 800)

        layout = CompositionalLayout(
            section: LayoutSection(
                group: .horizontal(layoutSize: .full, subitem: .item(LayoutItem(layoutSize: .full)), count: .max)))
        layout.prepare(in: Self.container([1]))
        #expect(layout.diagnostics.first?.problem == .limitReached)
    }

    @Test func theProviderIsToldTheRoomOfASection() {
        var layout = CompositionalLayout(
            configuration: LayoutConfiguration(contentInsetsReference: .layoutMargins)
        ) { _, environment in
            #expect(environment.container.contentSize == Size(width: 300, height: 400))
            #expect(environment.container.effectiveContentSize == Size(width: 268, height: 400))
            return LayoutSection(group: Self.rows(.absolute(44)))
        }
        var container = Self.container([1])
        container.layoutMargins = EdgeInsets(all: 16)
        layout.prepare(in: container)
        #expect(layout.attributes(of: .item(IndexPath(section: 0, item: 0)))?.layoutFrame.width == 268)
    }
}

/// Counts calls, from wherever they come.
private final class Counter: Sendable {
    private let calls = Mutex(0)

    func add() { calls.withLock { $0 += 1 } }

    var count: Int { calls.withLock { $0 } }
}
