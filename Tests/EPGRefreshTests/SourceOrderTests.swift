import EPGCalendar
import EPGModel
import EPGRefresh
import Logging
import Synchronization
import Testing

/// Sources of the settings: when they are asked, and with what.
@Suite struct SourceOrderTests {
    /// 29 March 2026, 03:00 UTC.
    private let now = Instant(secondsSince1970: 1_774_753_200)

    private func order(schedule: String?, interval: Int64? = nil) throws -> SourceOrder {
        var configuration = SourceConfiguration(
            Source(name: "a", location: "http://a.example.org/", interval: interval))
        configuration.schedule = schedule
        return try SourceOrder(configuration, zone: .utc)
    }

    /// Seconds since the last success and since the last attempt, whether that failed, and whether the source is due by
    /// 02:00 each day.
    @Test(
        arguments: [
            (nil, nil, false, true),
            // Asked at 02:00:00 and at 01:59:59.
            (3600, 3600, false, false), (3601, 3601, false, true),
            // Missed for a week.
            (604_800, 604_800, false, true),
            // It failed since 02:00, at 02:00:00, and a second before.
            (90_000, 600, true, false), (nil, 600, true, false), (90_000, 3600, true, false),
            (90_000, 3601, true, true),
            // The last attempt lies in the future: the clock was wrong.
            (90_000, -5, true, true),
        ] as [(Int64?, Int64?, Bool, Bool)])
    func aTimetableSaysWhenASourceIsDue(success: Int64?, attempt: Int64?, hasFailed: Bool, isDue: Bool) throws {
        var state = SourceState()
        state.lastSuccess = success.map { now.advanced(by: -$0) }
        state.lastAttempt = attempt.map { now.advanced(by: -$0) }
        state.lastError = hasFailed ? "It failed." : nil
        #expect(try order(schedule: "0 2 * * *").isDue(at: now, after: state) == isDue)
    }

    @Test func theNextRunIsThatOfTheTimetable() throws {
        var state = SourceState()
        state.lastAttempt = now
        state.lastSuccess = now
        #expect(try order(schedule: "0 2 * * *").nextRefresh(after: state) == now.advanced(by: 23 * 3600))
        state.lastError = "It failed."
        state.lastSuccess = now.advanced(by: -86_400)
        #expect(try order(schedule: "0 2 * * *").nextRefresh(after: state) == now.advanced(by: 23 * 3600))
    }

    private static let passing = RefreshFailure(sentence: "It is away.", exitCode: 69)
    private static let lasting = RefreshFailure(sentence: "It is no guide.", exitCode: 65)
    private static func asking(_ seconds: Int64) -> RefreshFailure {
        RefreshFailure(sentence: "Not now.", exitCode: 69, mayPass: true, retryAfter: seconds)
    }

    /// Schedule and interval, the failure, and seconds from it until the source is asked again; `nil` for the regular time.
    @Test(
        arguments: [
            ("0 2 * * *", nil, passing, 600), (nil, 86_400, passing, 600), (nil, nil, passing, nil),
            // Its interval is over sooner: five minutes less a tenth.
            (nil, 300, passing, 270),
            ("0 2 * * *", nil, lasting, nil), (nil, 86_400, lasting, nil), (nil, nil, lasting, nil),
            // The server says when; a day at most, and never in the past.
            ("0 2 * * *", nil, asking(60), 60), (nil, 300, asking(7200), 7200), (nil, nil, asking(86_401), 86_400),
            (nil, nil, asking(-1), 0),
        ] as [(String?, Int64?, RefreshFailure, Int64?)])
    func aFailureSaysWhenASourceIsAskedAgain(
        schedule: String?, interval: Int64?, failure: RefreshFailure, seconds: Int64?
    ) throws {
        let order = try order(schedule: schedule, interval: interval)
        #expect(order.notBefore(after: failure, at: now) == seconds.map { now.advanced(by: $0) })
        var state = SourceState()
        state.lastAttempt = now
        state.lastError = failure.sentence
        state.notBefore = order.notBefore(after: failure, at: now)
        guard let seconds else { return }
        #expect(order.nextRefresh(after: state) == now.advanced(by: seconds))
        #expect(order.isDue(at: now.advanced(by: max(0, seconds)), after: state))
        #expect(seconds <= 0 || !order.isDue(at: now.advanced(by: seconds - 1), after: state))
        // Under a clock that was put back nothing is waited for.
        #expect(order.isDue(at: now.advanced(by: -3600), after: state))
    }

