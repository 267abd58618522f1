import CollectionLayout
import EPGLayout
import EPGModel

/// The lines of a text grid: header, rows and the rules between them.
struct TextPage {
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

    /// The line between two rows; `nil` above the first one is the header, below the last one nothing.
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

    /// What the colours and signs mean; only those that occur, and only where there are colours.
    private var legend: TextLine? {
        guard grid.style == .ansi else { return nil }
        let genres = Set(rows.joined().compactMap { $0.airing.flatMap { Genre(categories: $0.categories) } })
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
    /// The now line: red.
    package static let nowLine = TerminalStyle(isBold: true, foreground: 203)
    /// Text on a colored cell.
    package static let cellForeground: TerminalColor = 255
}
