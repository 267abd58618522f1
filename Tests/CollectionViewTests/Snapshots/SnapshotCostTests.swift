import CollectionLayout
import CollectionView
import Synchronization
import Testing

/// Counted in look-ups by identity, so that a slow machine changes nothing.
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

    @Test func theDifferenceLooksEachNewItemUpOnce() throws {
        for count in [25_000, 50_000, 100_000] {
            let items = (0..<count).map(Counted.init(value:))
            let old = try Snapshot([Array(items.dropLast(count / 10))])
            // A tenth goes, a tenth comes, and the order is another.
            let new = try Snapshot([Array(items.dropFirst(count / 10).reversed())])
            let before = Counted.hashes.load(ordering: .relaxed)
            let changes = SnapshotDifference(from: old, to: new).changes
            let hashes = Counted.hashes.load(ordering: .relaxed) - before
            #expect(hashes == new.numberOfItems)
            #expect(changes.deletedItems.count == count / 10)
            #expect(changes.insertedItems.count == count / 10)
            #expect(changes.movedItems.count == count * 8 / 10 - 1)
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
            #expect(snapshot.numberOfItems == count)
            // Once to see that it is new, once to note its place; a growing table hashes what it has at most twice more.
            #expect(Counted.hashes.load(ordering: .relaxed) - before <= 4 * count)
        }
    }

    @Test func deletingManyItemsAtOnceIsLinear() throws {
        let items = (0..<20_000).map(Counted.init(value:))
        var snapshot = try Snapshot([items])
        let before = Counted.hashes.load(ordering: .relaxed)
        try snapshot.deleteItems(items.filter { $0.value.isMultiple(of: 2) })
        #expect(snapshot.numberOfItems == 10_000)
        #expect(Counted.hashes.load(ordering: .relaxed) - before <= 6 * items.count)
    }
}
