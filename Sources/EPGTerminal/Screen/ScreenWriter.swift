import EPGRender

/// Updates a terminal from one screen to the next with few bytes.
///
/// Writes only changed cells. The terminal moves rows that moved up or down together, and the ends of rows that moved left or
/// right. Blanks at the end of a row are erased. Cursor moves use the shortest sequence, and style changes only the attributes
/// that differ. All sequences are part of ECMA-48 and supported by all terminals since the VT220, except for synchronized
/// output.
///
/// The terminal must neither wrap lines (DECAWM off) nor translate line feeds (OPOST off).
package struct ScreenWriter: Sendable {
    private let colorDepth: ColorDepth
    /// Whether to wrap frames in synchronized output (mode 2026), which avoids partial frames (default: `false`).
    package var isSynchronized: Bool

    /// The content of the terminal; `nil` if unknown.
    private var shown: Screen?
    private var isCursorVisible = true
    /// The current style of the terminal, in its own colors.
    private var style = TerminalStyle.normal
    /// The position of the terminal's cursor; `nil` if unknown.
    private var row: Int?
    private var column: Int?
    private var output: [UInt8] = []

    /// Creates a writer for a terminal with unknown content.
    package init(colorDepth: ColorDepth, isSynchronized: Bool = false) {
        self.colorDepth = colorDepth
        self.isSynchronized = isSynchronized
    }

    /// Marks the content of the terminal as unknown, so that the next screen is drawn completely.
    package mutating func invalidate() {
        shown = nil
    }

    /// Returns the bytes that make the terminal show a screen; empty if it already does.
    ///
    /// - Complexity: O(cells), with one comparison per unchanged cell. If several rows changed, the search for moved rows takes
    ///   O(rows²) comparisons of rows.
    package mutating func bytes(for screen: Screen) -> [UInt8] {
        guard screen != shown else { return [] }
        output.removeAll(keepingCapacity: true)
        if isSynchronized { write("\u{1B}[?2026h") }
        let start = output.count
        if isCursorVisible { setCursorVisible(false) }
        if let picture = shown?.picture, picture != screen.picture { remove(picture) }
        let known = shown.flatMap { $0.size == screen.size ? $0 : nil }
        var old = known ?? erased(screen.size)
        let keepsPicture = screen.picture != nil && old.picture == screen.picture
        // A blank screen has no rows to move, and moving rows would move a picture too.
        let canMove = known != nil && !keepsPicture
        if canMove, let move = RowMove(from: old, to: screen) {
            apply(move)
            old.scroll(move.rows, by: move.distance)
        }
        let shift = canMove ? ColumnShift(from: old, to: screen) : nil
        for row in 0..<screen.size.rows where old.lines[row] != screen.lines[row] {
            var line = old.lines[row]
            if let shift, let start = shift.start(for: line, to: screen.lines[row]) {
                apply(shift, from: start, ofRow: row, &line)
            }
            writeRow(row, from: line, to: screen.lines[row])
        }
        if let picture = screen.picture, !keepsPicture { draw(picture) }
        if let cursor = screen.cursor, cursor.row >= 0, cursor.row < screen.size.rows,
            cursor.column >= 0,
            cursor.column < screen.size.columns
        {
            moveCursor(toRow: cursor.row, column: cursor.column)
            setCursorVisible(true)
        }
        shown = screen
        guard output.count > start else { return [] }
        if isSynchronized { write("\u{1B}[?2026l") }
        return output
    }

    // MARK: - Pictures

    private mutating func draw(_ placed: PlacedPicture) {
        setStyle(.normal)
        moveCursor(toRow: placed.position.row, column: placed.position.column)
        output += placed.picture.bytes
        (row, column) = (nil, nil)
    }

    private mutating func remove(_ placed: PlacedPicture) {
        if let removal = placed.picture.removal {
            output += removal
        } else {
            shown = nil
        }
    }

    // MARK: - Rows

    private mutating func writeRow(_ row: Int, from old: TextLine, to new: TextLine) {
        let changed = ScreenWriter.changedColumns(from: old, to: new)
        guard let last = changed.lastIndex(of: true) else { return }
        let tail = new.erasableTail
        var column = 0
        while column <= last {
            guard changed[column] else {
                column += 1
                continue
            }
            if column >= tail, last - column >= 3 {
                moveCursor(toRow: row, column: column)
                setStyle(.normal)
                write("\u{1B}[K")
                return
            }
            if !bridge(toColumn: column, ofRow: row, new) { moveCursor(toRow: row, column: column) }
            column = writeCell(column, of: new)
        }
    }

    /// The columns to write. A wide character is written at its first column.
    private static func changedColumns(from old: TextLine, to new: TextLine) -> [Bool] {
        var changed = [Bool](repeating: false, count: new.columns)
        var overwritten = 0
        for column in changed.indices {
            let (before, after) = (old.cells[column], new.cells[column])
            // A terminal stores the isolate of a right-to-left text with the previous character, so the complete row is written.
            if before.beginsIsolate || after.beginsIsolate { return changed.map { _ in true } }
            changed[column] = column < overwritten || !before.looksLike(after)
            // A terminal that draws the scalars of an emoji separately overwrites the columns after it.
            if changed[column], !after.isSingleScalar { overwritten = column + after.scalarWidth }
        }
        return changed
    }

    /// Writes a cell at the cursor. Returns the column after it.
    private mutating func writeCell(_ column: Int, of line: TextLine) -> Int {
        let cell = line.cells[column]
        // The second half of a wide character whose first half is unchanged.
        guard !cell.isContinuation else { return column + 1 }
        let isWide = column + 1 < line.columns && line.cells[column + 1].isContinuation
        let next = column + (isWide ? 2 : 1)
        let wanted = colorDepth.adapted(cell.style)
        if cell.text != " " || !style.looksLikeBlank(of: wanted) { setStyle(wanted) }
        if isWide, !cell.isSingleScalar, cell.scalarWidth < 2 {
            // A character with U+FE0F takes one column in some terminals, and would leave the other one unchanged.
            write("  \u{1B}[\(column + 1)G")
        }
        output.append(contentsOf: cell.text.utf8)
        // Terminals disagree about the width of scalar sequences, and about the cursor position after the last column.
        self.column = cell.isSingleScalar && next < line.columns ? next : nil
        return next
    }

    /// Moves to a column by rewriting the few cells before it, if this is shorter.
    private mutating func bridge(toColumn target: Int, ofRow row: Int, _ line: TextLine) -> Bool {
        guard self.row == row, let column, column < target, target - column <= 4 else { return false }
        for cell in line.cells[column..<target] {
            guard cell.text.utf8.count == 1, colorDepth.adapted(cell.style) == style else { return false }
        }
        for cell in line.cells[column..<target] { output.append(contentsOf: cell.text.utf8) }
        self.column = target
        return true
    }

    // MARK: - Sequences

    /// Erases the screen. Returns its new content.
    private mutating func erased(_ size: Screen.Size) -> Screen {
        style = .normal
        (row, column) = (nil, nil)
        write("\u{1B}[0m\u{1B}[2J")
        return Screen(size: size)
    }

    /// Moves rows inside a scrolling region (DECSTBM) by deleting or inserting lines at its top.
    private mutating func apply(_ move: RowMove) {
        setStyle(.normal)
        write("\u{1B}[\(move.rows.lowerBound + 1);\(move.rows.upperBound)r")
        (row, column) = (nil, nil)
        moveCursor(toRow: move.rows.lowerBound, column: 0)
        let count = abs(move.distance)
        write("\u{1B}[\(count == 1 ? "" : String(count))\(move.distance > 0 ? "M" : "L")\u{1B}[r")
        (row, column) = (nil, nil)
    }

    /// Moves the end of a row by deleting or inserting characters at its beginning.
    private mutating func apply(_ shift: ColumnShift, from start: Int, ofRow row: Int, _ line: inout TextLine) {
        setStyle(.normal)
        moveCursor(toRow: row, column: start)
        let count = abs(shift.distance)
        write("\u{1B}[\(count == 1 ? "" : String(count))\(shift.distance > 0 ? "P" : "@")")
        line.shift(from: start, by: shift.distance)
    }

    private mutating func setStyle(_ wanted: TerminalStyle) {
        guard wanted != style else { return }
        write("\u{1B}[\(wanted == .normal ? "" : wanted.selection(after: style))m")
        style = wanted
    }

    private mutating func setCursorVisible(_ isVisible: Bool) {
        write(isVisible ? "\u{1B}[?25h" : "\u{1B}[?25l")
        isCursorVisible = isVisible
    }

    private mutating func moveCursor(toRow target: Int, column targetColumn: Int) {
        guard row != target || column != targetColumn else { return }
        let line = target == 0 && targetColumn == 0 ? "" : String(target + 1)
        var move = targetColumn == 0 ? "\u{1B}[\(line)H" : "\u{1B}[\(line);\(targetColumn + 1)H"
        if let row, row == target || row + 1 == target {
            let near =
                (row == target ? "" : "\n")
                + (column == targetColumn ? "" : ScreenWriter.horizontalMove(from: column, to: targetColumn))
            if near.utf8.count <= move.utf8.count { move = near }
        }
        write(move)
        row = target
        column = targetColumn
    }

    private static func horizontalMove(from column: Int?, to target: Int) -> String {
        if target == 0 { return "\r" }
        let absolute = "\u{1B}[\(target + 1)G"
        guard let column else { return absolute }
        let distance = target - column
        if (-3 ... -1).contains(distance) { return String(repeating: "\u{8}", count: -distance) }
        let count = abs(distance) == 1 ? "" : String(abs(distance))
        let relative = "\u{1B}[\(count)\(distance > 0 ? "C" : "D")"
        return relative.utf8.count < absolute.utf8.count ? relative : absolute
    }

    private mutating func write(_ sequence: String) {
        output.append(contentsOf: sequence.utf8)
    }
}

