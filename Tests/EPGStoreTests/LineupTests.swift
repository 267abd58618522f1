import EPGImport
import EPGModel
import EPGStore
import Testing

/// Lineups are kept as they came; their channels show stations, and the rows follow them.
@Suite struct LineupTests {
    private let matcher = TableMatcher()

    /// Five stations, of which the feed numbers two; without a lineup they stand as four, two, one, three, five.
    private func guide() throws -> ScratchGuide {
        try ScratchGuide([
            "<channel id=\"one\"/><channel id=\"two\"><lcn>9</lcn></channel><channel id=\"three\"/>",
            "<channel id=\"four\"><lcn>3</lcn></channel><channel id=\"five\"/>", "one 20:00-21:00 A",
        ])
    }

    private func order(_ scratch: ScratchGuide) throws -> String {
        try scratch.store.stations(inRows: 0..<99).map { row in
            row.station.id.rawValue + (row.channelNumber.map { "=\($0)" } ?? "")
        }.joined(separator: " ")
    }

    private func dump(_ scratch: ScratchGuide) throws -> GuideDump {
        try GuideDump(path: scratch.path, tables: GuideDump.guideTables)
    }

    @Test func aLineupComesBackAsItWas() throws {
        let nasty = ["", "\"q\"\r\n", "a;b,c", "日本 \u{1F4FA}", "\u{1}\u{7}", "e\u{301}"]
        let attributes = nasty.map { ContentAttribute(name: "x-\($0)", value: $0) }
        let lineup = Lineup(
            name: "Büro \"1\"", attributes: attributes,
            channels: nasty.enumerated().map { index, text in
                Channel(
                    name: text, number: ChannelNumber("\(index).1"), guideID: index == 0 ? nil : text,
                    guideName: index == 1 ? nil : text, logo: index == 2 ? nil : text,
                    groups: Array(nasty.prefix(index)), address: text, attributes: Array(attributes.prefix(index)),
                    directives: Array(nasty.suffix(index)))
            })
        let scratch = try guide()
        let outcome = try scratch.store.saveLineup(lineup, matcher: matcher)
        #expect(outcome.channels == 6 && outcome.unmatched == 6 && outcome.changedGuide)
        try scratch.close()
        let store = try GuideStore(readingFrom: scratch.path)
        #expect(try store.lineups() == ["Büro \"1\""])
        #expect(try store.lineup(named: "Büro \"1\"") == lineup)
        #expect(try store.lineup(named: "other") == nil)
        #expect(try store.channelMatches(ofLineup: "Büro \"1\"") == [nil, nil, nil, nil, nil, nil])
        #expect(try store.channelMatches(ofLineup: "other") == [])
        #expect(try store.check().problems == [])
    }

