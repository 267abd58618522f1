import CollectionLayout
import CollectionView
import LayoutTestSupport
import Testing

/// A shelf of groups of 200 with 10 between them, in a view of 300 by 100, and twenty rows of 80 below it: the shelf goes
/// from 0 to 5 · 200 + 4 · 10 − 300 = 740, and a group to the next is 210.
@Suite struct OrthogonalDragTests {
    private let source = RowSource([["a", "b", "c", "d", "e"], (0..<20).map { "r\($0)" }])

    private func makeShelf(
        _ behavior: OrthogonalScrollingBehavior = .continuous, _ direction: LayoutDirection = .leftToRight,
        header: Bool = false
    ) -> CollectionView {
        func group(_ width: LayoutDimension) -> LayoutGroup {
            let size = LayoutSize(widthDimension: width, heightDimension: .absolute(80))
            return .horizontal(layoutSize: size, subitems: [.item(LayoutItem(layoutSize: .full))])
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
        let (shelf, rows) = (section, LayoutSection(group: group(.fractionalWidth(1))))
        let view = CollectionView(
            layout: CompositionalLayout { index, _ in index == 0 ? shelf : rows },
            bounds: Rect(x: 0, y: 0, width: 300, height: 100))
        view.layoutDirection = direction
        view.dataSource = source
        view.layoutIfNeeded()
        return view
    }

    /// A finger that goes from (150, 40) by so much, in two steps.
    private func drag(_ view: CollectionView, from point: Point = Point(x: 150, y: 40), by way: Point) -> DragSession {
        let drag = view.beginDrag(at: point)
        drag.move(to: Point(x: point.x + way.x / 2, y: point.y + way.y / 2))
        drag.move(to: point + way)
        return drag
    }

    @Test(arguments: [true, false])
    func aDragAcrossTheViewScrollsTheSectionUnderTheFinger(locks: Bool) {
        let view = makeShelf()
        view.isDirectionalLockEnabled = locks
        let session = drag(view, by: Point(x: -100, y: -20))
        #expect(session.section == 0 && session.lock == .locked(.horizontal))
        #expect(view.orthogonalOffset(section: 0) == 100 && view.contentOffset == .zero)
        view.layoutIfNeeded()
        #expect(view.attributes(of: .item(path(0, 0)))?.layoutFrame.minX == -100)
        session.end()
        #expect(view.orthogonalOffset(section: 0) == 100 && !view.isDragging)
    }

    @Test(arguments: [true, false])
    func aDragAlongTheViewScrollsTheView(locks: Bool) {
        let view = makeShelf()
        view.isDirectionalLockEnabled = locks
        let session = drag(view, by: Point(x: -10, y: -50))
        #expect(session.section == nil && view.contentOffset == Point(x: 0, y: 50))
        #expect(view.orthogonalOffset(section: 0) == 0 && session.end() == Point(x: 0, y: 50))
    }

    /// The view stands at 50: the shelf ends at 80, which is seen at 30.
    @Test func theSectionIsTheOneThatIsSeenUnderTheFinger() {
        let view = makeShelf()
        view.contentOffset.y = 50
        view.layoutIfNeeded()
        drag(view, from: Point(x: 150, y: 30), by: Point(x: -100, y: 0)).end()
        #expect(view.orthogonalOffset(section: 0) == 0)
        drag(view, from: Point(x: 150, y: 29), by: Point(x: -100, y: 0)).end()
        #expect(view.orthogonalOffset(section: 0) == 100)
    }

    @Test func aHeaderDoesNotDragItsSection() {
        let view = makeShelf(header: true)
        drag(view, from: Point(x: 150, y: 10), by: Point(x: -100, y: 0)).end()
        #expect(view.orthogonalOffset(section: 0) == 0)
        drag(view, from: Point(x: 150, y: 20), by: Point(x: -100, y: 0)).end()
        #expect(view.orthogonalOffset(section: 0) == 100)
    }

    @Test func fromRightToLeftTheOffsetGrowsWithTheFinger() {
        let view = makeShelf(.groupPaging, .rightToLeft)
        let session = drag(view, by: Point(x: 100, y: 0))
        #expect(view.orthogonalOffset(section: 0) == 100)
        view.layoutIfNeeded()
        // The first item began at 100, and follows the finger to the right.
        #expect(view.attributes(of: .item(path(0, 0)))?.layoutFrame.minX == 200)
        session.end(velocity: Point(x: 1000, y: 0))
        #expect(view.orthogonalOffset(section: 0) == 210)
    }

    /// Pages of 300 and of 210; the end of 740 is no multiple of either.
    @Test(arguments: [(OrthogonalScrollingBehavior.paging, 300.0), (.groupPaging, 210)])
    func aFlingGoesOnePageFromWhereTheDragBegan(behavior: OrthogonalScrollingBehavior, page: Double) {
        let view = makeShelf(behavior)
        drag(view, by: Point(x: -160, y: 0)).end(velocity: Point(x: -5000, y: 0))
        #expect(view.orthogonalOffset(section: 0) == page)
        drag(view, by: Point(x: -160, y: 0)).end(velocity: Point(x: -5000, y: 0))
        #expect(view.orthogonalOffset(section: 0) == 2 * page)
        drag(view, by: Point(x: 160, y: 0)).end(velocity: Point(x: 5000, y: 0))
        #expect(view.orthogonalOffset(section: 0) == page)
        // Lifted at rest, it goes to the nearest.
        drag(view, by: Point(x: 50, y: 0)).end()
        #expect(view.orthogonalOffset(section: 0) == page)
    }

    @Test func theSectionStopsAtItsEdges() {
        let view = makeShelf()
        let session = drag(view, by: Point(x: 500, y: 0))
        #expect(view.orthogonalOffset(section: 0) == 0)
        session.move(to: Point(x: -1e15, y: 40))
        #expect(view.orthogonalOffset(section: 0) == 740)
        session.move(to: Point(x: .nan, y: .infinity))
        session.end(velocity: Point(x: .nan, y: .infinity))
        #expect((0...740).contains(view.orthogonalOffset(section: 0)))
    }

    @Test func aTouchIsCancelledWhenTheSectionMoves() {
        let view = makeShelf()
        view.beginTouch(at: Point(x: 150, y: 40))
        let session = drag(view, by: Point(x: 50, y: 0))
        #expect(view.highlightedItem == path(0, 0))
        session.move(to: Point(x: 100, y: 40))
        #expect(view.highlightedItem == nil)
    }

    @Test func theDragFollowsItsSectionThroughUpdates() throws {
        let view = makeShelf()
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
