import CollectionLayout
import Testing

/// Expected numbers from Instagram/IGListKit (BSD-3-Clause, now MIT), Tests/IGListCollectionViewLayoutTests.m and
/// Tests/IGListCollectionViewFlowLayoutTests.m: a view of 100 × 100 unless another is named.
///
/// Different there, and why it isn't in the tables:
/// - Headers lie within the section insets: (10, 10, 85, 10) and (10, 75, 85, 10) where a flow layout has
///   (0, 0, 100, 10) and (0, 65, 100, 10), which is why the facts name both.
/// - Rows are never justified and items of a row stand at its top: these ask for leading rows, of items of one height.
/// - Sections follow each other in the same row; here such sections are one.
/// - Items may be a point too long for their row (50 and 51 in 100), and the last one may be stretched to the edge.
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

    @Test(arguments: cases) func cellsStandAsPublished(example: Case) {
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
            #expect(layout.items(frames.count, in: section) == frames)
        }
        #expect(layout.contentSize.height == example.height)
    }

    @Test func aSectionWithInsetsBeginsBelowTheOneBefore() {
        let layout = FlowLayout.prepared(width: 100, counts: [1, 1]) {
            $0.rowAlignment = .leading
            $0.delegate = FlowLayoutDelegate(sizes: [[size(33, 33)], [size(85, 50)]])
            $0.delegate.insetForSection = {
                $0 == 0 ? .zero : EdgeInsets(top: 10, leading: 10, bottom: 5, trailing: 5)
            }
        }
        #expect(layout.item(0) == box(0, 0, 33, 33))
        #expect(layout.item(0, in: 1) == box(10, 43, 85, 50))
        #expect(layout.contentSize.height == 98)
    }

    @Test func aContentInsetNarrowsHeaders() {
        let layout = FlowLayout.prepared(width: 100, counts: [2]) {
            $0.headerReferenceSize = size(0, 10)
        } in: {
            $0.contentInset = EdgeInsets(leading: 30, trailing: 30)
        }
        #expect(layout.header() == box(0, 0, 40, 10))
    }

    /// Its `stickyHeaderOriginYAdjustment` is added to the content inset here.
    @Test(arguments: [(10.0, 30.0, 45.0), (0, 30, 40), (20, 30, 55)])
    func pinnedHeadersFollowTheContentInset(top: Double, first: Double, second: Double) {
        let counts = [2, 3]
        var layout = FlowLayout.prepared(width: 100, counts: counts) {
            $0.minimumLineSpacing = 0
            $0.headerReferenceSize = size(0, 10)
            $0.sectionHeadersPinToVisibleBounds = true
            $0.delegate = FlowLayoutDelegate(
                sizes: [[size(100, 10), size(100, 20)], [size(100, 30), size(100, 40), size(100, 50)]])
        }
        layout.scroll(to: 35, height: 100, width: 100, counts: counts, top: top)
        #expect(layout.header(0) == box(0, first, 100, 10))
        #expect(layout.header(1) == box(0, second, 100, 10))
    }

    @Test(
        arguments: [
            (box(0, 500, 100, 100), 5), (box(0, 0, 100, 1000), 50), (box(0, 250, 100, 100), 6),
            (box(0, 250, 100, 1), 1),
        ])
    func aRectangleFindsExactlyItsCells(rect: Rect, count: Int) {
        let layout = FlowLayout.prepared(width: 100, counts: [1000]) {
            $0.itemSize = size(100, 20)
            $0.minimumLineSpacing = 0
        }
        #expect(layout.attributes(in: rect).count == count)
    }

    @Test func unknownPlacesHaveNoAttributes() {
        let layout = FlowLayout.prepared(width: 100, counts: [2])
        #expect(layout.item(0, in: 4) == nil)
        #expect(layout.item(4) == nil)
    }
}
