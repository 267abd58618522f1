package import EPGModel
import GRDB
import Synchronization

/// A guide in an SQLite database that is open; ``GuideDatabase`` opens it and closes it.
package final class GuideStore: Sendable {
    package let path: String
    /// The version of the schema before this store migrated it; `nil` where it was current.
    package let migratedVersion: Int?
    let queue: DatabaseQueue
    let lock: FileLock?

    private let openSearchIndex = Mutex<SearchIndex?>(nil)
    let searchIndexReader = SearchIndexReader()
    let lastFeed = Mutex<SearchFeed?>(nil)

    /// Opens a guide for reading.
    ///
    /// - Parameter cacheKiB: Maximum size of the page cache, in KiB; never more than the guide has.
    /// - Throws: ``StoreError``.
    package init(readingFrom path: String, cacheKiB: Int = 64 << 10) throws {
        guard FileStatus.exists(path) else { throw StoreError.notFound(path: path) }
        try Self.checkKind(path)
        self.path = path
        (lock, migratedVersion) = (nil, nil)
        do {
            queue = try StoreError.translating(path: path) {
                let queue = try Connections.reader(path: path, cacheKiB: cacheKiB)
                try queue.inDatabase { try Schema.check($0, path: path) }
                return queue
            }
        } catch StoreError.busy where !GuideFile.keepsLog(path) {
            // Its first import runs.
            throw StoreError.notFound(path: path)
        }
    }

    /// Opening a pipe or a device would wait for it.
    private static func checkKind(_ path: String) throws {
        guard let status = FileStatus(path: path), status.isRegular || status.isFolder else {
            throw StoreError.inaccessible(path: path, detail: "it is not a regular file")
        }
    }

    /// Opens a guide for writing, makes it where there is none, and migrates one of an older version.
    ///
    /// The store holds the lock of the one writer until it is closed or goes.
    /// - Parameter wait: How long to wait for another writer.
    /// - Throws: ``StoreError``, ``StoreError/busy(path:)`` where it is not waited for any more.
    package init(writingTo path: String, waiting wait: LockWait = .never) throws {
        self.path = path
        if FileStatus.exists(path) { try Self.checkKind(path) }
        lock = try FileLock(.writing, of: path, wait: wait)
        GuideFile.make(at: path)
        (queue, migratedVersion) = try StoreError.translating(path: path) {
            let queue = try Connections.writer(path: path, cacheKiB: 8 << 10)
            return (queue, try Schema.prepareForWriting(queue, path: path))
        }
    }

    /// Ends the use of the store, in which no import is open; a writer moves its log into the database.
    ///
    /// - Throws: ``StoreError``, ``StoreError/unfinished(path:detail:)`` where a log can't be moved. What was committed stays so,
    ///   and the lock is given back all the same.
    package func close() throws {
        lastFeed.withLock { $0 }?.waitUntilEnded()
        defer { lock?.release() }
        let indexPath = SearchIndex.path(ofGuide: path)
        // Each is closed even if another cannot be; the first error is thrown.
        let openIndex = openSearchIndex.withLock { $0.take() }
        let index = Result { if let openIndex { try Self.close(openIndex.queue, path: indexPath, writes: true) } }
        try Self.close(queue, path: path, writes: lock != nil)
        try index.get()
        try StoreError.translating(path: indexPath) { try searchIndexReader.close() }
    }

    private static func close(_ queue: DatabaseQueue, path: String, writes: Bool) throws {
        try StoreError.translating(path: path) {
            let log = Result { if writes { try Connections.checkpoint(queue, path: path) } }
            try queue.close()
            try log.get()
        }
    }

    /// Begins to move the log into the database, as far as readers let it; ``close()`` does the rest.
    func beginCheckpoint() {
        queue.asyncWriteWithoutTransaction { [lock] database in
            // Holds the lock until this ends, even if nobody holds the store any more. Closing the store repeats what fails here.
            withExtendedLifetime(lock) {
                _ = Result { try database.execute(sql: "PRAGMA wal_checkpoint(PASSIVE)") }
            }
        }
    }

    /// The index for searches, open for writing.
    func searchIndex() throws -> SearchIndex {
        let state = try queue.inDatabase { try GuideState($0) }
        return try openSearchIndex.withLock { index in
            let open = try index ?? SearchIndex(ofGuide: path, key: state.contentKey, keepsLog: state.generation > 0)
            index = open
            return open
        }
    }

    /// Reads the index for searches; `nil` where there is none yet.
    ///
    /// - Throws: ``StoreError``, and what the body throws.
    func readSearchIndex<Value>(_ body: (Database) throws -> Value) throws -> Value? {
        do {
            return try searchIndexReader.read(ofGuide: path, body)
        } catch let error as DatabaseError {
            throw SearchIndex.failure(error, ofGuide: path)
        }
    }

    /// One read transaction, or a part of the one that the calling thread has open already.
    func read<Value>(_ body: (Database) throws -> Value) throws -> Value {
        try StoreError.translating(path: path) {
            try queue.unsafeReentrantRead { database in
                if database.isInsideTransaction {
                    // SQLite asks the deadline only within a long statement.
                    if let cause = searchIndexReader.deadline?.cause { throw cause }
                    return try body(database)
                }
                try database.beginTransaction(.deferred)
                do {
                    let value = try body(database)
                    try database.commit()
                    return value
                } catch {
                    if database.isInsideTransaction { try database.rollback() }
                    throw error
                }
            }
        }
    }

    /// One write transaction that keeps every invariant, or changes nothing.
    func write<Value>(_ body: (Database) throws -> Value) throws -> Value {
        try StoreError.translating(path: path) { try queue.write(body) }
    }
}
