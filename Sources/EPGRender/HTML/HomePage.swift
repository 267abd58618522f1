package import EPGCalendar
package import EPGModel

/// The content of the home page: tonight's highlights, current airings, and later airings by genre.
package struct HomePage: Sendable {
    package let now: Instant
    let zone: Zone
    /// The rest of the evening, from now or 18:00 until 04:00.
    let evening: TimeWindow
    /// The sections that are not empty.
    package let sections: [HomeSection]
    /// The number of stations that the page does not consider.
    package let otherStations: Int
    /// Whether the guide has current listings.
    fileprivate let listings: ListingsState

    /// The maximum number of stations that the page considers: the first rows of the guide.
    private static let rowLimit = 40
    /// The maximum number of airings whose details are read.
    private static let detailLimit = 480
    fileprivate static let highlightLimit = 10
    private static let onNowLimit = 16
    fileprivate static let genreLimit = 12

    /// Reads the content from a guide.
    ///
    /// - Parameter first: The stations whose current airings come first; the page considers at most ``onNowLimit``.
    package init(
        of guide: any GuideReading, now: Instant, zone: Zone, languages: [String], first: [StationID] = []
    ) throws {
        let rows = 0..<HomePage.rowLimit
        let favorites = try first.prefix(HomePage.onNowLimit).compactMap { try guide.station($0) }
        let favoriteRows = Set(favorites.map(\.row))
        let onNow =
            try favorites.flatMap { try guide.nowAndNext(at: now, inRows: $0.row..<$0.row + 1) }
            + guide.nowAndNext(at: now, inRows: rows).filter { !favoriteRows.contains($0.row) }
        let schedules = try guide.schedules(inRows: rows, during: HomePage.evening(at: now, in: zone))
        var details: [AiringID: AiringDetail] = [:]
        // Current airings come first, so that a busy evening cannot use up the limit.
        let current = onNow.compactMap(\.now.first?.id)
        let tonight = schedules.flatMap(\.schedule.airings).sorted { $0.window.start < $1.window.start }.map(\.id)
        for id in current + tonight where details[id] == nil && details.count < HomePage.detailLimit {
            details[id] = try guide.airing(id)
        }
        self.init(
            now: now, zone: zone, languages: languages, stationCount: try guide.stationCount(),
            listings: ListingsState(try guide.guideSpan(), at: now),
            stations: try guide.stations(inRows: rows) + favorites.filter { !rows.contains($0.row) }, onNow: onNow,
            schedules: schedules, details: details, showsFavorites: !favorites.isEmpty)
    }

    /// - Parameters:
    ///   - listings: Whether the guide has current listings.
    ///   - stations: The first rows of the guide.
    ///   - onNow: The current and next airings of these rows.
    ///   - schedules: The schedules of these rows this evening.
    ///   - details: The details of some of these airings.
    ///   - showsFavorites: Whether `onNow` begins with favorite stations.
    init(
        now: Instant, zone: Zone, languages: [String] = [], stationCount: Int, listings: ListingsState = .current,
        stations: [StationRow], onNow: [NowAndNext], schedules: [RowSchedule], details: [AiringID: AiringDetail],
        showsFavorites: Bool = false
    ) {
        self.now = now
        self.zone = zone
        let evening = HomePage.evening(at: now, in: zone)
        self.evening = evening
        otherStations = max(0, stationCount - stations.count)
        self.listings = listings
        var rows: [Int: StationRow] = [:]
        for station in stations { rows[station.row] = station }

        func card(_ airing: Airing, row: Int, next: Airing? = nil) -> HomeCard? {
            rows[row].map {
                HomeCard(airing, station: $0, detail: details[airing.id], next: next, languages: languages)
            }
        }
        let current = onNow.compactMap { station in
            station.now.first.flatMap { card($0, row: station.row, next: station.next) }
        }
        let tonight = schedules.flatMap { row in
            row.schedule.airings.filter { $0.window.start < evening.end && $0.window.end > evening.start }
                .compactMap { card($0, row: row.row) }
        }
        let coming = tonight.filter { $0.window.start >= max(now.advanced(by: 1), evening.start) }
        let isEvening = evening.start <= now
        let choice = HomeSelection(tonight, now: now)
        let sections =
            [
                HomeSection(kind: .highlights, cards: choice.highlights),
                HomeSection(
                    kind: .onNow(favoritesFirst: showsFavorites), cards: Array(current.prefix(HomePage.onNowLimit))),
            ]
            + HomeSelection(coming, now: now).byGenre.map { genre, cards in
                HomeSection(kind: .later(genre, isEvening: isEvening), cards: cards)
            }
        self.sections = sections.filter { !$0.cards.isEmpty }
    }

    /// Returns the rest of the evening, which lasts from 18:00 to 04:00 in `zone`.
    static func evening(at now: Instant, in zone: Zone) -> TimeWindow {
        let date = zone.localDateTime(at: now).hour < 4 ? zone.date(at: now).advanced(byDays: -1) : zone.date(at: now)
        let start = max(now, zone.instant(at: date, hour: 18))
        return TimeWindow(start: start, end: max(start, zone.instant(at: date.advanced(byDays: 1), hour: 4)))
    }
}

