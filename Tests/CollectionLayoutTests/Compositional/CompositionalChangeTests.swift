import CollectionLayout
import LayoutTestSupport
import Synchronization
import TestSupport
import Testing

/// Measured sizes, scrolling and handlers: changes from one layout pass to the next.
@Suite struct CompositionalChangeTests {
    private static func rows(_ height: LayoutDimension) -> LayoutGroup {
        let size = LayoutSize(widthDimension: .fractionalWidth(1), heightDimension: height)
        return .horizontal(layoutSize: size, subitems: [LayoutItem(layoutSize: size)])
    }

    private static func container(_ counts: [Int], y: Double = 0, width: Double = 300) -> LayoutContainer {
        LayoutContainer(bounds: Rect(x: 0, y: y, width: width, height: 100), counts: ItemCounts(counts))
    }

    private static func item(_ index: Int, _ section: Int = 0) -> LayoutElement {
        .item(IndexPath(section: section, item: index))
    }

    /// Applies a preferred height, as a view does. Returns whether the layout accepts it.
    private static func measure(_ layout: inout CompositionalLayout, _ element: LayoutElement, height: Double) throws
        -> Bool
    {
        let original = try #require(layout.attributes(of: element))
        var preferred = original
        preferred.frame = Rect(
            origin: original.frame.origin, size: Size(width: original.frame.width, height: height))
        guard layout.shouldInvalidate(forPreferred: preferred, original: original) else { return false }
        layout.invalidate(with: layout.invalidationContext(forPreferred: preferred, original: original))
        return true
    }

    // MARK: - Estimates

    @Test func measuredRowMovesFollowingRowsInAnyOrderOfMeasuring() throws {
        var layout = CompositionalLayout(section: LayoutSection(group: Self.rows(.estimated(40))))
        layout.prepare(in: Self.container([1_000, 1]))
        for (index, height) in [(500, 60.0), (3, 10), (999, 50), (4, 45), (500, 70)] {
            #expect(try Self.measure(&layout, Self.item(index), height: height))
            layout.prepare(in: Self.container([1_000, 1]))
        }
        // Rows of 40, and differences of −30, +5, +30 and +10 after they are measured.
        func y(_ index: Int) -> Double? { layout.attributes(of: Self.item(index))?.frame.minY }
        expectEqual(y(3), 120)
        expectEqual(y(4), 130)
        expectEqual(y(5), 175)
        expectEqual(y(500), 19_975)
        expectEqual(y(501), 20_045)
        expectEqual(y(999), 39_965)
        expectEqual(layout.attributes(of: Self.item(0, 1))?.frame.minY, 40_015)
        expectEqual(layout.contentSize.height, 40_055)
        expectEqual(layout.attributes(in: Rect(x: 0, y: 120, width: 300, height: 10)).map(\.indexPath.item), [3])
    }

    @Test func onlyChangesOfEstimatedSizesAreMeasured() throws {
        // A row with a fixed height is not measured.
        do {
            var layout = CompositionalLayout(section: LayoutSection(group: Self.rows(.absolute(40))))
            layout.prepare(in: Self.container([2]))
            #expect(try !Self.measure(&layout, Self.item(0), height: 60))
        }
        // An equal size is not a change, even between pixels.
        do {
            var layout = CompositionalLayout(section: LayoutSection(group: Self.rows(.estimated(40))))
            layout.prepare(in: Self.container([2]))
            #expect(try Self.measure(&layout, Self.item(0), height: 44.3))
            layout.prepare(in: Self.container([2]))
            #expect(try !Self.measure(&layout, Self.item(0), height: 44.3))
        }
    }

    @Test func elementThatKeepsChangingItsSizeKeepsTheLastSize() throws {
        var layout = CompositionalLayout(section: LayoutSection(group: Self.rows(.estimated(40))))
        layout.prepare(in: Self.container([2]))
        var acceptedCount = 0
        while try Self.measure(&layout, Self.item(0), height: 41 + Double(acceptedCount)), acceptedCount < 1_000 {
            acceptedCount += 1
            layout.prepare(in: Self.container([2]))
        }
        expectEqual(acceptedCount, 10)
        expectEqual(layout.attributes(of: Self.item(0))?.frame.height, 50)
        expectEqual(layout.diagnostics.map(\.problem), [.unsettledEstimates])
        expectEqual(layout.diagnostics.first?.element, Self.item(0))
    }

