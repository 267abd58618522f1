import CollectionLayout
import Testing

/// Expected frames from zenangst/Blueprints (MIT), Tests/Shared/VerticalBlueprintLayoutTests.swift and
/// Tests/Shared/HorizontalBlueprintLayoutTests.swift: ten items, spacings 10, in a view of 200 × 200.
///
/// Its `itemsPerRow` is the item width here that it comes to. Different there, and why it isn't in the tables:
/// - Rows are never justified: the rows of three and four leave room, so that these ask for leading rows.
/// - A horizontal layout has as many rows as asked for, not as fit: the view is as high as they are.
/// - Headers and footers of a horizontal layout lie above and below the items; those of a flow layout (documented) before
///   and behind them.
/// - `layoutAttributesForElements(in: .zero)` answers with all items of a row, and other rectangles with neighbours.
@Suite struct FlowBlueprintsTests {
    struct Grid: Sendable, CustomTestStringConvertible {
        let name: String
        var width = 50.0
        var alignment = FlowLayout.RowAlignment.justified
        var header = 0.0
        var footer = 0.0
        /// Where columns begin, and rows.
        let columns: [Double]
        let rows: [Double]
        let content: Size
        var footerTop: Double?

        var testDescription: String { name }
    }

    static let vertical: [Grid] = [
        Grid(
            name: "as many as fit", alignment: .leading, columns: [10, 70, 130], rows: [10, 70, 130, 190],
            content: size(200, 250)),
        Grid(
            name: "one", width: 180, columns: [10], rows: [10, 70, 130, 190, 250, 310, 370, 430, 490, 550],
            content: size(200, 610)),
        Grid(
            name: "one, with header", width: 180, header: 50, columns: [10],
            rows: [60, 120, 180, 240, 300, 360, 420, 480, 540, 600], content: size(200, 660)),
        Grid(
            name: "two", width: 85, columns: [10, 105], rows: [10, 70, 130, 190, 250], content: size(200, 310)),
        Grid(
            name: "two, with header", width: 85, header: 50, columns: [10, 105], rows: [60, 120, 180, 240, 300],
            content: size(200, 360)),
        Grid(
            name: "three", width: 53, alignment: .leading, columns: [10, 73, 136], rows: [10, 70, 130, 190],
            content: size(200, 250)),
        Grid(
            name: "three, with header", width: 53, alignment: .leading, header: 50, columns: [10, 73, 136],
            rows: [60, 120, 180, 240], content: size(200, 300)),
        Grid(
            name: "four", width: 37, alignment: .leading, columns: [10, 57, 104, 151], rows: [10, 70, 130],
            content: size(200, 190)),
        Grid(
            name: "four, with header", width: 37, alignment: .leading, header: 50, columns: [10, 57, 104, 151],
            rows: [60, 120, 180], content: size(200, 240)),
        Grid(
            name: "header and footer", alignment: .leading, header: 100, footer: 100, columns: [10, 70, 130],
            rows: [110, 170, 230, 290], content: size(200, 450), footerTop: 350),
    ]

    @Test(arguments: vertical) func verticalGridsStandAsPublished(grid: Grid) {
        let layout = FlowLayout.prepared(width: 200, counts: [10]) {
            $0.itemSize = size(grid.width, 50)
            $0.sectionInset = EdgeInsets(all: 10)
            $0.rowAlignment = grid.alignment
            $0.headerReferenceSize = size(100, grid.header)
            $0.footerReferenceSize = size(100, grid.footer)
        }
        let expected = (0..<10).map { index in
            let (row, column) = index.quotientAndRemainder(dividingBy: grid.columns.count)
            return box(grid.columns[column], grid.rows[row], grid.width, 50)
        }
        #expect(layout.items(10) == expected)
        #expect(layout.item(10) == nil)
        #expect(layout.contentSize == grid.content)
        #expect(layout.header() == (grid.header > 0 ? box(0, 0, 200, grid.header) : nil))
        #expect(layout.footer() == grid.footerTop.map { box(0, $0, 200, grid.footer) })
    }

