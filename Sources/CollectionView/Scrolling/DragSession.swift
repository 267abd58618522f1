public import CollectionLayout

/// A drag of a view's content, from touching the screen to lifting the finger.
///
/// The content follows the finger. Beyond the edges, it follows more and more slowly if the view bounces and the
/// content is longer than the view, and otherwise not at all.
///
/// A drag that begins on an orthogonally scrolling section and moves farther across the view's direction than along it
/// scrolls that section instead of the view. In UIKit, such a section has its own scroll view. Here it doesn't bounce:
/// it stops at its edges.
public final class DragSession {
    /// The distance in points that a finger moves before the axis is determined and the content follows.
    public static let lockDistance = 3.0

    /// The minimum ratio of the shorter to the longer distance of a diagonal drag, which the directional lock doesn't
    /// lock. UIKit doesn't document its value.
    public static let diagonalRatio = 0.75

    /// The effect of the directional lock on a drag.
    public enum Lock: Hashable, Sendable {
        /// The finger hasn't moved far enough yet.
        case undecided
        /// The drag is locked to an axis.
        case locked(Axis)
        /// The drag is not locked: it is diagonal, or the directional lock is disabled.
        case free
    }

    /// The effect of the directional lock so far.
    public private(set) var lock: Lock = .undecided
    /// Whether the finger is still down. Another drag ends it; reloading the data doesn't.
    public private(set) var isActive = true

    /// The section that the drag scrolls, if that has been determined; `nil` if it scrolls the view.
    public var section: Int? { scrollsSection ? target?.section : nil }

    private weak var view: CollectionView?
    private let start: Point
    private var startOffset: Point
    /// The orthogonally scrolling section under the finger; `nil` if there is none or it was deleted.
    private var target: OrthogonalTarget?
    private var scrollsSection = false
    /// The offset that the content would have without edges.
    private var unboundedOffset: Point

    init(_ view: CollectionView, from point: Point) {
        self.view = view
        start = point
        startOffset = view.contentOffset
        unboundedOffset = view.contentOffset
        target = view.orthogonalTarget(at: point + view.contentOffset)
    }

    /// Follows the finger.
    ///
    /// - Parameter point: The position in the coordinates of the starting point, which don't scroll.
    public func move(to point: Point) {
        guard isActive, let view else { return }
        let translation = Point(x: (point.x - start.x).asDistance, y: (point.y - start.y).asDistance)
        decideLock(translation, view)
        guard lock != .undecided else { return }
        guard !scrollsSection else {
            if let target { view.drag(target, by: translation[target.axis]) }
            return
        }
        unboundedOffset = startOffset
        for axis in Axis.allCases where follows(axis) { unboundedOffset[axis] -= translation[axis] }
        view.drag(to: unboundedOffset)
    }

    /// Lifts the finger: the content comes to rest within its edges, where the layout wants it.
    ///
    /// The layout receives the proposed offset, at which the content would stop by itself, and the velocity of the
    /// offset: the finger's velocity with the opposite sign, and 0 on an axis that the drag doesn't follow. UIKit's
    /// counterpart, `targetContentOffset(forProposedContentOffset:withScrollingVelocity:)`, uses points per
    /// millisecond.
    ///
    /// - Parameter velocity: The velocity of the finger in points per second.
    /// - Returns: The offset at rest.
    @discardableResult
    public func end(velocity: Point = .zero) -> Point {
        guard isActive, let view else { return unboundedOffset }
        isActive = false
        guard !scrollsSection else {
            view.endDrag(on: target, velocity: target.map { velocity[$0.axis] } ?? 0)
            return view.contentOffset
        }
        var speed = Point.zero
        for axis in Axis.allCases where lock != .undecided && follows(axis) { speed[axis] = -velocity[axis].asDistance }
        return view.endDrag(at: unboundedOffset, velocity: speed)
    }

    /// Ends the drag without moving anything.
    fileprivate func cancel() { isActive = false }

    /// Adjusts the drag after the view moved its offset to keep visible content in place.
    func contentMoved(by distance: Point) {
        startOffset = startOffset + distance
        unboundedOffset = unboundedOffset + distance
    }

    /// Follows batch updates, which can change the index of the section. A deleted section is no longer scrolled.
    func applyUpdates(_ updates: UpdateMap) {
        guard let old = target?.section else { return }
        if let section = updates.newSection(for: old) { target?.section = section } else { target = nil }
    }

