import CollectionLayout
import EPGModel

/// Creates the elements of a guide for a viewport, in the solved grid (GridRules.md).
struct ElementSolver {
    let layout: GuideLayout
    /// The edges of the pinned parts.
    let pins: PinnedEdges

    /// Creates a solver with the pinned parts where a viewport shows them.
    init(_ layout: GuideLayout, at viewport: Viewport) {
        self.layout = layout
        pins = layout.pins(at: viewport)
    }

    // MARK: - Rows

    /// Adds the cells of the demanded rows until the collector is full.
    func addRows(of demand: GuideDemand, from content: GuideContent, to collector: inout ElementCollector) {
        let first = content.schedules.partitioningIndex { $0.row >= demand.rows.lowerBound }
        for index in first..<content.schedules.count where !collector.isFull {
            let schedule = content.schedules[index]
            guard schedule.row < demand.rows.upperBound else { break }
            // The first of several schedules for a row takes precedence.
            if index > first, content.schedules[index - 1].row == schedule.row { continue }
            addRow(
                schedule, firstItem: content.firstItem(at: index), during: demand.window, coverage: content.coverage,
                to: &collector)
        }
    }

    /// Adds the cells of a row.
    ///
    /// - Parameter firstItem: The index in its row of the schedule's first airing.
    func addRow<Content: RowContent>(
        _ content: Content, firstItem: Int, during visible: TimeWindow, coverage: TimeWindow,
        to collector: inout ElementCollector
    ) {
        guard (0..<layout.rowCount).contains(content.row) else { return }
        collector.cost.sections += 1
        let row = GuideRow(content, firstItem: firstItem, layout: layout, sight: pins.sight)
        addHead(of: row, to: &collector)
        if let known = coverage.intersection(layout.window) {
            addSegments(of: row, during: visible, known: known, to: &collector)
        }
    }

    /// Adds the station cell and the thumbnail.
    private func addHead<Content: RowContent>(
        of row: GuideRow<Content>, to collector: inout ElementCollector
    ) {
        let column = layout.stationColumn(pins)
        let frame = row.frame(column.minX, column.maxX)
        let everything = frame.minX...frame.maxX
        collector.add(row.place(.station, frame, .pinned)) { place in
            row.element(place, sight: everything, label: row.content.label)
        }
        if let thumbnails = layout.thumbnailColumn(pins) {
            let frame = row.frame(thumbnails.minX, thumbnails.maxX)
            let isPinned = if case .sticky = layout.metrics.thumbnails { true } else { false }
            collector.add(row.place(.thumbnail, frame, isPinned ? .pinned : .content)) { place in
                row.element(place, sight: isPinned ? frame.minX...frame.maxX : row.sight)
            }
        }
    }

