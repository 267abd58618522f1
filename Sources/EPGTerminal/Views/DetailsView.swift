import CollectionLayout
import CollectionView
import EPGCalendar
import EPGModel
import EPGRender

/// The details of an airing: a collection view of texts, tags, and other showings, which can be focused.
final class DetailsView: CollectionViewDataSource {
    private enum Section {
        /// Texts that wrap to the width of a terminal.
        case texts([(Terminal) -> String])
        case tags([String])
        case showings([SearchMatch])
    }

    let airing: Airing
    /// The picture. Scrolling hides it.
    var picture: DetailsPicture
    private let sections: [Section]
    private let showings: [SearchMatch]
    private let view: CollectionView
    private var focus: Int?
    /// Number of rows above the texts that the picture took in the last drawing.
    private var pictureRows = 0
    private let texts = CellRegistration<TextCell, (text: (Terminal) -> String, isBold: Bool)> { cell, _, content in
        (cell.text, cell.isBold) = content
    }
    private let tags = CellRegistration<TagCell, (tag: String, genre: Genre?)> { cell, _, item in
        (cell.tag, cell.genre) = item
    }
    private let rows = CellRegistration<ListRowCell, String> { cell, _, text in cell.show(title: text) }
    private let headers = SupplementaryRegistration<ListHeaderView>(kind: .header) { header, _, _ in
        header.show("Other showings")
    }
    private let clock: GuideClock

    init(_ detail: AiringDetail, showings: [SearchMatch], picture: DetailsPicture, clock: GuideClock, size: Screen.Size)
    {
        airing = detail.airing
        self.showings = showings
        self.picture = picture
        self.clock = clock
        let texts = AiringDetailText(detail, clock: clock)
        let tags = DetailsView.tags(of: detail)
        let fields = texts.untaggedFields
        let description = texts.description.map { text in
            { (terminal: Terminal) in Paragraph.text(of: text, indent: 0, terminal: terminal) }
        }
        let all: [Section] = [
            .texts([texts.heading]), .tags(tags), .texts([texts.time.text]), .texts([description].compactMap(\.self)),
            .texts(fields.isEmpty ? [] : [fields.text]), .texts([texts.origin.text]), .showings(showings),
        ]
        let sections = all.filter { DetailsView.count(of: $0) > 0 }
        self.sections = sections
        view = CollectionView(layout: DetailsView.layout(of: sections))
        view.layoutMargins = .zero
        view.resize(to: size)
        view.dataSource = self
    }

    private static func layout(of sections: [Section]) -> CompositionalLayout {
        CompositionalLayout(configuration: LayoutConfiguration(interSectionSpacing: 1)) { index, environment in
            if case .tags = sections[index] { return tagSection }
            var configuration = ListConfiguration(appearance: .plain)
            configuration.headerTopPadding = 0
            configuration.sectionMargins = .zero
            configuration.estimatedRowHeight = 1
            configuration.estimatedHeaderHeight = 1
            if case .showings = sections[index] { configuration.headerMode = .supplementary }
            return .list(using: configuration, layoutEnvironment: environment)
        }
    }

    /// A section of tags in lines, with as many tags per line as fit.
    private static var tagSection: LayoutSection {
        let tag = LayoutItem(layoutSize: LayoutSize(widthDimension: .estimated(12), heightDimension: .absolute(1)))
        let line = LayoutGroup.horizontal(
            layoutSize: LayoutSize(widthDimension: .fractionalWidth(1), heightDimension: .absolute(1)),
            subitems: [tag], interItemSpacing: .fixed(1))
        var section = LayoutSection(group: line)
        section.contentInsets = EdgeInsets(leading: 1, trailing: 1)
        return section
    }

