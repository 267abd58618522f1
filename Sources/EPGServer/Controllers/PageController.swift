import EPGCalendar
import EPGHTTP
import EPGImport
import EPGLayout
import EPGModel
import EPGRender
import HTTPTypes
import NIOCore

/// The parameters that all pages share: the time, the zone, the languages, the direction of text, and whether they are for televisions.
struct ViewRequest: Sendable {
    let now: Instant
    let zone: Zone
    let languages: [String]
    /// The texts of the page.
    let texts: PageTexts
    private let clockStyle: ClockStyle
    private let direction: TextDirection
    private let isForTelevision: Bool
    /// The parameters of the URL that links to other pages keep.
    private let shared: [(name: String, value: String)]

    /// Reads `at`, `zone`, `lang`, `ui`, `dir` and `tv`. Browsers may know zones that this machine does not, so an unknown zone is the default
    /// one, whose name the page shows.
    init(_ parameters: inout ParameterReader) throws(Problem) {
        texts = try parameters.pageTexts()
        clockStyle = parameters.pageClock(in: texts)
        direction = try parameters.choice("dir", default: texts.direction)
        zone = parameters.viewerZone()
        languages = try parameters.languages()
        isForTelevision = try parameters.isForTelevision()
        let kept = ["zone", "lang", "ui", "dir", "tv"] + ParameterReader.limitNames
        var shared = parameters.canonical.filter { kept.contains($0.name) }
        now = try parameters.minute()
        if !parameters.followsClock { shared.append(("at", String(now.secondsSince1970))) }
        self.shared = shared
    }

    /// The frame of a page.
    ///
    /// - Parameters:
    ///   - kind: The class of the page in style sheets.
    ///   - parameters: Parameters of this page that links keep in addition to the shared ones.
    func frame(
        _ title: String, kind: String, place: PageFrame.Place? = nil,
        files: (PageTexts) -> PageFrame.Files = PageFrame.Files.common(in:), site: Site,
        parameters: [(name: String, value: String)] = []
    ) -> PageFrame {
        var frame = PageFrame(title: title, site: site.title(in: texts), files: files(texts), place: place)
        frame.shared = shared + parameters
        frame.kind = kind
        frame.texts = texts
        frame.clockStyle = clockStyle
        frame.zone = zone
        frame.direction = direction.layoutDirection
        frame.isForTelevision = isForTelevision
        frame.artwork = site.artwork
        frame.acceptsRules = site.acceptsRules
        frame.sendsReminders = site.sendsReminders
        return frame
    }
}

/// `/`: the guide as a page.
///
/// Besides the parameters of ``ViewRequest``: `from`, the first visible instant (default: the current half hour),
/// `hours`, the number of visible hours, `row`, the first station, and `zoom`, the points of an hour. The page shows
/// this part without a script; its script requests the rest as tiles (Sources/C/Page/Assets/listings.js).
struct GuidePageEndpoint: Endpoint {
    static let path = "/"

    private let view: ViewRequest
    private let page: GuidePageRequest
    /// The parameters that links to other parts of the guide keep.
    private let options: [(name: String, value: String)]

    init(_ parameters: inout ParameterReader) throws(Problem) {
        view = try ViewRequest(&parameters)
        page = GuidePageRequest(
            now: view.now, zone: view.zone, languages: view.languages, from: try parameters.instant("from"),
            hours: try parameters.integer("hours", default: 6, in: 1...24),
            row: try parameters.integer("row", default: 0, in: 0...GuideLayout.maximumRowCount),
            pointsPerHour: try parameters.number("zoom", default: 240, in: 60...960))
        options = parameters.canonical.filter { ["hours", "zoom"].contains($0.name) }
    }

    func document(from guide: GuideView) throws -> Document {
        let frame = view.frame(
            guide.site.title(in: view.texts), kind: "whole", place: .guide, files: PageFrame.Files.guide(in:),
            site: guide.site, parameters: options)
        return Document(
            page: try page.html(of: guide.guide, generation: guide.generationName.description, frame: frame))
    }
}

