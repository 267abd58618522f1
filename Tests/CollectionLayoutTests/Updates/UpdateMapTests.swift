import LayoutTestSupport
import TestSupport
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

    @Test func emptyUpdatesChangeNothing() throws {
        let map = try map([2, 0, 1], [2, 0, 1]) { _ in }
        expectEqual(items(map, section: 0, 2), [path(0, 0), path(0, 1)])
        expectEqual(map.newSection(for: 2), 2)
        expectEqual(map.oldSection(for: 1), 1)
        expectEqual(map.newIndexPath(for: path(0, 2)), nil)
        expectEqual(map.newSection(for: 3), nil)
        expectEqual(map.oldIndexPath(for: path(-1, 0)), nil)
        expectEqual(map.oldSection(for: -1), nil)
    }

    @Test func deletionsUseOldAndInsertionsNewIndexPaths() throws {
        // 1 2 3 4 5 becomes 1 3 6 4 5.
        let map = try map([5], [5]) {
            $0.insertItems(at: [path(0, 2)])
            $0.deleteItems(at: [path(0, 1)])
            $0.moveItem(at: path(0, 2), to: path(0, 1))
        }
        expectEqual(items(map, section: 0, 5), [path(0, 0), nil, path(0, 1), path(0, 3), path(0, 4)])
        expectEqual(map.oldIndexPath(for: path(0, 2)), nil)
        expectEqual(map.oldIndexPath(for: path(0, 3)), path(0, 3))
    }

    // The next three tests use the cases of airbnb/MagazineLayout, Tests/ModelStateUpdateTests.swift (Apache 2.0).

    @Test func movedSectionsGetTheirTargetsWhateverElseChanges() throws {
        let map = try map([2, 2, 2], [2, 2, 2]) {
            $0.moveSection(0, to: 1)
            $0.moveItem(at: path(0, 0), to: path(1, 0))
            $0.moveItem(at: path(0, 1), to: path(1, 1))
            $0.moveSection(2, to: 0)
            $0.moveItem(at: path(2, 0), to: path(0, 0))
            $0.moveItem(at: path(2, 1), to: path(0, 1))
        }
        expectEqual((0..<3).map { map.newSection(for: $0) }, [1, 2, 0])
        expectEqual(items(map, section: 1, 2), [path(2, 0), path(2, 1)])
        expectEqual(items(map, section: 2, 2), [path(0, 0), path(0, 1)])
    }

    @Test func itemsMoveBetweenSections() throws {
        let map = try map([2, 2, 2], [0, 4, 2]) {
            $0.moveItem(at: path(0, 0), to: path(1, 3))
            $0.moveItem(at: path(0, 1), to: path(1, 0))
            $0.moveItem(at: path(2, 0), to: path(2, 1))
        }
        expectEqual(items(map, section: 0, 2), [path(1, 3), path(1, 0)])
        expectEqual(items(map, section: 1, 2), [path(1, 1), path(1, 2)])
        expectEqual(items(map, section: 2, 2), [path(2, 1), path(2, 0)])
    }

    @Test func allKindsOfChangesCombine() throws {
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
        expectEqual((0..<6).map { map.newSection(for: $0) }, [nil, 1, 3, 4, 5, 0])
        expectEqual(items(map, section: 0, 2), [nil, nil])
        expectEqual(items(map, section: 1, 2), [nil, path(1, 1)])
        expectEqual(items(map, section: 3, 2), [nil, nil])
        expectEqual(items(map, section: 4, 2), [path(1, 0), path(5, 0)])
        #expect(map.reloads(path(4, 0)) && map.reloads(path(3, 1)) && !map.reloads(path(4, 1)))
    }

    @Test func sectionWithNewIndexCanBeReloaded() throws {
        // UIKit terminates the program here: Instagram/IGListKit, issue 690.
        let map = try map([1, 1, 1, 1, 1], [1, 1, 7, 3, 1]) {
            $0.moveSection(2, to: 4)
            $0.reloadSections([3])
            $0.deleteSections([4])
            $0.insertSections([2])
        }
        expectEqual((0..<5).map { map.newSection(for: $0) }, [0, 1, 4, 3, nil])
        expectEqual(map.oldSection(for: 2), nil)
        expectEqual(map.newIndexPath(for: path(3, 0)), nil)
    }

    @Test func itemsMoveOutOfDeletedAndIntoInsertedSections() throws {
        let map = try map([3], [2]) {
            $0.deleteSections([0])
            $0.insertSections([0])
            $0.moveItem(at: path(0, 2), to: path(0, 1))
        }
        expectEqual(items(map, section: 0, 3), [nil, nil, path(0, 1)])
        expectEqual(map.oldIndexPath(for: path(0, 0)), nil)
    }

    @Test func itemsOfDeletedSectionCanBeDeletedExplicitly() throws {
        let map = try map([3, 1], [1, 2]) {
            $0.deleteSections([0])
            $0.deleteItems(at: [path(0, 1)])
            $0.insertSections([1])
            $0.insertItems(at: [path(1, 0), path(1, 1)])
        }
        expectEqual(map.newIndexPath(for: path(1, 0)), path(0, 0))
    }

    @Test func reloadingTakesPrecedenceOverReconfiguring() throws {
        let map = try map([2], [2]) {
            $0.reconfigureItems(at: [path(0, 0), path(0, 1), path(0, 1)])
            $0.reloadItems(at: [path(0, 0), path(0, 0)])
        }
        #expect(map.reloads(path(0, 0)) && !map.reconfigures(path(0, 0)) && map.reconfigures(path(0, 1)))
        expectEqual(map.newIndexPath(for: path(0, 0)), path(0, 0))
    }

    @Test func unchangedItemsCostNothing() throws {
        let many = ItemCounts(Array(repeating: 1_000_000_000, count: 5) + [.max])
        let fewer = ItemCounts([999_999_999] + Array(repeating: 1_000_000_000, count: 4) + [.max])
        let map = try map(many, fewer) { $0.deleteItems(at: [path(0, 5)]) }
        expectEqual(map.newIndexPath(for: path(0, 999_999_999)), path(0, 999_999_998))
        expectEqual(map.oldIndexPath(for: path(0, 5)), path(0, 6))
        expectEqual(map.newIndexPath(for: path(5, .max - 1)), path(5, .max - 1))
    }

    @Test func onlyCountsOfChangedSectionsAreRequested() throws {
        final class CountRequests: @unchecked Sendable { var sections: Set<Int> = [] }
        struct RecordingCounts: SectionCounts {
            let requests: CountRequests
            let sectionCount = Int.max
            func itemCount(inSection section: Int) -> Int {
                requests.sections.insert(section)
                return 3
            }
        }
        let requests = CountRequests()
        var updates = BatchUpdates()
        updates.moveItem(at: path(7, 0), to: path(7, 2))
        let counts = RecordingCounts(requests: requests)
        let map = try UpdateMap(updates, from: counts, to: counts)
        expectEqual(map.newIndexPath(for: path(7, 1)), path(7, 0))
        expectEqual(requests.sections, [7])
        expectEqual(map.newSection(for: .max - 1), .max - 1)
    }
}

