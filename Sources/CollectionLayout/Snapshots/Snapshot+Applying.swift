extension Snapshot {
    /// The snapshot that a difference leads to, with what it marks for reloading.
    ///
    /// - Throws: ``SnapshotError/differenceOfAnotherSnapshot`` unless it was made from a snapshot with these counts;
    ///   ``SnapshotError/duplicateItem(_:)`` and ``SnapshotError/duplicateSection(_:)`` where it was made from other
    ///   identifiers, as far as this shows.
    /// - Complexity: O(sections + items) of both.
    public func applying(
        _ difference: SnapshotDifference<SectionID, ItemID>
    ) throws(SnapshotError<SectionID, ItemID>) -> Snapshot {
        guard order.map({ sections[$0].items.count }) == difference.oldCounts else {
            throw .differenceOfAnotherSnapshot
        }
        let origins = difference.sectionOrigins
        var arrivingSections = difference.sectionArrivals.makeIterator()
        var arrivingItems = difference.itemArrivals.makeIterator()
        var arrival = arrivingItems.next()
        var moved: [IndexPath: IndexPath] = [:]
        for move in difference.changes.movedItems { moved[move.to] = move.from }
        var staying = stayingItems(after: difference.changes).map { $0.makeIterator() }
        var result = Snapshot()
        for (section, count) in difference.newCounts.enumerated() {
            let origin = origins[section]
            guard let identifier = origin.map({ sections[order[$0]].id }) ?? arrivingSections.next() else {
                throw .differenceOfAnotherSnapshot
            }
            try result.appendSections([identifier])
            var items: [ItemID] = []
            for index in 0..<count {
                let path = IndexPath(section: section, item: index)
                if let next = arrival, next.path == path {
                    items.append(next.item)
                    arrival = arrivingItems.next()
                } else if let item = moved[path].map(itemIdentifier(at:)) ?? origin.flatMap({ staying[$0].next() }) {
                    items.append(item)
                } else {
                    throw .differenceOfAnotherSnapshot
                }
            }
            try result.appendItems(items)
        }
        result.marks = difference.marks
        return result
    }

    /// For each old section the items that are neither deleted nor moved, in order.
    private func stayingItems(after changes: SnapshotChanges) -> [[ItemID]] {
        var gone = Set(changes.deletedItems)
        for move in changes.movedItems { gone.insert(move.from) }
        return order.enumerated().map { section, token in
            sections[token].items.enumerated().compactMap { index, item in
                gone.contains(IndexPath(section: section, item: index)) ? nil : item
            }
        }
    }
}

extension SnapshotDifference {
    /// For each new section its place in the old data; `nil` for one that is inserted.
    fileprivate var sectionOrigins: [Int?] {
        var leaving = Set(changes.deletedSections)
        var origins: [Int: Int] = [:]
        for move in changes.movedSections {
            leaving.insert(move.from)
            origins[move.to] = move.from
        }
        let inserted = Set(changes.insertedSections)
        var staying = oldCounts.indices.lazy.filter { !leaving.contains($0) }.makeIterator()
        return newCounts.indices.map { inserted.contains($0) ? nil : origins[$0] ?? staying.next() }
    }
}
