extension Snapshot {
    /// Adds items at the end of a section; of the last one by default (documented).
    ///
    /// - Throws: ``SnapshotError/noSection`` without any, ``SnapshotError/unknownSection(_:)``,
    ///   ``SnapshotError/duplicateItem(_:)``.
    /// - Complexity: O(new + log sections).
    public mutating func appendItems(
        _ identifiers: [ItemID], toSection section: SectionID? = nil
    ) throws(SnapshotError<SectionID, ItemID>) {
        let target: Int
        if let section {
            target = try token(of: section)
        } else if let last = order.last {
            target = last
        } else {
            throw .noSection
        }
        try placeItems(identifiers, token: target, at: sections[target].items.count)
    }

    /// Adds items before one, in its section (documented).
    ///
    /// - Throws: ``SnapshotError/unknownItem(_:)``, ``SnapshotError/duplicateItem(_:)``.
    /// - Complexity: O(new + items after them in the section + log sections).
    public mutating func insertItems(
        _ identifiers: [ItemID], beforeItem anchor: ItemID
    ) throws(SnapshotError<SectionID, ItemID>) {
        let place = try place(of: anchor)
        try placeItems(identifiers, token: place.token, at: place.item)
    }

    /// Adds items after one, in its section (documented).
    ///
    /// - Throws: ``SnapshotError/unknownItem(_:)``, ``SnapshotError/duplicateItem(_:)``.
    /// - Complexity: O(new + items after them in the section + log sections).
    public mutating func insertItems(
        _ identifiers: [ItemID], afterItem anchor: ItemID
    ) throws(SnapshotError<SectionID, ItemID>) {
        let place = try place(of: anchor)
        try placeItems(identifiers, token: place.token, at: place.item + 1)
    }

    /// Takes items away, whatever sections they stand in (documented). One that is named twice counts once.
    ///
    /// - Throws: ``SnapshotError/unknownItem(_:)`` (chosen).
    /// - Complexity: O(deleted + items of the sections that they stand in).
    public mutating func deleteItems(_ identifiers: [ItemID]) throws(SnapshotError<SectionID, ItemID>) {
        var firstOfToken: [Int: Int] = [:]
        for identifier in identifiers {
            let place = try place(of: identifier)
            firstOfToken[place.token] = min(firstOfToken[place.token] ?? place.item, place.item)
        }
        removeItems(identifiers, firstOfToken: firstOfToken)
    }

    /// Takes all items away (documented) and all sections with them (observed: the documentation speaks of the items only,
    /// and who calls it has to append the sections again). Marks for reloading go too (chosen).
    ///
    /// To keep the sections, delete ``itemIdentifiers``.
    public mutating func deleteAllItems() {
        self = Snapshot()
    }

    /// Moves an item before another, into its section; before itself, it stays (chosen).
    ///
    /// - Throws: ``SnapshotError/unknownItem(_:)``.
    /// - Complexity: O(items of the two sections + log sections).
    public mutating func moveItem(
        _ identifier: ItemID, beforeItem anchor: ItemID
    ) throws(SnapshotError<SectionID, ItemID>) {
        try moveItem(identifier, to: anchor, plus: 0)
    }

    /// Moves an item after another, into its section; after itself, it stays (chosen).
    ///
    /// - Throws: ``SnapshotError/unknownItem(_:)``.
    /// - Complexity: O(items of the two sections + log sections).
    public mutating func moveItem(
        _ identifier: ItemID, afterItem anchor: ItemID
    ) throws(SnapshotError<SectionID, ItemID>) {
        try moveItem(identifier, to: anchor, plus: 1)
    }

    private mutating func moveItem(
        _ identifier: ItemID, to anchor: ItemID, plus distance: Int
    ) throws(SnapshotError<SectionID, ItemID>) {
        let source = try place(of: identifier)
        var target = try place(of: anchor)
        let isBehind = source.token == target.token && source.item < target.item
        guard source.token != target.token || source.item != target.item else { return }
        target.item += distance - (isBehind ? 1 : 0)
        moveItem(identifier, from: source, to: target)
    }
}
