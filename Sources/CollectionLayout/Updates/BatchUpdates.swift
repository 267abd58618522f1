/// Changes of the data that a collection view is told of together (documented: `performBatchUpdates`).
///
/// The order in which they are recorded doesn't matter. What is deleted, reloaded, reconfigured or moved away is named as it
/// stood before all of them; what is inserted and where something is moved to, as it stands after all of them (documented).
/// Moved and reloaded at once, an item is replaced at its new place (chosen: the original traps).
public struct BatchUpdates: Hashable, Sendable {
    private(set) var insertedItems: [IndexPath] = []
    private(set) var deletedItems: [IndexPath] = []
    private(set) var reloadedItems: [IndexPath] = []
    private(set) var reconfiguredItems: [IndexPath] = []
    private(set) var itemMoves: [PlaceChange<IndexPath>] = []
    private(set) var insertedSections: [Int] = []
    private(set) var deletedSections: [Int] = []
    private(set) var reloadedSections: [Int] = []
    private(set) var sectionMoves: [PlaceChange<Int>] = []

    /// No changes.
    public init() {}

    /// Records the changes of other updates too.
    package mutating func append(_ other: BatchUpdates) {
        insertedItems += other.insertedItems
        deletedItems += other.deletedItems
        reloadedItems += other.reloadedItems
        reconfiguredItems += other.reconfiguredItems
        itemMoves += other.itemMoves
        insertedSections += other.insertedSections
        deletedSections += other.deletedSections
        reloadedSections += other.reloadedSections
        sectionMoves += other.sectionMoves
    }
}

// MARK: - Items

extension BatchUpdates {
    /// Items that are new.
    ///
    /// - Parameter paths: Where they stand after all changes.
    public mutating func insertItems(at paths: [IndexPath]) { insertedItems += paths }

    /// Items that are gone.
    ///
    /// - Parameter paths: Where they stood before all changes.
    public mutating func deleteItems(at paths: [IndexPath]) { deletedItems += paths }

    /// Items whose cells are replaced by others.
    ///
    /// - Parameter paths: Where they stood before all changes (documented).
    public mutating func reloadItems(at paths: [IndexPath]) { reloadedItems += paths }

    /// Items whose cells stay and are filled again.
    ///
    /// - Parameter paths: Where they stood before all changes (chosen).
    public mutating func reconfigureItems(at paths: [IndexPath]) { reconfiguredItems += paths }

    /// An item that stands elsewhere, in its section or in another.
    ///
    /// - Parameters:
    ///   - source: Where it stood before all changes.
    ///   - target: Where it stands after all changes.
    public mutating func moveItem(at source: IndexPath, to target: IndexPath) {
        itemMoves.append(PlaceChange(from: source, to: target))
    }
}

// MARK: - Sections

extension BatchUpdates {
    /// Sections that are new, with all their items; items that are named too, or moved into them, are no contradiction.
    ///
    /// - Parameter sections: Where they stand after all changes.
    public mutating func insertSections(_ sections: [Int]) { insertedSections += sections }

    /// Sections that are gone, with all their items; items that are named too, or moved out of them, are no contradiction.
    ///
    /// - Parameter sections: Where they stood before all changes.
    public mutating func deleteSections(_ sections: [Int]) { deletedSections += sections }

    /// Sections whose items are all replaced, by as many as there are then.
    ///
    /// - Parameter sections: Where they stood before all changes.
    public mutating func reloadSections(_ sections: [Int]) { reloadedSections += sections }

    /// A section that stands elsewhere, with its items.
    ///
    /// - Parameters:
    ///   - source: Where it stood before all changes.
    ///   - target: Where it stands after all changes.
    public mutating func moveSection(_ source: Int, to target: Int) {
        sectionMoves.append(PlaceChange(from: source, to: target))
    }
}

// MARK: - Moves

/// Where something stood before an update, and where it stands after it.
public struct PlaceChange<Place: Hashable & Sendable>: Hashable, Sendable {
    /// Before the update.
    public var from: Place
    /// After the update.
    public var to: Place

    public init(from: Place, to: Place) {
        self.from = from
        self.to = to
    }
}

extension PlaceChange: CustomStringConvertible {
    public var description: String { "\(from) → \(to)" }
}
