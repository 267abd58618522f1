@testable import EPGStore
import EPGImport
import EPGModel
import Foundation
import GRDB
import StoreConformance
import TestSupport
import Testing
import XMLTV

/// Databases of earlier versions of epg (Fixtures/make.sh) are migrated to the current version.
@Suite struct MigrationTests {
    private static let folder = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "Fixtures")

    /// Returns a copy of a fixture in its own folder.
    private func fixture(_ name: String) throws -> ScratchGuide {
        let scratch = try ScratchGuide()
        let gzip = Process()
        gzip.executableURL = URL(filePath: "/bin/gzip")
        gzip.arguments = ["-dc", Self.folder.appending(path: name + ".sqlite.gz").path]
        try #require(FileManager.default.createFile(atPath: scratch.path, contents: nil))
        let file = try FileHandle(forWritingTo: URL(filePath: scratch.path))
        gzip.standardOutput = file
        try gzip.run()
        gzip.waitUntilExit()
        try #require(gzip.terminationStatus == 0)
        return scratch
    }

    private func migrated(_ name: String) throws -> ScratchGuide {
        let scratch = try fixture(name)
        try GuideStore(writingTo: scratch.path).close()
        return scratch
    }

    /// Returns the rows of all tables without random values, values that depend on the clock, and digests, whose key is random.
    private func content(_ path: String) throws -> [String: [String]] {
        let excluded: [String: Set<String>] = [
            "guide": ["content_key"], "coverage": ["listings"], "transmission": ["hash"], "generation": ["nonce"],
            "import": ["diagnostics_digest"],
            "source_state": [
                "last_attempt", "last_success", "last_modified", "body_hash", "last_error", "last_ending",
                "last_duration",
                "failures", "not_before",
            ],
        ]
        return try RawDatabase.read(path) { database in
            let names = try String.fetchAll(
                database,
                sql: "SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite_%'")
            var tables: [String: [String]] = [:]
            for name in names where name != "programme_digest" {
                let columns = try database.columns(in: name).map(\.name).filter {
                    !(excluded[name]?.contains($0) ?? false)
                }
                let line = columns.map { "quote(\"\($0)\")" }.joined(separator: " || '|' || ")
                tables[name] = try String.fetchAll(database, sql: "SELECT \(line) FROM \(name) ORDER BY 1")
            }
            return tables
        }
    }

    private func sample(_ name: String) throws -> ChunkSource {
        let package = Self.folder.appending(path: "../../../..")
        return ChunkSource(Array(try Data(contentsOf: package.appending(path: "sample-data").appending(path: name))))
    }

    private func far() throws -> ChunkSource {
        ChunkSource(Array(try Data(contentsOf: Self.folder.appending(path: "far.xml"))))
    }

    private let evening = Source(name: "evening", timeZone: "Europe/London")
    private let farSource = Source(name: "far", location: "http://127.0.0.1:8099/far.xml", priority: 5)

    /// Creates the guide of Fixtures/make.sh with this version.
    private func new(at times: [Instant]) throws -> ScratchGuide {
        let scratch = try ScratchGuide()
        let importer = GuideImporter(store: try scratch.store)
        try #require(times.count == 6)
        _ = try importer.importGuide(sample("evening.xml"), as: evening, now: times[0])
        _ = try importer.importLineup(GuideFile(sample("evening.m3u")), named: "living-room", now: times[1])
        _ = try importer.importGuide(sample("oddities.xml"), as: Source(name: "oddities"), now: times[2])
        _ = try importer.importGuide(sample("evening-next.xml"), as: evening, now: times[3])
        try scratch.store.setMapping(
            "The Larder", to: StationID("larder.example"), matcher: StationMatcher(), now: times[4])
        try scratch.store.save(farSource, now: times[4])
        try scratch.store.save(
            Source(
                name: "gone", location: "http://127.0.0.1:8099/none.xml", shift: 60, interval: 3600, stations: ["far*"],
                encoding: "windows-1252"), now: times[4])
        _ = try importer.importGuide(far(), as: farSource, now: times[5])
        try scratch.store.saveState(SourceState(), ofSource: "gone")
        try scratch.close()
        return scratch
    }

    // MARK: - Content

    @Test(arguments: ["guide-5", "guide-6", "guide-7", "guide-8"]) func migratedGuideEqualsNewGuide(name: String) throws
    {
        let migrated = try migrated(name)
        let times = try RawDatabase.read(migrated.path) {
            try Int64.fetchAll($0, sql: "SELECT at FROM generation ORDER BY generation").map(
                Instant.init(secondsSince1970:))
        }
        let new = try new(at: times)
        var (found, expected) = (try content(migrated.path), try content(new.path))
        // Until schema 9, imports kept the empty title of far.xml.
        found["programme"] = found["programme"]?.map { $0.replacing(#"{"@lang":"de"},"#, with: "") }
        expected["programme"]?.sort()
        found["programme"]?.sort()
        expectEqual(Set(found.keys), Set(expected.keys))
        for table in expected.keys.sorted() { expectEqual(found[table], expected[table], "\(table)") }
        // The fixture has rows in all tables of its version.
        for table in expected.keys where table != "grdb_migrations" {
            let isEmpty = ["favorite", "watch_rule", "reminder", "profile"].contains(table)
            expectEqual(found[table]?.isEmpty, isEmpty, "\(table)")
        }
    }

    @Test(arguments: ["guide-5", "empty-5", "guide-6", "empty-6", "guide-7", "empty-7", "guide-8", "empty-8"])
    func migratedGuideHasCurrentSchemaAndIsIntact(name: String) throws {
        let scratch = try migrated(name)
        let store = try GuideStore(readingFrom: scratch.path)
        try expectEqual(store.read { try Schema.difference(of: $0) }, nil)
        try expectEqual(store.check().problems, [])
        try expectEqual(RawDatabase.number(scratch.path, "PRAGMA user_version"), 9)
        // Only the migration from version 5 replaces large tables, and frees their space.
        if name.hasSuffix("5") { try expectEqual(RawDatabase.number(scratch.path, "PRAGMA freelist_count"), 0) }
        try store.close()
    }

    @Test func migrationKeepsUnchangedContent() throws {
        let scratch = try fixture("guide-5")
        let unchanged = ["guide", "source", "airing", "import", "diagnostic"]
        let coverage = "SELECT source_id || '|' || station_id || '|' || start || '|' || stop FROM coverage ORDER BY 1"
        let state = """
            SELECT source_id || '|' || quote(last_attempt) || quote(last_success) || quote(entity_tag) || quote(last_modified)
                || quote(body_hash) || quote(last_error) || quote(last_ending) || quote(last_duration) || quote(failures)
                || quote(not_before) FROM source_state ORDER BY source_id
            """
        func rows() throws -> (GuideDump, coverage: [String], states: [String]) {
            let dump = try GuideDump(path: scratch.path, tables: unchanged)
            return try RawDatabase.read(scratch.path) {
                (dump, try String.fetchAll($0, sql: coverage), try String.fetchAll($0, sql: state))
            }
        }
        let before = try rows()
        try GuideStore(writingTo: scratch.path).close()
        let after = try rows()
        expectEqual(before, after)
        #expect(after.states.count == 4 && after.states.contains { $0.contains("GMT") })
        expectEqual(after.coverage.isEmpty, false)
    }

    @Test(arguments: ["6", "7", "8"]) func migrationKeepsContent(fromVersion version: String) throws {
        let scratch = try fixture("guide-\(version)")
        var expected = try GuideDump(path: scratch.path)
        expectEqual(expected.tables["grdb_migrations"], ["'\(version)'"])
        if version == "6" { expected.tables["favorite"] = [] }
        expected.tables["grdb_migrations"] = ["'9'"]
        for table in ["watch_rule", "reminder", "profile"] { expected.tables[table] = [] }
        if version != "8" {
            expected.tables["programme"] = expected.tables["programme"]?.map { $0 + "|0" }
            expected.tables["mapping"] = expected.tables["mapping"]?.map { $0 + "|NULL" }
        }
        let digests =
            "SELECT hex(substr(digests, 1, 36)) || hex(substr(digests, -4)) FROM programme_digest ORDER BY first_id"
        let digestsBefore = try RawDatabase.read(scratch.path) { try String.fetchAll($0, sql: digests) }
        try GuideStore(writingTo: scratch.path).close()
        var migrated = try GuideDump(path: scratch.path)
        // Since version 8, each digest has four more bytes, for the episode.
        migrated.tables["programme_digest"] = expected.tables["programme_digest"]
        expectEqual(migrated, expected)
        try expectEqual(RawDatabase.read(scratch.path) { try String.fetchAll($0, sql: digests) }, digestsBefore)
    }

    @Test func importAfterMigrationUpdatesDigestsOnce() throws {
        let scratch = try migrated("guide-5")
        let importer = GuideImporter(store: try scratch.store)
        let digests = "SELECT hex(digests) FROM programme_digest ORDER BY first_id"
        func imported() throws -> (changed: Bool, digests: [String]) {
            let outcome = try importer.importGuide(far(), as: farSource, now: Instant(secondsSince1970: 1_800_000_000))
            return (outcome.changedGuide, try RawDatabase.read(scratch.path) { try String.fetchAll($0, sql: digests) })
        }
        let migrated = try RawDatabase.read(scratch.path) { try String.fetchAll($0, sql: digests) }
        let (first, second) = (try imported(), try imported())
        // The first one leaves out an empty title that the database still has.
        expectEqual((first.changed, second.changed), (true, false))
        #expect(first.digests != migrated && first.digests == second.digests)
    }

    @Test(arguments: ["guide-5", "guide-6", "guide-8"])
    func migratedGuideSupportsFavoritesAndWatchRulesAndProfiles(name: String) throws {
        let scratch = try migrated(name)
        try scratch.store.setFavorite(StationID("larder.example"), to: 0)
        let rule = try WatchRule(name: "news", WatchConditions(title: "News"))
        try scratch.store.saveWatchRule(rule)
        let profile = try scratch.store.saveProfile(Profile(name: "kids"))
        try expectEqual(scratch.store.favorites(), [StationID("larder.example")])
        try expectEqual((scratch.store.watchRules(), scratch.store.profiles()), ([rule], [profile]))
        try expectEqual(scratch.store.check().isIntact, true)
        try scratch.close()
    }

    /// Version 5 stored U+0000 of JSON guides.
    @Test func nullCharactersAreReplaced() throws {
        let scratch = try fixture("guide-5")
        try RawDatabase.write(scratch.path, "UPDATE programme SET title = 'a' || char(0) || 'b' WHERE id = 1")
        try GuideStore(writingTo: scratch.path).close()
        let titles = try RawDatabase.read(scratch.path) {
            try String.fetchAll($0, sql: "SELECT title FROM programme WHERE id = 1")
        }
        expectEqual(titles, ["a\u{FFFD}b"])
    }

    @Test func equalListingsAreRecognizedByBytesAndContent() throws {
        let scratch = try migrated("guide-5")
        let importer = GuideImporter(store: try scratch.store)
        let now = Instant(secondsSince1970: 1_800_000_000)
        let again = try importer.importGuide(far(), as: farSource, now: now)
        // The programme whose empty title the database still has.
        expectEqual((again.changedGuide, again.programmesInserted), (true, 1))
        // Only the content shows that these different bytes have the same meaning.
        let text = String(decoding: try Data(contentsOf: Self.folder.appending(path: "far.xml")), as: UTF8.self)
        let other = text.replacing("</programme>", with: " <!-- the same --> </programme>")
        let outcome = try importer.importGuide(ChunkSource(Array(other.utf8)), as: farSource, now: now)
        expectEqual((outcome.changedGuide, outcome.programmesInserted), (false, 0))
    }

    @Test func migrationAddsNoncesAndKeepsLog() throws {
        let scratch = try migrated("guide-5")
        let store = try GuideStore(readingFrom: scratch.path)
        let nonces = try (1...6).map { try store.version(of: Generation($0))?.nonce }
        #expect(Set(nonces).count == 6 && !nonces.contains(nil))
        let changes = try #require(try store.changes(since: Generation(3)))
        #expect(changes.stations.contains { if case .airings = $0.extent { true } else { false } })
        #expect(changes.stations.contains { $0.extent == .whole })
        try store.close()
    }

    // MARK: - Time of migration

    @Test(arguments: [5, 6, 7, 8]) func readerRejectsOlderGuide(version: Int) throws {
        let scratch = try fixture("guide-\(version)")
        let bytes = try Data(contentsOf: URL(filePath: scratch.path))
        let error = StoreError.olderSchema(path: scratch.path, found: version, known: 9)
        #expect(throws: error) { try GuideStore(readingFrom: scratch.path) }
        #expect(throws: error) { try GuideDatabase(path: scratch.path).read { _ in } }
        try expectEqual(Data(contentsOf: URL(filePath: scratch.path)), bytes)
        try GuideDatabase(path: scratch.path).write { _ in }
        try GuideDatabase(path: scratch.path).read { _ in }
    }

    @Test(arguments: [5, 6, 7, 8]) func migratedGuideIsNotMigratedAgain(version: Int) throws {
        let scratch = try fixture("guide-\(version)")
        let first = try GuideStore(writingTo: scratch.path)
        expectEqual(first.migratedVersion, version)
        try first.close()
        let second = try GuideStore(writingTo: scratch.path)
        expectEqual(second.migratedVersion, nil)
        try second.close()
        try expectEqual(RawDatabase.number(scratch.path, "SELECT count(*) FROM grdb_migrations"), 1)
    }

    @Test(arguments: ["guide-5", "guide-6", "guide-7", "guide-8"])
    func olderBackupIsMigratedOnRestore(name: String) throws {
        let (backup, guide) = (try fixture(name), try ScratchGuide(["one 20:00-21:00 A"]))
        try guide.close()
        let bytes = try Data(contentsOf: URL(filePath: backup.path))
        let report = try GuideDatabase(path: guide.path).restore(
            from: backup.path, now: Day.now, waiting: .never)
        expectEqual(report.restored.airings, 478)
        try expectEqual(GuideStore(readingFrom: guide.path).check().isIntact, true)
        try expectEqual(Data(contentsOf: URL(filePath: backup.path)), bytes)
    }

    // MARK: - Failures

    @Test func failedMigrationKeepsVersion5() throws {
        let scratch = try fixture("guide-5")
        try RawDatabase.write(scratch.path, "CREATE TABLE favorite (feed_id TEXT)")
        let before = try GuideDump(path: scratch.path)
        let error = StoreError.migrationFailed(path: scratch.path, detail: "table favorite already exists")
        #expect(throws: error) { try GuideStore(writingTo: scratch.path) }
        try expectEqual(GuideDump(path: scratch.path), before)
        try expectEqual(RawDatabase.number(scratch.path, "PRAGMA user_version"), 5)
    }

    @Test(arguments: [
        "UPDATE programme SET document = x'0105' WHERE id = 7",
        "UPDATE change SET airings = x'FF' WHERE generation = 4",
        "DELETE FROM programme_digest", "CREATE TRIGGER t AFTER INSERT ON airing BEGIN DELETE FROM source; END",
    ])
    func damagedGuideIsUnchanged(sql: String) throws {
        let scratch = try fixture("guide-5")
        try RawDatabase.write(scratch.path, sql)
        let before = try GuideDump(path: scratch.path)
        #expect {
            try GuideStore(writingTo: scratch.path)
        } throws: { error in
            if case StoreError.migrationFailed = error { true } else { false }
        }
        try expectEqual(GuideDump(path: scratch.path), before)
        try expectEqual(RawDatabase.number(scratch.path, "PRAGMA user_version"), 5)
    }
}