    @Test func invalidatingElementSectionOrCountsDiscardsMeasuredSizes() throws {
        let contexts = [
            InvalidationContext(elements: [Self.item(0)]), InvalidationContext(sections: [0]), .counts,
        ]
        for context in contexts {
            var layout = CompositionalLayout(section: LayoutSection(group: Self.rows(.estimated(40))))
            layout.prepare(in: Self.container([2]))
            #expect(try Self.measure(&layout, Self.item(0), height: 90))
            layout.prepare(in: Self.container([2]))
            expectEqual(layout.contentSize.height, 130)
            layout.invalidate(with: context)
            layout.prepare(in: Self.container([2]))
            expectEqual(layout.contentSize.height, 80)
        }
    }

    /// New insets or margins don't discard measured sizes, nor do rounding errors of the width while scrolling.
    @Test func invalidatingEverythingKeepsMeasuredSizes() throws {
        var layout = CompositionalLayout(section: LayoutSection(group: Self.rows(.estimated(40))))
        layout.prepare(in: Self.container([2]))
        #expect(try Self.measure(&layout, Self.item(0), height: 90))
        layout.invalidate(with: .everything)
        var container = Self.container([2])
        container.bounds = Rect(minX: 0, minY: 0, maxX: 300 + 1e-12, maxY: 100)
        layout.prepare(in: container)
        expectEqual(layout.contentSize.height, 130)
    }

    @Test func newViewHeightKeepsMeasuredSizesAndNewWidthDiscardsThem() throws {
        var layout = CompositionalLayout(section: LayoutSection(group: Self.rows(.estimated(40))))
        layout.prepare(in: Self.container([2]))
        #expect(try Self.measure(&layout, Self.item(0), height: 90))
        var taller = Self.container([2])
        taller.bounds = Rect(x: 0, y: 0, width: 300, height: 120)
        layout.prepare(in: taller)
        expectEqual(layout.contentSize.height, 130)
        layout.prepare(in: Self.container([2], width: 280))
        expectEqual(layout.contentSize.height, 80)
    }

    @Test func measuredBadgeChangesOnlyItsOwnFrame() throws {
        var item = LayoutItem(layoutSize: .full)
        item.supplementaryItems = [
            AnchoredSupplementary(
                elementKind: "badge",
                layoutSize: LayoutSize(widthDimension: .absolute(20), heightDimension: .estimated(20)),
                containerAnchor: LayoutAnchor(edges: [.bottom, .trailing]))
        ]
        let size = LayoutSize(widthDimension: .fractionalWidth(1), heightDimension: .absolute(44))
        var layout = CompositionalLayout(
            section: LayoutSection(group: .horizontal(layoutSize: size, subitems: [item])))
        layout.prepare(in: Self.container([3]))
        let badge = LayoutElement.supplementary("badge", IndexPath(section: 0, item: 1))
        #expect(try Self.measure(&layout, badge, height: 30))
        layout.prepare(in: Self.container([3]))
        expectEqual(layout.attributes(of: badge)?.frame, Rect(x: 280, y: 58, width: 20, height: 30))
        expectEqual(layout.attributes(of: Self.item(2))?.frame.minY, 88)
    }

    @Test func orthogonalSectionIsAsHighAsItsHighestMeasuredGroup() throws {
        let size = LayoutSize(widthDimension: .absolute(100), heightDimension: .estimated(80))
        var section = LayoutSection(
            group: .horizontal(
                layoutSize: size,
                subitems: [

                    LayoutItem(
                        layoutSize: LayoutSize(
                            widthDimension: .fractionalWidth(1), heightDimension: .estimated(80)))
                ]))
        section.orthogonalScrollingBehavior = .groupPaging
        var layout = CompositionalLayout(section: section)
        layout.prepare(in: Self.container([5]))
        expectEqual(layout.contentSize.height, 80)
        for (index, height) in [(0, 50.0), (1, 60), (2, 55)] {
            #expect(try Self.measure(&layout, Self.item(index), height: height))
        }
        layout.prepare(in: Self.container([5]))
        expectEqual(layout.contentSize.height, 60)
    }

