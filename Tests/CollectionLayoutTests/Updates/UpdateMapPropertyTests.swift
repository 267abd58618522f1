import CollectionLayout
import LayoutTestSupport
import Testing

/// Against a model of lists of numbered items, over random updates; a failure names its seed.
@Suite struct UpdateMapPropertyTests {
    @Test func everyItemGoesWhereTheModelSaysWhateverTheOrderOfRecording() throws {
        let seed = SeededGenerator.anySeed()
        var random = SeededGenerator(seed: seed)
        for round in 0..<10_000 {
            let model = UpdateModel(using: &random)
            let problem = try Self.problem(model, UpdateModel.record(model.steps.shuffled(using: &random)))
            guard problem == nil else {
                Issue.record("\(problem ?? ""), round \(round), seed \(seed): \(model.old) to \(model.new)")
                return
            }
        }
    }

    /// Whatever is recorded, right or wrong: an error or a map, the same one in any order, and one to one.
    @Test func nonsenseIsRefusedOrMappedOneToOne() {
        let seed = SeededGenerator.anySeed()
        var random = SeededGenerator(seed: seed)
        for round in 0..<10_000 {
            let old = Self.counts(using: &random)
            let new = Self.counts(using: &random)
            let steps = Self.nonsense(using: &random)
            let first = Self.result(UpdateModel.record(steps), old, new)
            let second = Self.result(UpdateModel.record(steps.shuffled(using: &random)), old, new)
            guard first == second else {
                Issue.record("\(first), in another order \(second), round \(round), seed \(seed)")
                return
            }
        }
    }

    /// What a map does differently from the model, in words.
    static func problem(_ model: UpdateModel, _ updates: BatchUpdates) throws -> String? {
        let map = try UpdateMap(
            updates, from: UpdateModel.counts(model.old), to: UpdateModel.counts(model.new))
        let now = UpdateModel.IndexedPlaces(model.new)
        let then = UpdateModel.IndexedPlaces(model.old)
        for (section, content) in model.old.enumerated() {
            let target = model.new.firstIndex { $0.id == content.id }
            guard map.newSection(for: section) == target else { return "old section \(section)" }
            for (item, id) in content.items.enumerated() {
                let place = IndexPath(section: section, item: item)
                guard map.newIndexPath(for: place) == now[id] else { return "old item \(place)" }
                guard map.reloads(place) == model.reloaded.contains(id) else { return "reload of \(place)" }
                guard map.reconfigures(place) == model.reconfigured.contains(id) else {
                    return "reconfiguration of \(place)"
                }
            }
        }
        for (section, content) in model.new.enumerated() {
            let source = model.old.firstIndex { $0.id == content.id }
            guard map.oldSection(for: section) == source else { return "new section \(section)" }
            for (item, id) in content.items.enumerated() {
                let place = IndexPath(section: section, item: item)
                guard map.oldIndexPath(for: place) == then[id] else { return "new item \(place)" }
            }
        }
        return nil
    }

    private static func counts(using random: inout SeededGenerator) -> ItemCounts {
        ItemCounts((0..<Int.random(in: 0...3, using: &random)).map { _ in .random(in: 0...3, using: &random) })
    }

    private static func nonsense(using random: inout SeededGenerator) -> [@Sendable (inout BatchUpdates) -> Void] {
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

    /// Where each old item goes, or the error.
    private static func result(
        _ updates: BatchUpdates, _ old: ItemCounts, _ new: ItemCounts
    ) -> Result<[IndexPath?], BatchUpdateError> {
        do throws(BatchUpdateError) {
            let map = try UpdateMap(updates, from: old, to: new)
            var targets: [IndexPath?] = []
            for section in 0..<old.sectionCount {
                for item in 0..<old.itemCount(inSection: section) {
                    let place = IndexPath(section: section, item: item)
                    let target = map.newIndexPath(for: place)
                    targets.append(target)
                    guard let target, map.oldIndexPath(for: target) != place else { continue }
                    Issue.record("\(place) → \(target) leads not back")
                }
            }
            return .success(targets)
        } catch {
            return .failure(error)
        }
    }
}
