import CollectionLayout
import LayoutTestSupport
import TestSupport
import Testing

@Suite struct FlowSelfSizingTests {
    /// A hundred rows with an estimated height of 50, in a view of 100 × 100 at an offset.
    static func list(at offset: Double) -> FlowLayout {
        .prepared(width: 100, counts: [100]) {
            $0.estimatedItemSize = size(100, 50)
            $0.minimumLineSpacing = 0
        } in: {
            $0.bounds = box(0, offset, 100, 100)
        }
    }

    static func path(_ item: Int, _ section: Int = 0) -> LayoutElement {
        .item(IndexPath(section: section, item: item))
    }

    @Test func measuredSizesReplaceEstimateUntilInvalidated() {
        do {
            var layout = Self.list(at: 0)
            expectEqual(layout.contentSize.height, 5000)
            layout.measure(size(100, 20), items: 0..<2)
            layout.measure(size(100, 70), items: 4..<5)
            expectEqual(layout.items(6).map { $0?.minY }, [0, 20, 40, 90, 140, 210])
            expectEqual(layout.contentSize.height, 4960)
        }
        // A measured item moves up if it fits.
        // Two of 50 fill a row of 130 except for 20, where one of 10 fits.
        do {
            var layout = FlowLayout.prepared(width: 130, counts: [4]) {
                $0.estimatedItemSize = size(50, 50)
            }
            expectEqual(layout.items(4).map { $0?.minY }, [0, 0, 60, 60])
            layout.measure(size(10, 50), items: 2..<3)
            expectEqual(layout.items(4).map { $0?.minY }, [0, 0, 0, 60])
        }
        // An invalidated item returns to its estimate.
        do {
            var layout = Self.list(at: 0)
            layout.measure(size(100, 20), items: 0..<3)
            layout.invalidate(with: InvalidationContext(elements: [Self.path(1)]))
            layout.prepare(in: .view(width: 100, height: 100, counts: [100]))
            expectEqual(layout.items(4).map { $0?.minY }, [0, 20, 70, 90])
        }
    }

    @Test func elementsWithoutEstimateAreNotMeasured() throws {
        do {
            let layout = FlowLayout.prepared(width: 100, counts: [1]) { $0.headerReferenceSize = size(0, 10) }
            let original = try #require(layout.attributes(of: Self.path(0)))
            var preferred = original
            preferred.frame = box(0, 0, 10, 10)
            #expect(!layout.shouldInvalidate(forPreferred: preferred, original: original))
        }
        // Headers without a length or an estimate.
        do {
            func accepts(_ layout: FlowLayout) throws -> Bool {
                let original =
                    layout.attributes(of: Self.header) ?? LayoutAttributes(Self.header, frame: box(0, 0, 100, 0))
                var preferred = original
                preferred.frame = box(0, 0, 100, 44)
                return layout.shouldInvalidate(forPreferred: preferred, original: original)
            }
            #expect(try accepts(Self.sectioned()))
            #expect(try !accepts(Self.sectioned { $0.estimatedItemSize = .zero }))
            #expect(try !accepts(Self.sectioned { $0.headerReferenceSize = .zero }))
        }
    }

    // MARK: - Headers and footers

    /// Two sections of three rows of 50, with headers of 10 and footers of 5.
    static func sectioned(at offset: Double = 0, _ configure: (inout FlowLayout) -> Void = { _ in }) -> FlowLayout {
        .prepared(width: 100, counts: [3, 3]) {
            $0.estimatedItemSize = size(100, 50)
            $0.minimumLineSpacing = 0
            $0.headerReferenceSize = size(0, 10)
            $0.footerReferenceSize = size(0, 5)
            configure(&$0)
        } in: {
            $0.bounds = box(0, offset, 100, 100)
        }
    }

    static let header = LayoutElement.supplementary(.header, IndexPath(section: 0, item: 0))
    static let footer = LayoutElement.supplementary(.footer, IndexPath(section: 0, item: 0))

    @Test func headersAndFootersGetPreferredLengths() {
        var layout = Self.sectioned()
        layout.invalidate(
            with: layout.invalidationContext(
                forPreferredSizes: [Self.header: size(70, 44), Self.footer: size(100, 2), Self.path(1): size(100, 60)]))
        expectEqual(layout.header(), box(0, 0, 100, 44))
        expectEqual(layout.items(3).map { $0?.minY }, [44, 94, 154])
        expectEqual(layout.footer(), box(0, 204, 100, 2))
        expectEqual(layout.header(1), box(0, 206, 100, 10))
        expectEqual(layout.contentSize.height, 206 + 165)
    }

