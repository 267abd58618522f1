import EPGJSON
import EPGModel
import HTTPTypes
import EPGRender

/// Airings and their programmes.
enum AiringController {
    static let endpoints: [any Endpoint.Type] = [AiringEndpoint.self, SearchEndpoint.self, CategoriesEndpoint.self]
}

/// `/api/v1/airings/{id}`: all data of an airing, its station, and further showings of its programme.
struct AiringEndpoint: Endpoint {
    static let path = "/api/v1/airings/{id}"

    private let id: String
    private let now: Instant
    private let languages: [String]

    /// The maximum number of further showings.
    private static let maximumShowingCount = 20

    init(_ parameters: inout ParameterReader) throws(Problem) {
        id = parameters.path("id")
        now = try parameters.minute()
        languages = try parameters.languages()
    }

    func document(from guide: GuideView) throws -> Document {
        guard let number = Int64(id), var detail = try guide.guide.airing(AiringID(number)) else {
            throw Problem.notFound(
                "The guide has no airing “\(id.prefix(40))”. Find airings with /api/v1/search?q=….")
        }
        detail.programme = detail.programme.withHTTPAddressesOnly
        detail.airing = detail.airing.localized(by: detail.programme, in: languages)
        let station = try guide.guide.station(detail.airing.station)?.withHTTPAddressesOnly
        let showings = try guide.guide.showings(
            of: detail.airing.id, after: now, limit: AiringEndpoint.maximumShowingCount)
        var document = Document.object { json in
            json.member("airing", detail)
            json.member("station", station)
            json.member("showings", showings)
        }
        document.isCacheable = try guide.guide.isSearchIndexCurrent()
        return document
    }
}

/// `/api/v1/search`: a full-text search for airings. Those that have not ended come first.
struct SearchEndpoint: Endpoint {
    static let path = "/api/v1/search"

    private let words: String
    private let now: Instant
    private let page: PageRange

    init(_ parameters: inout ParameterReader) throws(Problem) {
        guard let words = try parameters.text("q") else {
            throw .badParameter("q", "the words to search for are missing. Use /api/v1/search?q=evening+news.")
        }
        self.words = words
        now = try parameters.minute()
        page = try PageRange(&parameters, default: 50, maximum: 200, maximumOffset: 10_000)
    }

    var isSlow: Bool { true }

    func document(from guide: GuideView) throws -> Document {
        let found = try guide.search(SearchQuery(words: words, now: now, offset: page.offset, limit: page.limit))
        var document = Document.object { json in
            json.member("at", now)
            json.member("total", found.total)
            json.member("isTotalExact", found.isTotalExact)
            json.member("offset", page.offset)
            json.member("matches", found.matches)
        }
        document.isCacheable = try guide.guide.isSearchIndexCurrent()
        return document
    }
}

/// `/api/v1/categories`: the categories of all programmes, the most frequent first.
struct CategoriesEndpoint: Endpoint {
    static let path = "/api/v1/categories"

    private struct Entry: JSONObject {
        let category: NameCount

        func writeMembers(to json: inout JSONWriter) {
            json.member("name", category.name)
            json.member("count", category.count)
            json.member("genre", Genre(categories: [category.name])?.rawValue)
        }
    }

    init(_ parameters: inout ParameterReader) throws(Problem) {}

    func document(from guide: GuideView) throws -> Document {
        let categories = try guide.guide.categories()
        return .object { $0.member("categories", categories.map { Entry(category: $0) }) }
    }
}

extension GuideView {
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

extension GuideReading {
    /// Airings with their texts in the first of the languages that the feed has.
    ///
    /// - Complexity: One seek for each airing; O(1) without languages.
    func airings(_ airings: [Airing], in languages: [String]) throws -> [Airing] {
        guard !languages.isEmpty else { return airings }
        return try airings.map { airing in
            guard let programme = try self.airing(airing.id)?.programme else { return airing }
            return airing.localized(by: programme, in: languages)
        }
    }

    /// Schedules with the texts of their airings in the first of the languages that the feed has.
    func schedules(_ schedules: [RowSchedule], in languages: [String]) throws -> [RowSchedule] {
        guard !languages.isEmpty else { return schedules }
        return try schedules.map { schedule in
            var schedule = schedule
            schedule.schedule = Schedule(
                station: schedule.schedule.station, airings: try airings(schedule.schedule.airings, in: languages))
            return schedule
        }
    }
}

extension Airing {
    /// The airing with the texts of its programme in the first of the languages that the programme has.
    func localized(by programme: Programme, in languages: [String]) -> Airing {
        guard !languages.isEmpty else { return self }
        var airing = self
        airing.title = programme.titles.text(preferring: languages) ?? title
        if subtitle != nil { airing.subtitle = programme.subtitles.text(preferring: languages) ?? subtitle }
        if description != nil { airing.description = programme.descriptions.text(preferring: languages) ?? description }
        if !categories.isEmpty {
            let localized = programme.categories.texts(preferring: languages)
            // An airing of a grid has only the first category.
            if !localized.isEmpty { airing.categories = categories.count == 1 ? Array(localized.prefix(1)) : localized }
        }
        return airing
    }
}
