/// Why batch updates don't add up; nothing was changed then.
///
/// The original stops the program. The error carries facts; ``description`` makes a sentence of them, with advice.
public enum BatchUpdateError: Error, Hashable, Sendable {
    /// One of the changes that a place is named in.
    public enum Operation: String, Hashable, Sendable, Comparable {
        /// Takes away what stood at the place before.
        case delete
        /// Puts in what stands at the place after.
        case insert
        /// Takes what stood at the place before to another.
        case moveAway = "move from"
        /// Brings what stands at the place after from another.
        case moveHere = "move to"
        /// Fills the cell of what stood at the place before anew.
        case reconfigure
        /// Gives what stood at the place before another cell.
        case reload

        public static func < (lhs: Operation, rhs: Operation) -> Bool { lhs.rawValue < rhs.rawValue }
    }

    /// The numbers that belong together for the items of one section.
    public struct ItemCount: Hashable, Sendable {
        /// Where the section stood before the changes.
        public let oldSection: Int
        /// Where it stands after them.
        public let newSection: Int
        /// Items before the updates.
        public let before: Int
        /// Items that were inserted.
        public let inserted: Int
        /// Items that were deleted.
        public let deleted: Int
        /// Items that came from other sections.
        public let movedIn: Int
        /// Items that went to other sections.
        public let movedOut: Int
        /// What the data source says after the changes.
        public let after: Int
    }

    /// Batch updates, or a layout, were not at their end yet.
    case nested
    /// Items before + inserted − deleted + moved in − moved out are not the items after.
    case itemCount(ItemCount)
    /// Sections before + inserted − deleted are not the sections after.
    case sectionCount(before: Int, inserted: Int, deleted: Int, after: Int)
    /// No such item before the changes, or after them where it is inserted or moved to; `count` are in its section.
    case unknownItem(IndexPath, Operation, count: Int)
    /// No such section before the changes, or after them where it is inserted or moved to.
    case unknownSection(Int, Operation, count: Int)
    /// An item is named in two changes that exclude each other.
    case itemTwice(IndexPath, Operation, Operation)
    /// A section is named in two changes that exclude each other.
    case sectionTwice(Int, Operation, Operation)
}

extension BatchUpdateError: CustomStringConvertible {
    /// The facts in a sentence, and what to do.
    public var description: String {
        switch self {
        case .nested:
            "Batch updates began inside of others, or of a layout. Record all changes in one closure."
        case .itemCount(let count):
            """
            Section \(count.newSection) (before the updates \(count.oldSection)) has \(count.after) items after the \
            updates, yet it had \(count.before), and \(count.inserted) inserted, \(count.deleted) deleted, \
            \(count.movedIn) moved in, \(count.movedOut) moved out were recorded. \(Self.advice)
            """
        case .sectionCount(let before, let inserted, let deleted, let after):
            """
            There are \(after) sections after the updates, yet there were \(before), and \(inserted) inserted, \
            \(deleted) deleted were recorded. \(Self.advice)
            """
        case .unknownItem(let path, let operation, let count):
            """
            \(operation.rawValue) \(path): the section has \(count) items \(operation.moment) the updates. \
            \(operation.advice)
            """
        case .unknownSection(let section, let operation, let count):
            """
            \(operation.rawValue) section \(section): there are \(count) sections \(operation.moment) the updates. \
            \(operation.advice)
            """
        case .itemTwice(let path, let first, let second):
            "Item \(path) is named twice: \(first.rawValue) and \(second.rawValue). Record one of them."
        case .sectionTwice(let section, let first, let second):
            "Section \(section) is named twice: \(first.rawValue) and \(second.rawValue). Record one of them."
        }
    }

    private static var advice: String {
        "Change the data source inside the closure and record every change of it, or call reloadData() instead."
    }
}

extension BatchUpdateError.Operation {
    /// Whether the place is one of after the changes.
    var refersToNew: Bool { self == .insert || self == .moveHere }

    fileprivate var moment: String { refersToNew ? "after" : "before" }

    fileprivate var advice: String {
        refersToNew
            ? "Insertions and targets of moves are named as they stand after all updates."
            : "Deletions, reloads and sources of moves are named as they stood before all updates."
    }
}
