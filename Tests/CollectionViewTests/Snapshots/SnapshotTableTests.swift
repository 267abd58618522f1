import CollectionLayout
import CollectionView
import TestSupport
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
            // Appended sections are at the end.
            ([0, 1], .appendSections([]), [0, 1]),
            ([], .appendSections([0, 1, 2]), [0, 1, 2]),
            ([0, 1], .appendSections([2, 3, 4]), [0, 1, 2, 3, 4]),
            ([0, 1], .appendSections([4, 3, 2]), [0, 1, 4, 3, 2]),
            // Deleted sections disappear.
            ([0, 1], .deleteSections([1]), [0]),
            ([0, 1], .deleteSections([0]), [1]),
            ([0, 1, 2], .deleteSections([1]), [0, 2]),
        ] as [([Int], SnapshotOperation, [Int])])
    func operationChangesSections(initial: [Int], operation: SnapshotOperation, expected: [Int]) throws {
        var snapshot = try sections(initial)
        try operation.perform(on: &snapshot)
        expectEqual(snapshot.sectionIdentifiers, expected)
    }

    @Test(
        arguments: [([0, 1, 2], 1, 1), ([0, 1, 2], 2, 2), ([0, 1, 2], 3, nil), ([], 0, nil)] as [([Int], Int, Int?)])
    func sectionHasItsIndex(initial: [Int], section: Int, expected: Int?) throws {
        try expectEqual(sections(initial).indexOfSection(section), expected)
    }

    @Test(arguments: [([], 0), ([0, 1, 2], 3)] as [([Int], Int)])
    func sectionsAreCounted(initial: [Int], expected: Int) throws {
        let snapshot = try sections(initial)
        expectEqual(snapshot.numberOfSections, expected)
        expectEqual(snapshot.sectionIdentifiers, initial)
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
            // Items are appended to the last section by default.
            ([[], [0, 1]], .appendItems([2, 3], section: nil), [[], [0, 1, 2, 3]]),
            ([[], []], .appendItems([2, 3], section: nil), [[], [2, 3]]),
            ([[], [1]], .appendItems([0], section: nil), [[], [1, 0]]),
            // Appended items are at the end of their section.
            ([[], [0, 1]], .appendItems([2, 3], section: 1), [[], [0, 1, 2, 3]]),
            ([[], []], .appendItems([2, 3], section: 1), [[], [2, 3]]),
            ([[], [1]], .appendItems([0], section: 1), [[], [1, 0]]),
            ([[], [1]], .appendItems([2], section: 0), [[2], [1]]),
            ([[], [1]], .appendItems([2, 3], section: 0), [[2, 3], [1]]),
            ([[], []], .appendItems([0], section: 0), [[0], []]),
            // Items are inserted before another.
            ([[], [0, 1]], .insertItems([2, 3], anchor: 1, isAfter: false), [[], [0, 2, 3, 1]]),
            ([[], [0, 1]], .insertItems([2, 3], anchor: 0, isAfter: false), [[], [2, 3, 0, 1]]),
            ([[], [0, 1, 2]], .insertItems([3, 4], anchor: 1, isAfter: false), [[], [0, 3, 4, 1, 2]]),
            ([[], [0, 1, 2]], .insertItems([], anchor: 1, isAfter: false), [[], [0, 1, 2]]),
            ([[], [0]], .insertItems([1], anchor: 0, isAfter: false), [[], [1, 0]]),
            // Items are inserted after another.
            ([[], [0, 1]], .insertItems([2, 3], anchor: 1, isAfter: true), [[], [0, 1, 2, 3]]),
            ([[], [0, 1]], .insertItems([2, 3], anchor: 0, isAfter: true), [[], [0, 2, 3, 1]]),
            ([[], [0, 1, 2]], .insertItems([3, 4], anchor: 1, isAfter: true), [[], [0, 1, 3, 4, 2]]),
            ([[], [0, 1, 2]], .insertItems([], anchor: 1, isAfter: true), [[], [0, 1, 2]]),
            ([[], [0]], .insertItems([1], anchor: 0, isAfter: true), [[], [0, 1]]),
            // Deleted items disappear.
            ([[], [0, 1]], .deleteItems([0]), [[], [1]]),
            ([[0, 1], [2, 3]], .deleteItems([0, 2]), [[1], [3]]),
            ([[0, 1], [2, 3]], .deleteItems([0, 1]), [[], [2, 3]]),
            ([[0, 1], [2, 3]], .deleteItems([0]), [[1], [2, 3]]),
            ([[0, 1], [2, 3]], .deleteItems([0, 1, 2, 3]), [[], []]),
            // An item moves before another.
            ([[0, 1], [2, 3]], .moveItem(0, anchor: 2, isAfter: false), [[1], [0, 2, 3]]),
            ([[0, 1], [2, 3]], .moveItem(1, anchor: 0, isAfter: false), [[1, 0], [2, 3]]),
            ([[0, 1], [2, 3]], .moveItem(3, anchor: 0, isAfter: false), [[3, 0, 1], [2]]),
            ([[0, 1], [2, 3]], .moveItem(2, anchor: 3, isAfter: false), [[0, 1], [2, 3]]),
            ([[0], [1]], .moveItem(0, anchor: 1, isAfter: false), [[], [0, 1]]),
            ([[0], [1]], .moveItem(1, anchor: 0, isAfter: false), [[1, 0], []]),
            ([[], [0, 1]], .moveItem(1, anchor: 0, isAfter: false), [[], [1, 0]]),
            // An item moves after another.
            ([[0, 1], [2, 3]], .moveItem(0, anchor: 2, isAfter: true), [[1], [2, 0, 3]]),
            ([[0, 1], [2, 3]], .moveItem(1, anchor: 0, isAfter: true), [[0, 1], [2, 3]]),
            ([[0, 1], [2, 3]], .moveItem(3, anchor: 0, isAfter: true), [[0, 3, 1], [2]]),
            ([[0, 1], [2, 3]], .moveItem(2, anchor: 3, isAfter: true), [[0, 1], [3, 2]]),
            ([[0], [1]], .moveItem(0, anchor: 1, isAfter: true), [[], [1, 0]]),
            ([[0], [1]], .moveItem(1, anchor: 0, isAfter: true), [[0, 1], []]),
            ([[], [0, 1]], .moveItem(1, anchor: 0, isAfter: true), [[], [0, 1]]),
        ] as [([[Int]], SnapshotOperation, [[Int]])])
    func operationChangesItems(initial: [[Int]], operation: SnapshotOperation, expected: [[Int]]) throws {
        var snapshot = try IntSnapshot(initial)
        try operation.perform(on: &snapshot)
        try expectEqual(snapshot.rows, expected)
    }

    @Test(
        arguments: [
            [[], [0, 1]], [[0], [1]], [[], []], [[0, 1], [2, 3]], [[0, 1, 2], []], [[], [0, 1, 2]],
        ] as [[[Int]]])
    func deletingAllItemsLeavesNone(initial: [[Int]]) throws {
        var snapshot = try IntSnapshot(initial)
        snapshot.deleteAllItems()
        expectEqual(snapshot.itemIdentifiers, [])
        expectEqual(snapshot.numberOfSections, 0)
        try snapshot.appendSections([0, 1])
        try snapshot.appendItems([0, 1])
        try expectEqual(snapshot.rows, [[], [0, 1]])
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
        try expectEqual(snapshot.rows, initial)
        expectEqual(snapshot.reloadedItemIdentifiers, expected)
    }

    @Test(
        arguments: [
            ([[0, 1], [2, 3]], 4, 2), ([[0, 1], []], 2, 0), ([[], [2, 3]], 2, 2), ([[], []], 0, 0),
        ] as [([[Int]], Int, Int)])
    func itemsAreCounted(initial: [[Int]], all: Int, inSecond: Int) throws {
        let snapshot = try IntSnapshot(initial)
        expectEqual(snapshot.numberOfItems, all)
        try expectEqual(snapshot.numberOfItems(inSection: 1), inSecond)
        expectEqual(snapshot.itemIdentifiers, Array(initial.joined()))
        try expectEqual(snapshot.itemIdentifiers(inSection: 1), initial[1])
    }

    @Test(
        arguments: [
            ([[0, 1], [2, 3]], 2, 1, 0), ([[0, 1], []], 0, 0, 0), ([[], [2, 3]], 3, 1, 1), ([[], []], 0, nil, nil),
            ([[0], [1]], 2, nil, nil),
        ] as [([[Int]], Int, Int?, Int?)])
    func itemHasItsSectionAndIndex(initial: [[Int]], item: Int, section: Int?, index: Int?) throws {
        let snapshot = try IntSnapshot(initial)
        expectEqual(snapshot.sectionIdentifier(containingItem: item), section)
        expectEqual(snapshot.indexPath(of: item)?.item, index)
    }
}
