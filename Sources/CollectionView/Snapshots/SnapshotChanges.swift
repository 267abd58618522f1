public import CollectionLayout

/// The steps of one batch update, as places.
///
/// What is deleted, and where a move starts, counts in the old data; what is inserted, and where a move ends, in the new
/// (documented: `performBatchUpdates`). All lists grow: by the new place where there is one, else by the old.
///
/// A section that is deleted, inserted or moved takes its items along: ``deletedItems`` and ``insertedItems`` name only
/// items of sections that stay or move. ``movedItems`` also names items that leave a deleted section or enter an
/// inserted one, since their identity stays (chosen: with the original's own calls such a move is an error).
public struct SnapshotChanges: Hashable, Sendable {
    /// Places in the old data.
    public var deletedSections: [Int]
    /// Places in the new data.
    public var insertedSections: [Int]
    /// The fewest that put the sections in order; their items move with them.
    public var movedSections: [PlaceChange<Int>]
    /// Sections that stay and get new cells. They may also be moved.
    public var reloadedSections: [PlaceChange<Int>]
    /// Places in the old data, in sections that are not deleted.
    public var deletedItems: [IndexPath]
    /// Places in the new data, in sections that are not inserted.
    public var insertedItems: [IndexPath]
    /// Items that change their section, and the fewest others that put the items of each section in order.
    public var movedItems: [PlaceChange<IndexPath>]
    /// Items that stay and get new cells. They may also be moved.
    public var reloadedItems: [PlaceChange<IndexPath>]
    /// Items whose cells stay and are filled anew. They may also be moved.
    public var reconfiguredItems: [PlaceChange<IndexPath>]

    /// Nothing, until members are set.
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

    /// Whether sections and items stay as and where they are; some may get new cells all the same.
    public var keepsStructure: Bool {
        deletedSections.isEmpty && insertedSections.isEmpty && movedSections.isEmpty && deletedItems.isEmpty
            && insertedItems.isEmpty && movedItems.isEmpty
    }

    /// Whether there is nothing to do.
    public var isEmpty: Bool {
        keepsStructure && reloadedSections.isEmpty && reloadedItems.isEmpty && reconfiguredItems.isEmpty
    }
}

extension BatchUpdates {
    /// The changes that lead from one snapshot to another.
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
