import EPGCalendar
import EPGModel

/// The page of an airing as HTML.
package struct AiringHTML: Sendable {
    private let page: AiringPage
    private let frame: PageFrame
    private let clock: ViewClock

    package init(_ page: AiringPage, frame: PageFrame) {
        self.page = page
        self.frame = frame
        clock = ViewClock(zone: page.zone)
    }

    /// The whole document.
    package var bytes: [UInt8] {
        frame.html { html in
            html.element("article", [.view("airing", genre.style)]) { html in
                writePoster(&html)
                html.element("div", [.view("story")]) { html in
                    writeHead(&html)
                    writeStory(&html)
                    writeCredits(&html)
                    writeFacts(&html)
                    writeLinks(&html)
                    writeShowings(&html)
                }
            }
        }
    }

    private var airing: Airing { page.airing }

    private var genre: Genre? { Genre(categories: airing.categories) }

    private var stationPath: String { "/stations/\(airing.station.rawValue.percentEncoded)" }

    private func writePoster(_ html: inout HTMLWriter) {
        let picture = page.programme.pictures.first { HTTPAddress($0.address) != nil }
        html.element("div", [.view("poster", picture.map { $0.isWide ? "wide" : "tall" } ?? "blank")]) { html in
            html.sign(genre)
            html.picture(picture?.address, size: 480, instead: genre?.sign)
        }
    }

    private func writeHead(_ html: inout HTMLWriter) {
        html.element("p", [.view("of-station")]) { html in
            html.logo(page.station?.station.icons.first?.source, name: page.detail.stationName)
            html.element("a", [.view("station"), .text("dir", "auto"), .url("href", frame.address(stationPath))]) {
                $0.text(page.detail.stationName)
            }
        }
        html.element("h1", [.text("dir", "auto")]) { html in
            html.text(page.title)
            if let badge = AiringBadge(page.programme) {
                html.text(" ")
                html.badge(badge)
            }
        }
        if let other = page.otherTitle { html.guideText("p", "other-title", other) }
        if let subtitle = page.programme.subtitles.text(preferring: page.languages) ?? airing.subtitle {
            html.guideText("p", "subtitle", subtitle)
        }
        html.element("p", [.view("when")]) { html in
            html.text(clock.day(page.zone.date(at: airing.window.start), at: page.now) + ", ")
            html.range(airing.window, clock)
            html.element("span", [.view("length")], text: " · " + ViewClock.length(airing.window.seconds) + state)
        }
        if airing.window.contains(page.now) { html.progress(airing.window, at: page.now) }
        writeCategories(&html)
    }

    /// ` · on now, 12 min left`
    private var state: String {
        if airing.window.contains(page.now) {
            return " · on now, \(ViewClock.length(page.now.seconds(to: airing.window.end))) left"
        }
        return airing.window.end <= page.now ? " · over" : ""
    }

    private func writeCategories(_ html: inout HTMLWriter) {
        let categories = page.programme.categories.texts(preferring: page.languages)
        guard !categories.isEmpty else { return }
        html.element("ul", [.view("tags")]) { html in
            for category in categories { html.guideText("li", "", category) }
        }
    }

    private func writeStory(_ html: inout HTMLWriter) {
        let described = page.programme.descriptions.text(preferring: page.languages) ?? airing.description
        if let described { html.guideText("p", "description", described) }
        for review in page.programme.reviews {
            html.element("blockquote", [.text("dir", "auto")]) { html in
                if review.type == "url" {
                    html.link(review.content, text: "Review")
                } else {
                    html.element("p", text: review.content)
                }
                let from = [review.reviewer, review.source].compactMap(\.self).joined(separator: ", ")
                if !from.isEmpty { html.element("footer", text: from) }
            }
        }
    }

    private func writeCredits(_ html: inout HTMLWriter) {
        guard !page.credits.isEmpty else { return }
        html.element("h2", text: "Credits")
        html.element("dl", [.view("facts", "credits")]) { html in
            for (role, people) in page.credits {
                html.element("dt", text: role.prefix(1).uppercased() + role.dropFirst())
                for person in people {
                    html.element("dd", [.text("dir", "auto")]) { html in
                        html.text(person.name)
                        if let character = person.character {
                            html.element("span", [.view("character")], text: " as \(character)")
                        }
                        if person.isGuest { html.element("span", [.view("character")], text: " (guest)") }
                    }
                }
            }
        }
    }

    private func writeFacts(_ html: inout HTMLWriter) {
        let facts = AiringFacts(page).facts
        html.element("h2", text: "Details")
        html.element("dl", [.view("facts")]) { html in
            for (name, text) in facts {
                html.element("dt", [.text("dir", "auto")], text: name)
                html.guideText("dd", "", text)
            }
        }
    }

    private func writeLinks(_ html: inout HTMLWriter) {
        let start = airing.window.start
        html.element("ul", [.view("links")]) { html in
            html.element("li") { html in
                let beyond = start.secondsSince1970.quotientAndRemainderFloored(dividingBy: 1800).remainder
                let address = frame.guideAddress(from: start.advanced(by: -beyond), row: page.station?.row ?? 0)
                html.element("a", [.url("href", address)], text: "In the guide")
            }
            html.element("li") { html in
                let day = page.zone.date(at: start).description
                html.element(
                    "a", [.url("href", frame.address(stationPath, [("day", day)]))], text: "The station's day")
            }
            html.element("li") { html in
                html.element(
                    "a", [.url("href", "/airings/\(airing.id).ics"), .text("download", "programme.ics")],
                    text: "Add to calendar")
            }
            for url in page.programme.urls.prefix(8) {
                guard let web = HTTPAddress(url.address) else { continue }
                html.element("li") { $0.link(web.text, text: url.system ?? "Website") }
            }
        }
    }

    private func writeShowings(_ html: inout HTMLWriter) {
        guard !page.showings.isEmpty else { return }
        html.element("h2", text: "Other showings")
        html.element("ul", [.view("showings")]) { html in
            for showing in page.showings {
                html.element("li") { html in
                    html.element("a", [.url("href", frame.address("/airings/\(showing.airing.id)"))]) { html in
                        html.element("span", [.view("when")]) { html in
                            let day = page.zone.date(at: showing.airing.window.start)
                            html.text(clock.day(day, at: page.now) + ", ")
                            html.time(showing.airing.window.start, clock)
                        }
                        html.guideText("span", "station", showing.stationName)
                    }
                }
            }
        }
    }
}

extension HTMLWriter {
    /// A link to another host; the text alone where the address isn't one.
    fileprivate mutating func link(_ address: String, text: String) {
        guard let web = HTTPAddress(address) else { return self.text(text) }
        element("a", [.url("href", web.text), .text("rel", "noopener noreferrer"), .text("dir", "auto")], text: text)
    }
}
