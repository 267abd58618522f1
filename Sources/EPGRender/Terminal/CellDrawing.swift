package import CollectionLayout
package import EPGCalendar
package import EPGModel

/// The place of a layout's element on lines of text, in columns and rows.
package struct CellPlace {
    /// The frame, which may extend beyond the lines.
    package let columns: Range<Int>
    package let rows: Range<Int>
    /// The visible part of the frame.
    package let visibleColumns: Range<Int>
    package let visibleRows: Range<Int>

    /// Creates the place of a frame.
    ///
    /// - Parameters:
    ///   - frame: The frame in content coordinates, with one point per column and row.
    ///   - offset: The offset from the content's origin to the first column and row.
    ///   - clip: The part of the lines that the element may cover.
    package init(frame: Rect, offset: Point, clip: (columns: Range<Int>, rows: Range<Int>)) {
        columns = CellPlace.range(from: frame.minX - offset.x, to: frame.maxX - offset.x)
        rows = CellPlace.range(from: frame.minY - offset.y, to: frame.maxY - offset.y)
        visibleColumns = columns.clamped(to: clip.columns)
        visibleRows = rows.clamped(to: clip.rows)
    }

    private static func range(from start: Double, to end: Double) -> Range<Int> {
        let limit = -1_000_000.0...1_000_000.0
        let first = Int(min(max(start, limit.lowerBound), limit.upperBound).rounded())
        return first..<max(first, Int(min(max(end, limit.lowerBound), limit.upperBound).rounded()))
    }
}

