import Testing

@testable import CollectionLayout

@Suite struct PixelGridTests {
    /// The values of airbnb/MagazineLayout, Tests/ScreenPixelAlignmentTests.swift (Apache 2.0), nine in number; they agree.
    @Test(arguments: [
        (1.0, 1.0, 1.0), (1.5, 1, 2), (500.8232134315, 1, 501), (1, 2, 1), (1.5, 2, 1.5), (500.8232134315, 2, 501),
        (1, 3, 1), (1.5, 3, 1.6666666666666667), (500.8232134315, 3, 500.6666666666667),
    ])
    func edgesGoToTheNearestPixel(value: Double, scale: Double, expected: Double) {
        #expect(PixelGrid(scale: scale).snapped(value) == expected)
    }

    /// MagazineLayout rounds halves away from zero; here they go up on both sides of it, so that what is moved by whole pixels
    /// looks the same (facts, layout 2).
    @Test(arguments: [(-0.5, 0.0), (-1.5, -1), (-2.5, -2), (0.5, 1), (1.5, 2), (-0.49, 0), (-0.51, -1)])
    func halvesGoUpOnBothSidesOfZero(value: Double, expected: Double) {
        #expect(PixelGrid(scale: 1).snapped(value) == expected)
    }

    @Test func thereIsNoNegativeZero() {
        #expect(PixelGrid(scale: 2).snapped(-0.1).sign == .plus)
    }

    @Test func cellsTileWhenTheirEdgesAreSnapped() {
        let grid = PixelGrid(scale: 2)
        let edges = (0...30).map { 10.0 + Double($0) * 33.4 / 3 }
        let cells = zip(edges, edges.dropFirst()).map {
            grid.snapped(Rect(minX: $0, minY: 0, maxX: $1, maxY: 1))
        }
        for (cell, next) in zip(cells, cells.dropFirst()) { #expect(cell.maxX == next.minX) }
    }

    @Test func componentsAreRoundedEachByItself() {
        let rect = Rect(x: 0.4, y: 0, width: 1.4, height: 1)
        #expect(PixelGrid(scale: 1).snapped(rect) == Rect(minX: 0, minY: 0, maxX: 2, maxY: 1))
        #expect(PixelGrid(scale: 1).snapped(rect, rounding: .components) == Rect(x: 0, y: 0, width: 1, height: 1))
    }

    @Test func scalesOutOfRangeAreBroughtIn() {
        #expect(PixelGrid(scale: .nan).scale == 1)
        #expect(PixelGrid(scale: -3).scale == 0.01)
        #expect(PixelGrid(scale: .infinity).scale == 100)
        #expect(PixelGrid(scale: 4).pixel == 0.25)
    }

    @Test func hugeAndInfiniteValuesStayThemselves() {
        let grid = PixelGrid(scale: 2)
        #expect(grid.snapped(.infinity) == .infinity)
        #expect(grid.snapped(1e300) == 1e300)
        #expect(grid.snapped(.nan).isNaN)
    }

    @Test(arguments: [(2.5, 2.0), (-2.5, -3), (-3, -3), (0, 0), (4e15 + 0.5, 4e15), (1e18, 1e18)])
    func theFloorIsThatOfMathematics(value: Double, expected: Double) {
        #expect(value.floored == expected)
    }

    @Test func lengthsAndDistancesAreFinite() {
        #expect((-1.0).asLength == 0 && Double.nan.asLength == 0 && Double.infinity.asLength == 1e12)
        #expect((-Double.infinity).asDistance == -1e12 && Double.nan.asDistance == 0)
        #expect(Int(Double.nan, clampedTo: 2...5) == 2 && Int(1e300, clampedTo: 2...5) == 5)
        #expect(Int(3.9, clampedTo: 2...5) == 3)
    }
}