/// Rows of a screen that moved up or down together.
private struct RowMove {
    /// The scrolling region, which contains the rows before and after the move.
    let rows: Range<Int>
    /// Number of rows up; negative for down.
    let distance: Int

    /// Minimum number of rows that a move has to save.
    private static let minimumGain = 3

    /// Finds the move that leaves the fewest rows to write; `nil` if no move saves enough rows.
    init?(from old: Screen, to new: Screen) {
        let count = new.size.rows
        let changed = (0..<count).map { old.lines[$0] != new.lines[$0] }
        guard changed.count(where: { $0 }) > RowMove.minimumGain else { return nil }
        var best: (gain: Int, rows: Range<Int>, distance: Int)?
        for distance in (1 - count)..<count where distance != 0 {
            let targets = max(0, -distance)..<min(count, count - distance)
            let moved = targets.filter { changed[$0] && new.lines[$0] == old.lines[$0 + distance] }
            guard let first = moved.first, let last = moved.last,
                moved.count > (best?.gain ?? RowMove.minimumGain - 1)
            else {
                continue
            }
            let rows = min(first, first + distance)..<max(last, last + distance) + 1
            let lost = rows.count { row in
                guard !changed[row] else { return false }
                return !rows.contains(row + distance) || old.lines[row + distance] != new.lines[row]
            }
            let gain = moved.count - lost
            if gain > (best?.gain ?? RowMove.minimumGain - 1) { best = (gain, rows, distance) }
        }
        guard let best else { return nil }
        rows = best.rows
        distance = best.distance
    }
}

