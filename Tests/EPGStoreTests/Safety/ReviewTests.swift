import EPGModel
import EPGStore
import Testing

/// What happened is told as far as the log of a week reaches, and whether that is all.
@Suite struct ReviewTests {
    private let hour: Int64 = 3600

    private func importing(_ airings: [String], hours: Int64, into scratch: ScratchGuide) throws {
        try scratch.importing(text: Day.guide(airings), now: ScratchGuide.now.advanced(by: hours * hour))
    }

    /// Generations 1…4 at 18:00, 19:00, 20:00 and 21:00.
    private func evening() throws -> ScratchGuide {
        let scratch = try ScratchGuide()
        // What starts the evening stays, so that what follows is known to have moved.
        let start = "one 18:00-19:00 Start"
        try importing([start, "one 20:00-21:00 News", "two 20:00-21:00 Match"], hours: 0, into: scratch)
        try importing([start, "one 20:00-21:00 Other", "two 20:00-21:00 Match"], hours: 1, into: scratch)
        try importing([start, "one 20:05-21:00 Other", "two 20:00-21:00 Match"], hours: 2, into: scratch)
        try importing(["two 20:00-20:30 Match", "two 20:30-21:00 Talk"], hours: 3, into: scratch)
        return scratch
    }

    private func lines(_ review: ChangeReview?) -> [String] {
        (review?.stations ?? []).flatMap { station in
            station.airings.map { airings in
                airings.map { "\(station.name) \(ChangeText.line($0.change)) \($0.title ?? "-")" }
            } ?? ["\(station.name) *"]
        }
    }

    @Test func changesHaveNamesAndTitles() throws {
        let scratch = try evening()
        let review = try #require(try scratch.store.review(since: .generation(Generation(2))))
        #expect((review.since, review.generation, review.isComplete) == (Generation(2), Generation(4), true))
        #expect(review.from == ScratchGuide.now.advanced(by: 2 * hour))
        #expect(
            lines(review) == [
                "one > 2 20:00-21:00 20:05-21:00 Other", "two ~ 3 20:00-21:00 20:00-20:30 Match",
                "two + 4 20:30-21:00 Talk",
            ])
        let whole = try scratch.store.review(since: .generation(Generation(0)))
        #expect(lines(whole) == ["one *", "two *"])
        #expect(whole?.changesStations == true)
    }

    @Test func oneStationMayBeAskedFor() throws {
        let scratch = try evening()
        let review = try scratch.store.review(since: .generation(Generation(2)), of: StationID("two"))
        #expect(lines(review).count == 2)
        #expect(review?.stations.map(\.row) == [1])
    }

    @Test func airingThatIsGoneHasNoTitle() throws {
        let scratch = try ScratchGuide(["one 20:00-21:00 News", "one 21:00-22:00 Film", "one 22:00-23:00 Talk"])
        try scratch.importing(["one 20:00-21:00 News", "one 21:00-23:00 Talk and more"])
        #expect(
            lines(try scratch.store.review(since: .generation(Generation(1)))) == [
                "one ~ 2 21:00-22:00 21:00-23:00 Talk and more", "one - 3 22:00-23:00 -",
            ])
    }

    /// Generations at 18, 19, 20 and 21 o'clock: what came after the instant.
    @Test(arguments: [
        (-1, 0), (0, 1), (1, 1), (59, 1), (60, 2), (61, 2), (179, 3), (180, 4), (1000, 4),
    ]) func instantLeadsToTheGenerationThatStoodThen(minutes: Int64, since: Int64) throws {
        let scratch = try evening()
        let instant = ScratchGuide.now.advanced(by: minutes * 60)
        let review = try #require(try scratch.store.review(since: .instant(instant)))
        #expect(review.since == Generation(since))
        #expect(review.isComplete)
        #expect(review.stations.isEmpty == (since == 4))
        #expect((review.from == nil) == (since == 4))
    }

    @Test func whatTheLogDoesNotReachIsIncomplete() throws {
        let scratch = try evening()
        // The log of then is older than a week.
        try importing(["one 20:00-21:00 Late"], hours: 8 * 24, into: scratch)
        for start in [
            ChangeReview.Start.generation(Generation(0)), .generation(Generation(3)), .instant(ScratchGuide.now),
        ] {
            let review = try #require(try scratch.store.review(since: start))
            #expect(!review.isComplete)
            #expect(review.since == Generation(4))
            #expect(lines(review).count == 2)
        }
        let review = try #require(try scratch.store.review(since: .generation(Generation(4))))
        #expect(review.isComplete)
    }

    @Test func generationThatHasNotComeIsNone() throws {
        #expect(try evening().store.review(since: .generation(Generation(5))) == nil)
    }

    @Test func emptyGuideHasNothingToTell() throws {
        let review = try #require(try ScratchGuide().store.review(since: .instant(ScratchGuide.now)))
        #expect((review.since, review.generation, review.isComplete) == (Generation(0), Generation(0), true))
    }
}
