import EPGImport
import EPGModel
import EPGStore
import Testing

/// What is shown of a station that several sources know: the rule at the table `coverage` of `schema.sql`.
@Suite struct OverlayTests {
    private let best = Source(name: "best", priority: 1)
    private let other = Source(name: "other")

    /// A guide of the two sources.
    private func guide(_ better: [String], over lesser: [String]) throws -> ScratchGuide {
        let scratch = try ScratchGuide()
        try scratch.importing(lesser, as: other)
        try scratch.importing(better, as: best)
        return scratch
    }

    @Test func theHigherPriorityIsShownHoweverFarTheOtherReaches() throws {
        let scratch = try guide(["one 20:00-21:00 B"], over: ["one 20:00-21:00 O", "one 21:00-22:00 O2"])
        #expect(try scratch.lines() == ["20:00-21:00 B", "21:00-22:00 O2"])
    }

    @Test func whatReachesIntoABetterCoverageIsCutAtItsEdge() throws {
        let scratch = try guide(
            ["one 20:00-21:00 B", "one 21:30-22:00 B2"], over: ["one 19:30-20:30 Before", "one 21:45-23:00 After"])
        #expect(try scratch.lines() == ["19:30-20:00 Before", "20:00-21:00 B", "21:30-22:00 B2", "22:00-23:00 After"])
        let airings = try scratch.airings()
        #expect(airings.map(\.isCut) == [true, false, false, true])
        #expect(airings[0].published == PublishedTimes(start: Day.instant("19:30"), stop: Day.instant("20:30")))
        #expect(airings[3].published == PublishedTimes(start: Day.instant("21:45"), stop: Day.instant("23:00")))
        #expect(airings[1].published == nil)
    }

