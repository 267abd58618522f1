package import EPGCalendar
import EPGModel

/// The format of times on a page: a zone and a clock style.
package struct ViewClock: Hashable, Sendable {
    let zone: Zone
    let style: ClockStyle

    package init(zone: Zone, style: ClockStyle = .twentyFourHours) {
        self.zone = zone
        self.style = style
    }

    /// Returns a time such as `20:00`, or `01:00 GMT` for a time that occurs twice that day.
    func time(_ instant: Instant) -> String { zone.timeLabel(at: instant, clock: style) }

    /// Returns a range such as `20:00–21:30`, with the days that ``days(of:seenFrom:)`` returns.
    func range(_ window: TimeWindow, seenFrom date: CivilDate) -> String {
        let days = days(of: window, seenFrom: date)
        return "\(days.start)\(time(window.start))–\(days.end)\(time(window.end))"
    }

    /// Returns the days to write before the times of a window, such as `Sat `, or empty texts.
    ///
    /// The start has its day if it is not on `date`, and the end if it is 24 hours or more after the start.
    func days(of window: TimeWindow, seenFrom date: CivilDate) -> (start: String, end: String) {
        (
            day(of: window.start, seenFrom: date),
            window.seconds >= 86_400 ? name(of: zone.date(at: window.end), seenFrom: date) + " " : ""
        )
    }

    /// Returns the day to write before a time, such as `Sat `; empty for a time on `date`.
    func day(of instant: Instant, seenFrom date: CivilDate) -> String {
        let day = zone.date(at: instant)
        return day == date ? "" : name(of: day, seenFrom: date) + " "
    }

    /// Returns a day as `Sat`, or as `Sat 24 Oct` if the name of the weekday is ambiguous.
    private func name(of day: CivilDate, seenFrom date: CivilDate) -> String {
        (day.daysSince1970 - date.daysSince1970).magnitude < 7 ? day.weekday.shortName : day.label(seenFrom: date)
    }

    /// Returns `Today`, `Tomorrow`, `Yesterday`, or a date such as `Sat 28 Mar`, with the year if it is not the current one.
    func day(_ date: CivilDate, at now: Instant) -> String {
        let today = zone.date(at: now)
        switch date {
        case today: return "Today"
        case today.advanced(byDays: 1): return "Tomorrow"
        case today.advanced(byDays: -1): return "Yesterday"
        default: return date.label(seenFrom: today)
        }
    }

    /// Returns a rounded duration such as `1 h 30 min`.
    static func length(_ seconds: Int64) -> String {
        let minutes = (seconds + 30) / 60
        if seconds < 60 { return "\(seconds) s" }
        if minutes < 60 { return "\(minutes) min" }
        return minutes % 60 == 0 ? "\(minutes / 60) h" : "\(minutes / 60) h \(minutes % 60) min"
    }
}

extension HTMLWriter {
    /// Writes a `<time>` element.
    mutating func time(_ instant: Instant, _ clock: ViewClock) {
        element("time", [.text("datetime", instant.iso8601)], text: clock.time(instant))
    }

    /// Writes the start of an airing, such as `20:00`, or `~20:00` for a derived one.
    mutating func start(of airing: Airing, _ clock: ViewClock) {
        if airing.marks.contains(.derived) { text("~") }
        time(airing.window.start, clock)
    }

    /// Writes a link to the page of an airing, with its day and start before the content that a closure writes, and with the progress
    /// of a current one after it.
    mutating func airing(
        _ airing: Airing, _ clock: ViewClock, at now: Instant, frame: PageFrame, content: (inout HTMLWriter) -> Void
    ) {
        element("a", [.url("href", frame.path("/airings/\(airing.id)"))]) { html in
            html.element("span", [.view("when", airing.drawnGenre.style)]) { html in
                let date = clock.zone.date(at: airing.window.start)
                html.element("span", [.view("date")], text: clock.day(date, at: now))
                html.start(of: airing, clock)
            }
            html.element("span", [.view("words")]) { html in
                content(&html)
                html.currentProgress(airing.window, at: now)
            }
        }
    }

    /// Writes a range such as `20:00–21:30`, with the days that ``ViewClock/days(of:seenFrom:)`` returns.
    mutating func range(_ window: TimeWindow, _ clock: ViewClock, seenFrom date: CivilDate) {
        let days = clock.days(of: window, seenFrom: date)
        text(days.start)
        time(window.start, clock)
        text("–" + days.end)
        time(window.end, clock)
    }
}

extension TimeWindow {
    /// The class of an airing in the style sheet.
    func style(at now: Instant) -> String { contains(now) ? "current" : end <= now ? "past" : "coming" }
}