extension Zone {
    /// Returns the instant of a full hour on a date, or the start of the date for an hour out of range.
    func instant(at date: CivilDate, hour: Int) -> Instant {
        LocalDateTime(date: date, hour: hour).map { instant(of: $0) } ?? start(of: date)
    }
}

/// A section of the home page.
package struct HomeSection: Sendable {
    /// The layout of the section.
    package enum Kind: Hashable, Sendable {
        /// A horizontally scrolling shelf of the airings with pictures if there are several, then the others.
        case highlights
        /// Current airings, perhaps with favorite stations first.
        case onNow(favoritesFirst: Bool)
        /// Later airings of a genre, seen in the evening or before it.
        case later(HomeGenre, isEvening: Bool)
    }

    package let kind: Kind
    package let cards: [HomeCard]

    /// Returns the heading.
    package func title(in texts: PageTexts) -> String {
        switch kind {
        case .highlights: texts("highlights")
        case .onNow: texts("onNow")
        case .later(let genre, _): genre.genre.map { texts(genre: $0) } ?? texts("genreOther")
        }
    }

    /// Returns a less prominent text after the heading; `nil` without one.
    package func aside(in texts: PageTexts) -> String? {
        switch kind {
        case .highlights, .onNow(favoritesFirst: false): nil
        case .onNow(favoritesFirst: true): texts("favoritesFirst")
        case .later(_, let isEvening): texts(isEvening ? "laterTonight" : "tonightAside")
        }
    }
}

/// An airing on the home page.
package struct HomeCard: Hashable, Sendable {
    package let airing: Airing
    package let stationName: String
    /// The unchecked URL of the station's logo.
    package let logo: String?
    package let title: String
    /// The subtitle, or the description if there is none.
    package let text: String?
    package let badge: AiringBadge?
    /// The URL of a picture of the programme.
    package let picture: String?
    /// The year of production, such as `1951`.
    package let year: String?
    /// The first star rating in the feed's notation, such as `4/5`.
    package let stars: String?
    /// The next airing on the station.
    package let next: Next?

    /// An airing that follows.
    package struct Next: Hashable, Sendable {
        package let title: String
        package let start: Instant
    }

    /// - Parameter detail: The details, without which there is no badge, picture, year or rating.
    package init(
        _ airing: Airing, station: StationRow, detail: AiringDetail?, next: Airing? = nil, languages: [String] = []
    ) {
        let programme = detail?.programme
        self.airing = airing
        stationName = station.station.name
        logo = station.station.icons.first?.source
        title = programme?.titles.text(preferring: languages) ?? airing.shownTitle
        text =
            programme?.subtitles.text(preferring: languages) ?? airing.subtitle
            ?? programme?.descriptions.text(preferring: languages) ?? airing.description
        badge = programme.flatMap { AiringBadge(AiringMarks($0)) }
        let pictures = programme?.pictures ?? []
        picture = (pictures.first(where: \.isWide) ?? pictures.first)?.url.text
        year = programme?.date.map { String($0.prefix(4)) }
        stars = programme?.shownStarRatings.first?.value
        self.next = next.map { Next(title: $0.shownTitle, start: $0.window.start) }
    }

    package var genre: Genre? { airing.drawnGenre }

    package var window: TimeWindow { airing.window }
}

extension TimeWindow {
    /// Returns the fraction of the window before an instant, from 0 to 1.
    func progress(at now: Instant) -> Double {
        guard now > start, seconds > 0 else { return 0 }
        return min(1, Double(start.seconds(to: now)) / Double(seconds))
    }
}

/// The selection of airings for the home page.
struct HomeSelection {
    private let cards: [HomeCard]
    private let now: Instant

