import EPGCalendar
import EPGModel
import EPGRefresh
import Logging
import Synchronization
import TestSupport
import Testing

/// Tests of the stored state of refreshes, and of cancellation.
@Suite struct RefreshResultTests {
    private let now = Instant(secondsSince1970: 1_774_753_200)
    private let folder: TestFolder
    private let body: FetchedBody

    init() throws {
        folder = try TestFolder()
        body = FetchedBody(path: try folder.write("<tv/>", to: "guide.xml"), byteCount: 5, hash: "h")
    }

    /// Returns a refresher with a clock that advances by 1.5 seconds per call.
    private func refresher(
        _ store: MemoryStore, _ fetcher: some Fetcher, options: RefreshOptions = RefreshOptions(),
        watch: @escaping @Sendable (RefreshStep) -> Void = { _ in },
        isCancelled: @escaping @Sendable () -> Bool = { false }
    ) -> Refresher {
        let recorder = ImportRecorder(store: store)
        let uptime = Mutex(Duration.zero)
        return Refresher(
            guide: store, fetcher: fetcher, options: options,
            logger: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }, watch: watch, isCancelled: isCancelled,
            uptime: {
                uptime.withLock { time in
                    time += .milliseconds(1500)
                    return time
                }
            }, advice: { "Remedy: \($0)." }
        ) { fetched, _ in .guide(try recorder.importGuide(fetched)) }
    }

    private func source(_ name: String) -> Source { Source(name: name, location: "http://\(name).example.org/") }

    @Test func resultAndDurationAreStored() throws {
        let store = MemoryStore([source("a")])
        /// Returns the result, the duration and the number of failures that a refresh stores.
        func stored(_ result: FetchResult) throws -> String {
            _ = try refresher(store, ScriptedFetcher { _ in result }).refresh(at: now)
            let state = store.state(of: "a")
            return "\(state.lastResult.map { "\($0)" } ?? "-") \(state.lastDuration ?? .zero) \(state.failures)"
        }
        // The clock is read before the fetch, after it, and after the import.
        #expect(
            try [stored(.body(body)), stored(.body(body)), stored(.notModified)] == [
                "imported 3.0 seconds 0", "unchanged 1.5 seconds 0", "notModified 1.5 seconds 0",
            ])
    }

    @Test func failuresAreCounted() throws {
        let store = MemoryStore([source("a")])
        let broken = ScriptedFetcher { _ throws(FetchError) in
            throw FetchError(location: "http://a.example.org/", reason: .status(500))
        }
        for count in 1...3 {
            _ = try refresher(store, broken).refresh(at: now)
            #expect(store.state(of: "a").failures == count)
        }
        let failed = store.state(of: "a")
        #expect((failed.lastResult, failed.lastDuration) == (.failed, .milliseconds(1500)))
        _ = try refresher(store, ScriptedFetcher { [body] _ in .body(body) }).refresh(at: now)
        let succeeded = store.state(of: "a")
        #expect((succeeded.lastResult, succeeded.failures) == (.imported, 3))
    }

    @Test func canceledRefreshSendsNoRequestsAndStoresNothing() throws {
        let store = MemoryStore(["a", "b", "c"].map(source), pruned: 4)
        let isCancelled = Atomic(false)
        let fetcher = ScriptedFetcher { [body] request throws(FetchError) in
            guard request.location == .url("http://b.example.org/") else { return .body(body) }
            isCancelled.store(true, ordering: .relaxed)
            throw FetchError(location: "http://b.example.org/", reason: .cancelled)
        }
        let report = try refresher(store, fetcher, isCancelled: { isCancelled.load(ordering: .relaxed) })
            .refresh(at: now)
        #expect(report.wasCancelled && report.failures.isEmpty)
        #expect((report.sources.map(\.name), fetcher.requests.count) == (["a"], 2))
        #expect(store.state(of: "b") == SourceState() && store.contents.withLock { $0.prunedBefore } == [])
    }

    @Test func fetcherReceivesWatch() throws {
        struct WatchedFetcher: Fetcher {
            let body: FetchedBody

            func fetch(_ request: FetchRequest, watch: FetchObserver) throws(FetchError) -> FetchResult {
                watch.progress(FetchProgress(byteCount: 3, total: 5))
                return watch.isCancelled() ? .notModified : .body(body)
            }
        }
        let store = MemoryStore([source("a")])
        let steps = Mutex<[RefreshStep]>([])
        let report = try refresher(
            store, WatchedFetcher(body: body), watch: { step in steps.withLock { $0.append(step) } }
        ).refresh(at: now)
        #expect(
            steps.withLock { $0 } == [
                .requesting("a"), .fetching("a", FetchProgress(byteCount: 3, total: 5)), .importing("a", byteCount: 5),
                .ended(report.sources[0]),
            ])
    }

    /// The schedule of the refresh applies to sources that have neither a schedule nor an interval.
    @Test func scheduleOfRefreshAppliesToUnscheduledSources() throws {
        var interval = source("interval")
        interval.interval = 3600
        var weekly = SourceConfiguration(source("weekly"))
        weekly.schedule = "@weekly"
        let store = MemoryStore([source("plain"), interval, weekly.source])
        // The last refresh was two hours ago, the last scheduled run four hours ago and the weekly run three hours ago.
        var state = SourceState()
        state.lastAttempt = now.advanced(by: -7200)
        state.lastSuccess = now.advanced(by: -7200)
        for name in ["plain", "interval", "weekly"] { try store.saveState(state, ofSource: name) }
        var options = RefreshOptions()
        // The current time is Sunday, March 29, 2026, 03:00 UTC.
        options.schedule = CronSchedule(try CronExpression("0 23 * * *"), in: .utc)
        options.plans = ["weekly": try SourcePlan(weekly, zone: .utc)]
        let report = try refresher(store, ScriptedFetcher { [body] _ in .body(body) }, options: options)
            .refresh(at: now)
        let outcomes = Dictionary(uniqueKeysWithValues: report.sources.map { ($0.name, $0.outcome.keyword) })
        #expect(outcomes == ["plain": "not-due", "interval": "imported", "weekly": "not-due"])
        #expect(report.sources.first { $0.name == "plain" }?.outcome == .notDue(next: now.advanced(by: 72_000)))
    }
}

