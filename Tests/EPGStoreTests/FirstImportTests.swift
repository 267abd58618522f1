import EPGModel
import EPGStore
import Foundation
import GRDB
import StoreConformance
import Testing

/// A new guide is filled without a write-ahead log, and its airings are indexed at the end; nobody sees a difference.
@Suite struct FirstImportTests {
    private static let indexes = """
        SELECT sql FROM sqlite_schema WHERE type = 'index' AND tbl_name = 'airing' AND sql IS NOT NULL ORDER BY name
        """

    private func indexes(_ path: String) throws -> [String] {
        try RawDatabase.read(path) { try String.fetchAll($0, sql: Self.indexes) }
    }

    private func journalMode(_ path: String) throws -> String? {
        try RawDatabase.read(path) { try String.fetchOne($0, sql: "PRAGMA journal_mode") }
    }

    @Test func theLogBeginsWithTheFirstImport() throws {
        let empty = try ScratchGuide()
        try empty.store.close()
        let scratch = try ScratchGuide()
        _ = try scratch.store
        #expect(try journalMode(scratch.path) == "delete")
        try scratch.importing(["one 20:00-21:00 A", "two 20:00-21:00 A"])
        #expect(try journalMode(scratch.path) == "wal")
        try scratch.store.refreshSearchIndex()
        #expect(try journalMode(scratch.path + "-search") == "wal")
        try scratch.close()
        // Who may not make files beside the guide finds those that SQLite reads a log with.
        for suffix in ["-wal", "-shm"] { #expect(FileManager.default.fileExists(atPath: scratch.path + suffix)) }
        #expect(try indexes(scratch.path) == indexes(empty.path))
        #expect(try indexes(scratch.path).count == 3)
        #expect(try scratch.store.check().problems == [])
    }

    @Test func anImportThatIsGivenUpLeavesTheIndexes() throws {
        let scratch = try ScratchGuide()
        let session = try scratch.store.beginImport(of: Source(name: "feed"), now: Day.now)
        session.cancel()
        try scratch.close()
        #expect(try indexes(scratch.path).count == 3)
        try scratch.importing(["one 20:00-21:00 A"])
        #expect(try scratch.lines() == ["20:00-21:00 A"])
    }

    @Test func aJournalThatAKilledImportLeftIsNoGuide() throws {
        let scratch = try ScratchGuide(["one 20:00-21:00 A"])
        try scratch.close()
        // What a kill leaves of a database that has never had a log: pages of a transaction, and the journal that undoes them.
        let path = scratch.path + "-killed"
        let killed = try DatabaseQueue(path: path)
        try killed.writeWithoutTransaction { database in
            try database.execute(sql: "PRAGMA cache_size = 1; CREATE TABLE t (x); BEGIN IMMEDIATE")
            try database.execute(
                sql: """
                    WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 2000)
                    INSERT INTO t SELECT randomblob(1000) FROM n
                    """)
            for suffix in ["", "-journal"] {
                try FileManager.default.copyItem(atPath: path + suffix, toPath: scratch.path + "-copy" + suffix)
            }
            try database.execute(sql: "ROLLBACK")
        }
        let copy = GuideDatabase(path: scratch.path + "-copy")
        #expect(throws: StoreError.notFound(path: copy.location)) { try copy.read { try $0.generation() } }
    }
}
