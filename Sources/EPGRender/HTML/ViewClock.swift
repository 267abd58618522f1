package import EPGCalendar
import EPGModel

/// How a page writes times: by the clocks of one zone, with 24 hours unless told otherwise.
package struct ViewClock: Hashable, Sendable {
    let zone: Zone
    let style: ClockStyle

    package init(zone: Zone, style: ClockStyle = .twentyFourHours) {
        self.zone = zone
        self.style = style
    }

    /// `20:00`; `01:00 GMT` for a time that the day has twice.
    func time(_ instant: Instant) -> String { zone.timeLabel(at: instant, clock: style) }

    /// `20:00–21:30`
    func range(_ window: TimeWindow) -> String { "\(time(window.start))–\(time(window.end))" }

    /// `Today`, `Tomorrow`, `Yesterday`, or `Sat 28 Mar`; with the year where that is another.
    func day(_ date: CivilDate, at now: Instant) -> String {
        let today = zone.date(at: now)
        switch date {
        case today: return "Today"
        case today.advanced(byDays: 1): return "Tomorrow"
        case today.advanced(byDays: -1): return "Yesterday"
        default: return date.year == today.year ? date.label : "\(date.label) \(date.year)"
        }
    }

    /// `1 h 30 min`
    static func length(_ seconds: Int64) -> String {
        let minutes = (seconds + 30) / 60
        if seconds < 60 { return "\(seconds) s" }
        if minutes < 60 { return "\(minutes) min" }
        return minutes % 60 == 0 ? "\(minutes / 60) h" : "\(minutes / 60) h \(minutes % 60) min"
    }
}

extension HTMLWriter {
    /// Writes a time that programs can read too.
    mutating func time(_ instant: Instant, _ clock: ViewClock) {
        element("time", [.text("datetime", instant.iso8601)], text: clock.time(instant))
    }

    /// Writes `20:00–21:30`.
    mutating func range(_ window: TimeWindow, _ clock: ViewClock) {
        time(window.start, clock)
        text("–")
        time(window.end, clock)
    }
}
