import CollectionLayout
public import EPGModel

/// Moves the focus over a guide.
///
/// Airings that share a cluster's cell are focused one by one.
public struct GuideNavigator: Sendable {
    /// The geometry over which the focus moves.
    public let layout: GuideLayout
    /// What the cells of the rows are made of.
    public let source: any GuideSource
    /// Whether a gap can have the focus; if not, it is passed over like a place outside the row's schedule.
    public let focusesGaps: Bool
    /// The layout in which every airing has a cell of its own.
    private let solved: GuideLayout

    /// A navigator over a layout and the source of its airings; gaps can have the focus by default.
    public init(_ layout: GuideLayout, source: any GuideSource, focusesGaps: Bool = true) {
        self.layout = layout
        self.source = source
        self.focusesGaps = focusesGaps
        var solved = layout
        solved.clusters = nil
        self.solved = solved
    }

    /// The focus in a row for an anchor: the cell that contains it, else the one with the greatest overlap with what is in
    /// sight, the earlier of two (facts, layout 2).
    ///
    /// - Parameter visible: What ``GuideLayout/visibleTime(in:)`` says.
    /// - Returns: `nil` where the guide has no such row, or nothing is known of it.
    public func focus(inRow row: Int, anchor: Instant, visible: TimeWindow) -> GuideFocus? {
        let moment = TimeWindow(start: anchor, end: anchor.advanced(by: 1))
        let around = cells(inRow: row, during: moment)
        let under = around.first { $0.range.contains(anchor) }
        if let under, isFocusable(under) { return focus(under, row: row, anchor: anchor) }
        var best: (cell: FocusCell, overlap: Int64)?
        for cell in cells(inRow: row, during: visible) where isFocusable(cell) {
            guard let overlap = cell.range.intersection(visible)?.seconds, overlap > best?.overlap ?? 0 else {
                continue
            }
            best = (cell, overlap)
        }
        return (best?.cell ?? under).map { focus($0, row: row, anchor: anchor) }
    }

    /// The focus as it stands after the guide was read anew: by station and airing, else by station and anchor (facts,
    /// layout 2).
    ///
    /// - Returns: `nil` where the station is gone, or nothing is known of it.
    public func restored(_ focus: GuideFocus, visible: TimeWindow) -> GuideFocus? {
        guard let row = row(of: focus) else { return nil }
        if let id = focus.airing, let item = source.item(of: id, inRow: row),
            let airing = source.airing(item, inRow: row),
            let cell = cells(inRow: row, during: airing.window).first(where: { $0.airing == id })
        {
            let last = max(cell.range.start, cell.range.end.advanced(by: -1))
            return self.focus(cell, row: row, anchor: focus.anchor.clamped(to: cell.range.start...last))
        }
        return self.focus(inRow: row, anchor: focus.anchor, visible: visible)
    }

    /// The row that a focus was in, if it is still that of its station, which may stand in several; else the station's row.
    private func row(of focus: GuideFocus) -> Int? {
        let nothing = TimeWindow(start: layout.window.start, end: layout.window.start)
        let isThere = source.slice(inRow: focus.row, during: nothing)?.schedule.schedule.station == focus.station
        return isThere ? focus.row : source.row(of: focus.station)
    }

    // MARK: - Cells

    func isFocusable(_ cell: FocusCell) -> Bool { focusesGaps || cell.airing != nil }

    func focus(_ cell: FocusCell, row: Int, anchor: Instant) -> GuideFocus {
        GuideFocus(row: row, station: cell.station, airing: cell.airing, cell: cell.range, anchor: anchor)
    }

    /// The cells of a row during a window and one second around it, in order of time.
    func cells(inRow row: Int, during range: TimeWindow) -> [FocusCell] {
        let wide = TimeWindow(start: range.start.advanced(by: -1), end: range.end.advanced(by: 1))
        guard let visible = wide.intersection(layout.window),
            let slice = source.slice(inRow: row, during: visible)
        else { return [] }
        var collector = ElementCollector(rect: .everywhere, presentation: solved.presentation)
        let pins = solved.pins(at: Viewport(nearest: .zero))
        solved.addRow(
            slice.schedule, firstItem: slice.firstItem, during: visible, coverage: layout.window, pins: pins,
            to: &collector)
        return collector.elements.compactMap { element in
            guard element.kind == .airing || element.kind == .gap, let shown = element.shown else { return nil }
            return FocusCell(
                station: slice.schedule.schedule.station, airing: element.airing?.id, range: shown,
                ordinal: element.ordinal)
        }
        .sorted { ($0.range.start, $0.range.end, $0.ordinal) < ($1.range.start, $1.range.end, $1.ordinal) }
    }
}

/// A cell that the focus may be on.
struct FocusCell {
    let station: StationID
    let airing: AiringID?
    let range: TimeWindow
    let ordinal: Int
}
