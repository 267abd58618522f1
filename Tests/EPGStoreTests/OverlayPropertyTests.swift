import EPGImport
import EPGModel
import EPGStore
import Testing

/// Over random sources, every question gets the answer of the oracle, whatever the window.
@Suite struct OverlayPropertyTests {
    /// An airing, as far as the oracle knows it.
    private struct Seen: Hashable {
        let title: String
        let window: TimeWindow

        init(_ airing: Airing) {
            (title, window) = (airing.title, airing.window)
        }

        init(_ title: String, _ window: TimeWindow) {
            (self.title, self.window) = (title, window)
        }
    }

    @Test(arguments: 0..<40) func everyAnswerIsThatOfTheRule(seed: UInt64) throws {
        var generator = SeededGenerator(seed: seed)
        let feeds = OverlayOracle.random(using: &generator)
        let scratch = try ScratchGuide()
        for feed in feeds {
            try scratch.importing(
                feed.broadcasts.flatMap(\.elements), as: Source(name: feed.name, priority: feed.priority))
        }
        let count = feeds.flatMap(\.broadcasts).reduce(0) { $0 + $1.titles.count }
        try #require(try scratch.store.check().airings == count, "the feeds need no repair")
        #expect(try scratch.store.check().problems == [])
        let expected = OverlayOracle.shown(feeds).flatMap { shown in shown.titles.map { Seen($0, shown.window) } }

        let all = try scratch.airings()
        #expect(all.map { Seen($0) } == expected)
        try checkWindows(scratch.store, expected, &generator)
        try checkDetails(scratch, feeds, all)
    }

    private func checkWindows(
        _ store: GuideStore, _ expected: [Seen], _ generator: inout SeededGenerator
    ) throws {
        for _ in 0..<20 {
            let start = Day.instant("0:\(Int.random(in: -30...900, using: &generator))")
            let window = TimeWindow(
                start: start, end: start.advanced(by: 60 * Int64.random(in: 0...200, using: &generator)))
            let visible = expected.filter { $0.window.overlaps(window) }
            #expect(try store.schedule(of: StationID("one"), during: window).airings.map { Seen($0) } == visible)
            #expect(
                try store.schedules(inRows: 0..<1, during: window).first?.schedule.airings.map { Seen($0) } == visible)
            let answer = try #require(try store.nowAndNext(at: start, inRows: 0..<1).first)
            #expect(answer.now.map { Seen($0) } == expected.filter { $0.window.contains(start) })
            #expect(answer.next.map { Seen($0) } == expected.first { $0.window.start > start })
        }
    }

    private func checkDetails(_ scratch: ScratchGuide, _ feeds: [OverlayOracle.Feed], _ all: [Airing]) throws {
        let shown = Dictionary(uniqueKeysWithValues: all.map { ($0.title, $0) })
        try scratch.store.refreshSearchIndex()
        let count = feeds.flatMap(\.broadcasts).reduce(0) { $0 + $1.titles.count }
        for id in 1...max(1, count) {
            guard let detail = try scratch.store.airing(AiringID(Int64(id))) else { continue }
            let airing = shown[detail.airing.title]
            #expect(detail.isShown == (airing != nil))
            if let airing { #expect(detail.airing == airing) }
            // Each search opens the index anew: some are enough.
            guard id % 8 == 0 else { continue }
            let found = try scratch.store.search(SearchQuery(words: detail.airing.title, now: ScratchGuide.now))
            #expect(found.map(\.airing) == (airing.map { [$0] } ?? []))
        }
        for feed in feeds {
            for broadcast in feed.broadcasts {
                for airing in broadcast.titles.compactMap({ shown[$0] }) {
                    let times = PublishedTimes(start: broadcast.window.start, stop: broadcast.window.end)
                    #expect(airing.isCut == (airing.window != broadcast.window))
                    #expect(airing.published == (airing.isCut ? times : nil))
                }
            }
        }
    }
}
