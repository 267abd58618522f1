import EPGImport
import EPGModel
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

    private func importListings(into guide: any GuideStorage) throws {
        _ = try guide.write { writer in
            try GuideImporter(store: writer).importGuide(
                ChunkSource(Array("<tv>\(Self.listings)</tv>".utf8)), as: Source(name: "feed"),
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
        #expect(copied.check.airings == 4000)
        #expect(try file.readTables { try GuideDigest(of: $0) } == copied.digest)
        #expect(try file.read { try $0.version() } == guide.read { try $0.version() })

        let back = try makeGuide()
        let returned = try file.readTables { try back.write($0, notes: { _ in }) }
        #expect(returned.digest == copied.digest)
        #expect(try back.read { try $0.favorites() } == [StationID("s3")])
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
        "postgresql://db/guide?sslmode=require&PASSWORD=secret", "postgresql://db?sslpassword=secret",
    ])
    func locationWithPasswordIsRejected(_ location: String) {
        #expect(throws: PasswordInLocation.self) { try PostgresGuide(location) }
    }

    @Test(arguments: [
        "postgresql://epg@db1:5433,db2/guide", "postgresql:///guide?host=/run/postgresql", "postgresql://",
    ])
    func locationWithoutPasswordIsAccepted(_ location: String) throws {
        #expect(try PostgresGuide(location).location == location)
    }

    @Test func serverIsPrimary() throws {
        let guide = try makeGuide()
        #expect(throws: StoreError.notFound(path: guide.location)) { try guide.read { try $0.version() } }
        try importListings(into: guide)
        let server = try #require(try guide.server())
        #expect(server.role == .primary && server.lag == .zero && server.generationsBehind == 0)
    }

    /// There is no server at port 1.
    @Test func missingServerIsNamed() throws {
        let guide = try PostgresGuide("postgresql://127.0.0.1:1/guide")
        #expect { try guide.read { try $0.version() } } throws: { error in
            guard case StoreError.inaccessible(guide.location, let detail) = error else { return false }
            return detail.contains("127.0.0.1") && detail.contains("refused")
        }
        #expect { try guide.write { _ in } } throws: { error in
            guard case StoreError.noPrimary = error else { return false }
            return true
        }
    }

    /// A server that restarts ends all connections; the next read opens another one.
    @Test func lostConnectionsAreReplaced() throws {
        let location = try makeGuide().location
        let guide = try PostgresGuide(location + "&application_name=doomed")
        try importListings(into: guide)
        let version = try guide.read { try $0.version() }
        let ended = try PostgresConnection(location).integer(
            """
            SELECT count(*) FROM pg_stat_activity
            WHERE CASE WHEN application_name = 'doomed' THEN pg_terminate_backend(pid) END
            """)
        #expect(ended == 1)
        #expect(try guide.read { try $0.version() } == version)
    }

    /// The statement ends on the server, too.
    @Test func deadlineEndsStatement() throws {
        let connection = try PostgresConnection(makeGuide().location)
        let end = ContinuousClock.now + .milliseconds(100)
        connection.interruption = { ContinuousClock.now > end ? ReadingError.timedOut : nil }
        #expect(throws: ReadingError.timedOut) { try connection.execute("SELECT pg_sleep(60)") }
        connection.interruption = { nil }
        #expect(try connection.integer("SELECT 7::bigint") == 7)
    }
}

extension Instant {
    /// The time in XMLTV notation.
    fileprivate var compact: String {
        "\(self)".filter { $0.isNumber }.prefix(14) + " +0000"
    }
}
