import CollectionLayout
import CollectionView
import LayoutTestSupport
import TestSupport
import Testing

@Suite struct SnapshotDifferenceTests {
    @Test func movesFollowItemsAndSections() throws {
        // An item changes its section.
        // Expected by hand: item 1 moves from section 0 to 1, 3 is deleted, 9 is inserted.
        do {
            let changes = try IntSnapshot([[0, 1], [2, 3]]).updates(to: IntSnapshot([[0, 9], [1, 2]]))
            expectEqual(
                changes,
                BatchUpdates(
                    deletedItems: [IndexPath(section: 1, item: 1)], insertedItems: [IndexPath(section: 0, item: 1)],
                    movedItems: [PlaceChange((0, 1), (1, 0))]))
        }
        // Items survive the deletion of their section.
        // Expected by hand: the sections are new, the items are the same.
        do {
            let changes = try IntSnapshot(sections: [(0, [7, 8]), (1, [5])])
                .updates(to: IntSnapshot(sections: [(1, [5]), (2, [8, 4])]))
            expectEqual(
                changes,
                BatchUpdates(
                    deletedSections: [0], insertedSections: [1], movedItems: [PlaceChange((0, 1), (1, 0))]))
        }
        // A moved section takes its items along.
        do {
            let changes = try IntSnapshot(sections: [(0, [7, 8]), (1, [5, 6]), (2, [9])])
                .updates(to: IntSnapshot(sections: [(2, [9]), (0, [7, 8]), (1, [6])]))
            expectEqual(
                changes,
                BatchUpdates(
                    movedSections: [PlaceChange(from: 2, to: 0)], deletedItems: [IndexPath(section: 1, item: 0)]))
        }
    }

    /// The updates of ra1028/DifferenceKit (Apache-2.0), Tests/AlgorithmTest.swift: item 0 of three, and the item of
    /// section 2, which moves from 2 to 3 while others are inserted, deleted and moved; and of Instagram/IGListKit (MIT),
    /// Tests/IGListDiffTests.m: item 2, which moves from 2 to 0. Both suites detect the update by the content; a
    /// snapshot has a mark for it.
    @Test func reloadsHaveOldPositions() throws {
        var items = try IntSnapshot([[], [0, 1, 2]])
        let old = items
        try items.reloadItems([0])
        expectEqual(old.updates(to: items), BatchUpdates(reloadedItems: [path(1, 0)]))

        var sections = try IntSnapshot(sections: [(3, [3]), (4, [4]), (0, [0]), (2, [2])])
        try sections.reloadItems([2])
        try expectEqual(
            IntSnapshot(sections: [(0, [0]), (1, [1]), (2, [2]), (3, [3])]).updates(to: sections),
            BatchUpdates(
                deletedSections: [1], insertedSections: [1], movedSections: [PlaceChange(from: 3, to: 0)],
                reloadedItems: [path(2, 0)]))

        var turned = try IntSnapshot([[2, 1, 0]])
        try turned.reloadItems([2])
        let changes = try IntSnapshot([[0, 1, 2]]).updates(to: turned)
        expectEqual(changes.reloadedItems, [path(0, 2)])
        expectEqual(changes.itemMoves.count, 2)
    }

    @Test func reconfiguringKeepsStructure() throws {
        let old = try IntSnapshot([[0, 1, 2]])
        var new = old
        try new.reconfigureItems([2, 0])
        expectEqual(old.updates(to: new), BatchUpdates(reconfiguredItems: [path(0, 0), path(0, 2)]))
    }

    @Test func insertedItemsNeedNoReload() throws {
        var new = try IntSnapshot([[0, 1], [2]])
        try new.reloadItems([1])
        try new.reconfigureItems([2])
        try expectEqual(
            IntSnapshot([[0]]).updates(to: new), BatchUpdates(insertedSections: [1], insertedItems: [path(0, 1)]))
    }

    /// From ra1028/DifferenceKit (Apache-2.0), Tests/AlgorithmTest.swift, `testComplicated` 2, 6, 8, 9 and 10, which
    /// check that the difference leads to the target. 1, 3, 4, 5, 7 and 11 contain duplicates, which a snapshot
    /// rejects.
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
    func complicatedDifferencesLeadToTarget(source: [(Int, [Int])], target: [(Int, [Int])]) throws {
        let old = try IntSnapshot(sections: source)
        let new = try IntSnapshot(sections: target)
        try expectEqual(BatchUpdateOracle.apply(old.updates(to: new), from: old, to: new), target.map(\.1))
    }
}

