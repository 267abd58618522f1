import EPGModel
import GRDB

/// The index for searches, in a database file of its own beside the guide: the words of programmes, and the airings that
/// show each of them.
///
/// Programmes never change, so the words of those up to a number are in it, its *mark*, and it is brought up to date by
/// adding the ones above. Entries whose programme or airing is gone lead nowhere; when they are more than half, the index
/// is made anew. Being apart from the guide it is written on the second core, and no schedule waits for it.
final class SearchIndex: Sendable {
    /// What the index holds.
    struct Mark {
        /// Words of programmes up to this number are in it.
        var programme: Int64 = 0
        /// How many programmes were put in.
        var entries: Int64 = 0
        /// Showings of the guide of this generation are in it; -1 for none.
        var generation: Int64 = -1
        /// How many showings were put in.
        var showings: Int64 = 0
    }

    let queue: DatabaseQueue

    static func path(ofGuide path: String) -> String { path + "-search" }

    /// Opens the index of a guide for writing; makes it where there is none, where it is another guide's, and where it
    /// can't be read: it holds nothing that the guide doesn't.
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
                try database.execute(sql: "PRAGMA journal_mode = WAL")
            }
            try database.inTransaction(.immediate) {
                try prepare(database, key: key)
                return .commit
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
        return try Connections.reader(path: file).read { database in
            try database.tableExists("mark") ? try body(database) : nil
        }
    }

    private static func prepare(_ database: Database, key: ContentHash) throws {
        if try database.tableExists("mark") {
            let isOurs = try database.firstRow("SELECT guide_key FROM mark") { $0.blob(0) } == key.blob
            if isOurs { return }
            try database.execute(sql: "DROP TABLE mark; DROP TABLE text; DROP TABLE showing")
        }
        try database.execute(
            sql: """
                CREATE TABLE mark (
                    id          INTEGER PRIMARY KEY CHECK (id = 1),
                    -- The content key of the guide that it belongs to.
                    guide_key   BLOB NOT NULL,
                    programme   INTEGER NOT NULL,
                    entries     INTEGER NOT NULL,
                    generation  INTEGER NOT NULL,
                    showings    INTEGER NOT NULL
                ) STRICT;
                CREATE TABLE showing (
                    programme_id INTEGER NOT NULL,
                    airing_id   INTEGER NOT NULL,
                    PRIMARY KEY (programme_id, airing_id)
                ) STRICT, WITHOUT ROWID;
                CREATE VIRTUAL TABLE text USING fts5 (
                    title, subtitle, description,
                    content = '', columnsize = 0, tokenize = 'unicode61 remove_diacritics 2'
                );
                -- Measured: the words wait in a table that fits the cache of the processor, and what that gives is merged
                -- only when there are many pieces; that is half the time of SQLite's defaults.
                INSERT INTO text (text, rank) VALUES ('hashsize', \(4 << 20));
                INSERT INTO text (text, rank) VALUES ('automerge', 0);
                INSERT INTO text (text, rank) VALUES ('crisismerge', 64);
                """)
        try database.run(
            "INSERT INTO mark (id, guide_key, programme, entries, generation, showings) VALUES (1, ?, 0, 0, -1, 0)",
            .blob(key.blob))
    }

    static func mark(_ database: Database) throws -> Mark {
        try database.firstRow("SELECT programme, entries, generation, showings FROM mark") { columns in
            Mark(
                programme: columns.integer(0), entries: columns.integer(1), generation: columns.integer(2),
                showings: columns.integer(3))
        } ?? Mark()
    }

    static func setMark(_ mark: Mark, in database: Database) throws {
        try database.run(
            "UPDATE mark SET programme = ?, entries = ?, generation = ?, showings = ?", .integer(mark.programme),
            .integer(mark.entries), .integer(mark.generation), .integer(mark.showings))
    }

    /// Notes that a change of the guide brought no entries; those that it took away lead nowhere.
    func keepUp(from old: Generation, to new: Generation) throws {
        try queue.write { database in
            try database.run(
                "UPDATE mark SET generation = ? WHERE generation = ?", .integer(new.rawValue), .integer(old.rawValue))
        }
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
