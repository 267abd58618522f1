public import CollectionLayout

/// The sections of a collection, their order, and their items: the state of the data, by identity, like
/// UIKit's `NSDiffableDataSourceSnapshot`.
///
/// An identifier occurs only once in a snapshot: an item is in only one section. A snapshot is a value. If an operation
/// throws, the snapshot is unchanged; UIKit traps.
///
/// ```swift
/// var snapshot = Snapshot<String, Int>()
/// try snapshot.appendSections(["news", "sport"])
/// try snapshot.appendItems([1, 2], toSection: "news")
/// ```
public struct Snapshot<SectionID: Hashable & Sendable, ItemID: Hashable & Sendable>: Sendable {
    struct Section: Equatable, Sendable {
        let id: SectionID
        var items: [ItemID] = []
        /// The index of the section.
        var index: Int
    }

    /// The position of an item. The token of a section stays the same while the section moves.
    struct Place: Sendable {
        var token: Int
        var item: Int
    }

    /// By token; tokens in ``freeTokens`` are unused.
    private(set) var sections: [Section] = []
    private var freeTokens: [Int] = []
    /// The tokens in the order of the sections.
    private(set) var order: [Int] = []
    private(set) var tokens: [SectionID: Int] = [:]
    private(set) var places: [ItemID: Place] = [:]
    var marks = SnapshotMarks<ItemID>()

    /// Creates an empty snapshot.
    public init() {}

    /// Returns the index path of an item in O(1).
    func path(of place: Place) -> IndexPath {
        IndexPath(section: sections[place.token].index, item: place.item)
    }
}

// MARK: - Primitive operations

extension Snapshot {
    /// Removes sections with their items and marks.
    ///
    /// - Complexity: O(sections + their items).
    private mutating func removeSections(_ removed: Set<Int>) {
        for token in removed {
            for item in sections[token].items {
                places[item] = nil
                marks.remove(item)
            }
            sections[token].items = []
            tokens[sections[token].id] = nil
        }
        order.removeAll(where: removed.contains)
        freeTokens.append(contentsOf: removed.sorted(by: >))
        for (index, token) in order.enumerated() { sections[token].index = index }
    }

    /// Inserts new items into a section at an index.
    ///
    /// - Complexity: O(new items + items after them in the section).
    private mutating func placeItems(
        _ identifiers: [ItemID], token: Int, at index: Int
    ) throws(SnapshotError<SectionID, ItemID>) {
        for (count, identifier) in identifiers.enumerated() {
            guard identifier == identifier, places[identifier] == nil else {
                for added in identifiers.prefix(count) { places[added] = nil }
                throw identifier == identifier ? .duplicateItem(identifier) : .itemUnequalToItself(identifier)
            }
            places[identifier] = Place(token: token, item: index + count)
        }
        sections[token].items.insert(contentsOf: identifiers, at: index)
        renumberItems(of: token, in: (index + identifiers.count)..<sections[token].items.count)
    }

    /// Removes items with their marks. `firstOfToken` has the first affected index of each section.
    ///
    /// - Complexity: O(items + items of their sections).
    private mutating func removeItems(_ identifiers: [ItemID], firstOfToken: [Int: Int]) {
        for identifier in identifiers {
            places[identifier] = nil
            marks.remove(identifier)
        }
        for (token, first) in firstOfToken {
            let kept = sections[token].items[first...].filter { places[$0] != nil }
            sections[token].items.replaceSubrange(first..., with: kept)
            renumberItems(of: token, in: first..<sections[token].items.count)
        }
    }

    /// Moves an item. The target index doesn't count the item itself.
    ///
    /// - Complexity: O(items of the two sections after the positions).
    private mutating func moveItem(_ identifier: ItemID, from source: Place, to target: Place) {
        sections[source.token].items.remove(at: source.item)
        sections[target.token].items.insert(identifier, at: target.item)
        if source.token == target.token {
            renumberItems(
                of: source.token, in: min(source.item, target.item)..<(max(source.item, target.item) + 1))
        } else {
            renumberItems(of: source.token, in: source.item..<sections[source.token].items.count)
            renumberItems(of: target.token, in: target.item..<sections[target.token].items.count)
        }
    }