/// Tests of the state that is stored during an import, in case the process crashes.
@Suite struct UnfinishedImportTests {
    private let now = Instant(secondsSince1970: 1_774_753_200)
    private let folder: TestFolder

    init() throws { folder = try TestFolder() }

    private struct BadGuide: Error {}

    /// Refreshes a source and returns its states during and after the import.
    private func states(
        of source: Source, plan: SourcePlan? = nil, at now: Instant? = nil, isCancelled: Bool = false,
        outcome: @escaping @Sendable () throws -> Void = {}, in store: MemoryStore
    ) throws -> (during: SourceState?, after: SourceState) {
        let path = try folder.write("<tv/>", to: "guide.xml")
        let during = Mutex<SourceState?>(nil)
        let cancelled = Mutex(false)
        var options = RefreshOptions()
        if let plan { options.plans = [source.name: plan] }
        let fetcher = ScriptedFetcher { _ in .body(FetchedBody(path: path, byteCount: 5, hash: "h", entityTag: nil)) }
        let refresher = Refresher(
            guide: store, fetcher: fetcher, options: options,
            logger: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() },
            isCancelled: { cancelled.withLock { $0 } }, uptime: { .zero }, advice: { "Remedy: \($0)." }
        ) { fetched, _ in
            during.withLock { $0 = store.state(of: source.name) }
            cancelled.withLock { $0 = isCancelled }
            try outcome()
            try store.saveState(fetched.state, ofSource: source.name)
            return .guide(.changing)
        }
        _ = try refresher.refresh(at: now ?? self.now)
        return (during.withLock { $0 }, store.state(of: source.name))
    }

    private let source = Source(name: "a", location: "http://example.org/")

    @Test func importCountsAsFailureUntilItIsComplete() throws {
        let store = MemoryStore([source])
        let (during, after) = try states(of: source, in: store)
        #expect((during?.lastAttempt, during?.lastResult, during?.failures) == (now, .failed, 1))
        #expect((during?.hasUnfinishedImport, after.hasUnfinishedImport) == (true, false))
        expectText(during?.lastError, contains: ["did not finish"])
        #expect(after.lastError == nil && after.failures == 0 && after.notBefore == nil)
        #expect(after.lastSuccess == now)
    }

    @Test func failedImportCountsOnce() throws {
        let store = MemoryStore([source])
        let (_, after) = try states(of: source, outcome: { throw BadGuide() }, in: store)
        #expect((after.failures, after.lastError?.contains("did not finish")) == (1, false))
    }

    @Test func canceledImportDoesNotCount() throws {
        let store = MemoryStore([source])
        let before = store.state(of: "a")
        let (_, after) = try states(of: source, isCancelled: true, outcome: { throw BadGuide() }, in: store)
        #expect(after == before)
    }

    /// The interval and the schedule of a source, and the seconds after a crash until it is due. The next process reads the
    /// state that was stored before the import.
    @Test(
        arguments: [
            (nil, nil, 3600),
            // A tenth of the interval earlier, at most ten minutes.
            (86_400, nil, 85_800),
            // The refresh was at 2026-03-29T03:00:00Z, an hour before the schedule; the source was never refreshed.
            (nil, "0 4 * * *", 3600),
        ] as [(Int64?, String?, Int64)])
    func sourceIsDueAgainAfterACrash(interval: Int64?, schedule: String?, seconds: Int64) throws {
        var configuration = SourceConfiguration(source)
        configuration.source.interval = interval
        configuration.source.isConfigured = schedule != nil
        configuration.schedule = schedule
        let source = configuration.source
        let plan = try schedule.map { _ in try SourcePlan(configuration, zone: .utc) }
        let state = try #require(try states(of: source, plan: plan, in: MemoryStore([source])).during)
        let isDue = [seconds - 1, seconds].map { elapsed in
            let now = now.advanced(by: elapsed)
            return (plan ?? SourcePlan(of: source)).isDue(at: now, after: state)
        }
        #expect(isDue == [false, true])
    }
}
