/// Where each item and each section goes by batch updates: the old index paths of the new ones and the other way round.
///
/// A pure value, made of the changes and of the counts before and after them. Items that no change names keep their order
/// and fill what the named ones leave.
public struct UpdateMap: Sendable {
    /// In which sections the counts of items are compared.
    public enum CountChecking: Hashable, Sendable {
        /// In all of them, up to ``UpdateMap/eagerSectionLimit`` sections; each count is asked for twice.
        case everySection
        /// In those that a change of items names: for counts that are dear to ask for.
        case namedSections
    }

    /// The largest number of sections whose counts are compared one by one: a million.
    public static let eagerSectionLimit = 1_000_000

    let old: CheckedCounts
    let new: CheckedCounts
    let sections: SectionMap
    /// Old paths whose cells are replaced.
    let reloaded: Set<IndexPath>
    /// Old paths whose cells are filled again.
    let reconfigured: Set<IndexPath>
    /// By the old section, for sections that stay.
    private var orders: [Int: IndexReordering] = [:]
    private let targets: [IndexPath: IndexPath]
    private let sources: [IndexPath: IndexPath]

    /// The map of some changes.
    ///
    /// - Throws: ``BatchUpdateError`` where a place doesn't exist, is named twice, or the counts don't add up.
    /// - Complexity: O(n log n) in the changes, and O(sections) to compare the counts of every section.
    public init(
        _ updates: BatchUpdates, from old: any SectionCounts, to new: any SectionCounts,
        checking: CountChecking = .everySection
    ) throws(BatchUpdateError) {
        self.old = CheckedCounts(old)
        self.new = CheckedCounts(new)
        sections = try SectionMap(updates, from: self.old, to: self.new)
        try updates.checkItems(from: self.old, to: self.new)
        reloaded = Set(updates.reloadedItems)
        reconfigured = Set(updates.reconfiguredItems)
        let removed = try claims(
            [(.delete, updates.deletedItems), (.moveAway, updates.itemMoves.map(\.from))],
            conflict: BatchUpdateError.itemTwice)
        let placed = try claims(
            [(.insert, updates.insertedItems), (.moveHere, updates.itemMoves.map(\.to))],
            conflict: BatchUpdateError.itemTwice)
        _ = try claims(
            [(.delete, updates.deletedItems), (.reload, Array(reloaded))], conflict: BatchUpdateError.itemTwice)
        _ = try claims(
            [(.delete, updates.deletedItems), (.reconfigure, Array(reconfigured))],
            conflict: BatchUpdateError.itemTwice)
        targets = Dictionary(updates.itemMoves.map { ($0.from, $0.to) }) { $1 }
        sources = Dictionary(updates.itemMoves.map { ($0.to, $0.from) }) { $1 }
        order(removed, placed)
        try checkCounts(updates, checking)
    }

    /// Keeps what is taken out and put in by section, for sections that stay and are not reloaded as a whole.
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

    private func checkCounts(_ updates: BatchUpdates, _ checking: CountChecking) throws(BatchUpdateError) {
        if checking == .everySection, old.sectionCount <= UpdateMap.eagerSectionLimit {
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

    /// Whether an old section stays and is not reloaded.
    private func keeps(_ section: Int) -> Bool {
        !sections.deleted.contains(section) && !sections.reloaded.contains(section)
    }
}

// MARK: - Looking up

extension UpdateMap {
    /// Where a section stands now; `nil` if it was deleted or there was none.
    public func newSection(for old: Int) -> Int? {
        old >= 0 && old < self.old.sectionCount ? sections.newIndex(ofOld: old) : nil
    }

    /// Where a section stood; `nil` if it was inserted or there is none.
    public func oldSection(for new: Int) -> Int? {
        new >= 0 && new < self.new.sectionCount ? sections.oldIndex(ofNew: new) : nil
    }

    /// Where an item stands now; `nil` if it was deleted or there was none. A reloaded item is the same item; those of a
    /// reloaded section are others (chosen).
    ///
    /// - Complexity: O(log n) in the changes.
    public func newIndexPath(for old: IndexPath) -> IndexPath? {
        guard self.old.contains(old) else { return nil }
        if let target = targets[old] { return target }
        guard keeps(old.section), let section = sections.newIndex(ofOld: old.section),
            let item = (orders[old.section] ?? .identity).newIndex(ofOld: old.item)
        else { return nil }
        let path = IndexPath(section: section, item: item)
        // Counts that were not compared may not add up.
        return new.contains(path) ? path : nil
    }

    /// Where an item stood; `nil` if it was inserted or there is none.
    ///
    /// - Complexity: O(log n) in the changes.
    public func oldIndexPath(for new: IndexPath) -> IndexPath? {
        guard self.new.contains(new) else { return nil }
        if let source = sources[new] { return source }
        guard let section = sections.oldIndex(ofNew: new.section), keeps(section),
            let item = (orders[section] ?? .identity).oldIndex(ofNew: new.item)
        else { return nil }
        let path = IndexPath(section: section, item: item)
        return old.contains(path) ? path : nil
    }

    /// Whether a section of before stays and has all its cells replaced.
    package func reloadsSection(_ old: Int) -> Bool { sections.reloaded.contains(old) }

    /// Whether an item of before stays and has its cell replaced.
    public func reloads(_ old: IndexPath) -> Bool { reloaded.contains(old) || sections.reloaded.contains(old.section) }

    /// Whether an item of before keeps its cell, which is filled again; where it is reloaded too, that wins (chosen).
    public func reconfigures(_ old: IndexPath) -> Bool { reconfigured.contains(old) && !reloads(old) }

    /// Whether nothing in a section of before changed but its place.
    package func keepsWhole(_ section: Int) -> Bool { keeps(section) && orders[section] == nil }
}
