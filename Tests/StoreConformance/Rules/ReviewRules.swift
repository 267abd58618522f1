import EPGImport
import EPGModel
import TestSupport
import Testing

extension StoreRule {
    /// Changes since a generation or an instant, as far as the log reaches back.
    static let reviews: [StoreRule] = [
        StoreRule("Changes have the time of the first generation after their start") { guide in
            try guide.importEvening()
            let changes = try #require(try guide.changes(since: .generation(Generation(2)), of: nil))
            expectEqual(
                (changes.since, changes.generation, changes.isComplete), (Generation(2), Generation(4), true))
            expectEqual(changes.from, Day.now.advanced(by: 2 * hour))
            expectEqual(
                ChangeText.lines(changes),
                [
                    "one > 2 20:00-21:00 20:05-21:00", "two ~ 3 20:00-21:00 20:00-20:30", "two + 4 20:30-21:00",
                ])
            let all = try guide.changes(since: .generation(Generation(0)), of: nil)
            expectEqual(ChangeText.lines(all), ["stations", "one *", "two *"])
        },
        StoreRule("Changes can be limited to one station") { guide in
            try guide.importEvening()
            let changes = try guide.changes(since: .generation(Generation(2)), of: StationID("two"))
            expectEqual(changes?.stations.map(\.row), [1])
            expectEqual(ChangeText.lines(changes).count, 2)
        },
        // The generations are from 18:00, 19:00, 20:00 and 21:00.
        StoreRule("Changes since an instant begin at the generation of that time") { guide in
            try guide.importEvening()
            for (minutes, since) in [
                (-1, 0), (0, 1), (1, 1), (59, 1), (60, 2), (61, 2), (179, 3), (180, 4), (1000, 4),
            ] as [(Int64, Int64)] {
                let instant = Day.now.advanced(by: minutes * 60)
                let changes = try #require(try guide.changes(since: .instant(instant), of: nil))
                expectEqual(changes.since, Generation(since))
                expectEqual(changes.isComplete, true)
                expectEqual(changes.stations.isEmpty, (since == 4))
                expectEqual(changes.from == nil, since == 4)
            }
        },
        StoreRule("Changes beyond the log are incomplete") { guide in
            try guide.importEvening()
            // The log of that evening is older than one week.
            try guide.importing(["one 20:00-21:00 Late"], hours: 8 * 24)
            for start in [
                GuideChanges.Start.generation(Generation(0)), .generation(Generation(3)), .instant(Day.now),
            ] {
                let changes = try #require(try guide.changes(since: start, of: nil))
                expectEqual(changes.isComplete, false)
                expectEqual(changes.since, Generation(4))
                expectEqual(ChangeText.lines(changes).count, 2)
            }
            let changes = try #require(try guide.changes(since: .generation(Generation(4)), of: nil))
            expectEqual(changes.isComplete, true)
        },
        StoreRule("Changes since a future generation are unknown") { guide in
            try guide.importEvening()
            try expectEqual(guide.changes(since: .generation(Generation(5)), of: nil), nil)
        },
        StoreRule("Changes of an empty guide are empty and complete") { guide in
            let changes = try #require(try guide.changes(since: .instant(Day.now), of: nil))
            expectEqual(
                (changes.since, changes.generation, changes.isComplete), (Generation(0), Generation(0), true))
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
        // The first airing is unchanged, so that the airing after it is recognized as moved.
        let start = "one 18:00-19:00 Start"
        try importing([start, "one 20:00-21:00 News", "two 20:00-21:00 Match"], hours: 0)
        try importing([start, "one 20:00-21:00 Other", "two 20:00-21:00 Match"], hours: 1)
        try importing([start, "one 20:05-21:00 Other", "two 20:00-21:00 Match"], hours: 2)
        try importing(["two 20:00-20:30 Match", "two 20:30-21:00 Talk"], hours: 3)
    }
}
