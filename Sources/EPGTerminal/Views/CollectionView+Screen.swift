import CollectionLayout
import CollectionView
import EPGRender

/// Where a screen shows an element of a collection view, in columns and rows of the screen.
struct CellPlace {
    /// The frame, which may extend beyond the screen.
    let columns: Range<Int>
    let rows: Range<Int>
    /// The part of the frame that is drawn.
    let visibleColumns: Range<Int>
    let visibleRows: Range<Int>

    /// - Parameters:
    ///   - frame: In content coordinates, a point for each column and row.
    ///   - offset: From the content's origin to that of the screen.
    ///   - clip: What of the screen the element may cover.
    init(frame: Rect, offset: Point, clip: (columns: Range<Int>, rows: Range<Int>)) {
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

extension CollectionView {
    /// Takes the size of a screen or of a part of it: a point is a column or a row.
    func resize(to size: Screen.Size) {
        let size = Size(width: Double(size.columns), height: Double(size.rows))
        guard size != bounds.size else { return }
        bounds = Rect(origin: contentOffset, size: size)
        // Where it grew, the end of the content may have moved into sight.
        scroll(rows: 0)
    }

    /// Scrolls up or down, as far as there is content, which may grow while cells that come into sight measure themselves.
    func scroll(rows: Int) {
        let target = contentOffset.y + Double(rows)
        var end: Double
        repeat {
            end = offsetRange(.vertical).upperBound
            contentOffset = Point(x: contentOffset.x, y: target)
            layoutIfNeeded()
        } while target > end && offsetRange(.vertical).upperBound > end
    }

    /// Draws the visible cells and headers from a row of a screen on.
    ///
    /// - Parameter columns: The width that they may cover; the screen's by default.
    func draw(on screen: inout Screen, below top: Int, rows: Int, columns: Int? = nil) {
        layoutIfNeeded()
        let offset = Point(x: contentOffset.x, y: contentOffset.y.rounded() - Double(top))
        let clip = (columns: 0..<(columns ?? screen.size.columns), rows: top..<max(top, top + rows))
        for attributes in visibleElements {
            let place = CellPlace(frame: attributes.frame, offset: offset, clip: clip)
            (reusableView(for: attributes.element) as? any ScreenCell)?.draw(on: &screen, at: place)
        }
    }

    /// Draws a sign in the lower right corner if content follows.
    func drawMoreSign(on screen: inout Screen, below top: Int, rows: Int) {
        guard rows > 0, contentOffset.y < offsetRange(.vertical).upperBound else { return }
        screen.draw("↓", row: top + rows - 1, column: screen.size.columns - 1, .dim)
    }

    /// The item that can be seen at a position: none where a pinned header covers one.
    func visibleItem(at position: Screen.Position) -> IndexPath? {
        let point = Point(
            x: contentOffset.x + Double(position.column) + 0.5, y: contentOffset.y + Double(position.row) + 0.5)
        defer { cancelTouch() }
        return beginTouch(at: point)
    }
}

/// A cell or header that needs nothing but its content to be drawn.
protocol ScreenCell: ReusableView {
    func draw(on screen: inout Screen, at place: CellPlace)
}

/// A line of text above other elements.
final class TitleView: ScreenCell {
    var text = ""

    func draw(on screen: inout Screen, at place: CellPlace) {
        guard let row = place.visibleRows.first else { return }
        // What scrolls below a pinned title does not show through.
        screen.fill(.normal, rows: place.visibleRows, columns: place.visibleColumns)
        screen.draw(TerminalText(text), row: row, in: place.visibleColumns.dropFirst(), TerminalStyle(isBold: true))
    }
}
