import EPGCalendar
internal import EPGModel
internal import Glibc

/// The number of attempts of a fetch, and the delays between them.
package struct RetryPolicy: Hashable, Sendable {
    /// Maximum number of attempts, at least 1. The default is 4.
    package var attempts: Int
    /// Seconds before the second attempt. Each later delay is twice the previous one.
    private static let firstDelay = 2.0
    /// Maximum delay in seconds.
    private static let maximumDelay = 60.0
    /// Maximum `Retry-After` in seconds. If the server sends a larger one, the fetch fails.
    private static let maximumRetryAfter: Int64 = 300

    /// Creates a policy, by default with four attempts.
    package init(attempts: Int = 4) {
        self.attempts = attempts
    }

    /// A single attempt.
    package static let never = RetryPolicy(attempts: 1)

    /// Returns how long to wait after a failed attempt; `nil` if no other attempt follows.
    ///
    /// Half of the delay is random, so that machines that failed together do not retry together. A `Retry-After` is
    /// honored, plus up to a tenth of it.
    /// - Parameters:
    ///   - attempt: The number of attempts so far, at least 1.
    ///   - retryAfter: The server's `Retry-After` in seconds (RFC 9110, 10.2.3).
    ///   - random: A random number in `0..<1`.
    package func delay(afterAttempt attempt: Int, retryAfter: Int64? = nil, random: Double) -> Duration? {
        guard attempt < attempts else { return nil }
        if let retryAfter {
            guard retryAfter <= Self.maximumRetryAfter else { return nil }
            return .seconds(Double(max(0, retryAfter)) * (1 + random / 10))
        }
        var delay = Self.firstDelay
        for _ in 1..<max(attempt, 1) where delay < Self.maximumDelay { delay *= 2 }
        return .seconds(min(delay, Self.maximumDelay) * (0.5 + random / 2))
    }
}

/// Parses `Retry-After` (RFC 9110, 10.2.3): seconds, or a date.
enum RetryAfter {
    /// Returns the seconds to wait; `nil` for an invalid value.
    ///
    /// - Parameters:
    ///   - date: The server's `Date`, the reference for a date in `value`: the clock of this machine may be wrong.
    ///   - now: The reference if the server sent no `Date`.
    static func seconds(_ value: String, date: String?, now: Instant) -> Int64? {
        if value.utf8.allSatisfy({ (0x30...0x39).contains($0) }), !value.isEmpty {
            // A number of seconds that overflows means "very long".
            return Int64(value) ?? .max
        }
        guard let then = Instant(httpDate: value) else { return nil }
        let reference = date.flatMap { Instant(httpDate: $0) } ?? now
        return max(0, then.secondsSince1970 - reference.secondsSince1970)
    }
}

/// The clock, the delays and the random numbers of a fetch, replaceable in tests.
struct FetchClock: Sendable {
    /// The time since boot, which is monotonic and includes suspension.
    var uptime: @Sendable () -> Duration
    /// The current time.
    var now: @Sendable () -> Instant
    /// Blocks for a duration, or until `isCancelled`, which is called five times a second.
    var wait: @Sendable (_ duration: Duration, _ isCancelled: () -> Bool) -> Void
    /// Returns a random number in `0..<1`.
    var random: @Sendable () -> Double

    /// The system clock.
    static let system = FetchClock(
        uptime: {
            var time = timespec()
            clock_gettime(CLOCK_BOOTTIME, &time)
            return .seconds(time.tv_sec) + .nanoseconds(time.tv_nsec)
        },
        now: { Instant(secondsSince1970: Int64(time(nil))) },
        wait: { duration, isCancelled in
            var left = duration
            while left > .zero, !isCancelled() {
                let part = min(left, .milliseconds(200))
                usleep(UInt32(part.components.attoseconds / 1_000_000_000_000))
                left -= part
            }
        },
        random: { Double.random(in: 0..<1) })
}
