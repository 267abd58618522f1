import EPGCalendar
import EPGHTTP
import EPGImport
import EPGJSON
import EPGModel
import EPGOutput
import EPGRender
import HTTPTypes

/// Airings and their programmes.
enum AiringController {
    static let endpoints: [any Endpoint.Type] = [AiringEndpoint.self, SearchEndpoint.self, CategoriesEndpoint.self]
}

/// `/api/v1/airings/{id}`: all data of an airing, its station, and further showings of its programme.
struct AiringEndpoint: Endpoint {
    static let path = "/api/v1/airings/{id}"

    private let id: String
    private let airing: AiringID?
    private let now: Instant
    private let zone: Zone
    /// The texts of the facts.
    private let texts: PageTexts
    /// Whether the response has similar airings.
    private let hasSimilar: Bool
    /// The page of the showings, except for the languages.
    private let selection: AiringSelection

    /// The maximum number of further showings.
    private static let maximumShowingCount = 20

    init(_ parameters: inout ParameterReader) throws(Problem) {
        (id, airing) = (parameters.path("id"), parameters.pathAiring())
        now = try parameters.minute()
        zone = try parameters.zone()
        texts = try parameters.namedTexts() ?? .english
        hasSimilar = try parameters.flag("similar")
        selection = try AiringSelection(&parameters)
    }

    var isSlow: Bool { hasSimilar }

    func document(from guide: GuideView) throws -> Document {
        guard let airing, var detail = try guide.guide.airing(airing) else {
            throw Problem.notFound(
                "The guide has no airing “\(id.prefix(40))”. Find airings with /api/v1/search?q=….")
        }
        detail.programme = detail.programme.withHTTPURLsOnly
        detail.airing = detail.airing.localized(by: detail.programme, in: selection.languages)
        let reader = AiringReader(selection, of: guide, at: (now, zone))
        detail.stationName = try reader.name(ofStation: detail.airing.station) ?? detail.stationName
        let station = try guide.guide.station(detail.airing.station)?.withHTTPURLsOnly
        let alternatives = try guide.alternatives(to: detail.airing, in: zone)
        let links = try guide.linkContext(for: detail.airing.station, at: (now, zone))
        let showings = try guide.guide
            .showings(of: detail.airing.id, after: now, limit: AiringEndpoint.maximumShowingCount)
            .compactMap { try reader.match($0) }
        let similar =
            try hasSimilar ? guide.guide.similar(to: detail, at: now).compactMap { try reader.match($0) } : nil
        var document = Document.object { json in
            json.member(
                "airing",
                object: { json in
                    detail.writeMembers(to: &json)
                    detail.writeMembersOnDemand([.series, .images, .minimumAge, .links, .catchup], links, to: &json)
                    json.member("genre", detail.airing.drawnGenre?.rawValue)
                    json.member("poster", guide.site.artwork.poster(of: detail.programme, in: detail.airing.id))
                    json.member(
                        "facts",
                        objects: ProgrammeFacts(
                            detail, clock: GuideClock(zone: zone, names: texts.dates), texts: texts,
                            languages: selection.languages,
                            alternatives: alternatives.map(\.label)
                        ).of(.credit, .fact, .repair, .source).filter { !$0.text.isEmpty }
                    ) { fact, json in
                        json.member("name", fact.name)
                        json.member("text", fact.text)
                    }
                })
            json.member("station", station?.localized(in: selection.languages))
            json.member("alternatives", objects: alternatives) { alternative, json in
                json.member("station", alternative.station)
                json.member("name", alternative.name)
                json.member("number", alternative.number?.description)
                json.member("lineup", alternative.lineup)
            }
            json.member("showings", showings)
            if let similar { json.member("similar", similar) }
        }
        if hasSimilar { document.isCacheable = try guide.guide.isSearchIndexCurrent() }
        return document
    }
}

/// `/api/v1/search`: a full-text search for airings. Those that have not ended come first.
struct SearchEndpoint: Endpoint {
    static let path = "/api/v1/search"

    private let words: String
    private let lastWord: SearchQuery.LastWord
    private let now: Instant
    private let zone: Zone
    private let page: PageRange
    private let selection: AiringSelection

