/// A half-open interval [start, end) of time. Two windows that touch neither overlap nor leave a gap between them.
public struct TimeWindow: Hashable, Sendable {
    public let start: Instant
    /// Never before the start.
    public let end: Instant

    /// - Precondition: `start <= end`. Use ``init(from:to:)`` for instants from outside.
    public init(start: Instant, end: Instant) {
        precondition(start <= end, "a time window can't end before it starts")
        self.start = start
        self.end = end
    }

    /// A window, or `nil` when the end is before the start.
    public init?(from start: Instant, to end: Instant) {
        guard start <= end else { return nil }
        self.init(start: start, end: end)
    }

    /// The length in seconds, at least 0.
    public var seconds: Int64 { start.seconds(to: end) }

    public var isEmpty: Bool { start == end }

    public func contains(_ instant: Instant) -> Bool { start <= instant && instant < end }

    /// Whether the two windows have an instant in common.
    public func overlaps(_ other: TimeWindow) -> Bool {
        start < other.end && other.start < end && !isEmpty && !other.isEmpty
    }

    /// The common part of both windows, or `nil` when there is none.
    public func intersection(_ other: TimeWindow) -> TimeWindow? {
        guard overlaps(other) else { return nil }
        return TimeWindow(start: max(start, other.start), end: min(end, other.end))
    }

    /// Returns one of several equal shares of the window, in whole seconds; together they tile it.
    ///
    /// The members of a clump are shown like this, because the true boundaries between them are unknown (facts, rule 5). A
    /// share is empty only if the window has fewer seconds than shares.
    package func share(_ position: Int, of count: Int) -> TimeWindow {
        guard count > 1 else { return self }
        let (whole, rest) = seconds.quotientAndRemainder(dividingBy: Int64(count))
        func boundary(_ index: Int) -> Instant {
            start.advanced(by: whole * Int64(index) + rest * Int64(index) / Int64(count))
        }
        return TimeWindow(start: boundary(position), end: position == count - 1 ? end : boundary(position + 1))
    }
}