/// Comparison with a model of lists of numbered items, over random updates; a failure prints its seed.
@Suite struct UpdateMapPropertyTests {
    @Test func mappingEqualsModelInAnyOrderOfRecording() throws {
        let seed = SeededGenerator.anySeed()
        var random = SeededGenerator(seed: seed)
        for round in 0..<TestScope.cases(10_000) {
            let model = UpdateModel(using: &random)
            let problem = try Self.problem(model, UpdateModel.record(model.steps.shuffled(using: &random)))
            guard problem == nil else {
                Issue.record("\(problem ?? ""), round \(round), seed \(seed): \(model.old) to \(model.new)")
                return
            }
        }
    }

    /// Any updates give an error or a one-to-one mapping, which is the same in any order of recording.
    @Test func randomUpdatesThrowOrMapOneToOne() {
        let seed = SeededGenerator.anySeed()
        var random = SeededGenerator(seed: seed)
        for round in 0..<TestScope.cases(10_000) {
            let old = Self.counts(using: &random)
            let new = Self.counts(using: &random)
            let steps = Self.randomSteps(using: &random)
            let first = Self.result(UpdateModel.record(steps), old, new)
            let second = Self.result(UpdateModel.record(steps.shuffled(using: &random)), old, new)
            guard first == second else {
                Issue.record("\(first), in another order \(second), round \(round), seed \(seed)")
                return
            }
        }
    }