    @Test func inABetterCoverageOnlyWhatLiesWhollyInAGapIsShown() throws {
        let scratch = try guide(
            ["one 18:00-19:00 B", "one 20:00-21:00 B2", "one 22:00-23:00 B3"],
            over: ["one 19:00-19:30 Fits", "one 19:30-20:01 Reaches", "one 21:00-22:00 Fills"])
        #expect(
            try scratch.lines() == [
                "18:00-19:00 B", "19:00-19:30 Fits", "20:00-21:00 B2", "21:00-22:00 Fills", "22:00-23:00 B3",
            ])
    }

    @Test func ofTwoPiecesTheEarlierOneStands() throws {
        let scratch = try guide(["one 20:00-21:00 B"], over: ["one 19:00-22:00 Around", "one 22:00-23:00 Later"])
        #expect(try scratch.lines() == ["19:00-20:00 Around", "20:00-21:00 B", "22:00-23:00 Later"])
    }

    @Test func aClumpStaysWhole() throws {
        func part(_ title: String, _ index: String, _ window: String) -> String {
            let times = window.split(separator: "-").map { Day.stamp(String($0)) }
            return "<programme start=\"\(times[0])\" stop=\"\(times[1])\" clumpidx=\"\(index)\" channel=\"one\">"
                + "<title>\(title)</title></programme>"
        }
        let scratch = try guide(
            ["one 20:00-21:00 B", "one 22:00-23:00 B2"],
            over: [
                part("A1", "0/2", "19:30-20:30"), part("A2", "1/2", "19:30-20:30"), part("G1", "0/2", "21:00-21:30"),
                part("G2", "1/2", "21:00-21:30"), part("H1", "0/2", "21:40-22:10"), part("H2", "1/2", "21:40-22:10"),
            ])
        #expect(
            try scratch.lines() == [
                "19:30-20:00 A1", "19:30-20:00 A2", "20:00-21:00 B", "21:00-21:30 G1", "21:00-21:30 G2",
                "22:00-23:00 B2",
            ])
        #expect(try scratch.airings().prefix(2).map { $0.clump?.index } == [0, 1])
    }

    @Test func anInferredStopThatIsCutWasStillNeverPublished() throws {
        let scratch = try guide(["one 20:00-21:00 B"], over: ["one 19:30-? Open"])
        #expect(try scratch.lines() == ["19:30-20:00? Open", "20:00-21:00 B"])
        #expect(
            try scratch.airings().first?.published == PublishedTimes(start: Day.instant("19:30"), stop: nil))
    }

    @Test func anAiringSaysWhereItCameFromAndWhetherItIsShown() throws {
        let scratch = try guide(["one 20:00-21:00 B"], over: ["one 19:30-20:30 Cut", "one 20:30-21:00 Hidden"])
        let details = try (1...3).compactMap { try scratch.store.airing(AiringID($0)) }
        #expect(details.map(\.airing.title) == ["Cut", "Hidden", "B"])
        #expect(details.map(\.source) == ["other", "other", "best"])
        #expect(details.map(\.isShown) == [true, false, true])
        #expect(
            details.map(\.airing.window)
                == [Day.window("19:30-20:00"), Day.window("20:30-21:00"), Day.window("20:00-21:00")])
    }

    @Test(arguments: ["20:30", "20:45"])
    func whatIsNextMayBeThePieceOfWhatIsOnElsewhere(clock: String) throws {
        let scratch = try guide(["one 20:00-21:00 B"], over: ["one 20:30-22:00 Rest", "one 22:00-23:00 Later"])
        let answer = try #require(try scratch.store.nowAndNext(at: Day.instant(clock), inRows: 0..<1).first)
        #expect(answer.now.map(Day.line) == ["20:00-21:00 B"])
        #expect(answer.next.map(Day.line) == "21:00-22:00 Rest")
    }

    @Test func aSearchFindsWhatIsShownAsItIsShown() throws {
        let scratch = try guide(
            ["one 20:00-21:00 Bold"], over: ["one 19:30-20:30 Cut film", "one 20:30-21:00 Hidden film"])
        try scratch.store.refreshSearchIndex()
        let found = try scratch.store.search(SearchQuery(words: "film", now: ScratchGuide.now))
        #expect(found.map { Day.line($0.airing) } == ["19:30-20:00 Cut film"])
    }

    @Test func theGuideIsArrangedAnewWhenAPriorityChanges() throws {
        let scratch = try guide(["one 20:00-21:00 B"], over: ["one 20:00-21:00 O", "two 20:00-21:00 O"])
        let generation = try scratch.store.generation()
        try scratch.store.save(Source(name: "best", timeZone: "Europe/Paris", priority: 2))
        #expect(try scratch.store.generation() == generation)
        try scratch.store.refreshSearchIndex()
        try scratch.store.save(Source(name: "best", priority: -1))
        #expect(try scratch.store.isSearchIndexCurrent())
        #expect(try scratch.lines() == ["20:00-21:00 O"])
        #expect(try scratch.store.generation() == Generation(generation.rawValue + 1))
        #expect(try scratch.store.check().problems == [])
    }

    @Test func theOrderOfLesserSourcesCountsToo() throws {
        let scratch = try guide(["one 20:00-21:00 B"], over: ["one 21:00-22:00 O"])
        try scratch.importing(["one 21:00-22:00 Third"], as: Source(name: "third"))
        #expect(try scratch.lines() == ["20:00-21:00 B", "21:00-22:00 O"])
        let generation = try scratch.store.generation()
        try scratch.store.save(Source(name: "other", priority: -1))
        #expect(try scratch.lines() == ["20:00-21:00 B", "21:00-22:00 Third"])
        #expect(try scratch.store.generation() > generation)
    }

    @Test func pruningAndRemovingLeaveTheOtherSource() throws {
        let scratch = try guide(["one 18:00-19:00 B"], over: ["one 20:00-21:00 O"])
        #expect(try scratch.store.prune(before: Day.instant("19:00")) == 1)
        #expect(try scratch.lines() == ["20:00-21:00 O"])
        #expect(try scratch.store.check().problems == [])
        try scratch.importing(["one 20:00-22:00 B"], as: best)
        #expect(try scratch.lines() == ["20:00-22:00 B"])
        #expect(try scratch.store.removeSource(named: "best"))
        #expect(try scratch.lines() == ["20:00-21:00 O"])
        #expect(try scratch.store.check().problems == [])
        #expect(try scratch.store.prune(before: Day.instant("22:00")) == 1)
        #expect(try scratch.lines() == [])
        #expect(try scratch.store.check().problems == [])
    }

    @Test func sourcesAreImportedAgainWithoutAChange() throws {
        let (better, lesser) = (["one 20:00-21:00 B"], ["one 19:30-20:30 Cut", "one 20:30-21:00 Hidden"])
        let scratch = try guide(better, over: lesser)
        let before = try GuideDump(path: scratch.path, tables: GuideDump.guideTables)
        #expect(try !scratch.importing(better, as: best).changedGuide)
        #expect(try !scratch.importing(lesser, as: other).changedGuide)
        #expect(try GuideDump(path: scratch.path, tables: GuideDump.guideTables) == before)
    }
}
