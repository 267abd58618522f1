package import EPGCalendar
import EPGJSON
package import EPGModel

/// The content of the page of an airing.
package struct AiringPage: Sendable {
    fileprivate let detail: AiringDetail
    /// The station; `nil` unless it is in the guide.
    fileprivate let station: StationRow?
    /// Other airings of the same programme, upcoming ones first.
    fileprivate let showings: [SearchMatch]
    /// Airings of other programmes that are similar.
    fileprivate let similar: [SearchMatch]
    /// Other channels that show the same.
    fileprivate let alternatives: [String]
    /// Whether a channel has a stream or a recording of the airing.
    fileprivate let isWatchable: Bool
    fileprivate let now: Instant
    fileprivate let zone: Zone
    /// The reader's languages in order of preference.
    fileprivate let languages: [String]

    /// The maximum number of other showings.
    private static let showingLimit = 20

    /// Reads the station and other showings of an airing.
    ///
    /// - Parameters:
    ///   - alternatives: Other channels that show the same.
    ///   - isWatchable: Whether a channel has a stream or a recording of the airing.
    package init(
        _ detail: AiringDetail, of guide: any GuideReading, alternatives: [String], isWatchable: Bool, now: Instant,
        zone: Zone, languages: [String]
    ) throws {
        self.init(
            detail: detail, station: try guide.station(detail.airing.station),
            showings: try guide.showings(of: detail.airing.id, after: now, limit: AiringPage.showingLimit),
            similar: try guide.similar(to: detail, at: now), alternatives: alternatives, isWatchable: isWatchable,
            now: now, zone: zone, languages: languages)
    }

    init(
        detail: AiringDetail, station: StationRow?, showings: [SearchMatch], similar: [SearchMatch] = [],
        alternatives: [String] = [], isWatchable: Bool = false, now: Instant, zone: Zone, languages: [String] = []
    ) {
        self.detail = detail
        self.station = station
        self.showings = showings
        self.similar = similar
        self.alternatives = alternatives
        self.isWatchable = isWatchable
        self.now = now
        self.zone = zone
        self.languages = languages
    }

    fileprivate var airing: Airing { detail.airing }
    fileprivate var programme: Programme { detail.programme }

    fileprivate var title: String { programme.titles.text(preferring: languages) ?? airing.shownTitle }

    /// Whether the programme is an episode, so that there may be others with its title.
    fileprivate var isSeries: Bool {
        airing.drawnGenre != .film
            && (airing.subtitle != nil || AiringText(airing).episode != nil || programme.series != nil)
    }

    /// The first title that differs from ``title``, usually one in another language.
    fileprivate var otherTitle: String? { programme.titles.first { $0.text != title }?.text }
}