    private mutating func renumberItems(of token: Int, in range: Range<Int>) {
        for index in range {
            places[sections[token].items[index]] = Place(token: token, item: index)
        }
    }
}

// MARK: - Sections

extension Snapshot {
    /// Appends sections without items.
    ///
    /// - Throws: ``SnapshotError/duplicateSection(_:)``.
    /// - Complexity: O(new sections).
    public mutating func appendSections(_ identifiers: [SectionID]) throws(SnapshotError<SectionID, ItemID>) {
        var added: [Int] = []
        for identifier in identifiers {
            guard identifier == identifier, tokens[identifier] == nil else {
                for token in added { tokens[sections[token].id] = nil }
                freeTokens.append(contentsOf: added.reversed())
                throw identifier == identifier ? .duplicateSection(identifier) : .sectionUnequalToItself(identifier)
            }
            let section = Section(id: identifier, index: order.count + added.count)
            let token: Int
            if let free = freeTokens.popLast() {
                token = free
                sections[free] = section
            } else {
                token = sections.count
                sections.append(section)
            }
            tokens[identifier] = token
            added.append(token)
        }
        order += added
    }

    /// Deletes sections with their items. Duplicates in `identifiers` are ignored.
    ///
    /// - Throws: ``SnapshotError/unknownSection(_:)``.
    /// - Complexity: O(sections + deleted items).
    public mutating func deleteSections(_ identifiers: [SectionID]) throws(SnapshotError<SectionID, ItemID>) {
        var removed: Set<Int> = []
        for identifier in identifiers { removed.insert(try token(of: identifier)) }
        if !removed.isEmpty { removeSections(removed) }
    }
}

// MARK: - Items

extension Snapshot {
    /// Appends items to a section, by default to the last one.
    ///
    /// - Throws: ``SnapshotError/noSection`` if there is no section, ``SnapshotError/unknownSection(_:)``,
    ///   ``SnapshotError/duplicateItem(_:)``.
    /// - Complexity: O(new items).
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

    /// Inserts items before `anchor` in its section.
    ///
    /// - Throws: ``SnapshotError/unknownItem(_:)``, ``SnapshotError/duplicateItem(_:)``.
    /// - Complexity: O(new items + items after them in the section).
    public mutating func insertItems(
        _ identifiers: [ItemID], beforeItem anchor: ItemID
    ) throws(SnapshotError<SectionID, ItemID>) {
        let place = try place(of: anchor)
        try placeItems(identifiers, token: place.token, at: place.item)
    }

    /// Inserts items after `anchor` in its section.
    ///
    /// - Throws: ``SnapshotError/unknownItem(_:)``, ``SnapshotError/duplicateItem(_:)``.
    /// - Complexity: O(new items + items after them in the section).
    public mutating func insertItems(
        _ identifiers: [ItemID], afterItem anchor: ItemID
    ) throws(SnapshotError<SectionID, ItemID>) {
        let place = try place(of: anchor)
        try placeItems(identifiers, token: place.token, at: place.item + 1)
    }

    /// Deletes items from any sections. Duplicates in `identifiers` are ignored.
    ///
    /// - Throws: ``SnapshotError/unknownItem(_:)``.
    /// - Complexity: O(deleted items + items of their sections).
    public mutating func deleteItems(_ identifiers: [ItemID]) throws(SnapshotError<SectionID, ItemID>) {
        var firstOfToken: [Int: Int] = [:]
        for identifier in identifiers {
            let place = try place(of: identifier)
            firstOfToken[place.token] = min(firstOfToken[place.token] ?? place.item, place.item)
        }
        removeItems(identifiers, firstOfToken: firstOfToken)
    }

    /// Deletes all items, sections and marks for reloading.
    ///
    /// UIKit's documentation mentions only items, but UIKit was observed to delete sections, too. To keep the sections,
    /// delete ``itemIdentifiers``.
    public mutating func deleteAllItems() {
        self = Snapshot()
    }

    /// Moves an item before another, into its section; moving it before itself does nothing.
    ///
    /// - Throws: ``SnapshotError/unknownItem(_:)``.
    /// - Complexity: O(items of the two sections).
    public mutating func moveItem(
        _ identifier: ItemID, beforeItem anchor: ItemID
    ) throws(SnapshotError<SectionID, ItemID>) {
        try moveItem(identifier, to: anchor, plus: 0)
    }

