import CollectionLayout
public import EPGModel

// MARK: - Time and x

extension GuideLayout {
    /// x of the guide's first instant.
    var timeOrigin: Double { metrics.stationColumnWidth + metrics.thumbnailColumnWidth }

    /// x of an instant in the solved grid, not snapped: columns + (instant − window start) · points per hour.
    ///
    /// It follows from the instant alone, never from the widths of cells before it, so that no gap and no rounding can
    /// shift a row (facts, layout 2). An instant outside the window gets its place beyond the content's edges.
    public func x(of instant: Instant) -> Double {
        timeOrigin + Double(window.start.seconds(to: instant)) * metrics.pointsPerHour / 3600
    }

    /// The instant at x: the last whole second that stands at or before it.
    ///
    /// With t(x) for this method, t(x(t)) = t and x(t(x)) ≤ x < x(t(x) + 1 s) for every instant of the window. x outside the
    /// content gives an instant outside the window, saturating; not a number gives the window's start.
    public func instant(atX x: Double) -> Instant {
        guard !x.isNaN else { return window.start }
        let estimate = ((x - timeOrigin) / metrics.pointsPerHour * 3600).floored
        // Beyond this, seconds can't be told apart as Double; the window ends long before it.
        let furthest = 9_007_199_254_740_992.0
        var instant = window.start.advanced(by: Int64(estimate.clamped(to: -furthest...furthest)))
        // The division may miss by one second where x is that of a full second.
        if self.x(of: instant) > x { instant = instant.advanced(by: -1) }
        if self.x(of: instant.advanced(by: 1)) <= x { instant = instant.advanced(by: 1) }
        return instant
    }

    /// x of an instant, snapped to a device pixel.
    func edge(at instant: Instant) -> Double {
        metrics.pixels.snapped(x(of: instant))
    }

    /// The part of the window that may have a pixel between two places: a pixel more on both sides, because edges are
    /// snapped, and a second more at the end, because instants are rounded down.
    func times(fromX minX: Double, toX maxX: Double) -> TimeWindow {
        let pixel = metrics.pixels.pixel
        let range = window.start...window.end
        let start = instant(atX: minX - pixel).clamped(to: range)
        let end = instant(atX: maxX + pixel).advanced(by: 1).clamped(to: range)
        return TimeWindow(start: start, end: max(start, end))
    }

    /// The times of the cluster policy, if there is one.
    var clusterTimes: ClusterTimes? {
        clusters.map { ClusterTimes($0, pointsPerHour: metrics.pointsPerHour, origin: window.start) }
    }

    // MARK: - What is visible

    /// The rows and the stretch of time that a viewport needs to be read.
    ///
    /// Where an edge of the viewport lies outside the content, the demand is cut at the content.
    public func demand(of viewport: Viewport) -> GuideDemand {
        demand(of: presentation.solved(viewport.rect))
    }

    /// The rows and the stretch of time that may be seen in a rectangle of the solved grid; with clusters also what tells
    /// which airings share a cell.
    func demand(of rect: Rect) -> GuideDemand {
        let seen = times(fromX: rect.minX, toX: rect.maxX)
        let rows = rows(fromY: rect.minY, toY: rect.maxY)
        guard let clusterTimes, !seen.isEmpty else { return GuideDemand(rows: rows, window: seen) }
        return GuideDemand(rows: rows, window: clusterTimes.reach(of: seen).intersection(window) ?? seen)
    }
}
