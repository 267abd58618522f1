/// Watches the order in which a record is encoded, and puts its first two levels into the stored order afterwards.
///
/// Nearly all records of most feeds are in order, and cost a comparison for each name. One that isn't is mended in the
/// bytes where only elements of the first two levels stand in the wrong order; anything rarer needs the whole tree.
struct ContentOrder {
    /// What has to be done about the order of a record.
    enum State {
        case inOrder
        /// Elements of the first two levels have to be moved.
        case needsSorting
        /// Only ``[ContentNode].canonical`` can put it right.
        case needsTree
    }

    /// An element of the first two levels: where it stands in the document, its end mark included.
    private struct Piece {
        let rank: UInt8
        let isNested: Bool
        let start: UInt32
        var end: UInt32

        var range: Range<Int> { Int(start)..<Int(end) }
    }

    private(set) var state = State.inOrder
    private var pieces: [Piece] = []
    /// One more than the rank of the last element on each level, from 1 on; 0 before the first.
    private var lastRanks: [UInt8] = [0, 0, 0]
    /// The levels on which a name was seen that nobody knows, a bit for each.
    private var unknownLevels: UInt64 = 0
    /// The levels whose open element holds a text, a bit for each.
    private var textLevels: UInt64 = 0
    private var lastAttribute: UInt8 = 0
    private var depth = 0

    /// Forgets what was before.
    mutating func begin() {
        state = .inOrder
        pieces.removeAll(keepingCapacity: true)
        lastRanks[1] = 0
        unknownLevels = 0
        textLevels = 0
        lastAttribute = 0
        depth = 0
    }

    /// An element begins at a place of the document.
    @inline(__always)
    mutating func begin(element rank: UInt8, at start: Int) {
        depth &+= 1
        lastAttribute = 0
        if depth &+ 1 >= lastRanks.count { lastRanks.append(0) }
        let last = lastRanks[depth]
        let place = rank &+ 1
        lastRanks[depth] = place
        lastRanks[depth &+ 1] = 0
        if depth <= 2 {
            let start = UInt32(truncatingIfNeeded: start)
            pieces.append(Piece(rank: rank, isNested: depth == 2, start: start, end: start))
        }
        unknownLevels &= (1 << UInt64(depth &+ 1)) &- 1
        textLevels &= (1 << UInt64(depth)) &- 1
        if rank == ContentNames.unknown {
            let level: UInt64 = 1 << UInt64(depth)
            if unknownLevels & level != 0 { state = .needsTree }
            unknownLevels |= level
        }
        if place < last { disorder() }
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
        if lastRanks[depth &+ 1] != 0 { state = .needsTree }
        textLevels |= 1 << UInt64(depth)
    }

    /// The innermost element has ended at a place of the document.
    @inline(__always)
    mutating func end(at end: Int) {
        if depth == 1 || depth == 2 {
            var index = pieces.count &- 1
            // The innermost open piece of this level: nested ones that follow a piece of the first level belong to it.
            while index > 0, depth == 1, pieces[index].isNested { index &-= 1 }
            pieces[index].end = UInt32(truncatingIfNeeded: end)
        }
        depth &-= 1
    }

    /// The whole of a record has to be looked at as a tree.
    mutating func needTree() { state = .needsTree }

    /// Notes that an element should stand before its sibling.
    private mutating func disorder() {
        let isMixed = textLevels & 1 << UInt64(depth &- 1) != 0
        if depth > 2 || isMixed {
            state = .needsTree
        } else if state == .inOrder {
            state = .needsSorting
        }
    }

    /// Copies a document in the stored order.
    ///
    /// - Parameter moved: Called for each element of the first level with where it stood and where it stands now.
    /// - Complexity: O(n log n) in the number of elements.
    func sorted(_ document: [UInt8], moved: (Range<Int>, Int) -> Void) -> [UInt8] {
        guard let first = pieces.first else { return document }
        var result = Array(document[..<Int(first.start)])
        result.reserveCapacity(document.count)
        for index in order(of: pieces.indices.filter { !pieces[$0].isNested }) {
            let piece = pieces[index].range
            moved(piece, result.count)
            var next = index + 1
            while next < pieces.count, pieces[next].isNested { next += 1 }
            guard next > index + 1 else {
                result.append(contentsOf: document[piece])
                continue
            }
            result.append(contentsOf: document[piece.lowerBound..<pieces[index + 1].range.lowerBound])
            for child in order(of: Array(index + 1..<next)) {
                result.append(contentsOf: document[pieces[child].range])
            }
            result.append(contentsOf: document[pieces[next - 1].range.upperBound..<piece.upperBound])
        }
        return result
    }

    /// Pieces by rank, those of one rank as they stood.
    private func order(of indices: [Int]) -> [Int] {
        indices.sorted { (pieces[$0].rank, $0) < (pieces[$1].rank, $1) }
    }
}