    init(_ parameters: inout ParameterReader) throws(Problem) {
        guard let words = try parameters.text("q") else {
            throw .badParameter("q", "the words to search for are missing. Use /api/v1/search?q=evening+news.")
        }
        self.words = words
        lastWord = try parameters.choice("lastWord", default: SearchQuery.LastWord.whole)
        now = try parameters.minute()
        zone = try parameters.zone()
        page = try PageRange(&parameters, default: 50, maximum: 200, maximumOffset: 10_000)
        selection = try AiringSelection(&parameters)
    }

    var isSlow: Bool { true }

    /// The total and the page are determined before airings are omitted by their age.
    func document(from guide: GuideView) throws -> Document {
        let query = SearchQuery(words: words, lastWord: lastWord, now: now, offset: page.offset, limit: page.limit)
        let found = try guide.search(query)
        let reader = AiringReader(selection, of: guide, at: (now, zone))
        let matches = try found.matches.compactMap { try reader.match($0) }
        let suggestions = try found.total > 0 ? [] : guide.guide.suggestions(for: query)
        var document = Document.object { json in
            json.member("at", now)
            json.member("total", found.total)
            json.member("isTotalExact", found.isTotalExact)
            json.member("offset", page.offset)
            json.member("matches", matches)
            json.member("suggestions", suggestions)
        }
        document.isCacheable = try guide.guide.isSearchIndexCurrent()
        return document
    }
}

/// `/api/v1/categories`: the categories of all programmes, the most frequent first.
struct CategoriesEndpoint: Endpoint {
    static let path = "/api/v1/categories"

    init(_ parameters: inout ParameterReader) throws(Problem) {}

    func document(from guide: GuideView) throws -> Document {
        let categories = try guide.guide.categories()
        var genres = GenreFinder()
        return .object { json in
            json.member("categories", objects: categories) { category, json in
                json.member("name", category.name)
                json.member("count", category.count)
                genres.begin()
                genres.add(category.name)
                let genre = genres.genre(isDated: false, hasEpisode: false)
                json.member("genre", EPGRender.Genre(genre, duration: 0)?.rawValue)
            }
        }
    }
}

extension GuideView {
    /// Returns the other channels of an airing's station, and the channels of stations that differ from it only in quality.
    ///
    /// - Throws: An error of the store.
    func alternatives(to airing: Airing, in zone: Zone) throws -> [StationAlternative] {
        try StationAlternative.alternatives(to: airing, in: guide, zone: zone, duplicates())
    }

    /// The airings that match a search.
    ///
    /// - Throws: ``Problem``: 400 for an invalid expression, 503 if the search index is missing.
    func search(_ query: SearchQuery) throws -> SearchResults {
        do {
            return try guide.search(query)
        } catch let error as SearchExpressionError {
            throw Problem.badParameter("q", "\(error)")
        } catch is SearchIndexMissing {
            throw Problem(
                .serviceUnavailable, "The search index is missing. The next import or refresh builds it.",
                retryAfter: 30)
        }
    }
}

/// The selection of airings and their members by the parameters `lang`, `fields`, `maxAge` and `unrated`.
struct AiringSelection: Sendable {
    /// In order of preference; empty for the first language of the feed.
    let languages: [String]
    fileprivate let members: AiringMembers
    /// The maximum age rating of airings; `nil` for no limit.
    private let maximumAge: Int?
    /// Whether airings without a known age stay if there is a maximum.
    private let includesUnrated: Bool

    init(_ parameters: inout ParameterReader) throws(Problem) {
        languages = try parameters.languages()
        members = try parameters.members()
        maximumAge = try parameters.value("maxAge", expected: "an age from 0 to 21") { text in
            Int(text).flatMap { (0...21).contains($0) ? $0 : nil }
        }
        includesUnrated = try parameters.integer("unrated", default: 1, in: 0...1) == 1
    }

    /// A text that differs between selections.
    var key: String {
        "\(languages.joined(separator: ",")) \(members.rawValue) \(maximumAge.map(String.init) ?? "") \(includesUnrated)"
    }

