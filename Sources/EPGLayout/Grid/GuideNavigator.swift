public import CollectionLayout
public import EPGModel

/// The movement of the focus over a guide.
///
/// The airings of a cluster are focused individually.
public struct GuideNavigator: Sendable {
    /// The geometry over which the focus moves.
    public let layout: GuideLayout
    /// The source of airings.
    public let source: any GuideSource
    /// Whether gaps can be focused; otherwise movements skip them.
    public let focusesGaps: Bool
    /// The layout without clusters.
    private let solved: GuideLayout

    /// Creates a navigator.
    public init(_ layout: GuideLayout, source: any GuideSource, focusesGaps: Bool = true) {
        self.layout = layout
        self.source = source
        self.focusesGaps = focusesGaps
        var solved = layout
        solved.clusters = nil
        self.solved = solved
    }

    /// Returns the focus in a row for an anchor: the cell that contains the anchor, or the one with the largest visible
    /// part, the earlier of two equal ones (GridRules.md).
    ///
    /// - Parameter visible: The result of ``GuideLayout/visibleTime(in:)``.
    /// - Returns: `nil` if the row does not exist or has no cells.
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

    /// Restores the focus after the guide changed, by station and airing or else by station and anchor (GridRules.md).
    ///
    /// - Returns: `nil` if the station no longer exists or has no cells.
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

    /// Returns the row of the focus if it still has the focus's station, which may be in several rows; otherwise the
    /// station's row.
    private func row(of focus: GuideFocus) -> Int? {
        let nothing = TimeWindow(start: layout.window.start, end: layout.window.start)
        let hasStation = source.slice(inRow: focus.row, during: nothing)?.schedule.schedule.station == focus.station
        return hasStation ? focus.row : source.row(of: focus.station)
    }

    // MARK: - Cells

    private func isFocusable(_ cell: FocusCell) -> Bool { focusesGaps || cell.airing != nil }

    private func focus(_ cell: FocusCell, row: Int, anchor: Instant) -> GuideFocus {
        GuideFocus(row: row, station: cell.station, airing: cell.airing, cell: cell.range, anchor: anchor)
    }

    /// Returns the cells of a row during a window extended by one second on both sides, in order of time.
    private func cells(inRow row: Int, during range: TimeWindow) -> [FocusCell] {
        let wide = TimeWindow(start: range.start.advanced(by: -1), end: range.end.advanced(by: 1))
        guard let visible = wide.intersection(layout.window),
            let slice = source.slice(inRow: row, during: visible)
        else { return [] }
        var collector = ElementCollector(rect: .everywhere, transform: solved.transform)
        ElementSolver(solved, at: Viewport(nearest: .zero)).addRow(
            slice.schedule, firstItem: slice.firstItem, during: visible, coverage: layout.window, to: &collector)
        return collector.elements.compactMap { element in
            guard element.kind == .airing || element.kind == .gap, let shown = element.shown else { return nil }
            return FocusCell(
                station: slice.schedule.schedule.station, airing: element.airing?.id, range: shown,
                ordinal: element.ordinal)
        }
        .sorted { ($0.range.start, $0.range.end, $0.ordinal) < ($1.range.start, $1.range.end, $1.ordinal) }
    }
}

/// A cell that can be focused.
private struct FocusCell {
    let station: StationID
    let airing: AiringID?
    let range: TimeWindow
    let ordinal: Int
}

// MARK: - Moves

extension GuideNavigator {
    /// Moves the focus.
    ///
    /// An impossible movement, such as up from the first row, keeps the focus. The focused row always becomes visible, even
    /// if the view was scrolled away from it.
    /// - Parameter now: The current time for ``FocusMove/now``; `nil` or an instant outside the guide means the guide's start.
    public func step(_ move: FocusMove, from focus: GuideFocus, in viewport: Viewport, now: Instant? = nil) -> FocusStep
    {
        let step = moved(move, from: focus, in: viewport, now: now)
        let after = layout.viewport(viewport, at: step.contentOffset)
        return FocusStep(
            focus: step.focus, contentOffset: layout.contentOffset(showingRow: step.focus.row, in: after))
    }

