import CollectionLayout
import Synchronization
import TestSupport
import Testing

@Suite struct FlowInvalidationTests {
    /// Counts requests for item sizes.
    final class SizeRequests: Sendable {
        private let items = Mutex<[Int: Int]>([:])

        func add(_ section: Int) { items.withLock { $0[section, default: 0] += 1 } }

        /// Returns the requests since the last call, by section.
        func take() -> [Int: Int] {
            items.withLock { items in
                defer { items = [:] }
                return items
            }
        }
    }

    static let counts = [10, 10, 10]

    static func layout(
        _ requests: SizeRequests, height: @escaping @Sendable (Int) -> Double = { _ in 20 }
    ) -> FlowLayout {
        .prepared(width: 100, height: 100, counts: counts) {
            $0.delegate.sizeForItem = {
                requests.add($0.section)
                return size(100, height($0.section))
            }
            $0.headerReferenceSize = size(0, 10)
            $0.sectionHeadersPinToVisibleBounds = true
        }
    }

    @Test func scrollingMovesPinnedHeadersWithoutRequestingSizes() {
        let requests = SizeRequests()
        var layout = Self.layout(requests)
        expectEqual(requests.take(), [0: 10, 1: 10, 2: 10])
        let (old, new) = (box(0, 0, 100, 100), box(0, 290, 100, 100))
        #expect(layout.shouldInvalidate(forBoundsChangeFrom: old, to: new))
        let context = layout.invalidationContext(forBoundsChangeFrom: old, to: new)
        expectEqual(context, InvalidationContext())
        layout.invalidate(with: context)
        layout.scroll(to: 290, height: 100, width: 100, counts: Self.counts)
        expectEqual(requests.take(), [:])
        expectEqual(layout.header(0), box(0, 290, 100, 10))
        expectEqual(layout.header(1), box(0, 300, 100, 10))
    }

    @Test func boundsChangeInvalidatesWhatDependsOnIt() {
        // Without pinning, scrolling invalidates nothing.
        do {
            let layout = FlowLayout.prepared(width: 100, counts: [100])
            #expect(!layout.shouldInvalidate(forBoundsChangeFrom: box(0, 0, 100, 200), to: box(0, 50, 100, 300)))
        }
        // A new length of rows invalidates everything.
        do {
            var layout = FlowLayout.prepared(width: 100, counts: [100])
            let (old, new) = (box(0, 0, 100, 200), box(0, 0, 120, 200))
            #expect(layout.shouldInvalidate(forBoundsChangeFrom: old, to: new))
            expectEqual(layout.invalidationContext(forBoundsChangeFrom: old, to: new), .everything)
            layout.scrollDirection = .horizontal
            #expect(!layout.shouldInvalidate(forBoundsChangeFrom: old, to: new))
        }
    }

    @Test func invalidSectionRequestsSizesAgain() {
        let requests = SizeRequests()
        let heights = SharedLength(20.0)
        var layout = Self.layout(requests) { $0 == 1 ? heights.value : 20 }
        _ = requests.take()
        heights.value = 30
        layout.invalidate(with: InvalidationContext(sections: [1]))
        layout.prepare(in: .view(width: 100, height: 100, counts: Self.counts))
        expectEqual(requests.take(), [0: 10, 1: 10, 2: 10])
        expectEqual(layout.header(1)?.minY, 300)
        expectEqual(layout.header(2)?.minY, 700)
        expectEqual(layout.contentSize.height, 1000)
    }

    @Test func invalidHeaderRequestsSizesAgain() {
        let requests = SizeRequests()
        let length = SharedLength(10.0)
        var layout = Self.layout(requests)
        layout.delegate.referenceSizeForHeader = { size(0, $0 == 1 ? length.value : 10) }
        layout.prepare(in: .view(width: 100, height: 100, counts: Self.counts))
        _ = requests.take()
        length.value = 25
        let header = LayoutElement.supplementary(.header, IndexPath(section: 1, item: 0))
        layout.invalidate(with: InvalidationContext(elements: [header]))
        layout.prepare(in: .view(width: 100, height: 100, counts: Self.counts))
        expectEqual(requests.take(), [0: 10, 1: 10, 2: 10])
        expectEqual(layout.header(1), box(0, 300, 100, 25))
        expectEqual(layout.header(2), box(0, 615, 100, 10))
        // A header that disappears releases its space.
        length.value = 0
        layout.invalidate(with: InvalidationContext(elements: [header]))
        layout.prepare(in: .view(width: 100, height: 100, counts: Self.counts))
        expectEqual(layout.header(1), nil)
        expectEqual(layout.header(2)?.minY, 590)
    }

