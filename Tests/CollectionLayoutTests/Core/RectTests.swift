import CollectionLayout
import LayoutTestSupport
import Testing

@Suite struct RectTests {
    @Test func theFarEdgesAreNotInIt() {
        let rect = Rect(x: 10, y: 20, width: 30, height: 40)
        #expect(rect.contains(x: 10, y: 20))
        #expect(rect.contains(x: 39.999, y: 59.999))
        #expect(!rect.contains(x: 40, y: 20))
        #expect(!rect.contains(x: 10, y: 60))
        #expect(!rect.contains(x: 9.999, y: 20))
    }

    @Test func neighboursDoNotIntersect() {
        let left = Rect(x: 0, y: 0, width: 10, height: 10)
        #expect(!left.intersects(Rect(x: 10, y: 0, width: 10, height: 10)))
        #expect(!left.intersects(Rect(x: 0, y: 10, width: 10, height: 10)))
        #expect(left.intersects(Rect(x: 9.999, y: 9.999, width: 10, height: 10)))
    }

    @Test func aPointlikeRectangleBelongsToOneOfTwoNeighbours() {
        let left = Rect(x: 0, y: 0, width: 10, height: 10)
        let right = Rect(x: 10, y: 0, width: 10, height: 10)
        let between = Rect(x: 10, y: 5, width: 0, height: 1)
        #expect(!left.intersects(between) && !between.intersects(left))
        #expect(right.intersects(between) && between.intersects(right))
        #expect(between.intersects(between))
    }

    @Test func intersectingIsSymmetricAndNeverWiderThanTouching() {
        let seed = SeededGenerator.anySeed()
        var random = SeededGenerator(seed: seed)
        func rect() -> Rect {
            Rect(
                x: Double(Int.random(in: 0...5, using: &random)), y: Double(Int.random(in: 0...5, using: &random)),
                width: Double(Int.random(in: 0...3, using: &random)),
                height: Double(Int.random(in: 0...3, using: &random)))
        }
        for _ in 0..<10_000 {
            let (a, b) = (rect(), rect())
            guard a.intersects(b) == b.intersects(a) else {
                Issue.record("\(a) and \(b) differ in intersecting, seed \(seed)")
                return
            }
            let touching = a.minX <= b.maxX && b.minX <= a.maxX && a.minY <= b.maxY && b.minY <= a.maxY
            guard touching || !a.intersects(b) else {
                Issue.record("\(a) and \(b) lie apart and intersect, seed \(seed)")
                return
            }
        }
    }

    @Test func lengthsAreNeverNegative() {
        let rect = Rect(x: 10, y: 10, width: -5, height: -1)
        #expect(rect.width == 0 && rect.height == 0 && rect.isEmpty)
        #expect(rect.origin == Point(x: 10, y: 10))
        #expect(Rect(minX: 3, minY: 4, maxX: 1, maxY: 9) == Rect(minX: 3, minY: 4, maxX: 3, maxY: 9))
    }

    @Test func intersectionAndUnionHoldWhatTheySay() {
        let a = Rect(x: 0, y: 0, width: 10, height: 10)
        let b = Rect(x: 5, y: 6, width: 10, height: 10)
        #expect(a.intersection(b) == Rect(minX: 5, minY: 6, maxX: 10, maxY: 10))
        #expect(a.union(b) == Rect(minX: 0, minY: 0, maxX: 15, maxY: 16))
        #expect(a.intersection(Rect(x: 20, y: 20, width: 1, height: 1)).isEmpty)
    }

    @Test func insetsMoveTheEdgesInwards() {
        let rect = Rect(x: 0, y: 0, width: 100, height: 50)
        let insets = EdgeInsets(top: 1, leading: 2, bottom: 3, trailing: 4)
        #expect(rect.inset(by: insets) == Rect(minX: 2, minY: 1, maxX: 96, maxY: 47))
        #expect(rect.inset(by: EdgeInsets(all: 60)).isEmpty)
        #expect(insets.horizontal == 6 && insets.vertical == 4)
        #expect(insets.start(.vertical) == 1 && insets.end(.horizontal) == 4)
    }

    @Test func mirroringTwiceGivesTheSame() {
        let rect = Rect(x: 10, y: 7, width: 25, height: 3)
        #expect(rect.mirrored(inWidth: 100) == Rect(minX: 65, minY: 7, maxX: 90, maxY: 10))
        #expect(rect.mirrored(inWidth: 100).mirrored(inWidth: 100) == rect)
    }

    @Test func axesNameTheSameEdges() {
        let rect = Rect(along: .vertical, (1, 5), across: (2, 9))
        #expect(rect == Rect(minX: 2, minY: 1, maxX: 9, maxY: 5))
        #expect(rect.start(.vertical) == 1 && rect.length(.horizontal) == 7)
        #expect(Size(along: .vertical, 4, across: 7) == rect.size)
        #expect(Axis.vertical.crossing == .horizontal)
    }
}
