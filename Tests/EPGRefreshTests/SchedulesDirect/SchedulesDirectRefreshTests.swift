import EPGCalendar
import EPGImport
import EPGModel
import EPGSQL
import EPGStore
import Logging
import TestSupport
import Testing
import XMLTV

@testable import EPGRefresh

/// Tests of refreshes with Schedules Direct and another source, from the server to the guide.
@Suite struct SchedulesDirectRefreshTests {
    private static let night = Instant(secondsSince1970: 1_774_699_200)

    /// A database and its configured sources.
    private final class RefreshFixture {
        let folder: TestFolder
        let fake: FakeSchedulesDirect
        let path: String
        var password = "secret"

        init() throws {
            folder = try TestFolder()
            fake = try FakeSchedulesDirect()
            path = "\(folder.path)/guide.sqlite"
            try writeOther("Other")
        }

        /// Writes the guide of the other source.
        func writeOther(_ title: String) throws {
            try folder.write(
                """
                <tv><programme start="20260328200000 +0000" stop="20260328210000 +0000" channel="other">\
                <title>\(title)</title></programme></tv>
                """, to: "other.xml")
        }

        /// Returns the sources: an account of the service, and a file.
        private func plans() throws -> [String: SourcePlan] {
            var account = SourceConfiguration(Source(name: "a", location: fake.url))
            account.schedulesDirect = SchedulesDirectSettings(
                username: "viewer@example.org", password: .environment("PASSWORD"))
            let file = SourceConfiguration(Source(name: "b", location: "\(folder.path)/other.xml"))
            return [
                "a": try SourcePlan(account, zone: .utc), "b": try SourcePlan(file, zone: .utc),
            ]
        }

        /// Refreshes as a separate process would.
        func refresh(
            expecting outcomes: [String]? = nil, sourceLocation: SourceLocation = #_sourceLocation
        ) throws -> RefreshReport {
            var options = RefreshOptions()
            options.plans = try plans()
            let password = password
            let database = GuideDatabase(path: path)
            let fetcher = GuideFetcher(
                userAgent: "swift-epg/test", retries: .never, temporaryFolder: folder.path, databasePath: path)
            let refresher = Refresher(
                guide: database, fetcher: fetcher, options: options,
                logger: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }, secret: { _ in password },
                advice: { "Remedy: \($0)." }
            ) { fetched, store in
                .guide(
                    try GuideImporter(store: store).importGuide(
                        try FileSource(path: fetched.path), as: fetched.source, now: night, state: fetched.state))
            }
            try database.write { _ in }
            let report = try database.withRefreshLock(waiting: .never) { try refresher.refresh(at: night) }
            if let outcomes {
                #expect(report.sources.map(\.outcome.keyword) == outcomes, sourceLocation: sourceLocation)
            }
            return report
        }

        /// Returns the starts and titles of the airings of a station of the service.
        func lines(_ station: String) throws -> [String] {
            let store = try GuideStore(readingFrom: path)
            let rows = try store.stations(inRows: 0..<9)
            let id = StationID("I\(station).json.schedulesdirect.org")
            guard rows.contains(where: { $0.station.id == id }) else { return [] }
            return try store.schedule(
                of: id, during: TimeWindow(start: night.advanced(by: -86_400), end: night.advanced(by: 3 * 86_400))
            ).airings.map { "\($0.window.start) \($0.title)" }
        }

        func generation() throws -> Generation { try GuideStore(readingFrom: path).generation() }

