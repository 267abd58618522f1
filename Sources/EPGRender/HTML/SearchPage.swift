package import EPGCalendar
package import EPGModel

/// What the page of a search shows: a part of what was found.
package struct SearchPage: Sendable {
    /// As they were written; empty where nothing was searched for yet.
    let words: String
    /// The place of the first match among all of them, from 0.
    let offset: Int
    let results: SearchResults
    let now: Instant
    let zone: Zone

    /// How many matches a page has.
    package static let limit = 40

    package init(words: String, offset: Int, results: SearchResults, now: Instant, zone: Zone) {
        self.words = words
        self.offset = offset
        self.results = results
        self.now = now
        self.zone = zone
    }
}

/// A text in pieces, some of which are what was searched for.
struct MarkedText: Hashable, Sendable {
    struct Piece: Hashable, Sendable {
        let text: String
        let isMarked: Bool
    }

    let pieces: [Piece]

    /// - Parameter ranges: In UTF-8 bytes, ascending. What lies outside of the text, or cuts a character, is left out.
    init(_ text: String, marking ranges: [Range<Int>]) {
        var pieces: [Piece] = []
        var reached = text.startIndex
        for range in ranges {
            guard let start = MarkedText.index(range.lowerBound, in: text),
                let end = MarkedText.index(range.upperBound, in: text), start >= reached, start < end
            else { continue }
            if reached < start { pieces.append(Piece(text: String(text[reached..<start]), isMarked: false)) }
            pieces.append(Piece(text: String(text[start..<end]), isMarked: true))
            reached = end
        }
        if reached < text.endIndex { pieces.append(Piece(text: String(text[reached...]), isMarked: false)) }
        self.pieces = pieces
    }

    private static func index(_ offset: Int, in text: String) -> String.Index? {
        guard offset >= 0, offset <= text.utf8.count else { return nil }
        return text.utf8.index(text.startIndex, offsetBy: offset).samePosition(in: text.unicodeScalars)
    }

    /// The same, from shortly before the first mark on, so that it is seen in a line or two.
    func excerpt(before limit: Int = 60) -> MarkedText {
        guard let first = pieces.first, !first.isMarked, pieces.count > 1, first.text.count > limit else { return self }
        let tail = first.text.suffix(limit)
        let words = tail.firstIndex(of: " ").map { tail[tail.index(after: $0)...] } ?? tail
        return MarkedText(pieces: [Piece(text: "… " + words, isMarked: false)] + pieces.dropFirst())
    }

    private init(pieces: [Piece]) {
        self.pieces = pieces
    }
}
