import CollectionLayout
import Testing

@Suite struct FlowSelfSizingTests {
    /// A hundred rows that are estimated to be 50 high, in a view of 100 × 100 at an offset.
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

    @Test func measuredSizesReplaceTheEstimate() {
        var layout = Self.list(at: 0)
        #expect(layout.contentSize.height == 5000)
        layout.measure(size(100, 20), items: 0..<2)
        layout.measure(size(100, 70), items: 4..<5)
        #expect(layout.items(6).map { $0?.minY } == [0, 20, 40, 90, 140, 210])
        #expect(layout.contentSize.height == 4960)
    }

    /// Two of 50 fill a row of 130 but for 20, where one of 10 finds room.
    @Test func aMeasuredItemMovesUpWhereItFits() {
        var layout = FlowLayout.prepared(width: 130, counts: [4]) {
            $0.estimatedItemSize = size(50, 50)
        }
        #expect(layout.items(4).map { $0?.minY } == [0, 0, 60, 60])
        layout.measure(size(10, 50), items: 2..<3)
        #expect(layout.items(4).map { $0?.minY } == [0, 0, 0, 60])
    }

    @Test func withoutAnEstimateNothingSizesItself() throws {
        let layout = FlowLayout.prepared(width: 100, counts: [1]) { $0.headerReferenceSize = size(0, 10) }
        let original = try #require(layout.attributes(of: Self.path(0)))
        var preferred = original
        preferred.layoutFrame = box(0, 0, 10, 10)
        #expect(!layout.shouldInvalidate(forPreferred: preferred, original: original))
    }

    @Test func headersDoNotSizeThemselves() throws {
        let layout = FlowLayout.prepared(width: 100, counts: [1]) {
            $0.estimatedItemSize = size(100, 50)
            $0.headerReferenceSize = size(0, 10)
        }
        let element = LayoutElement.supplementary(.header, IndexPath(section: 0, item: 0))
        let original = try #require(layout.attributes(of: element))
        var preferred = original
        preferred.layoutFrame = box(0, 0, 100, 44)
        #expect(!layout.shouldInvalidate(forPreferred: preferred, original: original))
    }

    /// (offset, the measured item, its height, what the offset follows by)
    @Test(
        arguments: [
            (1000.0, 5, 80.0, 30.0), (1000, 20, 80, 0), (1000, 21, 80, 0), (1010, 20, 80, 30), (1010, 19, 10, -40),
            (0, 0, 80, 0), (-20, 0, 80, 0),
        ])
    func growthAboveTheFirstWholeRowMovesTheOffset(offset: Double, item: Int, height: Double, shift: Double) {
        let layout = Self.list(at: offset)
        let context = layout.invalidationContext(forPreferredSizes: [Self.path(item): size(100, height)])
        #expect(context.contentOffsetAdjustment == Point(x: 0, y: shift))
        #expect(context.contentSizeAdjustment == size(0, height - 50))
        #expect(context.preferredSizes == [Self.path(item): size(100, height)])
    }

    @Test func whatIsInSightStaysWhereItIsSeen() throws {
        var layout = Self.list(at: 1010)
        let seen = try #require(layout.item(21)).minY - 1010
        let context = layout.invalidationContext(
            forPreferredSizes: [Self.path(3): size(100, 77), Self.path(8): size(100, 12), Self.path(20): size(100, 60)])
        layout.invalidate(with: context)
        let offset = 1010 + context.contentOffsetAdjustment.y
        layout.prepare(in: .view(width: 100, height: 100, counts: [100]) { $0.bounds = box(0, offset, 100, 100) })
        #expect(try #require(layout.item(21)).minY - offset == seen)
    }

    @Test func twoItemsMakeTheirRowThickerOnce() {
        var layout = FlowLayout.prepared(width: 110, counts: [100]) {
            $0.estimatedItemSize = size(50, 50)
        } in: {
            $0.bounds = box(0, 600, 110, 100)
        }
        let sizes = [Self.path(2): size(50, 90), Self.path(3): size(50, 80)]
        #expect(layout.invalidationContext(forPreferredSizes: sizes).contentOffsetAdjustment.y == 40)
        // One after the other they add up to the same.
        var shift = 0.0
        for (element, size) in sizes.sorted(by: { $0.key < $1.key }) {
            let context = layout.invalidationContext(forPreferredSizes: [element: size])
            shift += context.contentOffsetAdjustment.y
            layout.invalidate(with: context)
        }
        #expect(shift == 40)
    }

