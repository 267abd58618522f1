import CollectionLayout

/// Where everything on the home page stands, at all widths, as the engine says.
struct HomePlaces {
    /// One for each width.
    let layouts: [CompositionalLayout]

    init(_ sections: [HomeSection]) {
        layouts = ViewWidth.allCases.map { HomeLayout(width: $0).prepared(sections) }
    }

    /// The whole page.
    var page: ViewPlace {
        ViewPlace(frames: layouts.map { Rect(origin: .zero, size: $0.contentSize) })
    }

    func section(_ index: Int) -> ViewPlace { place(.decoration(.ground, IndexPath(section: index, item: 0))) }

    func header(_ index: Int) -> ViewPlace { place(.supplementary(.header, IndexPath(section: index, item: 0))) }

    func card(_ path: IndexPath) -> ViewPlace { place(.item(path)) }

    func badge(_ path: IndexPath) -> ViewPlace { place(.supplementary(.badge, path)) }

    /// What a section that scrolls by itself scrolls: from the page's edge to behind the last card, as high as the cards.
    func run(_ index: Int) -> ViewPlace {
        let cards = card(IndexPath(section: index, item: 0))
        return ViewPlace(
            frames: zip(layouts, cards.frames).map { layout, card in
                let metrics = layout.orthogonalMetrics(section: index)
                let insets = metrics.map { $0.viewport - $0.container } ?? 0
                return Rect(x: 0, y: card.minY, width: insets + (metrics?.content ?? 0), height: card.height)
            })
    }

    /// The part of a run that is in sight.
    func window(_ index: Int) -> ViewPlace {
        ViewPlace(
            frames: zip(run(index).frames, page.frames).map { run, page in
                Rect(x: 0, y: run.minY, width: page.width, height: run.height)
            })
    }

    private func place(_ element: LayoutElement) -> ViewPlace { ViewPlace(element, in: layouts) }
}
