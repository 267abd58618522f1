public import EPGModel

extension Zone {
    /// The first instant of a local date.
    ///
    /// It is the first instant at which the calendar shows the date or a later one: midnight as a rule; the end of the
    /// gap where midnight is skipped; and for a date that is skipped as a whole, the start of the next.
    public func start(of date: CivilDate) -> Instant {
        let midnight = date.midnightSeconds
        for period in periods(aroundLocalSeconds: midnight) {
            let instant = max(period.window.start, period.instant(ofLocalSeconds: midnight))
            if instant < period.window.end { return instant }
        }
        return instant(ofLocalSeconds: midnight)
    }

    /// The window of a local date, from its first instant to that of the next date.
    ///
    /// It has 24 hours as a rule, 23 or 25 where the clocks are changed by an hour, and none at all for a date that a
    /// zone skipped, such as 2011-12-30 in Pacific/Apia. The windows of successive dates touch.
    public func window(of date: CivilDate) -> TimeWindow {
        let start = start(of: date)
        return TimeWindow(start: start, end: max(start, self.start(of: date.advanced(byDays: 1))))
    }

    /// The window of successive local dates.
    ///
    /// - Parameter count: The number of dates; `nil` for all that follow.
    package func window(ofDays count: Int?, from first: CivilDate) -> TimeWindow {
        let start = start(of: first)
        let end = count.map { self.start(of: first.advanced(byDays: $0)) } ?? .endOfTime
        return TimeWindow(start: start, end: max(start, end))
    }
}

extension CivilDate {
    /// Seconds from 1970-01-01T00:00:00 local to the date's midnight; clamped as `LocalDateTime` is.
    var midnightSeconds: Int64 {
        guard let midnight = LocalDateTime(date: self, hour: 0) else {
            preconditionFailure("every date has an hour 0 in the calendar")
        }
        return midnight.secondsSince1970
    }
}
