import LayoutTestSupport
import TestSupport
import Testing

@testable import CollectionLayout

@Suite struct BatchUpdateErrorTests {
    typealias Record = @Sendable (inout BatchUpdates) -> Void

    struct InvalidUpdate: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let old: ItemCounts
        let new: ItemCounts
        let error: BatchUpdateError
        let record: Record

        init(
            _ name: String, _ old: ItemCounts, _ new: ItemCounts, _ error: BatchUpdateError, _ record: @escaping Record
        ) {
            testDescription = name
            (self.old, self.new, self.error, self.record) = (old, new, error, record)
        }
    }

    static let invalidUpdates: [InvalidUpdate] = [
        InvalidUpdate("too few insertions", [3], [5], .itemCount(count(0, 3, inserted: 1, after: 5))) {
            $0.insertItems(at: [path(0, 0)])
        },
        InvalidUpdate("nothing recorded", [1, 2], [1, 3], .itemCount(count(1, 2, after: 3))) { _ in },
        InvalidUpdate(
            "moves change counts", [2, 2], [1, 2],
            .itemCount(count(0, 2, deleted: 1, movedOut: 1, after: 1))
        ) {
            $0.moveItem(at: path(0, 0), to: path(1, 0))
            $0.deleteItems(at: [path(0, 1)])
        },
        InvalidUpdate("a section that moved", [1, 4], [5, 1], .itemCount(count(1, to: 0, 4, after: 5))) {
            $0.moveSection(1, to: 0)
        },
        InvalidUpdate("sections", [1, 1], [1], .sectionCount(before: 2, inserted: 0, deleted: 0, after: 1)) { _ in },
        InvalidUpdate("an unknown old item", [2], [1], .unknownItem(path(0, 2), .delete, count: 2)) {
            $0.deleteItems(at: [path(0, 2)])
        },
        InvalidUpdate("a negative item", [2], [2], .unknownItem(path(0, -1), .reload, count: 2)) {
            $0.reloadItems(at: [path(0, -1)])
        },
        InvalidUpdate("an item in an unknown section", [2], [2], .unknownItem(path(7, 0), .reconfigure, count: 0)) {
            $0.reconfigureItems(at: [path(7, 0)])
        },
        InvalidUpdate("an unknown new position", [2], [3], .unknownItem(path(0, 3), .insert, count: 3)) {
            $0.insertItems(at: [path(0, 3)])
        },
        InvalidUpdate("an unknown target", [2], [2], .unknownItem(path(0, 2), .moveHere, count: 2)) {
            $0.moveItem(at: path(0, 0), to: path(0, 2))
        },
        InvalidUpdate("minimum and maximum integers", [2], [2], .unknownItem(path(.max, .min), .moveAway, count: 0)) {
            $0.moveItem(at: path(.max, .min), to: path(0, 0))
        },
        InvalidUpdate("an unknown old section", [2], [2], .unknownSection(1, .delete, count: 1)) {
            $0.deleteSections([1])
        },
        InvalidUpdate("an unknown new section", [2], [2, 2], .unknownSection(-1, .insert, count: 2)) {
            $0.insertSections([-1])
        },
        InvalidUpdate("deleted twice", [3], [1], .itemTwice(path(0, 1), .delete, .delete)) {
            $0.deleteItems(at: [path(0, 1), path(0, 1)])
        },
        InvalidUpdate("deleted and reloaded", [3], [2], .itemTwice(path(0, 1), .delete, .reload)) {
            $0.reloadItems(at: [path(0, 1)])
            $0.deleteItems(at: [path(0, 1)])
        },
        InvalidUpdate("deleted and reconfigured", [3], [2], .itemTwice(path(0, 1), .delete, .reconfigure)) {
            $0.reconfigureItems(at: [path(0, 1)])
            $0.deleteItems(at: [path(0, 1)])
        },
        InvalidUpdate("deleted and moved", [3], [2], .itemTwice(path(0, 1), .delete, .moveAway)) {
            $0.moveItem(at: path(0, 1), to: path(0, 0))
            $0.deleteItems(at: [path(0, 1)])
        },
        InvalidUpdate("moved from twice", [3], [3], .itemTwice(path(0, 1), .moveAway, .moveAway)) {
            $0.moveItem(at: path(0, 1), to: path(0, 0))
            $0.moveItem(at: path(0, 1), to: path(0, 2))
        },
        InvalidUpdate("moved to twice", [3], [3], .itemTwice(path(0, 0), .moveHere, .moveHere)) {
            $0.moveItem(at: path(0, 1), to: path(0, 0))
            $0.moveItem(at: path(0, 2), to: path(0, 0))
        },
        InvalidUpdate("moved to an inserted item", [3], [4], .itemTwice(path(0, 0), .insert, .moveHere)) {
            $0.moveItem(at: path(0, 1), to: path(0, 0))
            $0.insertItems(at: [path(0, 0)])
        },
        InvalidUpdate("inserted twice", [3], [5], .itemTwice(path(0, 4), .insert, .insert)) {
            $0.insertItems(at: [path(0, 4), path(0, 4)])
        },
        InvalidUpdate("a section deleted twice", [1, 1], [1], .sectionTwice(1, .delete, .delete)) {
            $0.deleteSections([1, 1])
        },
        InvalidUpdate("a section deleted and reloaded", [1, 1], [1], .sectionTwice(1, .delete, .reload)) {
            $0.deleteSections([1])
            $0.reloadSections([1])
        },
        InvalidUpdate("a section moved to an inserted one", [1, 1], [1, 1, 1], .sectionTwice(0, .insert, .moveHere)) {
            $0.moveSection(1, to: 0)
            $0.insertSections([0])
        },
    ]

    private static func count(
        _ section: Int, to target: Int? = nil, _ before: Int, inserted: Int = 0, deleted: Int = 0, movedOut: Int = 0,
        after: Int
    ) -> BatchUpdateError.ItemCount {
        BatchUpdateError.ItemCount(
            oldSection: section, newSection: target ?? section, before: before, inserted: inserted, deleted: deleted,
            movedIn: 0, movedOut: movedOut, after: after)
    }

    @Test(arguments: invalidUpdates)
    func inconsistentUpdateThrows(_ update: InvalidUpdate) {
        var updates = BatchUpdates()
        update.record(&updates)
        #expect(throws: update.error) {
            try UpdateMap(updates, from: update.old, to: update.new)
        }
    }

    @Test func messageNamesCausePositionAndAdvice() {
        let error = BatchUpdateError.itemCount(Self.count(1, to: 0, 4, inserted: 2, after: 5))
        expectEqual(
            "\(error)",
            """
            Section 0 (1 before the updates) has 5 items after the updates, but it had 4, and the updates inserted 2, \
            deleted 0, moved in 0 and moved out 0. Change the data source inside the closure and record every change, \
            or call reloadData() instead.
            """)
        expectEqual(
            "\(BatchUpdateError.unknownItem(path(0, 3), .insert, count: 3))",
            """
            Cannot insert [0, 3]: the section has 3 items after the updates. Insertions and targets of moves refer to \
            positions after all updates.
            """)
        expectEqual(
            "\(BatchUpdateError.unknownSection(2, .moveAway, count: 1))",
            """
            Cannot move from section 2: there are 1 sections before the updates. Deletions, reloads and sources of \
            moves refer to positions before all updates.
            """)
        expectEqual(
            "\(BatchUpdateError.itemTwice(path(0, 1), .delete, .reload))",
            "Item [0, 1] has conflicting changes: delete and reload. Record only one of them.")
    }
}
