import EPGImport
import EPGModel
import TestSupport
import Testing

extension StoreRule {
    /// The combination of several sources of a station by the rule of ``Source/priority``.
    static let overlays: [StoreRule] = [
        StoreRule("The source with the higher priority is shown regardless of the range of other sources") { guide in
            try guide.importing(["one 20:00-21:00 B"], over: ["one 20:00-21:00 O", "one 21:00-22:00 O2"])
            try expectEqual(guide.lines(), ["20:00-21:00 B", "21:00-22:00 O2"])
        },
        StoreRule("An airing that reaches into a better source is cut at its edge") { guide in
            try guide.importing(
                ["one 20:00-21:00 B", "one 21:30-22:00 B2"], over: ["one 19:30-20:30 Before", "one 21:45-23:00 After"])
            try expectEqual(
                guide.lines(), ["19:30-20:00 Before", "20:00-21:00 B", "21:30-22:00 B2", "22:00-23:00 After"])
            let airings = try guide.airings()
            expectEqual(airings.map(\.isCut), [true, false, false, true])
            expectEqual(
                airings[0].published, PublishedTimes(start: Day.instant("19:30"), stop: Day.instant("20:30")))
            expectEqual(
                airings[3].published, PublishedTimes(start: Day.instant("21:45"), stop: Day.instant("23:00")))
            expectEqual(airings[1].published, nil)
        },
        StoreRule("Inside a better source, only an airing that fits into a gap is shown") { guide in
            try guide.importing(
                ["one 18:00-19:00 B", "one 20:00-21:00 B2", "one 22:00-23:00 B3"],
                over: ["one 19:00-19:30 Fits", "one 19:30-20:01 Reaches", "one 21:00-22:00 Fills"])
            try expectEqual(
                guide.lines(),
                [
                    "18:00-19:00 B", "19:00-19:30 Fits", "20:00-21:00 B2", "21:00-22:00 Fills", "22:00-23:00 B3",
                ])
        },
        StoreRule("Details that are read together have the shown times") { guide in
            try guide.importing(
                ["one 20:00-21:00 B", "two 20:00-21:00 C"], over: ["one 19:30-20:10 Before", "one 20:10-20:50 Hidden"])
            let details = try guide.airings((1...9).map { AiringID($0) })
            expectEqual(
                details.map { "\($0.airing.station) \(Day.line($0.airing)) \($0.isShown)" }.sorted(),
                [
                    "one 19:30-20:00 Before true", "one 20:00-21:00 B true", "one 20:10-20:50 Hidden false",
                    "two 20:00-21:00 C true",
                ])
        },
        StoreRule("The earlier piece of an airing that is cut in two is shown") { guide in
            try guide.importing(["one 20:00-21:00 B"], over: ["one 19:00-22:00 Around", "one 22:00-23:00 Later"])
            try expectEqual(guide.lines(), ["19:00-20:00 Around", "20:00-21:00 B", "22:00-23:00 Later"])
        },
        StoreRule("A clump is shown, cut or hidden as a whole") { guide in
            func part(_ title: String, _ index: String, _ window: String) -> String {
                let times = window.split(separator: "-").map { Day.stamp(String($0)) }
                return "<programme start=\"\(times[0])\" stop=\"\(times[1])\" clumpidx=\"\(index)\" channel=\"one\">"
                    + "<title>\(title)</title></programme>"
            }
            try guide.importing(
                ["one 20:00-21:00 B", "one 22:00-23:00 B2"],
                over: [
                    part("A1", "0/2", "19:30-20:30"), part("A2", "1/2", "19:30-20:30"),
                    part("G1", "0/2", "21:00-21:30"),
                    part("G2", "1/2", "21:00-21:30"), part("H1", "0/2", "21:40-22:10"),
                    part("H2", "1/2", "21:40-22:10"),
                ])
            try expectEqual(
                guide.lines(),
                [
                    "19:30-20:00 A1", "19:30-20:00 A2", "20:00-21:00 B", "21:00-21:30 G1", "21:00-21:30 G2",
                    "22:00-23:00 B2",
                ])
            try expectEqual(guide.airings().prefix(2).map { $0.clump?.index }, [0, 1])
        },
        StoreRule("An inferred stop that a better source cuts is not a published stop") { guide in
            try guide.importing(["one 20:00-21:00 B"], over: ["one 19:30-? Open"])
            try expectEqual(guide.lines(), ["19:30-20:00? Open", "20:00-21:00 B"])
            try expectEqual(guide.airings().first?.published, PublishedTimes(start: Day.instant("19:30"), stop: nil))
        },
        StoreRule("Details of an airing include its source and whether it is shown") { guide in
            try guide.importing(["one 20:00-21:00 B"], over: ["one 19:30-20:30 Cut", "one 20:30-21:00 Hidden"])
            let details = try (1...3).compactMap { try guide.airing(AiringID($0)) }
            expectEqual(details.map(\.airing.title), ["Cut", "Hidden", "B"])
            expectEqual(details.map(\.source), ["other", "other", "best"])
            expectEqual(details.map(\.isShown), [true, false, true])
            expectEqual(
                details.map(\.airing.window),
                [Day.window("19:30-20:00"), Day.window("20:30-21:00"), Day.window("20:00-21:00")])
        },
        StoreRule("The next airing can be the rest of an airing that a better source hides now") { guide in
            for clock: String in ["20:30", "20:45"] {
                try guide.importing(["one 20:00-21:00 B"], over: ["one 20:30-22:00 Rest", "one 22:00-23:00 Later"])
                let result = try #require(try guide.nowAndNext(at: Day.instant(clock), inRows: 0..<1).first)
                expectEqual(result.now.map(Day.line), ["20:00-21:00 B"])
                expectEqual(result.next.map(Day.line), "21:00-22:00 Rest")
            }
        },
        StoreRule("A search finds only shown airings, with their shown windows") { guide in
            try guide.importing(
                ["one 20:00-21:00 Bold"], over: ["one 19:30-20:30 Cut film", "one 20:30-21:00 Hidden film"])
            try guide.refreshSearchIndex()
            let found = try guide.search(SearchQuery(words: "film", now: Day.now, order: .start)).matches
            expectEqual(found.map { Day.line($0.airing) }, ["19:30-20:00 Cut film"])
        },
        StoreRule("A changed priority changes the shown airings") { guide in
            try guide.importing(["one 20:00-21:00 B"], over: ["one 20:00-21:00 O", "two 20:00-21:00 O"])
            let generation = try guide.generation()
            try guide.save(Source(name: "best", timeZone: "Europe/Paris", priority: 2))
            try expectEqual(guide.generation(), generation)
            try guide.refreshSearchIndex()
            try guide.save(Source(name: "best", priority: -1))
            try expectEqual(guide.isSearchIndexCurrent(), true)
            try expectEqual(guide.lines(), ["20:00-21:00 O"])
            try expectEqual(guide.generation(), Generation(generation.rawValue + 1))
            try expectEqual(guide.check().problems, [])
        },
        StoreRule("The order of lower-ranked sources matters, too") { guide in
            try guide.importing(["one 20:00-21:00 B"], over: ["one 21:00-22:00 O"])
            try guide.importing(["one 21:00-22:00 Third"], as: Source(name: "third"))
            try expectEqual(guide.lines(), ["20:00-21:00 B", "21:00-22:00 O"])
            let generation = try guide.generation()
            try guide.save(Source(name: "other", priority: -1))
            try expectEqual(guide.lines(), ["20:00-21:00 B", "21:00-22:00 Third"])
            #expect(try guide.generation() > generation)
        },
        StoreRule("Pruning and removing one source keep the airings of the other source") { guide in
            try guide.importing(["one 18:00-19:00 B"], over: ["one 20:00-21:00 O"])
            try expectEqual(guide.prune(before: Day.instant("19:00")), 1)
            try expectEqual(guide.lines(), ["20:00-21:00 O"])
            try expectEqual(guide.check().problems, [])
            try guide.importing(["one 20:00-22:00 B"], as: best)
            try expectEqual(guide.lines(), ["20:00-22:00 B"])
            try expectEqual(guide.removeSource(named: "best"), true)
            try expectEqual(guide.lines(), ["20:00-21:00 O"])
            try expectEqual(guide.check().problems, [])
            try expectEqual(guide.prune(before: Day.instant("22:00")), 1)
            try expectEqual(guide.lines(), [])
            try expectEqual(guide.check().problems, [])
        },
        StoreRule("Importing overlaid sources again changes nothing") { guide in
            let (better, lesser) = (["one 20:00-21:00 B"], ["one 19:30-20:30 Cut", "one 20:30-21:00 Hidden"])
            try guide.importing(better, over: lesser)
            let before = try guide.contents()
            try expectEqual(guide.importing(better, as: best).changedGuide, false)
            try expectEqual(guide.importing(lesser, as: other).changedGuide, false)
            try expectEqual(guide.contents(), before)
        },
        StoreRule("Results for random sources match the overlay rule minute by minute") { guide in
            for seed in 1...UInt64(TestScope.cases(40)) {
                var generator = SeededGenerator(seed: seed)
                let feeds = OverlayOracle.random(using: &generator)
                let guide = try guide.another()
                for feed in feeds {
                    try guide.importing(
                        feed.broadcasts.flatMap(\.elements), as: Source(name: feed.name, priority: feed.priority))
                }
                let count = feeds.flatMap(\.broadcasts).reduce(0) { $0 + $1.titles.count }
                try #require(try guide.check().airings == count, "random feeds must not need repairs")
                try expectEqual(guide.check().problems, [])
                let expected = OverlayOracle.shown(feeds).flatMap { shown in
                    shown.titles.map { ShownAiring($0, shown.window) }
                }

                try guide.refreshSearchIndex()
                try guide.storage.read { reading in
                    let all = try reading.airings()
                    expectEqual(all.map { ShownAiring($0) }, expected)
                    try reading.expectWindows(of: expected, using: &generator)
                    try reading.expectDetails(of: feeds, shown: all)
                }
            }
        },
    ]
}

