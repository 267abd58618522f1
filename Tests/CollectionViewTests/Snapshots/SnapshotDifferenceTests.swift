import CollectionLayout
import CollectionView
import LayoutTestSupport
import Testing

@Suite struct SnapshotDifferenceTests {
    /// By hand: item 1 goes from section 0 to 1, 3 leaves, 9 comes.
    @Test func anItemThatChangesItsSectionIsMoved() throws {
        let changes = SnapshotDifference(
            from: try IntSnapshot([[0, 1], [2, 3]]), to: try IntSnapshot([[0, 9], [1, 2]])
        ).changes
        #expect(
            changes
                == SnapshotChanges(
                    deletedItems: [IndexPath(section: 1, item: 1)], insertedItems: [IndexPath(section: 0, item: 1)],
                    movedItems: [PlaceChange((0, 1), (1, 0))]))
    }

    /// By hand: the sections are other ones, the items the same.
    @Test func itemsSurviveTheirSection() throws {
        let changes = SnapshotDifference(
            from: try IntSnapshot(sections: [(0, [7, 8]), (1, [5])]),
            to: try IntSnapshot(sections: [(1, [5]), (2, [8, 4])])
        ).changes
        #expect(
            changes
                == SnapshotChanges(
                    deletedSections: [0], insertedSections: [1], movedItems: [PlaceChange((0, 1), (1, 0))]))
    }

    @Test func aMovedSectionTakesItsItemsAlong() throws {
        let changes = SnapshotDifference(
            from: try IntSnapshot(sections: [(0, [7, 8]), (1, [5, 6]), (2, [9])]),
            to: try IntSnapshot(sections: [(2, [9]), (0, [7, 8]), (1, [6])])
        ).changes
        #expect(
            changes
                == SnapshotChanges(
                    movedSections: [PlaceChange(from: 2, to: 0)], deletedItems: [IndexPath(section: 1, item: 0)]))
    }

    /// The updates of ra1028/DifferenceKit (Apache-2.0), Tests/AlgorithmTest.swift: item 0 of three; section 2, which
    /// goes from 2 to 3 while others come, go and move; and of Instagram/IGListKit (MIT), Tests/IGListDiffTests.m: item
    /// 2, which goes from 2 to 0. Both suites see the update in the content; a snapshot is told of it.
    @Test func reloadsNameTheOldAndTheNewPlace() throws {
        var items = try IntSnapshot([[], [0, 1, 2]])
        let old = items
        try items.reloadItems([0])
        #expect(
            SnapshotDifference(from: old, to: items).changes
                == SnapshotChanges(reloadedItems: [PlaceChange((1, 0), (1, 0))]))

        var sections = try IntSnapshot(sections: [(3, [3]), (4, [4]), (0, [0]), (2, [2])])
        try sections.reloadSections([2])
        #expect(
            SnapshotDifference(
                from: try IntSnapshot(sections: [(0, [0]), (1, [1]), (2, [2]), (3, [3])]), to: sections
            ).changes
                == SnapshotChanges(
                    deletedSections: [1], insertedSections: [1], movedSections: [PlaceChange(from: 3, to: 0)],
                    reloadedSections: [PlaceChange(from: 2, to: 3)]))

        var turned = try IntSnapshot([[2, 1, 0]])
        try turned.reloadItems([2])
        let changes = SnapshotDifference(from: try IntSnapshot([[0, 1, 2]]), to: turned).changes
        #expect(changes.reloadedItems == [PlaceChange((0, 2), (0, 0))])
        #expect(changes.movedItems.count == 2)
    }

    @Test func reconfiguringLeavesTheStructureAlone() throws {
        let old = try IntSnapshot([[0, 1, 2]])
        var new = old
        try new.reconfigureItems([2, 0])
        let changes = SnapshotDifference(from: old, to: new).changes
        #expect(
            changes
                == SnapshotChanges(reconfiguredItems: [PlaceChange((0, 0), (0, 0)), PlaceChange((0, 2), (0, 2))]))
        #expect(changes.keepsStructure)
        #expect(!changes.isEmpty)
    }

    @Test func whatIsNewNeedsNoReload() throws {
        var new = try IntSnapshot([[0, 1], [2]])
        try new.reloadItems([1])
        try new.reconfigureItems([2])
        try new.reloadSections([1])
        let changes = SnapshotDifference(from: try IntSnapshot([[0]]), to: new).changes
        #expect(
            changes == SnapshotChanges(insertedSections: [1], insertedItems: [IndexPath(section: 0, item: 1)]))
    }

    /// From ra1028/DifferenceKit (Apache-2.0), Tests/AlgorithmTest.swift, `testComplicated` 2, 6, 8, 9 and 10, which ask
    /// that the result is reached. 1, 3, 4, 5, 7 and 11 have duplicates, which a snapshot refuses.
    @Test(
        arguments: [
            (
                [(0, [0, 1]), (1, [2, 3]), (2, [4, 5])], [(1, [3, 5]), (3, [6, 7, 8, 9]), (2, [10, 4, 2]), (0, [1])]
            ),
            ([(0, [0]), (1, [1])], [(1, [2, 1]), (0, [0])]),
            ([(0, [0, 1]), (1, [2, 3])], [(0, []), (1, [1, 3])]),
            (
                [(0, [0, 1]), (1, [2, 3]), (2, [4, 5])],
                [(4, [8, 9]), (0, [0, 1, 2]), (3, [6, 7]), (1, [3]), (2, [5])]
            ),
            ([(0, [0, 1]), (1, [2, 3])], [(1, [3, 2]), (0, [1, 0])]),
        ] as [([(Int, [Int])], [(Int, [Int])])])
    func complicatedOnesReachTheirTarget(source: [(Int, [Int])], target: [(Int, [Int])]) throws {
        let old = try IntSnapshot(sections: source)
        let new = try IntSnapshot(sections: target)
        let difference = SnapshotDifference(from: old, to: new)
        #expect(try old.applying(difference) == new)
        #expect(try BatchOracle.carryOut(difference.changes, from: old, to: new) == target.map(\.1))
    }

    @Test func aDifferenceOfAnotherSnapshotIsRefused() throws {
        let difference = SnapshotDifference(from: try IntSnapshot([[0, 1]]), to: try IntSnapshot([[1, 5], [2]]))
        #expect(throws: IntError.differenceOfAnotherSnapshot) {
            try IntSnapshot([[0], [1]]).applying(difference)
        }
        #expect(throws: IntError.duplicateItem(5)) { try IntSnapshot([[0, 5]]).applying(difference) }
        #expect(throws: IntError.duplicateSection(1)) { try IntSnapshot(sections: [(1, [0, 1])]).applying(difference) }
    }

    @Test func aSnapshotsChangesAreTakenOver() throws {
        let changes = SnapshotChanges(
            deletedSections: [1], insertedSections: [0], movedSections: [PlaceChange(from: 2, to: 1)],
            reloadedSections: [PlaceChange(from: 0, to: 2)], deletedItems: [path(2, 0)], insertedItems: [path(1, 0)],
            movedItems: [PlaceChange(from: path(1, 0), to: path(0, 0))],
            reloadedItems: [PlaceChange(from: path(2, 1), to: path(1, 1))],
            reconfiguredItems: [PlaceChange(from: path(2, 2), to: path(1, 2))])
        let map = try UpdateMap(BatchUpdates(changes), from: [1, 1, 3] as ItemCounts, to: [1, 3, 9] as ItemCounts)
        #expect((0..<3).map { map.newSection(for: $0) } == [2, nil, 1])
        #expect(map.newIndexPath(for: path(1, 0)) == path(0, 0))
        #expect(map.reloads(path(2, 1)) && map.reconfigures(path(2, 2)) && map.reloads(path(0, 0)))
    }
}
