import EPGImport
import EPGModel
import TestSupport
import Testing

extension StoreRule {
    /// Sources with their listings and stored states.
    static let sources: [StoreRule] = [
        StoreRule("Sources keep their listings apart") { guide in
            try guide.importing(["one 20:00-21:00 A", "two 20:00-21:00 A"], as: first)
            try guide.importing(["one 20:00-21:00 B", "one 21:00-22:00 B", "three 20:00-21:00 B"], as: second)
            // The source whose coverage of a station ends last is shown.
            try expectEqual(guide.lines(), ["20:00-21:00 B", "21:00-22:00 B"])
            try expectEqual(guide.lines(of: "two"), ["20:00-21:00 A"])
            let sources = try guide.sources()
            expectEqual(sources.map(\.source.name), ["first", "second"])
            expectEqual(sources.map(\.airings), [2, 3])
            expectEqual(sources.map(\.stations), [2, 2])
            try expectEqual(guide.check().problems, [])
        },
        StoreRule("Importing one of two sources again changes nothing") { guide in
            let texts = [
                "<channel id=\"two\"/><channel id=\"one\"><display-name>From the first</display-name></channel>",
                "<channel id=\"one\"><display-name>From the second</display-name></channel>",
            ]
            try guide.importing([texts[0], "one 20:00-21:00 A", "two 20:00-21:00 A"], as: first)
            try guide.importing([texts[1], "one 20:00-22:00 B"], as: second)
            let generation = try guide.generation()
            let before = try guide.contents()
            try expectEqual(
                guide.importing([texts[0], "one 20:00-21:00 A", "two 20:00-21:00 A"], as: first).changedGuide,
                false)
            try expectEqual(guide.importing([texts[1], "one 20:00-22:00 B"], as: second).changedGuide, false)
            try expectEqual(guide.generation(), generation)
            try expectEqual(guide.contents(), before)
        },
        StoreRule("Removing a source removes its listings and stations") { guide in
            try guide.importing(["one 20:00-21:00 A", "two 20:00-21:00 A2"], as: first)
            try guide.importing(["one 20:00-22:00 B", "three 20:00-21:00 B3"], as: second)
            let generation = try guide.generation()
            try expectEqual(guide.removeSource(named: "second"), true)
            try expectEqual(guide.lines(), ["20:00-21:00 A"])
            try expectEqual(guide.station(StationID("three")), nil)
            try expectEqual(guide.stations(inRows: 0..<9).map(\.station.id.rawValue), ["one", "two"])
            #expect(try guide.generation() > generation)
            try expectEqual(guide.check().problems, [])
            try expectEqual(guide.check().programmes, 2)
            try expectEqual(guide.removeSource(named: "first"), true)
            let check = try guide.check()
            expectEqual((check.stations, check.airings, check.programmes), (0, 0, 0))
            try expectEqual(guide.sources(), [])
        },
        StoreRule("Removing a missing source changes nothing") { guide in
            try guide.importing(["one 20:00-21:00 A"])
            try expectEqual(guide.removeSource(named: "nobody"), false)
            try expectEqual(guide.generation(), Generation(1))
        },
        StoreRule("The settings of a source are returned as they were saved") { guide in
            let source = Source(
                name: "日本", location: "https://a.test/x.xml", timeZone: "Asia/Tokyo", shift: -60, interval: 3600,
                priority: -7, stations: ["bbc*", "一?.jp\r", "x"], encoding: "Shift_JIS",
                account: SourceAccount(username: "viewer@example.org", lineups: ["ZZZ-X", "ZZZ-Y"]))
            try guide.save(source)
            try expectEqual(guide.sources().map(\.source), [source])
            var changed = source
            changed.location = nil
            changed.timeZone = nil
            changed.interval = nil
            changed.priority = 3
            changed.stations = []
            changed.encoding = nil
            changed.account = SourceAccount(username: "other")
            try guide.save(changed)
            try expectEqual(guide.sources().map(\.source), [changed])
            changed.account = nil
            try guide.save(changed)
            try expectEqual(guide.sources().map(\.source), [changed])
            try expectEqual(guide.generation(), Generation(0))
        },
        StoreRule("Saving the state of a source leaves the guide unchanged") { guide in
            try guide.importing(["one 20:00-21:00 News", "two 20:00-? Film"])
            let before = try guide.contents()
            var state = SourceState()
            state.entityTag = "\"abc\""
            state.lastSuccess = Day.instant("19:00")
            state.lastResult = .notModified
            state.lastDuration = .milliseconds(61_250)
            state.failures = 2
            try guide.saveState(state, ofSource: "feed")
            try expectEqual(guide.contents(), before)
            try expectEqual(guide.sources().first?.state, state)
            try expectEqual(guide.generation(), Generation(1))
        },
        // The next refresh completely reads the sources that share a station with the changed or removed source.
        StoreRule("A changed priority or a removed source forgets bodies of sources with shared stations") { guide in
            for isRemoved: Bool in [true, false] {
                let guide = try guide.another()
                let far = Source(name: "far")
                try guide.importing(described("low") + named, as: low)
                try guide.importing(described("high") + named, as: high)
                try guide.importing(["two 20:00-21:00 B"], as: far)
                var state = SourceState()
                (state.bodyHash, state.entityTag, state.lastModified) = ("hash", "tag", "yesterday")
                for source in [low, high, far] { try guide.saveState(state, ofSource: source.name) }
                func known() throws -> [String] {
                    try guide.sources().filter { $0.state.bodyHash != nil || $0.state.entityTag != nil }.map(
                        \.source.name)
                }
                var moved = high
                moved.location = "/elsewhere"
                try guide.save(moved)
                try expectEqual(known(), ["far", "high", "low"])
                if isRemoved {
                    try expectEqual(guide.removeSource(named: "high"), true)
                } else {
                    moved.priority = -1
                    try guide.save(moved)
                }
                try expectEqual(known(), ["far"])
            }
        },
        StoreRule("The state of a source is returned as it was saved") { guide in
            try guide.save(first)
            var state = SourceState()
            state.lastAttempt = Day.instant("17:00")
            state.lastSuccess = Day.instant("16:00")
            (state.entityTag, state.lastModified, state.bodyHash) = ("\"a\"", "Sat, 28 Mar 2026 16:00:00 GMT", "f00")
            state.lastError = "Zeile 1\nλάθος"
            state.lastResult = .failed
            state.lastDuration = .milliseconds(1234)
            state.failures = 3
            state.notBefore = Day.instant("19:30")
            try guide.saveState(state, ofSource: "first")
            try expectEqual(guide.sourceRecords(), [SourceRecord(source: first, state: state)])
            try expectEqual(guide.sources().map(\.state), [state])
            try guide.saveState(SourceState(), ofSource: "first")
            try expectEqual(guide.sourceRecords(), [SourceRecord(source: first, state: SourceState())])
            try expectEqual(guide.generation(), Generation(0))
        },
        StoreRule("Sources are sorted by name, with or without counts of their contents") { guide in
            try guide.importing(["one 20:00-21:00 A", "two 19:00-22:30 B"], as: second)
            try guide.save(first)
            try expectEqual(guide.sourceRecords().map(\.source), [first, second])
            let summaries = try guide.sources()
            expectEqual(summaries.map(\.source), [first, second])
            expectEqual(summaries.map(\.stations), [0, 2])
            expectEqual(summaries.map(\.airings), [0, 2])
            expectEqual(summaries.map(\.end), [nil, Day.instant("22:30")])
        },
        StoreRule("The end of a source is the stop of its last airing") { guide in
            try guide.importing(["one 20:00-21:00 A", "two 19:00-22:30 B"], as: first)
            try guide.importing(["one 20:00-25:00 C"], as: second)
            try expectEqual(guide.end(ofSource: "first"), Day.instant("22:30"))
            try expectEqual(guide.end(ofSource: "second"), Day.instant("25:00"))
            try expectEqual(guide.end(ofSource: "nobody"), nil)
            try guide.save(Source(name: "third"))
            try expectEqual(guide.end(ofSource: "third"), nil)
        },
        StoreRule("The quality of a source counts the time of its airings") { guide in
            try guide.importing(
                ["one 20:00-21:30 A", "one 21:00-22:00 B", "one 23:00-24:00 C", "two 20:00-21:00 D"], as: first)
            try guide.importing(["one 20:00-21:00 E"], as: second)
            let quality = try guide.quality(ofSource: "first")
            expectEqual((quality.whole, quality.cut, quality.inferred, quality.empty), (3 * 3600, 3600, 0, 3600))
            expectEqual((quality.stations, quality.affectedStations), (2, 1))
            try expectEqual(guide.quality(ofSource: "nobody"), ScheduleQuality())
        },
        StoreRule("A source has the header of its last guide") { guide in
            let airing = "<programme start=\"20260328200000\" channel=\"one\"><title>A</title></programme>"
            try guide.importing(text: "<tv source-info-name=\"a\" x=\"1\">\(airing)</tv>", as: first)
            try guide.importing(text: "<tv source-info-name=\"b\">\(airing)</tv>", as: first)
            let header = try #require(try guide.sources().first).header
            expectEqual(header, [ContentAttribute(name: "source-info-name", value: "b")])
        },
        StoreRule("Forgetting bodies clears only tags, hashes and future times") { guide in
            for source in [first, second] { try guide.save(source) }
            var past = SourceState()
            past.lastAttempt = Day.instant("17:00")
            past.lastSuccess = Day.instant("17:00")
            (past.entityTag, past.lastModified, past.bodyHash) = ("tag", "yesterday", "hash")
            past.failures = 2
            var future = past
            future.lastAttempt = Day.instant("30:00")
            future.lastSuccess = Day.instant("29:00")
            try guide.saveState(past, ofSource: "first")
            try guide.saveState(future, ofSource: "second")
            try expectEqual(guide.hasRecordedTimes(after: Day.now), true)
            try guide.discardValidators(recordedAfter: Day.now)
            try expectEqual(guide.hasRecordedTimes(after: Day.now), false)
            let states = try guide.sourceRecords().map(\.state)
            for state in states {
                expectEqual((state.entityTag, state.lastModified, state.bodyHash), (nil, nil, nil))
                expectEqual(state.failures, 2)
            }
            expectEqual(states.map(\.lastAttempt), [Day.instant("17:00"), nil])
            expectEqual(states.map(\.lastSuccess), [Day.instant("17:00"), nil])
        },
        StoreRule("A guide reports whether it was maintained after an instant") { guide in
            try guide.importing(named, as: first)
            try expectEqual(guide.hasRecordedTimes(after: Day.now), false)
            var state = SourceState()
            state.lastAttempt = Day.instant("20:00")
            try guide.saveState(state, ofSource: "first")
            try expectEqual(guide.hasRecordedTimes(after: Day.instant("20:00")), false)
            try expectEqual(guide.hasRecordedTimes(after: Day.instant("19:59")), true)
            // Pruning at a later time counts, too.
            try expectEqual(guide.prune(before: Day.instant("21:00"), now: Day.instant("22:00")), 1)
            try expectEqual(guide.hasRecordedTimes(after: Day.instant("20:30")), true)
        },
        StoreRule("Removing the airings of a source outside of a window leaves other sources as they are") { guide in
            try guide.importing(["one 20:00-21:00 A", "two 20:00-21:00 A"], as: first)
            try guide.importing(
                ["one 19:00-20:00 B", "one 21:00-22:00 C", "two 22:00-23:00 D", "three 20:00-21:00 E"], as: second)
            let removed = try guide.storage.write(waiting: .forOthers) {
                try $0.removeAirings(ofSource: "second", outside: Day.window("20:00-22:00"), now: Day.now)
            }
            expectEqual(removed, 2)
            try expectEqual(guide.lines(of: "one"), ["20:00-21:00 A", "21:00-22:00 C"])
            try expectEqual(guide.lines(of: "two"), ["20:00-21:00 A"])
            try expectEqual(guide.lines(of: "three"), ["20:00-21:00 E"])
            try expectEqual(guide.check().problems, [])
        },
        StoreRule("Removing a source matches its channels to other stations") { guide in
            try guide.importing(["one 20:00-21:00 A"], as: first)
            try guide.importing(["two 20:00-21:00 B"], as: second)
            _ = try guide.saveLineup(Lineup("cable", ["two 1"]), matcher: FallbackMatcher())
            try expectEqual(guide.lineup(named: "cable")?.matches.map(\.?.station), [StationID("two")])
            try expectEqual(guide.removeSource(named: "second", matcher: FallbackMatcher()), true)
            try expectEqual(guide.lineup(named: "cable")?.matches.map(\.?.station), [StationID("one")])
        },
    ]
}

private let first = Source(name: "first")
private let second = Source(name: "second")
private let low = Source(name: "low")
private let high = Source(name: "high", priority: 10)
private let named = ["one 20:00-21:00 A"]

private func described(_ name: String) -> [String] {
    ["<channel id=\"one\"><display-name>\(name)</display-name><icon src=\"\(name).png\"/></channel>"]
}

/// A matcher by identifier that falls back to the last station.
private struct FallbackMatcher: ChannelMatching {
    func matches(
        of channels: [Channel], among stations: [Station], mappings: [String: StationID]
    ) -> [ChannelMatch?] {
        channels.map { channel in
            let station = stations.first { $0.id.rawValue == channel.guideID } ?? stations.last
            return station.map { ChannelMatch(station: $0.id, rule: .name) }
        }
    }
}