/// `/home`: what is on now and tonight. `first`, which may be repeated, is a station whose current airing comes first.
struct HomeEndpoint: Endpoint {
    static let path = "/home"

    private let view: ViewRequest
    private let first: [StationID]

    init(_ parameters: inout ParameterReader) throws(Problem) {
        view = try ViewRequest(&parameters)
        first = try parameters.texts("first", maximumLength: 400).map(StationID.init)
    }

    func document(from guide: GuideView) throws -> Document {
        let page = try HomePage(
            of: guide.guide, now: view.now, zone: view.zone, languages: view.languages, first: first)
        let frame = view.frame(
            view.texts("navHome"), kind: "home", place: .home, files: PageFrame.Files.lists(in:), site: guide.site)
        return Document(page: HomeHTML(page, frame: frame).bytes)
    }
}

/// `/stations`: all stations, or those that match a text or belong to a group.
struct StationsPageEndpoint: Endpoint {
    static let path = "/stations"

    private let view: ViewRequest
    private let text: String?
    private let group: String?
    private let offset: Int

    init(_ parameters: inout ParameterReader) throws(Problem) {
        view = try ViewRequest(&parameters)
        text = try parameters.text("q")
        group = try parameters.text("group", maximumLength: 400)
        offset = try parameters.integer("offset", default: 0, in: 0...10_000_000)
    }

    func document(from guide: GuideView) throws -> Document {
        let page = try StationsPage(
            of: guide.guide, text: text, group: group, offset: offset, now: view.now, zone: view.zone)
        let frame = view.frame(
            view.texts("navStations"), kind: "stations", place: .stations, files: PageFrame.Files.lists(in:),
            site: guide.site)
        return Document(page: StationsHTML(page, frame: frame).bytes)
    }
}

/// `/stations/{id}`: a day of a station (default: today).
struct DayEndpoint: Endpoint {
    static let path = "/stations/{id}"

    private let view: ViewRequest
    private let station: StationID
    private let day: CivilDate

    init(_ parameters: inout ParameterReader) throws(Problem) {
        view = try ViewRequest(&parameters)
        station = StationID(parameters.path("id"))
        day = try parameters.day("day") ?? view.zone.date(at: view.now)
    }

    func document(from guide: GuideView) throws -> Document {
        guard let row = try guide.guide.station(station) else {
            throw Problem.notFound("The guide has no station “\(station.rawValue.prefix(80))”.")
        }
        let schedule = try guide.guide.schedule(of: station, during: view.zone.window(of: day))
        let airings = try guide.guide.airings(schedule.airings, in: view.languages)
        let page = DayPage(
            station: row, date: day, schedule: Schedule(station: station, airings: airings), now: view.now,
            zone: view.zone, span: try guide.guide.guideSpan())
        let frame = view.frame("\(row.station.name), \(day)", kind: "day", site: guide.site)
        return Document(page: DayHTML(page, frame: frame).bytes)
    }
}

/// `/airings/{id}`: an airing with all its details.
struct AiringPageEndpoint: Endpoint {
    static let path = "/airings/{id}"

    private let view: ViewRequest
    private let id: AiringID

    init(_ parameters: inout ParameterReader) throws(Problem) {
        view = try ViewRequest(&parameters)
        guard let id = parameters.pathAiring() else {
            throw .notFound("“\(parameters.path("id").prefix(40))” is not the number of an airing.")
        }
        self.id = id
    }

    /// The page has similar airings.
    var isSlow: Bool { true }

    func document(from guide: GuideView) throws -> Document {
        guard let detail = try guide.guide.airing(id) else {
            throw Problem.notFound("The guide has no airing \(id). An update may have removed it.")
        }
        let alternatives = try guide.alternatives(to: detail.airing, in: view.zone)
        let page = try AiringPage(
            detail, of: guide.guide, alternatives: alternatives.map(\.label),
            isWatchable: guide.stream(of: detail, at: (view.now, view.zone)) != nil, now: view.now, zone: view.zone,
            languages: view.languages)
        var frame = view.frame("", kind: "detail", files: PageFrame.Files.watching(in:), site: guide.site)
        frame.title = "\(frame.title(of: detail.airing)), \(detail.stationName)"
        var document = Document(page: AiringHTML(page, frame: frame).bytes)
        document.isCacheable = try guide.guide.isSearchIndexCurrent()
        return document
    }
}

