import CollectionLayout
import CollectionView
import EPGModel
import EPGRender

/// The list of stations, with as many per row as fit: a collection view with a flow layout.
///
/// Reads pages of stations when they become visible.
final class StationsView: CollectionViewDataSource {
    /// Reads a page of stations from an offset; `nil` if that fails.
    private typealias Reader = (_ offset: Int) -> [StationRow]?

    private static let cellWidth = 26.0
    private static let pageSize = 200

    private let view: CollectionView
    /// The search text; empty for all stations.
    private var text = ""
    private var count = 0
    private var read: Reader = { _ in nil }
    private var pages: [Int: [StationRow]] = [:]
    private var focusedItem = 0
    private let cells = CellRegistration<StationTile, StationRow> { cell, _, station in cell.station = station }
    private let headers = CellRegistration<TitleView, String> { view, _, text in view.text = text }

    /// Creates an empty list.
    init(size: Screen.Size) {
        var layout = FlowLayout()
        layout.itemSize = Size(width: StationsView.cellWidth, height: 1)
        layout.minimumLineSpacing = 0
        layout.minimumInteritemSpacing = 1
        layout.rowAlignment = .leading
        layout.sectionInset = EdgeInsets(leading: 1, trailing: 1)
        layout.headerReferenceSize = Size(width: 0, height: 1)
        layout.sectionHeadersPinToVisibleBounds = true
        view = CollectionView(layout: layout)
        view.layoutMargins = .zero
        view.resize(to: size)
        view.dataSource = self
    }

    /// Shows the stations that match a text, and focuses the first one.
    ///
    /// - Throws: An error of the store.
    func search(_ text: String, in storage: any GuideStorage) throws {
        self.text = text
        try readStations(in: storage)
        focusedItem = 0
        view.contentOffset = .zero
        showFocus()
    }

    /// Reloads the stations after the guide has changed. The focus stays on its station if that is near its old position.
    ///
    /// - Throws: An error of the store.
    func reload(in storage: any GuideStorage) throws {
        let offset = view.contentOffset
        let focused = focusedStation?.station.id
        try readStations(in: storage)
        let near = (focusedItem - StationsView.pageSize...focusedItem + StationsView.pageSize)
            .sorted { abs($0 - focusedItem) < abs($1 - focusedItem) }
        focusItem(near.first { focused != nil && station($0)?.station.id == focused } ?? focusedItem)
        // All rows have the same height.
        view.contentOffset = offset
    }

    private func readStations(in storage: any GuideStorage) throws {
        let filter = StationFilter(text: text)
        count = try storage.read(within: .seconds(5)) { try $0.stations(filter, offset: 0, limit: 1).total }
        read = { offset in
            // Stations that can't be read stay blank. The next tick reports the error.
            try? storage.read(within: .seconds(5)) {
                try $0.stations(filter, offset: offset, limit: StationsView.pageSize).stations
            }
        }
        pages = [:]
        view.reloadData()
    }

    func resize(to size: Screen.Size) {
        view.resize(to: size)
        showFocus()
    }

    /// The focused station; `nil` if there is none.
    var focusedStation: StationRow? { station(focusedItem) }

    private func station(_ item: Int) -> StationRow? {
        guard (0..<count).contains(item) else { return nil }
        let page = item / StationsView.pageSize
        guard let stations = pages[page] ?? read(page * StationsView.pageSize) else { return nil }
        pages[page] = stations
        let place = item % StationsView.pageSize
        return place < stations.count ? stations[place] : nil
    }

    // MARK: - Focus

    /// Moves the focus by a number of stations.
    func move(stations steps: Int) { focusItem(focusedItem + steps) }

    /// Moves the focus up or down in its column, within the list.
    func move(rows steps: Int) {
        let perRow = max(1, Int((view.bounds.width - 1) / (StationsView.cellWidth + 1)))
        let column = focusedItem % perRow
        let lastRow = max(0, count - 1) / perRow
        focusItem(min(max(0, focusedItem / perRow + steps), lastRow) * perRow + column)
    }

    /// Focuses the station at a position.
    ///
    /// - Returns: Whether there is a station.
    func focus(at position: Screen.Position) -> Bool {
        guard let path = view.visibleItem(at: position) else { return false }
        focusItem(path.item)
        return true
    }

    func scroll(rows: Int) { view.scroll(rows: rows) }

    func beginDrag(at position: Screen.Position) -> DragSession { view.beginDrag(at: position) }

    private func focusItem(_ item: Int) {
        focusedItem = min(max(0, item), max(0, count - 1))
        showFocus()
    }

    private func showFocus() {
        guard count > 0 else { return view.select(nil) }
        view.focus(IndexPath(section: 0, item: focusedItem), headerRows: 1)
    }

    // MARK: - Drawing

    func draw(on screen: inout Screen, below top: Int, rows: Int, favorites: Set<StationID>) {
        view.layoutIfNeeded()
        for case .item(let path) in view.visibleElements.map(\.element) {
            guard let tile = view.cell(at: path) as? StationTile else { continue }
            tile.isFavorite = tile.station.map { favorites.contains($0.station.id) } ?? false
        }
        view.draw(on: &screen, below: top, rows: rows)
    }

    // MARK: - Data source

    func collectionView(_ view: CollectionView, numberOfItemsInSection section: Int) -> Int { count }

    func collectionView(_ view: CollectionView, cellForItemAt path: IndexPath) -> (any ReusableView)? {
        station(path.item).map { view.dequeueCell(using: cells, for: path, item: $0) }
    }

    func collectionView(
        _ view: CollectionView, viewForSupplementaryElementOfKind kind: ElementKind, at path: IndexPath
    ) -> (any ReusableView)? {
        view.dequeueCell(using: headers, for: path, item: Wording.count(count, "station"))
    }
}

/// A station: the channel's number, the name, and a star if it is a favorite.
private final class StationTile: ScreenCell {
    var station: StationRow?
    var isFavorite = false
    private var isFocused = false

    func apply(_ state: CellState) { isFocused = state.isSelected }

    func draw(on lines: inout [TextLine], at place: CellPlace) {
        guard let station, let row = place.visibleRows.first else { return }
        let look = TerminalStyle(isReversed: isFocused)
        lines.fill(look, rows: place.visibleRows, columns: place.visibleColumns)
        let columns = place.visibleColumns
        let number = (station.channelNumber ?? station.station.number)?.description ?? ""
        var dim = look
        dim.isDim = !isFocused
        let end = isFavorite ? max(columns.lowerBound, columns.upperBound - 2) : columns.upperBound
        let numberEnd = min(end, columns.lowerBound + 5)
        // Numbers are right-aligned.
        let numberText = TerminalText(number)
        let start = max(columns.lowerBound, numberEnd - numberText.width)
        lines.draw(numberText, row: row, in: start..<numberEnd, dim)
        let nameStart = min(end, numberEnd + 1)
        lines.draw(TerminalText(station.station.name), row: row, in: nameStart..<end, look)
        if isFavorite { lines.draw("★", row: row, column: columns.upperBound - 1, look) }
    }
}
