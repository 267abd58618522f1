import LayoutTestSupport
import Testing

@testable import CollectionLayout

@Suite struct UpdateMapTests {
    private func map(
        _ old: ItemCounts, _ new: ItemCounts, _ record: (inout BatchUpdates) -> Void
    ) throws -> UpdateMap {
        var updates = BatchUpdates()
        record(&updates)
        return try UpdateMap(updates, from: old, to: new)
    }

    private func items(_ map: UpdateMap, section: Int, _ count: Int) -> [IndexPath?] {
        (0..<count).map { map.newIndexPath(for: path(section, $0)) }
    }

    @Test func withoutChangesEverythingStays() throws {
        let map = try map([2, 0, 1], [2, 0, 1]) { _ in }
        #expect(items(map, section: 0, 2) == [path(0, 0), path(0, 1)])
        #expect(map.newSection(for: 2) == 2 && map.oldSection(for: 1) == 1)
        #expect(map.newIndexPath(for: path(0, 2)) == nil && map.newSection(for: 3) == nil)
        #expect(map.oldIndexPath(for: path(-1, 0)) == nil && map.oldSection(for: -1) == nil)
    }

    @Test func deletionsAreOldPlacesAndInsertionsNewOnes() throws {
        // 1 2 3 4 5 becomes 1 3 6 4 5.
        let map = try map([5], [5]) {
            $0.insertItems(at: [path(0, 2)])
            $0.deleteItems(at: [path(0, 1)])
            $0.moveItem(at: path(0, 2), to: path(0, 1))
        }
        #expect(items(map, section: 0, 5) == [path(0, 0), nil, path(0, 1), path(0, 3), path(0, 4)])
        #expect(map.oldIndexPath(for: path(0, 2)) == nil && map.oldIndexPath(for: path(0, 3)) == path(0, 3))
    }

    // The three that follow: the cases of airbnb/MagazineLayout, Tests/ModelStateUpdateTests.swift (Apache 2.0).

    @Test func movedSectionsTakeTheirPlacesWhateverElseIsNamed() throws {
        let map = try map([2, 2, 2], [2, 2, 2]) {
            $0.moveSection(0, to: 1)
            $0.moveItem(at: path(0, 0), to: path(1, 0))
            $0.moveItem(at: path(0, 1), to: path(1, 1))
            $0.moveSection(2, to: 0)
            $0.moveItem(at: path(2, 0), to: path(0, 0))
            $0.moveItem(at: path(2, 1), to: path(0, 1))
        }
        #expect((0..<3).map { map.newSection(for: $0) } == [1, 2, 0])
        #expect(items(map, section: 1, 2) == [path(2, 0), path(2, 1)])
        #expect(items(map, section: 2, 2) == [path(0, 0), path(0, 1)])
    }

    @Test func itemsMoveBetweenSections() throws {
        let map = try map([2, 2, 2], [0, 4, 2]) {
            $0.moveItem(at: path(0, 0), to: path(1, 3))
            $0.moveItem(at: path(0, 1), to: path(1, 0))
            $0.moveItem(at: path(2, 0), to: path(2, 1))
        }
        #expect(items(map, section: 0, 2) == [path(1, 3), path(1, 0)])
        #expect(items(map, section: 1, 2) == [path(1, 1), path(1, 2)])
        #expect(items(map, section: 2, 2) == [path(2, 1), path(2, 0)])
    }

    @Test func allSortsOfChangesAtOnce() throws {
        let map = try map([2, 2, 2, 2, 2, 2], [2, 2, 6, 2, 2, 1]) {
            $0.reloadSections([3])
            $0.reloadItems(at: [path(4, 0)])
            $0.insertSections([2])
            $0.insertItems(at: [path(2, 5)])
            $0.deleteSections([0])
            $0.deleteItems(at: [path(1, 0)])
            $0.moveSection(5, to: 0)
            $0.moveItem(at: path(4, 0), to: path(1, 0))
        }
        #expect((0..<6).map { map.newSection(for: $0) } == [nil, 1, 3, 4, 5, 0])
        #expect(items(map, section: 0, 2) == [nil, nil])
        #expect(items(map, section: 1, 2) == [nil, path(1, 1)])
        #expect(items(map, section: 3, 2) == [nil, nil])
        #expect(items(map, section: 4, 2) == [path(1, 0), path(5, 0)])
        #expect(map.reloads(path(4, 0)) && map.reloads(path(3, 1)) && !map.reloads(path(4, 1)))
    }

