package import EPGRender

/// The content of a full-screen terminal: rows of cells, and where the cursor is.
///
/// Drawing clips to the screen, so that a view may draw what it has at negative columns or below the last row.
package struct Screen: Hashable, Sendable {
    /// The extent of a terminal.
    package struct Size: Hashable, Sendable {
        package let columns: Int
        package let rows: Int

        /// A size of at least one column and one row.
        package init(columns: Int, rows: Int) {
            self.columns = max(1, columns)
            self.rows = max(1, rows)
        }
    }

    /// A cell, counted from 0 at the top left.
    package struct Position: Hashable, Sendable {
        package let column: Int
        package let row: Int

        package init(column: Int, row: Int) {
            self.column = column
            self.row = row
        }
    }

    package let size: Size
    /// From top to bottom.
    package private(set) var lines: [TextLine]
    /// Where the cursor is shown; `nil`, the default, hides it. A position outside the screen hides it too.
    package var cursor: Position?
    /// What is shown over the cells, which are blank there; `nil` by default.
    package var picture: PlacedPicture?

    /// A blank screen.
    package init(size: Size) {
        self.size = size
        lines = Array(repeating: TextLine(columns: size.columns), count: size.rows)
    }

    /// A row of the screen.
    /// - Precondition: The row is on the screen, and a new line is as wide as the screen.
    package subscript(row: Int) -> TextLine {
        get { lines[row] }
        set {
            precondition(newValue.columns == size.columns)
            lines[row] = newValue
        }
    }

    /// Whether some columns of a row are blank; what is outside the screen is.
    package func isBlank(row: Int, columns: Range<Int>) -> Bool {
        !lines.indices.contains(row) || lines[row].isBlank(columns)
    }

    /// The text of the rows, each without blanks at its end, with a line break after each.
    package var text: String {
        lines.map { $0.text(in: .plain) + "\n" }.joined()
    }

    // MARK: - Drawing

    /// Draws a text, cut where it would leave the columns; returns the column after it.
    @discardableResult
    package mutating func draw(_ text: TerminalText, row: Int, in columns: Range<Int>, _ style: TerminalStyle) -> Int {
        guard lines.indices.contains(row) else { return columns.lowerBound }
        return lines[row].draw(text, in: columns, style)
    }

    /// Draws a sign of one column.
    package mutating func draw(_ sign: String, row: Int, column: Int, _ style: TerminalStyle) {
        guard lines.indices.contains(row) else { return }
        lines[row].draw(sign, at: column, style)
    }

    /// Draws a vertical line through what is no text; see ``TextLine/overlay(_:at:_:)``.
    package mutating func overlay(_ sign: String, row: Int, column: Int, _ style: TerminalStyle) {
        guard lines.indices.contains(row) else { return }
        lines[row].overlay(sign, at: column, style)
    }

    /// Sets the style of a rectangle and leaves its text.
    package mutating func paint(_ style: TerminalStyle, rows: Range<Int>, columns: Range<Int>) {
        for row in rows.clamped(to: lines.indices) { lines[row].paint(style, columns) }
    }

    /// Replaces a rectangle with blanks in a style.
    package mutating func fill(_ style: TerminalStyle, rows: Range<Int>, columns: Range<Int>) {
        for row in rows.clamped(to: lines.indices) { lines[row].fill(columns, style) }
    }

    // MARK: - Scrolling

    /// Moves the rows of a range up, or down if `count` is negative, and leaves blank rows in their place.
    mutating func scroll(_ rows: Range<Int>, by count: Int) {
        let moved = lines[rows]
        let blank = TextLine(columns: size.columns)
        for row in rows { lines[row] = rows.contains(row + count) ? moved[row + count] : blank }
    }
}
