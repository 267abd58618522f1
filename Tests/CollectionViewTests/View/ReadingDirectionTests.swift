import CollectionLayout
import CollectionView
import LayoutTestSupport
import Testing

/// What is seen and hit where text runs from right to left.
@Suite struct ReadingDirectionTests {
    /// Columns of 40 in a view of 100 by 100, without spacing.
    private func makeColumns(_ source: RowSource, _ direction: LayoutDirection = .rightToLeft) -> CollectionView {
        var flow = FlowLayout()
        flow.scrollDirection = .horizontal
        flow.itemSize = Size(width: 40, height: 100)
        flow.minimumLineSpacing = 0
        let view = CollectionView(layout: flow, bounds: Rect(x: 0, y: 0, width: 100, height: 100))
        view.layoutDirection = direction
        view.dataSource = source
        view.layoutIfNeeded()
        return view
    }

    /// How far an item begins from the edge where lines begin.
    private func distance(_ item: Int, in view: CollectionView) throws -> Double {
        let frame = try #require(view.attributes(of: .item(path(0, item)))).layoutFrame
        return view.layoutDirection == .leftToRight ? frame.minX - view.bounds.minX : view.bounds.maxX - frame.maxX
    }

    /// By one element that is appended, and by one that is deleted there.
    @Test(arguments: [LayoutDirection.leftToRight, .rightToLeft])
    func whatIsSeenStaysWhenTheFarEndMoves(direction: LayoutDirection) throws {
        let source = RowSource(rows: 20)
        let view = makeColumns(source, direction)
        try view.scrollToItem(at: path(0, 5), position: direction == .leftToRight ? .left : .right)
        view.layoutIfNeeded()
        #expect(try distance(5, in: view) == 0)
        try view.performBatchUpdates { updates in
            source.sections[0] += ["new", "newer"]
            updates.insertItems(at: [path(0, 20), path(0, 21)])
        }
        #expect(try distance(5, in: view) == 0 && view.contentSize.width == 880)
        try view.performBatchUpdates { updates in
            source.sections[0].removeLast(5)
            updates.deleteItems(at: (17..<22).map { path(0, $0) })
        }
        #expect(try distance(5, in: view) == 0)
        source.sections[0] += ["last"]
        view.reloadData()
        view.layoutIfNeeded()
        #expect(try distance(5, in: view) == 0)
    }

    @Test func atTheBeginningTheViewStaysAtTheBeginning() throws {
        let source = RowSource(rows: 20)
        let view = makeColumns(source)
        view.contentOffset.x = 700
        #expect(view.contentOffset.x == view.offsetRange(.horizontal).upperBound)
        try view.performBatchUpdates { updates in
            source.sections[0].insert("new", at: 0)
            updates.insertItems(at: [path(0, 0)])
        }
        #expect(try distance(0, in: view) == 0 && view.contentOffset.x == 740)
    }

    @Test func anOffsetForContentThatIsToComeIsTakenAsItIs() {
        let source = RowSource(rows: 20)
        let view = makeColumns(source)
        source.sections[0] += ["new", "newer"]
        view.reloadData()
        view.contentOffset.x = 300
        view.layoutIfNeeded()
        #expect(view.contentOffset.x == 300)
    }

    @Test func aDragGoesOnFromWhereTheContentIs() throws {
        let source = RowSource(rows: 20)
        let view = makeColumns(source)
        view.contentOffset.x = 300
        let drag = view.beginDrag(at: .zero)
        drag.move(to: Point(x: 10, y: 0))
        try view.performBatchUpdates { updates in
            source.sections[0] += ["new"]
            updates.insertItems(at: [path(0, 20)])
        }
        #expect(view.contentOffset.x == 330)
        drag.move(to: Point(x: 20, y: 0))
        #expect(view.contentOffset.x == 320 && drag.end().x == 320)
    }

    /// Three columns that end at the right edge of the content, which is 120 wide.
    @Test(
        arguments: [
            (120.0, 0), (100, 0), (80, 1), (79.9, 1), (80.1, 0), (40, 2), (0.1, 2), (0, nil), (120.1, nil),
        ] as [(Double, Int?)])
    func atAnEdgeTheItemThatBeginsThereIsHit(x: Double, expected: Int?) {
        let view = makeColumns(RowSource(rows: 3))
        // The source is gone, what was laid out stays.
        #expect(view.indexPathForItem(at: Point(x: x, y: 50))?.item == expected)
        #expect(view.indexPathForItem(at: Point(x: x, y: 100)) == nil)
        view.beginTouch(at: Point(x: x, y: 0))
        #expect(view.highlightedItem?.item == expected)
    }
}
