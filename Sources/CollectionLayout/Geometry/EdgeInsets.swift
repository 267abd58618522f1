/// Distances inwards from the four edges, in points; the leading edge is the left one where text runs to the right.
public struct EdgeInsets: Hashable, Sendable {
    /// Downwards from the upper edge; 0 by default, as all.
    public var top: Double
    /// Inwards from the edge where lines of text begin.
    public var leading: Double
    /// Upwards from the lower edge.
    public var bottom: Double
    /// Inwards from the edge where lines of text end.
    public var trailing: Double

    /// No distance at any edge.
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

    /// The distances of both together, edge by edge.
    public static func + (lhs: EdgeInsets, rhs: EdgeInsets) -> EdgeInsets {
        EdgeInsets(
            top: lhs.top + rhs.top, leading: lhs.leading + rhs.leading, bottom: lhs.bottom + rhs.bottom,
            trailing: lhs.trailing + rhs.trailing)
    }
}
