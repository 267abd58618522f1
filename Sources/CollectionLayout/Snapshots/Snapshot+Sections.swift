extension Snapshot {
    /// Adds sections without items at the end (documented).
    ///
    /// - Throws: ``SnapshotError/duplicateSection(_:)``.
    /// - Complexity: O(new · log sections).
    public mutating func appendSections(_ identifiers: [SectionID]) throws(SnapshotError<SectionID, ItemID>) {
        try placeSections(identifiers, at: order.count)
    }

    /// Adds sections without items before one (documented).
    ///
    /// - Throws: ``SnapshotError/unknownSection(_:)``, ``SnapshotError/duplicateSection(_:)``.
    /// - Complexity: O(sections).
    public mutating func insertSections(
        _ identifiers: [SectionID], beforeSection anchor: SectionID
    ) throws(SnapshotError<SectionID, ItemID>) {
        let token = try token(of: anchor)
        try placeSections(identifiers, at: sections[token].index)
    }

    /// Adds sections without items after one (documented).
    ///
    /// - Throws: ``SnapshotError/unknownSection(_:)``, ``SnapshotError/duplicateSection(_:)``.
    /// - Complexity: O(sections).
    public mutating func insertSections(
        _ identifiers: [SectionID], afterSection anchor: SectionID
    ) throws(SnapshotError<SectionID, ItemID>) {
        let token = try token(of: anchor)
        try placeSections(identifiers, at: sections[token].index + 1)
    }

    /// Takes sections away with their items (documented). One that is named twice counts once.
    ///
    /// - Throws: ``SnapshotError/unknownSection(_:)`` (chosen).
    /// - Complexity: O(sections + items of those that go).
    public mutating func deleteSections(_ identifiers: [SectionID]) throws(SnapshotError<SectionID, ItemID>) {
        var removed: Set<Int> = []
        for identifier in identifiers { removed.insert(try token(of: identifier)) }
        if !removed.isEmpty { removeSections(removed) }
    }

    /// Moves a section with its items before another; before itself, it stays (chosen).
    ///
    /// - Throws: ``SnapshotError/unknownSection(_:)``.
    /// - Complexity: O(sections).
    public mutating func moveSection(
        _ identifier: SectionID, beforeSection anchor: SectionID
    ) throws(SnapshotError<SectionID, ItemID>) {
        let source = try sections[token(of: identifier)].index
        let target = try sections[token(of: anchor)].index
        if source != target { moveSection(at: source, to: source < target ? target - 1 : target) }
    }

    /// Moves a section with its items after another; after itself, it stays (chosen).
    ///
    /// - Throws: ``SnapshotError/unknownSection(_:)``.
    /// - Complexity: O(sections).
    public mutating func moveSection(
        _ identifier: SectionID, afterSection anchor: SectionID
    ) throws(SnapshotError<SectionID, ItemID>) {
        let source = try sections[token(of: identifier)].index
        let target = try sections[token(of: anchor)].index
        if source != target { moveSection(at: source, to: source < target ? target : target + 1) }
    }
}
