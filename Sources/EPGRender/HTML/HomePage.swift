package import EPGCalendar
package import EPGModel

/// What the home page shows: highlights of tonight, what is on now, what comes later, by genre.
package struct HomePage: Sendable {
    package let now: Instant
    let zone: Zone
    /// From now, or from 18:00, to 04:00.
    let evening: TimeWindow
    /// Empty sections aren't among them.
    package let sections: [HomeSection]
    /// Stations of the guide that aren't on the page.
    package let otherStations: Int
    /// Whether the guide has no stations at all.
    let isWithoutGuide: Bool

    /// The greatest number of stations that the page looks at: the first rows of the guide.
    static let rowLimit = 40
    /// The greatest number of airings of which details are asked for.
    static let detailLimit = 480
    static let highlightLimit = 10
    static let onNowLimit = 16
    static let genreLimit = 12

    /// Reads what the page shows from a guide.
    package init(of guide: any GuideReading, now: Instant, zone: Zone, languages: [String]) throws {
        let rows = 0..<HomePage.rowLimit
        let onNow = try guide.nowAndNext(at: now, inRows: rows)
        let schedules = try guide.schedules(inRows: rows, during: HomePage.evening(at: now, in: zone))
        var details: [AiringID: AiringDetail] = [:]
        // Current airings come first, so that a busy evening does not use up the limit.
        let current = onNow.compactMap(\.now.first?.id)
        let tonight = schedules.flatMap(\.schedule.airings).sorted { $0.window.start < $1.window.start }.map(\.id)
        for id in current + tonight where details[id] == nil && details.count < HomePage.detailLimit {
            details[id] = try guide.airing(id)
        }
        self.init(
            now: now, zone: zone, languages: languages, stationCount: try guide.stationCount(),
            stations: try guide.stations(inRows: rows), onNow: onNow, schedules: schedules, details: details)
    }

    /// - Parameters:
    ///   - stations: The first rows of the guide.
    ///   - onNow: What is on in these rows.
    ///   - schedules: What these rows have this evening.
    ///   - details: What is known of the airings among these, as far as it was asked for.
    init(
        now: Instant, zone: Zone, languages: [String] = [], stationCount: Int, stations: [StationRow],
        onNow: [NowAndNext], schedules: [RowSchedule], details: [AiringID: AiringDetail]
    ) {
        self.now = now
        self.zone = zone
        let evening = HomePage.evening(at: now, in: zone)
        self.evening = evening
        otherStations = max(0, stationCount - stations.count)
        isWithoutGuide = stationCount == 0
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
                HomeSection(.highlights, "Highlights tonight", choice.highlights),
                HomeSection(.onNow, "On now", Array(current.prefix(HomePage.onNowLimit))),
            ]
            + HomeSelection(coming, now: now).byGenre.map { genre, cards in
                HomeSection(.later(genre), genre.heading, aside: isEvening ? "later tonight" : "tonight", cards)
            }
        self.sections = sections.filter { !$0.cards.isEmpty }
    }

    /// What is left of the evening that an instant belongs to: from 18:00 to 04:00, by the clocks of a zone.
    static func evening(at now: Instant, in zone: Zone) -> TimeWindow {
        let date = zone.localDateTime(at: now).hour < 4 ? zone.date(at: now).advanced(byDays: -1) : zone.date(at: now)
        let start = max(now, zone.instant(at: date, hour: 18))
        return TimeWindow(start: start, end: max(start, zone.instant(at: date.advanced(byDays: 1), hour: 4)))
    }
}

extension Zone {
    /// The instant at which the clocks show a full hour of a date.
    fileprivate func instant(at date: CivilDate, hour: Int) -> Instant {
        LocalDateTime(date: date, hour: hour).map { instant(of: $0) } ?? start(of: date)
    }
}

/// A section of the home page.
package struct HomeSection: Sendable {
    /// How the section is laid out.
    package enum Kind: Hashable, Sendable {
        /// A shelf that scrolls by itself.
        case highlights
        /// Two columns.
        case onNow
        /// What comes later in a genre.
        case later(HomeGenre)
    }

    package let kind: Kind
    package let title: String
    /// What is said less loudly behind the title.
    package let aside: String?
    package let cards: [HomeCard]

    init(_ kind: Kind, _ title: String, aside: String? = nil, _ cards: [HomeCard]) {
        self.kind = kind
        self.title = title
        self.aside = aside
        self.cards = cards
    }
}