    // MARK: - Scrolling

    @Test func scrollingInvalidatesOnlyWithPinnedElementsOrHandlers() {
        let old = Rect(x: 0, y: 0, width: 300, height: 100)
        let scrolled = old.offset(x: 0, y: 50)
        let wider = Rect(x: 0, y: 0, width: 310, height: 100)
        var section = LayoutSection(group: Self.rows(.absolute(40)))
        var plain = CompositionalLayout(section: section)
        plain.prepare(in: Self.container([5]))
        #expect(!plain.shouldInvalidate(forBoundsChangeFrom: old, to: scrolled))
        #expect(plain.shouldInvalidate(forBoundsChangeFrom: old, to: wider))
        #expect(plain.invalidationContext(forBoundsChangeFrom: old, to: wider).invalidatesEverything)

        section.visibleItemsInvalidationHandler = { _, _, _ in }
        var withHandler = CompositionalLayout(section: section)
        withHandler.prepare(in: Self.container([5]))
        #expect(withHandler.shouldInvalidate(forBoundsChangeFrom: old, to: scrolled))
        expectEqual(withHandler.invalidationContext(forBoundsChangeFrom: old, to: scrolled), InvalidationContext())
    }

    @Test func scrollingDoesNotSolveGroupsAgain() {
        let counted = Calls()
        var layout = CompositionalLayout { _, _ in
            counted.add()
            var section = LayoutSection(group: Self.rows(.absolute(40)))
            section.boundarySupplementaryItems = [
                BoundarySupplementary(
                    elementKind: "header",
                    layoutSize: LayoutSize(widthDimension: .fractionalWidth(1), heightDimension: .absolute(30)),
                    alignment: .top, pinToVisibleBounds: true)
            ]
            return section
        }
        layout.prepare(in: Self.container([50]))
        for y in stride(from: 0.0, to: 500, by: 50) {
            layout.invalidate(with: InvalidationContext())
            layout.prepare(in: Self.container([50], y: y))
            let header = layout.attributes(of: .supplementary("header", IndexPath(section: 0, item: 0)))
            expectEqual(header?.frame.minY, y)
        }
        expectEqual(counted.count, 1)
    }

    @Test func orthogonalSectionStopsWhereItsBehaviorRequires() {
        let size = LayoutSize(widthDimension: .absolute(200), heightDimension: .absolute(80))
        var section = LayoutSection(
            group: .horizontal(layoutSize: size, subitems: [LayoutItem(layoutSize: .full)]))
        section.orthogonalScrollingBehavior = .groupPaging
        section.interGroupSpacing = 10
        var layout = CompositionalLayout(section: section)
        layout.prepare(in: Self.container([5]))
        let target = layout.targetOrthogonalOffset(section: 0, proposed: 320, velocity: 1)
        expectEqual(target, 420)
        layout.setOrthogonalOffset(target, section: 0)
        expectEqual(layout.attributes(of: Self.item(2))?.frame.minX, 0)
        expectEqual(layout.orthogonalMetrics(section: 0)?.content, 1_040.0)
    }

    // MARK: - Handlers

