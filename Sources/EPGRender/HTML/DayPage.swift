package import EPGCalendar
package import EPGModel

/// The content of a station's page: one day of its schedule in a time zone.
package struct DayPage: Sendable {
    let station: StationRow
    let date: CivilDate
    /// The window of the day, usually 23, 24 or 25 hours.
    let window: TimeWindow
    let now: Instant
    let zone: Zone
    /// The parts of the day that are not empty.
    let parts: [DayPart]
    /// The days to choose from, ascending, including ``date``.
    let days: [CivilDate]

    /// The maximum number of days to choose from.
    private static let dayLimit = 15

    /// - Parameters:
    ///   - schedule: The airings that overlap the day.
    ///   - span: The span of the whole guide; `nil` if it is empty.
    package init(
        station: StationRow, date: CivilDate, schedule: Schedule, now: Instant, zone: Zone, span: TimeWindow?
    ) {
        self.station = station
        self.date = date
        self.now = now
        self.zone = zone
        let window = zone.window(of: date)
        self.window = window
        days = DayPage.days(around: date, today: zone.date(at: now), span: span, zone: zone)

        var parts: [DayPart] = []
        for segment in schedule.segments(in: window) {
            let rows = DayRow.rows(of: segment)
            let start = max(window.start, rows.first?.window.start ?? window.start)
            let name = DayPart.Name(hour: zone.localDateTime(at: start).hour)
            if parts.last?.name != name { parts.append(DayPart(name: name, rows: [])) }
            parts[parts.count - 1].rows += rows
        }
        self.parts = parts
    }

    /// The number of hours, such as `23` or `24.5` (Australia/Lord_Howe); `nil` for a day of 24 hours and a skipped day.
    var oddHours: String? {
        window.seconds == 86_400 || window.isEmpty ? nil : (Double(window.seconds) / 3600).svg
    }

    /// Returns at most ``dayLimit`` days of the guide, centered on the chosen one if possible.
    private static func days(around date: CivilDate, today: CivilDate, span: TimeWindow?, zone: Zone) -> [CivilDate] {
        let first = span.map { zone.date(at: $0.start) } ?? today
        let last = span.map { zone.date(at: $0.end.advanced(by: -1)) } ?? today
        let earliest = min(first, date).daysSince1970
        let latest = max(last, date, first).daysSince1970
        let chosen = date.daysSince1970
        let half = Int64(dayLimit / 2)
        // Near the ends of the guide the range shifts, so that it stays full.
        let start = max(earliest, min(chosen - half, latest - Int64(dayLimit) + 1))
        let end = min(latest, start + Int64(dayLimit) - 1)
        return (start...max(start, end)).map { CivilDate(daysSince1970: $0) }
    }
}

/// A part of the day with the rows that begin in it.
struct DayPart: Hashable, Sendable {
    enum Name: String, Hashable, Sendable, CaseIterable {
        case night, morning, afternoon, evening

        /// Creates the part of the day that contains an hour, from 0 to 23.
        init(hour: Int) {
            self =
                switch hour {
                case ..<6: .night
                case ..<12: .morning
                case ..<18: .afternoon
                default: .evening
                }
        }

        fileprivate func title(in texts: PageTexts) -> String {
            switch self {
            case .night: texts("partNight")
            case .morning: texts("partMorning")
            case .afternoon: texts("partAfternoon")
            case .evening: texts("partEvening")
            }
        }
    }

    let name: Name
    var rows: [DayRow]
}

/// A row of the day: an airing or a gap.
enum DayRow: Hashable, Sendable {
    case airing(Airing)
    case gap(TimeWindow)

    static func rows(of segment: ScheduleSegment) -> [DayRow] {
        switch segment {
        case .airings(let airings): airings.map { .airing($0) }
        case .gap(let window): [.gap(window)]
        }
    }

    var window: TimeWindow {
        switch self {
        case .airing(let airing): airing.window
        case .gap(let window): window
        }
    }
}

