public import CollectionLayout

// MARK: - Zoom

extension GuideLayout {
    /// The same grid with hours of another width.
    ///
    /// - Throws: ``GuideLayoutError/measureOutOfRange(_:value:allowed:)``.
    public func zoomed(toPointsPerHour pointsPerHour: Double) throws(GuideLayoutError) -> GuideLayout {
        var layout = self
        layout.metrics.pointsPerHour = try GuideMeasure.pointsPerHour.checked(pointsPerHour, in: 0.01...1_000_000)
        return layout
    }

    /// The content offset at which a zoomed grid shows the same instant under the pointer.
    ///
    /// The instant is not rounded to a second, so that zooming in many steps drifts by no more than the rounding of a
    /// number. A pointer over the pinned columns keeps the first instant in sight; over scrolling thumbnails, what it is on.
    /// At the ends of the content the offset is cut (chosen).
    /// - Parameters:
    ///   - pointer: From the upper left corner of the view, in points.
    ///   - viewport: What this grid shows.
    ///   - zoomed: The same grid with hours of another width.
    public func contentOffset(keepingInstantAt pointer: Point, in viewport: Viewport, zoomed: GuideLayout) -> Point {
        let seen = presentation.solved(viewport.rect)
        let place = presentation.solved(viewport.rect.origin + pointer)
        let x = max(place.x.isNaN ? seen.minX : place.x, pins(at: viewport).columnsEdge)
        let hours = max(0, x - timeOrigin) / metrics.pointsPerHour
        let moved = hours * (zoomed.metrics.pointsPerHour - metrics.pointsPerHour)
        return zoomed.contentOffset(ofSolved: seen.offset(x: moved, y: 0))
    }

    // MARK: - Offsets

    /// The content offset for what shall be seen of the solved grid, cut at the content's ends.
    func contentOffset(ofSolved seen: Rect) -> Point {
        let size = solvedSize
        let x = seen.minX.clamped(to: 0...max(0, size.width - seen.width))
        let y = seen.minY.clamped(to: 0...max(0, size.height - seen.height))
        return presentation.unsnapped(Rect(x: x, y: y, width: seen.width, height: seen.height)).origin
    }

    /// The viewport at another content offset.
    func viewport(_ viewport: Viewport, at offset: Point) -> Viewport {
        Viewport(
            nearest: Rect(x: offset.x, y: offset.y, width: viewport.width, height: viewport.height))
    }
}
