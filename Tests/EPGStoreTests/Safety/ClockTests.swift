import EPGImport
import EPGModel
import EPGSQL
import EPGRefresh
import EPGStore
import StoreConformance
import TestSupport
import Testing

/// A refresh with a wrong clock keeps recent, current and upcoming airings.
@Suite struct ClockTests {
    private static let day: Int64 = 86_400
    /// Hourly airings from nine days ago to a week ahead.
    private static let hours = 0..<16 * 24
    private static let guide = hours.map { "one \($0):00-\($0 + 1):00 T\($0)" }
    /// The true time, at hour 234: 2026-04-06T18:00:00Z.
    private static let now = Day.instant("234:00")

    private func refresh(_ scratch: ScratchGuide, at now: Instant, isForced: Bool = false) throws -> RefreshReport {
        try scratch.close()
        var options = RefreshOptions()
        options.isForced = isForced
        return try RefreshedGuide(scratch, feed: Day.guide(Self.guide)).refresh(at: now, options: options)
    }

    private func starts(_ scratch: ScratchGuide) throws -> [Instant] {
        let reader = try GuideStore(readingFrom: scratch.path)
        return try reader.schedule(of: StationID("one"), during: Day.allTime).airings.map(\.window.start)
    }

    /// Calculated by hand: of the hours 0…383, those remain that stop later than 168 hours before the clock time. The true hour
    /// is 234.
    @Test(
        arguments: [
            ("right", now, 150 + 168), ("a day ahead", now.advanced(by: day), 126 + 168),
            ("a day back", now.advanced(by: -day), 174 + 168),
            ("three days ahead", now.advanced(by: 3 * day), 78 + 168),
            ("1970", Instant(secondsSince1970: 0), 384), ("before 1970", Instant(secondsSince1970: -day), 384),
        ] as [(String, Instant, Int)])
    func slightlyFastClockPrunesOnlyOldAirings(name: String, clock: Instant, count: Int) throws {
        let scratch = try ScratchGuide()
        let report = try refresh(scratch, at: clock)
        expectEqual(report.failureText, "")
        let remaining = try starts(scratch)
        expectEqual(remaining, Self.hours.suffix(count).map { Day.instant("\($0):00") })
        // The import already skips airings of that age.
        expectEqual(report.prunedAirings, 0)
        try expectEqual(GuideStore(readingFrom: scratch.path).check().problems, [])
    }

    @Test(
        arguments: [
            ("a year ahead", now.advanced(by: 365 * day)), ("a month ahead", now.advanced(by: 30 * day)),
            ("2038", Instant(secondsSince1970: 2_147_483_647)),
            ("after 2038", Instant(secondsSince1970: 2_147_483_648)),
            ("9999", Instant(secondsSince1970: 253_402_300_799)),
        ] as [(String, Instant)])
    func veryFastClockPrunesNothing(name: String, clock: Instant) throws {
        let scratch = try ScratchGuide(Self.guide)
        let report = try refresh(scratch, at: clock)
        expectEqual((report.failureKind, report.prunedAirings), (.badContent, 0))
        // The guide is rejected, so old airings are no other sign of a wrong clock.
        expectText(report.failureText, contains: ["the clock of this machine"], lacks: ["Old airings were not removed"])
        try expectEqual(starts(scratch).count, 384)
        // With the correct clock, the refresh runs without delay and removes old airings.
        let later = try refresh(scratch, at: Self.now)
        expectEqual(later.failureText, "")
        #expect(later.prunedAirings > 0)
        try expectEqual(starts(scratch).last, Day.instant("383:00"))
        try expectEqual(GuideStore(readingFrom: scratch.path).check().problems, [])
    }

