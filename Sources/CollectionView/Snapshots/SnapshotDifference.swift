public import CollectionLayout

extension Snapshot {
    /// Returns the batch updates that lead from this snapshot to `new`.
    ///
    /// An item in both snapshots is never deleted and inserted, so that it keeps its cell, selection and focus. Items can
    /// also leave a deleted section or enter an inserted one. The marks of the new snapshot are included for items that
    /// both contain.
    ///
    /// The number of moves is minimal: in each section, and among the sections, the longest subsequence that is in
    /// order stays. The method is P. Heckel's (1978), with the longest increasing subsequence for the moves.
    ///
    /// - Complexity: O(sections + items), with one lookup for each new one, plus O(m log m) for m sections or items out
    ///   of order in one section, plus O(r log r) for r marks.
    public func updates(to new: Snapshot) -> BatchUpdates {
        var updates = BatchUpdates()
        let origins = addSections(of: new, to: &updates)
        addItems(of: new, origins: origins, to: &updates)
        let marked = { (items: Set<ItemID>) in items.compactMap(indexPath(of:)).sorted() }
        updates.reloadItems(at: marked(new.marks.reloadedItems))
        updates.reconfigureItems(at: marked(new.marks.reconfiguredItems))
        return updates
    }

    /// Adds the changes of sections, and returns the token of each new section in this snapshot.
    private func addSections(of new: Snapshot, to updates: inout BatchUpdates) -> [Int?] {
        var stays = [Bool](repeating: false, count: order.count)
        var sources: [Int] = []
        var targets: [Int] = []
        let origins = new.order.enumerated().map { index, token -> Int? in
            guard let origin = tokens[new.sections[token].id] else {
                updates.insertSections([index])
                return nil
            }
            stays[sections[origin].index] = true
            sources.append(sections[origin].index)
            targets.append(index)
            return origin
        }
        updates.deleteSections(stays.indices.filter { !stays[$0] })
        for (index, isInOrder) in LongestIncreasingSubsequence.flags(in: sources).enumerated() where !isInOrder {
            updates.moveSection(sources[index], to: targets[index])
        }
        return origins
    }

    /// Adds the changes of items. A section that is deleted or inserted takes its items along.
    private func addItems(of new: Snapshot, origins: [Int?], to updates: inout BatchUpdates) {
        var stays = order.map { [Bool](repeating: false, count: sections[$0].items.count) }
        for (section, token) in new.order.enumerated() {
            var sources: [IndexPath] = []
            var targets: [IndexPath] = []
            for (index, item) in new.sections[token].items.enumerated() {
                let path = IndexPath(section: section, item: index)
                if let source = indexPath(of: item) {
                    stays[source.section][source.item] = true
                    sources.append(source)
                    targets.append(path)
                } else if origins[section] != nil {
                    updates.insertItems(at: [path])
                }
            }
            // Items from other sections move, and items that are out of order.
            let origin = origins[section].map { sections[$0].index }
            var isInOrder = LongestIncreasingSubsequence.flags(
                in: sources.lazy.filter { $0.section == origin }.map(\.item)
            ).makeIterator()
            for (source, target) in zip(sources, targets) {
                if source.section == origin, isInOrder.next() == true { continue }
                updates.moveItem(at: source, to: target)
            }
        }
        for (section, token) in order.enumerated() where new.tokens[sections[token].id] != nil {
            let gone = stays[section].indices.filter { !stays[section][$0] }
            updates.deleteItems(at: gone.map { IndexPath(section: section, item: $0) })
        }
    }
}

/// The longest increasing subsequence of a list: the elements that can stay in place while all others move.
private enum LongestIncreasingSubsequence {
    /// Returns, for each number, whether it belongs to the subsequence.
    ///
    /// Of several subsequences with the same length, it is the one with the smallest last number, then the smallest
    /// second-to-last number, and so on, so that the result is deterministic.
    ///
    /// - Parameter numbers: Distinct numbers.
    /// - Complexity: O(n) if the list is increasing already, otherwise O(n log n).
    static func flags(in numbers: [Int]) -> [Bool] {
        /// For each length, the index of the smallest number with which a subsequence of that length ends.
        var ends: [Int] = []
        var predecessors = [Int](repeating: -1, count: numbers.count)
        for (index, number) in numbers.enumerated() {
            if let last = ends.last, numbers[last] > number {
                let length = firstEnd(in: ends, above: number, numbers)
                if length > 0 { predecessors[index] = ends[length - 1] }
                ends[length] = index
            } else {
                if let last = ends.last { predecessors[index] = last }
                ends.append(index)
            }
        }
        var flags = [Bool](repeating: false, count: numbers.count)
        var index = ends.last ?? -1
        while index >= 0 {
            flags[index] = true
            index = predecessors[index]
        }
        return flags
    }

    /// Returns the first of the ends whose number is above `number`; there must be one.
    private static func firstEnd(in ends: [Int], above number: Int, _ numbers: [Int]) -> Int {
        var low = 0
        var high = ends.count - 1
        while low < high {
            let middle = low + (high - low) / 2
            if numbers[ends[middle]] > number {
                high = middle
            } else {
                low = middle + 1
            }
        }
        return low
    }
}
