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
    /// The format of times.
    package let clock: GuideClock

    /// Creates a grid.
    /// - Parameter columns: The width; clamped to 20...2,000.
    package init(columns: Int = 80, style: Style = .plain, rows: RowStyle = .ruled, clock: GuideClock) {
        self.columns = min(max(columns, 20), 2000)
        self.style = style
        self.rows = rows
        self.clock = clock
    }

    /// Draws a window of the guide.
    ///
    /// - Parameters:
    ///   - window: The time from the first to the last column.
    ///   - schedules: The rows from top to bottom, read for the window.
    ///   - groups: The groups of rows, each with a header.
    ///   - now: The time of the now-line; `nil` for none.
    /// - Throws: ``GuideLayoutError`` if the window is empty or too long.
    /// - Returns: Lines, each with a line break.
    package func text(
        of schedules: [RowSchedule], groups: [GuideGroup] = [], during window: TimeWindow, now: Instant?
    ) throws(GuideLayoutError) -> String {
        let stationColumns = stationColumns(for: schedules)
        let layout = try layout(
            window: window, rowCount: schedules.count, groups: groups, stationColumns: stationColumns)
        let numbered = schedules.enumerated().map { index, row in
            RowSchedule(row: index, stationName: row.stationName, schedule: row.schedule)
        }
        let size = layout.contentSize
        let everything = try Viewport(x: 0, y: 0, width: size.width, height: size.height)
        let labels = TimeLabels(clock: clock, pointsPerHour: layout.metrics.pointsPerHour, length: TextGrid.length(of:))
        let content = GuideContent(
            schedules: numbered, coverage: window, marks: labels.marks(in: window, now: now), now: now)
        let page = layout.page(in: everything, of: content)
        return TextPage(grid: self, elements: page.elements, rowCount: schedules.count, now: now).text
    }

    // MARK: - Measures

    /// Returns the columns of a label of the header with its tick and a blank.
    package static func length(of label: String) -> Double { Double(DisplayWidth.of(label) + 2) }

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
    private func layout(
        window: TimeWindow, rowCount: Int, groups: [GuideGroup], stationColumns: Int
    ) throws(GuideLayoutError) -> GuideLayout {
        let metrics = try GuideMetrics(
            pointsPerHour: Double(columns - stationColumns) * 3600 / Double(window.seconds),
            rowHeight: Double(textLines),
            rowSpacing: hasRules ? 1 : 0, stationColumnWidth: Double(stationColumns), headerHeight: 2,
            nowLineWidth: 1, lineHeight: 1, groupHeaderHeight: 1)
        return try GuideLayout(metrics: metrics, window: window, rowCount: rowCount, groups: groups)
    }
}

/// The lines of a text grid: the header, the rows and the rules between them.
private struct TextPage {
    let grid: TextGrid
    let rowCount: Int
    let now: Instant?
    private let rows: [[GuideElement]]
    /// The titles of groups by their first rows.
    private let groups: [Int: String]
    private let header: TextHeader
    private let nowLine: GuideElement?

    init(grid: TextGrid, elements: [GuideElement], rowCount: Int, now: Instant?) {
        self.grid = grid
        self.rowCount = rowCount
        self.now = now
        var rows = [[GuideElement]](repeating: [], count: rowCount)
        var header: [GuideElement] = []
        var groups: [Int: String] = [:]
        for element in elements {
            switch element.row {
            case let row? where element.kind == .groupHeader: groups[row] = element.label
            case let row?: rows[row].append(element)
            case nil: header.append(element)
            }
        }
        self.rows = rows
        self.groups = groups
        self.header = TextHeader(elements: header, grid: grid)
        nowLine = header.first { $0.kind == .nowLine }
    }