    @Test func storingItAgainWritesNothing() throws {
        let scratch = try guide()
        let lineup = Lineup("cable", ["three 1", "two", "nobody 4"])
        let first = try scratch.store.saveLineup(lineup, matcher: matcher)
        #expect(
            first
                == LineupOutcome(
                    matches: [
                        .init(station: StationID("three"), rule: .exactID),
                        .init(station: StationID("two"), rule: .exactID), nil,
                    ], changedGuide: true))
        #expect(first.matched == [.exactID: 2] && first.unmatched == 1)
        let before = try dump(scratch)
        let second = try scratch.store.saveLineup(lineup, matcher: matcher)
        #expect(second.matched == [.exactID: 2] && !second.changedGuide)
        try scratch.store.rematch(matcher)
        #expect(try dump(scratch) == before)
    }

    @Test func aSpellingThatSwiftTakesForTheSameIsAChange() throws {
        let scratch = try guide()
        var lineup = Lineup("cable", ["three 1"])
        lineup.channels[0].address = "http://stream.test/\u{E9}"
        _ = try scratch.store.saveLineup(lineup, matcher: matcher)
        lineup.channels[0].address = "http://stream.test/e\u{301}"
        #expect(try scratch.store.saveLineup(lineup, matcher: matcher).changedGuide)
        let stored = try #require(try scratch.store.lineup(named: "cable")?.channels.first?.address)
        #expect(Array(stored.utf8) == Array(lineup.channels[0].address.utf8))
    }

    @Test func theSearchIndexStaysUpToDate() throws {
        let scratch = try guide()
        try scratch.store.refreshSearchIndex()
        _ = try scratch.store.saveLineup(Lineup("cable", ["three 1"]), matcher: matcher)
        try scratch.store.setMapping("three", to: StationID("two"), matcher: matcher)
        #expect(try scratch.store.isSearchIndexCurrent())
        #expect(try scratch.store.removeLineup(named: "cable"))
        #expect(try scratch.store.isSearchIndexCurrent())
    }

    @Test func aLineupOfTheSameNameIsReplaced() throws {
        let scratch = try guide()
        _ = try scratch.store.saveLineup(Lineup("cable", ["three 1", "two 2"]), matcher: matcher)
        let generation = try scratch.store.generation()
        let next = Lineup("cable", ["five 8"])
        #expect(try scratch.store.saveLineup(next, matcher: matcher).changedGuide)
        #expect(try scratch.store.lineup(named: "cable") == next)
        #expect(try order(scratch) == "five=8 four two one three")
        #expect(try scratch.store.generation() == Generation(generation.rawValue + 1))
        #expect(try scratch.store.check().problems == [])
    }

    @Test func rowsFollowTheLineupsNumberElseItsOrderElseTheFeed() throws {
        let scratch = try guide()
        #expect(try order(scratch) == "four two one three five")
        _ = try scratch.store.saveLineup(Lineup("cable", ["five", "two 7.10", "one 7.2", "four"]), matcher: matcher)
        #expect(try order(scratch) == "one=7.2 two=7.10 five four three")
        #expect(try scratch.store.station(StationID("two"))?.row == 1)
        #expect(try scratch.store.station(StationID("two"))?.channelNumber == ChannelNumber("7.10"))
        #expect(try scratch.store.station(StationID("two"))?.station.number == ChannelNumber("9"))
        #expect(try scratch.store.removeLineup(named: "cable"))
        #expect(try order(scratch) == "four two one three five")
        #expect(try !scratch.store.removeLineup(named: "cable"))
    }

    @Test func ofSeveralChannelsOfAStationTheFirstCounts() throws {
        let scratch = try guide()
        _ = try scratch.store.saveLineup(Lineup("b", ["one 1", "three 2", "five 3"]), matcher: matcher)
        _ = try scratch.store.saveLineup(Lineup("a", ["three 50", "two 60", "three 5"]), matcher: matcher)
        #expect(try order(scratch) == "three=50 two=60 one=1 five=3 four")
    }

    @Test func anImportFindsTheStationsThatItBrings() throws {
        let scratch = try ScratchGuide(["one 20:00-21:00 A"])
        _ = try scratch.store.saveLineup(Lineup("cable", ["two 1", "one 2"]), matcher: matcher)
        #expect(try order(scratch) == "one=2")
        let generation = try scratch.store.generation()
        let session = try scratch.store.beginImport(
            of: Source(name: "feed"), now: ScratchGuide.now, matcher: matcher)
        _ = try session.takeContentIndex()
        try session.setStations([StationRow(row: 3, station: Station(id: StationID("two")))])
        _ = try session.commit(ImportReport(), state: nil)
        #expect(try order(scratch) == "two=1 one=2")
        #expect(try scratch.store.generation() == Generation(generation.rawValue + 1))
    }

    @Test func anImportWithoutAMatcherLeavesThemUntilTheNextOne() throws {
        let scratch = try ScratchGuide(["one 20:00-21:00 A"])
        _ = try scratch.store.saveLineup(Lineup("cable", ["two 1", "one 2"]), matcher: matcher)
        let session = try scratch.store.beginImport(of: Source(name: "feed"), now: ScratchGuide.now)
        _ = try session.takeContentIndex()
        try session.setStations([StationRow(row: 3, station: Station(id: StationID("two")))])
        _ = try session.commit(ImportReport(), state: nil)
        #expect(try order(scratch) == "one=2 two")
        try scratch.store.rematch(matcher)
        #expect(try order(scratch) == "two=1 one=2")
    }

    @Test func whatTheUserSaysHoldsAlsoOfAStationThatComesLater() throws {
        let scratch = try guide()
        _ = try scratch.store.saveLineup(Lineup("cable", ["three 1", "nobody 2"]), matcher: matcher)
        try scratch.store.setMapping("nobody", to: StationID("later"), matcher: matcher)
        try scratch.store.setMapping("three", to: StationID("five"), matcher: matcher)
        #expect(try scratch.store.mappings() == ["nobody": StationID("later"), "three": StationID("five")])
        #expect(try order(scratch) == "five=1 four two one three")
        try scratch.importing(["later 20:00-21:00 A"])
        try scratch.store.rematch(matcher)
        #expect(
            try scratch.store.channelMatches(ofLineup: "cable") == [
                ChannelMatch(station: StationID("five"), rule: .mapping),
                ChannelMatch(station: StationID("later"), rule: .mapping),
            ])
        // A lineup that comes again keeps what was said.
        #expect(try scratch.store.saveLineup(Lineup("cable", ["three 4"]), matcher: matcher).matched == [.mapping: 1])
        try scratch.store.setMapping("three", to: nil, matcher: matcher)
        #expect(try scratch.store.mappings() == ["nobody": StationID("later")])
        #expect(try order(scratch).hasPrefix("three=4 "))
        let before = try dump(scratch)
        try scratch.store.setMapping("three", to: nil, matcher: matcher)
        try scratch.store.setMapping("nobody", to: StationID("later"), matcher: matcher)
        #expect(try dump(scratch) == before)
        #expect(try scratch.store.check().problems == [])
    }

    @Test func aStationThatGoesLeavesItsChannel() throws {
        let scratch = try guide()
        try scratch.importing(["six 20:00-21:00 A"], as: Source(name: "other"))
        let lineup = Lineup("cable", ["six 1", "one 2"])
        _ = try scratch.store.saveLineup(lineup, matcher: matcher)
        #expect(try scratch.store.removeSource(named: "other"))
        #expect(try scratch.store.lineup(named: "cable") == lineup)
        #expect(
            try scratch.store.channelMatches(ofLineup: "cable")
                == [nil, ChannelMatch(station: StationID("one"), rule: .exactID)])
        #expect(try order(scratch) == "one=2 four two three five")
        #expect(try scratch.store.check().problems == [])
    }

    @Test func aLineupTouchesNoAiring() throws {
        let scratch = try guide()
        let before = try GuideDump(path: scratch.path, tables: ["airing", "programme", "coverage", "source"])
        _ = try scratch.store.saveLineup(Lineup("cable", ["five 1", "one 2"]), matcher: matcher)
        #expect(try GuideDump(path: scratch.path, tables: ["airing", "programme", "coverage", "source"]) == before)
        let schedules = try scratch.store.schedules(inRows: 0..<2, during: Day.allTime)
        #expect(schedules.map { $0.schedule.airings.map(\.title) } == [[], ["A"]])
    }
}
