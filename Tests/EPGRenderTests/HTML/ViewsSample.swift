import EPGCalendar

@testable import EPGModel
import EPGOutput
@testable import EPGRender

/// A small fictional guide and its pages.
enum ViewsSample {
    static let frame: PageFrame = {
        var frame = PageFrame(
            title: "Page", site: "TV guide",
            files: PageFrame.Files(styles: ["/assets/views.css"], firstScripts: [], scripts: [], icon: "/icon.svg"))
        frame.shared = [("zone", "Europe/London")]
        frame.kind = "sample"
        return frame
    }()

    static func london() throws -> Zone { try Zone(named: "Europe/London") }

    /// Parses an ISO 8601 time in UTC.
    static func at(_ text: String) throws -> Instant {
        try TimeExpression.parse(text, now: Instant(secondsSince1970: 0), zone: .utc)
    }

    static func station(_ row: Int, _ name: String, icon: String? = nil, number: String? = nil) -> StationRow {
        StationRow(
            row: row,
            station: Station(
                id: StationID("\(name.lowercased()).example"), displayNames: [LocalizedText(name)],
                icons: icon.map { [Icon(source: $0)] } ?? []),
            channelNumber: number.flatMap { ChannelNumber($0) })
    }

    /// Returns an airing with its start and length in minutes, relative to an instant.
    static func airing(
        _ id: Int64, _ title: String, on station: StationRow, from: Instant, minutes: (Int64, Int64),
        category: String? = nil, subtitle: String? = nil, description: String? = nil
    ) -> Airing {
        let start = from.advanced(by: minutes.0 * 60)
        return Airing(
            id: AiringID(id), station: station.station.id,
            window: TimeWindow(start: start, end: start.advanced(by: minutes.1 * 60)), title: title,
            subtitle: subtitle, description: description, categories: category.map { [$0] } ?? [],
            genre: category.map { ProgrammeGenre(category: $0) } ?? .none)
    }

    /// - Parameter change: Modifies the programme, which initially has only the airing's title.
    static func detail(
        _ airing: Airing, _ stationName: String, change: (inout Programme) -> Void = { _ in }
    ) -> AiringDetail {
        var programme = Programme()
        programme.titles = [LocalizedText(airing.title)]
        change(&programme)
        return AiringDetail(
            airing: airing, stationName: stationName, programme: programme, transmission: [], source: "sample")
    }
}

extension ViewsSample {
    /// Returns a page of two stations on a Saturday in October at 20:15, with a current film and with a premiere and live
    /// football later.
    static func home() throws -> HomePage {
        let now = try at("2026-10-24T19:15:00Z")
        let harbour = station(0, "Harbour", icon: "https://images.example.com/harbour.png", number: "1")
        let pier = station(1, "Pier", number: "2.1")
        let film = airing(1, "The Map Room", on: harbour, from: now, minutes: (-15, 105), category: "Film")
        let news = airing(2, "News at Ten", on: harbour, from: now, minutes: (90, 30), category: "News")
        let quiz = airing(3, "Nine & Out", on: pier, from: now, minutes: (-45, 60), category: "Quiz")
        let match = airing(4, "Harbour v Pier", on: pier, from: now, minutes: (15, 105), category: "Football")
        let drama = airing(
            5, "Low Water", on: pier, from: now, minutes: (120, 60), category: "Drama", subtitle: "The Ebb")
        let details = [
            detail(film, "Harbour") { programme in
                programme.date = "19560301"
                programme.starRatings = [Programme.Rating(value: "4/5")]
                programme.images = [Programme.Image(url: "https://images.example.com/map.jpg", type: "poster")]
            },
            detail(match, "Pier") { $0.extras = [.element(ContentElement(name: "live"))] },
            detail(drama, "Pier") { $0.premiere = LocalizedText("") },
        ]
        let rows = [(harbour, [film, news]), (pier, [quiz, match, drama])]
        return HomePage(
            now: now, zone: try london(), stationCount: 2, stations: [harbour, pier],
            onNow: [
                NowAndNext(row: 0, station: harbour.station.id, stationName: "Harbour", now: [film], next: news),
                NowAndNext(row: 1, station: pier.station.id, stationName: "Pier", now: [quiz], next: match),
            ],
            schedules: rows.map { row, airings in
                RowSchedule(
                    row: row.row, stationName: row.station.name,
                    schedule: Schedule(station: row.station.id, airings: airings))
            },
            details: Dictionary(uniqueKeysWithValues: details.map { ($0.airing.id, $0) }))
    }

