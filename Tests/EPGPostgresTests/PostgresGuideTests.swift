import EPGImport
import EPGJSON
import EPGModel
import EPGSQL
import EPGStore
import Foundation
import StoreConformance
import TestSupport
import Testing
import XMLTV

@testable import EPGPostgres

/// Tests of what only a guide on PostgreSQL has.
@Suite(.needs(PostgresServer.requirement)) struct PostgresGuideTests {
    private func makeGuide() throws -> PostgresGuide { try #require(PostgresFactory().make() as? PostgresGuide) }

    /// A guide of 40 stations with 100 half hours each.
    private static let listings = (0..<40).map { station in
        (0..<100).map { index in
            let start = Instant(secondsSince1970: 1_792_800_000 + Int64(index) * 1800).compact
            let stop = Instant(secondsSince1970: 1_792_801_800 + Int64(index) * 1800).compact
            return """
                <programme start="\(start)" stop="\(stop)" channel="s\(station)"><title>T\(index) of \(station)</title>\
                <desc>D\(index % 7)</desc></programme>
                """
        }.joined()
    }.joined()

    private func importListings(
        _ listings: String = Self.listings, into guide: any GuideStorage, as source: Source = Source(name: "feed")
    ) throws {
        _ = try guide.write { writer in
            try GuideImporter(store: writer).importGuide(
                ChunkSource(Array("<tv>\(listings)</tv>".utf8)), as: source,
                now: Instant(secondsSince1970: 1_792_800_000))
        }
    }

    /// The viewport seeks the predecessor of the window and reads on from there, for each station by the primary key.
    @Test func viewportReadsOnlyVisibleRows() throws {
        let guide = try makeGuide()
        try importListings(into: guide)
        let connection = try PostgresConnection(guide.location)
        let window = (start: Int64(1_792_900_000), end: Int64(1_792_910_800))
        let rows = try connection.values(
            "EXPLAIN (ANALYZE, COSTS OFF, TIMING OFF, SUMMARY OFF) \(PostgresReader.gridSQL)",
            [.integer(window.start), .integer(window.end), .integer(10), .integer(14)]
        ) { $0.text(0) }
        let plan = rows.joined(separator: "\n")
        #expect(!plan.contains("Seq Scan on airing"), "\(plan)")
        #expect(!plan.contains("Seq Scan on programme"), "\(plan)")
        #expect(plan.contains("using airing_pkey on airing a"), "\(plan)")
        #expect(plan.contains("Backward using airing_pkey on airing b"), "\(plan)")
        // Of 3 hours, 7 half hours are visible: 55.6 to 61.6 half hours after the first start.
        #expect(plan.contains("using airing_pkey on airing a (actual rows=7 loops=4)"), "\(plan)")
        #expect(plan.contains("using airing_pkey on airing b (actual rows=1 loops=4)"), "\(plan)")
        #expect(!plan.contains("Rows Removed"), "\(plan)")
    }

    @Test func copyToSQLiteAndBackHasEqualDigests() throws {
        let guide = try makeGuide()
        try importListings(into: guide)
        try guide.write { try $0.setFavorite(StationID("s3"), to: 0) }
        let folder = FileManager.default.temporaryDirectory.appending(path: "epg-copy-\(UUID().uuidString)").path
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        defer { _ = Result { try FileManager.default.removeItem(atPath: folder) } }
        let file = GuideDatabase(path: folder + "/guide.sqlite")
        let copied = try guide.readTables {
            try GuideDatabase.write($0, to: file.location, target: .new, notes: { _ in })
        }
        expectEqual(copied.check.airings, 4000)
        try expectEqual(file.readTables { try GuideDigest(of: $0) }, copied.digest)
        try expectEqual(file.read { try $0.version() }, guide.read { try $0.version() })

        let back = try makeGuide()
        let returned = try file.readTables { try back.write($0, notes: { _ in }) }
        expectEqual(returned.digest, copied.digest)
        try expectEqual(back.read { try $0.favorites() }, [StationID("s3")])
        #expect(throws: BackupError.exists(path: back.location)) {
            try file.readTables { try back.write($0, notes: { _ in }) }
        }
    }

    @Test func digestDependsOnEveryValue() throws {
        let guide = try makeGuide()
        try importListings(into: guide)
        let before = try guide.readTables { try GuideDigest(of: $0) }
        let connection = try PostgresConnection(guide.location)
        for sql in [
            "UPDATE programme SET description = 'other' WHERE id = 1", "UPDATE station SET number = '' WHERE id = 1",
            "UPDATE airing SET inferred = true WHERE id = 7", "DELETE FROM airing WHERE id = 4000",
        ] {
            try connection.execute(script: "BEGIN; \(sql)")
            #expect(try GuideDigest(of: PostgresTables(connection: connection)) != before, "\(sql)")
            try connection.execute(script: "ROLLBACK")
        }
    }

    @Test(arguments: [
        "postgresql://epg:secret@db/guide", "postgres://:secret@db", "postgresql://db/guide?password=secret",
        "postgresql://db/guide?sslmode=require&password=secret", "postgresql://db?sslpassword=secret",
        "postgresql://epg:se?cret@db/guide", "postgresql://db/guide?%70assword=secret",
    ])
    func locationWithPasswordIsRejected(_ location: String) {
        #expect(throws: InvalidLocation.password) { try PostgresGuide(location, backups: .sqlite) }
    }

    @Test(arguments: ["postgresql://db/guide?unknown=1", "postgresql://db/guide?sslmode"])
    func malformedLocationIsRejected(_ location: String) {
        #expect(throws: InvalidLocation.malformed) { try PostgresGuide(location, backups: .sqlite) }
    }

    @Test(arguments: [
        "postgresql://epg@db1:5433,db2/guide", "postgresql:///guide?host=/run/postgresql", "postgresql://",
    ])
    func locationWithoutPasswordIsAccepted(_ location: String) throws {
        try expectEqual(PostgresGuide(location, backups: .sqlite).location, location)
    }

    @Test func serverIsPrimary() throws {
        let guide = try makeGuide()
        #expect(throws: StoreError.notFound(path: guide.location)) { try guide.read { try $0.version() } }
        try importListings(into: guide)
        let server = try #require(try guide.server())
        expectEqual((server.role, server.lag, server.generationsBehind), (.primary, .zero, 0))
    }

    /// There is no server at port 1.
    @Test func missingServerIsNamed() throws {
        let guide = try PostgresGuide("postgresql://127.0.0.1:1/guide", backups: .sqlite)
        #expect { try guide.read { try $0.version() } } throws: { error in
            guard case StoreError.inaccessible(guide.location, let detail) = error else { return false }
            return detail.contains("127.0.0.1") && detail.contains("refused")
        }
        #expect { try guide.write { _ in } } throws: { error in
            guard case StoreError.noPrimary = error else { return false }
            return true
        }
    }

    /// A server that restarts ends all connections; the next read opens another connection.
    @Test func lostConnectionsAreReplaced() throws {
        let location = try makeGuide().location
        let guide = try PostgresGuide(location + "&application_name=doomed", backups: .sqlite)
        try importListings(into: guide)
        let version = try guide.read { try $0.version() }
        let ended = try PostgresConnection(location).integer(
            """
            SELECT count(*) FROM pg_stat_activity
            WHERE CASE WHEN application_name = 'doomed' THEN pg_terminate_backend(pid) END
            """)
        expectEqual(ended, 1)
        try expectEqual(guide.read { try $0.version() }, version)
    }

    /// The next import must not wait for the search index of one that failed at its start.
    @Test(.timeLimit(.minutes(2))) func importAfterAFailedStartWorks() throws {
        let guide = try makeGuide()
        try importListings(into: guide)
        let other = try PostgresConnection(guide.location)
        try other.execute(script: "ALTER TABLE import RENAME TO renamed")
        #expect(throws: StoreError.self) { try importListings(into: guide) }
        try other.execute(script: "ALTER TABLE renamed RENAME TO import")
        try guide.write { writer in
            _ = try GuideImporter(store: writer).importGuide(
                ChunkSource(Array("<tv>\(Self.listings.replacing("T0 of", with: "Zero of"))</tv>".utf8)),
                as: Source(name: "feed"), now: Instant(secondsSince1970: 1_792_800_000))
            try writer.refreshSearchIndex()
        }
        try expectEqual(guide.read { try $0.isSearchIndexCurrent() }, true)
    }

    /// The lock ends with its session, also in a failover.
    @Test func refreshKeepsItsLockAcrossLostConnections() throws {
        let location = try makeGuide().location
        let guide = try PostgresGuide(location + "&application_name=refreshing", backups: .sqlite)
        let other = try PostgresGuide(location, backups: .sqlite)
        func endSessions() throws {
            _ = try PostgresConnection(location).integer(
                """
                SELECT count(*) FROM pg_stat_activity
                WHERE CASE WHEN application_name = 'refreshing' THEN pg_terminate_backend(pid, 5000) END
                """)
        }
        try guide.withRefreshLock(waiting: .never) {
            try endSessions()
            try importListings(into: guide)
            #expect(throws: StoreError.refreshing(path: location)) { try other.withRefreshLock(waiting: .never) {} }
            try endSessions()
            try other.withRefreshLock(waiting: .never) { () -> Void in
                #expect(throws: StoreError.refreshing(path: guide.location)) {
                    try guide.write(waiting: .never) { _ in }
                }
            }
        }
        try other.withRefreshLock(waiting: .never) {}
    }

    /// While the first host of a location is not reachable, the same server is known by its next name.
    @Test func refreshKeepsItsLockUnderAnotherNameOfTheServer() throws {
        let location = try makeGuide().location
        let folder = String(try #require(location.firstMatch(of: /host=([^&]+)/)?.1))
        let alias = folder + "-alias"
        let guide = try PostgresGuide(
            location.replacing("host=\(folder)", with: "host=\(alias),\(folder)"), backups: .sqlite)
        defer { try? FileManager.default.removeItem(atPath: alias) }
        try guide.withRefreshLock(waiting: .never) {
            try FileManager.default.createSymbolicLink(atPath: alias, withDestinationPath: folder)
            try importListings(into: guide)
            let other = try PostgresGuide(location, backups: .sqlite)
            #expect(throws: StoreError.refreshing(path: location)) { try other.withRefreshLock(waiting: .never) {} }
        }
    }

    /// A server that refuses to write is not a primary.
    @Test func poolReadsFromThePrimaryOnlyForItsTime() throws {
        let pool = PostgresPool(try makeGuide().location + "%20-cdefault_transaction_read_only%3Don", capacity: 1)
        func canRead() -> Bool { (try? pool.withConnection(until: nil) { _ in }) != nil }
        expectEqual([canRead(), pool.readingPrimary(canRead), canRead()], [true, false, true])
    }

    @Test func pageOfDiagnosticsReadsNoOthers() throws {
        let guide = try makeGuide()
        try importListings(into: guide)
        let connection = try PostgresConnection(guide.location)
        try connection.execute(
            script: """
                DELETE FROM diagnostic;
                INSERT INTO diagnostic (import_id, ordinal, severity, keyword, action, line)
                SELECT diagnostics_of, number, 'note', 'duplicate', 'kept', number
                FROM import, generate_series(1, 20000) AS numbers (number);
                ANALYZE diagnostic
                """)
        let reader = PostgresReader(
            connection, location: guide.location, search: PostgresSearch(folder: nil, location: ""))
        let id = try #require(reader.imports(ofSource: "feed", limit: 1).first?.id)
        func rowsRead() throws -> Int64 {
            try connection.integer(
                """
                SELECT (seq_tup_read + coalesce(idx_tup_fetch, 0))::bigint FROM pg_stat_xact_user_tables
                WHERE relname = 'diagnostic' AND schemaname = current_schema()
                """) ?? 0
        }
        let read = try connection.transaction {
            let before = try rowsRead()
            try reader.diagnostics(ofImport: id) { _ in false }
            return try rowsRead() - before
        }
        #expect((1...1000).contains(read), "\(read)")
        var lines: [Int] = []
        try reader.diagnostics(ofImport: id) { diagnostic in
            lines.append(diagnostic.line)
            return lines.count < 2500
        }
        expectEqual(lines, Array(1...2500))
    }

    @Test(arguments: [
        "UPDATE guide SET next_transmission = 4294967296", "UPDATE guide SET generation = 9223372036854775806",
        "UPDATE guide SET next_programme = 9223372036854775807",
        "UPDATE programme_digest SET first_id = 9223372036854775000",
        "UPDATE programme_digest SET first_id = -9223372036854775000",
        "INSERT INTO lineup VALUES (9223372036854775807, 'z', '{}')",
        """
        INSERT INTO station SELECT 9223372036854775807, 'z', name, number, document, described_by, ordinal, source_id, is_shared, 99
        FROM station LIMIT 1
        """,
    ])
    func numbersOutOfRangeAreRefusedAndFoundByCheck(sql: String) throws {
        let guide = try makeGuide()
        try importListings(into: guide)
        try PostgresConnection(guide.location).execute(sql)
        #expect { try importListings(into: guide) } throws: { error in
            guard case StoreError.damaged = error else { return false }
            return true
        }
        try expectEqual(guide.check().problems.contains { $0.contains("identifiers") }, true)
    }

    /// A read that has written something must not start again.
    @Test(arguments: [(false, 1), (true, 2)])
    func readIsRepeatedOnlyIfItIsRepeatable(_ isRepeatable: Bool, calls: Int) throws {
        let location = try makeGuide().location
        let guide = try PostgresGuide(location + "&application_name=doomed-\(calls)", backups: .sqlite)
        try importListings(into: guide)
        var count = 0
        let result = Result {
            try guide.read(until: ReadingLimit(.seconds(60), isRepeatable: isRepeatable)) { reader in
                count += 1
                if count == 1 {
                    _ = try PostgresConnection(location).integer(
                        """
                        SELECT count(*) FROM pg_stat_activity
                        WHERE CASE WHEN application_name = 'doomed-\(calls)' THEN pg_terminate_backend(pid) END
                        """)
                }
                return try reader.stationCount()
            }
        }
        expectEqual(count, calls)
        expectEqual((try? result.get()), (isRepeatable ? 40 : nil))
    }

    @Test func missingSchemaIsNamed() throws {
        let server = try #require(PostgresServer.shared)
        let missing = try server.makeLocation().replacing(/guide\d+$/, with: "nowhere")
        for call in [
            { (guide: PostgresGuide) in _ = try guide.version() },
            { guide in try guide.write(waiting: .always) { _ in } },
        ] {
            #expect { try call(PostgresGuide(missing, backups: .sqlite)) } throws: { error in
                guard case StoreError.inaccessible(_, let detail) = error else { return false }
                return detail.contains("search_path")
            }
        }
    }

    /// Otherwise, readers and writers with different search paths would use different guides, or different locks.
    @Test func guideIsInTheFirstSchemaOfThePath() throws {
        let (guide, empty) = (try makeGuide(), try makeGuide())
        try importListings(into: guide)
        let name = try #require(guide.location.split(separator: "%3D").last)
        let both = try PostgresGuide(empty.location + ",\(name)", backups: .sqlite)
        #expect(throws: StoreError.notFound(path: both.location)) { try both.version() }
        try both.write { _ in }
        try expectEqual(both.version().generation, Generation(0))
        try expectEqual(guide.version().generation, Generation(1))
    }

    /// Frequent words make a search by relevance scan the schedules, which ends early.
    @Test func frequentWordsAreFound() throws {
        let guide = try makeGuide()
        let airings = (0..<15_000).map { index in
            let start = Instant(secondsSince1970: 1_792_800_000 + Int64(index / 100) * 1800)
            return """
                <programme start="\(start.compact)" stop="\(start.advanced(by: 1800).compact)" channel="s\(index % 100)">\
                <title>Common \(index)</title></programme>
                """
        }
        try importListings(airings.joined(), into: guide)
        let query = SearchQuery(words: "common", now: Instant(secondsSince1970: 1_792_800_000), offset: 0, limit: 3)
        let found = try guide.read { try $0.search(query) }
        expectEqual(found.matches.map(\.airing.title), ["Common 0", "Common 1", "Common 2"])
        expectEqual(found.isTotalExact, false)
    }

    /// The statements of a viewport do not grow with the stations that several sources cover.
    @Test func stationsWithSeveralSourcesAreReadTogether() throws {
        let guide = try makeGuide()
        try importListings(into: guide)
        try importListings(into: guide, as: Source(name: "other", priority: 1))
        let connection = try PostgresConnection(guide.location)
        let reader = PostgresReader(
            connection, location: guide.location, search: PostgresSearch(folder: nil, location: ""))
        let now = try reader.nowAndNext(at: Instant(secondsSince1970: 1_792_900_000), inRows: 0..<40)
        #expect(now.count == 40 && now.allSatisfy { $0.now.count == 1 && $0.next != nil })
        let sql =
            "SELECT sum(generic_plans + custom_plans)::bigint FROM pg_prepared_statements WHERE statement NOT LIKE '%pg_prepared%'"
        try expectEqual(connection.integer(sql), 6)
    }

    @Test func tablesOfCopiesHaveAllColumns() throws {
        let guide = try makeGuide()
        try guide.write { _ in }
        let connection = try PostgresConnection(guide.location)
        let columns = try connection.values(
            """
            SELECT c.relname || '.' || a.attname FROM pg_class c JOIN pg_attribute a ON a.attrelid = c.oid
            WHERE c.relnamespace = to_regnamespace(current_schema()) AND c.relkind = 'r' AND a.attnum > 0
            """
        ) { $0.text(0) }
        let copied = GuideSchema.tables.flatMap { table in table.columns.map { "\(table.name).\($0.name)" } }
        expectEqual(Set(columns).subtracting(copied), ["schema_version.id", "schema_version.version"])
        expectEqual(Set(copied).subtracting(columns), [])
    }

    @Test func guideOfVersion9IsMigrated() throws {
        let guide = try makeGuide()
        try importListings(into: guide)
        let rule = try WatchRule(name: "news", WatchConditions(title: "News"))
        try guide.write { try $0.saveWatchRule(rule) }
        try PostgresConnection(guide.location).execute(
            """
            INSERT INTO reminder (key, target, rule_id, airing_id, feed_id, start, stop, title, generation, siblings, state,
                failures, changed_at)
            SELECT 'k', 'phone', id, 1, 'one', 0, 1, 'News', 1, '[]', 'sent', 0, 0 FROM watch_rule
            """)
        let reminders = try guide.read { try $0.reminders() }
        let before = try guide.readTables { try GuideDigest(of: $0) }
        try PostgresConnection(guide.location).execute(
            script: """
                ALTER TABLE programme DROP COLUMN genre, DROP COLUMN is_repeat;
                ALTER TABLE source DROP COLUMN username, DROP COLUMN lineups, DROP COLUMN service, DROP COLUMN follows_guides,
                    DROP COLUMN playlist_id, DROP COLUMN group_patterns, DROP COLUMN completes;
                ALTER TABLE airing DROP COLUMN listed_programme_id; ALTER TABLE import DROP COLUMN completed;
                ALTER TABLE lineup DROP COLUMN source_id; ALTER TABLE channel DROP COLUMN catchup_days;
                ALTER TABLE watch_rule DROP COLUMN any_words, DROP COLUMN excluded_words, DROP COLUMN pattern;
                ALTER TABLE profile DROP COLUMN accepts_rules;
                DROP TABLE former_channel; DROP TABLE channel_change;
                DROP TABLE setting; UPDATE schema_version SET version = 9
                """)
        let old = StoreError.olderSchema(path: guide.location, found: 9, known: 14)
        let other = try PostgresGuide(guide.location, backups: .sqlite)
        #expect(throws: old) { try other.read { _ in } }
        let versions = try other.migrate(waiting: .never)
        expectEqual((versions.found, versions.current), (9, 14))
        try expectEqual(other.readTables { try GuideDigest(of: $0) }, before)
        try expectEqual(other.read { try $0.watchRules() }, [rule])
        try expectEqual(other.read { try $0.reminders() }, reminders)
        try expectEqual(other.check().isIntact, true)
    }

    /// The copy is checked before it is visible.
    @Test func damagedGuideIsNotCopied() throws {
        let (source, target) = (try makeGuide(), try makeGuide())
        try importListings(into: source)
        try PostgresConnection(source.location).execute("UPDATE station SET position = 99 WHERE position = 39")
        #expect { try source.readTables { try target.write($0, notes: { _ in }) } } throws: { error in
            guard case StoreError.damaged = error else { return false }
            return true
        }
        expectEqual(target.exists, false)
    }

    @Test(arguments: [5000])
    func longNamesAreStored(_ length: Int) throws {
        let guide = try makeGuide()
        // Random characters cannot be compressed.
        var generator = SystemRandomNumberGenerator()
        let name = String(
            (0..<length).map { _ in Character(Unicode.Scalar(UInt8.random(in: 97...122, using: &generator))) })
        try importListings(into: guide, as: Source(name: name))
        try guide.write {
            try $0.setMappings([name: StationID("s1")], matcher: StationMatcher(), now: Instant(secondsSince1970: 0))
            try $0.setMappings([name: StationID("s2")], matcher: StationMatcher(), now: Instant(secondsSince1970: 0))
        }
        try expectEqual(guide.read { try $0.mappings() }, [name: StationID("s2")])
    }

    /// The statement ends on the server, too.
    @Test func deadlineEndsStatement() throws {
        let connection = try PostgresConnection(makeGuide().location)
        let end = ContinuousClock.now + .milliseconds(100)
        connection.interruption = { ContinuousClock.now > end ? ReadingError.timedOut : nil }
        #expect(throws: ReadingError.timedOut) { try connection.execute("SELECT pg_sleep(60)") }
        connection.interruption = { nil }
        try expectEqual(connection.integer("SELECT 7::bigint"), 7)
    }
}

extension PostgresGuide {
    fileprivate func version() throws -> GuideVersion { try read { try $0.version() } }
}

extension Instant {
    /// The time in XMLTV notation.
    fileprivate var compact: String {
        "\(self)".filter { $0.isNumber }.prefix(14) + " +0000"
    }
}
