import CollectionLayout
import CollectionView
import LayoutTestSupport
import TestSupport
import Testing

/// Tests of layouts that are modified in place, and of elements of the entire layout.
@Suite struct LayoutChangeTests {
    @Test func layoutIsModifiedInPlaceAndInvalidated() {
        let source = RowSource(rows: 20)
        let view = makeView(source)
        let cells = (0..<2).map { view.row(0, $0) }
        let (preparations, requests) = (view.preparationCount, source.requests.count)
        #expect(
            view.changeLayout(RowTable.self) { table in
                table.rowHeight = 50
                return .everything
            })
        #expect(view.needsLayout)
        let changes = view.layoutIfNeeded()
        expectEqual(view.preparationCount, preparations + 1)
        expectEqual(source.requests.count, requests)
        #expect(view.rowNames == ["r0", "r1"] && view.row(0, 0) === cells[0] && view.row(0, 1) === cells[1])
        expectEqual(changes.moved.map(\.new.frame.height), [50, 50])
        expectEqual(changes.left.count, 3)
        expectEqual((view.layout as? RowTable)?.contexts.last, .everything)
    }

    @Test func layoutOfAnotherTypeIsUnchanged() {
        let view = makeView(RowSource(rows: 2))
        #expect(!view.changeLayout(FlowLayout.self) { _ in .everything })
        #expect(!view.needsLayout && view.layout is RowTable)
    }

    @Test func contextThatInvalidatesCountsRecountsDataAndKeepsCells() {
        let source = RowSource(rows: 2)
        let view = makeView(source)
        let first = view.row(0, 0)
        source.sections = [["r0", "r1", "r2"]]
        view.changeLayout(RowTable.self) { _ in .counts }
        view.layoutIfNeeded()
        #expect(view.rowNames == ["r0", "r1", "r2"] && view.row(0, 0) === first)
        #expect(view.diagnostics.isEmpty)
        source.sections = [["r0"]]
        view.changeLayout(RowTable.self) { _ in .counts }
        view.layoutIfNeeded()
        #expect(view.rowNames == ["r0"] && view.row(0, 0) === first && view.diagnostics.isEmpty)
    }

    /// Rows of 20 become rows of 10: r8 was invisible at 160, from where it is animated.
    @Test func layoutChangedDuringUpdatesIsComparedWithOldLayout() throws {
        let source = RowSource(rows: 9)
        let view = makeView(source)
        let changes = try view.performBatchUpdates { updates in
            source.sections[0].removeFirst()
            updates.deleteItems(at: [path(0, 0)])
            view.changeLayout(RowTable.self) { table in
                table.rowHeight = 10
                return .everything
            }
        }
        expectEqual(view.rowNames, (1...8).map { "r\($0)" })
        expectEqual(changes.entered.last?.initial?.frame, Rect(x: 0, y: 160, width: 100, height: 20))
        expectEqual(changes.entered.last?.attributes.frame, Rect(x: 0, y: 70, width: 100, height: 10))
    }

    /// Batch updates count the data once, as without a change of the layout.
    @Test func updatesCountDataOnce() throws {
        let source = RowSource(rows: 2)
        let view = makeView(source)
        let countRequests = source.countRequests
        try view.performBatchUpdates { updates in
            source.sections = [["r0", "r1", "r2"]]
            updates.insertItems(at: [path(0, 2)])
        }
        expectEqual(source.countRequests, countRequests + 1)
        expectEqual(view.rowNames, ["r0", "r1", "r2"])
    }

    /// Changes of the data don't affect a header of the whole layout.
    @Test func headerOfWholeLayoutStaysDuringUpdates() throws {
        let size = LayoutSize(widthDimension: .fractionalWidth(1), heightDimension: .absolute(20))
        var configuration = LayoutConfiguration()
        configuration.boundarySupplementaryItems = [
            BoundarySupplementary(elementKind: .header, layoutSize: size, alignment: .top)
        ]
        let layout = CompositionalLayout(configuration: configuration) { _, _ in
            LayoutSection(group: .vertical(layoutSize: size, subitem: LayoutItem(layoutSize: .full), count: 1))
        }
        let source = RowSource([["a", "b"], ["c"]])
        let view = makeView(source, layout)
        let delegate = DisplayDelegate()
        view.delegate = delegate
        let headerPath = IndexPath(section: IndexPath.wholeLayoutSection, item: 0)
        let header = view.supplementaryView(ofKind: .header, at: headerPath)
        #expect(header != nil)
        let changes = try view.performBatchUpdates { updates in
            source.sections = [["c", "d"]]
            updates.deleteSections([0])
            updates.insertItems(at: [path(0, 1)])
        }
        #expect(view.rowNames == ["c", "d"] && view.supplementaryView(ofKind: .header, at: headerPath) === header)
        #expect(changes.entered.allSatisfy { $0.attributes.element.kind == nil })
        #expect(changes.left.allSatisfy { $0.attributes.element.kind == nil })
        #expect(!delegate.log.contains { $0.contains("header") })
    }
}

