import EPGCalendar
import EPGModel
import Logging
import Synchronization
import TestSupport
import Testing

@testable import EPGRefresh

@Suite struct RefresherTests {
    private let now = Instant(secondsSince1970: 1_774_753_200)
    private let folder: TestFolder

    init() throws { folder = try TestFolder() }

    private func refresher(
        _ store: MemoryStore, _ fetcher: some Fetcher, options: RefreshOptions = RefreshOptions(),
        importing recorder: ImportRecorder? = nil,
        secret: @escaping @Sendable (Secret) throws -> String = { "\($0)" },
        watch: @escaping @Sendable (RefreshStep) -> Void = { _ in }
    ) -> Refresher {
        let recorder = recorder ?? ImportRecorder(store: store)
        return Refresher(
            guide: store, fetcher: fetcher, options: options,
            logger: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }, watch: watch, uptime: { .zero },
            secret: secret, advice: { "Remedy: \($0)." }
        ) { fetched, _ in
            .guide(try recorder.importGuide(fetched))
        }
    }

    /// Returns a fetcher of one file, with the file name as its hash.
    private func fetcher(of path: String, entityTag: String? = nil) -> ScriptedFetcher {
        ScriptedFetcher { _ in .body(FetchedBody(path: path, byteCount: 5, hash: path, entityTag: entityTag)) }
    }

    @Test func unchangedBytesAreImportedOnceAndNewTagIsStored() throws {
        let path = try folder.write("<tv/>", to: "guide.xml")
        let store = MemoryStore([Source(name: "a", location: "http://example.org/")])
        let recorder = ImportRecorder(store: store)
        let first = try refresher(store, fetcher(of: path, entityTag: "\"1\""), importing: recorder)
            .refresh(at: now)
        #expect(
            (first.sources.map(\.outcome), first.changedGuide) == ([.imported(.guide(.changing), byteCount: 5)], true))

        let later = now.advanced(by: 60)
        let second = try refresher(store, fetcher(of: path, entityTag: "\"2\""), importing: recorder)
            .refresh(at: later)
        #expect((second.sources.map(\.outcome), second.changedGuide) == ([.unchanged(byteCount: 5)], false))
        #expect((second.failureKind, second.failureText, recorder.texts) == (nil, "", ["<tv/>"]))
        let state = store.state(of: "a")
        #expect((state.entityTag, state.lastSuccess) == ("\"2\"", later))
    }

    @Test func validatorsAreSentOnlyForUnchangedSettings() throws {
        let path = try folder.write("<tv/>", to: "guide.xml")
        var source = Source(name: "a", location: "http://example.org/")
        let store = MemoryStore([source])
        let recorder = ImportRecorder(store: store)
        let fetcher = fetcher(of: path, entityTag: "\"1\"")
        let refresher = refresher(store, fetcher, importing: recorder)
        _ = try refresher.refresh(at: now)
        _ = try refresher.refresh(at: now)
        source.timeZone = "Europe/Berlin"
        try store.write { try $0.save(source, now: now) }
        let report = try refresher.refresh(at: now)
        #expect(fetcher.requests.map(\.entityTag) == [nil, "\"1\"", nil])
        #expect(
            (report.sources.map(\.outcome.keyword), recorder.calls.map(\.source.timeZone))
                == (["imported"], [nil, "Europe/Berlin"]))
    }

    /// The playlist “tv” names guides whose tokens changed, and dropped the second of three.
    @Test func followedGuidesAreRequestedWithTheirNewURLsInTheSameRefresh() throws {
        let path = try folder.write("#EXTM3U", to: "list.m3u")
        func guide(_ name: String, _ location: String) -> Source {
            Source(name: name, location: location, playlist: "tv")
        }
        let store = MemoryStore([
            Source(name: "tv", location: "http://tuner.example/list", followsGuides: true),
            guide("tv-guide", "http://tuner.example/a.xml?token=1"),
            guide("tv-guide-2", "http://tuner.example/b.xml?token=1"),
            guide("tv-guide-10", "http://tuner.example/c.xml?token=1"),
        ])
        let attributes = [
            ContentAttribute(
                name: "x-tvg-url",
                value:
                    "http://tuner.example/a.xml?token=2,http://tuner.example/c.xml?token=2,http://tuner.example/d.xml")
        ]
        let fetcher = fetcher(of: path)
        let refresher = Refresher(
            guide: store, fetcher: fetcher, options: RefreshOptions(),
            logger: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }, uptime: { .zero },
            secret: { "\($0)" }, advice: { "Remedy: \($0)." }
        ) { fetched, _ in
            fetched.source.name == "tv"
                ? .playlist(LineupOutcome(matches: [], changedGuide: true), attributes: attributes) : .guide(.changing)
        }
        _ = try refresher.refresh(at: now)
        let locations = try store.read { try $0.sourceRecords() }.map {
            "\($0.source.name) \($0.source.location ?? "")"
        }.sorted()
        expectEqual(
            locations,
            [
                "tv http://tuner.example/list", "tv-guide http://tuner.example/a.xml?token=2",
                "tv-guide-10 http://tuner.example/c.xml?token=2", "tv-guide-2 http://tuner.example/b.xml?token=1",
                "tv-guide-3 http://tuner.example/d.xml",
            ])
        let requested = fetcher.requests.map { if case .url(let url) = $0.location { url } else { "" } }
        expectEqual(requested.count { $0.contains("token=2") }, 2)
        expectEqual(requested.count { $0.contains("/a.xml?token=1") || $0.contains("/c.xml?token=1") }, 0)
    }

    @Test(arguments: [
        ("http://nas.example:8080/guide.xml", true), ("http://NAS.example/", true), ("http://other.example/", false),
        ("http://nas.example.evil.example/", false),
    ])
    func onlyHostsOfTheSettingsMayHavePrivateAddresses(url: String, isAllowed: Bool) throws {
        let path = try folder.write("<tv/>", to: "guide.xml")
        let store = MemoryStore([Source(name: "a", location: url)])
        let fetcher = fetcher(of: path)
        var options = RefreshOptions()
        options.privateHosts = ["nas.example"]
        _ = try refresher(store, fetcher, options: options).refresh(at: now)
        #expect(fetcher.requests.map(\.allowsPrivateAddresses) == [isAllowed])
    }

    /// Its password is known to the program.
    @Test func accountOfTheDatabaseIsUsed() throws {
        let path = try folder.write("<tv/>", to: "guide.xml")
        let account = SourceAccount(username: "viewer@example.org", lineups: ["ZZZ-X"])
        let store = MemoryStore([
            Source(name: "a", location: SchedulesDirectSettings.defaultURL, account: account)
        ])
        let fetcher = fetcher(of: path)
        _ = try refresher(store, fetcher, secret: { "the password of \($0)" }).refresh(at: now)
        #expect(
            fetcher.requests.map(\.schedulesDirect) == [
                SchedulesDirectAccount(
                    username: "viewer@example.org", password: "the password of (stored beside the guide)",
                    lineups: ["ZZZ-X"])
            ])
    }

    @Test func forceIgnoresStoredState() throws {
        let path = try folder.write("<tv/>", to: "guide.xml")
        let store = MemoryStore([Source(name: "a", location: "http://example.org/")])
        let fetcher = fetcher(of: path, entityTag: "\"1\"")
        var options = RefreshOptions()
        _ = try refresher(store, fetcher, options: options).refresh(at: now)
        options.isForced = true
        let report = try refresher(store, fetcher, options: options).refresh(at: now)
        #expect(
            (fetcher.requests.map(\.entityTag), report.sources.map(\.outcome.keyword)) == ([nil, nil], ["imported"]))
    }

    /// Corrections of the clock by up to 15 minutes are tolerated.
    @Test(arguments: [(900, false), (901, true), (864_000, true)] as [(Int64, Bool)])
    func stateFromTheFutureIsInvalidated(ahead: Int64, isInvalidated: Bool) throws {
        let path = try folder.write("<tv/>", to: "guide.xml")
        let store = MemoryStore([Source(name: "a", location: "http://example.org/")])
        let fetcher = fetcher(of: path, entityTag: "\"1\"")
        _ = try refresher(store, fetcher).refresh(at: now.advanced(by: ahead))
        let report = try refresher(store, fetcher).refresh(at: now)
        #expect(fetcher.requests.map(\.entityTag) == [nil, isInvalidated ? nil : "\"1\""])
        let outcomes = report.sources.map(\.outcome.keyword)
        let forgotten = store.contents.withLock { $0.forgotten }
        #expect((outcomes, forgotten) == (isInvalidated ? (["imported"], 1) : (["unchanged"], 0)))
    }

    @Test(arguments: ["imported", "unchanged", "not-modified"])
    func guideWithoutFutureAiringsFails(outcome: String) throws {
        let path = try folder.write("<tv/>", to: "guide.xml")
        let store = MemoryStore([Source(name: "a", location: "http://example.org/")])
        let bodyFetcher = fetcher(of: path, entityTag: "\"1\"")
        if outcome != "imported" { _ = try refresher(store, bodyFetcher).refresh(at: now) }
        store.contents.withLock { $0.end = now }
        let fetcher = outcome == "not-modified" ? ScriptedFetcher { _ in .notModified } : bodyFetcher
        let report = try refresher(store, fetcher).refresh(at: now)
        expectText(
            report.failureText,
            contains: ["The guide contains no current or future airings; it ended at 2026-03-29T03:00:00Z."])
        #expect(report.failureKind == .badContent && store.state(of: "a").lastError != nil)
        // One more second is sufficient.
        store.contents.withLock { $0.end = now.advanced(by: 1) }
        #expect(try refresher(store, fetcher).refresh(at: now).failureKind == nil)
        store.contents.withLock { $0.end = nil }
        expectText(
            try refresher(store, fetcher).refresh(at: now).failureText, contains: ["future airings. Check whether"])
    }

    /// The store has a source that was removed from the configuration and one that was added manually. Two are configured.
    @Test func onlyConfiguredSourcesAreRefreshed() throws {
        let gone = Source(name: "gone", location: "http://gone.example.org/", isConfigured: true)
        let store = MemoryStore([gone, Source(name: "own", location: "http://own.example.org/")])
        let fetcher = ScriptedFetcher { _ in .notModified }
        var options = RefreshOptions()
        for name in ["east", "west"] {
            let source = Source(name: name, location: "http://\(name).example.org/")
            options.plans[name] = try SourcePlan(SourceConfiguration(source), zone: .utc)
        }
        let report = try refresher(store, fetcher, options: options).refresh(at: now)
        let outcomes = report.sources.map { "\($0.name) \($0.outcome.keyword)" }
        #expect(outcomes == ["east not-modified", "gone not-configured", "own not-modified", "west not-modified"])
        #expect((report.failureKind, report.failureText, store.state(of: "gone")) == (nil, "", SourceState()))
        #expect(!fetcher.requests.contains { $0.location == .url("http://gone.example.org/") })
        #expect(
            try store.read { try $0.sources() }.filter(\.source.isConfigured).map(\.source.name) == [
                "east", "gone", "west",
            ])
        // Naming the source does not refresh it, either.
        options.names = ["gone"]
        let named = try refresher(store, fetcher, options: options).refresh(at: now)
        #expect(named.sources.map(\.outcome.keyword) == ["not-configured"])
    }

    /// If no source is configured, the refresh may have read the wrong file.
    @Test func sourcesWithoutConfigurationFailAndDoNotStopOthers() throws {
        let store = MemoryStore([
            Source(name: "east", location: "http://east.example.org/", isConfigured: true),
            Source(name: "own", location: "http://own.example.org/"),
        ])
        let report = try refresher(store, ScriptedFetcher { _ in .notModified }).refresh(at: now)
        #expect(
            (report.sources.map(\.outcome.keyword), report.failureKind) == (["failed", "not-modified"], .configuration))
        expectText(report.failureText, contains: ["that was not read", "Remedy: findSettings."])
        #expect(store.state(of: "east") == SourceState())
    }

    @Test func notModifiedIsASuccess() throws {
        let store = MemoryStore([Source(name: "a", location: "http://example.org/")])
        var state = SourceState()
        state.lastError = "it was broken"
        state.bodyHash = "x"
        try store.saveState(state, ofSource: "a")
        let recorder = ImportRecorder(store: store)
        let report = try refresher(store, ScriptedFetcher { _ in .notModified }, importing: recorder).refresh(at: now)
        #expect((report.sources.map(\.outcome), recorder.calls.count) == ([.notModified], 0))
        state.lastError = nil
        state.lastResult = .notModified
        state.lastDuration = .zero
        state.lastAttempt = now
        state.lastSuccess = now
        #expect(store.state(of: "a") == state)
    }

    @Test func failedSourceKeepsItsStateAndDoesNotStopOthers() throws {
        let path = try folder.write("<tv/>", to: "guide.xml")
        let names = ["east", "north", "west"]
        let store = MemoryStore(names.map { Source(name: $0, location: "http://\($0).example.org/") })
        var state = SourceState()
        state.lastSuccess = Instant(secondsSince1970: 1_774_666_800)
        state.bodyHash = "old"
        state.entityTag = "\"old\""
        try store.saveState(state, ofSource: "north")
        let fetcher = ScriptedFetcher { request throws(FetchError) in
            guard request.location != .url("http://north.example.org/") else {
                throw FetchError(location: "http://north.example.org/", reason: .status(500))
            }
            return .body(FetchedBody(path: path, byteCount: 5, hash: "h"))
        }
        let report = try refresher(store, fetcher).refresh(at: now)
        let outcomes = report.sources.map(\.outcome.keyword)
        #expect((outcomes, report.failureKind) == (["imported", "failed", "imported"], .unavailable))
        let sentence = """
            http://north.example.org/: the server responded with status 500. \
            The problem is on the server. The next refresh tries again.
            """
        #expect(
            report.failureText == """
                refresh at 2026-03-29T03:00:00Z: 1 of 3 sources failed

                north
                  \(sentence)
                  The content of this source in the guide is unchanged since 2026-03-28T03:00:00Z.

                """)
        state.lastAttempt = now
        state.lastError = sentence
        state.lastResult = .failed
        state.lastDuration = .zero
        state.failures = 1
        #expect((store.state(of: "north"), store.state(of: "west").lastError) == (state, nil))
    }

    @Test func failedImportIsRetried() throws {
        let path = try folder.write("<html>login</html>", to: "guide.xml")
        let store = MemoryStore([Source(name: "a", location: "http://example.org/")])
        let recorder = ImportRecorder(store: store)
        let refresher = refresher(store, fetcher(of: path, entityTag: "\"1\""), importing: recorder)
        for _ in 0..<2 {
            let report = try refresher.refresh(at: now)
            #expect(report.failureKind == .badContent)
            expectText(
                report.failureText, contains: ["\na\n  that is no guide\n  This source has never been refreshed.\n"])
        }
        let state = store.state(of: "a")
        #expect((recorder.calls.count, state.lastError) == (2, "that is no guide"))
        #expect((state.bodyHash, state.entityTag, state.lastSuccess) == (nil, nil, nil))
    }

    @Test func kindOfImportErrorIsReported() throws {
        let store = MemoryStore([Source(name: "a", location: "http://example.org/")])
        let failure = RefreshFailure(sentence: "the database is busy", kind: .busy)
        let refresher = Refresher(
            guide: store, fetcher: fetcher(of: "/dev/null"),
            logger: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }, advice: { "Remedy: \($0)." }
        ) { _, _ in throw failure }
        let report = try refresher.refresh(at: now)
        #expect((report.failures, report.failureKind) == ([failure], .busy))
    }

    @Test func differentFailuresCountAsUnavailable() throws {
        let store = MemoryStore([
            Source(name: "a", location: "ftp://example.org/"), Source(name: "b", location: folder.path + "/none"),
        ])
        let report = try refresher(store, GuideFetcher(userAgent: "swift-epg/test")).refresh(at: now)
        #expect((report.failures.map(\.kind), report.failureKind) == ([.configuration, .noInput], .unavailable))
    }

    @Test func onlyDueSourcesWithLocationAreRefreshed() throws {
        let store = MemoryStore([
            Source(name: "byHand"), Source(name: "daily", location: "http://d.example.org/", interval: 86_400),
            Source(name: "every", location: "http://e.example.org/"),
        ])
        var state = SourceState()
        state.lastAttempt = now.advanced(by: -3600)
        state.lastSuccess = now.advanced(by: -7200)
        try store.saveState(state, ofSource: "daily")
        let fetcher = ScriptedFetcher { _ in .notModified }
        let report = try refresher(store, fetcher).refresh(at: now)
        #expect(report.sources.map(\.name) == ["daily", "every"])
        // The last attempt was an hour ago, and the tolerance for a daily source is ten minutes.
        let daily = report.sources.first
        #expect(
            (daily?.outcome, daily?.lastSuccess)
                == (.notDue(next: now.advanced(by: 86_400 - 3600 - 600)), state.lastSuccess))
        #expect(
            (fetcher.requests.map(\.location), store.state(of: "daily")) == ([.url("http://e.example.org/")], state))
    }

    @Test func airingsOlderThanRetentionAreRemoved() throws {
        let store = MemoryStore([], pruned: 4)
        let report = try refresher(store, ScriptedFetcher { _ in .notModified }).refresh(at: now)
        #expect((report.prunedAirings, report.changedGuide) == (4, true))
        let (prunedBefore, searchRefreshes) = store.contents.withLock { ($0.prunedBefore, $0.searchRefreshes) }
        #expect((prunedBefore, searchRefreshes) == ([Instant(secondsSince1970: 1_774_148_400)], 1))
    }

    @Test(arguments: [(Int64.min, Int64.min), (.max, .min), (.max, .max), (.min, .max)])
    func extremeTimesDoNotTrap(retention: Int64, now: Int64) throws {
        let store = MemoryStore([Source(name: "a", location: "http://example.org/", interval: retention)])
        let instant = Instant(secondsSince1970: now)
        let refresher = refresher(
            store, ScriptedFetcher { _ in .notModified }, options: RefreshOptions(retention: retention))
        _ = try refresher.refresh(at: instant)
        let report = try refresher.refresh(at: instant)
        #expect(report.sources.count == 1)
    }

    @Test func unchangedGuideDoesNotUpdateSearchIndex() throws {
        let store = MemoryStore([])
        _ = try refresher(store, ScriptedFetcher { _ in .notModified }).refresh(at: now)
        #expect(store.contents.withLock { $0.searchRefreshes } == 0)
    }

    @Test func failedMaintenanceFailsTheRefresh() throws {
        let store = MemoryStore([])
        store.contents.withLock { $0.isPruneBroken = true }
        let report = try refresher(store, ScriptedFetcher { _ in .notModified }).refresh(at: now)
        #expect(report.failureKind == .inputOutput)
        #expect(report.failureText.hasSuffix("\ndatabase maintenance\n  disk is full\n"))
    }

    @Test func failureThatCannotBeStoredIsReported() throws {
        let store = MemoryStore([Source(name: "a", location: "http://example.org/")])
        store.contents.withLock { $0.isStateBroken = true }
        let unchanged = try refresher(store, ScriptedFetcher { _ in .notModified }).refresh(at: now)
        let missing = try refresher(store, FailingFetcher(reason: .unknownHost)).refresh(at: now)
        #expect([unchanged.failureKind, missing.failureKind] == [.inputOutput, .inputOutput])
        expectText(missing.failureText, contains: ["The failure cannot be stored in the database: disk is full"])
    }

    @Test func reportContainsNoControlCharacters() throws {
        let store = MemoryStore([Source(name: "a\u{1B}[2J", location: "http://example.org/")])
        let report = try refresher(store, FailingFetcher(reason: .insecure("x\u{1B}]0;\u{7}\r\ny"))).refresh(at: now)
        let characters = report.failureText.unicodeScalars.filter { $0 != "\n" }
        #expect(characters.allSatisfy { $0.properties.generalCategory != .control })
        #expect(report.failureText.contains("a [2J\n"))
    }

    private struct FailingFetcher: Fetcher {
        let reason: FetchError.Reason

        func fetch(_ request: FetchRequest, watch: FetchObserver) throws(FetchError) -> FetchResult {
            throw FetchError(location: "http://example.org/", reason: reason)
        }
    }
}

