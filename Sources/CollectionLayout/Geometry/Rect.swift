/// A rectangle in points, half-open on both axes: it contains its left and upper edges, but not its right and lower
/// ones.
///
/// It stores four edges, not an origin and a size. Neighbors that share an edge share exactly the same number, so
/// rounding a sum can't open a gap between them.
public struct Rect: Hashable, Sendable {
    /// The left edge (inclusive).
    public let minX: Double
    /// The upper edge (inclusive).
    public let minY: Double
    /// The right edge (exclusive); at least ``minX``.
    public let maxX: Double
    /// The lower edge (exclusive); at least ``minY``.
    public let maxY: Double

    /// An empty rectangle at the origin.
    public static let zero = Rect(minX: 0, minY: 0, maxX: 0, maxY: 0)

    /// Creates a rectangle from its edges. If `maxX` or `maxY` is less than its opposite edge, it is set to that edge.
    public init(minX: Double, minY: Double, maxX: Double, maxY: Double) {
        self.minX = minX
        self.minY = minY
        self.maxX = max(minX, maxX)
        self.maxY = max(minY, maxY)
    }

    /// Creates a rectangle from its upper-left corner; negative lengths become 0.
    public init(x: Double, y: Double, width: Double, height: Double) {
        self.init(minX: x, minY: y, maxX: x + width, maxY: y + height)
    }

    /// Creates a rectangle from its upper-left corner; negative lengths become 0.
    public init(origin: Point, size: Size) {
        self.init(x: origin.x, y: origin.y, width: size.width, height: size.height)
    }

    /// The left edge; the same as ``minX``.
    public var x: Double { minX }
    /// The upper edge; the same as ``minY``.
    public var y: Double { minY }
    /// The width, at least 0.
    public var width: Double { maxX - minX }
    /// The height, at least 0.
    public var height: Double { maxY - minY }
    /// The x-coordinate of the center.
    public var midX: Double { minX + width / 2 }
    /// The y-coordinate of the center.
    public var midY: Double { minY + height / 2 }
    /// The upper-left corner.
    public var origin: Point { Point(x: minX, y: minY) }
    /// The center.
    public var center: Point { Point(x: midX, y: midY) }
    /// The width and height, both at least 0.
    public var size: Size { Size(width: width, height: height) }

    /// Whether the rectangle has no area.
    public var isEmpty: Bool { minX == maxX || minY == maxY }
}

// MARK: - Along an axis

extension Rect {
    /// Returns the edge where `axis` begins.
    public func start(_ axis: Axis) -> Double { axis == .horizontal ? minX : minY }

    /// Returns the edge where `axis` ends.
    public func end(_ axis: Axis) -> Double { axis == .horizontal ? maxX : maxY }

    /// Returns the length along `axis`, at least 0.
    public func length(_ axis: Axis) -> Double { end(axis) - start(axis) }

    /// Creates a rectangle from its edges along `axis` and across it.
    public init(along axis: Axis, _ edges: (Double, Double), across cross: (Double, Double)) {
        switch axis {
        case .horizontal: self.init(minX: edges.0, minY: cross.0, maxX: edges.1, maxY: cross.1)
        case .vertical: self.init(minX: cross.0, minY: edges.0, maxX: cross.1, maxY: edges.1)
        }
    }
}

// MARK: - Relations to points and other rectangles

extension Rect {
    /// Returns whether a point lies in [minX, maxX) × [minY, maxY).
    public func contains(x: Double, y: Double) -> Bool {
        minX <= x && x < maxX && minY <= y && y < maxY
    }

    /// Returns whether a point lies in [minX, maxX) × [minY, maxY).
    public func contains(_ point: Point) -> Bool { contains(x: point.x, y: point.y) }

    /// Returns whether the two rectangles have a point in common.
    ///
    /// A rectangle without width or height counts as the point at its edge, so a hit test can still find an item that
    /// is too thin to be drawn. Of two rectangles that touch each other, exactly one contains such a point.
    public func intersects(_ other: Rect) -> Bool {
        Rect.overlap(minX, maxX, other.minX, other.maxX) && Rect.overlap(minY, maxY, other.minY, other.maxY)
    }

    /// Returns the common part. If there is none, the result is empty and lies at the edge of this rectangle.
    public func intersection(_ other: Rect) -> Rect {
        Rect(
            minX: max(minX, min(other.minX, maxX)), minY: max(minY, min(other.minY, maxY)),
            maxX: min(maxX, other.maxX), maxY: min(maxY, other.maxY))
    }

    /// Returns the smallest rectangle that contains both.
    public func union(_ other: Rect) -> Rect {
        Rect(
            minX: min(minX, other.minX), minY: min(minY, other.minY), maxX: max(maxX, other.maxX),
            maxY: max(maxY, other.maxY))
    }

    /// Returns the rectangle with its edges moved inward; negative insets move them outward.
    ///
    /// The leading inset applies to ``minX`` and the trailing one to ``maxX``, whatever the reading direction.
    public func inset(by insets: EdgeInsets) -> Rect {
        Rect(
            minX: minX + insets.leading, minY: minY + insets.top, maxX: maxX - insets.trailing,
            maxY: maxY - insets.bottom)
    }

    /// Returns the rectangle translated by a distance.
    public func offset(x: Double, y: Double) -> Rect {
        Rect(minX: minX + x, minY: minY + y, maxX: maxX + x, maxY: maxY + y)
    }

    /// Returns the mirror image for right-to-left text in content of this width: x′ = contentWidth − x − width.
    ///
    /// Mirroring twice restores the rectangle as long as the subtraction is exact (GridRules.md).
    public func mirrored(inWidth contentWidth: Double) -> Rect {
        Rect(minX: contentWidth - maxX, minY: minY, maxX: contentWidth - minX, maxY: maxY)
    }

    private static func overlap(_ start: Double, _ end: Double, _ otherStart: Double, _ otherEnd: Double) -> Bool {
        if start == end { return otherStart == start || (otherStart < start && start < otherEnd) }
        if otherStart == otherEnd { return start <= otherStart && otherStart < end }
        return start < otherEnd && otherStart < end
    }
}
