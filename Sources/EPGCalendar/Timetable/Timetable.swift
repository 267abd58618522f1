public import EPGModel

/// When something is to be done again and again: a ``CronExpression`` by the clocks of a zone.
///
/// **Days on which the clocks are changed.** The rule is that of Debian's cron (cron(8)). An expression with a fixed
/// time, neither whose minute nor whose hour begins with `*`, runs once for each time that it names: at the first
/// instant at which calendar and clock show that time or a later one. So what names a time that the clocks skip runs
/// right after the gap, once however many of its times lie in there, and what names a time that is repeated runs at the
/// first. Other expressions (`*/15 * * * *`, `0 */2 * * *`, `@hourly`) follow the clocks as they run: nothing for a
/// time that isn't shown, twice for one that is shown twice. Unlike in cron, whose rule ends at changes of three hours,
/// gaps of any length count: what names the day that Pacific/Apia skipped, 2011-12-30, runs as 2011-12-31 begins.
///
/// **Delay.** So that not all ask the same server in the same second, each run may be delayed by up to ``jitter``
/// seconds. The delay follows from ``seed`` and the run's instant alone, so it is known beforehand and the same in
/// every process. It never reaches the next run.
public struct Timetable: Hashable, Sendable {
    public let expression: CronExpression
    /// Whose clocks the expression means.
    public let zone: Zone
    /// The greatest delay, in seconds: 0…``maximumJitter``.
    public let jitter: Int64
    /// What tells this timetable's delays from those of others.
    public let seed: String

    /// Seconds; a day.
    public static let maximumJitter: Int64 = 86_400

    /// A timetable.
    ///
    /// - Parameters:
    ///   - jitter: The greatest delay, in seconds; 0 by default. What lies outside 0…``maximumJitter`` counts as the
    ///     nearer of the two.
    ///   - seed: Such as the name of the source that is to be asked, and of the machine that asks.
    public init(_ expression: CronExpression, in zone: Zone, jitter: Int64 = 0, seed: String = "") {
        self.expression = expression
        self.zone = zone
        self.jitter = min(max(jitter, 0), Timetable.maximumJitter)
        self.seed = seed
    }

    /// The first run after an instant, its delay included.
    ///
    /// It is `nil` where the expression means no day (31 April), which is found at once, and where no run comes within
    /// 100 years, as for an expression that follows the clock and means only times that it never shows. The longest
    /// wait for any other is 40 years: for a 29th of February on a certain day of the week, over a year such as 2100.
    /// Instants beyond about ±998,000 years have no next run.
    ///
    /// - Complexity: O(*m* + *p*) for *m* months and *p* changes of the clocks up to the run: at most 1,200 and, in a
    ///   zone that changes them twice a year, 200. With jitter at most twenty times as much.
    public func next(after instant: Instant) -> Instant? {
        guard jitter > 0 else { return undelayedRun(after: instant) }
        if let run = undelayedRun(justBefore: instant) {
            let delayed = delayed(run)
            if delayed > instant { return delayed }
        }
        return undelayedRun(after: instant).map(delayed)
    }

    /// Whether a run is to be made now, because one came up since the last: once, however many were missed while the
    /// machine was down.
    ///
    /// What never ran is due at once. A last run that lies more than a quarter of an hour ahead was noted under a wrong
    /// clock: it counts as none, and the run is due at once. One that lies less far ahead, as where a clock was a little
    /// fast and was put right, holds back until the clock is there, so that no run is made twice.
    ///
    /// - Parameter lastRun: When the last run was begun, whether it succeeded or not.
    /// - Complexity: As ``next(after:)``, however long ago the last run was.
    public func isDue(at now: Instant, lastRun: Instant?) -> Bool {
        guard let lastRun, now.seconds(to: lastRun) <= Timetable.toleratedLead else { return expression.meansSomeDay }
        // What lies further back changes nothing, but the search is bounded.
        guard let next = next(after: max(lastRun, now.advanced(by: -Timetable.horizon))) else { return false }
        return next <= now
    }

    /// Seconds by which a last run may lie ahead of the clock and still be believed; a quarter of an hour.
    private static let toleratedLead: Int64 = 900
}

extension Timetable: CustomStringConvertible {
    /// `30 4 * * * Europe/London`.
    public var description: String { "\(expression) \(zone)" }
}
