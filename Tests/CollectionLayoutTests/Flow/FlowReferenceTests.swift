import CollectionLayout
import LayoutTestSupport
import TestSupport
import Testing

/// Expected frames from zenangst/Blueprints (MIT), Tests/Shared/VerticalBlueprintLayoutTests.swift and
/// Tests/Shared/HorizontalBlueprintLayoutTests.swift: ten items, spacing 10, in a view of 200 × 200.
///
/// Its `itemsPerRow` becomes the corresponding item width here. The tables omit what differs there:
/// - Rows are never justified. Rows of three and four have remaining space, so these tests use leading rows.
/// - A horizontal layout has as many rows as requested, not as many as fit. The view here is as high as they are.
/// - Headers and footers of a horizontal layout are above and below the items; headers and footers of a flow layout are before
///   and after them.
/// - `layoutAttributesForElements(in: .zero)` returns all items of a row, and other rectangles also return neighbors.
@Suite struct FlowBlueprintsTests {
    struct Grid: Sendable, CustomTestStringConvertible {
        let name: String
        var width = 50.0
        var alignment = FlowLayout.RowAlignment.justified
        var header = 0.0
        var footer = 0.0
        /// The starts of columns and rows.
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

    @Test(arguments: vertical) func verticalGridsMatchPublishedFrames(grid: Grid) {
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
        expectEqual(layout.items(10), expected)
        expectEqual(layout.item(10), nil)
        expectEqual(layout.contentSize, grid.content)
        expectEqual(layout.header(), (grid.header > 0 ? box(0, 0, 200, grid.header) : nil))
        expectEqual(layout.footer(), grid.footerTop.map { box(0, $0, 200, grid.footer) })
    }

    static let horizontal: [Grid] = [
        Grid(
            name: "one row", columns: [50, 110, 170, 230, 290, 350, 410, 470, 530, 590], rows: [10],
            content: size(690, 70)),
        Grid(name: "two rows", columns: [50, 110, 170, 230, 290], rows: [10, 70], content: size(390, 130)),
        Grid(
            name: "one visible", width: 100, columns: [50, 160, 270, 380, 490, 600, 710, 820, 930, 1040], rows: [10],
            content: size(1190, 70)),
        Grid(
            name: "two visible", width: 45, columns: [50, 105, 160, 215, 270, 325, 380, 435, 490, 545], rows: [10],
            content: size(640, 70)),
        Grid(
            name: "three visible", width: 26, columns: [50, 86, 122, 158, 194, 230, 266, 302, 338, 374], rows: [10],
            content: size(450, 70)),
        Grid(
            name: "four visible", width: 17, columns: [50, 77, 104, 131, 158, 185, 212, 239, 266, 293], rows: [10],
            content: size(360, 70)),
    ]

    @Test(arguments: horizontal) func horizontalGridsMatchPublishedFrames(grid: Grid) {
        let layout = FlowLayout.prepared(width: 200, height: grid.content.height, counts: [10]) {
            $0.itemSize = size(grid.width, 50)
            $0.scrollDirection = .horizontal
            $0.sectionInset = EdgeInsets(top: 10, leading: 50, bottom: 10, trailing: 50)
        }
        let expected = (0..<10).map { index in
            let (column, row) = index.quotientAndRemainder(dividingBy: grid.rows.count)
            return box(grid.columns[column], grid.rows[row], grid.width, 50)
        }
        expectEqual(layout.items(10), expected)
        expectEqual(layout.item(10), nil)
        expectEqual(layout.contentSize, grid.content)
    }

    @Test func verticalItemsGetPreferredHeights() {
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
        expectEqual(layout.items(6), expected)
    }

