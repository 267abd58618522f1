/// Limits requests to a number per minute, of which a sixth may arrive at once: a token bucket.
struct RequestRate: Sendable {
    /// Nanoseconds per request; 0 for no limit.
    private let cost: Int64
    /// Nanoseconds that requests may be ahead of the rate.
    private let depth: Int64
    private var timeOfFull = Int64.min

    /// - Parameter requestsPerMinute: 0 for no limit.
    init(requestsPerMinute: Int) {
        cost = requestsPerMinute > 0 ? max(1, 60_000_000_000 / Int64(requestsPerMinute)) : 0
        depth = cost * Int64(max(1, requestsPerMinute / 6))
    }

    /// Counts a request at a time in nanoseconds; if the rate does not allow it, returns the nanoseconds until it does.
    mutating func take(at now: Int64) -> Int64? {
        let next = max(timeOfFull, now) + cost
        if cost > 0, next - now > depth { return next - now - depth }
        timeOfFull = next
        return nil
    }

    func isFull(at now: Int64) -> Bool { timeOfFull <= now }
}