/// `/search?q=`: the airings that a full-text search finds, upcoming ones first. The last word may be incomplete, as in the
/// suggestions of the search field.
struct SearchPageEndpoint: Endpoint {
    static let path = "/search"

    private let view: ViewRequest
    private let words: String
    private let offset: Int

    init(_ parameters: inout ParameterReader) throws(Problem) {
        view = try ViewRequest(&parameters)
        words = try parameters.text("q") ?? ""
        offset = try parameters.integer("offset", default: 0, in: 0...100_000)
    }

    var isSlow: Bool { !words.isEmpty }

    func document(from guide: GuideView) throws -> Document {
        let query = SearchQuery(
            words: words, lastWord: .prefix, now: view.now, offset: offset, limit: SearchPage.limit)
        var results = words.isEmpty ? SearchResults() : try guide.search(query)
        results.matches = try guide.guide.matches(results.matches, in: view.languages)
        let suggestions = try results.total > 0 || words.isEmpty ? [] : guide.guide.suggestions(for: query)
        let page = SearchPage(
            words: words, offset: offset, results: results, suggestions: suggestions, now: view.now, zone: view.zone)
        var frame = view.frame(
            words.isEmpty ? view.texts("search") : view.texts("searchTitle", ["words": words]), kind: "results",
            site: guide.site)
        frame.words = words
        var document = Document(page: SearchHTML(page, frame: frame).bytes)
        document.isCacheable = try guide.guide.isSearchIndexCurrent()
        return document
    }
}

/// `/series?title=`: the airings with a title, upcoming ones first.
struct SeriesPageEndpoint: Endpoint {
    static let path = "/series"

    private let view: ViewRequest
    private let title: String

    init(_ parameters: inout ParameterReader) throws(Problem) {
        view = try ViewRequest(&parameters)
        guard let title = try parameters.text("title", maximumLength: WatchRule.maximumConditionLength) else {
            throw .badParameter("title", "the title is missing. Use /series?title=Kerbside.")
        }
        self.title = title
    }

    var isSlow: Bool { true }

    func document(from guide: GuideView) throws -> Document {
        let matches = try guide.guide.airings(
            titled: title, at: view.now, limit: SeriesPage.limit, index: guide.watchIndex)
        let first = try matches.first.flatMap { try guide.guide.airing($0.airing.id) }
        let page = SeriesPage(
            title: title, first: first, matches: try guide.guide.matches(matches, in: view.languages), now: view.now,
            zone: view.zone)
        let frame = view.frame(
            title, kind: "results", files: PageFrame.Files.watching(in:), site: guide.site)
        return Document(page: SeriesHTML(page, frame: frame).bytes)
    }
}

/// `/setup`: how to get listings.
struct SetupEndpoint: Endpoint {
    static let path = "/setup"

    private let view: ViewRequest

    init(_ parameters: inout ParameterReader) throws(Problem) {
        view = try ViewRequest(&parameters)
    }

    func document(from guide: GuideView) throws -> Document {
        let listings = ListingsState(try guide.guide.guideSpan(), at: view.now)
        let frame = view.frame(view.texts("setUpGuide"), kind: "setup", site: guide.site)
        return Document(page: SetupHTML(listings, clock: frame.clock(in: view.zone), frame: frame).bytes)
    }
}

/// The pages for people, and their files.
enum PageController {
    static let endpoints: [any Endpoint.Type] = [
        GuidePageEndpoint.self, HomeEndpoint.self, StationsPageEndpoint.self, DayEndpoint.self,
        AiringPageEndpoint.self, SearchPageEndpoint.self, SeriesPageEndpoint.self, WatchPageEndpoint.self,
        SetupEndpoint.self,
        AssetEndpoint.self,
        IconEndpoint.self, ManifestEndpoint.self, ServiceWorkerEndpoint.self, OfflineEndpoint.self, RobotsEndpoint.self,
    ]
}