extension BatchUpdates {
    /// Creates updates from lists of changes.
    fileprivate init(
        deletedSections: [Int] = [], insertedSections: [Int] = [], movedSections: [PlaceChange<Int>] = [],
        deletedItems: [IndexPath] = [], insertedItems: [IndexPath] = [],
        movedItems: [PlaceChange<IndexPath>] = [], reloadedItems: [IndexPath] = [], reconfiguredItems: [IndexPath] = []
    ) {
        self.init()
        deleteSections(deletedSections)
        insertSections(insertedSections)
        for move in movedSections { moveSection(move.from, to: move.to) }
        deleteItems(at: deletedItems)
        insertItems(at: insertedItems)
        for move in movedItems { moveItem(at: move.from, to: move.to) }
        reloadItems(at: reloadedItems)
        reconfigureItems(at: reconfiguredItems)
    }
}

/// One section before and after, and the expected changes.
struct DifferenceCase: Sendable, CustomTestStringConvertible {
    let old: [Int]
    let new: [Int]
    var deleted: [Int] = []
    var inserted: [Int] = []
    /// In the order of the new positions.
    var moved: [(Int, Int)] = []

    init(
        _ old: [Int], _ new: [Int], deleted: [Int] = [], inserted: [Int] = [], moved: [(Int, Int)] = []
    ) {
        self.old = old
        self.new = new
        self.deleted = deleted
        self.inserted = inserted
        self.moved = moved
    }

    var testDescription: String { "\(old) → \(new)" }
}

@Suite struct SnapshotDifferenceTableTests {
    /// From ra1028/DifferenceKit (Apache-2.0), Tests/AlgorithmTest.swift.
    ///
    /// The suite's mixed change has three stages. Here it is one update, so that the source of the move is a position
    /// before the deletion. `[0, 1, 2] → [1, 2, 0]` is one move here and two in the suite, whose method doesn't
    /// minimize moves. Sections and items with duplicates are omitted, because a snapshot rejects them.
    static let differenceKit = [
        DifferenceCase([], []),
        DifferenceCase([0, 1, 2], [0, 2], deleted: [1]),
        DifferenceCase([0, 1, 2], [], deleted: [0, 1, 2]),
        DifferenceCase([0, 1, 2], [0, 1, 2, 3], inserted: [3]),
        DifferenceCase([], [0, 1, 2], inserted: [0, 1, 2]),
        DifferenceCase([0, 1, 2], [1, 2, 0], moved: [(0, 2)]),
        DifferenceCase([0, 1, 2], [2, 0, 1], moved: [(2, 0)]),
        DifferenceCase([0, 1, 2, 3], [3, 2, 1, 0], moved: [(3, 0), (2, 1), (1, 2)]),
        DifferenceCase([0, 1, 2], [2, 4, 0, 3], deleted: [1], inserted: [1, 3], moved: [(2, 0)]),
    ]

    /// From Instagram/IGListKit (MIT), Tests/IGListDiffTests.m and IGListDiffSwiftTests.swift.
    ///
    /// The suite's plain method makes two moves of the swap (0 to 1, 1 to 0), two of the fourth case (2 to 3, 3 to 1),
    /// and moves 3 to 1 and 1 to 3 in the sixth; the minimum is one, one and two. In the fifth, it moves 5 and 7, and
    /// here 7 and 6, which is the same number. Cases with duplicates are omitted, because a snapshot rejects them.
    static let listKit = [
        DifferenceCase([], [1], inserted: [0]),
        DifferenceCase([1], [], deleted: [0]),
        DifferenceCase([1, 2], [2, 1], moved: [(1, 0)]),
        DifferenceCase([1, 2, 3, 4], [2, 4, 5, 3], deleted: [0], inserted: [2], moved: [(3, 1)]),
        DifferenceCase(
            [0, 1, 2, 3, 4, 5, 6, 7, 8], [0, 2, 3, 4, 7, 6, 9, 5, 10], deleted: [1, 8], inserted: [6, 8],
            moved: [(7, 4), (6, 5)]),
        DifferenceCase([1, 2, 3, 4, 5, 6, 7], [1, 4, 5, 2, 3, 6, 7], moved: [(3, 1), (4, 2)]),
        DifferenceCase([0, 1, 2], [0, 2, 4], deleted: [1], inserted: [2]),
    ]

