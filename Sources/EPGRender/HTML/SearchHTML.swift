import EPGCalendar
import EPGModel

/// The page of a search as HTML.
package struct SearchHTML: Sendable {
    private let page: SearchPage
    private let frame: PageFrame
    private let clock: ViewClock

    package init(_ page: SearchPage, frame: PageFrame) {
        self.page = page
        self.frame = frame
        clock = ViewClock(zone: page.zone)
    }

    /// The whole document.
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
                frame.address(
                    "/search", [("q", page.words)] + (offset > 0 ? [("offset", String(offset))] : []))
            }
        }
    }

    private var summary: String {
        guard !page.words.isEmpty else { return "Titles and descriptions of everything in the guide." }
        switch page.results.total {
        case 0 where !page.results.isTotalExact:
            return "Nothing found yet for “\(page.words)”. The search index is being updated; try again soon."
        case let total where !page.results.isTotalExact: return "\(total) or more airings for “\(page.words)”"
        case 0: return "Nothing found for “\(page.words)”"
        case 1: return "1 airing for “\(page.words)”"
        default: return "\(page.results.total) airings for “\(page.words)”"
        }
    }

    private func writeForm(_ html: inout HTMLWriter) {
        html.element("form", [.view("filter"), .url("action", "/search")]) { html in
            for (name, value) in frame.shared {
                html.void("input", [.text("type", "hidden"), .text("name", name), .text("value", value)])
            }
            html.element("label") { html in
                html.element("span", text: "Words, “phrases”, or the start of a word with *")
                html.void("input", [.text("type", "search"), .text("name", "q"), .text("maxlength", "200")])
            }
            html.element("button", [.text("type", "submit")], text: "Search")
        }
    }

    private func writeNothing(_ html: inout HTMLWriter) {
        html.element(
            "p", [.view("empty")],
            text: page.offset > 0
                ? "There is no more."
                : "All words have to stand in a title or a description. Fewer words find more; film* finds what begins with film."
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
                    html.element("li", [.view("match", style(of: match))]) { write(match, &$0) }
                }
            }
        }
    }

    private func style(of match: SearchMatch) -> String {
        if match.airing.window.contains(page.now) { return "current" }
        return match.airing.window.end <= page.now ? "past" : "coming"
    }

    private func write(_ match: SearchMatch, _ html: inout HTMLWriter) {
        let airing = match.airing
        html.element("a", [.url("href", frame.address("/airings/\(airing.id)"))]) { html in
            html.element("span", [.view("when", Genre(categories: airing.categories).style)]) { html in
                html.element(
                    "span", [.view("date")], text: clock.day(page.zone.date(at: airing.window.start), at: page.now))
                html.time(airing.window.start, clock)
            }
            html.element("span", [.view("words")]) { html in
                write(airing.title, .title, of: match, "strong", "title", &html)
                if let subtitle = airing.subtitle { write(subtitle, .subtitle, of: match, "span", "second", &html) }
                html.guideText("span", "station", match.stationName)
                if let description = airing.description {
                    write(description, .description, of: match, "span", "text", &html)
                }
                if airing.window.contains(page.now) {
                    html.element("span", [.class("unseen")], text: "On now")
                    html.progress(airing.window, at: page.now)
                }
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
