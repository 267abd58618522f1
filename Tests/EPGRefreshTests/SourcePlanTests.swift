import EPGCalendar
import EPGModel
import EPGRefresh
import Logging
import Synchronization
import Testing

/// Tests of schedules and requests of configured sources.
@Suite struct SourcePlanTests {
    /// March 29, 2026, 03:00 UTC.
    private let now = Instant(secondsSince1970: 1_774_753_200)

    private func plan(schedule: String?, interval: Int64? = nil) throws -> SourcePlan {
        var configuration = SourceConfiguration(
            Source(name: "a", location: "http://a.example.org/", interval: interval))
        configuration.schedule = schedule
        return try SourcePlan(configuration, zone: .utc)
    }

    /// Seconds since the last success and the last attempt, whether it failed, and whether a source with a schedule of
    /// 02:00 is due.
    @Test(
        arguments: [
            (nil, nil, false, true),
            // Refreshed at 02:00:00 and at 01:59:59.
            (3600, 3600, false, false), (3601, 3601, false, true),
            // Missed for a week.
            (604_800, 604_800, false, true),
            // Failed since 02:00, at 02:00:00, and a second before.
            (90_000, 600, true, false), (nil, 600, true, false), (90_000, 3600, true, false),
            (90_000, 3601, true, true),
            // The last attempt is in the future, because the clock was wrong.
            (90_000, -5, true, true),
        ] as [(Int64?, Int64?, Bool, Bool)])
    func scheduleDeterminesWhetherSourceIsDue(success: Int64?, attempt: Int64?, hasFailed: Bool, isDue: Bool) throws {
        var state = SourceState()
        state.lastSuccess = success.map { now.advanced(by: -$0) }
        state.lastAttempt = attempt.map { now.advanced(by: -$0) }
        state.lastError = hasFailed ? "It failed." : nil
        #expect(try plan(schedule: "0 2 * * *").isDue(at: now, after: state) == isDue)
    }

    @Test func nextRunFollowsTheSchedule() throws {
        var state = SourceState()
        state.lastAttempt = now
        state.lastSuccess = now
        #expect(try plan(schedule: "0 2 * * *").nextRefresh(after: state) == now.advanced(by: 23 * 3600))
        state.lastError = "It failed."
        state.lastSuccess = now.advanced(by: -86_400)
        #expect(try plan(schedule: "0 2 * * *").nextRefresh(after: state) == now.advanced(by: 23 * 3600))
    }

    private static let temporaryFailure = RefreshFailure(sentence: "It is away.", kind: .unavailable)
    private static let permanentFailure = RefreshFailure(sentence: "It is no guide.", kind: .badContent)
    private static func failureWithRetryAfter(_ seconds: Int64) -> RefreshFailure {
        RefreshFailure(sentence: "Not now.", kind: .unavailable, isTransient: true, retryAfter: seconds)
    }

    /// Schedule, interval, failure, and seconds until the source is due again; `nil` for the regular time.
    @Test(
        arguments: [
            ("0 2 * * *", nil, temporaryFailure, 600), (nil, 86_400, temporaryFailure, 600),
            (nil, nil, temporaryFailure, nil),
            // The interval is shorter: five minutes minus a tenth.
            (nil, 300, temporaryFailure, 270),
            ("0 2 * * *", nil, permanentFailure, nil), (nil, 86_400, permanentFailure, nil),
            (nil, nil, permanentFailure, nil),
            // Retry-After: at most a day, and never in the past.
            ("0 2 * * *", nil, failureWithRetryAfter(60), 60), (nil, 300, failureWithRetryAfter(7200), 7200),
            (nil, nil, failureWithRetryAfter(86_401), 86_400),
            (nil, nil, failureWithRetryAfter(-1), 0),
        ] as [(String?, Int64?, RefreshFailure, Int64?)])
    func failureDeterminesWhenSourceIsDueAgain(
        schedule: String?, interval: Int64?, failure: RefreshFailure, seconds: Int64?
    ) throws {
        let plan = try plan(schedule: schedule, interval: interval)
        #expect(plan.notBefore(after: failure, at: now) == seconds.map { now.advanced(by: $0) })
        var state = SourceState()
        state.lastAttempt = now
        state.lastError = failure.sentence
        state.notBefore = plan.notBefore(after: failure, at: now)
        guard let seconds else { return }
        let regular = try #require(plan.nextRefresh(after: state))
        #expect(regular == now.advanced(by: seconds))
        #expect(seconds <= 0 || !plan.isDue(at: now.advanced(by: seconds - 1), after: state))
        // After the clock is set back, the delay no longer applies.
        let isDue = [max(0, seconds), -3600].map { plan.isDue(at: now.advanced(by: $0), after: state) }
        #expect(isDue == [true, true])
    }

    @Test func intervalAppliesWithoutSchedule() throws {
        var state = SourceState()
        state.lastAttempt = now.advanced(by: -3000)
        let isDue = try [plan(schedule: nil, interval: 3600), plan(schedule: nil)].map {
            $0.isDue(at: now, after: state)
        }
        #expect(isDue == [false, true])
    }