    private func moved(_ move: FocusMove, from focus: GuideFocus, in viewport: Viewport, now: Instant?) -> FocusStep {
        // Clamp to the guide, so that an invalid row cannot overflow.
        let row = focus.row.clamped(to: 0...max(0, layout.rowCount - 1))
        let pageRows = max(1, layout.visibleRows(in: viewport).count - 1)
        switch move {
        case .earlier: return stepEarlier(from: focus, in: viewport)
        case .later: return stepLater(from: focus, in: viewport)
        case .previousRow: return step(toRow: row - 1, from: focus, in: viewport)
        case .nextRow: return step(toRow: row + 1, from: focus, in: viewport)
        case .rowsUp: return step(toRow: row - pageRows, from: focus, in: viewport)
        case .rowsDown: return step(toRow: row + pageRows, from: focus, in: viewport)
        case .firstRow: return step(toRow: 0, from: focus, in: viewport)
        case .lastRow: return step(toRow: layout.rowCount - 1, from: focus, in: viewport)
        case .pageEarlier, .pageLater:
            let seconds = layout.secondsPerPage(in: viewport) * (move == .pageLater ? 1 : -1)
            let offset = layout.contentOffset(pagingBy: move == .pageLater ? 1 : -1, in: viewport)
            return step(toInstant: focus.anchor.advanced(by: seconds), from: focus, in: viewport, at: offset)
        case .now:
            let instant = now.flatMap { layout.window.contains($0) ? $0 : nil } ?? layout.window.start
            let visible = layout.visibleTime(in: viewport)
            let lead = visible.seconds / 4
            let offset =
                visible.contains(instant)
                ? viewport.rect.origin : layout.contentOffset(showing: instant.advanced(by: -lead), in: viewport)
            return step(toInstant: instant, from: focus, in: viewport, at: offset)
        }
    }

    // MARK: - Across rows

    private func step(toRow row: Int, from focus: GuideFocus, in viewport: Viewport) -> FocusStep {
        let target = row.clamped(to: 0...max(0, layout.rowCount - 1))
        let visible = layout.visibleTime(in: viewport)
        guard target != focus.row, let found = self.focus(inRow: target, anchor: focus.anchor, visible: visible) else {
            return FocusStep(focus: focus, contentOffset: viewport.rect.origin)
        }
        // The view may be scrolled away from the anchor.
        let isSeen = found.cell.isEmpty ? visible.contains(found.cell.start) : found.cell.overlaps(visible)
        return FocusStep(
            focus: found,
            contentOffset: isSeen
                ? viewport.rect.origin : layout.contentOffset(showing: found.anchor, in: viewport))
    }

    // MARK: - Through time

    private func step(
        toInstant instant: Instant, from focus: GuideFocus, in viewport: Viewport, at offset: Point
    ) -> FocusStep {
        let last = max(layout.window.start, layout.window.end.advanced(by: -1))
        let anchor = instant.clamped(to: layout.window.start...last)
        let visible = layout.visibleTime(in: layout.viewport(viewport, at: offset))
        let found = self.focus(inRow: focus.row, anchor: anchor, visible: visible) ?? focus
        return FocusStep(focus: found, contentOffset: offset)
    }

    /// Moves the focus to the next cell if scrolling by an hour makes it visible. Otherwise, keeps the focus on its long
    /// airing and scrolls by an hour (GridRules.md). If less than an hour is visible, scrolls by that much.
    private func stepLater(from focus: GuideFocus, in viewport: Viewport) -> FocusStep {
        let visible = layout.visibleTime(in: viewport)
        let limit = min(3600, max(1, visible.seconds))
        if let next = neighbor(of: focus, isLater: true), next.range.start < visible.end.advanced(by: limit) {
            guard next.range.start >= visible.start else { return show(next, from: focus, in: viewport) }
            let wanted = max(0, visible.end.seconds(to: next.range.end))
            let most = min(limit, visible.start.seconds(to: next.range.start))
            return step(to: next, from: focus, scrolling: min(wanted, most), in: viewport)
        }
        let rest = max(0, visible.end.seconds(to: focus.cell.end))
        return stay(on: focus, scrolling: min(limit, rest), in: viewport)
    }

    private func stepEarlier(from focus: GuideFocus, in viewport: Viewport) -> FocusStep {
        let visible = layout.visibleTime(in: viewport)
        let limit = min(3600, max(1, visible.seconds))
        if let previous = neighbor(of: focus, isLater: false), previous.range.end > visible.start.advanced(by: -limit) {
            guard previous.range.start < visible.end else { return show(previous, from: focus, in: viewport) }
            let wanted = max(0, previous.range.start.seconds(to: visible.start))
            let most = min(limit, max(0, previous.range.end.seconds(to: visible.end)))
            return step(to: previous, from: focus, scrolling: -min(wanted, most), in: viewport)
        }
        let rest = max(0, focus.cell.start.seconds(to: visible.start))
        return stay(on: focus, scrolling: -min(limit, rest), in: viewport)
    }

    /// Returns the focusable cell before or after the focus.
    private func neighbor(of focus: GuideFocus, isLater: Bool) -> FocusCell? {
        var (range, airing) = (focus.cell, focus.airing)
        // Gaps are never adjacent, so two steps suffice to skip one.
        for _ in 0..<2 {
            let cells = cells(inRow: focus.row, during: range)
            guard let index = cells.firstIndex(where: { $0.airing == airing && $0.range == range }) else {
                // The cell no longer exists: use the nearest one in that direction.
                return isLater
                    ? cells.first { $0.range.start >= range.end && isFocusable($0) }
                    : cells.last { $0.range.end <= range.start && isFocusable($0) }
            }
            let next = isLater ? index + 1 : index - 1
            guard cells.indices.contains(next) else { return nil }
            if isFocusable(cells[next]) { return cells[next] }
            (range, airing) = (cells[next].range, cells[next].airing)
        }
        return nil
    }

