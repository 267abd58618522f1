import CollectionLayout
import EPGCalendar
import EPGLayout
import EPGModel
import EPGRender

/// `/`: the guide as a page.
///
/// Parameters: `from`, the first instant that is shown (by default the half hour that is under way), `hours`, how long, `row`,
/// the first station, `zoom`, the points of an hour, and `dir`.
struct GuidePageEndpoint: Endpoint {
    static let path = "/"

    private let now: Instant
    private let from: Instant?
    private let hours: Int
    private let row: Int
    private let zoom: Double
    private let zone: Zone
    private let direction: TextDirection
    /// Parameters that links to other pages and to other parts of the guide carry along.
    private let shared: [(name: String, value: String)]

    init(_ request: inout RequestReader) throws(Problem) {
        now = try request.minute()
        from = try request.instant("from")
        hours = try request.integer("hours", default: 6, in: 1...24)
        row = try request.integer("row", default: 0, in: 0...GuideLayout.greatestRowCount)
        zoom = try request.number("zoom", default: 240, in: 60...960)
        zone = try request.zone()
        let languages = try request.languages()
        direction = try request.choice("dir", default: TextDirection.ltr)
        let isFixed = !request.followsClock
        shared =
            [
                ("at", isFixed ? String(now.secondsSince1970) : ""),
                ("zone", zone == request.defaultZone ? "" : zone.name), ("lang", languages.joined(separator: ",")),
                ("dir", direction == .ltr ? "" : direction.rawValue), ("hours", hours == 6 ? "" : String(hours)),
                ("zoom", zoom == 240 ? "" : zoom.description),
            ].filter { !$0.1.isEmpty }
    }

    func answer(_ guide: GuideView) throws -> Document {
        var frame = PageFrame(title: guide.site.title, site: guide.site.title, files: .guide, place: .guide)
        frame.direction = direction.layoutDirection
        frame.shared = shared
        frame.kind = "whole"
        guard let span = try guide.guide.guideSpan(), !span.isEmpty else {
            return Document(page: frame.html { GuideHTML.writeEmptyGuide(to: &$0) })
        }
        let whole = GuidePageEndpoint.window(of: span, around: now)
        let layout = try GuideLayout(
            metrics: GuideHTML.metrics(pointsPerHour: zoom), window: whole, rowCount: guide.guide.stationCount())
        let shown = shown(of: whole, with: span)
        let first = min(row, max(0, layout.rowCount - 1))
        let rows = first..<min(layout.rowCount, first + GuideHTML.rowsPerPage)
        let schedules = try guide.guide.schedules(inRows: rows, during: shown)
        let content = GuideContent(
            schedules: schedules, coverage: shown, marks: GuideMarks(in: whole, zone: zone), now: now)
        let page = GuideHTML(
            layout: layout, content: content, stations: try guide.guide.stations(inRows: rows), window: shown,
            rows: rows,
            zone: zone, generation: guide.generationName.description, frame: frame, notice: notice(of: span))
        return Document(page: try page.page())
    }

    /// The part of a guide that the page can come to: whole days of UTC, so that tiles have the same addresses for
    /// everybody, from a fortnight before now (or the end of a guide that is over) to a month after.
    ///
    /// A guide may have an airing that is years away, and the page would be too wide for browsers.
    static func window(of span: TimeWindow, around now: Instant) -> TimeWindow {
        let day: Int64 = 86_400
        let centre = min(max(now, span.start), span.end)
        let start = max(span.start, centre.advanced(by: -15 * day)).secondsSince1970
        let end = min(span.end, centre.advanced(by: 31 * day)).secondsSince1970
        let firstDay = start.quotientAndRemainderFloored(dividingBy: day).quotient
        let lastDay = (end - 1).quotientAndRemainderFloored(dividingBy: day).quotient
        return TimeWindow(
            start: Instant(secondsSince1970: firstDay * day),
            end: Instant(secondsSince1970: (max(firstDay, lastDay) + 1) * day))
    }

    /// The part that is shown at first; of a guide that is over or yet to come, its end or its beginning.
    private func shown(of whole: TimeWindow, with span: TimeWindow) -> TimeWindow {
        let seconds = min(Int64(hours) * 3600, whole.seconds)
        let last = whole.end.advanced(by: -seconds)
        var chosen = max(now, span.start)
        if now >= span.end { chosen = max(span.start, span.end.advanced(by: -seconds)) }
        let local = zone.localDateTime(at: chosen)
        let halfHour = chosen.advanced(by: -Int64(local.minute % 30 * 60 + local.second))
        let start = min(max(from ?? halfHour, whole.start), last)
        return TimeWindow(start: start, end: start.advanced(by: seconds))
    }

    /// What is to be said of a guide in which nothing is on now.
    private func notice(of span: TimeWindow) -> String? {
        func words(_ instant: Instant) -> String {
            "\(zone.date(at: instant).label), \(zone.timeLabel(at: instant))"
        }
        if now >= span.end { return "These listings are over: the last one ended on \(words(span.end))." }
        return now < span.start ? "The listings begin on \(words(span.start))." : nil
    }
}

extension GuideHTML {
    /// Writes what stands there while no guide was imported.
    fileprivate static func writeEmptyGuide(to html: inout HTMLWriter) {
        html.element("div", [.class("empty")]) { html in
            html.element("h1", text: "There is no guide yet")
            html.element(
                "p", text: "It stands here as soon as listings are imported; this page needn't be loaded again.")
        }
    }
}
