import CollectionLayout
import CollectionView
import EPGRender

/// The help: keys and their actions by topic, in as many columns as fit. A collection view with a self-sizing flow layout.
final class HelpView: CollectionViewDataSource {
    /// The keys of an action and its description.
    private typealias Entry = (keys: String, text: String)

    private let view: CollectionView
    private let topics: [(title: String, entries: [Entry])]
    /// The width at which all entries fit on one line.
    private let entryWidth: Int
    private let cells: CellRegistration<HelpCell, Entry>
    private let headers = CellRegistration<TitleView, String> { header, _, title in header.text = title }

    init(_ bindings: KeyBindings, size: Screen.Size) {
        let actions = BrowserAction.Topic.allCases.map { topic in
            (topic.title, BrowserAction.allCases.filter { $0.topic == topic && !bindings.keys(of: $0).isEmpty })
        }
        topics = actions.filter { !$0.1.isEmpty }.map { title, actions in
            let entries = actions.map { action in
                let signs = bindings.keys(of: action).map { KeyPress.sign(ofKeyNamed: $0) }
                return (keys: signs.joined(separator: " "), text: action.help)
            }
            return (title, entries)
        }
        let entries = topics.flatMap(\.entries)
        let width = entries.map { DisplayWidth.of($0.keys) }.max() ?? 0
        entryWidth = (entries.map { DisplayWidth.of($0.text) }.max() ?? 0) + width + HelpCell.margins
        cells = CellRegistration { cell, _, entry in
            (cell.keys, cell.text, cell.keyWidth) = (entry.keys, entry.text, width)
        }
        var layout = FlowLayout()
        layout.minimumLineSpacing = 0
        layout.minimumInteritemSpacing = 0
        layout.rowAlignment = .leading
        layout.headerReferenceSize = Size(width: 0, height: 1)
        layout.sectionInset = EdgeInsets(bottom: 1)
        view = CollectionView(layout: layout)
        view.layoutMargins = .zero
        view.dataSource = self
        resize(to: size)
    }

    func resize(to size: Screen.Size) {
        view.changeLayout(FlowLayout.self) { layout in
            let columns = max(1, size.columns / entryWidth)
            layout.estimatedItemSize = Size(width: Double(size.columns / columns), height: 1)
            return .everything
        }
        view.resize(to: size)
    }

    func scroll(rows: Int) { view.scroll(rows: rows) }

    func beginDrag(at position: Screen.Position) -> DragSession { view.beginDrag(at: position) }

    func draw(on screen: inout Screen, below top: Int, rows: Int) {
        view.draw(on: &screen, below: top, rows: rows)
        view.drawMoreSign(on: &screen, below: top, rows: rows)
    }

    // MARK: - Data source

    func numberOfSections(in view: CollectionView) -> Int { topics.count }

    func collectionView(_ view: CollectionView, numberOfItemsInSection section: Int) -> Int {
        topics[section].entries.count
    }

    func collectionView(_ view: CollectionView, cellForItemAt path: IndexPath) -> (any ReusableView)? {
        view.dequeueCell(using: cells, for: path, item: topics[path.section].entries[path.item])
    }

    func collectionView(
        _ view: CollectionView, viewForSupplementaryElementOfKind kind: ElementKind, at path: IndexPath
    ) -> (any ReusableView)? {
        view.dequeueCell(using: headers, for: path, item: topics[path.section].title)
    }
}

/// The keys of an action with its description beside them.
private final class HelpCell: ScreenCell {
    var keys = ""
    var text = ""
    /// The width of the widest keys.
    var keyWidth = 0

    /// One blank before the keys, three after them, and one after the text.
    static let margins = 5

    private func texts(columns: Int) -> [String] {
        Paragraph.lines(of: text, columns: max(10, columns - keyWidth - HelpCell.margins))
    }

    func preferredAttributes(fitting attributes: LayoutAttributes) -> LayoutAttributes {
        let frame = attributes.frame
        var preferred = attributes
        preferred.frame = Rect(
            x: frame.minX, y: frame.minY, width: frame.width, height: Double(texts(columns: Int(frame.width)).count))
        return preferred
    }

    func draw(on lines: inout [TextLine], at place: CellPlace) {
        let (first, start) = (place.rows.lowerBound, place.columns.lowerBound)
        if place.visibleRows.contains(first) {
            lines.draw(
                TerminalText(keys), row: first, in: start + 1..<start + 1 + keyWidth, TerminalStyle(isBold: true))
        }
        for (row, line) in zip(place.rows, texts(columns: place.columns.count)) where place.visibleRows.contains(row) {
            let column = start + keyWidth + HelpCell.margins - 1
            lines.draw(TerminalText(line), row: row, in: column..<max(column, place.columns.upperBound), .normal)
        }
    }
}