/// `/assets/VERSION/NAME`: a file of the pages; immutable if the version is the current one.
struct AssetEndpoint: Endpoint {
    static let path = "/assets/{version}/{name}"
    static let group = AccessGroup.everybody

    let freshness: Freshness
    private let file: PageFile

    init(_ parameters: inout ParameterReader) throws(Problem) {
        let name = parameters.path("name")
        let version = parameters.path("version")
        // Lowering the files takes a while, so only a request for these asks for their version.
        let isForTelevision = version.hasSuffix("-tv")
        guard let file = (isForTelevision ? PageFile.forTelevisions : PageFile.all)[name] else {
            throw .notFound("There is no file \(name.prefix(40)).")
        }
        self.file = file
        let current = isForTelevision ? PageFile.televisionVersion : PageFile.version
        freshness = version == current ? .immutable : .revalidated
    }

    func document(from guide: GuideView) throws -> Document { Document(file) }
}

/// `/favicon.ico`: the icon, for browsers that request it by default.
struct IconEndpoint: Endpoint {
    static let path = "/favicon.ico"
    static let group = AccessGroup.everybody

    init(_ parameters: inout ParameterReader) throws(Problem) {}

    func document(from guide: GuideView) throws -> Document {
        guard let icon = PageFile.all["icon.svg"] else { throw Problem.notFound("There is no icon.") }
        return Document(icon)
    }
}

/// `/manifest.webmanifest`: lets people install the guide on a home screen.
struct ManifestEndpoint: Endpoint {
    static let path = "/manifest.webmanifest"
    static let group = AccessGroup.everybody

    private let texts: PageTexts

    init(_ parameters: inout ParameterReader) throws(Problem) {
        texts = try parameters.pageTexts()
    }

    func document(from guide: GuideView) throws -> Document {
        Document(
            MediaType("application/manifest+json", isText: true),
            json: WebManifest(title: guide.site.title(in: texts)))
    }
}

/// `/service-worker.js`: keeps the pages for reading offline (Sources/C/Page/Assets/service-worker.js).
struct ServiceWorkerEndpoint: Endpoint {
    static let path = "/service-worker.js"

    private let texts: PageTexts

    init(_ parameters: inout ParameterReader) throws(Problem) {
        texts = try parameters.pageTexts()
    }

    func document(from guide: GuideView) throws -> Document {
        Document(.script, ByteBuffer(bytes: ServiceWorker(title: guide.site.title, texts: texts).bytes))
    }
}

/// `/offline`: the page that the service worker shows instead of a page that it did not store.
struct OfflineEndpoint: Endpoint {
    static let path = "/offline"

    private let texts: PageTexts

    init(_ parameters: inout ParameterReader) throws(Problem) {
        texts = try parameters.pageTexts()
    }

    func document(from guide: GuideView) throws -> Document {
        var frame = PageFrame(
            title: texts("offlineTitle"), site: guide.site.title(in: texts),
            files: PageFrame.Files.common(in: texts))
        frame.kind = "error"
        frame.texts = texts
        frame.direction = texts.direction.layoutDirection
        return Document(page: OfflineHTML(frame: frame).bytes)
    }
}

/// `/robots.txt`: lets search engines read the pages, but neither every hour of the grid nor the API.
struct RobotsEndpoint: Endpoint {
    static let path = "/robots.txt"
    static let group = AccessGroup.everybody

    init(_ parameters: inout ParameterReader) throws(Problem) {}

    func document(from guide: GuideView) throws -> Document {
        Document(
            .plain,
            text:
                "User-agent: *\nDisallow: /admin\nDisallow: /api/\nDisallow: /search\nDisallow: /grid.svg\nDisallow: /*?\n"
        )
    }
}

extension Document {
    fileprivate init(_ file: PageFile) {
        self.init(MediaType(file.mediaType, isText: file.mediaType != "image/png"), ByteBuffer(bytes: file.bytes))
    }
}
