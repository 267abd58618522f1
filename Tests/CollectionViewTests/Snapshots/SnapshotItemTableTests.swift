import CollectionLayout
import CollectionView
import Testing

/// Expected results from ra1028/DiffableDataSources (Apache-2.0), Tests/DiffableDataSourceTests.swift; the second and
/// third rows that are named in section 6 of the facts are among them.
///
/// Different here: see ``SnapshotSectionTableTests``. Deleting all items takes the sections away too, as users of the
/// original observe; the suite looks only at the items.
@Suite struct SnapshotItemTableTests {
    @Test(
        arguments: [
            ([0, 1], [2, 3], [0, 1, 2, 3]), ([], [2, 3], [2, 3]), ([1], [0], [1, 0]),
        ] as [([Int], [Int], [Int])])
    func withoutASectionItemsAreAppendedToTheLast(initial: [Int], new: [Int], expected: [Int]) throws {
        var snapshot = try IntSnapshot([[], initial])
        try snapshot.appendItems(new)
        #expect(try snapshot.rows == [[], expected])
    }

    @Test(
        arguments: [
            ([[], [0, 1]], [2, 3], 1, [[], [0, 1, 2, 3]]),
            ([[], []], [2, 3], 1, [[], [2, 3]]),
            ([[], [1]], [0], 1, [[], [1, 0]]),
            ([[], [1]], [2], 0, [[2], [1]]),
            ([[], [1]], [2, 3], 0, [[2, 3], [1]]),
            ([[], []], [0], 0, [[0], []]),
        ] as [([[Int]], [Int], Int, [[Int]])])
    func appendedItemsStandAtTheEndOfTheirSection(
        initial: [[Int]], new: [Int], section: Int, expected: [[Int]]
    ) throws {
        var snapshot = try IntSnapshot(initial)
        try snapshot.appendItems(new, toSection: section)
        #expect(try snapshot.rows == expected)
    }

    @Test(
        arguments: [
            ([0, 1], [2, 3], 1, [0, 2, 3, 1]),
            ([0, 1], [2, 3], 0, [2, 3, 0, 1]),
            ([0, 1, 2], [3, 4], 1, [0, 3, 4, 1, 2]),
            ([0, 1, 2], [], 1, [0, 1, 2]),
            ([0], [1], 0, [1, 0]),
        ] as [([Int], [Int], Int, [Int])])
    func itemsInsertedBeforeOneStandBeforeIt(initial: [Int], new: [Int], anchor: Int, expected: [Int]) throws {
        var snapshot = try IntSnapshot([[], initial])
        try snapshot.insertItems(new, beforeItem: anchor)
        #expect(try snapshot.rows == [[], expected])
    }

    @Test(
        arguments: [
            ([0, 1], [2, 3], 1, [0, 1, 2, 3]),
            ([0, 1], [2, 3], 0, [0, 2, 3, 1]),
            ([0, 1, 2], [3, 4], 1, [0, 1, 3, 4, 2]),
            ([0, 1, 2], [], 1, [0, 1, 2]),
            ([0], [1], 0, [0, 1]),
        ] as [([Int], [Int], Int, [Int])])
    func itemsInsertedAfterOneStandAfterIt(initial: [Int], new: [Int], anchor: Int, expected: [Int]) throws {
        var snapshot = try IntSnapshot([[], initial])
        try snapshot.insertItems(new, afterItem: anchor)
        #expect(try snapshot.rows == [[], expected])
    }

    @Test(
        arguments: [
            ([[], [0, 1]], [0], [[], [1]]),
            ([[0, 1], [2, 3]], [0, 2], [[1], [3]]),
            ([[0, 1], [2, 3]], [0, 1], [[], [2, 3]]),
            ([[0, 1], [2, 3]], [0], [[1], [2, 3]]),
            ([[0, 1], [2, 3]], [0, 1, 2, 3], [[], []]),
        ] as [([[Int]], [Int], [[Int]])])
    func deletedItemsAreGone(initial: [[Int]], deleted: [Int], expected: [[Int]]) throws {
        var snapshot = try IntSnapshot(initial)
        try snapshot.deleteItems(deleted)
        #expect(try snapshot.rows == expected)
    }

    @Test(
        arguments: [
            [[], [0, 1]], [[0], [1]], [[], []], [[0, 1], [2, 3]], [[0, 1, 2], []], [[], [0, 1, 2]],
        ] as [[[Int]]])
    func afterDeletingAllItemsThereAreNone(initial: [[Int]]) throws {
        var snapshot = try IntSnapshot(initial)
        snapshot.deleteAllItems()
        #expect(snapshot.itemIdentifiers == [])
        #expect(snapshot.numberOfSections == 0)
        try snapshot.appendSections([0, 1])
        try snapshot.appendItems([0, 1])
        #expect(try snapshot.rows == [[], [0, 1]])
    }