    /// From Instagram/IGListKit (MIT), Tests/IGListDiffExperimentOptimizedMovesTests.m: all cases with numbers.
    static let listKitFewestMoves = [
        DifferenceCase([0, 1, 2, 3, 4, 5], [5, 4, 0, 1, 2, 3], moved: [(5, 0), (4, 1)]),
        DifferenceCase([0, 1, 2, 3, 4, 5], [100, 5, 0, 1, 2, 3, 4], inserted: [0], moved: [(5, 1)]),
        DifferenceCase([0, 1, 2, 3, 4, 5], [5, 100, 0, 1, 2, 3, 4], inserted: [1], moved: [(5, 0)]),
        DifferenceCase([0, 1, 2, 3, 4, 5], [1, 4, 5, 2, 3], deleted: [0], moved: [(4, 1), (5, 2)]),
        DifferenceCase([0, 1, 2, 3, 4, 5], [5, 0, 2, 3, 4], deleted: [1], moved: [(5, 0)]),
        DifferenceCase([0, 1, 2, 3, 4, 5], [2, 3, 4, 5, 1, 0], moved: [(1, 4), (0, 5)]),
        DifferenceCase([0, 1, 2, 3, 4, 5], [1, 2, 0, 5, 3, 4], moved: [(0, 2), (5, 3)]),
        DifferenceCase([1, 2], [2, 1], moved: [(1, 0)]),
    ]

    @Test(arguments: differenceKit + listKit + listKitFewestMoves)
    func changesOfItemsAreMinimal(_ sample: DifferenceCase) throws {
        let changes = try IntSnapshot([[], sample.old]).updates(to: IntSnapshot([[], sample.new]))
        let expected = BatchUpdates(
            deletedItems: sample.deleted.map { IndexPath(section: 1, item: $0) },
            insertedItems: sample.inserted.map { IndexPath(section: 1, item: $0) },
            movedItems: sample.moved.map { PlaceChange((1, $0.0), (1, $0.1)) })
        expectEqual(changes, expected)
    }

    /// The sections of DifferenceKit's suite among them: 0, 1, 2 to 1, 2, 0 and to 2, 0, 1, and the mixed change.
    @Test(arguments: differenceKit + listKit + listKitFewestMoves)
    func changesOfSectionsAreMinimal(_ sample: DifferenceCase) throws {
        // Item 1000 + n always stays in section n.
        let old = try IntSnapshot(sections: sample.old.map { ($0, [1000 + $0]) })
        let new = try IntSnapshot(sections: sample.new.map { ($0, [1000 + $0]) })
        let expected = BatchUpdates(
            deletedSections: sample.deleted, insertedSections: sample.inserted,
            movedSections: sample.moved.map { PlaceChange(from: $0.0, to: $0.1) })
        expectEqual(old.updates(to: new), expected)
    }

    /// From Instagram/IGListKit (MIT), Tests/IGListDiffTests.m, old and new indexes; `nil` if the item doesn't exist.
    @Test(
        arguments: [
            (1, 0, 3), (2, 1, 0), (3, 2, 2), (4, 3, nil), (5, 4, 4), (6, 5, 5), (7, 6, nil), (8, nil, 6), (9, nil, 1),
        ] as [(Int, Int?, Int?)])
    func itemHasOldAndNewIndex(item: Int, old: Int?, new: Int?) throws {
        let before = try IntSnapshot([[1, 2, 3, 4, 5, 6, 7]])
        let after = try IntSnapshot([[2, 9, 3, 1, 5, 6, 8]])
        expectEqual(before.indexPath(of: item), old.map { IndexPath(section: 0, item: $0) })
        expectEqual(after.indexPath(of: item), new.map { IndexPath(section: 0, item: $0) })
        let shifted = try IntSnapshot([[], [2, 9, 3, 1, 5, 6, 8]])
        expectEqual(shifted.indexPath(of: item), new.map { IndexPath(section: 1, item: $0) })
    }