/// The HTML of a station's day: a list with a group for each part of the day.
package struct DayHTML {
    private let page: DayPage
    private let frame: PageFrame
    private let clock: GuideClock

    package init(_ page: DayPage, frame: PageFrame) {
        self.page = page
        self.frame = frame
        clock = frame.clock(in: page.zone)
    }

    /// The document in UTF-8.
    package var bytes: [UInt8] {
        frame.html { html in
            writeHead(&html)
            writeDays(&html)
            html.element("p", [.view("note")]) { html in
                let day = clock.day(page.date, at: page.now)
                html.text(
                    html.texts("dayAndDate", ["day": day, "date": page.date.description, "zone": page.zone.name]) + " ")
                if page.window.isEmpty {
                    html.text(html.texts("daySkipped"))
                } else if let hours = page.oddHours {
                    html.text(html.texts("clocksChange", ["hours": hours]) + " ")
                }
                if hasCurrent { html.link(html.texts("toWhatIsOn"), to: "#now") }
            }
            guard hasAirings else { return writeNothing(&html) }
            html.element("div", [.view("canvas", "list")]) { html in
                for (index, part) in page.parts.enumerated() { write(part, number: index, &html) }
            }
        }
    }

    private var hasCurrent: Bool { page.parts.contains { $0.rows.contains { style(of: $0) == "current" } } }

    private var hasAirings: Bool {
        page.parts.contains { part in part.rows.contains { if case .airing = $0 { true } else { false } } }
    }

    private func writeNothing(_ html: inout HTMLWriter) {
        guard !page.window.isEmpty else { return }
        html.element("p", [.view("empty")]) { html in
            html.text(
                html.texts("noListingsForDay"),
                linking: ["guide": frame.guidePath(from: guideStart, row: page.station.row)])
        }
    }

    private var path: String { "/stations/\(page.station.station.id.rawValue.percentEncoded)" }

    private func writeHead(_ html: inout HTMLWriter) {
        let station = page.station.station
        html.element("div", [.view("lede", "of-station")]) { html in
            html.logo(frame.artwork.logo(of: station), name: station.name)
            html.element("div") { html in
                html.guideText("h1", "", station.name)
                html.element("p") { html in
                    if let number = page.station.shownNumber {
                        html.text(html.texts("channel", ["number": number]) + " · ")
                    }
                    html.link(html.texts("inTheGuide"), to: frame.guidePath(from: guideStart, row: page.station.row))
                    html.text(" · ")
                    html.link(html.texts("calendarFile"), to: frame.feedPath("\(path).ics"))
                    for url in station.urls.prefix(1) {
                        guard let web = HTTPURL(url.url) else { continue }
                        html.text(" · ")
                        html.element(
                            "a", [.url("href", web.text), .text("rel", "noopener noreferrer")],
                            text: html.texts("website"))
                    }
                }
            }
        }
    }

    /// The time at which to open the guide: now if that is on this day, otherwise 18:00.
    private var guideStart: Instant {
        page.window.contains(page.now) ? page.now : page.zone.instant(at: page.date, hour: 18)
    }

    private func writeDays(_ html: inout HTMLWriter) {
        html.element("nav", [.view("days"), .text("aria-label", html.texts("days"))]) { html in
            for day in page.days {
                let isChosen = day == page.date
                html.element(
                    "a",
                    [
                        .url("href", frame.path(path, [("day", day.description)])),
                        .text("aria-current", isChosen ? "date" : nil),
                    ], text: clock.day(day, at: page.now))
            }
        }
    }

    private func write(_ part: DayPart, number: Int, _ html: inout HTMLWriter) {
        let heading = "part-\(number)"
        html.lineBreak()
        html.element("h2", [.id(heading), .view("part")], text: part.name.title(in: html.texts))
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
        return row.window.style(at: page.now)
    }

    private func write(_ row: DayRow, _ html: inout HTMLWriter) {
        switch row {
        case .gap(let window):
            html.element("span", [.view("when")]) { $0.time(window.start, clock) }
            html.element("span", [.view("words")]) { html in
                html.text(html.texts("nothingKnownUntil"), "time") { $0.time(window.end, clock) }
            }
        case .airing(let airing):
            html.element("a", [.url("href", frame.path("/airings/\(airing.id)"))]) { write(airing, &$0) }
        }
    }

    private func write(_ airing: Airing, _ html: inout HTMLWriter) {
        let genre = airing.drawnGenre
        html.element("span", [.view("when")]) { html in
            let (text, days) = (AiringText(airing), clock.days(of: airing.window, seenFrom: page.date))
            html.element("span") { html in
                html.text(text.startMark + days.start)
                html.time(airing.window.start, clock)
            }
            html.element("span", [.view("until")]) { html in
                html.text("–" + days.end)
                html.time(airing.window.end, clock)
                html.text(text.endMark)
            }
        }
        html.element("span", [.view("words", genre.style)]) { html in
            html.element("span", [.view("line")]) { html in
                html.sign(genre)
                html.guideText("strong", "title", frame.title(of: airing))
            }
            if let line = AiringText(airing).secondLine { html.guideText("span", "second", line) }
            if let description = airing.description { html.guideText("span", "text", description) }
            html.currentProgress(airing.window, at: page.now)
        }
    }
}
