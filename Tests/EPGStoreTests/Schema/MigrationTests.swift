@testable import EPGStore
import EPGImport
import EPGModel
import EPGRefresh
import EPGSQL
import Foundation
import GRDB
import Logging
import StoreConformance
import TestSupport
import Testing
import XMLTV

/// A fetcher of a guide without sources.
private struct NothingFetcher: Fetcher {
    func fetch(_ request: EPGRefresh.FetchRequest, watch: FetchObserver) throws(FetchError) -> FetchResult {
        throw FetchError(location: "", reason: .empty)
    }
}

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

    @Test(arguments: ["guide-9", "guide-10", "guide-11", "guide-12", "guide-13"])
    func migratedGuideEqualsNewGuide(name: String) throws {
        let migrated = try migrated(name)
        let times = try RawDatabase.read(migrated.path) {
            try Int64.fetchAll($0, sql: "SELECT at FROM generation ORDER BY generation").map(
                Instant.init(secondsSince1970:))
        }
        let new = try new(at: times)
        let (found, expected) = (try content(migrated.path), try content(new.path))
        expectEqual(Set(found.keys), Set(expected.keys))
        for table in expected.keys.sorted() { expectEqual(found[table], expected[table], "\(table)") }
        // The fixture has rows in all tables of an import.
        for table in expected.keys where table != "grdb_migrations" {
            let isEmpty = [
                "favorite", "watch_rule", "reminder", "profile", "setting", "former_channel", "channel_change",
            ].contains(table)
            expectEqual(found[table]?.isEmpty, isEmpty, "\(table)")
        }
    }

    @Test(arguments: [
        "guide-9", "empty-9", "guide-10", "empty-10", "guide-11", "empty-11", "guide-12", "empty-12",
        "guide-13", "empty-13",
    ])
    func migratedGuideHasCurrentSchemaAndIsIntact(
        name: String
    ) throws {
        let scratch = try migrated(name)
        let store = try GuideStore(readingFrom: scratch.path)
        try expectEqual(store.read { try Schema.difference(of: $0) }, nil)
        try expectEqual(store.check().problems, [])
        try expectEqual(RawDatabase.number(scratch.path, "PRAGMA user_version"), 14)
        try store.close()
    }

    @Test func migrationKeepsContentAndAddsGenres() throws {
        let scratch = try fixture("guide-9")
        var expected = try GuideDump(path: scratch.path)
        expectEqual(expected.tables["grdb_migrations"], ["'9'"])
        expected.tables["grdb_migrations"] = ["'14'"]
        let without = "id, title, subtitle, category, description, is_new, is_premiere, is_live, document, is_derived"
        func programmes() throws -> [String] {
            let line = without.split(separator: ", ").map { "quote(\($0))" }.joined(separator: " || '|' || ")
            return try RawDatabase.read(scratch.path) { try String.fetchAll($0, sql: "SELECT \(line) FROM programme") }
        }
        let before = try programmes()
        try GuideStore(writingTo: scratch.path).close()
        var migrated = try GuideDump(path: scratch.path)
        try expectEqual(programmes(), before)
        expectEqual(migrated.tables["setting"], [])
        let added = [
            "source": "|NULL|''|NULL|0|NULL|''|1", "lineup": "|NULL", "airing": "|NULL",
            "import": "|0",
        ]
        for (table, columns) in added {
            expectEqual(migrated.tables[table], expected.tables[table]?.map { $0 + columns })
            (migrated.tables[table], expected.tables[table]) = (nil, nil)
        }
        // Channels with catch-up get its days.
        expectEqual(
            migrated.tables["channel"]?.map { $0.split(separator: "|").dropLast().joined(separator: "|") },
            expected.tables["channel"]?.map { $0.split(separator: "|").joined(separator: "|") })
        (migrated.tables["channel"], expected.tables["channel"]) = (nil, nil)
        for table in ["former_channel", "channel_change"] {
            expectEqual(migrated.tables[table], [])
            migrated.tables[table] = nil
        }
        for table in ["programme", "setting"] {
            (migrated.tables[table], expected.tables[table]) = (nil, nil)
        }
        expectEqual(migrated, expected)
        // evening.xml has the categories Drama, News, Sports and others: 0x10, 0x20 and 0x40.
        let genres = try RawDatabase.read(scratch.path) {
            try Int.fetchSet($0, sql: "SELECT DISTINCT genre & 240 FROM programme")
        }
        #expect(genres.isSuperset(of: [0x10, 0x20, 0x40]))
    }

    @Test func migrationKeepsWatchRulesAndReminders() throws {
        let scratch = try fixture("guide-12")
        try RawDatabase.write(
            scratch.path,
            """
            INSERT INTO watch_rule (id, name, profile, title, is_new, is_once, minutes_before, created_at)
            VALUES (7, 'news', 'anna', 'News', 0, 1, 10, 5);
            INSERT INTO reminder (key, target, rule_id, airing_id, feed_id, start, stop, title, generation, siblings, state,
                failures, changed_at)
            VALUES ('k', 'phone', 7, 1, 'one', 0, 1, 'News', 1, '[]', 'sent', 0, 0)
            """)
        try GuideStore(writingTo: scratch.path).close()
        let store = try GuideStore(readingFrom: scratch.path)
        let rule = try WatchRule(
            id: 7, name: "news", profile: "anna", WatchConditions(title: "News"), isOncePerEpisode: true,
            minutesBefore: 10, created: Instant(secondsSince1970: 5))
        try expectEqual(store.watchRules(), [rule])
        try expectEqual(store.reminders().map(\.key), ["k"])
        try expectEqual(store.check().problems, [])
        try store.close()
    }

    @Test func migratedProfileAcceptsNoRules() throws {
        let scratch = try fixture("guide-13")
        try RawDatabase.write(
            scratch.path,
            "INSERT INTO profile (name, document, version, hidden_categories) VALUES ('kids', '{}', 3, '[]')")
        try GuideStore(writingTo: scratch.path).close()
        let store = try GuideStore(readingFrom: scratch.path)
        try expectEqual(store.profiles(), [Profile(name: "kids", version: 3)])
        try store.close()
    }

    // MARK: - Time of migration

    @Test func readerRejectsOlderGuide() throws {
        let scratch = try fixture("guide-9")
        let bytes = try Data(contentsOf: URL(filePath: scratch.path))
        let error = StoreError.olderSchema(path: scratch.path, found: 9, known: 14)
        #expect(throws: error) { try GuideStore(readingFrom: scratch.path) }
        #expect(throws: error) { try GuideDatabase(path: scratch.path).read { _ in } }
        try expectEqual(Data(contentsOf: URL(filePath: scratch.path)), bytes)
        try GuideDatabase(path: scratch.path).write { _ in }
        try GuideDatabase(path: scratch.path).read { _ in }
    }

    @Test func migratedGuideIsNotMigratedAgain() throws {
        let scratch = try fixture("guide-9")
        let first = try GuideStore(writingTo: scratch.path)
        expectEqual(first.migratedVersion, 9)
        try first.close()
        let second = try GuideStore(writingTo: scratch.path)
        expectEqual(second.migratedVersion, nil)
        try second.close()
        try expectEqual(RawDatabase.number(scratch.path, "SELECT count(*) FROM grdb_migrations"), 1)
    }

    @Test func importAfterMigrationFindsNothingNew() throws {
        let scratch = try migrated("guide-9")
        let importer = GuideImporter(store: try scratch.store)
        let again = try importer.importGuide(far(), as: farSource, now: Instant(secondsSince1970: 1_800_000_000))
        expectEqual((again.changedGuide, again.programmesInserted), (false, 0))
    }

    /// A cron job goes on after an upgrade.
    @Test func refreshMigratesFirst() throws {
        let scratch = try fixture("guide-9")
        let guide = GuideDatabase(path: scratch.path)
        let refresher = Refresher(
            guide: guide, fetcher: NothingFetcher(), options: RefreshOptions(),
            logger: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }, advice: { "\($0)" }
        ) { _, _ in throw CancellationError() }
        _ = try refresher.refresh(at: Day.now)
        try expectEqual(guide.migrate(waiting: .never).found, GuideSchema.version)
    }

    @Test func olderBackupIsMigratedOnRestore() throws {
        let (backup, guide) = (try fixture("guide-9"), try ScratchGuide(["one 20:00-21:00 A"]))
        try guide.close()
        let bytes = try Data(contentsOf: URL(filePath: backup.path))
        let report = try GuideDatabase(path: guide.path).restore(
            from: backup.path, now: Day.now, waiting: .never)
        expectEqual(report.restored.airings, 478)
        try expectEqual(GuideStore(readingFrom: guide.path).check().isIntact, true)
        try expectEqual(Data(contentsOf: URL(filePath: backup.path)), bytes)
    }

    // MARK: - Failures

    @Test(arguments: [
        ("ALTER TABLE programme ADD COLUMN genre TEXT", "duplicate column name: genre"),
        ("UPDATE programme SET document = '[' WHERE id = 7", "a document cannot be read: "),
        ("CREATE TRIGGER t AFTER UPDATE ON programme BEGIN DELETE FROM source; END", "its trigger t is not"),
    ])
    func failedMigrationKeepsOlderGuide(sql: String, detail: String) throws {
        let scratch = try fixture("guide-9")
        try RawDatabase.write(scratch.path, sql)
        let before = try GuideDump(path: scratch.path)
        let error = expectThrows(StoreError.self) { try GuideStore(writingTo: scratch.path) }
        expectText(
            "\(error ?? .notAGuide(path: ""))", contains: ["cannot be migrated: " + detail, "Nothing was changed."])
        try expectEqual(GuideDump(path: scratch.path), before)
        try expectEqual(RawDatabase.number(scratch.path, "PRAGMA user_version"), 9)
    }
}
