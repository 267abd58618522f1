import EPGCalendar
import EPGModel
import EPGRefresh
import Logging
import Synchronization
import Testing

/// What the store knows of a refresh while it imports: an import may end the process, which then notes nothing any more.
@Suite struct BegunImportTests {
    private let now = Instant(secondsSince1970: 1_774_753_200)
    private let folder: TestFolder

    init() throws { folder = try TestFolder() }

    private struct BadGuide: Error {}

    /// Refreshes a source, and gives the states that stood while its guide was imported and after it.
    private func states(
        of source: Source, order: SourceOrder? = nil, at now: Instant? = nil, isCancelled: Bool = false,
        outcome: @escaping @Sendable () throws -> Void = {}, in store: MemoryStore
    ) throws -> (during: SourceState?, after: SourceState) {
        let path = try folder.write("<tv/>", to: "guide.xml")
        let during = Mutex<SourceState?>(nil)
        let cancelled = Mutex(false)
        var options = RefreshOptions()
        if let order { options.orders = [source.name: order] }
        let fetcher = ScriptedFetcher { _ in .body(FetchedBody(path: path, byteCount: 5, hash: "h", entityTag: nil)) }
        let refresher = Refresher(
            guide: store, fetcher: fetcher, options: options,
            logger: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() },
            isCancelled: { cancelled.withLock { $0 } }, uptime: { .zero }
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

    @Test func importCountsAsAFailureUntilItIsDone() throws {
        let store = MemoryStore([source])
        let (during, after) = try states(of: source, in: store)
        #expect(during?.lastAttempt == now)
        #expect(during?.lastEnding == .failed)
        #expect(during?.failures == 1)
        #expect(during?.hasUnfinishedImport == true && !after.hasUnfinishedImport)
        #expect(during?.lastError?.contains("hasn't finished") == true)
        #expect(after.lastError == nil && after.failures == 0 && after.notBefore == nil)
        #expect(after.lastSuccess == now)
    }

    @Test func importThatFailsCountsOnce() throws {
        let store = MemoryStore([source])
        let (_, after) = try states(of: source, outcome: { throw BadGuide() }, in: store)
        #expect(after.failures == 1)
        #expect(after.lastError?.contains("hasn't finished") == false)
    }

    @Test func importThatIsBrokenOffCountsNowhere() throws {
        let store = MemoryStore([source])
        let before = store.state(of: "a")
        let (_, after) = try states(of: source, isCancelled: true, outcome: { throw BadGuide() }, in: store)
        #expect(after == before)
    }

    /// The state that stands during the import is what the next process finds.
    @Test func sourceWithoutATimeOfItsOwnRestsForAnHourAfterACrash() throws {
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
        // A tenth of the interval earlier, but ten minutes at most.
        #expect(!source.isDue(at: now.advanced(by: 85_799), after: state))
        #expect(source.isDue(at: now.advanced(by: 85_800), after: state))
    }

    @Test func sourceWithATimetableWaitsForItsNextTimeAfterACrash() throws {
        var configuration = SourceConfiguration(source)
        configuration.source.isConfigured = true
        configuration.schedule = "0 4 * * *"
        let order = try SourceOrder(configuration, zone: .utc)
        let store = MemoryStore([configuration.source])
        // 2026-03-29T03:00:00Z, an hour before its time; it was never asked.
        let state = try #require(try states(of: configuration.source, order: order, in: store).during)
        #expect(!order.isDue(at: now.advanced(by: 3599), after: state))
        #expect(order.isDue(at: now.advanced(by: 3600), after: state))
    }
}