    @Test func changedCountsAndPropertiesLayOutEverything() {
        // Counts.
        do {
            var layout = Self.layout(SizeRequests())
            layout.invalidate(with: InvalidationContext(sections: [0, 7]))
            layout.prepare(in: .view(width: 100, height: 100, counts: [3, 10]))
            expectEqual(layout.item(3), nil)
            expectEqual(layout.header(1)?.minY, 90)
        }
        // A property.
        do {
            var layout = FlowLayout.prepared(width: 100, counts: [2])
            layout.minimumLineSpacing = 3
            layout.prepare(in: .view(width: 100, height: 100, counts: [2]))
            expectEqual(layout.item(1)?.minY, 53)
        }
    }
}

/// A value that a test changes while a layout uses it.
final class SharedLength: Sendable {
    private let stored: Mutex<Double>

    init(_ value: Double) { stored = Mutex(value) }

    var value: Double {
        get { stored.withLock { $0 } }
        set { stored.withLock { $0 = newValue } }
    }
}

/// The effect of batch updates on measured sizes.
@Suite struct FlowFollowTests {
    @Test func flowMeasuredSizesMoveWithTheirItems() throws {
        var layout = FlowSelfSizingTests.sectioned()
        let header1 = LayoutElement.supplementary(.header, IndexPath(section: 1, item: 0))
        layout.invalidate(
            with: layout.invalidationContext(
                forPreferredSizes: [
                    FlowSelfSizingTests.path(0): size(100, 20), FlowSelfSizingTests.path(2): size(100, 30),
                    FlowSelfSizingTests.path(1, 1): size(100, 40),
                    FlowSelfSizingTests.header: size(100, 11), header1: size(100, 12),
                ]))
        var updates = BatchUpdates()
        updates.insertSections([0])
        updates.insertItems(at: [IndexPath(section: 1, item: 0)])
        updates.moveItem(at: IndexPath(section: 0, item: 2), to: IndexPath(section: 2, item: 0))
        updates.deleteItems(at: [IndexPath(section: 1, item: 0)])
        layout.prepare(forUpdates: try UpdateMap(updates, from: ItemCounts([3, 3]), to: ItemCounts([1, 3, 3])))
        layout.invalidate(with: .counts)
        layout.prepare(in: .view(width: 100, height: 100, counts: [1, 3, 3]))
        // New; new, 0, 1; 2 of the preceding section, 1, 2.
        expectEqual(layout.items(1).map { $0?.height }, [50])
        expectEqual(layout.items(3, in: 1).map { $0?.height }, [50, 20, 50])
        expectEqual(layout.items(3, in: 2).map { $0?.height }, [30, 40, 50])
        expectEqual((0..<3).map { layout.header($0)?.height }, [10, 11, 12])
    }

    /// A reloaded section has other items.
    @Test func reloadedSectionDiscardsMeasuredSizes() throws {
        var layout = FlowSelfSizingTests.list(at: 0)
        layout.measure(size(100, 20), items: 0..<1)
        var updates = BatchUpdates()
        updates.reloadSections([0])
        layout.prepare(forUpdates: try UpdateMap(updates, from: ItemCounts([100]), to: ItemCounts([100])))
        layout.invalidate(with: .counts)
        layout.prepare(in: .view(width: 100, height: 100, counts: [100]))
        expectEqual(layout.contentSize.height, 5000)
    }

    @Test func onlyCountsOfFollowedUpdatesKeepFlowMeasuredSizes() throws {
        for (contexts, length) in [([InvalidationContext.counts], 4970.0), ([.counts, .counts], 5000)] {
            var layout = FlowSelfSizingTests.list(at: 0)
            layout.measure(size(100, 20), items: 0..<1)
            layout.prepare(forUpdates: try UpdateMap(BatchUpdates(), from: ItemCounts([100]), to: ItemCounts([100])))
            for context in contexts { layout.invalidate(with: context) }
            layout.prepare(in: .view(width: 100, height: 100, counts: [100]))
            expectEqual(layout.contentSize.height, length)
        }
    }
}
