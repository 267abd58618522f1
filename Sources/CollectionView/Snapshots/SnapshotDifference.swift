import CollectionLayout

/// What leads from one snapshot to another: places for the view, identifiers for the data.
///
/// An item that stands in both is never deleted and inserted: its cell, selection and focus stay with it.
///
/// ```swift
/// let difference = SnapshotDifference(from: old, to: new)
/// try view.performBatchUpdates { updates in updates = BatchUpdates(difference.changes) }
/// ```
public struct SnapshotDifference<SectionID: Hashable & Sendable, ItemID: Hashable & Sendable>: Hashable, Sendable {
    /// An item that the old snapshot doesn't have, and where it stands in the new, also in an inserted section.
    struct Arrival: Hashable, Sendable {
        let path: IndexPath
        let item: ItemID
    }

    /// The steps of one batch update.
    public private(set) var changes = SnapshotChanges()
    /// The identifiers of ``SnapshotChanges/insertedSections``, one for each.
    private(set) var sectionArrivals: [SectionID] = []
    /// By path.
    private(set) var itemArrivals: [Arrival] = []
    /// The number of items of each section before.
    let oldCounts: [Int]
    /// The number of items of each section after.
    let newCounts: [Int]
    let marks: SnapshotMarks<SectionID, ItemID>

    /// Compares two snapshots; what the new one has marked for reloading is carried along, where the old one has it.
    ///
    /// The number of moves is the smallest possible: in each section, and among the sections, the longest run that is
    /// in order already stays (the method of P. Heckel, 1978, with the longest increasing subsequence for the moves).
    ///
    /// - Complexity: O(sections + items) with one look-up by identity for each of the new ones, and O(m log m) for
    ///   sections and items that are out of order, m in one section. The number of marks adds r · log r.
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
    /// Answers for each new section its token in the old snapshot.
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
        for (index, isInOrder) in LongestRun.flags(in: sources).enumerated() where !isInOrder {
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

    /// Adds the moves of one new section: of all items that come from elsewhere, and of those that are out of order.
    private mutating func addMoves(from sources: [IndexPath], to targets: [Int], section: Int, origin: Int?) {
        var isInOrder = LongestRun.flags(in: sources.lazy.filter { $0.section == origin }.map(\.item)).makeIterator()
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

// MARK: - Applying

extension SnapshotDifference {
    /// For each new section its place in the old data; `nil` for one that is inserted.
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
