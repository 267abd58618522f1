import CollectionLayout
import TestSupport
import Testing

/// The expected values of LayoutRules.md for flow layouts and rounding.
@Suite struct FlowLayoutTests {
    @Test func sectionStacksHeaderInsetRowsAndInset() {
        let counts = [2, 1]
        let layout = FlowLayout.prepared(width: 100, counts: counts) {
            $0.sectionInset = EdgeInsets(top: 10, leading: 10, bottom: 5, trailing: 5)
            $0.headerReferenceSize = size(0, 10)
            $0.delegate = FlowLayoutDelegate(sizes: [[size(85, 10), size(85, 20)], [size(85, 30)]])
        }
        expectEqual(layout.items(2), [box(10, 20, 85, 10), box(10, 40, 85, 20)])
        expectEqual(layout.item(0, in: 1), box(10, 85, 85, 30))
        expectEqual(layout.header(0), box(0, 0, 100, 10))
        expectEqual(layout.header(1), box(0, 65, 100, 10))
        expectEqual(layout.contentSize, size(100, 120))
        #expect(layout.diagnostics.isEmpty)
    }

    @Test(arguments: [(5.0, 15.0, 50.0), (45, 40, 55)])
    func pinnedHeadersStayBelowInsetAndInTheirSection(offset: Double, first: Double, second: Double) {
        let counts = [2, 3]
        var layout = FlowLayout.prepared(width: 100, height: 100, counts: counts) {
            $0.minimumLineSpacing = 0
            $0.headerReferenceSize = size(0, 10)
            $0.sectionHeadersPinToVisibleBounds = true
            $0.delegate.itemSizeForSection = { size(100, $0 == 0 ? 20 : 30) }
        }
        layout.scroll(to: offset, height: 100, width: 100, counts: counts, top: 10)
        expectEqual(layout.header(0), box(0, first, 100, 10))
        expectEqual(layout.header(1), box(0, second, 100, 10))
    }

    @Test func defaultsAreThoseOfUIKit() {
        let layout = FlowLayout()
        expectEqual(layout.itemSize, size(50, 50))
        expectEqual(layout.minimumLineSpacing, 10)
        expectEqual(layout.minimumInteritemSpacing, 10)
        expectEqual(layout.scrollDirection, .vertical)
        expectEqual(layout.sectionInset, .zero)
        expectEqual(layout.sectionInsetReference, .fromContentInset)
        expectEqual(layout.headerReferenceSize, .zero)
        expectEqual(layout.footerReferenceSize, .zero)
        expectEqual(layout.estimatedItemSize, .zero)
        #expect(!layout.sectionHeadersPinToVisibleBounds)
        #expect(!layout.sectionFootersPinToVisibleBounds)
    }

    /// Values of airbnb/MagazineLayout (Apache-2.0), Tests/ScreenPixelAlignmentTests.swift; three of them are also in
    /// LayoutRules.md. The far edges of an item as wide and high as the value are at the value.
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
            expectEqual(layout.item(0), box(0, 0, expected, expected))
        }
    }

    /// Values of airbnb/MagazineLayout (Apache-2.0), Tests/ModelStateLayoutTests.swift: rows of two, three, four and
    /// five in a view 320 wide, with insets 15 and 5 and item insets 10, spacing 20. Its rows of different sizes follow
    /// rules that flow layouts don't have. It aligns items at the top of their row; a flow layout centers them.
    @Test(
        arguments: [
            (130, [25, 175]), (80, [25, 125]), (55, [25, 100, 175, 250]), (40, [25, 85, 145, 205, 265]),
        ] as [(Double, [Double])])
    func fullRowsFillSpaceInsideInsets(width: Double, edges: [Double]) {
        let layout = FlowLayout.prepared(width: 320, counts: [edges.count]) {
            $0.itemSize = size(width, 15)
            $0.minimumInteritemSpacing = 20
            $0.sectionInset = EdgeInsets(leading: 25, trailing: 15)
        }
        expectEqual(layout.leadingEdges(edges.count), edges)
    }
}

/// The distribution of the remaining space of a row; expected values by hand from the rules of flow layouts.
@Suite struct FlowRowTests {
    /// 20 wide in 100 with 5 between: four take 95, so that each gap grows by 5/3.
    @Test(
        arguments: [
            (FlowLayout.LastRow.bySizes, [0, 26.667, 53.333]), (.asIfFilled, [0, 26.667, 53.333]),
            (.leading, [0, 25, 50]),
        ] as [(FlowLayout.LastRow, [Double])])
    func fullRowsAreJustifiedAndLastRowFollowsItsRule(rule: FlowLayout.LastRow, last: [Double]) {
        let layout = FlowLayout.prepared(width: 100, counts: [7]) {
            $0.itemSize = size(20, 10)
            $0.minimumInteritemSpacing = 5
            $0.lastRow = rule
        } in: {
            $0.pixels = PixelGrid(scale: 3)
        }
        let edges = layout.leadingEdges(7).map { ($0 ?? -1).rounded(toThousandth: ()) }
        expectEqual(edges, [0, 26.667, 53.333, 80] + last)
    }

