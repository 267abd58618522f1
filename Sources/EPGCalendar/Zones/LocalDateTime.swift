public import EPGModel

/// A date and a time of day without a time zone.
public struct LocalDateTime: Hashable, Comparable, Sendable {
    /// The date.
    public let date: CivilDate
    /// 0…23.
    public let hour: Int
    /// 0…59.
    public let minute: Int
    /// 0…59.
    public let second: Int

    /// Creates a local time; `nil` if a number is out of range.
    public init?(date: CivilDate, hour: Int, minute: Int = 0, second: Int = 0) {
        guard (0...23).contains(hour), (0...59).contains(minute), (0...59).contains(second) else { return nil }
        self.date = date
        self.hour = hour
        self.minute = minute
        self.second = second
    }

    /// Creates the local time that is a number of seconds after 1970-01-01T00:00:00 local time. Clamps to about
    /// ±998,000 years.
    public init(secondsSince1970 seconds: Int64) {
        let supported = LocalDateTime.supportedSeconds
        let within = min(max(seconds, supported.lowerBound), supported.upperBound)
        let (days, second) = within.quotientAndRemainderFloored(dividingBy: 86_400)
        date = CivilDate(daysSince1970: days)
        hour = Int(second / 3600)
        minute = Int(second / 60 % 60)
        self.second = Int(second % 60)
    }

    /// Seconds since 1970-01-01T00:00:00 local time, with 24 hours per day; clamped like ``init(secondsSince1970:)``.
    public var secondsSince1970: Int64 {
        let days = min(max(date.daysSince1970, -364_583_333), 364_583_332)
        return days * 86_400 + Int64(hour * 3600 + minute * 60 + second)
    }

    /// The supported local times: whole days within the ±1,000,000 years of `CivilDate`, so that additions do not
    /// overflow.
    static let supportedSeconds: ClosedRange<Int64> = (-364_583_333 * 86_400)...(364_583_333 * 86_400 - 1)

    public static func < (lhs: LocalDateTime, rhs: LocalDateTime) -> Bool {
        (lhs.date, lhs.hour, lhs.minute, lhs.second) < (rhs.date, rhs.hour, rhs.minute, rhs.second)
    }
}

extension LocalDateTime: CustomStringConvertible {
    /// ISO 8601 without an offset: `2026-03-29T20:00:00`.
    public var description: String { "\(date)T\(digits: hour):\(digits: minute):\(digits: second)" }
}

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

    /// The date as shown in a guide, in English: `Sat 28 Mar`.
    public var label: String {
        "\(weekday.shortName) \(day) \(CivilDate.shortMonthNames[month - 1])"
    }

    /// `Jan` … `Dec`.
    static let shortMonthNames = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"]

    /// Returns the date as shown in a guide, with the year if it differs from today's: `Sat 28 Mar`, `Sat 28 Mar 2026`.
    public func label(seenFrom today: CivilDate) -> String { year == today.year ? label : "\(label) \(year)" }

    /// Returns the date a number of days later, or earlier if negative. Saturates at 2⁶¹ days before and after 1970.
    public func advanced(byDays days: Int) -> CivilDate {
        let (sum, overflow) = daysSince1970.addingReportingOverflow(Int64(days))
        // The range of days that CivilDate can convert without overflow.
        let bound: Int64 = 1 << 61
        return CivilDate(daysSince1970: overflow ? (days < 0 ? -bound : bound) : min(max(sum, -bound), bound))
    }
}
