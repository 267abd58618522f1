import LayoutTestSupport
import TestSupport
import Testing

@testable import CollectionLayout

@Suite struct RectTests {
    @Test func rectanglesAreHalfOpen() {
        // Far edges are not contained.
        do {
            let rect = Rect(x: 10, y: 20, width: 30, height: 40)
            #expect(rect.contains(x: 10, y: 20))
            #expect(rect.contains(x: 39.999, y: 59.999))
            #expect(!rect.contains(x: 40, y: 20))
            #expect(!rect.contains(x: 10, y: 60))
            #expect(!rect.contains(x: 9.999, y: 20))
        }
        // Adjacent rectangles do not intersect.
        do {
            let left = Rect(x: 0, y: 0, width: 10, height: 10)
            #expect(!left.intersects(Rect(x: 10, y: 0, width: 10, height: 10)))
            #expect(!left.intersects(Rect(x: 0, y: 10, width: 10, height: 10)))
            #expect(left.intersects(Rect(x: 9.999, y: 9.999, width: 10, height: 10)))
        }
        // An empty rectangle intersects one of two neighbors.
        do {
            let left = Rect(x: 0, y: 0, width: 10, height: 10)
            let right = Rect(x: 10, y: 0, width: 10, height: 10)
            let between = Rect(x: 10, y: 5, width: 0, height: 1)
            #expect(!left.intersects(between) && !between.intersects(left))
            #expect(right.intersects(between) && between.intersects(right))
            #expect(between.intersects(between))
        }
    }

    @Test func intersectionIsSymmetricAndImpliesTouching() {
        let seed = SeededGenerator.anySeed()
        var random = SeededGenerator(seed: seed)
        func rect() -> Rect {
            Rect(
                x: Double(Int.random(in: 0...5, using: &random)), y: Double(Int.random(in: 0...5, using: &random)),
                width: Double(Int.random(in: 0...3, using: &random)),
                height: Double(Int.random(in: 0...3, using: &random)))
        }
        for _ in 0..<TestScope.cases(10_000) {
            let (a, b) = (rect(), rect())
            guard a.intersects(b) == b.intersects(a) else {
                Issue.record("the intersection of \(a) and \(b) is not symmetric, seed \(seed)")
                return
            }
            let touching = a.minX <= b.maxX && b.minX <= a.maxX && a.minY <= b.maxY && b.minY <= a.maxY
            guard touching || !a.intersects(b) else {
                Issue.record("\(a) and \(b) intersect but don't touch, seed \(seed)")
                return
            }
        }
    }

    @Test func lengthsAreNeverNegative() {
        let rect = Rect(x: 10, y: 10, width: -5, height: -1)
        #expect(rect.width == 0 && rect.height == 0 && rect.isEmpty)
        expectEqual(rect.origin, Point(x: 10, y: 10))
        expectEqual(Rect(minX: 3, minY: 4, maxX: 1, maxY: 9), Rect(minX: 3, minY: 4, maxX: 3, maxY: 9))
    }

    @Test func intersectionAndUnionAreCorrect() {
        let a = Rect(x: 0, y: 0, width: 10, height: 10)
        let b = Rect(x: 5, y: 6, width: 10, height: 10)
        expectEqual(a.intersection(b), Rect(minX: 5, minY: 6, maxX: 10, maxY: 10))
        expectEqual(a.union(b), Rect(minX: 0, minY: 0, maxX: 15, maxY: 16))
        #expect(a.intersection(Rect(x: 20, y: 20, width: 1, height: 1)).isEmpty)
    }

    @Test func insetsMoveEdgesInward() {
        let rect = Rect(x: 0, y: 0, width: 100, height: 50)
        let insets = EdgeInsets(top: 1, leading: 2, bottom: 3, trailing: 4)
        expectEqual(rect.inset(by: insets), Rect(minX: 2, minY: 1, maxX: 96, maxY: 47))
        #expect(rect.inset(by: EdgeInsets(all: 60)).isEmpty)
        expectEqual(insets.horizontal, 6)
        expectEqual(insets.vertical, 4)
        expectEqual(insets.start(.vertical), 1)
        expectEqual(insets.end(.horizontal), 4)
    }

    @Test func mirroringTwiceRestoresRectangle() {
        let rect = Rect(x: 10, y: 7, width: 25, height: 3)
        expectEqual(rect.mirrored(inWidth: 100), Rect(minX: 65, minY: 7, maxX: 90, maxY: 10))
        expectEqual(rect.mirrored(inWidth: 100).mirrored(inWidth: 100), rect)
    }

