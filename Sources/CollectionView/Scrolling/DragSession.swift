public import CollectionLayout

/// A finger that drags the content of a view, from where it was put down to where it is lifted.
///
/// The content follows the finger from the start of the drag. Beyond the edges it follows ever more slowly, where the view
/// bounces and the content is longer than the view (documented), else not at all.
///
/// A finger that is put down on a section that scrolls by itself, and goes farther across the view's direction than along
/// it, scrolls that section and not the view (documented: it is a scroll view of its own). Such a section stops at its
/// edges (chosen: without bouncing).
public final class DragSession {
    /// How far a finger goes before the axis is decided and the content follows, in points (chosen).
    public static let lockDistance = 3.0

    /// From this ratio of the lesser to the greater way on a drag is a diagonal one, which locks nothing (chosen: the
    /// original says "diagonal", and not how far).
    public static let diagonalRatio = 0.75

    /// What the directional lock makes of a drag.
    public enum Lock: Hashable, Sendable {
        /// The finger did not go far enough yet.
        case undecided
        /// The drag stays on an axis.
        case locked(Axis)
        /// The drag goes anywhere: a diagonal one, or one without the directional lock.
        case free
    }

    /// What the directional lock made of this drag so far.
    public private(set) var lock: Lock = .undecided
    /// Whether the finger is still down; another drag, or data that is loaded anew, doesn't lift it.
    public private(set) var isActive = true

    /// The section that this drag scrolls, once that is decided; `nil` where it scrolls the view.
    public var section: Int? { isShelfBound ? shelf?.section : nil }

    private weak var view: CollectionView?
    private let start: Point
    private var startOffset: Point
    /// The section under the finger that scrolls by itself; `nil` for none, and for one that is gone.
    private var shelf: OrthogonalShelf?
    private var isShelfBound = false
    /// Where the content would be without edges.
    private var freeOffset: Point

    init(_ view: CollectionView, from point: Point) {
        self.view = view
        start = point
        startOffset = view.contentOffset
        freeOffset = view.contentOffset
        shelf = view.orthogonalShelf(at: point + view.contentOffset)
    }

    /// The finger moved.
    ///
    /// - Parameter point: Where it is, in the same coordinates as where it began: those of the screen, which don't scroll.
    public func move(to point: Point) {
        guard isActive, let view else { return }
        let way = Point(x: (point.x - start.x).asDistance, y: (point.y - start.y).asDistance)
        decideLock(way, view)
        guard lock != .undecided else { return }
        guard !isShelfBound else {
            if let shelf { view.drag(shelf, by: way[shelf.axis]) }
            return
        }
        freeOffset = startOffset
        for axis in Axis.allCases where follows(axis) { freeOffset[axis] -= way[axis] }
        view.drag(to: freeOffset)
    }

    /// The finger was lifted: the content comes to rest, within its edges, where the layout wants it.
    ///
    /// The layout is asked with the proposed offset, where the content would stop by itself, and with the velocity of the
    /// offset: that of the finger with the other sign, 0 on an axis that the drag doesn't follow (documented:
    /// `targetContentOffset(forProposedContentOffset:withScrollingVelocity:)`, there in points per millisecond).
    ///
    /// - Parameter velocity: That of the finger, in points per second.
    /// - Returns: The offset at rest.
    @discardableResult
    public func end(velocity: Point = .zero) -> Point {
        guard isActive, let view else { return freeOffset }
        isActive = false
        guard !isShelfBound else {
            view.endDrag(on: shelf, velocity: shelf.map { velocity[$0.axis] } ?? 0)
            return view.contentOffset
        }
        var speed = Point.zero
        for axis in Axis.allCases where lock != .undecided && follows(axis) { speed[axis] = -velocity[axis].asDistance }
        return view.endDrag(at: freeOffset, velocity: speed)
    }

    /// Ends it without moving anything.
    func cancel() { isActive = false }

    /// The view's offset was moved so that what is seen stays where it is.
    func contentMoved(by distance: Point) {
        startOffset = startOffset + distance
        freeOffset = freeOffset + distance
    }

    /// Batch updates gave the section another number; one that is deleted is scrolled no more.
    func follow(_ updates: UpdateMap) {
        guard let old = shelf?.section else { return }
        if let section = updates.newSection(for: old) { shelf?.section = section } else { shelf = nil }
    }

