import CollectionLayout
import EPGCalendar
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
    private let from: Instant?
    private let hours: Int
    private let row: Int
    private let zoom: Double
    /// Parameters that links to other parts of the guide carry along.
    private let options: [(name: String, value: String)]

    init(_ parameters: inout ParameterReader) throws(Problem) {
        view = try ViewRequest(&parameters)
        from = try parameters.instant("from")
        hours = try parameters.integer("hours", default: 6, in: 1...24)
        row = try parameters.integer("row", default: 0, in: 0...GuideLayout.greatestRowCount)
        zoom = try parameters.number("zoom", default: 240, in: 60...960)
        options = parameters.canonical.filter { ["hours", "zoom"].contains($0.name) }
    }

    func document(from guide: GuideView) throws -> Document {
        let frame = view.frame(
            guide.site.title, kind: "whole", place: .guide, files: .guide, site: guide.site, parameters: options)
        guard let span = try guide.guide.guideSpan(), !span.isEmpty else {
            return Document(page: frame.html { GuideHTML.writeEmptyGuide(to: &$0) })
        }
        let whole = GuidePageEndpoint.window(of: span, around: view.now)
        let layout = try GuideLayout(
            metrics: GuideHTML.metrics(pointsPerHour: zoom), window: whole, rowCount: guide.guide.stationCount())
        let visible = visiblePart(of: whole, with: span)
        let first = min(row, max(0, layout.rowCount - 1))
        let rows = first..<min(layout.rowCount, first + GuideHTML.rowsPerPage)
        let content = GuideContent(
            schedules: try guide.guide.schedules(
                guide.guide.schedules(inRows: rows, during: visible), in: view.languages), coverage: visible,
            marks: GuideMarks(in: whole, zone: view.zone), now: view.now)
        let stations = try guide.guide.stations(inRows: rows).map { $0.localized(in: view.languages) }
        let page = GuideHTML(
            layout: layout, content: content, stations: stations, window: visible, rows: rows,
            zone: view.zone, generation: guide.generationName.description, frame: frame, notice: notice(of: span))
        return Document(page: try page.page())
    }

    /// The part of a guide that the page can scroll to: whole days of UTC, from 15 days before now to 31 days after; of
    /// a guide in the past or the future, around its end or beginning.
    ///
    /// A single airing years away would make the page too wide for browsers.
    static func window(of span: TimeWindow, around now: Instant) -> TimeWindow {
        let day: Int64 = 86_400
        let center = min(max(now, span.start), span.end)
        let start = max(span.start, center.advanced(by: -15 * day)).secondsSince1970
        let end = min(span.end, center.advanced(by: 31 * day)).secondsSince1970
        let firstDay = start.quotientAndRemainderFloored(dividingBy: day).quotient
        let lastDay = (end - 1).quotientAndRemainderFloored(dividingBy: day).quotient
        return TimeWindow(
            start: Instant(secondsSince1970: firstDay * day),
            end: Instant(secondsSince1970: (max(firstDay, lastDay) + 1) * day))
    }

    /// The part that is visible at first; of a guide in the past or the future, its end or beginning.
    private func visiblePart(of whole: TimeWindow, with span: TimeWindow) -> TimeWindow {
        let seconds = min(Int64(hours) * 3600, whole.seconds)
        let last = whole.end.advanced(by: -seconds)
        var chosen = max(view.now, span.start)
        if view.now >= span.end { chosen = max(span.start, span.end.advanced(by: -seconds)) }
        let local = view.zone.localDateTime(at: chosen)
        let halfHour = chosen.advanced(by: -Int64(local.minute % 30 * 60 + local.second))
        let start = min(max(from ?? halfHour, whole.start), last)
        return TimeWindow(start: start, end: start.advanced(by: seconds))
    }

    /// The notice above a guide that has no listings now; `nil` if it has.
    private func notice(of span: TimeWindow) -> String? {
        func text(_ instant: Instant) -> String {
            "\(view.zone.date(at: instant).label), \(view.zone.timeLabel(at: instant))"
        }
        if view.now >= span.end { return "These listings ended on \(text(span.end))." }
        return view.now < span.start ? "These listings begin on \(text(span.start))." : nil
    }
}

extension GuideHTML {
    /// Writes the content of the page before the first import.
    fileprivate static func writeEmptyGuide(to html: inout HTMLWriter) {
        html.element("div", [.class("empty")]) { html in
            html.element("h1", text: "There is no guide yet")
            html.element("p", text: "The guide appears here after the first import. This page reloads by itself.")
        }
    }
}
