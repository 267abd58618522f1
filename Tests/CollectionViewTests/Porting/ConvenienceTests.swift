import CollectionLayout
import CollectionView
import Testing

/// Calls that a port finds under UIKit's names.
@Suite struct ConvenienceTests {
    @Test func indexPathTakesItemAndSectionInUIKitsOrder() {
        #expect(IndexPath(item: 3, section: 1) == IndexPath(section: 1, item: 3))
    }

    /// 300 points: an item of a third beside a group of two thirds that holds two items, one above the other.
    @Test func groupsTakeItemsAndGroupsSideBySide() {
        let third = LayoutItem(
            layoutSize: LayoutSize(widthDimension: .fractionalWidth(1.0 / 3), heightDimension: .fractionalHeight(1)))
        let half = LayoutItem(
            layoutSize: LayoutSize(widthDimension: .fractionalWidth(1), heightDimension: .fractionalHeight(0.5)))
        let pair = LayoutGroup.vertical(
            layoutSize: LayoutSize(
                widthDimension: .fractionalWidth(2.0 / 3), heightDimension: .fractionalHeight(1)),
            repeatingSubitem: half, count: 2)
        let row = LayoutGroup.horizontal(
            layoutSize: LayoutSize(widthDimension: .fractionalWidth(1), heightDimension: .absolute(60)),
            subitems: [third, pair])
        let named = LayoutGroup.horizontal(layoutSize: row.layoutSize, subitems: [.item(third), .group(pair)])
        #expect(row == named)
        var layout = CompositionalLayout(section: LayoutSection(group: row))
        layout.prepare(
            in: LayoutContainer(bounds: Rect(x: 0, y: 0, width: 300, height: 100), counts: ItemCounts([3])))
        let frames = (0..<3).map { layout.attributes(of: .item(IndexPath(item: $0, section: 0)))?.layoutFrame }
        #expect(
            frames == [
                Rect(x: 0, y: 0, width: 100, height: 60), Rect(x: 100, y: 0, width: 200, height: 30),
                Rect(x: 100, y: 30, width: 200, height: 30),
            ])
    }

    @Test func groupsCountItemsAlongBothAxes() {
        let item = LayoutItem(layoutSize: .full)
        let size = LayoutSize(widthDimension: .absolute(90), heightDimension: .absolute(90))
        #expect(
            LayoutGroup.horizontal(layoutSize: size, subitem: item, count: 3)
                == .horizontal(layoutSize: size, subitem: .item(item), count: 3))
        #expect(
            LayoutGroup.vertical(layoutSize: size, subitem: item, count: 3)
                == .vertical(layoutSize: size, subitem: .item(item), count: 3))
        #expect(
            LayoutGroup.vertical(layoutSize: size, subitems: [item])
                == .vertical(layoutSize: size, subitems: [.item(item)]))
        #expect(
            LayoutGroup.horizontal(layoutSize: size, repeatingSubitem: item, count: 2)
                == .horizontal(layoutSize: size, repeatingSubitem: .item(item), count: 2))
    }

    /// Rows of 20 become rows of 40: of the hundred points three are needed.
    @Test func assignedLayoutIsTakenWithTheNextLayout() {
        let view = makeView(RowSource(rows: 10))
        let first = view.row(0, 0)
        view.layout = RowTable(rowHeight: 40)
        #expect(view.needsLayout)
        view.layoutIfNeeded()
        #expect(view.visibleItems.count == 3 && view.row(0, 0) === first)
        #expect((view.layout as? RowTable)?.rowHeight == 40)
    }

    @Test func defaultContentIsThatOfTheStyle() {
        var cell = ListCell(content: .sidebarSubtitleCell())
        cell.content.text = "Tatort"
        #expect(cell.defaultContentConfiguration() == .sidebarSubtitleCell())
    }

    @Test func attributesDescribeWhatDiffersFromTheDefaults() {
        var attributes = LayoutAttributes(
            .item(IndexPath(item: 2, section: 0)), frame: Rect(x: 0, y: 88, width: 320, height: 44.5))
        #expect("\(attributes)" == "item [0, 2]: x 0, y 88, 320 × 44.5")
        attributes.zIndex = 1
        attributes.alpha = 0.5
        attributes.isHidden = true
        attributes.transform = .scale(x: 2, y: 1)
        #expect(
            "\(attributes)"
                == "item [0, 2]: x 0, y 88, 320 × 44.5, z 1, alpha 0.5, hidden, transform 2 0 0 1 0 0")
        let header = LayoutAttributes(
            .supplementary(.header, IndexPath(item: 0, section: 1)), frame: .zero, band: .pinned)
        #expect("\(header)" == "header [1, 0]: x 0, y 0, 0 × 0, band 400")
    }
}
