package import EPGCalendar
package import EPGModel

/// The content of the search page: a part of the results.
package struct SearchPage: Sendable {
    /// The query as entered; empty before the first search.
    fileprivate let words: String
    /// The 0-based index of the first match among all results.
    fileprivate let offset: Int
    fileprivate let results: SearchResults
    /// Searches that find something, if this one finds nothing.
    fileprivate let suggestions: [String]
    fileprivate let now: Instant
    fileprivate let zone: Zone

    /// The number of matches per page, which groups them by title.
    package static let limit = 120

    package init(
        words: String, offset: Int, results: SearchResults, suggestions: [String] = [], now: Instant, zone: Zone
    ) {
        self.words = words
        self.offset = offset
        self.results = results
        self.suggestions = suggestions
        self.now = now
        self.zone = zone
    }
}

/// The matches of a search with one title, which are all upcoming or all over.
struct TitleMatches: Sendable {
    /// The next airing, or the last one.
    var first: SearchMatch
    /// The other airings, sorted like ``first``.
    var others: [SearchMatch] = []

    /// Groups matches by title, ignoring case. A group is at the place of its best match.
    static func groups(of matches: [SearchMatch], at now: Instant) -> [TitleMatches] {
        var groups: [TitleMatches] = []
        var places: [String: Int] = [:]
        // Past airings are sorted already.
        for match in matches {
            let key = match.airing.title.foldedForComparison
            guard !key.isEmpty, let place = places[key] else {
                places[key] = groups.count
                groups.append(TitleMatches(first: match))
                continue
            }
            groups[place].others.append(match)
        }
        return groups.map { group in
            guard group.first.airing.window.end > now else { return group }
            let all = ([group.first] + group.others).sorted { $0.airing.window.start < $1.airing.window.start }
            return TitleMatches(first: all[0], others: Array(all.dropFirst()))
        }
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
        clock = frame.clock(in: page.zone)
    }

    /// The document in UTF-8.
    package var bytes: [UInt8] {
        frame.html { html in
            html.element("div", [.view("lede")]) { html in
                html.element("h1", text: html.texts("search"))
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
        let texts = frame.texts
        guard !page.words.isEmpty else { return texts("searchLede") }
        switch page.results.total {
        case 0:
            return texts(page.results.isTotalExact ? "nothingFound" : "nothingFoundYet", ["words": page.words])
        case let total:
            return texts(
                page.results.isTotalExact ? "resultsExact" : "resultsMany", count: total, ["words": page.words])
        }
    }

    private func writeForm(_ html: inout HTMLWriter) {
        html.element("form", [.view("filter"), .url("action", "/search")]) { html in
            for (name, value) in frame.shared {
                html.hidden(name, value)
            }
            html.element("label") { html in
                html.element("span", text: html.texts("searchHint"))
                html.void("input", [.text("type", "search"), .text("name", "q"), .text("maxlength", "200")])
            }
            html.button(html.texts("search"))
        }
    }

    private func writeNothing(_ html: inout HTMLWriter) {
        if !page.suggestions.isEmpty {
            html.element("p", [.view("empty", "suggestions")]) { html in
                html.text(html.texts("didYouMean"), "words") { html in
                    for (place, words) in page.suggestions.enumerated() {
                        if place > 0 { html.text(html.texts("or")) }
                        html.element(
                            "a", [.url("href", frame.path("/search", [("q", words)])), .text("dir", "auto")],
                            text: words)
                    }
                }
            }
        }
        html.element("p", [.view("empty")]) { html in
            guard page.offset == 0 else { return html.text(html.texts("moreResultsNone")) }
            html.text(html.texts("nothingFoundHint") + " ")
            html.link(html.texts("allStations"), to: frame.path("/stations"))
            html.text(" · ")
            html.link(html.texts("backToGuide"), to: frame.path("/"))
        }
    }

    private func writeMatches(_ html: inout HTMLWriter) {
        let coming = page.results.matches.filter { $0.airing.window.end > page.now }
        let past = page.results.matches.filter { $0.airing.window.end <= page.now }
        for (heading, matches) in [(frame.texts("onNowAndComing"), coming), (frame.texts("over"), past)]
        where !matches.isEmpty {
            html.element("h2", [.view("part")], text: heading)
            html.element("ol", [.view("matches")]) { html in
                for group in TitleMatches.groups(of: matches, at: page.now) {
                    html.lineBreak()
                    html.element("li", [.view("match", group.first.airing.window.style(at: page.now))]) { html in
                        write(group.first, &html)
                        write(others: group.others, &html)
                    }
                }
            }
        }
    }

    private func write(_ match: SearchMatch, _ html: inout HTMLWriter) {
        let airing = match.airing
        html.airing(airing, clock, at: page.now, frame: frame) { html in
            write(frame.title(of: airing), .title, of: match, "strong", "title", &html)
            if let subtitle = airing.subtitle { write(subtitle, .subtitle, of: match, "span", "second", &html) }
            html.guideText("span", "station", match.stationName)
            if let description = airing.description {
                write(description, .description, of: match, "span", "text", &html)
            }
        }
    }

    /// The number of other airings of a title that are visible at once.
    private static let otherLimit = 3

    private func write(others: [SearchMatch], _ html: inout HTMLWriter) {
        guard !others.isEmpty else { return }
        html.element("div", [.view("others")]) { html in
            html.text(html.texts("also") + " ")
            write(links: others.prefix(SearchHTML.otherLimit), &html)
            let more = others.dropFirst(SearchHTML.otherLimit)
            guard !more.isEmpty else { return }
            html.text(" ")
            html.element("details") { html in
                html.element("summary", text: html.texts("andMore", count: more.count))
                write(links: more, &html)
            }
        }
    }

    private func write(links: ArraySlice<SearchMatch>, _ html: inout HTMLWriter) {
        for (place, match) in links.enumerated() {
            if place > 0 { html.text(", ") }
            html.element("a", [.url("href", frame.path("/airings/\(match.airing.id)"))]) { html in
                html.text(clock.day(of: match.airing.window.start, seenFrom: page.zone.date(at: page.now)))
                html.start(of: match.airing, clock)
                html.text(" · ")
                html.element("bdi", text: match.stationName)
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