/// The HTML of the page of an airing.
package struct AiringHTML: Sendable {
    private let page: AiringPage
    private let frame: PageFrame
    private let clock: GuideClock

    package init(_ page: AiringPage, frame: PageFrame) {
        self.page = page
        self.frame = frame
        clock = frame.clock(in: page.zone)
    }

    /// The document in UTF-8.
    package var bytes: [UInt8] {
        frame.html { html in
            html.element("article", [.view("airing", genre.style)]) { html in
                writePoster(&html)
                html.element("div", [.view("story")]) { html in
                    writeHead(&html)
                    writeActions(&html)
                    writeStory(&html)
                    writeCredits(&html)
                    writeFacts(&html)
                    writeLinks(&html)
                    writeShowings(&html)
                    writeSimilar(&html)
                }
            }
        }
    }

    private var airing: Airing { page.airing }

    private var genre: Genre? { airing.drawnGenre }

    private var stationPath: String { "/stations/\(airing.station.rawValue.percentEncoded)" }

    private func writePoster(_ html: inout HTMLWriter) {
        let picture = page.programme.pictures.first
        html.element("div", [.view("poster", picture.map { $0.isWide ? "wide" : "tall" } ?? "blank")]) { html in
            html.sign(genre)
            html.picture(
                frame.artwork.url(of: picture?.url.text, for: .airing(airing.id)), size: 480, instead: genre?.sign)
        }
    }

    private func writeHead(_ html: inout HTMLWriter) {
        html.element("p", [.view("of-station")]) { html in
            html.logo((page.station?.station).flatMap { frame.artwork.logo(of: $0) }, name: page.detail.stationName)
            html.element("a", [.view("station"), .text("dir", "auto"), .url("href", frame.path(stationPath))]) {
                $0.text(page.detail.stationName)
            }
        }
        html.element("h1", [.text("dir", "auto")]) { html in
            html.text(frame.title(page.title))
            if let badge = AiringBadge(AiringMarks(page.programme)) {
                html.text(" ")
                html.badge(badge)
            }
        }
        if let other = page.otherTitle { html.guideText("p", "other-title", other) }
        if let subtitle = page.programme.subtitles.text(preferring: page.languages) ?? airing.subtitle {
            html.guideText("p", "subtitle", subtitle)
        }
        html.element("p", [.view("when")]) { html in
            let date = page.zone.date(at: airing.window.start)
            html.text(clock.day(date, at: page.now) + ", ")
            html.times(of: airing, clock, seenFrom: date)
            html.element("span", [.view("length")], text: " · " + html.texts(duration: airing.window.seconds) + state)
        }
        if airing.window.contains(page.now) { html.progress(airing.window, at: page.now) }
        writeCategories(&html)
    }

    /// ` · on now, 12 min left`, ` · over`, or empty for a future airing.
    private var state: String {
        if airing.window.contains(page.now) {
            let left = frame.texts(duration: AiringText(airing).minutesLeft(at: page.now) * 60)
            return " · " + frame.texts("stateLeft", ["time": left])
        }
        return airing.window.end <= page.now ? " · " + frame.texts("stateOver") : ""
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
                    html.link(html.texts("review"), toHost: review.content)
                } else {
                    html.element("p", text: review.content)
                }
                let from = [review.reviewer, review.source].compactMap(\.self).joined(separator: ", ")
                if !from.isEmpty { html.element("footer", text: from) }
            }
        }
    }

    private func writeCredits(_ html: inout HTMLWriter) {
        let credits = page.programme.creditsByRole
        guard !credits.isEmpty else { return }
        html.element("h2", text: html.texts("credits"))
        html.element("dl", [.view("facts", "credits")]) { html in
            for (role, people) in credits {
                html.element("dt", text: html.texts(role: role))
                for person in people {
                    html.element("dd", [.text("dir", "auto")]) { html in
                        html.text(person.name)
                        if let part = html.texts(partOf: person) {
                            html.element("span", [.view("character")], text: " " + part)
                        }
                    }
                }
            }
        }
    }

    private func writeFacts(_ html: inout HTMLWriter) {
        html.element("h2", text: html.texts("details"))
        html.element("dl", [.view("facts")]) { html in
            let facts = ProgrammeFacts(
                page.detail, clock: clock, texts: html.texts, languages: page.languages,
                alternatives: page.alternatives)
            for fact in facts.of(.fact, .repair, .source) where !fact.text.isEmpty {
                html.element("dt", [.text("dir", "auto")], text: fact.name)
                html.guideText("dd", "", fact.text)
            }
        }
    }

    private func writeLinks(_ html: inout HTMLWriter) {
        let start = airing.window.start
        html.element("ul", [.view("links")]) { html in
            html.element("li") { html in
                let beyond = start.secondsSince1970.quotientAndRemainderFloored(dividingBy: 1800).remainder
                let path = frame.guidePath(from: start.advanced(by: -beyond), row: page.station?.row ?? 0)
                html.link(html.texts("inTheGuide"), to: path)
            }
            html.element("li") { html in
                let day = page.zone.date(at: start).description
                html.link(html.texts("stationsDay"), to: frame.path(stationPath, [("day", day)]))
            }
            html.element("li") { html in
                html.element(
                    "a",
                    [.url("href", frame.feedPath("/airings/\(airing.id).ics")), .text("download", "programme.ics")],
                    text: html.texts("addToCalendar"))
            }
            for url in page.programme.urls.prefix(8) where HTTPURL(url.url) != nil {
                html.element("li") { $0.link(url.system ?? $0.texts("website"), toHost: url.url) }
            }
        }
    }

    /// Writes the actions: the primary one is to watch the airing if a channel has its stream, otherwise to be reminded of it. It also
    /// names the rules that match.
    private func writeActions(_ html: inout HTMLWriter) {
        // A rule for a locked airing would have its title here, which no airing of the guide has.
        let isLocked = frame.isLimited && airing.title == LimitedGuide.lockedTitle
        let isOver = airing.window.end <= page.now
        guard !isLocked, !isOver || page.isWatchable else { return }
        html.reminderButtons(
            of: page.detail, titled: frame.title(page.title), frame: frame, isSingle: !isOver,
            isPrimary: !page.isWatchable
        ) { html in
            guard page.isWatchable else { return }
            html.element(
                "a", [.class("primary"), .url("href", frame.feedPath("/airings/\(airing.id).m3u"))],
                text: html.texts("watch"))
        } others: { html in
            guard page.isSeries else { return }
            html.link(html.texts("allEpisodes"), to: frame.path("/series", [("title", airing.title)]))
        }
    }

    private func writeSimilar(_ html: inout HTMLWriter) {
        write(page.similar, titled: html.texts("moreLikeThis"), &html) { match, html in
            html.element("span") { html in
                html.guideText("bdi", "", frame.title(of: match.airing))
                html.guideText("span", "station", " · " + match.stationName)
            }
        }
    }

    private func writeShowings(_ html: inout HTMLWriter) {
        write(page.showings, titled: html.texts("otherShowings"), &html) { showing, html in
            html.guideText("span", "station", showing.stationName)
        }
    }

    /// Writes a list of links to airings, with their starts before what a closure writes; nothing without airings.
    private func write(
        _ matches: [SearchMatch], titled heading: String, _ html: inout HTMLWriter,
        content: (SearchMatch, inout HTMLWriter) -> Void
    ) {
        guard !matches.isEmpty else { return }
        html.element("h2", text: heading)
        html.element("ul", [.view("showings")]) { html in
            for match in matches {
                html.element("li") { html in
                    html.element("a", [.url("href", frame.path("/airings/\(match.airing.id)"))]) { html in
                        html.element("span", [.view("when")]) { html in
                            let day = page.zone.date(at: match.airing.window.start)
                            html.text(clock.day(day, at: page.now) + ", ")
                            html.start(of: match.airing, clock)
                        }
                        content(match, &html)
                    }
                }
            }
        }
    }
}

extension HTMLWriter {
    /// Writes a link to another host, or only the text if the URL is invalid.
    fileprivate mutating func link(_ url: String, text: String) {
        guard let web = HTTPURL(url) else { return self.text(text) }
        element("a", [.url("href", web.text), .text("rel", "noopener noreferrer"), .text("dir", "auto")], text: text)
    }
}
