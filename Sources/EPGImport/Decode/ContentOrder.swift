/// Watches the order in which the elements of a record are encoded.
///
/// Nearly all records of most feeds are in the stored order, and cost a comparison for each name. One that isn't is
/// mended in the bytes where only elements of the first two levels stand in the wrong order (see ``ContentSorting``);
/// anything rarer needs the whole tree.
struct ContentOrder {
    /// What has to be done about the order of a record.
    enum State {
        case inOrder
        /// Elements of the first two levels have to be moved.
        case needsSorting
        /// Only ``[ContentNode].canonical`` can put it right.
        case needsTree
    }

    private(set) var state = State.inOrder
    /// One more than the rank of the last element on each level, a byte for each; 0 before the first.
    private var lastRanks: UInt64 = 0
    /// The levels on which a name was seen that nobody knows, a byte for each.
    private var unknownLevels: UInt64 = 0
    /// The levels whose open element holds a text, a byte for each.
    private var textLevels: UInt64 = 0
    private var lastAttribute: UInt8 = 0
    /// Bits of the level that is open: eight for each.
    private var level: UInt64 = 0

    /// Levels that are watched; a record that goes deeper needs its tree.
    private static let deepest: UInt64 = 7 * 8

    /// Forgets what was before.
    mutating func begin() {
        self = ContentOrder()
    }

    /// An element begins.
    @inline(__always)
    mutating func begin(element rank: UInt8) {
        level &+= 8
        lastAttribute = 0
        guard level < Self.deepest else {
            state = .needsTree
            return
        }
        let place = UInt64(rank) &+ 1
        let last = lastRanks >> level & 0xFF
        // What was seen further in belongs to the sibling before.
        let outer: UInt64 = 1 << level &- 1
        lastRanks = lastRanks & outer | place << level
        textLevels &= outer
        unknownLevels &= outer | 0xFF << level
        if place < last { disorder() }
        if rank == ContentNames.unknown {
            if unknownLevels >> level & 1 != 0 { state = .needsTree }
            unknownLevels |= 1 << level
        }
    }

    /// An attribute of the element that began last; its code, 0 where it has none.
    @inline(__always)
    mutating func attribute(_ code: UInt8) {
        let rank = code == 0 ? ContentNames.unknown : code
        if rank < lastAttribute || rank == lastAttribute && rank == ContentNames.unknown { state = .needsTree }
        lastAttribute = rank
    }

    /// A text that says something. Within an element that holds elements too, all order stays.
    @inline(__always)
    mutating func text() {
        guard level < Self.deepest else { return }
        if lastRanks >> (level &+ 8) & 0xFF != 0 { state = .needsTree }
        textLevels |= 1 << level
    }

    /// The innermost element has ended.
    @inline(__always)
    mutating func end() {
        level &-= 8
    }

    /// The whole of a record has to be looked at as a tree.
    mutating func needTree() { state = .needsTree }

    /// Notes that an element should stand before its sibling.
    private mutating func disorder() {
        let isMixed = textLevels >> (level &- 8) & 1 != 0
        if level > 16 || isMixed {
            state = .needsTree
        } else if state == .inOrder {
            state = .needsSorting
        }
    }
}
