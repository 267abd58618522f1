import CollectionLayout
import CollectionView
import LayoutTestSupport
import TestSupport
import Testing

@Suite struct SnapshotErrorTests {
    struct InvalidOperation: Sendable, CustomTestStringConvertible {
        let name: String
        let error: IntError
        let perform: @Sendable (inout IntSnapshot) throws -> Void

        init(
            _ name: String, _ error: IntError,
            perform: @escaping @Sendable (inout IntSnapshot) throws -> Void
        ) {
            self.name = name
            self.error = error
            self.perform = perform
        }

        var testDescription: String { name }
    }

    /// For `[[0, 1], [2, 3]]` with the sections 0 and 1. The first seven are also in the suite of DiffableDataSources,
    /// which keeps duplicates and ignores unknown identifiers.
    static let invalidOperations: [InvalidOperation] = [
        InvalidOperation("append an existing section", .duplicateSection(0)) { try $0.appendSections([0]) },
        InvalidOperation("append a section twice", .duplicateSection(2)) { try $0.appendSections([2, 2]) },
        InvalidOperation("append an existing item", .duplicateItem(2)) { try $0.appendItems([4, 2]) },
        InvalidOperation("append an item twice", .duplicateItem(4)) { try $0.appendItems([4, 4]) },
        InvalidOperation("insert an existing item", .duplicateItem(0)) { try $0.insertItems([4, 0], beforeItem: 2) },
        InvalidOperation("delete an unknown item", .unknownItem(5)) { try $0.deleteItems([0, 1, 2, 3, 5]) },
        InvalidOperation("delete an unknown section", .unknownSection(100)) { try $0.deleteSections([0, 100]) },
        InvalidOperation("append to an unknown section", .unknownSection(7)) { try $0.appendItems([4], toSection: 7) },
        InvalidOperation("insert before an unknown item", .unknownItem(9)) { try $0.insertItems([4], beforeItem: 9) },
        InvalidOperation("insert after an unknown item", .unknownItem(9)) { try $0.insertItems([4], afterItem: 9) },
        InvalidOperation("move an unknown item", .unknownItem(9)) { try $0.moveItem(9, beforeItem: 0) },
        InvalidOperation("move after an unknown item", .unknownItem(9)) { try $0.moveItem(0, afterItem: 9) },
        InvalidOperation("reload an unknown item", .unknownItem(9)) { try $0.reloadItems([0, 9]) },
        InvalidOperation("reconfigure an unknown item", .unknownItem(9)) { try $0.reconfigureItems([0, 9]) },
    ]

    @Test(arguments: invalidOperations)
    func rejectedOperationLeavesSnapshotUnchanged(operation: InvalidOperation) throws {
        var snapshot = try IntSnapshot([[0, 1], [2, 3]])
        let before = snapshot
        #expect(throws: operation.error) { try operation.perform(&snapshot) }
        expectEqual(snapshot, before)
        // The rejected operation left no trace in lookups, either.
        expectEqual(snapshot.numberOfItems, 4)
        expectEqual(snapshot.indexPath(of: 4), nil)
        expectEqual(snapshot.indexOfSection(5), nil)
        try snapshot.appendSections([2, 4, 5])
        try snapshot.appendItems([4], toSection: 5)
        try expectEqual(snapshot.rows, [[0, 1], [2, 3], [], [], [4]])
        expectEqual(snapshot.indexPath(of: 4), path(4, 0))
    }

    @Test func appendingItemsRequiresSection() {
        var snapshot = IntSnapshot()
        #expect(throws: IntError.noSection) { try snapshot.appendItems([1]) }
        #expect(throws: IntError.unknownSection(3)) { try snapshot.numberOfItems(inSection: 3) }
        #expect(throws: IntError.unknownSection(3)) { try snapshot.itemIdentifiers(inSection: 3) }
    }

    @Test func identifierUnequalToItselfIsRejected() throws {
        var snapshot = Snapshot<Double, Double>()
        #expect(throws: (any Error).self) { try snapshot.appendSections([1, .nan]) }
        expectEqual(snapshot.numberOfSections, 0)
        try snapshot.appendSections([1])
        #expect(throws: (any Error).self) { try snapshot.appendItems([1, .nan]) }
        expectEqual(snapshot.numberOfItems, 0)
        #expect(throws: (any Error).self) { try snapshot.deleteItems([.nan]) }
    }

    @Test func itemMovedRelativeToItselfStays() throws {
        var snapshot = try IntSnapshot([[0, 1], [2, 3]])
        try snapshot.moveItem(1, beforeItem: 1)
        try snapshot.moveItem(2, afterItem: 2)
        try expectEqual(snapshot.rows, [[0, 1], [2, 3]])
    }

    @Test func duplicatesInDeletionAreIgnored() throws {
        var snapshot = try IntSnapshot([[0, 1], [2, 3]])
        try snapshot.deleteItems([1, 1])
        try snapshot.deleteSections([1, 1])
        try expectEqual(snapshot.rows, [[0]])
    }

    @Test func indexPathsOutOfRangeHaveNoItem() throws {
        let snapshot = try IntSnapshot([[0, 1], []])
        expectEqual(snapshot.itemIdentifier(at: IndexPath(section: 0, item: 1)), 1)
        for path in [(0, 2), (0, -1), (1, 0), (2, 0), (-1, 0), (Int.max, Int.min)] {
            expectEqual(snapshot.itemIdentifier(at: IndexPath(section: path.0, item: path.1)), nil)
        }
        expectEqual(snapshot.sectionIdentifier(at: -1), nil)
        expectEqual(snapshot.sectionIdentifier(at: 2), nil)
        expectEqual(snapshot.itemCount(inSection: 9), 0)
    }

    @Test(
        arguments: [
            (.duplicateSection(7), "Section 7 would occur twice in the snapshot."),
            (.duplicateItem(7), "Item 7 would occur twice in the snapshot."),
            (.unknownSection(7), "The snapshot does not contain section 7. Append it first"),
            (.unknownItem(7), "The snapshot does not contain item 7. Append it first"),
            (.noSection, "Append a section before you append items."),
        ] as [(IntError, String)])
    func errorMessageNamesCauseAndAdvice(error: IntError, text: String) {
        #expect(error.description.contains(text))
    }
}

extension Snapshot where SectionID == Int {
    /// Creates the sections 0, 1, … with these items.
    init(_ items: [[ItemID]]) throws {
        try self.init(sections: items.enumerated().map { ($0, $1) })
    }
}

extension Snapshot {
    init(sections: [(SectionID, [ItemID])]) throws {
        self.init()
        for (section, items) in sections {
            try appendSections([section])
            try appendItems(items)
        }
    }

    /// The items of all sections, section by section.
    var rows: [[ItemID]] {
        get throws {
            try sectionIdentifiers.map { section throws in try itemIdentifiers(inSection: section) }
        }
    }
}

typealias IntSnapshot = Snapshot<Int, Int>
typealias IntError = SnapshotError<Int, Int>

extension PlaceChange<IndexPath> {
    init(_ from: (Int, Int), _ to: (Int, Int)) { self.init(from: path(from.0, from.1), to: path(to.0, to.1)) }
}
