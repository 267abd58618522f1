import CollectionLayout
import Testing

/// Headers, footers, insets and directions; expected numbers by hand from section 3 of the facts.
@Suite struct FlowBoundaryTests {
    @Test func boundariesSpanTheContainerAndIgnoreInsets() {
        let layout = FlowLayout.prepared(width: 100, counts: [1, 0, 1]) {
            $0.itemSize = size(70, 30)
            $0.headerReferenceSize = size(5, 12)
            $0.footerReferenceSize = size(5, 8)
            $0.sectionInset = EdgeInsets(top: 1, leading: 10, bottom: 2, trailing: 20)
        }
        #expect(layout.header(0) == box(0, 0, 100, 12))
        #expect(layout.item(0) == box(10, 13, 70, 30))
        #expect(layout.footer(0) == box(0, 45, 100, 8))
        // A section without items keeps its insets.
        #expect(layout.header(1) == box(0, 53, 100, 12))
        #expect(layout.footer(1) == box(0, 68, 100, 8))
        #expect(layout.header(2) == box(0, 76, 100, 12))
        #expect(layout.contentSize == size(100, 129))
    }

    @Test func aBoundaryOfNoLengthIsNoElement() {
        let layout = FlowLayout.prepared(width: 100, counts: [1]) {
            $0.headerReferenceSize = size(100, 0)
            $0.footerReferenceSize = size(100, 0)
        }
        #expect(layout.header() == nil)
        #expect(layout.footer() == nil)
        #expect(layout.elements(in: box(0, 0, 100, 100)) == [.item(IndexPath(section: 0, item: 0))])
    }

    @Test func aHeaderIsNamedByItem0() {
        let layout = FlowLayout.prepared(width: 100, counts: [2]) { $0.headerReferenceSize = size(0, 10) }
        #expect(layout.attributes(of: .supplementary(.header, IndexPath(section: 0, item: 1))) == nil)
        #expect(layout.attributes(of: .supplementary("badge", IndexPath(section: 0, item: 0))) == nil)
        #expect(layout.attributes(of: .decoration(.header, IndexPath(section: 0, item: 0))) == nil)
    }

    @Test func sectionsWithoutElementsStillPushOthersDown() {
        let layout = FlowLayout.prepared(width: 100, counts: [0, 0, 1, 0]) {
            $0.sectionInset = EdgeInsets(top: 3, bottom: 4)
        }
        #expect(layout.item(0, in: 2)?.minY == 17)
        #expect(layout.contentSize.height == 78)
    }

    @Test func valuesOfADelegateStandBeforeTheLayoutsOwn() {
        let layout = FlowLayout.prepared(width: 100, counts: [4, 4]) {
            $0.delegate.itemSizeForSection = { size(40, $0 == 0 ? 10 : 20) }
            $0.delegate.insetForSection = { $0 == 0 ? .zero : EdgeInsets(all: 5) }
            $0.delegate.minimumLineSpacingForSection = { $0 == 0 ? 2 : 3 }
            $0.delegate.minimumInteritemSpacingForSection = { $0 == 0 ? 20 : 30 }
            $0.delegate.referenceSizeForHeader = { size(0, $0 == 0 ? 6 : 0) }
            $0.delegate.referenceSizeForFooter = { size(0, $0 == 0 ? 0 : 7) }
        }
        #expect(layout.header(0) == box(0, 0, 100, 6))
        #expect(layout.header(1) == nil)
        #expect(layout.items(4) == [box(0, 6, 40, 10), box(60, 6, 40, 10), box(0, 18, 40, 10), box(60, 18, 40, 10)])
        // In 90 points two of 40 with 30 between don't fit: each is alone and centred.
        #expect(layout.items(2, in: 1) == [box(30, 33, 40, 20), box(30, 56, 40, 20)])
        #expect(layout.footer(1) == box(0, 127, 100, 7))
    }

