import EPGCalendar
import EPGModel

/// The home page as HTML: a shelf that scrolls by itself, and cards in columns, which the style sheet lays out.
package struct HomeHTML {
    private let page: HomePage
    private let frame: PageFrame
    private let clock: ViewClock

    package init(_ page: HomePage, frame: PageFrame) {
        self.page = page
        self.frame = frame
        clock = ViewClock(zone: page.zone)
    }

    /// The whole document.
    package var bytes: [UInt8] {
        frame.html { html in
            html.element("div", [.view("lede")]) { html in
                html.element("h1", text: "Tonight")
                html.element("p") { html in
                    html.text("\(page.zone.date(at: page.now).label), ")
                    html.time(page.now, clock)
                }
            }
            guard !page.sections.isEmpty else { return writeNothing(&html) }
            html.element("div", [.view("canvas", "sections")]) { html in
                for index in page.sections.indices { writeSection(index, &html) }
            }
            html.element("p", [.view("more")]) { html in
                html.element(
                    "a", [.url("href", frame.address("/"))],
                    text: page.otherStations > 0
                        ? "The whole guide, with \(page.otherStations) more stations" : "The whole guide")
            }
        }
    }

    private func writeNothing(_ html: inout HTMLWriter) {
        guard !page.isWithoutGuide else {
            return html.element(
                "p", [.view("empty")], text: "There is no guide yet. It stands here as soon as listings are imported.")
        }
        html.element("p", [.view("empty")]) { html in
            html.text("Nothing is known of this evening. ")
            html.element("a", [.url("href", frame.address("/"))], text: "The guide")
            html.text(" shows what there is on other days.")
        }
    }

    private func writeSection(_ index: Int, _ html: inout HTMLWriter) {
        let section = page.sections[index]
        let heading = "section-\(index)"
        html.lineBreak()
        html.element(
            "section",
            [.view("section", section.kind.style), .text("aria-labelledby", heading)]
        ) { html in
            html.element("h2", [.id(heading), .view("head")]) { html in
                html.sign(section.kind.genre)
                html.element("span", text: section.title)
                if let aside = section.aside { html.element("span", [.view("aside")], text: aside) }
            }
            html.element("ul", [.view(section.kind == .highlights ? "shelf" : "cards")]) { html in
                for card in section.cards {
                    html.lineBreak()
                    html.element("li", [.view("card", card.genre.style, card.badge == nil ? nil : "has-badge")]) {
                        html in
                        write(card, kind: section.kind, &html)
                        html.badge(card.badge)
                    }
                }
            }
        }
    }

    private func write(_ card: HomeCard, kind: HomeSection.Kind, _ html: inout HTMLWriter) {
        let address = frame.address("/airings/\(card.id)")
        switch kind {
        case .highlights:
            html.element("a", [.view("feature"), .url("href", address)]) { writeFeature(card, &$0) }
        case .onNow:
            html.element("a", [.view("now"), .url("href", address)]) { writeCurrent(card, &$0) }
        case .later:
            html.element("a", [.view("later"), .url("href", address)]) { writeLater(card, &$0) }
        }
    }

    private func writeFeature(_ card: HomeCard, _ html: inout HTMLWriter) {
        html.element("span", [.view("still")]) { html in
            html.sign(card.genre)
            html.picture(card.picture, size: 320, instead: card.genre?.sign)
        }
        html.element("span", [.view("words")]) { html in
            html.guideText("strong", "title", card.title)
            html.element("span", [.view("when")]) { html in
                html.range(card.window, clock)
                html.text(" · ")
                html.guideText("span", "station", card.stationName)
            }
            if let facts = card.facts { html.element("span", [.view("facts")], text: facts) }
        }
        if card.window.contains(page.now) { html.progress(card.window, at: page.now) }
    }

    private func writeCurrent(_ card: HomeCard, _ html: inout HTMLWriter) {
        html.logo(card.logo, name: card.stationName)
        html.element("span", [.view("words")]) { html in
            html.guideText("span", "station", card.stationName)
            html.guideText("strong", "title", card.title)
            html.element("span", [.view("when")]) { html in
                html.range(card.window, clock)
                if let facts = card.facts { html.element("span", [.view("facts")], text: " · " + facts) }
            }
            if let next = card.next {
                html.element("span", [.view("next")]) { html in
                    html.text("Then ")
                    html.time(next.start, clock)
                    html.text(" ")
                    html.guideText("span", "title", next.title)
                }
            }
        }
        html.progress(card.window, at: page.now)
    }

    private func writeLater(_ card: HomeCard, _ html: inout HTMLWriter) {
        html.element("span", [.view("when")]) { $0.time(card.window.start, clock) }
        html.element("span", [.view("words")]) { html in
            html.guideText("strong", "title", card.title)
            if let text = card.text { html.guideText("span", "text", text) }
            html.guideText("span", "station", card.stationName)
        }
    }
}

extension HomeSection.Kind {
    var genre: Genre? {
        if case .later(let genre) = self { genre.genre } else { nil }
    }

    /// The class by which the style sheet knows it.
    fileprivate var style: String {
        switch self {
        case .highlights: "highlights"
        case .onNow: "on-now"
        case .later(let genre): genre.genre.style
        }
    }
}

extension HomeCard {
    /// `Film · 1951 · ★ 3/5`; `nil` where nothing is known.
    fileprivate var facts: String? {
        let facts = [genre?.name, episode, genre == .film ? year : nil, stars.map { "★ \($0)" }].compactMap(\.self)
        return facts.isEmpty ? nil : facts.joined(separator: " · ")
    }
}