    /// Describes how a map differs from the model.
    static func problem(_ model: UpdateModel, _ updates: BatchUpdates) throws -> String? {
        let map = try UpdateMap(
            updates, from: UpdateModel.counts(model.old), to: UpdateModel.counts(model.new))
        let now = UpdateModel.IndexedPlaces(model.new)
        let then = UpdateModel.IndexedPlaces(model.old)
        for (section, content) in model.old.enumerated() {
            let target = model.new.firstIndex { $0.id == content.id }
            guard map.newSection(for: section) == target else { return "old section \(section)" }
            for (item, id) in content.items.enumerated() {
                let source = IndexPath(section: section, item: item)
                guard map.newIndexPath(for: source) == now[id] else { return "old item \(source)" }
                guard map.reloads(source) == model.reloaded.contains(id) else { return "reload of \(source)" }
                guard map.reconfigures(source) == model.reconfigured.contains(id) else {
                    return "reconfiguration of \(source)"
                }
            }
        }
        for (section, content) in model.new.enumerated() {
            let source = model.old.firstIndex { $0.id == content.id }
            guard map.oldSection(for: section) == source else { return "new section \(section)" }
            for (item, id) in content.items.enumerated() {
                let source = IndexPath(section: section, item: item)
                guard map.oldIndexPath(for: source) == then[id] else { return "new item \(source)" }
            }
        }
        return nil
    }

    private static func counts(using random: inout SeededGenerator) -> ItemCounts {
        ItemCounts((0..<Int.random(in: 0...3, using: &random)).map { _ in .random(in: 0...3, using: &random) })
    }

    private static func randomSteps(using random: inout SeededGenerator) -> [@Sendable (inout BatchUpdates) -> Void] {
        (0..<Int.random(in: 0...4, using: &random)).map { _ in
            let (a, b) = (Int.random(in: -1...3, using: &random), Int.random(in: -1...3, using: &random))
            let here = IndexPath(section: b, item: a)
            let (c, d) = (Int.random(in: -1...3, using: &random), Int.random(in: -1...3, using: &random))
            let there = IndexPath(section: c, item: d)
            switch Int.random(in: 0..<9, using: &random) {
            case 0: return { $0.insertItems(at: [here]) }
            case 1: return { $0.deleteItems(at: [here]) }
            case 2: return { $0.reloadItems(at: [here]) }
            case 3: return { $0.reconfigureItems(at: [here]) }
            case 4: return { $0.moveItem(at: here, to: there) }
            case 5: return { $0.insertSections([a]) }
            case 6: return { $0.deleteSections([a]) }
            case 7: return { $0.reloadSections([a]) }
            default: return { $0.moveSection(a, to: b) }
            }
        }
    }

    /// Returns the new position of each old item, or the error.
    private static func result(
        _ updates: BatchUpdates, _ old: ItemCounts, _ new: ItemCounts
    ) -> Result<[IndexPath?], BatchUpdateError> {
        do throws(BatchUpdateError) {
            let map = try UpdateMap(updates, from: old, to: new)
            var targets: [IndexPath?] = []
            for section in 0..<old.sectionCount {
                for item in 0..<old.itemCount(inSection: section) {
                    let source = IndexPath(section: section, item: item)
                    let target = map.newIndexPath(for: source)
                    targets.append(target)
                    guard let target, map.oldIndexPath(for: target) != source else { continue }
                    Issue.record("\(source) maps to \(target), which does not map back")
                }
            }
            return .success(targets)
        } catch {
            return .failure(error)
        }
    }
}
