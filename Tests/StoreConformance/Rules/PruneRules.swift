import EPGImport
import EPGModel
import TestSupport
import Testing

extension StoreRule {
    /// Pruning removes only airings that have stopped, up to a limit.
    static let prunes: [StoreRule] = [
        StoreRule("Pruning removes airings that stopped at or before the instant") { guide in
            try guide.importing(evening)
            try expectEqual(guide.prune(before: Day.instant("22:00")), 3)
            try expectEqual(guide.lines(), ["22:00-23:00 C"])
            try expectEqual(guide.lines(of: "two"), [])
            try expectEqual(guide.generation(), Generation(2))
            // The stations remain.
            try expectEqual(guide.stationCount(), 2)
            try expectEqual(guide.check().problems, [])
        },
        StoreRule("Pruning keeps a station whose last stop was inferred") { guide in
            // The last airing of the second source has no stop, so its coverage ends one second after 21:00.
            try guide.importing(evening)
            try guide.importing(["one 20:00-21:00 X", "one 21:00-? Y"], as: Source(name: "other"))
            _ = try guide.prune(before: Day.instant("21:30"))
            try expectEqual(guide.removeSource(named: "feed"), true)
            try expectEqual(guide.lines(), ["21:00-22:00? Y"])
            try expectEqual(guide.check().problems, [])
        },
        StoreRule("Airings of stations with catch-up stay for its days, although the feed lists only the future") {
            guide in
            // 20 nights at 3:00, each with the listings of two days from the current airing on; hourly airings at half past.
            var seen = 0
            for night in 0..<20 {
                let first = night * 24 + 3
                let lines = ["one", "two"].flatMap { station in
                    (first - 1..<first + 48).map { "\(station) \($0):30-\($0 + 1):30 T\($0)" }
                }
                let now = Day.instant("\(first):00")
                try guide.importing(lines, now: now)
                if night == 0 {
                    var channels = Lineup("tv", ["one 1", "two 2"]).channels
                    channels[0].attributes = [
                        ContentAttribute(name: "catchup", value: "shift"),
                        ContentAttribute(name: "catchup-days", value: "5"),
                    ]
                    _ = try guide.saveLineup(Lineup(name: "tv", channels: channels))
                }
                let retention: Int64 = 86_400
                _ = try guide.storage.write(waiting: .forOthers) {
                    try $0.removeOldAirings(retention: retention, now: now, limit: .none)
                }
                try expectEqual(guide.hasOldAirings(retention: retention, now: now), false)
                // The catch-up range has at most as many hours as the first night is ago.
                let hours = min(night * 24, 5 * 24)
                let titles = try guide.storage.read { guide in
                    try (first - hours..<first).filter { hour in
                        let instant = Day.instant("\(hour):45")
                        return try guide.schedule(
                            of: StationID("one"), during: TimeWindow(start: instant, end: instant.advanced(by: 1))
                        ).airings.first?.title == "T\(hour)"
                    }
                }
                expectEqual(titles.count, hours, "night \(night)")
                seen += titles.count
                let oldest = try guide.storage.read {
                    try $0.schedule(of: StationID("two"), during: Day.allTime).airings.first?.window.start
                }
                // Without catch-up, the retention of one day counts.
                expectEqual(oldest, Day.instant("\(max(2, first - 25)):30"), "night \(night)")
            }
            expectEqual(seen, 24 * (1 + 2 + 3 + 4) + 15 * 5 * 24)
            try expectEqual(
                guide.catchupHorizons(retention: 86_400, now: Day.instant("100:00")),
                [StationID("one"): Day.instant("\(100 - 6 * 24):00")])
            // Pruning by hand removes everything that is over.
            #expect(
                try guide.prune(before: Day.instant("\(19 * 24 + 3):00"), now: Day.instant("\(19 * 24 + 3):00")) > 100)
            try expectEqual(guide.check().problems, [])
        },
        StoreRule("An import keeps past airings that the feed has stopped listing") { guide in
            try guide.importing(["one 10:00-11:00 A", "one 11:00-12:00 B", "one 12:00-13:00 C", "one 20:00-21:00 D"])
            // A stray old airing precedes the current ones.
            let outcome = try guide.importing(
                ["one 10:00-11:00 A", "one 12:30-13:30 X", "one 20:00-21:00 E"], now: Day.instant("18:00"))
            try expectEqual(
                guide.lines(), ["10:00-11:00 A", "11:00-12:00 B", "12:30-13:30 X", "20:00-21:00 E"])
            expectEqual(outcome.airings.removed, 1)
            // What is not over yet follows the feed.
            try guide.importing(["one 10:00-11:00 A", "one 21:00-22:00 F"], now: Day.instant("18:00"))
            try expectEqual(guide.lines(), ["10:00-11:00 A", "11:00-12:00 B", "12:30-13:30 X", "21:00-22:00 F"])
            try expectEqual(guide.check().problems, [])
        },
        StoreRule("Pruning keeps airings that are still on") { guide in
            try guide.importing(evening)
            try expectEqual(guide.prune(before: Day.instant("21:30")), 2)
            try expectEqual(guide.lines(), ["21:00-22:00 B", "22:00-23:00 C"])
        },
        StoreRule("Pruned airings return with the next import that lists them") { guide in
            try guide.importing(evening)
            let (one, two) = (try guide.lines(), try guide.lines(of: "two"))
            try expectEqual(guide.prune(before: Day.instant("21:00")), 2)
            try expectEqual(guide.importing(evening).airings.inserted, 2)
            try expectEqual(guide.lines(), one)
            try expectEqual(guide.lines(of: "two"), two)
        },
        StoreRule("Pruning without old airings changes nothing") { guide in
            try guide.importing(evening)
            let before = try guide.snapshot()
            try expectEqual(guide.prune(before: Day.instant("20:30").advanced(by: -1)), 0)
            try expectEqual(guide.snapshot(), before)
        },
        StoreRule("Pruning refuses to remove more than half") { guide in
            try guide.importing(evening)
            let before = try guide.snapshot()
            let instant = Day.instant("22:00")
            let refusal = try #require(PruningLimit.half.refusal(ofRemoving: 3, of: 4, before: instant))
            #expect(throws: refusal) {
                try guide.prune(before: instant, now: Day.now, limit: .half)
            }
            try expectEqual(guide.snapshot(), before)
            try expectEqual(guide.prune(before: Day.instant("21:00"), now: Day.now, limit: .half), 2)
            try expectEqual(guide.prune(before: Day.instant("24:00"), now: Day.now, limit: .none), 2)
        },
        StoreRule("Pruning can remove the oldest half, and the rest in the next run") { guide in
            try guide.importing(evening)
            // Three of four airings have stopped. The limit is two: those that stopped first, at 20:30 and 21:00.
            try expectEqual(guide.prune(before: Day.instant("22:00"), limit: .oldestHalf), 2)
            try expectEqual(guide.lines(), ["21:00-22:00 B", "22:00-23:00 C"])
            try expectEqual(guide.prune(before: Day.instant("22:00"), limit: .oldestHalf), 1)
            try expectEqual(guide.lines(), ["22:00-23:00 C"])
            try expectEqual(guide.lines(of: "two"), [])
        },
        StoreRule("Pruning up to a future instant discards body hashes and entity tags") { guide in
            try guide.importing(evening)
            var state = SourceState()
            (state.bodyHash, state.entityTag, state.lastModified) = ("hash", "tag", "yesterday")
            state.lastSuccess = Day.instant("17:00")
            try guide.saveState(state, ofSource: "feed")
            try expectEqual(guide.prune(before: Day.instant("20:30"), now: Day.instant("20:30")), 1)
            try expectEqual(guide.sourceRecords().map(\.state), [state])
            try expectEqual(guide.prune(before: Day.instant("21:00"), now: Day.instant("20:30")), 1)
            let forgotten = try #require(try guide.sourceRecords().first).state
            expectEqual((forgotten.bodyHash, forgotten.entityTag, forgotten.lastModified), (nil, nil, nil))
            expectEqual(forgotten.lastSuccess, Day.instant("17:00"))
        },
        StoreRule("A guide reports whether any airing stopped by an instant") { guide in
            try guide.importing(evening)
            try expectEqual(guide.hasOldAirings(retention: 0, now: Day.instant("20:30").advanced(by: -1)), false)
            try expectEqual(guide.hasOldAirings(retention: 0, now: Day.instant("20:30")), true)
            try expectEqual(guide.another().hasOldAirings(retention: 0, now: Day.instant("20:30")), false)
        },
    ]
}

private let evening = ["one 20:00-21:00 A", "one 21:00-22:00 B", "one 22:00-23:00 C", "two 20:00-20:30 A"]
