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
    /// `snapshot(of:includingParent:)`.
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
        if let parent { _ = try node(of: parent) }
        for (count, item) in items.enumerated() {
            guard item == item, nodes[item] == nil else {
                for placed in items.prefix(count) { nodes[placed] = nil }
                throw item == item ? .duplicateItem(item) : .itemUnequalToItself(item)
            }
            nodes[item] = Node(parent: parent)
        }
        if let parent { nodes[parent]?.children += items } else { rootItems += items }
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

extension SectionSnapshot {
    /// Creates an outline of distinct root items.
    init(roots items: [ItemID]) {
        rootItems = items
        for item in items { nodes[item] = Node() }
    }
}
