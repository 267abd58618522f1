/// Where in the view an item shall be seen (documented: `UICollectionView.ScrollPosition`); one for each axis at most.
///
/// Of two for one axis the one at the beginning wins (chosen: the original traps). An axis without one is not scrolled.
public struct ScrollPosition: OptionSet, Hashable, Sendable {
    public let rawValue: Int

    public init(rawValue: Int) {
        self.rawValue = rawValue
    }

    /// Its upper edge at that of what the insets leave of the view.
    public static let top = ScrollPosition(rawValue: 1)
    /// Its middle at half the height of that.
    public static let centeredVertically = ScrollPosition(rawValue: 2)
    /// Its lower edge at the lower edge.
    public static let bottom = ScrollPosition(rawValue: 4)
    /// Its left edge at the left one, whatever the direction of reading.
    public static let left = ScrollPosition(rawValue: 8)
    /// Its middle at half the width.
    public static let centeredHorizontally = ScrollPosition(rawValue: 16)
    /// Its right edge at the right one, whatever the direction of reading.
    public static let right = ScrollPosition(rawValue: 32)
    /// On both axes as little as possible: not at all for an item that is seen in full (chosen; AppKit has `nearest*Edge`).
    public static let nearest = ScrollPosition(rawValue: 64)

    /// What it says about one axis.
    package func alignment(_ axis: Axis) -> Alignment? {
        let vertical = axis == .vertical
        if contains(vertical ? .top : .left) { return .start }
        if contains(vertical ? .centeredVertically : .centeredHorizontally) { return .center }
        if contains(vertical ? .bottom : .right) { return .end }
        return contains(.nearest) ? .nearest : nil
    }

    package enum Alignment {
        case start, center, end, nearest

        /// The same where an axis runs the other way.
        package var mirrored: Alignment {
            switch self {
            case .start: .end
            case .end: .start
            case .center, .nearest: self
            }
        }

        /// The beginning of a view of some length that shows a stretch of the content.
        package func offset(showing edges: (start: Double, end: Double), length: Double, now: Double) -> Double {
            switch self {
            case .start: edges.start
            case .center: (edges.start + edges.end - length) / 2
            case .end: edges.end - length
            case .nearest:
                // One that is longer than the view shows its beginning, unless it fills the view already.
                if edges.start < now {
                    edges.end >= now + length ? now : max(edges.start, min(now, edges.end - length))
                } else {
                    edges.end <= now + length ? now : min(edges.start, edges.end - length)
                }
            }
        }
    }
}