    /// P. Heckel's example (Communications of the ACM 21, 1978), with the numbers of Instagram/IGListKit (MIT),
    /// Tests/IGListDiffTests.m. The second occurrence of the repeated word gets its own identity.
    @Test func exampleOfThePaperHasExpectedChanges() throws {
        let old = """
            much writing is like snow , a mass of long words and phrases falls upon the relevant facts covering up \
            the2 details .
            """
        let new = "a mass of latin words falls upon the relevant facts like soft snow , covering up the2 details ."
        let changes = try Snapshot([old.split(separator: " ")]).updates(to: Snapshot([new.split(separator: " ")]))
        expectEqual(changes.deletedItems.map(\.item), [0, 1, 2, 9, 11, 12])
        expectEqual(changes.insertedItems.map(\.item), [3, 11])
    }

    /// From ra1028/DifferenceKit (Apache-2.0), Tests/AlgorithmTest.swift, `testSameHashValue`.
    @Test func itemsWithEqualHashesStayDistinct() throws {
        struct Colliding: Hashable {
            let value: Int
            func hash(into hasher: inout Hasher) { hasher.combine(0) }
        }
        let changes = try Snapshot([[Colliding(value: 0), Colliding(value: 1)]])
            .updates(to: Snapshot([[Colliding(value: 0), Colliding(value: 2)]]))
        expectEqual(
            changes,
            BatchUpdates(
                deletedItems: [IndexPath(section: 0, item: 1)], insertedItems: [IndexPath(section: 0, item: 1)]))
    }
}

@Suite struct SnapshotDifferencePropertyTests {
    @Test func applyingDifferenceYieldsNewSnapshot() throws {
        try Self.eachPair { old, new in
            let changes = old.updates(to: new)
            let rows = try BatchUpdateOracle.apply(changes, from: old, to: new)
            let isRight = try rows == new.rows
            let isIdentityKept =
                changes.deletedItems.allSatisfy { old.itemIdentifier(at: $0).flatMap(new.indexPath(of:)) == nil }
                && changes.insertedItems.allSatisfy { new.itemIdentifier(at: $0).flatMap(old.indexPath(of:)) == nil }
                && changes.itemMoves.allSatisfy { old.itemIdentifier(at: $0.from) == new.itemIdentifier(at: $0.to) }
                && changes.reloadedItems.allSatisfy { path in
                    old.itemIdentifier(at: path).map(new.reloadedItemIdentifiers.contains) ?? false
                }
            return isRight && isIdentityKept && Self.areCountsRight(changes, old, new)
        }
    }

    @Test func numberOfMovesIsMinimal() throws {
        try Self.eachPair { old, new in
            let changes = old.updates(to: new)
            let sections = Self.fewestMoves(new.sectionIdentifiers.compactMap(old.indexOfSection))
            var items = 0
            for section in new.sectionIdentifiers {
                let places = try new.itemIdentifiers(inSection: section).filter { old.indexPath(of: $0) != nil }
                let same = places.filter { old.sectionIdentifier(containingItem: $0) == section }
                items += places.count - same.count + Self.fewestMoves(same.compactMap { old.indexPath(of: $0)?.item })
            }
            return changes.sectionMoves.count == sections && changes.itemMoves.count == items
        }
    }

    @Test func viewFollowsItemsByIdentity() throws {
        try Self.eachPair { old, new in
            let changes = old.updates(to: new)
            let map = try UpdateMap(changes, from: old, to: new)
            return old.itemIdentifiers.allSatisfy { item in
                old.indexPath(of: item).flatMap(map.newIndexPath) == new.indexPath(of: item)
            }
        }
    }

    /// Tests a property with pairs of snapshots, ten thousand for a release; stops at the first failure and reports it.
    static func eachPair(_ holds: (_ old: IntSnapshot, _ new: IntSnapshot) throws -> Bool) throws {
        let seed = SeededGenerator.anySeed()
        var random = SeededGenerator(seed: seed)
        for number in 0..<TestScope.cases(10_000) {
            let old = try snapshot(using: &random)
            let new = try snapshot(using: &random)
            guard try holds(old, new) else {
                try Issue.record(report(seed, number, old, new))
                return
            }
        }
    }

    /// Returns a message with the data that reproduces a case.
    static func report(_ seed: UInt64, _ number: Int, _ old: IntSnapshot, _ new: IntSnapshot) throws -> Comment {
        let words = try [old, new].map { "\($0.sectionIdentifiers) \(try $0.rows)" }
        return "seed \(seed), case \(number): \(words[0]) → \(words[1])"
    }

