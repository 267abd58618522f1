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
    fileprivate let now: Instant
    fileprivate let zone: Zone
    /// The reader's languages in order of preference.
    fileprivate let languages: [String]

    /// The maximum number of other showings.
    private static let showingLimit = 20

    /// Reads the station and other showings of an airing.
    package init(
        _ detail: AiringDetail, of guide: any GuideReading, now: Instant, zone: Zone, languages: [String]
    ) throws {
        self.init(
            detail: detail, station: try guide.station(detail.airing.station),
            showings: try guide.showings(of: detail.airing.id, after: now, limit: AiringPage.showingLimit), now: now,
            zone: zone, languages: languages)
    }

    init(
        detail: AiringDetail, station: StationRow?, showings: [SearchMatch], now: Instant, zone: Zone,
        languages: [String] = []
    ) {
        self.detail = detail
        self.station = station
        self.showings = showings
        self.now = now
        self.zone = zone
        self.languages = languages
    }

    fileprivate var airing: Airing { detail.airing }
    fileprivate var programme: Programme { detail.programme }

    fileprivate var title: String { programme.titles.text(preferring: languages) ?? airing.shownTitle }

    /// The first title that differs from ``title``, usually one in another language.
    fileprivate var otherTitle: String? { programme.titles.first { $0.text != title }?.text }

    /// The credits by role, in the order of the feed.
    fileprivate var credits: [(role: String, people: [Programme.Credit])] {
        var roles: [(role: String, people: [Programme.Credit])] = []
        for credit in programme.credits {
            if let index = roles.firstIndex(where: { $0.role == credit.role }) {
                roles[index].people.append(credit)
            } else {
                roles.append((credit.role, [credit]))
            }
        }
        return roles
    }
}

