import CollectionLayout
import Synchronization
import Testing

/// What is too much, too small or no number: a finite answer, and a diagnostic that stays until it is mended.
@Suite struct CompositionalHostileTests {
    private static func rows(_ height: LayoutDimension) -> LayoutGroup {
        let size = LayoutSize(widthDimension: .fractionalWidth(1), heightDimension: height)
        return .horizontal(layoutSize: size, subitems: [.item(LayoutItem(layoutSize: size))])
    }

    private static func container(_ counts: [Int], y: Double = 0) -> LayoutContainer {
        LayoutContainer(bounds: Rect(x: 0, y: y, width: 100, height: 100), counts: ItemCounts(counts))
    }

    private static let first = LayoutElement.item(IndexPath(section: 0, item: 0))

    @Test func metricsAreFiniteForGood() {
        let metrics = OrthogonalMetrics(
            viewport: .nan, container: -.infinity, group: .infinity, pitch: .nan, content: .nan)
        for behavior in OrthogonalScrollingBehavior.allCases {
            let range = behavior.offsets(for: metrics)
            #expect(range.lowerBound.isFinite && range.upperBound.isFinite)
            #expect(behavior.targetOffset(proposed: 5, velocity: .nan, metrics: metrics).isFinite)
        }
        // Nor can they be spoiled afterwards.
        let lengths: [PartialKeyPath<OrthogonalMetrics>] = [\.viewport, \.container, \.group, \.pitch, \.content]
        #expect(lengths.allSatisfy { !($0 is WritableKeyPath<OrthogonalMetrics, Double>) })
    }

    @Test func aGroupWithoutLengthStandsOnce() {
        var layout = CompositionalLayout(section: LayoutSection(group: Self.rows(.absolute(0))))
        layout.prepare(in: Self.container([1_000_000]))
        #expect(layout.diagnostics.map(\.problem) == [.endlessRepetition] && layout.diagnostics.first?.section == 0)
        #expect(layout.attributes(of: Self.first)?.layoutFrame == Rect(x: 0, y: 0, width: 100, height: 0))
        #expect(layout.attributes(of: .item(IndexPath(section: 0, item: 1))) == nil)
        var cost = LayoutCost()
        _ = layout.attributes(in: Rect(x: 0, y: -1, width: 100, height: 2), cost: &cost)
        #expect(cost.total < 10)
    }

    @Test func aGroupWithoutLengthButWithSpacingRepeats() {
        var section = LayoutSection(group: Self.rows(.absolute(0)))
        section.interGroupSpacing = 5
        var layout = CompositionalLayout(section: section)
        layout.prepare(in: Self.container([3]))
        #expect(layout.diagnostics.isEmpty && layout.contentSize.height == 10)
    }

    @Test func whatIsWrongWithTheContainerIsSaidAfterAFullPreparation() {
        var layout = CompositionalLayout(section: LayoutSection(group: Self.rows(.absolute(20))))
        var container = Self.container([3])
        container.contentInset.top = .nan
        layout.prepare(in: container)
        #expect(layout.diagnostics.map(\.problem) == [.unusableLength])
        #expect(layout.diagnostics.first?.detail.contains("contentInset") == true)
        // Mended, it is said no more, after the next full preparation.
        layout.invalidate(with: .everything)
        layout.prepare(in: Self.container([3]))
        #expect(layout.diagnostics.isEmpty)
    }

    /// The size of a header of the whole layout moves all sections, so that everything is prepared anew.
    @Test func whatIsWrongWithPreferredSizesOutlivesAFullPreparation() {
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
        #expect(Set(layout.diagnostics.map(\.problem)) == [.unsettledEstimates, .unusableLength])
        layout.invalidate(with: .counts)
        layout.prepare(in: Self.container([3]))
        #expect(layout.diagnostics.isEmpty)
    }

    /// 150 sections of no length, each with 10,000 items beside the bounds.
    @Test func handlersSeeNoMoreThanTheLimit() {
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
        #expect(counter.count == CompositionalLayout.queryLimit / 10_000)
    }
}

/// Counts calls.
private final class Counter: Sendable {
    private let calls = Mutex(0)

    func add() { calls.withLock { $0 += 1 } }

    var count: Int { calls.withLock { $0 } }
}