@Suite struct BodyFingerprintTests {
    private let source = Source(name: "a", location: "http://example.org/1", timeZone: "Europe/Berlin", shift: 3600)

    @Test func fingerprintCoversImportSettings() {
        var others = [source, source, source, source]
        others[0].location = "http://example.org/2"
        others[1].timeZone = "Europe/London"
        others[2].timeZone = nil
        others[3].shift = -3600
        let text = BodyFingerprint(of: source, body: "b").text
        #expect(BodyFingerprint.isCurrent(of: source, in: text))
        for other in others {
            let isCurrent = BodyFingerprint.isCurrent(of: other, in: text)
            #expect(!isCurrent && BodyFingerprint(of: other, body: "b").text != text, "\(other)")
        }
    }

    @Test func nameAndIntervalDoNotChangeTheFingerprint() {
        var other = source
        other.name = "b"
        other.interval = 60
        #expect(BodyFingerprint(of: other, body: "b") == BodyFingerprint(of: source, body: "b"))
    }

    @Test func concatenatedPartsAreUnambiguous() {
        let left = Source(name: "a", location: "ab", timeZone: "c")
        let right = Source(name: "a", location: "a", timeZone: "bc")
        #expect(BodyFingerprint(of: left, body: "") != BodyFingerprint(of: right, body: ""))
    }

