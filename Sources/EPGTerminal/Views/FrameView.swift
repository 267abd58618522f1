import EPGRender

/// The title above a pane and the footer below it, whose keys can be clicked.
struct FrameView {
    /// A key of the footer.
    struct Key {
        /// The display name.
        let name: String
        let key: KeyPress
        let label: String
    }

    /// The visible keys with their columns.
    private var shownKeys: [(columns: Range<Int>, key: KeyPress)] = []

    /// The key at a column of the footer; `nil` if there is none.
    func key(atColumn column: Int) -> KeyPress? { shownKeys.first { $0.columns.contains(column) }?.key }

    /// Draws the first row: a title or an input line, and the time.
    ///
    /// - Parameter typed: The label and text of the input line; `nil` if there is none.
    static func drawTitle(
        _ title: String, typed: (label: String, text: String)?, time: String, on screen: inout Screen
    ) {
        let columns = screen.size.columns
        let bar = TerminalStyle(foreground: 255, background: 236)
        screen.lines.fill(bar, rows: 0..<1, columns: 0..<columns)
        // A narrow terminal has no room for both the input line and the time.
        let clock = TerminalText(typed == nil || columns >= 60 ? time : "")
        let end = max(0, columns - clock.width - 1)
        screen.lines.draw(clock, row: 0, in: end..<columns, bar)
        var bold = bar
        bold.isBold = true
        let start = screen.lines.draw(TerminalText(typed?.label ?? title), row: 0, in: 1..<max(1, end - 1), bold) + 1
        guard let typed else { return }
        let room = max(1, end - 2 - start)
        // Shows the end of a long line, where the cursor is.
        var text = typed.text
        while DisplayWidth.of(text) > room { text.removeFirst() }
        screen.lines.draw(TerminalText(text), row: 0, in: start..<max(start, end - 1), bar)
        screen.cursor = Screen.Position(column: start + DisplayWidth.of(text), row: 0)
    }

    /// Draws the last row: a message, or else as many keys as fit.
    mutating func drawFooter(_ message: String?, keys: [Key], on screen: inout Screen) {
        let (row, columns) = (screen.size.rows - 1, screen.size.columns)
        shownKeys = []
        if let message {
            screen.lines.draw(TerminalText(message), row: row, in: 1..<columns, TerminalStyle(isBold: true))
            return
        }
        var column = 1
        for key in keys {
            let (name, label) = (TerminalText(key.name), TerminalText(key.label))
            let end = column + name.width + 1 + label.width
            guard end <= columns else { break }
            screen.lines.draw(name, row: row, in: column..<columns, TerminalStyle(isBold: true))
            screen.lines.draw(label, row: row, in: column + name.width + 1..<columns, .dim)
            shownKeys.append((column..<end, key.key))
            column = end + 2
        }
    }
}
