import CollectionLayout
package import EPGCalendar
package import EPGLayout
package import EPGModel

/// A renderer that draws the guide as text from the cells of the layout. One terminal column is one point.
package struct TextGrid: Sendable {
    /// The capabilities that the output relies on.
    package enum Style: Hashable, Sendable {
        /// Characters only.
        case plain
        /// Colors and bold text with ECMA-48 escape sequences and the 256-color palette.
        case ansi
    }

    /// The height and separation of rows.
    package enum RowStyle: String, Hashable, Sendable, CaseIterable {
        /// One line per station.
        case dense
        /// One line per station with a rule below it.
        case ruled
        /// Title, times and subtitle on two lines with a rule below.
        case detailed
    }

    /// The width in columns, from 20 to 2,000.
    package let columns: Int
    package let style: Style
    package let rows: RowStyle
    /// The viewer's time zone, used for labels.
    package let zone: Zone
    package let clock: ClockStyle

    /// Creates a grid.
    /// - Parameter columns: The width; clamped to 20...2,000.
    package init(
        columns: Int = 80, style: Style = .plain, rows: RowStyle = .ruled, zone: Zone,
        clock: ClockStyle = .twentyFourHours
    ) {
        self.columns = min(max(columns, 20), 2000)
        self.style = style
        self.rows = rows
        self.zone = zone
        self.clock = clock
    }

    /// Draws a window of the guide.
    ///
    /// - Parameters:
    ///   - window: The time from the first to the last column.
    ///   - schedules: The rows from top to bottom, read for the window.
    ///   - now: The time of the now-line; `nil` for none.
    /// - Throws: ``GuideLayoutError`` if the window is empty or too long.
    /// - Returns: Lines, each with a line break.
    package func text(of schedules: [RowSchedule], during window: TimeWindow, now: Instant?) throws(GuideLayoutError)
        -> String
    {
        let stationColumns = stationColumns(for: schedules)
        let layout = try layout(window: window, rowCount: schedules.count, stationColumns: stationColumns)
        let numbered = schedules.enumerated().map { index, row in
            RowSchedule(row: index, stationName: row.stationName, schedule: row.schedule)
        }
        let size = layout.contentSize
        let everything = try Viewport(x: 0, y: 0, width: size.width, height: size.height)
        let content = GuideContent(
            schedules: numbered, coverage: window, marks: GuideMarks(in: window, zone: zone, clock: clock, now: now),
            now: now)
        let page = layout.page(in: everything, of: content)
        return TextPage(grid: self, elements: page.elements, rowCount: schedules.count, now: now).text
    }

    // MARK: - Measures

    /// The number of text lines per row.
    fileprivate var textLines: Int { rows == .detailed ? 2 : 1 }

    /// Whether rules separate the rows.
    fileprivate var hasRules: Bool { rows != .dense }

    /// Returns the width of the station column: the width of the longest name, but at most a quarter of the grid.
    private func stationColumns(for schedules: [RowSchedule]) -> Int {
        let longest = schedules.map { TerminalText($0.stationName).width }.max() ?? 0
        return min(max(longest + 2, 12), max(columns / 4, 8))
    }

    /// Creates a layout in which every snapped edge is a column and time fills the width.
    private func layout(window: TimeWindow, rowCount: Int, stationColumns: Int) throws(GuideLayoutError) -> GuideLayout
    {
        let metrics = try GuideMetrics(
            pointsPerHour: Double(columns - stationColumns) * 3600 / Double(window.seconds),
            rowHeight: Double(textLines),
            rowSpacing: hasRules ? 1 : 0, stationColumnWidth: Double(stationColumns), headerHeight: 2,
            nowLineWidth: 1, lineHeight: 1)
        return try GuideLayout(metrics: metrics, window: window, rowCount: rowCount)
    }
}

extension GuideMarks {
    /// Creates the hours, half hours and days of a zone in a window, including the hour and the day that contain its start.
    ///
    /// - Parameter now: Labels of days in another year have the year; `nil` for no years.
    package init(in window: TimeWindow, zone: Zone, clock: ClockStyle = .twentyFourHours, now: Instant?) {
        // Long enough for the longest day, and for zones that skipped a day.
        let sinceYesterday = TimeWindow(start: window.start.advanced(by: -50 * 3600), end: window.end)
        let sinceLastHour = TimeWindow(start: window.start.advanced(by: -3600), end: window.end)
        let labels = zone.hourMarks(in: sinceLastHour, clock: clock) + zone.dayMarks(in: sinceYesterday, seenFrom: now)
        self.init(labels.map { TimeMark(instant: $0.instant, label: $0.label, kind: TimeMark.Kind($0.kind)) })
    }
}