    @Test(arguments: [nil, "", "1", "0-x-y", "1--", "rubbish"])
    func invalidTextIsNotCurrent(text: String?) {
        #expect(!BodyFingerprint.isCurrent(of: source, in: text))
    }
}

@Suite struct RefreshReportTests {
    /// The kinds of failures of sources and of maintenance, and the resulting kind.
    @Test(
        arguments: [
            ([], nil, nil), ([.badContent], nil, .badContent), ([.badContent, .badContent], nil, .badContent),
            ([.noInput], nil, .noInput), ([.configuration, .configuration, .configuration], nil, .configuration),
            ([.busy], nil, .busy), ([.unavailable], nil, .unavailable),
            // Several kinds.
            ([.badContent, .noInput], nil, .unavailable), ([.configuration, .badContent], nil, .unavailable),
            ([.busy, .badContent], nil, .unavailable),
            // The database or the disk.
            ([.inputOutput], nil, .inputOutput), ([], .inputOutput, .inputOutput),
            ([.badContent], .inputOutput, .inputOutput), ([.unavailable, .configuration], .inputOutput, .inputOutput),
            ([.badContent, .inputOutput], nil, .inputOutput),
            ([.inputOutput, .unavailable], .inputOutput, .inputOutput),
            // Pruning was refused because of a wrong clock.
            ([], .badContent, .badContent), ([.badContent], .badContent, .badContent),
            ([.unavailable], .badContent, .unavailable),
        ] as [([RefreshFailure.Kind], RefreshFailure.Kind?, RefreshFailure.Kind?)])
    func failureKindCombinesFailures(
        sources: [RefreshFailure.Kind], maintenance: RefreshFailure.Kind?, kind: RefreshFailure.Kind?
    ) {
        var report = RefreshReport(now: Instant(secondsSince1970: 0))
        report.sources = sources.map {
            SourceRefresh(
                name: "a", location: "", outcome: .failed(RefreshFailure(sentence: "It failed.", kind: $0)),
                lastSuccess: nil)
        }
        // A successful source does not change the kind.
        report.sources.append(SourceRefresh(name: "b", location: "", outcome: .notModified, lastSuccess: nil))
        report.maintenanceFailure = maintenance.map { RefreshFailure(sentence: "It failed.", kind: $0) }
        #expect(report.failureKind == kind)
    }
}

@Suite struct SourceDueTests {
    /// Interval, seconds since the last attempt, and whether the source is due.
    @Test(
        arguments: [
            (nil, 0, true),
            (0, 0, true),
            (-5, 0, true),
            (86_400, 85_799, false),
            (86_400, 85_800, true),
            (86_400, 86_400, true),
            (3600, 3239, false),
            (3600, 3240, true),
            // The last attempt is in the future, because the clock was wrong.
            (86_400, -1, true),
            (Int64.max, 1_000_000, false),
            // No attempt.
            (86_400, nil, true),
        ] as [(Int64?, Int64?, Bool)])
    func sourceIsDueAfterItsIntervalMinusATolerance(interval: Int64?, elapsed: Int64?, isDue: Bool) {
        let now = Instant(secondsSince1970: elapsed == nil ? 0 : 1_774_753_200)
        var state = SourceState()
        state.lastAttempt = elapsed.map { now.advanced(by: -$0) }
        #expect(SourcePlan(of: Source(name: "a", interval: interval)).isDue(at: now, after: state) == isDue)
    }
}