        var cachePath: String { SchedulesDirectFiles.path(ofSource: "a", besideDatabase: path) }
    }

    @Test func secondRefreshRequestsOnlyChangesAndWritesNothing() throws {
        let fixture = try RefreshFixture()
        _ = try fixture.refresh(expecting: ["imported", "imported"])
        #expect(
            try fixture.lines("101") == [
                "2026-03-28T20:00:00Z Harbour, first part", "2026-03-29T20:00:00Z Harbour, second part",
            ])
        let generation = try fixture.generation()
        let cache = try TestFolder.contents(of: fixture.cachePath)
        _ = fixture.fake.takeRequests()

        let second = try fixture.refresh(expecting: ["not-modified", "unchanged"])
        #expect((second.failureKind, second.changedGuide, fixture.fake.loginCount) == (nil, false, 1))
        #expect(fixture.fake.takeRequests() == ["GET /status", "GET /lineups", "POST /schedules/md5"])
        #expect(try (fixture.generation(), TestFolder.contents(of: fixture.cachePath)) == (generation, cache))

        fixture.fake.change { $0.titles["MV000000020000"] = "The Longer Field" }
        let third = try fixture.refresh(expecting: ["imported", "unchanged"])
        #expect(third.sources.first?.outcome.difference == AiringDifference(changed: 1))
        let bodies = fixture.fake.takeRequestsWithBodies().suffix(2).map(\.body)
        #expect(bodies == [#"[{"stationID":"102","date":["2026-03-28"]}]"#, #"["MV000000020000"]"#])
        #expect(try fixture.lines("102").first == "2026-03-28T19:00:00Z The Longer Field")
    }

    @Test func wrongPasswordFailsOnlyItsSource() throws {
        let fixture = try RefreshFixture()
        _ = try fixture.refresh()
        let before = try fixture.lines("101")
        fixture.password = "wrong"
        try fixture.writeOther("Another")
        let report = try fixture.refresh(expecting: ["failed", "imported"])
        #expect(try (report.failureKind, fixture.lines("101")) == (.configuration, before))
        expectText(
            report.failureText,
            contains: [
                "the user name or the password is wrong (Schedules Direct, code 4003)",
                "The content of this source in the guide is unchanged since 2026-03-28T12:00:00Z.",
            ])
        expectText(report.failureText, lacks: ["viewer"])
        let state = try GuideDatabase(path: fixture.path).read { try $0.sourceRecords() }.first?.state
        expectText(state?.lastError, contains: ["Correct them in the settings of the source"])
        // A wrong password is not sent again, and a corrected one is used immediately.
        _ = fixture.fake.takeRequests()
        _ = try fixture.refresh(expecting: ["failed", "unchanged"])
        #expect(fixture.fake.takeRequests().isEmpty)
        fixture.password = "secret"
        _ = try fixture.refresh(expecting: ["not-modified", "unchanged"])
    }

    @Test func guideIsFetchedAgainIfTheCacheIsMissing() throws {
        let fixture = try RefreshFixture()
        _ = try fixture.refresh()
        for _ in 0..<2 { try SchedulesDirectFiles.remove(ofSource: "a", beside: ["b"], besideDatabase: fixture.path) }
        _ = fixture.fake.takeRequests()
        let generation = try fixture.generation()
        _ = try fixture.refresh()
        #expect(fixture.fake.takeRequests().suffix(2) == ["POST /schedules", "POST /programs"])
        #expect(try fixture.generation() == generation)
    }

    @Test func filesAreRemovedWithTheirSource() throws {
        let fixture = try RefreshFixture()
        _ = try fixture.refresh()
        let otherPath = SchedulesDirectFiles.path(ofSource: "c", besideDatabase: fixture.path)
        try fixture.folder.write("{}", to: String(otherPath.dropFirst(fixture.folder.path.count + 1)))
        func files() -> [String] { fixture.folder.names.filter { $0.hasPrefix("guide.sqlite-sd-") } }
        var counts = [files().count]
        try SchedulesDirectFiles.remove(ofSource: "a", beside: ["b", "c"], besideDatabase: fixture.path)
        #expect(files().contains("guide.sqlite-sd-tokens"))
        counts.append(files().count)
        try SchedulesDirectFiles.remove(ofSource: "c", beside: ["b"], besideDatabase: fixture.path)
        #expect(counts + [files().count] == [3, 2, 0])
    }

    @Test func databaseAndCacheContainNoSecrets() throws {
        let fixture = try RefreshFixture()
        _ = try fixture.refresh()
        for name in fixture.folder.names where name.hasPrefix("guide.sqlite") {
            let bytes = try TestFolder.bytes(of: "\(fixture.folder.path)/\(name)")
            let text = String(decoding: bytes, as: UTF8.self)
            expectText("\(name): \(text)", lacks: ["e5e9fa1b", "viewer@example.org"])
        }
    }
}