    /// The episode, the year, the marks of the airing, categories and keywords, without duplicates.
    private static func tags(of detail: AiringDetail) -> [String] {
        let (programme, marks) = (detail.programme, detail.airing.marks)
        let special = [
            (marks.contains(.new), "New"), (marks.contains(.live), "Live"), (marks.contains(.premiere), "Premiere"),
            (programme.lastChance != nil, "Last chance"), (marks.contains(.repeated), "Repeat"),
            (marks.contains(.derived), "Derived"),
        ]
        let all =
            [AiringText(detail.airing).episode, programme.date.map { String($0.prefix(4)) }].compactMap(\.self)
            + special.filter(\.0).map(\.1) + (programme.categories + programme.keywords).map(\.text)
        var known: Set<String> = []
        return all.filter { !$0.isEmpty && known.insert($0.lowercased()).inserted }
    }

    private static func count(of section: Section) -> Int {
        switch section {
        case .texts(let texts): texts.count
        case .tags(let tags): tags.count
        case .showings(let showings): showings.count
        }
    }

    /// Replaces the details of an older version of the guide: adopts the scroll position, the picture, and the focus if its
    /// showing still exists.
    func replace(_ old: DetailsView) {
        picture = old.picture
        view.resize(to: Screen.Size(columns: Int(old.view.bounds.width), rows: Int(old.view.bounds.height)))
        view.scroll(rows: Int(old.view.contentOffset.y))
        focus = old.focusedShowing.flatMap { focused in showings.firstIndex { $0.airing.id == focused.id } }
        showFocus()
    }

    // MARK: - Focus and scrolling

    /// The focused showing.
    var focusedShowing: Airing? { focus.map { showings[$0].airing } }

    /// Moves the focus to the showing above or below, or scrolls a row if that showing is not visible.
    func move(by step: Int) {
        let next =
            focus.map { $0 + step } ?? (step > 0 ? showings.indices.first(where: isVisible) ?? 0 : -1)
        if !isVisible(next) { scroll(rows: step) }
        if isVisible(next) { focus = next }
        showFocus()
    }

    func scroll(rows: Int) {
        let before = view.contentOffset
        view.scroll(rows: rows)
        if view.contentOffset != before { picture.hide() }
        if let focus, !isVisible(focus) { self.focus = nil }
        showFocus()
    }

    /// Begins a drag, which hides the picture if the texts can scroll.
    func beginDrag(at position: Screen.Position) -> DragSession {
        let range = view.offsetRange(.vertical)
        if range.lowerBound < range.upperBound { picture.hide() }
        return view.beginDrag(at: position)
    }

    /// Focuses the showing at a position.
    ///
    /// - Returns: Whether there is a showing.
    func focus(at position: Screen.Position) -> Bool {
        let place = Screen.Position(column: position.column, row: position.row - pictureRows)
        guard place.row >= 0, let path = view.visibleItem(at: place), case .showings = sections[path.section] else {
            return false
        }
        focus = path.item
        showFocus()
        return true
    }

    private func path(of showing: Int) -> IndexPath { IndexPath(section: sections.count - 1, item: showing) }

    private func isVisible(_ showing: Int) -> Bool {
        guard showings.indices.contains(showing) else { return false }
        view.layoutIfNeeded()
        guard let frame = view.attributes(of: .item(path(of: showing)))?.frame else { return false }
        // A pinned header covers the first row.
        return frame.minY > view.contentOffset.y && frame.maxY <= view.bounds.maxY
    }

    private func showFocus() { view.select(focus.map(path(of:))) }

    // MARK: - Drawing

    /// Draws the details.
    ///
    /// - Parameter cell: The size of a cell in pixels, if the terminal reports it.
    func draw(on screen: inout Screen, below top: Int, rows: Int, cell: TerminalGraphics.PixelSize?) {
        var (top, rows, columns) = (top, rows, screen.size.columns)
        pictureRows = 0
        if let cell, let shown = picture.picture {
            let layout = DetailsPicture.layout(
                shown.size, in: Screen.Size(columns: columns, rows: rows), below: top, cell: cell)
            screen.picture = PlacedPicture(picture: shown, position: layout.position)
            pictureRows = layout.textRow
            top += layout.textRow
            rows -= layout.textRow
            columns = layout.textColumns
        }
        view.resize(to: Screen.Size(columns: columns, rows: rows))
        view.draw(on: &screen, below: top, rows: rows, columns: columns)
        view.drawMoreSign(on: &screen, below: top, rows: rows)
    }

