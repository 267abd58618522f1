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
