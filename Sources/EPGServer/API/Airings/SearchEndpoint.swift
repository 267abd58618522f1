import EPGJSON
import EPGModel
import EPGRender
import HTTPTypes

/// `/api/v1/search`: airings that have some words, what is to come first.
struct SearchEndpoint: Endpoint {
    static let path = "/api/v1/search"

    private let words: String
    private let now: Instant
    private let page: PageRange

    init(_ request: inout RequestReader) throws(Problem) {
        guard let words = try request.text("q") else {
            throw .badParameter("q", "give the words to look for, such as /api/v1/search?q=evening+news.")
        }
        self.words = words
        now = try request.minute()
        page = try PageRange(&request, greatest: 200, default: 50, last: 10_000)
    }

    var isSearch: Bool { true }

    func answer(_ guide: GuideView) throws -> Document {
        let found = try guide.search(SearchQuery(words: words, now: now, offset: page.offset, limit: page.limit))
        var document = Document { json in
            json.object { json in
                json.member("generation", guide.generation.rawValue)
                json.member("at", now)
                json.member("total", found.total)
                json.member("isTotalExact", found.isTotalExact)
                json.member("offset", page.offset)
                json.member("matches", found.matches)
            }
        }
        document.isPassing = try !guide.guide.isSearchIndexCurrent()
        return document
    }
}

extension GuideView {
    /// The airings that a search finds.
    ///
    /// - Throws: ``Problem``: 400 for words that can't be searched for, 503 while there is no search index.
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
