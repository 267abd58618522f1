import EPGModel
import EPGStore
import Foundation
import GRDB
import StoreConformance
import TestSupport
import Testing

/// The first import of a guide uses no write-ahead log and indexes airings at the end. The result is the same.
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

    @Test func firstImportEnablesWriteAheadLog() throws {
        let empty = try ScratchGuide()
        try empty.store.close()
        let scratch = try ScratchGuide()
        _ = try scratch.store
        try expectEqual(journalMode(scratch.path), "delete")
        try scratch.importing(["one 20:00-21:00 A", "two 20:00-21:00 A"])
        try expectEqual(journalMode(scratch.path), "wal")
        try scratch.store.refreshSearchIndex()
        try expectEqual(journalMode(scratch.path + "-search"), "wal")
        try scratch.close()
        // Readers that cannot create files next to the guide need these files to read the log.
        for suffix in ["-wal", "-shm"] {
            expectEqual(FileManager.default.fileExists(atPath: scratch.path + suffix), true)
        }
        try expectEqual(indexes(scratch.path), indexes(empty.path))
        try expectEqual(indexes(scratch.path).count, 4)
        try expectEqual(scratch.store.check().problems, [])
    }

    @Test func canceledImportKeepsIndexes() throws {
        let scratch = try ScratchGuide()
        let session = try scratch.store.beginImport(of: Source(name: "feed"), now: Day.now)
        session.cancel()
        try scratch.close()
        try expectEqual(indexes(scratch.path).count, 4)
        try scratch.importing(["one 20:00-21:00 A"])
        try expectEqual(scratch.lines(), ["20:00-21:00 A"])
    }

    @Test func guideOfKilledFirstImportIsNotFound() throws {
        let scratch = try ScratchGuide(["one 20:00-21:00 A"])
        try scratch.close()
        try Self.createKilledDatabase(at: scratch.path + "-copy")
        let copy = GuideDatabase(path: scratch.path + "-copy")
        #expect(throws: StoreError.notFound(path: copy.location)) { try copy.read { try $0.generation() } }
    }

    @Test func searchIndexOfKilledImportIsMissing() throws {
        let scratch = try ScratchGuide(["one 20:00-21:00 Apples"])
        try scratch.close()
        for suffix in ["", "-wal", "-shm"] {
            _ = Result { try FileManager.default.removeItem(atPath: scratch.path + "-search" + suffix) }
        }
        try Self.createKilledDatabase(at: scratch.path + "-search")
        let guide = GuideDatabase(path: scratch.path)
        try expectEqual(guide.read { try $0.isSearchIndexCurrent() }, false)
        #expect(throws: SearchIndexMissing.self) {
            try guide.read { try $0.search(SearchQuery(words: "apples", now: Day.now, order: .start)).matches }
        }
        let check = try guide.check()
        expectEqual((check.problems, check.isSearchComplete, check.searchDamage), ([], false, nil))
        try guide.close()
        try scratch.store.refreshSearchIndex()
        try expectEqual(
            scratch.store.search(SearchQuery(words: "apples", now: Day.now, order: .start)).matches.count, 1)
    }

    @Test func readerDuringFirstImportFailsImmediately() throws {
        let scratch = try ScratchGuide()
        let session = try scratch.store.beginImport(of: Source(name: "feed"), now: Day.now)
        defer { session.cancel() }
        let guide = GuideDatabase(path: scratch.path)
        let start = ContinuousClock.now
        #expect(throws: StoreError.notFound(path: scratch.path)) { try guide.read { try $0.generation() } }
        #expect(start.duration(to: .now) < .seconds(3))
    }

    /// Creates a database as a killed process leaves it in rollback mode: with pages of a transaction and its journal.
    private static func createKilledDatabase(at path: String) throws {
        let killed = try DatabaseQueue(path: path + "-killed")
        try killed.writeWithoutTransaction { database in
            try database.execute(sql: "PRAGMA cache_size = 1; CREATE TABLE t (x); BEGIN IMMEDIATE")
            try database.execute(
                sql: """
                    WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 2000)
                    INSERT INTO t SELECT randomblob(1000) FROM n
                    """)
            for suffix in ["", "-journal"] {
                try FileManager.default.copyItem(atPath: path + "-killed" + suffix, toPath: path + suffix)
            }
            try database.execute(sql: "ROLLBACK")
        }
    }
}
