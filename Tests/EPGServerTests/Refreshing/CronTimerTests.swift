import EPGCalendar
import EPGModel
import TestSupport
import Testing

@testable import epgd

@Suite("Timer of a schedule")
struct CronTimerTests {
    /// Saturday, October 24, 2026, 12:00 UTC.
    private static let noon = Instant(secondsSince1970: 1_792_843_200)
    private static let hour: Int64 = 3600

    private func timer(_ expression: String) throws -> CronTimer {
        CronTimer(CronSchedule(try CronExpression(expression), in: .utc), from: Self.noon)
    }

    /// A schedule, and the times at which it is checked.
    struct Case: CustomTestStringConvertible, Sendable {
        let testDescription: String
        let expression: String
        /// The first run after noon in seconds, if it matters.
        var first: Int64?
        /// The checks in seconds after noon, and whether a run is due at each.
        let checks: [(seconds: Int64, isDue: Bool)]
        /// The next run in seconds after noon; `nil` for none.
        let next: Int64?
    }

    private static let night = 15 * hour + 1800

    @Test(arguments: [
        Case(
            testDescription: "a scheduled run is due once", expression: "30 3 * * *", first: night,
            checks: [(night - 1, false), (night, true), (night, false)], next: night + 24 * hour),
        Case(
            testDescription: "missed runs count once", expression: "*/10 * * * *",
            checks: [(5 * hour + 60, true), (5 * hour + 61, false)], next: 5 * hour + 600),
        // The clock was a year ahead.
        Case(
            testDescription: "setting the clock far back starts over", expression: "0 * * * *",
            checks: [(8760 * hour, true), (60, false), (hour, true)], next: 2 * hour),
        Case(
            testDescription: "setting the clock back slightly repeats no run", expression: "0 * * * *",
            checks: [(hour + 1, true), (hour - 2, false), (hour, false)], next: 2 * hour),
        Case(
            testDescription: "a schedule without runs is never due", expression: "0 0 31 4 *",
            checks: [(8760 * hour, false)], next: nil),
    ])
    func runIsDueOnceForEachTimeOfTheSchedule(_ test: Case) throws {
        var timer = try timer(test.expression)
        if let first = test.first { expectEqual(timer.next, Self.noon.advanced(by: first)) }
        let isDue = test.checks.map { timer.isDue(at: Self.noon.advanced(by: $0.seconds)) }
        expectEqual(isDue, test.checks.map(\.isDue))
        expectEqual(timer.next, test.next.map { Self.noon.advanced(by: $0) })
        if test.next == nil { expectEqual(timer.pause(at: Self.noon), .seconds(60)) }
    }

    /// The service checks the timer at least once a minute, because the clock may be set and the machine may sleep.
    @Test(arguments: [(Int64(-3600), 60), (-60, 60), (-59, 59), (-1, 1), (0, 1), (100, 1)])
    func pauseEndsAtTheRunOrAfterOneMinute(_ secondsFromRun: Int64, _ expected: Int) throws {
        let timer = try timer("0 14 * * *")
        let run = Self.noon.advanced(by: 2 * Self.hour)
        expectEqual(timer.pause(at: run.advanced(by: secondsFromRun)), .seconds(expected))
    }
}
