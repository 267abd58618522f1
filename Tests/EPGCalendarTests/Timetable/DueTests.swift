import EPGCalendar
import EPGModel
import Testing

@Suite struct DueTests {
    @Test(
        arguments: [
            // Nightly at 04:30; what is named below is UTC.
            (nil, "2026-06-10T12:00:00Z", true),
            ("2026-06-10T04:30:02Z", "2026-06-10T04:31:00Z", false),
            ("2026-06-10T04:30:02Z", "2026-06-11T04:29:59Z", false),
            ("2026-06-10T04:30:02Z", "2026-06-11T04:30:00Z", true),
            ("2026-06-10T04:29:59Z", "2026-06-10T04:30:00Z", true),
            // The last run was at the very instant.
            ("2026-06-10T04:30:00Z", "2026-06-10T04:30:00Z", false),
            // Down for a night, for a year, since 1970, since before all calendars.
            ("2026-06-10T04:30:02Z", "2026-06-11T23:00:00Z", true),
            ("2025-06-10T04:30:02Z", "2026-06-11T00:00:00Z", true),
            ("1970-01-01T00:00:00Z", "2026-06-11T00:00:00Z", true),
            ("1600-01-01T00:00:00Z", "2026-06-11T00:00:00Z", true),
            // The clock was up to a quarter of an hour ahead: held back until it gets there. More: not so.
            ("2026-06-10T04:30:02Z", "2026-06-10T04:20:00Z", false),
            ("2026-06-10T12:15:00Z", "2026-06-10T12:00:00Z", false),
            ("2026-06-10T12:15:01Z", "2026-06-10T12:00:00Z", true),
            ("2026-06-10T05:30:02Z", "2026-06-10T04:30:03Z", true),
            ("2026-06-11T12:00:00Z", "2026-06-10T12:00:00Z", true),
            ("2038-01-19T03:14:08Z", "2026-06-10T12:00:00Z", true),
        ] as [(String?, String, Bool)])
    func missedRunIsDue(_ lastRun: String?, _ now: String, _ expected: Bool) throws {
        let timetable = try timetable("30 4 * * *", "UTC")
        #expect(timetable.isDue(at: try instant(now), lastRun: try lastRun.map(instant)) == expected)
    }

    @Test(arguments: [Int64.min, .min + 1, .max])
    func lastRunThatCannotBeHoldsNothingBack(_ second: Int64) throws {
        let timetable = try timetable("30 4 * * *", "Europe/London", jitter: 600)
        #expect(timetable.isDue(at: noon, lastRun: Instant(secondsSince1970: second)))
    }

    @Test(arguments: ["30 4 * * *", "*/7 * * * *", "0 0 1 * *"])
    func missedRunsAreMadeUpForOnce(_ text: String) throws {
        let timetable = try timetable(text, "America/New_York", jitter: 300, seed: "guide")
        let lastRun = noon.advanced(by: -400 * 86_400)
        #expect(timetable.isDue(at: noon, lastRun: lastRun))
        #expect(!timetable.isDue(at: noon, lastRun: noon))
        let next = try #require(timetable.next(after: noon))
        #expect(!timetable.isDue(at: next.advanced(by: -1), lastRun: noon))
        #expect(timetable.isDue(at: next, lastRun: noon))
    }

    /// A machine that looks every minute for three days, with a clock that is put back by hours or days before.
    @Test(arguments: ["2026-06-12T04:30:00Z", "2026-06-11T04:30:00Z", "2026-06-10T07:00:00Z", "2026-06-10T06:15:01Z"])
    func clockThatGoesBackSkipsNoRun(_ lastRun: String) throws {
        let timetable = try timetable("30 4 * * *", "UTC")
        var lastRun = try instant(lastRun)
        let start = try instant("2026-06-10T06:00:00Z")
        var runs: [String] = []
        for minute in 0..<3 * 1440 {
            let now = start.advanced(by: Int64(minute) * 60)
            guard timetable.isDue(at: now, lastRun: lastRun) else { continue }
            lastRun = now
            runs.append(now.iso8601)
        }
        #expect(
            runs == [
                "2026-06-10T06:00:00Z", "2026-06-11T04:30:00Z", "2026-06-12T04:30:00Z", "2026-06-13T04:30:00Z",
            ])
    }

    /// Every five minutes; a clock that was a quarter of an hour ahead is put right at noon.
    @Test func clockThatIsPutBackByALittleDelaysByThatAtMost() throws {
        let timetable = try timetable("*/5 * * * *", "UTC")
        let lastRun = noon.advanced(by: 900)
        let due = (0...1800).first { timetable.isDue(at: noon.advanced(by: $0), lastRun: lastRun) }
        #expect(due == 1200)
    }
}
