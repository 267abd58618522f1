/// The position to which an item is scrolled, like UIKit's `UICollectionView.ScrollPosition`; at most one for each
/// axis.
///
/// Of two positions for one axis, the one nearer to the start takes precedence; UIKit traps. An axis without a position
/// is not scrolled.
public struct ScrollPosition: OptionSet, Hashable, Sendable {
    public let rawValue: Int

    /// Creates a position from its bits: the sum of the raw values of the positions. Other bits are kept, but have no effect.
    public init(rawValue: Int) {
        self.rawValue = rawValue
    }

    /// Aligns the item's upper edge with the upper edge of the area inside the insets.
    public static let top = ScrollPosition(rawValue: 1)
    /// Centers the item vertically.
    public static let centeredVertically = ScrollPosition(rawValue: 2)
    /// Aligns the lower edges.
    public static let bottom = ScrollPosition(rawValue: 4)
    /// Aligns the left edges, whatever the reading direction.
    public static let left = ScrollPosition(rawValue: 8)
    /// Centers the item horizontally.
    public static let centeredHorizontally = ScrollPosition(rawValue: 16)
    /// Aligns the right edges, whatever the reading direction.
    public static let right = ScrollPosition(rawValue: 32)
    /// Scrolls as little as possible on both axes, and not at all if the item is fully visible. UIKit has no
    /// counterpart; AppKit has `nearest*Edge`.
    public static let nearest = ScrollPosition(rawValue: 64)

    /// Returns the alignment along `axis`, or `nil` if there is none.
    package func alignment(_ axis: Axis) -> Alignment? {
        let vertical = axis == .vertical
        if contains(vertical ? .top : .left) { return .start }
        if contains(vertical ? .centeredVertically : .centeredHorizontally) { return .center }
        if contains(vertical ? .bottom : .right) { return .end }
        return contains(.nearest) ? .nearest : nil
    }

    package enum Alignment {
        case start, center, end, nearest

        /// The alignment on an axis with the opposite direction.
        package var mirrored: Alignment {
            switch self {
            case .start: .end
            case .end: .start
            case .center, .nearest: self
            }
        }

        /// Returns the offset of a viewport of `length` that shows `edges`, starting from the offset `now`.
        package func offset(showing edges: (start: Double, end: Double), length: Double, now: Double) -> Double {
            switch self {
            case .start: edges.start
            case .center: (edges.start + edges.end - length) / 2
            case .end: edges.end - length
            case .nearest:
                // An item longer than the viewport shows its start, unless it already fills the viewport.
                if edges.start < now {
                    edges.end >= now + length ? now : max(edges.start, min(now, edges.end - length))
                } else {
                    edges.end <= now + length ? now : min(edges.start, edges.end - length)
                }
            }
        }
    }
}
