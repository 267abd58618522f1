import CollectionLayout
import CollectionView
import EPGCalendar
import EPGLayout
import EPGModel
import EPGRender

/// The grid: a collection view with the guide's layout, whose points are columns and rows of the terminal.
///
/// The focus is an airing or a gap at an instant. The collection view shows it as the selected item.
final class GridView: CollectionViewDataSource {
    /// Widths of an hour in columns. Half hours and quarters begin at full columns if they are distinguishable.
    private static let zooms: [Double] = [4, 8, 12, 20, 32, 40, 60, 80, 120, 240]
    /// Number of days in memory, from the day before the shown one.
    private static let days: Int64 = 16

    private let storage: any GuideStorage
    private let clock: GuideClock
    private(set) var schedules: StoredSchedules
    private let view: CollectionView
    private var size: Screen.Size
    private var zoom = 5
    private(set) var focus: GuideFocus? {
        didSet { showFocus() }
    }
    private(set) var now: Instant
    /// The last instant that the grid scrolled to.
    private(set) var shownMoment: Instant
    /// The time range of all airings in a version of the guide; `nil` until first needed.
    private var span: (version: GuideVersion, window: TimeWindow?)?
    /// Stations with a star in the station column.
    var favorites: Set<StationID> = []

    private let airings = CellRegistration<AiringCell, Airing> { cell, _, airing in cell.airing = airing }
    private let clusters = CellRegistration<ClusterCell, [Airing]> { cell, _, airings in cell.airings = airings }
    private let stations = CellRegistration<StationCell, StationRow> { cell, path, station in
        cell.station = station
        cell.gridRow = path.section
    }
    private let headers = CellRegistration<HeaderCell, TimeMark?> { cell, _, mark in
        cell.label = mark?.label ?? ""
        cell.hasTick = mark != nil
        cell.look = mark.map { $0.kind == .halfHour ? .dim : .normal } ?? TerminalStyle(isBold: true)
    }

    /// Creates a grid at an instant, with the focus on the airing at that instant in the first row.
    ///
    /// - Throws: An error of the store; `GuideLayoutError` if there are more stations than a layout has rows.
    init(
        _ storage: any GuideStorage, clock: GuideClock, size: Screen.Size, at moment: Instant, now: Instant
    ) throws {
        self.storage = storage
        self.clock = clock
        self.size = size
        self.now = now
        shownMoment = moment
        schedules = try StoredSchedules(storage, window: GridView.window(around: moment, in: clock.zone))
        let grid = try GridView.grid(of: schedules, size: size, pointsPerHour: GridView.zooms[zoom])
        let marks = GridView.labels(clock, pointsPerHour: GridView.zooms[zoom]).marks(in: schedules.window, now: now)
        view = CollectionView(
            layout: GuideGridLayout(grid, source: schedules, marks: marks, now: now),
            bounds: Rect(x: 0, y: 0, width: Double(size.columns), height: Double(size.rows)))
        view.layoutMargins = .zero
        view.bounces = false
        view.isDirectionalLockEnabled = true
        view.register(GapCell.self, forDecorationViewOfKind: .gap)
        view.register(NowLine.self, forDecorationViewOfKind: .nowLine)
        view.dataSource = self
        try show(moment)
    }

    // MARK: - Geometry

    /// The time range to read, from the day before an instant.
    private static func window(around moment: Instant, in zone: Zone) -> TimeWindow {
        let start = zone.start(of: zone.date(at: moment.advanced(by: -86_400)))
        return TimeWindow(start: start, end: zone.start(of: zone.date(at: start.advanced(by: days * 86_400 + 43_200))))
    }

    private static func grid(
        of schedules: StoredSchedules, size: Screen.Size, pointsPerHour: Double
    ) throws(GuideLayoutError) -> GuideLayout {
        let column = max(1, min(24, max(12, size.columns / 5), size.columns / 2))
        let metrics = try GuideMetrics(
            pointsPerHour: pointsPerHour, rowHeight: size.rows >= 12 ? 2 : 1, stationColumnWidth: Double(column),
            headerHeight: 1, nowLineWidth: 1, lineHeight: 1)
        return try GuideLayout(
            metrics: metrics, window: schedules.window, rowCount: schedules.rowCount,
            clusters: try ClusterPolicy(leastWidth: 4))
    }

    private static func labels(_ clock: GuideClock, pointsPerHour: Double) -> TimeLabels {
        TimeLabels(clock: clock, pointsPerHour: pointsPerHour, length: TextGrid.length(of:))
    }