    @Test func horizontalItemsGetPreferredWidths() {
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
        expectEqual(layout.items(6), expected)
    }
}

extension FlowLayout {
    /// Applies preferred sizes to items of the first section, as a view does.
    mutating func measure(_ size: Size, items: Range<Int>) {
        for item in items {
            guard let original = attributes(of: .item(IndexPath(section: 0, item: item))) else { continue }
            var preferred = original
            preferred.frame = Rect(origin: original.frame.origin, size: size)
            guard shouldInvalidate(forPreferred: preferred, original: original) else { continue }
            invalidate(with: invalidationContext(forPreferred: preferred, original: original))
        }
    }
}

/// Expected values from Instagram/IGListKit (BSD-3-Clause, now MIT), Tests/IGListCollectionViewLayoutTests.m and
/// Tests/IGListCollectionViewFlowLayoutTests.m: a view of 100 × 100 unless specified otherwise.
///
/// The tables omit what differs there:
/// - Headers are inside the section insets: (10, 10, 85, 10) and (10, 75, 85, 10) where a flow layout has (0, 0, 100,
///   10) and (0, 65, 100, 10).
/// - Rows are never justified, and items are aligned at the top of their row. These tests use leading rows of items
///   with one height.
/// - Sections follow each other in the same row. Here, such sections are one section.
/// - Items can be a point too long for their row (50 and 51 in 100), and the last one can be stretched to the edge.
@Suite struct FlowListKitTests {
    struct Case: Sendable, CustomTestStringConvertible {
        let name: String
        var insets = EdgeInsets.zero
        var lineSpacing = 0.0
        var spacing = 0.0
        var width = 100.0
        var contentInset = EdgeInsets.zero
        let headers: [Double]
        let sizes: [[Size]]
        let frames: [[Rect]]
        let height: Double

        var testDescription: String { name }
    }

    static let square = size(33, 33)

    static let cases: [Case] = [
        Case(
            name: "three in a row, and another section", headers: [0, 0], sizes: [[square, square, square], [square]],
            frames: [[box(0, 0, 33, 33), box(33, 0, 33, 33), box(66, 0, 33, 33)], [box(0, 33, 33, 33)]], height: 66),
        Case(
            name: "half a point between", spacing: 0.5, headers: [0], sizes: [[square, square, square]],
            frames: [[box(0, 0, 33, 33), box(33.5, 0, 33, 33), box(67, 0, 33, 33)]], height: 33),
        Case(
            name: "a header begins a row", headers: [0, 10], sizes: [[square], [square]],
            frames: [[box(0, 0, 33, 33)], [box(0, 43, 33, 33)]], height: 76),
        Case(
            name: "three no longer fit", width: 70, headers: [0], sizes: [[square, square, square]],
            frames: [[box(0, 0, 33, 33), box(33, 0, 33, 33), box(0, 33, 33, 33)]], height: 66),
        Case(
            name: "within a content inset", contentInset: EdgeInsets(leading: 30, trailing: 30), headers: [10],
            sizes: [[size(40, 10), size(40, 20)]], frames: [[box(0, 10, 40, 10), box(0, 20, 40, 20)]], height: 40),
        Case(
            name: "nearly a row", headers: [0], sizes: [[square, size(65, 33)]],
            frames: [[box(0, 0, 33, 33), box(33, 0, 65, 33)]], height: 33),
        Case(
            name: "more than a row", headers: [0], sizes: [[size(50, 50), size(52, 50)]],
            frames: [[box(0, 0, 50, 50), box(0, 50, 52, 50)]], height: 100),
        Case(
            name: "one item", headers: [0], sizes: [[size(100, 44)]], frames: [[box(0, 0, 100, 44)]], height: 44),
        Case(
            name: "insets around squares", insets: EdgeInsets(all: 1), lineSpacing: 2, spacing: 2, width: 414,
            headers: [0], sizes: [Array(repeating: size(136, 136), count: 6)],
            frames: [
                [
                    box(1, 1, 136, 136), box(139, 1, 136, 136), box(277, 1, 136, 136), box(1, 139, 136, 136),
                    box(139, 139, 136, 136), box(277, 139, 136, 136),
                ]
            ], height: 276),
        Case(
            name: "after updates", insets: EdgeInsets(top: 10, leading: 10, bottom: 5, trailing: 5), lineSpacing: 10,
            headers: [10, 10, 10, 10],
            sizes: [[size(85, 30)], [size(85, 40)], [size(85, 30), size(85, 10)], [size(85, 10), size(85, 20)]],
            frames: [
                [box(10, 20, 85, 30)], [box(10, 75, 85, 40)], [box(10, 140, 85, 30), box(10, 180, 85, 10)],
                [box(10, 215, 85, 10), box(10, 235, 85, 20)],
            ], height: 260),
    ]

