import CollectionLayout
import CollectionView
import EPGCalendar
import EPGModel
import EPGRender

/// The drawing context of all cells of a grid.
struct GridStyle {
    let now: Instant
    let zone: Zone
    let clock: ClockStyle
    /// The focused row.
    let focusedRow: Int?
    /// The focused airing; `nil` for a gap.
    let focusedAiring: AiringID?
    let favorites: Set<StationID>
}

/// A cell or supplementary view that draws itself on a screen.
protocol TerminalCell: ReusableView {
    func draw(on screen: inout Screen, at place: CellPlace, in style: GridStyle)
}

/// The cell of an airing: title, then times and sub-title, in the color of its genre.
final class AiringCell: TerminalCell {
    var airing: Airing?
    private var isFocused = false

    func prepareForReuse() { airing = nil }

    func apply(_ state: CellState) { isFocused = state.isSelected }

    func draw(on screen: inout Screen, at place: CellPlace, in style: GridStyle) {
        guard let airing, !place.visibleRows.isEmpty else { return }
        guard !place.columns.isEmpty else {
            // The airing is narrower than a column.
            for row in place.visibleRows { screen.draw("║", row: row, column: place.columns.lowerBound, .dim) }
            return
        }
        let genre = airing.drawnGenre
        var look = TerminalStyle()
        if let genre { look = TerminalStyle(foreground: TextGrid.cellForeground, background: genre.background) }
        look.isDim = airing.window.end <= style.now
        look.isReversed = isFocused
        let inside = GridCell.drawBorder(on: &screen, at: place)
        guard !inside.isEmpty else { return }
        screen.fill(look, rows: place.visibleRows, columns: inside)
        var room = inside
        let hasMargins = inside.count >= 8
        if place.visibleColumns.lowerBound > place.columns.lowerBound {
            screen.draw("◂", row: place.visibleRows.lowerBound, column: inside.lowerBound, look)
            room = room.dropFirst()
        } else if hasMargins {
            room = room.dropFirst()
        }
        if place.visibleColumns.upperBound < place.columns.upperBound, inside.count > 2 {
            screen.draw("▸", row: place.visibleRows.lowerBound, column: inside.upperBound - 1, look)
            room = room.dropLast()
        } else if hasMargins {
            room = room.dropLast()
        }
        drawTexts(of: airing, genre: genre, on: &screen, at: place, in: room, look, style)
    }

    private func drawTexts(
        of airing: Airing, genre: Genre?, on screen: inout Screen, at place: CellPlace, in room: Range<Int>,
        _ look: TerminalStyle, _ style: GridStyle
    ) {
        let first = place.rows.lowerBound
        if place.visibleRows.contains(first) {
            var titleLook = look
            titleLook.isBold = airing.window.contains(style.now)
            // The second line marks derived listings, if there is one.
            let mark = place.rows.count == 1 && airing.marks.contains(.derived) ? "~" : ""
            let end = screen.draw(TerminalText(mark + airing.shownTitle), row: first, in: room, titleLook)
            if let genre, end + 2 <= room.upperBound {
                screen.draw(genre.sign, row: first, column: room.upperBound - 1, look)
            }
        }
        if place.visibleRows.contains(first + 1) {
            screen.draw(secondLine(of: airing, columns: room.count, style), row: first + 1, in: room, look)
        }
    }

    /// The times and the sub-title, shortened to fit: `20:00–20:45 · Pilot`, `20:00–20:45` or `20:00`.
    private func secondLine(of airing: Airing, columns: Int, _ style: GridStyle) -> TerminalText {
        let start = style.zone.timeLabel(at: airing.window.start, clock: style.clock)
        let times = TerminalText(AiringTimes(airing, in: style.zone, style.clock).text)
        guard times.width <= columns else {
            let alone = TerminalText((airing.marks.contains(.derived) ? "~" : "") + start)
            return alone.width <= columns ? alone : TerminalText("")
        }
        guard let subtitle = airing.subtitle, times.width + 7 <= columns else { return times }
        return TerminalText(AiringTimes(airing, in: style.zone, style.clock).text + " · " + subtitle)
    }
}

/// The cell of several airings that are too short for a title.
final class ClusterCell: TerminalCell {
    var airings: [Airing] = []

    func draw(on screen: inout Screen, at place: CellPlace, in style: GridStyle) {
        let inside = GridCell.drawBorder(on: &screen, at: place)
        guard let row = place.visibleRows.first, !inside.isEmpty else { return }
        let isPast = airings.last.map { $0.window.end <= style.now } ?? false
        let isFocused = airings.contains { $0.id == style.focusedAiring }
        let look = TerminalStyle(isDim: isPast, isReversed: isFocused)
        screen.fill(look, rows: place.visibleRows, columns: inside)
        screen.draw(TerminalText("\(airings.count)×"), row: row, in: inside, look)
    }
}

