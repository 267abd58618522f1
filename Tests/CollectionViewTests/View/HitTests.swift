import CollectionLayout
import CollectionView
import LayoutTestSupport
import Testing

@Suite struct HitTests {
    private let source = RowSource([["a", "b", "c"], ["d", "e"]])

    @Test(arguments: [
        (0.0, 0.0, CollectionLayout.IndexPath?.some(path(0, 0))), (99.9, 19.9, path(0, 0)), (0, 20, path(0, 1)),
        (50, 60, path(1, 0)), (100, 30, nil), (50, 100, nil), (-0.1, 30, nil), (.nan, 30, nil), (.infinity, 0, nil),
    ])
    func atAnEdgeTheLaterItemIsHit(x: Double, y: Double, expected: CollectionLayout.IndexPath?) {
        #expect(makeView(source).indexPathForItem(at: Point(x: x, y: y)) == expected)
    }

    @Test func ofSeveralTheOneDrawnLastIsHit() {
        var layout = RowTable()
        layout.look = { attributes in
            attributes.layoutFrame = Rect(x: 0, y: 0, width: 100, height: 100)
            attributes.zIndex = attributes.indexPath == path(0, 1) ? 1 : 0
            attributes.isHidden = attributes.indexPath == path(1, 1)
        }
        let view = makeView(source, layout)
        #expect(view.indexPathForItem(at: Point(x: 1, y: 1)) == path(0, 1))
        #expect(
            view.elements(at: Point(x: 1, y: 1)).map(\.indexPath) == [
                path(0, 0), path(0, 2), path(1, 0), path(0, 1),
            ])
    }

    @Test func aTurnedItemIsHitWhereItIsDrawn() {
        var layout = RowTable()
        layout.look = { attributes in
            guard attributes.indexPath == path(0, 1) else { return attributes.isHidden = true }
            // A diamond: a square of 40 about (50, 50), turned by an eighth (cosine and sine ½√2).
            attributes.layoutFrame = Rect(x: 30, y: 30, width: 40, height: 40)
            attributes.transform = .rotation(cosine: 0.5.squareRoot(), sine: 0.5.squareRoot())
        }
        let view = makeView(source, layout)
        #expect(view.indexPathForItem(at: Point(x: 50, y: 23)) == path(0, 1))
        #expect(view.indexPathForItem(at: Point(x: 31, y: 31)) == nil)
        #expect(view.indexPathForItem(at: Point(x: 77, y: 50)) == path(0, 1))
    }

    @Test func whatCoversAnItemTakesTheTouch() {
        var layout = RowTable(rowHeight: 20, headerHeight: 20)
        layout.pinsHeaders = true
        let view = makeView(source, layout, bounds: Rect(x: 0, y: 0, width: 100, height: 40))
        view.contentOffset = Point(x: 0, y: 30)
        view.layoutIfNeeded()
        // The header of the first section stands at 30, above the rows at 20 and 40.
        #expect(view.beginTouch(at: Point(x: 50, y: 45)) == nil)
        #expect(view.indexPathForItem(at: Point(x: 50, y: 45)) == path(0, 1))
        #expect(view.beginTouch(at: Point(x: 50, y: 55)) == path(0, 1))
    }

    @Test func itemsThatAreNearlyInvisibleLetTouchesThrough() {
        var layout = RowTable()
        layout.look = { $0.alpha = $0.indexPath == path(0, 0) ? 0.009 : 0.01 }
        let view = makeView(source, layout)
        #expect(view.beginTouch(at: Point(x: 50, y: 10)) == nil)
        #expect(view.beginTouch(at: Point(x: 50, y: 30)) == path(0, 1))
    }
}