/// A common shift of many rows to the left or right, as in a scrolling time grid.
private struct ColumnShift {
    /// The first column that may move.
    let start: Int
    /// Number of columns to the left; negative for the right.
    let distance: Int

    /// Minimum number of changed rows for a shift.
    private static let minimumRows = 4
    /// Minimum number of cells that a shift has to save in a row.
    private static let minimumGain = 12

    /// Finds the shift that saves the most cells of all rows; `nil` if few rows changed, or if no shift saves enough cells.
    ///
    /// - Complexity: O(rows · columns²) integer comparisons.
    init?(from old: Screen, to new: Screen) {
        let columns = new.size.columns
        var firsts: [Int] = []
        var rows: [(before: [Int], after: [Int])] = []
        for row in 0..<new.size.rows where old.lines[row] != new.lines[row] {
            let (before, after) = (old.lines[row].cells, new.lines[row].cells)
            firsts.append((0..<columns).first { before[$0] != after[$0] } ?? columns)
            rows.append((before.map(\.hashValue), after.map { $0.text == " " ? 0 : $0.hashValue }))
        }
        guard rows.count >= ColumnShift.minimumRows else { return nil }
        // Some rows change before this column, such as the summary of the focused airing, and some only after it.
        let start = firsts.sorted()[firsts.count / 4]
        var best = (gain: ColumnShift.minimumGain, distance: 0)
        for distance in (start + 1 - columns)..<(columns - start) where distance != 0 {
            let targets = max(start, start - distance)..<max(start, min(columns, columns - distance))
            var gain = 0
            for (before, after) in rows {
                for column in targets where after[column] != 0 && after[column] != before[column] {
                    if after[column] == before[column + distance] { gain += 1 }
                }
            }
            if gain > best.gain { best = (gain, distance) }
        }
        guard best.distance != 0 else { return nil }
        self.start = start
        distance = best.distance
    }

