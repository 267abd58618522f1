import EPGImport
import EPGModel
import EPGStore
import Logging
import Testing
import XMLTV

@testable import EPGRefresh

/// From the service into a real store, night after night.
@Suite struct SchedulesDirectImportTests {
    private let allTime = TimeWindow(
        start: Instant(secondsSince1970: 0), end: Instant(secondsSince1970: 4_000_000_000))
    private let night = Instant(secondsSince1970: 1_774_699_200)

    private func lines(_ store: GuideStore, _ station: String) throws -> [String] {
        try store.schedule(of: StationID("I\(station).json.schedulesdirect.org"), during: allTime).airings
            .map { "\($0.window.start) \($0.window.end) \($0.title)" }
    }

    @Test func guideStandsInTheStoreAndOnlyChangesAreImported() throws {
        let bench = try SchedulesDirectBench()
        let path = "\(bench.folder.path)/guide.sqlite"
        let database = GuideDatabase(path: path)
        try database.write { try $0.save(Source(name: "sd", location: bench.fake.address), now: night) }
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
        #expect(try store.sources().first?.state.lastError?.contains("subscription has run out") == true)
    }
}
