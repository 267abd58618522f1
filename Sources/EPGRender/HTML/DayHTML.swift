import EPGCalendar
import EPGModel

/// The day of a station as HTML: a list in groups, one for each part of the day.
package struct DayHTML {
    private let page: DayPage
    private let frame: PageFrame
    private let clock: ViewClock

    package init(_ page: DayPage, frame: PageFrame) {
        self.page = page
        self.frame = frame
        clock = ViewClock(zone: page.zone)
    }

    /// The whole document.
    package var bytes: [UInt8] {
        frame.html { html in
            writeHead(&html)
            writeDays(&html)
            html.element("p", [.view("note")]) { html in
                html.text("\(clock.day(page.date, at: page.now)), \(page.date), \(page.zone.name). ")
                if page.window.isEmpty {
                    html.text("The calendar here skipped this day.")
                } else if let hours = page.oddHours {
                    html.text("The clocks change: this day has \(hours) hours. ")
                }
                if hasCurrent { html.element("a", [.url("href", "#now")], text: "To what is on now") }
            }
            html.element("div", [.view("canvas", "list")]) { html in
                for (index, part) in page.parts.enumerated() { write(part, number: index, &html) }
            }
        }
    }

    private var hasCurrent: Bool { page.parts.contains { $0.rows.contains { style(of: $0) == "current" } } }

    private var path: String { "/stations/\(page.station.station.id.rawValue.percentEncoded)" }

    private func writeHead(_ html: inout HTMLWriter) {
        let station = page.station.station
        html.element("div", [.view("lede", "of-station")]) { html in
            html.logo(station.icons.first?.source, name: station.name)
            html.element("div") { html in
                html.guideText("h1", "", station.name)
                html.element("p") { html in
                    if let number = page.station.shownNumber { html.text("Channel \(number) · ") }
                    html.element(
                        "a",
                        [.url("href", frame.guideAddress(from: guideStart, row: page.station.row))],
                        text: "In the guide")
                    html.text(" · ")
                    html.element("a", [.url("href", "\(path).ics")], text: "Calendar (.ics)")
                    for url in station.urls.prefix(1) {
                        guard let web = HTTPAddress(url.address) else { continue }
                        html.text(" · ")
                        html.element(
                            "a", [.url("href", web.text), .text("rel", "noopener noreferrer")], text: "Website")
                    }
                }
            }
        }
    }

    /// Where the guide is to be opened: now, if that is in the day, else in its evening.
    private var guideStart: Instant {
        if page.window.contains(page.now) { return page.now }
        return min(page.window.end, page.window.start.advanced(by: 18 * 3600))
    }

    private func writeDays(_ html: inout HTMLWriter) {
        html.element("nav", [.view("days"), .text("aria-label", "Days")]) { html in
            for day in page.days {
                let isChosen = day == page.date
                html.element(
                    "a",
                    [
                        .url("href", frame.address(path, [("day", day.description)])),
                        .text("aria-current", isChosen ? "date" : nil),
                    ], text: clock.day(day, at: page.now))
            }
        }
    }

    private func write(_ part: DayPart, number: Int, _ html: inout HTMLWriter) {
        let heading = "part-\(number)"
        html.lineBreak()
        html.element("h2", [.id(heading), .view("part")], text: part.name.rawValue)
        html.element("ol", [.view("group"), .text("aria-labelledby", heading)]) { html in
            for row in part.rows {
                html.lineBreak()
                html.element(
                    "li", [.view("row", style(of: row)), .id(style(of: row) == "current" ? "now" : "")]
                ) { write(row, &$0) }
            }
        }
    }

    private func style(of row: DayRow) -> String {
        if case .gap = row { return "gap" }
        if row.window.contains(page.now) { return "current" }
        return row.window.end <= page.now ? "past" : "coming"
    }

    private func write(_ row: DayRow, _ html: inout HTMLWriter) {
        switch row {
        case .gap(let window):
            html.element("span", [.view("when")]) { $0.time(window.start, clock) }
            html.element("span", [.view("words")]) { html in
                html.text("Nothing known until ")
                html.time(window.end, clock)
            }
        case .airing(let airing):
            html.element("a", [.url("href", frame.address("/airings/\(airing.id)"))]) { write(airing, &$0) }
        }
    }

    private func write(_ airing: Airing, _ html: inout HTMLWriter) {
        let genre = Genre(categories: airing.categories)
        html.element("span", [.view("when")]) { html in
            html.time(airing.window.start, clock)
            html.element("span", [.view("until")]) { html in
                html.text("–")
                html.time(airing.window.end, clock)
            }
        }
        html.element("span", [.view("words", genre.style)]) { html in
            html.element("span", [.view("line")]) { html in
                html.sign(genre)
                html.guideText("strong", "title", airing.title)
                if airing.window.start < page.window.start {
                    html.element("span", [.view("aside")], text: "from the day before")
                }
            }
            if let line = airing.secondLine { html.guideText("span", "second", line) }
            if let description = airing.description { html.guideText("span", "text", description) }
            if airing.window.contains(page.now) {
                html.element("span", [.class("unseen")], text: "On now")
                html.progress(airing.window, at: page.now)
            }
        }
    }
}
