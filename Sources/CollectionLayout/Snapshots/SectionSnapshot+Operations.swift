extension SectionSnapshot {
    /// Adds items after the last child of one, or at the end of the top (documented).
    ///
    /// - Throws: ``SnapshotError/unknownItem(_:)``, ``SnapshotError/duplicateItem(_:)``.
    /// - Complexity: O(new).
    public mutating func append(
        _ items: [ItemID], to parent: ItemID? = nil
    ) throws(SnapshotError<Never, ItemID>) {
        let siblings = if let parent { try node(of: parent).children.count } else { rootItems.count }
        try place(.plain(items), below: parent, at: siblings)
    }

    /// Adds items before one, among its siblings (documented).
    ///
    /// - Throws: ``SnapshotError/unknownItem(_:)``, ``SnapshotError/duplicateItem(_:)``.
    /// - Complexity: O(new + siblings).
    public mutating func insert(_ items: [ItemID], before anchor: ItemID) throws(SnapshotError<Never, ItemID>) {
        try place(.plain(items), below: node(of: anchor).parent, at: place(of: anchor))
    }

    /// Adds items after one and what is below it, among its siblings (documented).
    ///
    /// - Throws: ``SnapshotError/unknownItem(_:)``, ``SnapshotError/duplicateItem(_:)``.
    /// - Complexity: O(new + siblings).
    public mutating func insert(_ items: [ItemID], after anchor: ItemID) throws(SnapshotError<Never, ItemID>) {
        try place(.plain(items), below: node(of: anchor).parent, at: place(of: anchor) + 1)
    }

    /// Adds a whole outline before an item, among its siblings (documented).
    ///
    /// - Throws: ``SnapshotError/unknownItem(_:)``, ``SnapshotError/duplicateItem(_:)``.
    /// - Complexity: O(new + siblings).
    public mutating func insert(
        _ outline: SectionSnapshot, before anchor: ItemID
    ) throws(SnapshotError<Never, ItemID>) {
        try place(outline, below: node(of: anchor).parent, at: place(of: anchor))
    }

    /// Adds a whole outline after an item and what is below it, among its siblings (documented).
    ///
    /// - Throws: ``SnapshotError/unknownItem(_:)``, ``SnapshotError/duplicateItem(_:)``.
    /// - Complexity: O(new + siblings).
    public mutating func insert(
        _ outline: SectionSnapshot, after anchor: ItemID
    ) throws(SnapshotError<Never, ItemID>) {
        try place(outline, below: node(of: anchor).parent, at: place(of: anchor) + 1)
    }

    /// Takes away what is below an item, and puts an outline there (documented). An item may stand in both.
    ///
    /// - Throws: ``SnapshotError/unknownItem(_:)``, ``SnapshotError/duplicateItem(_:)``.
    /// - Complexity: O(old and new items below).
    public mutating func replace(
        childrenOf parent: ItemID, using outline: SectionSnapshot
    ) throws(SnapshotError<Never, ItemID>) {
        var copy = self
        try copy.delete(node(of: parent).children)
        try copy.place(outline, below: parent, at: 0)
        self = copy
    }

    /// Takes items away with all that is below them (chosen: below nothing they would have no place). One that is named twice counts once.
    ///
    /// - Throws: ``SnapshotError/unknownItem(_:)`` (chosen).
    /// - Complexity: O(deleted + their siblings).
    public mutating func delete(_ items: [ItemID]) throws(SnapshotError<Never, ItemID>) {
        var parents: Set<ItemID> = []
        var isTopTouched = false
        for item in items {
            if let parent = try node(of: item).parent { parents.insert(parent) } else { isTopTouched = true }
        }
        // An item below another of them may be walked to once more, not found any longer.
        for item in items {
            var waiting = [item]
            while let next = waiting.popLast() {
                if let node = nodes.removeValue(forKey: next) { waiting.append(contentsOf: node.children) }
            }
        }
        if isTopTouched { rootItems.removeAll { nodes[$0] == nil } }
        for parent in parents {
            guard let left = nodes[parent]?.children.filter({ nodes[$0] != nil }) else { continue }
            nodes[parent]?.children = left
        }
    }

    /// Takes all items away (documented).
    public mutating func deleteAll() {
        self = SectionSnapshot()
    }

    /// Shows the children of items (documented). One without children takes note for later ones (chosen).
    ///
    /// - Throws: ``SnapshotError/unknownItem(_:)`` (the original traps).
    /// - Complexity: O(named).
    public mutating func expand(_ items: [ItemID]) throws(SnapshotError<Never, ItemID>) {
        for item in items { _ = try node(of: item) }
        for item in items { nodes[item]?.isExpanded = true }
    }

    /// Hides the children of items (documented); those of them that are expanded stay so, hidden (chosen).
    ///
    /// - Throws: ``SnapshotError/unknownItem(_:)`` (the original traps).
    /// - Complexity: O(named).
    public mutating func collapse(_ items: [ItemID]) throws(SnapshotError<Never, ItemID>) {
        for item in items { _ = try node(of: item) }
        for item in items { nodes[item]?.isExpanded = false }
    }
}

// MARK: - Placing

extension SectionSnapshot {
    /// Items without children, which may be named twice; placing them finds out.
    static func plain(_ items: [ItemID]) -> SectionSnapshot {
        var outline = SectionSnapshot()
        outline.rootItems = items
        for item in items { outline.nodes[item] = Node() }
        return outline
    }

    /// Puts an outline among the children of an item, or at the top.
    private mutating func place(
        _ outline: SectionSnapshot, below parent: ItemID?, at index: Int
    ) throws(SnapshotError<Never, ItemID>) {
        let added = outline.items
        for (count, item) in added.enumerated() {
            guard item == item, nodes[item] == nil else {
                for placed in added.prefix(count) { nodes[placed] = nil }
                throw item == item ? .duplicateItem(item) : .itemUnequalToItself(item)
            }
            nodes[item] = outline.nodes[item]
        }
        for item in outline.rootItems { nodes[item]?.parent = parent }
        if let parent {
            nodes[parent]?.children.insert(contentsOf: outline.rootItems, at: index)
        } else {
            rootItems.insert(contentsOf: outline.rootItems, at: index)
        }
    }

    private func place(of item: ItemID) throws(SnapshotError<Never, ItemID>) -> Int {
        let siblings = if let parent = try node(of: item).parent { children(of: parent) } else { rootItems }
        guard let index = siblings.firstIndex(of: item) else { throw .unknownItem(item) }
        return index
    }
}