    /// Moves an item after another, into its section; moving it after itself does nothing.
    ///
    /// - Throws: ``SnapshotError/unknownItem(_:)``.
    /// - Complexity: O(items of the two sections).
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

// MARK: - Marks

extension Snapshot {
    /// Marks items so that their cells are replaced when the snapshot is applied.
    ///
    /// - Throws: ``SnapshotError/unknownItem(_:)``. (UIKit traps.)
    /// - Complexity: O(`identifiers`).
    public mutating func reloadItems(_ identifiers: [ItemID]) throws(SnapshotError<SectionID, ItemID>) {
        for identifier in identifiers { _ = try place(of: identifier) }
        marks.reloadedItems.formUnion(identifiers)
        marks.reconfiguredItems.subtract(identifiers)
    }

    /// Marks items so that their existing cells are configured again when the snapshot is applied.
    ///
    /// An item marked for reloading is not reconfigured.
    ///
    /// - Throws: ``SnapshotError/unknownItem(_:)``. (UIKit traps.)
    /// - Complexity: O(`identifiers`).
    public mutating func reconfigureItems(_ identifiers: [ItemID]) throws(SnapshotError<SectionID, ItemID>) {
        for identifier in identifiers { _ = try place(of: identifier) }
        for identifier in identifiers where !marks.reloadedItems.contains(identifier) {
            marks.reconfiguredItems.insert(identifier)
        }
    }

    /// The items marked for reloading, in order.
    ///
    /// - Complexity: O(r · log r) for r items.
    public var reloadedItemIdentifiers: [ItemID] { inOrder(marks.reloadedItems) }

    /// The items marked for reconfiguring, in order.
    ///
    /// - Complexity: O(r · log r) for r items.
    public var reconfiguredItemIdentifiers: [ItemID] { inOrder(marks.reconfiguredItems) }

    private func inOrder(_ items: Set<ItemID>) -> [ItemID] {
        items.compactMap { item in places[item].map { (item, path(of: $0)) } }.sorted { $0.1 < $1.1 }.map(\.0)
    }
}

// MARK: - Section queries

extension Snapshot {
    /// The number of sections.
    public var numberOfSections: Int { order.count }

    /// All sections in order.
    ///
    /// - Complexity: O(sections).
    public var sectionIdentifiers: [SectionID] { order.map { sections[$0].id } }

    /// Returns the index of a section; `nil` if it isn't in the snapshot.
    ///
    /// - Complexity: O(1).
    public func indexOfSection(_ identifier: SectionID) -> Int? {
        tokens[identifier].map { sections[$0].index }
    }

    /// Returns the section at an index; `nil` if the index is out of range. In UIKit, this is a method of the data
    /// source.
    ///
    /// - Complexity: O(1).
    public func sectionIdentifier(at index: Int) -> SectionID? {
        order.indices.contains(index) ? sections[order[index]].id : nil
    }

    /// Returns the section that contains an item; `nil` if the item isn't in the snapshot.
    ///
    /// - Complexity: O(1).
    public func sectionIdentifier(containingItem identifier: ItemID) -> SectionID? {
        places[identifier].map { sections[$0.token].id }
    }
}

// MARK: - Item queries

extension Snapshot {
    /// The number of items in all sections.
    ///
    /// - Complexity: O(1).
    public var numberOfItems: Int { places.count }

    /// All items, section by section.
    ///
    /// - Complexity: O(items + sections).
    public var itemIdentifiers: [ItemID] { order.flatMap { sections[$0].items } }

    /// Returns the number of items in a section.
    ///
    /// - Throws: ``SnapshotError/unknownSection(_:)``. (UIKit traps.)
    /// - Complexity: O(1).
    public func numberOfItems(inSection identifier: SectionID) throws(SnapshotError<SectionID, ItemID>) -> Int {
        try sections[token(of: identifier)].items.count
    }

    /// Returns the items of a section in order.
    ///
    /// - Throws: ``SnapshotError/unknownSection(_:)``. (UIKit traps.)
    /// - Complexity: O(1).
    public func itemIdentifiers(inSection identifier: SectionID) throws(SnapshotError<SectionID, ItemID>) -> [ItemID] {
        try sections[token(of: identifier)].items
    }

