/// A rectangle in points, half-open on both axes: the leading and upper edges are in it, the others are not.
///
/// It is kept as four edges, not as origin and size: neighbours that share an edge then share the very same number, so
/// that no rounding of a sum can open a seam between them.
public struct Rect: Hashable, Sendable {
    public let minX: Double
    public let minY: Double
    public let maxX: Double
    public let maxY: Double

    /// A rectangle between edges; an edge that would lie before its opposite is moved to it.
    public init(minX: Double, minY: Double, maxX: Double, maxY: Double) {
        self.minX = minX
        self.minY = minY
        self.maxX = max(minX, maxX)
        self.maxY = max(minY, maxY)
    }

    public var x: Double { minX }
    public var y: Double { minY }
    /// At least 0.
    public var width: Double { maxX - minX }
    /// At least 0.
    public var height: Double { maxY - minY }

    /// Whether a point lies in [minX, maxX) × [minY, maxY).
    public func contains(x: Double, y: Double) -> Bool {
        minX <= x && x < maxX && minY <= y && y < maxY
    }

    /// Whether the two have a point in common.
    ///
    /// A rectangle without width or height stands for the point at its edge: an airing that is too short to be drawn is
    /// still found. Of two rectangles that touch, exactly one holds such a point.
    public func intersects(_ other: Rect) -> Bool {
        Rect.overlap(minX, maxX, other.minX, other.maxX) && Rect.overlap(minY, maxY, other.minY, other.maxY)
    }

    private static func overlap(_ start: Double, _ end: Double, _ otherStart: Double, _ otherEnd: Double) -> Bool {
        if start == end { return otherStart == start || (otherStart < start && start < otherEnd) }
        if otherStart == otherEnd { return start <= otherStart && otherStart < end }
        return start < otherEnd && otherStart < end
    }
}

/// A width and a height in points.
public struct Size: Hashable, Sendable {
    public let width: Double
    public let height: Double

    public init(width: Double, height: Double) {
        self.width = width
        self.height = height
    }
}
