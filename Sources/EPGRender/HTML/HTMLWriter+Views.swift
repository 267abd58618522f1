package import EPGCalendar
package import EPGModel

/// Elements that several pages share.
extension HTMLWriter {
    /// Writes the logo of a station, or the initials of its name if there is no logo or it fails to load.
    ///
    /// - Parameter url: A URL of ``ArtworkLinks``; `nil` for none.
    mutating func logo(_ url: String?, name: String) {
        let letters = name.initials
        element("span", [.view("logo"), .text("aria-hidden", "true")]) { html in
            if url == nil { html.element("span", text: letters) } else { html.picture(url, size: 64, instead: letters) }
        }
    }

    /// Writes a lazily loaded picture; nothing if it has no URL.
    ///
    /// - Parameters:
    ///   - url: A URL of ``ArtworkLinks``; `nil` for none.
    ///   - instead: The text that the style sheet shows if loading fails.
    mutating func picture(_ url: String?, size: Int, instead: String?) {
        guard let url else { return }
        void(
            "img",
            [
                .url("src", url), .text("alt", ""), .text("loading", "lazy"), .text("decoding", "async"),
                .text("referrerpolicy", "no-referrer"), .number("width", size), .number("height", size),
                .text("data-instead", instead),
            ])
    }

    /// Writes a text of the guide, whose direction may differ from the page's.
    mutating func guideText(_ name: StaticString, _ style: String, _ text: String) {
        element(name, [.view(style), .text("dir", "auto")], text: text)
    }

    /// Writes the progress bar of an airing.
    mutating func progress(_ window: TimeWindow, at now: Instant) {
        element("span", [.view("progress"), .text("aria-hidden", "true")]) { html in
            html.element("span", [.part(window.progress(at: now))]) { _ in }
        }
    }

    /// Writes a badge.
    mutating func badge(_ badge: AiringBadge?) {
        guard let badge else { return }
        element("span", [.view("badge")]) { html in
            html.element("span", [.view("badge-\(badge.rawValue)")], text: badge.label)
        }
    }

    /// Writes the symbol of a genre, hidden from screen readers.
    mutating func sign(_ genre: Genre?) {
        guard let genre else { return }
        element("span", [.view("sign"), .text("aria-hidden", "true")], text: genre.sign)
    }

    /// Writes links to the previous and the next page; nothing if there is only one page.
    ///
    /// - Parameter path: Returns the path of the page that begins at a 0-based offset.
    package mutating func pager(offset: Int, limit: Int, count: Int, total: Int, path: (Int) -> String) {
        guard offset > 0 || offset + count < total else { return }
        element("nav", [.view("pager"), .text("aria-label", "More pages")]) { html in
            if offset > 0 {
                html.element(
                    "a", [.text("rel", "prev"), .url("href", path(max(0, offset - limit)))], text: "Previous")
            }
            html.element("span", text: count == 0 ? "None of \(total)" : "\(offset + 1)–\(offset + count) of \(total)")
            if offset + count < total {
                html.element("a", [.text("rel", "next"), .url("href", path(offset + limit))], text: "Next")
            }
        }
    }
}

extension Genre? {
    /// The class in the style sheet.
    var style: String { self.map { "g-\($0.rawValue)" } ?? "g-none" }
}

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

    /// Writes a range such as `20:00–21:30`, with the days that ``ViewClock/days(of:seenFrom:)`` returns.
    mutating func range(_ window: TimeWindow, _ clock: ViewClock, seenFrom date: CivilDate) {
        let days = clock.days(of: window, seenFrom: date)
        text(days.start)
        time(window.start, clock)
        text("–" + days.end)
        time(window.end, clock)
    }
}

/// A badge of an airing on a page, in order of precedence.
package enum AiringBadge: String, Hashable, Sendable, CaseIterable {
    case live, premiere, new, derived

    /// Creates the badge of the most important mark of a programme; `nil` without marks.
    package init?(_ programme: Programme) {
        let marks = AiringMarks(programme)
        if marks.contains(.live) {
            self = .live
        } else if marks.contains(.premiere) {
            self = .premiere
        } else if marks.contains(.new) {
            self = .new
        } else if marks.contains(.derived) {
            self = .derived
        } else {
            return nil
        }
    }

    /// The text, such as `LIVE`.
    fileprivate var label: String { rawValue.uppercased() }
}
