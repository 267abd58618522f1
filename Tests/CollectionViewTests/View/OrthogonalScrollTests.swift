import CollectionLayout
import CollectionView
import LayoutTestSupport
import TestSupport
import Testing

/// Orthogonally scrolling sections in a view: groups of 200 with 10 between them and insets of 20 at the sides, in a
/// view of 300. The container is 260, the content 1040, and the offset ranges from 0 to 1040 + 40 − 300 = 780.
@Suite struct OrthogonalScrollTests {
    private let source = RowSource([["a", "b", "c", "d", "e"], ["f"]])

    private func makeOrthogonalSection(
        _ behavior: OrthogonalScrollingBehavior, _ configure: (inout LayoutSection) -> Void = { _ in },
        view change: (CollectionView) -> Void = { _ in }
    ) -> CollectionView {
        let size = LayoutSize(widthDimension: .absolute(200), heightDimension: .absolute(80))
        var section = LayoutSection(
            group: .horizontal(layoutSize: size, subitems: [LayoutItem(layoutSize: .full)]))
        section.interGroupSpacing = 10
        section.contentInsets = EdgeInsets(leading: 20, trailing: 20)
        section.orthogonalScrollingBehavior = behavior
        configure(&section)
        let orthogonal = section
        let view = CollectionView(
            layout: CompositionalLayout { index, _ in
                index == 0
                    ? orthogonal
                    : LayoutSection(
                        group: .horizontal(layoutSize: size, subitems: [LayoutItem(layoutSize: .full)]))
            }, bounds: Rect(x: 0, y: 0, width: 300, height: 100))
        view.dataSource = source
        change(view)
        view.layoutIfNeeded()
        return view
    }

    private func x(_ item: Int, in section: Int = 0, _ view: CollectionView) -> Double? {
        view.attributes(of: .item(path(section, item)))?.frame.minX
    }

    @Test func orthogonalSectionIsScrolledInView() {
        let view = makeOrthogonalSection(.continuous)
        expectEqual(view.visibleItems, [path(0, 0), path(0, 1), path(1, 0)])
        let preparations = view.preparationCount
        view.setOrthogonalOffset(250, section: 0)
        let changes = view.layoutIfNeeded()
        expectEqual(view.orthogonalOffset(section: 0), 250)
        expectEqual(x(1, view), -20)
        expectEqual(changes.left.map(\.attributes.indexPath), [path(0, 0)])
        expectEqual(changes.entered.map(\.attributes.indexPath), [path(0, 2)])
        expectEqual(view.preparationCount, preparations + 1)
        expectEqual(view.contentOffset, .zero)
        view.setOrthogonalOffset(5_000, section: 0)
        expectEqual(view.orthogonalOffset(section: 0), 780)
    }

    /// From 100, with 300 points per second at the rate 0.998: 300 / 1000 · 0.998 / 0.002 = 149.7 farther, to 249.7.
    @Test(
        arguments: [
            (.continuous, 249.7), (.continuousGroupLeadingBoundary, 420), (.paging, 300), (.groupPaging, 210),
            // (249.7 + 30) / 210 rounds to 1, and the group is (260 − 200) / 2 from the inset.
            (.groupPagingCentered, 180),
        ] as [(OrthogonalScrollingBehavior, Double)])
    func orthogonalSectionStopsAccordingToBehavior(behavior: OrthogonalScrollingBehavior, offset: Double) {
        let view = makeOrthogonalSection(behavior)
        view.setOrthogonalOffset(100, section: 0)
        let rest = view.endOrthogonalScroll(section: 0, velocity: 300)
        #expect(abs(rest - offset) < 1e-9)
        view.layoutIfNeeded()
        expectEqual(view.orthogonalOffset(section: 0), rest)
    }

    /// Item 3 extends from 630 to 830 in its content, of which 260 are visible at once.
    @Test(
        arguments: [
            (.left, 630), (.right, 570), (.centeredHorizontally, 600), (.nearest, 570), (.top, 0),
        ] as [(ScrollPosition, Double)])
    func scrollingToItemScrollsItsSection(position: ScrollPosition, offset: Double) throws {
        let view = makeOrthogonalSection(.continuous)
        try view.scrollToItem(at: path(0, 3), position: position)
        expectEqual(view.orthogonalOffset(section: 0), offset)
        expectEqual(view.contentOffset, .zero)
    }

