import CollectionLayout
import TestSupport
import Testing

@Suite struct ElementTests {
    private let path = CollectionLayout.IndexPath(section: 2, item: 7)

    @Test func indexPathsAreOrderedBySectionThenItem() {
        let paths = [IndexPath(section: 1, item: 0), IndexPath(section: 0, item: 9), IndexPath(section: 0, item: 2)]
        expectEqual(
            paths.sorted(),
            [
                IndexPath(section: 0, item: 2), IndexPath(section: 0, item: 9), IndexPath(section: 1, item: 0),
            ])
        expectEqual(path.description, "[2, 7]")
    }

    @Test func elementsHaveKindAndIndexPath() {
        expectEqual(LayoutElement.item(path).kind, nil)
        expectEqual(LayoutElement.supplementary(.header, path).kind, .header)
        expectEqual(LayoutElement.decoration("line", path).indexPath, path)
        let moved = LayoutElement.supplementary(.header, path).moved(to: IndexPath(section: 0, item: 0))
        expectEqual(moved, .supplementary(.header, IndexPath(section: 0, item: 0)))
        expectEqual(LayoutElement.supplementary(.header, path).description, "header [2, 7]")
        #expect(LayoutElement.item(path) != .decoration("", path))
    }

    @Test func countsContainExistingItems() {
        let counts: ItemCounts = [3, -4, 1]
        expectEqual(counts.sectionCount, 3)
        expectEqual(counts.itemCount(inSection: 1), 0)
        expectEqual(counts.itemCount(inSection: 99), 0)
        expectEqual(counts.itemCount(inSection: -1), 0)
        #expect(counts.contains(IndexPath(section: 0, item: 2)))
        for unknown in [(0, 3), (0, -1), (1, 0), (3, 0), (-1, 0), (.max, .max), (.min, .min)] {
            #expect(!counts.contains(IndexPath(section: unknown.0, item: unknown.1)))
        }
    }

    @Test func mergedContextsInvalidateBoth() {
        let first = InvalidationContext(
            elements: [.item(path)], sections: [1], preferredSizes: [.item(path): Size(width: 1, height: 1)],
            contentOffsetAdjustment: Point(x: 1, y: 2), contentSizeAdjustment: Size(width: 3, height: 4))
        let second = InvalidationContext(
            invalidatesCounts: true, sections: [2], preferredSizes: [.item(path): Size(width: 9, height: 9)],
            contentOffsetAdjustment: Point(x: 10, y: 20), contentSizeAdjustment: Size(width: 30, height: 40))
        let both = first.merged(with: second)
        #expect(both.invalidatesCounts && !both.invalidatesEverything)
        expectEqual(both.elements, [.item(path)])
        expectEqual(both.sections, [1, 2])
        expectEqual(both.preferredSizes, [.item(path): Size(width: 9, height: 9)])
        expectEqual(both.contentOffsetAdjustment, Point(x: 11, y: 22))
        expectEqual(both.contentSizeAdjustment, Size(width: 33, height: 44))
    }

    @Test func diagnosticsAreUniqueAndLimited() {
        var diagnostics = LayoutDiagnostics()
        for _ in 0..<3 { expectEqual(diagnostics.length(-5, "width"), 0) }
        expectEqual(diagnostics.all.map(\.detail), ["width is -5.0"])
        for item in 0..<1000 {
            _ = diagnostics.length(.nan, "width", element: .item(IndexPath(section: 0, item: item)))
        }
        expectEqual(diagnostics.all.count, LayoutDiagnostics.limit)
        expectEqual(diagnostics.length(7, "width"), 7)
        expectEqual(LayoutDiagnostic(.noRoom, element: .item(path), detail: "").section, 2)
    }
}

@Suite struct LayoutAttributesTests {
    /// Band, z-index, kind, section, item (LayoutRules.md, layout 1), from the lowest to the topmost element.
    static let drawingOrder: [LayoutAttributes] = {
        let path = IndexPath(section: 0, item: 0)
        func make(_ element: LayoutElement, _ band: ZBand, _ z: Int) -> LayoutAttributes {
            LayoutAttributes(element, frame: .zero, band: band, zIndex: z)
        }
        return [
            make(.item(path), .background, 1000),
            make(.item(path), .lines, 0),
            make(.item(IndexPath(section: 9, item: 9)), .content, -1),
            make(.decoration("a", IndexPath(section: 5, item: 0)), .content, 0),
            make(.decoration("b", path), .content, 0),
            make(.item(path), .content, 0),
            make(.item(IndexPath(section: 0, item: 1)), .content, 0),
            make(.item(IndexPath(section: 1, item: 0)), .content, 0),
            make(.supplementary(.footer, IndexPath(section: 1, item: 0)), .content, 0),
            make(.supplementary(.header, path), .content, 0),
            make(.item(path), .content, 1),
            make(.item(path), .indicator, 0),
            make(.item(path), .pinned, -5),
            make(.item(path), .corner, -100),
        ]
    }()

    @Test func drawingOrderIsByBandIndexKindAndPath() {
        let order = Self.drawingOrder
        for (i, lower) in order.enumerated() {
            for (j, upper) in order.enumerated() {
                expectEqual(LayoutAttributes.isDrawnBefore(lower, upper), (i < j), "\(i) and \(j)")
            }
        }
        expectEqual(order.reversed().sorted(by: LayoutAttributes.isDrawnBefore), order)
    }
}

@Suite struct LayoutContainerTests {
    private let container = LayoutContainer(
        bounds: Rect(x: 0, y: 100, width: 400, height: 800), counts: [] as ItemCounts,
        contentInset: EdgeInsets(top: 10, leading: 5, bottom: 0, trailing: 50),
        safeAreaInsets: EdgeInsets(top: 47, leading: 0, bottom: 34, trailing: 44),
        layoutMargins: EdgeInsets(top: 55, leading: 16, bottom: 42, trailing: 60))

    @Test func insetsAreMeasuredFromContentInset() {
        expectEqual(container.insets(from: .fromContentInset), .zero)
        // The area of the content inset is not counted twice.
        expectEqual(container.insets(from: .fromSafeArea), EdgeInsets(top: 37, leading: 0, bottom: 34, trailing: 0))
        expectEqual(
            container.insets(from: .fromLayoutMargins), EdgeInsets(top: 45, leading: 11, bottom: 42, trailing: 10))
        // NaN insets count as zero.
        var broken = container
        broken.safeAreaInsets = EdgeInsets(top: .nan, leading: -.infinity, bottom: .infinity, trailing: -1)
        expectEqual(broken.insets(from: .fromSafeArea), EdgeInsets(top: 0, leading: 0, bottom: 1e12, trailing: 0))
    }

    @Test func visibleBoundsAreInsideContentInset() {
        expectEqual(container.visibleBounds, Rect(minX: 5, minY: 110, maxX: 350, maxY: 900))
        expectEqual(container.length(.horizontal), 345)
        expectEqual(container.length(.vertical), 790)
        // The leading inset is on the right in right-to-left layouts.
        var mirrored = container
        mirrored.layoutDirection = .rightToLeft
        expectEqual(mirrored.visibleBounds, Rect(minX: 50, minY: 110, maxX: 395, maxY: 900))
    }
}