    // MARK: - Data source

    func numberOfSections(in view: CollectionView) -> Int { sections.count }

    func collectionView(_ view: CollectionView, numberOfItemsInSection section: Int) -> Int {
        DetailsView.count(of: sections[section])
    }

    func collectionView(_ view: CollectionView, cellForItemAt path: IndexPath) -> (any ReusableView)? {
        switch sections[path.section] {
        case .texts(let texts):
            view.dequeueCell(using: self.texts, for: path, item: (texts[path.item], path.section == 0))
        case .tags(let tags): view.dequeueCell(using: self.tags, for: path, item: (tags[path.item], airing.drawnGenre))
        case .showings(let showings):
            view.dequeueCell(
                using: rows, for: path,
                item:
                    "\(clock.zone.fullLabel(at: showings[path.item].airing.window.start)) · \(showings[path.item].stationName)"
            )
        }
    }

    func collectionView(
        _ view: CollectionView, viewForSupplementaryElementOfKind kind: ElementKind, at path: IndexPath
    ) -> (any ReusableView)? {
        view.dequeueSupplementary(using: headers, for: path)
    }
}

/// A text with several lines.
private final class TextCell: ScreenCell {
    var text: (Terminal) -> String = { _ in "" }
    /// Whether the first line is in bold.
    var isBold = false

    private func texts(columns: Int) -> [Substring] {
        text(Terminal(columns: max(10, columns - 2), usesColors: false)).split(separator: "\n")
    }

    func preferredAttributes(fitting attributes: LayoutAttributes) -> LayoutAttributes {
        let frame = attributes.frame
        let height = Double(texts(columns: Int(frame.width)).count)
        var preferred = attributes
        preferred.frame = Rect(x: frame.minX, y: frame.minY, width: frame.width, height: height)
        return preferred
    }

    func draw(on lines: inout [TextLine], at place: CellPlace) {
        for (row, line) in zip(place.rows, texts(columns: place.columns.count)) where place.visibleRows.contains(row) {
            let style = TerminalStyle(isBold: isBold && row == place.rows.lowerBound)
            lines.drawAligned(line, row: row, in: place.visibleColumns.dropFirst(), style)
        }
    }
}

/// A short text on the color of a genre.
private final class TagCell: ScreenCell {
    var tag = ""
    var genre: Genre?

    func preferredAttributes(fitting attributes: LayoutAttributes) -> LayoutAttributes {
        let frame = attributes.frame
        var preferred = attributes
        preferred.frame = Rect(
            x: frame.minX, y: frame.minY, width: Double(TerminalText(tag).width + 2), height: frame.height)
        return preferred
    }

    func draw(on lines: inout [TextLine], at place: CellPlace) {
        guard let row = place.visibleRows.first else { return }
        let look = genre?.cellStyle ?? TerminalStyle(foreground: CellDrawing.foreground, background: 238)
        lines.fill(look, rows: place.visibleRows, columns: place.visibleColumns)
        lines.draw(TerminalText(tag), row: row, in: place.visibleColumns.dropFirst().dropLast(), look)
    }
}

extension [TextLine] {
    /// Draws a line and keeps its runs of blanks, which align fields. `TerminalText` would collapse them.
    fileprivate mutating func drawAligned(
        _ line: Substring, row: Int, in columns: Range<Int>, _ style: TerminalStyle
    ) {
        var column = columns.lowerBound
        for piece in line.split(separator: "  ", omittingEmptySubsequences: false) {
            let start = column + (piece.first == " " ? 1 : 0)
            draw(TerminalText(String(piece)), row: row, in: start..<Swift.max(start, columns.upperBound), style)
            column += DisplayWidth.of(piece) + 2
        }
    }
}
