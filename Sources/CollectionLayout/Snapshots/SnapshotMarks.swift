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
