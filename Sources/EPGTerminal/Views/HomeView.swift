import CollectionLayout
import CollectionView
import EPGCalendar
import EPGModel
import EPGRender

/// The home screen: shelves of cards, one below the other, each with its own horizontal scrolling.
///
/// A collection view with a compositional layout and a diffable data source. After a reload of the guide, the focus stays on its
/// card, and each shelf keeps its scroll position.
final class HomeView: CollectionViewDelegate {
    /// A shelf, identified by its title.
    struct Shelf: Sendable {
        var title: String
        var cards: [HomeCard]
    }

    /// Identifies a card on a shelf, because an airing may be on several shelves.
    private struct CardID: Hashable, Sendable {
        let shelf: String
        let airing: AiringID
    }

    /// The content of the cells.
    private final class Content {
        var cards: [CardID: HomeCard] = [:]
        var titles: [String] = []
    }

    /// The title of the first shelf, if there are favorites.
    fileprivate static let favoritesTitle = "Favorites"
    private static let cardWidth = 30.0
    private static let cardHeight = 3.0

    private let view: CollectionView
    private let content = Content()
    private let source: DiffableDataSource<String, CardID>
    private let clock: GuideClock
    private var focus: CardID?

    /// Creates a screen without shelves.
    init(clock: GuideClock, size: Screen.Size) {
        self.clock = clock
        view = CollectionView(layout: HomeView.layout)
        view.layoutMargins = .zero
        view.resize(to: size)
        view.bounces = false
        let cells = CellRegistration<CardCell, HomeCard> { cell, _, card in cell.card = card }
        let headers = SupplementaryRegistration<ShelfHeader>(kind: .header) { [content] header, _, path in
            header.title = path.section < content.titles.count ? content.titles[path.section] : ""
        }
        source = DiffableDataSource(view: view) { [content] view, path, id in
            content.cards[id].map { view.dequeueCell(using: cells, for: path, item: $0) }
        }
        source.supplementaryProvider = { view, _, path in view.dequeueSupplementary(using: headers, for: path) }
        view.delegate = self
    }

    private static var layout: CompositionalLayout {
        CompositionalLayout(configuration: LayoutConfiguration(interSectionSpacing: 1)) { _, environment in
            let width = min(cardWidth, max(4, environment.container.contentSize.width - 4))
            let group = LayoutGroup.horizontal(
                layoutSize: LayoutSize(widthDimension: .absolute(width), heightDimension: .absolute(cardHeight)),
                subitems: [LayoutItem(layoutSize: .full)])
            var section = LayoutSection(group: group)
            section.interGroupSpacing = 1
            section.contentInsets = EdgeInsets(leading: 1, trailing: 1)
            section.orthogonalScrollingBehavior = .continuousGroupLeadingBoundary
            section.visibleItemsInvalidationHandler = { elements, _, environment in
                // Cards that continue beyond an edge are dim.
                let columns = 0...environment.container.contentSize.width
                for index in elements.indices where elements[index].element.kind == nil {
                    let frame = elements[index].frame
                    if !columns.contains(frame.minX) || !columns.contains(frame.maxX) { elements[index].alpha = 0.5 }
                }
            }
            section.boundarySupplementaryItems = [
                BoundarySupplementary(
                    elementKind: .header,
                    layoutSize: LayoutSize(widthDimension: .fractionalWidth(1), heightDimension: .absolute(1)),
                    alignment: .top)
            ]
            return section
        }
    }

    /// Replaces the shelves. The focus stays on its card, or else moves to a card of the same station, or to the first card.
    ///
    /// - Throws: An error if two shelves have the same title.
    func show(_ shelves: [Shelf]) throws {
        var snapshot = Snapshot<String, CardID>()
        var cards: [CardID: HomeCard] = [:]
        var changed: [CardID] = []
        for shelf in shelves {
            var ids: [CardID] = []
            for card in shelf.cards {
                let id = CardID(shelf: shelf.title, airing: card.airing.id)
                guard cards.updateValue(card, forKey: id) == nil else { continue }
                ids.append(id)
                if let old = content.cards[id], old != card { changed.append(id) }
            }
            try snapshot.appendSections([shelf.title])
            try snapshot.appendItems(ids)
        }
        try snapshot.reconfigureItems(changed)
        // If the card is gone, focuses a card of the same station.
        if let old = focus, cards[old] == nil {
            let station = content.cards[old]?.airing.station
            focus = snapshot.itemIdentifiers.first { $0.shelf == old.shelf && cards[$0]?.airing.station == station }
        }
        content.cards = cards
        content.titles = shelves.map(\.title)
        try apply(snapshot)
    }

