/// The grid of device pixels that edges are snapped to.
///
/// An edge goes to floor(v · scale + ½) / scale, which rounds the same way on both sides of zero, and a width is the
/// difference of two snapped edges: cells tile their row with no seam and no drift (facts, layout 2; the method of
/// taffy's `round_layout`).
struct PixelGrid {
    /// Device pixels per point, above 0.
    let scale: Double

    /// The nearest device pixel; halves go up.
    func snapped(_ value: Double) -> Double {
        let pixel = (value * scale + 0.5).floored
        return pixel == 0 ? 0 : pixel / scale
    }

    /// The length of a device pixel in points.
    var pixel: Double { 1 / scale }
}

extension Double {
    /// The greatest whole number that is not above the value.
    ///
    /// The standard library's `rounded(_:)` calls the C library's mathematics, which a program that imports nothing else
    /// doesn't link.
    var floored: Double {
        // From here on a Double has no fraction; what is infinite or not a number stays.
        guard magnitude < 4_503_599_627_370_496 else { return self }
        let truncated = Double(Int64(self))
        return truncated > self ? truncated - 1 : truncated
    }
}

extension Int {
    /// The value without its fraction, cut to a range; not a number becomes the lower bound.
    init(_ value: Double, clampedTo range: ClosedRange<Int>) {
        if !(value > Double(range.lowerBound)) {
            self = range.lowerBound
        } else if value >= Double(range.upperBound) {
            self = range.upperBound
        } else {
            self = Int(value)
        }
    }
}

extension Comparable {
    /// The value, or the bound that it lies beyond.
    func clamped(to range: ClosedRange<Self>) -> Self {
        min(max(self, range.lowerBound), range.upperBound)
    }
}
