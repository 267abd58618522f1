import CollectionLayout
import EPGModel

// MARK: - Header, corner and lines

extension GuideLayout {
    /// Adds the header cells of the visible hours and half hours, and the corner.
    ///
    /// A mark's cell reaches to the next mark, the last one's to the end of the window.
    /// - Complexity: O(log n + k) for k visible marks of n.
    func addHeaders(
        _ marks: GuideMarks, during visible: TimeWindow, pins: Pins, to collector: inout ElementCollector
    ) {
        let hours = marks.hours
        let after = hours.partitioningIndex { $0.instant > visible.start }
        for index in max(0, after - 1)..<hours.count where !collector.isFull {
            let mark = hours[index]
            guard mark.instant < visible.end else { break }
            collector.cost.items += 1
            let next = index + 1 < hours.count ? hours[index + 1].instant : max(mark.instant, window.end)
            let range = TimeWindow(start: mark.instant, end: next)
            guard let shown = range.intersection(window) else { continue }
            let frame = Rect(
                minX: edge(at: shown.start), minY: pins.top, maxX: edge(at: shown.end), maxY: pins.headerEnd)
            let kind: GuideElement.Kind = mark.kind == .hour ? .hourHeader : .halfHourHeader
            collector.add(ElementPlace(kind, frame, .pinned, ordinal: index)) { place in
                GuideElement(
                    place, window: range, shown: shown, isStartClipped: range.start < window.start,
                    isEndClipped: range.end > window.end, sight: pins.sight, label: mark.label,
                    textLines: textLines(in: frame))
            }
        }
        addCorner(marks, pins: pins, to: &collector)
    }

    /// Adds the corner above header and columns; it is labelled with the day of the first instant in sight.
    ///
    /// It reaches to the first instant of the guide while that is in sight, so that nothing shows through above thumbnails
    /// that scroll.
    func addCorner(_ marks: GuideMarks, pins: Pins, to collector: inout ElementCollector) {
        let frame = Rect(
            minX: pins.leading, minY: pins.top, maxX: max(pins.columnsEnd, edge(at: window.start)),
            maxY: pins.headerEnd)
        collector.add(ElementPlace(.corner, frame, .corner)) { place in
            let first = instant(atX: pins.columnsEnd).clamped(to: window.start...window.end)
            return GuideElement(
                place, sight: frame.minX...frame.maxX, label: marks.day(at: first)?.label,
                textLines: textLines(in: frame))
        }
    }

    /// Adds what runs across all rows below the header: the now-line and the day separators.
    ///
    /// The line begins at x(now), columns included, and is absent outside the window (facts, layout 2).
    func addLines(_ content: GuideContent, during visible: TimeWindow, to collector: inout ElementCollector) {
        // A line that begins before the visible time may still reach into it with its width.
        let reach = max(metrics.nowLineWidth, metrics.daySeparatorWidth) * 3600 / metrics.pointsPerHour + 2
        let earliest = visible.start.advanced(by: -Int64(reach.clamped(to: 0...1e15)))
        let days = content.marks.days
        for index in days.partitioningIndex(where: { $0.instant >= earliest })..<days.count
        where !collector.isFull {
            guard days[index].instant < visible.end else { break }
            collector.cost.items += 1
            addDaySeparator(days, at: index, to: &collector)
        }
        if let now = content.now { addNowLine(at: now, to: &collector) }
    }

    func addDaySeparator(_ days: [TimeMark], at index: Int, to collector: inout ElementCollector) {
        addLine(
            .daySeparator, at: days[index].instant, width: metrics.daySeparatorWidth, band: .lines,
            label: days[index].label, ordinal: index, to: &collector)
    }

    func addNowLine(at now: Instant, to collector: inout ElementCollector) {
        addLine(
            .nowLine, at: now, width: metrics.nowLineWidth, band: .indicator, label: nil, ordinal: 0, to: &collector)
    }

    private func addLine(
        _ kind: GuideElement.Kind, at instant: Instant, width: Double, band: ZBand, label: String?, ordinal: Int,
        to collector: inout ElementCollector
    ) {
        guard window.contains(instant) else { return }
        let start = x(of: instant)
        let frame = Rect(
            minX: metrics.pixels.snapped(start), minY: metrics.pixels.snapped(metrics.headerHeight),
            maxX: metrics.pixels.snapped(start + width), maxY: solvedSize.height)
        let moment = TimeWindow(start: instant, end: instant)
        collector.add(ElementPlace(kind, frame, band, ordinal: ordinal)) { place in
            GuideElement(
                place, window: moment, shown: moment, sight: frame.minX...frame.maxX, label: label)
        }
    }
}