    @Test(arguments: cases) func cellsMatchPublishedFrames(example: Case) {
        let layout = FlowLayout.prepared(width: example.width, counts: example.sizes.map(\.count)) {
            $0.rowAlignment = .leading
            $0.sectionInset = example.insets
            $0.minimumLineSpacing = example.lineSpacing
            $0.minimumInteritemSpacing = example.spacing
            $0.delegate = FlowLayoutDelegate(sizes: example.sizes)
            $0.delegate.referenceSizeForHeader = { size(100, example.headers[$0]) }
        } in: {
            $0.contentInset = example.contentInset
            $0.pixels = PixelGrid(scale: 2)
        }
        for (section, frames) in example.frames.enumerated() {
            expectEqual(layout.items(frames.count, in: section), frames)
        }
        expectEqual(layout.contentSize.height, example.height)
    }

    @Test func sectionWithInsetsBeginsBelowPrecedingSection() {
        let layout = FlowLayout.prepared(width: 100, counts: [1, 1]) {
            $0.rowAlignment = .leading
            $0.delegate = FlowLayoutDelegate(sizes: [[size(33, 33)], [size(85, 50)]])
            $0.delegate.insetForSection = {
                $0 == 0 ? .zero : EdgeInsets(top: 10, leading: 10, bottom: 5, trailing: 5)
            }
        }
        expectEqual(layout.item(0), box(0, 0, 33, 33))
        expectEqual(layout.item(0, in: 1), box(10, 43, 85, 50))
        expectEqual(layout.contentSize.height, 98)
    }

    @Test func contentInsetNarrowsHeaders() {
        let layout = FlowLayout.prepared(width: 100, counts: [2]) {
            $0.headerReferenceSize = size(0, 10)
        } in: {
            $0.contentInset = EdgeInsets(leading: 30, trailing: 30)
        }
        expectEqual(layout.header(), box(0, 0, 40, 10))
    }

    /// The content inset here includes its `stickyHeaderOriginYAdjustment`.
    @Test(arguments: [(10.0, 30.0, 45.0), (0, 30, 40), (20, 30, 55)])
    func pinnedHeadersFollowContentInset(top: Double, first: Double, second: Double) {
        let counts = [2, 3]
        var layout = FlowLayout.prepared(width: 100, counts: counts) {
            $0.minimumLineSpacing = 0
            $0.headerReferenceSize = size(0, 10)
            $0.sectionHeadersPinToVisibleBounds = true
            $0.delegate = FlowLayoutDelegate(
                sizes: [[size(100, 10), size(100, 20)], [size(100, 30), size(100, 40), size(100, 50)]])
        }
        layout.scroll(to: 35, height: 100, width: 100, counts: counts, top: top)
        expectEqual(layout.header(0), box(0, first, 100, 10))
        expectEqual(layout.header(1), box(0, second, 100, 10))
    }

    @Test(
        arguments: [
            (box(0, 500, 100, 100), 5), (box(0, 0, 100, 1000), 50), (box(0, 250, 100, 100), 6),
            (box(0, 250, 100, 1), 1),
        ])
    func rectangleQueryFindsExactlyItsCells(rect: Rect, count: Int) {
        let layout = FlowLayout.prepared(width: 100, counts: [1000]) {
            $0.itemSize = size(100, 20)
            $0.minimumLineSpacing = 0
        }
        expectEqual(layout.attributes(in: rect).count, count)
    }

