public import CollectionLayout

/// Which sections there are, in which order, and which items stand in each: the state of a collection's data, by identity
/// (documented: `NSDiffableDataSourceSnapshot`).
///
/// An identifier stands in a snapshot once: an item in one section only. A snapshot is a value; an operation that throws
/// leaves it as it was (chosen: the original traps).
///
/// ```swift
/// var snapshot = Snapshot<String, Int>()
/// try snapshot.appendSections(["news", "sport"])
/// try snapshot.appendItems([1, 2], toSection: "news")
/// ```
public struct Snapshot<SectionID: Hashable & Sendable, ItemID: Hashable & Sendable>: Sendable {
    struct Section: Sendable {
        let id: SectionID
        var items: [ItemID] = []
        /// Its place among the sections.
        var index: Int
    }

    /// Where an item stands. The token of a section stays while the section moves.
    struct Place: Sendable {
        var token: Int
        var item: Int
    }

    /// By token; one that ``freeTokens`` names is not in use.
    private(set) var sections: [Section] = []
    private(set) var freeTokens: [Int] = []
    /// The tokens in the order of the sections.
    private(set) var order: [Int] = []
    private(set) var tokens: [SectionID: Int] = [:]
    private(set) var places: [ItemID: Place] = [:]
    private var offsets = ItemOffsets()
    var marks = SnapshotMarks<SectionID, ItemID>()

    /// A snapshot without sections.
    public init() {}

    /// The item's path, without a name for it: O(1).
    func path(of place: Place) -> IndexPath {
        IndexPath(section: sections[place.token].index, item: place.item)
    }

    /// The item's place in the list of all items.
    func flatIndex(of place: Place) -> Int {
        offsets.before(sections[place.token].index) + place.item
    }
}

// MARK: - The few steps that all operations consist of

