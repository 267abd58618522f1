extension Snapshot {
    /// Asks for new cells and headers for all of these sections when the snapshot is applied (documented).
    ///
    /// - Throws: ``SnapshotError/unknownSection(_:)`` (the original traps).
    /// - Complexity: O(named).
    public mutating func reloadSections(_ identifiers: [SectionID]) throws(SnapshotError<SectionID, ItemID>) {
        for identifier in identifiers { _ = try token(of: identifier) }
        marks.reloadedSections.formUnion(identifiers)
    }

    /// Asks for new cells for these items when the snapshot is applied (documented).
    ///
    /// - Throws: ``SnapshotError/unknownItem(_:)`` (the original traps).
    /// - Complexity: O(named).
    public mutating func reloadItems(_ identifiers: [ItemID]) throws(SnapshotError<SectionID, ItemID>) {
        for identifier in identifiers { _ = try place(of: identifier) }
        marks.reloadedItems.formUnion(identifiers)
        marks.reconfiguredItems.subtract(identifiers)
    }

    /// Asks that the cells of these items stay, and are filled anew, when the snapshot is applied (documented).
    ///
    /// An item that shall be reloaded is not reconfigured too (chosen).
    ///
    /// - Throws: ``SnapshotError/unknownItem(_:)`` (the original traps).
    /// - Complexity: O(named).
    public mutating func reconfigureItems(_ identifiers: [ItemID]) throws(SnapshotError<SectionID, ItemID>) {
        for identifier in identifiers { _ = try place(of: identifier) }
        for identifier in identifiers where !marks.reloadedItems.contains(identifier) {
            marks.reconfiguredItems.insert(identifier)
        }
    }

    /// The sections that shall be reloaded, in their order (documented).
    ///
    /// - Complexity: O(r · log r), r the number of them.
    public var reloadedSectionIdentifiers: [SectionID] {
        marks.reloadedSections.map { ($0, indexOfSection($0) ?? 0) }.sorted { $0.1 < $1.1 }.map(\.0)
    }

    /// The items that shall be reloaded, in their order (documented).
    ///
    /// - Complexity: O(r · log r), r the number of them.
    public var reloadedItemIdentifiers: [ItemID] { inOrder(marks.reloadedItems) }

    /// The items that shall be reconfigured, in their order (documented).
    ///
    /// - Complexity: O(r · log r), r the number of them.
    public var reconfiguredItemIdentifiers: [ItemID] { inOrder(marks.reconfiguredItems) }

    /// The same snapshot, with nothing marked for reloading: what stands when it has been applied.
    public var withoutMarks: Snapshot {
        var copy = self
        copy.marks = SnapshotMarks()
        return copy
    }

    private func inOrder(_ items: Set<ItemID>) -> [ItemID] {
        items.compactMap { item in places[item].map { (item, path(of: $0)) } }.sorted { $0.1 < $1.1 }.map(\.0)
    }
}
