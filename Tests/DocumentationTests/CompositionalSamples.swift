import CollectionLayout
import Testing

/// The layouts of the article on compositional layouts; the pictures draw the same.
enum CompositionalSamples {
    static func nested() -> LayoutSection {
        let large = LayoutItem(
            layoutSize: LayoutSize(widthDimension: .fractionalWidth(0.7), heightDimension: .fractionalHeight(1)),
            contentInsets: EdgeInsets(all: 4))
        let small = LayoutItem(
            layoutSize: LayoutSize(widthDimension: .fractionalWidth(1), heightDimension: .fractionalHeight(1)),
            contentInsets: EdgeInsets(all: 4))
        let pair = LayoutGroup.vertical(
            layoutSize: LayoutSize(widthDimension: .fractionalWidth(0.3), heightDimension: .fractionalHeight(1)),
            subitem: .item(small), count: 2)
        let group = LayoutGroup.horizontal(
            layoutSize: LayoutSize(widthDimension: .fractionalWidth(1), heightDimension: .absolute(110)),
            subitems: [.item(large), .group(pair)])
        return LayoutSection(group: group)
    }

    static func badges() -> LayoutSection {
        let badge = AnchoredSupplementary(
            elementKind: "badge",
            layoutSize: LayoutSize(widthDimension: .absolute(20), heightDimension: .absolute(20)),
            containerAnchor: LayoutAnchor(edges: [.top, .trailing], fractionalOffset: Point(x: 0.3, y: -0.3)))
        let item = LayoutItem(layoutSize: .full, supplementaryItems: [badge])
        let row = LayoutGroup.horizontal(
            layoutSize: LayoutSize(widthDimension: .fractionalWidth(1), heightDimension: .absolute(60)),
            subitem: .item(item), count: 4, interItemSpacing: .fixed(12))
        var section = LayoutSection(group: row)
        section.contentInsets = EdgeInsets(all: 12)
        section.interGroupSpacing = 12
        return section
    }

    static func shelf() -> LayoutSection {
        let group = LayoutGroup.horizontal(
            layoutSize: LayoutSize(widthDimension: .fractionalWidth(0.4), heightDimension: .absolute(80)),
            subitems: [.item(LayoutItem(layoutSize: .full))])
        var section = LayoutSection(group: group)
        section.interGroupSpacing = 10
        section.contentInsets = EdgeInsets(all: 10)
        section.orthogonalScrollingBehavior = .groupPaging
        return section
    }

    static func shelves() -> CompositionalLayout {
        CompositionalLayout { section, environment in
            section == 0 || environment.container.effectiveContentSize.width > 600 ? shelf() : nested()
        }
    }

    static func chapter() -> LayoutSection {
        let row = LayoutGroup.horizontal(
            layoutSize: LayoutSize(widthDimension: .fractionalWidth(1), heightDimension: .absolute(44)),
            subitem: .item(LayoutItem(layoutSize: .full)), count: 3, interItemSpacing: .fixed(8))
        var section = LayoutSection(group: row)
        section.interGroupSpacing = 8
        section.contentInsets = EdgeInsets(top: 8, leading: 16, bottom: 24, trailing: 16)
        section.boundarySupplementaryItems = [
            BoundarySupplementary(
                elementKind: .header,
                layoutSize: LayoutSize(widthDimension: .fractionalWidth(1), heightDimension: .absolute(32)),
                alignment: .top, pinToVisibleBounds: true)
        ]
        section.decorationItems = [
            .background(elementKind: "background", contentInsets: EdgeInsets(all: 4))
        ]
        return section
    }
}

@Suite struct CompositionalSampleTests {
    @Test func aBadgeHangsOverItsCorner() {
        var layout = CompositionalLayout(section: CompositionalSamples.badges())
        layout.prepare(
            in: LayoutContainer(bounds: Rect(x: 0, y: 0, width: 320, height: 300), counts: ItemCounts([8])))
        // (296 − 3 · 12) / 4 = 65 wide: the item ends at 77. 77 − 20 + 0.3 · 20 = 63, 12 − 0.3 · 20 = 6.
        let badge = layout.attributes(of: .supplementary("badge", IndexPath(section: 0, item: 0)))
        #expect(badge?.frame == Rect(x: 63, y: 6, width: 20, height: 20))
    }

    @Test func aShelfComesToRestAtAGroup() {
        var layout = CompositionalSamples.shelves()
        layout.prepare(
            in: LayoutContainer(bounds: Rect(x: 0, y: 0, width: 320, height: 300), counts: ItemCounts([6, 3])))
        // A group is 0.4 · 300 = 120 wide, the next one begins 130 further on.
        let rest = layout.targetOrthogonalOffset(section: 0, proposed: 150, velocity: 0)
        layout.setOrthogonalOffset(rest, section: 0)
        #expect(rest == 130)
        #expect(layout.attributes(of: .item(IndexPath(section: 0, item: 1)))?.frame.minX == 10)
    }
}
