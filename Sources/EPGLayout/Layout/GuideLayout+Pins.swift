import CollectionLayout

/// The edges at which columns and header stay while the content scrolls.
struct Pins {
    /// x of the station column.
    let leading: Double
    /// x of the end of the columns that stay: airings are in sight from here.
    let columnsEnd: Double
    /// y of the header.
    let top: Double
    /// y of the header's lower edge.
    let headerEnd: Double
    /// The same, not snapped.
    let headerBottom: Double
    /// From where to where airings are in sight, for what is drawn.
    let sight: ClosedRange<Double>
    /// ``columnsEnd``, not snapped: what is counted in time would drift with every step if it were.
    let columnsEdge: Double
}

extension GuideLayout {
    /// Where the pinned parts stand at an offset: at the visible edge, but never outside the content.
    ///
    /// While the view is pulled beyond the content they stay with it, as the pinned header of a flow layout stays in its
    /// section: min(max(visible edge, content start), content end − length) (facts, layout 3; chosen here for
    /// both axes at once).
    func pins(at viewport: Viewport) -> Pins {
        let pixels = metrics.pixels
        let size = solvedSize
        let seen = presentation.solved(viewport.rect)
        let leading = min(max(seen.minX, 0), max(0, size.width - metrics.pinnedWidth))
        let top = min(max(seen.minY, 0), max(0, size.height - metrics.headerHeight))
        let columnsEnd = pixels.snapped(leading + metrics.pinnedWidth)
        return Pins(
            leading: pixels.snapped(leading), columnsEnd: columnsEnd, top: pixels.snapped(top),
            headerEnd: pixels.snapped(top + metrics.headerHeight), headerBottom: top + metrics.headerHeight,
            sight: columnsEnd...max(columnsEnd, seen.maxX), columnsEdge: leading + metrics.pinnedWidth)
    }

    /// The snapped edges of the station column.
    func stationColumn(_ pins: Pins) -> (minX: Double, maxX: Double) {
        (pins.leading, metrics.pixels.snapped(pins.leading + metrics.stationColumnWidth))
    }

    /// The snapped edges of the thumbnail column: after the pinned station column, or at the head of the content.
    func thumbnailColumn(_ pins: Pins) -> (minX: Double, maxX: Double)? {
        switch metrics.thumbnails {
        case .none: nil
        case .sticky: (stationColumn(pins).maxX, pins.columnsEnd)
        case .scrolling: (metrics.pixels.snapped(metrics.stationColumnWidth), metrics.pixels.snapped(timeOrigin))
        }
    }
}
