import Testing

@testable import CollectionLayout

@Suite struct AffineTransformTests {
    @Test func theMatrixIsThatOfCoreGraphics() {
        // x′ = a·x + c·y + tx, y′ = b·x + d·y + ty.
        let transform = AffineTransform(a: 2, b: 3, c: 5, d: 7, tx: 11, ty: 13)
        #expect(transform(Point(x: 1, y: 10)) == Point(x: 63, y: 86))
    }

    @Test func theBoxHoldsAllCorners() {
        let turn = AffineTransform.rotation(cosine: 0.6, sine: 0.8)
        // Corners of a square of 10: (0, 0), (6, 8), (−8, 6), (−2, 14).
        let box = turn.boundingBox(of: Rect(x: 0, y: 0, width: 10, height: 10))
        #expect(box == Rect(minX: -8, minY: 0, maxX: 6, maxY: 14))
    }

    @Test func theInverseLeadsBack() throws {
        let transform = AffineTransform(a: 2, b: 0, c: 1, d: 4, tx: 10, ty: -8)
        let inverse = try #require(transform.inverse)
        for point in [Point(x: 0, y: 0), Point(x: 3, y: -7), Point(x: -2.5, y: 8)] {
            #expect(inverse(transform(point)) == point)
        }
    }

    @Test func whatHasNoAreaHasNoInverse() {
        #expect(AffineTransform.scale(x: 0, y: 1).inverse == nil)
        #expect(AffineTransform(a: .nan, b: 0, c: 0, d: 1).inverse == nil)
        #expect(AffineTransform.scale(x: .infinity, y: 1).inverse == nil)
    }
}
