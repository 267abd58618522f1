import CollectionLayout
import CollectionView
import Testing

@Suite struct OutlineDataSourceTests {
    typealias Stage = DiffableDataSourceTests.Stage

    /// 1 (11, 12 (121)), 2.
    private func outline(expanded: [Int]) throws -> SectionSnapshot<Int> {
        var outline = SectionSnapshot<Int>()
        try outline.append([1, 2])
        try outline.append([11, 12], to: 1)
        try outline.append([121], to: 12)
        try outline.expand(expanded)
        return outline
    }

    @Test func aSectionShowsTheVisibleItemsOfItsOutline() throws {
        let stage = try Stage([[8], [9]])
        try stage.source.apply(outline(expanded: []), to: 0)
        #expect(stage.shown == [1, 2, 9])
        let cells = [1, 2, 9].map(stage.cell)
        try stage.source.apply(outline(expanded: [1]), to: 0)
        #expect(stage.shown == [1, 11, 12, 2, 9])
        #expect(zip(cells, [1, 2, 9].map(stage.cell)).allSatisfy { $0 === $1 })
        // What was expanded shows it, the others have nothing new to show.
        #expect([1, 2, 9].map { stage.cell($0)?.fillings } == [2, 1, 1])
        #expect(try stage.source.snapshot(for: 0) == outline(expanded: [1]))
    }

    @Test func aSectionThatIsNotThereIsAppended() throws {
        let stage = try Stage([[8]])
        try stage.source.apply(outline(expanded: [1, 12]), to: 5)
        #expect(try stage.source.snapshot().rows == [[8], [1, 11, 12, 121, 2]])
        #expect(stage.source.sectionIdentifier(for: 1) == 5)
    }

    @Test func withoutAnOutlineTheItemsStandSideBySide() throws {
        let stage = try Stage([[8, 9]])
        #expect(stage.source.snapshot(for: 0).rootItems == [8, 9])
        #expect(stage.source.snapshot(for: 4).items == [])
    }

    @Test func aSnapshotThatChangesTheItemsEndsTheOutline() throws {
        let stage = try Stage([[], [9]])
        try stage.source.apply(outline(expanded: []), to: 0)
        var snapshot = stage.source.snapshot()
        try snapshot.appendItems([10], toSection: 1)
        try stage.source.apply(snapshot)
        #expect(try stage.source.snapshot(for: 0) == outline(expanded: []))
        try snapshot.appendItems([3], toSection: 0)
        try stage.source.apply(snapshot)
        #expect(stage.source.snapshot(for: 0).items == [1, 2, 3])
    }

    @Test func anItemOfAnotherSectionIsRefused() throws {
        let stage = try Stage([[8], [2]])
        #expect(throws: IntError.duplicateItem(2)) { try stage.source.apply(outline(expanded: []), to: 0) }
        #expect(try stage.source.snapshot().rows == [[8], [2]])
        #expect(stage.shown == [8, 2])
    }
}
