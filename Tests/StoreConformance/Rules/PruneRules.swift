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
            try expectEqual(guide.hasAirings(stoppedBy: Day.instant("20:30").advanced(by: -1)), false)
            try expectEqual(guide.hasAirings(stoppedBy: Day.instant("20:30")), true)
            try expectEqual(guide.another().hasAirings(stoppedBy: Day.instant("20:30")), false)
        },
    ]
}

private let evening = ["one 20:00-21:00 A", "one 21:00-22:00 B", "one 22:00-23:00 C", "two 20:00-20:30 A"]
