/// The mapping between old and new index paths of batch updates.
///
/// A value computed from the changes and the counts before and after them. Items that no change names keep their order
/// and fill the remaining positions.
public struct UpdateMap: Sendable {
    /// The maximum number of sections whose counts are all compared: one million. Of more sections, only those with changed
    /// items are.
    public static let eagerSectionLimit = 1_000_000

    private let old: CheckedCounts
    private let new: CheckedCounts
    private let sections: SectionMap
    /// Old index paths of items whose cells are replaced.
    private let reloaded: Set<IndexPath>
    /// Old index paths of items whose cells are configured again.
    private let reconfigured: Set<IndexPath>
    /// The reorderings of items by old section, for sections that stay.
    private var orders: [Int: IndexReordering] = [:]
    private let targets: [IndexPath: IndexPath]
    private let sources: [IndexPath: IndexPath]

    /// Creates the mapping for a set of changes.
    ///
    /// - Throws: ``BatchUpdateError`` if an index path doesn't exist, changes exclude each other, or the counts are
    ///   inconsistent.
    /// - Complexity: O(n log n) in the number of changes, plus O(sections) to compare the counts of all sections.
    public init(
        _ updates: BatchUpdates, from old: any SectionCounts, to new: any SectionCounts
    ) throws(BatchUpdateError) {
        self.old = CheckedCounts(old)
        self.new = CheckedCounts(new)
        sections = try SectionMap(updates, from: self.old, to: self.new)
        try updates.checkItems(from: self.old, to: self.new)
        reloaded = Set(updates.reloadedItems)
        reconfigured = Set(updates.reconfiguredItems)
        let removed = try uniquePositions(
            [(.delete, updates.deletedItems), (.moveAway, updates.itemMoves.map(\.from))],
            conflict: BatchUpdateError.itemTwice)
        let placed = try uniquePositions(
            [(.insert, updates.insertedItems), (.moveHere, updates.itemMoves.map(\.to))],
            conflict: BatchUpdateError.itemTwice)
        _ = try uniquePositions(
            [(.delete, updates.deletedItems), (.reload, Array(reloaded))], conflict: BatchUpdateError.itemTwice)
        _ = try uniquePositions(
            [(.delete, updates.deletedItems), (.reconfigure, Array(reconfigured))],
            conflict: BatchUpdateError.itemTwice)
        targets = Dictionary(updates.itemMoves.map { ($0.from, $0.to) }) { $1 }
        sources = Dictionary(updates.itemMoves.map { ($0.to, $0.from) }) { $1 }
        order(removed, placed)
        try checkCounts(updates)
    }

    /// Stores removals and insertions by section, for sections that stay and are not reloaded.
    private mutating func order(_ removed: [IndexPath], _ placed: [IndexPath]) {
        var taken: [Int: [Int]] = [:]
        var put: [Int: [Int]] = [:]
        for path in removed { taken[path.section, default: []].append(path.item) }
        for path in placed {
            if let section = sections.oldIndex(ofNew: path.section) { put[section, default: []].append(path.item) }
        }
        for section in Set(taken.keys).union(put.keys) where keeps(section) {
            orders[section] = IndexReordering(removed: taken[section] ?? [], placed: put[section] ?? [])
        }
    }

    private func checkCounts(_ updates: BatchUpdates) throws(BatchUpdateError) {
        if old.sectionCount <= UpdateMap.eagerSectionLimit {
            for section in 0..<old.sectionCount { try checkCount(ofSection: section, updates) }
        } else {
            for section in orders.keys.sorted() { try checkCount(ofSection: section, updates) }
        }
    }

    private func checkCount(ofSection section: Int, _ updates: BatchUpdates) throws(BatchUpdateError) {
        guard keeps(section), let place = sections.newIndex(ofOld: section) else { return }
        let order = orders[section] ?? .identity
        let before = old.itemCount(inSection: section)
        let after = new.itemCount(inSection: place)
        guard before - order.removed.count != after - order.placed.count else { return }
        throw .itemCount(
            BatchUpdateError.ItemCount(
                oldSection: section, newSection: place, before: before,
                inserted: updates.insertedItems.count { $0.section == place },
                deleted: updates.deletedItems.count { $0.section == section },
                movedIn: updates.itemMoves.count { $0.to.section == place },
                movedOut: updates.itemMoves.count { $0.from.section == section }, after: after))
    }