private let best = Source(name: "best", priority: 1)
private let other = Source(name: "other")

/// The title and window of a shown airing.
private struct ShownAiring: Hashable {
    let title: String
    let window: TimeWindow

    init(_ airing: Airing) {
        (title, window) = (airing.title, airing.window)
    }

    init(_ title: String, _ window: TimeWindow) {
        (self.title, self.window) = (title, window)
    }
}

extension GuideUnderTest {
    /// Imports listings of the sources `best` and `other`.
    fileprivate func importing(_ better: [String], over lesser: [String]) throws {
        try importing(lesser, as: other)
        try importing(better, as: best)
    }
}

extension GuideReading {
    /// Checks random windows and instants against the expected airings.
    fileprivate func expectWindows(
        of expected: [ShownAiring], using generator: inout SeededGenerator
    ) throws {
        for _ in 0..<20 {
            let start = Day.instant("0:\(Int.random(in: -30...900, using: &generator))")
            let window = TimeWindow(
                start: start, end: start.advanced(by: 60 * Int64.random(in: 0...200, using: &generator)))
            let visible = expected.filter { $0.window.overlaps(window) }
            try expectEqual(schedule(of: StationID("one"), during: window).airings.map { ShownAiring($0) }, visible)
            try expectEqual(
                schedules(inRows: 0..<1, during: window).first?.schedule.airings.map { ShownAiring($0) },
                visible)
            let result = try #require(try nowAndNext(at: start, inRows: 0..<1).first)
            expectEqual(result.now.map { ShownAiring($0) }, expected.filter { $0.window.contains(start) })
            expectEqual(result.next.map { ShownAiring($0) }, expected.first { $0.window.start > start })
        }
    }