    /// Puts the cards on the shelf of favorites in the order of their stations, and removes the cards of other stations.
    func arrangeFavorites(_ stations: [StationID]) throws {
        var snapshot = source.snapshot()
        guard snapshot.indexOfSection(HomeView.favoritesTitle) != nil else { return }
        let cards = try snapshot.itemIdentifiers(inSection: HomeView.favoritesTitle)
        let kept = stations.compactMap { station in cards.first { content.cards[$0]?.airing.station == station } }
        for (previous, card) in zip(kept, kept.dropFirst()) { try snapshot.moveItem(card, afterItem: previous) }
        try snapshot.deleteItems(cards.filter { !kept.contains($0) })
        if kept.isEmpty {
            try snapshot.deleteSections([HomeView.favoritesTitle])
            content.titles.removeFirst()
        }
        try apply(snapshot)
    }

    private func apply(_ snapshot: Snapshot<String, CardID>) throws {
        try source.apply(snapshot)
        if focus.map({ source.indexPath(for: $0) == nil }) ?? true {
            focus = source.itemIdentifier(for: IndexPath(section: 0, item: 0))
        }
        showFocus()
    }

    /// The focused card; `nil` if there are no cards.
    var focusedCard: HomeCard? { focus.flatMap { content.cards[$0] } }

    /// The station of the focused card on the shelf of favorites.
    var focusedFavorite: StationID? { favorite(besideFocusBy: 0) }

    /// The station `step` cards after the focused one on the shelf of favorites.
    func favorite(besideFocusBy step: Int) -> StationID? {
        guard let focus, focus.shelf == HomeView.favoritesTitle, var path = source.indexPath(for: focus) else {
            return nil
        }
        path.item += step
        return source.itemIdentifier(for: path).flatMap { content.cards[$0]?.airing.station }
    }

    func resize(to size: Screen.Size) {
        view.resize(to: size)
        showFocus()
    }

    // MARK: - Focus

    /// Moves the focus along its shelf.
    func move(cards steps: Int) {
        guard let path = focus.flatMap({ source.indexPath(for: $0) }) else { return }
        let count = source.collectionView(view, numberOfItemsInSection: path.section)
        focusItem(at: IndexPath(section: path.section, item: min(max(0, path.item + steps), count - 1)))
    }

    /// Moves the focus to the nearest card of another shelf.
    func move(shelves steps: Int) {
        guard let path = focus.flatMap({ source.indexPath(for: $0) }) else { return }
        let section = min(max(0, path.section + steps), source.numberOfSections(in: view) - 1)
        guard section != path.section else { return }
        view.layoutIfNeeded()
        let column = view.attributes(of: .item(path))?.frame.midX ?? 0
        let nearest = (0..<source.collectionView(view, numberOfItemsInSection: section)).min { left, right in
            distance(of: IndexPath(section: section, item: left), from: column)
                < distance(of: IndexPath(section: section, item: right), from: column)
        }
        if let nearest { focusItem(at: IndexPath(section: section, item: nearest)) }
    }

    private func distance(of path: IndexPath, from column: Double) -> Double {
        view.attributes(of: .item(path)).map { abs($0.frame.midX - column) } ?? .infinity
    }

    /// Focuses the card at a position.
    ///
    /// - Returns: Whether there is a card.
    func focus(at position: Screen.Position) -> Bool {
        defer { view.endTouch() }
        return view.beginTouch(at: view.contentOffset + Point(position)) != nil
    }

    func collectionView(_ view: CollectionView, didSelectItemAt path: IndexPath) { focusItem(at: path) }

    private func focusItem(at path: IndexPath) {
        focus = source.itemIdentifier(for: path)
        showFocus()
    }

    private func showFocus() {
        guard let path = focus.flatMap({ source.indexPath(for: $0) }) else { return }
        view.focus(path)
        let header = LayoutElement.supplementary(.header, IndexPath(section: path.section, item: 0))
        if let frame = view.attributes(of: header)?.frame, frame.minY < view.contentOffset.y {
            view.contentOffset = Point(x: 0, y: frame.minY)
        }
    }

    // MARK: - Scrolling

    func scroll(rows: Int) { view.scroll(rows: rows) }

    func beginDrag(at position: Screen.Position) -> DragSession { view.beginDrag(at: position) }

    /// Scrolls the shelf under a position by some cards, as a drag does.
    func scroll(cards: Int, at position: Screen.Position) {
        view.layoutIfNeeded()
        let start = Point(position)
        let drag = view.beginDrag(at: start)
        drag.move(to: Point(x: start.x - Double(cards) * (HomeView.cardWidth + 1), y: start.y))
        drag.end()
    }

