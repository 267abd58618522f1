/// One of the two directions of a plane.
public enum Axis: String, Hashable, Sendable, CaseIterable {
    /// That of x, to the right; that of y, downwards.
    case horizontal, vertical

    /// The other one.
    public var crossing: Axis { self == .horizontal ? .vertical : .horizontal }
}

/// Where lines of text begin, and with them rows of cells.
///
/// Layouts are solved from left to right, and what they answer is mirrored (chosen: the original asks each layout whether
/// it flips, and mirrors in the view).
public enum LayoutDirection: String, Hashable, Sendable, CaseIterable {
    /// As in Latin script; as in Arabic and Hebrew.
    case leftToRight, rightToLeft
}
