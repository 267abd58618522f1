import CollectionLayout

/// How the solved grid is shown: time to the right or downwards, and text from either side (facts, layout 2).
///
/// The grid is solved with time to the right. Vertical orientation swaps the axes; right to left then mirrors x. Edges that
/// stand on the pixel grid stand on it afterwards too, so that mirroring twice gives the very same numbers.
struct Presentation: Sendable {
    let timeAxis: Axis
    let isMirrored: Bool
    /// The width of the content as it is shown, on the pixel grid.
    let width: Double
    let pixels: PixelGrid

    /// Whether nothing has to be done.
    var isIdentity: Bool { timeAxis == .horizontal && !isMirrored }

    /// Whether time runs from right to left.
    var isTimeReversed: Bool { isMirrored && timeAxis == .horizontal }

    /// A rectangle of the solved grid as it is shown, with edges on the pixel grid.
    func shown(_ rect: Rect) -> Rect {
        let swapped = swapped(rect)
        guard isMirrored else { return swapped }
        return Rect(
            minX: pixels.snapped(width - swapped.maxX), minY: swapped.minY, maxX: pixels.snapped(width - swapped.minX),
            maxY: swapped.maxY)
    }

    /// The rectangle of the solved grid that is shown as one; edges within rounding.
    func solved(_ rect: Rect) -> Rect {
        isIdentity ? rect : swapped(isMirrored ? rect.mirrored(inWidth: width) : rect)
    }

    /// A rectangle of the solved grid as it is shown, where it needn't stand on the pixel grid.
    func unsnapped(_ rect: Rect) -> Rect {
        isMirrored ? swapped(rect).mirrored(inWidth: width) : swapped(rect)
    }

    /// The place in the solved grid that is shown at one.
    func solved(_ point: Point) -> Point {
        let mirrored = Point(x: isMirrored ? width - point.x : point.x, y: point.y)
        return timeAxis == .horizontal ? mirrored : Point(x: mirrored.y, y: mirrored.x)
    }

    /// A coordinate along the time axis as it is shown.
    func shownTime(_ x: Double) -> Double { isTimeReversed ? width - x : x }

    private func swapped(_ rect: Rect) -> Rect {
        timeAxis == .horizontal ? rect : Rect(minX: rect.minY, minY: rect.minX, maxX: rect.maxY, maxY: rect.maxX)
    }
}