/// The HTML of the page of an airing.
package struct AiringHTML: Sendable {
    private let page: AiringPage
    private let frame: PageFrame
    private let clock: ViewClock

    package init(_ page: AiringPage, frame: PageFrame) {
        self.page = page
        self.frame = frame
        clock = ViewClock(zone: page.zone)
    }

    /// The document in UTF-8.
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
                    writeWatch(&html)
                    writeShowings(&html)
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
            let date = page.zone.date(at: airing.window.start)
            html.text(clock.day(date, at: page.now) + ", ")
            html.range(airing.window, clock, seenFrom: date)
            html.element("span", [.view("length")], text: " · " + ViewClock.length(airing.window.seconds) + state)
        }
        if airing.window.contains(page.now) { html.progress(airing.window, at: page.now) }
        writeCategories(&html)
    }

    /// ` · on now, 12 min left`, ` · over`, or empty for a future airing.
    private var state: String {
        if airing.window.contains(page.now) {
            let minutes = Wording.minutesLeft(page.now.seconds(to: airing.window.end))
            return " · on now, \(Wording.duration(minutes * 60)) left"
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
                    html.link("Review", toHost: review.content)
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
            if let published = airing.published { writePublished(published, &html) }
        }
    }

    private func writePublished(_ published: PublishedTimes, _ html: inout HTMLWriter) {
        func write(_ instant: Instant, _ html: inout HTMLWriter) {
            html.text(page.zone.date(at: instant).label(seenFrom: page.zone.date(at: page.now)) + " ")
            html.time(instant, clock)
        }
        html.element("dt", text: "Published as")
        html.element("dd") { html in
            write(published.start, &html)
            guard let stop = published.stop else { return html.text(" without an end") }
            html.text(" to ")
            write(stop, &html)
        }
    }

    private func writeLinks(_ html: inout HTMLWriter) {
        let start = airing.window.start
        html.element("ul", [.view("links")]) { html in
            html.element("li") { html in
                let beyond = start.secondsSince1970.quotientAndRemainderFloored(dividingBy: 1800).remainder
                let path = frame.guidePath(from: start.advanced(by: -beyond), row: page.station?.row ?? 0)
                html.link("In the guide", to: path)
            }
            html.element("li") { html in
                let day = page.zone.date(at: start).description
                html.link("The station's day", to: frame.path(stationPath, [("day", day)]))
            }
            html.element("li") { html in
                html.element(
                    "a",
                    [.url("href", frame.feedPath("/airings/\(airing.id).ics")), .text("download", "programme.ics")],
                    text: "Add to calendar")
            }
            for url in page.programme.urls.prefix(8) where HTTPURL(url.url) != nil {
                html.element("li") { $0.link(url.system ?? "Website", toHost: url.url) }
            }
        }
    }

    /// Writes what reminds of the airing: buttons if the service accepts rules, which its script enables, otherwise commands. The
    /// script also names the rules that match the airing.
    private func writeWatch(_ html: inout HTMLWriter) {
        // A rule for a locked airing would have its title here, which no airing of the guide has.
        let isLocked = frame.isLimited && airing.title == LimitedGuide.lockedTitle
        guard airing.window.end > page.now, !isLocked else { return }
        let single = Result { () throws(WatchRuleError) in try WatchRule(remindingOf: page.detail) }
        let rules = [
            ("Remind me", try? single.get()), ("Every episode", WatchRule(followingTitleOf: page.detail)),
        ]
        let times = [airing.window.start, airing.window.end].map { String($0.secondsSince1970) }
        html.element(
            "div",
            [
                .view("watch"), .text("data-airing", airing.id.description), .text("data-start", times[0]),
                .text("data-stop", times[1]), frame.watchAttribute,
            ]
        ) { html in
            html.element("p", [.text("role", "status")]) { _ in }
            if frame.acceptsRules {
                for (label, rule) in rules {
                    guard let rule else { continue }
                    var json = JSONWriter()
                    json.write(rule)
                    html.element(
                        "button",
                        [
                            .text("type", "button"), .flag("disabled"),
                            .text("data-rule", String(decoding: json.takeBytes(), as: UTF8.self)),
                        ], text: label)
                }
            } else {
                html.element("details") { html in
                    html.element("summary", text: "Remind me")
                    html.element("p", text: "Run one of these commands on the host of the service:")
                    for (label, rule) in rules {
                        guard let rule else { continue }
                        html.element("p", text: label == "Remind me" ? "This airing" : label)
                        html.element("pre", [.text("dir", "ltr")]) { $0.element("code", text: rule.command) }
                    }
                }
            }
        }
    }

    private func writeShowings(_ html: inout HTMLWriter) {
        guard !page.showings.isEmpty else { return }
        html.element("h2", text: "Other showings")
        html.element("ul", [.view("showings")]) { html in
            for showing in page.showings {
                html.element("li") { html in
                    html.element("a", [.url("href", frame.path("/airings/\(showing.airing.id)"))]) { html in
                        html.element("span", [.view("when")]) { html in
                            let day = page.zone.date(at: showing.airing.window.start)
                            html.text(clock.day(day, at: page.now) + ", ")
                            html.start(of: showing.airing, clock)
                        }
                        html.guideText("span", "station", showing.stationName)
                    }
                }
            }
        }
    }
}

/// The details of an airing as pairs of name and text, in display order.
private struct AiringFacts: Sendable {
    private(set) var facts: [(name: String, text: String)] = []
    private let page: AiringPage

    init(_ page: AiringPage) {
        self.page = page
        addEpisode()
        addOrigin()
        addRatings()
        addPicture()
        addHistory()
        addRepairs()
        addTransmission()
    }

    private mutating func add(_ name: String, _ texts: [String?]) {
        let texts = texts.compactMap(\.self).filter { !$0.isEmpty }
        if !texts.isEmpty { facts.append((name, texts.joined(separator: ", "))) }
    }

