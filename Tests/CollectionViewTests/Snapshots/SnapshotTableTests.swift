import CollectionLayout
import CollectionView
import Testing

/// Expected results from ra1028/DiffableDataSources (Apache-2.0), Tests/DiffableDataSourceTests.swift.
///
/// Mistakes throw errors here, unlike in that suite:
/// * Duplicate identifiers are rejected. The suite keeps both (`[0, 1]` and `[0]` become `[0, 1, 0]`), although UIKit's
///   documentation requires unique identifiers.
/// * Deleting and reloading unknown identifiers is rejected. The suite ignores it.
@Suite struct SnapshotSectionTableTests {
    @Test(
        arguments: [
            ([0, 1], [], [0, 1]),
            ([], [0, 1, 2], [0, 1, 2]),
            ([0, 1], [2, 3, 4], [0, 1, 2, 3, 4]),
            ([0, 1], [4, 3, 2], [0, 1, 4, 3, 2]),
        ] as [([Int], [Int], [Int])])
    func appendedSectionsAreAtEnd(initial: [Int], new: [Int], expected: [Int]) throws {
        var snapshot = try sections(initial)
        try snapshot.appendSections(new)
        #expect(snapshot.sectionIdentifiers == expected)
    }

    @Test(
        arguments: [
            ([0, 1], [3, 4], 1, [0, 3, 4, 1]),
            ([0, 1], [3, 4], 0, [3, 4, 0, 1]),
            ([0, 1, 2], [3, 4], 2, [0, 1, 3, 4, 2]),
            ([0, 1, 2], [], 2, [0, 1, 2]),
        ] as [([Int], [Int], Int, [Int])])
    func sectionsAreInsertedBeforeAnchor(initial: [Int], new: [Int], anchor: Int, expected: [Int]) throws {
        var snapshot = try sections(initial)
        try snapshot.insertSections(new, beforeSection: anchor)
        #expect(snapshot.sectionIdentifiers == expected)
    }

    @Test(
        arguments: [
            ([0, 1], [3, 4], 1, [0, 1, 3, 4]),
            ([0, 1], [3, 4], 0, [0, 3, 4, 1]),
            ([0, 1, 2], [3, 4], 2, [0, 1, 2, 3, 4]),
            ([0, 1, 2], [], 2, [0, 1, 2]),
            ([0], [1], 0, [0, 1]),
        ] as [([Int], [Int], Int, [Int])])
    func sectionsAreInsertedAfterAnchor(initial: [Int], new: [Int], anchor: Int, expected: [Int]) throws {
        var snapshot = try sections(initial)
        try snapshot.insertSections(new, afterSection: anchor)
        #expect(snapshot.sectionIdentifiers == expected)
    }

    @Test(
        arguments: [
            ([0, 1], [1], [0]),
            ([0, 1], [0], [1]),
            ([0, 1, 2], [1], [0, 2]),
        ] as [([Int], [Int], [Int])])
    func deletedSectionsDisappear(initial: [Int], deleted: [Int], expected: [Int]) throws {
        var snapshot = try sections(initial)
        try snapshot.deleteSections(deleted)
        #expect(snapshot.sectionIdentifiers == expected)
    }

    @Test(
        arguments: [
            ([0, 1], 1, 0, [1, 0]),
            ([0, 1, 2], 2, 0, [2, 0, 1]),
            ([0, 1, 2], 0, 2, [1, 0, 2]),
            ([0, 1, 2], 1, 2, [0, 1, 2]),
        ] as [([Int], Int, Int, [Int])])
    func sectionMovesBeforeAnother(initial: [Int], moved: Int, anchor: Int, expected: [Int]) throws {
        var snapshot = try sections(initial)
        try snapshot.moveSection(moved, beforeSection: anchor)
        #expect(snapshot.sectionIdentifiers == expected)
    }

    @Test(
        arguments: [
            ([0, 1], 0, 1, [1, 0]),
            ([0, 1, 2], 2, 0, [0, 2, 1]),
            ([0, 1, 2], 0, 2, [1, 2, 0]),
            ([0, 1, 2], 1, 0, [0, 1, 2]),
        ] as [([Int], Int, Int, [Int])])
    func sectionMovesAfterAnother(initial: [Int], moved: Int, anchor: Int, expected: [Int]) throws {
        var snapshot = try sections(initial)
        try snapshot.moveSection(moved, afterSection: anchor)
        #expect(snapshot.sectionIdentifiers == expected)
    }

