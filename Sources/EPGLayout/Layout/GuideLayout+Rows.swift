import CollectionLayout
import EPGModel

// MARK: - Station, thumbnail, airings and gaps

extension GuideLayout {
    /// Adds the cells of one row.
    ///
    /// - Parameter firstItem: The place of the schedule's first airing in its row.
    func addRow<Content: RowContent>(
        _ content: Content, firstItem: Int, during visible: TimeWindow, coverage: TimeWindow, pins: Pins,
        to collector: inout ElementCollector
    ) {
        guard (0..<rowCount).contains(content.row) else { return }
        collector.cost.sections += 1
        let row = GuideRow(content, firstItem: firstItem, layout: self, sight: pins.sight)
        addHead(of: row, pins: pins, to: &collector)
        if let known = coverage.intersection(window) {
            addSegments(of: row, during: visible, known: known, to: &collector)
        }
    }

    /// Adds the cells that don't depend on time.
    private func addHead<Content: RowContent>(
        of row: GuideRow<Content>, pins: Pins, to collector: inout ElementCollector
    ) {
        let column = stationColumn(pins)
        let frame = row.frame(column.minX, column.maxX)
        let everything = frame.minX...frame.maxX
        collector.add(row.place(.station, frame, .pinned)) { place in
            row.element(place, sight: everything, label: row.content.label)
        }
        if let thumbnails = thumbnailColumn(pins) {
            let frame = row.frame(thumbnails.minX, thumbnails.maxX)
            let isPinned = if case .sticky = metrics.thumbnails { true } else { false }
            collector.add(row.place(.thumbnail, frame, isPinned ? .pinned : .content)) { place in
                row.element(place, sight: isPinned ? frame.minX...frame.maxX : row.sight)
            }
        }
    }

    /// Adds the airings that are on during the visible time, and the gaps between them.
    ///
    /// - Complexity: O(log n + k) for k visible airings of n.
    private func addSegments<Content: RowContent>(
        of row: GuideRow<Content>, during visible: TimeWindow, known: TimeWindow, to collector: inout ElementCollector
    ) {
        let content = row.content
        let count = content.airingCount
        var run = ClusterRun(row: row, times: clusterTimes)
        var index = (0..<count).partitioningIndex { content.window(at: $0).end > visible.start }
        var reached = index > 0 ? content.window(at: index - 1).end : known.start
        while index < count, content.window(at: index).start < visible.end, !collector.isFull {
            let shared = content.window(at: index)
            addGap(before: index, of: row, from: reached, to: shared.start, known: known, to: &collector)
            var end = index + 1
            while end < count, content.window(at: end) == shared { end += 1 }
            addAirings(index..<end, of: row, run: &run, to: &collector)
            reached = shared.end
            index = end
        }
        run.end(in: &collector)
        let next = index < count ? content.window(at: index).start : known.end
        if reached < visible.end {
            addGap(before: index, of: row, from: reached, to: next, known: known, to: &collector)
        }
    }

    /// Adds a gap, cut at what is known; it tells where more of it may follow.
    private func addGap<Content: RowContent>(
        before index: Int, of row: GuideRow<Content>, from start: Instant, to end: Instant, known: TimeWindow,
        to collector: inout ElementCollector
    ) {
        guard let range = TimeWindow(from: max(start, known.start), to: min(end, known.end)), !range.isEmpty else {
            return
        }
        let frame = row.frame(edge(at: range.start), edge(at: range.end))
        let isStartClipped = range.start == known.start && known.start > window.start
        let isEndClipped = range.end == known.end && known.end < window.end
        collector.add(row.place(.gap, frame, .content, ordinal: row.firstItem + index)) {
            GuideCell(
                kind: .gap, row: row.content.row, window: range, shown: range, isStartClipped: isStartClipped,
                isEndClipped: isEndClipped)
        } _: { place in
            row.element(
                place, sight: row.sight, window: range, shown: range, isStartClipped: isStartClipped,
                isEndClipped: isEndClipped)
        }
    }

    /// Adds one airing, or the members of a clump, each with an equal share of the window: for display only, since the
    /// true boundary between them is unknown (facts, xmltv 3, rule 5).
    ///
    /// The shares go by the members that are there, so that they tile the window also where one is missing.
    private func addAirings<Content: RowContent>(
        _ members: Range<Int>, of row: GuideRow<Content>, run: inout ClusterRun<Content>,
        to collector: inout ElementCollector
    ) {
        for index in members where !collector.isFull {
            collector.cost.items += 1
            let share = row.content.window(at: index).share(index - members.lowerBound, of: members.count)
            guard let shown = window.cut(share) else { continue }
            let cell = AiringCell(
                index: index, shown: shown, frame: row.frame(edge(at: shown.start), edge(at: shown.end)),
                isStartClipped: share.start < window.start, isEndClipped: share.end > window.end)
            if run.times == nil {
                row.add(cell, to: &collector)
            } else {
                run.append(cell, in: &collector)
            }
        }
    }
}

extension TimeWindow {
    /// The part of another window that lies in this one; one of no length is kept where this one contains it.
    fileprivate func cut(_ other: TimeWindow) -> TimeWindow? {
        other.isEmpty && contains(other.start) ? other : intersection(other)
    }
}
