import EPGCalendar
import EPGModel
import EPGRefresh
import Logging
import Synchronization
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
        ) { fetched, _ in try recorder.importGuide(fetched) }
    }

    private func source(_ name: String) -> Source { Source(name: name, location: "http://\(name).example.org/") }

    @Test func resultAndDurationAreStored() throws {
        let store = MemoryStore([source("a")])
        _ = try refresher(store, ScriptedFetcher { [body] _ in .body(body) }).refresh(at: now)
        #expect(store.state(of: "a").lastResult == .imported)
        // The clock is read before the fetch, after it, and after the import.
        #expect(store.state(of: "a").lastDuration == .seconds(3))
        _ = try refresher(store, ScriptedFetcher { [body] _ in .body(body) }).refresh(at: now)
        #expect(store.state(of: "a").lastResult == .unchanged)
        #expect(store.state(of: "a").lastDuration == .milliseconds(1500))
        _ = try refresher(store, ScriptedFetcher { _ in .notModified }).refresh(at: now)
        #expect(store.state(of: "a").lastResult == .notModified)
        #expect(store.state(of: "a").failures == 0)
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
        #expect(store.state(of: "a").lastResult == .failed)
        #expect(store.state(of: "a").lastDuration == .milliseconds(1500))
        _ = try refresher(store, ScriptedFetcher { [body] _ in .body(body) }).refresh(at: now)
        #expect(store.state(of: "a").failures == 3)
        #expect(store.state(of: "a").lastResult == .imported)
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
        #expect(report.wasCancelled)
        #expect(report.sources.map(\.name) == ["a"])
        #expect(report.failures.isEmpty)
        #expect(fetcher.requests.count == 2)
        #expect(store.state(of: "b") == SourceState())
        #expect(store.contents.withLock { $0.prunedBefore } == [])
    }

    @Test func fetcherReceivesWatch() throws {
        struct WatchedFetcher: Fetcher {
            let body: FetchedBody

            func fetch(_ request: FetchRequest) throws(FetchError) -> FetchResult { .body(body) }

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
            return .changing
        }
        _ = try refresher.refresh(at: now ?? self.now)
        return (during.withLock { $0 }, store.state(of: source.name))
    }

    private let source = Source(name: "a", location: "http://example.org/")

    @Test func importCountsAsFailureUntilItIsComplete() throws {
        let store = MemoryStore([source])
        let (during, after) = try states(of: source, in: store)
        #expect(during?.lastAttempt == now)
        #expect(during?.lastResult == .failed)
        #expect(during?.failures == 1)
        #expect(during?.hasUnfinishedImport == true && !after.hasUnfinishedImport)
        #expect(during?.lastError?.contains("did not finish") == true)
        #expect(after.lastError == nil && after.failures == 0 && after.notBefore == nil)
        #expect(after.lastSuccess == now)
    }

    @Test func failedImportCountsOnce() throws {
        let store = MemoryStore([source])
        let (_, after) = try states(of: source, outcome: { throw BadGuide() }, in: store)
        #expect(after.failures == 1)
        #expect(after.lastError?.contains("did not finish") == false)
    }

    @Test func canceledImportDoesNotCount() throws {
        let store = MemoryStore([source])
        let before = store.state(of: "a")
        let (_, after) = try states(of: source, isCancelled: true, outcome: { throw BadGuide() }, in: store)
        #expect(after == before)
    }

    /// After a crash, the next process reads the state that was stored before the import.
    @Test func unscheduledSourceWaitsForAnHourAfterACrash() throws {
        let store = MemoryStore([source])
        let state = try #require(try states(of: source, in: store).during)
        #expect(!source.isDue(at: now.advanced(by: 3599), after: state))
        #expect(source.isDue(at: now.advanced(by: 3600), after: state))
    }

    @Test func sourceWithAnIntervalWaitsForItAfterACrash() throws {
        var source = source
        source.interval = 86_400
        let store = MemoryStore([source])
        let state = try #require(try states(of: source, in: store).during)
        // A tenth of the interval earlier, at most ten minutes.
        #expect(!source.isDue(at: now.advanced(by: 85_799), after: state))
        #expect(source.isDue(at: now.advanced(by: 85_800), after: state))
    }

    @Test func scheduledSourceWaitsForItsNextRunAfterACrash() throws {
        var configuration = SourceConfiguration(source)
        configuration.source.isConfigured = true
        configuration.schedule = "0 4 * * *"
        let plan = try SourcePlan(configuration, zone: .utc)
        let store = MemoryStore([configuration.source])
        // 2026-03-29T03:00:00Z, an hour before its schedule; it was never refreshed.
        let state = try #require(try states(of: configuration.source, plan: plan, in: store).during)
        #expect(!plan.isDue(at: now.advanced(by: 3599), after: state))
        #expect(plan.isDue(at: now.advanced(by: 3600), after: state))
    }
}
