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
    func drag(to offset: Point) {
        if offset != contentOffset { cancelTouch() }
        var shown = clamped(offset)
        guard bounces else { return setContentOffset(shown) }
        for axis in Axis.allCases {
            let range = offsetRange(axis)
            // Content that fits doesn't bounce (documented: alwaysBounceVertical is off by default).
            guard range.lowerBound < range.upperBound else { continue }
            let over = offset[axis].asDistance - shown[axis]
            shown[axis] += resisted(over, in: viewBounds.length(axis))
        }
        setContentOffset(shown, within: .free)
    }

    /// Lets the content come to rest.
    func endDrag(at offset: Point, velocity: Point) -> Point {
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