    init(_ cards: [HomeCard], now: Instant) {
        self.cards = cards
        self.now = now
    }

    /// The films, premieres and sports of the highest weight, sorted by start; the first airing of each title.
    var highlights: [HomeCard] {
        var titles: Set<String> = []
        let eligible = cards.filter { card in
            guard card.window.end > now, card.genre == .film || card.genre == .sport || card.badge == .premiere else {
                return false
            }
            return titles.insert(card.title).inserted
        }
        return best(HomePage.highlightLimit, of: eligible)
    }

    /// The airings of the highest weight of each genre, sorted by start; genres are in evening order.
    fileprivate var byGenre: [(HomeGenre, [HomeCard])] {
        let groups = Dictionary(grouping: cards) { HomeGenre($0.genre) }
        return HomeGenre.inOrder.compactMap { genre in
            groups[genre].map { (genre, best(HomePage.genreLimit, of: $0)) }
        }
    }

    /// Returns at most `limit` cards of the highest weight (the earliest of equal weight), sorted by start.
    private func best(_ limit: Int, of cards: [HomeCard]) -> [HomeCard] {
        let weighed = cards.enumerated().sorted { left, right in
            (-weight(left.element), left.element.window.start, left.offset)
                < (-weight(right.element), right.element.window.start, right.offset)
        }
        return weighed.prefix(limit).sorted { left, right in
            (left.element.window.start, left.offset) < (right.element.window.start, right.offset)
        }
        .map(\.element)
    }

    /// Returns the importance of an airing: badges, films, pictures and ratings add to it.
    private func weight(_ card: HomeCard) -> Int {
        var weight = 0
        switch card.badge {
        case .live, .premiere: weight += 4
        case .new: weight += 1
        case .derived: weight -= 2
        case .repeat, nil: break
        }
        if card.genre == .film { weight += 2 }
        if card.picture != nil { weight += 1 }
        if card.stars != nil { weight += 1 }
        return weight
    }
}

/// A known genre, or any other.
package enum HomeGenre: Hashable, Sendable {
    case known(Genre)
    case other

    init(_ genre: Genre?) {
        self = genre.map { .known($0) } ?? .other
    }

    /// All genres in the order of the home page: those that viewers prefer in the evening come first.
    fileprivate static let inOrder: [HomeGenre] =
        [.film, .series, .sport, .entertainment, .documentary, .music, .news, .children].map { .known($0) } + [.other]

    package var genre: Genre? {
        if case .known(let genre) = self { genre } else { nil }
    }
}

