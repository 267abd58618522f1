import EPGModel

extension Timetable {
    /// Seconds that are searched for a run: 100 years.
    static let horizon: Int64 = 36_525 * 86_400

    /// Seconds before an instant that tell which local times were shown before.
    ///
    /// Clocks are at most 25 hours behind and 26 ahead of UTC (RFC 8536, 3.2), so what was shown earlier than this is
    /// earlier than all that is shown from the instant on.
    private static let lookBack: Int64 = 52 * 3600

    /// Where local times are worked out, with room for what is looked at before and behind.
    private static let supportedSeconds: ClosedRange<Int64> = {
        let all = LocalDateTime.supportedSeconds
        let room = horizon + 10 * 86_400
        return (all.lowerBound + room)...(all.upperBound - room)
    }()

    /// The first run after an instant, without its delay.
    func undelayedRun(after instant: Instant) -> Instant? {
        guard expression.meansSomeDay, Timetable.supportedSeconds.contains(instant.secondsSince1970) else { return nil }
        let earliest = instant.advanced(by: 1)
        let end = instant.advanced(by: Timetable.horizon)
        // All local times before this one were shown or skipped; times once shown are shown again where the clocks are
        // put back.
        var passed: Int64?
        for period in zone.periods(from: instant.advanced(by: -Timetable.lookBack), to: end) {
            let start = period.window.start
            let localStart = period.localSeconds(at: start)
            let localEnd = period.localSeconds(at: min(period.window.end, end))
            var first = max(localStart, period.localSeconds(at: earliest))
            if !expression.followsTheClock, let passed {
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

    /// The last run at or before an instant whose delay might end behind it.
    ///
    /// No earlier run does, for a delay ends before the next run.
    func undelayedRun(justBefore instant: Instant) -> Instant? {
        // After which instants is there a run at or before this one? After all those before it. So it is the first
        // instant after which there is none.
        func hasRun(after other: Int64) -> Bool {
            guard let run = undelayedRun(after: Instant(secondsSince1970: other)) else { return false }
            return run <= instant
        }
        guard Timetable.supportedSeconds.contains(instant.secondsSince1970) else { return nil }
        var low = instant.secondsSince1970 - jitter - 1
        var high = instant.secondsSince1970
        guard hasRun(after: low) else { return nil }
        while high - low > 1 {
            let middle = low + (high - low) / 2
            if hasRun(after: middle) { low = middle } else { high = middle }
        }
        return Instant(secondsSince1970: high)
    }

    /// When a run is made in the end: at most ``jitter`` seconds later, and before the run that follows it.
    func delayed(_ run: Instant) -> Instant {
        let room = undelayedRun(after: run).map { run.seconds(to: $0) - 1 } ?? jitter
        var hash = FowlerNollVoHash()
        hash.combine(seed.utf8)
        hash.combine(run.secondsSince1970)
        // The remainder is below 86,401.
        return run.advanced(by: Int64(hash.value % UInt64(min(jitter, room) + 1)))
    }
}
