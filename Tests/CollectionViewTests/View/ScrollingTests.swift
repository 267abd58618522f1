import CollectionLayout
import CollectionView
import LayoutTestSupport
import Testing

@Suite struct ScrollingTests {
    private let source = RowSource(rows: 20)

    /// Twenty rows of 20, 300 wide, in a view of 100 by 100: the offset goes to (200, 300).
    private func wideView() -> CollectionView {
        var layout = RowTable()
        layout.width = 300
        return makeView(source, layout)
    }

    @Test func offsetsAreKeptInTheContent() {
        let view = wideView()
        view.setContentOffset(Point(x: 500, y: -10))
        #expect(view.contentOffset == Point(x: 200, y: 0))
        view.setContentOffset(Point(x: -1, y: 1000))
        #expect(view.contentOffset == Point(x: 0, y: 300))
        view.setContentOffset(Point(x: -1, y: 1000), within: .free)
        view.layoutIfNeeded()
        #expect(view.contentOffset == Point(x: -1, y: 1000))
        view.contentOffset = Point(x: 10, y: 20)
        #expect(view.contentOffset == Point(x: 10, y: 20))
    }

    @Test(arguments: [Double.nan, .infinity, -.infinity, 1e300])
    func offsetsThatAreNoneAreBroughtIn(_ value: Double) {
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

    @Test func insetsWidenTheRange() {
        let view = wideView()
        view.contentInset = EdgeInsets(top: 10, leading: 1, bottom: 30, trailing: 4)
        view.safeAreaInsets = EdgeInsets(top: 5, leading: 0, bottom: 0, trailing: 0)
        view.layoutIfNeeded()
        #expect(view.offsetRange(.vertical) == -15...330)
        #expect(view.offsetRange(.horizontal) == -1...204)
        view.contentInsetAdjustment = .never
        #expect(view.offsetRange(.vertical) == -10...330)
    }

    @Test func contentThatFitsStaysAtItsBeginning() {
        let view = makeView(source, RowTable(rowHeight: 2))
        view.contentInset = EdgeInsets(top: 7)
        view.setContentOffset(Point(x: 0, y: 50))
        view.layoutIfNeeded()
        #expect(view.contentOffset == Point(x: 0, y: -7))
    }

    @Test func anOffsetSetBeforeTheFirstLayoutIsKeptAndLimitedByIt() {
        let view = CollectionView(layout: RowTable(), bounds: Rect(x: 0, y: 0, width: 100, height: 100))
        view.dataSource = source
        view.contentOffset = Point(x: 0, y: 120)
        view.layoutIfNeeded()
        #expect(view.contentOffset.y == 120)
        view.contentOffset = Point(x: 0, y: 9999)
        #expect(view.contentOffset.y == 300)
    }

    @Test func aViewThatGrowsAtTheEndShowsNothingBeyondIt() {
        let view = wideView()
        view.setContentOffset(Point(x: 0, y: 300))
        view.layoutIfNeeded()
        view.bounds = Rect(origin: view.contentOffset, size: Size(width: 100, height: 150))
        view.layoutIfNeeded()
        #expect(view.contentOffset.y == 250)
    }

    /// The row at 200 to 220 and 0 to 300, in a view of 100 with insets of 10 above and 20 below, from the offset (50, 0).
    @Test(arguments: [
        (ScrollPosition.top, 50.0, 190.0), (.centeredVertically, 50, 165), (.bottom, 50, 140), (.left, 0, 0),
        (.centeredHorizontally, 100, 0), (.right, 200, 0), (ScrollPosition([.top, .right]), 200, 190),
        (ScrollPosition([.bottom, .top]), 50, 190), (.nearest, 50, 140), (ScrollPosition(), 50, 0),
        (ScrollPosition([.nearest, .top]), 50, 190),
    ])
    func itemsAreScrolledTo(_ position: ScrollPosition, x: Double, y: Double) throws {
        let view = wideView()
        view.contentInset = EdgeInsets(top: 10, leading: 0, bottom: 20, trailing: 0)
        view.contentOffset = Point(x: 50, y: 0)
        try view.scrollToItem(at: path(0, 10), position: position)
        #expect(view.contentOffset == Point(x: x, y: y))
    }

    /// From the offset 100 with rows 5 to 9 in sight; a row is 20, the view 100.
    @Test(arguments: [(0, 0.0), (3, 60), (4, 80), (5, 100), (7, 100), (9, 100), (10, 120), (19, 300)])
    func nearestMovesAsLittleAsPossible(row: Int, expected: Double) throws {
        let view = wideView()
        view.contentOffset = Point(x: 0, y: 100)
        try view.scrollToItem(at: path(0, row), position: .nearest)
        #expect(view.contentOffset.y == expected)
    }

    /// A row of 300 in a view of 100: its beginning is shown, unless it fills the view already.
    @Test(arguments: [(0.0, 0.0), (50, 50), (200, 200)])
    func nearestLeavesAnItemThatFillsTheView(from: Double, expected: Double) throws {
        let view = wideView()
        view.contentOffset = Point(x: from, y: 0)
        try view.scrollToItem(at: path(0, 0), position: .nearest)
        #expect(view.contentOffset.x == expected)
    }

    @Test func atTheEndsItemsAreShownAsFarAsThereIsContent() throws {
        let view = wideView()
        try view.scrollToItem(at: path(0, 19), position: .top)
        #expect(view.contentOffset.y == 300)
        try view.scrollToItem(at: path(0, 0), position: .bottom)
        #expect(view.contentOffset.y == 0)
    }

    @Test(arguments: [(0, 20), (1, 0), (-1, 0), (0, -1), (.max, .max), (.min, .min)])
    func unknownItemsAreAnError(section: Int, item: Int) {
        let view = wideView()
        #expect(throws: CollectionViewError.unknownItem(path(section, item))) {
            try view.scrollToItem(at: path(section, item))
        }
        #expect(view.contentOffset == .zero)
        #expect(view.attributes(of: .item(path(section, item))) == nil)
    }

    @Test func itemsWithoutAPlaceAreAnError() {
        struct Nowhere: CollectionViewLayout {
            let contentSize = Size(width: 10, height: 10)
            mutating func prepare(in container: LayoutContainer) {}
            func attributes(in rect: Rect, cost: inout LayoutCost) -> [LayoutAttributes] { [] }
            func attributes(of element: LayoutElement) -> LayoutAttributes? { nil }
            mutating func invalidate(with context: InvalidationContext) {}
        }
        let view = makeView(source, Nowhere())
        #expect(throws: CollectionViewError.notPlaced(path(0, 0))) { try view.scrollToItem(at: path(0, 0)) }
        #expect("\(CollectionViewError.notPlaced(path(0, 0)))".contains("[0, 0]"))
        #expect("\(CollectionViewError.unknownItem(path(0, 9)))".contains("[0, 9]"))
    }
}
