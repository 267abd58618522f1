/// A rectangle in points, half-open on both axes: the leading and upper edges are in it, the others are not.
///
/// It is kept as four edges, not as origin and size: neighbours that share an edge then share the very same number, so
/// that no rounding of a sum can open a seam between them.
public struct Rect: Hashable, Sendable {
    /// The left edge, which is in it.
    public let minX: Double
    /// The upper edge, which is in it.
    public let minY: Double
    /// The right edge, which is not in it; at least ``minX``.
    public let maxX: Double
    /// The lower edge, which is not in it; at least ``minY``.
    public let maxY: Double

    /// A rectangle at the origin without width and height.
    public static let zero = Rect(minX: 0, minY: 0, maxX: 0, maxY: 0)

    /// A rectangle between edges; an edge that would lie before its opposite is moved to it.
    public init(minX: Double, minY: Double, maxX: Double, maxY: Double) {
        self.minX = minX
        self.minY = minY
        self.maxX = max(minX, maxX)
        self.maxY = max(minY, maxY)
    }

    /// A rectangle by its upper leading corner; a negative length counts as 0.
    public init(x: Double, y: Double, width: Double, height: Double) {
        self.init(minX: x, minY: y, maxX: x + width, maxY: y + height)
    }

    /// A rectangle by its upper leading corner; a negative length counts as 0.
    public init(origin: Point, size: Size) {
        self.init(x: origin.x, y: origin.y, width: size.width, height: size.height)
    }

    /// The same as ``minX``.
    public var x: Double { minX }
    /// The same as ``minY``.
    public var y: Double { minY }
    /// At least 0.
    public var width: Double { maxX - minX }
    /// At least 0.
    public var height: Double { maxY - minY }
    /// Halfway between the left and the right edge.
    public var midX: Double { minX + width / 2 }
    /// Halfway between the upper and the lower edge.
    public var midY: Double { minY + height / 2 }
    /// The upper left corner.
    public var origin: Point { Point(x: minX, y: minY) }
    /// The point halfway between all edges.
    public var center: Point { Point(x: midX, y: midY) }
    /// Width and height, both at least 0.
    public var size: Size { Size(width: width, height: height) }

    /// Whether it has no area.
    public var isEmpty: Bool { minX == maxX || minY == maxY }
}

// MARK: - Along an axis

extension Rect {
    /// The edge where an axis begins.
    public func start(_ axis: Axis) -> Double { axis == .horizontal ? minX : minY }

    /// The edge where an axis ends.
    public func end(_ axis: Axis) -> Double { axis == .horizontal ? maxX : maxY }

    /// The length along an axis, at least 0.
    public func length(_ axis: Axis) -> Double { end(axis) - start(axis) }

    /// A rectangle by its edges along an axis and across it.
    public init(along axis: Axis, _ edges: (Double, Double), across cross: (Double, Double)) {
        switch axis {
        case .horizontal: self.init(minX: edges.0, minY: cross.0, maxX: edges.1, maxY: cross.1)
        case .vertical: self.init(minX: cross.0, minY: edges.0, maxX: cross.1, maxY: edges.1)
        }
    }
}

// MARK: - With others

extension Rect {
    /// Whether a point lies in [minX, maxX) × [minY, maxY).
    public func contains(x: Double, y: Double) -> Bool {
        minX <= x && x < maxX && minY <= y && y < maxY
    }

    /// Whether a point lies in [minX, maxX) × [minY, maxY).
    public func contains(_ point: Point) -> Bool { contains(x: point.x, y: point.y) }

    /// Whether the two have a point in common.
    ///
    /// A rectangle without width or height stands for the point at its edge: an airing that is too short to be drawn is
    /// still found. Of two rectangles that touch, exactly one holds such a point.
    public func intersects(_ other: Rect) -> Bool {
        Rect.overlap(minX, maxX, other.minX, other.maxX) && Rect.overlap(minY, maxY, other.minY, other.maxY)
    }

    /// What both hold; of no size, at the edge of this one, where they hold nothing in common.
    public func intersection(_ other: Rect) -> Rect {
        Rect(
            minX: max(minX, min(other.minX, maxX)), minY: max(minY, min(other.minY, maxY)),
            maxX: min(maxX, other.maxX), maxY: min(maxY, other.maxY))
    }

    /// The least rectangle that holds both.
    public func union(_ other: Rect) -> Rect {
        Rect(
            minX: min(minX, other.minX), minY: min(minY, other.minY), maxX: max(maxX, other.maxX),
            maxY: max(maxY, other.maxY))
    }

    /// Its edges moved inwards; negative insets move them outwards.
    public func inset(by insets: EdgeInsets) -> Rect {
        Rect(
            minX: minX + insets.leading, minY: minY + insets.top, maxX: maxX - insets.trailing,
            maxY: maxY - insets.bottom)
    }

    /// The same rectangle elsewhere.
    public func offset(x: Double, y: Double) -> Rect {
        Rect(minX: minX + x, minY: minY + y, maxX: maxX + x, maxY: maxY + y)
    }

    /// Its image in a content of that width where text runs from right to left: x′ = width − x − its own width.
    ///
    /// Mirrored twice it is the same again, as long as the subtraction is exact (facts, layout 2: chosen).
    public func mirrored(inWidth contentWidth: Double) -> Rect {
        Rect(minX: contentWidth - maxX, minY: minY, maxX: contentWidth - minX, maxY: maxY)
    }

    private static func overlap(_ start: Double, _ end: Double, _ otherStart: Double, _ otherEnd: Double) -> Bool {
        if start == end { return otherStart == start || (otherStart < start && start < otherEnd) }
        if otherStart == otherEnd { return start <= otherStart && otherStart < end }
        return start < otherEnd && otherStart < end
    }
}
