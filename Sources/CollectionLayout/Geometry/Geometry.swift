/// One of the two axes of a plane.
public enum Axis: String, Hashable, Sendable, CaseIterable {
    /// `horizontal` is the x-axis and points right; `vertical` is the y-axis and points down.
    case horizontal, vertical

    /// The other axis.
    public var perpendicular: Axis { self == .horizontal ? .vertical : .horizontal }
}

/// The reading direction: where lines of text, and with them rows of cells, begin.
///
/// Layouts compute positions from left to right and mirror the result. In UIKit, the view mirrors, and only if the
/// layout's `flipsHorizontallyInOppositeLayoutDirection` is true.
public enum LayoutDirection: String, Hashable, Sendable, CaseIterable {
    /// `leftToRight` as in Latin script, `rightToLeft` as in Arabic and Hebrew.
    case leftToRight, rightToLeft
}

/// A point in UIKit's coordinates: x grows to the right, y grows downward, both in points.
public struct Point: Hashable, Sendable {
    /// The distance to the right of the origin.
    public var x: Double
    /// The distance below the origin.
    public var y: Double

    /// The origin.
    public static let zero = Point(x: 0, y: 0)

    /// Creates a point from coordinates in points.
    public init(x: Double, y: Double) {
        self.x = x
        self.y = y
    }

    /// Adds the coordinates of two points.
    public static func + (lhs: Point, rhs: Point) -> Point { Point(x: lhs.x + rhs.x, y: lhs.y + rhs.y) }

    /// Subtracts coordinates: the result is the vector from `rhs` to `lhs`.
    public static func - (lhs: Point, rhs: Point) -> Point { Point(x: lhs.x - rhs.x, y: lhs.y - rhs.y) }
}

extension Point {
    /// The coordinate along `axis`.
    public subscript(axis: Axis) -> Double {
        get { axis == .horizontal ? x : y }
        set {
            switch axis {
            case .horizontal: x = newValue
            case .vertical: y = newValue
            }
        }
    }
}

/// A width and a height in points.
public struct Size: Hashable, Sendable {
    /// The length along the horizontal axis.
    public var width: Double
    /// The length along the vertical axis.
    public var height: Double

    /// A size without width and height.
    public static let zero = Size(width: 0, height: 0)

    /// Creates a size from lengths in points.
    public init(width: Double, height: Double) {
        self.width = width
        self.height = height
    }

    /// Creates a size from its length along `axis` and its length across it.
    public init(along axis: Axis, _ length: Double, across thickness: Double) {
        self.init(
            width: axis == .horizontal ? length : thickness, height: axis == .horizontal ? thickness : length)
    }
}

extension Size {
    /// The length along `axis`.
    public subscript(axis: Axis) -> Double {
        get { axis == .horizontal ? width : height }
        set {
            switch axis {
            case .horizontal: width = newValue
            case .vertical: height = newValue
            }
        }
    }
}

extension Size {
    /// The rounding error to expect from differences of large coordinates, in points.
    static let tolerance = 1e-6

    /// Returns whether both lengths are equal within ``tolerance``.
    func isNearly(_ other: Size) -> Bool {
        (width - other.width).magnitude < Self.tolerance && (height - other.height).magnitude < Self.tolerance
    }
}

/// Distances inward from the four edges, in points. The leading edge is the left one in left-to-right text.
public struct EdgeInsets: Hashable, Sendable {
    /// The distance downward from the upper edge. All distances are 0 by default.
    public var top: Double
    /// The distance inward from the edge where lines of text begin.
    public var leading: Double
    /// The distance upward from the lower edge.
    public var bottom: Double
    /// The distance inward from the edge where lines of text end.
    public var trailing: Double

    /// Insets of 0 at all edges.
    public static let zero = EdgeInsets()

    /// Creates insets in points. Positive distances are inward.
    public init(top: Double = 0, leading: Double = 0, bottom: Double = 0, trailing: Double = 0) {
        self.top = top
        self.leading = leading
        self.bottom = bottom
        self.trailing = trailing
    }

    /// Creates insets with the same distance at all edges.
    public init(all distance: Double) {
        self.init(top: distance, leading: distance, bottom: distance, trailing: distance)
    }

    /// The sum of ``leading`` and ``trailing``.
    public var horizontal: Double { leading + trailing }

    /// The sum of ``top`` and ``bottom``.
    public var vertical: Double { top + bottom }

    /// Returns the distance at the start of `axis`.
    public func start(_ axis: Axis) -> Double { axis == .horizontal ? leading : top }

    /// Returns the distance at the end of `axis`.
    public func end(_ axis: Axis) -> Double { axis == .horizontal ? trailing : bottom }

    /// Returns the sum of both distances along `axis`.
    public func along(_ axis: Axis) -> Double { axis == .horizontal ? horizontal : vertical }

    /// Adds the distances of two insets, edge by edge.
    public static func + (lhs: EdgeInsets, rhs: EdgeInsets) -> EdgeInsets {
        EdgeInsets(
            top: lhs.top + rhs.top, leading: lhs.leading + rhs.leading, bottom: lhs.bottom + rhs.bottom,
            trailing: lhs.trailing + rhs.trailing)
    }
}
