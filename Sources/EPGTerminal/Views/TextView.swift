import EPGRender

/// Lines of text that scroll: the help.
struct TextView {
    private let lines: [String]
    private var first = 0
    /// The largest value of `first`, as of the last drawing.
    private var lastFirst = 0

    /// - Parameter lines: The first one is shown in bold.
    init(lines: [String]) { self.lines = lines }

    mutating func scroll(by rows: Int) { first = min(max(0, first + rows), lastFirst) }

    mutating func draw(on screen: inout Screen, below top: Int, rows: Int) {
        lastFirst = max(0, lines.count - rows)
        first = min(first, lastFirst)
        for (index, line) in lines.dropFirst(first).prefix(max(0, rows)).enumerated() {
            let style = TerminalStyle(isBold: first + index == 0)
            screen.drawAligned(line[...], row: top + index, in: 1..<max(1, screen.size.columns), style)
        }
        if first < lastFirst {
            screen.draw("↓", row: top + rows - 1, column: screen.size.columns - 1, .dim)
        }
    }
}

extension Screen {
    /// Draws a line whose runs of blanks align fields; a text would join them to one.
    mutating func drawAligned(_ line: Substring, row: Int, in columns: Range<Int>, _ style: TerminalStyle) {
        var column = columns.lowerBound
        for piece in line.split(separator: "  ", omittingEmptySubsequences: false) {
            let start = column + (piece.first == " " ? 1 : 0)
            draw(TerminalText(String(piece)), row: row, in: start..<max(start, columns.upperBound), style)
            column += DisplayWidth.of(piece) + 2
        }
    }
}
