public import CollectionLayout
public import EPGModel

// MARK: - Where to scroll

extension GuideLayout {
    /// The stretch of time beside the pinned columns, cut at the guide's window; of no length where none is in sight.
    ///
    /// An edge that misses an instant by less than can be seen stands on it, so that paging to and fro and mirroring change
    /// nothing.
    public func visibleTime(in viewport: Viewport) -> TimeWindow {
        let slack = min(metrics.pixels.pixel / 1024, metrics.pointsPerHour / 7200)
        let range = window.start...window.end
        let start = instant(atX: pins(at: viewport).columnsEdge + slack).clamped(to: range)
        // The second that is cut by the edge is seen, too.
        let edge = presentation.solved(viewport.rect).maxX - slack
        let last = instant(atX: edge)
        let end = (x(of: last) < edge ? last.advanced(by: 1) : last).clamped(to: range)
        return TimeWindow(start: start, end: max(start, end))
    }

    /// The rows that are in sight below the header and their group's header, also in part.
    public func visibleRows(in viewport: Viewport) -> Range<Int> {
        let pins = pins(at: viewport)
        let bottom = presentation.solved(viewport.rect).maxY
        let found = rows(fromY: pins.headerEnd, toY: max(pins.headerEnd, bottom))
        let first = found.first { edges(ofRow: $0).maxY > coveredEnd(ofRow: $0, pins: pins) } ?? found.upperBound
        let last = found.last { edges(ofRow: $0).minY < bottom } ?? found.lowerBound - 1
        return first..<max(first, last + 1)
    }

    /// The height down to which pinned headers cover a row.
    private func coveredEnd(ofRow row: Int, pins: Pins) -> Double {
        guard hasGroupHeaders, let group = rows.group(ofRow: row) else { return pins.headerEnd }
        return max(pins.headerEnd, headerEdges(ofGroup: group, visibleTop: pins.headerBottom).maxY)
    }

    /// The content offset at which an instant is the first in sight, as far as the content allows; the guide's first
    /// instant brings scrolling thumbnails into sight, too.
    public func contentOffset(showing instant: Instant, in viewport: Viewport) -> Point {
        let seen = presentation.solved(viewport.rect)
        let x = instant <= window.start ? 0 : x(of: min(instant, window.end)) - metrics.pinnedWidth
        return contentOffset(ofSolved: seen.offset(x: x - seen.minX, y: 0))
    }

    /// The content offset nearest to a viewport's at which a row is in sight as a whole, below the headers.
    ///
    /// - Parameter row: Cut to the rows that there are.
    public func contentOffset(showingRow row: Int, in viewport: Viewport) -> Point {
        let seen = presentation.solved(viewport.rect)
        guard rowCount > 0 else { return contentOffset(ofSolved: seen) }
        let row = row.clamped(to: 0...rowCount - 1)
        let edges = edges(ofRow: row)
        let headers = metrics.headerHeight + (rows.group(ofRow: row) == nil ? 0 : metrics.groupHeaderHeight)
        let lowest = edges.minY - headers
        let highest = edges.maxY - seen.height
        let y = lowest < seen.minY ? lowest : min(max(seen.minY, highest), max(lowest, highest))
        return contentOffset(ofSolved: seen.offset(x: 0, y: min(y, lowest) - seen.minY))
    }

    /// How long a page of time is: what is in sight, in whole half hours where there is one.
    public func secondsPerPage(in viewport: Viewport) -> Int64 {
        let seconds = visibleTime(in: viewport).seconds
        return seconds >= 1800 ? seconds / 1800 * 1800 : max(1, seconds)
    }

    /// The content offset some pages later, or earlier where the number is negative (facts, layout 2: paging by time).
    public func contentOffset(pagingBy pages: Int, in viewport: Viewport) -> Point {
        let count = Int64(pages.clamped(to: -1_000_000...1_000_000))
        let start = visibleTime(in: viewport).start
        return contentOffset(showing: start.advanced(by: count * secondsPerPage(in: viewport)), in: viewport)
    }

    // MARK: - Reading ahead

    /// What will be needed next while the view is scrolled: the strips ahead of it, in the direction of its movement.
    ///
    /// - Parameters:
    ///   - movement: How far the content offset moved last; only the signs matter.
    ///   - pages: How many viewports ahead, 0 to 10.
    /// - Returns: At most one demand for the time ahead and one for the rows ahead; none for a view at rest, or at the end.
    public func prefetchDemands(in viewport: Viewport, movingBy movement: Point, pages: Double = 1) -> [GuideDemand] {
        let rect = viewport.rect
        let reach = pages.isNaN ? 0 : pages.clamped(to: 0...10)
        func strip(_ axis: Axis) -> (Double, Double)? {
            guard movement[axis] != 0, !movement[axis].isNaN, reach > 0 else { return nil }
            let length = rect.length(axis) * reach
            return movement[axis] > 0
                ? (rect.end(axis), rect.end(axis) + length) : (rect.start(axis) - length, rect.start(axis))
        }
        let content = Rect(origin: .zero, size: contentSize)
        let across = timeAxis.crossing
        let acrossEdges = (rect.start(across), rect.end(across))
        let timeStrip = strip(timeAxis)
        var strips = [timeStrip.map { Rect(along: timeAxis, $0, across: acrossEdges) }]
        // Where both move, the corner between the strips belongs to the rows ahead.
        let alongEdges = (
            min(rect.start(timeAxis), timeStrip?.0 ?? .infinity), max(rect.end(timeAxis), timeStrip?.1 ?? -.infinity)
        )
        strips.append(strip(across).map { Rect(along: timeAxis, alongEdges, across: $0) })
        return strips.compactMap(\.self).map { content.intersection($0) }.filter { !$0.isEmpty }
            .map { demand(of: presentation.solved($0)) }.filter { !$0.rows.isEmpty && !$0.window.isEmpty }
    }
}