    @Test func axisAccessorsReturnSameEdges() {
        let rect = Rect(along: .vertical, (1, 5), across: (2, 9))
        expectEqual(rect, Rect(minX: 2, minY: 1, maxX: 9, maxY: 5))
        expectEqual(rect.start(.vertical), 1)
        expectEqual(rect.length(.horizontal), 7)
        expectEqual(Size(along: .vertical, 4, across: 7), rect.size)
        expectEqual(Axis.vertical.perpendicular, .horizontal)
    }
}

@Suite struct PixelGridTests {
    @Test(
        arguments: [
            // The nine values of airbnb/MagazineLayout, Tests/ScreenPixelAlignmentTests.swift (Apache 2.0).
            (1.0, 1.0, 1.0), (1.5, 1, 2), (500.8232134315, 1, 501), (1, 2, 1), (1.5, 2, 1.5), (500.8232134315, 2, 501),
            (1, 3, 1), (1.5, 3, 1.6666666666666667), (500.8232134315, 3, 500.6666666666667),
            // MagazineLayout rounds halves away from zero. Here they round up on both sides of zero, so that content looks
            // the same after it moves by whole pixels (GridRules.md).
            (-0.5, 1, 0.0), (-1.5, 1, -1), (-2.5, 1, -2), (0.5, 1, 1), (1.5, 1, 2), (-0.49, 1, 0), (-0.51, 1, -1),
        ] as [(Double, Double, Double)])
    func edgesSnapToNearestPixelAndHalvesRoundUp(value: Double, scale: Double, expected: Double) {
        expectEqual(PixelGrid(scale: scale).snapped(value), expected)
    }

    @Test func snappedCellsTileWithoutGaps() {
        let grid = PixelGrid(scale: 2)
        let edges = (0...30).map { 10.0 + Double($0) * 33.4 / 3 }
        let cells = zip(edges, edges.dropFirst()).map {
            grid.snapped(Rect(minX: $0, minY: 0, maxX: $1, maxY: 1))
        }
        for (cell, next) in zip(cells, cells.dropFirst()) { expectEqual(cell.maxX, next.minX) }
    }

    @Test func componentsAreRoundedIndependently() {
        let rect = Rect(x: 0.4, y: 0, width: 1.4, height: 1)
        expectEqual(PixelGrid(scale: 1).snapped(rect), Rect(minX: 0, minY: 0, maxX: 2, maxY: 1))
        expectEqual(PixelGrid(scale: 1).snapped(rect, rounding: .components), Rect(x: 0, y: 0, width: 1, height: 1))
    }

    @Test func unusualScalesAndValuesAreAccepted() {
        // Scales are clamped.
        expectEqual(PixelGrid(scale: .nan).scale, 1)
        expectEqual(PixelGrid(scale: -3).scale, 0.01)
        expectEqual(PixelGrid(scale: .infinity).scale, 100)
        expectEqual(PixelGrid(scale: 4).pixel, 0.25)
        // Huge and infinite values are unchanged.
        let grid = PixelGrid(scale: 2)
        expectEqual(grid.snapped(.infinity), .infinity)
        expectEqual(grid.snapped(1e300), 1e300)
        #expect(grid.snapped(.nan).isNaN)
        // A snapped zero is never negative.
        expectEqual(PixelGrid(scale: 2).snapped(-0.1).sign, .plus)
    }

    @Test(
        arguments: [
            (2.5, 2.0), (-2.5, -3), (-0.4, -1), (-3, -3), (0, 0), (4e15 + 0.5, 4e15), (1e18, 1e18), (-1e300, -1e300),
            (.infinity, .infinity), (-.infinity, -.infinity),
        ] as [(Double, Double)])
    func flooredIsMathematicalFloor(value: Double, expected: Double) {
        expectEqual(value.floored, expected)
    }

    @Test func lengthsAndDistancesAreFinite() {
        expectEqual((-1.0).asLength, 0)
        expectEqual(Double.nan.asLength, 0)
        expectEqual(Double.infinity.asLength, 1e12)
        expectEqual((-Double.infinity).asDistance, -1e12)
        expectEqual(Double.nan.asDistance, 0)
        expectEqual(Int(Double.nan, clampedTo: 2...5), 2)
        expectEqual(Int(1e300, clampedTo: 2...5), 5)
        expectEqual(Int(3.9, clampedTo: 2...5), 3)
    }
}
