import CollectionLayout
import CollectionView
import LayoutTestSupport
import TestSupport
import Testing

@Suite struct ScrollingTests {
    private let source = RowSource(rows: 20)

    /// Twenty rows of 20, 300 wide, in a view of 100 by 100: the offset ranges up to (200, 300).
    private func wideView() -> CollectionView {
        var layout = RowTable()
        layout.width = 300
        return makeView(source, layout)
    }

    @Test func offsetsAreClampedToContent() {
        let view = wideView()
        view.setContentOffset(Point(x: 500, y: -10))
        expectEqual(view.contentOffset, Point(x: 200, y: 0))
        view.setContentOffset(Point(x: -1, y: 1000))
        expectEqual(view.contentOffset, Point(x: 0, y: 300))
        view.setContentOffset(Point(x: -1, y: 1000), within: .free)
        view.layoutIfNeeded()
        expectEqual(view.contentOffset, Point(x: -1, y: 1000))
        view.contentOffset = Point(x: 10, y: 20)
        expectEqual(view.contentOffset, Point(x: 10, y: 20))
    }

    @Test(arguments: [Double.nan, .infinity, -.infinity, 1e300])
    func invalidOffsetsAreClamped(_ value: Double) {
        let view = wideView()
        view.setContentOffset(Point(x: value, y: value))
        #expect((0...200).contains(view.contentOffset.x) && (0...300).contains(view.contentOffset.y))
        view.setContentOffset(Point(x: value, y: value), within: .free)
        view.layoutIfNeeded()
        #expect(view.contentOffset.x.isFinite && view.contentOffset.y.isFinite)
        view.bounds = Rect(x: value, y: value, width: value, height: value)
        view.layoutIfNeeded()
        #expect(view.bounds.maxX.isFinite && view.bounds.maxY.isFinite)
    }

    @Test func insetsWidenOffsetRange() {
        let view = wideView()
        view.contentInset = EdgeInsets(top: 10, leading: 1, bottom: 30, trailing: 4)
        view.safeAreaInsets = EdgeInsets(top: 5, leading: 0, bottom: 0, trailing: 0)
        view.layoutIfNeeded()
        expectEqual(view.offsetRange(.vertical), -15...330)
        expectEqual(view.offsetRange(.horizontal), -1...204)
        view.contentInsetAdjustment = .never
        expectEqual(view.offsetRange(.vertical), -10...330)
    }

    @Test func contentThatFitsStaysAtItsStart() {
        let view = makeView(source, RowTable(rowHeight: 2))
        view.contentInset = EdgeInsets(top: 7)
        view.setContentOffset(Point(x: 0, y: 50))
        view.layoutIfNeeded()
        expectEqual(view.contentOffset, Point(x: 0, y: -7))
    }

    @Test func offsetSetBeforeFirstLayoutIsClampedByIt() {
        let view = CollectionView(layout: RowTable(), bounds: Rect(x: 0, y: 0, width: 100, height: 100))
        view.dataSource = source
        view.contentOffset = Point(x: 0, y: 120)
        view.layoutIfNeeded()
        expectEqual(view.contentOffset.y, 120)
        view.contentOffset = Point(x: 0, y: 9999)
        expectEqual(view.contentOffset.y, 300)
    }

    @Test func viewThatGrowsAtEndShowsOnlyContent() {
        let view = wideView()
        view.setContentOffset(Point(x: 0, y: 300))
        view.layoutIfNeeded()
        view.bounds = Rect(origin: view.contentOffset, size: Size(width: 100, height: 150))
        view.layoutIfNeeded()
        expectEqual(view.contentOffset.y, 250)
    }

    /// The row from 200 to 220 and 0 to 300, in a view of 100 with insets of 10 above and 20 below, from the offset
    /// (50, 0).
    @Test(arguments: [
        (ScrollPosition.top, 50.0, 190.0), (.centeredVertically, 50, 165), (.bottom, 50, 140), (.left, 0, 0),
        (.centeredHorizontally, 100, 0), (.right, 200, 0), (ScrollPosition([.top, .right]), 200, 190),
        (ScrollPosition([.bottom, .top]), 50, 190), (.nearest, 50, 140), (ScrollPosition(), 50, 0),
        (ScrollPosition([.nearest, .top]), 50, 190),
    ])
    func scrollingToItemAlignsIt(_ position: ScrollPosition, x: Double, y: Double) throws {
        let view = wideView()
        view.contentInset = EdgeInsets(top: 10, leading: 0, bottom: 20, trailing: 0)
        view.contentOffset = Point(x: 50, y: 0)
        try view.scrollToItem(at: path(0, 10), position: position)
        expectEqual(view.contentOffset, Point(x: x, y: y))
    }

