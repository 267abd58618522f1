import EPGModel
import XMLTV

/// Moves the elements of the first two levels of an encoded record into the stored order, in the bytes.
struct ContentSorting {
    /// An element: where it stands in the document, its end mark included.
    private struct Piece {
        let rank: UInt8
        let isNested: Bool
        let start: Int
        var end: Int
    }

    private let document: [UInt8]
    private var pieces: [Piece] = []

    /// - Parameter document: As ``RecordEncoder`` wrote it; see ``ContentToken``.
    /// - Complexity: O(n).
    init(_ document: [UInt8]) {
        self.document = document
        findPieces()
    }

    /// The document in the stored order.
    ///
    /// - Parameter moved: Called for each element of the first level with where it stood and where it stands now.
    /// - Complexity: O(n log n) in the number of elements.
    func sorted(moved: (Range<Int>, Int) -> Void) -> [UInt8] {
        guard let first = pieces.first else { return document }
        let document = document.span
        var result: [UInt8] = []
        result.reserveCapacity(document.count)
        result.append(document, from: 0, count: first.start)
        for index in order(of: pieces.indices, areNested: false) {
            let piece = pieces[index]
            moved(piece.start..<piece.end, result.count)
            let next = pieces[(index + 1)...].firstIndex { !$0.isNested } ?? pieces.endIndex
            guard next > index + 1 else {
                result.append(document, from: piece.start, count: piece.end - piece.start)
                continue
            }
            result.append(document, from: piece.start, count: pieces[index + 1].start - piece.start)
            for child in order(of: index + 1..<next, areNested: true) {
                result.append(document, from: pieces[child].start, count: pieces[child].end - pieces[child].start)
            }
            result.append(document, from: pieces[next - 1].end, count: piece.end - pieces[next - 1].end)
        }
        return result
    }

    /// The pieces of a level by rank, those of one rank as they stood.
    private func order(of indices: Range<Int>, areNested: Bool) -> some Sequence<Int> {
        // Rank and index in one number: sorting numbers needs no look at the pieces.
        var keys: [UInt64] = []
        keys.reserveCapacity(indices.count)
        for index in indices where pieces[index].isNested == areNested {
            keys.append(UInt64(pieces[index].rank) << 32 | UInt64(UInt32(truncatingIfNeeded: index)))
        }
        keys.sort()
        return keys.lazy.map { Int($0 & 0xFFFF_FFFF) }
    }

    private mutating func findPieces() {
        var offset = 0
        var outer = 0
        var depth = 0
        pieces.reserveCapacity(32)
        while offset < document.count {
            let start = offset
            let token = document[offset]
            offset += 1
            switch token {
            case ContentToken.end:
                depth -= 1
                if depth == 0 { pieces[outer].end = offset }
                if depth == 1 { pieces[pieces.count - 1].end = offset }
            case ContentToken.text: skipText(&offset)
            case ContentToken.hoisted: break
            case ContentToken.attribute:
                skipText(&offset)
                skipText(&offset)
            case ContentName.firstAttributeCode...: skipText(&offset)
            default:
                if token == ContentToken.element { skipText(&offset) }
                if depth < 2 {
                    if depth == 0 { outer = pieces.count }
                    pieces.append(Piece(rank: Self.rank(of: token), isNested: depth == 1, start: start, end: start))
                }
                depth += 1
            }
        }
    }

    private static func rank(of token: UInt8) -> UInt8 {
        guard token >= ContentName.firstElementCode else { return ContentNames.unknown }
        return ContentName.elementOrder(ofCode: token)
    }

    /// Passes over a length and so many bytes.
    private func skipText(_ offset: inout Int) {
        var length = 0
        var shift = 0
        while offset < document.count {
            let byte = document[offset]
            offset += 1
            length |= Int(byte & 0x7F) << shift
            shift += 7
            if byte < 0x80 { break }
        }
        offset = min(document.count, offset + length)
    }
}