@Suite struct LayoutChangeDuringPassTests {
    /// Tries to change the layout whenever the view asks for a cell.
    private final class Changing: CollectionViewDataSource {
        var answers: [Bool] = []

        func collectionView(_ view: CollectionView, numberOfItemsInSection section: Int) -> Int { 2 }

        func collectionView(_ view: CollectionView, cellForItemAt path: IndexPath) -> (any ReusableView)? {
            answers.append(
                view.changeLayout(FlowLayout.self) { layout in
                    layout.itemSize.height += 1
                    return .everything
                })
            return nil
        }
    }

    @Test func layoutStaysTheSameDuringAPass() {
        let source = Changing()
        let view = CollectionView(layout: FlowLayout(), bounds: Rect(x: 0, y: 0, width: 100, height: 100))
        view.dataSource = source
        view.layoutIfNeeded()
        expectEqual(source.answers, [false, false])
        expectEqual((view.layout as? FlowLayout)?.itemSize, Size(width: 50, height: 50))
        #expect(!view.needsLayout && view.preparationCount == 1)
    }
}

/// Layouts and data sources that violate their contracts don't cause traps, and results are finite.
@Suite struct LayoutRobustnessTests {
    private struct InvalidLayout: CollectionViewLayout {
        var contentSize: Size
        var placed: [LayoutAttributes]
        var offset = Point.zero
        mutating func prepare(in container: LayoutContainer) {}
        func attributes(in rect: Rect) -> [LayoutAttributes] { placed }
        func attributes(of element: LayoutElement) -> LayoutAttributes? { placed.first }
        mutating func invalidate(with context: InvalidationContext) {}
        func shouldInvalidate(forBoundsChangeFrom old: Rect, to new: Rect) -> Bool { true }
        func invalidationContext(forBoundsChangeFrom old: Rect, to new: Rect) -> InvalidationContext {
            InvalidationContext(contentOffsetAdjustment: offset)
        }
        func targetContentOffset(forProposed offset: Point, velocity: Point) -> Point {
            Point(x: .nan, y: .infinity)
        }
    }

    private let source = RowSource(rows: 3)

    private func attributes(_ item: Int, _ frame: Rect = Rect(x: 0, y: 0, width: 9, height: 9)) -> LayoutAttributes {
        LayoutAttributes(.item(path(0, item)), frame: frame)
    }

    @Test func itemsMissingInDataAreNotShown() {
        let layout = InvalidLayout(
            contentSize: Size(width: 10, height: 10), placed: [attributes(2), attributes(3), attributes(-1)])
        let view = makeView(source, layout)
        expectEqual(view.visibleItems, [path(0, 2)])
        expectEqual(source.requests, [path(0, 2)])
        expectEqual(view.diagnostics.map(\.problem), [.unknownIndexPath, .unknownIndexPath])
        expectEqual(view.indexPathForItem(at: Point(x: 1, y: 1)), path(0, 2))
    }

