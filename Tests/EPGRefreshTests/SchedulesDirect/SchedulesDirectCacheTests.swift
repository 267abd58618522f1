import EPGImport
import EPGModel
import EPGSQL
import EPGStore
import Glibc
import Logging
import TestSupport
import Testing
import XMLTV

@testable import EPGRefresh

/// Tests of damaged cached guides and of guides of other accounts.
@Suite struct SchedulesDirectCacheTests {
    /// Changes one byte of the cached guide.
    private func damage(_ path: String, at offset: Int) throws {
        let descriptor = open(path, O_RDWR)
        try #require(descriptor >= 0)
        defer { close(descriptor) }
        var byte: UInt8 = 0
        try #require(pread(descriptor, &byte, 1, off_t(offset)) == 1)
        byte ^= 1
        try #require(pwrite(descriptor, &byte, 1, off_t(offset)) == 1)
    }

    @Test func everyChangedByteIsDetected() throws {
        let fixture = try SchedulesDirectFixture()
        let tag = try fixture.tag()
        let intact = try TestFolder.contents(of: fixture.cachePath)
        let airings = try fixture.airings()
        for offset in stride(from: 0, to: intact.utf8.count, by: 37) {
            try fixture.folder.write(intact, to: "guide.json")
            try damage(fixture.cachePath, at: offset)
            let (found, text) = try (fixture.tag(known: nil), TestFolder.contents(of: fixture.cachePath))
            #expect((found, text) == (tag, intact), "the byte at \(offset)")
        }
        try fixture.expect(airings: airings)
    }

    @Test func truncatedOrOtherFileIsFetchedAgain() throws {
        let fixture = try SchedulesDirectFixture()
        let tag = try fixture.tag()
        let intact = try TestFolder.contents(of: fixture.cachePath)
        let texts = ["", "{}", "<tv></tv>", String(intact.dropLast()), String(intact.prefix(200)), intact + "\n"]
        for text in texts {
            try fixture.folder.write(text, to: "guide.json")
            #expect(try (fixture.tag(known: nil), TestFolder.contents(of: fixture.cachePath)) == (tag, intact))
        }
    }

    @Test func damagedGuideIsRequestedCompletely() throws {
        let fixture = try SchedulesDirectFixture()
        _ = try fixture.tag()
        let intact = try TestFolder.contents(of: fixture.cachePath)
        try fixture.folder.write(intact.replacing("Harbour", with: "Herbour"), to: "guide.json")
        _ = fixture.fake.takeRequests()
        _ = try fixture.tag()
        let requests = fixture.fake.takeRequests()
        #expect(requests.contains("GET /lineups/ZZZ-TEST-X"))
        #expect(requests.suffix(2) == ["POST /schedules", "POST /programs"])
    }

    @Test func guideOfAnotherAccountIsIgnored() throws {
        let fixture = try SchedulesDirectFixture()
        _ = try fixture.tag()
        let other = try SchedulesDirectFixture { state in
            state.username = "viewer@example.org"
            state.titles["MV000000020000"] = "Another Field"
        }
        try fixture.folder.write(try TestFolder.contents(of: fixture.cachePath), to: "guide.json")
        try other.folder.write(try TestFolder.contents(of: fixture.cachePath), to: "guide.json")
        // The other service has another URL.
        _ = try other.tag()
        #expect(other.fake.takeRequests().last == "POST /programs")
        try other.expect(airing: "102 2026-03-28T19:00:00Z Another Field")
    }

    @Test func cacheIsPrivateAndTemporaryFilesAreRemoved() throws {
        let fixture = try SchedulesDirectFixture()
        _ = try fixture.tag()
        var status = stat()
        #expect(fixture.folder.names == ["guide.json"] && stat(fixture.cachePath, &status) == 0)
        #expect(status.st_mode & 0o077 == 0)
    }

    @Test func orderOfResponsesDoesNotChangeTheGuide() throws {
        let one = try SchedulesDirectFixture()
        let two = try SchedulesDirectFixture()
        _ = try one.tag(one.fetcher(limits: SchedulesDirectLimits(stations: 1, programs: 1)))
        _ = try two.tag()
        // Everything except the index, which contains the account.
        let texts = try [one, two].map { fixture in
            try TestFolder.contents(of: fixture.cachePath).split(separator: "\"index\":").first
        }
        #expect(texts[0] == texts[1])
    }
}

/// Tests of refreshes from the service into a real store.
@Suite struct SchedulesDirectImportTests {
    private let allTime = TimeWindow(
        start: Instant(secondsSince1970: 0), end: Instant(secondsSince1970: 4_000_000_000))
    private let night = Instant(secondsSince1970: 1_774_699_200)

    private func lines(_ store: GuideStore, _ station: String) throws -> [String] {
        try store.schedule(of: StationID("I\(station).json.schedulesdirect.org"), during: allTime).airings
            .map { "\($0.window.start) \($0.window.end) \($0.title)" }
    }

    @Test func guideIsStoredAndOnlyChangesAreImported() throws {
        let fixture = try SchedulesDirectFixture()
        let path = "\(fixture.folder.path)/guide.sqlite"
        let database = GuideDatabase(path: path)
        try database.write { try $0.save(Source(name: "sd", location: fixture.fake.url), now: night) }
        let refresher = Refresher(
            guide: database, fetcher: fixture.fetcher(),
            logger: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }, advice: { "Remedy: \($0)." }
        ) { fetched, store in
            .guide(
                try GuideImporter(store: store).importGuide(
                    try FileSource(path: fetched.path), as: fetched.source, now: night, state: fetched.state))
        }
        let store = try GuideStore(readingFrom: path)
        func refresh() throws -> String? {
            try refresher.refresh(at: night).sources.map(\.outcome.keyword).joined(separator: " ")
        }
        #expect(try refresh() == "imported")
        #expect(
            try lines(store, "101") + lines(store, "102") == [
                "2026-03-28T20:00:00Z 2026-03-28T21:00:00Z Harbour, first part",
                "2026-03-29T20:00:00Z 2026-03-29T21:00:00Z Harbour, second part",
                "2026-03-28T19:00:00Z 2026-03-28T21:00:00Z The Long Field",
                "2026-03-29T21:00:00Z 2026-03-29T22:00:00Z Harbour, first part",
            ])
        let names = try store.stations(inRows: 0..<9).map(\.station.displayNames.first?.text)
        #expect(names == ["Station 101", "Station 102"])
        let generation = try store.generation()
        #expect(try (refresh(), store.generation()) == ("not-modified", generation))
        fixture.fake.change { $0.titles["EP000000010002"] = "Harbour, last part" }
        #expect(try refresh() == "imported" && store.generation() > generation)
        #expect(try lines(store, "101").last == "2026-03-29T20:00:00Z 2026-03-29T21:00:00Z Harbour, last part")
        fixture.fake.change { $0.nextReplies["/status"] = [FakeSchedulesDirect.error(4001, "ACCOUNT_EXPIRED")] }
        #expect(try refresh() == "failed" && lines(store, "101").count == 2)
        expectText(try store.sources().first?.state.lastError, contains: ["subscription has expired"])
    }
}