    /// On a section that scrolls by itself the greater way decides, with and without the directional lock.
    private func decideLock(_ way: Point, _ view: CollectionView) {
        guard lock == .undecided else { return }
        guard view.isDirectionalLockEnabled || shelf != nil else {
            lock = .free
            return
        }
        let (greater, lesser) = (max(way.x.magnitude, way.y.magnitude), min(way.x.magnitude, way.y.magnitude))
        guard greater >= Self.lockDistance else { return }
        if let shelf, way[shelf.axis].magnitude > way[shelf.axis.crossing].magnitude {
            isShelfBound = true
            lock = .locked(shelf.axis)
            return
        }
        guard view.isDirectionalLockEnabled else {
            lock = .free
            return
        }
        if lesser >= greater * Self.diagonalRatio {
            lock = .free
        } else {
            lock = .locked(way.x.magnitude > way.y.magnitude ? .horizontal : .vertical)
        }
    }

    private func follows(_ axis: Axis) -> Bool {
        if case .locked(let locked) = lock { return locked == axis }
        return true
    }
}

// MARK: - Dragging

/// A section that scrolls by itself, under a finger.
private struct OrthogonalShelf {
    var section: Int
    let axis: Axis
    /// Where it stood when the finger was put down.
    let start: Double
    /// Whether its offset grows with the finger: from right to left.
    let isMirrored: Bool
}

extension CollectionView {
    /// The section at a point of the content that a finger can scroll; `nil` for one that fits.
    fileprivate func orthogonalShelf(at point: Point) -> OrthogonalShelf? {
        guard let (section, axis) = layout.orthogonalSection(at: point) else { return nil }
        return OrthogonalShelf(
            section: section, axis: axis, start: layout.orthogonalOffset(section: section),
            isMirrored: axis == .horizontal && layoutDirection == .rightToLeft)
    }

    /// Follows a finger that went so far along the section.
    fileprivate func drag(_ shelf: OrthogonalShelf, by way: Double) {
        let before = orthogonalOffset(section: shelf.section)
        let offset = shelf.isMirrored ? shelf.start + way : shelf.start - way
        setOrthogonalOffset(offset, section: shelf.section)
        if orthogonalOffset(section: shelf.section) != before { cancelTouch() }
    }

    /// Lets the section come to rest.
    ///
    /// - Parameters:
    ///   - shelf: `nil` for one that is gone.
    ///   - velocity: That of the finger.
    fileprivate func endDrag(on shelf: OrthogonalShelf?, velocity: Double) {
        drag = nil
        guard let shelf else { return }
        let speed = velocity.asDistance
        endOrthogonalScroll(
            section: shelf.section, velocity: shelf.isMirrored ? speed : -speed, from: shelf.start)
    }
}

extension CollectionView {
    /// A finger is put down to drag the content; a touch that highlights an item is cancelled when the content moves.
    ///
    /// Another drag that is not at its end is ended as it stands (chosen).
    ///
    /// - Parameter point: Where, in coordinates that don't scroll, from the upper left corner of the view: it tells which
    ///   section is dragged, where sections scroll by themselves.
    public func beginDrag(at point: Point) -> DragSession {
        layoutIfNeeded()
        drag?.cancel()
        let session = DragSession(self, from: point)
        drag = session
        return session
    }

    /// Whether a drag is going on.
    public var isDragging: Bool { drag?.isActive ?? false }

    /// Follows a finger to an offset that may lie beyond the content.
    fileprivate func drag(to offset: Point) {
        if offset != contentOffset { cancelTouch() }
        var shown = clamped(offset)
        guard bounces else { return setContentOffset(shown) }
        for axis in Axis.allCases {
            let range = offsetRange(axis)
            // Content that fits doesn't bounce (documented: alwaysBounceVertical is off by default).
            guard range.lowerBound < range.upperBound else { continue }
            let over = offset[axis].asDistance - shown[axis]
            shown[axis] += resisted(over, in: bounds.length(axis))
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

    /// How far the content follows a finger that is so far beyond the edge: L · (1 − 1 / (0.55 · d / L + 1)) (observed).
    private func resisted(_ distance: Double, in length: Double) -> Double {
        guard length > 0, distance != 0 else { return 0 }
        let way = length * (1 - 1 / (distance.magnitude * 0.55 / length + 1))
        return distance < 0 ? -way : way
    }
}
