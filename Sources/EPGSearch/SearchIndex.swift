import Dispatch
import EPGFiles
package import EPGModel
package import GRDB
import Glibc
import Synchronization

/// The programmes of a guide for ``SearchIndex/refresh(from:)``.
package protocol SearchTexts {
    var state: GuideState { get }

    /// Returns the number of stored programmes.
    func programmeCount() throws -> Int

    /// Returns the number of stored programmes above a number.
    func programmeCount(above number: Int64) throws -> Int64

    /// Visits the programmes above a number in ascending order. The buffers of title, subtitle and description are valid during
    /// the call.
    func visitProgrammes(
        above number: Int64,
        _ body: (Int64, UnsafeRawBufferPointer?, UnsafeRawBufferPointer?, UnsafeRawBufferPointer?) throws -> Void
    ) throws
}

/// The search index: a full-text index of programmes in a separate database file, next to an SQLite guide or, for a guide on a
/// server, in a folder of this computer.
///
/// Programmes never change. The index contains all programmes up to a number, its *mark*, and an update adds those above it.
/// Entries of removed programmes stay; searches ignore them, because they have no airings. A separate file allows writing the
/// index on another core, without delaying the schedules.
package final class SearchIndex: Sendable {
    package struct Mark {
        /// The number of the last indexed programme.
        var programme: Int64 = 0
        /// The generation at which entries were last counted and compared with the guide; -1 for none.
        package internal(set) var verified: Int64 = -1
        /// The content key of the guide; `nil` if another version of the program wrote the index.
        fileprivate(set) var key: ContentHash?

        /// Returns whether the index contains programmes of a guide, possibly not all.
        package func isFilled(for guide: GuideState) -> Bool { programme > 0 && key == guide.contentKey }

        /// Returns whether the index contains all programmes of a guide, and possibly later ones.
        func covers(_ guide: GuideState) -> Bool { isFilled(for: guide) && programme >= guide.nextProgramme - 1 }

        /// Returns whether the index contains all programmes of a guide and no others.
        package func isCurrent(for guide: GuideState) -> Bool {
            isFilled(for: guide) && programme == guide.nextProgramme - 1
        }
    }

    /// The version of the tables in `user_version`. Version 3 also contained the airings of programmes.
    private static let layout: Int64 = 4

    package let queue: DatabaseQueue

    /// Returns the path of the index of an SQLite guide.
    package static func path(ofGuide path: String) -> String { DatabaseFile.target(of: path) + "-search" }

    static func exists(at path: String) -> Bool { FileStatus.exists(path) }

    /// Opens an index for writing. Creates it if it does not exist, belongs to another guide, or cannot be read.
    ///
    /// - Parameter usesWriteAheadLog: Whether others may read the index during writes; see ``Connections/enableWriteAheadLog(_:)``.
    package init(at file: String, key: ContentHash, usesWriteAheadLog: Bool) throws {
        DatabaseFile.create(at: file)
        do {
            queue = try Self.open(file, key: key, usesWriteAheadLog: usesWriteAheadLog)
        } catch let error as DatabaseError
            where [.SQLITE_NOTADB, .SQLITE_CORRUPT, .SQLITE_ERROR].contains(error.resultCode)
        {
            let status = FileStatus(path: file)
            for suffix in ["", "-wal", "-shm", "-journal"] { unlink(file + suffix) }
            DatabaseFile.create(at: file, like: status)
            queue = try Self.open(file, key: key, usesWriteAheadLog: usesWriteAheadLog)
        }
    }

    private static func open(_ file: String, key: ContentHash, usesWriteAheadLog: Bool) throws -> DatabaseQueue {
        let queue = try Connections.writer(path: file, cacheKiB: 4 << 10)
        try queue.writeWithoutTransaction { database in
            // Setting the same value again would write a page.
            if try Int.fetchOne(database, sql: "PRAGMA auto_vacuum") != 2 {
                try database.execute(sql: "PRAGMA auto_vacuum = INCREMENTAL")
            }
            if usesWriteAheadLog { try Connections.enableWriteAheadLog(database) }
            try database.inTransaction(.immediate) {
                try prepare(database, key: key)
                return .commit
            }
        }
        return queue
    }

    /// Converts an SQLite error that occurred while reading the index. An invalid statement (`SQLITE_ERROR`) is not a damage of
    /// the file, and an interrupt is not an error of the store.
    package static func failure(_ error: DatabaseError, at path: String) -> any Error {
        switch error.resultCode {
        case .SQLITE_INTERRUPT: error
        // The import that created the index was killed; the next one rolls it back.
        case .SQLITE_READONLY where error.extendedResultCode == .SQLITE_READONLY_ROLLBACK: SearchIndexMissing()
        case .SQLITE_ERROR: StoreError.inaccessible(path: path, detail: error.message ?? "\(error.resultCode)")
        case .SQLITE_NOTADB: StoreError.damaged(path: path, detail: error.message ?? "it is not a database")
        default: StoreError(error, path: path)
        }
    }

    /// Creates the tables, replacing tables of another guide or version.
    private static func prepare(_ database: Database, key: ContentHash) throws {
        if try database.tableExists("mark") {
            if try mark(database).key == key { return }
            let guide = try Row.fetchOne(database, sql: "SELECT guide_key FROM mark")
            if try layout(of: database) == 3, guide?.bytes("guide_key") == key.blob {
                // The full-text table is the same.
                return try database.execute(
                    sql: "DROP TABLE showing; ALTER TABLE mark DROP COLUMN generation; PRAGMA user_version = \(layout)")
            }
            try database.execute(sql: "DROP TABLE mark; DROP TABLE text; DROP TABLE IF EXISTS showing")
        }
        try database.execute(
            sql: """
                PRAGMA user_version = \(layout);
                CREATE TABLE mark (
                    id          INTEGER PRIMARY KEY CHECK (id = 1),
                    -- The content key of the guide.
                    guide_key   BLOB NOT NULL,
                    programme   INTEGER NOT NULL,
                    verified    INTEGER NOT NULL
                ) STRICT;
                CREATE VIRTUAL TABLE text USING fts5 (
                    title, subtitle, description,
                    content = '', columnsize = 0, tokenize = "unicode61 remove_diacritics 2 categories '\(SearchText.categories)'"
                );
                -- Measured: a hash table that fits in the L2 cache and rare merges take half the time of SQLite's defaults. 64
                -- segments are merged at once, because incremental merges would keep old and new copies for many imports.
                INSERT INTO text (text, rank) VALUES ('hashsize', \(1 << 20));
                INSERT INTO text (text, rank) VALUES ('automerge', 0);
                INSERT INTO text (text, rank) VALUES ('crisismerge', 64);
                """)
        try database.execute(
            sql: "INSERT INTO mark (id, guide_key, programme, verified) VALUES (1, ?, 0, -1)", arguments: [key.data])
    }

    private static func layout(of database: Database) throws -> Int64? {
        try Int64.fetchOne(database, sql: "PRAGMA user_version")
    }

    package static func mark(_ database: Database) throws -> Mark {
        guard try layout(of: database) == layout else { return Mark() }
        guard let row = try Row.fetchOne(database, sql: "SELECT * FROM mark") else { return Mark() }
        return Mark(
            programme: row["programme"], verified: row["verified"], key: ContentHash(blob: row.bytes("guide_key")))
    }

    fileprivate static func setMark(_ mark: Mark, in database: Database) throws {
        try database.execute(
            sql: "UPDATE mark SET programme = ?, verified = ?", arguments: [mark.programme, mark.verified])
    }

    /// Returns the number of indexed programmes, including removed ones.
    ///
    /// FTS5 stores its row count as the first varint of its averages record (SQLite's `fts5_index.c`, `FTS5_AVERAGES_ROWID`):
    /// seven bits per byte, most significant first, with the top bit set if more follow.
    package static func entryCount(_ database: Database) throws -> Int64 {
        let record = try Row.fetchOne(database, sql: "SELECT block FROM text_data WHERE id = 1")?.bytes("block") ?? []
        var count: Int64 = 0
        for byte in record.prefix(8) {
            count = count << 7 | Int64(byte & 0x7F)
            if byte < 0x80 { break }
        }
        return count
    }

    /// Calls a closure for the words of titles that begin with a text, with the number of programmes that have each.
    ///
    /// - Complexity: O(occurrences in all texts of the words that begin with the text). Measured for 161,000 programmes: 3 to 10 ms for
    ///   two letters, up to 30 ms for one.
    static func visitWords(
        beginningWith start: String, in database: Database, _ body: (String, Int) throws -> Void
    ) throws {
        // The table is temporary, and has no contents of its own.
        try database.execute(
            sql: """
                PRAGMA query_only = OFF;
                CREATE VIRTUAL TABLE IF NOT EXISTS temp.vocabulary USING fts5vocab (main, text, col);
                PRAGMA query_only = ON;
                """)
        let rows = try Row.fetchCursor(
            database.cachedStatement(
                sql: "SELECT term, doc FROM temp.vocabulary WHERE term >= ?1 AND term < ?2 AND col = 'title'"),
            arguments: [start, start + "\u{10FFFF}"])
        while let row = try rows.next() { try body(row[0], row[1]) }
    }

    /// Removes all entries, which may belong to other programmes after the guide was reset to an earlier state.
    static func clear(_ database: Database) throws {
        try database.execute(sql: "INSERT INTO text (text) VALUES ('delete-all'); UPDATE mark SET programme = 0")
    }

    /// Returns whether more than a sixth of the entries belong to removed programmes.
    package static func isWorthRebuilding(dead: Int64, entries: Int64) -> Bool { dead > entries / 6 }

    /// Updates the index from its guide; writes nothing if it is current.
    ///
    /// If more than a sixth of the entries belong to removed programmes, the index is rebuilt. It therefore has at most 6/5 of
    /// the necessary entries, and at most five entries are rewritten per removed programme.
    package func refresh(from guide: some SearchTexts) throws {
        let mark = try queue.inDatabase { try Self.mark($0) }
        if mark.isCurrent(for: guide.state), mark.verified == guide.state.generation { return }
        try queue.writeWithoutTransaction { database in
            try database.inTransaction(.immediate) {
                try Self.refreshTexts(database, from: guide)
                return .commit
            }
            // Return free pages to the system if they exceed a quarter of the file; each step returns one.
            let free = try Int64.fetchOne(database, sql: "PRAGMA freelist_count") ?? 0
            let pages = try Int64.fetchOne(database, sql: "PRAGMA page_count") ?? 0
            if free > pages / 4 { _ = try Row.fetchAll(database, sql: "PRAGMA incremental_vacuum") }
        }
    }

    private static func refreshTexts(_ database: Database, from guide: some SearchTexts) throws {
        var mark = try mark(database)
        let last = guide.state.nextProgramme - 1
        let entries = try entryCount(database) + guide.programmeCount(above: mark.programme)
        let dead = entries - Int64(try guide.programmeCount())
        // An index that is ahead of its guide is invalid: a power loss may revert the guide's last commit.
        if mark.programme > last || dead < 0 || isWorthRebuilding(dead: dead, entries: entries) {
            try clear(database)
            mark.programme = 0
        }
        if mark.programme < last {
            let writer = try SearchWriter(database)
            try guide.visitProgrammes(above: mark.programme) { try writer.add($0, $1, $2, $3) }
            mark.programme = last
        }
        mark.verified = guide.state.generation
        try setMark(mark, in: database)
    }
}

