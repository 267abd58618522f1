import CollectionLayout
import LayoutTestSupport
import TestSupport
import Testing

@Suite struct FlowRobustnessTests {
    static let bad: [Double] = [-5, .infinity, -.infinity, .nan, 1e300]

    @Test(arguments: bad) func unusableLengthsAreReportedAndReplaced(length: Double) {
        let changes: [(String, (inout FlowLayout) -> Void)] = [
            ("itemSize.width", { $0.itemSize.width = length }), ("itemSize.height", { $0.itemSize.height = length }),
            ("minimumLineSpacing", { $0.minimumLineSpacing = length }),
            ("minimumInteritemSpacing", { $0.minimumInteritemSpacing = length }),
            ("sectionInset.top", { $0.sectionInset.top = length }),
            ("sectionInset.trailing", { $0.sectionInset.trailing = length }),
            ("the header's length", { $0.headerReferenceSize.height = length }),
            ("the footer's length", { $0.footerReferenceSize.height = length }),
            ("sizeForItem.width", { $0.delegate.sizeForItem = { _ in size(length, 10) } }),
            ("sizeForItem.height", { $0.delegate.sizeForItem = { _ in size(10, length) } }),
        ]
        for (name, change) in changes {
            let layout = FlowLayout.prepared(width: 100, counts: [3], change)
            let first = layout.diagnostics.first { $0.problem == .unusableLength }
            expectEqual(first?.detail, "\(name) is \(length)")
            expectEqual(first?.section, 0)
            #expect(layout.items(3).allSatisfy { $0?.isFinite == true })
            #expect(layout.contentSize.width.isFinite && layout.contentSize.height.isFinite)
        }
    }

    @Test func insetsWithoutRemainingSpaceAreReported() {
        let layout = FlowLayout.prepared(width: 100, counts: [2]) {
            $0.sectionInset = EdgeInsets(leading: 60, trailing: 60)
        }
        #expect(!layout.diagnostics.isEmpty && layout.diagnostics.allSatisfy { $0.problem == .noRoom })
        expectEqual(layout.items(2), [box(60, 0, 50, 50), box(60, 60, 50, 50)])
    }

    @Test func endlessCountsAreLaidOut() {
        struct Endless: SectionCounts {
            var sectionCount: Int { .max }
            func itemCount(inSection section: Int) -> Int { section == 0 ? .max : -1 }
        }
        var layout = FlowLayout()
        layout.prepare(in: LayoutContainer(bounds: box(0, 0, 100, 100), counts: Endless()))
        expectEqual(layout.attributes(in: box(0, 0, 100, 100)).count, 2)
        expectEqual(layout.item(.max - 1)?.isFinite, true)
        expectEqual(layout.item(.max), nil)
        // Too many sections, and a length beyond the precision of a `Double`.
        expectEqual(layout.diagnostics.map(\.problem), [.limitReached, .unusableLength])
        expectEqual(layout.diagnostics.first?.section, FlowLayout.sectionLimit)
    }

    @Test func queryOfItemsWithoutSizeStopsAtLimit() {
        let layout = FlowLayout.prepared(width: 100, counts: [3, .max]) {
            $0.itemSize = .zero
            $0.rowAlignment = .leading
            $0.minimumLineSpacing = 0
            $0.minimumInteritemSpacing = 0
        }
        expectEqual(layout.item(2), box(0, 0, 0, 0))
        #expect(layout.attributes(in: box(1, 0, 1, 1)).isEmpty)
        expectEqual(layout.contentSize, size(100, 0))
    }

    /// Each item with an individual size uses memory, so that the limit applies to all sections together.
    @Test func individualSizesAreLimitedPerLayout() {
        var layout = FlowLayout()
        layout.ownSizeLimit = 5
        layout.itemSize = size(100, 10)
        layout.minimumLineSpacing = 0
        layout.delegate.sizeForItem = { _ in size(100, 20) }
        layout.prepare(in: .view(width: 100, height: 100, counts: [3, 3, 1]))
        let expected: [[Double?]] = [[20, 20, 20], [20, 20, 10], [10]]
        func heights(_ section: Int) -> [Double?] { layout.items([3, 3, 1][section], in: section).map { $0?.height } }
        expectEqual((0..<3).map(heights), expected)
        expectEqual(layout.diagnostics.map(\.problem), [.limitReached, .limitReached])
        expectEqual(layout.diagnostics.map(\.section), [1, 2])
    }

    @Test func unpreparedLayoutIsEmpty() {
        let layout = FlowLayout()
        expectEqual(layout.contentSize, .zero)
        #expect(layout.attributes(in: box(0, 0, 100, 100)).isEmpty)
        expectEqual(layout.item(0), nil)
    }

    @Test func invalidRectanglesFindNothingOrEverything() {
        let layout = FlowLayout.prepared(width: 100, counts: [5])
        let all = Rect(minX: -.infinity, minY: -.infinity, maxX: .infinity, maxY: .infinity)
        expectEqual(layout.attributes(in: all).count, 5)
        #expect(layout.attributes(in: Rect(minX: .nan, minY: .nan, maxX: .nan, maxY: .nan)).isEmpty)
    }