    @Test func fullLastRowIsJustifiedUnderEveryRule() {
        for rule in FlowLayout.LastRow.allCases {
            let layout = FlowLayout.prepared(width: 100, counts: [4]) {
                $0.itemSize = size(30, 10)
                $0.lastRow = rule
            }
            expectEqual(layout.leadingEdges(4), [0, 70, 0, 70])
        }
    }

    @Test func lastRowWithIndividualSizesIsLeading() {
        let sizes = [[size(20, 10), size(20, 10), size(20, 10), size(20, 10), size(20, 10), size(20, 10)]]
        let layout = FlowLayout.prepared(width: 100, counts: [6]) {
            $0.minimumInteritemSpacing = 4
            $0.delegate = FlowLayoutDelegate(sizes: sizes)
        }
        // Four take 92; the gaps grow by 8/3.
        expectEqual(layout.leadingEdges(6), [0, 27, 53, 80, 0, 24])
    }

    /// 30 and 20 with 10 between leave space for one more of 20. Each gap gets 5 of the remaining 10.
    @Test(arguments: [(FlowLayout.LastRow.bySizes, 40.0), (.leading, 40), (.asIfFilled, 45)])
    func lastRowIsSpacedAsIfFilledWithCopiesOfItsLastItem(rule: FlowLayout.LastRow, edge: Double) {
        let layout = FlowLayout.prepared(width: 100, counts: [4]) {
            $0.lastRow = rule
            $0.delegate = FlowLayoutDelegate(sizes: [[size(40, 10), size(40, 10), size(30, 10), size(20, 10)]])
        }
        expectEqual(layout.leadingEdges(4), [0, 60, 0, edge])
    }

    @Test func singleItemThatFillsRowIsCentered() {
        for ownSizes in [false, true] {
            let layout = FlowLayout.prepared(width: 100, counts: [3]) {
                $0.itemSize = size(60, 10)
                $0.sectionInset = EdgeInsets(leading: 10, trailing: 20)
                if ownSizes { $0.delegate.sizeForItem = { _ in size(60, 10) } }
            }
            expectEqual(layout.items(3), [box(15, 0, 60, 10), box(15, 20, 60, 10), box(15, 40, 60, 10)])
        }
    }

    @Test func leadingEdgesFollowAlignmentOfRow() {
        // A single item in the last row aligns with the other rows.
        do {
            let layout = FlowLayout.prepared(width: 100, counts: [3]) { $0.itemSize = size(30, 10) }
            expectEqual(layout.leadingEdges(3), [0, 70, 0])
        }
        // An item that is alone because the next one does not fit is centered.
        do {
            let layout = FlowLayout.prepared(width: 100, counts: [2]) {
                $0.delegate = FlowLayoutDelegate(sizes: [[size(30, 10), size(90, 10)]])
            }
            expectEqual(layout.leadingEdges(2), [35, 5])
        }
        // Leading rows keep the minimum spacing.
        do {
            let layout = FlowLayout.prepared(width: 100, counts: [3]) {
                $0.rowAlignment = .leading
                $0.itemSize = size(30, 10)
            }
            expectEqual(layout.leadingEdges(3), [0, 40, 0])
        }
    }

    @Test func itemsAreCenteredInRowAsThickAsItsThickestItem() {
        let layout = FlowLayout.prepared(width: 100, counts: [4]) {
            $0.minimumInteritemSpacing = 5
            $0.minimumLineSpacing = 7
            $0.delegate = FlowLayoutDelegate(sizes: [[size(30, 10), size(30, 30), size(30, 20), size(30, 8)]])
        }
        expectEqual(layout.items(4), [box(0, 10, 30, 10), box(35, 0, 30, 30), box(70, 5, 30, 20), box(0, 37, 30, 8)])
        expectEqual(layout.contentSize, size(100, 45))
    }

    @Test func itemLongerThanRowStartsAtLeadingEdgeWithDiagnostic() {
        let layout = FlowLayout.prepared(width: 100, counts: [3]) {
            $0.sectionInset = EdgeInsets(leading: 10, trailing: 10)
            $0.delegate = FlowLayoutDelegate(sizes: [[size(20, 10), size(120, 10), size(20, 10)]])
        }
        expectEqual(layout.item(1), box(10, 20, 120, 10))
        expectEqual(layout.item(2)?.minY, 40)
        expectEqual(layout.diagnostics.map(\.problem), [.noRoom])
        expectEqual(layout.diagnostics.map(\.element), [.item(IndexPath(section: 0, item: 1))])
    }

