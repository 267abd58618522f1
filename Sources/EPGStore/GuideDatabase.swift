import EPGFiles
public import EPGModel
import EPGSQL
import EPGSearch

/// A guide in an SQLite database.
///
/// ```swift
/// let guide = GuideDatabase(path: "guide.sqlite")
/// let now = try guide.read { try $0.nowAndNext(at: instant, inRows: 0..<20) }
/// ```
///
/// Any number of processes can read concurrently, even while one process writes. Only one process writes at a time.
public final class GuideDatabase: GuideStorage {
    /// The path of the database.
    public let location: String

    private let readers: GuideReaderPool
    private let cacheKiB: Int
    private let reportUnfinished: @Sendable (StoreError) -> Void

    /// Creates a guide for the database at `path`. The file is opened on first use, and need not exist.
    ///
    /// - Parameters:
    ///   - path: The path of the database. The write-ahead log, the search index and the locks are in the same folder.
    ///   - connections: The maximum number of concurrent reads, at least 1; further reads wait.
    ///   - cacheKiB: Maximum size of the page cache of each connection in KiB. A large cache helps if pages are read again.
    ///   - reportUnfinished: Receives ``StoreError/unfinished(path:detail:)`` if a checkpoint fails. The write has succeeded, but
    ///     the disk may be failing.
    ///   - shown: Changes the stations that reads return, such as their logos. Exports are unchanged.
    public init(
        path: String, connections: Int = 4, cacheKiB: Int = 8 << 10,
        reportUnfinished: @escaping @Sendable (StoreError) -> Void = { _ in },
        shown: @escaping @Sendable (StationRow) -> StationRow = { $0 }
    ) {
        location = path
        readers = GuideReaderPool(path: path, connections: connections, cacheKiB: cacheKiB, shown: shown)
        self.cacheKiB = cacheKiB
        self.reportUnfinished = reportUnfinished
    }

    public var exists: Bool { FileStatus.exists(location) }

    public func owns(file path: String) -> Bool { DatabaseFile.isFile(path, ofGuide: location) }

    // MARK: - Reading

    public func read<Value>(until limit: ReadingLimit, _ body: (any GuideReading) throws -> Value) throws -> Value {
        try readers.read(until: limit, body)
    }

    /// Waits for current reads and closes the connections. Later reads throw ``StoreError``.
    public func close() throws { try readers.close() }

    public func check() throws -> StoreCheck { try inspect { try $0.check() } }

    public func backUp(to path: String, target: BackupTarget) throws -> StoreCheck {
        try inspect { try $0.backUp(to: path, target: target) }
    }

    /// Calls a closure with a separate connection.
    private func inspect<Value>(_ body: (GuideStore) throws -> Value) throws -> Value {
        let store = try GuideStore(readingFrom: location, cacheKiB: cacheKiB)
        let answer = try body(store)
        try store.close()
        return answer
    }

    // MARK: - Writing

    public func write<Value>(waiting wait: LockWait, _ body: (any GuideWriting) throws -> Value) throws -> Value {
        try change(waiting: wait) { try body($0) }
    }

    public func withRefreshLock<Value>(waiting wait: LockWait, _ body: () throws -> Value) throws -> Value {
        let lock = try FileLock(.refreshing, of: location, wait: wait)
        defer { lock.release() }
        // Fail before the refresh rather than at its end if another process is writing.
        if case .never = wait { try FileLock(.writing, of: location, wait: .never).release() }
        return try body()
    }

    public func withReminderLock<Value>(_ body: () throws -> Value) throws -> Value? {
        let lock: FileLock
        do {
            lock = try FileLock(.reminding, of: location, wait: .never)
        } catch StoreError.refreshing {
            return nil
        }
        defer { lock.release() }
        return try body()
    }

    public func migrate(waiting wait: LockWait) throws -> (found: Int, current: Int) {
        guard exists else { throw StoreError.notFound(path: location) }
        return try change(waiting: wait) { store in
            // Opening the guide for writing has migrated it.
            if store.migratedVersion != nil { try store.refreshSearchIndex() }
            return (store.migratedVersion ?? GuideSchema.version, GuideSchema.version)
        }
    }

    /// Opens the guide for writing, calls a closure, and closes the guide.
    func change<Value>(waiting wait: LockWait, _ body: (GuideStore) throws -> Value) throws -> Value {
        let store: GuideStore
        do {
            store = try GuideStore(writingTo: location, waiting: wait)
        } catch StoreError.inaccessible(let path, let detail) {
            throw StoreError.notWritable(path: path, detail: detail)
        }
        let answer = Result { try body(store) }
        do {
            // Commits must reach the database even if the closure failed afterwards.
            try store.close()
        } catch let error as StoreError {
            // The changes are committed, so the write has succeeded. An error of the body takes precedence over one of closing.
            guard case .unfinished = error else {
                _ = try answer.get()
                throw error
            }
            reportUnfinished(error)
        }
        return try answer.get()
    }
}