    @Test func elementThatKeepsChangingIsNoLongerMeasured() throws {
        // A header.
        do {
            var layout = Self.sectioned()
            var acceptedCount = 0
            for round in 0..<100 {
                let original = try #require(layout.attributes(of: Self.header))
                var preferred = original
                preferred.frame = box(0, 0, 100, round.isMultiple(of: 2) ? 30 : 40)
                guard layout.shouldInvalidate(forPreferred: preferred, original: original) else { continue }
                acceptedCount += 1
                layout.invalidate(with: layout.invalidationContext(forPreferred: preferred, original: original))
            }
            expectEqual(acceptedCount, 11)
            expectEqual(layout.header()?.height, 30)
            expectEqual(layout.diagnostics.map(\.problem), [.unsettledEstimates])
            expectEqual(layout.diagnostics.first?.element, Self.header)
        }
        // An item.
        do {
            var layout = Self.list(at: 0)
            var acceptedCount = 0
            for round in 0..<100 {
                let original = try #require(layout.attributes(of: Self.path(0)))
                var preferred = original
                preferred.frame = box(0, 0, 100, round.isMultiple(of: 2) ? 30 : 40)
                guard layout.shouldInvalidate(forPreferred: preferred, original: original) else { continue }
                acceptedCount += 1
                layout.invalidate(with: layout.invalidationContext(forPreferred: preferred, original: original))
            }
            expectEqual(acceptedCount, 11)
            expectEqual(layout.diagnostics.map(\.problem), [.unsettledEstimates])
            expectEqual(layout.item(0)?.height, 30)
        }
    }

    /// (offset, adjustment of the offset): the rows of section 0 begin at 10, the rows of section 1 at 175.
    @Test(arguments: [(0.0, 0.0), (20, 34), (150, 34), (170, 34)])
    func headerGrowthAboveFirstFullyVisibleRowMovesOffset(offset: Double, shift: Double) {
        let context = Self.sectioned(at: offset).invalidationContext(forPreferredSizes: [Self.header: size(100, 44)])
        expectEqual(context.contentOffsetAdjustment.y, shift)
        expectEqual(context.contentSizeAdjustment.height, 34)
    }

    @Test func measuredHeadersRemainUntilCountsChange() {
        var layout = Self.sectioned { $0.sectionHeadersPinToVisibleBounds = true }
        layout.invalidate(with: layout.invalidationContext(forPreferredSizes: [Self.header: size(100, 44)]))
        let view = box(0, 20, 100, 100)
        for (context, height) in [
            (layout.invalidationContext(forBoundsChangeFrom: box(0, 0, 100, 100), to: view), 44.0),
            (InvalidationContext(sections: [0]), 44), (.everything, 44), (.counts, 10),
        ] {
            layout.invalidate(with: context)
            layout.prepare(in: .view(width: 100, height: 100, counts: [3, 3]) { $0.bounds = view })
            expectEqual(layout.header(), box(0, 20, 100, height))
        }
    }

    // MARK: - Content above

    /// (offset, measured item, its height, adjustment of the offset)
    @Test(
        arguments: [
            (1000.0, 5, 80.0, 30.0), (1000, 20, 80, 0), (1000, 21, 80, 0), (1010, 20, 80, 30), (1010, 19, 10, -40),
            (0, 0, 80, 0), (-20, 0, 80, 0),
        ])
    func growthAboveFirstFullyVisibleRowMovesOffset(offset: Double, item: Int, height: Double, shift: Double) {
        let layout = Self.list(at: offset)
        let context = layout.invalidationContext(forPreferredSizes: [Self.path(item): size(100, height)])
        expectEqual(context.contentOffsetAdjustment, Point(x: 0, y: shift))
        expectEqual(context.contentSizeAdjustment, size(0, height - 50))
        expectEqual(context.preferredSizes, [Self.path(item): size(100, height)])
    }

