import EPGModel

extension CronExpression {
    /// Whether any day of the calendar is meant; `0 4 31 4 *` means none, for April has 30.
    public var meansSomeDay: Bool {
        // A day of the week comes in every month; and the 29th of February falls on each within 40 years.
        if areDaysAlternatives { return true }
        let longest = [31, 29, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31]
        guard let first = daysOfMonth.first(from: 1) else { return false }
        return months.numbers.contains { first <= longest[$0 - 1] }
    }

    /// Both day fields are restricted, so a day that either names is meant.
    private var areDaysAlternatives: Bool { !daysOfMonth.beginsWithStar && !daysOfWeek.beginsWithStar }

    /// The first minute that is meant in a range of local times.
    ///
    /// - Parameters:
    ///   - start: The first local time, in seconds since 1970-01-01T00:00:00 local; within
    ///     ``LocalDateTime/supportedSeconds``, as is `end`.
    ///   - end: The first local time behind the range.
    /// - Complexity: O(*n*) for *n* months between `start` and what is found, or `end`; nothing is allocated.
    func firstMinute(from start: Int64, before end: Int64) -> Int64? {
        guard start < end else { return nil }
        let (minute, second) = start.quotientAndRemainderFloored(dividingBy: 60)
        let (day, minuteOfDay) = (second == 0 ? minute : minute + 1).quotientAndRemainderFloored(dividingBy: 1440)
        let today = CivilDate(daysSince1970: day)
        let found: (day: Int64, minute: Int)
        if means(today), let minute = firstMinuteOfDay(from: Int(minuteOfDay)) {
            found = (day, minute)
        } else {
            let last = CivilDate(daysSince1970: end.quotientAndRemainderFloored(dividingBy: 86_400).quotient)
            guard let date = firstDate(from: today.advanced(byDays: 1), through: last),
                let minute = firstMinuteOfDay(from: 0)
            else { return nil }
            found = (date.daysSince1970, minute)
        }
        let seconds = found.day * 86_400 + Int64(found.minute) * 60
        return seconds < end ? seconds : nil
    }

    private func firstMinuteOfDay(from minuteOfDay: Int) -> Int? {
        let (hour, minute) = minuteOfDay.quotientAndRemainder(dividingBy: 60)
        if hours.contains(hour), let minute = minutes.first(from: minute) { return hour * 60 + minute }
        guard let hour = hours.first(from: hour + 1), let minute = minutes.first(from: 0) else { return nil }
        return hour * 60 + minute
    }

    private func means(_ date: CivilDate) -> Bool {
        months.contains(date.month) && days(inMonth: date.month, ofYear: date.year).contains(date.day)
    }

    private func firstDate(from first: CivilDate, through last: CivilDate) -> CivilDate? {
        var (year, month, day) = (first.year, first.month, first.day)
        while (year, month) <= (last.year, last.month) {
            if months.contains(month), let found = days(inMonth: month, ofYear: year).first(from: day) {
                return CivilDate(year: year, month: month, day: found)
            }
            day = 1
            if let next = months.first(from: month + 1) {
                month = next
            } else {
                year += 1
                month = 1
            }
        }
        return nil
    }

    /// The days of a month that the two day fields mean together.
    private func days(inMonth month: Int, ofYear year: Int64) -> CronValues {
        var days = CronValues()
        guard let first = CivilDate(year: year, month: month, day: 1) else { return days }
        for day in 1...CivilDate.days(inMonth: month, ofYear: year) {
            let isNamed = daysOfMonth.contains(day)
            // Sunday is 7 in ISO 8601, 0 here.
            let isOfNamedKind = daysOfWeek.contains((first.weekday.rawValue + day - 1) % 7)
            if areDaysAlternatives ? isNamed || isOfNamedKind : isNamed && isOfNamedKind { days.insert(day) }
        }
        return days
    }
}
