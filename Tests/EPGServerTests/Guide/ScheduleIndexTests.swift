import EPGImport
import EPGModel
import EPGRender
import EPGSQL
import EPGStore
import Foundation
import TestSupport
import Testing
import XMLTV

@testable import EPGServer

@Suite struct ScheduleIndexTests {
    /// Returns October 24, 2026, 00:00 UTC, plus hours.
    private func instant(_ hours: Int64) -> Instant { Instant(secondsSince1970: 1_792_800_000 + hours * 3600) }

    private func window(_ from: Int64, _ to: Int64) -> TimeWindow { TimeWindow(start: instant(from), end: instant(to)) }

    private func index(
        of store: GuideStore, generation: Int64 = 1, capacity: Int = 1 << 20
    ) throws -> ScheduleIndex {
        ScheduleIndex(
            of: GuideVersion(generation: Generation(generation), nonce: 7, since: nil),
            stationCount: try store.stationCount(), texts: GridTexts(capacity: capacity), capacity: capacity)
    }

    /// At midnight: a current airing, a clump of two on another station, an airing that starts and one that stops.
    private static let midnight = """
        <programme start="20261024210000 +0000" stop="20261024220000 +0000" channel="a"><title>Early</title></programme>
        <programme start="20261024220000 +0000" stop="20261025020000 +0000" channel="a"><title>Night</title></programme>
        <programme start="20261025020000 +0000" stop="20261025030000 +0000" channel="a"><title>Late</title></programme>
        <programme start="20261024230000 +0000" stop="20261025010000 +0000" channel="b" clumpidx="0/2"><title>One</title></programme>
        <programme start="20261024230000 +0000" stop="20261025010000 +0000" channel="b" clumpidx="1/2"><title>Two</title></programme>
        <programme start="20261024230000 +0000" stop="20261025000000 +0000" channel="c"><title>Before</title></programme>
        <programme start="20261025000000 +0000" stop="20261025010000 +0000" channel="c"><title>After</title></programme>
        """

    @Test(
        arguments: [
            (20, 28, [3, 2, 2]), (22, 26, [1, 2, 2]), (24, 25, [1, 2, 1]), (23, 24, [1, 2, 1]), (26, 40, [1, 0, 0]),
            (21, 22, [1, 0, 0]), (-60, 90, [3, 2, 2]),
        ] as [(Int64, Int64, [Int])])
    func airingAcrossMidnightIsIncludedOnce(from: Int64, to: Int64, counts: [Int]) throws {
        let guide = try StoredGuide("<tv>\(ScheduleIndexTests.midnight)</tv>")
        let store = try GuideStore(readingFrom: guide.path)
        let index = try index(of: store)
        let rows = RowRanges(upTo: 3)
        #expect(index.rows(rows, from: 0, during: window(from, to)) == nil)
        let read = try index.rows(rows, from: 0, during: window(from, to), guide: store)
        let cached = try #require(index.rows(rows, from: 0, during: window(from, to)))
        for found in [read, cached] {
            expectEqual(found.map { $0.airings.count }, counts)
            expectEqual(found.map(\.row), [0, 1, 2])
        }
        try store.close()
    }

    /// One capacity holds everything. The other one holds a few days only, so the cache drops days continually.
    @Test(arguments: [1 << 20, 40_000]) func cachedRowsEqualSchedulesOfStore(capacity: Int) throws {
        let guide = try StoredGuide(sample: "evening.xml")
        let store = try GuideStore(readingFrom: guide.path)
        let index = try index(of: store, capacity: capacity)
        for step in 0..<400 {
            // Prime steps combine starts, lengths and rows in many ways.
            let start = instant(0).advanced(by: Int64(step * 7919 % 200_000))
            let window = TimeWindow(start: start, end: start.advanced(by: Int64(step * 6007 % 150_000)))
            let first = step * 13 % index.stationCount
            let requested = first..<min(first + 5, index.stationCount)
            let rows = try #require(RowRanges("\(requested.lowerBound)-\(requested.upperBound - 1)"))
            let found = try index.rows(rows, from: 7, during: window, guide: store)
            let schedules = try store.schedules(inRows: requested, during: window)
            expectEqual(found.map(\.row), Array(7..<7 + requested.count))
            expectEqual(found.map { $0.airings.map(\.id) }, schedules.map { $0.schedule.airings.map(\.id) })
            expectEqual(found.map { $0.airings.map(\.window) }, schedules.map { $0.schedule.airings.map(\.window) })
            // The cache drops half of its days after it exceeds the capacity.
            #expect(index.size <= capacity * 9 / 8)
        }
        try store.close()
    }

    @Test func pastVersionNeverBecomesCurrentAgain() throws {
        let guide = try StoredGuide(sample: "evening.xml")
        let store = try GuideStore(readingFrom: guide.path)
        let schedules = CurrentSchedules(capacity: 1 << 20)
        let (old, new) = (
            GuideVersion(generation: Generation(1), nonce: 7, since: nil),
            GuideVersion(generation: Generation(2), nonce: 7, since: nil)
        )
        let other = GuideVersion(generation: Generation(1), nonce: 8, since: nil)
        #expect(schedules.index(of: old) == nil)
        _ = try schedules.index(of: old, in: store)
        _ = try schedules.index(of: new, in: store)
        #expect(schedules.index(of: old) == nil && schedules.index(of: new) != nil)
        // A read of a past version gets a separate index.
        try expectEqual(schedules.index(of: old, in: store).version, old)
        #expect(schedules.index(of: old) == nil && schedules.index(of: new) != nil)
        // Another database starts at generation 1 again.
        _ = try schedules.index(of: other, in: store)
        #expect(schedules.index(of: other) != nil && schedules.index(of: new) == nil)
        try store.close()
    }
}

/// A database in a temporary folder, which is removed with it.
private final class StoredGuide {
    private let folder = FileManager.default.temporaryDirectory.appending(path: "epg-index-test-\(UUID().uuidString)")
    var path: String { folder.appending(path: "guide.sqlite").path }

    convenience init(sample name: String) throws {
        try self.init(String(contentsOfFile: PackageFiles.sample(name), encoding: .utf8))
    }

    init(_ document: String) throws {
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        let store = try GuideStore(writingTo: path, waiting: .always)
        _ = try GuideImporter(store: store).importGuide(
            ChunkSource(Array(document.utf8)), as: Source(name: "default"),
            now: Instant(secondsSince1970: 1_792_861_800))
        try store.close()
    }

    deinit {
        // A folder that cannot be removed must not fail a test; the system cleans it up.
        _ = Result { try FileManager.default.removeItem(at: folder) }
    }
}
