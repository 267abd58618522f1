import CollectionLayout
import CollectionView
import Testing

/// Carries a batch update out as UIKit documents it: all that goes is taken away from the end, with places in the old
/// data; then all that comes is put in from the start, with places in the new data.
enum BatchOracle {
    /// The items of all sections afterwards. What is inserted is looked up in the new snapshot, all else in the old.
    static func carryOut(_ changes: SnapshotChanges, from old: IntSnapshot, to new: IntSnapshot) throws -> [[Int]] {
        let before = try old.rows
        let after = try new.rows
        var rows = before
        for path in (changes.deletedItems + changes.movedItems.map(\.from)).sorted(by: >) {
            rows[path.section].remove(at: path.item)
        }
        for section in (changes.deletedSections + changes.movedSections.map(\.from)).sorted(by: >) {
            rows.remove(at: section)
        }
        // Each is emptied of what was moved away, as the sections that stay are.
        var sections = changes.insertedSections.map { ($0, [Int]()) }
        for move in changes.movedSections {
            let gone = Set((changes.deletedItems + changes.movedItems.map(\.from)).filter { $0.section == move.from })
            let left = before[move.from].enumerated().filter {
                !gone.contains(IndexPath(section: move.from, item: $0.offset))
            }
            sections.append((move.to, left.map(\.element)))
        }
        for (index, row) in sections.sorted(by: { $0.0 < $1.0 }) { rows.insert(row, at: index) }

        var coming = changes.movedItems.map { ($0.to, before[$0.from.section][$0.from.item]) }
        coming += changes.insertedItems.map { ($0, after[$0.section][$0.item]) }
        let targets = Set(changes.movedItems.map(\.to))
        for section in changes.insertedSections {
            for (item, identifier) in after[section].enumerated() {
                let path = IndexPath(section: section, item: item)
                if !targets.contains(path) { coming.append((path, identifier)) }
            }
        }
        for (path, identifier) in coming.sorted(by: { $0.0 < $1.0 }) {
            rows[path.section].insert(identifier, at: path.item)
        }
        return rows
    }
}