    private var layout: GuideGridLayout? { view.layout as? GuideGridLayout }

    private var viewport: Viewport { Viewport(nearest: view.bounds) }

    /// The visible time range.
    var visibleTime: TimeWindow {
        guard let layout else { return schedules.window }
        return layout.grid.visibleTime(in: viewport)
    }

    var visibleRows: Range<Int> {
        guard let layout else { return 0..<0 }
        return layout.grid.visibleRows(in: viewport)
    }

    private var navigator: GuideNavigator? { layout.map { GuideNavigator($0.grid, source: schedules) } }

    /// Scrolls to an offset, rounded to full rows and columns.
    private func scroll(to offset: Point) {
        view.contentOffset = Point(x: offset.x.rounded(), y: offset.y.rounded())
    }

    /// Replaces the geometry. The first visible instant and the focused row keep their positions, and a visible focus stays
    /// visible.
    private func replaceGrid(_ schedules: StoredSchedules? = nil, size: Screen.Size? = nil) throws {
        guard let old = layout else { return }
        let first = visibleTime.start
        let wasInSight = focus.map { $0.cell.overlaps(visibleTime) } ?? false
        let wasRowInSight = focus.map { old.grid.visibleRows(in: viewport).contains($0.row) } ?? true
        let oldRow = focus?.row ?? 0
        let distance = Double(oldRow) * old.grid.metrics.rowHeight - view.contentOffset.y
        if let schedules { self.schedules = schedules }
        if let size { self.size = size }
        let hour = GridView.zooms[zoom]
        let grid = try GridView.grid(of: self.schedules, size: self.size, pointsPerHour: hour)
        let marks = GridView.labels(clock, pointsPerHour: hour).marks(in: self.schedules.window, now: now)
        view.changeLayout(GuideGridLayout.self) { layout in
            layout.replaceGrid(grid, source: self.schedules, marks: marks)
        }
        view.bounds = Rect(
            x: view.contentOffset.x, y: view.contentOffset.y, width: Double(self.size.columns),
            height: Double(self.size.rows))
        // The index paths of existing cells now belong to other airings.
        view.reloadData()
        view.layoutIfNeeded()
        let new = GuideNavigator(grid, source: self.schedules)
        let shown = Viewport(
            nearest: Rect(
                x: viewport.x, y: viewport.y, width: Double(self.size.columns), height: Double(self.size.rows)))
        focus =
            focus.flatMap { new.restored($0, visible: visibleTime) }
            ?? new.focus(
                inRow: min(oldRow, max(0, grid.rowCount - 1)), anchor: focus?.anchor ?? first, visible: visibleTime)
        let row = Double(focus?.row ?? 0) * grid.metrics.rowHeight
        scroll(to: Point(x: grid.contentOffset(showing: first, in: shown).x, y: max(0, row - distance)))
        if wasInSight, let focus, !focus.cell.overlaps(visibleTime) { scroll(toShow: focus.anchor) }
        if wasRowInSight { scrollFocusIntoView() }
    }

    // MARK: - What is shown

    /// Moves the now-line.
    func tick(to now: Instant) {
        guard now != self.now else { return }
        self.now = now
        view.changeLayout(GuideGridLayout.self) { $0.tick(to: now) }
    }

    /// Scrolls an instant to a quarter of the width, but at most half an hour from the edge.
    private func scroll(toShow moment: Instant) {
        guard let layout else { return }
        let lead = min(visibleTime.seconds / 4, 1800)
        let x = layout.grid.contentOffset(showing: moment.advanced(by: -lead), in: viewport).x
        scroll(to: Point(x: x, y: view.contentOffset.y))
    }

    /// Scrolls to an instant and focuses the airing at that instant, in the focused row by default.
    ///
    /// - Throws: An error of the store, which leaves the grid as it is.
    func show(_ moment: Instant, row: Int? = nil) throws {
        if !schedules.window.contains(moment) { try readDays(around: moment) }
        shownMoment = moment
        guard let navigator else { return }
        scroll(toShow: moment)
        let row = row ?? focus?.row ?? 0
        guard row < schedules.rowCount else { return }
        focus = navigator.focus(inRow: row, anchor: moment, visible: visibleTime) ?? focus
        scrollFocusIntoView()
    }

    /// Limits the grid to some stations, or `nil` for all. The focus stays on its station if the station remains.
    func choose(_ stations: [StationID]?) throws {
        try replaceGrid(StoredSchedules(storage, window: schedules.window, stations: stations))
    }

