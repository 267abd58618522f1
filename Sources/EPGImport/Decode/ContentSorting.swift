import EPGModel

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
        var result = Array(document[..<first.start])
        result.reserveCapacity(document.count)
        for index in order(of: pieces.indices.filter { !pieces[$0].isNested }) {
            let piece = pieces[index]
            moved(piece.start..<piece.end, result.count)
            var next = index + 1
            while next < pieces.count, pieces[next].isNested { next += 1 }
            guard next > index + 1 else {
                result.append(contentsOf: document[piece.start..<piece.end])
                continue
            }
            result.append(contentsOf: document[piece.start..<pieces[index + 1].start])
            for child in order(of: Array(index + 1..<next)) {
                result.append(contentsOf: document[pieces[child].start..<pieces[child].end])
            }
            result.append(contentsOf: document[pieces[next - 1].end..<piece.end])
        }
        return result
    }

    /// Pieces by rank, those of one rank as they stood.
    private func order(of indices: [Int]) -> [Int] {
        indices.sorted { (pieces[$0].rank, $0) < (pieces[$1].rank, $1) }
    }

    private mutating func findPieces() {
        var offset = 0
        var open: [Int] = []
        var depth = 0
        while offset < document.count {
            let start = offset
            let token = document[offset]
            offset += 1
            switch token {
            case ContentToken.end:
                depth -= 1
                if depth < 2, let piece = open.popLast() { pieces[piece].end = offset }
            case ContentToken.text: skipText(&offset)
            case ContentToken.hoisted: break
            case ContentToken.attribute:
                skipText(&offset)
                skipText(&offset)
            case ContentName.firstAttributeCode...: skipText(&offset)
            default:
                if token == ContentToken.element { skipText(&offset) }
                if depth < 2 {
                    open.append(pieces.count)
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