extension TimeMark.Kind {
    fileprivate init(_ kind: LabeledInstant.Kind) {
        switch kind {
        case .hour: self = .hour
        case .halfHour: self = .halfHour
        case .day: self = .day
        }
    }
}

/// The lines of a text grid: the header, the rows and the rules between them.
private struct TextPage {
    let grid: TextGrid
    let rowCount: Int
    let now: Instant?
    private let rows: [[GuideElement]]
    private let header: TextHeader
    private let nowColumn: Int?

    init(grid: TextGrid, elements: [GuideElement], rowCount: Int, now: Instant?) {
        self.grid = grid
        self.rowCount = rowCount
        self.now = now
        var rows = [[GuideElement]](repeating: [], count: rowCount)
        var header: [GuideElement] = []
        for element in elements {
            if let row = element.row { rows[row].append(element) } else { header.append(element) }
        }
        self.rows = rows
        self.header = TextHeader(elements: header, grid: grid)
        nowColumn = header.first { $0.kind == .nowLine }.map { Int($0.frame.minX) }
    }

    var text: String {
        var lines = [header.line]
        var above: Set<Int>?
        for row in rows {
            let cells = TextRow(elements: row, grid: grid, now: now, nowColumn: nowColumn)
            if above == nil || grid.hasRules { lines.append(rule(above: above, below: cells.borders)) }
            lines += cells.lines
            above = cells.borders
        }
        lines.append(rule(above: above, below: nil))
        if let legend { lines.append(legend) }
        return lines.map { $0.text(in: grid.style) + "\n" }.joined()
    }

    // MARK: - Rules

    /// Returns the line between two rows, given their borders.
    ///
    /// - Parameters:
    ///   - above: `nil` for the header.
    ///   - below: `nil` below the last row.
    private func rule(above: Set<Int>?, below: Set<Int>?) -> TextLine {
        var line = TextLine(columns: grid.columns)
        for column in 0..<grid.columns {
            let isNow = column == nowColumn
            let up: Stroke =
                isNow && above != nil ? .heavy : (above ?? header.borders).contains(column) ? .light : .none
            let down: Stroke = isNow && below != nil ? .heavy : (below ?? []).contains(column) ? .light : .none
            line.draw(RuleLine.sign(above: up, below: down), at: column, isNow ? TextGrid.nowLine : .dim)
        }
        return line
    }

    /// The legend of the genres on the page; `nil` without colors or genres.
    private var legend: TextLine? {
        guard grid.style == .ansi else { return nil }
        let genres = Set(rows.joined().compactMap { $0.airing?.drawnGenre })
        guard !genres.isEmpty else { return nil }
        var line = TextLine(columns: grid.columns)
        var column = 1
        for genre in Genre.allCases where genres.contains(genre) {
            let label = TerminalText(" \(genre.sign) \(genre.name) ")
            guard column + label.width + 2 <= grid.columns else { break }
            let style = TerminalStyle(foreground: TextGrid.cellForeground, background: genre.background)
            line.paint(style, column..<column + label.width + 2)
            column = line.draw(label, in: column + 1..<grid.columns, style) + 3
        }
        return line
    }
}

extension TextGrid {
    /// The style of the now-line: red.
    package static let nowLine = TerminalStyle(isBold: true, foreground: 203)
    /// The color of text in colored cells.
    package static let cellForeground: TerminalColor = 255
}

/// The header line: the day in the corner, and the hours above their columns.
private struct TextHeader {
    /// The columns of ticks.
    private(set) var borders: Set<Int> = []
    private(set) var line: TextLine

    private let timeColumn: Int
    private let days: [GuideElement]
    /// The day in the corner.
    private let today: String?

