import EPGImport
import EPGModel
import Testing

extension StoreRule {
    /// What happened to the guide, with names and titles.
    static let reviews: [StoreRule] = [
        StoreRule("A review has names and titles") { guide in
            try guide.importEvening()
            let review = try #require(try guide.review(since: .generation(Generation(2))))
            #expect((review.since, review.generation, review.isComplete) == (Generation(2), Generation(4), true))
            #expect(review.from == Day.now.advanced(by: 2 * hour))
            #expect(
                lines(review) == [
                    "one > 2 20:00-21:00 20:05-21:00 Other", "two ~ 3 20:00-21:00 20:00-20:30 Match",
                    "two + 4 20:30-21:00 Talk",
                ])
            let whole = try guide.review(since: .generation(Generation(0)))
            #expect(lines(whole) == ["one *", "two *"])
            #expect(whole?.changesStations == true)
        },
        StoreRule("A review may be that of one station") { guide in
            try guide.importEvening()
            let review = try guide.review(since: .generation(Generation(2)), of: StationID("two"))
            #expect(lines(review).count == 2)
            #expect(review?.stations.map(\.row) == [1])
        },
        StoreRule("A removed airing has no title in a review") { guide in
            try guide.importing(["one 20:00-21:00 News", "one 21:00-22:00 Film", "one 22:00-23:00 Talk"])
            try guide.importing(["one 20:00-21:00 News", "one 21:00-23:00 Talk and more"])
            #expect(
                lines(try guide.review(since: .generation(Generation(1)))) == [
                    "one ~ 2 21:00-22:00 21:00-23:00 Talk and more", "one - 3 22:00-23:00 -",
                ])
        },
        /// Generations at 18, 19, 20 and 21 o'clock: what came after the instant.
        StoreRule("A review since an instant begins at the generation of that time") { guide in
            try guide.importEvening()
            for (minutes, since) in [
                (-1, 0), (0, 1), (1, 1), (59, 1), (60, 2), (61, 2), (179, 3), (180, 4), (1000, 4),
            ] as [(Int64, Int64)] {
                let instant = Day.now.advanced(by: minutes * 60)
                let review = try #require(try guide.review(since: .instant(instant)))
                #expect(review.since == Generation(since))
                #expect(review.isComplete)
                #expect(review.stations.isEmpty == (since == 4))
                #expect((review.from == nil) == (since == 4))
            }
        },
        StoreRule("A review beyond the log is incomplete") { guide in
            try guide.importEvening()
            // The log of then is older than a week.
            try guide.importing(["one 20:00-21:00 Late"], hours: 8 * 24)
            for start in [
                ChangeReview.Start.generation(Generation(0)), .generation(Generation(3)), .instant(Day.now),
            ] {
                let review = try #require(try guide.review(since: start))
                #expect(!review.isComplete)
                #expect(review.since == Generation(4))
                #expect(lines(review).count == 2)
            }
            let review = try #require(try guide.review(since: .generation(Generation(4))))
            #expect(review.isComplete)
        },
        StoreRule("There is no review since a generation that has not come") { guide in
            try guide.importEvening()
            #expect(try guide.review(since: .generation(Generation(5))) == nil)
        },
        StoreRule("A review of an empty guide is empty and complete") { guide in
            let review = try #require(try guide.review(since: .instant(Day.now)))
            #expect((review.since, review.generation, review.isComplete) == (Generation(0), Generation(0), true))
        },
    ]
}

private let hour: Int64 = 3600

extension GuideUnderTest {
    fileprivate func importing(_ airings: [String], hours: Int64) throws {
        try importing(airings, now: Day.now.advanced(by: hours * hour))
    }

    /// Imports generations 1…4 at 18:00, 19:00, 20:00 and 21:00.
    fileprivate func importEvening() throws {
        // What starts the evening stays, so that what follows is known to have moved.
        let start = "one 18:00-19:00 Start"
        try importing([start, "one 20:00-21:00 News", "two 20:00-21:00 Match"], hours: 0)
        try importing([start, "one 20:00-21:00 Other", "two 20:00-21:00 Match"], hours: 1)
        try importing([start, "one 20:05-21:00 Other", "two 20:00-21:00 Match"], hours: 2)
        try importing(["two 20:00-20:30 Match", "two 20:30-21:00 Talk"], hours: 3)
    }

    fileprivate func review(since start: ChangeReview.Start) throws -> ChangeReview? {
        try review(since: start, of: nil)
    }
}

/// The changes of a review with names and titles, a line for each.
private func lines(_ review: ChangeReview?) -> [String] {
    (review?.stations ?? []).flatMap { station in
        station.airings.map { airings in
            airings.map { "\(station.name) \(ChangeText.line($0.change)) \($0.title ?? "-")" }
        } ?? ["\(station.name) *"]
    }
}
