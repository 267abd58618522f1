import EPGImport
import EPGModel
import EPGStore
import Testing

/// The log tells what an import changed of each station.
///
/// The evening's airings have the identifiers 1, 2 and 3, since a guide counts them from 1.
@Suite struct ChangeLogTests {
    private let evening = ["one 20:00-21:00 News", "one 21:00-22:00 Film", "one 22:00-23:00 Talk"]
    private let other = Source(name: "other")

    @Test(arguments: [
        // What says the same tells nothing.
        (["one 20:00-21:00 News", "one 21:00-22:00 Film", "one 22:00-23:00 Talk"], []),
        // Other content.
        (
            ["one 20:00-21:00 Sport", "one 21:00-22:00 Film", "one 22:00-23:00 Talk"],
            ["one ~ 1 20:00-21:00 20:00-21:00"]
        ),
        // Another stop, and a shift that keeps the identifier.
        (
            ["one 20:00-21:05 News", "one 21:05-22:00 Film", "one 22:00-23:00 Talk"],
            ["one ~ 1 20:00-21:00 20:00-21:05", "one > 2 21:00-22:00 21:05-22:00"]
        ),
        // Something new in the coverage, and beyond it.
        (
            ["one 20:00-21:00 News", "one 21:00-21:30 Film", "one 21:30-22:00 Ad", "one 22:00-23:00 Talk"],
            ["one ~ 2 21:00-22:00 21:00-21:30", "one + 4 21:30-22:00"]
        ),
        (["one 23:00-24:00 Night"], ["one + 4 23:00-24:00"]),
        // Something is gone.
        (["one 20:00-21:00 News", "one 22:00-23:00 Talk"], ["one - 2 21:00-22:00"]),
        // What stands before the coverage is cut.
        (["one 22:30-23:30 Late"], ["one ~ 3 22:00-23:00 22:00-22:30", "one + 4 22:30-23:30"]),
        // Other stations are told apart.
        (
            ["two 20:00-21:00 Gold", "one 20:00-20:30 News", "one 20:30-22:00 Film"],
            ["stations", "one ~ 1 20:00-21:00 20:00-20:30", "one > 2 21:00-22:00 20:30-22:00", "two *"]
        ),
    ])
    func eachKindOfChangeIsTold(edition: [String], expected: [String]) throws {
        let scratch = try ScratchGuide(evening)
        #expect(try scratch.changes(since: 0) == ["stations", "one *"])
        try scratch.importing(edition)
        // Two stands before one where the file has it first.
        #expect(try Set(scratch.changes(since: 1)) == Set(expected))
        #expect(try scratch.store.check().problems == [])
    }

