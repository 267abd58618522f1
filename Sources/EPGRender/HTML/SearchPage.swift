package import EPGCalendar
package import EPGModel

/// The content of the search page: a part of the results.
package struct SearchPage: Sendable {
    /// The query as entered; empty before the first search.
    fileprivate let words: String
    /// The 0-based index of the first match among all results.
    fileprivate let offset: Int
    fileprivate let results: SearchResults
    fileprivate let now: Instant
    fileprivate let zone: Zone

    /// The number of matches per page.
    package static let limit = 40

    package init(words: String, offset: Int, results: SearchResults, now: Instant, zone: Zone) {
        self.words = words
        self.offset = offset
        self.results = results
        self.now = now
        self.zone = zone
    }
}

/// A text in pieces, some of which are highlighted.
struct MarkedText: Hashable, Sendable {
    struct Piece: Hashable, Sendable {
        let text: String
        let isMarked: Bool
    }

    let pieces: [Piece]

    /// - Parameter ranges: Ascending ranges in UTF-8 bytes; invalid ranges are ignored.
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

    /// Returns the text from at most `limit` characters before the first highlight on.
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

/// The HTML of the search page.
package struct SearchHTML: Sendable {
    private let page: SearchPage
    private let frame: PageFrame
    private let clock: GuideClock

    package init(_ page: SearchPage, frame: PageFrame) {
        self.page = page
        self.frame = frame
        clock = GuideClock(zone: page.zone)
    }

    /// The document in UTF-8.
    package var bytes: [UInt8] {
        frame.html { html in
            html.element("div", [.view("lede")]) { html in
                html.element("h1", text: "Search")
                html.element("p", text: summary)
            }
            if page.words.isEmpty { writeForm(&html) }
            if page.results.matches.isEmpty {
                if !page.words.isEmpty { writeNothing(&html) }
            } else {
                writeMatches(&html)
            }
            html.pager(
                offset: page.offset, limit: SearchPage.limit, count: page.results.matches.count,
                total: page.results.total
            ) { offset in
                frame.path(
                    "/search", [("q", page.words)] + (offset > 0 ? [("offset", String(offset))] : []))
            }
        }
    }

    private var summary: String {
        guard !page.words.isEmpty else { return "Search the titles and descriptions of all airings." }
        switch page.results.total {
        case 0 where !page.results.isTotalExact:
            return "Nothing found yet for “\(page.words)”. The search index is being updated; try again soon."
        case let total where !page.results.isTotalExact: return "\(total) or more airings for “\(page.words)”"
        case 0: return "Nothing found for “\(page.words)”"
        case 1: return "1 airing for “\(page.words)”"
        default: return "\(page.results.total) airings for “\(page.words)”, best matches first"
        }
    }

    private func writeForm(_ html: inout HTMLWriter) {
        html.element("form", [.view("filter"), .url("action", "/search")]) { html in
            for (name, value) in frame.shared {
                html.hidden(name, value)
            }
            html.element("label") { html in
                html.element("span", text: "Words, “phrases”, or the start of a word with *")
                html.void("input", [.text("type", "search"), .text("name", "q"), .text("maxlength", "200")])
            }
            html.button("Search")
        }
    }

    private func writeNothing(_ html: inout HTMLWriter) {
        html.element(
            "p", [.view("empty")],
            text: page.offset > 0
                ? "There are no more results."
                : "An airing matches if its title or description contains all words. The last word may be incomplete. "
                    + "Try fewer words, or film* for other words that begin with film."
        )
    }

    private func writeMatches(_ html: inout HTMLWriter) {
        let coming = page.results.matches.filter { $0.airing.window.end > page.now }
        let past = page.results.matches.filter { $0.airing.window.end <= page.now }
        for (heading, matches) in [("On now and coming", coming), ("Over", past)] where !matches.isEmpty {
            html.element("h2", [.view("part")], text: heading)
            html.element("ol", [.view("matches")]) { html in
                for match in matches {
                    html.lineBreak()
                    html.element("li", [.view("match", match.airing.window.style(at: page.now))]) { write(match, &$0) }
                }
            }
        }
    }

    private func write(_ match: SearchMatch, _ html: inout HTMLWriter) {
        let airing = match.airing
        html.airing(airing, clock, at: page.now, frame: frame) { html in
            write(airing.shownTitle, .title, of: match, "strong", "title", &html)
            if let subtitle = airing.subtitle { write(subtitle, .subtitle, of: match, "span", "second", &html) }
            html.guideText("span", "station", match.stationName)
            if let description = airing.description {
                write(description, .description, of: match, "span", "text", &html)
            }
        }
    }

    private func write(
        _ text: String, _ field: SearchMatch.Field, of match: SearchMatch, _ element: StaticString, _ style: String,
        _ html: inout HTMLWriter
    ) {
        var marked = MarkedText(text, marking: match.highlights?[field] ?? [])
        if field == .description { marked = marked.excerpt() }
        html.element(element, [.view(style), .text("dir", "auto")]) { html in
            for piece in marked.pieces {
                if piece.isMarked { html.element("mark", text: piece.text) } else { html.text(piece.text) }
            }
        }
    }
}