    @Test func visibleItemDoesNotScrollItsSection() throws {
        let view = makeOrthogonalSection(.continuous)
        view.setOrthogonalOffset(200, section: 0)
        try view.scrollToItem(at: path(0, 1))
        expectEqual(view.orthogonalOffset(section: 0), 200)
    }

    @Test func endIsOnTheLeftInRightToLeftLayouts() throws {
        let view = makeOrthogonalSection(.continuous, view: { $0.layoutDirection = .rightToLeft })
        expectEqual(x(0, view), 80)
        try view.scrollToItem(at: path(0, 3), position: .left)
        view.layoutIfNeeded()
        // Its left edge is at the left inset.
        expectEqual(view.orthogonalOffset(section: 0), 570)
        expectEqual(x(3, view), 20)
    }

    @Test func movedSectionKeepsItsOffset() throws {
        let source = RowSource([["a", "b", "c", "d", "e"], ["f", "g", "h"]])
        let size = LayoutSize(widthDimension: .absolute(200), heightDimension: .absolute(40))
        var section = LayoutSection(
            group: .horizontal(layoutSize: size, subitems: [LayoutItem(layoutSize: .full)]))
        section.orthogonalScrollingBehavior = .continuous
        let view = makeView(source, CompositionalLayout(section: section))
        view.setOrthogonalOffset(250, section: 0)
        view.setOrthogonalOffset(30, section: 1)
        try view.performBatchUpdates { updates in
            source.sections.insert(["new", "newer"], at: 0)
            source.sections.remove(at: 2)
            updates.insertSections([0])
            updates.deleteSections([1])
        }
        expectEqual([0, 1].map { view.orthogonalOffset(section: $0) }, [0, 250])
        expectEqual(x(1, in: 1, view), -50)
    }

    @Test func handlersReceiveOrthogonalOffset() {
        let view = makeOrthogonalSection(.continuous) {
            $0.visibleItemsInvalidationHandler = { items, offset, _ in
                for index in items.indices { items[index].alpha = offset.x == 250 ? 0.5 : 0.75 }
            }
        }
        expectEqual(view.attributes(of: .item(path(0, 1)))?.alpha, 0.75)
        view.setOrthogonalOffset(250, section: 0)
        view.layoutIfNeeded()
        expectEqual(view.attributes(of: .item(path(0, 1)))?.alpha, 0.5)
    }

    @Test(arguments: [-1, 1, 2, .max, .min])
    func otherSectionsHaveNoOrthogonalOffset(section: Int) {
        let view = makeOrthogonalSection(.paging)
        view.setOrthogonalOffset(100, section: section)
        #expect(view.orthogonalOffset(section: section) == 0 && !view.needsLayout)
        expectEqual(view.endOrthogonalScroll(section: section, velocity: .nan), 0)
        let other = makeView(source, RowTable())
        other.setOrthogonalOffset(5, section: 0)
        #expect(other.endOrthogonalScroll(section: 0, velocity: 1) == 0 && !other.needsLayout)
    }

    /// Whatever its velocity, a fling moves the section by one page of the visible length, or by one group.
    @Test(arguments: [OrthogonalScrollingBehavior.paging, .groupPaging, .groupPagingCentered])
    func flingMovesPagingSectionByOnePage(behavior: OrthogonalScrollingBehavior) throws {
        let view = makeOrthogonalSection(behavior)
        let layout = try #require(view.layout as? CompositionalLayout)
        let metrics = try #require(layout.orthogonalMetrics(section: 0))
        let start = view.orthogonalOffset(section: 0)
        let page = behavior == .paging ? metrics.viewport : metrics.pitch
        expectEqual(view.endOrthogonalScroll(section: 0, velocity: 100_000), start + page)
        expectEqual(view.endOrthogonalScroll(section: 0, velocity: -100_000), start)
    }

