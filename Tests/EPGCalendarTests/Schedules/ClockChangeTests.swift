import EPGModel
import TestSupport
import Testing

@testable import EPGCalendar

@Suite struct ClockChangeTests {
    @Test(arguments: [
        // London: 2026-03-29 01:00 becomes 02:00 at 01:00Z.
        RunCase(
            "Europe/London", "30 1 * * *", after: "2026-03-28T12:00:00Z",
            ["2026-03-29T01:00:00Z", "2026-03-30T00:30:00Z"]),
        RunCase(
            "Europe/London", "0 2 * * *", after: "2026-03-28T12:00:00Z",
            ["2026-03-29T01:00:00Z", "2026-03-30T01:00:00Z"]),
        // Two skipped times and one existing time are one run.
        RunCase(
            "Europe/London", "0,30 1,2 * * *", after: "2026-03-28T12:00:00Z",
            ["2026-03-29T01:00:00Z", "2026-03-29T01:30:00Z", "2026-03-30T00:00:00Z"]),
        // The expression specifies the day with the gap.
        RunCase(
            "Europe/London", "30 1 29 3 *", after: "2026-01-01T00:00:00Z",
            ["2026-03-29T01:00:00Z", "2027-03-29T00:30:00Z"]),
        // New York: 2026-03-08 02:00 becomes 03:00 at 07:00Z.
        RunCase(
            "America/New_York", "30 2 * * *", after: "2026-03-07T12:00:00Z",
            ["2026-03-08T07:00:00Z", "2026-03-09T06:30:00Z"]),
        // Lord Howe: 2026-10-04 02:00 becomes 02:30 at 15:30Z of the day before.
        RunCase(
            "Australia/Lord_Howe", "15 2 * * *", after: "2026-10-03T00:00:00Z",
            ["2026-10-03T15:30:00Z", "2026-10-04T15:15:00Z"]),
        RunCase(
            "Australia/Lord_Howe", "45 2 * * *", after: "2026-10-03T00:00:00Z",
            ["2026-10-03T15:45:00Z", "2026-10-04T15:45:00Z"]),
        // Casablanca after the Ramadan of 2024: 04-14 02:00 becomes 03:00 at 02:00Z.
        RunCase(
            "Africa/Casablanca", "30 2 * * *", after: "2024-04-13T12:00:00Z",
            ["2024-04-14T02:00:00Z", "2024-04-15T01:30:00Z"]),
        // Kathmandu: 1986-01-01 00:00 became 00:15 at 18:30Z of the day before.
        RunCase("Asia/Kathmandu", "5 0 1 1 *", after: "1985-06-01T00:00:00Z", ["1985-12-31T18:30:00Z"]),
        // Apia had no 2011-12-30: the 29th ended at 10:00Z of the 30th, and the 31st, 14 hours ahead, began.
        RunCase(
            "Pacific/Apia", "30 2 * * *", after: "2011-12-29T13:00:00Z",
            ["2011-12-30T10:00:00Z", "2011-12-30T12:30:00Z", "2011-12-31T12:30:00Z"]),
        RunCase("Pacific/Apia", "0 12 30 12 *", after: "2011-06-01T00:00:00Z", ["2011-12-30T10:00:00Z"]),
        // São Paulo skipped midnights: 2018-11-04 00:00 became 01:00 at 03:00Z.
        RunCase(
            "America/Sao_Paulo", "@daily", after: "2018-11-03T12:00:00Z",
            ["2018-11-04T03:00:00Z", "2018-11-05T02:00:00Z"]),
        RunCase(
            "America/Sao_Paulo", "30 0 * * sun", after: "2018-11-03T12:00:00Z",
            ["2018-11-04T03:00:00Z", "2018-11-11T02:30:00Z"]),
    ])
    func skippedFixedTimeRunsOnceAfterTheGap(_ expected: RunCase) throws { try expected.check() }

