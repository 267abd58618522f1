import CollectionLayout
import CollectionView
import Testing

@testable import EPGRender

/// A row that asks for the height of its content.
final class RowView: ReusableView {
    var cell = ListCell(content: .cell())

    func preferredAttributes(fitting attributes: LayoutAttributes) -> LayoutAttributes {
        let layout = cell.layout(width: attributes.layoutFrame.width, measuring: measure)
        var preferred = attributes
        preferred.layoutFrame = Rect(origin: attributes.layoutFrame.origin, size: layout.preferredSize)
        return preferred
    }
}

/// Who has fonts asks them.
func measure(_ request: TextRequest) -> Size { LayoutSVG.measure(request) }

/// The lists of the article on lists; the pictures draw the same.
enum ListSamples {
    static func configuration(_ appearance: ListConfiguration.Appearance) -> ListConfiguration {
        var configuration = ListConfiguration(appearance: appearance)
        configuration.headerMode = .supplementary
        return configuration
    }

    static func separators() -> ListConfiguration {
        var configuration = ListConfiguration(appearance: .insetGrouped)
        configuration.itemSeparatorHandler = { path, section in
            var separators = section
            if path.item == 1 { separators.bottomSeparatorVisibility = .hidden }
            return separators
        }
        return configuration
    }

    static func station(_ name: String, now: String) -> ListCell {
        var content = ContentConfiguration.subtitleCell()
        content.text = name
        content.secondaryText = now
        content.image = CellImage(name: "tv", size: Size(width: 28, height: 28))
        var cell = ListCell(content: content)
        cell.accessories = [.label("HD"), .disclosureIndicator()]
        return cell
    }

    static func shelf() -> LayoutSection { CompositionalSamples.shelf() }

    static func mixed() -> CompositionalLayout {
        CompositionalLayout { section, environment in
            if section == 0 { return shelf() }
            return .list(using: ListConfiguration(appearance: .plain), layoutEnvironment: environment)
        }
    }
}

@Suite struct ListSampleTests {
    /// 390 less 16 at both sides; two lines of 17 and 15 points with 3 between them, within the margins of the style.
    @Test func aRowIsAsHighAsItsContentAsks() {
        let cell = ListSamples.station("Harbour One", now: "The Lighthouse")
        let layout = cell.layout(width: 390, measuring: measure)
        #expect(layout.size.width == 390)
        #expect(layout.preferredHeight >= 44)
        #expect(layout.accessories.map(\.accessory.kind) == [.label, .disclosureIndicator])
    }

    @Test func theSecondRowHasNoSeparatorBelow() {
        var layout = CompositionalLayout.list(using: ListSamples.separators())
        layout.prepare(
            in: LayoutContainer(bounds: Rect(x: 0, y: 0, width: 320, height: 300), counts: ItemCounts([4])))
        let shown = (0..<3).map { item in
            layout.attributes(of: .decoration(.listSeparatorBottom, IndexPath(section: 0, item: item))) != nil
        }
        #expect(shown == [true, false, true])
    }

    @Test func aListStandsAmongOtherSections() {
        var layout = ListSamples.mixed()
        layout.prepare(
            in: LayoutContainer(bounds: Rect(x: 0, y: 0, width: 320, height: 300), counts: ItemCounts([4, 3])))
        // Below the shelf: 10 + 80 + 10.
        let first = layout.attributes(of: .item(IndexPath(section: 1, item: 0)))
        #expect(first?.frame == Rect(x: 0, y: 100, width: 320, height: 44))
    }
}
