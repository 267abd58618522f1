/// A terminal row, addressed by column.
///
/// Columns and ranges outside the line are ignored. Drawing over one half of a wide character blanks the other half.
package struct TextLine: Hashable, Sendable {
    /// The content of one column.
    package struct Cell: Hashable, Sendable {
        /// A grapheme cluster; empty in the second column of a wide character.
        package fileprivate(set) var text = " "
        package fileprivate(set) var style = TerminalStyle.normal

        /// Whether the column is the second column of a wide character.
        package var isContinuation: Bool { text.isEmpty }
    }

    /// The cells from left to right.
    package private(set) var cells: [Cell]

    /// Creates a blank line.
    package init(columns: Int) {
        cells = Array(repeating: Cell(), count: max(0, columns))
    }

    /// The width of the line.
    package var columns: Int { cells.count }

    /// Returns whether a column is blank; `false` outside the line.
    package func isBlank(_ column: Int) -> Bool {
        cells.indices.contains(column) && cells[column].text == " "
    }

    /// Returns whether all columns of a range are blank; columns outside the line count as blank.
    package func isBlank(_ range: Range<Int>) -> Bool {
        range.clamped(to: 0..<columns).allSatisfy { cells[$0].text == " " }
    }

    // MARK: - Drawing

    /// Sets the style of a range and keeps its text. A wide character has the style of its first column.
    package mutating func paint(_ style: TerminalStyle, _ range: Range<Int>) {
        let range = range.clamped(to: 0..<columns)
        for column in range where column > range.lowerBound || !cells[column].isContinuation {
            cells[column].style = style
        }
        if !range.isEmpty, range.upperBound < columns, cells[range.upperBound].isContinuation {
            cells[range.upperBound].style = cells[range.upperBound - 1].style
        }
    }

    /// Replaces a range with blanks.
    package mutating func fill(_ range: Range<Int>, _ style: TerminalStyle) {
        let range = range.clamped(to: 0..<columns)
        separate(range)
        for column in range { cells[column] = Cell(text: " ", style: style) }
    }

    /// Draws a character that is one column wide.
    package mutating func draw(_ sign: String, at column: Int, _ style: TerminalStyle) {
        guard cells.indices.contains(column) else { return }
        separate(column..<column + 1)
        cells[column] = Cell(text: sign, style: style)
    }

    /// Draws part of a vertical line over blanks, gaps and borders. Other text stays and gets the line's color as background.
    package mutating func overlay(_ sign: String, at column: Int, _ style: TerminalStyle) {
        guard cells.indices.contains(column) else { return }
        if [" ", "·", "│"].contains(cells[column].text) {
            let background = cells[column].style.background
            cells[column] = Cell(
                text: sign,
                style: TerminalStyle(isBold: true, foreground: style.foreground, background: background))
        } else if !cells[column].isContinuation {
            var marked = cells[column].style
            marked.background = style.foreground
            marked.foreground = 232
            paint(marked, column..<column + 1)
        }
    }

    /// Draws a text, truncated to the range, and returns the column after it.
    @discardableResult
    package mutating func draw(_ text: TerminalText, in range: Range<Int>, _ style: TerminalStyle) -> Int {
        let range = range.clamped(to: 0..<columns)
        let shown = text.fitted(to: range.count)
        separate(range.lowerBound..<range.lowerBound + shown.width)
        var column = range.lowerBound
        for cluster in shown.isolatedClusters {
            cells[column] = Cell(text: cluster.text, style: style)
            for next in column + 1..<column + cluster.width { cells[next] = Cell(text: "", style: style) }
            column += cluster.width
        }
        return column
    }

    /// Blanks the halves of wide characters that would remain next to a range that is about to be replaced.
    private mutating func separate(_ range: Range<Int>) {
        guard !range.isEmpty else { return }
        if cells[range.lowerBound].isContinuation, range.lowerBound > 0 {
            cells[range.lowerBound - 1].text = " "
            cells[range.lowerBound].text = " "
        }
        if range.upperBound < columns, cells[range.upperBound].isContinuation {
            cells[range.upperBound].text = " "
        }
    }

    // MARK: - Moving

    /// Moves the columns from `start` on `count` columns to the left, or to the right if `count` is negative.
    ///
    /// Blanks fill the vacated columns.
    /// - Precondition: The move does not split a wide character.
    package mutating func shift(from start: Int, by count: Int) {
        let moved = cells
        for column in start..<columns {
            let source = column + count
            cells[column] = source >= start && source < columns ? moved[source] : Cell()
        }
        precondition(start >= columns || !cells[start].isContinuation)
    }

    // MARK: - Output

    /// Returns the line as text without trailing blanks.
    package func text(in style: TextGrid.Style) -> String {
        var end = cells.count
        while end > 0, cells[end - 1].text == " ",
            style == .plain || cells[end - 1].style.background == nil
        {
            end -= 1
        }
        guard style == .ansi else { return cells[..<end].map(\.text).joined() }
        var text = ""
        var current = TerminalStyle.normal
        for cell in cells[..<end] where !cell.isContinuation {
            if cell.style != current {
                text += cell.style.escapeSequence
                current = cell.style
            }
            text += cell.text
        }
        return current == .normal ? text : text + TerminalStyle.normal.escapeSequence
    }
}
