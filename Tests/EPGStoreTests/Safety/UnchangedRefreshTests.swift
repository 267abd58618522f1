import EPGModel
import EPGSQL
import EPGRefresh
import EPGStore
import Foundation
import StoreConformance
import TestSupport
import Testing

/// A refresh of an unchanged feed keeps the generation and writes only the state of the source.
@Suite struct UnchangedRefreshTests {
    private static let feed = Day.guide([
        "one 20:00-21:00 News", "one 21:00-22:00 Film", "two 20:00-22:00 Match", "two 22:00-? Talk",
    ])
    private let later = Day.now.advanced(by: 3600)

    @Test(arguments: ["not-modified", "unchanged"]) func unchangedFeedWritesOnlyState(outcome: String) throws {
        let scratch = try ScratchGuide()
        let fetcher = try FeedFetcher(
            feed: Self.feed, tag: "\"1\"", returnsNotModified: outcome == "not-modified")
        let guide = try RefreshedGuide(scratch, fetcher: fetcher)
        let first = try guide.refresh(at: Day.now)
        expectEqual(first.sources.map(\.outcome.keyword), ["imported"])
        expectEqual(first.sources.first?.outcome.difference, AiringDifference(inserted: 4))
        var before = try GuideDump(path: scratch.path)
        let index = try Data(contentsOf: URL(filePath: scratch.path + "-search"))

        let second = try guide.refresh(at: later)
        expectEqual(second.sources.map(\.outcome.keyword), [outcome])
        expectEqual((second.changedGuide, second.failureKind), (false, nil))
        var after = try GuideDump(path: scratch.path)
        #expect(before.tables.removeValue(forKey: "source_state") != after.tables.removeValue(forKey: "source_state"))
        expectEqual(before, after)
        try expectEqual(Data(contentsOf: URL(filePath: scratch.path + "-search")), index)
        let reader = try GuideStore(readingFrom: scratch.path)
        try expectEqual(reader.generation(), Generation(1))
        try expectEqual(reader.sources().first?.state.lastSuccess, later)
    }

    @Test func equivalentFeedKeepsGeneration() throws {
        let scratch = try ScratchGuide()
        _ = try RefreshedGuide(scratch, feed: Self.feed).refresh(at: Day.now)
        let again = try RefreshedGuide(scratch, feed: Self.feed + "<!-- made at 19:00 -->\n").refresh(at: later)
        expectEqual(again.sources.map(\.outcome.keyword), ["imported"])
        expectEqual(again.sources.first?.outcome.difference, AiringDifference())
        expectEqual(again.changedGuide, false)
        try expectEqual(GuideStore(readingFrom: scratch.path).generation(), Generation(1))
    }

    @Test func collectedChangesEqualDifference() throws {
        let scratch = try ScratchGuide()
        _ = try RefreshedGuide(scratch, feed: Self.feed).refresh(at: Day.now)
        // News ends later, Film starts later, Talk ends earlier, and Quiz and Night are new.
        let next = Day.guide([
            "one 20:00-21:05 News", "one 21:05-22:00 Film", "two 20:00-22:00 Match", "two 22:30-23:00 Quiz",
            "two 23:00-24:00 Night", "two 22:00-22:30 Talk",
        ])
        let report = try RefreshedGuide(scratch, feed: next).refresh(at: later)
        let difference = try #require(report.sources.first?.outcome.difference)
        let kinds = try Self.kinds(GuideStore(readingFrom: scratch.path).changes(since: Generation(1)))
        #expect(difference.inserted == kinds[.inserted] ?? 0)
        #expect(difference.removed == kinds[.removed] ?? 0)
        #expect(difference.moved == kinds[.moved] ?? 0)
        #expect(difference.changed == kinds[.changed] ?? 0)
        expectEqual(difference, AiringDifference(inserted: 2, removed: 0, moved: 1, changed: 2))
    }

    private static func kinds(_ changes: GuideChanges?) -> [AiringChange.Kind: Int] {
        var kinds: [AiringChange.Kind: Int] = [:]
        for station in changes?.stations ?? [] {
            guard case .airings(let airings) = station.extent else { continue }
            for airing in airings { kinds[airing.kind, default: 0] += 1 }
        }
        return kinds
    }
}
