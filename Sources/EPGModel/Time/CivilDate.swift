/// A day of the proleptic Gregorian calendar, without a zone.
public struct CivilDate: Hashable, Comparable, Sendable, CustomStringConvertible {
    /// The astronomical year: 1 BC is 0.
    public let year: Int64
    /// 1…12.
    public let month: Int
    /// 1…31.
    public let day: Int

    /// A date, or `nil` for a day that doesn't exist (30 February) or a year beyond ±1,000,000.
    public init?(year: Int64, month: Int, day: Int) {
        guard (-1_000_000...1_000_000).contains(year), (1...12).contains(month), day >= 1,
            day <= CivilDate.days(inMonth: month, ofYear: year)
        else { return nil }
        self.year = year
        self.month = month
        self.day = day
    }

    /// The date so many days after 1970-01-01, by the method of H. Hinnant ("chrono-compatible low-level date algorithms"):
    /// it counts in eras of 400 years that begin on 1 March, which makes the leap day the last of its year.
    public init(daysSince1970: Int64) {
        let shifted = daysSince1970 + 719_468
        let (era, dayOfEra) = shifted.quotientAndRemainderFloored(dividingBy: 146_097)
        let yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
        let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let monthFromMarch = (5 * dayOfYear + 2) / 153
        day = Int(dayOfYear - (153 * monthFromMarch + 2) / 5 + 1)
        month = Int(monthFromMarch < 10 ? monthFromMarch + 3 : monthFromMarch - 9)
        year = era * 400 + yearOfEra + (month <= 2 ? 1 : 0)
    }

    public var daysSince1970: Int64 {
        let marchYear = month <= 2 ? year - 1 : year
        let (era, yearOfEra) = marchYear.quotientAndRemainderFloored(dividingBy: 400)
        let monthFromMarch = Int64(month > 2 ? month - 3 : month + 9)
        let dayOfYear = (153 * monthFromMarch + 2) / 5 + Int64(day) - 1
        let dayOfEra = yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear
        return era * 146_097 + dayOfEra - 719_468
    }

    /// The number of days in a month of a year: 28…31.
    public static func days(inMonth month: Int, ofYear year: Int64) -> Int {
        switch month {
        case 2: year % 4 == 0 && (year % 100 != 0 || year % 400 == 0) ? 29 : 28
        case 4, 6, 9, 11: 30
        default: 31
        }
    }

    public static func < (lhs: CivilDate, rhs: CivilDate) -> Bool {
        (lhs.year, lhs.month, lhs.day) < (rhs.year, rhs.month, rhs.day)
    }

    /// `2026-03-29`
    public var description: String {
        let magnitude = String(year.magnitude)
        let padded = String(repeating: "0", count: max(0, 4 - magnitude.count)) + magnitude
        let sign = year < 0 ? "-" : (year > 9999 ? "+" : "")
        return sign + padded + "-" + Int64(month).paddedToTwo + "-" + Int64(day).paddedToTwo
    }
}
