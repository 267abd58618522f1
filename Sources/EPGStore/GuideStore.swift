package import EPGModel
import GRDB
import Synchronization

/// A guide in an SQLite database that is open; ``GuideDatabase`` opens it and closes it.
package final class GuideStore: Sendable {
    /// What belongs to the reading that is on. One thread at a time reads.
    private struct Reading {
        /// A connection to the index for searches, which is kept from one reading to the next.
        var searchIndex: DatabaseQueue?
        var deadline: ReadingDeadline?
    }

    package let path: String
    /// The version of the schema before this store migrated it; `nil` where it was current.
    package let migratedVersion: Int?
    let queue: DatabaseQueue
    let lock: FileLock?

    private let openSearchIndex = Mutex<SearchIndex?>(nil)
    private let reading = Mutex(Reading())
    let lastFeed = Mutex<SearchFeed?>(nil)

    /// Opens a guide for reading.
    ///
    /// - Parameter cacheKiB: Maximum size of the page cache, in KiB; never more than the guide has.
    package init(readingFrom path: String, cacheKiB: Int = 64 << 10) throws {
        guard let status = FileStatus(path: path) else { throw StoreError.notFound(path: path) }
        if status.isRegular, status.size == 0, !FileStatus.exists(GuideFile.target(of: path) + "-wal") {
            // A first import has just started, or was killed at its start.
            throw StoreError.notFound(path: path)
        }
        try Self.checkKind(path)
        self.path = path
        (lock, migratedVersion) = (nil, nil)
        do {
            queue = try StoreError.translating(path: path) {
                let queue = try Connections.reader(path: path, cacheKiB: cacheKiB)
                let found = try queue.inDatabase { try Schema.version(of: $0, path: path) }
                guard found == Schema.version else {
                    throw StoreError.olderSchema(path: path, found: found, known: Schema.version)
                }
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

    /// Opens a guide for writing, makes it where there is none, and migrates one of an older version. The store holds
    /// the lock of the one writer until it is closed or goes.
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
        try StoreError.translating(path: indexPath) { try reading.withLock { $0.searchIndex.take() }?.close() }
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
    func readSearchIndex<Value>(_ body: (Database) throws -> Value) throws -> Value? {
        let index = SearchIndex.path(ofGuide: path)
        do {
            let (queue, deadline) = try reading.withLock { reading in
                let isNew = reading.searchIndex == nil && FileStatus.exists(index)
                let queue =
                    try isNew
                    ? Connections.reader(path: index, cacheKiB: 8 << 10) : reading.searchIndex
                // Outside of a reading, the connection is not kept.
                if reading.deadline != nil { reading.searchIndex = queue }
                return (queue, reading.deadline ?? ReadingDeadline(ReadingLimit(nil)))
            }
            return try queue?.unsafeReentrantRead { database in
                if !database.isInsideTransaction { try database.beginTransaction(.deferred) }
                return try deadline.watching(database) { try database.tableExists("mark") ? try body(database) : nil }
            }
        } catch let error as DatabaseError {
            throw SearchIndex.failure(error, ofGuide: path)
        }
    }

    /// Hands the guide over within one read transaction, and the index for searches within another one.
    ///
    /// - Throws: The cause for which the reading gave up, if one did.
    func read<Answer>(until deadline: ReadingDeadline, _ body: (any GuideReading) throws -> Answer) throws -> Answer {
        reading.withLock { $0.deadline = deadline }
        defer { endReading() }
        do {
            return try read { database in try deadline.watching(database) { try body(self) } }
        } catch {
            throw deadline.stoppedReading ?? error
        }
    }

    private func endReading() {
        reading.withLock { reading in
            reading.deadline = nil
            do {
                try reading.searchIndex?.unsafeReentrantRead { if $0.isInsideTransaction { try $0.rollback() } }
            } catch {
                // A connection that can't end its transaction is of no use: the next reading makes another one.
                reading.searchIndex = nil
            }
        }
    }

    /// One read transaction, or a part of the one that the calling thread has open already.
    func read<Value>(_ body: (Database) throws -> Value) throws -> Value {
        try StoreError.translating(path: path) {
            try queue.unsafeReentrantRead { database in
                if database.isInsideTransaction {
                    // SQLite asks the deadline only within a long statement.
                    if let cause = reading.withLock({ $0.deadline })?.cause { throw cause }
                    return try body(database)
                }
                try database.beginTransaction(.deferred)
                let value = Result { try body(database) }
                if database.isInsideTransaction { try database.rollback() }
                return try value.get()
            }
        }
    }

    /// One write transaction that keeps every invariant, or changes nothing.
    func write<Value>(_ body: (Database) throws -> Value) throws -> Value {
        try StoreError.translating(path: path) { try queue.write(body) }
    }
}
