import CollectionLayout
public import EPGModel

/// What a point of the grid belongs to, known from the geometry alone.
public enum GuidePlace: Hashable, Sendable {
    /// What lies over both headers where they meet.
    case corner
    /// The header above an instant.
    case header(Instant)
    /// The header of a group of stations, by its place among the groups.
    case group(Int)
    /// The head of a station's row.
    case station(row: Int)
    /// The live picture of a station's row.
    case thumbnail(row: Int)
    /// The instant in a station's schedule.
    case schedule(row: Int, Instant)
}

extension GuideLayout {
    /// What stands at a point of the content while a viewport is shown; `nil` outside and in the space between rows.
    ///
    /// Everything is half-open in time: the point at which one airing stops belongs to the next one, also where time runs
    /// from right to left. Pinned parts hide what they cover.
    public func place(atX x: Double, y: Double, in viewport: Viewport) -> GuidePlace? {
        let pins = pins(at: viewport)
        let size = solvedSize
        let point = presentation.solved(Point(x: x, y: y))
        guard point.x >= 0, point.x < size.width, point.y >= 0, point.y < size.height else { return nil }
        if pins.top <= point.y, point.y < pins.headerEnd {
            let isCorner = pins.leading <= point.x && point.x < max(pins.columnsEnd, edge(at: window.start))
            return isCorner ? .corner : .header(instant(atX: point.x))
        }
        if let group = group(atY: point.y, pins: pins) { return .group(group) }
        guard let row = row(atY: point.y) else { return nil }
        let column = stationColumn(pins)
        if column.minX <= point.x, point.x < column.maxX { return .station(row: row) }
        if let thumbnails = thumbnailColumn(pins), thumbnails.minX <= point.x, point.x < thumbnails.maxX {
            return .thumbnail(row: row)
        }
        let instant = instant(atX: point.x)
        return window.contains(instant) ? .schedule(row: row, instant) : nil
    }

    /// The group whose header stands at a height of the solved grid.
    private func group(atY y: Double, pins: Pins) -> Int? {
        guard hasGroupHeaders else { return nil }
        return rows(fromY: y, toY: y).lazy.compactMap { rows.group(ofRow: $0) }.first { group in
            let edges = headerEdges(ofGroup: group, visibleTop: pins.headerBottom)
            return edges.minY <= y && y < edges.maxY
        }
    }
}

extension [GuideElement] {
    /// The foremost element at a point of the content; lines are no obstacle, what lies below them is meant.
    ///
    /// Half-open in time: the edge at which an airing stops belongs to the next one, also where time runs from right to left.
    /// - Complexity: O(n).
    public func foremost(atX x: Double, y: Double) -> GuideElement? {
        inDrawingOrder().last { element in
            element.kind != .nowLine && element.kind != .daySeparator && element.contains(x: x, y: y)
        }
    }
}

extension GuideElement {
    /// Whether a point belongs to it: the edge where its time begins does, the one where it ends doesn't.
    fileprivate func contains(x: Double, y: Double) -> Bool {
        guard isTimeReversed else { return frame.contains(x: x, y: y) }
        return frame.minX < x && x <= frame.maxX && frame.minY <= y && y < frame.maxY
    }
}
