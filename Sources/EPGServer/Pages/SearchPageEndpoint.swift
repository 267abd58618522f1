import EPGModel
import EPGRender

/// `/search?q=`: what the guide has of some words, what is to come first.
struct SearchPageEndpoint: Endpoint {
    static let path = "/search"

    private let view: ViewRequest
    private let words: String
    private let offset: Int

    init(_ request: inout RequestReader) throws(Problem) {
        view = try ViewRequest(&request)
        words = try request.text("q") ?? ""
        offset = try request.integer("offset", default: 0, in: 0...100_000)
    }

    var isSearch: Bool { !words.isEmpty }

    func answer(_ guide: GuideView) throws -> Document {
        let results =
            words.isEmpty
            ? SearchResults()
            : try guide.search(SearchQuery(words: words, now: view.now, offset: offset, limit: SearchPage.limit))
        let page = SearchPage(words: words, offset: offset, results: results, now: view.now, zone: view.zone)
        var frame = view.frame(words.isEmpty ? "Search" : "\(words): search", kind: "results", site: guide.site)
        frame.words = words
        var document = Document(page: SearchHTML(page, frame: frame).bytes)
        document.isPassing = try !guide.guide.isSearchIndexCurrent()
        return document
    }
}