/// The HTML of the home page: a horizontally scrolling shelf, and columns of cards.
package struct HomeHTML {
    private let page: HomePage
    private let frame: PageFrame
    private let clock: GuideClock

    package init(_ page: HomePage, frame: PageFrame) {
        self.page = page
        self.frame = frame
        clock = frame.clock(in: page.zone)
    }

    /// The document in UTF-8.
    package var bytes: [UInt8] {
        frame.html { html in
            html.element("div", [.view("lede")]) { html in
                html.element("h1", text: html.texts("tonight"))
                html.element("p") { html in
                    html.text(clock.names.label(of: today, withYear: false) + ", ")
                    html.time(page.now, clock)
                }
            }
            guard !page.sections.isEmpty else { return writeNothing(&html) }
            html.element("div", [.view("canvas", "sections")]) { html in
                for index in page.sections.indices { writeSection(index, &html) }
            }
            html.element("p", [.view("more")]) { html in
                html.element(
                    "a", [.url("href", frame.path("/"))],
                    text: page.otherStations > 0
                        ? html.texts("wholeGuideMore", count: page.otherStations) : html.texts("wholeGuide"))
                html.text(" · ")
                html.link(html.texts("administration"), to: "/admin")
            }
        }
    }

    private var today: CivilDate { page.zone.date(at: page.now) }

    private func writeNothing(_ html: inout HTMLWriter) {
        html.element("p", [.view("empty")]) { html in
            guard page.listings == .current else { return html.noListings(page.listings, clock, frame: frame) }
            html.text(html.texts("noListingsThisEvening"), linking: ["guide": frame.path("/")])
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
                html.element("span", text: section.title(in: html.texts))
                if let aside = section.aside(in: html.texts) { html.element("span", [.view("aside")], text: aside) }
            }
            switch section.kind {
            case .highlights:
                let pictured = section.cards.filter { picture(of: $0) != nil }
                let shelf = pictured.count < HomeHTML.minimumShelf ? [] : pictured
                let others = shelf.isEmpty ? section.cards : section.cards.filter { picture(of: $0) == nil }
                write(shelf, list: "shelf", "feature", writeFeature, &html)
                write(others, list: "cards", "now", writeCurrent, &html)
            case .onNow: write(section.cards, list: "cards", "now", writeCurrent, &html)
            case .later: write(section.cards, list: "cards", "later", writeLater, &html)
            }
        }
    }

    /// The number of pictures from which on the highlights have a shelf. Fewer would leave most of it empty.
    private static let minimumShelf = 3

    private func picture(of card: HomeCard) -> String? {
        frame.artwork.url(of: card.picture, for: .airing(card.airing.id))
    }

    private func write(
        _ cards: [HomeCard], list: String, _ style: String, _ content: (HomeCard, inout HTMLWriter) -> Void,
        _ html: inout HTMLWriter
    ) {
        guard !cards.isEmpty else { return }
        html.element("ul", [.view(list)]) { html in
            for card in cards {
                html.lineBreak()
                html.element("li", [.view("card", card.genre.style, card.badge == nil ? nil : "has-badge")]) { html in
                    let path = frame.path("/airings/\(card.airing.id)")
                    html.element("a", [.view(style), .url("href", path)]) { html in
                        content(card, &html)
                        if card.window.contains(page.now) { html.progress(card.window, at: page.now) }
                    }
                    html.badge(card.badge)
                }
            }
        }
    }

    /// Writes the picture of a programme; nothing without one.
    private func writeStill(_ card: HomeCard, _ html: inout HTMLWriter) {
        guard let picture = picture(of: card) else { return }
        html.element("span", [.view("still")]) { html in
            html.picture(picture, size: 320, instead: card.genre?.sign ?? "")
        }
    }

    private func writeFeature(_ card: HomeCard, _ html: inout HTMLWriter) {
        writeStill(card, &html)
        html.element("span", [.view("words")]) { html in
            html.guideText("strong", "title", frame.title(card.title))
            html.element("span", [.view("when")]) { html in
                html.times(of: card.airing, clock, seenFrom: today)
                html.text(" · ")
                html.guideText("span", "station", card.stationName)
            }
            if let facts = card.facts(in: frame.texts) { html.element("span", [.view("facts")], text: facts) }
        }
    }

    private func writeCurrent(_ card: HomeCard, _ html: inout HTMLWriter) {
        if picture(of: card) == nil {
            html.logo(frame.artwork.url(of: card.logo, for: .station(card.airing.station)), name: card.stationName)
        } else {
            writeStill(card, &html)
        }
        html.element("span", [.view("words")]) { html in
            html.guideText("span", "station", card.stationName)
            html.guideText("strong", "title", frame.title(card.title))
            html.element("span", [.view("when")]) { html in
                html.times(of: card.airing, clock, seenFrom: today)
                if let facts = card.facts(in: frame.texts) {
                    html.element("span", [.view("facts")], text: " · " + facts)
                }
            }
            if let next = card.next { html.next(frame.title(next.title), at: next.start, clock, seenFrom: today) }
        }
    }

    private func writeLater(_ card: HomeCard, _ html: inout HTMLWriter) {
        html.element("span", [.view("when")]) { html in
            html.start(of: card.airing, clock)
        }
        html.element("span", [.view("words")]) { html in
            html.guideText("strong", "title", frame.title(card.title))
            if let text = card.text { html.guideText("span", "text", text) }
            html.guideText("span", "station", card.stationName)
        }
        writeStill(card, &html)
    }
}

extension HomeSection.Kind {
    var genre: Genre? {
        if case .later(let genre, _) = self { genre.genre } else { nil }
    }

    /// The class in the style sheet.
    fileprivate var style: String {
        switch self {
        case .highlights: "highlights"
        case .onNow: "on-now"
        case .later(let genre, _): genre.genre.style
        }
    }
}

extension HomeCard {
    /// Facts such as `Film · 1951 · ★ 3/5`; `nil` if none are known.
    fileprivate func facts(in texts: PageTexts) -> String? {
        let facts = [
            genre.map { texts(genre: $0) }, AiringText(airing).episode, genre == .film ? year : nil,
            stars.map { "★ \($0)" },
        ]
        .compactMap(
            \.self)
        return facts.isEmpty ? nil : facts.joined(separator: " · ")
    }
}