    @Test func lengthsThatFillRowExceptForRoundingFit() {
        let layout = FlowLayout.prepared(width: 100, counts: [7]) {
            $0.itemSize = size(100.0 / 7, 10)
            $0.minimumInteritemSpacing = 0
        }
        expectEqual(layout.contentSize.height, 10)
    }

    @Test func neighborsShareEdgeOnPixelGrid() {
        for (rounding, widths) in [(PixelGrid.Rounding.edges, [33.0, 34, 33]), (.components, [33, 33, 33])] {
            let layout = FlowLayout.prepared(width: 100, counts: [3]) {
                $0.itemSize = size(100.0 / 3, 10)
                $0.minimumInteritemSpacing = 0
                $0.rounding = rounding
            }
            expectEqual(layout.leadingEdges(3), [0, 33, 67])
            expectEqual(layout.items(3).map { $0?.width }, widths)
        }
    }
}

extension Double {
    func rounded(toThousandth: Void) -> Double { (self * 1000).rounded() / 1000 }
}

/// Headers, footers, insets and directions; expected values by hand from the rules of flow layouts.
@Suite struct FlowBoundaryTests {
    @Test func headersAndFootersSpanContainerAndIgnoreInsets() {
        let layout = FlowLayout.prepared(width: 100, counts: [1, 0, 1]) {
            $0.itemSize = size(70, 30)
            $0.headerReferenceSize = size(5, 12)
            $0.footerReferenceSize = size(5, 8)
            $0.sectionInset = EdgeInsets(top: 1, leading: 10, bottom: 2, trailing: 20)
        }
        expectEqual(layout.header(0), box(0, 0, 100, 12))
        expectEqual(layout.item(0), box(10, 13, 70, 30))
        expectEqual(layout.footer(0), box(0, 45, 100, 8))
        // An empty section keeps its insets.
        expectEqual(layout.header(1), box(0, 53, 100, 12))
        expectEqual(layout.footer(1), box(0, 68, 100, 8))
        expectEqual(layout.header(2), box(0, 76, 100, 12))
        expectEqual(layout.contentSize, size(100, 129))
    }

    @Test func headerOfLengthZeroIsOmitted() {
        let layout = FlowLayout.prepared(width: 100, counts: [1]) {
            $0.headerReferenceSize = size(100, 0)
            $0.footerReferenceSize = size(100, 0)
        }
        expectEqual(layout.header(), nil)
        expectEqual(layout.footer(), nil)
        expectEqual(layout.elements(in: box(0, 0, 100, 100)), [.item(IndexPath(section: 0, item: 0))])
    }

    @Test func itemIndexOfHeaderIsZero() {
        let layout = FlowLayout.prepared(width: 100, counts: [2]) { $0.headerReferenceSize = size(0, 10) }
        expectEqual(layout.attributes(of: .supplementary(.header, IndexPath(section: 0, item: 1))), nil)
        expectEqual(layout.attributes(of: .supplementary("badge", IndexPath(section: 0, item: 0))), nil)
        expectEqual(layout.attributes(of: .decoration(.header, IndexPath(section: 0, item: 0))), nil)
    }

    @Test func insetsOfEmptySectionsMoveFollowingSections() {
        let layout = FlowLayout.prepared(width: 100, counts: [0, 0, 1, 0]) {
            $0.sectionInset = EdgeInsets(top: 3, bottom: 4)
        }
        expectEqual(layout.item(0, in: 2)?.minY, 17)
        expectEqual(layout.contentSize.height, 78)
    }

    @Test func delegateValuesTakePrecedence() {
        let layout = FlowLayout.prepared(width: 100, counts: [4, 4]) {
            $0.delegate.itemSizeForSection = { size(40, $0 == 0 ? 10 : 20) }
            $0.delegate.insetForSection = { $0 == 0 ? .zero : EdgeInsets(all: 5) }
            $0.delegate.minimumLineSpacingForSection = { $0 == 0 ? 2 : 3 }
            $0.delegate.minimumInteritemSpacingForSection = { $0 == 0 ? 20 : 30 }
            $0.delegate.referenceSizeForHeader = { size(0, $0 == 0 ? 6 : 0) }
            $0.delegate.referenceSizeForFooter = { size(0, $0 == 0 ? 0 : 7) }
        }
        expectEqual(layout.header(0), box(0, 0, 100, 6))
        expectEqual(layout.header(1), nil)
        expectEqual(layout.items(4), [box(0, 6, 40, 10), box(60, 6, 40, 10), box(0, 18, 40, 10), box(60, 18, 40, 10)])
        // In 90 points, two of 40 with 30 between don't fit: each is alone and centered.
        expectEqual(layout.items(2, in: 1), [box(30, 33, 40, 20), box(30, 56, 40, 20)])
        expectEqual(layout.footer(1), box(0, 127, 100, 7))
    }

