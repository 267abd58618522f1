import CollectionLayout
import CollectionView
import LayoutTestSupport
import TestSupport
import Testing

@Suite struct ScrollGeometryTests {
    private let source = RowSource(rows: 30)

    @Test func viewStartsAtInsetOfItsReadingDirection() {
        // From left to right.
        do {
            let view = CollectionView(layout: RowTable(), bounds: Rect(x: 0, y: 0, width: 100, height: 100))
            view.contentInset = EdgeInsets(top: 20, leading: 3, bottom: 0, trailing: 0)
            view.safeAreaInsets = EdgeInsets(top: 44)
            view.dataSource = source
            view.layoutIfNeeded()
            expectEqual(view.contentOffset, Point(x: -3, y: -64))
        }
        // From right to left, the leading inset is on the right.
        do {
            var layout = RowTable()
            layout.width = 300
            let view = CollectionView(layout: layout, bounds: Rect(x: 0, y: 0, width: 100, height: 100))
            view.layoutDirection = .rightToLeft
            view.contentInset = EdgeInsets(top: 0, leading: 7, bottom: 0, trailing: 11)
            view.dataSource = source
            view.layoutIfNeeded()
            expectEqual(view.offsetRange(.horizontal), -11...207)
            expectEqual(view.contentOffset, Point(x: 207, y: 0))
        }
    }

    @Test func offsetAtStartFollowsInset() {
        let view = makeView(source)
        view.contentOffset = .zero
        view.safeAreaInsets = EdgeInsets(top: 44)
        expectEqual(view.contentOffset, Point(x: 0, y: -44))
        view.contentInsetAdjustment = .never
        expectEqual(view.contentOffset, .zero)
        view.contentOffset = Point(x: 0, y: 50)
        view.contentInset = EdgeInsets(top: 10)
        view.layoutIfNeeded()
        expectEqual(view.contentOffset, Point(x: 0, y: 50))
    }

    @Test func safeAreaIsAddedDependingOnAdjustment() {
        let view = makeView(source)
        view.contentInset = EdgeInsets(top: 1, leading: 2, bottom: 3, trailing: 4)
        view.safeAreaInsets = EdgeInsets(top: 10, leading: 20, bottom: 30, trailing: 40)
        expectEqual(view.adjustedContentInset, EdgeInsets(top: 11, leading: 22, bottom: 33, trailing: 44))
        expectEqual(view.container.insets(from: .fromSafeArea), .zero)
        view.contentInsetAdjustment = .never
        expectEqual(view.adjustedContentInset, view.contentInset)
        expectEqual(
            view.container.insets(from: .fromSafeArea), EdgeInsets(top: 9, leading: 18, bottom: 27, trailing: 36))
    }

    @Test func defaultMarginsAreEightInsideSafeArea() {
        let view = CollectionView(layout: RowTable())
        view.safeAreaInsets = EdgeInsets(top: 44)
        expectEqual(view.container.layoutMargins, EdgeInsets(top: 52, leading: 8, bottom: 8, trailing: 8))
        // The content inset covers the safe area.
        expectEqual(view.container.insets(from: .fromLayoutMargins), EdgeInsets(all: 8))
    }

    @Test func invalidInsetsAreCorrected() {
        let view = makeView(source)
        view.contentInset = EdgeInsets(top: .nan, leading: .infinity, bottom: -.infinity, trailing: 1e300)
        view.safeAreaInsets = EdgeInsets(all: .nan)
        view.layoutMargins = EdgeInsets(all: .infinity)
        view.scale = .nan
        view.layoutIfNeeded()
        let container = view.container
        for inset in [container.contentInset, container.safeAreaInsets, container.layoutMargins] {
            #expect((inset.horizontal + inset.vertical).isFinite)
        }
        #expect(view.contentOffset.x.isFinite && view.contentOffset.y.isFinite && container.pixels.scale == 1)
    }

    // MARK: - Another layout

    @Test func offsetStaysWithNewLayoutInsideContent() {
        let view = makeView(source)
        view.contentOffset = Point(x: 0, y: 210)
        view.layoutIfNeeded()
        view.layout = RowTable(rowHeight: 50)
        view.layoutIfNeeded()
        expectEqual(view.contentOffset.y, 210)
        expectEqual(view.rowNames.first, "r4")
        view.layout = RowTable(rowHeight: 5)
        view.layoutIfNeeded()
        // The content of 150 ends at 50.
        expectEqual(view.contentOffset.y, 50)
    }

