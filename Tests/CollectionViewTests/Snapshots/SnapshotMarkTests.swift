import CollectionLayout
import CollectionView
import Testing

@Suite struct SnapshotMarkTests {
    @Test func reloadingWinsOverReconfiguring() throws {
        var snapshot = try IntSnapshot([[0, 1, 2]])
        try snapshot.reconfigureItems([0, 1])
        try snapshot.reloadItems([1])
        try snapshot.reconfigureItems([1, 2])
        #expect(snapshot.reloadedItemIdentifiers == [1])
        #expect(snapshot.reconfiguredItemIdentifiers == [0, 2])
    }

    @Test func marksMoveWithTheirItemsAndGoWithThem() throws {
        var snapshot = try IntSnapshot([[0, 1], [2, 3]])
        try snapshot.reloadItems([0, 3])
        try snapshot.reconfigureItems([1, 2])
        try snapshot.reloadSections([0, 1])
        try snapshot.moveItem(0, afterItem: 3)
        #expect(snapshot.reloadedItemIdentifiers == [3, 0])
        try snapshot.deleteItems([3, 1])
        #expect(snapshot.reloadedItemIdentifiers == [0])
        #expect(snapshot.reconfiguredItemIdentifiers == [2])
        try snapshot.deleteSections([1])
        #expect(snapshot.reloadedItemIdentifiers == [])
        #expect(snapshot.reconfiguredItemIdentifiers == [])
        #expect(snapshot.reloadedSectionIdentifiers == [0])
    }

    @Test func withoutItsMarksItHasTheSameContent() throws {
        let plain = try IntSnapshot([[0, 1], [2]])
        var marked = plain
        try marked.reloadItems([0])
        try marked.reconfigureItems([1])
        try marked.reloadSections([1])
        #expect(marked != plain)
        #expect(marked.hasSameContent(as: plain))
        #expect(marked.withoutMarks == plain)
    }
}
