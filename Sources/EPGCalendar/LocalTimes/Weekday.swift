public import EPGModel

/// A day of the week, numbered as in ISO 8601.
public enum Weekday: Int, Hashable, Sendable, CaseIterable {
    case monday = 1
    case tuesday, wednesday, thursday, friday, saturday, sunday

    /// `Mon` … `Sun`.
    public var shortName: String {
        switch self {
        case .monday: "Mon"
        case .tuesday: "Tue"
        case .wednesday: "Wed"
        case .thursday: "Thu"
        case .friday: "Fri"
        case .saturday: "Sat"
        case .sunday: "Sun"
        }
    }
}

extension CivilDate {
    /// The day of the week.
    public var weekday: Weekday {
        // 1970-01-01 was a Thursday.
        let fromMonday = (daysSince1970 % 7 + 3).quotientAndRemainderFloored(dividingBy: 7).remainder
        return Weekday.allCases[Int(fromMonday)]
    }

    /// `Sat 28 Mar`: the date as people read it in a guide, in English.
    public var label: String {
        let months = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"]
        return "\(weekday.shortName) \(day) \(months[month - 1])"
    }

    /// The date so many days later; earlier, when negative.
    public func advanced(byDays days: Int) -> CivilDate {
        let (sum, overflow) = daysSince1970.addingReportingOverflow(Int64(days))
        // Days that CivilDate can be counted from without an overflow.
        let bound: Int64 = 1 << 61
        return CivilDate(daysSince1970: overflow ? (days < 0 ? -bound : bound) : min(max(sum, -bound), bound))
    }
}
