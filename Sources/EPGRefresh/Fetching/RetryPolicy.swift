/// How often a fetch is tried, and how long it waits in between.
package struct RetryPolicy: Hashable, Sendable {
    /// Attempts in all, at least 1. The default is 4.
    package var attempts: Int
    /// Seconds before the second attempt; each later wait is twice the one before. The default is 2.
    package var firstDelay: Double
    /// The longest wait in seconds. The default is 60.
    package var longestDelay: Double
    /// The longest wait in seconds that a server may ask for; where it asks for more, the fetch ends. The default is 300.
    package var longestRetryAfter: Int64

    package init(
        attempts: Int = 4, firstDelay: Double = 2, longestDelay: Double = 60, longestRetryAfter: Int64 = 300
    ) {
        self.attempts = attempts
        self.firstDelay = firstDelay
        self.longestDelay = longestDelay
        self.longestRetryAfter = longestRetryAfter
    }

    /// One attempt alone.
    package static let never = RetryPolicy(attempts: 1)

    /// How long to wait after an attempt that failed; `nil` where no other follows.
    ///
    /// Half of the wait is drawn, so that many machines that failed at once don't come back at once. What the server
    /// asks for is kept, and up to a tenth of it added.
    /// - Parameters:
    ///   - attempt: The number of attempts so far, at least 1.
    ///   - retryAfter: The seconds that the server asks for (RFC 9110, 10.2.3).
    ///   - random: A number from 0 up to 1.
    package func delay(afterAttempt attempt: Int, retryAfter: Int64? = nil, random: Double) -> Duration? {
        guard attempt < attempts else { return nil }
        if let retryAfter {
            guard retryAfter <= longestRetryAfter else { return nil }
            return .seconds(Double(max(0, retryAfter)) * (1 + random / 10))
        }
        var delay = firstDelay
        for _ in 1..<max(attempt, 1) where delay < longestDelay { delay *= 2 }
        return .seconds(min(delay, longestDelay) * (0.5 + random / 2))
    }
}
