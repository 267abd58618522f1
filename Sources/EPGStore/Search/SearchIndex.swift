import EPGModel
import GRDB

/// The search index, in a database file of its own beside the guide: the words of programmes, and the airings that show
/// each of them, called *showings*.
///
/// Programmes never change. The index holds the words of all programmes up to a number, its *mark*, and is brought up to
/// date by adding those above it. Showings are added and removed with the guide's airings. Words of programmes that the guide
/// has removed stay; they have no showing, so no search finds them. When they are more than a sixth of the entries, the words
/// of all programmes are indexed again (see ``refresh(from:)``). Being apart from the guide, the index is written on another
/// core, and no schedule waits for it.
final class SearchIndex: Sendable {
    /// What the index holds.
    struct Mark {
        /// The number of the last programme whose words are in it.
        var programme: Int64 = 0
        /// The generation of the guide whose showings are in it; -1 for none.
        var generation: Int64 = -1
        /// The generation at which entries and showings were last counted and compared with the guide; -1 for none.
        var verified: Int64 = -1
        /// The content key of its guide.
        fileprivate(set) var key: [UInt8] = []
        /// Whether this version of the program wrote it.
        fileprivate(set) var hasCurrentLayout = false

        /// Whether it holds programmes of a guide, though maybe of an earlier generation.
        func isFilled(for guide: GuideState) -> Bool { generation >= 0 && key == guide.contentKey.blob }

        /// Whether it holds all that can be found in a guide, and nothing else.
        func isCurrent(for guide: GuideState) -> Bool {
            isFilled(for: guide) && hasCurrentLayout && generation == guide.generation
                && programme == guide.nextProgramme - 1
        }
    }

    /// The layout of the tables, in `user_version`. Version 1 wrote none, and left removed airings in the index; version 2 took
    /// vowel signs for separators.
    private static let layout: Int64 = 3

    let queue: DatabaseQueue

    static func path(ofGuide path: String) -> String { GuideFile.target(of: path) + "-search" }

    /// Opens the index of a guide for writing. Creates it where there is none, and replaces one of another guide and one that
    /// can't be read: the index holds nothing that the guide doesn't.
    init(ofGuide path: String, key: ContentHash) throws {
        let file = Self.path(ofGuide: path)
        do {
            queue = try Self.open(file, key: key)
        } catch let error as DatabaseError
            where [.SQLITE_NOTADB, .SQLITE_CORRUPT, .SQLITE_ERROR].contains(error.resultCode)
        {
            for suffix in ["", "-wal", "-shm"] { FilePresence.remove(file + suffix) }
            queue = try Self.open(file, key: key)
        }
    }

    private static func open(_ file: String, key: ContentHash) throws -> DatabaseQueue {
        let queue = try Connections.writer(path: file, cacheKiB: 4 << 10)
        try queue.writeWithoutTransaction { database in
            if try String.fetchOne(database, sql: "PRAGMA journal_mode") != "wal" {
                try database.execute(sql: "PRAGMA auto_vacuum = INCREMENTAL; PRAGMA journal_mode = WAL")
            }
            try database.inTransaction(.immediate) {
                try prepare(database, key: key)
                return .commit
            }
            // Layout 1 never gave free pages back. An interrupted VACUUM is made up for at the next opening.
            if try Int.fetchOne(database, sql: "PRAGMA auto_vacuum") != 2 {
                try database.execute(sql: "PRAGMA auto_vacuum = INCREMENTAL; VACUUM")
            }
        }
        return queue
    }

    /// Reads an index of a guide once; `nil` where there is none yet.
    ///
    /// - Throws: `DatabaseError`, and what the body throws.
    static func read<Value>(ofGuide path: String, _ body: (Database) throws -> Value) throws -> Value? {
        let file = Self.path(ofGuide: path)
        guard FilePresence.exists(file) else { return nil }
        return try Connections.reader(path: file, cacheKiB: 8 << 10).read { database in
            try database.tableExists("mark") ? try body(database) : nil
        }
    }

    /// The error that an error of SQLite means while an index is read.
    ///
    /// A statement that SQLite doesn't take (`SQLITE_ERROR`) is no damage of the file; a reading that was stopped
    /// (`SQLITE_INTERRUPT`) is not an error of the store.
    static func failure(_ error: DatabaseError, ofGuide path: String) -> any Error {
        let path = Self.path(ofGuide: path)
        return switch error.resultCode {
        case .SQLITE_INTERRUPT: error
        case .SQLITE_ERROR: StoreError.inaccessible(path: path, detail: error.message ?? "\(error.resultCode)")
        case .SQLITE_NOTADB: StoreError.damaged(path: path, detail: error.message ?? "it isn't a database")
        default: StoreError(error, path: path) ?? error
        }
    }

