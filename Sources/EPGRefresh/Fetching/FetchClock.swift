internal import EPGModel
internal import Glibc

/// What a fetch knows of time, and how it waits.
struct FetchClock: Sendable {
    /// The time since some start that doesn't change; it runs on whatever the date is set to.
    var uptime: @Sendable () -> Duration
    /// The date.
    var now: @Sendable () -> Instant
    /// Blocks for so long, or until it is to end, which is asked five times a second.
    var wait: @Sendable (_ duration: Duration, _ isCancelled: () -> Bool) -> Void
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
