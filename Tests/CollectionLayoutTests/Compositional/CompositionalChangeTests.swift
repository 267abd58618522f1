import CollectionLayout
import Synchronization
import Testing

/// Measures, scrolling, handlers: what changes from one layout to the next.
@Suite struct CompositionalChangeTests {
    private static func rows(_ height: LayoutDimension) -> LayoutGroup {
        let size = LayoutSize(widthDimension: .fractionalWidth(1), heightDimension: height)
        return .horizontal(layoutSize: size, subitems: [.item(LayoutItem(layoutSize: size))])
    }

    private static func container(_ counts: [Int], y: Double = 0, width: Double = 300) -> LayoutContainer {
        LayoutContainer(bounds: Rect(x: 0, y: y, width: width, height: 100), counts: ItemCounts(counts))
    }

    private static func item(_ index: Int, _ section: Int = 0) -> LayoutElement {
        .item(IndexPath(section: section, item: index))
    }

    private static func ask(_ layout: inout CompositionalLayout, _ element: LayoutElement, height: Double) throws
        -> Bool
    {
        let original = try #require(layout.attributes(of: element))
        var preferred = original
        preferred.layoutFrame = Rect(
            origin: original.layoutFrame.origin, size: Size(width: original.layoutFrame.width, height: height))
        guard layout.shouldInvalidate(forPreferred: preferred, original: original) else { return false }
        layout.invalidate(with: layout.invalidationContext(forPreferred: preferred, original: original))
        return true
    }

    // MARK: - Estimates

    @Test func aMeasuredRowMovesAllBehindItInAnyOrderOfMeasuring() throws {
        var layout = CompositionalLayout(section: LayoutSection(group: Self.rows(.estimated(40))))
        layout.prepare(in: Self.container([1_000, 1]))
        for (index, height) in [(500, 60.0), (3, 10), (999, 50), (4, 45), (500, 70)] {
            #expect(try Self.ask(&layout, Self.item(index), height: height))
            layout.prepare(in: Self.container([1_000, 1]))
        }
        // Rows of 40, and −30, +5, +30 and +10 from their measures on.
        func y(_ index: Int) -> Double? { layout.attributes(of: Self.item(index))?.layoutFrame.minY }
        #expect(y(3) == 120)
        #expect(y(4) == 130)
        #expect(y(5) == 175)
        #expect(y(500) == 19_975)
        #expect(y(501) == 20_045)
        #expect(y(999) == 39_965)
        #expect(layout.attributes(of: Self.item(0, 1))?.layoutFrame.minY == 40_015)
        #expect(layout.contentSize.height == 40_055)
        #expect(layout.attributes(in: Rect(x: 0, y: 120, width: 300, height: 10)).map(\.indexPath.item) == [3])
    }

    @Test func aFixedRowIsNotAskedForItsSize() throws {
        var layout = CompositionalLayout(section: LayoutSection(group: Self.rows(.absolute(40))))
        layout.prepare(in: Self.container([2]))
        #expect(try !Self.ask(&layout, Self.item(0), height: 60))
    }

    @Test func whoAsksForOtherSizesAgainAndAgainKeepsTheLast() throws {
        var layout = CompositionalLayout(section: LayoutSection(group: Self.rows(.estimated(40))))
        layout.prepare(in: Self.container([2]))
        var asked = 0
        while try Self.ask(&layout, Self.item(0), height: 41 + Double(asked)), asked < 1_000 {
            asked += 1
            layout.prepare(in: Self.container([2]))
        }
        #expect(asked == 10)
        #expect(layout.attributes(of: Self.item(0))?.layoutFrame.height == 50)
        #expect(layout.diagnostics.map(\.problem) == [.unsettledEstimates])
        #expect(layout.diagnostics.first?.element == Self.item(0))
    }

    @Test func theSameSizeAgainIsNoChangeEvenBetweenPixels() throws {
        var layout = CompositionalLayout(section: LayoutSection(group: Self.rows(.estimated(40))))
        layout.prepare(in: Self.container([2]))
        #expect(try Self.ask(&layout, Self.item(0), height: 44.3))
        layout.prepare(in: Self.container([2]))
        #expect(try !Self.ask(&layout, Self.item(0), height: 44.3))
    }

