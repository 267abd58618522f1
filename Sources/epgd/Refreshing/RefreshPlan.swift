import EPGCalendar
import EPGModel

/// When the service refreshes next, by a clock that somebody may set.
struct RefreshPlan {
    private let timetable: Timetable
    /// The first run after the last look.
    private(set) var next: Instant?
    private var lastLook: Instant

    /// Seconds by which a clock may be put back before the plan is made anew: less would only repeat a run.
    private static let tolerance: Int64 = 3600
    /// The longest time between two looks at the clock, in seconds: it may be set, and the machine may sleep.
    private static let longestPause: Int64 = 60

    init(_ timetable: Timetable, from now: Instant) {
        self.timetable = timetable
        next = timetable.next(after: now)
        lastLook = now
    }

    /// Whether a run came up since the last look: once, however many did.
    mutating func isDue(at now: Instant) -> Bool {
        let isPutBack = now.seconds(to: lastLook) > RefreshPlan.tolerance
        lastLook = isPutBack ? now : max(now, lastLook)
        if isPutBack { next = timetable.next(after: now) }
        guard let run = next, run <= now else { return false }
        next = timetable.next(after: now)
        return true
    }

    /// How long to wait before the next look.
    func pause(at now: Instant) -> Duration {
        guard let next else { return .seconds(RefreshPlan.longestPause) }
        return .seconds(min(max(1, now.seconds(to: next)), RefreshPlan.longestPause))
    }
}