    /// Returns a page of three stations, two of which have the same name, with an airing that is on, a gap, and no listings.
    static func stations() throws -> StationsPage {
        let now = try at("2026-10-24T19:15:00Z")
        let kestrel = station(4, "Kestrel", icon: "https://images.example.com/kestrel.png", number: "4.1")
        let oak = station(9, "Acorn & Oak", icon: "javascript:alert(1)", number: "7")
        let film = airing(1, "The Map Room", on: kestrel, from: now, minutes: (-15, 105), category: "Film")
        let news = airing(2, "News at Ten", on: kestrel, from: now, minutes: (90, 30), category: "News")
        var other = station(7, "KESTREL")
        other.station.id = StationID("kestrel.other")
        return StationsPage(
            text: "e", group: "News",
            groups: [NameCount(name: "News", count: 2), NameCount(name: "Sport", count: 9)],
            offset: 120, total: 245,
            stations: [kestrel, other, oak],
            onNow: [
                NowAndNext(row: 4, station: kestrel.station.id, stationName: "Kestrel", now: [film], next: news),
                NowAndNext(row: 9, station: oak.station.id, stationName: "Acorn & Oak", now: [], next: news),
            ], now: now, zone: try london())
    }

    /// Returns a page of a day of 25 hours with an airing in the repeated hour, a gap, and an airing from the day before.
    static func day() throws -> DayPage {
        let midnight = try at("2026-10-24T23:00:00Z")
        let harbour = station(0, "Harbour", icon: "https://images.example.com/harbour.png", number: "1")
        let airings = [
            airing(1, "Late Film", on: harbour, from: midnight, minutes: (-30, 90), category: "Film"),
            airing(
                2, "The Hour That Happens Twice", on: harbour, from: midnight, minutes: (60, 60),
                subtitle: "First Time", description: "The clocks go back while it is on."),
            airing(3, "Second Time", on: harbour, from: midnight, minutes: (120, 60)),
            airing(4, "Breakfast", on: harbour, from: midnight, minutes: (8 * 60, 180), category: "News"),
        ]
        return DayPage(
            station: harbour, date: try require(year: 2026, month: 10, day: 25),
            schedule: Schedule(station: harbour.station.id, airings: airings), now: midnight.advanced(by: 150 * 60),
            zone: try london(),
            span: TimeWindow(start: midnight.advanced(by: -86_400), end: midnight.advanced(by: 172_800)))
    }