    // MARK: - Scrolling

    private func step(
        to cell: FocusCell, from focus: GuideFocus, scrolling seconds: Int64, in viewport: Viewport
    ) -> FocusStep {
        let offset = contentOffset(scrolledBy: seconds, in: viewport)
        let anchor = anchor(nearest: cell.range.start, in: cell.range, seenAt: offset, in: viewport)
        return FocusStep(focus: self.focus(cell, row: focus.row, anchor: anchor), contentOffset: offset)
    }

    private func stay(on focus: GuideFocus, scrolling seconds: Int64, in viewport: Viewport) -> FocusStep {
        let offset = contentOffset(scrolledBy: seconds, in: viewport)
        let wanted = focus.anchor.advanced(by: seconds)
        let anchor = anchor(nearest: wanted, in: focus.cell, seenAt: offset, in: viewport)
        let moved = GuideFocus(
            row: focus.row, station: focus.station, airing: focus.airing, cell: focus.cell, anchor: anchor)
        return FocusStep(focus: moved, contentOffset: offset)
    }

    /// Moves to a cell that is outside the visible time.
    private func show(_ cell: FocusCell, from focus: GuideFocus, in viewport: Viewport) -> FocusStep {
        FocusStep(
            focus: self.focus(cell, row: focus.row, anchor: cell.range.start),
            contentOffset: layout.contentOffset(showing: cell.range.start, in: viewport))
    }

    /// Returns the instant nearest to `wanted` in the part of a cell that is visible at an offset.
    private func anchor(
        nearest wanted: Instant, in cell: TimeWindow, seenAt offset: Point, in viewport: Viewport
    ) -> Instant {
        let visible = layout.visibleTime(in: layout.viewport(viewport, at: offset))
        let seen = cell.intersection(visible) ?? cell
        return wanted.clamped(to: seen.start...max(seen.start, seen.end.advanced(by: -1)))
    }

    private func contentOffset(scrolledBy seconds: Int64, in viewport: Viewport) -> Point {
        guard seconds != 0 else { return viewport.rect.origin }
        let seen = layout.transform.solved(viewport.rect)
        let points = Double(seconds) * layout.metrics.pointsPerHour / 3600
        return layout.contentOffset(ofSolved: seen.offset(x: points, y: 0))
    }
}

/// The focused cell, anchored in time (GridRules.md).
public struct GuideFocus: Hashable, Sendable {
    /// The 0-based row.
    public let row: Int
    /// The station, which identifies the row after rows change.
    public let station: StationID
    /// The airing; `nil` for a gap.
    public let airing: AiringID?
    /// The range of the cell; see ``GuideElement/shown``.
    public let cell: TimeWindow
    /// The instant that vertical movements preserve.
    public let anchor: Instant

    public init(row: Int, station: StationID, airing: AiringID?, cell: TimeWindow, anchor: Instant) {
        self.row = row
        self.station = station
        self.airing = airing
        self.cell = cell
        self.anchor = anchor
    }
}

/// The result of a movement: the focus and the content offset.
public struct FocusStep: Hashable, Sendable {
    /// The focus after the movement.
    public let focus: GuideFocus
    /// The origin of the viewport within the view's content inset.
    ///
    /// As for all offsets of ``GuideLayout``, subtract the left and top inset for the content offset of a view with an inset.
    public let contentOffset: Point

    public init(focus: GuideFocus, contentOffset: Point) {
        self.focus = focus
        self.contentOffset = contentOffset
    }
}

/// An arrow key of a remote control or keyboard.
public enum ArrowKey: Hashable, Sendable, CaseIterable {
    /// The direction on the screen.
    case left, right, up, down
}

/// A movement of the focus, independent of the orientation and direction of the grid.
public enum FocusMove: Hashable, Sendable, CaseIterable {
    /// To the previous or next row at the same anchor.
    case previousRow, nextRow
    /// To the previous or next cell in the row.
    case earlier, later
    /// By the number of visible rows.
    case rowsUp, rowsDown
    /// By the visible time.
    case pageEarlier, pageLater
    /// To the first or last row at the same anchor.
    case firstRow, lastRow
    /// To the current airing in the row.
    case now
}

extension GuideLayout {
    /// Returns the movement for a key. If time runs from right to left, the left key moves later; if it runs down, the keys
    /// up and down move earlier and later.
    public func move(for key: ArrowKey) -> FocusMove {
        let isMirrored = direction == .rightToLeft
        return switch (timeAxis, key) {
        case (.horizontal, .up): .previousRow
        case (.horizontal, .down): .nextRow
        case (.horizontal, .left): isMirrored ? .later : .earlier
        case (.horizontal, .right): isMirrored ? .earlier : .later
        case (.vertical, .up): .earlier
        case (.vertical, .down): .later
        case (.vertical, .left): isMirrored ? .nextRow : .previousRow
        case (.vertical, .right): isMirrored ? .previousRow : .nextRow
        }
    }
}
