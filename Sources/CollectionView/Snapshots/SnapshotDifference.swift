public import CollectionLayout

/// The difference between two snapshots: positions for the view and identifiers for the data.
///
/// An item in both snapshots is never deleted and inserted, so that it keeps its cell, selection and focus.
///
/// ```swift
/// let difference = SnapshotDifference(from: old, to: new)
/// try view.performBatchUpdates { updates in updates = BatchUpdates(difference.changes) }
/// ```
public struct SnapshotDifference<SectionID: Hashable & Sendable, ItemID: Hashable & Sendable>: Hashable, Sendable {
    /// A new item and its index path in the new snapshot, which may be in an inserted section.
    struct Arrival: Hashable, Sendable {
        let path: IndexPath
        let item: ItemID
    }

    /// The steps of one batch update.
    public private(set) var changes = SnapshotChanges()
    /// The identifiers of ``SnapshotChanges/insertedSections``, in the same order.
    private(set) var sectionArrivals: [SectionID] = []
    /// Sorted by index path.
    private(set) var itemArrivals: [Arrival] = []
    /// The number of items in each old section.
    let oldCounts: [Int]
    /// The number of items in each new section.
    let newCounts: [Int]
    let marks: SnapshotMarks<SectionID, ItemID>

    /// Compares two snapshots. The marks of the new snapshot are included for items and sections that the old one
    /// contains.
    ///
    /// The number of moves is minimal: in each section, and among the sections, the longest subsequence that is in
    /// order stays. The method is P. Heckel's (1978), with the longest increasing subsequence for the moves.
    ///
    /// - Complexity: O(sections + items), with one lookup for each new one, plus O(m log m) for m sections or items out
    ///   of order in one section, plus O(r log r) for r marks.
    public init(from old: Snapshot<SectionID, ItemID>, to new: Snapshot<SectionID, ItemID>) {
        oldCounts = old.order.map { old.sections[$0].items.count }
        newCounts = new.order.map { new.sections[$0].items.count }
        marks = new.marks
        let origins = compareSections(old, new)
        compareItems(old, new, origins: origins)
        carryMarks(old, new)
    }
}

// MARK: - Sections

extension SnapshotDifference {
    /// Returns, for each new section, its token in the old snapshot.
    private mutating func compareSections(
        _ old: Snapshot<SectionID, ItemID>, _ new: Snapshot<SectionID, ItemID>
    ) -> [Int?] {
        var stays = [Bool](repeating: false, count: old.order.count)
        var sources: [Int] = []
        var targets: [Int] = []
        let origins = new.order.enumerated().map { index, token -> Int? in
            let identifier = new.sections[token].id
            guard let origin = old.tokens[identifier] else {
                changes.insertedSections.append(index)
                sectionArrivals.append(identifier)
                return nil
            }
            stays[old.sections[origin].index] = true
            sources.append(old.sections[origin].index)
            targets.append(index)
            return origin
        }
        changes.deletedSections = stays.indices.filter { !stays[$0] }
        for (index, isInOrder) in LongestIncreasingSubsequence.flags(in: sources).enumerated() where !isInOrder {
            changes.movedSections.append(PlaceChange(from: sources[index], to: targets[index]))
        }
        return origins
    }
}

// MARK: - Items

extension SnapshotDifference {
    private mutating func compareItems(
        _ old: Snapshot<SectionID, ItemID>, _ new: Snapshot<SectionID, ItemID>, origins: [Int?]
    ) {
        var stays = oldCounts.map { [Bool](repeating: false, count: $0) }
        for (section, token) in new.order.enumerated() {
            var sources: [IndexPath] = []
            var targets: [Int] = []
            for (index, item) in new.sections[token].items.enumerated() {
                if let place = old.places[item] {
                    let source = old.path(of: place)
                    stays[source.section][source.item] = true
                    sources.append(source)
                    targets.append(index)
                } else {
                    let path = IndexPath(section: section, item: index)
                    itemArrivals.append(Arrival(path: path, item: item))
                    if origins[section] != nil { changes.insertedItems.append(path) }
                }
            }
            let origin = origins[section].map { old.sections[$0].index }
            addMoves(from: sources, to: targets, section: section, origin: origin)
        }
        for (section, token) in old.order.enumerated() where new.tokens[old.sections[token].id] != nil {
            for index in stays[section].indices where !stays[section][index] {
                changes.deletedItems.append(IndexPath(section: section, item: index))
            }
        }
    }

