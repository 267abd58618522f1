import EPGModel
import EPGStore
import Testing

/// Other airings of a programme are those that are yet to come.
@Suite struct ShowingsTests {
    private static let guide = [
        "one 18:00-19:00 News", "one 20:00-21:00 News", "one 21:00-22:00 Film", "two 19:00-20:30 News",
        "two 23:00-24:00 News", "two 24:00-25:00 News: Other.", "three 22:00-23:00 News",
    ]

    private func showings(after clock: String, limit: Int = 10) throws -> [String] {
        let scratch = try ScratchGuide(Self.guide)
        try scratch.store.refreshSearchIndex()
        let id = try #require(try scratch.airings().first { Day.clock($0.window.start) == "20:00" }?.id)
        return try scratch.store.showings(of: id, after: Day.instant(clock), limit: limit)
            .map { "\($0.stationName) \(Day.line($0.airing))" }
    }

    @Test(
        arguments: [
            (
                "18:30",
                ["one 18:00-19:00 News", "two 19:00-20:30 News", "three 22:00-23:00 News", "two 23:00-24:00 News"]
            ),
            ("20:29", ["two 19:00-20:30 News", "three 22:00-23:00 News", "two 23:00-24:00 News"]),
            ("20:30", ["three 22:00-23:00 News", "two 23:00-24:00 News"]), ("24:00", []),
        ] as [(String, [String])])
    func theyComeByStartAndWithoutTheAiringItself(clock: String, lines: [String]) throws {
        #expect(try showings(after: clock) == lines)
        #expect(try showings(after: clock, limit: 1) == Array(lines.prefix(1)))
    }

    @Test func noLimitIsNoShowing() throws {
        #expect(try showings(after: "18:30", limit: 0) == [])
        #expect(try showings(after: "18:30", limit: -1) == [])
    }

    @Test func anAiringThatIsntThereHasNone() throws {
        let scratch = try ScratchGuide(Self.guide)
        try scratch.store.refreshSearchIndex()
        #expect(try scratch.store.showings(of: AiringID(999_999), after: Day.instant("10:00"), limit: 9) == [])
    }
}