/// A low-priority background thread that updates the search index during an import.
///
/// If the index falls too far behind, the feed ends, and ``SearchIndex/refresh(from:)`` later reads the rest from the guide.
package final class SearchFeed: Sendable {
    private enum Step {
        case text(ContentBatch)
        /// Writes what belongs to the entries, and commits.
        case end(@Sendable (Database) throws -> Void)
        case cancel
    }

    private struct Queue {
        var steps: [Step] = []
        var isOpen = true
    }

    private let index: SearchIndex
    /// The writer lock, retained while the index is written.
    private let lock: FileLock?
    private let queue = Mutex(Queue())
    private let arrived = DispatchSemaphore(value: 0)
    private let ended = DispatchSemaphore(value: 0)
    /// The maximum number of waiting batches of about 300 KiB.
    private static let capacity = 160

    /// Starts the feed; `nil` if the index is outdated or cannot be written, which is not an error of the import.
    ///
    /// - Parameter open: Returns the index, open for writing.
    package init?(nextProgramme: Int64, lock: FileLock?, _ open: () throws -> SearchIndex) {
        self.lock = lock
        do {
            index = try open()
            let mark = try index.queue.inDatabase { try SearchIndex.mark($0) }
            if mark.programme >= nextProgramme { try index.queue.write(SearchIndex.clear) }
            guard mark.programme == nextProgramme - 1 else { return nil }
        } catch {
            return nil
        }
        let context = Unmanaged.passRetained(self)
        var thread = pthread_t()
        let code = pthread_create(
            &thread, nil,
            { context in
                // The import has priority over the index. On Linux, this affects the calling thread only.
                setpriority(__priority_which_t(PRIO_PROCESS.rawValue), 0, 19)
                if let context { Unmanaged<SearchFeed>.fromOpaque(context).takeRetainedValue().run() }
                return nil
            }, context.toOpaque())
        guard code == 0 else {
            context.release()
            return nil
        }
        pthread_detach(thread)
    }

    /// Appends a batch unless too many are waiting.
    package func append(_ batch: ContentBatch) {
        guard !batch.programmes.isEmpty else { return }
        queue.withLock { queue in
            queue.isOpen = queue.isOpen && queue.steps.count < Self.capacity
            guard queue.isOpen else { return }
            var texts = batch
            (texts.documents, texts.transmissions, texts.diagnostics) = ([], [], [])
            queue.steps.append(.text(texts))
            arrived.signal()
        }
    }

    /// Commits the entries in the background, after the commit of the guide.
    ///
    /// - Parameter write: Writes to the index in the same transaction.
    package func finish(_ write: @escaping @Sendable (Database) throws -> Void) { send(.end(write)) }

    /// Discards the entries.
    package func cancel() {
        send(.cancel)
        waitUntilEnded()
    }

    /// Waits until all appended batches are in the index.
    package func waitUntilEnded() {
        ended.wait()
        ended.signal()
    }

    private func send(_ step: Step) {
        queue.withLock { $0.steps.append(step) }
        arrived.signal()
    }

    private func run() {
        do {
            try index.queue.writeWithoutTransaction { try feed($0) }
        } catch {
            // The transaction is rolled back; the index is later updated from the guide.
            queue.withLock { $0 = Queue(isOpen: false) }
        }
        ended.signal()
    }

    private func feed(_ database: Database) throws {
        var isKept = false
        try database.inTransaction(.immediate) {
            var mark = try SearchIndex.mark(database)
            let writer = try SearchWriter(database)
            while true {
                arrived.wait()
                switch queue.withLock({ $0.steps.removeFirst() }) {
                case .text(let batch):
                    try writer.add(batch)
                    mark.programme = batch.programmes.last?.id ?? mark.programme
                case .end(let write) where writer.count > 0:
                    try SearchIndex.setMark(mark, in: database)
                    try write(database)
                    isKept = true
                    return .commit
                case .end, .cancel:
                    return .rollback
                }
            }
        }
        if isKept { _ = Result { try Connections.enableWriteAheadLog(database) } }
    }
}

