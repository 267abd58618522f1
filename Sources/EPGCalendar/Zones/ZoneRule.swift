import EPGModel

/// The rule by which a zone changes its clocks in every year: a POSIX `TZ` string, the footer of a zone file.
struct ZoneRule: Hashable, Sendable {
    /// The half of the rule that is missing where the clocks are never changed.
    struct Daylight: Hashable, Sendable {
        let offset: ZoneOffset
        /// When it begins, by the clocks of the standard time.
        let start: YearlyChange
        /// When it ends, by its own clocks.
        let end: YearlyChange
    }

    let standard: ZoneOffset
    let daylight: Daylight?

    /// The period that holds an instant.
    ///
    /// The Gregorian calendar and its weekdays repeat every 400 years, so one cycle does for all of `Int64`.
    func period(containing instant: Instant) -> ZonePeriod {
        guard let daylight else { return ZonePeriod(window: .always, offset: standard) }
        let cycle: Int64 = 12_622_780_800
        let (_, within) = instant.secondsSince1970.quotientAndRemainderFloored(dividingBy: cycle)
        let year = CivilDate(daysSince1970: within / 86_400).year

        // A change may stand up to eight days outside its year, and a daylight saving time may end in the next one.
        var latest = Int64.min
        var next = Int64.max
        var isDaylight = false
        func note(_ change: Int64) {
            if change <= within { latest = max(latest, change) } else { next = min(next, change) }
        }
        for candidate in year - 2...year + 2 {
            let start = daylight.start.localSeconds(inYear: candidate) - standard.seconds
            let endOfYear = daylight.end.localSeconds(inYear: candidate) - daylight.offset.seconds
            let end =
                start < endOfYear
                ? endOfYear : daylight.end.localSeconds(inYear: candidate + 1) - daylight.offset.seconds
            if start <= within, within < end { isDaylight = true }
            note(start)
            note(end)
        }
        // Changes two years before and after are among those looked at, so both were found; near the ends of Int64 the
        // instants saturate.
        return ZonePeriod(
            window: TimeWindow(
                start: instant.advanced(by: latest - within), end: instant.advanced(by: next - within)),
            offset: isDaylight ? daylight.offset : standard)
    }
}

/// A day and time at which the clocks are changed in every year.
struct YearlyChange: Hashable, Sendable {
    enum Day: Hashable, Sendable {
        /// `Mm.w.d`: the *w*-th (5: the last) weekday of a month; weekdays from 0, Sunday.
        case weekday(Int, week: Int, month: Int)
        /// `Jn`: 1…365, 29 February not counted.
        case dayWithoutLeapDay(Int)
        /// `n`: 0…365, 29 February counted.
        case dayFromZero(Int)
    }

    let day: Day
    /// Seconds from the day's midnight; −167 to 167 hours (RFC 8536, 3.3.1).
    let secondsOfDay: Int64

    /// Seconds from 1970-01-01T00:00:00 to the change in a year, on the clocks before it.
    func localSeconds(inYear year: Int64) -> Int64 {
        days(inYear: year) * 86_400 + secondsOfDay
    }

    private func days(inYear year: Int64) -> Int64 {
        let newYear = YearlyChange.daysToFirst(ofMonth: 1, year: year)
        switch day {
        case .dayFromZero(let number):
            return newYear + Int64(number)
        case .dayWithoutLeapDay(let number):
            let isBehindLeapDay = number >= 60 && CivilDate.days(inMonth: 2, ofYear: year) == 29
            return newYear + Int64(number) - (isBehindLeapDay ? 0 : 1)
        case .weekday(let weekday, let week, let month):
            let first = YearlyChange.daysToFirst(ofMonth: month, year: year)
            // 1970-01-01 was a Thursday, the fourth day from Sunday.
            let weekdayOfFirst = (first + 4).quotientAndRemainderFloored(dividingBy: 7).remainder
            let toWeekday = (Int64(weekday) - weekdayOfFirst + 7) % 7
            let day = toWeekday + Int64(week - 1) * 7
            let isBeyondMonth = day >= Int64(CivilDate.days(inMonth: month, ofYear: year))
            return first + (isBeyondMonth ? day - 7 : day)
        }
    }

    /// Days from 1970-01-01 to the first of a month.
    private static func daysToFirst(ofMonth month: Int, year: Int64) -> Int64 {
        guard let date = CivilDate(year: year, month: month, day: 1) else {
            preconditionFailure("a rule is asked for years of one cycle, and its months are checked when it is read")
        }
        return date.daysSince1970
    }
}

extension TimeWindow {
    /// From the first instant that there is to the last.
    static var always: TimeWindow {
        TimeWindow(start: Instant(secondsSince1970: .min), end: Instant(secondsSince1970: .max))
    }
}
