import EPGCalendar
import EPGModel
import EPGRefresh
import Testing

/// When a service that refreshes at 03:30 each day, and up to ten minutes later, asks a source.
@Suite struct ServiceTimetableTests {
    /// 29 March 2026, 12:00 UTC.
    private let now = Instant(secondsSince1970: 1_774_785_600)
    private static let hour: Int64 = 3600

    private func times(_ orders: [SourceOrder] = []) throws -> ServiceTimetable {
        try ServiceTimetable(
            "30 3 * * *", in: .utc, databasePath: "/guide.sqlite",
            orders: Dictionary(uniqueKeysWithValues: orders.map { ($0.configuration.source.name, $0) }))
    }

    private func order(schedule: String) throws -> SourceOrder {
        var configuration = SourceConfiguration(Source(name: "a", location: "/a.xml"))
        configuration.schedule = schedule
        return try SourceOrder(configuration, zone: .utc)
    }

    /// A state after a success so many seconds ago.
    private func state(_ seconds: Int64?) -> SourceState {
        var state = SourceState()
        state.lastSuccess = seconds.map { now.advanced(by: -$0) }
        state.lastAttempt = state.lastSuccess
        return state
    }

    /// The schedule of the source, seconds since its last success, and the days to the night in which it is asked: the next
    /// one is that of 30 March.
    @Test(
        arguments: [
            (nil, nil, 0), (nil, 60, 0),
            // Never asked; due since noon; due at 18:00, before the next run; at 04:00, behind it.
            ("0 6 * * *", nil, 0), ("0 12 * * *", 86_400, 0), ("0 18 * * *", 60, 0), ("0 4 * * *", 60, 1),
            // Due on Saturday, 4 April, at midnight.
            ("0 0 * * 6", 60, 5),
        ] as [(String?, Int64?, Int)])
    func sourceIsAskedByTheFirstRunAtWhichItIsDue(schedule: String?, success: Int64?, nights: Int) throws {
        let times = try times(try schedule.map { [try order(schedule: $0)] } ?? [])
        let next = try #require(
            times.nextRefresh(of: Source(name: "a", location: "/a.xml"), after: state(success), now: now))
        // 03:30 is fifteen and a half hours after noon.
        let run = 15 * Self.hour + 1800 + Int64(nights) * 86_400
        #expect((run...run + 600).contains(now.seconds(to: next)), "\(next)")
    }

    @Test func intervalIsWaitedFor() throws {
        let source = Source(name: "a", location: "/a.xml", interval: 48 * Self.hour)
        let next = try #require(try times().nextRefresh(of: source, after: state(60), now: now))
        // Due in 48 hours less a minute and less the ten minutes by which a nightly job may be early: on 31 March before noon.
        #expect(next > now.advanced(by: 3 * 86_400 - 9 * Self.hour))
        #expect(next < now.advanced(by: 3 * 86_400 - 8 * Self.hour))
    }

    @Test func sourceThatIsImportedByHandIsNeverAsked() throws {
        #expect(try times().nextRefresh(of: Source(name: "by hand"), after: SourceState(), now: now) == nil)
    }

    @Test func programIsAskedWithoutALocation() throws {
        var configuration = SourceConfiguration(Source(name: "a"))
        configuration.command = ["tv_grab_zz"]
        let times = try times([try SourceOrder(configuration, zone: .utc)])
        #expect(
            times.nextRefresh(of: Source(name: "a"), after: SourceState(), now: now) == times.timetable.next(after: now)
        )
    }
}
