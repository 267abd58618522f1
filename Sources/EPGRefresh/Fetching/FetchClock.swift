internal import EPGModel
internal import Glibc

/// What a fetch knows of time, and how it waits.
struct FetchClock: Sendable {
    /// The time since some start that doesn't change; it runs on whatever the date is set to.
    var uptime: @Sendable () -> Duration
    /// The date.
    var now: @Sendable () -> Instant
    /// Blocks for so long.
    var wait: @Sendable (Duration) -> Void
    /// A number from 0 up to 1, another one each time.
    var random: @Sendable () -> Double

    /// The clock of this machine.
    static let system = FetchClock(
        uptime: {
            var time = timespec()
            clock_gettime(CLOCK_BOOTTIME, &time)
            return .seconds(time.tv_sec) + .nanoseconds(time.tv_nsec)
        },
        now: { Instant(secondsSince1970: Int64(time(nil))) },
        wait: { duration in
            let (seconds, attoseconds) = duration.components
            var left = timespec(tv_sec: Int(seconds), tv_nsec: Int(attoseconds / 1_000_000_000))
            var rest = timespec()
            while nanosleep(&left, &rest) == -1, errno == EINTR { left = rest }
        },
        random: { Double.random(in: 0..<1) })
}
