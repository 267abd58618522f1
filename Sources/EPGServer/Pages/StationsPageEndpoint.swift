import EPGModel
import EPGRender

/// `/stations`: all stations, or those that match a text or belong to a group.
struct StationsPageEndpoint: Endpoint {
    static let path = "/stations"

    private let view: ViewRequest
    private let text: String?
    private let group: String?
    private let offset: Int

    init(_ request: inout RequestReader) throws(Problem) {
        view = try ViewRequest(&request, followsClock: false)
        text = try request.text("q")
        group = try request.text("group", atMost: 400)
        offset = try request.integer("offset", default: 0, in: 0...10_000_000)
    }

    func answer(_ guide: GuideView) throws -> Document {
        let filter = StationFilter(text: text, group: group)
        let found = try guide.guide.stations(filter, offset: offset, limit: StationsPage.limit)
        let groups = try guide.guide.stationGroups()
        let page = StationsPage(
            text: text ?? "", group: group, groups: groups, offset: offset, total: found.total,
            stations: found.stations)
        let frame = view.frame("Stations", kind: "stations", place: .stations, site: guide.site)
        return Document(page: StationsHTML(page, frame: frame).bytes)
    }
}
