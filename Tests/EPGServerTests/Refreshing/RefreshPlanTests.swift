import EPGCalendar
import EPGModel
import Testing

@testable import epgd

@Suite("Refresh plan")
struct RefreshPlanTests {
    /// Saturday, October 24, 2026, 12:00 UTC.
    private static let noon = Instant(secondsSince1970: 1_792_843_200)
    private static let hour: Int64 = 3600

    private func plan(_ expression: String) throws -> RefreshPlan {
        RefreshPlan(CronSchedule(try CronExpression(expression), in: .utc), from: Self.noon)
    }

    /// Returns whether a run is due at each time, in seconds after noon. The plan advances from one time to the next.
    private func isDue(_ plan: inout RefreshPlan, at seconds: [Int64]) -> [Bool] {
        seconds.map { plan.isDue(at: Self.noon.advanced(by: $0)) }
    }

    @Test func scheduledRunIsDueOnce() throws {
        var plan = try plan("30 3 * * *")
        let run = 15 * Self.hour + 1800
        #expect(plan.next == Self.noon.advanced(by: run))
        let due = isDue(&plan, at: [run - 1, run, run])
        #expect(due == [false, true, false])
        #expect(plan.next == Self.noon.advanced(by: run + 24 * Self.hour))
    }

    @Test func missedRunsCountOnce() throws {
        var plan = try plan("*/10 * * * *")
        let due = isDue(&plan, at: [5 * Self.hour + 60, 5 * Self.hour + 61])
        #expect(due == [true, false])
        #expect(plan.next == Self.noon.advanced(by: 5 * Self.hour + 600))
    }

    @Test func settingTheClockFarBackReplansRuns() throws {
        var plan = try plan("0 * * * *")
        // The clock was a year ahead.
        let due = isDue(&plan, at: [8760 * Self.hour, 60, Self.hour])
        #expect(due == [true, false, true])
    }

    @Test func settingTheClockBackSlightlyRepeatsNoRun() throws {
        var plan = try plan("0 * * * *")
        let due = isDue(&plan, at: [Self.hour + 1, Self.hour - 2, Self.hour])
        #expect(due == [true, false, false])
        #expect(plan.next == Self.noon.advanced(by: 2 * Self.hour))
    }

    /// The service checks the plan at least once a minute, because the clock may be set and the machine may sleep.
    @Test(arguments: [(Int64(-3600), 60), (-60, 60), (-59, 59), (-1, 1), (0, 1), (100, 1)])
    func pauseEndsAtTheRunOrAfterOneMinute(_ secondsFromRun: Int64, _ expected: Int) throws {
        let plan = try plan("0 14 * * *")
        let run = Self.noon.advanced(by: 2 * Self.hour)
        #expect(plan.pause(at: run.advanced(by: secondsFromRun)) == .seconds(expected))
    }

    @Test func scheduleWithoutRunIsNeverDue() throws {
        var plan = try plan("0 0 31 4 *")
        let due = isDue(&plan, at: [8760 * Self.hour])
        #expect(due == [false])
        #expect(plan.next == nil)
        #expect(plan.pause(at: Self.noon) == .seconds(60))
    }
}