    static func airing() throws -> AiringPage {
        let start = try at("2026-10-25T19:30:00Z")
        let lantern = station(2, "Lantern", icon: "https://images.example.com/lantern.png", number: "3")
        var airing = airing(
            7, "The Lighthouse Keeper's Orchestra", on: lantern, from: start, minutes: (0, 105), category: "Film",
            description: "A keeper writes a symphony for fog.")
        airing.published = PublishedTimes(start: start, stop: nil)
        airing.isStopInferred = true
        var detail = detail(airing, "Lantern") { programme in
            programme.titles.append(LocalizedText("L'Orchestre du gardien", language: "fr"))
            programme.descriptions = [LocalizedText("A keeper writes a symphony for fog.")]
            programme.categories = [LocalizedText("Film"), LocalizedText("Music")]
            programme.credits = [
                Programme.Credit(role: "director", name: "Ida Holm"),
                Programme.Credit(role: "actor", name: "Jean Morel", character: "The keeper"),
                Programme.Credit(role: "actor", name: "Mira Solano", character: "The first gull", isGuest: true),
            ]
            programme.date = "19870412"
            programme.episodeNumbers = [EpisodeNumber(value: "0.12/13.0/3", system: "xmltv_ns")]
            programme.starRatings = [Programme.Rating(value: "0/5")]
            programme.ratings = [Programme.Rating(system: "BBFC", value: "PG")]
            programme.length = Programme.Length(value: "96", units: "minutes")
            programme.images = [
                Programme.Image(
                    url: "https://images.example.com/keeper.jpg", type: "poster", orientation: "P")
            ]
            programme.urls = [WebLink(url: "https://lantern.example/keeper", system: "Lantern")]
            programme.reviews = [Programme.Review(type: "text", source: "The Buoy", content: "Loud, and rightly so.")]
            programme.premiere = LocalizedText("First showing of the restored print")
        }
        detail.transmission = [ContentAttribute(name: "showview", value: "1234")]
        let again = self.airing(9, airing.title, on: lantern, from: start, minutes: (26 * 60, 105))
        return AiringPage(
            detail: detail, station: lantern, showings: [SearchMatch(airing: again, stationName: "Lantern", row: 0)],
            now: start.advanced(by: 12 * 60), zone: try london())
    }

    static func search() throws -> SearchPage {
        let now = try at("2026-10-24T19:15:00Z")
        let harbour = station(0, "Harbour")
        let future = airing(
            1, "Low Water", on: harbour, from: now, minutes: (60, 60), category: "Drama", subtitle: "Water & Salt",
            description:
                "Nobody in the harbour knows who let the boats out at night, or why the water is lower than the tables say."
        )
        let past = airing(2, "Water Ways", on: harbour, from: now, minutes: (-600, 60))
        // Five more showings, the last of which is the next one.
        let others = (3...7).map { number in
            airing(
                number, "Low Water", on: harbour, from: now, minutes: (1440 * (7 - number) + 30, 60), category: "Drama")
        }
        return SearchPage(
            words: "water", offset: 0,
            results: SearchResults(
                total: 7,
                matches: [
                    SearchMatch(
                        airing: future, stationName: "Harbour", row: 0,
                        highlights: [.title: [4..<9], .subtitle: [0..<5], .description: [71..<76]])
                ]
                    + others.map {
                        SearchMatch(airing: $0, stationName: "Harbour", row: 0, highlights: [.title: [4..<9]])
                    }
                    + [
                        SearchMatch(airing: past, stationName: "Harbour", row: 0, highlights: [.title: [0..<5]])
                    ]), now: now, zone: try london())
    }

    private static func require(year: Int64, month: Int, day: Int) throws -> CivilDate {
        guard let date = CivilDate(year: year, month: month, day: day) else { throw NoSuchDate() }
        return date
    }

    struct NoSuchDate: Error {}
}

/// The elements of a page, parsed from its markup.
struct ViewsMarkup {
    /// Whether start and end tags are balanced.
    private(set) var isBalanced = true
    /// The values of all `style` attributes.
    private(set) var styles: [Substring] = []

    /// - Precondition: `<`, `>` and `"` are escaped in texts and values.
    init(_ markup: String) {
        var open: [Substring] = []
        for part in markup.split(separator: "<").dropFirst() {
            guard let end = part.firstIndex(of: ">") else { isBalanced = false; continue }
            let tag = part[..<end]
            let name = tag.prefix { $0 != " " }
            if name.hasPrefix("!") { continue }
            if name.hasPrefix("/") {
                if open.popLast() != name.dropFirst() { isBalanced = false }
                continue
            }
            if let range = tag.firstRange(of: " style=\"") {
                styles.append(tag[range.upperBound...].prefix { $0 != "\"" })
            }
            if !["meta", "link", "img", "input", "br", "hr"].contains(name) { open.append(name) }
        }
        if !open.isEmpty { isBalanced = false }
    }
}

extension ProgrammeGenre {
    /// Creates the genre of a programme with one category.
    init(category: String) {
        var finder = GenreFinder()
        finder.add(category)
        self = finder.genre(isDated: false, hasEpisode: false)
    }
}
