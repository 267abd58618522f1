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
    private let cells = CellRegistration<RowCell, Row> { cell, _, row in cell.show(row) }
    private let headers = CellRegistration<SectionHeader, String> { view, _, text in view.show(text) }

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
        // Keeps the header above the first row visible.
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

/// What a list cell becomes on a screen: a point is a column or a row.
extension ListCell {
    /// A cell without room around it.
    fileprivate init(_ style: ContentConfiguration.Style, text: String, secondaryText: String = "") {
        var content = ContentConfiguration(style: style)
        content.text = text
        content.secondaryText = secondaryText
        content.margins = .zero
        content.textToSecondaryTextVerticalPadding = 0
        content.minimumHeight = 1
        self.init(content: content, background: .cell(for: .plain))
        layoutMargins = EdgeInsets(leading: 1, trailing: 1)
    }

    /// Places the texts, each in one line.
    fileprivate func layout(columns: Int) -> ListCellLayout {
        layout(width: Double(columns)) { Size(width: Double(DisplayWidth.of($0.text)), height: 1) }
    }

    fileprivate func attributes(fitting attributes: LayoutAttributes) -> LayoutAttributes {
        var preferred = attributes
        let size = layout(columns: Int(attributes.layoutFrame.width)).preferredSize
        preferred.layoutFrame = Rect(origin: attributes.layoutFrame.origin, size: size)
        return preferred
    }

    fileprivate func draw(on screen: inout Screen, at place: CellPlace) {
        let layout = layout(columns: place.columns.count)
        let isSelected = background?.backgroundColor == .selection
        screen.fill(TerminalStyle(isReversed: isSelected), rows: place.visibleRows, columns: place.visibleColumns)
        func draw(_ text: String, _ frame: Rect?, _ properties: TextProperties) {
            guard let frame else { return }
            let row = place.rows.lowerBound + Int(frame.minY)
            guard place.visibleRows.contains(row) else { return }
            let start = place.columns.lowerBound + Int(frame.minX)
            let isPale = properties.color == .secondaryLabel && !isSelected
            screen.draw(
                TerminalText(text), row: row, in: start..<start + Int(frame.width),
                TerminalStyle(isBold: properties.isEmphasized, isDim: isPale, isReversed: isSelected))
        }
        draw(content.text ?? "", layout.textFrame, content.textProperties)
        draw(content.secondaryText ?? "", layout.secondaryTextFrame, content.secondaryTextProperties)
        for placed in layout.accessories {
            draw(placed.accessory.text, placed.frame, CellAccessory.labelProperties)
        }
    }
}

/// A row of a list.
private final class RowCell: ReusableView {
    private var cell = ListCell(.subtitleCell, text: "")

    func show(_ row: ListView.Row) {
        cell = ListCell(.subtitleCell, text: row.title, secondaryText: row.detail)
        cell.content.textProperties.isEmphasized = true
        if !row.accessory.isEmpty { cell.accessories = [.label(row.accessory)] }
    }

    func apply(_ state: CellState) { cell = cell.updated(for: state) }

    func preferredAttributes(fitting attributes: LayoutAttributes) -> LayoutAttributes {
        cell.attributes(fitting: attributes)
    }

    func draw(on screen: inout Screen, at place: CellPlace) { cell.draw(on: &screen, at: place) }
}

/// The header of a section of a list.
private final class SectionHeader: ReusableView {
    private var cell = ListCell(.groupedHeader, text: "")

    func show(_ text: String) {
        cell = ListCell(.groupedHeader, text: text)
        cell.content.textProperties.transform = .none
    }

    func preferredAttributes(fitting attributes: LayoutAttributes) -> LayoutAttributes {
        cell.attributes(fitting: attributes)
    }

    func draw(on screen: inout Screen, at place: CellPlace) { cell.draw(on: &screen, at: place) }
}