    @Test func elementPlacedTwiceIsShownOnce() {
        let other = Rect(x: 5, y: 5, width: 1, height: 1)
        let layout = InvalidLayout(
            contentSize: .zero, placed: [attributes(0), attributes(1, other), attributes(0, other)])
        let view = makeView(source, layout)
        expectEqual(view.visibleItems, [path(0, 0), path(0, 1)])
        expectEqual(source.requests.count, 2)
        expectEqual(view.visibleElements.first?.frame, attributes(0).frame)
        expectEqual(view.diagnostics.map(\.problem), [.duplicateElement])
    }

    @Test(arguments: [Double.nan, .infinity, -.infinity, -5, 1e308])
    func invalidSizesAndFramesDoNotTrap(_ value: Double) throws {
        let layout = InvalidLayout(
            contentSize: Size(width: value, height: value),
            placed: [attributes(0, Rect(minX: value, minY: value, maxX: value, maxY: value))],
            offset: Point(x: value, y: value))
        let view = makeView(source, layout)
        #expect(view.contentSize.width.isFinite)
        for frame in view.visibleElements.map(\.frame) {
            #expect([frame.minX, frame.minY, frame.maxX, frame.maxY].allSatisfy { $0.isFinite })
        }
        #expect(value.isFinite || view.diagnostics.contains { $0.problem == .unusableLength })
        for position in [ScrollPosition.top, .centeredVertically, .bottom, .nearest, .right] {
            try view.scrollToItem(at: path(0, 0), position: position)
            view.layoutIfNeeded()
            #expect(view.contentOffset.x.isFinite && view.contentOffset.y.isFinite)
        }
        view.layout = RowTable()
        view.layoutIfNeeded()
        #expect(view.contentOffset == .zero || view.contentOffset.y.isFinite)
        view.layout = layout
        let drag = view.beginDrag(at: .zero)
        drag.move(to: Point(x: 10, y: 10))
        let rest = drag.end()
        #expect(rest.x.isFinite && rest.y.isFinite)
    }

    @Test func layoutThatKeepsMovingOffsetIsStopped() {
        let layout = InvalidLayout(contentSize: Size(width: 10, height: 1e6), placed: [], offset: Point(x: 0, y: 1))
        let view = makeView(source, layout)
        view.contentOffset = Point(x: 0, y: 10)
        let before = view.preparationCount
        view.layoutIfNeeded()
        #expect(view.preparationCount - before <= 4 && !view.needsLayout)
    }

    @Test func negativeAndEndlessCountsDoNotTrap() {
        final class InvalidCountSource: CollectionViewDataSource {
            let sections: Int
            init(_ sections: Int) { self.sections = sections }
            func numberOfSections(in view: CollectionView) -> Int { sections }
            func collectionView(_ view: CollectionView, numberOfItemsInSection section: Int) -> Int { -3 }
        }
        struct Endless: SectionCounts {
            let sectionCount = Int.min
            func itemCount(inSection section: Int) -> Int { .max }
        }
        let negative = InvalidCountSource(-7)
        let view = CollectionView(layout: RowTable(), bounds: Rect(x: 0, y: 0, width: 9, height: 9))
        view.dataSource = negative
        view.layoutIfNeeded()
        expectEqual(view.counts.sectionCount, 0)
        struct Negative: SectionCounts {
            let sectionCount = 1
            func itemCount(inSection section: Int) -> Int { -3 }
        }
        final class Lazy: CollectionViewDataSource {
            func collectionView(_ view: CollectionView, numberOfItemsInSection section: Int) -> Int { 0 }
            func sectionCounts(for view: CollectionView) -> any SectionCounts { Negative() }
        }
        let lazy = Lazy()
        view.dataSource = lazy
        view.layoutIfNeeded()
        expectEqual(view.counts.itemCount(inSection: 0), 0)
        expectEqual(view.counts.itemCount(inSection: 5), 0)
        let endless = InvalidCountSource(.max)
        #expect(view.diagnostics.isEmpty)
        expectEqual(endless.sectionCounts(for: view).sectionCount, CollectionView.eagerSectionLimit)
        expectEqual(view.diagnostics.map(\.problem), [.limitReached])
        #expect(throws: BatchUpdateError.self) {
            var updates = BatchUpdates()
            updates.insertItems(at: [path(0, 0)])
            _ = try UpdateMap(updates, from: Endless(), to: Endless())
        }
    }
}
