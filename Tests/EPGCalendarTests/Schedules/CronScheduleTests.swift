import EPGModel
import TestSupport
import Testing

@testable import EPGCalendar

@Suite struct CronScheduleTests {
    @Test(arguments: [
        RunCase("UTC", "30 4 * * *", after: "2026-06-01T04:29:59Z", ["2026-06-01T04:30:00Z", "2026-06-02T04:30:00Z"]),
        RunCase("UTC", "* * * * *", after: "2026-12-31T23:59:00Z", ["2027-01-01T00:00:00Z", "2027-01-01T00:01:00Z"]),
        RunCase("Asia/Kathmandu", "0 2 * * *", after: "2026-01-01T00:00:00Z", ["2026-01-01T20:15:00Z"]),
        // 2026-06-01 is a Monday.
        RunCase("UTC", "@weekly", after: "2026-06-01T00:00:00Z", ["2026-06-07T00:00:00Z", "2026-06-14T00:00:00Z"]),
        RunCase("UTC", "@monthly", after: "2026-06-01T00:00:00Z", ["2026-07-01T00:00:00Z"]),
        RunCase("UTC", "@yearly", after: "2026-06-01T00:00:00Z", ["2027-01-01T00:00:00Z"]),
        RunCase("UTC", "0 0 31 * *", after: "2026-01-31T00:00:00Z", ["2026-03-31T00:00:00Z", "2026-05-31T00:00:00Z"]),
        RunCase(
            "UTC", "0 12 * 1,12 fri-sun", after: "2026-12-31T00:00:00Z",
            ["2027-01-01T12:00:00Z", "2027-01-02T12:00:00Z", "2027-01-03T12:00:00Z", "2027-01-08T12:00:00Z"]),
        // Before 1970: 1969-12-28 was a Sunday.
        RunCase("UTC", "0 0 * * 7", after: "1969-12-27T12:00:00Z", ["1969-12-28T00:00:00Z", "1970-01-04T00:00:00Z"]),
    ])
    func runsFollowTheCalendar(_ expected: RunCase) throws { try expected.check() }

    @Test(arguments: [
        // Fridays of June 2026 are the 5th, 12th, 19th and 26th.
        RunCase(
            "UTC", "0 0 13 * 5", after: "2026-06-10T00:00:00Z",
            ["2026-06-12T00:00:00Z", "2026-06-13T00:00:00Z", "2026-06-19T00:00:00Z"]),
        RunCase("UTC", "0 0 */2 * 5", after: "2026-06-10T00:00:00Z", ["2026-06-19T00:00:00Z", "2026-07-03T00:00:00Z"]),
        RunCase(
            "UTC", "0 0 13 * */5", after: "2026-06-10T00:00:00Z", ["2026-09-13T00:00:00Z", "2026-11-13T00:00:00Z"]),
        RunCase("UTC", "0 0 13 * *", after: "2026-06-10T00:00:00Z", ["2026-06-13T00:00:00Z", "2026-07-13T00:00:00Z"]),
        RunCase("UTC", "0 0 * * 5", after: "2026-06-10T00:00:00Z", ["2026-06-12T00:00:00Z", "2026-06-19T00:00:00Z"]),
        RunCase("UTC", "0 0 31 4 1", after: "2026-04-01T00:00:00Z", ["2026-04-06T00:00:00Z"]),
    ])
    func restrictedDayFieldsAreAlternatives(_ expected: RunCase) throws { try expected.check() }

    @Test(arguments: [
        RunCase("UTC", "0 0 29 2 *", after: "2026-01-01T00:00:00Z", ["2028-02-29T00:00:00Z", "2032-02-29T00:00:00Z"]),
        RunCase("UTC", "0 0 29 2 *", after: "1896-03-01T00:00:00Z", ["1904-02-29T00:00:00Z"]),
        RunCase("UTC", "0 0 29 2 *", after: "2096-03-01T00:00:00Z", ["2104-02-29T00:00:00Z"]),
        // 29 February is a Sunday in 2032, 2060 and 2088, and then, as 2100 has none, in 2128.
        RunCase(
            "Europe/London", "0 5 29 2 */7", after: "2026-01-01T00:00:00Z",
            ["2032-02-29T05:00:00Z", "2060-02-29T05:00:00Z", "2088-02-29T05:00:00Z", "2128-02-29T05:00:00Z"]),
    ])
    func leapDaysAreFound(_ expected: RunCase) throws { try expected.check() }

    @Test(arguments: ["0 0 31 4 *", "0 0 30 2 *", "0 0 30,31 2 *", "* * 31 2,4,6,9,11 *", "0 0 31 4 */2"])
    func nonexistentDatesHaveNoRun(_ text: String) throws {
        try expectEqual(CronExpression(text).isSatisfiable, false)
        let schedule = try schedule(text, "Europe/London", jitter: 60)
        expectEqual(schedule.next(after: noon), nil)
        #expect(!schedule.isDue(at: noon, lastRun: nil))
        #expect(!schedule.isDue(at: noon, lastRun: Instant(secondsSince1970: 0)))
    }