    @Test(
        arguments: [
            ([[0, 1], [2, 3]], 0, 2, [[1], [0, 2, 3]]),
            ([[0, 1], [2, 3]], 1, 0, [[1, 0], [2, 3]]),
            ([[0, 1], [2, 3]], 3, 0, [[3, 0, 1], [2]]),
            ([[0, 1], [2, 3]], 2, 3, [[0, 1], [2, 3]]),
            ([[0], [1]], 0, 1, [[], [0, 1]]),
            ([[0], [1]], 1, 0, [[1, 0], []]),
            ([[], [0, 1]], 1, 0, [[], [1, 0]]),
        ] as [([[Int]], Int, Int, [[Int]])])
    func anItemMovesBeforeAnother(initial: [[Int]], moved: Int, anchor: Int, expected: [[Int]]) throws {
        var snapshot = try IntSnapshot(initial)
        try snapshot.moveItem(moved, beforeItem: anchor)
        #expect(try snapshot.rows == expected)
    }

    @Test(
        arguments: [
            ([[0, 1], [2, 3]], 0, 2, [[1], [2, 0, 3]]),
            ([[0, 1], [2, 3]], 1, 0, [[0, 1], [2, 3]]),
            ([[0, 1], [2, 3]], 3, 0, [[0, 3, 1], [2]]),
            ([[0, 1], [2, 3]], 2, 3, [[0, 1], [3, 2]]),
            ([[0], [1]], 0, 1, [[], [1, 0]]),
            ([[0], [1]], 1, 0, [[0, 1], []]),
            ([[], [0, 1]], 1, 0, [[], [0, 1]]),
        ] as [([[Int]], Int, Int, [[Int]])])
    func anItemMovesAfterAnother(initial: [[Int]], moved: Int, anchor: Int, expected: [[Int]]) throws {
        var snapshot = try IntSnapshot(initial)
        try snapshot.moveItem(moved, afterItem: anchor)
        #expect(try snapshot.rows == expected)
    }

    @Test(
        arguments: [
            ([[], []], [], []),
            ([[], [0]], [0], [0]),
            ([[0, 1], [2]], [1, 2], [1, 2]),
            ([[0, 1], [2, 3]], [0, 2, 3], [0, 2, 3]),
        ] as [([[Int]], [Int], [Int])])
    func reloadedItemsStayAndAreNamedInTheirOrder(initial: [[Int]], reloaded: [Int], expected: [Int]) throws {
        var snapshot = try IntSnapshot(initial)
        try snapshot.reloadItems(reloaded.reversed())
        #expect(try snapshot.rows == initial)
        #expect(snapshot.reloadedItemIdentifiers == expected)
    }

    @Test(
        arguments: [
            ([[0, 1], [2, 3]], 4, 2), ([[0, 1], []], 2, 0), ([[], [2, 3]], 2, 2), ([[], []], 0, 0),
        ] as [([[Int]], Int, Int)])
    func itemsAreCounted(initial: [[Int]], all: Int, inSecond: Int) throws {
        let snapshot = try IntSnapshot(initial)
        #expect(snapshot.numberOfItems == all)
        #expect(try snapshot.numberOfItems(inSection: 1) == inSecond)
        #expect(snapshot.itemIdentifiers == Array(initial.joined()))
        #expect(try snapshot.itemIdentifiers(inSection: 1) == initial[1])
    }

    @Test(
        arguments: [
            ([[0, 1], [2, 3]], 2, 1), ([[0, 1], []], 0, 0), ([[], [2, 3]], 2, 1), ([[], []], 0, nil),
            ([[0], [1]], 2, nil),
        ] as [([[Int]], Int, Int?)])
    func anItemHasItsSection(initial: [[Int]], item: Int, expected: Int?) throws {
        #expect(try IntSnapshot(initial).sectionIdentifier(containingItem: item) == expected)
    }

    @Test(
        arguments: [
            ([[0, 1], [2, 3]], 2, 2), ([[0, 1], []], 0, 0), ([[], [2, 3]], 2, 0), ([[], []], 0, nil),
            ([[0], [1]], 2, nil),
        ] as [([[Int]], Int, Int?)])
    func theIndexOfAnItemCountsOverAllSections(initial: [[Int]], item: Int, expected: Int?) throws {
        #expect(try IntSnapshot(initial).indexOfItem(item) == expected)
    }
}