    @Test(arguments: [
        // London: 2026-10-25 02:00 becomes 01:00 at 01:00Z.
        RunCase(
            "Europe/London", "30 1 * * *", after: "2026-10-24T12:00:00Z",
            ["2026-10-25T00:30:00Z", "2026-10-26T01:30:00Z"]),
        // A range of all hours does not count as a star: each time runs once.
        RunCase(
            "Europe/London", "0 0-23 * * *", after: "2026-10-24T23:30:00Z",
            ["2026-10-25T00:00:00Z", "2026-10-25T02:00:00Z"]),
        RunCase(
            "America/New_York", "30 1 * * *", after: "2026-10-31T12:00:00Z",
            ["2026-11-01T05:30:00Z", "2026-11-02T06:30:00Z"]),
        // Lord Howe: 2026-04-05 02:00 becomes 01:30 at 15:00Z of the day before.
        RunCase(
            "Australia/Lord_Howe", "45 1 * * *", after: "2026-04-04T00:00:00Z",
            ["2026-04-04T14:45:00Z", "2026-04-05T15:15:00Z"]),
        // Casablanca before the Ramadan of 2024: 03-10 03:00 becomes 02:00 at 02:00Z.
        RunCase(
            "Africa/Casablanca", "30 2 * * *", after: "2024-03-09T12:00:00Z",
            ["2024-03-10T01:30:00Z", "2024-03-11T02:30:00Z"]),
        // São Paulo: 2018-02-18 00:00 became 23:00 of the 17th at 02:00Z, so midnight came at 03:00Z.
        RunCase(
            "America/Sao_Paulo", "30 23 * * *", after: "2018-02-17T12:00:00Z",
            ["2018-02-18T01:30:00Z", "2018-02-19T02:30:00Z"]),
        RunCase(
            "America/Sao_Paulo", "@daily", after: "2018-02-17T12:00:00Z",
            ["2018-02-18T03:00:00Z", "2018-02-19T03:00:00Z"]),
    ])
    func repeatedFixedTimeRunsAtFirstOccurrence(_ expected: RunCase) throws { try expected.check() }

    @Test(arguments: [
        RunCase(
            "Europe/London", "*/30 1 * * *", after: "2026-03-28T01:15:00Z",
            ["2026-03-28T01:30:00Z", "2026-03-30T00:00:00Z", "2026-03-30T00:30:00Z"]),
        RunCase(
            "Europe/London", "@hourly", after: "2026-03-28T23:30:00Z",
            ["2026-03-29T00:00:00Z", "2026-03-29T01:00:00Z", "2026-03-29T02:00:00Z"]),
        RunCase(
            "Europe/London", "0 */2 * * *", after: "2026-03-28T23:30:00Z",
            ["2026-03-29T00:00:00Z", "2026-03-29T01:00:00Z", "2026-03-29T03:00:00Z"]),
        RunCase(
            "Europe/London", "*/30 1 * * *", after: "2026-10-24T23:45:00Z",
            [
                "2026-10-25T00:00:00Z", "2026-10-25T00:30:00Z", "2026-10-25T01:00:00Z", "2026-10-25T01:30:00Z",
                "2026-10-26T01:00:00Z",
            ]),
        RunCase(
            "America/New_York", "15 * * * *", after: "2026-11-01T04:30:00Z",
            ["2026-11-01T05:15:00Z", "2026-11-01T06:15:00Z", "2026-11-01T07:15:00Z"]),
        RunCase(
            "Australia/Lord_Howe", "*/15 1 * * *", after: "2026-04-04T14:30:00Z",
            ["2026-04-04T14:45:00Z", "2026-04-04T15:00:00Z", "2026-04-04T15:15:00Z", "2026-04-05T14:30:00Z"]),
        RunCase(
            "Australia/Lord_Howe", "*/10 2 * * *", after: "2026-10-03T00:00:00Z",
            ["2026-10-03T15:30:00Z", "2026-10-03T15:40:00Z", "2026-10-03T15:50:00Z", "2026-10-04T15:00:00Z"]),
        // The Friday that Apia skipped.
        RunCase("Pacific/Apia", "*/20 3 * * 5", after: "2011-12-29T00:00:00Z", ["2012-01-05T13:00:00Z"]),
        RunCase("Pacific/Apia", "0 * * * *", after: "2011-12-30T09:30:00Z", ["2011-12-30T10:00:00Z"]),
        // Kathmandu is at 45 minutes past the hour of UTC.
        RunCase("Asia/Kathmandu", "0 */6 * * *", after: "2026-01-01T00:00:00Z", ["2026-01-01T00:15:00Z"]),
    ])
    func wildcardFollowsTheWallClock(_ expected: RunCase) throws { try expected.check() }

    @Test func expressionWithOnlySkippedTimesHasNoRun() throws {
        // 02:00 becomes 03:00 on each 10 March, its 69th day.
        let rule = try #require(ZoneRule(posix: "AAA0BBB,J69/2,J300/2"))
        let zone = Zone(name: "made up", rule: rule)
        let start = try instant("2026-01-01T00:00:00Z")
        expectEqual(CronSchedule(try CronExpression("*/5 2 10 3 *"), in: zone).next(after: start), nil)
        expectEqual(
            CronSchedule(try CronExpression("5 2 10 3 *"), in: zone).next(after: start),
            (try instant("2026-03-10T02:00:00Z")))
    }
}
