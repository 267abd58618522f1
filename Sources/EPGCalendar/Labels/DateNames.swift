package import EPGModel

/// The names of days and months in a language, and the order of the parts of its dates.
package struct DateNames: Sendable {
    /// The language (BCP 47), by which names are compared.
    private let language: String
    /// The names in dates, from Monday.
    private let weekdays: [String]
    /// The names that stand alone, from Monday.
    private let loneWeekdays: [String]
    private let months: [String]
    /// A date such as `{weekday} {day} {month}`.
    private let date: String
    private let dateWithYear: String
    /// The names of today and of the days beside it.
    private let today, tomorrow, yesterday: String
    /// The halves of the day on a clock of 12 hours.
    private let am, pm: String

    /// Creates the names of a language.
    ///
    /// - Parameters:
    ///   - weekdays: The names in dates, from Monday.
    ///   - loneWeekdays: The names that stand alone; by default, those in dates.
    ///   - date: A date with `{weekday}`, `{day}` and `{month}`.
    ///   - dateWithYear: A date that also has `{year}`.
    ///   - am: The first half of the day on a clock of 12 hours.
    /// - Precondition: There are 7 names of weekdays and 12 names of months.
    package init(
        language: String, weekdays: [String], loneWeekdays: [String]? = nil, months: [String], date: String,
        dateWithYear: String, today: String, tomorrow: String, yesterday: String, am: String = "AM", pm: String = "PM"
    ) {
        let loneWeekdays = loneWeekdays ?? weekdays
        precondition(weekdays.count == 7 && loneWeekdays.count == 7 && months.count == 12)
        self.language = language
        self.weekdays = weekdays
        self.loneWeekdays = loneWeekdays
        self.months = months
        self.date = date
        self.dateWithYear = dateWithYear
        self.today = today
        self.tomorrow = tomorrow
        self.yesterday = yesterday
        self.am = am
        self.pm = pm
    }

    /// The English names, as ``CivilDate`` writes them.
    package static let english = DateNames(
        language: "en", weekdays: Weekday.allCases.map(\.shortName), months: CivilDate.shortMonthNames,
        date: "{weekday} {day} {month}", dateWithYear: "{weekday} {day} {month} {year}", today: "Today",
        tomorrow: "Tomorrow", yesterday: "Yesterday")

    /// Returns the name of the weekday, such as `Sat`.
    package func weekday(of date: CivilDate) -> String { loneWeekdays[place(of: date)] }

    /// Returns a date such as `Sat 28 Mar`, or `Sat 28 Mar 2026`.
    package func label(of date: CivilDate, withYear: Bool) -> String {
        (withYear ? dateWithYear : self.date).replacing("{weekday}", with: weekdays[place(of: date)])
            .replacing("{day}", with: String(date.day)).replacing("{month}", with: months[date.month - 1])
            .replacing("{year}", with: String(date.year))
    }

    /// Returns a date, with the year if it differs from today's.
    package func label(of date: CivilDate, seenFrom today: CivilDate) -> String {
        label(of: date, withYear: date.year != today.year)
    }

    /// Returns `Today`, `Tomorrow`, `Yesterday`, or a date, with the year if it differs from today's.
    package func day(_ date: CivilDate, seenFrom today: CivilDate) -> String {
        switch date {
        case today: self.today
        case today.advanced(byDays: 1): tomorrow
        case today.advanced(byDays: -1): yesterday
        default: label(of: date, seenFrom: today)
        }
    }

    /// Returns a time of a clock of 12 hours with the name of its half of the day in this language.
    func twelveHours(_ label: String) -> String {
        label.replacing(" AM", with: " " + am, maxReplacements: 1).replacing(" PM", with: " " + pm, maxReplacements: 1)
    }

    private func place(of date: CivilDate) -> Int { Weekday.allCases.firstIndex(of: date.weekday) ?? 0 }
}

extension DateNames: Hashable {
    package static func == (left: DateNames, right: DateNames) -> Bool { left.language == right.language }

    package func hash(into hasher: inout Hasher) { hasher.combine(language) }
}