    /// Returns the delays of runs at 02:00 with up to 15 minutes of jitter.
    private func delays(name: String, machine: String = "one") throws -> [Int64] {
        var configuration = SourceConfiguration(Source(name: name, location: "http://a.example.org/"))
        configuration.schedule = "0 2 * * *"
        configuration.jitter = 900
        let plan = try SourcePlan(configuration, zone: .utc, machine: machine)
        return (0..<30 as Range<Int64>).compactMap { day in
            var state = SourceState()
            // At 03:00.
            state.lastSuccess = now.advanced(by: day * 86_400)
            return plan.nextRefresh(after: state).map { now.advanced(by: day * 86_400 + 82_800).seconds(to: $0) }
        }
    }

    @Test func delayIsWithinJitterAndDeterministic() throws {
        let found = try delays(name: "a")
        #expect(found.count == 30 && Set(found).count > 10, "\(found)")
        #expect(found.allSatisfy { (0...900).contains($0) })
        #expect(try delays(name: "a") == found)
        // Different machines with this source must not send requests at the same time.
        let others = try [delays(name: "b"), delays(name: "a", machine: "two")]
        #expect(!others.contains(found))
    }

    @Test func sourceIsDueAtItsDelayedRun() throws {
        var configuration = SourceConfiguration(Source(name: "a", location: "http://a.example.org/"))
        configuration.schedule = "0 2 * * *"
        configuration.jitter = 900
        let plan = try SourcePlan(configuration, zone: .utc)
        var state = SourceState()
        state.lastSuccess = now
        let next = try #require(plan.nextRefresh(after: state))
        let isDue = [-1, 0].map { plan.isDue(at: next.advanced(by: $0), after: state) }
        #expect(isDue == [false, true])
    }

    @Test func requestContainsAccountAndSourceName() throws {
        var configuration = SourceConfiguration(Source(name: "a", location: SchedulesDirectSettings.defaultURL))
        configuration.schedulesDirect = SchedulesDirectSettings(
            username: "viewer", password: .environment("KEY"), lineups: ["L"])
        let fetcher = ScriptedFetcher { _ in .notModified }
        _ = try refresher(MemoryStore([]), fetcher, [SourcePlan(configuration, zone: .utc)]).refresh(at: now)
        let request = try #require(fetcher.requests.first)
        let account = SchedulesDirectAccount(username: "viewer", password: "the key", lineups: ["L"])
        #expect(
            (request.location, request.schedulesDirect, request.sourceName)
                == (.url("https://json.schedulesdirect.org/20141201"), account, "a"))
    }

    @Test(arguments: [nil, 90] as [Int?])
    func requestContainsTimeLimit(seconds: Int?) throws {
        var url = SourceConfiguration(Source(name: "a", location: "http://a.example.org/"))
        url.timeLimit = seconds
        var program = SourceConfiguration(Source(name: "b"))
        program.command = ["grab"]
        program.timeLimit = seconds
        let fetcher = ScriptedFetcher { _ in .notModified }
        let plans = try [url, program].map { try SourcePlan($0, zone: .utc) }
        _ = try refresher(MemoryStore([]), fetcher, plans).refresh(at: now)
        #expect(
            (fetcher.requests.map(\.timeLimit), fetcher.requests.map(\.command)) == (
                [seconds, seconds], [[], ["grab"]]
            ))
    }

    @Test func invalidScheduleIsRejected() {
        #expect(throws: CronError.self) { try plan(schedule: "61 * * * *") }
    }

    // MARK: - Refreshing

    private func refresher(_ store: MemoryStore, _ fetcher: ScriptedFetcher, _ plans: [SourcePlan]) -> Refresher {
        var options = RefreshOptions()
        options.plans = Dictionary(uniqueKeysWithValues: plans.map { ($0.configuration.source.name, $0) })
        return Refresher(
            guide: store, fetcher: fetcher, options: options,
            logger: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() },
            secret: { secret throws in
                guard case .environment(let name) = secret, name == "KEY" else { throw Missing() }
                return "the key"
            }, advice: { "Remedy: \($0)." }
        ) { _, _ in throw Missing() }
    }

    private struct Missing: Error {}

    @Test func sourcesAreStoredAndSecretsSent() throws {
        var configuration = SourceConfiguration(Source(name: "a", location: "http://a.example.org/", priority: 3))
        configuration.headers = [SecretField(name: "X-Key", value: .environment("KEY"))]
        configuration.token = .environment("KEY")
        let store = MemoryStore([Source(name: "a", location: "http://old.example.org/"), Source(name: "by hand")])
        let fetcher = ScriptedFetcher { _ in .notModified }
        let report = try refresher(store, fetcher, [SourcePlan(configuration, zone: .utc)]).refresh(at: now)
        let priorities = try store.read { try $0.sourceRecords() }.map(\.source.priority)
        #expect((report.sources.map(\.outcome.keyword), priorities) == (["not-modified"], [3, 0]))
        let request = try #require(fetcher.requests.first)
        #expect(request.location == .url("http://a.example.org/"))
        #expect(request.headers == [HeaderField(name: "X-Key", value: "the key"), .bearer("the key")])
    }

    @Test func missingSecretFailsWith78() throws {
        var configuration = SourceConfiguration(Source(name: "a", location: "http://a.example.org/"))
        configuration.token = .environment("OTHER")
        let fetcher = ScriptedFetcher { _ in .notModified }
        let report = try refresher(MemoryStore([]), fetcher, [SourcePlan(configuration, zone: .utc)]).refresh(at: now)
        #expect(report.failureKind == .configuration && fetcher.requests.isEmpty)
    }

    @Test func commandIsRunWithoutLocation() throws {
        var configuration = SourceConfiguration(Source(name: "a"))
        configuration.command = ["tv_grab_zz", "--days", "7"]
        let fetcher = ScriptedFetcher { _ in .notModified }
        let report = try refresher(MemoryStore([]), fetcher, [SourcePlan(configuration, zone: .utc)]).refresh(at: now)
        #expect(fetcher.requests.map(\.command) == [["tv_grab_zz", "--days", "7"]])
        #expect(report.sources.map(\.location) == ["tv_grab_zz"])
    }

    @Test func outdatedSearchIndexIsUpdated() throws {
        let store = MemoryStore([Source(name: "a", location: "http://a.example.org/")])
        store.contents.withLock { $0.isSearchIndexCurrent = false }
        let fetcher = ScriptedFetcher { _ in .notModified }
        for _ in 0..<2 { _ = try refresher(store, fetcher, []).refresh(at: now) }
        #expect(store.contents.withLock { $0.searchRefreshes } == 1)
    }
}