/// The head of a row: the channel's number and the station's name.
final class StationCell: TerminalCell {
    var station: StationRow?
    /// The row of the grid, from 0.
    var gridRow = 0

    func draw(on screen: inout Screen, at place: CellPlace, in style: GridStyle) {
        guard let station else { return }
        let number = (station.channelNumber ?? station.station.number)?.description
        let name = station.station.name
        let isFocused = gridRow == style.focusedRow
        let isFavorite = style.favorites.contains(station.station.id)
        guard place.visibleRows.contains(place.rows.lowerBound) else { return }
        let row = place.rows.lowerBound
        let look = TerminalStyle(isBold: isFocused)
        screen.fill(.normal, rows: place.visibleRows, columns: place.visibleColumns)
        var column = place.columns.lowerBound
        if isFocused { screen.draw("▌", row: row, column: column, TerminalStyle(isBold: true)) }
        column += 1
        let end = place.columns.upperBound - 1
        guard column < end else { return }
        if isFavorite { screen.draw("★", row: row, column: end, TerminalStyle(isBold: true)) }
        if let number, place.rows.count == 1 {
            column = screen.draw(TerminalText(number), row: row, in: column..<end, .dim) + 1
        }
        if column < end { screen.draw(TerminalText(name), row: row, in: column..<end, look) }
        if let number, place.visibleRows.contains(row + 1) {
            screen.draw(TerminalText(number), row: row + 1, in: place.columns.lowerBound + 1..<end, .dim)
        }
    }
}

/// The label of an hour or half hour above its column, or the day in the corner.
final class HeaderCell: TerminalCell {
    var label = ""
    var look = TerminalStyle.normal
    /// Whether a tick marks the instant.
    var hasTick = true

    func draw(on screen: inout Screen, at place: CellPlace, in style: GridStyle) {
        guard let row = place.visibleRows.first, !place.visibleColumns.isEmpty else { return }
        screen.fill(.normal, rows: place.visibleRows, columns: place.visibleColumns)
        let start = place.columns.lowerBound
        if hasTick, place.visibleColumns.contains(start) { screen.draw("│", row: row, column: start, .dim) }
        let text = TerminalText(label)
        let room = (max(start + 1, place.visibleColumns.lowerBound))..<max(start + 1, place.visibleColumns.upperBound)
        // A truncated label could be mistaken for another time.
        if !hasTick || text.width <= room.count { screen.draw(text, row: row, in: room, look) }
    }
}

/// Drawing shared by cells of the grid.
enum GridCell {
    /// Draws the line at the start of a cell, if it is visible.
    ///
    /// - Returns: The visible columns of the cell without the line.
    static func drawBorder(on screen: inout Screen, at place: CellPlace) -> Range<Int> {
        let border = place.columns.lowerBound
        guard place.visibleColumns.contains(border) else { return place.visibleColumns }
        for row in place.visibleRows { screen.draw("│", row: row, column: border, .dim) }
        return place.visibleColumns.dropFirst()
    }
}

/// A gap without listings.
final class GapCell: TerminalCell {
    var isFocused = false

    func draw(on screen: inout Screen, at place: CellPlace, in style: GridStyle) {
        let inside = GridCell.drawBorder(on: &screen, at: place)
        let look = TerminalStyle(isDim: !isFocused, isReversed: isFocused)
        if isFocused { screen.fill(look, rows: place.visibleRows, columns: inside) }
        for row in place.visibleRows {
            for column in inside where column.isMultiple(of: 2) { screen.draw("·", row: row, column: column, look) }
        }
    }
}

/// The now-line, drawn over other cells.
final class NowLine: TerminalCell {
    func draw(on screen: inout Screen, at place: CellPlace, in style: GridStyle) {
        guard let column = place.visibleColumns.first else { return }
        for row in place.visibleRows { screen.overlay("┃", row: row, column: column, TextGrid.nowLine) }
    }
}

/// The times of an airing: `20:00–20:45`, with a question mark if the stop was inferred, and a tilde if the airing was derived.
struct AiringTimes {
    let text: String

    init(_ airing: Airing, in zone: Zone, _ clock: ClockStyle) {
        let start = zone.timeLabel(at: airing.window.start, clock: clock)
        let stop = zone.timeLabel(at: airing.window.end, clock: clock)
        text = "\(airing.marks.contains(.derived) ? "~" : "")\(start)–\(stop)\(airing.isStopInferred ? "?" : "")"
    }
}
