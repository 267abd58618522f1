import EPGCalendar
import EPGModel
import EPGRefresh
import Logging
import Synchronization
import Testing

/// What is remembered of a refresh, and what becomes of one that is to end.
@Suite struct RefreshEndingTests {
    private let now = Instant(secondsSince1970: 1_774_753_200)
    private let folder: TestFolder
    private let body: FetchedBody

    init() throws {
        folder = try TestFolder()
        body = FetchedBody(path: try folder.write("<tv/>", to: "guide.xml"), byteCount: 5, hash: "h")
    }

    /// A refresh by a clock of which each look takes a second and a half.
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
            }
        ) { fetched, _ in try recorder.importGuide(fetched) }
    }

    private func source(_ name: String) -> Source { Source(name: name, location: "http://\(name).example.org/") }

    @Test func endingAndDurationAreRemembered() throws {
        let store = MemoryStore([source("a")])
        _ = try refresher(store, ScriptedFetcher { [body] _ in .body(body) }).refresh(at: now)
        #expect(store.state(of: "a").lastEnding == .imported)
        // Looked at before the fetch, behind it, and behind the import.
        #expect(store.state(of: "a").lastDuration == .seconds(3))
        _ = try refresher(store, ScriptedFetcher { [body] _ in .body(body) }).refresh(at: now)
        #expect(store.state(of: "a").lastEnding == .unchanged)
        #expect(store.state(of: "a").lastDuration == .milliseconds(1500))
        _ = try refresher(store, ScriptedFetcher { _ in .notModified }).refresh(at: now)
        #expect(store.state(of: "a").lastEnding == .notModified)
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
        #expect(store.state(of: "a").lastEnding == .failed)
        #expect(store.state(of: "a").lastDuration == .milliseconds(1500))
        _ = try refresher(store, ScriptedFetcher { [body] _ in .body(body) }).refresh(at: now)
        #expect(store.state(of: "a").failures == 3)
        #expect(store.state(of: "a").lastEnding == .imported)
    }

    @Test func cancelledRefreshAsksNobodyAnyMoreAndNotesNothing() throws {
        let store = MemoryStore(["a", "b", "c"].map(source), pruned: 4)
        let isCancelled = Atomic(false)
        let fetcher = ScriptedFetcher { [body] request throws(FetchError) in
            guard request.location == .address("http://b.example.org/") else { return .body(body) }
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

    @Test func fetcherIsToldWhomToTellAndWhenToEnd() throws {
        struct WatchedFetcher: Fetcher {
            let body: FetchedBody

            func fetch(_ request: FetchRequest) throws(FetchError) -> FetchResult { .body(body) }

            func fetch(_ request: FetchRequest, watch: FetchWatch) throws(FetchError) -> FetchResult {
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
                .asking("a"), .fetching("a", FetchProgress(byteCount: 3, total: 5)), .importing("a", byteCount: 5),
                .ended(report.sources[0]),
            ])
    }

    /// A timetable of the whole refresh counts for sources that have neither one of their own nor an interval.
    @Test func timetableOfTheRefreshCountsForSourcesWithoutOne() throws {
        var interval = source("interval")
        interval.interval = 3600
        var weekly = SourceConfiguration(source("weekly"))
        weekly.schedule = "@weekly"
        let store = MemoryStore([source("plain"), interval, weekly.source])
        // Two hours ago; the last run of the timetable was four hours ago, that of the week three hours ago.
        var state = SourceState()
        state.lastAttempt = now.advanced(by: -7200)
        state.lastSuccess = now.advanced(by: -7200)
        for name in ["plain", "interval", "weekly"] { try store.saveState(state, ofSource: name) }
        var options = RefreshOptions()
        // Now is Sunday 29 March 2026, 03:00 UTC.
        options.timetable = Timetable(try CronExpression("0 23 * * *"), in: .utc)
        options.orders = ["weekly": try SourceOrder(weekly, zone: .utc)]
        let report = try refresher(store, ScriptedFetcher { [body] _ in .body(body) }, options: options)
            .refresh(at: now)
        let words = Dictionary(uniqueKeysWithValues: report.sources.map { ($0.name, $0.outcome.keyword) })
        #expect(words == ["plain": "not-due", "interval": "imported", "weekly": "not-due"])
        #expect(report.sources.first { $0.name == "plain" }?.outcome == .notDue(next: now.advanced(by: 72_000)))
    }
}
