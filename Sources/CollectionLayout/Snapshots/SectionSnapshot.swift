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