    /// From the offset 100 with rows 5 to 9 visible; a row is 20, the view 100.
    @Test(arguments: [(0, 0.0), (3, 60), (4, 80), (5, 100), (7, 100), (9, 100), (10, 120), (19, 300)])
    func nearestScrollsAsLittleAsPossible(row: Int, expected: Double) throws {
        let view = wideView()
        view.contentOffset = Point(x: 0, y: 100)
        try view.scrollToItem(at: path(0, row), position: .nearest)
        expectEqual(view.contentOffset.y, expected)
    }

    /// A row of 300 in a view of 100: its start is shown, unless it already fills the view.
    @Test(arguments: [(0.0, 0.0), (50, 50), (200, 200)])
    func nearestKeepsItemThatFillsView(from: Double, expected: Double) throws {
        let view = wideView()
        view.contentOffset = Point(x: from, y: 0)
        try view.scrollToItem(at: path(0, 0), position: .nearest)
        expectEqual(view.contentOffset.x, expected)
    }

    @Test func alignmentIsLimitedByContent() throws {
        let view = wideView()
        try view.scrollToItem(at: path(0, 19), position: .top)
        expectEqual(view.contentOffset.y, 300)
        try view.scrollToItem(at: path(0, 0), position: .bottom)
        expectEqual(view.contentOffset.y, 0)
    }

    @Test(arguments: [(0, 20), (1, 0), (-1, 0), (0, -1), (.max, .max), (.min, .min)])
    func scrollingToUnknownItemThrows(section: Int, item: Int) {
        let view = wideView()
        #expect(throws: CollectionViewError.unknownItem(path(section, item))) {
            try view.scrollToItem(at: path(section, item))
        }
        expectEqual(view.contentOffset, .zero)
        expectEqual(view.attributes(of: .item(path(section, item))), nil)
    }

    @Test func scrollingToUnplacedItemThrows() {
        struct Nowhere: CollectionViewLayout {
            let contentSize = Size(width: 10, height: 10)
            mutating func prepare(in container: LayoutContainer) {}
            func attributes(in rect: Rect) -> [LayoutAttributes] { [] }
            func attributes(of element: LayoutElement) -> LayoutAttributes? { nil }
            mutating func invalidate(with context: InvalidationContext) {}
        }
        let view = makeView(source, Nowhere())
        #expect(throws: CollectionViewError.notPlaced(path(0, 0))) { try view.scrollToItem(at: path(0, 0)) }
        #expect("\(CollectionViewError.notPlaced(path(0, 0)))".contains("[0, 0]"))
        #expect("\(CollectionViewError.unknownItem(path(0, 9)))".contains("[0, 9]"))
    }
}

@Suite struct DragTests {
    /// Thirty rows of 20, 300 wide, in a view of 100 by 100, at (100, 200): the offset ranges up to (200, 500).
    private struct Stage {
        let source = RowSource(rows: 30)
        let view: CollectionView

        init(locks: Bool = true, snap: Double = 0) {
            var layout = RowTable()
            layout.width = 300
            layout.snap = snap
            view = makeView(source, layout)
            view.isDirectionalLockEnabled = locks
            view.contentOffset = Point(x: 100, y: 200)
            view.layoutIfNeeded()
        }
    }

    @Test(arguments: [
        // The first movement of the finger, the resulting lock, and the offset after a total movement of (−20, −30).
        (Point(x: -5, y: 0), DragSession.Lock.locked(.horizontal), Point(x: 120, y: 200)),
        (Point(x: 0, y: 5), .locked(.vertical), Point(x: 100, y: 230)),
        (Point(x: -5, y: 1), .locked(.horizontal), Point(x: 120, y: 200)),
        (Point(x: 4, y: 4), .free, Point(x: 120, y: 230)),
        (Point(x: 4, y: -4), .free, Point(x: 120, y: 230)),
        (Point(x: 4, y: -3), .free, Point(x: 120, y: 230)),
        (Point(x: 4, y: 2.99), .locked(.horizontal), Point(x: 120, y: 200)),
    ])
    func dragStaysOnItsFirstAxis(first: Point, lock: DragSession.Lock, expected: Point) {
        let stage = Stage()
        let drag = stage.view.beginDrag(at: Point(x: 50, y: 50))
        drag.move(to: Point(x: 50, y: 50) + first)
        expectEqual(drag.lock, lock)
        drag.move(to: Point(x: 30, y: 20))
        expectEqual(drag.lock, lock)
        expectEqual(stage.view.contentOffset, expected)
        expectEqual(drag.end(), expected)
    }

    @Test func nothingMovesBeforeAxisIsDetermined() {
        let stage = Stage()
        let drag = stage.view.beginDrag(at: .zero)
        drag.move(to: Point(x: 2.9, y: 0))
        expectEqual(drag.lock, .undecided)
        expectEqual(stage.view.contentOffset, Point(x: 100, y: 200))
        drag.move(to: Point(x: 0, y: 3))
        expectEqual(drag.lock, .locked(.vertical))
        expectEqual(stage.view.contentOffset, Point(x: 100, y: 197))
    }

