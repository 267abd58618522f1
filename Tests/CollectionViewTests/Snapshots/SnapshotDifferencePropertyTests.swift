import CollectionLayout
import CollectionView
import LayoutTestSupport
import Testing

@Suite struct SnapshotDifferencePropertyTests {
    @Test func appliedToTheOldSnapshotItGivesTheNewOne() throws {
        try Self.eachPair { old, new in
            let difference = SnapshotDifference(from: old, to: new)
            let changes = difference.changes
            let isReached = try old.applying(difference) == new
            let rows = try BatchOracle.carryOut(changes, from: old, to: new)
            let isRight = try rows == new.rows
            let isIdentityKept =
                changes.deletedItems.allSatisfy { old.itemIdentifier(at: $0).flatMap(new.indexPath(of:)) == nil }
                && changes.insertedItems.allSatisfy { new.itemIdentifier(at: $0).flatMap(old.indexPath(of:)) == nil }
                && changes.movedItems.allSatisfy { old.itemIdentifier(at: $0.from) == new.itemIdentifier(at: $0.to) }
                && changes.reloadedItems.allSatisfy { old.itemIdentifier(at: $0.from) == new.itemIdentifier(at: $0.to) }
            return isReached && isRight && isIdentityKept && Self.areCountsRight(changes, old, new)
        }
    }

    @Test func noFewerMovesWouldDo() throws {
        try Self.eachPair { old, new in
            let changes = SnapshotDifference(from: old, to: new).changes
            let sections = Self.fewestMoves(new.sectionIdentifiers.compactMap(old.indexOfSection))
            var items = 0
            for section in new.sectionIdentifiers {
                let places = try new.itemIdentifiers(inSection: section).filter { old.indexOfItem($0) != nil }
                let same = places.filter { old.sectionIdentifier(containingItem: $0) == section }
                items += places.count - same.count + Self.fewestMoves(same.compactMap(old.indexOfItem))
            }
            return changes.movedSections.count == sections && changes.movedItems.count == items
        }
    }

    @Test func theViewFollowsEachItemByItsIdentity() throws {
        try Self.eachPair { old, new in
            let changes = SnapshotDifference(from: old, to: new).changes
            let map = try UpdateMap(BatchUpdates(changes), from: old, to: new)
            // The view takes the items of a reloaded section for others, unless they come from elsewhere.
            let reloaded = new.reloadedSectionIdentifiers
            return old.itemIdentifiers.allSatisfy { item in
                guard let path = old.indexPath(of: item), let section = old.sectionIdentifier(containingItem: item)
                else {
                    return false
                }
                if reloaded.contains(section), new.sectionIdentifier(containingItem: item) == section { return true }
                return map.newIndexPath(for: path) == new.indexPath(of: item)
            }
        }
    }

    /// Ten thousand pairs of snapshots; the first for which a rule doesn't hold is reported, and is the last.
    static func eachPair(_ holds: (_ old: IntSnapshot, _ new: IntSnapshot) throws -> Bool) throws {
        let seed = SeededGenerator.anySeed()
        var random = SeededGenerator(seed: seed)
        for number in 0..<10_000 {
            let old = try snapshot(using: &random)
            let new = try snapshot(using: &random)
            guard try holds(old, new) else {
                try Issue.record(report(seed, number, old, new))
                return
            }
        }
    }

    /// What is needed to run a case again, and to see it.
    static func report(_ seed: UInt64, _ number: Int, _ old: IntSnapshot, _ new: IntSnapshot) throws -> Comment {
        let words = try [old, new].map { "\($0.sectionIdentifiers) \(try $0.rows)" }
        return "seed \(seed), case \(number): \(words[0]) → \(words[1])"
    }

    /// Up to 5 sections of 7, and up to 7 items of 9, in any order; some are marked.
    static func snapshot(using random: inout SeededGenerator) throws -> IntSnapshot {
        let sections = Array(0..<7).shuffled(using: &random).prefix(Int.random(in: 0...5, using: &random))
        let items = Array(0..<9).shuffled(using: &random).prefix(Int.random(in: 0...7, using: &random))
        var snapshot = IntSnapshot()
        try snapshot.appendSections(Array(sections))
        // Often all in one section, so that long runs come about.
        let favourite = sections.randomElement(using: &random)
        for item in items {
            guard let other = sections.randomElement(using: &random), let favourite else { break }
            try snapshot.appendItems([item], toSection: Bool.random(using: &random) ? favourite : other)
            if Int.random(in: 0..<4, using: &random) == 0 { try snapshot.reloadItems([item]) }
            if Int.random(in: 0..<4, using: &random) == 0 { try snapshot.reconfigureItems([item]) }
        }
        if let favourite, Bool.random(using: &random) { try snapshot.reloadSections([favourite]) }
        return snapshot
    }

    /// The number of members outside of the longest growing run, by trying all runs.
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

    /// Items before + inserted and moved in − deleted and moved out = items after, for each section that stays.
    static func areCountsRight(_ changes: SnapshotChanges, _ old: IntSnapshot, _ new: IntSnapshot) -> Bool {
        new.sectionIdentifiers.enumerated().allSatisfy { section, identifier in
            guard let origin = old.indexOfSection(identifier) else { return changes.insertedSections.contains(section) }
            let came = (changes.insertedItems + changes.movedItems.map(\.to)).count { $0.section == section }
            let went = (changes.deletedItems + changes.movedItems.map(\.from)).count { $0.section == origin }
            return old.itemCount(inSection: origin) + came - went == new.itemCount(inSection: section)
        }
    }
}
