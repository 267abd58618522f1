/// Distances inwards from the four edges, in points; the leading edge is the left one where text runs to the right.
public struct EdgeInsets: Hashable, Sendable {
    public var top: Double
    public var leading: Double
    public var bottom: Double
    public var trailing: Double

    public static let zero = EdgeInsets()

    public init(top: Double = 0, leading: Double = 0, bottom: Double = 0, trailing: Double = 0) {
        self.top = top
        self.leading = leading
        self.bottom = bottom
        self.trailing = trailing
    }

    /// The same distance at all edges.
    public init(all distance: Double) {
        self.init(top: distance, leading: distance, bottom: distance, trailing: distance)
    }

    /// Leading and trailing together.
    public var horizontal: Double { leading + trailing }

    /// Top and bottom together.
    public var vertical: Double { top + bottom }

    /// The distance at the beginning of an axis.
    public func start(_ axis: Axis) -> Double { axis == .horizontal ? leading : top }

    /// The distance at the end of an axis.
    public func end(_ axis: Axis) -> Double { axis == .horizontal ? trailing : bottom }

    /// Both distances along an axis together.
    public func along(_ axis: Axis) -> Double { axis == .horizontal ? horizontal : vertical }

    public static func + (lhs: EdgeInsets, rhs: EdgeInsets) -> EdgeInsets {
        EdgeInsets(
            top: lhs.top + rhs.top, leading: lhs.leading + rhs.leading, bottom: lhs.bottom + rhs.bottom,
            trailing: lhs.trailing + rhs.trailing)
    }
}