    @Test func handlersReceiveAndModifyVisibleElementsBeforeEachPass() {
        let log = HandlerLog()
        let size = LayoutSize(widthDimension: .absolute(100), heightDimension: .absolute(80))
        var section = LayoutSection(
            group: .horizontal(layoutSize: size, subitems: [LayoutItem(layoutSize: .full)]))
        section.orthogonalScrollingBehavior = .continuous
        section.visibleItemsInvalidationHandler = { items, offset, environment in
            log.append(items.map(\.indexPath.item), offset)
            for index in items.indices {
                items[index].alpha = 0.5
                let frame = items[index].frame
                items[index].frame = Rect(
                    x: frame.minX - 50, y: frame.minY - 40, width: 200, height: 160)
            }
            expectEqual(environment.container.contentSize, Size(width: 300, height: 100))
        }
        var layout = CompositionalLayout(section: section)
        layout.prepare(in: Self.container([9]))
        layout.setOrthogonalOffset(150, section: 0)
        layout.prepare(in: Self.container([9]))
        expectEqual(log.items, [[0, 1, 2], [1, 2, 3, 4]])
        expectEqual(log.offsets, [.zero, Point(x: 150, y: 0)])
        let changed = layout.attributes(of: Self.item(2))
        expectEqual(changed?.alpha, 0.5)
        expectEqual(changed?.frame, Rect(x: 0, y: -40, width: 200, height: 160))
        expectEqual(layout.attributes(of: Self.item(0))?.alpha, 1)
        expectEqual(layout.attributes(in: Rect(x: 20, y: -30, width: 1, height: 1)).map(\.indexPath.item), [1, 2])
    }

    @Test func addedElementsAndInvalidValuesOfHandlersAreIgnored() {
        var section = LayoutSection(group: Self.rows(.absolute(40)))
        section.visibleItemsInvalidationHandler = { items, _, _ in
            items[0].frame = Rect(minX: .nan, minY: -.infinity, maxX: .nan, maxY: .infinity)
            items[0].alpha = .nan
            items[1].element = .item(IndexPath(section: 7, item: 7))
        }
        var layout = CompositionalLayout(section: section)
        layout.prepare(in: Self.container([3]))
        let first = layout.attributes(of: Self.item(0))
        expectEqual(first?.frame.minX.isFinite, true)
        expectEqual(first?.frame.height.isFinite, true)
        expectEqual(first?.alpha, 1)
        expectEqual(layout.attributes(of: .item(IndexPath(section: 7, item: 7))), nil)
        expectEqual(layout.attributes(of: Self.item(1))?.frame.minY, 40)
        expectEqual(Set(layout.diagnostics.map(\.problem)), [.unusableLength, .unknownIndexPath])
    }
}

/// Counts calls.
private final class Calls: Sendable {
    private let calls = Mutex(0)

    func add() { calls.withLock { $0 += 1 } }

    var count: Int { calls.withLock { $0 } }
}

/// Records what a handler receives.
private final class HandlerLog: Sendable {
    private let entries = Mutex<[([Int], Point)]>([])

    func append(_ items: [Int], _ offset: Point) { entries.withLock { $0.append((items, offset)) } }

    var items: [[Int]] { entries.withLock { $0.map(\.0) } }

    var offsets: [Point] { entries.withLock { $0.map(\.1) } }
}

/// The effect of batch updates on measured sizes and offsets.
@Suite struct CompositionalFollowTests {
    private static func container(_ counts: [Int], y: Double = 0) -> LayoutContainer {
        LayoutContainer(bounds: Rect(x: 0, y: y, width: 100, height: 100), counts: ItemCounts(counts))
    }