    // MARK: - Drawing

    func draw(on screen: inout Screen, below top: Int, rows: Int, now: Instant, favorites: Set<StationID>) {
        view.layoutIfNeeded()
        let offset = Point(x: view.contentOffset.x.rounded(), y: view.contentOffset.y.rounded() - Double(top))
        let clip = (columns: 0..<screen.size.columns, rows: top..<top + rows)
        let context = CellContext(
            drawing: CellDrawing(clock: clock, now: now), focusedRow: nil, focusedAiring: nil, favorites: favorites)
        for attributes in view.visibleElements {
            let place = CellPlace(frame: attributes.frame, offset: offset, clip: clip)
            (view.reusableView(for: attributes.element) as? any TerminalCell)?.draw(
                on: &screen.lines, at: place, in: context)
        }
    }
}

/// A card: the title, then the station and a short description, then the times.
private final class CardCell: TerminalCell {
    var card: HomeCard?
    private var isFocused = false
    private var isDim = false

    func apply(_ state: CellState) { isFocused = state.isSelected }

    func apply(_ attributes: LayoutAttributes) { isDim = attributes.alpha < 1 }

    func draw(on lines: inout [TextLine], at place: CellPlace, in context: CellContext) {
        guard let card else { return }
        let inside = CellDrawing.drawBorder(on: &lines, at: place)
        var look = card.genre?.cellStyle ?? TerminalStyle(foreground: CellDrawing.foreground, background: 236)
        look.isReversed = isFocused
        look.isDim = isDim
        lines.fill(look, rows: place.visibleRows, columns: inside)
        let room = inside.dropFirst().dropLast()
        guard !room.isEmpty else { return }
        var bold = look
        bold.isBold = true
        let isFavorite = context.favorites.contains(card.airing.station)
        let station = [isFavorite ? "★ " + card.stationName : card.stationName, card.text].compactMap(\.self)
        let texts = [
            (card.title, bold), (station.joined(separator: " · "), look), (times(of: card, context.drawing), look),
        ]
        for (index, (text, look)) in texts.enumerated() where place.visibleRows.contains(place.rows.lowerBound + index)
        {
            let row = place.rows.lowerBound + index
            let end = lines.draw(TerminalText(text), row: row, in: room, look)
            guard index == 0, let genre = card.genre, end + 2 <= room.upperBound else { continue }
            lines.draw(genre.sign, row: row, column: room.upperBound - 1, look)
        }
    }

    /// `20:00–20:45 · 12 min left`.
    private func times(of card: HomeCard, _ drawing: CellDrawing) -> String {
        let text = AiringText(card.airing)
        guard let now = drawing.now, card.window.contains(now) else { return text.times(drawing.clock) }
        return text.times(drawing.clock) + " · \(Wording.duration(text.minutesLeft(at: now) * 60)) left"
    }
}

/// The title of a shelf.
private final class ShelfHeader: TerminalCell {
    var title = ""

    func draw(on lines: inout [TextLine], at place: CellPlace, in context: CellContext) {
        guard let row = place.visibleRows.first else { return }
        lines.draw(TerminalText(title), row: row, in: place.visibleColumns, TerminalStyle(isBold: true))
    }
}

extension HomeView.Shelf {
    /// The shelves: favorites, if there are any, and the sections of the home page.
    static func all(
        in guide: any GuideReading, favorites: [StationID], now: Instant, zone: Zone
    ) throws -> [HomeView.Shelf] {
        let page = try HomePage(of: guide, now: now, zone: zone, languages: [])
        let own = try HomeCard.onNow(onStations: favorites.prefix(40), at: now, in: guide)
        return (own.isEmpty ? [] : [HomeView.Shelf(title: HomeView.favoritesTitle, cards: own)])
            + page.sections.map { section in
                let title = [section.title(in: .english), section.aside(in: .english)].compactMap(\.self)
                    .joined(separator: " ")
                return HomeView.Shelf(title: title, cards: section.cards)
            }
    }
}

extension HomeCard {
    /// The cards for the current or next airings of stations, in the same order. Unknown stations are ignored.
    fileprivate static func onNow(
        onStations stations: some Sequence<StationID>, at now: Instant, in guide: any GuideReading
    ) throws -> [HomeCard] {
        try stations.compactMap { id in
            guard let station = try guide.station(id) else { return nil }
            let rows = try guide.nowAndNext(at: now, inRows: station.row..<station.row + 1)
            guard let found = rows.first, let airing = found.now.first ?? found.next else { return nil }
            return HomeCard(airing, station: station, detail: try guide.airing(airing.id), next: found.next)
        }
    }
}
