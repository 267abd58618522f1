import CollectionLayout
import LayoutTestSupport
import Testing

@Suite struct ListSectionTests {
    @Test func aListStandsAmongOtherSections() {
        var list = ListConfiguration(appearance: .plain)
        list.headerMode = .supplementary
        let banner = LayoutSection(
            group: .horizontal(
                layoutSize: LayoutSize(widthDimension: .fractionalWidth(1), heightDimension: .absolute(100)),
                subitems: [.item(LayoutItem(layoutSize: .full))]))
        var layout = CompositionalLayout { [list] section, environment in
            section == 1 ? .list(using: list, layoutEnvironment: environment) : banner
        }
        layout.prepare(
            in: LayoutContainer(bounds: Rect(x: 0, y: 0, width: 320, height: 480), counts: ItemCounts([1, 2, 1])))
        // 100, then 22 + 28 + 2 · 44 = 138, then 100.
        let header = layout.attributes(of: .supplementary(.header, IndexPath(section: 1, item: 0)))
        #expect(header?.layoutFrame == Rect(x: 0, y: 122, width: 320, height: 28))
        #expect(layout.attributes(of: Lists.item(1, 1))?.layoutFrame == Rect(x: 0, y: 194, width: 320, height: 44))
        #expect(layout.attributes(of: Lists.item(2, 0))?.layoutFrame == Rect(x: 0, y: 238, width: 320, height: 100))
        #expect(layout.attributes(of: Lists.line(.listSeparatorBottom, 2, 0)) == nil)
        #expect(layout.contentSize == Size(width: 320, height: 338) && layout.diagnostics.isEmpty)
    }

