package import EPGModel
import EPGSearch
import EPGSQL
import GRDB
import Synchronization

/// The transaction of an import into an SQLite guide.
final class ImportTransaction: ImportQueue {
    private let store: GuideStore
    private var search: SearchFeed? { store.lastFeed.withLock { $0 } }

    init(_ store: GuideStore) { self.store = store }

    func enqueue(_ work: @escaping @Sendable () -> Void) { store.queue.asyncWriteWithoutTransaction { _ in work() } }

    func wait<Value>(for work: () throws -> Value) throws -> Value {
        try store.queue.writeWithoutTransaction { _ in try work() }
    }

    func converting<Value>(_ body: () throws -> Value) throws -> Value {
        try StoreError.translating(path: store.path, body)
    }

    func begin() throws {
        try setForeignKeys(false)
        // With a write-ahead log, this does not block readers. In a new guide, no reader may delay the commit.
        try withDatabase { try $0.beginTransaction(.exclusive) }
    }

    func willAppend(_ batch: ContentBatch) { search?.append(batch) }

    func didCommit() throws {
        try setForeignKeys(true)
        // From now on, others may read during imports. If a reader prevents the switch to a write-ahead log, it happens on
        // closing or by the next writer.
        _ = Result { try withDatabase(Connections.enableWriteAheadLog) }
    }

    func finish(isRolledBack: Bool) {
        if isRolledBack { search?.cancel() } else { search?.finish() }
    }

    func willCancel() {
        search?.cancel()
        search?.waitUntilEnded()
    }

    func rollBack() {
        // A rollback can fail only if the transaction has already ended.
        _ = Result { try withDatabase { if $0.isInsideTransaction { try $0.rollback() } } }
        _ = Result { try setForeignKeys(true) }
    }

    /// Enables or disables foreign key enforcement, outside of a transaction. Imports write rows after those they reference.
    private func setForeignKeys(_ areEnforced: Bool) throws {
        try withDatabase { try $0.execute(sql: "PRAGMA foreign_keys = \(areEnforced ? "ON" : "OFF")") }
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
        let session = try QueuedImport(ImportTransaction(self)) {
            let writer = try ImportWriter(
                queue.unsafeReentrantWrite { try ImportRows($0) }, source: source, now: now, matcher: matcher,
                safeguard: safeguard, limits: limits)
            nextProgramme = writer.state.nextProgramme
            return writer
        }
        let feed = SearchFeed(nextProgramme: nextProgramme, lock: lock, searchIndex)
        lastFeed.withLock { $0 = feed }
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
final class ImportRows: ImportTables {
    let importID: Int64
    private let database: Database
    private let contentWriter: ContentWriter

    init(_ database: Database) throws {
        self.database = database
        importID = try SQLiteConnection(database: database).nextImport()
        contentWriter = try ContentWriter(database, importID: importID)
    }

    var digests: any DigestTable { DigestRows(SQLiteConnection(database: database)) }

    func state() throws -> GuideState { try GuideState(database) }

    func sourceKey(of source: Source) throws -> (id: Int64, isNew: Bool) {
        try SQLiteConnection(database: database).sourceKey(of: source)
    }

    func stations() throws -> [StationRegistry.Stored] { try StationWriter.stations(in: database) }

    func priorities() throws -> [Int64: Int64] {
        let rows = try database.values("SELECT id, priority FROM source") { ($0.integer(0), $0.integer(1)) }
        return Dictionary(rows) { first, _ in first }
    }

    func schedules(ofSource source: Int64) throws -> ScheduleRows { try ScheduleRows(database, source: source) }

    func contents() throws -> StoredContents {
        var contents = StoredContents()
        try database.rows("SELECT id, hash FROM transmission WHERE id <> 0") { columns in
            if let hash = ContentHash(blob: columns.blob(1)) { contents.transmissions[hash] = columns.integer(0) }
            return true
        }
        contents.programmes = try DigestPiece.index(database)
        return contents
    }

    func insert(_ batch: ContentBatch) throws { try contentWriter.write(batch) }

    func insert(_ diagnostics: [Diagnostic]) throws { try contentWriter.write(diagnostics) }

    func store(_ stations: [StationRegistry.Stored], describedBy source: Int64) throws {
        try StationWriter.write(stations, describedBy: source, in: database)
    }

    func finishContents() throws { try contentWriter.flush() }

    func airingCount(ofSource source: Int64) throws -> Int {
        try Int.fetchOne(database, sql: "SELECT count(*) FROM airing WHERE source_id = ?", arguments: [source]) ?? 0
    }

    func resolveSources(of stations: [Int64]) throws -> Int {
        try StationWriter.resolveSources(of: stations, in: database)
    }

    func rematch(_ matcher: any ChannelMatching) throws -> Int { try LineupRows.rematch(matcher, in: database) }

    func arrangeRows() throws -> Int { try RowArrangement.arrange(in: database) }

    func lastDiagnostics(ofSource source: Int64) throws -> (importID: Int64, digest: [UInt8])? {
        try ImportLog.last(ofSource: source, in: database)
    }

    func removeFormerDiagnostics(ofSource source: Int64) throws -> Set<Int64> {
        try ImportLog.removeDiagnostics(ofSource: source, but: importID, in: database)
    }

    func removeDiagnostics() throws {
        try database.execute(sql: "DELETE FROM diagnostic WHERE import_id = ?", arguments: [importID])
    }

    func removeUnused(_ programmes: Set<Int64>) throws {
        try ProgrammeCleaning.removeUnused(programmes, in: database)
    }

    func write(_ state: GuideState) throws { try state.write(to: database) }

    func log(_ entry: ChangeLogEntry, generation: Int64) throws {
        try ChangeLog.write(entry, generation: generation, in: database)
    }

    func log(_ entry: ImportLogEntry) throws { try ImportLog.write(entry, in: database) }

    func saveHeader(_ header: [ContentAttribute], ofSource source: Int64) throws {
        try SQLiteConnection(database: database).saveHeader(header, of: source)
    }

    func saveState(_ state: SourceState, ofSource source: Int64) throws {
        try SQLiteConnection(database: database).saveState(state, of: source)
    }

    func restart() throws {
        try database.rollback()
        try database.beginTransaction(.immediate)
    }

    func commit() throws { try database.commit() }
}
