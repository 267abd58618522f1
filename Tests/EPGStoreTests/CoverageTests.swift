import EPGImport
import EPGModel
import EPGStore
import Testing

/// A source covers, for each station that has programmes in it, [first start, last stop); importing it again replaces
/// just that.
@Suite struct CoverageTests {
    private let evening = [
        "one 18:00-19:00 A", "one 19:00-20:00 B", "one 20:00-21:00 C", "one 21:00-22:00 D", "two 20:00-21:00 X",
    ]

    @Test func whatStandsBeforeAndAfterStays() throws {
        let scratch = try ScratchGuide(evening)
        let outcome = try scratch.importing(["one 19:00-19:30 N", "one 19:30-21:00 O"])
        #expect(
            try scratch.lines() == ["18:00-19:00 A", "19:00-19:30 N", "19:30-21:00 O", "21:00-22:00 D"])
        #expect((outcome.airingsChanged, outcome.airingsInserted, outcome.airingsRemoved) == (1, 1, 1))
    }

    @Test func anAbsentStationStays() throws {
        let scratch = try ScratchGuide(evening)
        try scratch.importing(["one 20:00-21:00 N"])
        #expect(try scratch.lines(of: "two") == ["20:00-21:00 X"])
        #expect(try scratch.store.stationCount() == 2)
        // One that is declared but has no programmes covers nothing.
        try scratch.importing(["<channel id=\"two\"/>", "one 20:00-21:00 N"])
        #expect(try scratch.lines(of: "two") == ["20:00-21:00 X"])
    }

    @Test func anEmptyGuideTakesNothingAway() throws {
        let scratch = try ScratchGuide(evening)
        let before = try GuideDump(path: scratch.path, tables: GuideDump.guideTables)
        #expect(try !scratch.importing([]).changedGuide)
        #expect(try GuideDump(path: scratch.path, tables: GuideDump.guideTables) == before)
    }

    @Test func whatReachesIntoTheNewListingsIsCutAndKeepsItsPublishedStop() throws {
        let scratch = try ScratchGuide(["one 18:00-20:00 A", "one 20:00-22:00 Long"])
        try scratch.importing(["one 21:00-21:30 N"])
        #expect(try scratch.lines() == ["18:00-20:00 A", "20:00-21:00 Long", "21:00-21:30 N"])
        let long = try #require(try scratch.airings().first { $0.title == "Long" })
        #expect(long.published == PublishedTimes(start: Day.instant("20:00"), stop: Day.instant("22:00")))
        #expect(!long.isStopInferred)
        #expect(try scratch.importing(["one 21:00-21:30 N"]).changedGuide == false)
    }

    @Test func anInferredStopThatIsCutWasNeverPublished() throws {
        // The last one has no stop: an hour is assumed. Then something comes half an hour later.
        let scratch = try ScratchGuide(["one 20:00-? Open"])
        #expect(try scratch.lines() == ["20:00-21:00? Open"])
        try scratch.importing(["one 20:30-21:30 N"])
        let open = try #require(try scratch.airings().first { $0.title == "Open" })
        #expect(open.window == Day.window("20:00-20:30"))
        #expect(open.isStopInferred)
        #expect(open.published == PublishedTimes(start: Day.instant("20:00"), stop: nil))
    }

    @Test func anInferredTailIsCutAtTheNextStoredStart() throws {
        let scratch = try ScratchGuide(["one 20:20-21:00 Stored", "one 21:00-22:00 Later"])
        try scratch.importing(["one 19:00-20:00 N", "one 20:00-? Tail"])
        #expect(
            try scratch.lines() == ["19:00-20:00 N", "20:00-20:20? Tail", "20:20-21:00 Stored", "21:00-22:00 Later"])
        #expect(try scratch.importing(["one 19:00-20:00 N", "one 20:00-? Tail"]).changedGuide == false)
        #expect(try scratch.store.check().problems == [])
    }

    @Test func anAbsurdStopWidensNothing() throws {
        let scratch = try ScratchGuide(["one 30:00-31:00 Tomorrow"])
        try scratch.importing(["one 20:00-21:00 N", "one 21:00-21000:00 Forever"])
        #expect(try scratch.lines() == ["20:00-21:00 N", "21:00-30:00 Forever", "30:00-31:00 Tomorrow"])
        let forever = try #require(try scratch.airings().first { $0.title == "Forever" })
        #expect(forever.published?.stop == Day.instant("21000:00"))
    }

    @Test func aClumpIsReplacedAsAWhole() throws {
        func clump(_ title: String, _ index: String) -> String {
            "<programme start=\"20260328200000\" stop=\"20260328210000\" clumpidx=\"\(index)\" channel=\"one\">"
                + "<title>\(title)</title></programme>"
        }
        let scratch = try ScratchGuide([clump("A", "0/2"), clump("B", "1/2"), "one 21:00-22:00 C"])
        #expect(try scratch.lines() == ["20:00-21:00 A", "20:00-21:00 B", "21:00-22:00 C"])
        try scratch.importing(["one 20:00-21:00 Single"])
        #expect(try scratch.lines() == ["20:00-21:00 Single", "21:00-22:00 C"])
        try scratch.importing([clump("A", "0/3"), clump("B", "1/3"), clump("D", "2/3")])
        #expect(try scratch.airings().compactMap { $0.clump?.count } == [3, 3, 3])
        // One that starts within the clump cuts all of its parts.
        try scratch.importing(["one 20:30-21:00 N"])
        #expect(
            try scratch.lines()
                == ["20:00-20:30 A", "20:00-20:30 B", "20:00-20:30 D", "20:30-21:00 N", "21:00-22:00 C"])
        #expect(try scratch.store.check().problems == [])
    }

    @Test func importingAPartOfTheSameFileChangesNothing() throws {
        let guide = (0..<24).flatMap { hour in
            ["one \(hour * 3):00-\(hour * 3 + 2):00 A\(hour)", "two \(hour * 3):00-? B\(hour)"]
        }
        let scratch = try ScratchGuide(guide)
        let before = try GuideDump(path: scratch.path, tables: ["airing", "station"])
        for window in ["0:00-24:00", "10:00-11:00", "20:30-44:30", "71:00-90:00"] {
            try scratch.importing(guide, options: ImportOptions(window: Day.window(window)))
            #expect(try GuideDump(path: scratch.path, tables: ["airing", "station"]) == before, "\(window)")
        }
    }
}