    static let horizontal: [Grid] = [
        Grid(
            name: "one row", columns: [50, 110, 170, 230, 290, 350, 410, 470, 530, 590], rows: [10],
            content: size(690, 70)),
        Grid(name: "two rows", columns: [50, 110, 170, 230, 290], rows: [10, 70], content: size(390, 130)),
        Grid(
            name: "one in sight", width: 100, columns: [50, 160, 270, 380, 490, 600, 710, 820, 930, 1040], rows: [10],
            content: size(1190, 70)),
        Grid(
            name: "two in sight", width: 45, columns: [50, 105, 160, 215, 270, 325, 380, 435, 490, 545], rows: [10],
            content: size(640, 70)),
        Grid(
            name: "three in sight", width: 26, columns: [50, 86, 122, 158, 194, 230, 266, 302, 338, 374], rows: [10],
            content: size(450, 70)),
        Grid(
            name: "four in sight", width: 17, columns: [50, 77, 104, 131, 158, 185, 212, 239, 266, 293], rows: [10],
            content: size(360, 70)),
    ]

    @Test(arguments: horizontal) func horizontalGridsStandAsPublished(grid: Grid) {
        let layout = FlowLayout.prepared(width: 200, height: grid.content.height, counts: [10]) {
            $0.itemSize = size(grid.width, 50)
            $0.scrollDirection = .horizontal
            $0.sectionInset = EdgeInsets(top: 10, leading: 50, bottom: 10, trailing: 50)
        }
        let expected = (0..<10).map { index in
            let (column, row) = index.quotientAndRemainder(dividingBy: grid.rows.count)
            return box(grid.columns[column], grid.rows[row], grid.width, 50)
        }
        #expect(layout.items(10) == expected)
        #expect(layout.item(10) == nil)
        #expect(layout.contentSize == grid.content)
    }

    @Test func verticalItemsTakeTheHeightsThatTheyPrefer() {
        var layout = FlowLayout.prepared(width: 200, counts: [10]) {
            $0.estimatedItemSize = size(50, 50)
            $0.sectionInset = EdgeInsets(all: 10)
            $0.rowAlignment = .leading
        }
        layout.measure(size(50, 100), items: 0..<10)
        let expected = [
            box(10, 10, 50, 100), box(70, 10, 50, 100), box(130, 10, 50, 100), box(10, 120, 50, 100),
            box(70, 120, 50, 100), box(130, 120, 50, 100),
        ]
        #expect(layout.items(6) == expected)
    }

    @Test func horizontalItemsTakeTheWidthsThatTheyPrefer() {
        var layout = FlowLayout.prepared(width: 10000, height: 70, counts: [10]) {
            $0.estimatedItemSize = size(50, 50)
            $0.scrollDirection = .horizontal
            $0.sectionInset = EdgeInsets(top: 10, leading: 50, bottom: 10, trailing: 50)
        }
        layout.measure(size(100, 50), items: 0..<10)
        let expected = [
            box(50, 10, 100, 50), box(160, 10, 100, 50), box(270, 10, 100, 50), box(380, 10, 100, 50),
            box(490, 10, 100, 50), box(600, 10, 100, 50),
        ]
        #expect(layout.items(6) == expected)
    }
}

extension FlowLayout {
    /// Gives items of the first section the sizes that they prefer, as a view does.
    mutating func measure(_ size: Size, items: Range<Int>) {
        for item in items {
            guard let original = attributes(of: .item(IndexPath(section: 0, item: item))) else { continue }
            var preferred = original
            preferred.layoutFrame = Rect(origin: original.layoutFrame.origin, size: size)
            guard shouldInvalidate(forPreferred: preferred, original: original) else { continue }
            invalidate(with: invalidationContext(forPreferred: preferred, original: original))
        }
    }
}
