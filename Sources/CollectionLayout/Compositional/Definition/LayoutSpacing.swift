/// A distance between elements, in points (documented: `NSCollectionLayoutSpacing`).
///
/// A negative one is taken as 0, with a diagnostic (chosen).
public enum LayoutSpacing: Hashable, Sendable {
    /// Exactly that.
    case fixed(Double)
    /// At least that; what a line has left over is shared equally by its flexible spacings (documented).
    case flexible(Double)

    /// The distance, or the least one.
    public var spacing: Double {
        switch self {
        case .fixed(let points), .flexible(let points): points
        }
    }

    /// Whether it takes a share of what is left over.
    public var isFlexible: Bool {
        if case .flexible = self { return true }
        return false
    }
}

/// Distances around an item or a group, which move it and leave its size as it is
/// (documented: `NSCollectionLayoutEdgeSpacing`).
///
/// A flexible distance takes a share of what is left over: `bottom: .flexible(0)` keeps an item at the top of its
/// group.
public struct LayoutEdgeSpacing: Hashable, Sendable {
    /// Before it, in the direction of reading; none by default, as the others.
    public var leading: LayoutSpacing?
    /// Above it.
    public var top: LayoutSpacing?
    /// Behind it, in the direction of reading.
    public var trailing: LayoutSpacing?
    /// Below it.
    public var bottom: LayoutSpacing?

    public init(
        leading: LayoutSpacing? = nil, top: LayoutSpacing? = nil, trailing: LayoutSpacing? = nil,
        bottom: LayoutSpacing? = nil
    ) {
        self.leading = leading
        self.top = top
        self.trailing = trailing
        self.bottom = bottom
    }

    func start(_ axis: Axis) -> LayoutSpacing? { axis == .horizontal ? leading : top }

    func end(_ axis: Axis) -> LayoutSpacing? { axis == .horizontal ? trailing : bottom }
}
