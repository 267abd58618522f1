public import EPGModel

/// A schedule: a ``CronExpression`` in a time zone.
///
/// **Clock changes** follow the rule of Debian's cron (cron(8)). An expression with a fixed time, where neither minute
/// nor hour begins with `*`, runs once for each time that it names: at the first instant at which local date and time
/// are that time or a later one. If the clocks skip times, it runs once right after the gap, even if several of its
/// times are in the gap. If the clocks repeat a time, it runs at the first one. Other expressions (`*/15 * * * *`,
/// `0 */2 * * *`, `@hourly`) follow the running clock: they do not run for a skipped time, and run twice for a repeated
/// time. Unlike in cron, which limits its rule to changes of three hours, gaps of any length count: an expression for
/// 2011-12-30, which Pacific/Apia skipped, runs at the beginning of 2011-12-31.
///
/// **Jitter.** Each run may be delayed by up to ``jitter`` seconds, so that machines do not all send requests to a
/// server in the same second. The delay is a function of ``seed`` and the run's instant, so it is the same in every
/// process. A delayed run always precedes the next run.
public struct CronSchedule: Hashable, Sendable {
    /// The local times of the runs, before delays.
    public let expression: CronExpression
    /// The time zone of the expression.
    public let zone: Zone
    /// Maximum delay in seconds: 0…``maximumJitter``.
    public let jitter: Int64
    /// The seed of the delays, so that they differ between schedules.
    public let seed: String

    /// Maximum of ``jitter`` in seconds: one day.
    public static let maximumJitter: Int64 = 86_400

    /// Creates a schedule.
    ///
    /// - Parameters:
    ///   - expression: The local times of the runs.
    ///   - zone: The time zone of the expression.
    ///   - jitter: Maximum delay in seconds, clamped to 0…``maximumJitter``. The default is 0.
    ///   - seed: A text that differs between schedules, such as the names of the source and the machine.
    public init(_ expression: CronExpression, in zone: Zone, jitter: Int64 = 0, seed: String = "") {
        self.expression = expression
        self.zone = zone
        self.jitter = min(max(jitter, 0), CronSchedule.maximumJitter)
        self.seed = seed
    }

    /// Returns the first run after an instant, including its delay.
    ///
    /// Returns `nil` if the expression never matches a date (31 April), which takes constant time, or if there is no
    /// run within 100 years, for example because an expression that follows the clock names only skipped times. For
    /// other expressions, the longest interval is 40 years: 29 February on a given day of the week, across a year such
    /// as 2100. Instants outside of about ±998,000 years have no next run.
    ///
    /// - Complexity: O(*m* + *p*) for *m* months and *p* clock changes up to the run: at most 1,200, and 200 in a zone
    ///   with two changes per year. With jitter, up to twenty times as much.
    public func next(after instant: Instant) -> Instant? {
        guard jitter > 0 else { return undelayedRun(after: instant) }
        if let run = undelayedRun(justBefore: instant) {
            let delayed = delayed(run)
            if delayed > instant { return delayed }
        }
        return undelayedRun(after: instant).map(delayed)
    }

    /// Returns whether a run is due because its time came after the last run. Several missed runs count as one.
    ///
    /// Without a last run, it is due immediately. A last run more than 15 minutes in the future was stored with a wrong
    /// clock and is ignored. A last run less far in the future, for example because the clock was slightly fast, delays
    /// the next run until then, so that no run is repeated.
    ///
    /// - Parameter lastRun: The start of the last run, successful or not.
    /// - Complexity: See ``next(after:)``, regardless of the last run.
    public func isDue(at now: Instant, lastRun: Instant?) -> Bool {
        guard let lastRun, now.seconds(to: lastRun) <= CronSchedule.toleratedLead else {
            return expression.isSatisfiable
        }
        // An earlier last run gives the same result, but would make the search longer.
        guard let next = next(after: max(lastRun, now.advanced(by: -CronSchedule.horizon))) else { return false }
        return next <= now
    }

    /// Seconds that a last run may be in the future and still count: 15 minutes.
    private static let toleratedLead: Int64 = 900
}

extension CronSchedule: CustomStringConvertible {
    /// `30 4 * * * Europe/London`.
    public var description: String { "\(expression) \(zone)" }
}

// MARK: - Runs

extension CronSchedule {
    /// Seconds to search for a run: 100 years.
    private static let horizon: Int64 = 36_525 * 86_400

    /// Seconds before an instant that determine which local times have passed.
    ///
    /// Offsets are between −25 and +26 hours (RFC 8536, 3.2), so local times before this are earlier than all local
    /// times from the instant on.
    private static let lookBack: Int64 = 52 * 3600

    /// The local times that the search supports, with margins for looking back and ahead.
    private static let supportedSeconds: ClosedRange<Int64> = {
        let all = LocalDateTime.supportedSeconds
        let room = horizon + 10 * 86_400
        return (all.lowerBound + room)...(all.upperBound - room)
    }()

    /// Returns the first run after an instant, without its delay.
    private func undelayedRun(after instant: Instant) -> Instant? {
        guard expression.isSatisfiable, CronSchedule.supportedSeconds.contains(instant.secondsSince1970) else {
            return nil
        }
        let earliest = instant.advanced(by: 1)
        let end = instant.advanced(by: CronSchedule.horizon)
        // All local times before this one have passed or were skipped. When the clocks go back, passed times are
        // repeated.
        var passed: Int64?
        for period in zone.periods(from: instant.advanced(by: -CronSchedule.lookBack), to: end) {
            let start = period.window.start
            let localStart = period.localSeconds(at: start)
            let localEnd = period.localSeconds(at: min(period.window.end, end))
            var first = max(localStart, period.localSeconds(at: earliest))
            if !expression.followsClock, let passed {
                if start >= earliest, expression.firstMinute(from: passed, before: localStart) != nil { return start }
                first = max(first, passed)
            }
            if let minute = expression.firstMinute(from: first, before: localEnd) {
                return period.instant(ofLocalSeconds: minute)
            }
            passed = max(passed ?? localEnd, localEnd)
        }
        return nil
    }

    /// Returns the last run at or before an instant, which is the only one whose delay may end after it.
    ///
    /// Delays of earlier runs end before the next run.
    private func undelayedRun(justBefore instant: Instant) -> Instant? {
        // A binary search for the first instant after which there is no run up to `instant`: this is the last run.
        func hasRun(after other: Int64) -> Bool {
            guard let run = undelayedRun(after: Instant(secondsSince1970: other)) else { return false }
            return run <= instant
        }
        guard CronSchedule.supportedSeconds.contains(instant.secondsSince1970) else { return nil }
        var low = instant.secondsSince1970 - jitter - 1
        var high = instant.secondsSince1970
        guard hasRun(after: low) else { return nil }
        while high - low > 1 {
            let middle = low + (high - low) / 2
            if hasRun(after: middle) { low = middle } else { high = middle }
        }
        return Instant(secondsSince1970: high)
    }

    /// Returns the delayed time of a run: at most ``jitter`` seconds later, and before the next run.
    func delayed(_ run: Instant) -> Instant {
        let room = undelayedRun(after: run).map { run.seconds(to: $0) - 1 } ?? jitter
        let hash = ContentHasher.fixed.hash(Array("\(seed) \(run.secondsSince1970)".utf8).span)
        // The remainder is less than 86,401.
        return run.advanced(by: Int64(hash.low % UInt64(min(jitter, room) + 1)))
    }
}
