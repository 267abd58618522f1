import EPGImport
import EPGModel
import EPGSQL
import EPGSearch
import Foundation
import StoreConformance
import TestSupport
import Testing

@testable import EPGStore

/// The size of the search index does not depend on the number of imports, and its totals stay exact.
@Suite struct SearchGrowthTests {
    /// The number of nights; 400 for a release.
    private static let nights = TestScope.current < .release ? 40 : 400

    @Test func indexAfterManyNightsEqualsNewIndex() throws {
        let scratch = try ScratchGuide()
        let series = SeriesGuide(stations: TestScope.current > .contribution ? 8 : 4, airingsPerDay: 6)
        var sizes: [Int] = []
        // The numbers of programmes that were indexed or reindexed in each night.
        var written: [Int64] = []
        var programmes: Int64 = 0
        for night in 0..<Self.nights {
            let now = SeriesGuide.start(ofDay: night)
            let before = night == 0 ? 0 : try Self.entries(scratch)
            try scratch.importing(text: series.text(days: night..<night + 14), now: now)
            try scratch.store.refreshSearchIndex()
            _ = try scratch.store.prune(before: now, now: now, limit: .none)
            try scratch.store.refreshSearchIndex()
            try scratch.close()
            sizes.append(try Self.size(scratch))
            let (entries, last) = try (Self.entries(scratch), Self.lastProgramme(scratch))
            let new = last - programmes
            programmes = last
            // The number of entries grows by the number of new programmes, unless all programmes are reindexed.
            written.append(entries == before + new ? new : entries)
            guard night % 20 == 19 || night == Self.nights - 1 else { continue }
            let check = try GuideStore(readingFrom: scratch.path).check()
            expectEqual(
                (check.isIntact, check.isSearchComplete), (true, true),
                "night \(night): \(check.searchDamage ?? "")")
            try expectExactTotals(scratch, now: now, night: night)
        }
        for suffix in ["", "-wal", "-shm"] { unlink(scratch.path + "-search" + suffix) }
        try scratch.store.refreshSearchIndex()
        try scratch.close()
        let fresh = try Self.size(scratch)
        #expect(sizes.dropFirst(14).allSatisfy { Double($0) <= 1.5 * Double(fresh) }, "\(sizes), fresh \(fresh)")
        // The size does not grow over time.
        let (first, last) = (sizes[14..<27].max() ?? 0, sizes.suffix(13).max() ?? 0)
        #expect(Double(last) <= 1.1 * Double(first), "\(sizes)")
        #expect(
            written.contains { $0 > 2 * (written.min() ?? 0) },
            "all programmes must be reindexed in some nights: \(written)")
        let steady = written.dropFirst(14)
        let (early, late) = (steady.prefix(steady.count / 2).reduce(0, +), steady.suffix(steady.count / 2).reduce(0, +))
        #expect(Double(late) <= 1.25 * Double(early), "\(written)")
    }

    private static func entries(_ scratch: ScratchGuide) throws -> Int64 {
        try GuideStore(readingFrom: scratch.path).readSearchIndex { try SearchIndex.entryCount($0) } ?? 0
    }

    private static func lastProgramme(_ scratch: ScratchGuide) throws -> Int64 {
        try GuideStore(readingFrom: scratch.path).read { try GuideState($0).nextProgramme - 1 }
    }

    @Test func unchangedRefreshWritesNothing() throws {
        let scratch = try ScratchGuide()
        let series = SeriesGuide(stations: 3, airingsPerDay: 6)
        try scratch.importing(text: series.text(days: 0..<3))
        // The index of a new guide is written without a write-ahead log. The next refresh enables the log.
        for _ in 0..<2 {
            try scratch.store.refreshSearchIndex()
            try scratch.close()
        }
        let before = try Data(contentsOf: URL(filePath: scratch.path + "-search"))
        try scratch.store.refreshSearchIndex()
        try scratch.importing(text: series.text(days: 0..<3))
        try scratch.store.refreshSearchIndex()
        try expectEqual(Self.bytes(scratch.path + "-search-wal"), 0)
        try scratch.close()
        try expectEqual(Data(contentsOf: URL(filePath: scratch.path + "-search")), before)
    }

    /// Checks that the total of a search is the number of airings with the word.
    private func expectExactTotals(_ scratch: ScratchGuide, now: Instant, night: Int) throws {
        let airings = try (0..<8).flatMap { try scratch.airings(of: "s\($0)") }
        let texts = airings.map { airing in
            Set(
                [airing.title, airing.subtitle ?? "", airing.description ?? ""].joined(separator: " ")
                    .split { !$0.isLetter && !$0.isNumber }.map { $0.lowercased() })
        }
        for word in ["football", "series3", "episode2", "night\(night)", "night\(night - 14)", "nothing"] {
            let results = try scratch.store.search(SearchQuery(words: word, now: now))
            expectEqual(results.isTotalExact, true)
            expectEqual(results.total, texts.count { $0.contains(word) }, "\(word) in night \(night)")
        }
    }

    private static func size(_ scratch: ScratchGuide) throws -> Int {
        try bytes(scratch.path + "-search") + bytes(scratch.path + "-search-wal")
    }

    private static func bytes(_ path: String) throws -> Int {
        guard FileManager.default.fileExists(atPath: path) else { return 0 }
        return (try FileManager.default.attributesOfItem(atPath: path)[.size] as? Int) ?? 0
    }
}

/// Listings of series for the next days, published each night.
///
/// Stations repeat episodes of other stations, each day adds new episodes, and each night changes some descriptions of the next
/// days.
private struct SeriesGuide {
    let stations: Int
    let airingsPerDay: Int

    /// Returns midnight of a day in UTC. Day 0 is 2026-01-01.
    static func start(ofDay day: Int) -> Instant {
        Instant(secondsSince1970: 1_767_225_600 + Int64(day) * 86_400)
    }

    func text(days: Range<Int>) -> String {
        var text = "<tv>\n"
        for station in 0..<stations {
            for day in days {
                for slot in 0..<airingsPerDay { text += record(station, day, slot, night: days.lowerBound) }
            }
        }
        return text + "</tv>\n"
    }

    private func record(_ station: Int, _ day: Int, _ slot: Int, night: Int) -> String {
        let length = Int64(86_400 / airingsPerDay)
        let start = Self.start(ofDay: day).advanced(by: Int64(slot) * length)
        // Half of the stations repeat the previous day of the other half.
        let (series, episode) = (
            station % (stations / 2 + 1), (day - station / (stations / 2 + 1)) * airingsPerDay + slot
        )
        let words = (0..<30).map { "word\(SeededHash.value(series, episode, $0) % 4000)" }.joined(separator: " ")
        let isChanging = SeededHash.value(series, episode, 77) % 10 == 0 && day < night + 3
        let description = words + (isChanging ? " night\(night)" : "") + (episode % 17 == 0 ? " Football." : ".")
        let stamps = [start, start.advanced(by: length)].map { $0.iso8601.filter(\.isNumber) + " +0000" }
        return """
            <programme start="\(stamps[0])" stop="\(stamps[1])" channel="s\(station)"><title>Series\(series)</title>\
            <sub-title>Episode\(episode % 50) part\(episode)</sub-title><desc>\(description)</desc></programme>

            """
    }
}

/// Deterministic pseudorandom numbers from rounds of SplitMix64.
private enum SeededHash {
    static func value(_ values: Int...) -> UInt64 {
        values.reduce(16) { seed, value in
            var generator = SeededGenerator(seed: seed &+ UInt64(bitPattern: Int64(value)))
            return generator.next()
        }
    }
}
