import EPGModel
import EPGRender

/// `/airings/{id}`: an airing, with everything that is known of it.
struct AiringPageEndpoint: Endpoint {
    static let path = "/airings/{id}"

    private let view: ViewRequest
    private let id: AiringID

    init(_ request: inout RequestReader) throws(Problem) {
        view = try ViewRequest(&request)
        let text = request.capture("id")
        guard text.utf8.allSatisfy({ 0x30...0x39 ~= $0 }), let number = Int64(text) else {
            throw .notFound("Airings have numbers; \(text.prefix(40)) is none.")
        }
        id = AiringID(number)
    }

    func answer(_ guide: GuideView) throws -> Document {
        guard let detail = try guide.guide.airing(id) else {
            throw Problem.notFound("There is no airing \(id) in the guide. It may have been taken out since.")
        }
        let page = AiringPage(
            detail: detail, station: try guide.guide.station(detail.airing.station),
            showings: try guide.guide.showings(of: id, after: view.now, limit: AiringPage.showingLimit),
            now: view.now, zone: view.zone, languages: view.languages)
        let title = "\(detail.airing.title), \(detail.stationName)"
        var document = Document(
            page: AiringHTML(page, frame: view.frame(title, kind: "detail", site: guide.site)).bytes)
        document.isPassing = try !guide.guide.isSearchIndexCurrent()
        return document
    }
}