    private mutating func addEpisode() {
        let labels = page.programme.episodeNumbers.compactMap { $0.system == "xmltv_ns" ? $0.position?.label : nil }
        let numbers = page.programme.episodeNumbers.compactMap { number -> String? in
            switch number.system {
            // Skip `S07E04` if `S7 E4` is already listed.
            case "onscreen":
                return labels.contains { $0.wholeNumbers == number.value.wholeNumbers } ? nil : number.value
            case "xmltv_ns": return number.position?.label
            default: return "\(number.position?.label ?? number.value) (\(number.system))"
            }
        }
        add("Episode", numbers)
    }

    private mutating func addOrigin() {
        let programme = page.programme
        add("Made", [programme.date.map(AiringFacts.date)])
        add("Country", programme.countries.texts(preferring: page.languages))
        add("Language", [programme.language?.text])
        add("Original language", [programme.originalLanguage?.text])
        add("Length", [programme.length.map { $0.seconds.map(ViewClock.length) ?? "\($0.value) \($0.units ?? "")" }])
        add("Keywords", programme.keywords.texts(preferring: page.languages))
    }

    private mutating func addRatings() {
        let programme = page.programme
        add("Rated", programme.ratings.map(AiringFacts.rating))
        add("Stars", programme.shownStarRatings.map { "★ " + AiringFacts.rating($0) })
    }

    private static func rating(_ rating: Programme.Rating) -> String {
        rating.system.map { "\(rating.value) (\($0))" } ?? rating.value
    }

    private mutating func addPicture() {
        let programme = page.programme
        if let video = programme.video {
            add(
                "Picture",
                [
                    video.present == "no" ? "none" : nil, video.quality, video.aspect,
                    video.colour == "no" ? "black and white" : nil,
                ])
        }
        if let audio = programme.audio { add("Sound", [audio.present == "no" ? "none" : nil, audio.stereo]) }
        add(
            "Subtitles",
            programme.captions.map { captions in
                [captions.type, captions.language?.text].compactMap(\.self).joined(separator: " ")
            }.map { $0.isEmpty ? "yes" : $0 })
    }

    private mutating func addHistory() {
        let programme = page.programme
        if let premiere = programme.premiere { add("Premiere", [premiere.text.isEmpty ? "yes" : premiere.text]) }
        if let last = programme.lastChance { add("Last chance", [last.text.isEmpty ? "yes" : last.text]) }
        if programme.isNew { add("New", ["yes"]) }
        if let shown = programme.previouslyShown {
            let details = [shown.start.map(AiringFacts.date), shown.channel].compactMap(\.self)
            add("Shown before", [details.isEmpty ? "yes" : details.joined(separator: " on ")])
        }
    }

    private mutating func addRepairs() {
        let airing = page.airing
        if let clump = airing.clump {
            add(
                "Shares its time",
                ["number \(clump.index + 1) of \(clump.count) in one listing without individual times"])
        }
        if let derived = page.programme.derivedText { add("Derived", [derived]) }
        if airing.isStopInferred { add("End", ["not published; taken from what follows"]) }
        if airing.isContinuation { add("Continues", ["after an airing within its published time"]) }
        if airing.isCut { add("Cut", ["a source with higher priority covers the rest of its time"]) }
        if !page.detail.isShown { add("Not in the guide", ["a source with higher priority covers its time"]) }
        add("Source", [page.detail.source])
    }

    private mutating func addTransmission() {
        for attribute in page.detail.transmission { add(attribute.name, [attribute.value]) }
    }

    /// Formats `19510704` as `1951-07-04` and `195107` as `1951-07`; returns other text unchanged.
    private static func date(_ text: String) -> String {
        let digits = text.prefix { $0.isASCII && $0.isNumber }
        guard digits.count == 6 || digits.count >= 8 else { return text }
        let (year, month, day) = (digits.prefix(4), digits.dropFirst(4).prefix(2), digits.dropFirst(6).prefix(2))
        return day.isEmpty ? "\(year)-\(month)" : "\(year)-\(month)-\(day)"
    }
}

extension String {
    /// The numbers in the text: 7 and 4 for `S07E04`.
    fileprivate var wholeNumbers: [Int] { split { !("0"..."9").contains($0) }.compactMap { Int($0) } }
}
