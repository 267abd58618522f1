/// The items of one section as an outline. An item can have children, which are visible while it is expanded. The type
/// corresponds to UIKit's `NSDiffableDataSourceSectionSnapshot`.
///
/// An item occurs only once in an outline. A snapshot is a value. If an operation throws, the snapshot is unchanged;
/// UIKit traps. The depth is not limited, because no operation is recursive.
///
/// ```swift
/// var outline = SectionSnapshot<String>()
/// try outline.append(["Food", "Drinks"])
/// try outline.append(["Apple", "Bread"], to: "Food")
/// try outline.expand(["Food"])
/// outline.visibleItems  // Food, Apple, Bread, Drinks
/// ```
public struct SectionSnapshot<ItemID: Hashable & Sendable>: Hashable, Sendable {
    private struct Node: Hashable, Sendable {
        /// The parent; `nil` for a root item.
        var parent: ItemID?
        var children: [ItemID] = []
        var isExpanded = false
    }

    private var nodes: [ItemID: Node] = [:]
    /// The root items in order.
    public private(set) var rootItems: [ItemID] = []

    /// Creates an empty outline.
    public init() {}
}

// MARK: - Queries

extension SectionSnapshot {
    /// All items, each before its children, whether visible or not.
    ///
    /// - Complexity: O(items).
    public var items: [ItemID] { list(rootItems) { _ in true } }

    /// The items whose ancestors are all expanded, each before its children.
    ///
    /// - Complexity: O(visible items).
    public var visibleItems: [ItemID] { list(rootItems, entering: \.isExpanded) }

    /// Returns whether the outline contains an item.
    ///
    /// - Complexity: O(1).
    public func contains(_ item: ItemID) -> Bool { nodes[item] != nil }

    /// Returns the parent of an item; `nil` for a root item or an item that isn't in the outline.
    ///
    /// - Complexity: O(1).
    public func parent(of item: ItemID) -> ItemID? { nodes[item]?.parent }

    /// Returns the children of an item in order; empty if it isn't in the outline. UIKit has only
    /// ``snapshot(of:includingParent:)``.
    ///
    /// - Complexity: O(1).
    public func children(of item: ItemID) -> [ItemID] { nodes[item]?.children ?? [] }

    /// Returns the number of ancestors of an item, 0 for a root item; `nil` if it isn't in the outline. (UIKit traps.)
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

    /// Returns whether an item is expanded, so that its children are visible if it is. Items are collapsed initially.
    ///
    /// - Complexity: O(1).
    public func isExpanded(_ item: ItemID) -> Bool { nodes[item]?.isExpanded ?? false }

    /// Returns whether all ancestors of an item are expanded; `false` if it isn't in the outline.
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

    /// Returns the outline below an item, optionally with the item as its root.
    ///
    /// - Throws: ``SnapshotError/unknownItem(_:)``. (UIKit traps.)
    /// - Complexity: O(descendants).
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

// MARK: - Traversal

extension SectionSnapshot {
    /// Returns items and their descendants, each before its children.
    private func list(_ roots: [ItemID], entering isEntered: (Node) -> Bool) -> [ItemID] {
        var result: [ItemID] = []
        var waiting = Array(roots.reversed())
        while let item = waiting.popLast() {
            result.append(item)
            if let node = nodes[item], isEntered(node) { waiting.append(contentsOf: node.children.reversed()) }
        }
        return result
    }

    private func node(of item: ItemID) throws(SnapshotError<Never, ItemID>) -> Node {
        guard let node = nodes[item] else { throw .unknownItem(item) }
        return node
    }
}

extension SectionSnapshot {
    /// Appends items to the children of `parent`, or to the root items.
    ///
    /// - Throws: ``SnapshotError/unknownItem(_:)``, ``SnapshotError/duplicateItem(_:)``.
    /// - Complexity: O(new items).
    public mutating func append(
        _ items: [ItemID], to parent: ItemID? = nil
    ) throws(SnapshotError<Never, ItemID>) {
        let siblings = if let parent { try node(of: parent).children.count } else { rootItems.count }
        try place(.plain(items), below: parent, at: siblings)
    }

    /// Inserts items before `anchor`, among its siblings.
    ///
    /// - Throws: ``SnapshotError/unknownItem(_:)``, ``SnapshotError/duplicateItem(_:)``.
    /// - Complexity: O(new items + siblings).
    public mutating func insert(_ items: [ItemID], before anchor: ItemID) throws(SnapshotError<Never, ItemID>) {
        try place(.plain(items), below: node(of: anchor).parent, at: place(of: anchor))
    }

    /// Inserts items after `anchor` and its descendants, among its siblings.
    ///
    /// - Throws: ``SnapshotError/unknownItem(_:)``, ``SnapshotError/duplicateItem(_:)``.
    /// - Complexity: O(new items + siblings).
    public mutating func insert(_ items: [ItemID], after anchor: ItemID) throws(SnapshotError<Never, ItemID>) {
        try place(.plain(items), below: node(of: anchor).parent, at: place(of: anchor) + 1)
    }

    /// Replaces the descendants of an item with an outline. An item may be in both.
    ///
    /// - Throws: ``SnapshotError/unknownItem(_:)``, ``SnapshotError/duplicateItem(_:)``.
    /// - Complexity: O(old and new descendants).
    public mutating func replace(
        childrenOf parent: ItemID, using outline: SectionSnapshot
    ) throws(SnapshotError<Never, ItemID>) {
        var copy = self
        try copy.delete(node(of: parent).children)
        try copy.place(outline, below: parent, at: 0)
        self = copy
    }

    /// Deletes items with their descendants. Duplicates in `items` are ignored.
    ///
    /// - Throws: ``SnapshotError/unknownItem(_:)``.
    /// - Complexity: O(deleted items + their siblings).
    public mutating func delete(_ items: [ItemID]) throws(SnapshotError<Never, ItemID>) {
        var parents: Set<ItemID> = []
        var isTopTouched = false
        for item in items {
            if let parent = try node(of: item).parent { parents.insert(parent) } else { isTopTouched = true }
        }
        // A descendant of another deleted item may be visited again, but is no longer found.
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

    /// Expands items, which makes their children visible. Expanding an item without children affects children added
    /// later.
    ///
    /// - Throws: ``SnapshotError/unknownItem(_:)``. (UIKit traps.)
    /// - Complexity: O(`items`).
    public mutating func expand(_ items: [ItemID]) throws(SnapshotError<Never, ItemID>) {
        for item in items { _ = try node(of: item) }
        for item in items { nodes[item]?.isExpanded = true }
    }

    /// Collapses items, which hides their children. Expanded descendants stay expanded, but hidden.
    ///
    /// - Throws: ``SnapshotError/unknownItem(_:)``. (UIKit traps.)
    /// - Complexity: O(`items`).
    public mutating func collapse(_ items: [ItemID]) throws(SnapshotError<Never, ItemID>) {
        for item in items { _ = try node(of: item) }
        for item in items { nodes[item]?.isExpanded = false }
    }
}

// MARK: - Insertion

extension SectionSnapshot {
    /// Returns an outline of root items. Duplicates are detected when the outline is placed.
    static func plain(_ items: [ItemID]) -> SectionSnapshot {
        var outline = SectionSnapshot()
        outline.rootItems = items
        for item in items { outline.nodes[item] = Node() }
        return outline
    }

    /// Inserts an outline into the children of an item, or into the root items.
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