    /// Adds the moves of one new section: all items from other sections, and items that are out of order.
    private mutating func addMoves(from sources: [IndexPath], to targets: [Int], section: Int, origin: Int?) {
        var isInOrder = LongestIncreasingSubsequence.flags(in: sources.lazy.filter { $0.section == origin }.map(\.item))
            .makeIterator()
        for (source, target) in zip(sources, targets) {
            if source.section == origin, isInOrder.next() == true { continue }
            changes.movedItems.append(
                PlaceChange(from: source, to: IndexPath(section: section, item: target)))
        }
    }
}

// MARK: - Marks

extension SnapshotDifference {
    private mutating func carryMarks(_ old: Snapshot<SectionID, ItemID>, _ new: Snapshot<SectionID, ItemID>) {
        changes.reloadedSections = marks.reloadedSections.compactMap { section in
            guard let from = old.indexOfSection(section), let to = new.indexOfSection(section) else { return nil }
            return PlaceChange(from: from, to: to)
        }.sorted { $0.to < $1.to }
        let inBoth = { (items: Set<ItemID>) -> [PlaceChange<IndexPath>] in
            items.compactMap { item in
                guard let from = old.indexPath(of: item), let to = new.indexPath(of: item) else { return nil }
                return PlaceChange(from: from, to: to)
            }.sorted { $0.to < $1.to }
        }
        changes.reloadedItems = inBoth(marks.reloadedItems)
        changes.reconfiguredItems = inBoth(marks.reconfiguredItems)
    }
}

// MARK: - Application

extension SnapshotDifference {
    /// The old index of each new section; `nil` for an inserted section.
    var sectionOrigins: [Int?] {
        var leaving = Set(changes.deletedSections)
        var origins: [Int: Int] = [:]
        for move in changes.movedSections {
            leaving.insert(move.from)
            origins[move.to] = move.from
        }
        let inserted = Set(changes.insertedSections)
        var staying = oldCounts.indices.lazy.filter { !leaving.contains($0) }.makeIterator()
        return newCounts.indices.map { inserted.contains($0) ? nil : origins[$0] ?? staying.next() }
    }
}

/// The steps of one batch update, as positions.
///
/// Deletions and sources of moves are positions in the old data; insertions and targets of moves are positions in the
/// new data, as in UIKit's `performBatchUpdates`. All lists are sorted by the new position, or by the old one if there
/// is no new one.
///
/// A section that is deleted, inserted or moved takes its items along: ``deletedItems`` and ``insertedItems`` contain
/// only items of sections that stay or move. ``movedItems`` also contains items that leave a deleted section or enter
/// an inserted one, because their identity stays. With UIKit's own methods, such a move is an error.
public struct SnapshotChanges: Hashable, Sendable {
    /// Indexes in the old data.
    public var deletedSections: [Int]
    /// Indexes in the new data.
    public var insertedSections: [Int]
    /// The minimum number of moves that put the sections in order; their items move with them.
    public var movedSections: [PlaceChange<Int>]
    /// Sections that stay and get new cells. They can also be moved.
    public var reloadedSections: [PlaceChange<Int>]
    /// Index paths in the old data, in sections that are not deleted.
    public var deletedItems: [IndexPath]
    /// Index paths in the new data, in sections that are not inserted.
    public var insertedItems: [IndexPath]
    /// Items that change their section, and the minimum number of other moves that put the items of each section in
    /// order.
    public var movedItems: [PlaceChange<IndexPath>]
    /// Items that stay and get new cells. They can also be moved.
    public var reloadedItems: [PlaceChange<IndexPath>]
    /// Items whose existing cells are configured again. They can also be moved.
    public var reconfiguredItems: [PlaceChange<IndexPath>]

