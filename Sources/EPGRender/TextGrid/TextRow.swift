import CollectionLayout
import EPGCalendar
import EPGLayout
import EPGModel

/// The lines of one station.
struct TextRow {
    /// Columns at which a cell begins.
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
        // A double border says that something too short for a column stands here.
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
        let genre = grid.style == .ansi ? Genre(categories: airing.categories) : nil
        var style = TerminalStyle()
        if let genre { style = TerminalStyle(foreground: TextGrid.cellForeground, background: genre.background) }
        for line in lines.indices { lines[line].paint(style, inside) }
        let isCutAtStart = cell.isStartClipped || cell.visibleStart > cell.frame.minX
        let isCutAtEnd = cell.isEndClipped || cell.visibleEnd < cell.frame.maxX
        if isCutAtStart { lines[0].draw("◂", at: inside.lowerBound, style) }
        if isCutAtEnd, inside.count > 2 { lines[0].draw("▸", at: inside.upperBound - 1, style) }
        // A blank on both sides, where the cell isn't too narrow for it; the marks stand in them.
        let hasMargins = inside.count >= 8
        let start = inside.lowerBound + (hasMargins || isCutAtStart ? 1 : 0)
        let end = inside.upperBound - (hasMargins || isCutAtEnd && inside.count > 2 ? 1 : 0)
        guard start < end else { return }
        drawTexts(of: airing, genre: genre, in: start..<end, style)
    }

    private mutating func drawTexts(of airing: Airing, genre: Genre?, in room: Range<Int>, _ style: TerminalStyle) {
        var titleStyle = style
        titleStyle.isBold = now.map { airing.window.contains($0) } ?? false
        let end = lines[0].draw(TerminalText(airing.title), in: room, titleStyle)
        if let genre, end + 2 <= room.upperBound { lines[0].draw(genre.sign, at: room.upperBound - 1, style) }
        guard lines.count > 1 else { return }
        var timeStyle = style
        timeStyle.isDim = style.background == nil
        lines[1].draw(secondLine(of: airing, columns: room.count), in: room, timeStyle)
    }

    /// The times and the sub-title, as much of it as has room: `20:00–20:45 · Pilot`, `20:00–20:45`, `20:00`.
    private func secondLine(of airing: Airing, columns: Int) -> TerminalText {
        let start = grid.zone.timeLabel(at: airing.window.start, clock: grid.clock)
        let stop = grid.zone.timeLabel(at: airing.window.end, clock: grid.clock)
        let range = TerminalText("\(start)–\(stop)\(airing.isStopInferred ? "?" : "")")
        guard range.width <= columns else {
            let alone = TerminalText(start)
            return alone.width <= columns ? alone : TerminalText("")
        }
        guard let subtitle = airing.subtitle ?? airing.episode, range.width + 7 <= columns else { return range }
        return TerminalText("\(range.clusters.map(\.text).joined()) · \(subtitle)")
    }

    // MARK: - Now

    /// Draws the now-line where it hides no text: through blanks, gaps and borders; a letter in its way is marked instead.
    private mutating func drawNowLine(at column: Int) {
        for line in lines.indices { lines[line].overlay("┃", at: column, TextGrid.nowLine) }
    }
}
