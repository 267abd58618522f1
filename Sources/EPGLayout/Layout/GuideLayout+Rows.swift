import EPGModel

// MARK: - Station, thumbnail, airings and gaps

extension GuideLayout {
    /// Adds the cells of one row.
    func addRow(
        _ schedule: RowSchedule, during visible: TimeWindow, coverage: TimeWindow, pins: Pins,
        to collector: inout ElementCollector
    ) {
        guard (0..<rowCount).contains(schedule.row) else { return }
        collector.cost.rows += 1
        let band = RowBand(schedule: schedule, edges: edges(ofRow: schedule.row), metrics: metrics, sight: pins.sight)
        addHead(of: band, pins: pins, to: &collector)
        if let known = coverage.intersection(window) {
            addSegments(of: band, during: visible, known: known, to: &collector)
        }
    }

    /// Adds the cells that don't depend on time.
    private func addHead(of band: RowBand, pins: Pins, to collector: inout ElementCollector) {
        let column = stationColumn(pins)
        let frame = band.frame(column.minX, column.maxX)
        let everything = frame.minX...frame.maxX
        collector.add(frame) {
            band.element(.station, frame, .pinned, sight: everything, label: band.schedule.stationName)
        }
        if let thumbnails = thumbnailColumn(pins) {
            let frame = band.frame(thumbnails.minX, thumbnails.maxX)
            let isPinned = if case .sticky = metrics.thumbnails { true } else { false }
            collector.add(frame) {
                band.element(
                    .thumbnail, frame, isPinned ? .pinned : .cells,
                    sight: isPinned ? frame.minX...frame.maxX : band.sight)
            }
        }
    }

    /// Adds the airings that are on during the visible time, and the gaps between them.
    ///
    /// - Complexity: O(log n + k) for k visible airings of n.
    private func addSegments(
        of band: RowBand, during visible: TimeWindow, known: TimeWindow, to collector: inout ElementCollector
    ) {
        let airings = band.schedule.schedule.airings
        var index = airings.partitioningIndex { $0.window.end > visible.start }
        var reached = index > 0 ? airings[index - 1].window.end : known.start
        while index < airings.count, airings[index].window.start < visible.end {
            let shared = airings[index].window
            addGap(of: band, from: reached, to: shared.start, known: known, to: &collector)
            var end = index + 1
            while end < airings.count, airings[end].window == shared { end += 1 }
            addAirings(airings[index..<end], of: band, to: &collector)
            reached = shared.end
            index = end
        }
        let next = index < airings.count ? airings[index].window.start : known.end
        if reached < visible.end {
            addGap(of: band, from: reached, to: next, known: known, to: &collector)
        }
    }

    /// Adds a gap, cut at what is known; it tells where more of it may follow.
    private func addGap(
        of band: RowBand, from start: Instant, to end: Instant, known: TimeWindow,
        to collector: inout ElementCollector
    ) {
        guard let range = TimeWindow(from: max(start, known.start), to: min(end, known.end)), !range.isEmpty else {
            return
        }
        let frame = band.frame(edge(at: range.start), edge(at: range.end))
        collector.add(frame) {
            band.element(
                .gap, frame, .cells, sight: band.sight, window: range, shown: range,
                isStartClipped: range.start == known.start && known.start > window.start,
                isEndClipped: range.end == known.end && known.end < window.end)
        }
    }

    /// Adds one airing, or the members of a clump, each with an equal share of the window: for display only, since the
    /// true boundary between them is unknown (facts, xmltv 3, rule 5).
    ///
    /// The shares go by the members that are there, so that they tile the window also where one is missing.
    private func addAirings(_ members: ArraySlice<Airing>, of band: RowBand, to collector: inout ElementCollector) {
        for (position, airing) in members.enumerated() {
            collector.cost.airings += 1
            let share = airing.window.share(position, of: members.count)
            guard let shown = window.cut(share) else { continue }
            let frame = band.frame(edge(at: shown.start), edge(at: shown.end))
            collector.add(frame) {
                band.element(
                    .airing, frame, .cells, sight: band.sight, airing: airing, window: airing.window, shown: shown,
                    isStartClipped: share.start < window.start, isEndClipped: share.end > window.end)
            }
        }
    }
}

/// A row with its height, ready to make elements.
private struct RowBand {
    let schedule: RowSchedule
    let edges: (minY: Double, maxY: Double)
    let metrics: GuideMetrics
    let sight: ClosedRange<Double>

    func frame(_ minX: Double, _ maxX: Double) -> Rect {
        Rect(minX: minX, minY: edges.minY, maxX: maxX, maxY: edges.maxY)
    }

    func element(
        _ kind: GuideElement.Kind, _ frame: Rect, _ band: GuideBand, sight: ClosedRange<Double>, label: String? = nil,
        airing: Airing? = nil, window: TimeWindow? = nil, shown: TimeWindow? = nil, isStartClipped: Bool = false,
        isEndClipped: Bool = false
    ) -> GuideElement {
        GuideElement(
            kind: kind, frame: frame, band: band, row: schedule.row, station: schedule.schedule.station, airing: airing,
            window: window, shown: shown, isStartClipped: isStartClipped, isEndClipped: isEndClipped, sight: sight,
            label: label, textLines: Int(frame.height / metrics.lineHeight, clampedTo: 0...1_000_000))
    }
}

extension TimeWindow {
    /// The part of another window that lies in this one; one of no length is kept where this one contains it.
    fileprivate func cut(_ other: TimeWindow) -> TimeWindow? {
        other.isEmpty && contains(other.start) ? other : intersection(other)
    }

    /// One of several equal shares of the window, in whole seconds; together they tile it.
    fileprivate func share(_ position: Int, of count: Int) -> TimeWindow {
        guard count > 1 else { return self }
        let (whole, rest) = seconds.quotientAndRemainder(dividingBy: Int64(count))
        func boundary(_ index: Int64) -> Instant {
            start.advanced(by: whole * index + rest * index / Int64(count))
        }
        let index = Int64(position)
        return TimeWindow(start: boundary(index), end: position == count - 1 ? end : boundary(index + 1))
    }
}