    @Test func aSectionCanBeChangedLikeAnyOther() {
        let list = Lists.configuration(.plain) { $0.headerMode = .supplementary }
        var layout = CompositionalLayout { _, environment in
            var section = LayoutSection.list(using: list, layoutEnvironment: environment)
            section.boundarySupplementaryItems = []
            section.interGroupSpacing = 6
            section.contentInsets.leading = 10
            return section
        }
        layout.prepare(
            in: LayoutContainer(bounds: Rect(x: 0, y: 0, width: 320, height: 480), counts: ItemCounts([2])))
        #expect(layout.attributes(of: Lists.item(0, 1))?.layoutFrame == Rect(x: 10, y: 72, width: 310, height: 44))
        // No header any longer: there is a line above the first row.
        #expect(
            layout.attributes(of: Lists.line(.listSeparatorTop, 0, 0))?.layoutFrame
                == Rect(x: 26, y: 22, width: 294, height: 1))
    }

    @Test(arguments: [0, 1e-9, 1e-4, 1.0]) func eachRowHoldsOneItemHoweverNarrowItIs(_ width: Double) {
        var layout = CompositionalLayout.list(using: ListConfiguration(appearance: .plain))
        layout.prepare(
            in: LayoutContainer(bounds: Rect(x: 0, y: 0, width: width, height: 480), counts: ItemCounts([3])))
        #expect((0..<3).map { layout.attributes(of: Lists.item(0, $0))?.layoutFrame.minY } == [0, 44, 88])
    }

    @Test func inALayoutThatScrollsHorizontallyRowsStandSideBySide() {
        var layout = CompositionalLayout.list(using: ListConfiguration(appearance: .plain))
        layout.configuration.scrollDirection = .horizontal
        layout.prepare(
            in: LayoutContainer(bounds: Rect(x: 0, y: 0, width: 320, height: 480), counts: ItemCounts([2])))
        #expect(layout.attributes(of: Lists.item(0, 1))?.layoutFrame == Rect(x: 320, y: 0, width: 320, height: 44))
        let line = layout.attributes(of: Lists.line(.listSeparatorBottom, 0, 1))
        #expect(line?.layoutFrame == Rect(x: 336, y: 43, width: 304, height: 1))
    }

    @Test func linesLieOverTheirRowsAndUnderHeaders() throws {
        let list = Lists.configuration(.plain) { $0.headerMode = .supplementary }
        let layout = Lists.layout(list, counts: [5], offset: 60)
        let row = try #require(layout.attributes(of: Lists.item(0, 1)))
        let line = try #require(layout.attributes(of: Lists.line(.listSeparatorBottom, 0, 1)))
        let header = try #require(layout.attributes(of: .supplementary(.header, IndexPath(section: 0, item: 0))))
        #expect(LayoutAttributes.isDrawnBefore(row, line) && LayoutAttributes.isDrawnBefore(line, header))
    }

    @Test func theGroundOfAGroupLiesUnderItsRows() throws {
        let layout = Lists.layout(Lists.configuration(.insetGrouped), counts: [2])
        let ground = try #require(layout.attributes(of: Lists.line(.listGroupBackground, 0, 0)))
        let row = try #require(layout.attributes(of: Lists.item(0, 0)))
        #expect(LayoutAttributes.isDrawnBefore(ground, row) && ground.band == .background)
    }

    @Test func elementsThatAreNotThereHaveNoPlace() {
        let layout = Lists.layout(Lists.configuration(.insetGrouped), counts: [2])
        for element in [
            Lists.item(0, 2), Lists.item(0, -1), Lists.item(1, 0), Lists.item(0, .max),
            Lists.line(.listSeparatorBottom, 0, 2), Lists.line(.listSeparatorBottom, 0, .min),
            Lists.line(.listGroupBackground, 0, 1), Lists.line("other", 0, 0),
            .supplementary(.header, IndexPath(section: 0, item: 0)),
            .supplementary(.listSeparatorBottom, IndexPath(section: 0, item: 0)),
        ] { #expect(layout.attributes(of: element) == nil, "\(element)") }
    }

    @Test func eachAppearanceHasItsNumbers() {
        typealias Row = (
            ListConfiguration.Appearance, pins: Bool, margins: Double, padding: Double, separators: Bool, radius: Double
        )
        let table: [Row] = [
            (.plain, true, 0, 22, true, 0), (.grouped, false, 17.5, 0, true, 0),
            (.insetGrouped, false, 17.5, 0, true, 10), (.sidebar, false, 0, 0, false, 0),
            (.sidebarPlain, true, 0, 0, false, 0),
        ]
        #expect(table.map(\.0) == ListConfiguration.Appearance.allCases)
        for row in table {
            var list = ListConfiguration(appearance: row.0)
            #expect(list.appearance.pinsHeaders == row.pins && list.showsSeparators == row.separators)
            #expect(list.resolvedSectionMargins == EdgeInsets(top: row.margins, bottom: row.margins))
            #expect(list.appearance.groupCornerRadius == row.radius)
            #expect(list.resolvedHeaderTopPadding == 0)
            list.headerMode = .supplementary
            #expect(list.resolvedHeaderTopPadding == row.padding)
            #expect(list.resolvedSectionMargins == EdgeInsets(bottom: row.margins))
            #expect(list.headerMode == .supplementary && list.footerMode == .none)
            #expect(list.estimatedRowHeight == 44)
        }
    }

    @Test func coloursComeFromTheAppearanceUnlessTheyAreGiven() {
        var list = ListConfiguration(appearance: .insetGrouped)
        #expect(list.resolvedBackgroundColor == .groupedBackground)
        list.backgroundColor = "paper"
        #expect(list.resolvedBackgroundColor == "paper")
        let path = IndexPath(section: 0, item: 3)
        #expect(list.separatorConfiguration(forItemAt: path).color == .separator)
        list.itemSeparatorHandler = { path, section in
            var own = section
            own.color = path.item == 3 ? "red" : "green"
            return own
        }
        #expect(list.separatorConfiguration(forItemAt: path).color == "red")
    }
}