    /// Rows with an estimated height of 40, each with a badge, and a header with an estimated height of 10, measured as
    /// specified.
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
        var section = LayoutSection(group: .horizontal(layoutSize: size, subitems: [item]))
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
        layout.attributes(of: element)?.frame.height
    }

    @Test func measuredSizesMoveWithTheirItems() throws {
        var layout = Self.layout([6, 2], [Self.item(0, 3): 60, Self.item(0, 5): 70, Self.item(1, 0): 90])
        var updates = BatchUpdates()
        updates.deleteItems(at: [path(0, 2)])
        updates.insertItems(at: [path(0, 0)])
        updates.moveItem(at: path(0, 5), to: path(1, 0))
        layout.prepare(forUpdates: try UpdateMap(updates, from: ItemCounts([6, 2]), to: ItemCounts([5, 3])))
        layout.invalidate(with: .counts)
        layout.prepare(in: Self.container([5, 3]))
        // New, 0, 1, 3, 4; then 5 of the preceding section, 0, 1.
        expectEqual((0..<5).map { Self.height(Self.item(0, $0), layout) }, [40, 40, 40, 60, 40])
        expectEqual((0..<3).map { Self.height(Self.item(1, $0), layout) }, [70, 90, 40])
        expectEqual(layout.contentSize.height, 10 + 220 + 10 + 200)
    }

    @Test func twoUpdatesBeforeOnePassAddUp() throws {
        var layout = Self.layout([3], [Self.item(0, 0): 60])
        var updates = BatchUpdates()
        updates.insertItems(at: [path(0, 0)])
        for count in [3, 4] {
            layout.prepare(forUpdates: try UpdateMap(updates, from: ItemCounts([count]), to: ItemCounts([count + 1])))
            layout.invalidate(with: .counts)
        }
        layout.prepare(in: Self.container([5]))
        expectEqual((0..<5).map { Self.height(Self.item(0, $0), layout) }, [40, 40, 60, 40, 40])
    }

    /// Reloaded data has different items.
    @Test(arguments: [[InvalidationContext.counts, .counts], [.everything, .counts, .counts]])
    func onlyCountsOfFollowedUpdatesKeepMeasuredSizes(contexts: [InvalidationContext]) throws {
        var layout = Self.layout([3], [Self.item(0, 0): 60])
        layout.prepare(forUpdates: try UpdateMap(BatchUpdates(), from: ItemCounts([3]), to: ItemCounts([3])))
        for context in contexts { layout.invalidate(with: context) }
        layout.prepare(in: Self.container([3]))
        expectEqual(layout.contentSize.height, 130)
    }

    /// An element that has changed its size ten times keeps it until the data changes.
    @Test func elementsCanChangeTheirSizeAgainAfterUpdates() throws {
        var layout = Self.layout([2], [:])
        func accepts(_ height: Double) throws -> Bool {
            let original = try #require(layout.attributes(of: Self.item(0, 0)))
            var preferred = original
            preferred.frame = Rect(x: 0, y: 0, width: 100, height: height)
            return layout.shouldInvalidate(forPreferred: preferred, original: original)
        }
        for height in 41...50 {
            let size = Size(width: 100, height: Double(height))
            layout.invalidate(with: InvalidationContext(preferredSizes: [Self.item(0, 0): size]))
            layout.prepare(in: Self.container([2]))
        }
        #expect(try !accepts(60) && layout.diagnostics.map(\.problem) == [.unsettledEstimates])
        layout.prepare(forUpdates: try UpdateMap(BatchUpdates(), from: ItemCounts([2]), to: ItemCounts([2])))
        layout.invalidate(with: .counts)
        layout.prepare(in: Self.container([2]))
        #expect(try accepts(60) && Self.height(Self.item(0, 0), layout) == 50 && layout.diagnostics.isEmpty)
    }

    @Test func headersMoveWithSectionsAndBadgesWithItems() throws {
        let badge = LayoutElement.supplementary("badge", path(1, 0))
        var layout = Self.layout([2, 2, 2], [Self.header(1): 30, badge: 20, Self.header(2): 25, Self.item(2, 0): 50])
        var updates = BatchUpdates()
        updates.deleteSections([0])
        updates.insertItems(at: [path(0, 0)])
        updates.reloadSections([2])
        layout.prepare(forUpdates: try UpdateMap(updates, from: ItemCounts([2, 2, 2]), to: ItemCounts([3, 2])))
        layout.invalidate(with: .counts)
        layout.prepare(in: Self.container([3, 2]))
        expectEqual(Self.height(Self.header(0), layout), 30)
        expectEqual((0..<3).map { Self.height(.supplementary("badge", path(0, $0)), layout) }, [8, 20, 8])
        // A reloaded section has other items and another header.
        expectEqual(Self.height(Self.header(1), layout), 10)
        expectEqual(Self.height(Self.item(1, 0), layout), 40)
    }

    @Test func updatesKeepHeaderOfWholeLayout() throws {
        let size = LayoutSize(widthDimension: .fractionalWidth(1), heightDimension: .estimated(10))
        let header = LayoutElement.supplementary("top", path(IndexPath.wholeLayoutSection, 0))
        var layout = Self.layout([2], [:])
        layout.configuration.boundarySupplementaryItems = [
            BoundarySupplementary(elementKind: "top", layoutSize: size, alignment: .top)
        ]
        layout.prepare(in: Self.container([2]))
        layout.invalidate(with: InvalidationContext(preferredSizes: [header: Size(width: 100, height: 33)]))
        layout.prepare(forUpdates: try UpdateMap(BatchUpdates(), from: ItemCounts([2]), to: ItemCounts([2])))
        layout.invalidate(with: .counts)
        layout.prepare(in: Self.container([2]))
        expectEqual(Self.height(header, layout), 33)
    }

    @Test func orthogonalOffsetsMoveWithTheirSections() throws {
        let size = LayoutSize(widthDimension: .absolute(80), heightDimension: .absolute(30))
        var section = LayoutSection(
            group: .horizontal(layoutSize: size, subitems: [LayoutItem(layoutSize: .full)]))
        section.orthogonalScrollingBehavior = .continuous
        var layout = CompositionalLayout(section: section)
        layout.prepare(in: Self.container([9, 9]))
        layout.setOrthogonalOffset(120, section: 0)
        layout.setOrthogonalOffset(50, section: 1)
        var updates = BatchUpdates()
        updates.insertSections([0])
        updates.deleteSections([1])
        layout.prepare(forUpdates: try UpdateMap(updates, from: ItemCounts([9, 9]), to: ItemCounts([9, 9])))
        layout.invalidate(with: .counts)
        layout.prepare(in: Self.container([9, 9]))
        expectEqual([0, 1].map { layout.orthogonalOffset(section: $0) }, [0, 120])
    }
}