    init(elements: [GuideElement], grid: TextGrid) {
        let corner = elements.first { $0.kind == .corner }
        line = TextLine(columns: grid.columns)
        timeColumn = Int(corner?.frame.maxX ?? 0)
        days = elements.filter { $0.kind == .daySeparator }
        today = corner?.label
        if let today {
            line.draw(TerminalText(today), in: 1..<max(1, timeColumn), TerminalStyle(isBold: true))
        }
        let marks = elements.filter { !$0.isStartClipped }.sorted { $0.frame.minX < $1.frame.minX }
        let hours = marks.filter { $0.kind == .hourHeader }
        let (labeled, step) = TextHeader.labeled(hours, zone: grid.zone)
        borders = Set(labeled.map { Int($0.frame.minX) } + [timeColumn])
        for column in borders { line.draw("│", at: column, .dim) }
        for (index, hour) in labeled.enumerated() {
            let next = index + 1 < labeled.count ? Int(labeled[index + 1].frame.minX) : grid.columns
            draw(hour, before: next)
        }
        if step == 1 {
            for half in marks where half.kind == .halfHourHeader { drawHalfHour(half) }
        }
        if let now = elements.first(where: { $0.kind == .nowLine }).map({ Int($0.frame.minX) }), line.isBlank(now) {
            line.draw("▾", at: now, TextGrid.nowLine)
        }
    }

    /// Returns the hours to label: every hour, or every second, third, … hour of the local clock if labels would not fit.
    ///
    /// Steps divide the day, so that labels are the same every day.
    private static func labeled(_ hours: [GuideElement], zone: Zone) -> (hours: [GuideElement], step: Int) {
        guard let first = hours.first, let last = hours.last, hours.count > 1 else { return (hours, 1) }
        let widest = Double(hours.compactMap { $0.label.map { DisplayWidth.of($0) } }.max() ?? 0) + 2
        let hourWidth = (last.frame.minX - first.frame.minX) / Double(hours.count - 1)
        let step = [1, 2, 3, 4, 6, 12].first { Double($0) * hourWidth >= widest } ?? 24
        var labeled: [GuideElement] = []
        for hour in hours {
            guard let start = hour.window?.start, zone.localDateTime(at: start).hour.isMultiple(of: step) else {
                continue
            }
            // A repeated hour (or a short day) may leave no room.
            if step > 1, let previous = labeled.last, hour.frame.minX - previous.frame.minX < widest { continue }
            labeled.append(hour)
        }
        return (labeled, step)
    }

    /// Draws the label of an hour, or of the day that begins with it.
    private mutating func draw(_ hour: GuideElement, before next: Int) {
        let column = Int(hour.frame.minX)
        let day = days.first { $0.window?.start == hour.window?.start }?.label
        for (label, isBold) in [(day == today ? nil : day, true), (hour.label, false)] {
            guard let text = label.map({ TerminalText($0) }), column + 1 + text.width <= next else { continue }
            line.draw(text, in: column + 1..<next, TerminalStyle(isBold: isBold))
            return
        }
    }

    /// Draws the label of a half hour if there is room.
    private mutating func drawHalfHour(_ half: GuideElement) {
        guard let label = half.label.map({ TerminalText($0) }) else { return }
        let start = Int(half.frame.minX)
        let isFree = start + label.width < line.columns && line.isBlank(start - 1..<start + label.width + 2)
        guard isFree, half.frame.width > Double(label.width) + 1 else { return }
        line.draw("╷", at: start, .dim)
        line.draw(label, in: start + 1..<line.columns, .dim)
    }
}

/// The lines of one station.
private struct TextRow {
    /// The columns at which cells begin.
    private(set) var borders: Set<Int> = []
    private(set) var lines: [TextLine]

    private let grid: TextGrid
    private let now: Instant?

    init(elements: [GuideElement], grid: TextGrid, now: Instant?, nowColumn: Int?) {
        self.grid = grid
        self.now = now
        lines = Array(repeating: TextLine(columns: grid.columns), count: grid.textLines)
        for element in elements where element.kind == .station {
            let name = TerminalText(element.label ?? "")
            lines[0].draw(
                name, in: Int(element.frame.minX) + 1..<Int(element.frame.maxX) - 1, TerminalStyle(isBold: true))
        }
        let cells = elements.filter { $0.kind == .airing || $0.kind == .gap }
            .sorted { ($0.frame.minX, $0.frame.maxX) < ($1.frame.minX, $1.frame.maxX) }
        for cell in cells where cell.frame.width > 0 { draw(cell) }
        // A double border marks an airing that is too short for a column.
        for cell in cells where cell.frame.width == 0 && cell.kind == .airing {
            for line in lines.indices { lines[line].draw("║", at: Int(cell.frame.minX), .dim) }
        }
        if let nowColumn { drawNowLine(at: nowColumn) }
    }