    @Test func newLayoutStartsAtItsStart() {
        let view = makeView(source)
        for y in [100.0, 0] {
            view.contentOffset = Point(x: 0, y: y)
            view.layoutIfNeeded()
        }
        view.layout = RowTable(rowHeight: 50, headerHeight: 30)
        view.layoutIfNeeded()
        expectEqual(view.contentOffset, .zero)
    }

    @Test func offsetSetAfterLayoutTakesPrecedence() {
        let view = makeView(source)
        view.contentOffset = Point(x: 0, y: 210)
        view.layoutIfNeeded()
        view.layout = RowTable(rowHeight: 50)
        view.contentOffset = Point(x: 0, y: 77)
        view.layoutIfNeeded()
        expectEqual(view.contentOffset.y, 77)
    }
}

/// Visible elements and hit testing in right-to-left layouts.
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

    /// Returns the distance from an item to the edge where lines begin.
    private func distance(_ item: Int, in view: CollectionView) throws -> Double {
        let frame = try #require(view.attributes(of: .item(path(0, item)))).frame
        return view.layoutDirection == .leftToRight ? frame.minX - view.bounds.minX : view.bounds.maxX - frame.maxX
    }

    /// Appends one element, or deletes one at the far end.
    @Test(arguments: [LayoutDirection.leftToRight, .rightToLeft])
    func visibleContentStaysInPlaceWhenFarEndMoves(direction: LayoutDirection) throws {
        let source = RowSource(rows: 20)
        let view = makeColumns(source, direction)
        try view.scrollToItem(at: path(0, 5), position: direction == .leftToRight ? .left : .right)
        view.layoutIfNeeded()
        try expectEqual(distance(5, in: view), 0)
        try view.performBatchUpdates { updates in
            source.sections[0] += ["new", "newer"]
            updates.insertItems(at: [path(0, 20), path(0, 21)])
        }
        try expectEqual(distance(5, in: view), 0)
        expectEqual(view.contentSize.width, 880)
        try view.performBatchUpdates { updates in
            source.sections[0].removeLast(5)
            updates.deleteItems(at: (17..<22).map { path(0, $0) })
        }
        try expectEqual(distance(5, in: view), 0)
        source.sections[0] += ["last"]
        view.reloadData()
        view.layoutIfNeeded()
        try expectEqual(distance(5, in: view), 0)
    }

    @Test func viewAtStartStaysAtStart() throws {
        let source = RowSource(rows: 20)
        let view = makeColumns(source)
        view.contentOffset.x = 700
        expectEqual(view.contentOffset.x, view.offsetRange(.horizontal).upperBound)
        try view.performBatchUpdates { updates in
            source.sections[0].insert("new", at: 0)
            updates.insertItems(at: [path(0, 0)])
        }
        try expectEqual(distance(0, in: view), 0)
        expectEqual(view.contentOffset.x, 740)
    }

    @Test func offsetForFutureContentIsUsedUnchanged() {
        let source = RowSource(rows: 20)
        let view = makeColumns(source)
        source.sections[0] += ["new", "newer"]
        view.reloadData()
        view.contentOffset.x = 300
        view.layoutIfNeeded()
        expectEqual(view.contentOffset.x, 300)
    }

    @Test func dragContinuesFromMovedContent() throws {
        let source = RowSource(rows: 20)
        let view = makeColumns(source)
        view.contentOffset.x = 300
        let drag = view.beginDrag(at: .zero)
        drag.move(to: Point(x: 10, y: 0))
        try view.performBatchUpdates { updates in
            source.sections[0] += ["new"]
            updates.insertItems(at: [path(0, 20)])
        }
        expectEqual(view.contentOffset.x, 330)
        drag.move(to: Point(x: 20, y: 0))
        expectEqual(view.contentOffset.x, 320)
        expectEqual(drag.end().x, 320)
    }

    /// Three columns that end at the right edge of the content, which is 120 wide.
    @Test(
        arguments: [
            (120.0, 0), (100, 0), (80, 1), (79.9, 1), (80.1, 0), (40, 2), (0.1, 2), (0, nil), (120.1, nil),
        ] as [(Double, Int?)])
    func edgeBelongsToItemThatBeginsThere(x: Double, expected: Int?) {
        let view = makeColumns(RowSource(rows: 3))
        // The data source was released, but the layout remains.
        expectEqual(view.indexPathForItem(at: Point(x: x, y: 50))?.item, expected)
        expectEqual(view.indexPathForItem(at: Point(x: x, y: 100)), nil)
        view.beginTouch(at: Point(x: x, y: 0))
        expectEqual(view.highlightedItem?.item, expected)
    }
}
