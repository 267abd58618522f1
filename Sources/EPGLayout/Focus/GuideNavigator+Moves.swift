import CollectionLayout
public import EPGModel

// MARK: - Moves

extension GuideNavigator {
    /// Moves the focus by one step.
    ///
    /// A step that leads nowhere, such as up from the first row, leaves the focus where it is. The row that has the focus is
    /// always brought in sight, also where the view was scrolled away from it.
    /// - Parameter now: For ``FocusMove/now``; `nil`, or an instant outside the guide, means its start.
    public func step(_ move: FocusMove, from focus: GuideFocus, in viewport: Viewport, now: Instant? = nil) -> FocusStep
    {
        let step = moved(move, from: focus, in: viewport, now: now)
        let after = layout.viewport(viewport, at: step.contentOffset)
        return FocusStep(
            focus: step.focus, contentOffset: layout.contentOffset(showingRow: step.focus.row, in: after))
    }

    private func moved(_ move: FocusMove, from focus: GuideFocus, in viewport: Viewport, now: Instant?) -> FocusStep {
        // Within the guide, so that a row that isn't there can't overflow.
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
        // The view may have been scrolled away from the anchor.
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

    /// The next cell gets the focus if an hour of scrolling brings it in sight; else the focus stays on its long airing,
    /// which scrolls by an hour (facts, layout 2). What is in sight may be less than an hour: then it is as much.
    private func stepLater(from focus: GuideFocus, in viewport: Viewport) -> FocusStep {
        let visible = layout.visibleTime(in: viewport)
        let limit = min(3600, max(1, visible.seconds))
        if let next = neighbour(of: focus, isLater: true), next.range.start < visible.end.advanced(by: limit) {
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
        if let previous = neighbour(of: focus, isLater: false), previous.range.end > visible.start.advanced(by: -limit)
        {
            guard previous.range.start < visible.end else { return show(previous, from: focus, in: viewport) }
            let wanted = max(0, previous.range.start.seconds(to: visible.start))
            let most = min(limit, max(0, previous.range.end.seconds(to: visible.end)))
            return step(to: previous, from: focus, scrolling: -min(wanted, most), in: viewport)
        }
        let rest = max(0, focus.cell.start.seconds(to: visible.start))
        return stay(on: focus, scrolling: -min(limit, rest), in: viewport)
    }

    /// The focusable cell before or after the focus.
    private func neighbour(of focus: GuideFocus, isLater: Bool) -> FocusCell? {
        var (range, airing) = (focus.cell, focus.airing)
        // Gaps never follow each other, so that two steps are enough to pass one.
        for _ in 0..<2 {
            let cells = cells(inRow: focus.row, during: range)
            guard let index = cells.firstIndex(where: { $0.airing == airing && $0.range == range }) else {
                // The cell is gone: the nearest one in that direction.
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

    /// Goes to a cell that the view was scrolled away from.
    private func show(_ cell: FocusCell, from focus: GuideFocus, in viewport: Viewport) -> FocusStep {
        FocusStep(
            focus: self.focus(cell, row: focus.row, anchor: cell.range.start),
            contentOffset: layout.contentOffset(showing: cell.range.start, in: viewport))
    }

    /// The instant of a cell and of what will be seen that is nearest to one.
    private func anchor(
        nearest wanted: Instant, in cell: TimeWindow, seenAt offset: Point, in viewport: Viewport
    ) -> Instant {
        let visible = layout.visibleTime(in: layout.viewport(viewport, at: offset))
        let seen = cell.intersection(visible) ?? cell
        return wanted.clamped(to: seen.start...max(seen.start, seen.end.advanced(by: -1)))
    }

    private func contentOffset(scrolledBy seconds: Int64, in viewport: Viewport) -> Point {
        guard seconds != 0 else { return viewport.rect.origin }
        let seen = layout.presentation.solved(viewport.rect)
        let points = Double(seconds) * layout.metrics.pointsPerHour / 3600
        return layout.contentOffset(ofSolved: seen.offset(x: points, y: 0))
    }
}
