import EPGLayout
import EPGRender

/// What was laid out for a viewport, and its faces.
struct GridPicture: Sendable {
    let layout: GuideLayout
    let viewport: Viewport
    /// From the back to the front.
    let elements: [GuideElement]

    /// The elements with their frames.
    var json: GridJSON { GridJSON(layout: layout, elements: elements) }

    /// The picture, as an SVG document.
    func svg(in theme: SVGTheme, at moment: Moment) -> String {
        GuideSVG(layout: layout, viewport: viewport, theme: theme, zone: moment.zone, now: moment.now)
            .text(of: elements)
    }
}
