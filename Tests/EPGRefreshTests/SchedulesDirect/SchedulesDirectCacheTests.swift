import EPGImport
import EPGModel
import EPGStore
import Glibc
import Logging
import Testing
import XMLTV

@testable import EPGRefresh

/// Damage to the cached guide, and guides of other accounts.
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
        let bench = try SchedulesDirectBench()
        let tag = try bench.tag()
        let whole = try TestFolder.contents(of: bench.cachePath)
        let airings = try bench.airings()
        for offset in stride(from: 0, to: whole.utf8.count, by: 37) {
            try bench.folder.write(whole, to: "guide.json")
            try damage(bench.cachePath, at: offset)
            #expect(try bench.tag(known: nil) == tag, "the byte at \(offset)")
            #expect(try TestFolder.contents(of: bench.cachePath) == whole, "the byte at \(offset)")
        }
        #expect(try bench.airings() == airings)
    }

    @Test func truncatedOrForeignFileIsFetchedAgain() throws {
        let bench = try SchedulesDirectBench()
        let tag = try bench.tag()
        let whole = try TestFolder.contents(of: bench.cachePath)
        let texts = ["", "{}", "<tv></tv>", String(whole.dropLast()), String(whole.prefix(200)), whole + "\n"]
        for text in texts {
            try bench.folder.write(text, to: "guide.json")
            #expect(try bench.tag(known: nil) == tag)
            #expect(try TestFolder.contents(of: bench.cachePath) == whole)
        }
    }

    @Test func damagedGuideIsRequestedCompletely() throws {
        let bench = try SchedulesDirectBench()
        _ = try bench.tag()
        let whole = try TestFolder.contents(of: bench.cachePath)
        try bench.folder.write(whole.replacing("Harbour", with: "Herbour"), to: "guide.json")
        _ = bench.fake.takeRequests()
        _ = try bench.tag()
        let requests = bench.fake.takeRequests()
        #expect(requests.contains("GET /lineups/ZZZ-TEST-X"))
        #expect(requests.suffix(2) == ["POST /schedules", "POST /programs"])
    }

    @Test func guideOfAnotherAccountIsIgnored() throws {
        let bench = try SchedulesDirectBench()
        _ = try bench.tag()
        let other = try SchedulesDirectBench { world in
            world.username = "viewer@example.org"
            world.titles["MV000000020000"] = "Another Field"
        }
        try bench.folder.write(try TestFolder.contents(of: bench.cachePath), to: "guide.json")
        try other.folder.write(try TestFolder.contents(of: bench.cachePath), to: "guide.json")
        // The other service has another URL.
        _ = try other.tag()
        #expect(other.fake.takeRequests().last == "POST /programs")
        #expect(try other.airings().contains("102 2026-03-28T19:00:00Z Another Field"))
    }

    @Test func cacheIsPrivateAndNoOtherFileIsLeft() throws {
        let bench = try SchedulesDirectBench()
        try bench.folder.write("left by a run that was killed", to: "guide.json.new")
        _ = try bench.tag()
        #expect(bench.folder.names == ["guide.json"])
        var status = stat()
        #expect(stat(bench.cachePath, &status) == 0)
        #expect(status.st_mode & 0o077 == 0)
    }

    @Test func orderOfResponsesDoesNotChangeTheGuide() throws {
        let one = try SchedulesDirectBench()
        let two = try SchedulesDirectBench()
        _ = try one.tag(one.fetcher(limits: SchedulesDirectLimits(stations: 1, programs: 1)))
        _ = try two.tag()
        // Everything except the index, which contains the account.
        let texts = try [one, two].map { bench in
            try TestFolder.contents(of: bench.cachePath).split(separator: "\"index\":").first
        }
        #expect(texts[0] == texts[1])
    }
}

/// Refreshes from the service into a real store.
@Suite struct SchedulesDirectImportTests {
    private let allTime = TimeWindow(
        start: Instant(secondsSince1970: 0), end: Instant(secondsSince1970: 4_000_000_000))
    private let night = Instant(secondsSince1970: 1_774_699_200)

    private func lines(_ store: GuideStore, _ station: String) throws -> [String] {
        try store.schedule(of: StationID("I\(station).json.schedulesdirect.org"), during: allTime).airings
            .map { "\($0.window.start) \($0.window.end) \($0.title)" }
    }

    @Test func guideIsStoredAndOnlyChangesAreImported() throws {
        let bench = try SchedulesDirectBench()
        let path = "\(bench.folder.path)/guide.sqlite"
        let database = GuideDatabase(path: path)
        try database.write { try $0.save(Source(name: "sd", location: bench.fake.url), now: night) }
        let refresher = Refresher(
            guide: database, fetcher: bench.fetcher(), logger: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }
        ) { fetched, store in
            try GuideImporter(store: store).importGuide(
                try FileSource(path: fetched.path), as: fetched.source, now: night, state: fetched.state)
        }
        let store = try GuideStore(readingFrom: path)
        var outcomes: [String] = []
        func refresh() throws {
            outcomes += try refresher.refresh(at: night).sources.map(\.outcome.keyword)
        }
        try refresh()
        #expect(
            try lines(store, "101") == [
                "2026-03-28T20:00:00Z 2026-03-28T21:00:00Z Harbour, first part",
                "2026-03-29T20:00:00Z 2026-03-29T21:00:00Z Harbour, second part",
            ])
        #expect(
            try lines(store, "102") == [
                "2026-03-28T19:00:00Z 2026-03-28T21:00:00Z The Long Field",
                "2026-03-29T21:00:00Z 2026-03-29T22:00:00Z Harbour, first part",
            ])
        #expect(
            try store.stations(inRows: 0..<9).map(\.station.displayNames.first?.text) == ["Station 101", "Station 102"])
        let generation = try store.generation()
        try refresh()
        #expect(try store.generation() == generation)
        bench.fake.change { $0.titles["EP000000010002"] = "Harbour, last part" }
        try refresh()
        #expect(try store.generation() > generation)
        #expect(try lines(store, "101").last == "2026-03-29T20:00:00Z 2026-03-29T21:00:00Z Harbour, last part")
        bench.fake.change { $0.interventions["/status"] = [FakeSchedulesDirect.error(4001, "ACCOUNT_EXPIRED")] }
        try refresh()
        #expect(outcomes == ["imported", "not-modified", "imported", "failed"])
        #expect(try lines(store, "101").count == 2)
        #expect(try store.sources().first?.state.lastError?.contains("subscription has expired") == true)
    }
}