    @Test func stationsStandInTheOrderOfTheirRowsAndAiringsInThatOfTime() throws {
        let scratch = try ScratchGuide(["b 20:00-21:00 A", "b 21:00-22:00 B", "a 20:00-21:00 A", "c 20:00-21:00 A"])
        try scratch.importing(["b 20:00-21:00 X", "b 21:00-22:00 Y", "a 20:00-21:00 X", "c 20:00-21:00 X"])
        let changes = try #require(try scratch.store.changes(since: Generation(1)))
        #expect(changes.stations.map(\.station.rawValue) == ["b", "a", "c"])
        #expect(changes.stations.map(\.row) == [0, 1, 2])
        #expect((changes.since, changes.generation) == (Generation(1), Generation(2)))
        #expect(
            ChangeText.lines(changes) == [
                "b ~ 1 20:00-21:00 20:00-21:00", "b ~ 2 21:00-22:00 21:00-22:00", "a ~ 3 20:00-21:00 20:00-21:00",
                "c ~ 4 20:00-21:00 20:00-21:00",
            ])
    }

    @Test func severalGenerationsAreToldAsOne() throws {
        let scratch = try ScratchGuide(evening)
        try scratch.importing(["one 20:00-21:05 News", "one 21:05-22:00 Film", "one 22:00-23:00 Talk"])
        try scratch.importing(["one 23:00-24:00 Night"])
        try scratch.importing(["one 20:00-21:10 News", "one 21:10-22:00 Film", "one 22:00-23:30 Talk"])
        // The last one cut nothing: what it says ends within the night's programme, which stood in its coverage.
        #expect(
            try scratch.changes(since: 1) == [
                "one ~ 1 20:00-21:00 20:00-21:10", "one > 2 21:00-22:00 21:10-22:00", "one ~ 3 22:00-23:00 22:00-23:30",
            ])
        #expect(
            try scratch.changes(since: 3) == [
                "one ~ 1 20:00-21:05 20:00-21:10", "one > 2 21:05-22:00 21:10-22:00", "one ~ 3 22:00-23:00 22:00-23:30",
                "one - 4 23:00-24:00",
            ])
        #expect(try scratch.changes(since: 4) == [])
    }

    @Test func ofAStationThatIsSharedTheWholeScheduleIsTold() throws {
        let scratch = try ScratchGuide(evening + ["two 20:00-21:00 Gold"])
        try scratch.importing(["one 23:00-24:00 Night"], as: other)
        #expect(try scratch.changes(since: 1) == ["one *"])
        try scratch.importing(["one 20:00-21:00 Sport", "one 21:00-22:00 Film", "one 22:00-23:00 Talk"])
        #expect(try scratch.changes(since: 2) == ["one *"])
        try scratch.importing(["two 20:00-21:00 Silver"])
        #expect(try scratch.changes(since: 3) == ["two ~ 4 20:00-21:00 20:00-21:00"])
        #expect(try scratch.changes(since: 2) == ["one *", "two ~ 4 20:00-21:00 20:00-21:00"])
    }

    @Test func ofAStationThatHasNoAiringsLeftTheWholeScheduleIsTold() throws {
        let scratch = try ScratchGuide(evening)
        _ = try scratch.store.prune(before: Day.instant("23:00"))
        try scratch.importing(["one 24:00-25:00 Night"])
        #expect(try scratch.changes(since: 2) == ["one *"])
    }

    @Test(arguments: [2000, 2001]) func moreThanTwoThousandChangesAreToldAsTheWholeSchedule(count: Int) throws {
        let scratch = try ScratchGuide(["one 0:00-0:01 A"])
        try scratch.importing((1...count).map { "one 0:\($0)-0:\($0 + 1) T\($0)" })
        let extents = try #require(try scratch.store.changes(since: Generation(1))).stations.map(\.extent)
        guard case .airings(let changes)? = extents.first else {
            #expect(extents == [.whole])
            #expect(count == 2001)
            return
        }
        #expect(count == 2000 && changes.count == 2000 && changes.allSatisfy { $0.kind == .inserted })
    }

    @Test func ofSeveralGenerationsTooManyChangesAreToldAsTheWholeSchedule() throws {
        let scratch = try ScratchGuide(["one 0:00-0:01 A"])
        try scratch.importing((1...2000).map { "one 0:\($0)-0:\($0 + 1) T\($0)" })
        try scratch.importing(["one 0:2001-0:2002 T2001"])
        #expect(try scratch.changes(since: 2).count == 1)
        #expect(try scratch.changes(since: 1) == ["one *"])
    }

    @Test func otherWordsOfAStationAreAChangeOfStationsAlone() throws {
        let scratch = try ScratchGuide(["<channel id=\"one\"><display-name>A</display-name></channel>"] + evening)
        try scratch.importing(["<channel id=\"one\"><display-name>B</display-name></channel>"] + evening)
        #expect(try scratch.changes(since: 1) == ["stations"])
    }

    @Test func anotherPlaceInTheFileIsAChangeOfStationsWhereRowsMove() throws {
        let scratch = try ScratchGuide(["a 20:00-21:00 A", "b 20:00-21:00 B", "c 20:00-21:00 C"])
        // b and c stand behind a, which the file doesn't speak of, as they did.
        try scratch.importing(["b 20:00-21:00 X", "c 20:00-21:00 C"])
        #expect(try scratch.changes(since: 1) == ["b ~ 2 20:00-21:00 20:00-21:00"])
        try scratch.importing(["c 20:00-21:00 C", "b 20:00-21:00 X"])
        #expect(try scratch.changes(since: 2) == ["stations"])
    }

    @Test func aGenerationThatIsNotThereIsUnknown() throws {
        let scratch = try ScratchGuide()
        #expect(try scratch.changes(since: 0) == [])
        #expect(try scratch.changes(since: 1) == ["unknown"])
        try scratch.importing(evening)
        #expect(try scratch.changes(since: 1) == [])
        for generation in [2, -1, .min, .max] as [Int64] {
            #expect(try scratch.changes(since: generation) == ["unknown"])
        }
    }

    @Test func aReaderIsToldTheSame() throws {
        let scratch = try ScratchGuide(evening)
        try scratch.importing(["one 23:00-24:00 Night"])
        let reader = try GuideStore(readingFrom: scratch.path)
        #expect(ChangeText.lines(try reader.changes(since: Generation(1))) == ["one + 4 23:00-24:00"])
    }
}
