public import EPGModel

/// What a point of the grid belongs to, known from the geometry alone.
public enum GuidePlace: Hashable, Sendable {
    case corner
    /// The header above an instant.
    case header(Instant)
    case station(row: Int)
    case thumbnail(row: Int)
    /// The instant in a station's schedule.
    case schedule(row: Int, Instant)
}

extension GuideLayout {
    /// What stands at a point of the content while a viewport is shown; `nil` outside and in the space between rows.
    ///
    /// Everything is half-open: the point at which one airing stops belongs to the next one. Pinned parts hide what they
    /// cover.
    public func place(atX x: Double, y: Double, in viewport: Viewport) -> GuidePlace? {
        let pins = pins(at: viewport)
        let size = contentSize
        guard x >= 0, x < size.width, y >= 0, y < size.height else { return nil }
        if pins.top <= y, y < pins.headerEnd {
            let isCorner = pins.leading <= x && x < max(pins.columnsEnd, edge(at: window.start))
            return isCorner ? .corner : .header(instant(atX: x))
        }
        guard let row = row(atY: y) else { return nil }
        let column = stationColumn(pins)
        if column.minX <= x, x < column.maxX { return .station(row: row) }
        if let thumbnails = thumbnailColumn(pins), thumbnails.minX <= x, x < thumbnails.maxX {
            return .thumbnail(row: row)
        }
        let instant = instant(atX: x)
        return window.contains(instant) ? .schedule(row: row, instant) : nil
    }
}

extension [GuideElement] {
    /// The foremost element at a point of the content; lines are no obstacle, what lies below them is meant.
    ///
    /// - Complexity: O(n).
    public func foremost(atX x: Double, y: Double) -> GuideElement? {
        inDrawingOrder().last { element in
            element.kind != .nowLine && element.kind != .daySeparator && element.frame.contains(x: x, y: y)
        }
    }
}
