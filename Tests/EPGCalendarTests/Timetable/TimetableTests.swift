import EPGCalendar
import EPGModel
import Testing

@Suite struct TimetableTests {
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
    func runsAreThoseOfTheCalendar(_ expected: RunCase) throws { try expected.check() }

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
    func leapDaysAreWaitedFor(_ expected: RunCase) throws { try expected.check() }

    @Test(arguments: ["0 0 31 4 *", "0 0 30 2 *", "0 0 30,31 2 *", "* * 31 2,4,6,9,11 *", "0 0 31 4 */2"])
    func daysThatDoNotExistAreNever(_ text: String) throws {
        #expect(try CronExpression(text).meansSomeDay == false)
        let timetable = try timetable(text, "Europe/London", jitter: 60)
        #expect(timetable.next(after: noon) == nil)
        #expect(!timetable.isDue(at: noon, lastRun: nil))
        #expect(!timetable.isDue(at: noon, lastRun: Instant(secondsSince1970: 0)))
    }

    @Test(arguments: [Int64.min, .min + 1, -31_500_000_000_001, 31_500_000_000_000, .max - 1, .max])
    func extremeInstantsHaveNoNextRunAndDoNotTrap(_ second: Int64) throws {
        let instant = Instant(secondsSince1970: second)
        for name in ["UTC", "Europe/London", "Pacific/Apia"] {
            for text in ["* * * * *", "30 4 * * *", "0 0 29 2 *"] {
                let timetable = try timetable(text, name, jitter: 600)
                #expect(timetable.next(after: instant) == nil)
                // Before 1970 the last run lies ahead of the clock.
                #expect(timetable.isDue(at: instant, lastRun: noon) == (second < 0))
            }
        }
    }

    @Test func timesOfOldWithSecondsInTheirOffsetsAreFound() throws {
        // Brussels was 17 minutes and 30 seconds ahead until 1892, by `zdump -v`.
        try RunCase(
            "Europe/Brussels", "0 12 * * *", after: "1875-01-01T00:00:00Z", ["1875-01-01T11:42:30Z"]
        ).check()
    }
}
