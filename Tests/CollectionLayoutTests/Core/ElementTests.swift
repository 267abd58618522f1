import CollectionLayout
import Testing

@Suite struct ElementTests {
    private let path = CollectionLayout.IndexPath(section: 2, item: 7)

    @Test func indexPathsAreOrderedBySectionThenItem() {
        let paths = [IndexPath(section: 1, item: 0), IndexPath(section: 0, item: 9), IndexPath(section: 0, item: 2)]
        #expect(
            paths.sorted() == [
                IndexPath(section: 0, item: 2), IndexPath(section: 0, item: 9), IndexPath(section: 1, item: 0),
            ])
        #expect(path.description == "[2, 7]")
    }

    @Test func elementsKnowTheirKindAndPlace() {
        #expect(LayoutElement.item(path).kind == nil)
        #expect(LayoutElement.supplementary(.header, path).kind == .header)
        #expect(LayoutElement.decoration("line", path).indexPath == path)
        let moved = LayoutElement.supplementary(.header, path).moved(to: IndexPath(section: 0, item: 0))
        #expect(moved == .supplementary(.header, IndexPath(section: 0, item: 0)))
        #expect(LayoutElement.supplementary(.header, path).description == "header [2, 7]")
        #expect(LayoutElement.item(path) != .decoration("", path))
    }

    @Test func countsTellWhetherAnItemExists() {
        let counts: ItemCounts = [3, -4, 1]
        #expect(counts.sectionCount == 3 && counts.itemCount(inSection: 1) == 0)
        #expect(counts.itemCount(inSection: 99) == 0 && counts.itemCount(inSection: -1) == 0)
        #expect(counts.contains(IndexPath(section: 0, item: 2)))
        for unknown in [(0, 3), (0, -1), (1, 0), (3, 0), (-1, 0), (.max, .max), (.min, .min)] {
            #expect(!counts.contains(IndexPath(section: unknown.0, item: unknown.1)))
        }
    }

    @Test func mergedInvalidationsHoldBoth() {
        let first = InvalidationContext(
            elements: [.item(path)], sections: [1], preferredSizes: [.item(path): Size(width: 1, height: 1)],
            contentOffsetAdjustment: Point(x: 1, y: 2), contentSizeAdjustment: Size(width: 3, height: 4))
        let second = InvalidationContext(
            invalidatesCounts: true, sections: [2], preferredSizes: [.item(path): Size(width: 9, height: 9)],
            contentOffsetAdjustment: Point(x: 10, y: 20), contentSizeAdjustment: Size(width: 30, height: 40))
        let both = first.merged(with: second)
        #expect(both.invalidatesCounts && !both.invalidatesEverything)
        #expect(both.elements == [.item(path)] && both.sections == [1, 2])
        #expect(both.preferredSizes == [.item(path): Size(width: 9, height: 9)])
        #expect(both.contentOffsetAdjustment == Point(x: 11, y: 22))
        #expect(both.contentSizeAdjustment == Size(width: 33, height: 44))
    }

    @Test func diagnosticsAreKeptOnceAndAtMostAHundred() {
        var diagnostics = LayoutDiagnostics()
        for _ in 0..<3 { #expect(diagnostics.length(-5, "width") == 0) }
        #expect(diagnostics.all.map(\.detail) == ["width is -5.0"])
        for item in 0..<1000 {
            _ = diagnostics.length(.nan, "width", element: .item(IndexPath(section: 0, item: item)))
        }
        #expect(diagnostics.all.count == LayoutDiagnostics.limit)
        #expect(diagnostics.length(7, "width") == 7)
        #expect(LayoutDiagnostic(.noRoom, element: .item(path), detail: "").section == 2)
    }
}
