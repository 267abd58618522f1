import EPGRender

/// Lines of text that scroll: details and help.
struct TextView {
    private let title: String
    /// Lines for a width in columns.
    private let text: (Int) -> [String]
    private var first = 0

    /// - Parameter text: Breaks the text into lines of at most some columns.
    init(title: String, text: @escaping (Int) -> [String]) {
        self.title = title
        self.text = text
    }

    mutating func scroll(by rows: Int) { first = max(0, first + rows) }

    mutating func draw(on screen: inout Screen, below top: Int, rows: Int) {
        let lines = text(max(10, screen.size.columns - 2))
        first = min(first, max(0, lines.count - rows))
        for (index, line) in lines.dropFirst(first).prefix(rows).enumerated() {
            let style = TerminalStyle(isBold: first + index == 0)
            // Runs of blanks align fields; a terminal text would join them to one.
            var column = 1
            for piece in line.split(separator: "  ", omittingEmptySubsequences: false) {
                let text = TerminalText(String(piece))
                let lead = piece.first == " " ? 1 : 0
                let start = column + lead
                screen.draw(text, row: top + index, in: start..<max(start, screen.size.columns), style)
                column += DisplayWidth.of(piece) + 2
            }
        }
        if first + rows < lines.count {
            screen.draw("↓", row: top + rows - 1, column: screen.size.columns - 1, .dim)
        }
    }
}
