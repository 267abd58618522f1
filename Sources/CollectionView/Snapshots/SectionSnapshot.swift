/// The items of one section as an outline: an item may have children, which show while it is expanded (documented:
/// `NSDiffableDataSourceSectionSnapshot`).
///
/// An item stands in the outline once. A snapshot is a value; an operation that throws leaves it as it was (chosen: the
/// original traps). The depth is not limited: nothing here recurses.
///
/// ```swift
/// var outline = SectionSnapshot<String>()
/// try outline.append(["Food", "Drinks"])
/// try outline.append(["Apple", "Bread"], to: "Food")
/// try outline.expand(["Food"])
/// outline.visibleItems  // Food, Apple, Bread, Drinks
/// ```
public struct SectionSnapshot<ItemID: Hashable & Sendable>: Hashable, Sendable {
    struct Node: Hashable, Sendable {
        /// `nil` for an item at the top.
        var parent: ItemID?
        var children: [ItemID] = []
        var isExpanded = false
    }

    var nodes: [ItemID: Node] = [:]
    /// The items at the top, in their order (documented).
    public internal(set) var rootItems: [ItemID] = []

    /// An outline without items.
    public init() {}
}

// MARK: - Queries

extension SectionSnapshot {
    /// All items, each before its children, whether they show or not (documented).
    ///
    /// - Complexity: O(items).
    public var items: [ItemID] { list(rootItems) { _ in true } }

    /// The items all of whose parents are expanded, each before its children (documented).
    ///
    /// - Complexity: O(visible items).
    public var visibleItems: [ItemID] { list(rootItems, entering: \.isExpanded) }

    /// Whether the outline has the item (documented).
    ///
    /// - Complexity: O(1).
    public func contains(_ item: ItemID) -> Bool { nodes[item] != nil }

    /// The place of an item in ``items``; `nil` for one that isn't there (documented).
    ///
    /// - Complexity: O(items).
    public func index(of item: ItemID) -> Int? {
        contains(item) ? items.firstIndex(of: item) : nil
    }

    /// The item that an item is a child of; `nil` at the top, and for one that isn't there (documented).
    ///
    /// - Complexity: O(1).
    public func parent(of item: ItemID) -> ItemID? { nodes[item]?.parent }

    /// The children of an item, in their order; none for one that isn't there (chosen: the original has only
    /// ``snapshot(of:includingParent:)``).
    ///
    /// - Complexity: O(1).
    public func children(of item: ItemID) -> [ItemID] { nodes[item]?.children ?? [] }

    /// The number of parents above an item, 0 at the top; `nil` for one that isn't there (the original traps).
    ///
    /// - Complexity: O(depth).
    public func level(of item: ItemID) -> Int? {
        guard var node = nodes[item] else { return nil }
        var level = 0
        while let parent = node.parent.flatMap({ nodes[$0] }) {
            level += 1
            node = parent
        }
        return level
    }

    /// Whether the children of an item show where the item itself does (documented). At first they don't.
    ///
    /// - Complexity: O(1).
    public func isExpanded(_ item: ItemID) -> Bool { nodes[item]?.isExpanded ?? false }

    /// Whether all parents of an item are expanded; `false` for one that isn't there (documented).
    ///
    /// - Complexity: O(depth).
    public func isVisible(_ item: ItemID) -> Bool {
        guard var node = nodes[item] else { return false }
        while let parent = node.parent.flatMap({ nodes[$0] }) {
            guard parent.isExpanded else { return false }
            node = parent
        }
        return true
    }

    /// The outline below an item, with the item itself at its top on demand (documented).
    ///
    /// - Throws: ``SnapshotError/unknownItem(_:)`` (the original traps).
    /// - Complexity: O(items below).
    public func snapshot(
        of parent: ItemID, includingParent: Bool = false
    ) throws(SnapshotError<Never, ItemID>) -> SectionSnapshot {
        let top = try node(of: parent)
        var part = SectionSnapshot()
        part.rootItems = includingParent ? [parent] : top.children
        for item in list(part.rootItems, entering: { _ in true }) { part.nodes[item] = nodes[item] }
        for item in part.rootItems { part.nodes[item]?.parent = nil }
        return part
    }
}

// MARK: - Walking

extension SectionSnapshot {
    /// These items and what is below them, each before its children.
    func list(_ roots: [ItemID], entering isEntered: (Node) -> Bool) -> [ItemID] {
        var result: [ItemID] = []
        var waiting = Array(roots.reversed())
        while let item = waiting.popLast() {
            result.append(item)
            if let node = nodes[item], isEntered(node) { waiting.append(contentsOf: node.children.reversed()) }
        }
        return result
    }

    func node(of item: ItemID) throws(SnapshotError<Never, ItemID>) -> Node {
        guard let node = nodes[item] else { throw .unknownItem(item) }
        return node
    }
}

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
