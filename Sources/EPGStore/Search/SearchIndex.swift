import EPGModel
import GRDB
import Glibc

/// The search index, in a database file of its own beside the guide: the words of programmes.
///
/// Programmes never change. The index holds the words of all programmes up to a number, its *mark*, and is updated by adding
/// those above it. Words of programmes that the guide has removed stay; they have no airing, so no search finds them.
/// Apart from the guide, the index is written on another core, and no schedule waits for it.
final class SearchIndex: Sendable {
    struct Mark {
        /// The number of the last programme whose words are in it.
        var programme: Int64 = 0
        /// The generation at which entries were last counted and compared with the guide; -1 for none.
        var verified: Int64 = -1
        /// The content key of its guide; `nil` where another version of the program wrote it.
        fileprivate(set) var key: ContentHash?

        /// Whether it holds programmes of a guide, though maybe not all of them.
        func isFilled(for guide: GuideState) -> Bool { programme > 0 && key == guide.contentKey }

        /// Whether it holds all that can be found in a guide.
        func isCurrent(for guide: GuideState) -> Bool { isFilled(for: guide) && programme == guide.nextProgramme - 1 }
    }

    /// The layout of the tables, in `user_version`. Layout 3 had the airings of programmes, too.
    private static let layout: Int64 = 4

    let queue: DatabaseQueue

    static func path(ofGuide path: String) -> String { GuideFile.target(of: path) + "-search" }

    /// Opens the index of a guide for writing. Creates it where there is none, where it is another guide's, and where it can't
    /// be read.
    ///
    /// - Parameter keepsLog: Whether the index is read while it is written; see ``Connections/keepLog(_:)``.
    init(ofGuide path: String, key: ContentHash, keepsLog: Bool) throws {
        let file = Self.path(ofGuide: path)
        do {
            queue = try Self.open(file, key: key, keepsLog: keepsLog)
        } catch let error as DatabaseError
            where [.SQLITE_NOTADB, .SQLITE_CORRUPT, .SQLITE_ERROR].contains(error.resultCode)
        {
            for suffix in ["", "-wal", "-shm", "-journal"] { unlink(file + suffix) }
            queue = try Self.open(file, key: key, keepsLog: keepsLog)
        }
    }

    private static func open(_ file: String, key: ContentHash, keepsLog: Bool) throws -> DatabaseQueue {
        let queue = try Connections.writer(path: file, cacheKiB: 4 << 10)
        try queue.writeWithoutTransaction { database in
            // Setting what is set already would write a page.
            if try Int.fetchOne(database, sql: "PRAGMA auto_vacuum") != 2 {
                try database.execute(sql: "PRAGMA auto_vacuum = INCREMENTAL")
            }
            if keepsLog { try Connections.keepLog(database) }
            try database.inTransaction(.immediate) {
                try prepare(database, key: key)
                return .commit
            }
        }
        return queue
    }

    /// The error that an error of SQLite means while an index is read: a statement that SQLite doesn't take (`SQLITE_ERROR`) is
    /// no damage of the file, and an interrupted reading is not an error of the store.
    static func failure(_ error: DatabaseError, ofGuide path: String) -> any Error {
        let path = Self.path(ofGuide: path)
        return switch error.resultCode {
        case .SQLITE_INTERRUPT: error
        // The import that filled a new index was killed: the next one takes back what it wrote.
        case .SQLITE_READONLY where error.extendedResultCode == .SQLITE_READONLY_ROLLBACK: SearchIndexMissing()
        case .SQLITE_ERROR: StoreError.inaccessible(path: path, detail: error.message ?? "\(error.resultCode)")
        case .SQLITE_NOTADB: StoreError.damaged(path: path, detail: error.message ?? "it isn't a database")
        default: StoreError(error, path: path) ?? error
        }
    }