    /// The column from which the shift saves the most cells of a row, such as after a title that does not move.
    ///
    /// - Returns: `nil` if the shift saves too few cells, or if the row has characters that terminals shift differently.
    func start(for old: TextLine, to new: TextLine) -> Int? {
        let (before, after) = (old.cells, new.cells)
        guard before.allSatisfy(\.isSingleScalar) else { return nil }
        var best = (gain: ColumnShift.minimumGain - 1, start: before.count)
        var gain = 0
        for column in (start..<before.count).reversed() {
            if before[column] == after[column] { gain -= 1 }
            let source = column + distance
            if before.indices.contains(source) ? before[source] == after[column] : after[column].text == " " {
                gain += 1
            }
            let edge = distance > 0 ? column + distance : before.count + distance
            // tmux 3.3 blanks at most as many cells as it moves.
            guard -distance <= (before.count - column) / 2 else { continue }
            if gain > best.gain, edge < before.count, !before[column].isContinuation, !before[edge].isContinuation {
                best = (gain, column)
            }
        }
        return best.start < before.count ? best.start : nil
    }
}

extension TextLine {
    /// The first column of the blank end of the line, which has no background color and can be erased.
    fileprivate var erasableTail: Int {
        let last = cells.lastIndex {
            $0.text != " " || !TerminalStyle.normal.looksLikeBlank(of: $0.style)
        }
        return last.map { $0 + 1 } ?? 0
    }
}

extension TextLine.Cell {
    /// Whether two cells look the same.
    fileprivate func looksLike(_ other: TextLine.Cell) -> Bool {
        if text == " ", other.text == " " { return style.looksLikeBlank(of: other.style) }
        return self == other || isContinuation && other.isContinuation
    }

    /// Whether a right-to-left text begins here; see ``TerminalText/isolatedClusters``.
    fileprivate var beginsIsolate: Bool {
        text.utf8.count > 3 && text.utf8.starts(with: [0xE2, 0x81, 0xA8])
    }

    fileprivate var isSingleScalar: Bool {
        text.utf8.count <= 1 || text.unicodeScalars.count == 1
    }

    /// The sum of the widths of the scalars.
    fileprivate var scalarWidth: Int {
        text.unicodeScalars.reduce(0) { $0 + DisplayWidth.of($1) }
    }
}

extension TerminalStyle {
    /// Whether blanks look the same in both styles.
    fileprivate func looksLikeBlank(of other: TerminalStyle) -> Bool {
        self == other
            || background == other.background && !isReversed && !other.isReversed && !isUnderlined
                && !other.isUnderlined
    }
}