    /// Creates changes, empty by default.
    public init(
        deletedSections: [Int] = [], insertedSections: [Int] = [], movedSections: [PlaceChange<Int>] = [],
        reloadedSections: [PlaceChange<Int>] = [], deletedItems: [IndexPath] = [], insertedItems: [IndexPath] = [],
        movedItems: [PlaceChange<IndexPath>] = [], reloadedItems: [PlaceChange<IndexPath>] = [],
        reconfiguredItems: [PlaceChange<IndexPath>] = []
    ) {
        self.deletedSections = deletedSections
        self.insertedSections = insertedSections
        self.movedSections = movedSections
        self.reloadedSections = reloadedSections
        self.deletedItems = deletedItems
        self.insertedItems = insertedItems
        self.movedItems = movedItems
        self.reloadedItems = reloadedItems
        self.reconfiguredItems = reconfiguredItems
    }

    /// Whether all sections and items stay in place. Some may still get new cells.
    public var keepsStructure: Bool {
        deletedSections.isEmpty && insertedSections.isEmpty && movedSections.isEmpty && deletedItems.isEmpty
            && insertedItems.isEmpty && movedItems.isEmpty
    }

    /// Whether there are no changes.
    public var isEmpty: Bool {
        keepsStructure && reloadedSections.isEmpty && reloadedItems.isEmpty && reconfiguredItems.isEmpty
    }
}

extension BatchUpdates {
    /// Creates the batch updates for a set of changes.
    public init(_ changes: SnapshotChanges) {
        self.init()
        deleteSections(changes.deletedSections)
        insertSections(changes.insertedSections)
        for move in changes.movedSections { moveSection(move.from, to: move.to) }
        reloadSections(changes.reloadedSections.map(\.from))
        deleteItems(at: changes.deletedItems)
        insertItems(at: changes.insertedItems)
        for move in changes.movedItems { moveItem(at: move.from, to: move.to) }
        reloadItems(at: changes.reloadedItems.map(\.from))
        reconfigureItems(at: changes.reconfiguredItems.map(\.from))
    }
}

/// The longest increasing subsequence of a list: the elements that can stay in place while all others move.
private enum LongestIncreasingSubsequence {
    /// Returns, for each number, whether it belongs to the subsequence.
    ///
    /// Of several subsequences with the same length, it is the one with the smallest last number, then the smallest
    /// second-to-last number, and so on, so that the result is deterministic.
    ///
    /// - Parameter numbers: Distinct numbers.
    /// - Complexity: O(n) if the list is increasing already, otherwise O(n log n).
    static func flags(in numbers: [Int]) -> [Bool] {
        /// For each length, the index of the smallest number with which a subsequence of that length ends.
        var ends: [Int] = []
        var predecessors = [Int](repeating: -1, count: numbers.count)
        for (index, number) in numbers.enumerated() {
            if let last = ends.last, numbers[last] > number {
                let length = firstEnd(in: ends, above: number, numbers)
                if length > 0 { predecessors[index] = ends[length - 1] }
                ends[length] = index
            } else {
                if let last = ends.last { predecessors[index] = last }
                ends.append(index)
            }
        }
        var flags = [Bool](repeating: false, count: numbers.count)
        var index = ends.last ?? -1
        while index >= 0 {
            flags[index] = true
            index = predecessors[index]
        }
        return flags
    }

    /// Returns the first of the ends whose number is above `number`; there must be one.
    private static func firstEnd(in ends: [Int], above number: Int, _ numbers: [Int]) -> Int {
        var low = 0
        var high = ends.count - 1
        while low < high {
            let middle = low + (high - low) / 2
            if numbers[ends[middle]] > number {
                high = middle
            } else {
                low = middle + 1
            }
        }
        return low
    }
}