    @Test func aDisplacedSectionCanBeReloaded() throws {
        // UIKit stops the program here: Instagram/IGListKit, issue 690.
        let map = try map([1, 1, 1, 1, 1], [1, 1, 7, 3, 1]) {
            $0.moveSection(2, to: 4)
            $0.reloadSections([3])
            $0.deleteSections([4])
            $0.insertSections([2])
        }
        #expect((0..<5).map { map.newSection(for: $0) } == [0, 1, 4, 3, nil])
        #expect(map.oldSection(for: 2) == nil && map.newIndexPath(for: path(3, 0)) == nil)
    }

    @Test func itemsLeaveADeletedSectionAndEnterAnInsertedOne() throws {
        let map = try map([3], [2]) {
            $0.deleteSections([0])
            $0.insertSections([0])
            $0.moveItem(at: path(0, 2), to: path(0, 1))
        }
        #expect(items(map, section: 0, 3) == [nil, nil, path(0, 1)])
        #expect(map.oldIndexPath(for: path(0, 0)) == nil)
    }

    @Test func whatIsDeletedWithItsSectionMayBeNamedToo() throws {
        let map = try map([3, 1], [1, 2]) {
            $0.deleteSections([0])
            $0.deleteItems(at: [path(0, 1)])
            $0.insertSections([1])
            $0.insertItems(at: [path(1, 0), path(1, 1)])
        }
        #expect(map.newIndexPath(for: path(1, 0)) == path(0, 0))
    }

    @Test func reloadingWinsOverReconfiguring() throws {
        let map = try map([2], [2]) {
            $0.reconfigureItems(at: [path(0, 0), path(0, 1), path(0, 1)])
            $0.reloadItems(at: [path(0, 0), path(0, 0)])
        }
        #expect(map.reloads(path(0, 0)) && !map.reconfigures(path(0, 0)) && map.reconfigures(path(0, 1)))
        #expect(map.newIndexPath(for: path(0, 0)) == path(0, 0))
    }

    @Test func millionsOfUntouchedItemsCostNothing() throws {
        let many = ItemCounts(Array(repeating: 1_000_000_000, count: 5) + [.max])
        let fewer = ItemCounts([999_999_999] + Array(repeating: 1_000_000_000, count: 4) + [.max])
        let map = try map(many, fewer) { $0.deleteItems(at: [path(0, 5)]) }
        #expect(map.newIndexPath(for: path(0, 999_999_999)) == path(0, 999_999_998))
        #expect(map.oldIndexPath(for: path(0, 5)) == path(0, 6))
        #expect(map.newIndexPath(for: path(5, .max - 1)) == path(5, .max - 1))
    }

    @Test func countsThatAreDearAreAskedForOnlyWhereNeeded() throws {
        final class Tally: @unchecked Sendable { var asked: Set<Int> = [] }
        struct Dear: SectionCounts {
            let tally: Tally
            let sectionCount = Int.max
            func itemCount(inSection section: Int) -> Int {
                tally.asked.insert(section)
                return 3
            }
        }
        let tally = Tally()
        var updates = BatchUpdates()
        updates.moveItem(at: path(7, 0), to: path(7, 2))
        let map = try UpdateMap(updates, from: Dear(tally: tally), to: Dear(tally: tally), checking: .namedSections)
        #expect(map.newIndexPath(for: path(7, 1)) == path(7, 0) && tally.asked == [7])
        #expect(map.newSection(for: .max - 1) == .max - 1)
    }
}