    /// An offset beyond the end becomes the end and remains there when the content grows.
    @Test func offsetBeyondEndBecomesEnd() throws {
        let view = makeOrthogonalSection(.continuous)
        view.setOrthogonalOffset(1e9, section: 0)
        let layout = try #require(view.layout as? CompositionalLayout)
        let metrics = try #require(layout.orthogonalMetrics(section: 0))
        let end = OrthogonalScrollingBehavior.continuous.offsets(for: metrics).upperBound
        expectEqual(view.orthogonalOffset(section: 0), end)
        expectEqual(layout.orthogonalOffset(section: 0), end)
    }

    @Test(arguments: [Double.nan, .infinity, -.infinity])
    func invalidOffsetsAndVelocitiesAreClamped(value: Double) {
        let view = makeOrthogonalSection(.groupPagingCentered)
        view.setOrthogonalOffset(value, section: 0)
        view.layoutIfNeeded()
        #expect((-30...810).contains(view.orthogonalOffset(section: 0)))
        #expect((-30...810).contains(view.endOrthogonalScroll(section: 0, velocity: value)))
    }
}

/// A section with groups of 200 and 10 between them, in a view of 300 by 100, and twenty rows of 80 below it. The
/// offset of the section ranges from 0 to 5 · 200 + 4 · 10 − 300 = 740, and groups are 210 apart.
@Suite struct OrthogonalDragTests {
    private let source = RowSource([["a", "b", "c", "d", "e"], (0..<20).map { "r\($0)" }])

    private func makeOrthogonalSection(
        _ behavior: OrthogonalScrollingBehavior = .continuous, _ direction: LayoutDirection = .leftToRight,
        header: Bool = false
    ) -> CollectionView {
        func group(_ width: LayoutDimension) -> LayoutGroup {
            let size = LayoutSize(widthDimension: width, heightDimension: .absolute(80))
            return .horizontal(layoutSize: size, subitems: [LayoutItem(layoutSize: .full)])
        }
        var section = LayoutSection(group: group(.absolute(200)))
        section.interGroupSpacing = 10
        section.orthogonalScrollingBehavior = behavior
        if header {
            section.boundarySupplementaryItems = [
                BoundarySupplementary(
                    elementKind: .header,
                    layoutSize: LayoutSize(widthDimension: .fractionalWidth(1), heightDimension: .absolute(20)),
                    alignment: .top)
            ]
        }
        let (orthogonal, rows) = (section, LayoutSection(group: group(.fractionalWidth(1))))
        let view = CollectionView(
            layout: CompositionalLayout { index, _ in index == 0 ? orthogonal : rows },
            bounds: Rect(x: 0, y: 0, width: 300, height: 100))
        view.layoutDirection = direction
        view.dataSource = source
        view.layoutIfNeeded()
        return view
    }

    /// Drags a finger from (150, 40) by a distance, in two steps.
    private func drag(_ view: CollectionView, from point: Point = Point(x: 150, y: 40), by way: Point) -> DragSession {
        let drag = view.beginDrag(at: point)
        drag.move(to: Point(x: point.x + way.x / 2, y: point.y + way.y / 2))
        drag.move(to: point + way)
        return drag
    }

    @Test(arguments: [true, false])
    func dragAcrossViewScrollsSectionUnderFinger(locks: Bool) {
        let view = makeOrthogonalSection()
        view.isDirectionalLockEnabled = locks
        let session = drag(view, by: Point(x: -100, y: -20))
        expectEqual(session.section, 0)
        expectEqual(session.lock, .locked(.horizontal))
        expectEqual(view.orthogonalOffset(section: 0), 100)
        expectEqual(view.contentOffset, .zero)
        view.layoutIfNeeded()
        expectEqual(view.attributes(of: .item(path(0, 0)))?.frame.minX, -100)
        session.end()
        #expect(view.orthogonalOffset(section: 0) == 100 && !view.isDragging)
    }

    @Test(arguments: [true, false])
    func dragAlongViewScrollsView(locks: Bool) {
        let view = makeOrthogonalSection()
        view.isDirectionalLockEnabled = locks
        let session = drag(view, by: Point(x: -10, y: -50))
        expectEqual(session.section, nil)
        expectEqual(view.contentOffset, Point(x: 0, y: 50))
        expectEqual(view.orthogonalOffset(section: 0), 0)
        expectEqual(session.end(), Point(x: 0, y: 50))
    }