    /// Adds the airings during the visible time and the gaps between them.
    ///
    /// - Complexity: O(log n + k) for k visible airings of n.
    private func addSegments<Content: RowContent>(
        of row: GuideRow<Content>, during visible: TimeWindow, known: TimeWindow, to collector: inout ElementCollector
    ) {
        let content = row.content
        let count = content.airingCount
        var run = ClusterRun(row: row, times: layout.clusterTimes)
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

    /// Adds a gap, clipped to the known time. A gap that may extend beyond it is marked as clipped.
    private func addGap<Content: RowContent>(
        before index: Int, of row: GuideRow<Content>, from start: Instant, to end: Instant, known: TimeWindow,
        to collector: inout ElementCollector
    ) {
        guard let range = TimeWindow(from: max(start, known.start), to: min(end, known.end)), !range.isEmpty else {
            return
        }
        let frame = row.frame(layout.edge(at: range.start), layout.edge(at: range.end))
        let isStartClipped = range.start == known.start && known.start > layout.window.start
        let isEndClipped = range.end == known.end && known.end < layout.window.end
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

    /// Adds an airing, or the members of a clump with equal shares of their window.
    ///
    /// Shares are for display only: the true boundaries are unknown (Rules.md, rule 5). They depend on the number of present
    /// members, so that they tile the window even if one is missing.
    private func addAirings<Content: RowContent>(
        _ members: Range<Int>, of row: GuideRow<Content>, run: inout ClusterRun<Content>,
        to collector: inout ElementCollector
    ) {
        for index in members where !collector.isFull {
            collector.cost.items += 1
            let share = row.content.window(at: index).share(index - members.lowerBound, of: members.count)
            guard let shown = layout.window.cut(share) else { continue }
            let cell = PlacedAiring(
                index: index, shown: shown, frame: row.frame(layout.edge(at: shown.start), layout.edge(at: shown.end)),
                isStartClipped: share.start < layout.window.start, isEndClipped: share.end > layout.window.end)
            if run.times == nil {
                row.add(cell, to: &collector)
            } else {
                run.append(cell, in: &collector)
            }
        }
    }

    // MARK: - Headers, corner and lines

    /// Adds the elements outside rows: headers of groups and hours, corner and lines.
    func addSurroundings(
        of demand: GuideDemand, from content: GuideContent, to collector: inout ElementCollector
    ) {
        addGroupHeaders(ofRows: demand.rows, to: &collector)
        addHeaders(content.marks, during: demand.window, to: &collector)
        addLines(content, during: demand.window, to: &collector)
    }

    /// Adds the headers of the groups of visible rows.
    ///
    /// A header spans the width of the content and covers the station column, so it is visible from there on.
    /// - Complexity: O(log n) for each group.
    func addGroupHeaders(ofRows visible: Range<Int>, to collector: inout ElementCollector) {
        guard layout.hasGroupHeaders, !visible.isEmpty else { return }
        let first = layout.rows.group(ofRow: visible.lowerBound) ?? 0
        for index in first..<layout.groups.count where !collector.isFull {
            guard layout.groups[index].firstRow < visible.upperBound else { break }
            addGroupHeader(index, to: &collector)
        }
    }

    func addGroupHeader(_ index: Int, to collector: inout ElementCollector) {
        let edges = layout.headerEdges(ofGroup: index, visibleTop: pins.headerBottom)
        let frame = Rect(minX: 0, minY: edges.minY, maxX: layout.solvedSize.width, maxY: edges.maxY)
        let place = ElementPlace(.groupHeader, frame, .pinned, row: layout.groups[index].firstRow, ordinal: index)
        collector.add(place) { place in
            GuideElement(
                place, sight: pins.leading...max(pins.leading, pins.sight.upperBound),
                label: layout.groups[index].title,
                textLines: layout.textLines(in: frame))
        }
    }

    /// Adds the header cells of the visible hours and half hours, and the corner.
    ///
    /// The cell of a mark extends to the next mark, the cell of the last mark to the end of the window.
    /// - Complexity: O(log n + k) for k visible marks of n.
    func addHeaders(
        _ marks: GuideMarks, during visible: TimeWindow, to collector: inout ElementCollector
    ) {
        let hours = marks.hours
        let after = hours.partitioningIndex { $0.instant > visible.start }
        for index in max(0, after - 1)..<hours.count where !collector.isFull {
            let mark = hours[index]
            guard mark.instant < visible.end else { break }
            collector.cost.items += 1
            let next = index + 1 < hours.count ? hours[index + 1].instant : max(mark.instant, layout.window.end)
            let range = TimeWindow(start: mark.instant, end: next)
            guard let shown = range.intersection(layout.window) else { continue }
            let frame = Rect(
                minX: layout.edge(at: shown.start), minY: pins.top, maxX: layout.edge(at: shown.end),
                maxY: pins.headerEnd)
            let kind: GuideElement.Kind = mark.kind == .hour ? .hourHeader : .halfHourHeader
            collector.add(ElementPlace(kind, frame, .pinned, ordinal: index)) { place in
                GuideElement(
                    place, window: range, shown: shown, isStartClipped: range.start < layout.window.start,
                    isEndClipped: range.end > layout.window.end, sight: pins.sight, label: mark.label,
                    textLines: layout.textLines(in: frame))
            }
        }
        addCorner(marks, to: &collector)
    }

    /// Adds the corner, labeled with the day of the first visible instant.
    ///
    /// It extends to the first instant of the guide while that is visible, so that it covers scrolling thumbnails.
    func addCorner(_ marks: GuideMarks, to collector: inout ElementCollector) {
        let frame = Rect(
            minX: pins.leading, minY: pins.top, maxX: max(pins.columnsEnd, layout.edge(at: layout.window.start)),
            maxY: pins.headerEnd)
        collector.add(ElementPlace(.corner, frame, .corner)) { place in
            let first = layout.instant(atX: pins.columnsEnd).clamped(to: layout.window.start...layout.window.end)
            return GuideElement(
                place, sight: frame.minX...frame.maxX, label: marks.day(at: first)?.label,
                textLines: layout.textLines(in: frame))
        }
    }

    /// Adds the lines across all rows below the header: the now-line and the day separators.
    ///
    /// The now-line begins at x(now) and is absent outside the window (GridRules.md).
    private func addLines(_ content: GuideContent, during visible: TimeWindow, to collector: inout ElementCollector) {
        // A line that begins before the visible time may extend into it by its width.
        let reach =
            max(layout.metrics.nowLineWidth, layout.metrics.daySeparatorWidth) * 3600 / layout.metrics.pointsPerHour + 2
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
            .daySeparator, at: days[index].instant, width: layout.metrics.daySeparatorWidth, band: .lines,
            label: days[index].label, ordinal: index, to: &collector)
    }

    func addNowLine(at now: Instant, to collector: inout ElementCollector) {
        addLine(
            .nowLine, at: now, width: layout.metrics.nowLineWidth, band: .indicator, label: nil, ordinal: 0,
            to: &collector)
    }

    private func addLine(
        _ kind: GuideElement.Kind, at instant: Instant, width: Double, band: ZBand, label: String?, ordinal: Int,
        to collector: inout ElementCollector
    ) {
        guard layout.window.contains(instant) else { return }
        let start = layout.x(of: instant)
        let frame = Rect(
            minX: layout.metrics.pixels.snapped(start),
            minY: layout.metrics.pixels.snapped(layout.metrics.headerHeight),
            maxX: layout.metrics.pixels.snapped(start + width), maxY: layout.solvedSize.height)
        let moment = TimeWindow(start: instant, end: instant)
        collector.add(ElementPlace(kind, frame, band, ordinal: ordinal)) { place in
            GuideElement(
                place, window: moment, shown: moment, sight: frame.minX...frame.maxX, label: label)
        }
    }
}

extension TimeWindow {
    /// Returns the intersection with another window, or an empty window if this one contains its start.
    fileprivate func cut(_ other: TimeWindow) -> TimeWindow? {
        other.isEmpty && contains(other.start) ? other : intersection(other)
    }
}

/// A row with its vertical edges, which creates elements.
private struct GuideRow<Content: RowContent> {
    let content: Content
    /// The index in its row of the schedule's first airing.
    let firstItem: Int
    /// The range of x in which airings are visible.
    let sight: ClosedRange<Double>
    private let edges: (minY: Double, maxY: Double)
    /// The number of text lines; -1 on a vertical time axis, where it depends on the length of a cell.
    private let textLines: Int
    private let lineHeight: Double

