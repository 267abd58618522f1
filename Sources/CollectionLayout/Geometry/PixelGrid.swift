/// The grid of device pixels that edges are snapped to.
///
/// An edge goes to floor(v · scale + ½) / scale, which rounds the same way on both sides of zero, and a length is the
/// difference of two snapped edges: cells tile their row with no seam and no drift (facts, layout 2: chosen).
public struct PixelGrid: Hashable, Sendable {
    /// How a rectangle is brought to the grid.
    public enum Rounding: Hashable, Sendable {
        /// Each edge by itself; lengths are differences (chosen).
        case edges
        /// x, y, width and height, each by itself, as the original does (observed); seams may open.
        case components
    }

    /// Device pixels per point, from 0.01 to 100.
    public let scale: Double

    /// A grid; a scale that is not a number or out of its range is brought to the nearest that is in it, 1 for no number.
    public init(scale: Double) {
        self.scale = scale.isNaN ? 1 : scale.clamped(to: 0.01...100)
    }

    /// The length of a device pixel in points.
    public var pixel: Double { 1 / scale }

    /// The nearest device pixel; halves go up. Infinite values and no numbers stay as they are.
    public func snapped(_ value: Double) -> Double {
        let pixel = (value * scale + 0.5).floored
        return pixel == 0 ? 0 : pixel / scale
    }

    /// The rectangle on the grid.
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