    var text: String {
        var lines = [header.line]
        var above: Set<Int>?
        for (index, row) in rows.enumerated() {
            if let title = groups[index] {
                if above == nil || grid.hasRules { lines.append(rule(above: above, below: [])) }
                lines.append(groupHeader(title))
                above = []
            }
            let cells = TextRow(elements: row, grid: grid, now: now, nowLine: nowLine)
            if above == nil || grid.hasRules { lines.append(rule(above: above, below: cells.borders)) }
            lines += cells.lines
            above = cells.borders
        }
        lines.append(rule(above: above, below: nil))
        if let legend { lines.append(legend) }
        return lines.map { $0.text(in: grid.style) + "\n" }.joined()
    }

    /// Returns the line above a group.
    private func groupHeader(_ title: String) -> TextLine {
        var line = TextLine(columns: grid.columns)
        line.draw(TerminalText(title), in: 1..<grid.columns, TerminalStyle(isBold: true))
        if let nowLine { line.overlay("┃", at: Int(nowLine.frame.minX), CellDrawing.nowLine) }
        return line
    }

    // MARK: - Rules

    /// Returns the line between two rows, given their borders.
    ///
    /// - Parameters:
    ///   - above: `nil` for the header.
    ///   - below: `nil` below the last row.
    private func rule(above: Set<Int>?, below: Set<Int>?) -> TextLine {
        var line = TextLine(columns: grid.columns)
        let nowColumn = nowLine.map { Int($0.frame.minX) }
        for column in 0..<grid.columns {
            let isNow = column == nowColumn
            let up: Stroke =
                isNow && above != nil ? .heavy : (above ?? header.borders).contains(column) ? .light : .none
            let down: Stroke = isNow && below != nil ? .heavy : (below ?? []).contains(column) ? .light : .none
            line.draw(RuleLine.sign(above: up, below: down), at: column, isNow ? CellDrawing.nowLine : .dim)
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
            let style = genre.cellStyle
            line.paint(style, column..<column + label.width + 2)
            column = line.draw(label, in: column + 1..<grid.columns, style) + 3
        }
        return line
    }
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
        borders = Set(hours.map { Int($0.frame.minX) } + [timeColumn])
        for column in borders { line.draw("│", at: column, .dim) }
        for (index, hour) in hours.enumerated() {
            draw(hour, before: index + 1 < hours.count ? Int(hours[index + 1].frame.minX) : grid.columns)
        }
        for half in marks where half.kind == .halfHourHeader { drawHalfHour(half) }
        if let now = elements.first(where: { $0.kind == .nowLine }).map({ Int($0.frame.minX) }), line.isBlank(now) {
            line.draw("▾", at: now, CellDrawing.nowLine)
        }
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

    init(elements: [GuideElement], grid: TextGrid, now: Instant?, nowLine: GuideElement?) {
        lines = Array(repeating: TextLine(columns: grid.columns), count: grid.textLines)
        for element in elements where element.kind == .station {
            let name = TerminalText(element.label ?? "")
            lines[0].draw(
                name, in: Int(element.frame.minX) + 1..<Int(element.frame.maxX) - 1, TerminalStyle(isBold: true))
        }
        let drawing = CellDrawing(clock: grid.clock, now: now, usesColors: grid.style == .ansi)
        let cells = elements.filter { $0.kind == .airing || $0.kind == .gap }
            .sorted { ($0.frame.width == 0 ? 1 : 0, $0.frame.minX) < ($1.frame.width == 0 ? 1 : 0, $1.frame.minX) }
        for cell in cells {
            let place = place(of: cell)
            if !place.columns.isEmpty { borders.insert(place.columns.lowerBound) }
            if let airing = cell.airing {
                drawing.draw(airing, isCut: (cell.isStartClipped, cell.isEndClipped), on: &lines, at: place)
            } else {
                CellDrawing.drawGap(on: &lines, at: place)
            }
        }
        if let nowLine { CellDrawing.drawNowLine(on: &lines, at: place(of: nowLine)) }
    }

    /// Returns the place of an element in all lines of the row.
    private func place(of element: GuideElement) -> CellPlace {
        let frame = Rect(x: element.frame.minX, y: 0, width: element.frame.width, height: Double(lines.count))
        return CellPlace(frame: frame, offset: .zero, clip: (0..<lines[0].columns, lines.indices))
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
