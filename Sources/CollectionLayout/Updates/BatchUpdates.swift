/// Changes to the data that are applied to a collection view together, as in UIKit's `performBatchUpdates`.
///
/// The order of recording doesn't matter. As in UIKit, deletions, reloads, reconfigurations and sources of moves use
/// the index paths before all changes; insertions and targets of moves use those after all changes. An item that is
/// both moved and reloaded is replaced at its new position; UIKit traps.
public struct BatchUpdates: Hashable, Sendable {
    /// The new index paths of inserted items.
    public private(set) var insertedItems: [IndexPath] = []
    /// The old index paths of deleted items.
    public private(set) var deletedItems: [IndexPath] = []
    /// The old index paths of items with new cells.
    public private(set) var reloadedItems: [IndexPath] = []
    /// The old index paths of items whose cells are configured again.
    public private(set) var reconfiguredItems: [IndexPath] = []
    /// The moves of items from old to new index paths.
    public private(set) var itemMoves: [PlaceChange<IndexPath>] = []
    /// The new indexes of inserted sections.
    public private(set) var insertedSections: [Int] = []
    /// The old indexes of deleted sections.
    public private(set) var deletedSections: [Int] = []
    /// The old indexes of sections with new cells.
    public private(set) var reloadedSections: [Int] = []
    /// The moves of sections from old to new indexes.
    public private(set) var sectionMoves: [PlaceChange<Int>] = []

    /// Creates empty updates.
    public init() {}
}

// MARK: - Items

extension BatchUpdates {
    /// Inserts items.
    ///
    /// - Parameter paths: Index paths after all changes.
    public mutating func insertItems(at paths: [IndexPath]) { insertedItems += paths }

    /// Deletes items.
    ///
    /// - Parameter paths: Index paths before all changes.
    public mutating func deleteItems(at paths: [IndexPath]) { deletedItems += paths }

    /// Replaces the cells of items.
    ///
    /// - Parameter paths: Index paths before all changes.
    public mutating func reloadItems(at paths: [IndexPath]) { reloadedItems += paths }

    /// Configures the existing cells of items again.
    ///
    /// - Parameter paths: Index paths before all changes.
    public mutating func reconfigureItems(at paths: [IndexPath]) { reconfiguredItems += paths }

    /// Moves an item within its section or to another section.
    ///
    /// - Parameters:
    ///   - source: The index path before all changes.
    ///   - target: The index path after all changes.
    public mutating func moveItem(at source: IndexPath, to target: IndexPath) {
        itemMoves.append(PlaceChange(from: source, to: target))
    }
}

// MARK: - Sections

extension BatchUpdates {
    /// Inserts sections with all their items. Items of these sections may also be inserted or moved here explicitly.
    ///
    /// - Parameter sections: Indexes after all changes.
    public mutating func insertSections(_ sections: [Int]) { insertedSections += sections }

    /// Deletes sections with all their items. Items of these sections may also be deleted or moved away explicitly.
    ///
    /// - Parameter sections: Indexes before all changes.
    public mutating func deleteSections(_ sections: [Int]) { deletedSections += sections }

    /// Replaces all items of sections; the number of items may change.
    ///
    /// - Parameter sections: Indexes before all changes.
    public mutating func reloadSections(_ sections: [Int]) { reloadedSections += sections }

    /// Moves a section with its items.
    ///
    /// - Parameters:
    ///   - source: The index before all changes.
    ///   - target: The index after all changes.
    public mutating func moveSection(_ source: Int, to target: Int) {
        sectionMoves.append(PlaceChange(from: source, to: target))
    }
}

// MARK: - Moves

/// The position of an item or section before and after an update.
public struct PlaceChange<Place: Hashable & Sendable>: Hashable, Sendable {
    /// The position before the update.
    public let from: Place
    /// The position after the update.
    public let to: Place

    /// Creates the change of a position.
    package init(from: Place, to: Place) {
        (self.from, self.to) = (from, to)
    }
}

