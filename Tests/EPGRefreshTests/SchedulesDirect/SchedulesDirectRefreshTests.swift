import EPGCalendar
import EPGImport
import EPGModel
import EPGStore
import Logging
import Testing
import XMLTV

@testable import EPGRefresh

/// Schedules Direct among other sources, from the server to the guide, with the fetcher of the programs.
@Suite struct SchedulesDirectRefreshTests {
    private static let night = Instant(secondsSince1970: 1_774_699_200)

    /// A guide and its configured sources.
    private final class Job {
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
        private func orders() throws -> [String: SourceOrder] {
            var account = SourceConfiguration(Source(name: "a", location: fake.url))
            account.schedulesDirect = SchedulesDirectSettings(
                username: "viewer@example.org", password: .environment("PASSWORD"))
            let file = SourceConfiguration(Source(name: "b", location: "\(folder.path)/other.xml"))
            return [
                "a": try SourceOrder(account, zone: .utc), "b": try SourceOrder(file, zone: .utc),
            ]
        }

        /// Refreshes like a separate process.
        func refresh() throws -> RefreshReport {
            var options = RefreshOptions()
            options.orders = try orders()
            let password = password
            let database = GuideDatabase(path: path)
            let fetcher = GuideFetcher(
                userAgent: "swift-epg/test", retries: .never, temporaryFolder: folder.path, databasePath: path)
            let refresher = Refresher(
                guide: database, fetcher: fetcher, options: options,
                logger: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }, secret: { _ in password }
            ) { fetched, store in
                try GuideImporter(store: store).importGuide(
                    try FileSource(path: fetched.path), as: fetched.source, now: night, state: fetched.state)
            }
            try database.write { _ in }
            return try database.refreshing(waiting: .never) { try refresher.refresh(at: night) }
        }

        /// Returns starts and titles of a station of the service.
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

        var keptPath: String { KeptGuide.path(ofSource: "a", besideDatabase: path) }
    }

    @Test func secondRefreshRequestsOnlyChangesAndWritesNothing() throws {
        let job = try Job()
        #expect(try job.refresh().sources.map(\.outcome.keyword) == ["imported", "imported"])
        #expect(
            try job.lines("101") == [
                "2026-03-28T20:00:00Z Harbour, first part", "2026-03-29T20:00:00Z Harbour, second part",
            ])
        let generation = try job.generation()
        let kept = try TestFolder.contents(of: job.keptPath)
        _ = job.fake.takeRequests()

        let second = try job.refresh()
        #expect(second.sources.map(\.outcome.keyword) == ["not-modified", "unchanged"])
        #expect(second.exitCode == 0 && !second.changedGuide)
        #expect(job.fake.takeRequests() == ["GET /status", "GET /lineups", "POST /schedules/md5"])
        #expect(job.fake.logIns == 1)
        #expect(try job.generation() == generation)
        #expect(try TestFolder.contents(of: job.keptPath) == kept)

        job.fake.change { $0.titles["MV000000020000"] = "The Longer Field" }
        let third = try job.refresh()
        #expect(third.sources.map(\.outcome.keyword) == ["imported", "unchanged"])
        #expect(third.sources.first?.outcome.difference == AiringDifference(changed: 1))
        let bodies = job.fake.takeRequestsWithBodies().suffix(2).map(\.body)
        #expect(bodies == [#"[{"stationID":"102","date":["2026-03-28"]}]"#, #"["MV000000020000"]"#])
        #expect(try job.lines("102").first == "2026-03-28T19:00:00Z The Longer Field")
    }

    @Test func wrongPasswordFailsOnlyItsSource() throws {
        let job = try Job()
        _ = try job.refresh()
        let before = try job.lines("101")
        job.password = "wrong"
        try job.writeOther("Another")
        let report = try job.refresh()
        #expect(report.sources.map(\.outcome.keyword) == ["failed", "imported"])
        #expect(report.exitCode == 78)
        #expect(report.failureText.contains("the user name or the password is wrong (Schedules Direct, code 4003)"))
        #expect(report.failureText.contains("Its listings are unchanged since 2026-03-28T12:00:00Z."))
        #expect(!report.failureText.contains("viewer"))
        #expect(try job.lines("101") == before)
        let state = try GuideDatabase(path: job.path).read { try $0.sourceRecords() }.first?.state
        #expect(state?.lastError?.contains("Correct them in epg.yml") == true)
        // Wrong passwords do not lock the account, and a corrected one is used immediately.
        _ = job.fake.takeRequests()
        #expect(try job.refresh().sources.map(\.outcome.keyword) == ["failed", "unchanged"])
        #expect(job.fake.takeRequests().isEmpty)
        job.password = "secret"
        #expect(try job.refresh().sources.map(\.outcome.keyword) == ["not-modified", "unchanged"])
    }

    @Test func missingCacheIsFetchedAgain() throws {
        let job = try Job()
        _ = try job.refresh()
        for _ in 0..<2 { try KeptGuide.remove(ofSource: "a", beside: ["b"], besideDatabase: job.path) }
        _ = job.fake.takeRequests()
        let generation = try job.generation()
        _ = try job.refresh()
        #expect(job.fake.takeRequests().suffix(2) == ["POST /schedules", "POST /programs"])
        #expect(try job.generation() == generation)
    }

    @Test func filesAreRemovedWithTheirSource() throws {
        let job = try Job()
        _ = try job.refresh()
        let second = KeptGuide.path(ofSource: "c", besideDatabase: job.path)
        try job.folder.write("{}", to: String(second.dropFirst(job.folder.path.count + 1)))
        // The unfinished file of a killed refresh.
        try job.folder.write("", to: String(job.keptPath.dropFirst(job.folder.path.count + 1)) + ".new")
        func kept() -> Int { job.folder.names.count { $0.hasPrefix("guide.sqlite-sd-") } }
        #expect(kept() == 4)
        try KeptGuide.remove(ofSource: "a", beside: ["b", "c"], besideDatabase: job.path)
        #expect(kept() == 2 && job.folder.names.contains("guide.sqlite-sd-tokens"))
        try KeptGuide.remove(ofSource: "c", beside: ["b"], besideDatabase: job.path)
        #expect(kept() == 0)
    }

    @Test func databaseAndCacheContainNoSecrets() throws {
        let job = try Job()
        _ = try job.refresh()
        for name in job.folder.names where name.hasPrefix("guide.sqlite") {
            let bytes = try TestFolder.bytes(of: "\(job.folder.path)/\(name)")
            let text = String(decoding: bytes, as: UTF8.self)
            #expect(!text.contains("e5e9fa1b") && !text.contains("viewer@example.org"), "\(name)")
        }
    }
}
