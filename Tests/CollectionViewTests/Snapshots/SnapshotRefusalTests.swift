import CollectionLayout
import CollectionView
import Testing

@Suite struct SnapshotRefusalTests {
    struct Refusal: Sendable, CustomTestStringConvertible {
        let name: String
        let error: IntError
        let operation: @Sendable (inout IntSnapshot) throws -> Void

        init(
            _ name: String, _ error: IntError,
            operation: @escaping @Sendable (inout IntSnapshot) throws -> Void
        ) {
            self.name = name
            self.error = error
            self.operation = operation
        }

        var testDescription: String { name }
    }

    /// On `[[0, 1], [2, 3]]` with the sections 0 and 1. The first nine are in DiffableDataSources' suite as well, which
    /// keeps duplicates and passes over what is unknown.
    static let refusals: [Refusal] = [
        Refusal("append a section that is there", .duplicateSection(0)) { try $0.appendSections([0]) },
        Refusal("append a section twice", .duplicateSection(2)) { try $0.appendSections([2, 2]) },
        Refusal("insert a section that is there", .duplicateSection(1)) {
            try $0.insertSections([5, 1], beforeSection: 0)
        },
        Refusal("insert a section twice", .duplicateSection(2)) { try $0.insertSections([2, 2], afterSection: 1) },
        Refusal("append an item that is there", .duplicateItem(2)) { try $0.appendItems([4, 2]) },
        Refusal("append an item twice", .duplicateItem(4)) { try $0.appendItems([4, 4]) },
        Refusal("insert an item that is there", .duplicateItem(0)) { try $0.insertItems([4, 0], beforeItem: 2) },
        Refusal("delete an unknown item", .unknownItem(5)) { try $0.deleteItems([0, 1, 2, 3, 5]) },
        Refusal("delete an unknown section", .unknownSection(100)) { try $0.deleteSections([0, 100]) },
        Refusal("append to an unknown section", .unknownSection(7)) { try $0.appendItems([4], toSection: 7) },
        Refusal("insert before an unknown section", .unknownSection(7)) {
            try $0.insertSections([4], beforeSection: 7)
        },
        Refusal("insert after an unknown section", .unknownSection(7)) { try $0.insertSections([4], afterSection: 7) },
        Refusal("move an unknown section", .unknownSection(7)) { try $0.moveSection(7, beforeSection: 0) },
        Refusal("move after an unknown section", .unknownSection(7)) { try $0.moveSection(0, afterSection: 7) },
        Refusal("insert before an unknown item", .unknownItem(9)) { try $0.insertItems([4], beforeItem: 9) },
        Refusal("insert after an unknown item", .unknownItem(9)) { try $0.insertItems([4], afterItem: 9) },
        Refusal("move an unknown item", .unknownItem(9)) { try $0.moveItem(9, beforeItem: 0) },
        Refusal("move after an unknown item", .unknownItem(9)) { try $0.moveItem(0, afterItem: 9) },
        Refusal("reload an unknown section", .unknownSection(7)) { try $0.reloadSections([0, 7]) },
        Refusal("reload an unknown item", .unknownItem(9)) { try $0.reloadItems([0, 9]) },
        Refusal("reconfigure an unknown item", .unknownItem(9)) { try $0.reconfigureItems([0, 9]) },
    ]

    @Test(arguments: refusals)
    func aRefusedOperationLeavesTheSnapshotAsItWas(refusal: Refusal) throws {
        var snapshot = try IntSnapshot([[0, 1], [2, 3]])
        let before = snapshot
        #expect(throws: refusal.error) { try refusal.operation(&snapshot) }
        #expect(snapshot == before)
        // What was refused has left no trace in the look-ups either.
        #expect(snapshot.numberOfItems == 4)
        #expect(snapshot.indexOfItem(4) == nil)
        #expect(snapshot.indexOfSection(5) == nil)
        try snapshot.appendSections([2, 4, 5])
        try snapshot.appendItems([4], toSection: 5)
        #expect(try snapshot.rows == [[0, 1], [2, 3], [], [], [4]])
        #expect(snapshot.indexOfItem(4) == 4)
    }

    @Test func itemsNeedASection() {
        var snapshot = IntSnapshot()
        #expect(throws: IntError.noSection) { try snapshot.appendItems([1]) }
        #expect(throws: IntError.unknownSection(3)) { try snapshot.numberOfItems(inSection: 3) }
        #expect(throws: IntError.unknownSection(3)) { try snapshot.itemIdentifiers(inSection: 3) }
    }

    @Test func whatIsNotEqualToItselfIsNoIdentifier() throws {
        var snapshot = Snapshot<Double, Double>()
        #expect(throws: (any Error).self) { try snapshot.appendSections([1, .nan]) }
        #expect(snapshot.numberOfSections == 0)
        try snapshot.appendSections([1])
        #expect(throws: (any Error).self) { try snapshot.appendItems([1, .nan]) }
        #expect(snapshot.numberOfItems == 0)
        #expect(throws: (any Error).self) { try snapshot.deleteItems([.nan]) }
    }

    @Test func whereItMovesRelativeToItselfAnItemStays() throws {
        var snapshot = try IntSnapshot([[0, 1], [2, 3]])
        try snapshot.moveItem(1, beforeItem: 1)
        try snapshot.moveItem(2, afterItem: 2)
        try snapshot.moveSection(0, beforeSection: 0)
        try snapshot.moveSection(1, afterSection: 1)
        #expect(try snapshot.rows == [[0, 1], [2, 3]])
    }

    @Test func namedTwiceItIsDeletedOnce() throws {
        var snapshot = try IntSnapshot([[0, 1], [2, 3]])
        try snapshot.deleteItems([1, 1])
        try snapshot.deleteSections([1, 1])
        #expect(try snapshot.rows == [[0]])
    }

    @Test func pathsOutsideHaveNoItem() throws {
        let snapshot = try IntSnapshot([[0, 1], []])
        #expect(snapshot.itemIdentifier(at: IndexPath(section: 0, item: 1)) == 1)
        for path in [(0, 2), (0, -1), (1, 0), (2, 0), (-1, 0), (Int.max, Int.min)] {
            #expect(snapshot.itemIdentifier(at: IndexPath(section: path.0, item: path.1)) == nil)
        }
        #expect(snapshot.sectionIdentifier(at: -1) == nil)
        #expect(snapshot.sectionIdentifier(at: 2) == nil)
        #expect(snapshot.itemCount(inSection: 9) == 0)
    }

    @Test(
        arguments: [
            (.duplicateSection(7), "The section 7 would stand in the snapshot twice."),
            (.duplicateItem(7), "The item 7 would stand in the snapshot twice."),
            (.unknownSection(7), "The snapshot has no section 7. Append it first"),
            (.unknownItem(7), "The snapshot has no item 7. Append it first"),
            (.noSection, "Append a section first."),
            (.differenceOfAnotherSnapshot, "Make it anew"),
        ] as [(IntError, String)])
    func anErrorSaysWhatToDo(error: IntError, words: String) {
        #expect(error.description.contains(words))
    }
}
