import CollectionLayout
import Testing

/// The numbers of section 6 of the facts that concern flow layouts and rounding.
@Suite struct FlowFactTests {
    @Test func sectionsStackHeaderInsetRowsAndInset() {
        let counts = [2, 1]
        let layout = FlowLayout.prepared(width: 100, counts: counts) {
            $0.sectionInset = EdgeInsets(top: 10, leading: 10, bottom: 5, trailing: 5)
            $0.headerReferenceSize = size(0, 10)
            $0.delegate = FlowLayoutDelegate(sizes: [[size(85, 10), size(85, 20)], [size(85, 30)]])
        }
        #expect(layout.items(2) == [box(10, 20, 85, 10), box(10, 40, 85, 20)])
        #expect(layout.item(0, in: 1) == box(10, 85, 85, 30))
        #expect(layout.header(0) == box(0, 0, 100, 10))
        #expect(layout.header(1) == box(0, 65, 100, 10))
        #expect(layout.contentSize == size(100, 120))
        #expect(layout.diagnostics.isEmpty)
    }

    @Test(arguments: [(5.0, 15.0, 50.0), (45, 40, 55)])
    func pinnedHeadersStayBelowTheInsetAndInTheirSection(offset: Double, first: Double, second: Double) {
        let counts = [2, 3]
        var layout = FlowLayout.prepared(width: 100, height: 100, counts: counts) {
            $0.minimumLineSpacing = 0
            $0.headerReferenceSize = size(0, 10)
            $0.sectionHeadersPinToVisibleBounds = true
            $0.delegate.itemSizeForSection = { size(100, $0 == 0 ? 20 : 30) }
        }
        layout.scroll(to: offset, height: 100, width: 100, counts: counts, top: 10)
        #expect(layout.header(0) == box(0, first, 100, 10))
        #expect(layout.header(1) == box(0, second, 100, 10))
    }

    @Test func defaultsAreThoseOfTheOriginal() {
        let layout = FlowLayout()
        #expect(layout.itemSize == size(50, 50))
        #expect(layout.minimumLineSpacing == 10)
        #expect(layout.minimumInteritemSpacing == 10)
        #expect(layout.scrollDirection == .vertical)
        #expect(layout.sectionInset == .zero)
        #expect(layout.sectionInsetReference == .fromContentInset)
        #expect(layout.headerReferenceSize == .zero)
        #expect(layout.footerReferenceSize == .zero)
        #expect(layout.estimatedItemSize == .zero)
        #expect(!layout.sectionHeadersPinToVisibleBounds)
        #expect(!layout.sectionFootersPinToVisibleBounds)
    }

    /// From airbnb/MagazineLayout (Apache-2.0), Tests/ScreenPixelAlignmentTests.swift; three of them are in the facts too.
    /// An item as wide and as high as the value has its far edges there.
    @Test(
        arguments: [
            (1, 1, 1), (1.5, 1, 2), (500.8232134315, 1, 501), (1, 2, 1), (1.5, 2, 1.5), (500.8232134315, 2, 501),
            (1, 3, 1), (1.5, 3, 1.6666666666666667), (500.8232134315, 3, 500.6666666666667),
        ] as [(Double, Double, Double)])
    func edgesAreSnappedToDevicePixels(value: Double, scale: Double, expected: Double) {
        for rounding in [PixelGrid.Rounding.edges, .components] {
            let layout = FlowLayout.prepared(width: 1000, counts: [1]) {
                $0.itemSize = size(value, value)
                $0.rowAlignment = .leading
                $0.rounding = rounding
            } in: {
                $0.pixels = PixelGrid(scale: scale)
            }
            #expect(layout.item(0) == box(0, 0, expected, expected))
        }
    }

    /// From airbnb/MagazineLayout (Apache-2.0), Tests/ModelStateLayoutTests.swift: rows of two, three, four and five in a
    /// view 320 wide, with insets 15 and 5 and item insets 10, spacing 20. Its rows of different sizes follow each other
    /// by rules that flow layouts don't have; items are at the top of their row there, and in its middle here.
    @Test(
        arguments: [
            (130, [25, 175]), (80, [25, 125]), (55, [25, 100, 175, 250]), (40, [25, 85, 145, 205, 265]),
        ] as [(Double, [Double])])
    func fullRowsFillTheirInsets(width: Double, edges: [Double]) {
        let layout = FlowLayout.prepared(width: 320, counts: [edges.count]) {
            $0.itemSize = size(width, 15)
            $0.minimumInteritemSpacing = 20
            $0.sectionInset = EdgeInsets(leading: 25, trailing: 15)
        }
        #expect(layout.leadingEdges(edges.count) == edges)
    }
}