    @Test(
        arguments: [
            ([], [], []),
            ([0], [0], [0]),
            ([0, 1, 2], [2], [2]),
            ([2, 1, 0], [0, 1], [1, 0]),
        ] as [([Int], [Int], [Int])])
    func reloadedSectionsStayAndAreListedInOrder(initial: [Int], reloaded: [Int], expected: [Int]) throws {
        var snapshot = try sections(initial)
        try snapshot.reloadSections(reloaded)
        #expect(snapshot.sectionIdentifiers == initial)
        #expect(snapshot.reloadedSectionIdentifiers == expected)
    }

    @Test(
        arguments: [([0, 1, 2], 1, 1), ([0, 1, 2], 2, 2), ([0, 1, 2], 3, nil), ([], 0, nil)] as [([Int], Int, Int?)])
    func sectionHasItsIndex(initial: [Int], section: Int, expected: Int?) throws {
        #expect(try sections(initial).indexOfSection(section) == expected)
    }

    @Test(arguments: [([], 0), ([0, 1, 2], 3)] as [([Int], Int)])
    func sectionsAreCounted(initial: [Int], expected: Int) throws {
        let snapshot = try sections(initial)
        #expect(snapshot.numberOfSections == expected)
        #expect(snapshot.sectionIdentifiers == initial)
    }

    private func sections(_ identifiers: [Int]) throws -> IntSnapshot {
        var snapshot = IntSnapshot()
        try snapshot.appendSections(identifiers)
        return snapshot
    }
}

/// Expected results from ra1028/DiffableDataSources (Apache-2.0), Tests/DiffableDataSourceTests.swift.
///
/// For the differences, see ``SnapshotSectionTableTests``. Deleting all items also deletes the sections, as observed in
/// UIKit; the suite checks only the items.
@Suite struct SnapshotItemTableTests {
    @Test(
        arguments: [
            ([0, 1], [2, 3], [0, 1, 2, 3]), ([], [2, 3], [2, 3]), ([1], [0], [1, 0]),
        ] as [([Int], [Int], [Int])])
    func itemsAreAppendedToLastSectionByDefault(initial: [Int], new: [Int], expected: [Int]) throws {
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
    func appendedItemsAreAtEndOfTheirSection(
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
    func itemsAreInsertedBeforeAnchor(initial: [Int], new: [Int], anchor: Int, expected: [Int]) throws {
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
    func itemsAreInsertedAfterAnchor(initial: [Int], new: [Int], anchor: Int, expected: [Int]) throws {
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
    func deletedItemsDisappear(initial: [[Int]], deleted: [Int], expected: [[Int]]) throws {
        var snapshot = try IntSnapshot(initial)
        try snapshot.deleteItems(deleted)
        #expect(try snapshot.rows == expected)
    }

    @Test(
        arguments: [
            [[], [0, 1]], [[0], [1]], [[], []], [[0, 1], [2, 3]], [[0, 1, 2], []], [[], [0, 1, 2]],
        ] as [[[Int]]])
    func deletingAllItemsLeavesNone(initial: [[Int]]) throws {
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
    func itemMovesBeforeAnother(initial: [[Int]], moved: Int, anchor: Int, expected: [[Int]]) throws {
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
    func itemMovesAfterAnother(initial: [[Int]], moved: Int, anchor: Int, expected: [[Int]]) throws {
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
    func reloadedItemsStayAndAreListedInOrder(initial: [[Int]], reloaded: [Int], expected: [Int]) throws {
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
    func itemHasItsSection(initial: [[Int]], item: Int, expected: Int?) throws {
        #expect(try IntSnapshot(initial).sectionIdentifier(containingItem: item) == expected)
    }

    @Test(
        arguments: [
            ([[0, 1], [2, 3]], 2, 2), ([[0, 1], []], 0, 0), ([[], [2, 3]], 2, 0), ([[], []], 0, nil),
            ([[0], [1]], 2, nil),
        ] as [([[Int]], Int, Int?)])
    func indexOfItemCountsAllSections(initial: [[Int]], item: Int, expected: Int?) throws {
        #expect(try IntSnapshot(initial).indexOfItem(item) == expected)
    }
}