    init(_ content: Content, firstItem: Int, layout: GuideLayout, sight: ClosedRange<Double>) {
        self.content = content
        self.firstItem = firstItem
        self.sight = sight
        edges = layout.edges(ofRow: content.row)
        textLines =
            layout.timeAxis == .vertical
            ? -1 : layout.textLines(in: Rect(minX: 0, minY: edges.minY, maxX: 0, maxY: edges.maxY))
        lineHeight = layout.metrics.lineHeight
    }

    func frame(_ minX: Double, _ maxX: Double) -> Rect {
        Rect(minX: minX, minY: edges.minY, maxX: maxX, maxY: edges.maxY)
    }

    func place(_ kind: GuideElement.Kind, _ frame: Rect, _ band: ZBand, ordinal: Int = 0) -> ElementPlace {
        ElementPlace(kind, frame, band, row: content.row, ordinal: ordinal)
    }

    func place(_ cell: PlacedAiring) -> ElementPlace {
        place(.airing, cell.frame, .content, ordinal: firstItem + cell.index)
    }

    /// Adds an airing.
    func add(_ cell: PlacedAiring, to collector: inout ElementCollector) {
        collector.add(place(cell)) {
            GuideCell(
                kind: .airing(index: cell.index), row: content.row, window: content.window(at: cell.index),
                shown: cell.shown, isStartClipped: cell.isStartClipped, isEndClipped: cell.isEndClipped)
        } _: {
            element($0, cell)
        }
    }