    /// The view is at 50: the section ends at 80, which is visible at 30.
    @Test func dragScrollsSectionVisibleUnderFinger() {
        let view = makeOrthogonalSection()
        view.contentOffset.y = 50
        view.layoutIfNeeded()
        drag(view, from: Point(x: 150, y: 30), by: Point(x: -100, y: 0)).end()
        expectEqual(view.orthogonalOffset(section: 0), 0)
        drag(view, from: Point(x: 150, y: 29), by: Point(x: -100, y: 0)).end()
        expectEqual(view.orthogonalOffset(section: 0), 100)
    }

    @Test func dragOnHeaderDoesNotScrollSection() {
        let view = makeOrthogonalSection(header: true)
        drag(view, from: Point(x: 150, y: 10), by: Point(x: -100, y: 0)).end()
        expectEqual(view.orthogonalOffset(section: 0), 0)
        drag(view, from: Point(x: 150, y: 20), by: Point(x: -100, y: 0)).end()
        expectEqual(view.orthogonalOffset(section: 0), 100)
    }

    @Test func offsetGrowsWithFingerInRightToLeftLayouts() {
        let view = makeOrthogonalSection(.groupPaging, .rightToLeft)
        let session = drag(view, by: Point(x: 100, y: 0))
        expectEqual(view.orthogonalOffset(section: 0), 100)
        view.layoutIfNeeded()
        // The first item began at 100 and follows the finger to the right.
        expectEqual(view.attributes(of: .item(path(0, 0)))?.frame.minX, 200)
        session.end(velocity: Point(x: 1000, y: 0))
        expectEqual(view.orthogonalOffset(section: 0), 210)
    }

    /// Pages of 300 and of 210; the end of 740 is not a multiple of either.
    @Test(arguments: [(OrthogonalScrollingBehavior.paging, 300.0), (.groupPaging, 210)])
    func flingIsLimitedToOnePageFromStartOfDrag(behavior: OrthogonalScrollingBehavior, page: Double) {
        let view = makeOrthogonalSection(behavior)
        drag(view, by: Point(x: -160, y: 0)).end(velocity: Point(x: -5000, y: 0))
        expectEqual(view.orthogonalOffset(section: 0), page)
        drag(view, by: Point(x: -160, y: 0)).end(velocity: Point(x: -5000, y: 0))
        expectEqual(view.orthogonalOffset(section: 0), 2 * page)
        drag(view, by: Point(x: 160, y: 0)).end(velocity: Point(x: 5000, y: 0))
        expectEqual(view.orthogonalOffset(section: 0), page)
        // Released at rest, it moves to the nearest page.
        drag(view, by: Point(x: 50, y: 0)).end()
        expectEqual(view.orthogonalOffset(section: 0), page)
    }

    @Test func sectionStopsAtItsEdges() {
        let view = makeOrthogonalSection()
        let session = drag(view, by: Point(x: 500, y: 0))
        expectEqual(view.orthogonalOffset(section: 0), 0)
        session.move(to: Point(x: -1e15, y: 40))
        expectEqual(view.orthogonalOffset(section: 0), 740)
        session.move(to: Point(x: .nan, y: .infinity))
        session.end(velocity: Point(x: .nan, y: .infinity))
        #expect((0...740).contains(view.orthogonalOffset(section: 0)))
    }

    @Test func touchIsCanceledWhenSectionMoves() {
        let view = makeOrthogonalSection()
        view.beginTouch(at: Point(x: 150, y: 40))
        let session = drag(view, by: Point(x: 50, y: 0))
        expectEqual(view.highlightedItem, path(0, 0))
        session.move(to: Point(x: 100, y: 40))
        expectEqual(view.highlightedItem, nil)
    }

    @Test func dragFollowsItsSectionThroughUpdates() throws {
        let view = makeOrthogonalSection()
        let session = drag(view, by: Point(x: -100, y: 0))
        try view.performBatchUpdates { updates in
            source.sections.remove(at: 0)
            updates.deleteSections([0])
        }
        #expect(session.section == nil && session.isActive)
        session.move(to: Point(x: 0, y: 0))
        #expect(session.end() == .zero && !view.isDragging)
    }
}
