import CollectionLayout
import Testing

/// Expected numbers from wayfair/brickkit-ios (Apache-2.0; now wayfair-archive), Tests/Layout/BrickFlowLayoutTests.swift,
/// Tests/Layout/BrickFlowLayoutEdgeInsetsTests.swift, Tests/Models/BrickAlignmentTests.swift (left),
/// Tests/Behaviors/StickyLayoutBehaviorTests.swift and StickyFooterLayoutBehaviorTests.swift: a view of 320 × 480.
///
/// Its widths by ratio are the item widths here that they come to, and its one inset is both spacings. Different there,
/// and why it isn't in the tables:
/// - Items of a row stand at its top: 100 and 200 high they begin both at 0, in a flow layout at 50 and 0.
/// - An item of no height is no element; in a flow layout it is one.
/// - Any brick may stick, several stack, and a sticky footer leaves its section at the end of the content (3280 at offset
///   3000 in a content of 2000); headers and footers of a flow layout never do.
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

    @Test(arguments: cases) func bricksStandAsPublished(example: Case) {
        let layout = FlowLayout.prepared(width: 320, height: 480, counts: [example.frames.count]) {
            $0.minimumLineSpacing = example.spacing
            $0.minimumInteritemSpacing = example.spacing
            $0.sectionInset = example.insets
            $0.rowAlignment = example.alignment
            $0.delegate = FlowLayoutDelegate(sizes: [example.frames.map(\.size)])
        }
        #expect(layout.items(example.frames.count) == example.frames)
        #expect(layout.contentSize == size(320, example.height))
    }

    @Test func fifthsOfARowStayPrecise() {
        let layout = FlowLayout.prepared(width: 1024, counts: [5]) {
            $0.itemSize = size(195.2, 50)
            $0.sectionInset = EdgeInsets(all: 8)
            $0.minimumInteritemSpacing = 8
        } in: {
            $0.pixels = PixelGrid(scale: 10)
        }
        #expect(layout.item(4)?.minX == 820.8)
        #expect(layout.item(4)?.maxX == 1016)
        #expect(layout.item(4)?.minY == 8)
        #expect(layout.item(4)?.height == 50)
    }

    @Test(arguments: [(500.0, 0.0, 500.0), (500, 20, 520)])
    func aStickyFirstBrickStaysAtTheTop(offset: Double, top: Double, expected: Double) {
        var layout = FlowLayout.prepared(width: 320, height: 480, counts: [19]) {
            $0.itemSize = size(320, 100)
            $0.minimumLineSpacing = 0
            $0.headerReferenceSize = size(0, 100)
            $0.sectionHeadersPinToVisibleBounds = true
        }
        #expect(layout.items(19) == (1..<20).map { box(0, Double($0) * 100, 320, 100) })
        #expect(layout.contentSize == size(320, 2000))
        layout.scroll(to: offset, height: 480, width: 320, counts: [19], top: top)
        #expect(layout.header() == box(0, expected, 320, 100))
    }

    @Test(arguments: [(500.0, 500.0, 1100.0), (1100, 1000, 1100), (1600, 1000, 1600)])
    func stickyBricksStayInTheirSection(offset: Double, first: Double, second: Double) {
        var layout = FlowLayout.prepared(width: 320, height: 480, counts: [1, 1]) {
            $0.itemSize = size(320, 1000)
            $0.headerReferenceSize = size(0, 100)
            $0.sectionHeadersPinToVisibleBounds = true
        }
        layout.scroll(to: offset, height: 480, width: 320, counts: [1, 1])
        #expect(layout.header(0) == box(0, first, 320, 100))
        #expect(layout.header(1) == box(0, second, 320, 100))
    }

    @Test(arguments: [(0.0, 380.0, 1100.0), (500, 880, 1100), (1100, 1000, 1480), (1600, 1000, 1980)])
    func stickyFootersStayInTheirSection(offset: Double, first: Double, second: Double) {
        var layout = FlowLayout.prepared(width: 320, height: 480, counts: [1, 1]) {
            $0.itemSize = size(320, 1000)
            $0.footerReferenceSize = size(0, 100)
            $0.sectionFootersPinToVisibleBounds = true
        }
        layout.scroll(to: offset, height: 480, width: 320, counts: [1, 1])
        #expect(layout.footer(0) == box(0, first, 320, 100))
        #expect(layout.footer(1) == box(0, second, 320, 100))
    }

    /// With the content inset at both ends; its view stands at −20 first.
    @Test(arguments: [(-20.0, 340.0), (500, 860)])
    func aStickyFooterStaysAboveTheInset(offset: Double, expected: Double) {
        let layout = FlowLayout.prepared(width: 320, height: 480, counts: [19]) {
            $0.itemSize = size(320, 100)
            $0.minimumLineSpacing = 0
            $0.footerReferenceSize = size(0, 100)
            $0.sectionFootersPinToVisibleBounds = true
        } in: {
            $0.bounds = box(0, offset, 320, 480)
            $0.contentInset = EdgeInsets(top: 20, bottom: 20)
        }
        #expect(layout.footer() == box(0, expected, 320, 100))
    }
}