    /// Creates the tables where there are none, and replaces those of another guide or another layout.
    private static func prepare(_ database: Database, key: ContentHash) throws {
        if try database.tableExists("mark") {
            let mark = try mark(database)
            if mark.hasCurrentLayout, mark.key == key.blob { return }
            try database.execute(sql: "DROP TABLE mark; DROP TABLE text; DROP TABLE showing")
        }
        try database.execute(
            sql: """
                PRAGMA user_version = \(layout);
                CREATE TABLE mark (
                    id          INTEGER PRIMARY KEY CHECK (id = 1),
                    -- The content key of the guide that it belongs to.
                    guide_key   BLOB NOT NULL,
                    programme   INTEGER NOT NULL,
                    generation  INTEGER NOT NULL,
                    verified    INTEGER NOT NULL
                ) STRICT;
                CREATE TABLE showing (
                    programme_id INTEGER NOT NULL,
                    airing_id   INTEGER NOT NULL,
                    PRIMARY KEY (programme_id, airing_id)
                ) STRICT, WITHOUT ROWID;
                CREATE VIRTUAL TABLE text USING fts5 (
                    title, subtitle, description,
                    content = '', columnsize = 0, tokenize = "unicode61 remove_diacritics 2 categories '\(SearchText.categories)'"
                );
                -- Measured: the words wait in a table that fits the cache of the processor, and what that gives is merged
                -- only when there are many segments; that is half the time of SQLite's defaults. Sixteen segments are merged
                -- at once: merging them bit by bit would keep old and new copies side by side for many imports.
                INSERT INTO text (text, rank) VALUES ('hashsize', \(4 << 20));
                INSERT INTO text (text, rank) VALUES ('automerge', 0);
                INSERT INTO text (text, rank) VALUES ('crisismerge', 16);
                """)
        try database.run(
            "INSERT INTO mark (id, guide_key, programme, generation, verified) VALUES (1, ?, 0, -1, -1)",
            .blob(key.blob))
    }

    static func mark(_ database: Database) throws -> Mark {
        let layout = try database.firstRow("PRAGMA user_version") { $0.integer(0) }
        let hasCurrentLayout = layout == Self.layout
        // The other columns are those of every layout.
        let verified = hasCurrentLayout ? "verified" : "-1"
        return try database.firstRow("SELECT programme, generation, \(verified), guide_key FROM mark") { columns in
            Mark(
                programme: columns.integer(0), generation: columns.integer(1), verified: columns.integer(2),
                key: columns.blob(3), hasCurrentLayout: hasCurrentLayout)
        } ?? Mark()
    }

    static func setMark(_ mark: Mark, in database: Database) throws {
        try database.run(
            "UPDATE mark SET programme = ?, generation = ?, verified = ?", .integer(mark.programme),
            .integer(mark.generation), .integer(mark.verified))
    }

    /// Returns how many programmes have words in the index, those that the guide has removed among them.
    ///
    /// FTS5 counts its rows in the first number of its averages record (SQLite's `fts5_index.c`, `FTS5_AVERAGES_ROWID`), a
    /// varint: seven bits a byte, the highest first, the top bit where more follow. The record is of the last transaction.
    static func entryCount(_ database: Database) throws -> Int64 {
        let record = try database.firstRow("SELECT block FROM text_data WHERE id = 1") { $0.blob(0) } ?? []
        var count: Int64 = 0
        for byte in record.prefix(8) {
            count = count << 7 | Int64(byte & 0x7F)
            if byte < 0x80 { break }
        }
        return count
    }

    /// Brings an index of one generation to the next, which has no programme or airing that wasn't there before; does
    /// nothing with an index of another generation.
    ///
    /// - Parameter hidden: The airings that are gone.
    func keepUp(from old: Generation, to new: Generation, without hidden: [Showing]) throws {
        try queue.write { database in
            var mark = try Self.mark(database)
            guard mark.generation == old.rawValue else { return }
            try Self.remove(hidden, from: database)
            mark.generation = new.rawValue
            // Without a removal the counts are those that were verified.
            if hidden.isEmpty, mark.verified == old.rawValue { mark.verified = new.rawValue }
            try Self.setMark(mark, in: database)
        }
    }

    /// Whether so many entries are of removed programmes that all words are better indexed again.
    static func isWorthRebuilding(dead: Int64, entries: Int64) -> Bool { dead > entries / 6 }

    /// Removes showings; those that aren't there are passed over.
    static func remove(_ showings: [Showing], from database: Database) throws {
        guard !showings.isEmpty else { return }
        let delete = try InsertStatement(database, "DELETE FROM showing WHERE programme_id = ? AND airing_id = ?")
        for showing in showings.sorted(by: { ($0.programme, $0.airing) < ($1.programme, $1.airing) }) {
            try delete.run { binder in
                binder.integer(1, showing.programme)
                binder.integer(2, showing.airing)
            }
        }
    }

    /// Compares the showings of an index with the airings of its guide.
    ///
    /// - Returns: How many showings have no airing, and how many airings have no showing.
    static func differences(of index: Database, from guide: Database) throws -> (dead: Int, missing: Int) {
        var airings: [Showing] = []
        try guide.rows("SELECT programme_id, id FROM airing") { columns in
            airings.append(Showing(programme: columns.integer(0), airing: columns.integer(1)))
            return true
        }
        airings.sort { ($0.programme, $0.airing) < ($1.programme, $1.airing) }
        var (dead, missing, next) = (0, 0, 0)
        try index.rows("SELECT programme_id, airing_id FROM showing ORDER BY programme_id, airing_id") { columns in
            let showing = (columns.integer(0), columns.integer(1))
            while next < airings.count, (airings[next].programme, airings[next].airing) < showing {
                missing += 1
                next += 1
            }
            if next < airings.count, (airings[next].programme, airings[next].airing) == showing {
                next += 1
            } else {
                dead += 1
            }
            return true
        }
        return (dead, missing + airings.count - next)
    }

    /// Puts showings in; those that are there already are passed over.
    static func add(_ showings: [Showing], to database: Database) throws {
        let insert = try InsertStatement(
            database, "INSERT OR IGNORE INTO showing (programme_id, airing_id) VALUES (?, ?)")
        // In the order of the key the table only grows at its end.
        for showing in showings.sorted(by: { ($0.programme, $0.airing) < ($1.programme, $1.airing) }) {
            try insert.run { binder in
                binder.integer(1, showing.programme)
                binder.integer(2, showing.airing)
            }
        }
    }
}
