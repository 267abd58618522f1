/// A point in time: whole seconds since 1970-01-01T00:00:00Z, without leap seconds.
///
/// An instant has no zone. `EPGCalendar` makes local dates and labels.
public struct Instant: Hashable, Comparable, Sendable, CustomStringConvertible {
    /// Negative before 1970.
    public var secondsSince1970: Int64

    /// Earlier than any airing, and far enough from the ends of `Int64` for arithmetic.
    package static let beginningOfTime = Instant(secondsSince1970: .min / 4)
    /// Later than any airing, and far enough from the ends of `Int64` for arithmetic.
    package static let endOfTime = Instant(secondsSince1970: .max / 4)

    @inlinable
    public init(secondsSince1970: Int64) {
        self.secondsSince1970 = secondsSince1970
    }

    @inlinable
    public static func < (lhs: Instant, rhs: Instant) -> Bool { lhs.secondsSince1970 < rhs.secondsSince1970 }

    /// The instant so many seconds later; saturates at the ends of `Int64`.
    public func advanced(by seconds: Int64) -> Instant {
        let (sum, overflow) = secondsSince1970.addingReportingOverflow(seconds)
        return Instant(secondsSince1970: overflow ? (seconds < 0 ? .min : .max) : sum)
    }

    /// Seconds from this instant to another; negative when the other is earlier, saturating.
    public func seconds(to other: Instant) -> Int64 {
        let (difference, overflow) = other.secondsSince1970.subtractingReportingOverflow(secondsSince1970)
        return overflow ? (other > self ? .max : .min) : difference
    }

    /// The number of minutes since 1970, rounded down.
    package var minute: Int64 { secondsSince1970.quotientAndRemainderFloored(dividingBy: 60).quotient }

    /// The instant rounded down to the minute.
    package var startOfMinute: Instant { Instant(secondsSince1970: minute * 60) }

    public var description: String { iso8601 }

    /// ISO 8601 in UTC, such as `2026-03-29T00:30:00Z`; years outside 0…9999 have a sign (ISO 8601, 4.1.2.4).
    public var iso8601: String {
        let (day, second) = secondsSince1970.quotientAndRemainderFloored(dividingBy: 86_400)
        let (hours, minutes) = (second / 3600, second / 60 % 60)
        let time = "\(hours.paddedToTwo):\(minutes.paddedToTwo):\((second % 60).paddedToTwo)"
        return "\(CivilDate(daysSince1970: day))T\(time)Z"
    }
}

extension Int64 {
    /// Division that rounds down, so that the remainder is never negative.
    package func quotientAndRemainderFloored(dividingBy divisor: Int64) -> (quotient: Int64, remainder: Int64) {
        let (quotient, remainder) = quotientAndRemainder(dividingBy: divisor)
        return remainder < 0 ? (quotient - 1, remainder + divisor) : (quotient, remainder)
    }

    /// The decimal digits, at least two of them.
    package var paddedToTwo: String { self < 10 && self >= 0 ? "0\(self)" : "\(self)" }
}
