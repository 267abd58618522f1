import CollectionLayout
import CollectionView
import EPGRender

/// A list of rows under headers: a collection view with the list layout.
final class ListView: CollectionViewDataSource {
    /// A row: a line in bold, a second line, and a sign at the trailing edge.
    struct Row: Hashable {
        var title: String
        var detail: String
        var accessory = ""
    }

    /// Rows under a header.
    struct Section: Hashable {
        var header: String
        var rows: [Row]
    }

    private let view: CollectionView
    private var sections: [Section] = []
    private let cells = CellRegistration<RowCell, Row> { cell, _, row in cell.row = row }
    private let headers = CellRegistration<SectionHeader, String> { view, _, text in view.text = text }

    /// The row that has the focus; `nil` if there is none.
    private(set) var focus: IndexPath?

    /// An empty list.
    init(size: Screen.Size) {
        var configuration = ListConfiguration(appearance: .plain)
        configuration.headerMode = .supplementary
        configuration.showsSeparators = false
        configuration.headerTopPadding = 0
        configuration.sectionMargins = .zero
        configuration.estimatedRowHeight = 2
        configuration.estimatedHeaderHeight = 1
        view = CollectionView(layout: CompositionalLayout.list(using: configuration), bounds: ListView.bounds(size))
        view.layoutMargins = .zero
        view.dataSource = self
    }

    private static func bounds(_ size: Screen.Size) -> Rect {
        Rect(x: 0, y: 0, width: Double(size.columns), height: Double(size.rows))
    }

    /// Replaces the rows; the focus goes to the first one.
    func show(_ sections: [Section]) {
        self.sections = sections
        view.reloadData()
        view.contentOffset = .zero
        focus = sections.firstIndex { !$0.rows.isEmpty }.map { IndexPath(section: $0, item: 0) }
        showFocus()
    }

    func resize(to size: Screen.Size) {
        view.bounds = Rect(origin: view.contentOffset, size: ListView.bounds(size).size)
        showFocus()
    }

    /// Moves the focus by some rows, as far as there are any.
    func move(by rows: Int) {
        let paths = sections.indices.flatMap { section in
            sections[section].rows.indices.map { IndexPath(section: section, item: $0) }
        }
        guard let focus, let index = paths.firstIndex(of: focus) else { return }
        self.focus = paths[min(max(0, index + rows), paths.count - 1)]
        showFocus()
    }

    /// Focuses the row at a position.
    ///
    /// - Returns: Whether there is one.
    func focus(at position: Screen.Position) -> Bool {
        let point = Point(
            x: view.contentOffset.x + Double(position.column) + 0.5,
            y: view.contentOffset.y + Double(position.row) + 0.5)
        guard let path = view.indexPathForItem(at: point) else { return false }
        focus = path
        showFocus()
        return true
    }

    func scroll(rows: Int) {
        view.contentOffset = Point(x: 0, y: view.contentOffset.y + Double(rows))
    }

    private func showFocus() {
        guard let focus else { return view.deselectAllItems() }
        try? view.selectItem(at: focus)
        try? view.scrollToItem(at: focus)
        // The header above the first row is worth seeing.
        if focus == IndexPath(section: 0, item: 0) { view.contentOffset = .zero }
    }

    func draw(on screen: inout Screen, below top: Int, rows: Int) {
        view.layoutIfNeeded()
        let offset = Point(x: view.contentOffset.x, y: view.contentOffset.y - Double(top))
        let clip = (columns: 0..<screen.size.columns, rows: top..<top + rows)
        for attributes in view.visibleElements {
            let place = CellPlace(frame: attributes.frame, offset: offset, clip: clip)
            switch attributes.element {
            case .item(let path): (view.cell(at: path) as? RowCell)?.draw(on: &screen, at: place)
            case .supplementary(let kind, let path):
                (view.supplementaryView(ofKind: kind, at: path) as? SectionHeader)?.draw(on: &screen, at: place)
            case .decoration: continue
            }
        }
    }

    // MARK: - Data source

    func numberOfSections(in view: CollectionView) -> Int { sections.count }

    func collectionView(_ view: CollectionView, numberOfItemsInSection section: Int) -> Int {
        sections[section].rows.count
    }

    func collectionView(_ view: CollectionView, cellForItemAt path: IndexPath) -> (any ReusableView)? {
        view.dequeueCell(using: cells, for: path, item: sections[path.section].rows[path.item])
    }

    func collectionView(
        _ view: CollectionView, viewForSupplementaryElementOfKind kind: ElementKind, at path: IndexPath
    ) -> (any ReusableView)? {
        view.dequeueCell(using: headers, for: path, item: sections[path.section].header)
    }
}

/// A row of a list.
private final class RowCell: ReusableView {
    var row = ListView.Row(title: "", detail: "")
    private var isFocused = false

    func apply(_ state: CellState) { isFocused = state.isSelected }

    func preferredAttributes(fitting attributes: LayoutAttributes) -> LayoutAttributes {
        var preferred = attributes
        preferred.layoutFrame = Rect(
            origin: attributes.layoutFrame.origin,
            size: Size(width: attributes.layoutFrame.width, height: row.detail.isEmpty ? 1 : 2))
        return preferred
    }

    func draw(on screen: inout Screen, at place: CellPlace) {
        let look = TerminalStyle(isReversed: isFocused)
        screen.fill(look, rows: place.visibleRows, columns: place.visibleColumns)
        let accessory = TerminalText(row.accessory)
        let end = place.columns.upperBound - 1 - accessory.width
        let room = place.columns.lowerBound + 1..<max(place.columns.lowerBound + 1, end)
        let first = place.rows.lowerBound
        if place.visibleRows.contains(first) {
            screen.draw(
                TerminalText(row.title), row: first, in: room, TerminalStyle(isBold: true, isReversed: isFocused))
            screen.draw(accessory, row: first, in: end..<place.columns.upperBound, look)
        }
        if place.visibleRows.contains(first + 1) {
            screen.draw(
                TerminalText(row.detail), row: first + 1, in: room,
                TerminalStyle(isDim: !isFocused, isReversed: isFocused))
        }
    }
}

/// The header of a section of a list.
private final class SectionHeader: ReusableView {
    var text = ""

    func preferredAttributes(fitting attributes: LayoutAttributes) -> LayoutAttributes {
        var preferred = attributes
        preferred.layoutFrame = Rect(
            origin: attributes.layoutFrame.origin, size: Size(width: attributes.layoutFrame.width, height: 1))
        return preferred
    }

    func draw(on screen: inout Screen, at place: CellPlace) {
        guard let row = place.visibleRows.first else { return }
        screen.fill(.normal, rows: place.visibleRows, columns: place.visibleColumns)
        screen.draw(
            TerminalText(text), row: row, in: place.visibleColumns.dropFirst(), TerminalStyle(foreground: 244))
    }
}