    @Test func unknownIndexPathsHaveNoAttributes() {
        let layout = FlowLayout.prepared(width: 100, counts: [2])
        expectEqual(layout.item(0, in: 4), nil)
        expectEqual(layout.item(4), nil)
    }
}

/// Expected values from wayfair/brickkit-ios (Apache-2.0; now wayfair-archive),
/// Tests/Layout/BrickFlowLayoutTests.swift, Tests/Layout/BrickFlowLayoutEdgeInsetsTests.swift,
/// Tests/Models/BrickAlignmentTests.swift (left), Tests/Behaviors/StickyLayoutBehaviorTests.swift and
/// StickyFooterLayoutBehaviorTests.swift: a view of 320 × 480.
///
/// Its relative widths become the corresponding item widths here, and its single inset is used for both kinds of
/// spacing. The tables omit what differs there:
/// - Items are aligned at the top of their row: with heights of 100 and 200, both begin at 0; in a flow layout, they
///   begin at 50 and 0.
/// - An item of height 0 is omitted; a flow layout places it.
/// - Any brick can stick, several stack, and a sticky footer leaves its section at the end of the content (3280 at
///   offset 3000 in a content of 2000); headers and footers of a flow layout never do.
@Suite struct FlowBrickKitTests {
    struct Case: Sendable, CustomTestStringConvertible {
        let name: String
        var spacing = 0.0
        var insets = EdgeInsets.zero
        var alignment = FlowLayout.RowAlignment.justified
        let frames: [Rect]
        let height: Double

        var testDescription: String { name }
    }

    static let cases: [Case] = [
        Case(name: "one", frames: [box(0, 0, 320, 100)], height: 100),
        Case(name: "two", frames: [box(0, 0, 160, 100), box(160, 0, 160, 100)], height: 100),
        Case(
            name: "two, apart", spacing: 20, frames: [box(0, 0, 150, 100), box(170, 0, 150, 100)], height: 100),
        Case(
            name: "two and one", frames: [box(0, 0, 160, 100), box(160, 0, 160, 100), box(0, 100, 320, 100)],
            height: 200),
        Case(
            name: "two and one, apart", spacing: 10,
            frames: [box(0, 0, 155, 100), box(165, 0, 155, 100), box(0, 110, 320, 100)], height: 210),
        Case(name: "one, inset", insets: EdgeInsets(all: 20), frames: [box(20, 20, 280, 100)], height: 140),
        Case(
            name: "two, inset", insets: EdgeInsets(all: 20),
            frames: [box(20, 20, 140, 100), box(160, 20, 140, 100)], height: 140),
        Case(
            name: "two and one, inset", insets: EdgeInsets(all: 20),
            frames: [box(20, 20, 140, 100), box(160, 20, 140, 100), box(20, 120, 280, 100)], height: 240),
        Case(
            name: "left, inset", spacing: 10, insets: EdgeInsets(all: 5), alignment: .leading,
            frames: [box(5, 5, 310, 50)], height: 60),
        Case(
            name: "left", alignment: .leading,
            frames: [box(0, 0, 50, 50), box(50, 0, 50, 50), box(100, 0, 50, 50)], height: 50),
        Case(
            name: "left, apart", spacing: 5, insets: EdgeInsets(leading: 10, trailing: 10), alignment: .leading,
            frames: [box(10, 0, 50, 50), box(65, 0, 50, 50), box(120, 0, 50, 50)], height: 50),
    ]

