import CollectionLayout
import EPGCalendar
import EPGLayout
import EPGModel

/// The guide as a page: the part of the grid that a viewport shows, with cells in place, and ways to the rest that need no
/// script.
///
/// Where a cell stands is the layout's business; the page counts x from the first instant and the first row that it shows,
/// from the edge where text begins, and leaves the width of the columns before it to the style. `guide.js` takes it over
/// from there: what it needs to know stands in the `data-` attributes of `#guide`.
struct GuideHTML: Sendable {
    /// The whole guide, with time to the right.
    let layout: GuideLayout
    let content: GuideContent
    let stations: [StationRow]
    /// The part of the guide that is shown.
    let window: TimeWindow
    let rows: Range<Int>
    let zone: Zone
    /// The full name of the generation.
    let generation: String
    /// Makes addresses with the parameters that all pages share.
    let frame: PageFrame
    /// A sentence above the grid, such as that the listings are over.
    let notice: String?

    /// - Parameters:
    ///   - content: What ``GuideHTML/viewport(showing:during:of:)`` demands of the layout, and the marks of the whole guide.
    ///   - stations: Those of the rows.
    init(
        layout: GuideLayout, content: GuideContent, stations: [StationRow], window: TimeWindow, rows: Range<Int>,
        zone: Zone, generation: String, frame: PageFrame, notice: String? = nil
    ) {
        self.layout = layout
        self.content = content
        self.stations = stations
        self.window = window
        self.rows = rows
        self.zone = zone
        self.generation = generation
        self.frame = frame
        self.notice = notice
    }

    /// The measures of the page for an hour of so many points; `guide.css` may make it all greater.
    static func metrics(pointsPerHour: Double) throws(GuideLayoutError) -> GuideMetrics {
        try GuideMetrics(
            pointsPerHour: pointsPerHour, rowHeight: 56, stationColumnWidth: 132, headerHeight: 34,
            thumbnails: .sticky(width: 60))
    }

    /// What is seen of a layout when rows are shown during a window; columns and header lie outside it.
    static func viewport(
        showing rows: Range<Int>, during window: TimeWindow, of layout: GuideLayout
    ) throws(GuideLayoutError) -> Viewport {
        let metrics = layout.metrics
        return try Viewport(
            x: layout.x(of: window.start), y: metrics.headerHeight + Double(rows.lowerBound) * metrics.rowHeight,
            width: max(1, Double(window.seconds) * metrics.pointsPerHour / 3600),
            height: max(1, Double(rows.count) * metrics.rowHeight))
    }

    /// The page, in UTF-8.
    func page() throws -> [UInt8] {
        let viewport = try GuideHTML.viewport(showing: rows, during: window, of: layout)
        let elements = layout.page(in: viewport, of: content).elements
        return frame.html { html in
            html.element("h1", [.class("unseen")], text: "TV guide, \(zone.date(at: window.start).label)")
            writeTools(to: &html)
            if let notice { html.element("p", [.id("notice"), .class("notice")], text: notice) }
            html.lineBreak()
            html.element("div", gridAttributes) { html in
                html.element("div", [.id("canvas"), .class("canvas"), .points(["--width": width])]) { html in
                    writeHours(elements, to: &html)
                    html.element("div", [.id("first"), .class("rows"), .text("role", "rowgroup")]) { html in
                        writeRows(elements, to: &html)
                        writeLines(elements, to: &html)
                    }
                }
            }
            html.element("p", [.id("live"), .class("unseen"), .text("role", "status"), .text("aria-live", "polite")]) {
                _ in
            }
        }
    }

    /// The width of the part that is shown, in points.
    private var width: Double { Double(window.seconds) * layout.metrics.pointsPerHour / 3600 }

    private var gridAttributes: [HTMLAttribute] {
        [
            .id("guide"), .class("guide"), .text("role", "grid"), .text("aria-label", "TV guide"),
            .text("aria-readonly", "true"),
            .number("aria-rowcount", layout.accessibilityRowCount(content.marks)),
            .number("aria-colcount", layout.accessibilityColumnCount(content.marks)),
            .text("data-generation", generation), .number("data-rows", layout.rowCount),
            .number("data-origin", layout.window.start.secondsSince1970),
            .number("data-end", layout.window.end.secondsSince1970),
            .number("data-from", window.start.secondsSince1970), .number("data-row", rows.lowerBound),
            .text("data-hour", layout.metrics.pointsPerHour.svg),
            .text("data-now", content.now.map { String($0.secondsSince1970) }), .text("data-zone", zone.name),
        ]
    }

    /// x of a frame as the page counts it.
    func x(of element: GuideElement) -> Double {
        element.frame.minX - PixelGrid(scale: layout.metrics.scale).snapped(layout.x(of: window.start))
    }

    /// Where an element stands for who doesn't see it.
    func indices(of element: GuideElement) -> [HTMLAttribute] {
        guard let place = layout.accessibility(of: element, marks: content.marks, now: content.now) else { return [] }
        return [
            .number("aria-colindex", place.columnIndex),
            .text("aria-colspan", place.columnSpan > 1 ? String(place.columnSpan) : nil),
        ]
    }
}
