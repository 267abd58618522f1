import EPGModel
import EPGRefresh
import Testing

@Suite struct SourceDueTests {
    /// Interval, seconds since the last attempt, and whether the source is due.
    @Test(
        arguments: [
            (nil, 0, true),
            (0, 0, true),
            (-5, 0, true),
            (86_400, 85_799, false),
            (86_400, 85_800, true),
            (86_400, 86_400, true),
            (3600, 3239, false),
            (3600, 3240, true),
            // The last attempt lies in the future: the clock was wrong.
            (86_400, -1, true),
            (Int64.max, 1_000_000, false),
        ] as [(Int64?, Int64, Bool)])
    func sourceIsDueAfterItsIntervalLessATolerance(interval: Int64?, elapsed: Int64, isDue: Bool) {
        let now = Instant(secondsSince1970: 1_774_753_200)
        var state = SourceState()
        state.lastAttempt = now.advanced(by: -elapsed)
        #expect(Source(name: "a", interval: interval).isDue(at: now, after: state) == isDue)
    }

    @Test func sourceThatWasNeverAskedIsDue() {
        let now = Instant(secondsSince1970: 0)
        #expect(Source(name: "a", interval: 86_400).isDue(at: now, after: SourceState()))
    }
}