    /// Checks details, searches and published times against the shown airings.
    fileprivate func expectDetails(of feeds: [OverlayOracle.Feed], shown all: [Airing]) throws {
        let shown = Dictionary(uniqueKeysWithValues: all.map { ($0.title, $0) })
        let count = feeds.flatMap(\.broadcasts).reduce(0) { $0 + $1.titles.count }
        for id in 1...max(1, count) {
            guard let detail = try airing(AiringID(Int64(id))) else { continue }
            let airing = shown[detail.airing.title]
            expectEqual(detail.isShown, (airing != nil))
            if let airing { expectEqual(detail.airing, airing) }
            // Each search reopens the index, so only some airings are searched for.
            guard id % 8 == 0 else { continue }
            let found = try search(SearchQuery(words: detail.airing.title, now: Day.now, order: .start)).matches
            expectEqual(found.map(\.airing), (airing.map { [$0] } ?? []))
        }
        for feed in feeds {
            for broadcast in feed.broadcasts {
                for airing in broadcast.titles.compactMap({ shown[$0] }) {
                    let times = PublishedTimes(start: broadcast.window.start, stop: broadcast.window.end)
                    expectEqual(airing.isCut, (airing.window != broadcast.window))
                    expectEqual(airing.published, (airing.isCut ? times : nil))
                }
            }
        }
    }
}
