/// Where sections go by batch updates.
struct SectionMap: Sendable {
    /// Deleted ones, by their old index.
    let deleted: Set<Int>
    /// Inserted ones, by their new index.
    let inserted: Set<Int>
    /// Reloaded ones, by their old index.
    let reloaded: Set<Int>
    private let order: IndexReordering
    private let targets: [Int: Int]
    private let sources: [Int: Int]

    init(_ updates: BatchUpdates, from old: CheckedCounts, to new: CheckedCounts) throws(BatchUpdateError) {
        try updates.checkSections(from: old, to: new)
        let reloaded = Set(updates.reloadedSections)
        let removed = try claims(
            [(.delete, updates.deletedSections), (.moveAway, updates.sectionMoves.map(\.from))],
            conflict: BatchUpdateError.sectionTwice)
        let placed = try claims(
            [(.insert, updates.insertedSections), (.moveHere, updates.sectionMoves.map(\.to))],
            conflict: BatchUpdateError.sectionTwice)
        _ = try claims(
            [(.delete, updates.deletedSections), (.reload, Array(reloaded))], conflict: BatchUpdateError.sectionTwice)
        guard old.sectionCount - removed.count == new.sectionCount - placed.count else {
            throw .sectionCount(
                before: old.sectionCount, inserted: updates.insertedSections.count,
                deleted: updates.deletedSections.count, after: new.sectionCount)
        }
        deleted = Set(updates.deletedSections)
        inserted = Set(updates.insertedSections)
        self.reloaded = reloaded
        order = IndexReordering(removed: removed, placed: placed)
        targets = Dictionary(updates.sectionMoves.map { ($0.from, $0.to) }) { $1 }
        sources = Dictionary(updates.sectionMoves.map { ($0.to, $0.from) }) { $1 }
    }

    /// The new index of a section that exists; `nil` for one that was deleted.
    func newIndex(ofOld old: Int) -> Int? { targets[old] ?? order.newIndex(ofOld: old) }

    /// The old index of a section that exists; `nil` for one that was inserted.
    func oldIndex(ofNew new: Int) -> Int? { sources[new] ?? order.oldIndex(ofNew: new) }
}
