public import EPGModel

/// What a calendar and a clock on the wall show: a date and a time, without a zone.
public struct LocalDateTime: Hashable, Comparable, Sendable {
    public let date: CivilDate
    /// 0…23.
    public let hour: Int
    /// 0…59.
    public let minute: Int
    /// 0…59.
    public let second: Int

    /// A local time, or `nil` where a clock shows no such time.
    public init?(date: CivilDate, hour: Int, minute: Int = 0, second: Int = 0) {
        guard (0...23).contains(hour), (0...59).contains(minute), (0...59).contains(second) else { return nil }
        self.date = date
        self.hour = hour
        self.minute = minute
        self.second = second
    }

    /// The local time so many seconds after 1970-01-01T00:00:00 local; beyond about ±998,000 years it is the last that
    /// lies within.
    public init(secondsSince1970 seconds: Int64) {
        let supported = LocalDateTime.supportedSeconds
        let within = min(max(seconds, supported.lowerBound), supported.upperBound)
        let (days, second) = within.quotientAndRemainderFloored(dividingBy: 86_400)
        date = CivilDate(daysSince1970: days)
        hour = Int(second / 3600)
        minute = Int(second / 60 % 60)
        self.second = Int(second % 60)
    }

    /// Seconds from 1970-01-01T00:00:00 local, every day counted with 24 hours; clamped as in
    /// ``init(secondsSince1970:)``.
    public var secondsSince1970: Int64 {
        let days = min(max(date.daysSince1970, -364_583_333), 364_583_332)
        return days * 86_400 + Int64(hour * 3600 + minute * 60 + second)
    }

    /// Local times are worked out within these bounds, whole days within the ±1,000,000 years of `CivilDate`, so that
    /// no sum overflows.
    static let supportedSeconds: ClosedRange<Int64> = (-364_583_333 * 86_400)...(364_583_333 * 86_400 - 1)

    public static func < (lhs: LocalDateTime, rhs: LocalDateTime) -> Bool {
        (lhs.date, lhs.hour, lhs.minute, lhs.second) < (rhs.date, rhs.hour, rhs.minute, rhs.second)
    }
}

extension LocalDateTime: CustomStringConvertible {
    /// ISO 8601 without a zone: `2026-03-29T20:00:00`.
    public var description: String { "\(date)T\(digits: hour):\(digits: minute):\(digits: second)" }
}