    @Test(arguments: cases) func bricksMatchPublishedFrames(example: Case) {
        let layout = FlowLayout.prepared(width: 320, height: 480, counts: [example.frames.count]) {
            $0.minimumLineSpacing = example.spacing
            $0.minimumInteritemSpacing = example.spacing
            $0.sectionInset = example.insets
            $0.rowAlignment = example.alignment
            $0.delegate = FlowLayoutDelegate(sizes: [example.frames.map(\.size)])
        }
        expectEqual(layout.items(example.frames.count), example.frames)
        expectEqual(layout.contentSize, size(320, example.height))
    }

    @Test func fifthsOfRowArePrecise() {
        let layout = FlowLayout.prepared(width: 1024, counts: [5]) {
            $0.itemSize = size(195.2, 50)
            $0.sectionInset = EdgeInsets(all: 8)
            $0.minimumInteritemSpacing = 8
        } in: {
            $0.pixels = PixelGrid(scale: 10)
        }
        expectEqual(layout.item(4)?.minX, 820.8)
        expectEqual(layout.item(4)?.maxX, 1016)
        expectEqual(layout.item(4)?.minY, 8)
        expectEqual(layout.item(4)?.height, 50)
    }

    @Test(arguments: [(500.0, 0.0, 500.0), (500, 20, 520)])
    func stickyFirstBrickStaysAtTop(offset: Double, top: Double, expected: Double) {
        var layout = FlowLayout.prepared(width: 320, height: 480, counts: [19]) {
            $0.itemSize = size(320, 100)
            $0.minimumLineSpacing = 0
            $0.headerReferenceSize = size(0, 100)
            $0.sectionHeadersPinToVisibleBounds = true
        }
        expectEqual(layout.items(19), (1..<20).map { box(0, Double($0) * 100, 320, 100) })
        expectEqual(layout.contentSize, size(320, 2000))
        layout.scroll(to: offset, height: 480, width: 320, counts: [19], top: top)
        expectEqual(layout.header(), box(0, expected, 320, 100))
    }

    @Test(arguments: [(500.0, 500.0, 1100.0), (1100, 1000, 1100), (1600, 1000, 1600)])
    func stickyBricksStayInTheirSection(offset: Double, first: Double, second: Double) {
        var layout = FlowLayout.prepared(width: 320, height: 480, counts: [1, 1]) {
            $0.itemSize = size(320, 1000)
            $0.headerReferenceSize = size(0, 100)
            $0.sectionHeadersPinToVisibleBounds = true
        }
        layout.scroll(to: offset, height: 480, width: 320, counts: [1, 1])
        expectEqual(layout.header(0), box(0, first, 320, 100))
        expectEqual(layout.header(1), box(0, second, 320, 100))
    }

    @Test(arguments: [(0.0, 380.0, 1100.0), (500, 880, 1100), (1100, 1000, 1480), (1600, 1000, 1980)])
    func stickyFootersStayInTheirSection(offset: Double, first: Double, second: Double) {
        var layout = FlowLayout.prepared(width: 320, height: 480, counts: [1, 1]) {
            $0.itemSize = size(320, 1000)
            $0.footerReferenceSize = size(0, 100)
            $0.sectionFootersPinToVisibleBounds = true
        }
        layout.scroll(to: offset, height: 480, width: 320, counts: [1, 1])
        expectEqual(layout.footer(0), box(0, first, 320, 100))
        expectEqual(layout.footer(1), box(0, second, 320, 100))
    }

    /// With a content inset at both ends. The view is at −20 first.
    @Test(arguments: [(-20.0, 340.0), (500, 860)])
    func stickyFooterStaysAboveInset(offset: Double, expected: Double) {
        let layout = FlowLayout.prepared(width: 320, height: 480, counts: [19]) {
            $0.itemSize = size(320, 100)
            $0.minimumLineSpacing = 0
            $0.footerReferenceSize = size(0, 100)
            $0.sectionFootersPinToVisibleBounds = true
        } in: {
            $0.bounds = box(0, offset, 320, 480)
            $0.contentInset = EdgeInsets(top: 20, bottom: 20)
        }
        expectEqual(layout.footer(), box(0, expected, 320, 100))
    }
}