    /// Returns whether an old section stays and is not reloaded.
    private func keeps(_ section: Int) -> Bool {
        !sections.deleted.contains(section) && !sections.reloaded.contains(section)
    }
}

// MARK: - Lookup

extension UpdateMap {
    /// Returns the new index of a section, or `nil` if it was deleted or didn't exist.
    public func newSection(for old: Int) -> Int? {
        old >= 0 && old < self.old.sectionCount ? sections.newIndex(ofOld: old) : nil
    }

    /// Returns the old index of a section, or `nil` if it was inserted or doesn't exist.
    public func oldSection(for new: Int) -> Int? {
        new >= 0 && new < self.new.sectionCount ? sections.oldIndex(ofNew: new) : nil
    }

    /// Returns the new index path of an item, or `nil` if it was deleted or didn't exist. A reloaded item remains the
    /// same item; the items of a reloaded section are new ones.
    ///
    /// - Complexity: O(log n) in the number of changes.
    public func newIndexPath(for old: IndexPath) -> IndexPath? {
        guard self.old.contains(old) else { return nil }
        if let target = targets[old] { return target }
        guard keeps(old.section), let section = sections.newIndex(ofOld: old.section),
            let item = (orders[old.section] ?? .identity).newIndex(ofOld: old.item)
        else { return nil }
        let path = IndexPath(section: section, item: item)
        // Counts that were not compared can be inconsistent.
        return new.contains(path) ? path : nil
    }

    /// Returns the old index path of an item, or `nil` if it was inserted or doesn't exist.
    ///
    /// - Complexity: O(log n) in the number of changes.
    public func oldIndexPath(for new: IndexPath) -> IndexPath? {
        guard self.new.contains(new) else { return nil }
        if let source = sources[new] { return source }
        guard let section = sections.oldIndex(ofNew: new.section), keeps(section),
            let item = (orders[section] ?? .identity).oldIndex(ofNew: new.item)
        else { return nil }
        let path = IndexPath(section: section, item: item)
        return old.contains(path) ? path : nil
    }

    /// Returns whether an old section stays and all its cells are replaced.
    package func reloadsSection(_ old: Int) -> Bool { sections.reloaded.contains(old) }

    /// Returns whether an old item stays and its cell is replaced.
    public func reloads(_ old: IndexPath) -> Bool { reloaded.contains(old) || sections.reloaded.contains(old.section) }

    /// Returns whether an old item keeps its cell and is configured again. Reloading takes precedence.
    public func reconfigures(_ old: IndexPath) -> Bool { reconfigured.contains(old) && !reloads(old) }

    /// Returns whether an old section stays and at most its position changed.
    package func keepsWhole(_ section: Int) -> Bool { keeps(section) && orders[section] == nil }
}

/// The mapping between old and new section indexes of batch updates.
private struct SectionMap: Sendable {
    /// Old indexes of deleted sections.
    let deleted: Set<Int>
    /// New indexes of inserted sections.
    let inserted: Set<Int>
    /// Old indexes of reloaded sections.
    let reloaded: Set<Int>
    private let order: IndexReordering
    private let targets: [Int: Int]
    private let sources: [Int: Int]

