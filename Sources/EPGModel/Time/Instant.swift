/// A point in time: whole seconds since 1970-01-01T00:00:00Z, without leap seconds.
///
/// An instant has no time zone. `EPGCalendar` creates local dates and labels.
public struct Instant: Hashable, Comparable, Sendable, CustomStringConvertible {
    /// The seconds, negative before 1970.
    public var secondsSince1970: Int64

    /// Earlier than any airing, and far enough from the ends of `Int64` for arithmetic.
    package static let beginningOfTime = Instant(secondsSince1970: .min / 4)
    /// Later than any airing, and far enough from the ends of `Int64` for arithmetic.
    package static let endOfTime = Instant(secondsSince1970: .max / 4)

    /// Creates an instant. Any number of seconds is valid; it is negative before 1970.
    @inlinable
    public init(secondsSince1970: Int64) {
        self.secondsSince1970 = secondsSince1970
    }

    @inlinable
    public static func < (lhs: Instant, rhs: Instant) -> Bool { lhs.secondsSince1970 < rhs.secondsSince1970 }

    /// Returns the instant a number of seconds later; saturates at the ends of `Int64`.
    public func advanced(by seconds: Int64) -> Instant {
        let (sum, overflow) = secondsSince1970.addingReportingOverflow(seconds)
        return Instant(secondsSince1970: overflow ? (seconds < 0 ? .min : .max) : sum)
    }

    /// Returns the seconds from this instant to another, negative if the other is earlier; saturates.
    public func seconds(to other: Instant) -> Int64 {
        let (difference, overflow) = other.secondsSince1970.subtractingReportingOverflow(secondsSince1970)
        return overflow ? (other > self ? .max : .min) : difference
    }

    /// The number of minutes since 1970, rounded down.
    package var minute: Int64 { secondsSince1970.quotientAndRemainderFloored(dividingBy: 60).quotient }

    /// The instant rounded down to the minute.
    package var startOfMinute: Instant { Instant(secondsSince1970: minute * 60) }

    /// Whether the year is 0000 to 9999, which four digits can represent.
    package var hasFourDigitYear: Bool { (-62_167_219_200...253_402_300_799).contains(secondsSince1970) }

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
    /// Returns the quotient rounded down and the remainder, which is never negative for positive divisors.
    package func quotientAndRemainderFloored(dividingBy divisor: Int64) -> (quotient: Int64, remainder: Int64) {
        let (quotient, remainder) = quotientAndRemainder(dividingBy: divisor)
        return remainder < 0 ? (quotient - 1, remainder + divisor) : (quotient, remainder)
    }

    /// The decimal digits, at least two of them.
    package var paddedToTwo: String { self < 10 && self >= 0 ? "0\(self)" : "\(self)" }
}

/// A half-open time interval [start, end). Adjacent windows neither overlap nor leave a gap.
public struct TimeWindow: Hashable, Sendable {
    public let start: Instant
    /// The end, never before the start.
    public let end: Instant

    /// Creates a window.
    /// - Precondition: `start <= end`. Use ``init(from:to:)`` for external instants.
    public init(start: Instant, end: Instant) {
        precondition(start <= end, "a time window must not end before it starts")
        self.start = start
        self.end = end
    }

    /// Creates a window; `nil` if the end is before the start.
    public init?(from start: Instant, to end: Instant) {
        guard start <= end else { return nil }
        self.init(start: start, end: end)
    }

    /// The length in seconds, at least 0.
    public var seconds: Int64 { start.seconds(to: end) }

    public var isEmpty: Bool { start == end }

    public func contains(_ instant: Instant) -> Bool { start <= instant && instant < end }

    /// Returns whether two windows have an instant in common.
    public func overlaps(_ other: TimeWindow) -> Bool {
        start < other.end && other.start < end && !isEmpty && !other.isEmpty
    }

    /// Returns the common part of two windows; `nil` if there is none.
    public func intersection(_ other: TimeWindow) -> TimeWindow? {
        guard overlaps(other) else { return nil }
        return TimeWindow(start: max(start, other.start), end: min(end, other.end))
    }

    /// Returns one of `count` equal shares of the window in whole seconds, which tile it.
    ///
    /// Clients show the members of a clump like this, because the true boundaries are unknown (Rules.md, rule 5). A share is
    /// empty only if the window has fewer seconds than shares.
    package func share(_ position: Int, of count: Int) -> TimeWindow {
        guard count > 1 else { return self }
        let (whole, rest) = seconds.quotientAndRemainder(dividingBy: Int64(count))
        func boundary(_ index: Int) -> Instant {
            start.advanced(by: whole * Int64(index) + rest * Int64(index) / Int64(count))
        }
        return TimeWindow(start: boundary(position), end: position == count - 1 ? end : boundary(position + 1))
    }

    /// The UTC days since 1970 that the window overlaps.
    package var daysSince1970: Range<Int32> {
        guard !isEmpty else { return 0..<0 }
        let first = start.secondsSince1970.quotientAndRemainderFloored(dividingBy: 86_400).quotient
        let last = (end.secondsSince1970 - 1).quotientAndRemainderFloored(dividingBy: 86_400).quotient
        return Int32(clamping: first)..<Int32(clamping: last + 1)
    }

    /// Creates the window from the start of the first UTC day to the end of the last.
    package init(daysSince1970 days: Range<Int32>) {
        self.init(
            start: Instant(secondsSince1970: Int64(days.lowerBound) * 86_400),
            end: Instant(secondsSince1970: Int64(days.upperBound) * 86_400))
    }
}

/// A day of the proleptic Gregorian calendar without a time zone.
public struct CivilDate: Hashable, Comparable, Sendable, CustomStringConvertible {
    /// The astronomical year: 0 is 1 BC.
    public let year: Int64
    /// From 1 to 12.
    public let month: Int
    /// From 1 to 31.
    public let day: Int

    /// Creates a date; `nil` for a day that does not exist (30 February) or a year beyond ±1,000,000.
    public init?(year: Int64, month: Int, day: Int) {
        guard (-1_000_000...1_000_000).contains(year), (1...12).contains(month), day >= 1,
            day <= CivilDate.days(inMonth: month, ofYear: year)
        else { return nil }
        self.year = year
        self.month = month
        self.day = day
    }

    /// Creates the date a number of days after 1970-01-01.
    ///
    /// The algorithm is H. Hinnant's ("chrono-compatible low-level date algorithms"): eras of 400 years begin on 1 March, so
    /// that a leap day is the last day of its year.
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

    /// Returns the number of days in a month of a year, from 28 to 31.
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
