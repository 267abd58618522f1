import EPGLayout
import EPGModel
import EPGRender

/// `/`: the guide as a page.
///
/// Besides the parameters of ``ViewRequest``: `from`, the first visible instant (default: the current half hour),
/// `hours`, the number of visible hours, `row`, the first station, and `zoom`, the points of an hour. The page shows
/// this part without a script; its script requests the rest as tiles (Sources/CPage/Assets/guide/tiles.js).
struct GuidePageEndpoint: Endpoint {
    static let path = "/"

    private let view: ViewRequest
    private let page: GuidePageRequest
    /// Parameters that links to other parts of the guide carry along.
    private let options: [(name: String, value: String)]

    init(_ parameters: inout ParameterReader) throws(Problem) {
        view = try ViewRequest(&parameters)
        page = GuidePageRequest(
            now: view.now, zone: view.zone, from: try parameters.instant("from"),
            hours: try parameters.integer("hours", default: 6, in: 1...24),
            row: try parameters.integer("row", default: 0, in: 0...GuideLayout.greatestRowCount),
            pointsPerHour: try parameters.number("zoom", default: 240, in: 60...960))
        options = parameters.canonical.filter { ["hours", "zoom"].contains($0.name) }
    }

    func document(from guide: GuideView) throws -> Document {
        let frame = view.frame(
            guide.site.title, kind: "whole", place: .guide, files: .guide, site: guide.site, parameters: options)
        return Document(
            page: try page.html(of: guide.guide, generation: guide.generationName.description, frame: frame))
    }
}