/// Tests of a server that refreshes at 03:30 each day, with up to ten minutes of jitter.
@Suite struct ServiceScheduleTests {
    /// March 29, 2026, 12:00 UTC.
    private let now = Instant(secondsSince1970: 1_774_785_600)
    private static let hour: Int64 = 3600

    private func times(_ plans: [SourcePlan] = []) throws -> ServiceSchedule {
        try ServiceSchedule(
            "30 3 * * *", in: .utc, databasePath: "/guide.sqlite",
            plans: Dictionary(uniqueKeysWithValues: plans.map { ($0.configuration.source.name, $0) }))
    }

    private func plan(schedule: String) throws -> SourcePlan {
        var configuration = SourceConfiguration(Source(name: "a", location: "/a.xml"))
        configuration.schedule = schedule
        return try SourcePlan(configuration, zone: .utc)
    }

    /// Returns a state whose last success was a number of seconds ago.
    private func state(_ seconds: Int64?) -> SourceState {
        var state = SourceState()
        state.lastSuccess = seconds.map { now.advanced(by: -$0) }
        state.lastAttempt = state.lastSuccess
        return state
    }

    /// The schedule of the source, seconds since its last success, and the nights until it is refreshed, counted from
    /// March 30.
    @Test(
        arguments: [
            (nil, nil, 0), (nil, 60, 0),
            // Never refreshed; due since noon; due at 18:00, before the next run; due at 04:00, after it.
            ("0 6 * * *", nil, 0), ("0 12 * * *", 86_400, 0), ("0 18 * * *", 60, 0), ("0 4 * * *", 60, 1),
            // Due on Saturday, April 4, at midnight.
            ("0 0 * * 6", 60, 5),
        ] as [(String?, Int64?, Int)])
    func sourceIsRefreshedByTheFirstRunAfterItIsDue(schedule: String?, success: Int64?, nights: Int) throws {
        let times = try times(try schedule.map { [try plan(schedule: $0)] } ?? [])
        let next = try #require(
            times.nextRefresh(of: Source(name: "a", location: "/a.xml"), after: state(success), now: now))
        // 03:30 is fifteen and a half hours after noon.
        let run = 15 * Self.hour + 1800 + Int64(nights) * 86_400
        #expect((run...run + 600).contains(now.seconds(to: next)), "\(next)")
    }

    @Test func intervalDelaysTheRefresh() throws {
        let source = Source(name: "a", location: "/a.xml", interval: 48 * Self.hour)
        let next = try #require(try times().nextRefresh(of: source, after: state(60), now: now))
        // Due in 48 hours minus a minute and minus the tolerance of ten minutes: on March 31 before noon.
        let earliest = now.advanced(by: 3 * 86_400 - 9 * Self.hour)
        #expect(next > earliest && next < earliest.advanced(by: Self.hour), "\(next)")
    }

    @Test func sourceWithoutLocationIsNeverRefreshed() throws {
        #expect(try times().nextRefresh(of: Source(name: "by hand"), after: SourceState(), now: now) == nil)
    }

    @Test func commandIsRunWithoutLocation() throws {
        var configuration = SourceConfiguration(Source(name: "a"))
        configuration.command = ["tv_grab_zz"]
        let times = try times([try SourcePlan(configuration, zone: .utc)])
        #expect(
            times.nextRefresh(of: Source(name: "a"), after: SourceState(), now: now) == times.schedule.next(after: now)
        )
    }
}