    @Test(arguments: [Int64.min, .min + 1, -31_500_000_000_001, 31_500_000_000_000, .max - 1, .max])
    func extremeInstantsHaveNoNextRunAndDoNotTrap(_ second: Int64) throws {
        let instant = Instant(secondsSince1970: second)
        for name in ["UTC", "Europe/London", "Pacific/Apia"] {
            for text in ["* * * * *", "30 4 * * *", "0 0 29 2 *"] {
                let schedule = try schedule(text, name, jitter: 600)
                expectEqual(schedule.next(after: instant), nil)
                // Before 1970, the last run is ahead of the clock.
                expectEqual(schedule.isDue(at: instant, lastRun: noon), (second < 0))
            }
        }
    }

    @Test func offsetsWithSecondsAreSupported() throws {
        // Brussels was 17 minutes and 30 seconds ahead until 1892, by `zdump -v`.
        try RunCase(
            "Europe/Brussels", "0 12 * * *", after: "1875-01-01T00:00:00Z", ["1875-01-01T11:42:30Z"]
        ).check()
    }
}

@Suite struct DelayTests {
    @Test(
        arguments: [
            ("30 4 * * *", 3600), ("*/10 * * * *", 300), ("*/10 * * * *", 3600), ("* * * * *", 86_400),
            ("0 0 1 * *", 86_400), ("17 */3 * * mon", 1),
        ] as [(String, Int64)])
    func delayedRunsKeepTheirOrder(_ text: String, _ jitter: Int64) throws {
        let plain = try schedule(text, "Europe/London")
        let delayed = try schedule(text, "Europe/London", jitter: jitter, seed: "guide")
        var run = try #require(plain.next(after: noon))
        // Before the first one, an earlier run may still be delayed.
        var delayedRun = try #require(delayed.next(after: run.advanced(by: -1)))
        for _ in 0..<60 {
            let following = try #require(plain.next(after: run))
            #expect(delayedRun >= run)
            #expect(delayedRun <= run.advanced(by: jitter))
            #expect(delayedRun < following)
            // The delayed run is the same from every instant after the previous one.
            let before = delayedRun.advanced(by: -max(1, run.seconds(to: delayedRun) / 2))
            expectEqual(delayed.next(after: before), delayedRun)
            (run, delayedRun) = (following, try #require(delayed.next(after: delayedRun)))
        }
    }

    @Test func delayDependsOnlyOnSeedAndRun() throws {
        let schedule = try schedule("30 4 * * *", "UTC", jitter: 1800, seed: "bbc")
        var runs: [String] = []
        for day in 10...12 {
            runs.append(try #require(schedule.next(after: try instant("2026-06-\(day)T00:00:00Z"))).iso8601)
        }
        expectEqual(runs, expectedRuns)
    }

    /// From an implementation of the hash in Python: the low half for `bbc`, a space and the run's seconds, modulo 1801.
    private let expectedRuns = ["2026-06-10T04:57:18Z", "2026-06-11T04:32:26Z", "2026-06-12T04:57:16Z"]

    @Test func delaysAreUniformlyDistributed() throws {
        var counts = Array(repeating: 0, count: 10)
        for source in 0..<1000 {
            let schedule = try schedule("30 4 * * *", "UTC", jitter: 3599, seed: "source \(source)")
            let run = try #require(schedule.next(after: try instant("2026-06-10T00:00:00Z")))
            counts[Int(run.secondsSince1970 - (try instant("2026-06-10T04:30:00Z")).secondsSince1970) / 360] += 1
        }
        // The expected hundred, plus or minus five standard deviations of 9.5.
        for count in counts { #expect((52...148).contains(count)) }
    }

    @Test(arguments: [(-1, 0), (Int64.min, 0), (86_401, 86_400), (.max, 86_400), (600, 600)] as [(Int64, Int64)])
    func jitterIsClampedToADay(_ given: Int64, _ expected: Int64) throws {
        try expectEqual(schedule("@daily", "UTC", jitter: given).jitter, expected)
    }
}

@Suite struct DueTests {
    @Test(
        arguments: [
            // Nightly at 04:30; the times below are UTC.
            (nil, "2026-06-10T12:00:00Z", true),
            ("2026-06-10T04:30:02Z", "2026-06-10T04:31:00Z", false),
            ("2026-06-10T04:30:02Z", "2026-06-11T04:29:59Z", false),
            ("2026-06-10T04:30:02Z", "2026-06-11T04:30:00Z", true),
            ("2026-06-10T04:29:59Z", "2026-06-10T04:30:00Z", true),
            // The last run was at that instant.
            ("2026-06-10T04:30:00Z", "2026-06-10T04:30:00Z", false),
            // Down for a night, for a year, since 1970, and since 1600.
            ("2026-06-10T04:30:02Z", "2026-06-11T23:00:00Z", true),
            ("2025-06-10T04:30:02Z", "2026-06-11T00:00:00Z", true),
            ("1970-01-01T00:00:00Z", "2026-06-11T00:00:00Z", true),
            ("1600-01-01T00:00:00Z", "2026-06-11T00:00:00Z", true),
            // The clock was ahead. Up to 15 minutes delay the run; a larger difference is ignored.
            ("2026-06-10T04:30:02Z", "2026-06-10T04:20:00Z", false),
            ("2026-06-10T12:15:00Z", "2026-06-10T12:00:00Z", false),
            ("2026-06-10T12:15:01Z", "2026-06-10T12:00:00Z", true),
            ("2026-06-10T05:30:02Z", "2026-06-10T04:30:03Z", true),
            ("2026-06-11T12:00:00Z", "2026-06-10T12:00:00Z", true),
            ("2038-01-19T03:14:08Z", "2026-06-10T12:00:00Z", true),
        ] as [(String?, String, Bool)])
    func missedRunIsDue(_ lastRun: String?, _ now: String, _ expected: Bool) throws {
        let schedule = try schedule("30 4 * * *", "UTC")
        expectEqual(schedule.isDue(at: try instant(now), lastRun: try lastRun.map(instant)), expected)
    }

    @Test(arguments: [Int64.min, .min + 1, .max])
    func implausibleLastRunIsIgnored(_ second: Int64) throws {
        let schedule = try schedule("30 4 * * *", "Europe/London", jitter: 600)
        #expect(schedule.isDue(at: noon, lastRun: Instant(secondsSince1970: second)))
    }

    @Test(arguments: ["30 4 * * *", "*/7 * * * *", "0 0 1 * *"])
    func missedRunsCountAsOne(_ text: String) throws {
        let schedule = try schedule(text, "America/New_York", jitter: 300, seed: "guide")
        let lastRun = noon.advanced(by: -400 * 86_400)
        #expect(schedule.isDue(at: noon, lastRun: lastRun))
        #expect(!schedule.isDue(at: noon, lastRun: noon))
        let next = try #require(schedule.next(after: noon))
        #expect(!schedule.isDue(at: next.advanced(by: -1), lastRun: noon))
        #expect(schedule.isDue(at: next, lastRun: noon))
    }

    /// Checks every minute for three days, after the clock was set back by hours or days.
    @Test(arguments: ["2026-06-12T04:30:00Z", "2026-06-11T04:30:00Z", "2026-06-10T07:00:00Z", "2026-06-10T06:15:01Z"])
    func clockSetBackSkipsNoRun(_ lastRun: String) throws {
        let schedule = try schedule("30 4 * * *", "UTC")
        var lastRun = try instant(lastRun)
        let start = try instant("2026-06-10T06:00:00Z")
        var runs: [String] = []
        for minute in 0..<3 * 1440 {
            let now = start.advanced(by: Int64(minute) * 60)
            guard schedule.isDue(at: now, lastRun: lastRun) else { continue }
            lastRun = now
            runs.append(now.iso8601)
        }
        expectEqual(
            runs,
            [
                "2026-06-10T06:00:00Z", "2026-06-11T04:30:00Z", "2026-06-12T04:30:00Z", "2026-06-13T04:30:00Z",
            ])
    }

    /// The schedule runs every five minutes. A clock that was 15 minutes ahead is corrected at noon.
    @Test func smallClockCorrectionDelaysAtMostByItsSize() throws {
        let schedule = try schedule("*/5 * * * *", "UTC")
        let lastRun = noon.advanced(by: 900)
        let due = (0...1800).first { schedule.isDue(at: noon.advanced(by: $0), lastRun: lastRun) }
        expectEqual(due, 1200)
    }
}

/// The runs after an instant, calculated manually from the clock changes that `zdump -v` prints.
struct RunCase: CustomTestStringConvertible, Sendable {
    let zone: String
    let expression: String
    let after: String
    let runs: [String]

    init(_ zone: String, _ expression: String, after: String, _ runs: [String]) {
        self.zone = zone
        self.expression = expression
        self.after = after
        self.runs = runs
    }

    var testDescription: String { "\(expression) \(zone) after \(after)" }

    /// Tests that the schedule has these runs.
    func check() throws {
        let schedule = try schedule(expression, zone)
        var instant = try instant(after)
        for run in runs {
            let next = try #require(schedule.next(after: instant))
            expectEqual(next.iso8601, run)
            instant = next
        }
    }
}

func schedule(_ expression: String, _ name: String, jitter: Int64 = 0, seed: String = "") throws -> CronSchedule {
    CronSchedule(try CronExpression(expression), in: try zone(name), jitter: jitter, seed: seed)
}

/// An instant in ISO 8601 with `Z`.
func instant(_ text: String) throws -> Instant {
    try TimeExpression.parse(text, now: noon, zone: .utc)
}
