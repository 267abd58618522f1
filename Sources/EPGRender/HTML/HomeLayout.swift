import CollectionLayout

extension ElementKind {
    /// What an airing is said to be in one word, at the upper trailing corner of its card.
    static let badge: ElementKind = "badge"
    /// What lies behind a section: it tells where the section stands.
    static let ground: ElementKind = "ground"
}

/// The home page as a compositional layout: a shelf that pages, two columns, and a section for each genre.
struct HomeLayout: Sendable {
    let width: ViewWidth

    /// The layout of sections with so many cards each, prepared for the width.
    func prepared(_ sections: [HomeSection]) -> CompositionalLayout {
        let kinds = sections.map(\.kind)
        var layout = CompositionalLayout(
            configuration: LayoutConfiguration(interSectionSpacing: width == .phone ? 20 : 28)
        ) { [self] index, _ in
            kinds.indices.contains(index) ? section(kinds[index]) : nil
        }
        layout.prepare(in: width.container(sections.map(\.cards.count)))
        return layout
    }

    private func section(_ kind: HomeSection.Kind) -> LayoutSection {
        var section =
            switch kind {
            case .highlights: shelf
            case .onNow: columns
            case .later: genre
            }
        section.contentInsets = EdgeInsets(leading: width.margin, trailing: width.margin)
        section.boundarySupplementaryItems = [
            BoundarySupplementary(
                elementKind: .header,
                layoutSize: LayoutSize(
                    widthDimension: .fractionalWidth(1), heightDimension: .absolute(HomeLayout.headerHeight)),
                alignment: .top, pinToVisibleBounds: kind != .highlights)
        ]
        section.decorationItems = [.background(elementKind: .ground)]
        return section
    }

    static let headerHeight = 48.0

    /// Cards side by side that come to rest at a card.
    private var shelf: LayoutSection {
        let (part, height): (Double, Double) =
            switch width {
            case .phone: (0.84, 228)
            case .tablet: (0.45, 236)
            case .desktop: (0.305, 260)
            case .television: (0.232, 300)
            }
        let group = LayoutGroup.horizontal(
            layoutSize: LayoutSize(widthDimension: .fractionalWidth(part), heightDimension: .absolute(height)),
            subitems: [.item(LayoutItem(layoutSize: .full, supplementaryItems: [badge(inset: 12)]))])
        var section = LayoutSection(group: group)
        section.interGroupSpacing = width.spacing
        section.orthogonalScrollingBehavior = .groupPaging
        return section
    }

    private var columns: LayoutSection {
        let height: Double = width == .phone ? 104 : 116
        let group = LayoutGroup.horizontal(
            layoutSize: LayoutSize(widthDimension: .fractionalWidth(1), heightDimension: .absolute(height)),
            subitem: .item(LayoutItem(layoutSize: .full, supplementaryItems: [badge(inset: 8)])), count: 2,
            interItemSpacing: .fixed(width.spacing))
        return rows(group)
    }

    private var genre: LayoutSection {
        let columns =
            switch width {
            case .phone: 1
            case .tablet: 2
            case .desktop: 3
            case .television: 4
            }
        let group = LayoutGroup.horizontal(
            layoutSize: LayoutSize(widthDimension: .fractionalWidth(1), heightDimension: .absolute(84)),
            subitem: .item(LayoutItem(layoutSize: .full, supplementaryItems: [badge(inset: 8)])), count: columns,
            interItemSpacing: .fixed(width.spacing))
        return rows(group)
    }

    private func rows(_ group: LayoutGroup) -> LayoutSection {
        var section = LayoutSection(group: group)
        section.interGroupSpacing = width.spacing
        return section
    }

    private func badge(inset: Double) -> AnchoredSupplementary {
        AnchoredSupplementary(
            elementKind: .badge,
            layoutSize: LayoutSize(widthDimension: .absolute(84), heightDimension: .absolute(20)),
            containerAnchor: LayoutAnchor(
                edges: [.top, .trailing], absoluteOffset: Point(x: -inset, y: inset)))
    }
}