    @Test func growthInSectionsAboveMovesTheOffset() {
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
        #expect(context.contentOffsetAdjustment.y == -10)
        #expect(context.contentSizeAdjustment.height == 39)
    }

    /// Mirrored, content grows at its left; what is seen at the right stays if the offset follows.
    @Test(arguments: [(0, 40.0), (15, 40)])
    func mirroredColumnsKeepWhatIsSeen(item: Int, shift: Double) {
        let layout = FlowLayout.prepared(width: 100, height: 50, counts: [20]) {
            $0.scrollDirection = .horizontal
            $0.estimatedItemSize = size(50, 50)
            $0.minimumLineSpacing = 0
        } in: {
            $0.bounds = box(900, 0, 100, 50)
            $0.layoutDirection = .rightToLeft
        }
        let context = layout.invalidationContext(forPreferredSizes: [Self.path(item): size(90, 50)])
        #expect(context.contentOffsetAdjustment == Point(x: shift, y: 0))
    }

    @Test func anItemThatDoesNotSettleIsAskedNoMore() throws {
        var layout = Self.list(at: 0)
        var asked = 0
        for round in 0..<100 {
            let original = try #require(layout.attributes(of: Self.path(0)))
            var preferred = original
            preferred.layoutFrame = box(0, 0, 100, round.isMultiple(of: 2) ? 30 : 40)
            guard layout.shouldInvalidate(forPreferred: preferred, original: original) else { continue }
            asked += 1
            layout.invalidate(with: layout.invalidationContext(forPreferred: preferred, original: original))
        }
        #expect(asked == 11)
        #expect(layout.diagnostics.map(\.problem) == [.unsettledEstimates])
        #expect(layout.item(0)?.height == 30)
    }

    @Test func lessThanHalfAPixelIsTheSame() throws {
        let layout = Self.list(at: 0)
        let original = try #require(layout.attributes(of: Self.path(0)))
        var preferred = original
        preferred.layoutFrame = box(0, 0, 100, 50.4)
        #expect(!layout.shouldInvalidate(forPreferred: preferred, original: original))
        preferred.layoutFrame = box(0, 0, 100, 50.5)
        #expect(layout.shouldInvalidate(forPreferred: preferred, original: original))
    }

    @Test func measuredSizesOutliveEverythingButCountsAndWidth() {
        var layout = Self.list(at: 0)
        layout.measure(size(100, 20), items: 0..<1)
        layout.invalidate(with: .everything)
        layout.prepare(in: .view(width: 100, height: 100, counts: [100]))
        #expect(layout.contentSize.height == 4970)
        layout.prepare(in: .view(width: 110, height: 100, counts: [100]))
        #expect(layout.contentSize.height == 5000)
        layout.measure(size(110, 20), items: 0..<1)
        layout.invalidate(with: .counts)
        layout.prepare(in: .view(width: 110, height: 100, counts: [10]))
        #expect(layout.contentSize.height == 500)
    }

    @Test func aNamedItemGoesBackToItsEstimate() {
        var layout = Self.list(at: 0)
        layout.measure(size(100, 20), items: 0..<3)
        layout.invalidate(with: InvalidationContext(elements: [Self.path(1)]))
        layout.prepare(in: .view(width: 100, height: 100, counts: [100]))
        #expect(layout.items(4).map { $0?.minY } == [0, 20, 70, 90])
    }

    @Test func unknownItemsAreReported() {
        var layout = Self.list(at: 0)
        layout.invalidate(
            with: InvalidationContext(preferredSizes: [Self.path(100): size(1, 1), Self.path(0, 9): size(1, 1)]))
        #expect(layout.diagnostics.map(\.problem) == [.unknownIndexPath, .unknownIndexPath])
        #expect(layout.contentSize.height == 5000)
    }
}
