package import EPGCalendar
import EPGLayout
package import EPGModel

/// The part of the guide that a reader of its page chose.
package struct GuidePageRequest: Sendable {
    private let now: Instant
    private let zone: Zone
    private let languages: [String]
    private let from: Instant?
    private let hours: Int
    private let row: Int
    private let pointsPerHour: Double

    /// - Parameters:
    ///   - languages: Languages of texts in order of preference.
    ///   - from: The first visible instant; `nil` for the current half hour.
    ///   - hours: The number of visible hours.
    ///   - row: The first visible row; the last one of the guide if it has fewer.
    package init(
        now: Instant, zone: Zone, languages: [String] = [], from: Instant?, hours: Int, row: Int, pointsPerHour: Double
    ) {
        self.now = now
        self.zone = zone
        self.languages = languages
        self.from = from
        self.hours = hours
        self.row = row
        self.pointsPerHour = pointsPerHour
    }

    /// Reads the guide, and returns the page in UTF-8.
    ///
    /// - Parameter generation: The full name of the guide's generation.
    /// - Throws: An error of the store, or ``EPGLayout/GuideLayoutError``.
    package func html(of guide: any GuideReading, generation: String, frame: PageFrame) throws -> [UInt8] {
        guard let span = try guide.guideSpan(), !span.isEmpty else { return GuidePageRequest.emptyGuide(frame) }
        let whole = GuidePageRequest.window(of: span, around: now)
        let layout = try GuideLayout(
            metrics: GuideHTML.metrics(pointsPerHour: pointsPerHour), window: whole, rowCount: guide.stationCount())
        let visible = visiblePart(of: whole, with: span)
        let first = min(row, max(0, layout.rowCount - 1))
        let rows = first..<min(layout.rowCount, first + GuideHTML.rowsPerPage)
        let content = GuideContent(
            schedules: try guide.schedules(guide.schedules(inRows: rows, during: visible), in: languages),
            coverage: visible,
            marks: GuideMarks(in: whole, zone: zone), now: now)
        let stations = try guide.stations(inRows: rows).map { $0.localized(in: languages) }
        return try GuideHTML(
            layout: layout, content: content, stations: stations, window: visible, rows: rows, zone: zone,
            generation: generation, frame: frame, notice: notice(of: span)
        ).page()
    }

    /// The part of a guide that the page can scroll to: whole days of UTC, from 15 days before now to 31 days after; of
    /// a guide in the past or the future, around its end or beginning.
    ///
    /// A single airing years away would make the page too wide for browsers.
    static func window(of span: TimeWindow, around now: Instant) -> TimeWindow {
        let center = min(max(now, span.start), span.end)
        let near = TimeWindow(
            start: max(span.start, center.advanced(by: -15 * 86_400)),
            end: min(span.end, center.advanced(by: 31 * 86_400)))
        return TimeWindow(daysSince1970: near.daysSince1970)
    }

    /// The part that is visible at first; of a guide in the past or the future, its end or beginning.
    private func visiblePart(of whole: TimeWindow, with span: TimeWindow) -> TimeWindow {
        let seconds = min(Int64(hours) * 3600, whole.seconds)
        let last = whole.end.advanced(by: -seconds)
        var chosen = max(now, span.start)
        if now >= span.end { chosen = max(span.start, span.end.advanced(by: -seconds)) }
        let local = zone.localDateTime(at: chosen)
        let halfHour = chosen.advanced(by: -Int64(local.minute % 30 * 60 + local.second))
        let start = min(max(from ?? halfHour, whole.start), last)
        return TimeWindow(start: start, end: start.advanced(by: seconds))
    }

    /// The notice above a guide that has no listings now; `nil` if it has.
    private func notice(of span: TimeWindow) -> String? {
        func text(_ instant: Instant) -> String {
            "\(zone.date(at: instant).label), \(zone.timeLabel(at: instant))"
        }
        if now >= span.end { return "These listings ended on \(text(span.end))." }
        return now < span.start ? "These listings begin on \(text(span.start))." : nil
    }

    /// The page before the first import.
    private static func emptyGuide(_ frame: PageFrame) -> [UInt8] {
        frame.html { html in
            html.element("div", [.class("empty")]) { html in
                html.element("h1", text: "There is no guide yet")
                html.element("p", text: "The guide appears here after the first import. This page reloads by itself.")
            }
        }
    }
}
