/// A half-open stretch of time [start, end): the start is in it, the end is not.
///
/// Two windows that touch neither overlap nor leave a gap between them.
public struct TimeWindow: Hashable, Sendable {
    /// The first instant in it, if it holds any.
    public let start: Instant
    /// The first instant behind it; never before the start.
    public let end: Instant

    /// A window.
    ///
    /// - Precondition: `start <= end`. At the edge, where the order is not known, use ``init(from:to:)``.
    public init(start: Instant, end: Instant) {
        precondition(start <= end, "a time window can't end before it starts")
        self.start = start
        self.end = end
    }

    /// A window, or `nil` when the end lies before the start.
    public init?(from start: Instant, to end: Instant) {
        guard start <= end else { return nil }
        self.start = start
        self.end = end
    }

    /// The length in seconds, at least 0.
    public var seconds: Int64 { start.seconds(to: end) }

    /// Whether the window holds no instant at all.
    public var isEmpty: Bool { start == end }

    /// Whether an instant lies in [start, end).
    public func contains(_ instant: Instant) -> Bool {
        start <= instant && instant < end
    }

    /// Whether the two windows have an instant in common.
    public func overlaps(_ other: TimeWindow) -> Bool {
        start < other.end && other.start < end && !isEmpty && !other.isEmpty
    }

    /// The instants that both windows hold, or `nil` when there are none.
    public func intersection(_ other: TimeWindow) -> TimeWindow? {
        guard overlaps(other) else { return nil }
        return TimeWindow(start: max(start, other.start), end: min(end, other.end))
    }

    /// Returns one of several equal shares of the window, in whole seconds; together they tile it.
    ///
    /// The members of a clump are shown so, because the true boundaries between them are unknown (facts, xmltv 3,
    /// rule 5). A share is empty only if the window has fewer seconds than shares.
    package func share(_ position: Int, of count: Int) -> TimeWindow {
        guard count > 1 else { return self }
        let (whole, rest) = seconds.quotientAndRemainder(dividingBy: Int64(count))
        func boundary(_ index: Int64) -> Instant {
            start.advanced(by: whole * index + rest * index / Int64(count))
        }
        let index = Int64(position)
        return TimeWindow(start: boundary(index), end: position == count - 1 ? end : boundary(index + 1))
    }
}