    /// Returns up to 5 sections of 7, and up to 7 items of 9, in any order; some are marked.
    static func snapshot(using random: inout SeededGenerator) throws -> IntSnapshot {
        let sections = Array(0..<7).shuffled(using: &random).prefix(Int.random(in: 0...5, using: &random))
        let items = Array(0..<9).shuffled(using: &random).prefix(Int.random(in: 0...7, using: &random))
        var snapshot = IntSnapshot()
        try snapshot.appendSections(Array(sections))
        // Often all in one section, so that long subsequences occur.
        let favorite = sections.randomElement(using: &random)
        for item in items {
            guard let other = sections.randomElement(using: &random), let favorite else { break }
            try snapshot.appendItems([item], toSection: Bool.random(using: &random) ? favorite : other)
            if Int.random(in: 0..<4, using: &random) == 0 { try snapshot.reloadItems([item]) }
            if Int.random(in: 0..<4, using: &random) == 0 { try snapshot.reconfigureItems([item]) }
        }
        return snapshot
    }

    /// Returns the number of elements outside the longest increasing subsequence, by brute force.
    static func fewestMoves(_ numbers: [Int]) -> Int {
        var longest = 0
        for mask in 0..<(1 << numbers.count) where mask.nonzeroBitCount > longest {
            var last = -1
            var isGrowing = true
            for (index, number) in numbers.enumerated() where mask & (1 << index) != 0 {
                isGrowing = isGrowing && number > last
                last = number
            }
            if isGrowing { longest = mask.nonzeroBitCount }
        }
        return numbers.count - longest
    }

    /// Returns whether items before + inserted and moved in − deleted and moved out = items after, for each section
    /// that stays.
    static func areCountsRight(_ changes: BatchUpdates, _ old: IntSnapshot, _ new: IntSnapshot) -> Bool {
        new.sectionIdentifiers.enumerated().allSatisfy { section, identifier in
            guard let origin = old.indexOfSection(identifier) else { return changes.insertedSections.contains(section) }
            let added = (changes.insertedItems + changes.itemMoves.map(\.to)).count { $0.section == section }
            let removed = (changes.deletedItems + changes.itemMoves.map(\.from)).count { $0.section == origin }
            return old.itemCount(inSection: origin) + added - removed == new.itemCount(inSection: section)
        }
    }
}

/// Applies batch updates as UIKit documents them: first removes everything from the end, by positions in the old data;
/// then inserts everything from the start, by positions in the new data.
enum BatchUpdateOracle {
    /// Returns the resulting items of all sections. Inserted ones are looked up in the new snapshot, all others in the
    /// old one.
    static func apply(_ changes: BatchUpdates, from old: IntSnapshot, to new: IntSnapshot) throws -> [[Int]] {
        let before = try old.rows
        let after = try new.rows
        var rows = before
        for path in (changes.deletedItems + changes.itemMoves.map(\.from)).sorted(by: >) {
            rows[path.section].remove(at: path.item)
        }
        for section in (changes.deletedSections + changes.sectionMoves.map(\.from)).sorted(by: >) {
            rows.remove(at: section)
        }
        // Moved items are removed from each of them, as from sections that stay.
        var sections = changes.insertedSections.map { ($0, [Int]()) }
        for move in changes.sectionMoves {
            let removed = Set(
                (changes.deletedItems + changes.itemMoves.map(\.from)).filter { $0.section == move.from })
            let left = before[move.from].enumerated().filter {
                !removed.contains(IndexPath(section: move.from, item: $0.offset))
            }
            sections.append((move.to, left.map(\.element)))
        }
        for (index, row) in sections.sorted(by: { $0.0 < $1.0 }) { rows.insert(row, at: index) }

        var insertions = changes.itemMoves.map { ($0.to, before[$0.from.section][$0.from.item]) }
        insertions += changes.insertedItems.map { ($0, after[$0.section][$0.item]) }
        let targets = Set(changes.itemMoves.map(\.to))
        for section in changes.insertedSections {
            for (item, identifier) in after[section].enumerated() {
                let path = IndexPath(section: section, item: item)
                if !targets.contains(path) { insertions.append((path, identifier)) }
            }
        }
        for (path, identifier) in insertions.sorted(by: { $0.0 < $1.0 }) {
            rows[path.section].insert(identifier, at: path.item)
        }
        return rows
    }
}