    /// Shows another version of the guide. The focus stays on its airing, and its row keeps its position on the screen.
    func show(_ schedules: StoredSchedules) throws { try replaceGrid(schedules) }

    func resize(to size: Screen.Size) throws {
        guard size != self.size else { return }
        try replaceGrid(size: size)
    }

    /// Makes hours wider or narrower.
    func zoom(by steps: Int) throws {
        let next = min(max(0, zoom + steps), GridView.zooms.count - 1)
        guard next != zoom else { return }
        zoom = next
        try replaceGrid()
    }

    // MARK: - Focus

    /// Moves the focus, and reads the days at its new place.
    ///
    /// - Throws: An error of the store, after the focus has moved within the days in memory.
    func move(_ step: FocusMove) throws {
        let reading = Result {
            switch step {
            case .earlier, .pageEarlier: try readDays(towardEarlier: true)
            case .later, .pageLater: try readDays(towardEarlier: false)
            default: break
            }
        }
        if let navigator, let focus {
            let moved = navigator.step(step, from: focus, in: viewport, now: now)
            self.focus = moved.focus
            scroll(to: moved.contentOffset)
        }
        try reading.get()
    }

    /// Focuses the row of a station at an instant.
    ///
    /// - Returns: Whether the grid has the station.
    @discardableResult
    func focus(station: StationID, at moment: Instant) throws -> Bool {
        guard let row = schedules.row(of: station) else { return false }
        try show(moment, row: row)
        return true
    }

    /// Selects the focused item.
    private func showFocus() {
        view.deselectItem()
        guard let focus, let layout, let path = layout.indexPath(of: focus) else { return }
        // An item that is not loaded yet is selected after the next read.
        try? view.selectItem(at: path)
    }

    private func scrollFocusIntoView() {
        guard let focus, let layout else { return }
        scroll(to: layout.grid.contentOffset(showingRow: focus.row, in: viewport))
    }

    /// Reads other days if the visible time is near the end of those in memory and the guide continues there.
    private func readDays(towardEarlier isEarlier: Bool) throws {
        let (visible, window) = (visibleTime, schedules.window)
        let isNear =
            isEarlier
            ? visible.start < window.start.advanced(by: visible.seconds)
            : visible.end > window.end.advanced(by: -visible.seconds)
        guard isNear else { return }
        if span?.version != schedules.version {
            span = (schedules.version, try storage.read(within: .seconds(5)) { try $0.guideSpan() })
        }
        guard let guide = span?.window, isEarlier ? guide.start < window.start : guide.end > window.end else { return }
        try readDays(around: isEarlier ? visible.start.advanced(by: -GridView.days / 2 * 86_400) : visible.start)
    }

    private func readDays(around moment: Instant) throws {
        let window = GridView.window(around: moment, in: clock.zone)
        try replaceGrid(StoredSchedules(storage, window: window, stations: schedules.stations))
    }

    /// Scrolls by rows and columns without moving the focus.
    func scroll(rows: Int, columns: Int) throws {
        if columns != 0 { try readDays(towardEarlier: columns < 0) }
        let height = layout?.grid.metrics.rowHeight ?? 1
        let offset = view.contentOffset
        scroll(to: Point(x: offset.x + Double(columns), y: offset.y + Double(rows) * height))
    }

    /// Begins a drag along one axis, or along both if it is diagonal.
    func beginDrag(at position: Screen.Position) -> DragSession { view.beginDrag(at: position) }

    /// Reads the days around the visible time after a drag.
    func endDrag() throws {
        try readDays(towardEarlier: true)
        try readDays(towardEarlier: false)
    }

    /// Focuses the airing, gap or station at a position.
    ///
    /// - Returns: Whether the position has one.
    func focus(at position: Screen.Position) -> Bool {
        guard let layout, let navigator else { return false }
        let offset = view.contentOffset
        let place = layout.grid.place(
            atX: offset.x + Double(position.column) + 0.5, y: offset.y + Double(position.row) + 0.5, in: viewport)
        let (row, instant): (Int, Instant)
        switch place {
        case .schedule(let found, let moment): (row, instant) = (found, moment)
        case .station(let found): (row, instant) = (found, focus?.anchor ?? visibleTime.start)
        default: return false
        }
        guard let found = navigator.focus(inRow: row, anchor: instant, visible: visibleTime) else { return false }
        focus = found
        scrollFocusIntoView()
        return true
    }

