import EPGCalendar
import EPGLayout
import EPGModel

// MARK: - Ways to the rest

extension GuideHTML {
    /// Writes links to other times, days and stations, which work without a script.
    func writeTools(to html: inout HTMLWriter) {
        html.element("nav", [.id("tools"), .class("tools"), .text("aria-label", "Times and stations")]) { html in
            html.element("div", [.class("ways")]) { html in
                html.element("a", [.class("button"), .url("href", address(from: nil))], text: "Now")
                writeWay("Earlier", to: window.start.advanced(by: -window.seconds), &html)
                writeWay("Later", to: window.end, &html)
                if rows.lowerBound > 0 {
                    let row = max(0, rows.lowerBound - GuideHTML.rowsPerPage)
                    html.element(
                        "a", [.class("button"), .url("href", address(from: window.start, row: row))],
                        text: "Stations above")
                }
                if rows.upperBound < layout.rowCount {
                    html.element(
                        "a", [.class("button"), .url("href", address(from: window.start, row: rows.upperBound))],
                        text: "Stations below")
                }
            }
            html.element("div", [.class("days")]) { writeDays(to: &$0) }
        }
    }

    /// The number of stations that the page comes with.
    static var rowsPerPage: Int { 24 }

    private func writeWay(_ words: String, to start: Instant, _ html: inout HTMLWriter) {
        let last = max(layout.window.start, layout.window.end.advanced(by: -window.seconds))
        let start = min(max(start, layout.window.start), last)
        guard start != window.start else { return }
        html.element("a", [.class("button"), .url("href", address(from: start))], text: words)
    }

    /// Writes a link for each day of the guide, to the time of day that is shown.
    private func writeDays(to html: inout HTMLWriter) {
        let today = zone.date(at: window.start)
        let time = zone.start(of: today).seconds(to: window.start)
        for day in content.marks.days where day.instant < layout.window.end {
            let date = zone.date(at: day.instant)
            guard zone.window(of: date).end > layout.window.start else { continue }
            let start = min(max(day.instant.advanced(by: time), layout.window.start), layout.window.end)
            html.element(
                "a", [.url("href", address(from: start)), .text("aria-current", date == today ? "date" : nil)],
                text: day.label)
        }
    }

    private func address(from start: Instant?, row: Int? = nil) -> String {
        var parameters: [(name: String, value: String)] = []
        if let start { parameters.append(("from", String(start.secondsSince1970))) }
        let row = row ?? rows.lowerBound
        if row > 0 { parameters.append(("row", String(row))) }
        return frame.address("/", parameters)
    }
}
