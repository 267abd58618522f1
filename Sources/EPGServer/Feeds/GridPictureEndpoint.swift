import EPGCalendar
import EPGLayout
import EPGModel
import EPGRender

/// `/grid.svg`: a viewport of the guide as a picture; the parameters are those of ``GridEndpoint``, and `theme`.
struct GridPictureEndpoint: Endpoint {
    static let path = "/grid.svg"

    /// The colours.
    enum Theme: String, CaseIterable, Sendable {
        case light, dark
    }

    private let query: GridQuery
    private let theme: Theme

    init(_ request: inout RequestReader) throws(Problem) {
        theme = try request.choice("theme", default: Theme.light)
        query = try GridQuery(&request, isBare: false)
    }

    func answer(_ guide: GuideView) throws -> Document {
        let picture = try query.picture(from: guide.guide)
        let page = picture.frame.layout.page(in: picture.frame.viewport, of: picture.content)
        let svg = GuideSVG(
            layout: picture.frame.layout, viewport: picture.frame.viewport, theme: theme == .dark ? .dark : .light,
            zone: query.zone, now: query.now)
        return Document(.svg, text: svg.text(of: page.elements))
    }
}
