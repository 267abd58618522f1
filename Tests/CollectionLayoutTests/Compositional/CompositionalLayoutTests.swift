import CollectionLayout
import Synchronization
import TestSupport
import Testing

/// Tests of rules beyond the frames of a single layout.
@Suite struct CompositionalLayoutTests {
    /// Rows of one item.
    private static func rows(_ height: LayoutDimension) -> LayoutGroup {
        let size = LayoutSize(widthDimension: .fractionalWidth(1), heightDimension: height)
        return .horizontal(
            layoutSize: size,
            subitems: [
                LayoutItem(layoutSize: LayoutSize(widthDimension: .fractionalWidth(1), heightDimension: height))
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

    @Test func groupIsSolvedOnceForAllRepetitions() {
        let calls = Counter()
        let group = LayoutGroup.custom(
            layoutSize: LayoutSize(widthDimension: .fractionalWidth(1), heightDimension: .absolute(100))
        ) { _ in
            calls.add()
            return [LayoutGroup.CustomItem(frame: Rect(x: 0, y: 0, width: 50, height: 100))]
        }
        var layout = CompositionalLayout(section: LayoutSection(group: group))
        layout.prepare(in: Self.container([Int](repeating: 1_000_000, count: 50)))
        expectEqual(calls.count, 1)
        expectEqual(layout.contentSize, Size(width: 300, height: 5_000_000_000))
    }

    @Test func queryCostDependsOnVisibleContent() {
        // Items.
        do {
            var costs: [Int] = []
            for count in [1_000, 1_000_000, 1_000_000_000] {
                var layout = CompositionalLayout(section: LayoutSection(group: Self.rows(.absolute(44))))
                layout.prepare(in: Self.container([count]))
                var cost = LayoutCost()
                let found = layout.attributes(in: Rect(x: 0, y: 22_000, width: 300, height: 440), cost: &cost)
                expectEqual(found.count, 10)
                costs.append(cost.total)
            }
            #expect(costs[0] == costs[2] && costs[1] == costs[2])
            #expect(costs[0] <= 30)
        }
        // Sections.
        do {
            var layout = CompositionalLayout(section: LayoutSection(group: Self.rows(.absolute(44))))
            layout.prepare(in: Self.container([Int](repeating: 10, count: 20_000)))
            var cost = LayoutCost()
            let found = layout.attributes(in: Rect(x: 0, y: 4_000_000, width: 300, height: 880), cost: &cost)
            expectEqual(found.count, 21)
            #expect(cost.sections <= 4)
            #expect(cost.total <= 80)
        }
    }

    @Test func largestItemCountIsComputed() {
        var layout = CompositionalLayout(section: LayoutSection(group: Self.rows(.absolute(44))))
        layout.prepare(in: Self.container([.max, .max]))
        let last = layout.attributes(of: .item(IndexPath(section: 1, item: .max - 1)))
        expectEqual(last?.frame.maxY.isFinite, true)
        expectEqual(layout.attributes(in: Rect(x: 0, y: 0, width: 300, height: 100)).count, 3)
        expectEqual(layout.attributes(of: .item(IndexPath(section: 1, item: .max))), nil)
    }

    // MARK: - Layers

    @Test func backgroundsAreBelowAndPinnedElementsAboveItems() {
        var section = LayoutSection(group: Self.rows(.absolute(44)))
        section.decorationItems = [.background(elementKind: "background", zIndex: 9)]
        section.boundarySupplementaryItems = [Self.header(pins: true)]
        var layout = CompositionalLayout(section: section)
        layout.prepare(in: Self.container([2]))
        let drawn = layout.attributes(in: Rect(x: 0, y: 0, width: 300, height: 400))
        expectEqual(drawn.map(\.band), [.background, .content, .content, .pinned])
        expectEqual(drawn.last?.element, .supplementary("header", IndexPath(section: 0, item: 0)))
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
        expectEqual(drawn.map(\.indexPath.item), [1, 0])
    }

    @Test func firstOfTwoElementsWithSameIdentityIsPlaced() {
        var item = LayoutItem(layoutSize: .full)
        item.supplementaryItems = ["header", "badge", "badge"].map {
            AnchoredSupplementary(
                elementKind: $0, layoutSize: .full, containerAnchor: LayoutAnchor(edges: .top))
        }
        let size = LayoutSize(widthDimension: .fractionalWidth(1), heightDimension: .absolute(44))
        var section = LayoutSection(group: .horizontal(layoutSize: size, subitems: [item]))
        section.boundarySupplementaryItems = [Self.header()]
        var layout = CompositionalLayout(section: section)
        layout.prepare(in: Self.container([1]))
        let drawn = layout.attributes(in: Rect(x: 0, y: 0, width: 300, height: 400))
        expectEqual(drawn.count, 3)
        expectEqual(Set(drawn.map(\.element)).count, 3)
        #expect(layout.diagnostics.contains { $0.problem == .duplicateElement })
    }

    // MARK: - Missing elements

    @Test func unknownElementsHaveNoAttributes() {
        var layout = CompositionalLayout(section: LayoutSection(group: Self.rows(.absolute(44))))
        expectEqual(layout.attributes(of: .item(IndexPath(section: 0, item: 0))), nil)
        expectEqual(layout.contentSize, .zero)
        layout.prepare(in: Self.container([2]))
        for path in [(0, 2), (1, 0), (-1, 0), (0, -1), (.min, .max), (.max, .min)] {
            let path = IndexPath(section: path.0, item: path.1)
            expectEqual(layout.attributes(of: .item(path)), nil)
            expectEqual(layout.attributes(of: .supplementary("header", path)), nil)
            expectEqual(layout.attributes(of: .decoration("background", path)), nil)
            layout.setOrthogonalOffset(.nan, section: path.section)
            expectEqual(layout.orthogonalOffset(section: path.section), 0)
        }
    }

    @Test func sectionIsEmptyIfProviderReturnsNil() {
        var layout = CompositionalLayout { index, _ in
            index == 0 ? nil : LayoutSection(group: Self.rows(.absolute(44)))
        }
        layout.prepare(in: Self.container([3, 1]))
        expectEqual(layout.contentSize.height, 44)
        expectEqual(layout.diagnostics.map(\.section), [0])
    }

    @Test func nanRectangleContainsNothingAndInfiniteRectangleEverything() {
        var layout = CompositionalLayout(section: LayoutSection(group: Self.rows(.absolute(44))))
        layout.prepare(in: Self.container([5]))
        #expect(layout.attributes(in: Rect(minX: .nan, minY: 0, maxX: 9, maxY: 9)).isEmpty)
        let all = Rect(minX: -.infinity, minY: -.infinity, maxX: .infinity, maxY: .infinity)
        expectEqual(layout.attributes(in: all).count, 5)
    }

    @Test(.scope(.integration)) func sectionsBeyondTheLimitAreReported() {
        struct Endless: SectionCounts {
            var sectionCount: Int { .max }
            func itemCount(inSection section: Int) -> Int { 1 }
        }
        var layout = CompositionalLayout(section: LayoutSection(group: Self.rows(.absolute(44))))
        var container = Self.container([])
        container.counts = Endless()
        layout.prepare(in: container)
        expectEqual(layout.diagnostics.map(\.problem), [.limitReached])
        expectEqual(layout.diagnostics.first?.section, CompositionalLayout.maximumSectionCount)
        expectEqual(layout.contentSize.height, 44 * Double(CompositionalLayout.maximumSectionCount))
    }

    @Test(.scope(.integration)) func endlessQueryStopsAtItsLimit() {
        var layout = CompositionalLayout(section: LayoutSection(group: Self.rows(.absolute(44))))
        layout.prepare(in: Self.container([.max, .max]))
        var cost = LayoutCost()
        let all = Rect(minX: -.infinity, minY: -.infinity, maxX: .infinity, maxY: .infinity)
        #expect(layout.attributes(in: all, cost: &cost).count <= CompositionalLayout.queryLimit)
        #expect(cost.items <= CompositionalLayout.queryLimit && cost.sections == 1)
    }

    @Test func nestedGroupsAndTheirItemsHaveALimit() {
        var nested = LayoutSubitem.item(LayoutItem(layoutSize: .full))
        for _ in 0..<200 { nested = .group(.horizontal(layoutSize: .full, subitems: [nested])) }
        var layout = CompositionalLayout(
            section: LayoutSection(group: .vertical(layoutSize: .full, subitems: [nested])))
        layout.prepare(in: Self.container([5]))
        #expect(layout.diagnostics.contains { $0.problem == .limitReached })

        let tiny = LayoutItem(
            layoutSize: LayoutSize(widthDimension: .absolute(1e-9), heightDimension: .fractionalHeight(1)))
        layout = CompositionalLayout(
            section: LayoutSection(group: .horizontal(layoutSize: .full, subitems: [tiny])))
        layout.prepare(in: Self.container([LayoutGroup.maximumCount + 1]))
        #expect(layout.diagnostics.contains { $0.problem == .limitReached })
        expectEqual(layout.contentSize.height, 800)

        layout = CompositionalLayout(
            section: LayoutSection(
                group: .horizontal(layoutSize: .full, subitem: LayoutItem(layoutSize: .full), count: .max)))
        layout.prepare(in: Self.container([1]))
        expectEqual(layout.diagnostics.first?.problem, .limitReached)
    }

    @Test func providerReceivesContainerOfSection() {
        var layout = CompositionalLayout(
            configuration: LayoutConfiguration(contentInsetsReference: .layoutMargins)
        ) { _, environment in
            expectEqual(environment.container.contentSize, Size(width: 300, height: 400))
            expectEqual(environment.container.effectiveContentSize, Size(width: 268, height: 400))
            return LayoutSection(group: Self.rows(.absolute(44)))
        }
        var container = Self.container([1])
        container.layoutMargins = EdgeInsets(all: 16)
        layout.prepare(in: container)
        expectEqual(layout.attributes(of: .item(IndexPath(section: 0, item: 0)))?.frame.width, 268)
    }
}

/// Counts calls, from any thread.
private final class Counter: Sendable {
    private let calls = Mutex(0)

    func add() { calls.withLock { $0 += 1 } }

    var count: Int { calls.withLock { $0 } }
}

/// Invalid and extreme values lead to finite results and a diagnostic that remains until the value is corrected.
@Suite struct CompositionalRobustnessTests {
    private static func rows(_ height: LayoutDimension) -> LayoutGroup {
        let size = LayoutSize(widthDimension: .fractionalWidth(1), heightDimension: height)
        return .horizontal(layoutSize: size, subitems: [LayoutItem(layoutSize: size)])
    }

    private static func container(_ counts: [Int], y: Double = 0) -> LayoutContainer {
        LayoutContainer(bounds: Rect(x: 0, y: y, width: 100, height: 100), counts: ItemCounts(counts))
    }

    private static let first = LayoutElement.item(IndexPath(section: 0, item: 0))

    @Test func metricsAreAlwaysFinite() {
        let metrics = OrthogonalMetrics(
            viewport: .nan, container: -.infinity, group: .infinity, pitch: .nan, content: .nan)
        for behavior in OrthogonalScrollingBehavior.allCases {
            let range = behavior.offsets(for: metrics)
            #expect(range.lowerBound.isFinite && range.upperBound.isFinite)
            #expect(behavior.targetOffset(proposed: 5, velocity: .nan, metrics: metrics).isFinite)
        }
        // They can't be changed to invalid values later, either.
        let lengths: [PartialKeyPath<OrthogonalMetrics>] = [\.viewport, \.container, \.group, \.pitch, \.content]
        #expect(lengths.allSatisfy { !($0 is WritableKeyPath<OrthogonalMetrics, Double>) })
    }

    @Test func groupWithoutLengthRepeatsOnlyIfSpaced() {
        // Without spacing, it is placed once.
        do {
            var layout = CompositionalLayout(section: LayoutSection(group: Self.rows(.absolute(0))))
            layout.prepare(in: Self.container([1_000_000]))
            expectEqual(layout.diagnostics.map(\.problem), [.endlessRepetition])
            expectEqual(layout.diagnostics.first?.section, 0)
            expectEqual(layout.attributes(of: Self.first)?.frame, Rect(x: 0, y: 0, width: 100, height: 0))
            expectEqual(layout.attributes(of: .item(IndexPath(section: 0, item: 1))), nil)
            var cost = LayoutCost()
            _ = layout.attributes(in: Rect(x: 0, y: -1, width: 100, height: 2), cost: &cost)
            #expect(cost.total < 10)
        }
        // With spacing, it repeats.
        do {
            var section = LayoutSection(group: Self.rows(.absolute(0)))
            section.interGroupSpacing = 5
            var layout = CompositionalLayout(section: section)
            layout.prepare(in: Self.container([3]))
            #expect(layout.diagnostics.isEmpty && layout.contentSize.height == 10)
        }
    }

    @Test func diagnosticsRemainAfterFullPreparation() {
        // Diagnostics of the container.
        do {
            var layout = CompositionalLayout(section: LayoutSection(group: Self.rows(.absolute(20))))
            var container = Self.container([3])
            container.contentInset.top = .nan
            layout.prepare(in: container)
            expectEqual(layout.diagnostics.map(\.problem), [.unusableLength])
            expectEqual(layout.diagnostics.first?.detail.contains("contentInset"), true)
            // After the value is corrected, the diagnostic disappears with the next full preparation.
            layout.invalidate(with: .everything)
            layout.prepare(in: Self.container([3]))
            #expect(layout.diagnostics.isEmpty)
        }
        // Diagnostics of preferred sizes.
        // The size of a header of the whole layout moves all sections, so that everything is prepared again.
        do {
            let header = LayoutElement.supplementary("top", IndexPath(section: -1, item: 0))
            var layout = CompositionalLayout(section: LayoutSection(group: Self.rows(.estimated(20))))
            layout.configuration.boundarySupplementaryItems = [
                BoundarySupplementary(
                    elementKind: "top",
                    layoutSize: LayoutSize(widthDimension: .fractionalWidth(1), heightDimension: .estimated(10)),
                    alignment: .top)
            ]
            layout.prepare(in: Self.container([3]))
            for height in 0..<10 {
                var sizes = [Self.first: Size(width: .nan, height: 30)]
                sizes[header] = Size(width: 100, height: Double(height) + 1)
                layout.invalidate(with: InvalidationContext(preferredSizes: sizes))
                layout.prepare(in: Self.container([3]))
            }
            expectEqual(Set(layout.diagnostics.map(\.problem)), [.unsettledEstimates, .unusableLength])
            layout.invalidate(with: .counts)
            layout.prepare(in: Self.container([3]))
            #expect(layout.diagnostics.isEmpty)
        }
    }

    /// 150 sections of length 0, each with 10,000 items outside the bounds.
    @Test func handlersReceiveAtMostQueryLimitElements() {
        let counter = Counter()
        let group = LayoutGroup.custom(
            layoutSize: LayoutSize(widthDimension: .fractionalWidth(1), heightDimension: .absolute(0))
        ) { _ in
            Array(repeating: LayoutGroup.CustomItem(frame: Rect(x: 900, y: 0, width: 1, height: 1)), count: 10_000)
        }
        var section = LayoutSection(group: group)
        section.visibleItemsInvalidationHandler = { _, _, _ in counter.add() }
        var layout = CompositionalLayout(section: section)
        layout.prepare(in: Self.container(Array(repeating: 10_000, count: 150)))
        expectEqual(counter.count, CompositionalLayout.queryLimit / 10_000)
    }
}