    init(_ updates: BatchUpdates, from old: CheckedCounts, to new: CheckedCounts) throws(BatchUpdateError) {
        try updates.checkSections(from: old, to: new)
        let reloaded = Set(updates.reloadedSections)
        let removed = try uniquePositions(
            [(.delete, updates.deletedSections), (.moveAway, updates.sectionMoves.map(\.from))],
            conflict: BatchUpdateError.sectionTwice)
        let placed = try uniquePositions(
            [(.insert, updates.insertedSections), (.moveHere, updates.sectionMoves.map(\.to))],
            conflict: BatchUpdateError.sectionTwice)
        _ = try uniquePositions(
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

    /// Returns the new index of an existing section, or `nil` if it was deleted.
    func newIndex(ofOld old: Int) -> Int? { targets[old] ?? order.newIndex(ofOld: old) }

    /// Returns the old index of an existing section, or `nil` if it was inserted.
    func oldIndex(ofNew new: Int) -> Int? { sources[new] ?? order.oldIndex(ofNew: new) }
}

/// The mapping of list indexes when elements are removed and others are inserted; the remaining ones keep their order.
private struct IndexReordering: Hashable, Sendable {
    /// Old indexes of removed elements, ascending and unique.
    let removed: [Int]
    /// New indexes of inserted elements, ascending and unique.
    let placed: [Int]

    static let identity = IndexReordering(removed: [], placed: [])

    /// Returns the new index of a remaining element, or `nil` if it was removed.
    ///
    /// - Complexity: O(log n) in the number of removed and inserted elements, independent of the length of the list.
    func newIndex(ofOld old: Int) -> Int? {
        let before = removed.partitioningIndex { $0 >= old }
        guard before == removed.count || removed[before] != old else { return nil }
        let rank = old - before
        // placed[n] − n of the remaining elements precede placed[n].
        let ahead = placed.indices.partitioningIndex { placed[$0] - $0 > rank }
        return rank + ahead
    }

    /// Returns the old index of a remaining element, or `nil` if it was inserted.
    ///
    /// - Complexity: The same as ``newIndex(ofOld:)``.
    func oldIndex(ofNew new: Int) -> Int? { inverse.newIndex(ofOld: new) }

    /// The inverse mapping.
    var inverse: IndexReordering { IndexReordering(removed: placed, placed: removed) }
}

/// Returns the positions that a set of changes names, in ascending order.
///
/// - Throws: The error that `conflict` creates for the smallest position that is named twice, independent of the order
///   of the lists.
private func uniquePositions<Place: Comparable>(
    _ lists: [(BatchUpdateError.Operation, [Place])],
    conflict: (Place, BatchUpdateError.Operation, BatchUpdateError.Operation) -> BatchUpdateError
) throws(BatchUpdateError) -> [Place] {
    var all: [(place: Place, operation: BatchUpdateError.Operation)] = []
    for (operation, places) in lists {
        for place in places { all.append((place, operation)) }
    }
    all.sort { ($0.place, $0.operation) < ($1.place, $1.operation) }
    for index in all.indices.dropFirst() where all[index].place == all[index - 1].place {
        throw conflict(all[index].place, all[index - 1].operation, all[index].operation)
    }
    return all.map(\.place)
}

extension BatchUpdates {
    /// Throws for the first item that is out of range.
    fileprivate func checkItems(from old: CheckedCounts, to new: CheckedCounts) throws(BatchUpdateError) {
        let named: [(BatchUpdateError.Operation, [IndexPath])] = [
            (.delete, deletedItems), (.insert, insertedItems), (.moveAway, itemMoves.map(\.from)),
            (.moveHere, itemMoves.map(\.to)), (.reconfigure, reconfiguredItems), (.reload, reloadedItems),
        ]
        for (operation, paths) in named {
            let counts = operation.refersToNew ? new : old
            guard let path = paths.filter({ !counts.contains($0) }).min() else { continue }
            throw .unknownItem(path, operation, count: counts.itemCount(inSection: path.section))
        }
    }

    /// Throws for the first section that is out of range.
    fileprivate func checkSections(from old: CheckedCounts, to new: CheckedCounts) throws(BatchUpdateError) {
        let named: [(BatchUpdateError.Operation, [Int])] = [
            (.delete, deletedSections), (.insert, insertedSections), (.moveAway, sectionMoves.map(\.from)),
            (.moveHere, sectionMoves.map(\.to)), (.reload, reloadedSections),
        ]
        for (operation, sections) in named {
            let count = operation.refersToNew ? new.sectionCount : old.sectionCount
            guard let section = sections.filter({ $0 < 0 || $0 >= count }).min() else { continue }
            throw .unknownSection(section, operation, count: count)
        }
    }
}

/// Counts from client code, corrected: negative counts become 0, and sections that don't exist have 0 items.
package struct CheckedCounts: SectionCounts {
    package let sectionCount: Int
    private let base: any SectionCounts

    package static let none = CheckedCounts(ItemCounts([]))

    package init(_ base: any SectionCounts) {
        self.base = base
        sectionCount = max(0, base.sectionCount)
    }

    package func itemCount(inSection section: Int) -> Int {
        section >= 0 && section < sectionCount ? max(0, base.itemCount(inSection: section)) : 0
    }
}