/// A writer of programmes to the full-text index.
private final class SearchWriter {
    private let insert: InsertStatement
    private(set) var count: Int64 = 0

    init(_ database: Database) throws {
        insert = try InsertStatement(
            database, "INSERT INTO text (rowid, title, subtitle, description) VALUES (?, ?, ?, ?)")
    }

    func add(_ batch: ContentBatch) throws {
        try batch.texts.withUnsafeBytes { texts in
            for row in batch.programmes {
                try add(
                    row.id, row.title.bytes(in: texts), row.subtitle.bytes(in: texts), row.description.bytes(in: texts))
            }
        }
    }

    /// Adds the texts of a programme, prepared by ``SearchText``. The buffers must stay valid during the call.
    func add(
        _ programme: Int64, _ title: UnsafeRawBufferPointer?, _ subtitle: UnsafeRawBufferPointer?,
        _ description: UnsafeRawBufferPointer?
    ) throws {
        try insert.run { binder in
            binder.integer(1, programme)
            Self.bind(title, to: 2, binder)
            Self.bind(subtitle, to: 3, binder)
            Self.bind(description, to: 4, binder)
        }
        count += 1
    }

    private static func bind(_ text: UnsafeRawBufferPointer?, to parameter: Int32, _ binder: Binder) {
        if let text, SearchText.mayNeedPreparation(text) {
            binder.text(parameter, SearchText.prepared(String(decoding: text, as: UTF8.self)))
        } else {
            binder.text(parameter, bytes: text)
        }
    }
}
