import EPGCalendar
import EPGModel
import EPGRefresh
import Logging
import Synchronization
import TestSupport
import Testing

/// Tests that refreshes reject destructive guides and do not block other writers.
@Suite struct RefresherSafetyTests {
    private let now = Instant(secondsSince1970: 1_774_753_200)
    private let folder: TestFolder
    private let body: FetchedBody

    init() throws {
        folder = try TestFolder()
        body = FetchedBody(
            path: try folder.write("<tv/>", to: "guide.xml"), byteCount: 5, hash: "new", entityTag: "\"new\"")
    }

    private func refresher(
        _ store: MemoryStore, _ fetcher: some Fetcher, _ recorder: ImportRecorder? = nil,
        options: RefreshOptions = RefreshOptions(), watch: @escaping @Sendable (RefreshStep) -> Void = { _ in }
    ) -> Refresher {
        let recorder = recorder ?? ImportRecorder(store: store)
        return Refresher(
            guide: store, fetcher: fetcher, options: options,
            logger: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }, watch: watch, advice: { "Remedy: \($0)." }
        ) { fetched, _ in .guide(try recorder.importGuide(fetched)) }
    }

    private var bodyFetcher: ScriptedFetcher { ScriptedFetcher { [body] _ in .body(body) } }

    private func source(_ name: String, interval: Int64? = nil) -> Source {
        Source(name: name, location: "http://\(name).example.org/", interval: interval)
    }

    // MARK: - Safeguards

    @Test func rejectedGuideFailsUnlessForced() throws {
        let store = MemoryStore([source("a")])
        let recorder = ImportRecorder(store: store)
        recorder.refusal.withLock { $0 = RefusedImport.fewStations(found: 4, stored: 10, share: 50) }
        for _ in 0..<2 {
            let report = try refresher(store, bodyFetcher, recorder).refresh(at: now)
            #expect(report.failureKind == .badContent && !report.changedGuide)
            expectText(
                report.failureText,
                contains: [
                    "the new guide has 4 stations; the stored guide has 10 for the same time (minimum: 50%)",
                    "Remedy: acceptGuide.",
                ])
        }
        let state = store.state(of: "a")
        #expect((state.bodyHash, state.entityTag, state.lastSuccess) == (nil, nil, nil))
        expectText(state.lastError, contains: ["4 stations"])
        var options = RefreshOptions()
        options.isForced = true
        let forced = try refresher(store, bodyFetcher, recorder, options: options).refresh(at: now)
        #expect((forced.sources.map(\.outcome.keyword), store.state(of: "a").lastError) == (["imported"], nil))
        #expect(recorder.calls.map(\.minimumShare) == [50, 50, nil])
    }

    @Test func minimumShareOfSourceTakesPrecedence() throws {
        let store = MemoryStore([source("a"), source("b")])
        let recorder = ImportRecorder(store: store)
        var options = RefreshOptions()
        options.minimumShare = 80
        var configuration = SourceConfiguration(source("b"))
        configuration.minimumShare = 0
        options.plans = ["b": try SourcePlan(configuration, zone: .utc)]
        _ = try refresher(store, bodyFetcher, recorder, options: options).refresh(at: now)
        #expect(recorder.calls.map(\.minimumShare) == [80, 0])
    }

    /// A new guide without an airing at this time is a sign of a wrong clock; an old one is only old.
    @Test(arguments: [(true, RefreshFailure.Kind.badContent), (false, nil)] as [(Bool, RefreshFailure.Kind?)])
    func refusedPruningIsReportedAfterANewGuide(hasSource: Bool, failure: RefreshFailure.Kind?) throws {
        let store = MemoryStore(hasSource ? [source("a")] : [])
        let refusal = try #require(PruningLimit.half.refusal(ofRemoving: 60, of: 100, before: now))
        store.contents.withLock { $0.pruningRefusal = refusal }
        let report = try refresher(store, bodyFetcher).refresh(at: now)
        expectEqual((report.failureKind, report.prunedAirings), (failure, 0))
        if hasSource { expectText(report.failureText, contains: ["60 of 100 airings", "clock"]) }
        var options = RefreshOptions()
        options.isForced = true
        let forced = try refresher(store, bodyFetcher, options: options).refresh(at: now)
        #expect((forced.failureKind, store.contents.withLock { $0.limit }) == (nil, PruningLimit.none))
    }

    // MARK: - Selected sources

    @Test(arguments: [false, true]) func namedOrForcedSourcesAreRefreshedEvenIfNotDue(isForced: Bool) throws {
        let store = MemoryStore([source("a", interval: 86_400), source("b", interval: 86_400)])
        var state = SourceState()
        state.lastAttempt = now.advanced(by: -60)
        for name in ["a", "b"] { try store.saveState(state, ofSource: name) }
        var options = RefreshOptions()
        if isForced { options.isForced = true } else { options.names = ["b"] }
        let report = try refresher(store, bodyFetcher, options: options).refresh(at: now)
        #expect(
            report.sources.map { "\($0.name) \($0.outcome.keyword)" }
                == (isForced ? ["a imported", "b imported"] : ["b imported"]))
    }

    @Test func unknownSourceNameFails() throws {
        var options = RefreshOptions()
        options.names = ["a", "x"]
        #expect {
            try refresher(MemoryStore([source("a")]), bodyFetcher, options: options).refresh(at: now)
        } throws: { error in
            (error as? RefreshFailure)?.kind == .noInput && "\(error)".contains("“x”")
        }
    }

    // MARK: - Concurrent changes

    @Test func writersDoNotWaitForServers() throws {
        let store = MemoryStore([source("a"), source("b")])
        let fetcher = ScriptedFetcher { [body] _ in
            #expect(store.contents.withLock { $0.writers } == 0)
            return .body(body)
        }
        let report = try refresher(store, fetcher).refresh(at: now)
        let writers = store.contents.withLock { $0.writers }
        #expect((report.sources.map(\.outcome.keyword), writers) == (["imported", "imported"], 0))
    }

    @Test func sourceImportedDuringTheFetchIsFetchedAgain() throws {
        let store = MemoryStore([source("a")])
        let recorder = ImportRecorder(store: store)
        _ = try refresher(store, bodyFetcher, recorder).refresh(at: now)
        let calls = Mutex(0)
        let fetcher = ScriptedFetcher { [body, now] request in
            let count = calls.withLock { count in
                count += 1
                return count
            }
            guard request.entityTag != nil else { return .body(body) }
            // Like a manual import, which replaces the fetched guide.
            var state = SourceState()
            state.lastSuccess = now
            _ = Result { try store.saveState(state, ofSource: "a") }
            #expect(count == 1)
            return .notModified
        }
        let report = try refresher(store, fetcher, recorder).refresh(at: now)
        #expect((report.sources.map(\.outcome.keyword), recorder.calls.count) == (["imported"], 2))
        #expect(fetcher.requests.map(\.entityTag) == ["\"new\"", nil])
    }

    @Test func sourceRemovedDuringTheFetchStaysRemoved() throws {
        let store = MemoryStore([source("a"), source("b")])
        let recorder = ImportRecorder(store: store)
        let fetcher = ScriptedFetcher { [body, now] request in
            if request.location == .url("http://a.example.org/") {
                _ = Result { try store.write { try $0.removeSource(named: "a", matcher: nil, now: now) } }
            }
            return .body(body)
        }
        let report = try refresher(store, fetcher, recorder).refresh(at: now)
        #expect((report.sources.map(\.outcome.keyword), report.failureKind) == (["failed", "imported"], .noInput))
        let sources = try store.read { try $0.sources() }.map(\.source.name)
        #expect((recorder.calls.map(\.source.name), sources) == (["b"], ["b"]))
    }

    @Test func sourceThatKeepsChangingFails() throws {
        let store = MemoryStore([source("a")])
        let count = Mutex(0)
        let fetcher = ScriptedFetcher { [body, now] _ in
            let shift = count.withLock { count in
                count += 1
                return count
            }
            var changed = Source(name: "a", location: "http://a.example.org/")
            changed.shift = Int64(shift)
            _ = Result { try store.write { try $0.save(changed, now: now) } }
            return .body(body)
        }
        let report = try refresher(store, fetcher).refresh(at: now)
        #expect((report.failureKind, fetcher.requests.count) == (.busy, 3))
    }

    // MARK: - Progress

    @Test func stepsAreReported() throws {
        let store = MemoryStore([source("a"), source("b")])
        let steps = Mutex<[RefreshStep]>([])
        let fetcher = ScriptedFetcher { [body] request in
            request.location == .url("http://a.example.org/") ? .body(body) : .notModified
        }
        let report = try refresher(store, fetcher) { step in steps.withLock { $0.append(step) } }.refresh(at: now)
        #expect(
            steps.withLock { $0 } == [
                .requesting("a"), .importing("a", byteCount: 5), .ended(report.sources[0]), .requesting("b"),
                .ended(report.sources[1]),
            ])
    }

    @Test func differenceCountsEachAiringOnce() throws {
        var outcome = ImportOutcome.changing
        outcome.airings.inserted = 4
        outcome.airings.removed = 3
        outcome.airings.moved = 2
        outcome.airings.changed = 1
        let difference = SourceRefresh.Outcome.imported(.guide(outcome), byteCount: 5).difference
        #expect(
            [difference, SourceRefresh.Outcome.notModified.difference]
                == [AiringDifference(inserted: 4, removed: 3, moved: 2, changed: 1), nil])
    }
}