    /// Creates the tables where there are none, and replaces those of another guide or another layout.
    private static func prepare(_ database: Database, key: ContentHash) throws {
        if try database.tableExists("mark") {
            if try mark(database).key == key { return }
            let guide = try Row.fetchOne(database, sql: "SELECT guide_key FROM mark")
            if try layout(of: database) == 3, guide?.bytes("guide_key") == key.blob {
                // Its words are the same.
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
                    -- The content key of the guide that it belongs to.
                    guide_key   BLOB NOT NULL,
                    programme   INTEGER NOT NULL,
                    verified    INTEGER NOT NULL
                ) STRICT;
                CREATE VIRTUAL TABLE text USING fts5 (
                    title, subtitle, description,
                    content = '', columnsize = 0, tokenize = "unicode61 remove_diacritics 2 categories '\(SearchText.categories)'"
                );
                -- Measured: a hash table that fits the second-level cache, and segments that are merged only when they are
                -- many, take half of the time of SQLite's defaults. 64 segments are merged at once: merging them bit by bit
                -- would keep old and new copies side by side for many imports.
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

    static func mark(_ database: Database) throws -> Mark {
        guard try layout(of: database) == layout else { return Mark() }
        guard let row = try Row.fetchOne(database, sql: "SELECT * FROM mark") else { return Mark() }
        return Mark(
            programme: row["programme"], verified: row["verified"], key: ContentHash(blob: row.bytes("guide_key")))
    }

    static func setMark(_ mark: Mark, in database: Database) throws {
        try database.execute(
            sql: "UPDATE mark SET programme = ?, verified = ?", arguments: [mark.programme, mark.verified])
    }

    /// The number of programmes with words in the index, those that the guide has removed among them.
    ///
    /// FTS5 counts its rows in the first number of its averages record (SQLite's `fts5_index.c`, `FTS5_AVERAGES_ROWID`), a
    /// varint: seven bits a byte, the highest first, the top bit where more follow.
    static func entryCount(_ database: Database) throws -> Int64 {
        let record = try Row.fetchOne(database, sql: "SELECT block FROM text_data WHERE id = 1")?.bytes("block") ?? []
        var count: Int64 = 0
        for byte in record.prefix(8) {
            count = count << 7 | Int64(byte & 0x7F)
            if byte < 0x80 { break }
        }
        return count
    }

    /// Removes all words: they may be those of other programmes, where the guide was set back to an earlier state.
    static func clear(_ database: Database) throws {
        try database.execute(sql: "INSERT INTO text (text) VALUES ('delete-all'); UPDATE mark SET programme = 0")
    }

    static func isWorthRebuilding(dead: Int64, entries: Int64) -> Bool { dead > entries / 6 }

    /// Brings the index up to date with its guide; writes nothing where it is.
    ///
    /// Where more than a sixth of the entries are of removed programmes, all words are indexed again. So the index has at most
    /// 6/5 of the entries that it needs, and for each removed programme, at most five entries are written again.
    func refresh(from guide: DatabaseQueue) throws {
        let state = try guide.inDatabase { try GuideState($0) }
        let mark = try queue.inDatabase { try Self.mark($0) }
        if mark.isCurrent(for: state), mark.verified == state.generation { return }
        try queue.writeWithoutTransaction { database in
            try database.inTransaction(.immediate) {
                try guide.inDatabase { try Self.refreshTexts(database, from: $0, in: state) }
                return .commit
            }
            // Free pages go back to the system where they are more than a quarter of the file; each step gives one back.
            let free = try Int64.fetchOne(database, sql: "PRAGMA freelist_count") ?? 0
            let pages = try Int64.fetchOne(database, sql: "PRAGMA page_count") ?? 0
            if free > pages / 4 { _ = try Row.fetchAll(database, sql: "PRAGMA incremental_vacuum") }
        }
    }

    private static func refreshTexts(_ database: Database, from guide: Database, in state: GuideState) throws {
        var mark = try mark(database)
        let last = state.nextProgramme - 1
        let newSQL = "SELECT count(*) FROM programme WHERE id > ?"
        let entries = try entryCount(database) + (Int64.fetchOne(guide, sql: newSQL, arguments: [mark.programme]) ?? 0)
        let dead = entries - Int64(try DigestPiece.liveCount(guide))
        // An index that is ahead of its guide is another one's: a loss of power may take the guide's last commit back.
        if mark.programme > last || dead < 0 || isWorthRebuilding(dead: dead, entries: entries) {
            try clear(database)
            mark.programme = 0
        }
        if mark.programme < last {
            try SearchWriter(database).add(from: guide, above: mark.programme)
            mark.programme = last
        }
        mark.verified = state.generation
        try setMark(mark, in: database)
    }
}