/// A measured size modifies a section in place, so that its cost does not depend on the groups measured before.
@Suite struct CompositionalInPlaceTests {
    @Test func measuringModifiesSectionContentInPlace() {
        let log = ProbeLog()
        let row = LayoutElement.item(IndexPath(section: 0, item: 0))
        var layout = CompositionalLayout(section: LayoutSection(arrangement: ProbeArrangement(log: log)))
        let container = LayoutContainer(bounds: Rect(x: 0, y: 0, width: 100, height: 100), counts: ItemCounts([1]))
        layout.prepare(in: container)
        for height in [30.0, 40] {
            layout.invalidate(with: InvalidationContext(preferredSizes: [row: Size(width: 100, height: height)]))
            layout.prepare(in: container)
        }
        expectEqual(log.wasUnique, [true, true])
    }
}

private final class ProbeLog: Sendable {
    private let entries = Mutex<[Bool]>([])

    func append(_ wasUnique: Bool) { entries.withLock { $0.append(wasUnique) } }

    var wasUnique: [Bool] { entries.withLock { $0 } }
}

private struct ProbeArrangement: SectionArrangement {
    let log: ProbeLog

    func solved(
        in space: SectionSpace, measures: ElementMeasures, reusing previous: (any SectionContent)?,
        diagnostics: inout LayoutDiagnostics
    ) -> any SectionContent {
        ProbeContent(log: log)
    }
}

/// Section content that records whether its storage is uniquely referenced, as a copy-on-write array checks.
private struct ProbeContent: SectionContent {
    final class Storage: Sendable {}

    let log: ProbeLog
    var storage = Storage()

    var size: Size { Size(width: 100, height: 20) }
    var reach: Rect { Rect(x: 0, y: 0, width: 100, height: 20) }
    var groupLengths: (group: Double, pitch: Double) { (20, 20) }

    func append(to found: inout [LayoutAttributes], in rect: Rect, cost: inout LayoutCost) {}

    func attributes(of element: LayoutElement) -> LayoutAttributes? { nil }

    func estimatedAxes(of element: LayoutElement) -> AxisSet { AxisSet(vertical: true) }

    mutating func remeasure(
        _ elements: some Sequence<LayoutElement>, measures: ElementMeasures, diagnostics: inout LayoutDiagnostics
    ) {
        log.append(isKnownUniquelyReferenced(&storage))
    }
}
