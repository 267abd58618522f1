import EPGModel
import GRDB
import GRDBSQLite

/// The full-text index of programmes, in a database file of its own beside the guide.
///
/// Programmes never change, so the index holds those up to a number, its *mark*, and is brought up to date by adding the
/// ones above it. Programmes that are gone stay in it as entries that lead nowhere until they are more than half of it;
/// then it is made anew. Being apart from the guide, it is written on the second core while the guide is, and no
/// schedule waits for it.
final class SearchIndex: Sendable {
    let queue: DatabaseQueue

    static func path(ofGuide path: String) -> String { path + "-search" }

    /// Opens the index of a guide for writing; makes it where there is none, or where it is another guide's.
    init(ofGuide path: String, key: ContentHash) throws {
        queue = try Connections.writer(path: Self.path(ofGuide: path), cacheKiB: 4 << 10)
        try queue.writeWithoutTransaction { database in
            if try String.fetchOne(database, sql: "PRAGMA journal_mode") != "wal" {
                try database.execute(sql: "PRAGMA journal_mode = WAL")
            }
            try database.inTransaction(.immediate) {
                try Self.prepare(database, key: key)
                return .commit
            }
        }
    }

    private static func prepare(_ database: Database, key: ContentHash) throws {
        if try database.tableExists("mark") {
            let isOurs = try database.firstRow("SELECT guide_key FROM mark") { $0.blob(0) } == key.blob
            if isOurs { return }
            try database.execute(sql: "DROP TABLE mark; DROP TABLE text;")
        }
        try database.execute(
            sql: """
                CREATE TABLE mark (
                    id INTEGER PRIMARY KEY CHECK (id = 1),
                    -- The content key of the guide that it belongs to.
                    guide_key BLOB NOT NULL,
                    -- Programmes up to this number are in the index.
                    programme INTEGER NOT NULL,
                    -- How many were put in.
                    entries INTEGER NOT NULL
                ) STRICT;
                CREATE VIRTUAL TABLE text USING fts5 (
                    title, subtitle, description,
                    content = '', columnsize = 0, tokenize = 'unicode61 remove_diacritics 2'
                );
                INSERT INTO text (text, rank) VALUES ('hashsize', \(24 << 20));
                """)
        try database.run(
            "INSERT INTO mark (id, guide_key, programme, entries) VALUES (1, ?, 0, 0)", .blob(key.blob))
    }

    /// The number up to which programmes are in the index, and how many there are.
    static func mark(_ database: Database) throws -> (programme: Int64, entries: Int64) {
        try database.firstRow("SELECT programme, entries FROM mark") { ($0.integer(0), $0.integer(1)) } ?? (0, 0)
    }

    static func setMark(_ database: Database, programme: Int64, entries: Int64) throws {
        try database.run("UPDATE mark SET programme = ?, entries = ?", .integer(programme), .integer(entries))
    }

    /// Brings the index of a guide up to date.
    static func refresh(of store: GuideStore) throws {
        let index = try store.searchIndex()
        let (next, live) = try store.queue.inDatabase { database in
            (
                try GuideState(database).nextProgramme,
                try database.firstRow("SELECT count(*) FROM programme_hash") { $0.integer(0) } ?? 0
            )
        }
        try StoreError.translating(path: path(ofGuide: store.path)) {
            try index.queue.writeWithoutTransaction { database in
                let mark = try mark(database)
                let isMostlyGone = mark.entries > live * 2 + 10_000
                guard mark.programme < next - 1 || isMostlyGone else { return }
                try database.inTransaction(.immediate) {
                    if isMostlyGone { try database.execute(sql: "INSERT INTO text (text) VALUES ('delete-all')") }
                    let writer = try SearchWriter(database)
                    try store.queue.inDatabase { guide in
                        try writer.add(from: guide, above: isMostlyGone ? 0 : mark.programme)
                    }
                    try setMark(
                        database, programme: next - 1, entries: (isMostlyGone ? 0 : mark.entries) + writer.count)
                    return .commit
                }
            }
        }
    }
}