    /// The focused airing; `nil` for a gap.
    var focusedAiring: Airing? {
        guard let focus, let id = focus.airing, let item = schedules.item(of: id, inRow: focus.row) else { return nil }
        return schedules.airing(item, inRow: focus.row)
    }

    // MARK: - Data source

    func sectionCounts(for view: CollectionView) -> any SectionCounts { GuideCounts(schedules) }

    func collectionView(_ view: CollectionView, numberOfItemsInSection section: Int) -> Int {
        schedules.airingCount(inRow: section)
    }

    func collectionView(_ view: CollectionView, cellForItemAt path: IndexPath) -> (any ReusableView)? {
        schedules.airing(path.item, inRow: path.section).map {
            view.dequeueCell(using: airings, for: path, item: $0)
        }
    }

    func collectionView(
        _ view: CollectionView, viewForSupplementaryElementOfKind kind: ElementKind, at path: IndexPath
    ) -> (any ReusableView)? {
        switch kind {
        case .station:
            return schedules.station(inRow: path.section).map {
                view.dequeueCell(using: stations, for: path, item: $0)
            }
        case .cluster:
            let members = layout?.guideElement(.supplementary(kind, path))?.members ?? []
            return view.dequeueCell(using: clusters, for: path, item: members.compactMap(\.airing))
        case .hourHeader, .halfHourHeader:
            let hours = layout?.marks.hours ?? []
            guard hours.indices.contains(path.item) else { return nil }
            return view.dequeueCell(using: headers, for: path, item: hours[path.item])
        case .corner: return view.dequeueCell(using: headers, for: path, item: nil)
        default: return nil
        }
    }

    // MARK: - Drawing

    /// Draws a summary of the focused airing above the last row of the screen.
    ///
    /// - Parameter rows: 1 for one line of text, or 3 for a rule and two lines of text.
    func drawSummary(on screen: inout Screen, rows: Int) {
        let first = screen.size.rows - 1 - rows
        guard first > 1, let airing = focusedAiring else { return }
        let text = AiringText(airing)
        let times = "\(clock.zone.dayLabel(at: airing.window.start)), \(text.times(clock))"
        let columns = 1..<max(1, screen.size.columns - 1)
        if rows == 1 {
            let end = screen.lines.draw(TerminalText(text.title), row: first, in: columns, TerminalStyle(isBold: true))
            screen.lines.draw(TerminalText(times), row: first, in: end + 1..<max(end + 1, columns.upperBound), .dim)
            return
        }
        for column in 0..<screen.size.columns { screen.lines.draw("─", row: first, column: column, .dim) }
        screen.lines.draw(TerminalText(text.title), row: first + 1, in: columns, TerminalStyle(isBold: true))
        let facts = [times, text.badge, text.subtitle, airing.categories.first].compactMap(\.self)
        screen.lines.draw(TerminalText(facts.joined(separator: " · ")), row: first + 2, in: columns, .normal)
    }

    /// Draws the grid, starting at a row of the screen.
    func draw(on screen: inout Screen, below top: Int) {
        view.layoutIfNeeded()
        guard let layout else { return }
        let offset = Point(x: view.contentOffset.x, y: view.contentOffset.y - Double(top))
        let context = CellContext(
            drawing: CellDrawing(clock: clock, now: now), focusedRow: focus?.row, focusedAiring: focus?.airing,
            favorites: favorites)
        let first = Int(layout.grid.metrics.pinnedWidth)
        let columns = first..<max(first, size.columns)
        let rows = top + 1..<max(top + 1, top + size.rows)
        for attributes in view.visibleElements where !attributes.isHidden {
            let content = view.reusableView(for: attributes.element)
            var clip = (columns: columns, rows: rows)
            switch attributes.element {
            case .supplementary(.corner, _):
                (content as? HeaderCell)?.label = layout.marks.day(at: visibleTime.start)?.label ?? ""
                clip = (0..<first, top..<top + 1)
            case .supplementary(.hourHeader, _), .supplementary(.halfHourHeader, _): clip.rows = top..<top + 1
            case .supplementary(.station, _): clip.columns = 0..<first
            case .decoration(.gap, let path):
                let shown = layout.guideElement(attributes.element)?.shown
                (content as? GapCell)?.isFocused =
                    focus?.airing == nil && focus?.row == path.section && focus?.cell == shown
            default: break
            }
            let place = CellPlace(frame: attributes.frame, offset: offset, clip: clip)
            (content as? any TerminalCell)?.draw(on: &screen.lines, at: place, in: context)
        }
    }
}