    func element(_ place: ElementPlace, _ cell: PlacedAiring) -> GuideElement {
        element(
            place, sight: sight, airing: content.airing(at: cell.index), window: content.window(at: cell.index),
            shown: cell.shown, isStartClipped: cell.isStartClipped, isEndClipped: cell.isEndClipped)
    }

    func element(
        _ place: ElementPlace, sight: ClosedRange<Double>, label: String? = nil, airing: Airing? = nil,
        window: TimeWindow? = nil, shown: TimeWindow? = nil, isStartClipped: Bool = false, isEndClipped: Bool = false,
        members: [GuideElement] = []
    ) -> GuideElement {
        GuideElement(
            place, station: content.station, airing: airing, window: window, shown: shown,
            isStartClipped: isStartClipped, isEndClipped: isEndClipped, sight: sight, label: label,
            textLines: textLines < 0 ? Int(place.frame.width / lineHeight, clampedTo: 0...1_000_000) : textLines,
            members: members)
    }
}

/// The geometry of an airing's cell.
private struct PlacedAiring {
    /// The index in the row's content.
    let index: Int
    let shown: TimeWindow
    let frame: Rect
    let isStartClipped: Bool
    let isEndClipped: Bool
}

/// A run of adjacent short airings that may become a cluster.
private struct ClusterRun<Content: RowContent> {
    /// `nil` without a cluster policy.
    let times: ClusterTimes?
    private let row: GuideRow<Content>
    private var cells: [PlacedAiring] = []

    init(row: GuideRow<Content>, times: ClusterTimes?) {
        self.row = row
        self.times = times
    }

    /// Appends the next cell of the row, after ending the run if the cell cannot join it.
    mutating func append(_ cell: PlacedAiring, in collector: inout ElementCollector) {
        guard let times, times.isShort(cell.shown) else {
            end(in: &collector)
            return row.add(cell, to: &collector)
        }
        if let last = cells.last,
            last.shown.end != cell.shown.start || times.index(of: last.shown.start) != times.index(of: cell.shown.start)
        {
            end(in: &collector)
        }
        cells.append(cell)
    }

    /// Ends the run: adds a single airing unchanged, or several as a cluster.
    mutating func end(in collector: inout ElementCollector) {
        defer { cells.removeAll(keepingCapacity: true) }
        guard let first = cells.first, let last = cells.last else { return }
        guard cells.count > 1 else { return row.add(first, to: &collector) }
        let frame = row.frame(first.frame.minX, last.frame.maxX)
        let range = TimeWindow(start: first.shown.start, end: last.shown.end)
        collector.add(row.place(.cluster, frame, .content, ordinal: row.firstItem + first.index)) {
            GuideCell(
                kind: .cluster(count: cells.count), row: row.content.row, window: range, shown: range,
                isStartClipped: first.isStartClipped, isEndClipped: last.isEndClipped)
        } _: { place in
            row.element(
                place, sight: row.sight, window: range, shown: range, isStartClipped: first.isStartClipped,
                isEndClipped: last.isEndClipped, members: cells.map { row.element(row.place($0), $0) })
        }
        for cell in cells { collector.addMember(row.place(cell)) }
    }
}