    @Test func dragWithoutLockMovesFreely() {
        let stage = Stage(locks: false)
        let drag = stage.view.beginDrag(at: .zero)
        drag.move(to: Point(x: 1, y: 0))
        drag.move(to: Point(x: 10, y: 20))
        expectEqual(stage.view.contentOffset, Point(x: 90, y: 180))
    }

    @Test func contentFollowsMoreSlowlyBeyondEdge() {
        let stage = Stage()
        let drag = stage.view.beginDrag(at: .zero)
        drag.move(to: Point(x: 0, y: 300))
        // 100 beyond an edge of a view of 100: 100 · (1 − 1 / 1.55).
        #expect(abs(stage.view.contentOffset.y + 100 * (1 - 1 / 1.55)) < 1e-9)
        stage.view.layoutIfNeeded()
        #expect(stage.view.contentOffset.y < -35)
        drag.move(to: Point(x: 0, y: 1e15))
        #expect(stage.view.contentOffset.y > -100)
        expectEqual(drag.end(), Point(x: 100, y: 0))
    }

    @Test func viewWithoutBouncingStopsAtEdge() {
        let stage = Stage()
        stage.view.bounces = false
        let drag = stage.view.beginDrag(at: .zero)
        drag.move(to: Point(x: 0, y: 300))
        expectEqual(stage.view.contentOffset.y, 0)
    }

    @Test func contentThatFitsDoesNotBounce() {
        let source = RowSource(rows: 2)
        let view = makeView(source)
        let drag = view.beginDrag(at: .zero)
        drag.move(to: Point(x: 30, y: 30))
        expectEqual(view.contentOffset, .zero)
    }

    @Test func flingContinuesAccordingToVelocity() {
        let stage = Stage()
        let drag = stage.view.beginDrag(at: .zero)
        drag.move(to: Point(x: 0, y: -10))
        // 200 points per second at the normal rate: 0.2 · 0.998 / 0.002 = 99.8. The other axis is locked.
        let rest = drag.end(velocity: Point(x: -500, y: -200))
        #expect(abs(rest.y - (210 + 99.8)) < 1e-9 && rest.x == 100)
        stage.view.decelerationRate = .fast
        let next = stage.view.beginDrag(at: .zero)
        next.move(to: Point(x: 0, y: 10))
        // 0.2 · 0.99 / 0.01 = 19.8, upward.
        #expect(abs(next.end(velocity: Point(x: 0, y: 200)).y - (309.8 - 10 - 19.8)) < 1e-9)
    }

    @Test func layoutDeterminesWhereScrollingStops() {
        let stage = Stage(snap: 50)
        let drag = stage.view.beginDrag(at: .zero)
        drag.move(to: Point(x: 0, y: -30))
        expectEqual(drag.end(), Point(x: 100, y: 250))
        let far = stage.view.beginDrag(at: .zero)
        far.move(to: Point(x: 0, y: -5))
        expectEqual(far.end(velocity: Point(x: 0, y: -1e9)), Point(x: 100, y: 500))
    }

    @Test func secondDragEndsTheFirstOne() {
        let stage = Stage()
        let first = stage.view.beginDrag(at: .zero)
        first.move(to: Point(x: 0, y: -10))
        let second = stage.view.beginDrag(at: .zero)
        first.move(to: Point(x: 0, y: -100))
        #expect(!first.isActive && second.isActive && stage.view.isDragging)
        expectEqual(stage.view.contentOffset, Point(x: 100, y: 210))
        second.end()
        #expect(!stage.view.isDragging)
        second.move(to: Point(x: 0, y: 50))
        expectEqual(stage.view.contentOffset, Point(x: 100, y: 210))
    }

    @Test(arguments: [Double.nan, .infinity, -.infinity])
    func invalidFingerPositionsAreClamped(_ value: Double) {
        let stage = Stage(locks: false)
        let drag = stage.view.beginDrag(at: .zero)
        drag.move(to: Point(x: value, y: value))
        #expect(stage.view.contentOffset.x.isFinite && stage.view.contentOffset.y.isFinite)
        let rest = drag.end(velocity: Point(x: value, y: value))
        #expect((0...200).contains(rest.x) && (0...500).contains(rest.y))
    }

    @Test func touchBecomesDragWhenContentMoves() {
        let stage = Stage()
        let delegate = RowDelegate()
        stage.view.delegate = delegate
        stage.view.beginTouch(at: Point(x: 110, y: 205))
        let drag = stage.view.beginDrag(at: .zero)
        drag.move(to: Point(x: 0, y: 2))
        expectEqual(stage.view.highlightedItem, path(0, 10))
        drag.move(to: Point(x: 0, y: 20))
        expectEqual(stage.view.highlightedItem, nil)
        expectEqual(delegate.log, ["shouldHighlight [0, 10]", "didHighlight [0, 10]", "didUnhighlight [0, 10]"])
    }
}