    @Test func horizontalColumnsFillDownwardsAndHeadersStandBeforeThem() {
        let layout = FlowLayout.prepared(width: 200, height: 100, counts: [3]) {
            $0.scrollDirection = .horizontal
            $0.itemSize = size(20, 30)
            $0.headerReferenceSize = size(15, 3)
            $0.footerReferenceSize = size(25, 3)
            $0.sectionInset = EdgeInsets(top: 5, leading: 6, bottom: 15, trailing: 7)
        }
        #expect(layout.header() == box(0, 0, 15, 100))
        #expect(layout.items(3) == [box(21, 5, 20, 30), box(21, 55, 20, 30), box(51, 5, 20, 30)])
        #expect(layout.footer() == box(78, 0, 25, 100))
        #expect(layout.contentSize == size(103, 100))
    }

    @Test func rightToLeftMirrorsRows() {
        let layout = FlowLayout.prepared(width: 100, counts: [3]) {
            $0.itemSize = size(30, 10)
            $0.sectionInset = EdgeInsets(leading: 10)
            $0.headerReferenceSize = size(0, 10)
        } in: {
            $0.layoutDirection = .rightToLeft
        }
        #expect(layout.items(3) == [box(60, 10, 30, 10), box(0, 10, 30, 10), box(60, 30, 30, 10)])
        #expect(layout.header() == box(0, 0, 100, 10))
    }

    /// Content 300 long; the view of 100 stands at 150, which is 50 from the right end.
    @Test func rightToLeftPinsAtTheRight() {
        let layout = FlowLayout.prepared(width: 100, height: 50, counts: [1]) {
            $0.scrollDirection = .horizontal
            $0.itemSize = size(280, 50)
            $0.headerReferenceSize = size(20, 0)
            $0.sectionHeadersPinToVisibleBounds = true
        } in: {
            $0.bounds = box(150, 0, 100, 50)
            $0.layoutDirection = .rightToLeft
        }
        #expect(layout.item(0) == box(0, 0, 280, 50))
        #expect(layout.header() == box(230, 0, 20, 50))
    }

    @Test(
        arguments: [
            (SectionInsetReference.fromContentInset, 10.0, 70.0), (.fromSafeArea, 30, 50), (.fromLayoutMargins, 38, 42),
        ])
    func insetsAreCountedFromTheirReference(reference: SectionInsetReference, edge: Double, width: Double) {
        let layout = FlowLayout.prepared(width: 100, counts: [1]) {
            $0.itemSize = size(width, 10)
            $0.sectionInset = EdgeInsets(leading: 10, trailing: 20)
            $0.headerReferenceSize = size(0, 10)
            $0.sectionInsetReference = reference
        } in: {
            $0.safeAreaInsets = EdgeInsets(top: 44, leading: 20)
            $0.layoutMargins = EdgeInsets(top: 52, leading: 28)
        }
        #expect(layout.item(0) == box(edge, 10, width, 10))
        #expect(layout.header() == box(0, 0, 100, 10))
    }

    @Test func whatTheContentInsetCoversIsNotCountedTwice() {
        let layout = FlowLayout.prepared(width: 100, counts: [1]) {
            $0.itemSize = size(80, 10)
            $0.sectionInsetReference = .fromSafeArea
        } in: {
            $0.safeAreaInsets = EdgeInsets(leading: 20)
            $0.contentInset = EdgeInsets(leading: 15)
        }
        #expect(layout.item(0) == box(5, 0, 80, 10))
        #expect(layout.contentSize.width == 85)
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
        #expect(found.last?.element == .supplementary(.header, IndexPath(section: 0, item: 0)))
        #expect(found.last?.band == .pinned)
        #expect(found.last?.frame == box(0, 20, 100, 10))
        #expect(layout.attributes(of: .supplementary(.footer, IndexPath(section: 0, item: 0)))?.band == .content)
    }
}
