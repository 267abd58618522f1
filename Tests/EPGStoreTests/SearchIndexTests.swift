import EPGImport
import EPGModel
import EPGSearch
import Foundation
import GRDB
import StoreConformance
import TestSupport
import Testing

@testable import EPGStore

/// The search index is a separate file that is updated or rebuilt to match the guide.
@Suite struct SearchIndexTests {
    private func titles(_ words: String, _ scratch: ScratchGuide) throws -> [String] {
        try scratch.store.search(SearchQuery(words: words, now: Day.now, order: .start)).matches.map(\.airing.title)
    }

    private func deleteIndex(_ scratch: ScratchGuide) throws {
        try scratch.close()
        for suffix in ["-search", "-search-wal", "-search-shm"]
        where FileManager.default.fileExists(atPath: scratch.path + suffix) {
            try FileManager.default.removeItem(atPath: scratch.path + suffix)
        }
    }

    @Test func searchWithoutIndexFails() throws {
        let scratch = try ScratchGuide(["one 20:00-21:00 Alpha"])
        try deleteIndex(scratch)
        let reader = try GuideStore(readingFrom: scratch.path)
        #expect(throws: SearchIndexMissing()) {
            try reader.search(SearchQuery(words: "alpha", now: Day.now, order: .start)).matches
        }
        #expect(throws: SearchIndexMissing()) {
            try reader.search(SearchQuery(words: "alpha", now: Day.now))
        }
        try expectEqual(reader.isSearchIndexCurrent(), false)
        try expectEqual(reader.check().isSearchComplete, false)
        try expectEqual(reader.check().problems, [])
    }

    @Test func outdatedIndexHasInexactTotal() throws {
        let scratch = try ScratchGuide(["one 20:00-21:00 Alpha"])
        try scratch.store.refreshSearchIndex()
        try scratch.close()
        let old = try Data(contentsOf: URL(filePath: scratch.path + "-search"))
        try scratch.importing(["one 20:00-21:00 Beta"])
        try scratch.store.refreshSearchIndex()
        func results(_ words: String) throws -> SearchResults {
            try scratch.store.search(SearchQuery(words: words, now: Day.now))
        }
        try expectEqual((results("beta").total, results("beta").isTotalExact), (1, true))
        try expectEqual(results("alpha"), SearchResults())
        try deleteIndex(scratch)
        try old.write(to: URL(filePath: scratch.path + "-search"))
        for words in ["alpha", "beta"] {
            try expectEqual(results(words), SearchResults(isTotalExact: false))
        }
        try expectEqual(scratch.store.isSearchIndexCurrent(), false)
        try scratch.store.refreshSearchIndex()
        try expectEqual((results("beta").total, results("beta").isTotalExact), (1, true))
    }

    @Test(arguments: [
        (
            """
            WITH RECURSIVE old (id) AS (SELECT 100 UNION ALL SELECT id + 1 FROM old WHERE id < 106)
            INSERT INTO text (rowid, title) SELECT id, 'Old' FROM old
            """, "no longer in the guide: 7 of 9"
        ),
        ("INSERT INTO text (text) VALUES ('delete-all')", "missing from it: 2"),
    ])
    func staleAndMissingEntriesAreReportedAndFixedByNextImport(sql: String, words: String) throws {
        let scratch = try ScratchGuide(["one 20:00-21:00 Alpha", "one 21:00-22:00 Beta"])
        try scratch.store.refreshSearchIndex()
        try scratch.close()
        try RawDatabase.write(scratch.path + "-search", sql)
        let check = try GuideStore(readingFrom: scratch.path).check()
        expectEqual((check.isIntact, check.problems), (false, []))
        expectEqual(check.searchDamage?.contains(words), true, "\(check.searchDamage ?? "")")
        try scratch.importing(["one 22:00-23:00 Gamma"])
        try scratch.store.refreshSearchIndex()
        try expectEqual(scratch.store.check().isIntact, true)
        try expectEqual((titles("alpha", scratch), titles("gamma", scratch)), (["Alpha"], ["Gamma"]))
    }

    /// A killed prune leaves the entries unverified.
    @Test func staleEntriesAreNotDamageBeforeVerification() throws {
        let scratch = try ScratchGuide(["one 20:00-21:00 Alpha"])
        try scratch.store.refreshSearchIndex()
        try scratch.close()
        let stale = "INSERT INTO text (rowid, title) VALUES (100, 'Old')"
        try RawDatabase.write(scratch.path + "-search", stale + "; UPDATE mark SET verified = 0")
        try expectEqual(GuideStore(readingFrom: scratch.path).check().isIntact, true)
        try RawDatabase.write(scratch.path + "-search", "UPDATE mark SET verified = 1")
        try expectEqual(GuideStore(readingFrom: scratch.path).check().isIntact, false)
    }

    @Test(arguments: [
        (ResultCode.SQLITE_CORRUPT, true), (.SQLITE_CORRUPT_VTAB, true), (.SQLITE_NOTADB, true), (.SQLITE_FORMAT, true),
        (.SQLITE_IOERR_SHORT_READ, true), (.SQLITE_ERROR, false), (.SQLITE_INTERRUPT, false), (.SQLITE_BUSY, false),
        (.SQLITE_IOERR_READ, false), (.SQLITE_NOMEM, false),
    ])
    func onlyIndexDamageIsReportedAsDamage(code: ResultCode, isDamage: Bool) {
        let failure = SearchIndex.failure(DatabaseError(resultCode: code), at: "guide.sqlite-search")
        if case StoreError.damaged? = failure as? StoreError {
            expectEqual(isDamage, true)
        } else {
            expectEqual(isDamage, false)
        }
        expectEqual((failure is DatabaseError), (code == .SQLITE_INTERRUPT))
    }

    /// Layout 3 also contained the airings of programmes.
    @Test func entriesOfEarlierVersionAreKept() throws {
        let scratch = try ScratchGuide(["one 20:00-21:00 Alpha"])
        try scratch.store.refreshSearchIndex()
        try scratch.close()
        try RawDatabase.write(
            scratch.path + "-search",
            """
            PRAGMA user_version = 3; ALTER TABLE mark ADD COLUMN generation INTEGER NOT NULL DEFAULT 1;
            CREATE TABLE showing (programme_id INTEGER, airing_id INTEGER); INSERT INTO showing VALUES (1, 1);
            INSERT INTO text (rowid, title) VALUES (2, 'Trace')
            """)
        try scratch.store.refreshSearchIndex()
        try expectEqual(titles("alpha", scratch), ["Alpha"])
        try scratch.close()
        try expectEqual(
            RawDatabase.number(
                scratch.path + "-search", "SELECT count(*) FROM text WHERE text MATCH 'trace'"), 1)
        try expectEqual(RawDatabase.number(scratch.path + "-search", "PRAGMA user_version"), 4)
    }

    @Test func indexOfUnknownVersionIsRebuilt() throws {
        let scratch = try ScratchGuide(["one 20:00-21:00 Alpha"])
        try scratch.store.refreshSearchIndex()
        try scratch.close()
        try RawDatabase.write(scratch.path + "-search", "PRAGMA user_version = 2")
        #expect(throws: SearchIndexMissing.self) { try titles("alpha", scratch) }
        try scratch.importing(["one 21:00-22:00 Beta"])
        try scratch.store.refreshSearchIndex()
        try expectEqual(scratch.store.check().isIntact, true)
        try expectEqual((titles("alpha", scratch), titles("beta", scratch)), (["Alpha"], ["Beta"]))
    }

    /// A power failure can revert the last commit of the guide but not of the index. New programmes then reuse its numbers.
    @Test func indexAheadOfGuideIsClearedByNextImport() throws {
        let scratch = try ScratchGuide(["one 20:00-21:00 Alpha"])
        try scratch.close()
        let guide = try Data(contentsOf: URL(filePath: scratch.path))
        try scratch.importing(["one 20:00-21:00 Beta"])
        try scratch.close()
        try guide.write(to: URL(filePath: scratch.path))
        try scratch.importing(["one 20:00-21:00 Gamma", "one 21:00-22:00 Delta"])
        try scratch.store.refreshSearchIndex()
        try expectEqual((titles("beta", scratch), titles("gamma", scratch)), ([], ["Gamma"]))
        try expectEqual(scratch.store.check().isIntact, true)
    }

    @Test(arguments: [
        "", "no database at all, but longer than the hundred bytes of a header, which is what tells it apart.",
    ])
    func damagedIndexIsRebuilt(content: String) throws {
        let scratch = try ScratchGuide(["one 20:00-21:00 Alpha"])
        try deleteIndex(scratch)
        try content.write(toFile: scratch.path + "-search", atomically: true, encoding: .utf8)
        try scratch.importing(["one 21:00-22:00 Beta"])
        try scratch.store.refreshSearchIndex()
        try expectEqual((titles("alpha", scratch), titles("beta", scratch)), (["Alpha"], ["Beta"]))
    }

    @Test func deletedIndexIsRebuilt() throws {
        let scratch = try ScratchGuide(["one 20:00-21:00 Alpha", "one 21:00-22:00 Beta"])
        try deleteIndex(scratch)
        try scratch.store.refreshSearchIndex()
        try expectEqual(titles("alpha", scratch), ["Alpha"])
        try deleteIndex(scratch)
        // An import before the rebuild must not mark the index as complete.
        try scratch.importing(["one 21:00-22:00 Gamma"])
        try scratch.store.refreshSearchIndex()
        try expectEqual(titles("alpha", scratch), ["Alpha"])
        try expectEqual(titles("gamma", scratch), ["Gamma"])
        try expectEqual(titles("beta", scratch), [])
    }

    @Test func oldCopyOfIndexIsUpdated() throws {
        let scratch = try ScratchGuide(["one 20:00-21:00 Alpha"])
        try scratch.store.refreshSearchIndex()
        try scratch.close()
        let old = try Data(contentsOf: URL(filePath: scratch.path + "-search"))
        try scratch.importing(["one 20:00-21:00 Beta", "one 21:00-22:00 Gamma"])
        try scratch.store.refreshSearchIndex()
        try deleteIndex(scratch)
        try old.write(to: URL(filePath: scratch.path + "-search"))
        try expectEqual(scratch.store.isSearchIndexCurrent(), false)
        try scratch.store.refreshSearchIndex()
        try expectEqual(titles("beta", scratch), ["Beta"])
        try expectEqual(titles("gamma", scratch), ["Gamma"])
        try expectEqual(titles("alpha", scratch), [])
        try expectEqual(scratch.store.isSearchIndexCurrent(), true)
    }

    @Test func indexOfAnotherGuideIsReplaced() throws {
        let other = try ScratchGuide(["one 20:00-21:00 Other", "one 21:00-22:00 Stranger"])
        try other.store.refreshSearchIndex()
        try other.close()
        let scratch = try ScratchGuide(["one 20:00-21:00 Alpha"])
        try deleteIndex(scratch)
        try FileManager.default.copyItem(atPath: other.path + "-search", toPath: scratch.path + "-search")
        try scratch.store.refreshSearchIndex()
        try expectEqual(titles("alpha", scratch), ["Alpha"])
        try expectEqual(titles("stranger", scratch), [])
    }

    @Test func indexAfterManyImportsEqualsNewIndex() throws {
        var generator = SeededGenerator(seed: 3)
        let scratch = try ScratchGuide()
        let words = (0..<40).map { "word\($0)" }
        for round in 0..<15 {
            let start = Int.random(in: 0..<20, using: &generator)
            try scratch.importing(
                (start..<start + 10).map { hour in
                    "one \(hour):00-\(hour):50 \(words.randomElement(using: &generator) ?? "") "
                        + (words.randomElement(using: &generator) ?? "")
                })
            if round % 4 == 3 { _ = try scratch.store.prune(before: Day.instant("\(round):00")) }
            if round % 5 == 4 { try scratch.close() }
        }
        try scratch.store.refreshSearchIndex()
        let expected = try words.map {
            try scratch.store.search(SearchQuery(words: $0, now: Day.now, order: .start)).matches
        }
        try deleteIndex(scratch)
        try scratch.store.refreshSearchIndex()
        try expectEqual(
            words.map { try scratch.store.search(SearchQuery(words: $0, now: Day.now, order: .start)).matches },
            expected)
    }
}
