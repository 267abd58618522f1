package import EPGRender

/// The content of a full-screen terminal: rows of cells, the cursor and a picture.
///
/// Drawing on its lines clips to the screen, so a view may draw at negative columns or below the last row.
package struct Screen: Hashable, Sendable {
    /// The extent of a terminal.
    package struct Size: Hashable, Sendable {
        package let columns: Int
        package let rows: Int

        /// Creates a size of at least one column and one row.
        package init(columns: Int, rows: Int) {
            self.columns = max(1, columns)
            self.rows = max(1, rows)
        }
    }

    /// The position of a cell, from 0 at the top left.
    package struct Position: Hashable, Sendable {
        package let column: Int
        package let row: Int

        package init(column: Int, row: Int) {
            self.column = column
            self.row = row
        }
    }

    package let size: Size
    /// The rows from top to bottom, as many and as wide as ``size``.
    package var lines: [TextLine]
    /// The cursor position (default: `nil`, hidden). A position outside the screen also hides the cursor.
    package var cursor: Position?
    /// A picture over blank cells (default: `nil`).
    package var picture: PlacedPicture?

    /// Creates a blank screen.
    package init(size: Size) {
        self.size = size
        lines = Array(repeating: TextLine(columns: size.columns), count: size.rows)
    }

    /// Whether columns of a row are blank. Cells outside the screen count as blank.
    package func isBlank(row: Int, columns: Range<Int>) -> Bool {
        !lines.indices.contains(row) || lines[row].isBlank(columns)
    }

    /// The text of the rows without trailing blanks, with a line break after each row.
    package var text: String {
        lines.map { $0.text(in: .plain) + "\n" }.joined()
    }

    /// Moves the rows of a range up, or down if `count` is negative, and fills the gap with blank rows.
    mutating func scroll(_ rows: Range<Int>, by count: Int) {
        let moved = lines[rows]
        let blank = TextLine(columns: size.columns)
        for row in rows { lines[row] = rows.contains(row + count) ? moved[row + count] : blank }
    }
}