    @Test func withoutATimetableTheIntervalCounts() throws {
        var state = SourceState()
        state.lastAttempt = now.advanced(by: -3000)
        #expect(try !order(schedule: nil, interval: 3600).isDue(at: now, after: state))
        #expect(try order(schedule: nil).isDue(at: now, after: state))
    }

    /// Runs of 02:00 that may be up to a quarter of an hour later.
    private func delays(name: String, machine: String = "one") throws -> [Int64] {
        var configuration = SourceConfiguration(Source(name: name, location: "http://a.example.org/"))
        configuration.schedule = "0 2 * * *"
        configuration.jitter = 900
        let order = try SourceOrder(configuration, zone: .utc, machine: machine)
        return (0..<30 as Range<Int64>).compactMap { day in
            var state = SourceState()
            // At 03:00.
            state.lastSuccess = now.advanced(by: day * 86_400)
            return order.nextRefresh(after: state).map { now.advanced(by: day * 86_400 + 82_800).seconds(to: $0) }
        }
    }

    @Test func runsAreDelayedByTheJitterAtMostAndAlwaysBySoMuchForANameAndADay() throws {
        let found = try delays(name: "a")
        #expect(found.count == 30)
        #expect(found.allSatisfy { (0...900).contains($0) })
        #expect(Set(found).count > 10)
        #expect(try delays(name: "a") == found)
        #expect(try delays(name: "b") != found)
        // All who call a source so would ask its server at once.
        #expect(try delays(name: "a", machine: "two") != found)
    }

    @Test func sourceIsDueFromItsDelayedRunOn() throws {
        var configuration = SourceConfiguration(Source(name: "a", location: "http://a.example.org/"))
        configuration.schedule = "0 2 * * *"
        configuration.jitter = 900
        let order = try SourceOrder(configuration, zone: .utc)
        var state = SourceState()
        state.lastSuccess = now
        let next = try #require(order.nextRefresh(after: state))
        #expect(!order.isDue(at: next.advanced(by: -1), after: state))
        #expect(order.isDue(at: next, after: state))
    }

