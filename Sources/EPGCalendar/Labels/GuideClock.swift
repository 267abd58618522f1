package import EPGModel

/// The format of a viewer's times: a time zone, a clock style, and a language.
package struct GuideClock: Hashable, Sendable {
    package let zone: Zone
    package let style: ClockStyle
    package let names: DateNames

    /// Creates a clock, by default of 24 hours and with English names of days.
    package init(zone: Zone, style: ClockStyle = .twentyFourHours, names: DateNames = .english) {
        self.zone = zone
        self.style = style
        self.names = names
    }

    /// Returns a time such as `20:00`, or `01:00 GMT` for a time that occurs twice that day.
    package func time(_ instant: Instant) -> String {
        let label = zone.timeLabel(at: instant, clock: style)
        return style == .twelveHours ? names.twelveHours(label) : label
    }

    /// Returns a range such as `20:00–21:30`, with the days that ``days(of:seenFrom:)`` returns.
    ///
    /// - Parameter date: The date that is known from the context; `nil` for the date of the start.
    package func range(_ window: TimeWindow, seenFrom date: CivilDate? = nil) -> String {
        let days = days(of: window, seenFrom: date)
        return "\(days.start)\(time(window.start))–\(days.end)\(time(window.end))"
    }

    /// Returns the days to write before the times of a window, such as `Sat `, or empty texts.
    ///
    /// The start has its day if it is not on `date`, and the end if it is 23 hours (the shortest day) or more after the start.
    package func days(of window: TimeWindow, seenFrom date: CivilDate?) -> (start: String, end: String) {
        let date = date ?? zone.date(at: window.start)
        return (
            day(of: window.start, seenFrom: date),
            window.seconds >= 23 * 3600 ? name(of: zone.date(at: window.end), seenFrom: date) + " " : ""
        )
    }

    /// Returns the day to write before a time, such as `Sat `; empty for a time on `date`.
    package func day(of instant: Instant, seenFrom date: CivilDate) -> String {
        let day = zone.date(at: instant)
        return day == date ? "" : name(of: day, seenFrom: date) + " "
    }

    /// Returns a day as `Sat`, or as `Sat 24 Oct` if the name of the weekday is ambiguous.
    private func name(of day: CivilDate, seenFrom date: CivilDate) -> String {
        (day.daysSince1970 - date.daysSince1970).magnitude < 7
            ? names.weekday(of: day) : names.label(of: day, seenFrom: date)
    }

    /// Returns `Today`, `Tomorrow`, `Yesterday`, or a date such as `Sat 28 Mar`, with the year if it is not the current one.
    package func day(_ date: CivilDate, at now: Instant) -> String {
        names.day(date, seenFrom: zone.date(at: now))
    }

    /// Returns the date of an instant with its year, such as `Sat 28 Mar 2026`.
    package func date(_ instant: Instant) -> String { names.label(of: zone.date(at: instant), withYear: true) }
}