    @Test func measuresAreForgottenWithTheirElementTheirSectionAndTheCounts() throws {
        let contexts = [
            InvalidationContext(elements: [Self.item(0)]), InvalidationContext(sections: [0]), .counts,
        ]
        for context in contexts {
            var layout = CompositionalLayout(section: LayoutSection(group: Self.rows(.estimated(40))))
            layout.prepare(in: Self.container([2]))
            #expect(try Self.ask(&layout, Self.item(0), height: 90))
            layout.prepare(in: Self.container([2]))
            #expect(layout.contentSize.height == 130)
            layout.invalidate(with: context)
            layout.prepare(in: Self.container([2]))
            #expect(layout.contentSize.height == 80)
        }
    }

    /// Another inset or margin is no reason to measure anew, nor is what scrolling rounds away of the width.
    @Test func measuresAreKeptWithEverythingElse() throws {
        var layout = CompositionalLayout(section: LayoutSection(group: Self.rows(.estimated(40))))
        layout.prepare(in: Self.container([2]))
        #expect(try Self.ask(&layout, Self.item(0), height: 90))
        layout.invalidate(with: .everything)
        var container = Self.container([2])
        container.bounds = Rect(minX: 0, minY: 0, maxX: 300 + 1e-12, maxY: 100)
        layout.prepare(in: container)
        #expect(layout.contentSize.height == 130)
    }

    @Test func anotherHeightOfTheViewKeepsMeasuresAndAnotherWidthDoesNot() throws {
        var layout = CompositionalLayout(section: LayoutSection(group: Self.rows(.estimated(40))))
        layout.prepare(in: Self.container([2]))
        #expect(try Self.ask(&layout, Self.item(0), height: 90))
        var taller = Self.container([2])
        taller.bounds = Rect(x: 0, y: 0, width: 300, height: 120)
        layout.prepare(in: taller)
        #expect(layout.contentSize.height == 130)
        layout.prepare(in: Self.container([2], width: 280))
        #expect(layout.contentSize.height == 80)
    }

    @Test func aMeasuredBadgeChangesItsOwnFrameAlone() throws {
        var item = LayoutItem(layoutSize: .full)
        item.supplementaryItems = [
            AnchoredSupplementary(
                elementKind: "badge",
                layoutSize: LayoutSize(widthDimension: .absolute(20), heightDimension: .estimated(20)),
                containerAnchor: LayoutAnchor(edges: [.bottom, .trailing]))
        ]
        let size = LayoutSize(widthDimension: .fractionalWidth(1), heightDimension: .absolute(44))
        var layout = CompositionalLayout(
            section: LayoutSection(group: .horizontal(layoutSize: size, subitems: [.item(item)])))
        layout.prepare(in: Self.container([3]))
        let badge = LayoutElement.supplementary("badge", IndexPath(section: 0, item: 1))
        #expect(try Self.ask(&layout, badge, height: 30))
        layout.prepare(in: Self.container([3]))
        #expect(layout.attributes(of: badge)?.layoutFrame == Rect(x: 280, y: 58, width: 20, height: 30))
        #expect(layout.attributes(of: Self.item(2))?.layoutFrame.minY == 88)
    }

    @Test func anOrthogonalSectionIsAsHighAsItsHighestMeasuredGroup() throws {
        let size = LayoutSize(widthDimension: .absolute(100), heightDimension: .estimated(80))
        var section = LayoutSection(
            group: .horizontal(
                layoutSize: size,
                subitems: [
                    .item(
                        LayoutItem(
                            layoutSize: LayoutSize(
                                widthDimension: .fractionalWidth(1), heightDimension: .estimated(80))))
                ]))
        section.orthogonalScrollingBehavior = .groupPaging
        var layout = CompositionalLayout(section: section)
        layout.prepare(in: Self.container([5]))
        #expect(layout.contentSize.height == 80)
        for (index, height) in [(0, 50.0), (1, 60), (2, 55)] {
            #expect(try Self.ask(&layout, Self.item(index), height: height))
        }
        layout.prepare(in: Self.container([5]))
        #expect(layout.contentSize.height == 60)
    }

    // MARK: - Scrolling

    @Test func onlyPinnedElementsAndHandlersMindScrolling() {
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
        var handled = CompositionalLayout(section: section)
        handled.prepare(in: Self.container([5]))
        #expect(handled.shouldInvalidate(forBoundsChangeFrom: old, to: scrolled))
        #expect(handled.invalidationContext(forBoundsChangeFrom: old, to: scrolled) == InvalidationContext())
    }