    /// Returns the index path of an item; `nil` if it isn't in the snapshot. In UIKit, this is a method of the data
    /// source.
    ///
    /// - Complexity: O(1).
    public func indexPath(of identifier: ItemID) -> IndexPath? {
        places[identifier].map(path(of:))
    }

    /// Returns the item at an index path; `nil` if there is none. In UIKit, this is a method of the data source.
    ///
    /// - Complexity: O(1).
    public func itemIdentifier(at path: IndexPath) -> ItemID? {
        guard order.indices.contains(path.section) else { return nil }
        let items = sections[order[path.section]].items
        return items.indices.contains(path.item) ? items[path.item] : nil
    }
}

// MARK: - Conformances

/// A snapshot can serve directly as the counts for which a layout is prepared.
extension Snapshot: SectionCounts {
    public var sectionCount: Int { numberOfSections }

    public func itemCount(inSection section: Int) -> Int {
        order.indices.contains(section) ? sections[order[section]].items.count : 0
    }
}

extension Snapshot: Equatable {
    /// Returns whether two snapshots have the same sections, items, order and marks.
    ///
    /// - Complexity: O(items + sections).
    public static func == (lhs: Snapshot, rhs: Snapshot) -> Bool {
        lhs.marks == rhs.marks && lhs.order.map { lhs.sections[$0] } == rhs.order.map { rhs.sections[$0] }
    }
}

// MARK: - Throwing lookups

extension Snapshot {
    private func token(of identifier: SectionID) throws(SnapshotError<SectionID, ItemID>) -> Int {
        guard let token = tokens[identifier] else { throw .unknownSection(identifier) }
        return token
    }

    private func place(of identifier: ItemID) throws(SnapshotError<SectionID, ItemID>) -> Place {
        guard let place = places[identifier] else { throw .unknownItem(identifier) }
        return place
    }
}

/// The items of a snapshot whose cells are to be updated although their identity stays.
struct SnapshotMarks<ItemID: Hashable & Sendable>: Hashable, Sendable {
    var reloadedItems: Set<ItemID> = []
    /// Disjoint from ``reloadedItems``, because a new cell is configured anyway.
    var reconfiguredItems: Set<ItemID> = []

    mutating func remove(_ item: ItemID) {
        reloadedItems.remove(item)
        reconfiguredItems.remove(item)
    }
}

/// The reason why a snapshot rejected an operation. The snapshot is unchanged. (UIKit traps, or logs a warning and
/// continues.)
public enum SnapshotError<SectionID: Hashable & Sendable, ItemID: Hashable & Sendable>: Error, Hashable, Sendable {
    /// The section is already in the snapshot, or occurs twice in the argument.
    case duplicateSection(SectionID)
    /// The item is already in the snapshot, in any section, or occurs twice in the argument.
    case duplicateItem(ItemID)
    /// The section isn't in the snapshot.
    case unknownSection(SectionID)
    /// The item isn't in the snapshot.
    case unknownItem(ItemID)
    /// Items were appended to the last section of a snapshot without sections.
    case noSection
    /// The identifier isn't equal to itself, like NaN, so that it could never be found again.
    case sectionUnequalToItself(SectionID)
    /// The identifier isn't equal to itself, like NaN, so that it could never be found again.
    case itemUnequalToItself(ItemID)
}

extension SnapshotError: CustomStringConvertible {
    public var description: String {
        switch self {
        case .duplicateSection(let section):
            "Section \(section) would occur twice in the snapshot. Use each section once."
        case .duplicateItem(let item):
            "Item \(item) would occur twice in the snapshot. Use each item once across all sections, or move the item."
        case .unknownSection(let section):
            "The snapshot does not contain section \(section). Append it first, or check with indexOfSection(_:)."
        case .unknownItem(let item):
            "The snapshot does not contain item \(item). Append it first, or check with indexPath(of:)."
        case .noSection:
            "The snapshot has no sections. Append a section before you append items."
        case .sectionUnequalToItself(let section):
            "Section identifier \(section) is not equal to itself. Use identifiers that are."
        case .itemUnequalToItself(let item):
            "Item identifier \(item) is not equal to itself. Use identifiers that are."
        }
    }
}
