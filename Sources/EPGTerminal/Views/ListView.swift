import CollectionLayout
import CollectionView
import EPGModel
import EPGRender

/// A list of airings under headers: a collection view with the list layout. A row may have children, which are visible while it
/// is open.
final class ListView {
    /// A row: a line in bold, a second line, and a text at the trailing edge.
    struct Row: Hashable {
        /// Identifies the row.
        var id: AiringID
        var title: String
        var detail: String
        var accessory = ""
        /// The rows below it, which are visible while it is open.
        var children: [Row] = []
    }

    /// Rows under a header.
    struct Section: Hashable {
        var header: String
        var rows: [Row]
    }

    /// The content of the cells.
    private final class Content {
        var headers: [String] = []
        var rows: [AiringID: Row] = [:]
        /// Indentation of top-level rows without children: 1 if other rows have a disclosure sign.
        var topLevel = 0
    }

    private let view: CollectionView
    private let content = Content()
    private let source: DiffableDataSource<Int, AiringID>

    /// The focused row; `nil` if there is none.
    private(set) var focus: AiringID?

    /// Creates an empty list.
    init(size: Screen.Size) {
        var configuration = ListConfiguration(appearance: .plain)
        configuration.headerMode = .supplementary
        configuration.headerTopPadding = 0
        configuration.sectionMargins = .zero
        configuration.estimatedRowHeight = 2
        configuration.estimatedHeaderHeight = 1
        view = CollectionView(layout: CompositionalLayout.list(using: configuration))
        view.layoutMargins = .zero
        view.resize(to: size)
        let cells = CellRegistration<ListRowCell, (row: Row, outline: SectionSnapshot<AiringID>)> {
            [content] cell, _, item in
            let (row, outline) = item
            cell.show(
                title: row.title, detail: row.detail, accessory: row.accessory,
                level: (outline.level(of: row.id) ?? 0) + (row.children.isEmpty ? content.topLevel : 0),
                isOpen: row.children.isEmpty ? nil : outline.isExpanded(row.id))
        }
        let headers = SupplementaryRegistration<ListHeaderView>(kind: .header) { [content] header, _, path in
            header.show(content.headers[path.section])
        }
        source = DiffableDataSource(view: view) { [content] view, path, id in
            guard let row = content.rows[id], let source = view.dataSource as? DiffableDataSource<Int, AiringID>
            else { return nil }
            let item = (row, source.snapshot(for: path.section))
            return view.dequeueCell(using: cells, for: path, item: item)
        }
        source.supplementaryProvider = { view, _, path in view.dequeueSupplementary(using: headers, for: path) }
    }

    /// Replaces the rows. All rows are closed, and the first one gets the focus.
    func show(_ sections: [Section]) throws {
        source.applyUsingReloadData(Snapshot())
        try replace(sections, openTitles: [])
        view.contentOffset = .zero
        focus = outlines.lazy.compactMap(\.rootItems.first).first
        showFocus()
    }

    /// Replaces the rows after the guide has changed.
    ///
    /// Open titles stay open. The focus stays on its row. If the row left its section or is hidden, the focus moves to the row with
    /// the same title, or else to the first row. A visible focus keeps its position on the screen; otherwise the first visible row
    /// does.
    func update(_ sections: [Section]) throws {
        let open = outlines.map { outline in
            Set(outline.rootItems.filter(outline.isExpanded).compactMap { content.rows[$0]?.title })
        }
        let (before, section) = (focus, focus.flatMap { source.indexPath(for: $0)?.section })
        let title = focus.flatMap { content.rows[root(of: $0)]?.title }
        let rows = visibleRows
        let anchor = rows.first { $0.id == focus } ?? rows.first
        try replace(sections, openTitles: open)
        let after = focus.flatMap { source.indexPath(for: $0)?.section }
        if after == nil || after != section {
            let roots = outlines.flatMap(\.rootItems)
            let successor = roots.first { content.rows[$0]?.title == title }
            focus = successor ?? (after == nil ? roots.first : focus)
        }
        let isFocusAnchor = anchor.map { $0.id == before } ?? false
        view.select(focus.flatMap { source.indexPath(for: $0) })
        view.layoutIfNeeded()
        if let anchor, let path = (isFocusAnchor ? focus : anchor.id).flatMap({ source.indexPath(for: $0) }),
            let frame = view.attributes(of: .item(path))?.frame
        {
            view.contentOffset = Point(x: 0, y: frame.minY - anchor.distance)
        }
    }

    /// The outline of each section.
    private var outlines: [SectionSnapshot<AiringID>] { content.headers.indices.map(source.snapshot(for:)) }