/// Draws cells of the guide as text, the same in `epg grid` and `epg browse`.
package struct CellDrawing: Sendable {
    /// The style of the now-line: red.
    package static let nowLine = TerminalStyle(isBold: true, foreground: 203)
    /// The color of text in colored cells.
    package static let foreground: TerminalColor = 255

    package let clock: GuideClock
    /// The time that determines past and current airings; `nil` for neither.
    package let now: Instant?
    /// Whether cells have the colors of genres.
    private let usesColors: Bool

    /// Creates a drawing, in color by default.
    package init(clock: GuideClock, now: Instant?, usesColors: Bool = true) {
        self.clock = clock
        self.now = now
        self.usesColors = usesColors
    }

    /// Draws an airing: the title, then times and subtitle, in the color of its genre, with ◂ and ▸ where the cell is cut.
    ///
    /// - Parameters:
    ///   - isCut: Whether the guide's window cuts the start and the end. An edge that is not visible also counts as cut.
    ///   - isFocused: Whether colors are reversed.
    package func draw(
        _ airing: Airing, isCut: (start: Bool, end: Bool) = (false, false), isFocused: Bool = false,
        on lines: inout [TextLine], at place: CellPlace
    ) {
        guard !place.visibleRows.isEmpty else { return }
        guard !place.columns.isEmpty else {
            // A double border marks an airing that is too short for a column.
            for row in place.visibleRows { lines.draw("║", row: row, column: place.columns.lowerBound, .dim) }
            return
        }
        let genre = usesColors ? airing.drawnGenre : nil
        var look = genre?.cellStyle ?? .normal
        look.isDim = now.map { airing.window.end <= $0 } ?? false
        look.isReversed = isFocused
        let inside = CellDrawing.drawBorder(on: &lines, at: place)
        guard !inside.isEmpty else { return }
        lines.fill(look, rows: place.visibleRows, columns: inside)
        // Wide cells have a blank on both sides, which also holds the marks.
        let hasMargins = inside.count >= 8
        let isStartCut = isCut.start || place.visibleColumns.lowerBound > place.columns.lowerBound
        let isEndCut = (isCut.end || place.visibleColumns.upperBound < place.columns.upperBound) && inside.count > 2
        let first = place.visibleRows.lowerBound
        if isStartCut { lines.draw("◂", row: first, column: inside.lowerBound, look) }
        if isEndCut { lines.draw("▸", row: first, column: inside.upperBound - 1, look) }
        let room = inside.dropFirst(hasMargins || isStartCut ? 1 : 0).dropLast(hasMargins || isEndCut ? 1 : 0)
        if !room.isEmpty { drawTexts(of: airing, genre, on: &lines, at: place, in: room, look) }
    }

    private func drawTexts(
        of airing: Airing, _ genre: Genre?, on lines: inout [TextLine], at place: CellPlace, in room: Range<Int>,
        _ look: TerminalStyle
    ) {
        let (text, first) = (AiringText(airing), place.rows.lowerBound)
        if place.visibleRows.contains(first) {
            var titleLook = look
            titleLook.isBold = now.map { airing.window.contains($0) } ?? false
            // The second line has the mark, if there is one.
            let title = (place.rows.count == 1 ? text.startMark : "") + text.title
            let end = lines.draw(TerminalText(title), row: first, in: room, titleLook)
            if let genre, end + 2 <= room.upperBound {
                lines.draw(genre.sign, row: first, column: room.upperBound - 1, look)
            }
        }
        guard place.visibleRows.contains(first + 1) else { return }
        // As much as fits: `NEW · 20:00–20:45 · Pilot`, `20:00–20:45 · Pilot`, `20:00–20:45` or `20:00`.
        let times = text.times(clock)
        let width = DisplayWidth.of(times)
        let badge = text.badge.flatMap { DisplayWidth.of($0) + width + 3 > room.count ? nil : $0 }
        var second = [badge, times, text.subtitle].compactMap(\.self).joined(separator: " · ")
        if width + 7 > room.count { second = times }
        if width > room.count { second = text.start(clock) }
        if DisplayWidth.of(text.start(clock)) <= room.count {
            lines.draw(TerminalText(second), row: first + 1, in: room, look)
        }
    }

    /// Draws a gap without listings.
    package static func drawGap(isFocused: Bool = false, on lines: inout [TextLine], at place: CellPlace) {
        let inside = drawBorder(on: &lines, at: place)
        let look = TerminalStyle(isDim: !isFocused, isReversed: isFocused)
        if isFocused { lines.fill(look, rows: place.visibleRows, columns: inside) }
        for row in place.visibleRows {
            for column in inside where column.isMultiple(of: 2) { lines.draw("·", row: row, column: column, look) }
        }
    }

    /// Draws the now-line without hiding text; see ``TextLine/overlay(_:at:_:)``.
    package static func drawNowLine(on lines: inout [TextLine], at place: CellPlace) {
        guard let column = place.visibleColumns.first else { return }
        for row in place.visibleRows { lines.overlay("┃", row: row, column: column, nowLine) }
    }

    /// Draws the line at the start of a cell, if it is visible.
    ///
    /// - Returns: The visible columns of the cell without the line.
    package static func drawBorder(on lines: inout [TextLine], at place: CellPlace) -> Range<Int> {
        let border = place.columns.lowerBound
        guard place.visibleColumns.contains(border) else { return place.visibleColumns }
        for row in place.visibleRows { lines.draw("│", row: row, column: border, .dim) }
        return place.visibleColumns.dropFirst()
    }
}

extension Genre {
    /// The style of a cell in a terminal.
    package var cellStyle: TerminalStyle { TerminalStyle(foreground: CellDrawing.foreground, background: background) }
}

/// Drawing on lines from the top to the bottom. Rows and columns outside them are ignored.
extension [TextLine] {
    /// Draws a text, truncated to the columns. Returns the column after it.
    @discardableResult
    package mutating func draw(_ text: TerminalText, row: Int, in columns: Range<Int>, _ style: TerminalStyle) -> Int {
        guard indices.contains(row) else { return columns.lowerBound }
        return self[row].draw(text, in: columns, style)
    }

    /// Draws a symbol of one column.
    package mutating func draw(_ sign: String, row: Int, column: Int, _ style: TerminalStyle) {
        guard indices.contains(row) else { return }
        self[row].draw(sign, at: column, style)
    }

    /// Draws a vertical line through cells without text; see ``TextLine/overlay(_:at:_:)``.
    package mutating func overlay(_ sign: String, row: Int, column: Int, _ style: TerminalStyle) {
        guard indices.contains(row) else { return }
        self[row].overlay(sign, at: column, style)
    }

    /// Replaces a rectangle with blanks in a style.
    package mutating func fill(_ style: TerminalStyle, rows: Range<Int>, columns: Range<Int>) {
        for row in rows.clamped(to: indices) { self[row].fill(columns, style) }
    }
}
