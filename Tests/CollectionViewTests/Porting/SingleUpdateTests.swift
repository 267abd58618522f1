import CollectionLayout
import CollectionView
import LayoutTestSupport
import Testing

/// `insertItems(at:)` and its relatives: the data changes first, then the view is told.
@Suite struct SingleUpdateTests {
    private let source = RowSource([["a", "b", "c"], ["d"]])

    @Test func insertedItemsAppear() throws {
        let view = makeView(source)
        source.sections[0].insert("x", at: 1)
        let changes = try view.insertItems(at: [IndexPath(item: 1, section: 0)])
        #expect(view.seen == ["a", "x", "b", "c", "d"])
        #expect(changes.entered.map(\.attributes.indexPath) == [path(0, 1)])
    }

    @Test func deletedItemsLeave() throws {
        let view = makeView(source)
        let kept = view.row(0, 2)
        source.sections[0].remove(at: 0)
        let changes = try view.deleteItems(at: [IndexPath(item: 0, section: 0)])
        #expect(view.seen == ["b", "c", "d"] && view.row(0, 1) === kept)
        #expect(changes.left.map(\.attributes.indexPath) == [path(0, 0)])
    }

    @Test func movedItemsKeepTheirCells() throws {
        let view = makeView(source)
        let moved = view.row(0, 0)
        source.sections[0] = ["b", "c", "a"]
        try view.moveItem(at: IndexPath(item: 0, section: 0), to: IndexPath(item: 2, section: 0))
        #expect(view.seen == ["b", "c", "a", "d"] && view.row(0, 2) === moved)
    }

    @Test func reloadedItemsGetOtherCellsAndReconfiguredOnesKeepTheirs() throws {
        let view = makeView(source)
        let (first, second) = (view.row(0, 0), view.row(0, 1))
        source.sections[0] = ["A", "B", "c"]
        try view.reloadItems(at: [IndexPath(item: 0, section: 0)])
        try view.reconfigureItems(at: [IndexPath(item: 1, section: 0)])
        #expect(view.seen == ["A", "B", "c", "d"])
        #expect(view.row(0, 0) !== first && view.row(0, 1) === second)
    }

    @Test func sectionsAreInsertedDeletedMovedAndReloaded() throws {
        let view = makeView(source)
        source.sections.insert(["x"], at: 0)
        try view.insertSections([0])
        #expect(view.seen == ["x", "a", "b", "c", "d"])
        source.sections = [["x"], ["d"], ["a", "b", "c"]]
        try view.moveSection(2, to: 1)
        #expect(view.seen == ["x", "d", "a", "b", "c"])
        source.sections.remove(at: 0)
        try view.deleteSections([0])
        #expect(view.seen == ["d", "a", "b", "c"])
        source.sections[0] = ["e", "f"]
        try view.reloadSections([0])
        #expect(view.seen == ["e", "f", "a", "b", "c"])
    }

    @Test func callsInsideOfBatchUpdatesAreRecordedTogether() throws {
        let view = makeView(source)
        try view.performBatchUpdates { updates in
            source.sections = [["b", "c", "y"], ["d"]]
            _ = try? view.deleteItems(at: [IndexPath(item: 0, section: 0)])
            updates.insertItems(at: [IndexPath(item: 2, section: 0)])
        }
        #expect(view.seen == ["b", "c", "y", "d"])
    }

    @Test func changeThatDoesNotMatchTheDataThrowsAndChangesNothing() {
        let view = makeView(source)
        #expect(throws: BatchUpdateError.self) { try view.insertItems(at: [IndexPath(item: 0, section: 0)]) }
        #expect(view.seen == ["a", "b", "c", "d"])
    }

    @Test func changeBeforeTheFirstLayoutLoadsTheDataAsItIs() throws {
        let view = CollectionView(layout: RowTable(), bounds: Rect(x: 0, y: 0, width: 100, height: 100))
        view.dataSource = source
        source.sections[0].append("x")
        try view.insertItems(at: [IndexPath(item: 3, section: 0)])
        #expect(view.seen == ["a", "b", "c", "x", "d"])
    }
}
