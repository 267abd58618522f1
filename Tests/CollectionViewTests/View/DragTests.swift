import CollectionLayout
import CollectionView
import LayoutTestSupport
import Testing

@Suite struct DragTests {
    /// Thirty rows of 20, 300 wide, in a view of 100 by 100, at (100, 200): the offset goes to (200, 500).
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
        // Which way the finger goes first, what that locks, and the offset after it went on by (−20, −30) altogether.
        (Point(x: -5, y: 0), DragSession.Lock.locked(.horizontal), Point(x: 120, y: 200)),
        (Point(x: 0, y: 5), .locked(.vertical), Point(x: 100, y: 230)),
        (Point(x: -5, y: 1), .locked(.horizontal), Point(x: 120, y: 200)),
        (Point(x: 4, y: 4), .free, Point(x: 120, y: 230)),
        (Point(x: 4, y: -4), .free, Point(x: 120, y: 230)),
        (Point(x: 4, y: -3), .free, Point(x: 120, y: 230)),
        (Point(x: 4, y: 2.99), .locked(.horizontal), Point(x: 120, y: 200)),
    ])
    func aDragStaysOnTheAxisThatItBeganOn(first: Point, lock: DragSession.Lock, expected: Point) {
        let stage = Stage()
        let drag = stage.view.beginDrag(at: Point(x: 50, y: 50))
        drag.move(to: Point(x: 50, y: 50) + first)
        #expect(drag.lock == lock)
        drag.move(to: Point(x: 30, y: 20))
        #expect(drag.lock == lock && stage.view.contentOffset == expected)
        #expect(drag.end() == expected)
    }

    @Test func nothingMovesBeforeTheAxisIsDecided() {
        let stage = Stage()
        let drag = stage.view.beginDrag(at: .zero)
        drag.move(to: Point(x: 2.9, y: 0))
        #expect(drag.lock == .undecided && stage.view.contentOffset == Point(x: 100, y: 200))
        drag.move(to: Point(x: 0, y: 3))
        #expect(drag.lock == .locked(.vertical) && stage.view.contentOffset == Point(x: 100, y: 197))
    }

    @Test func withoutTheLockADragGoesAnywhere() {
        let stage = Stage(locks: false)
        let drag = stage.view.beginDrag(at: .zero)
        drag.move(to: Point(x: 1, y: 0))
        drag.move(to: Point(x: 10, y: 20))
        #expect(stage.view.contentOffset == Point(x: 90, y: 180))
    }

    @Test func beyondTheEdgeTheContentFollowsEverMoreSlowly() {
        let stage = Stage()
        let drag = stage.view.beginDrag(at: .zero)
        drag.move(to: Point(x: 0, y: 300))
        // 100 beyond an edge of a view of 100: 100 · (1 − 1 / 1.55).
        #expect(abs(stage.view.contentOffset.y + 100 * (1 - 1 / 1.55)) < 1e-9)
        stage.view.layoutIfNeeded()
        #expect(stage.view.contentOffset.y < -35)
        drag.move(to: Point(x: 0, y: 1e15))
        #expect(stage.view.contentOffset.y > -100)
        #expect(drag.end() == Point(x: 100, y: 0))
    }

    @Test func withoutBouncesTheEdgeHolds() {
        let stage = Stage()
        stage.view.bounces = false
        let drag = stage.view.beginDrag(at: .zero)
        drag.move(to: Point(x: 0, y: 300))
        #expect(stage.view.contentOffset.y == 0)
    }

    @Test func contentThatFitsDoesNotBounce() {
        let source = RowSource(rows: 2)
        let view = makeView(source)
        let drag = view.beginDrag(at: .zero)
        drag.move(to: Point(x: 30, y: 30))
        #expect(view.contentOffset == .zero)
    }

    @Test func aFlingGoesOnByItsVelocity() {
        let stage = Stage()
        let drag = stage.view.beginDrag(at: .zero)
        drag.move(to: Point(x: 0, y: -10))
        // 200 points per second at the normal rate: 0.2 · 0.998 / 0.002 = 99.8. The other axis is locked.
        let rest = drag.end(velocity: Point(x: -500, y: -200))
        #expect(abs(rest.y - (210 + 99.8)) < 1e-9 && rest.x == 100)
        stage.view.decelerationRate = .fast
        let next = stage.view.beginDrag(at: .zero)
        next.move(to: Point(x: 0, y: 10))
        // 0.2 · 0.99 / 0.01 = 19.8, and up.
        #expect(abs(next.end(velocity: Point(x: 0, y: 200)).y - (309.8 - 10 - 19.8)) < 1e-9)
    }

    @Test func theLayoutSaysWhereItComesToRest() {
        let stage = Stage(snap: 50)
        let drag = stage.view.beginDrag(at: .zero)
        drag.move(to: Point(x: 0, y: -30))
        #expect(drag.end() == Point(x: 100, y: 250))
        let far = stage.view.beginDrag(at: .zero)
        far.move(to: Point(x: 0, y: -5))
        #expect(far.end(velocity: Point(x: 0, y: -1e9)) == Point(x: 100, y: 500))
    }

    @Test func anotherDragEndsTheFirst() {
        let stage = Stage()
        let first = stage.view.beginDrag(at: .zero)
        first.move(to: Point(x: 0, y: -10))
        let second = stage.view.beginDrag(at: .zero)
        first.move(to: Point(x: 0, y: -100))
        #expect(!first.isActive && second.isActive && stage.view.isDragging)
        #expect(stage.view.contentOffset == Point(x: 100, y: 210))
        second.end()
        #expect(!stage.view.isDragging)
        second.move(to: Point(x: 0, y: 50))
        #expect(stage.view.contentOffset == Point(x: 100, y: 210))
    }

    @Test(arguments: [Double.nan, .infinity, -.infinity])
    func fingersNowhereMoveNothingFar(_ value: Double) {
        let stage = Stage(locks: false)
        let drag = stage.view.beginDrag(at: .zero)
        drag.move(to: Point(x: value, y: value))
        #expect(stage.view.contentOffset.x.isFinite && stage.view.contentOffset.y.isFinite)
        let rest = drag.end(velocity: Point(x: value, y: value))
        #expect((0...200).contains(rest.x) && (0...500).contains(rest.y))
    }

    @Test func aTouchBecomesADragWhenTheContentMoves() {
        let stage = Stage()
        let delegate = RowDelegate()
        stage.view.delegate = delegate
        stage.view.beginTouch(at: Point(x: 110, y: 205))
        let drag = stage.view.beginDrag(at: .zero)
        drag.move(to: Point(x: 0, y: 2))
        #expect(stage.view.highlightedItem == path(0, 10))
        drag.move(to: Point(x: 0, y: 20))
        #expect(stage.view.highlightedItem == nil)
        #expect(
            delegate.log == ["shouldHighlight [0, 10]", "didHighlight [0, 10]", "didUnhighlight [0, 10]"])
    }
}
