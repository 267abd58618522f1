import Synchronization

/// How many requests may come: so many in a minute, of which those of ten seconds may come at once.
///
/// A token bucket, kept as the one instant at which it would be full again (the generic cell rate algorithm), so that
/// a request costs one atomic exchange and nobody waits for a lock.
final class RequestAllowance: Sendable {
    /// Nanoseconds that one request takes; 0 for no limit.
    private let cost: Int64
    /// Nanoseconds that may be taken beforehand.
    private let depth: Int64
    private let fullAgain = Atomic<Int64>(.min)

    /// - Parameter requestsPerMinute: 0 for no limit.
    init(requestsPerMinute: Int) {
        cost = requestsPerMinute > 0 ? max(1, 60_000_000_000 / Int64(requestsPerMinute)) : 0
        depth = cost * Int64(max(1, requestsPerMinute / 6))
    }

    /// Takes a request.
    ///
    /// - Parameter now: In nanoseconds, of a clock that never goes back.
    /// - Returns: `nil` where it may be answered; else the nanoseconds after which the next one may come.
    func take(at now: Int64) -> Int64? {
        guard cost > 0 else { return nil }
        var seen = fullAgain.load(ordering: .relaxed)
        while true {
            let next = max(seen, now) + cost
            if next - now > depth { return next - now - depth }
            let (exchanged, original) = fullAgain.weakCompareExchange(expected: seen, desired: next, ordering: .relaxed)
            if exchanged { return nil }
            seen = original
        }
    }

    /// Whether nothing is taken, so that it can be forgotten.
    func isFull(at now: Int64) -> Bool { fullAgain.load(ordering: .relaxed) <= now }
}