    @Test func anAccountIsHandedOverWithItsPasswordAndTheNameOfTheSource() throws {
        var configuration = SourceConfiguration(Source(name: "a", location: SchedulesDirectSettings.standardAddress))
        configuration.schedulesDirect = SchedulesDirectSettings(
            username: "viewer", password: .environment("KEY"), lineups: ["L"])
        let fetcher = ScriptedFetcher { _ in .notModified }
        _ = try refresher(MemoryStore([]), fetcher, [SourceOrder(configuration, zone: .utc)]).refresh(at: now)
        let request = try #require(fetcher.requests.first)
        #expect(request.location == .address("https://json.schedulesdirect.org/20141201"))
        #expect(
            request.schedulesDirect
                == SchedulesDirectAccount(username: "viewer", password: "the key", lineups: ["L"]))
        #expect(request.sourceName == "a")
    }

    @Test(arguments: [nil, 90] as [Int?])
    func theTimeLimitOfASourceGoesWithItsRequest(seconds: Int?) throws {
        var address = SourceConfiguration(Source(name: "a", location: "http://a.example.org/"))
        address.timeLimit = seconds
        var program = SourceConfiguration(Source(name: "b"))
        program.command = ["grab"]
        program.timeLimit = seconds
        let fetcher = ScriptedFetcher { _ in .notModified }
        let orders = try [address, program].map { try SourceOrder($0, zone: .utc) }
        _ = try refresher(MemoryStore([]), fetcher, orders).refresh(at: now)
        #expect(fetcher.requests.map(\.timeLimit) == [seconds, seconds])
        #expect(fetcher.requests.map(\.command) == [[], ["grab"]])
    }

    @Test func aScheduleThatIsNoneIsRefused() {
        #expect(throws: CronError.self) { try order(schedule: "61 * * * *") }
    }

    // MARK: - Refreshing

    private func refresher(_ store: MemoryStore, _ fetcher: ScriptedFetcher, _ orders: [SourceOrder]) -> Refresher {
        var options = RefreshOptions()
        options.orders = Dictionary(uniqueKeysWithValues: orders.map { ($0.configuration.source.name, $0) })
        return Refresher(
            guide: store, fetcher: fetcher, options: options,
            logger: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() },
            secret: { secret throws in
                guard case .environment(let name) = secret, name == "KEY" else { throw Missing() }
                return "the key"
            }
        ) { _, _ in throw Missing() }
    }

    private struct Missing: Error {}

    @Test func theStoreIsToldOfSourcesAndTheirSecretsAreSent() throws {
        var configuration = SourceConfiguration(Source(name: "a", location: "http://a.example.org/", priority: 3))
        configuration.headers = [SecretField(name: "X-Key", value: .environment("KEY"))]
        configuration.token = .environment("KEY")
        configuration.allowsPrivateAddresses = true
        let store = MemoryStore([Source(name: "a", location: "http://old.example.org/"), Source(name: "by hand")])
        let fetcher = ScriptedFetcher { _ in .notModified }
        let report = try refresher(store, fetcher, [SourceOrder(configuration, zone: .utc)]).refresh(at: now)
        #expect(report.sources.map(\.outcome.keyword) == ["not-modified"])
        #expect(try store.read { try $0.sourceRecords() }.map(\.source.priority) == [3, 0])
        let request = try #require(fetcher.requests.first)
        #expect(request.location == .address("http://a.example.org/"))
        #expect(request.headers == [HeaderField(name: "X-Key", value: "the key"), .bearer("the key")])
        #expect(request.allowsPrivateAddresses)
    }

    @Test func aSourceWhoseSecretIsMissingFailsWith78() throws {
        var configuration = SourceConfiguration(Source(name: "a", location: "http://a.example.org/"))
        configuration.token = .environment("OTHER")
        let fetcher = ScriptedFetcher { _ in .notModified }
        let report = try refresher(MemoryStore([]), fetcher, [SourceOrder(configuration, zone: .utc)]).refresh(at: now)
        #expect(report.exitCode == 78)
        #expect(fetcher.requests.isEmpty)
    }

    @Test func aCommandIsRunWithoutALocation() throws {
        var configuration = SourceConfiguration(Source(name: "a"))
        configuration.command = ["tv_grab_zz", "--days", "7"]
        let fetcher = ScriptedFetcher { _ in .notModified }
        let report = try refresher(MemoryStore([]), fetcher, [SourceOrder(configuration, zone: .utc)]).refresh(at: now)
        #expect(fetcher.requests.map(\.command) == [["tv_grab_zz", "--days", "7"]])
        #expect(report.sources.map(\.location) == ["tv_grab_zz"])
    }

    @Test func anIndexThatWasLeftBehindIsBroughtUpToDate() throws {
        let store = MemoryStore([Source(name: "a", location: "http://a.example.org/")])
        store.contents.withLock { $0.isSearchIndexCurrent = false }
        let fetcher = ScriptedFetcher { _ in .notModified }
        for _ in 0..<2 { _ = try refresher(store, fetcher, []).refresh(at: now) }
        #expect(store.contents.withLock { $0.searchRefreshes } == 1)
    }
}