    /// Determines the axis. On an orthogonally scrolling section, the longer distance decides, with or without the
    /// directional lock.
    private func decideLock(_ translation: Point, _ view: CollectionView) {
        guard lock == .undecided else { return }
        guard view.isDirectionalLockEnabled || target != nil else {
            lock = .free
            return
        }
        let (greater, lesser) = (
            max(translation.x.magnitude, translation.y.magnitude), min(translation.x.magnitude, translation.y.magnitude)
        )
        guard greater >= Self.lockDistance else { return }
        if let target, translation[target.axis].magnitude > translation[target.axis.perpendicular].magnitude {
            scrollsSection = true
            lock = .locked(target.axis)
            return
        }
        guard view.isDirectionalLockEnabled else {
            lock = .free
            return
        }
        if lesser >= greater * Self.diagonalRatio {
            lock = .free
        } else {
            lock = .locked(translation.x.magnitude > translation.y.magnitude ? .horizontal : .vertical)
        }
    }

    private func follows(_ axis: Axis) -> Bool {
        if case .locked(let locked) = lock { return locked == axis }
        return true
    }
}

// MARK: - Dragging

/// An orthogonally scrolling section under a finger.
private struct OrthogonalTarget {
    var section: Int
    let axis: Axis
    /// The offset when the finger touched the screen.
    let start: Double
    /// Whether the offset grows with the finger, in right-to-left layouts.
    let isMirrored: Bool
}

extension CollectionView {
    /// Returns the section at a point in the content that a drag can scroll; `nil` if its content fits.
    fileprivate func orthogonalTarget(at point: Point) -> OrthogonalTarget? {
        guard let (section, axis) = orthogonalLayout?.orthogonalSection(at: point) else { return nil }
        return OrthogonalTarget(
            section: section, axis: axis, start: orthogonalOffset(section: section),
            isMirrored: axis == .horizontal && layoutDirection == .rightToLeft)
    }

    /// Scrolls the section by the distance of the finger.
    fileprivate func drag(_ target: OrthogonalTarget, by translation: Double) {
        let before = orthogonalOffset(section: target.section)
        let offset = target.isMirrored ? target.start + translation : target.start - translation
        setOrthogonalOffset(offset, section: target.section)
        if orthogonalOffset(section: target.section) != before { cancelTouch() }
    }

    /// Lets the section come to rest.
    ///
    /// - Parameters:
    ///   - target: The section; `nil` if it was deleted.
    ///   - velocity: The velocity of the finger.
    fileprivate func endDrag(on target: OrthogonalTarget?, velocity: Double) {
        drag = nil
        guard let target else { return }
        let speed = velocity.asDistance
        endOrthogonalScroll(
            section: target.section, velocity: target.isMirrored ? speed : -speed, from: target.start)
    }
}

extension CollectionView {
    /// Begins a drag. A touch that highlights an item is canceled when the content moves.
    ///
    /// A drag in progress ends at its current offset.
    ///
    /// - Parameter point: The position of the finger relative to the upper-left corner of the view, in coordinates that
    ///   don't scroll. It determines which section is dragged if sections scroll orthogonally.
    public func beginDrag(at point: Point) -> DragSession {
        layoutIfNeeded()
        drag?.cancel()
        let session = DragSession(self, from: point)
        drag = session
        return session
    }

    /// Whether a drag is in progress.
    public var isDragging: Bool { drag?.isActive ?? false }

    /// Scrolls to an offset that may lie beyond the content.
    fileprivate func drag(to offset: Point) {
        if offset != contentOffset { cancelTouch() }
        var shown = clamped(offset)
        guard bounces else { return setContentOffset(shown) }
        for axis in Axis.allCases {
            let range = offsetRange(axis)
            // Content that fits doesn't bounce: UIKit's `alwaysBounceVertical` is off by default.
            guard range.lowerBound < range.upperBound else { continue }
            let over = offset[axis].asDistance - shown[axis]
            shown[axis] += rubberBandDistance(over, in: bounds.length(axis))
        }
        setContentOffset(shown, within: .free)
    }

    /// Lets the content come to rest.
    fileprivate func endDrag(at offset: Point, velocity: Point) -> Point {
        drag = nil
        let proposed = clamped(
            Point(
                x: offset.x.asDistance + decelerationRate.distance(from: velocity.x),
                y: offset.y.asDistance + decelerationRate.distance(from: velocity.y)))
        setContentOffset(layout.targetContentOffset(forProposed: proposed, velocity: velocity))
        return contentOffset
    }

    /// Returns how far the content follows a finger beyond the edge: L · (1 − 1 / (0.55 · d / L + 1)), as observed in
    /// UIKit.
    private func rubberBandDistance(_ distance: Double, in length: Double) -> Double {
        guard length > 0, distance != 0 else { return 0 }
        let translation = length * (1 - 1 / (distance.magnitude * 0.55 / length + 1))
        return distance < 0 ? -translation : translation
    }
}
