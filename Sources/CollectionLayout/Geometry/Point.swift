/// A place in points: x to the right, y downwards (documented: UIKit's coordinates).
public struct Point: Hashable, Sendable {
    /// The distance from the origin to the right.
    public var x: Double
    /// The distance from the origin downwards.
    public var y: Double

    /// The origin.
    public static let zero = Point(x: 0, y: 0)

    public init(x: Double, y: Double) {
        self.x = x
        self.y = y
    }

    /// The sum, coordinate by coordinate.
    public static func + (lhs: Point, rhs: Point) -> Point { Point(x: lhs.x + rhs.x, y: lhs.y + rhs.y) }

    /// The difference, coordinate by coordinate: the way from the second point to the first.
    public static func - (lhs: Point, rhs: Point) -> Point { Point(x: lhs.x - rhs.x, y: lhs.y - rhs.y) }
}

extension Point {
    /// The coordinate along an axis.
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