    @Test func horizontalLayoutFillsColumnsDownwardAfterHeader() {
        let layout = FlowLayout.prepared(width: 200, height: 100, counts: [3]) {
            $0.scrollDirection = .horizontal
            $0.itemSize = size(20, 30)
            $0.headerReferenceSize = size(15, 3)
            $0.footerReferenceSize = size(25, 3)
            $0.sectionInset = EdgeInsets(top: 5, leading: 6, bottom: 15, trailing: 7)
        }
        expectEqual(layout.header(), box(0, 0, 15, 100))
        expectEqual(layout.items(3), [box(21, 5, 20, 30), box(21, 55, 20, 30), box(51, 5, 20, 30)])
        expectEqual(layout.footer(), box(78, 0, 25, 100))
        expectEqual(layout.contentSize, size(103, 100))
    }

    @Test func rightToLeftMirrorsRows() {
        let layout = FlowLayout.prepared(width: 100, counts: [3]) {
            $0.itemSize = size(30, 10)
            $0.sectionInset = EdgeInsets(leading: 10)
            $0.headerReferenceSize = size(0, 10)
        } in: {
            $0.layoutDirection = .rightToLeft
        }
        expectEqual(layout.items(3), [box(60, 10, 30, 10), box(0, 10, 30, 10), box(60, 30, 30, 10)])
        expectEqual(layout.header(), box(0, 0, 100, 10))
    }

    /// Content 300 long; the view of 100 is at 150, which is 50 from the right end.
    @Test func rightToLeftLayoutPinsOnTheRight() {
        let layout = FlowLayout.prepared(width: 100, height: 50, counts: [1]) {
            $0.scrollDirection = .horizontal
            $0.itemSize = size(280, 50)
            $0.headerReferenceSize = size(20, 0)
            $0.sectionHeadersPinToVisibleBounds = true
        } in: {
            $0.bounds = box(150, 0, 100, 50)
            $0.layoutDirection = .rightToLeft
        }
        expectEqual(layout.item(0), box(0, 0, 280, 50))
        expectEqual(layout.header(), box(230, 0, 20, 50))
    }

    @Test(
        arguments: [
            (SectionInsetReference.fromContentInset, 10.0, 70.0), (.fromSafeArea, 30, 50), (.fromLayoutMargins, 38, 42),
        ])
    func insetsStartAtTheirReference(reference: SectionInsetReference, edge: Double, width: Double) {
        let layout = FlowLayout.prepared(width: 100, counts: [1]) {
            $0.itemSize = size(width, 10)
            $0.sectionInset = EdgeInsets(leading: 10, trailing: 20)
            $0.headerReferenceSize = size(0, 10)
            $0.sectionInsetReference = reference
        } in: {
            $0.safeAreaInsets = EdgeInsets(top: 44, leading: 20)
            $0.layoutMargins = EdgeInsets(top: 52, leading: 28)
        }
        expectEqual(layout.item(0), box(edge, 10, width, 10))
        expectEqual(layout.header(), box(0, 0, 100, 10))
    }

    @Test func areaOfContentInsetIsNotCountedTwice() {
        let layout = FlowLayout.prepared(width: 100, counts: [1]) {
            $0.itemSize = size(80, 10)
            $0.sectionInsetReference = .fromSafeArea
        } in: {
            $0.safeAreaInsets = EdgeInsets(leading: 20)
            $0.contentInset = EdgeInsets(leading: 15)
        }
        expectEqual(layout.item(0), box(5, 0, 80, 10))
        expectEqual(layout.contentSize.width, 85)
    }

    @Test func pinnedElementsCoverItems() {
        let layout = FlowLayout.prepared(width: 100, height: 60, counts: [5]) {
            $0.headerReferenceSize = size(0, 10)
            $0.footerReferenceSize = size(0, 10)
            $0.sectionHeadersPinToVisibleBounds = true
        } in: {
            $0.bounds = box(0, 20, 100, 60)
        }
        let found = layout.attributes(in: box(0, 20, 100, 60))
        expectEqual(found.last?.element, .supplementary(.header, IndexPath(section: 0, item: 0)))
        expectEqual(found.last?.band, .pinned)
        expectEqual(found.last?.frame, box(0, 20, 100, 10))
        expectEqual(layout.attributes(of: .supplementary(.footer, IndexPath(section: 0, item: 0)))?.band, .content)
    }
}
