import CollectionLayout

/// Whether the safe area is added to the content inset, like UIKit's `ContentInsetAdjustmentBehavior`, but without the
/// cases that depend on the axes.
public enum ContentInsetAdjustment: String, Hashable, Sendable {
    /// `always`, the default, adds the safe area; `never` uses only the content inset.
    case always, never
}

/// The properties of a view on which the range of its offset depends.
struct ScrollGeometry {
    var contentInset: EdgeInsets
    var safeAreaInsets: EdgeInsets
    var adjustment: ContentInsetAdjustment
    var direction: LayoutDirection

    init(_ view: CollectionView) {
        contentInset = view.contentInset
        safeAreaInsets = view.safeAreaInsets
        adjustment = view.contentInsetAdjustment
        direction = view.layoutDirection
    }

    var adjustedInset: EdgeInsets {
        switch adjustment {
        case .always: (contentInset + safeAreaInsets).usable
        case .never: contentInset.usable
        }
    }

    /// Returns the insets at the lower and upper coordinates of an axis. In right-to-left layouts, the leading inset is
    /// on the right.
    func insets(_ axis: Axis) -> (lower: Double, upper: Double) {
        let inset = adjustedInset
        return axis == .horizontal && direction == .rightToLeft
            ? (inset.trailing, inset.leading) : (inset.start(axis), inset.end(axis))
    }

    func offsetRange(_ axis: Axis, of view: CollectionView) -> ClosedRange<Double> {
        let (lower, upper) = insets(axis)
        let maximum = view.contentSize[axis] + upper - view.bounds.length(axis)
        // Subtracting from 0 avoids a negative zero.
        return 0 - lower...max(0 - lower, maximum)
    }

    /// Returns the offset at which an axis begins.
    func start(_ axis: Axis, of view: CollectionView) -> Double {
        let range = offsetRange(axis, of: view)
        return axis == .horizontal && direction == .rightToLeft ? range.upperBound : range.lowerBound
    }
}

extension Rect {
    /// The rectangle with all values clamped to finite ones.
    var usable: Rect {
        Rect(x: minX.asDistance, y: minY.asDistance, width: width.asLength, height: height.asLength)
    }
}

/// The range of valid content offsets.
public enum OffsetLimit: Hashable, Sendable {
    /// The content fills the view as far as possible; the default.
    case content
    /// Any offset, including those beyond the edges, as during a bouncing drag.
    case free
}

/// The fraction of the velocity that remains after each millisecond, like UIKit's `UIScrollView.DecelerationRate`.
public struct DecelerationRate: RawRepresentable, Hashable, Sendable {
    public let rawValue: Double

    /// Creates a rate from 0, where scrolling stops immediately, to 0.9999.
    public init(rawValue: Double) {
        self.rawValue = rawValue > 0 ? min(rawValue, 0.9999) : 0
    }

    /// UIKit's normal rate, 0.998.
    public static let normal = DecelerationRate(rawValue: 0.998)
    /// UIKit's fast rate, 0.99.
    public static let fast = DecelerationRate(rawValue: 0.99)

    /// Returns how far scrolling continues, in points: v / 1000 · r / (1 − r), as in Apple's talk "Designing Fluid
    /// Interfaces".
    ///
    /// - Parameter velocity: Points per second.
    func distance(from velocity: Double) -> Double {
        velocity.asDistance / 1000 * rawValue / (1 - rawValue)
    }
}

/// Orthogonally scrolling sections, which scroll across the direction of the view (LayoutRules.md, layout 4.9).
///
/// UIKit gives each such section a scroll view of its own, which clients can't access. Here, they are scrolled by these
/// methods. For other sections, the methods return 0 and change nothing.
extension CollectionView {
    /// The layout, if it has sections that scroll orthogonally.
    var orthogonalLayout: (any OrthogonalScrolling)? { layout as? any OrthogonalScrolling }

    /// Returns the offset of a section in points, which grows in the reading direction.
    public func orthogonalOffset(section: Int) -> Double { orthogonalLayout?.orthogonalOffset(section: section) ?? 0 }

    /// Scrolls a section as a drag does. The next layout pass shows the change and runs handlers of visible elements.
    ///
    /// - Parameter offset: The new offset, which is clamped to the range of the section.
    public func setOrthogonalOffset(_ offset: Double, section: Int) {
        if !state.isLayingOut { layoutIfNeeded() }
        guard var scrolling = orthogonalLayout, scrolling.orthogonalMetrics(section: section) != nil else { return }
        withLayout { layout in
            scrolling.setOrthogonalOffset(offset, section: section)
            layout = scrolling
        }
        invalidate(with: InvalidationContext())
    }

    /// Lets a section come to rest where its behavior wants it, as after a drag.
    ///
    /// With a paging behavior, a fling moves the section by at most one page from its current offset. A ``DragSession``
    /// limits it to one page from the start of the drag.
    ///
    /// - Parameter velocity: The velocity of the offset in points per second: the finger's velocity with the opposite
    ///   sign.
    /// - Returns: The offset at rest.
    @discardableResult
    public func endOrthogonalScroll(section: Int, velocity: Double) -> Double {
        endOrthogonalScroll(section: section, velocity: velocity, from: orthogonalOffset(section: section))
    }

    /// Lets a section come to rest after a drag that began at the offset `start`. UIKit was observed to keep the
    /// distance of the drag and to limit only the fling to one page from there.
    @discardableResult
    func endOrthogonalScroll(section: Int, velocity: Double, from start: Double) -> Double {
        guard let layout = orthogonalLayout else { return 0 }
        let now = layout.orthogonalOffset(section: section)
        let longest = layout.longestFling(section: section)
        let proposed = (now + decelerationRate.distance(from: velocity))
            .clamped(to: min(now, start - longest)...max(now, start + longest))
        let target = layout.targetOrthogonalOffset(section: section, proposed: proposed, velocity: velocity)
        setOrthogonalOffset(target, section: section)
        return orthogonalOffset(section: section)
    }

    /// Scrolls the section of an item so that the item is visible in it.
    func scrollSection(ofItemAt path: IndexPath, position: ScrollPosition) {
        guard let offset = orthogonalLayout?.orthogonalOffset(showing: path, position: position),
            offset != orthogonalOffset(section: path.section)
        else { return }
        setOrthogonalOffset(offset, section: path.section)
    }
}