    @Test func resultsAreAlwaysFinite() {
        let seed = SeededGenerator.anySeed()
        var generator = SeededGenerator(seed: seed)
        func any() -> Double {
            [0, 1, 7.3, 50, 1e12, 1e-300, 1e15].randomElement(using: &generator).flatMap {
                Bool.random(using: &generator) ? $0 : Self.bad.randomElement(using: &generator)
            } ?? 0
        }
        for round in 0..<TestScope.cases(10_000) {
            let insets = EdgeInsets(top: any(), leading: any(), bottom: any(), trailing: any())
            var layout = FlowLayout()
            layout.itemSize = size(any(), any())
            if round.isMultiple(of: 3) { layout.estimatedItemSize = size(any(), any()) }
            layout.minimumLineSpacing = any()
            layout.minimumInteritemSpacing = any()
            layout.sectionInset = insets
            layout.headerReferenceSize = size(any(), any())
            layout.sectionHeadersPinToVisibleBounds = round.isMultiple(of: 2)
            layout.scrollDirection = round.isMultiple(of: 5) ? .horizontal : .vertical
            if round.isMultiple(of: 4) {
                let sizes = (0..<4).map { _ in size(any(), any()) }
                layout.delegate.sizeForItem = { sizes[$0.item % 4] }
            }
            let bounds = Rect(x: any(), y: any(), width: any(), height: any())
            layout.prepare(
                in: LayoutContainer(
                    bounds: bounds, counts: ItemCounts([Int.random(in: 0...6, using: &generator), 2]),
                    contentInset: EdgeInsets(all: any()), safeAreaInsets: EdgeInsets(all: any()),
                    layoutDirection: round.isMultiple(of: 7) ? .rightToLeft : .leftToRight, scale: any()))
            let path = LayoutElement.item(IndexPath(section: 0, item: 0))
            layout.invalidate(with: layout.invalidationContext(forPreferredSizes: [path: size(any(), any())]))
            _ = layout.shouldInvalidate(forBoundsChangeFrom: bounds, to: box(0, 0, 1, 1))
            _ = layout.invalidationContext(forBoundsChangeFrom: bounds, to: box(0, 0, any(), 1))
            let found = layout.attributes(in: bounds) + layout.attributes(in: box(-1e13, -1e13, 1e14, 1e14))
            let isValid =
                found.allSatisfy { $0.frame.isFinite } && layout.contentSize.width.isFinite
                && layout.contentSize.height.isFinite
            guard isValid else {
                Issue.record("seed \(seed), round \(round): \(layout)")
                return
            }
        }
    }
}

extension Rect {
    fileprivate var isFinite: Bool { [minX, minY, maxX, maxY].allSatisfy(\.isFinite) }
}

@Suite struct FlowCostTests {
    /// Five in each row of a view 300 wide, with rows 60 apart: a rectangle of 600 touches at most eleven rows, and the
    /// query may examine two more at either end.
    @Test(arguments: [100_000, 1_000_000, 10_000_000_000])
    func queryCostDependsOnVisibleRows(count: Int) {
        let layout = FlowLayout.prepared(width: 300, counts: [count])
        for row in [0, count / 10, count / 5 - 20] {
            var cost = LayoutCost()
            let found = layout.attributes(in: box(0, Double(row) * 60, 300, 600), cost: &cost)
            expectEqual(found.count, 50)
            #expect(cost.total <= 2 * 5 * 15 + 1)
        }
        expectEqual(layout.item(count - 1)?.minY, Double(count / 5 - 1) * 60)
        expectEqual(layout.contentSize.height, Double(count / 5) * 60 - 10)
    }

    @Test func narrowRectangleDoesNotExamineWholeRows() {
        let layout = FlowLayout.prepared(width: 1_000_000, counts: [1_000_000]) {
            $0.itemSize = size(5, 5)
            $0.minimumInteritemSpacing = 0
        }
        var cost = LayoutCost()
        expectEqual(layout.attributes(in: box(500_000, 0, 10, 10), cost: &cost).count, 2)
        #expect(cost.total <= 2 * 16 + 1)
    }

    @Test(arguments: [200, 20_000])
    func queryCostIsIndependentOfSectionCount(sections: Int) {
        let layout = FlowLayout.prepared(width: 300, counts: Array(repeating: 6, count: sections)) {
            $0.headerReferenceSize = size(0, 20)
            $0.sectionHeadersPinToVisibleBounds = true
        }
        var cost = LayoutCost()
        // A section is 130 long: at most six of them touch the rectangle.
        _ = layout.attributes(in: box(0, Double(sections) * 65, 300, 600), cost: &cost)
        #expect(cost.sections <= 6)
        #expect(cost.total <= 6 * (1 + 2 * 6 + 1))
    }

    @Test func rowsWithIndividualSizesAreFoundWithoutScanning() {
        let layout = FlowLayout.prepared(width: 300, counts: [100_000]) {
            $0.delegate.sizeForItem = { size(50, Double(10 + $0.item % 40)) }
        }
        var cost = LayoutCost()
        let found = layout.attributes(in: box(0, layout.contentSize.height / 2, 300, 300), cost: &cost)
        #expect(!found.isEmpty)
        #expect(cost.total <= 2 * 5 * 32)
    }

    @Test func measuredItemAmongMillionsMovesFollowingItems() {
        let count = 10_000_000_000
        var layout = FlowLayout.prepared(width: 300, counts: [count]) {
            $0.estimatedItemSize = size(50, 50)
        }
        layout.measure(size(50, 80), items: 500_000..<500_007)
        layout.measure(size(50, 70), items: 12..<13)
        expectEqual(layout.item(11)?.minY, 130)
        expectEqual(layout.item(12)?.minY, 120)
        expectEqual(layout.item(15)?.minY, 200)
        expectEqual(layout.item(500_010)?.minY, 6_000_200)
        expectEqual(layout.contentSize.height, Double(count / 5) * 60 - 10 + 20 + 60)
        var cost = LayoutCost()
        _ = layout.attributes(in: box(0, 60e6, 300, 600), cost: &cost)
        #expect(cost.total <= 2 * 5 * 15 + 1)
    }
}
