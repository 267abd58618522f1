import CollectionLayout
import CollectionView
import EPGRender

extension CollectionView {
    /// Resizes the view to a screen or a part of it. A point is a column or a row.
    func resize(to size: Screen.Size) {
        let size = Size(width: Double(size.columns), height: Double(size.rows))
        guard size != bounds.size else { return }
        bounds = Rect(origin: contentOffset, size: size)
        // A larger view may reach beyond the end of the content.
        scroll(rows: 0)
    }

    /// Scrolls up or down within the content, which may grow when newly visible cells measure themselves.
    func scroll(rows: Int) {
        let target = contentOffset.y + Double(rows)
        var end: Double
        repeat {
            end = offsetRange(.vertical).upperBound
            contentOffset = Point(x: contentOffset.x, y: target)
            layoutIfNeeded()
        } while target > end && offsetRange(.vertical).upperBound > end
    }

    /// Selects an item, and nothing else.
    ///
    /// - Parameter path: `nil` to select nothing.
    func select(_ path: IndexPath?) {
        deselectItem()
        // Fails only if the item does not exist. Then nothing is selected.
        if let path { try? selectItem(at: path) }
    }

    /// Selects an item, and scrolls until it is visible.
    ///
    /// - Parameter headerRows: The number of rows that a pinned header covers.
    func focus(_ path: IndexPath, headerRows: Int = 0) {
        select(path)
        // Fails only if the item does not exist, or if the screen has no room for it. Then nothing scrolls.
        try? scrollToItem(at: path)
        layoutIfNeeded()
        let header = Double(headerRows)
        if let frame = attributes(of: .item(path))?.frame, frame.minY < contentOffset.y + header {
            contentOffset = Point(x: 0, y: frame.minY - header)
        }
    }

    /// Begins a drag at a position of the mouse.
    func beginDrag(at position: Screen.Position) -> DragSession { beginDrag(at: Point(position)) }

    /// Draws the visible cells and headers, starting at a row of the screen.
    ///
    /// - Parameter columns: The maximum width (default: the screen's).
    func draw(on screen: inout Screen, below top: Int, rows: Int, columns: Int? = nil) {
        layoutIfNeeded()
        let offset = Point(x: contentOffset.x, y: contentOffset.y.rounded() - Double(top))
        let clip = (columns: 0..<(columns ?? screen.size.columns), rows: top..<max(top, top + rows))
        for attributes in visibleElements {
            let place = CellPlace(frame: attributes.frame, offset: offset, clip: clip)
            (reusableView(for: attributes.element) as? any ScreenCell)?.draw(on: &screen.lines, at: place)
        }
    }

    /// Draws an arrow in the lower right corner if more content follows.
    func drawMoreSign(on screen: inout Screen, below top: Int, rows: Int) {
        guard rows > 0, contentOffset.y < offsetRange(.vertical).upperBound else { return }
        screen.lines.draw("↓", row: top + rows - 1, column: screen.size.columns - 1, .dim)
    }

    /// The visible item at a position. Items below a pinned header are not visible.
    func visibleItem(at position: Screen.Position) -> IndexPath? {
        defer { cancelTouch() }
        return beginTouch(at: contentOffset + Point(position))
    }
}

extension Point {
    /// The center of a cell of the screen.
    init(_ position: Screen.Position) {
        self.init(x: Double(position.column) + 0.5, y: Double(position.row) + 0.5)
    }
}

/// A cell or header that draws itself from its content alone.
protocol ScreenCell: ReusableView {
    func draw(on lines: inout [TextLine], at place: CellPlace)
}

/// A line of text above other elements.
final class TitleView: ScreenCell {
    var text = ""

    func draw(on lines: inout [TextLine], at place: CellPlace) {
        guard let row = place.visibleRows.first else { return }
        // Covers content that scrolls below a pinned title.
        lines.fill(.normal, rows: place.visibleRows, columns: place.visibleColumns)
        lines.draw(TerminalText(text), row: row, in: place.visibleColumns.dropFirst(), TerminalStyle(isBold: true))
    }
}