    /// The rows that are at least partly visible, from the top, with their distances from the upper edge.
    private var visibleRows: [(id: AiringID, distance: Double)] {
        view.layoutIfNeeded()
        return view.visibleElements.compactMap { attributes in
            guard case .item(let path) = attributes.element, let id = source.itemIdentifier(for: path) else {
                return nil
            }
            return (id, attributes.frame.minY - view.contentOffset.y)
        }.sorted { $0.distance < $1.distance }
    }

    /// The parent of a row; for a top-level row, the row itself.
    private func root(of row: AiringID) -> AiringID {
        outlines.lazy.compactMap { $0.parent(of: row) }.first ?? row
    }

    private func replace(_ sections: [Section], openTitles: [Set<String>]) throws {
        var rows: [AiringID: Row] = [:]
        var snapshot = Snapshot<Int, AiringID>()
        var outlines: [Int: SectionSnapshot<AiringID>] = [:]
        // Of a row that occurs twice, the first one is shown.
        func isNew(_ row: Row) -> Bool {
            guard rows[row.id] == nil else { return false }
            rows[row.id] = row
            return true
        }
        for (index, section) in sections.enumerated() {
            var outline = SectionSnapshot<AiringID>()
            for row in section.rows where isNew(row) {
                try outline.append([row.id])
                try outline.append(row.children.filter(isNew).map(\.id), to: row.id)
            }
            let titles = openTitles.indices.contains(index) ? openTitles[index] : []
            try outline.expand(outline.rootItems.filter { titles.contains(rows[$0]?.title ?? "") })
            outlines[index] = outline
            try snapshot.appendSections([index])
            try snapshot.appendItems(outline.visibleItems)
        }
        content.headers = sections.map(\.header)
        content.topLevel = sections.contains { $0.rows.contains { !$0.children.isEmpty } } ? 1 : 0
        content.rows = rows
        try snapshot.reconfigureItems(snapshot.itemIdentifiers.filter { source.indexPath(for: $0) != nil })
        try source.apply(snapshot, outlines: outlines)
        // Section identifiers do not change, so the data source does not reload the headers.
        for (section, text) in content.headers.enumerated() {
            let header = view.supplementaryView(ofKind: .header, at: IndexPath(section: section, item: 0))
            (header as? ListHeaderView)?.show(text)
        }
    }

    func resize(to size: Screen.Size) {
        view.resize(to: size)
        showFocus()
    }

    // MARK: - Focus

    /// Moves the focus by a number of rows within the list.
    func move(by rows: Int) {
        let visible = source.snapshot().itemIdentifiers
        guard let focus, let index = visible.firstIndex(of: focus) else { return }
        self.focus = visible[min(max(0, index + rows), visible.count - 1)]
        showFocus()
    }

    /// Whether any row can be opened.
    var canOpen: Bool { content.topLevel > 0 }

    /// Opens the focused row if it has children.
    func open() throws {
        guard let focus, let section = source.indexPath(for: focus)?.section,
            !source.snapshot(for: section).children(of: focus).isEmpty
        else { return }
        try setOpen(focus, inSection: section, to: true)
    }

    /// Closes the focused row or its parent, which gets the focus.
    func close() throws {
        guard let focus, let section = source.indexPath(for: focus)?.section else { return }
        try setOpen(root(of: focus), inSection: section, to: false)
    }

    private func setOpen(_ row: AiringID, inSection section: Int, to isOpen: Bool) throws {
        var outline = source.snapshot(for: section)
        guard outline.isExpanded(row) != isOpen else { return }
        if isOpen { try outline.expand([row]) } else { try outline.collapse([row]) }
        try source.apply(outline, to: section)
        focus = row
        showFocus()
    }

    /// Focuses the row at a position. A click on the disclosure sign opens or closes the row.
    ///
    /// - Returns: Whether there is a row and the click was not on its disclosure sign.
    func focus(at position: Screen.Position) throws -> Bool {
        guard let path = view.visibleItem(at: position) else { return false }
        focus = source.itemIdentifier(for: path)
        showFocus()
        guard let focus, position.column < 3, content.rows[focus]?.children.isEmpty == false else { return true }
        if source.snapshot(for: path.section).isExpanded(focus) { try close() } else { try open() }
        return false
    }

    func scroll(rows: Int) { view.scroll(rows: rows) }

    func beginDrag(at position: Screen.Position) -> DragSession { view.beginDrag(at: position) }

    private func showFocus() {
        guard let path = focus.flatMap({ source.indexPath(for: $0) }) else { return view.select(nil) }
        view.focus(path, headerRows: 1)
    }

    // MARK: - Drawing