extension Snapshot {
    /// Gives new sections their places, before the one that stands at an index or at the end.
    ///
    /// - Complexity: O(new + sections after them), and O(sections) unless at the end.
    mutating func placeSections(_ identifiers: [SectionID], at index: Int) throws(SnapshotError<SectionID, ItemID>) {
        var added: [Int] = []
        for identifier in identifiers {
            guard identifier == identifier, tokens[identifier] == nil else {
                for token in added { tokens[sections[token].id] = nil }
                freeTokens.append(contentsOf: added.reversed())
                throw identifier == identifier ? .duplicateSection(identifier) : .sectionUnequalToItself(identifier)
            }
            let section = Section(id: identifier, index: index + added.count)
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
        let isAtEnd = index == order.count
        order.insert(contentsOf: added, at: index)
        if isAtEnd {
            for _ in added { offsets.appendSection() }
        } else {
            renumberSections()
        }
    }

    /// Takes sections away, with their items and marks.
    ///
    /// - Complexity: O(sections + their items).
    mutating func removeSections(_ removed: Set<Int>) {
        for token in removed {
            for item in sections[token].items {
                places[item] = nil
                marks.remove(item)
            }
            sections[token].items = []
            tokens[sections[token].id] = nil
            marks.reloadedSections.remove(sections[token].id)
        }
        order.removeAll(where: removed.contains)
        freeTokens.append(contentsOf: removed.sorted(by: >))
        renumberSections()
    }

    mutating func moveSection(at source: Int, to target: Int) {
        let token = order.remove(at: source)
        order.insert(token, at: target)
        renumberSections()
    }

    private mutating func renumberSections() {
        for (index, token) in order.enumerated() { sections[token].index = index }
        offsets = ItemOffsets(counts: order.lazy.map { [sections] in sections[$0].items.count })
    }

    /// Gives new items their places in a section, before the one that stands at an index or at the end.
    ///
    /// - Complexity: O(new + items after them in the section).
    mutating func placeItems(
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
        offsets.add(identifiers.count, toSection: sections[token].index)
        renumberItems(of: token, in: (index + identifiers.count)..<sections[token].items.count)
    }

    /// Takes items away, with their marks; `firstOfToken` says from where on sections are touched.
    ///
    /// - Complexity: O(items + items of the sections that they stand in).
    mutating func removeItems(_ identifiers: [ItemID], firstOfToken: [Int: Int]) {
        for identifier in identifiers {
            places[identifier] = nil
            marks.remove(identifier)
        }
        for (token, first) in firstOfToken {
            let before = sections[token].items.count
            let kept = sections[token].items[first...].filter { places[$0] != nil }
            sections[token].items.replaceSubrange(first..., with: kept)
            offsets.add(sections[token].items.count - before, toSection: sections[token].index)
            renumberItems(of: token, in: first..<sections[token].items.count)
        }
    }

    /// Takes an item from its place to another; the target is counted without the item.
    ///
    /// - Complexity: O(items of the two sections after the places).
    mutating func moveItem(_ identifier: ItemID, from source: Place, to target: Place) {
        sections[source.token].items.remove(at: source.item)
        sections[target.token].items.insert(identifier, at: target.item)
        if source.token == target.token {
            renumberItems(
                of: source.token, in: min(source.item, target.item)..<(max(source.item, target.item) + 1))
        } else {
            offsets.add(-1, toSection: sections[source.token].index)
            offsets.add(1, toSection: sections[target.token].index)
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

// MARK: - Items

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

// MARK: - Marks

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

// MARK: - Queries: sections

extension Snapshot {
    /// The number of sections (documented).
    public var numberOfSections: Int { order.count }

    /// All sections, in their order (documented).
    ///
    /// - Complexity: O(sections).
    public var sectionIdentifiers: [SectionID] { order.map { sections[$0].id } }

    /// The place of a section among all; `nil` for one that isn't there (documented).
    ///
    /// - Complexity: O(1).
    public func indexOfSection(_ identifier: SectionID) -> Int? {
        tokens[identifier].map { sections[$0].index }
    }

    /// The section at a place among all; `nil` outside of them (chosen: the original asks its data source).
    ///
    /// - Complexity: O(1).
    public func sectionIdentifier(at index: Int) -> SectionID? {
        order.indices.contains(index) ? sections[order[index]].id : nil
    }

    /// The section that an item stands in; `nil` for one that isn't there (documented).
    ///
    /// - Complexity: O(1).
    public func sectionIdentifier(containingItem identifier: ItemID) -> SectionID? {
        places[identifier].map { sections[$0.token].id }
    }
}

// MARK: - Queries: items

extension Snapshot {
    /// The number of items in all sections (documented).
    ///
    /// - Complexity: O(1).
    public var numberOfItems: Int { places.count }

    /// All items, section by section (documented).
    ///
    /// - Complexity: O(items + sections).
    public var itemIdentifiers: [ItemID] { order.flatMap { sections[$0].items } }

    /// The number of items of a section (documented).
    ///
    /// - Throws: ``SnapshotError/unknownSection(_:)`` (chosen: the original traps).
    /// - Complexity: O(1).
    public func numberOfItems(inSection identifier: SectionID) throws(SnapshotError<SectionID, ItemID>) -> Int {
        try sections[token(of: identifier)].items.count
    }

    /// The items of a section, in their order (documented).
    ///
    /// - Throws: ``SnapshotError/unknownSection(_:)`` (chosen: the original traps).
    /// - Complexity: O(1).
    public func itemIdentifiers(inSection identifier: SectionID) throws(SnapshotError<SectionID, ItemID>) -> [ItemID] {
        try sections[token(of: identifier)].items
    }

    /// The place of an item in ``itemIdentifiers``, over all sections; `nil` for one that isn't there (documented).
    ///
    /// - Complexity: O(log sections); ``indexPath(of:)`` is O(1).
    public func indexOfItem(_ identifier: ItemID) -> Int? {
        places[identifier].map(flatIndex(of:))
    }

    /// The section and the place in it where an item stands; `nil` for one that isn't there (chosen: the original asks
    /// its data source).
    ///
    /// - Complexity: O(1).
    public func indexPath(of identifier: ItemID) -> IndexPath? {
        places[identifier].map(path(of:))
    }

    /// The item at a path; `nil` where there is none (chosen: the original asks its data source).
    ///
    /// - Complexity: O(1).
    public func itemIdentifier(at path: IndexPath) -> ItemID? {
        guard order.indices.contains(path.section) else { return nil }
        let items = sections[order[path.section]].items
        return items.indices.contains(path.item) ? items[path.item] : nil
    }
}

// MARK: - As counts and as a value

/// A layout can be prepared for a snapshot as it is.
extension Snapshot: SectionCounts {
    public var sectionCount: Int { numberOfSections }

    public func itemCount(inSection section: Int) -> Int {
        order.indices.contains(section) ? sections[order[section]].items.count : 0
    }
}

extension Snapshot: Equatable {
    /// Whether sections, items, their order and what is marked for reloading are the same.
    ///
    /// - Complexity: O(items + sections).
    public static func == (lhs: Snapshot, rhs: Snapshot) -> Bool {
        lhs.marks == rhs.marks && lhs.hasSameContent(as: rhs)
    }

    /// Whether sections, items and their order are the same, whatever is marked.
    ///
    /// - Complexity: O(items + sections).
    public func hasSameContent(as other: Snapshot) -> Bool {
        order.count == other.order.count
            && zip(order, other.order).allSatisfy { mine, others in
                sections[mine].id == other.sections[others].id && sections[mine].items == other.sections[others].items
            }
    }
}

// MARK: - Look-ups that throw

extension Snapshot {
    func token(of identifier: SectionID) throws(SnapshotError<SectionID, ItemID>) -> Int {
        guard let token = tokens[identifier] else { throw .unknownSection(identifier) }
        return token
    }

    func place(of identifier: ItemID) throws(SnapshotError<SectionID, ItemID>) -> Place {
        guard let place = places[identifier] else { throw .unknownItem(identifier) }
        return place
    }
}

// MARK: - Applying

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

/// What of a snapshot shall be shown anew although its identity stays.
struct SnapshotMarks<SectionID: Hashable & Sendable, ItemID: Hashable & Sendable>: Hashable, Sendable {
    var reloadedSections: Set<SectionID> = []
    var reloadedItems: Set<ItemID> = []
    /// Never also in ``reloadedItems``: a new cell is configured anyway.
    var reconfiguredItems: Set<ItemID> = []

    mutating func remove(_ item: ItemID) {
        reloadedItems.remove(item)
        reconfiguredItems.remove(item)
    }
}
