import CollectionLayout
import Testing

@Suite struct LayoutAttributesTests {
    private func attributes(_ rect: Rect, _ transform: AffineTransform = .identity) -> LayoutAttributes {
        LayoutAttributes(.item(IndexPath(section: 0, item: 0)), frame: rect, transform: transform)
    }

    @Test func aQuarterTurnSwapsTheFrameAndNotTheBounds() {
        let turned = attributes(
            Rect(x: 10, y: 20, width: 100, height: 40), .rotation(cosine: 0, sine: 1))
        // About the centre (60, 40): half of 40 to the sides, half of 100 up and down.
        #expect(turned.frame == Rect(minX: 40, minY: -10, maxX: 80, maxY: 90))
        #expect(turned.bounds == Rect(x: 0, y: 0, width: 100, height: 40))
        #expect(turned.center == Point(x: 60, y: 40))
        #expect(turned.layoutFrame == Rect(x: 10, y: 20, width: 100, height: 40))
    }

    @Test func scalingGrowsTheFrameAboutTheCentre() {
        let grown = attributes(Rect(x: 0, y: 0, width: 100, height: 100), .scale(x: 1.5, y: 0.5))
        #expect(grown.frame == Rect(minX: -25, minY: 25, maxX: 125, maxY: 75))
        #expect(grown.bounds.size == Size(width: 100, height: 100))
    }

    @Test func aTranslationMovesTheFrame() {
        let moved = attributes(Rect(x: 1, y: 2, width: 4, height: 4), .translation(x: 10, y: -10))
        #expect(moved.frame == Rect(x: 11, y: -8, width: 4, height: 4))
    }

    @Test func withoutATransformTheFrameIsExact() {
        let rect = Rect(minX: 0.1, minY: 0.2, maxX: 0.7, maxY: 0.9)
        #expect(attributes(rect).frame == rect)
    }

    @Test func mirroringKeepsTheWidth() {
        let mirrored = attributes(Rect(x: 0, y: 5, width: 30, height: 10)).mirrored(inWidth: 100)
        #expect(mirrored.layoutFrame == Rect(x: 70, y: 5, width: 30, height: 10))
    }

    /// Band, z-index, kind, section, item (facts, layout 1), from what lies below to what lies above.
    static let drawingOrder: [LayoutAttributes] = {
        let path = IndexPath(section: 0, item: 0)
        func make(_ element: LayoutElement, _ band: ZBand, _ z: Int) -> LayoutAttributes {
            LayoutAttributes(element, frame: .zero, band: band, zIndex: z)
        }
        return [
            make(.item(path), .background, 1000),
            make(.item(path), .lines, 0),
            make(.item(IndexPath(section: 9, item: 9)), .content, -1),
            make(.decoration("a", IndexPath(section: 5, item: 0)), .content, 0),
            make(.decoration("b", path), .content, 0),
            make(.item(path), .content, 0),
            make(.item(IndexPath(section: 0, item: 1)), .content, 0),
            make(.item(IndexPath(section: 1, item: 0)), .content, 0),
            make(.supplementary(.footer, IndexPath(section: 1, item: 0)), .content, 0),
            make(.supplementary(.header, path), .content, 0),
            make(.item(path), .content, 1),
            make(.item(path), .indicator, 0),
            make(.item(path), .pinned, -5),
            make(.item(path), .corner, -100),
        ]
    }()

    @Test func theOrderOfDrawingIsByBandIndexKindAndPlace() {
        let order = Self.drawingOrder
        for (i, lower) in order.enumerated() {
            for (j, upper) in order.enumerated() {
                #expect(LayoutAttributes.isDrawnBefore(lower, upper) == (i < j), "\(i) and \(j)")
            }
        }
        #expect(order.reversed().sorted(by: LayoutAttributes.isDrawnBefore) == order)
    }
}
