import EPGFiles
import EPGJSON
package import EPGModel
package import EPGSQL
import EPGSearch
import GRDB
import Synchronization

/// An open guide in an SQLite database. ``GuideDatabase`` opens and closes stores.
package final class GuideStore: SQLWriting, Sendable {
    /// The state of the current read. One thread at a time reads.
    private struct Reading {
        /// A connection to the search index, which is reused by later reads.
        var searchIndex: DatabaseQueue?
        var deadline: ReadingDeadline?
    }

    package let path: String
    /// The schema version before this store migrated the guide; `nil` if it was current.
    package let migratedVersion: Int?
    /// Changes the stations that reads return.
    package let shown: @Sendable (StationRow) -> StationRow
    let queue: DatabaseQueue
    let lock: FileLock?

    private let openSearchIndex = Mutex<SearchIndex?>(nil)
    private let reading = Mutex(Reading())
    let lastFeed = Mutex<SearchFeed?>(nil)

    /// Opens a guide for reading.
    ///
    /// - Parameters:
    ///   - cacheKiB: Maximum size of the page cache in KiB.
    ///   - shown: Changes the stations that reads return.
    package init(
        readingFrom path: String, cacheKiB: Int = 64 << 10,
        shown: @escaping @Sendable (StationRow) -> StationRow = { $0 }
    ) throws {
        guard let status = FileStatus(path: path) else { throw StoreError.notFound(path: path) }
        if status.isRegular, status.size == 0, !FileStatus.exists(DatabaseFile.target(of: path) + "-wal") {
            // The first import has just started, or was killed at its start.
            throw StoreError.notFound(path: path)
        }
        try Self.checkKind(path)
        self.path = path
        self.shown = shown
        (lock, migratedVersion) = (nil, nil)
        do {
            queue = try StoreError.translating(path: path) {
                let queue = try Connections.reader(path: path, cacheKiB: cacheKiB)
                try queue.inDatabase { database in
                    let found = try Schema.version(of: database, path: path)
                    guard found == GuideSchema.version else {
                        throw StoreError.olderSchema(path: path, found: found, known: GuideSchema.version)
                    }
                    // Refuses numbers that would overflow.
                    _ = try GuideState(database)
                }
                return queue
            }
        } catch StoreError.busy where !DatabaseFile.usesWriteAheadLog(path) {
            // The first import is running.
            throw StoreError.notFound(path: path)
        }
    }

    /// Throws for pipes and devices, on which opening would block.
    private static func checkKind(_ path: String) throws {
        guard let status = FileStatus(path: path), status.isRegular || status.isFolder else {
            throw StoreError.inaccessible(path: path, detail: "it is not a regular file")
        }
    }

    /// Opens a guide for writing. Creates it if it does not exist, and migrates an older one.
    ///
    /// The store holds the writer lock until it is closed or deallocated.
    package init(writingTo path: String, waiting wait: LockWait = .never) throws {
        self.path = path
        shown = { $0 }
        if FileStatus.exists(path) { try Self.checkKind(path) }
        lock = try FileLock(.writing, of: path, wait: wait)
        DatabaseFile.create(at: path)
        DatabaseFile.alignModes(ofGuide: path)
        (queue, migratedVersion) = try StoreError.translating(path: path) {
            let queue = try Connections.writer(path: path, cacheKiB: 8 << 10)
            let migrated = try Schema.prepareForWriting(queue, path: path)
            if let problem = try queue.inDatabase({ try String.fetchOne($0, sql: GuideState.invalidNumbersSQL) }) {
                throw StoreError.damaged(path: path, detail: problem)
            }
            return (queue, migrated)
        }
    }

    /// Closes the store. A writer also checkpoints its write-ahead log.
    ///
    /// - Precondition: No import is open.
    /// - Throws: ``StoreError``, such as ``StoreError/unfinished(path:detail:)`` if a checkpoint fails. Commits remain
    ///   durable, and the lock is always released.
    package func close() throws {
        lastFeed.withLock { $0 }?.waitUntilEnded()
        defer { lock?.release() }
        let indexPath = SearchIndex.path(ofGuide: path)
        // Close all databases even if one fails, and throw the first error.
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

    /// Starts a passive checkpoint of the write-ahead log; ``close()`` completes it.
    func beginCheckpoint() {
        queue.asyncWriteWithoutTransaction { [lock] database in
            // Holds the lock until the end, even if the store is deallocated. Closing the store repeats a failed checkpoint.
            withExtendedLifetime(lock) {
                _ = Result { try database.execute(sql: "PRAGMA wal_checkpoint(PASSIVE)") }
            }
        }
    }

    /// Returns the search index, open for writing.
    func searchIndex() throws -> SearchIndex {
        let state = try queue.inDatabase { try GuideState($0) }
        return try openSearchIndex.withLock { index in
            if index == nil { DatabaseFile.create(at: SearchIndex.path(ofGuide: path), like: FileStatus(path: path)) }
            let open =
                try index
                ?? SearchIndex(
                    at: SearchIndex.path(ofGuide: path), key: state.contentKey, usesWriteAheadLog: state.generation > 0)
            index = open
            return open
        }
    }

    /// Reads the search index; returns `nil` if it does not exist.
    func readSearchIndex<Value>(_ body: (Database) throws -> Value) throws -> Value? {
        let index = SearchIndex.path(ofGuide: path)
        do {
            let (queue, deadline) = try reading.withLock { reading in
                let isNew = reading.searchIndex == nil && FileStatus.exists(index)
                let queue =
                    try isNew
                    ? Connections.reader(path: index, cacheKiB: 8 << 10) : reading.searchIndex
                // Keep the connection only within a read.
                if reading.deadline != nil { reading.searchIndex = queue }
                return (queue, reading.deadline ?? ReadingDeadline(ReadingLimit(nil)))
            }
            return try queue?.unsafeReentrantRead { database in
                if !database.isInsideTransaction { try database.beginTransaction(.deferred) }
                return try deadline.watching(database) { try database.tableExists("mark") ? try body(database) : nil }
            }
        } catch let error as DatabaseError {
            throw SearchIndex.failure(error, at: index)
        }
    }

    /// Calls a closure in one read transaction of the guide and one of the search index.
    ///
    /// - Throws: The reason if the deadline ended the read, and errors of the closure.
    func read<Value>(until deadline: ReadingDeadline, _ body: (any GuideReading) throws -> Value) throws -> Value {
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
                // Discard a connection that cannot end its transaction. The next read opens another connection.
                reading.searchIndex = nil
            }
        }
    }

    /// Runs a read transaction, or joins the transaction that the calling thread has already opened.
    func read<Value>(_ body: (Database) throws -> Value) throws -> Value {
        try StoreError.translating(path: path) {
            try queue.unsafeReentrantRead { database in
                if database.isInsideTransaction {
                    // SQLite checks the deadline only during long statements.
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

    package var location: String { path }

    package func reading<Value>(_ body: (any SQLConnection) throws -> Value) throws -> Value {
        try read { try body(SQLiteConnection(database: $0)) }
    }

    package func writing<Value>(_ body: (any SQLConnection) throws -> Value) throws -> Value {
        try write { try body(SQLiteConnection(database: $0)) }
    }

    /// Runs a write transaction, which must preserve all invariants.
    func write<Value>(_ body: (Database) throws -> Value) throws -> Value {
        try StoreError.translating(path: path) { try queue.write(body) }
    }
}

// MARK: - Checks

extension GuideStore {
    /// Checks the guide and its search index; see ``GuideStorage/check()``.
    package func check() throws -> StoreCheck {
        // An import of this store may still be writing the search index.
        lastFeed.withLock { $0 }?.waitUntilEnded()
        var check = try checkGuide()
        do {
            check.isSearchComplete = try isSearchIndexCurrent()
            check.searchDamage = try searchDifference().map { "\(SearchIndex.path(ofGuide: path)): \($0)" }
        } catch StoreError.damaged(let path, let detail), StoreError.inaccessible(let path, let detail) {
            check.isSearchComplete = false
            check.searchDamage = "\(path) cannot be read: \(detail)"
        } catch is SearchIndexMissing {
            check.isSearchComplete = false
        }
        return check
    }

    /// Checks SQLite's integrity, foreign keys, constraints, and what both engines check.
    func checkGuide() throws -> StoreCheck {
        try read { database in
            let connection = SQLiteConnection(database: database)
            var check = StoreCheck()
            for (part, sql) in [
                ("integrity", "PRAGMA integrity_check(100)"),
                (
                    "references",
                    """
                    SELECT 'a row of ' || "table" || ' references a missing row of ' || parent
                    FROM pragma_foreign_key_check LIMIT 100
                    """
                ),
            ] {
                try connection.inspect(part, &check) { check in
                    check.problems += try String.fetchAll(database, sql: sql).filter { $0 != "ok" }.map(\.oneLine)
                }
            }
            try connection.inspect("constraints", &check) { $0.problems += try Self.violatedConstraints(database) }
            try connection.inspect(&check)
            return check
        }
    }

    /// Returns rows that violate a CHECK constraint of their table. `integrity_check` does not find them, because SQLite ignores
    /// these constraints on read-only connections (`sqlite3AddCheckConstraint`).
    private static func violatedConstraints(_ database: Database) throws -> [String] {
        try GuideSchema.tables.flatMap { table in
            try table.checks.compactMap { check in
                let count =
                    try Int.fetchOne(database, sql: "SELECT count(*) FROM \(table.name) WHERE NOT \(check)") ?? 0
                return count > 0 ? "rows of \(table.name) that break CHECK \(check): \(count)" : nil
            }
        }
    }

    package func isSearchIndexCurrent() throws -> Bool {
        try read { database in
            let state = try GuideState(database)
            guard state.nextProgramme > 1 else { return true }
            do {
                return try readSearchIndex { try SearchIndex.mark($0).isCurrent(for: state) } ?? false
            } catch is SearchIndexMissing {
                return false
            }
        }
    }

    /// Returns a difference between the entries of the search index and the programmes of the guide; `nil` if there is none, or
    /// the index is not current.
    private func searchDifference() throws -> String? {
        try read { database in
            let state = try GuideState(database)
            return try readSearchIndex { index in
                let mark = try SearchIndex.mark(index)
                guard mark.isCurrent(for: state) else { return nil }
                let entries = try SearchIndex.entryCount(index)
                let removed = try entries - Int64(DigestPiece.liveCount(database))
                if removed < 0 { return "programmes of the guide that are missing from it: \(-removed)" }
                // Until the counts are verified, the next import or refresh will check them.
                if mark.verified == state.generation, SearchIndex.isWorthRebuilding(dead: removed, entries: entries) {
                    return "programmes that are no longer in the guide: \(removed) of \(entries)"
                }
                return nil
            } ?? nil
        }
    }
}

extension StoreCheck {
    /// Counts the contents of a guide without a check.
    init(counting database: Database) throws {
        self.init()
        try SQLiteConnection(database: database).count(&self)
    }
}

extension String {
    /// The text with blanks in place of line breaks, which SQLite uses between problems.
    var oneLine: String { split(whereSeparator: \.isNewline).joined(separator: " ") }
}

extension StoreError {
    /// Calls a closure and converts its errors of SQLite and of stored content.
    static func translating<Result>(path: String, _ body: () throws -> Result) throws -> Result {
        do {
            return try body()
        } catch let error as DatabaseError {
            throw StoreError(error, path: path)
        } catch let damage as GuideDamage {
            throw StoreError.damaged(path: path, detail: damage.detail)
        } catch let damage as StoredDocument.Damage {
            throw StoreError.damaged(path: path, detail: "a document that cannot be read: \(damage.detail)")
        }
    }
}
