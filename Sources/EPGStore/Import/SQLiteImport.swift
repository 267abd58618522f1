package import EPGModel
import EPGSearch
import EPGSQL
import GRDB
import Synchronization

/// The transaction of an import into an SQLite guide.
final class SQLiteImportQueue: ImportQueue {
    private let store: GuideStore

    init(_ store: GuideStore) { self.store = store }

    func enqueue(_ work: @escaping @Sendable () -> Void) { store.queue.asyncWriteWithoutTransaction { _ in work() } }

    func wait<Value>(for work: () throws -> Value) throws -> Value {
        try store.queue.writeWithoutTransaction { _ in try work() }
    }

    func converting<Value>(_ body: () throws -> Value) throws -> Value {
        try StoreError.translating(path: store.path, body)
    }

    func begin() throws {
        // Imports write rows after those they reference.
        try withDatabase { try $0.enforceForeignKeys(false) }
        // With a write-ahead log, this does not block readers. In a new guide, no reader may delay the commit.
        try withDatabase { try $0.beginTransaction(.exclusive) }
    }

    func rollBack() {
        // A rollback can fail only if the transaction has already ended.
        _ = Result { try withDatabase { if $0.isInsideTransaction { try $0.rollback() } } }
        _ = Result { try withDatabase { try $0.enforceForeignKeys(true) } }
    }

    /// Calls a closure with the database, on the queue.
    private func withDatabase(_ body: (Database) throws -> Void) throws {
        try store.queue.unsafeReentrantWrite(body)
    }
}

extension GuideStore: GuideWriting {
    package func beginImport(
        of source: Source, now: Instant, matcher: (any ChannelMatching)?, safeguard: ImportSafeguard?,
        limits: ImportLimits
    ) throws -> any ImportSession {
        var nextProgramme: Int64 = 1
        let session = try QueuedImport(SQLiteImportQueue(self)) {
            let writer = try ImportWriter(
                queue.unsafeReentrantWrite { try SQLiteImportTables($0) }, source: source, now: now, matcher: matcher,
                safeguard: safeguard, limits: limits)
            nextProgramme = writer.state.nextProgramme
            return writer
        }
        let feed = SearchFeed(nextProgramme: nextProgramme, lock: lock, searchIndex)
        lastFeed.withLock { $0 = feed }
        session.observer = feed
        return session
    }

    package func refreshSearchIndex() throws {
        beginCheckpoint()
        lastFeed.withLock { $0 }?.waitUntilEnded()
        try StoreError.translating(path: SearchIndex.path(ofGuide: path)) {
            // A separate connection allows a concurrent checkpoint of the guide.
            let guide = try Connections.reader(path: path, cacheKiB: 2 << 10)
            let index = try searchIndex()
            try guide.inDatabase { try index.refresh(from: StoredTexts($0)) }
            try guide.close()
        }
    }
}

/// The tables of an SQLite guide, as an import writes them.
final class SQLiteImportTables: SQLImportTables {
    let importID: Int64
    let connection: any SQLConnection
    private let database: Database
    private let contentWriter: ContentWriter

    init(_ database: Database) throws {
        self.database = database
        connection = SQLiteConnection(database: database)
        importID = try connection.nextImport()
        contentWriter = try ContentWriter(database, importID: importID)
    }

    func schedules(ofSource source: Int64) throws -> ScheduleRows { try ScheduleRows(database, source: source) }

    func insert(_ batch: ContentBatch) throws { try contentWriter.write(batch) }

    func insert(_ diagnostics: [Diagnostic]) throws { try contentWriter.write(diagnostics) }

    func dropWaitingDiagnostics() { contentWriter.dropWaiting() }

    func store(_ stations: [StationRegistry.Stored], describedBy source: Int64) throws {
        let store = try InsertStatement(
            database,
            """
            INSERT INTO station (id, feed_id, name, number, document, described_by, ordinal, position, source_id)
            VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?7, ?6)
            ON CONFLICT (id) DO UPDATE SET name = excluded.name, number = excluded.number,
                document = excluded.document, described_by = excluded.described_by, ordinal = excluded.ordinal
            """)
        for station in stations {
            try station.document.withUnsafeBytes { document in
                try store.run { binder in
                    binder.integer(1, station.key)
                    binder.text(2, station.id.rawValue)
                    binder.text(3, station.name)
                    binder.text(4, station.number)
                    binder.text(5, bytes: document)
                    binder.integer(6, source)
                    binder.integer(7, station.ordinal)
                }
            }
        }
    }

    func finishContents() throws { try contentWriter.flush() }

    func restart() throws {
        try database.rollback()
        try database.beginTransaction(.immediate)
    }

    func commit() throws {
        try database.commit()
        try database.enforceForeignKeys(true)
        // From now on, others may read during imports. If a reader prevents the switch to a write-ahead log, it happens on
        // closing or by the next writer.
        _ = Result { try Connections.enableWriteAheadLog(database) }
    }
}

extension Database {
    /// Enables or disables the enforcement of foreign keys, outside of a transaction.
    fileprivate func enforceForeignKeys(_ areEnforced: Bool) throws {
        try execute(sql: "PRAGMA foreign_keys = \(areEnforced ? "ON" : "OFF")")
    }
}

extension SearchFeed: ImportObserver {
    /// Commits the entries; the index of an SQLite guide needs no version of it.
    package func finish() { finish { _ in } }
}