    @Test func aScrollSolvesNothingAgain() {
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
            #expect(header?.layoutFrame.minY == y)
        }
        #expect(counted.count == 1)
    }

    @Test func aSectionComesToRestWhereItsBehaviourSays() {
        let size = LayoutSize(widthDimension: .absolute(200), heightDimension: .absolute(80))
        var section = LayoutSection(
            group: .horizontal(layoutSize: size, subitems: [.item(LayoutItem(layoutSize: .full))]))
        section.orthogonalScrollingBehavior = .groupPaging
        section.interGroupSpacing = 10
        var layout = CompositionalLayout(section: section)
        layout.prepare(in: Self.container([5]))
        let target = layout.targetOrthogonalOffset(section: 0, proposed: 320, velocity: 1)
        #expect(target == 420)
        layout.setOrthogonalOffset(target, section: 0)
        #expect(layout.attributes(of: Self.item(2))?.layoutFrame.minX == 0)
        #expect(layout.orthogonalMetrics(section: 0)?.content == 1_040.0)
    }

    // MARK: - Handlers

    @Test func handlersSeeWhatIsVisibleBeforeEachLayoutAndChangeIt() {
        let seen = Seen()
        let size = LayoutSize(widthDimension: .absolute(100), heightDimension: .absolute(80))
        var section = LayoutSection(
            group: .horizontal(layoutSize: size, subitems: [.item(LayoutItem(layoutSize: .full))]))
        section.orthogonalScrollingBehavior = .continuous
        section.visibleItemsInvalidationHandler = { items, offset, environment in
            seen.note(items.map(\.indexPath.item), offset)
            for index in items.indices {
                items[index].alpha = 0.5
                items[index].transform = .scale(x: 2, y: 2)
            }
            #expect(environment.container.contentSize == Size(width: 300, height: 100))
        }
        var layout = CompositionalLayout(section: section)
        layout.prepare(in: Self.container([9]))
        layout.setOrthogonalOffset(150, section: 0)
        layout.prepare(in: Self.container([9]))
        #expect(seen.items == [[0, 1, 2], [1, 2, 3, 4]])
        #expect(seen.offsets == [.zero, Point(x: 150, y: 0)])
        let changed = layout.attributes(of: Self.item(2))
        #expect(changed?.alpha == 0.5)
        #expect(changed?.frame == Rect(x: 0, y: -40, width: 200, height: 160))
        #expect(layout.attributes(of: Self.item(0))?.alpha == 1)
        #expect(layout.attributes(in: Rect(x: 20, y: -30, width: 1, height: 1)).map(\.indexPath.item) == [1, 2])
    }

    @Test func whatHandlersAddOrSpoilIsNotTaken() {
        var section = LayoutSection(group: Self.rows(.absolute(40)))
        section.visibleItemsInvalidationHandler = { items, _, _ in
            items[0].layoutFrame = Rect(minX: .nan, minY: -.infinity, maxX: .nan, maxY: .infinity)
            items[0].alpha = .nan
            items[0].transform = AffineTransform(a: .nan, b: 0, c: 0, d: .infinity)
            items[1].element = .item(IndexPath(section: 7, item: 7))
        }
        var layout = CompositionalLayout(section: section)
        layout.prepare(in: Self.container([3]))
        let spoiled = layout.attributes(of: Self.item(0))
        #expect(spoiled?.frame.minX.isFinite == true && spoiled?.frame.height.isFinite == true)
        #expect(spoiled?.alpha == 1)
        #expect(layout.attributes(of: .item(IndexPath(section: 7, item: 7))) == nil)
        #expect(layout.attributes(of: Self.item(1))?.layoutFrame.minY == 40)
        #expect(Set(layout.diagnostics.map(\.problem)) == [.unusableLength, .unknownIndexPath])
    }
}

/// Counts calls.
private final class Calls: Sendable {
    private let calls = Mutex(0)

    func add() { calls.withLock { $0 += 1 } }

    var count: Int { calls.withLock { $0 } }
}

/// What a handler was shown.
private final class Seen: Sendable {
    private let notes = Mutex<[([Int], Point)]>([])

    func note(_ items: [Int], _ offset: Point) { notes.withLock { $0.append((items, offset)) } }

    var items: [[Int]] { notes.withLock { $0.map(\.0) } }

    var offsets: [Point] { notes.withLock { $0.map(\.1) } }
}