    /// Whether the members depend on the current time.
    var dependsOnTime: Bool { !members.isDisjoint(with: .ofChannels) }

    /// Whether each airing costs a separate seek.
    fileprivate var readsProgrammes: Bool {
        !languages.isEmpty || maximumAge != nil || !members.isDisjoint(with: .ofProgramme)
    }

    /// - Throws: ``Problem`` if the members depend on the current time or on settings of the service, which have no part in the
    ///   version of a day.
    func requireVersionedMembers() throws(Problem) {
        guard dependsOnTime || members.contains(.poster) else { return }
        throw .badParameter(
            "fields",
            "links, catchup and poster do not depend on the day alone. Request them from /api/v1/stations/{id}/schedule."
        )
    }

    fileprivate func includes(_ programme: Programme?) -> Bool {
        guard let maximumAge else { return true }
        return programme?.minimumAge.map { $0 <= maximumAge } ?? includesUnrated
    }
}

extension ParameterReader {
    /// The parameter `fields`: the names of members, separated by commas (default: ``MemberSelection/standard``).
    mutating func members<Members: MemberSelection>() throws(Problem) -> Members {
        try value("fields", maximumLength: 400, expected: "a list of some of \(Members.allNames)") {
            Members(names: $0)
        } ?? .standard
    }
}

/// A reader of the airings and members that an ``AiringSelection`` selects.
struct AiringReader {
    private let selection: AiringSelection
    private let view: GuideView
    private let time: (now: Instant, zone: Zone)?

    /// - Parameter time: The current time, and the zone of local times in catch-up URLs. Only a selection that does not
    ///   depend on the time needs none.
    init(_ selection: AiringSelection, of guide: GuideView, at time: (now: Instant, zone: Zone)? = nil) {
        self.selection = selection
        view = guide
        self.time = selection.dependsOnTime ? time : nil
    }

    private var guide: any GuideReading { view.guide }

    /// Returns an airing with its selected members; `nil` if its age excludes it.
    ///
    /// - Complexity: One seek if ``AiringSelection/readsProgrammes``, and one for each channel of its station if the selection
    ///   depends on the time.
    func airing(_ airing: Airing) throws -> SelectedAiring? {
        let detail = selection.readsProgrammes ? try guide.airing(airing.id) : nil
        guard selection.includes(detail?.programme) else { return nil }
        let localized = detail.map { airing.localized(by: $0.programme, in: selection.languages) }
        return SelectedAiring(
            localized ?? airing, members: selection.members,
            genre: selection.members.contains(.genre) ? airing.drawnGenre : nil, detail: detail,
            links: try time.map { try view.linkContext(for: airing.station, at: $0) },
            poster: detail.flatMap { view.site.artwork.poster(of: $0.programme, in: airing.id) })
    }

    /// Returns airings with their selected members, without those that their age excludes.
    func airings(_ airings: [Airing]) throws -> [SelectedAiring] { try airings.compactMap { try airing($0) } }

    /// Returns a match or a showing with its selected members; `nil` if its age excludes it.
    func match(_ match: SearchMatch) throws -> SelectedMatch? {
        var match = match
        match.stationName = try name(ofStation: match.airing.station) ?? match.stationName
        return try airing(match.airing).map { SelectedMatch(match, $0) }
    }

    /// The name of a station in the requested languages; `nil` without languages, and for a missing station.
    func name(ofStation id: StationID) throws -> String? {
        guard !selection.languages.isEmpty else { return nil }
        return try guide.station(id)?.station.localized(in: selection.languages).name
    }
}

extension GuideView {
    /// Returns the context for the links of a station's airings.
    ///
    /// - Throws: An error of the store.
    /// - Complexity: One seek for each channel that shows the station.
    func linkContext(for station: StationID, at time: (now: Instant, zone: Zone)) throws -> LinkContext {
        LinkContext(
            now: time.now, zone: time.zone, serviceURL: site.publicURL,
            channels: StationChannels(
                try guide.lineups(containing: station), mappingShifts: try guide.mappingShifts()))
    }
}
