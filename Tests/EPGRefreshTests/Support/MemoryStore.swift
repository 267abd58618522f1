import EPGModel
import EPGStore
import StoreConformance
import Synchronization

/// An in-memory store of sources for refreshes. The guide itself is empty.
final class MemoryStore: ForwardingStorage, @unchecked Sendable {
    /// An intentional failure.
    struct Failure: Error, CustomStringConvertible {
        let description: String
    }

    struct Contents {
        var sources: [String: SourceSummary] = [:]
        var prunedBefore: [Instant] = []
        var searchRefreshes = 0
        /// Number of open writers.
        var writers = 0
        /// The limit of the last pruning.
        var limit: PruningLimit?
        var pruningRefusal: RefusedPruning?
        var isStateBroken = false
        var isPruneBroken = false
        var isSearchIndexCurrent = true
        /// The end of the listings of every source.
        var end: Instant? = Instant(secondsSince1970: .max)
        var isAnythingOn = false
        /// Number of calls of `discardValidators`.
        var forgotten = 0
    }

    let contents: Mutex<Contents>
    fileprivate let pruned: Int

    init(_ sources: [Source], pruned: Int = 0) {
        var contents = Contents()
        for source in sources {
            contents.sources[source.name] = SourceSummary(source: source)
        }
        self.contents = Mutex(contents)
        self.pruned = pruned
        super.init(GuideDatabase(path: "nowhere"))
    }

    func state(of name: String) -> SourceState {
        contents.withLock { $0.sources[name]?.state ?? SourceState() }
    }

    func saveState(_ state: SourceState, ofSource name: String) throws {
        try contents.withLock { contents in
            if contents.isStateBroken { throw Failure(description: "disk is full") }
            contents.sources[name]?.state = state
        }
    }

    override func read<Value>(
        until limit: ReadingLimit, _ body: (any GuideReading) throws -> Value
    ) throws -> Value {
        try body(MemoryGuide(self))
    }

    override func write<Value>(
        waiting wait: LockWait, _ body: (any GuideWriting) throws -> Value
    ) throws -> Value {
        contents.withLock { $0.writers += 1 }
        defer { contents.withLock { $0.writers -= 1 } }
        return try body(MemoryGuide(self))
    }

    /// The store for everything except sources.
    fileprivate static let empty = Result {
        let folder = try TestFolder()
        return (guide: try GuideStore(writingTo: folder.path + "/guide.sqlite"), folder: folder)
    }
}

/// The guide of a ``MemoryStore``.
private final class MemoryGuide: ForwardingWriting, @unchecked Sendable {
    private let store: MemoryStore

    init(_ store: MemoryStore) throws {
        self.store = store
        super.init(writing: try MemoryStore.empty.get().guide)
    }

    override func sourceRecords() throws -> [SourceRecord] {
        try sources().map { SourceRecord(source: $0.source, state: $0.state) }
    }

    override func hasOldAirings(retention: Int64, now: Instant) throws -> Bool {
        store.contents.withLock { $0.isPruneBroken || $0.pruningRefusal != nil } || store.pruned > 0
    }

    override func end(ofSource name: String) throws -> Instant? { store.contents.withLock { $0.end } }

    override func isAnythingOn(at instant: Instant) throws -> Bool { store.contents.withLock { $0.isAnythingOn } }

    override func hasRecordedTimes(after instant: Instant) throws -> Bool {
        store.contents.withLock { contents in
            contents.sources.values.contains {
                [$0.state.lastAttempt, $0.state.lastSuccess].contains { $0.map { $0 > instant } ?? false }
            }
        }
    }

    override func discardValidators(recordedAfter instant: Instant) throws {
        store.contents.withLock { contents in
            contents.forgotten += 1
            for name in contents.sources.keys {
                contents.sources[name]?.state.bodyHash = nil
                contents.sources[name]?.state.entityTag = nil
                contents.sources[name]?.state.lastModified = nil
            }
        }
    }

    override func isSearchIndexCurrent() throws -> Bool { store.contents.withLock { $0.isSearchIndexCurrent } }

    override func sources() throws -> [SourceSummary] {
        store.contents.withLock { contents in contents.sources.values.sorted { $0.source.name < $1.source.name } }
    }

    override func saveState(_ state: SourceState, ofSource name: String) throws {
        try store.saveState(state, ofSource: name)
    }

    override func save(_ source: Source, now: Instant) throws {
        store.contents.withLock { contents in
            contents.sources[
                source.name,
                default: SourceSummary(source: source)
            ].source = source
        }
    }

    override func removeSource(named name: String, matcher: (any ChannelMatching)?, now: Instant) throws -> Bool {
        store.contents.withLock { $0.sources.removeValue(forKey: name) != nil }
    }

    override func removeOldAirings(retention: Int64, now: Instant, limit: PruningLimit) throws -> Int {
        try store.contents.withLock { contents in
            contents.limit = limit
            if let refusal = contents.pruningRefusal, limit == .half { throw refusal }
            if contents.isPruneBroken { throw MemoryStore.Failure(description: "disk is full") }
            contents.prunedBefore.append(now.advanced(by: -retention))
        }
        return store.pruned
    }

    override func refreshSearchIndex() throws {
        store.contents.withLock { contents in
            contents.searchRefreshes += 1
            contents.isSearchIndexCurrent = true
        }
    }

    override func beginImport(
        of source: Source, now: Instant, matcher: (any ChannelMatching)?, safeguard: ImportSafeguard?,
        limits: ImportLimits
    ) throws -> any ImportSession {
        throw MemoryStore.Failure(description: "imports are not supported")
    }
}