    func draw(on screen: inout Screen, below top: Int, rows: Int) { view.draw(on: &screen, below: top, rows: rows) }
}

/// Drawing of list cells on a screen, where a point is a column or a row.
extension ListCell {
    /// Creates a cell without vertical padding.
    fileprivate init(_ style: ContentConfiguration.Style, text: String, secondaryText: String = "") {
        var content = ContentConfiguration(style: style)
        content.text = text
        content.secondaryText = secondaryText
        content.margins = EdgeInsets(leading: 1, trailing: 1)
        content.textToSecondaryTextVerticalPadding = 0
        content.minimumHeight = 1
        self.init(content: content, background: .cell(for: .plain))
        layoutMargins = EdgeInsets(leading: 1, trailing: 1)
        indentationWidth = 2
    }

    /// Lays out the texts, each on one line.
    fileprivate func layout(columns: Int) -> ListCellLayout {
        layout(width: Double(columns)) { Size(width: Double(DisplayWidth.of($0.text)), height: 1) }
    }

    fileprivate func attributes(fitting attributes: LayoutAttributes) -> LayoutAttributes {
        var preferred = attributes
        let size = layout(columns: Int(attributes.frame.width)).preferredSize
        preferred.frame = Rect(origin: attributes.frame.origin, size: size)
        return preferred
    }

    fileprivate func draw(on lines: inout [TextLine], at place: CellPlace) {
        let layout = layout(columns: place.columns.count)
        let isSelected = background?.backgroundColor == .selection
        lines.fill(TerminalStyle(isReversed: isSelected), rows: place.visibleRows, columns: place.visibleColumns)
        func draw(_ text: String, _ frame: Rect?, _ properties: TextProperties) {
            guard let frame else { return }
            let row = place.rows.lowerBound + Int(frame.minY)
            guard place.visibleRows.contains(row) else { return }
            let start = place.columns.lowerBound + Int(frame.minX)
            let isPale = properties.color == .secondaryLabel && !isSelected
            lines.draw(
                TerminalText(text), row: row, in: start..<start + Int(frame.width),
                TerminalStyle(isBold: properties.isEmphasized, isDim: isPale, isReversed: isSelected))
        }
        draw(content.text ?? "", layout.textFrame, content.textProperties)
        draw(content.secondaryText ?? "", layout.secondaryTextFrame, content.secondaryTextProperties)
        for placed in layout.accessories {
            guard placed.accessory.kind == .outlineDisclosure else {
                draw(placed.accessory.text, placed.frame, CellAccessory.labelProperties)
                continue
            }
            // Beside the first line, not centered between two lines.
            let frame = Rect(x: placed.frame.minX, y: layout.textFrame?.minY ?? 0, width: 1, height: 1)
            draw(state.isExpanded ? "▾" : "▸", frame, CellAccessory.labelProperties)
        }
    }
}

/// A row of a list.
final class ListRowCell: ScreenCell {
    private var cell = ListCell(.subtitleCell, text: "")
    private var isOpen = false

    /// - Parameters:
    ///   - level: The indentation level.
    ///   - isOpen: Whether the row is open; `nil` for a row without children.
    func show(title: String, detail: String = "", accessory: String = "", level: Int = 0, isOpen: Bool? = nil) {
        cell = ListCell(.subtitleCell, text: title, secondaryText: detail)
        cell.content.textProperties.isEmphasized = !detail.isEmpty
        cell.indentationLevel = level
        if !accessory.isEmpty { cell.accessories.append(.label(accessory)) }
        if isOpen != nil {
            var disclosure = CellAccessory.outlineDisclosure()
            disclosure.size = Size(width: 1, height: 1)
            disclosure.placement = .leading
            cell.accessories.append(disclosure)
        }
        self.isOpen = isOpen ?? false
    }

    func apply(_ state: CellState) {
        var state = state
        state.isExpanded = isOpen
        cell = cell.updated(for: state)
    }

    func preferredAttributes(fitting attributes: LayoutAttributes) -> LayoutAttributes {
        cell.attributes(fitting: attributes)
    }

    func draw(on lines: inout [TextLine], at place: CellPlace) { cell.draw(on: &lines, at: place) }
}

/// The header of a section of a list.
final class ListHeaderView: ScreenCell {
    private var cell = ListCell(.groupedHeader, text: "")

    func show(_ text: String) {
        cell = ListCell(.groupedHeader, text: text)
        cell.content.textProperties.transform = .none
    }

    func preferredAttributes(fitting attributes: LayoutAttributes) -> LayoutAttributes {
        cell.attributes(fitting: attributes)
    }

    func draw(on lines: inout [TextLine], at place: CellPlace) { cell.draw(on: &lines, at: place) }
}