    /// The feed does not change. The server returns the same bytes or a 304 response.
    @Test(arguments: [1, 3, 5, 8, 20, 365], [false, true])
    func airingsPrunedByFastClockReturnAfterCorrection(days: Int64, returnsNotModified: Bool) throws {
        let scratch = try ScratchGuide()
        let fetcher = try FeedFetcher(
            feed: Day.guide(Self.guide), tag: "\"1\"", returnsNotModified: returnsNotModified)
        let guide = try RefreshedGuide(scratch, fetcher: fetcher)
        _ = try guide.refresh(at: Self.now)
        let before = try starts(scratch)
        _ = try guide.refresh(at: Self.now.advanced(by: days * Self.day))
        let report = try guide.refresh(at: Self.now.advanced(by: 60))
        expectEqual(report.failureText, "")
        try expectEqual(starts(scratch), before)
        // From then on, the feed is unchanged again.
        let last = try guide.refresh(at: Self.now.advanced(by: 120)).sources.map(\.outcome.keyword)
        expectEqual(last, [returnsNotModified ? "not-modified" : "unchanged"])
    }

    /// Otherwise, each refresh would read the other sources again until the wrong time has passed.
    @Test func sourceStateAfterClockCorrectionIsDiscardedOnce() throws {
        struct UnavailableFetcher: Fetcher {
            func fetch(_ request: FetchRequest, watch: FetchObserver) throws(FetchError) -> FetchResult {
                throw FetchError(location: "http://feed.example/", reason: .status(404))
            }
        }
        let scratch = try ScratchGuide()
        _ = try RefreshedGuide(scratch, feed: Day.guide(Self.guide)).refresh(at: Self.now.advanced(by: 5 * Self.day))
        _ = try RefreshedGuide(scratch, fetcher: UnavailableFetcher()).refresh(at: Self.now)
        let reader = try GuideStore(readingFrom: scratch.path)
        try expectEqual(reader.hasRecordedTimes(after: Self.now), false)
        let state = try #require(try reader.sourceRecords().first?.state)
        #expect(state.lastAttempt == Self.now && state.lastSuccess == nil && state.lastError != nil)
    }

    /// At 382:30, the hours 0…213 are older than one week: 214 of 384 airings. Half of all airings are 192.
    @Test func oldAiringsArePrunedInHalvesAfterLongPause() throws {
        let scratch = try ScratchGuide(Self.guide)
        let guide = try RefreshedGuide(scratch, feed: Day.guide(Self.guide))
        let first = try guide.refresh(at: Day.instant("382:30"))
        expectEqual((first.failureText, first.prunedAirings), ("", 192))
        try expectEqual(starts(scratch).first, Day.instant("192:00"))
        let second = try guide.refresh(at: Day.instant("382:31"))
        expectEqual((second.failureText, second.prunedAirings), ("", 22))
        try expectEqual(starts(scratch).first, Day.instant("214:00"))
        try expectEqual(GuideStore(readingFrom: scratch.path).check().problems, [])
    }

    @Test func manuallyRemovedUpcomingAiringsAreImportedAgain() throws {
        let scratch = try ScratchGuide()
        let guide = try RefreshedGuide(
            scratch, fetcher: try FeedFetcher(feed: Day.guide(Self.guide), tag: "\"1\"", returnsNotModified: true))
        _ = try guide.refresh(at: Self.now)
        let before = try starts(scratch)
        // Pruning up to an hour ago keeps a guide small and requires no new download.
        _ = try guide.database.write { try $0.prune(before: Self.now.advanced(by: -3600), now: Self.now, limit: .none) }
        try expectEqual(guide.refresh(at: Self.now).sources.map(\.outcome.keyword), ["not-modified"])
        _ = try guide.database.write { try $0.prune(before: Self.now.advanced(by: 3600), now: Self.now, limit: .none) }
        try expectEqual(guide.refresh(at: Self.now).sources.map(\.outcome.keyword), ["imported"])
        try expectEqual(starts(scratch), before)
    }

    @Test func forcedRefreshWithFastClockPrunesAllAirings() throws {
        let scratch = try ScratchGuide(Self.guide)
        let report = try refresh(scratch, at: Self.now.advanced(by: 365 * Self.day), isForced: true)
        expectEqual((report.failureKind, report.prunedAirings), (nil, 384))
    }
}
