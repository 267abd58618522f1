import CollectionLayout
import CollectionView
import Testing

/// Expected results from ra1028/DiffableDataSources (Apache-2.0), Tests/DiffableDataSourceTests.swift.
///
/// Different here, because an error is thrown where a person made a mistake (chosen, section 5 of the facts):
/// * An identifier that stands there already is refused. The suite's fallback keeps both (`[0, 1]` and `[0]` make
///   `[0, 1, 0]`); the original says in its documentation that identifiers must be unique.
/// * Deleting and reloading what isn't there is refused. The suite passes over it in silence.
@Suite struct SnapshotSectionTableTests {
    @Test(
        arguments: [
            ([0, 1], [], [0, 1]),
            ([], [0, 1, 2], [0, 1, 2]),
            ([0, 1], [2, 3, 4], [0, 1, 2, 3, 4]),
            ([0, 1], [4, 3, 2], [0, 1, 4, 3, 2]),
        ] as [([Int], [Int], [Int])])
    func appendedSectionsStandAtTheEnd(initial: [Int], new: [Int], expected: [Int]) throws {
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
    func sectionsInsertedBeforeOneStandBeforeIt(initial: [Int], new: [Int], anchor: Int, expected: [Int]) throws {
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
    func sectionsInsertedAfterOneStandAfterIt(initial: [Int], new: [Int], anchor: Int, expected: [Int]) throws {
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
    func deletedSectionsAreGone(initial: [Int], deleted: [Int], expected: [Int]) throws {
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
    func aSectionMovesBeforeAnother(initial: [Int], moved: Int, anchor: Int, expected: [Int]) throws {
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
    func aSectionMovesAfterAnother(initial: [Int], moved: Int, anchor: Int, expected: [Int]) throws {
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
    func reloadedSectionsStayAndAreNamedInTheirOrder(initial: [Int], reloaded: [Int], expected: [Int]) throws {
        var snapshot = try sections(initial)
        try snapshot.reloadSections(reloaded)
        #expect(snapshot.sectionIdentifiers == initial)
        #expect(snapshot.reloadedSectionIdentifiers == expected)
    }

    @Test(
        arguments: [([0, 1, 2], 1, 1), ([0, 1, 2], 2, 2), ([0, 1, 2], 3, nil), ([], 0, nil)] as [([Int], Int, Int?)])
    func aSectionHasItsIndex(initial: [Int], section: Int, expected: Int?) throws {
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