    @Test func visibleRowsStayInPlace() throws {
        var layout = Self.list(at: 1010)
        let position = try #require(layout.item(21)).minY - 1010
        let context = layout.invalidationContext(
            forPreferredSizes: [Self.path(3): size(100, 77), Self.path(8): size(100, 12), Self.path(20): size(100, 60)])
        layout.invalidate(with: context)
        let offset = 1010 + context.contentOffsetAdjustment.y
        layout.prepare(in: .view(width: 100, height: 100, counts: [100]) { $0.bounds = box(0, offset, 100, 100) })
        try expectEqual(#require(layout.item(21)).minY - offset, position)
    }

    @Test func twoItemsOfRowCountGrowthOnce() {
        var layout = FlowLayout.prepared(width: 110, counts: [100]) {
            $0.estimatedItemSize = size(50, 50)
        } in: {
            $0.bounds = box(0, 600, 110, 100)
        }
        let sizes = [Self.path(2): size(50, 90), Self.path(3): size(50, 80)]
        expectEqual(layout.invalidationContext(forPreferredSizes: sizes).contentOffsetAdjustment.y, 40)
        // Requested one after the other, they add up to the same.
        var shift = 0.0
        for (element, size) in sizes.sorted(by: { $0.key < $1.key }) {
            let context = layout.invalidationContext(forPreferredSizes: [element: size])
            shift += context.contentOffsetAdjustment.y
            layout.invalidate(with: context)
        }
        expectEqual(shift, 40)
    }

    @Test func growthInSectionsAboveMovesOffset() {
        let layout = FlowLayout.prepared(width: 100, counts: [2, 2, 50]) {
            $0.estimatedItemSize = size(100, 50)
            $0.minimumLineSpacing = 0
            $0.headerReferenceSize = size(0, 10)
        } in: {
            $0.bounds = box(0, 220, 100, 100)
        }
        let context = layout.invalidationContext(
            forPreferredSizes: [
                Self.path(0): size(100, 60), Self.path(1, 1): size(100, 30), Self.path(0, 2): size(100, 99),
            ])
        expectEqual(context.contentOffsetAdjustment.y, -10)
        expectEqual(context.contentSizeAdjustment.height, 39)
    }

    /// Mirrored content grows on its left: content visible on the right stays in place if the offset is adjusted.
    @Test(arguments: [(0, 40.0), (15, 40)])
    func mirroredColumnsKeepVisibleContentInPlace(item: Int, shift: Double) {
        let layout = FlowLayout.prepared(width: 100, height: 50, counts: [20]) {
            $0.scrollDirection = .horizontal
            $0.estimatedItemSize = size(50, 50)
            $0.minimumLineSpacing = 0
        } in: {
            $0.bounds = box(900, 0, 100, 50)
            $0.layoutDirection = .rightToLeft
        }
        let context = layout.invalidationContext(forPreferredSizes: [Self.path(item): size(90, 50)])
        expectEqual(context.contentOffsetAdjustment, Point(x: shift, y: 0))
    }

    @Test func differenceBelowHalfPixelIsIgnored() throws {
        let layout = Self.list(at: 0)
        let original = try #require(layout.attributes(of: Self.path(0)))
        var preferred = original
        preferred.frame = box(0, 0, 100, 50.4)
        #expect(!layout.shouldInvalidate(forPreferred: preferred, original: original))
        preferred.frame = box(0, 0, 100, 50.5)
        #expect(layout.shouldInvalidate(forPreferred: preferred, original: original))
    }

    @Test func measuredSizesRemainUntilCountsOrWidthChange() {
        var layout = Self.list(at: 0)
        layout.measure(size(100, 20), items: 0..<1)
        layout.invalidate(with: .everything)
        layout.prepare(in: .view(width: 100, height: 100, counts: [100]))
        expectEqual(layout.contentSize.height, 4970)
        layout.prepare(in: .view(width: 110, height: 100, counts: [100]))
        expectEqual(layout.contentSize.height, 5000)
        layout.measure(size(110, 20), items: 0..<1)
        layout.invalidate(with: .counts)
        layout.prepare(in: .view(width: 110, height: 100, counts: [10]))
        expectEqual(layout.contentSize.height, 500)
    }

    @Test func unknownItemsAreReported() {
        var layout = Self.list(at: 0)
        layout.invalidate(
            with: InvalidationContext(preferredSizes: [Self.path(100): size(1, 1), Self.path(0, 9): size(1, 1)]))
        expectEqual(layout.diagnostics.map(\.problem), [.unknownIndexPath, .unknownIndexPath])
        expectEqual(layout.contentSize.height, 5000)
    }
}