/// The reason why batch updates are inconsistent. Inconsistent updates change nothing.
///
/// UIKit terminates the program instead. The error carries facts; ``description`` turns them into a message with
/// advice.
public enum BatchUpdateError: Error, Hashable, Sendable {
    /// The kind of change that names a position.
    public enum Operation: String, Hashable, Sendable, Comparable {
        /// Deletes the item or section at the old position.
        case delete
        /// Inserts an item or section at the new position.
        case insert
        /// Moves the item or section away from the old position.
        case moveAway = "move from"
        /// Moves an item or section to the new position.
        case moveHere = "move to"
        /// Configures the cell at the old position again.
        case reconfigure
        /// Replaces the cell at the old position.
        case reload

        public static func < (lhs: Operation, rhs: Operation) -> Bool { lhs.rawValue < rhs.rawValue }
    }

    /// The item counts of one section.
    public struct ItemCount: Hashable, Sendable {
        /// The index of the section before the changes.
        public let oldSection: Int
        /// The index of the section after the changes.
        public let newSection: Int
        /// The number of items before the changes.
        public let before: Int
        /// The number of inserted items.
        public let inserted: Int
        /// The number of deleted items.
        public let deleted: Int
        /// The number of items moved in from other sections.
        public let movedIn: Int
        /// The number of items moved out to other sections.
        public let movedOut: Int
        /// The number of items that the data source reports after the changes.
        public let after: Int
    }

    /// Batch updates began during other batch updates or during a layout pass.
    case nested
    /// The number of items after the changes isn't before + inserted − deleted + moved in − moved out.
    case itemCount(ItemCount)
    /// The number of sections after the changes isn't before + inserted − deleted.
    case sectionCount(before: Int, inserted: Int, deleted: Int, after: Int)
    /// The item doesn't exist before the changes, or after them for insertions and targets of moves. `count` is the
    /// number of items in its section.
    case unknownItem(IndexPath, Operation, count: Int)
    /// The section doesn't exist before the changes, or after them for insertions and targets of moves. `count` is the
    /// number of sections.
    case unknownSection(Int, Operation, count: Int)
    /// Two changes to the same item exclude each other.
    case itemTwice(IndexPath, Operation, Operation)
    /// Two changes to the same section exclude each other.
    case sectionTwice(Int, Operation, Operation)
}

extension BatchUpdateError: CustomStringConvertible {
    /// A message with the facts and advice.
    public var description: String {
        switch self {
        case .nested:
            "Batch updates began during other batch updates or a layout pass. Record all changes in one closure."
        case .itemCount(let count):
            """
            Section \(count.newSection) (\(count.oldSection) before the updates) has \(count.after) items after the \
            updates, but it had \(count.before), and the updates inserted \(count.inserted), deleted \
            \(count.deleted), moved in \(count.movedIn) and moved out \(count.movedOut). \(Self.advice)
            """
        case .sectionCount(let before, let inserted, let deleted, let after):
            """
            There are \(after) sections after the updates, but there were \(before), and the updates inserted \
            \(inserted) and deleted \(deleted). \(Self.advice)
            """
        case .unknownItem(let path, let operation, let count):
            operation.refusal(of: "\(path)", because: "the section has \(count) items")
        case .unknownSection(let section, let operation, let count):
            operation.refusal(of: "section \(section)", because: "there are \(count) sections")
        case .itemTwice(let path, let first, let second): Self.conflict("Item \(path)", first, second)
        case .sectionTwice(let section, let first, let second): Self.conflict("Section \(section)", first, second)
        }
    }

    private static let advice =
        "Change the data source inside the closure and record every change, or call reloadData() instead."

    private static func conflict(_ place: String, _ first: Operation, _ second: Operation) -> String {
        "\(place) has conflicting changes: \(first.rawValue) and \(second.rawValue). Record only one of them."
    }
}

extension BatchUpdateError.Operation {
    /// Whether the position is one after the changes.
    var refersToNew: Bool { self == .insert || self == .moveHere }

    fileprivate func refusal(of place: String, because reason: String) -> String {
        let (moment, changes) =
            refersToNew ? ("after", "Insertions and targets") : ("before", "Deletions, reloads and sources")
        return """
            Cannot \(rawValue) \(place): \(reason) \(moment) the updates. \(changes) of moves refer to positions \
            \(moment) all updates.
            """
    }
}
