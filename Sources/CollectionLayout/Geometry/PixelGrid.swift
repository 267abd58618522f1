/// The grid of device pixels to which edges are snapped.
///
/// An edge snaps to floor(v · scale + ½) / scale, which rounds the same way on both sides of zero. A length is the
/// difference of two snapped edges, so the cells of a row tile it without gaps or drift (GridRules.md).
public struct PixelGrid: Hashable, Sendable {
    /// How a rectangle is aligned to the grid.
    public enum Rounding: Hashable, Sendable {
        /// Snaps each edge; lengths are differences of edges.
        case edges
        /// Snaps x, y, width and height independently, as UIKit was observed to do. Gaps of one pixel can appear
        /// between neighbors.
        case components
    }

    /// The number of device pixels per point, from 0.01 to 100.
    public let scale: Double

    /// Creates a grid. `scale` is clamped to 0.01...100; NaN becomes 1.
    public init(scale: Double) {
        self.scale = scale.isNaN ? 1 : scale.clamped(to: 0.01...100)
    }

    /// The size of a device pixel in points.
    public var pixel: Double { 1 / scale }

    /// Returns the nearest pixel boundary; halves round up. Infinite values and NaN are returned unchanged.
    public func snapped(_ value: Double) -> Double {
        let pixel = (value * scale + 0.5).floored
        return pixel == 0 ? 0 : pixel / scale
    }

    /// Returns `rect` aligned to the grid.
    public func snapped(_ rect: Rect, rounding: Rounding = .edges) -> Rect {
        switch rounding {
        case .edges:
            Rect(
                minX: snapped(rect.minX), minY: snapped(rect.minY), maxX: snapped(rect.maxX),
                maxY: snapped(rect.maxY))
        case .components:
            Rect(
                x: snapped(rect.x), y: snapped(rect.y), width: snapped(rect.width), height: snapped(rect.height))
        }
    }
}

extension Double {
    /// The maximum length that layouts work with, in points. Up to this value a `Double` resolves a thousandth of a
    /// point.
    package static let maximumLength = 1e12

    /// The largest integer that is not greater than the value.
    ///
    /// The standard library's `rounded(_:)` calls the C math library, which a program that imports nothing else doesn't
    /// link.
    package var floored: Double {
        // Beyond 2⁵², a Double has no fraction. Infinite values and NaN are returned unchanged.
        guard magnitude < 4_503_599_627_370_496 else { return self }
        let truncated = Double(Int64(self))
        return truncated > self ? truncated - 1 : truncated
    }

    /// The value as a length: clamped to 0...``maximumLength``; NaN becomes 0.
    package var asLength: Double { self > 0 ? Swift.min(self, .maximumLength) : 0 }

    /// The value as a coordinate or signed distance: clamped to ±``maximumLength``; NaN becomes 0.
    package var asDistance: Double { isNaN ? 0 : clamped(to: -Double.maximumLength...Double.maximumLength) }
}

extension Int {
    /// Creates an integer by truncating `value` and clamping it to `range`; NaN becomes the lower bound.
    package init(_ value: Double, clampedTo range: ClosedRange<Int>) {
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
    /// Returns the value clamped to `range`.
    package func clamped(to range: ClosedRange<Self>) -> Self {
        min(max(self, range.lowerBound), range.upperBound)
    }
}

extension RandomAccessCollection {
    /// Returns the index of the first element that satisfies `holds`. The collection must be partitioned: once an
    /// element satisfies the condition, all elements after it do.
    ///
    /// - Complexity: O(log n).
    func partitioningIndex(where holds: (Element) throws -> Bool) rethrows -> Index {
        var low = startIndex
        var count = self.count
        while count > 0 {
            let half = count / 2
            let middle = index(low, offsetBy: half)
            if try holds(self[middle]) {
                count = half
            } else {
                low = index(after: middle)
                count -= half + 1
            }
        }
        return low
    }
}
