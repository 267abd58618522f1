import CollectionLayout
import CollectionView
import EPGCalendar
import EPGModel
import EPGRender

/// The context in which the cells of a grid draw.
struct CellContext {
    let drawing: CellDrawing
    /// The focused row.
    let focusedRow: Int?
    /// The focused airing; `nil` for a gap.
    let focusedAiring: AiringID?
    let favorites: Set<StationID>
}

/// A cell or supplementary view that draws itself on lines of text.
protocol TerminalCell: ReusableView {
    func draw(on lines: inout [TextLine], at place: CellPlace, in context: CellContext)
}

/// The cell of an airing: title, then times and subtitle, in the color of its genre.
final class AiringCell: TerminalCell {
    var airing: Airing?
    private var isFocused = false

    func prepareForReuse() { airing = nil }

    func apply(_ state: CellState) { isFocused = state.isSelected }

    func draw(on lines: inout [TextLine], at place: CellPlace, in context: CellContext) {
        guard let airing else { return }
        context.drawing.draw(airing, isFocused: isFocused, on: &lines, at: place)
    }
}

/// The cell of several airings that are too short for a title.
final class ClusterCell: TerminalCell {
    var airings: [Airing] = []

    func draw(on lines: inout [TextLine], at place: CellPlace, in context: CellContext) {
        let inside = CellDrawing.drawBorder(on: &lines, at: place)
        guard let row = place.visibleRows.first, !inside.isEmpty else { return }
        let isPast = airings.last.map { last in context.drawing.now.map { last.window.end <= $0 } ?? false } ?? false
        let isFocused = airings.contains { $0.id == context.focusedAiring }
        let look = TerminalStyle(isDim: isPast, isReversed: isFocused)
        lines.fill(look, rows: place.visibleRows, columns: inside)
        lines.draw(TerminalText("\(airings.count)×"), row: row, in: inside, look)
    }
}

/// The head of a row: the channel's number and the station's name.
final class StationCell: TerminalCell {
    var station: StationRow?
    /// The row of the grid, from 0.
    var gridRow = 0

    func draw(on lines: inout [TextLine], at place: CellPlace, in context: CellContext) {
        guard let station else { return }
        let number = (station.channelNumber ?? station.station.number)?.description
        let name = station.station.name
        let isFocused = gridRow == context.focusedRow
        let isFavorite = context.favorites.contains(station.station.id)
        guard place.visibleRows.contains(place.rows.lowerBound) else { return }
        let row = place.rows.lowerBound
        let look = TerminalStyle(isBold: isFocused)
        lines.fill(.normal, rows: place.visibleRows, columns: place.visibleColumns)
        var column = place.columns.lowerBound
        if isFocused { lines.draw("▌", row: row, column: column, TerminalStyle(isBold: true)) }
        column += 1
        let end = place.columns.upperBound - 1
        guard column < end else { return }
        if isFavorite { lines.draw("★", row: row, column: end, TerminalStyle(isBold: true)) }
        if let number, place.rows.count == 1 {
            column = lines.draw(TerminalText(number), row: row, in: column..<end, .dim) + 1
        }
        if column < end { lines.draw(TerminalText(name), row: row, in: column..<end, look) }
        if let number, place.visibleRows.contains(row + 1) {
            lines.draw(TerminalText(number), row: row + 1, in: place.columns.lowerBound + 1..<end, .dim)
        }
    }
}

/// The label of an hour or half hour above its column, or the day in the corner.
final class HeaderCell: TerminalCell {
    var label = ""
    var look = TerminalStyle.normal
    /// Whether a tick marks the instant.
    var hasTick = true

    func draw(on lines: inout [TextLine], at place: CellPlace, in context: CellContext) {
        guard let row = place.visibleRows.first, !place.visibleColumns.isEmpty else { return }
        lines.fill(.normal, rows: place.visibleRows, columns: place.visibleColumns)
        let start = place.columns.lowerBound
        if hasTick, place.visibleColumns.contains(start) { lines.draw("│", row: row, column: start, .dim) }
        let text = TerminalText(label)
        let room = (max(start + 1, place.visibleColumns.lowerBound))..<max(start + 1, place.visibleColumns.upperBound)
        // A truncated label could be mistaken for another time.
        if !hasTick || text.width <= room.count { lines.draw(text, row: row, in: room, look) }
    }
}

/// A gap without listings.
final class GapCell: TerminalCell {
    var isFocused = false

    func draw(on lines: inout [TextLine], at place: CellPlace, in context: CellContext) {
        CellDrawing.drawGap(isFocused: isFocused, on: &lines, at: place)
    }
}

/// The now-line, drawn over other cells.
final class NowLine: TerminalCell {
    func draw(on lines: inout [TextLine], at place: CellPlace, in context: CellContext) {
        CellDrawing.drawNowLine(on: &lines, at: place)
    }
}
