import CollectionLayout
import CollectionView
import LayoutTestSupport
import Synchronization
import TestSupport
import Testing

/// Random operations on a snapshot, compared with the same operations on plain lists.
@Suite struct SnapshotModelTests {
    @Test func randomOperationsMatchPlainLists() throws {
        let seed = SeededGenerator.anySeed()
        var random = SeededGenerator(seed: seed)
        for number in 0..<TestScope.cases(10_000) {
            var snapshot = IntSnapshot()
            var lists = SnapshotListModel()
            for step in 0..<Int.random(in: 1...12, using: &random) {
                let operation = SnapshotOperation.random(using: &random)
                let before = snapshot
                var isRefused = false
                do throws(IntError) { try operation.perform(on: &snapshot) } catch { isRefused = true }
                let isAllowed = lists.perform(operation)
                let isRight = isAllowed != isRefused && (isAllowed || snapshot == before)
                guard isRight, try lists.agrees(with: snapshot) else {
                    Issue.record("seed \(seed), case \(number), step \(step): \(operation) on \(lists)")
                    return
                }
            }
        }
    }
}

enum SnapshotOperation {
    case appendSections([Int])
    case deleteSections([Int])
    case appendItems([Int], section: Int?)
    case insertItems([Int], anchor: Int, isAfter: Bool)
    case deleteItems([Int])
    case moveItem(Int, anchor: Int, isAfter: Bool)
    case deleteAll

    static func random(using random: inout SeededGenerator) -> SnapshotOperation {
        var section: Int { Int.random(in: 0..<6, using: &random) }
        var item: Int { Int.random(in: 0..<12, using: &random) }
        var sections: [Int] { (0..<Int.random(in: 0...3, using: &random)).map { _ in section } }
        var items: [Int] { (0..<Int.random(in: 0...3, using: &random)).map { _ in item } }
        let isAfter = Bool.random(using: &random)
        switch Int.random(in: 4..<25, using: &random) {
        case 4..<9: return .appendSections(sections)
        case 9..<11: return .deleteSections(sections)
        case 11..<16: return .appendItems(items, section: isAfter ? section : nil)
        case 16..<19: return .insertItems(items, anchor: item, isAfter: isAfter)
        case 19..<21: return .deleteItems(items)
        case 21..<24: return .moveItem(item, anchor: item, isAfter: isAfter)
        default: return isAfter ? .deleteAll : .appendItems([item], section: nil)
        }
    }

    func perform(on snapshot: inout IntSnapshot) throws(IntError) {
        switch self {
        case .appendSections(let new): try snapshot.appendSections(new)
        case .deleteSections(let old): try snapshot.deleteSections(old)
        case .appendItems(let new, let section): try snapshot.appendItems(new, toSection: section)
        case .insertItems(let new, let anchor, false): try snapshot.insertItems(new, beforeItem: anchor)
        case .insertItems(let new, let anchor, true): try snapshot.insertItems(new, afterItem: anchor)
        case .deleteItems(let old): try snapshot.deleteItems(old)
        case .moveItem(let item, let anchor, false): try snapshot.moveItem(item, beforeItem: anchor)
        case .moveItem(let item, let anchor, true): try snapshot.moveItem(item, afterItem: anchor)
        case .deleteAll: snapshot.deleteAllItems()
        }
    }
}

/// Sections and their items as a list of lists, searched linearly each time.
struct SnapshotListModel {
    var rows: [(section: Int, items: [Int])] = []

    private var items: [Int] { rows.flatMap(\.items) }

    /// Performs an operation and returns whether it is valid; an invalid one does nothing.
    mutating func perform(_ operation: SnapshotOperation) -> Bool {
        switch operation {
        case .appendSections(let new):
            guard Set(new).count == new.count, new.allSatisfy({ index(of: $0) == nil }) else { return false }
            rows += new.map { ($0, []) }
        case .deleteSections(let old):
            guard old.allSatisfy({ index(of: $0) != nil }) else { return false }
            rows.removeAll { old.contains($0.section) }
        case .appendItems(let new, let section):
            guard let index = section.map(index(of:)) ?? rows.indices.last else { return false }
            return insertItems(new, section: index, at: rows[index].items.count)
        case .insertItems(let new, let anchor, let isAfter):
            guard let path = path(of: anchor) else { return false }
            return insertItems(new, section: path.section, at: path.item + (isAfter ? 1 : 0))
        case .deleteItems(let old):
            guard old.allSatisfy({ items.contains($0) }) else { return false }
            for index in rows.indices { rows[index].items.removeAll(where: old.contains) }
        case .moveItem(let item, let anchor, let isAfter):
            guard let source = path(of: item), path(of: anchor) != nil else { return false }
            guard item != anchor else { return true }
            rows[source.section].items.remove(at: source.item)
            guard let target = path(of: anchor) else { return false }
            rows[target.section].items.insert(item, at: target.item + (isAfter ? 1 : 0))
        case .deleteAll: rows = []
        }
        return true
    }

