import CollectionLayout
import Testing

/// What becomes of measured sizes when batch updates give items and sections other places.
@Suite struct FlowFollowTests {
    @Test func measuredSizesGoAlongWithTheirItems() throws {
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
        layout.follow(try UpdateMap(updates, from: ItemCounts([3, 3]), to: ItemCounts([1, 3, 3])))
        layout.invalidate(with: .counts)
        layout.prepare(in: .view(width: 100, height: 100, counts: [1, 3, 3]))
        // New; new, 0, 1; 2 of the section before, 1, 2.
        #expect(layout.items(1).map { $0?.height } == [50])
        #expect(layout.items(3, in: 1).map { $0?.height } == [50, 20, 50])
        #expect(layout.items(3, in: 2).map { $0?.height } == [30, 40, 50])
        #expect((0..<3).map { layout.header($0)?.height } == [10, 11, 12])
    }

    /// The items of a reloaded section are others.
    @Test func aReloadedSectionForgetsWhatWasMeasured() throws {
        var layout = FlowSelfSizingTests.list(at: 0)
        layout.measure(size(100, 20), items: 0..<1)
        var updates = BatchUpdates()
        updates.reloadSections([0])
        layout.follow(try UpdateMap(updates, from: ItemCounts([100]), to: ItemCounts([100])))
        layout.invalidate(with: .counts)
        layout.prepare(in: .view(width: 100, height: 100, counts: [100]))
        #expect(layout.contentSize.height == 5000)
    }

    @Test func onlyTheCountsOfTheUpdatesKeepMeasuredSizes() throws {
        for (contexts, length) in [([InvalidationContext.counts], 4970.0), ([.counts, .counts], 5000)] {
            var layout = FlowSelfSizingTests.list(at: 0)
            layout.measure(size(100, 20), items: 0..<1)
            layout.follow(try UpdateMap(BatchUpdates(), from: ItemCounts([100]), to: ItemCounts([100])))
            for context in contexts { layout.invalidate(with: context) }
            layout.prepare(in: .view(width: 100, height: 100, counts: [100]))
            #expect(layout.contentSize.height == length)
        }
    }
}
