import EPGRender

/// Lines of text that scroll: details and help.
struct TextView {
    /// The picture of the details, which disappears when the text scrolls.
    var picture: DetailsPicture?
    private let title: String
    /// Lines for a width in columns.
    private let text: (Int) -> [String]
    private var first = 0
    /// The largest value of `first`, as of the last drawing.
    private var lastFirst = 0

    /// - Parameters:
    ///   - picture: `nil` where no picture belongs to the text, whatever the guide has.
    ///   - text: Breaks the text into lines of at most some columns.
    init(title: String, picture: DetailsPicture? = nil, text: @escaping (Int) -> [String]) {
        self.title = title
        self.picture = picture
        self.text = text
    }

    mutating func scroll(by rows: Int) {
        let moved = min(max(0, first + rows), lastFirst)
        guard moved != first else { return }
        first = moved
        picture?.hide()
    }

    /// - Parameter cell: The size of a cell in pixels, if the terminal reports it.
    mutating func draw(
        on screen: inout Screen, below top: Int, rows: Int, cell: TerminalGraphics.PixelSize?
    ) {
        var (top, rows, columns) = (top, rows, screen.size.columns)
        if let cell, let shown = picture?.picture {
            let layout = DetailsPicture.layout(
                shown.size, in: Screen.Size(columns: columns, rows: rows), below: top, cell: cell)
            screen.picture = PlacedPicture(picture: shown, position: layout.position)
            top += layout.textRow
            rows -= layout.textRow
            columns = layout.textColumns
        }
        let lines = text(max(10, columns - 2))
        lastFirst = max(0, lines.count - rows)
        first = min(first, lastFirst)
        for (index, line) in lines.dropFirst(first).prefix(max(0, rows)).enumerated() {
            let style = TerminalStyle(isBold: first + index == 0)
            // Runs of blanks align fields; a terminal text would join them to one.
            var column = 1
            for piece in line.split(separator: "  ", omittingEmptySubsequences: false) {
                let text = TerminalText(String(piece))
                let lead = piece.first == " " ? 1 : 0
                let start = column + lead
                screen.draw(text, row: top + index, in: start..<max(start, columns), style)
                column += DisplayWidth.of(piece) + 2
            }
        }
        if first < lastFirst {
            screen.draw("↓", row: top + rows - 1, column: screen.size.columns - 1, .dim)
        }
    }
}
