import CollectionLayout
import CollectionView
import Testing

@Suite struct SurroundingsTests {
    private let source = RowSource(rows: 30)

    @Test func theViewBeginsAtTheInset() {
        let view = CollectionView(layout: RowTable(), bounds: Rect(x: 0, y: 0, width: 100, height: 100))
        view.contentInset = EdgeInsets(top: 20, leading: 3, bottom: 0, trailing: 0)
        view.safeAreaInsets = EdgeInsets(top: 44)
        view.dataSource = source
        view.layoutIfNeeded()
        #expect(view.contentOffset == Point(x: -3, y: -64))
    }

    @Test func fromRightToLeftTheViewBeginsAtTheRight() {
        var layout = RowTable()
        layout.width = 300
        let view = CollectionView(layout: layout, bounds: Rect(x: 0, y: 0, width: 100, height: 100))
        view.layoutDirection = .rightToLeft
        view.contentInset = EdgeInsets(top: 0, leading: 7, bottom: 0, trailing: 11)
        view.dataSource = source
        view.layoutIfNeeded()
        // The leading inset is at the right.
        #expect(view.offsetRange(.horizontal) == -11...207)
        #expect(view.contentOffset == Point(x: 207, y: 0))
    }

    @Test func atTheBeginningTheOffsetFollowsTheInset() {
        let view = makeView(source)
        view.contentOffset = .zero
        view.safeAreaInsets = EdgeInsets(top: 44)
        #expect(view.contentOffset == Point(x: 0, y: -44))
        view.contentInsetAdjustment = .never
        #expect(view.contentOffset == .zero)
        view.contentOffset = Point(x: 0, y: 50)
        view.contentInset = EdgeInsets(top: 10)
        view.layoutIfNeeded()
        #expect(view.contentOffset == Point(x: 0, y: 50))
    }

    @Test func theSafeAreaIsAddedOrNot() {
        let view = makeView(source)
        view.contentInset = EdgeInsets(top: 1, leading: 2, bottom: 3, trailing: 4)
        view.safeAreaInsets = EdgeInsets(top: 10, leading: 20, bottom: 30, trailing: 40)
        #expect(view.adjustedContentInset == EdgeInsets(top: 11, leading: 22, bottom: 33, trailing: 44))
        #expect(view.container.insets(from: .fromSafeArea) == .zero)
        view.contentInsetAdjustment = .never
        #expect(view.adjustedContentInset == view.contentInset)
        #expect(view.container.insets(from: .fromSafeArea) == EdgeInsets(top: 9, leading: 18, bottom: 27, trailing: 36))
    }

    @Test func aViewsMarginsAreEightInsideTheSafeArea() {
        let view = CollectionView(layout: RowTable())
        view.safeAreaInsets = EdgeInsets(top: 44)
        #expect(view.container.layoutMargins == EdgeInsets(top: 52, leading: 8, bottom: 8, trailing: 8))
        // The content inset covers the safe area.
        #expect(view.container.insets(from: .fromLayoutMargins) == EdgeInsets(all: 8))
    }

    @Test func insetsThatAreNoneAreMended() {
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

    @Test func theFirstVisibleItemStaysWhereItIsSeen() {
        let view = makeView(source)
        view.contentOffset = Point(x: 0, y: 210)
        view.layoutIfNeeded()
        // r10 begins at 200, 10 above the edge; in rows of 50 it begins at 500.
        view.setLayout(RowTable(rowHeight: 50))
        view.layoutIfNeeded()
        #expect(view.contentOffset.y == 510 && view.seen.first == "r10")
        view.setLayout(RowTable(rowHeight: 5))
        view.layoutIfNeeded()
        // It would be at 60; the content of 150 ends at 50.
        #expect(view.contentOffset.y == 50)
    }

    @Test func atTheBeginningALayoutBeginsAtItsBeginning() {
        let view = makeView(source)
        for y in [100.0, 0] {
            view.contentOffset = Point(x: 0, y: y)
            view.layoutIfNeeded()
        }
        view.setLayout(RowTable(rowHeight: 50, headerHeight: 30))
        view.layoutIfNeeded()
        #expect(view.contentOffset == .zero)
    }

    @Test func anOffsetThatIsSetAfterTheLayoutCounts() {
        let view = makeView(source)
        view.contentOffset = Point(x: 0, y: 210)
        view.layoutIfNeeded()
        view.setLayout(RowTable(rowHeight: 50))
        view.contentOffset = Point(x: 0, y: 77)
        view.layoutIfNeeded()
        #expect(view.contentOffset.y == 77)
    }
}
