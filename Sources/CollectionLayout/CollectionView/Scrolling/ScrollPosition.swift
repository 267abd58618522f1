/// Where in the view an item shall be seen (documented: `UICollectionView.ScrollPosition`); one for each axis at most.
///
/// Of two for one axis the one at the beginning wins (chosen: the original traps). An axis without one is not scrolled.
public struct ScrollPosition: OptionSet, Hashable, Sendable {
    public let rawValue: Int

    public init(rawValue: Int) {
        self.rawValue = rawValue
    }

    public static let top = ScrollPosition(rawValue: 1)
    public static let centeredVertically = ScrollPosition(rawValue: 2)
    public static let bottom = ScrollPosition(rawValue: 4)
    public static let left = ScrollPosition(rawValue: 8)
    public static let centeredHorizontally = ScrollPosition(rawValue: 16)
    public static let right = ScrollPosition(rawValue: 32)
    /// On both axes as little as possible: not at all for an item that is seen in full (chosen; AppKit has `nearest*Edge`).
    public static let nearest = ScrollPosition(rawValue: 64)

    /// What it says about one axis.
    func alignment(_ axis: Axis) -> Alignment? {
        let vertical = axis == .vertical
        if contains(vertical ? .top : .left) { return .start }
        if contains(vertical ? .centeredVertically : .centeredHorizontally) { return .center }
        if contains(vertical ? .bottom : .right) { return .end }
        return contains(.nearest) ? .nearest : nil
    }

    enum Alignment {
        case start, center, end, nearest

        /// The same where an axis runs the other way.
        var mirrored: Alignment {
            switch self {
            case .start: .end
            case .end: .start
            case .center, .nearest: self
            }
        }

        /// The beginning of a view of some length that shows a stretch of the content.
        func offset(showing edges: (start: Double, end: Double), length: Double, now: Double) -> Double {
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
