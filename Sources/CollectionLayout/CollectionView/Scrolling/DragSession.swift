/// A finger that drags the content of a view, from where it was put down to where it is lifted.
///
/// The content follows the finger from the start of the drag. Beyond the edges it follows ever more slowly, where the view
/// bounces and the content is longer than the view (documented), else not at all.
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

    private weak var view: CollectionView?
    private let start: Point
    private let startOffset: Point
    /// Where the content would be without edges.
    private var freeOffset: Point

    init(_ view: CollectionView, from point: Point) {
        self.view = view
        start = point
        startOffset = view.contentOffset
        freeOffset = view.contentOffset
    }

    /// The finger moved.
    ///
    /// - Parameter point: Where it is, in the same coordinates as where it began: those of the screen, which don't scroll.
    public func move(to point: Point) {
        guard isActive, let view else { return }
        let way = Point(x: (point.x - start.x).asDistance, y: (point.y - start.y).asDistance)
        decideLock(way, view)
        guard lock != .undecided else { return }
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
        var speed = Point.zero
        for axis in Axis.allCases where lock != .undecided && follows(axis) { speed[axis] = -velocity[axis].asDistance }
        return view.endDrag(at: freeOffset, velocity: speed)
    }

    /// Ends it without moving anything.
    func cancel() { isActive = false }

    private func decideLock(_ way: Point, _ view: CollectionView) {
        guard lock == .undecided else { return }
        guard view.isDirectionalLockEnabled else {
            lock = .free
            return
        }
        let (greater, lesser) = (max(way.x.magnitude, way.y.magnitude), min(way.x.magnitude, way.y.magnitude))
        guard greater >= Self.lockDistance else { return }
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