    func agrees(with snapshot: IntSnapshot) throws -> Bool {
        let all = items
        return try snapshot.sectionIdentifiers == rows.map(\.section) && snapshot.rows == rows.map(\.items)
            && snapshot.numberOfSections == rows.count && snapshot.numberOfItems == all.count
            && snapshot.itemIdentifiers == all
            && (0..<6).allSatisfy { snapshot.indexOfSection($0) == index(of: $0) }
            && (0..<12).allSatisfy {
                snapshot.indexPath(of: $0) == path(of: $0)
            }
    }

    private mutating func insertItems(_ new: [Int], section: Int, at index: Int) -> Bool {
        guard Set(new).count == new.count, Set(new).isDisjoint(with: items) else { return false }
        rows[section].items.insert(contentsOf: new, at: index)
        return true
    }

    private func index(of section: Int) -> Int? { rows.firstIndex { $0.section == section } }

    private func path(of item: Int) -> IndexPath? {
        for (section, row) in rows.enumerated() {
            if let index = row.items.firstIndex(of: item) { return IndexPath(section: section, item: index) }
        }
        return nil
    }
}

/// Counts lookups by identity, so that the speed of the machine doesn't matter.
@Suite(.serialized) struct SnapshotCostTests {
    /// An identifier that counts how often it is hashed.
    struct Counted: Hashable, Sendable {
        static let hashes = Atomic<Int>(0)
        let value: Int

        func hash(into hasher: inout Hasher) {
            Self.hashes.add(1, ordering: .relaxed)
            hasher.combine(value)
        }
    }

    @Test func differenceLooksUpEachNewItemOnce() throws {
        for count in [25_000, 50_000, 100_000] {
            let items = (0..<count).map(Counted.init(value:))
            let old = try Snapshot([Array(items.dropLast(count / 10))])
            // A tenth is deleted, a tenth is inserted, and the order changes.
            let new = try Snapshot([Array(items.dropFirst(count / 10).reversed())])
            let before = Counted.hashes.load(ordering: .relaxed)
            let changes = old.updates(to: new)
            let hashes = Counted.hashes.load(ordering: .relaxed) - before
            expectEqual(hashes, new.numberOfItems)
            expectEqual(changes.deletedItems.count, count / 10)
            expectEqual(changes.insertedItems.count, count / 10)
            expectEqual(changes.itemMoves.count, count * 8 / 10 - 1)
        }
    }

    @Test func appendingItemByItemIsLinear() throws {
        for count in [10_000, 20_000] {
            let before = Counted.hashes.load(ordering: .relaxed)
            var snapshot = Snapshot<Int, Counted>()
            for section in 0..<(count / 10) {
                try snapshot.appendSections([section])
                for item in 0..<10 { try snapshot.appendItems([Counted(value: section * 10 + item)]) }
            }
            expectEqual(snapshot.numberOfItems, count)
            // Once to check that it is new and once to store its position; a growing table hashes existing identifiers
            // at most twice more.
            #expect(Counted.hashes.load(ordering: .relaxed) - before <= 4 * count)
        }
    }

    @Test func deletingManyItemsAtOnceIsLinear() throws {
        let items = (0..<20_000).map(Counted.init(value:))
        var snapshot = try Snapshot([items])
        let before = Counted.hashes.load(ordering: .relaxed)
        try snapshot.deleteItems(items.filter { $0.value.isMultiple(of: 2) })
        expectEqual(snapshot.numberOfItems, 10_000)
        #expect(Counted.hashes.load(ordering: .relaxed) - before <= 6 * items.count)
    }
}

@Suite struct SnapshotMarkTests {
    @Test func reloadingTakesPrecedenceOverReconfiguring() throws {
        var snapshot = try IntSnapshot([[0, 1, 2]])
        try snapshot.reconfigureItems([0, 1])
        try snapshot.reloadItems([1])
        try snapshot.reconfigureItems([1, 2])
        expectEqual(snapshot.reloadedItemIdentifiers, [1])
        expectEqual(snapshot.reconfiguredItemIdentifiers, [0, 2])
    }

    @Test func marksMoveAndDisappearWithTheirItems() throws {
        var snapshot = try IntSnapshot([[0, 1], [2, 3]])
        try snapshot.reloadItems([0, 3])
        try snapshot.reconfigureItems([1, 2])
        try snapshot.moveItem(0, afterItem: 3)
        expectEqual(snapshot.reloadedItemIdentifiers, [3, 0])
        try snapshot.deleteItems([3, 1])
        expectEqual(snapshot.reloadedItemIdentifiers, [0])
        expectEqual(snapshot.reconfiguredItemIdentifiers, [2])
        try snapshot.deleteSections([1])
        expectEqual(snapshot.reloadedItemIdentifiers, [])
        expectEqual(snapshot.reconfiguredItemIdentifiers, [])
    }
}
