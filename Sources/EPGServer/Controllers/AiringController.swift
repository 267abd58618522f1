import EPGCalendar
import EPGJSON
import EPGModel
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
    private let now: Instant
    private let zone: Zone
    /// Of the showings, except for the languages.
    private let selection: AiringSelection

    /// The maximum number of further showings.
    private static let maximumShowingCount = 20

    init(_ parameters: inout ParameterReader) throws(Problem) {
        id = parameters.path("id")
        now = try parameters.minute()
        zone = try parameters.zone()
        selection = try AiringSelection(&parameters)
    }

    func document(from guide: GuideView) throws -> Document {
        guard let number = Int64(id), var detail = try guide.guide.airing(AiringID(number)) else {
            throw Problem.notFound(
                "The guide has no airing “\(id.prefix(40))”. Find airings with /api/v1/search?q=….")
        }
        detail.programme = detail.programme.withHTTPAddressesOnly
        detail.airing = detail.airing.localized(by: detail.programme, in: selection.languages)
        let reader = AiringReader(selection, of: guide, at: (now, zone))
        detail.stationName = try reader.name(ofStation: detail.airing.station) ?? detail.stationName
        let station = try guide.guide.station(detail.airing.station)?.withHTTPAddressesOnly
        let links = try guide.linkContext(for: detail.airing.station, at: (now, zone))
        let showings = try guide.guide
            .showings(of: detail.airing.id, after: now, limit: AiringEndpoint.maximumShowingCount)
            .compactMap { try reader.match($0) }
        var document = Document.object { json in
            json.member(
                "airing",
                object: { json in
                    detail.writeMembers(to: &json)
                    detail.writeMembersOnDemand([.series, .images, .minimumAge, .links, .catchup], links, to: &json)
                })
            json.member("station", station?.localized(in: selection.languages))
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
    private let zone: Zone
    private let page: PageRange
    private let selection: AiringSelection

    init(_ parameters: inout ParameterReader) throws(Problem) {
        guard let words = try parameters.text("q") else {
            throw .badParameter("q", "the words to search for are missing. Use /api/v1/search?q=evening+news.")
        }
        self.words = words
        now = try parameters.minute()
        zone = try parameters.zone()
        page = try PageRange(&parameters, default: 50, maximum: 200, maximumOffset: 10_000)
        selection = try AiringSelection(&parameters)
    }

    var isSlow: Bool { true }

    /// The total and the page count before airings are dropped by their age.
    func document(from guide: GuideView) throws -> Document {
        let found = try guide.search(SearchQuery(words: words, now: now, offset: page.offset, limit: page.limit))
        let reader = AiringReader(selection, of: guide, at: (now, zone))
        let matches = try found.matches.compactMap { try reader.match($0) }
        var document = Document.object { json in
            json.member("at", now)
            json.member("total", found.total)
            json.member("isTotalExact", found.isTotalExact)
            json.member("offset", page.offset)
            json.member("matches", matches)
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
        return .object { json in
            json.member("categories", objects: categories) { category, json in
                json.member("name", category.name)
                json.member("count", category.count)
                json.member("genre", Genre(categories: [category.name])?.rawValue)
            }
        }
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