    // MARK: - Cells

    private mutating func draw(_ cell: GuideElement) {
        let border = Int(cell.frame.minX)
        let inside = border + 1..<max(border + 1, Int(cell.frame.maxX))
        borders.insert(border)
        for line in lines.indices { lines[line].draw("│", at: border, .dim) }
        guard let airing = cell.airing else {
            for line in lines.indices {
                for column in inside where column.isMultiple(of: 2) { lines[line].draw("·", at: column, .dim) }
            }
            return
        }
        let genre = grid.style == .ansi ? airing.drawnGenre : nil
        var style = TerminalStyle()
        if let genre { style = TerminalStyle(foreground: TextGrid.cellForeground, background: genre.background) }
        for line in lines.indices { lines[line].paint(style, inside) }
        let isCutAtStart = cell.isStartClipped || cell.visibleStart > cell.frame.minX
        let isCutAtEnd = cell.isEndClipped || cell.visibleEnd < cell.frame.maxX
        if isCutAtStart { lines[0].draw("◂", at: inside.lowerBound, style) }
        if isCutAtEnd, inside.count > 2 { lines[0].draw("▸", at: inside.upperBound - 1, style) }
        // Wide cells have a blank on both sides, which also holds the marks.
        let hasMargins = inside.count >= 8
        let start = inside.lowerBound + (hasMargins || isCutAtStart ? 1 : 0)
        let end = inside.upperBound - (hasMargins || isCutAtEnd && inside.count > 2 ? 1 : 0)
        guard start < end else { return }
        drawTexts(of: airing, genre: genre, in: start..<end, style)
    }

    private mutating func drawTexts(of airing: Airing, genre: Genre?, in room: Range<Int>, _ style: TerminalStyle) {
        var titleStyle = style
        titleStyle.isBold = now.map { airing.window.contains($0) } ?? false
        // The second line marks derived listings, if there is one.
        let mark = lines.count == 1 && airing.marks.contains(.derived) ? "~" : ""
        let end = lines[0].draw(TerminalText(mark + airing.shownTitle), in: room, titleStyle)
        if let genre, end + 2 <= room.upperBound { lines[0].draw(genre.sign, at: room.upperBound - 1, style) }
        guard lines.count > 1 else { return }
        var timeStyle = style
        timeStyle.isDim = style.background == nil
        lines[1].draw(secondLine(of: airing, columns: room.count), in: room, timeStyle)
    }

    /// Returns as much of times and subtitle as fits: `20:00–20:45 · Pilot`, `20:00–20:45` or `20:00`. A tilde marks derived
    /// listings.
    private func secondLine(of airing: Airing, columns: Int) -> TerminalText {
        let start = grid.zone.timeLabel(at: airing.window.start, clock: grid.clock)
        let stop = grid.zone.timeLabel(at: airing.window.end, clock: grid.clock)
        let mark = airing.marks.contains(.derived) ? "~" : ""
        let range = TerminalText("\(mark)\(start)–\(stop)\(airing.isStopInferred ? "?" : "")")
        guard range.width <= columns else {
            let alone = TerminalText(mark + start)
            return alone.width <= columns ? alone : TerminalText("")
        }
        guard let subtitle = airing.subtitle ?? airing.episode, range.width + 7 <= columns else { return range }
        return TerminalText("\(range.clusters.map(\.text).joined()) · \(subtitle)")
    }

    // MARK: - Now

    /// Draws the now-line without hiding text; see ``TextLine/overlay(_:at:_:)``.
    private mutating func drawNowLine(at column: Int) {
        for line in lines.indices { lines[line].overlay("┃", at: column, TextGrid.nowLine) }
    }
}

/// The weight of a vertical line that meets a horizontal one.
package enum Stroke: Hashable, Sendable {
    case none, light, heavy
}

/// The horizontal line between two rows, which connects the cell borders above and below.
package enum RuleLine {
    /// Returns the box-drawing character of a light horizontal line with vertical lines above and below.
    package static func sign(above: Stroke, below: Stroke) -> String {
        switch (above, below) {
        case (.none, .none): "─"
        case (.none, .light): "┬"
        case (.light, .none): "┴"
        case (.light, .light): "┼"
        case (.none, .heavy): "┰"
        case (.heavy, .none): "┸"
        case (.light, .heavy): "╁"
        case (.heavy, .light): "╀"
        case (.heavy, .heavy): "╂"
        }
    }
}
