import EPGModel
import EPGStore
import Testing

/// What a service asks of a guide beyond a viewport.
@Suite struct BrowsingTests {
    @Test func theSpanReachesFromTheFirstStartToTheLastStop() throws {
        let scratch = try ScratchGuide(["one 20:00-21:00 A", "two 05:00-06:00 B", "two 06:00-07:00 C"])
        try scratch.importing(["three 22:00-26:30 D"], as: Source(name: "other"))
        #expect(try scratch.store.guideSpan() == Day.window("05:00-26:30"))
    }

    @Test func anEmptyGuideHasEmptyAnswers() throws {
        let scratch = try ScratchGuide()
        let store = try scratch.store
        try store.refreshSearchIndex()
        let now = Day.instant("20:00")
        #expect(try store.guideSpan() == nil)
        #expect(try store.schedules(inRows: [0, 1], during: Day.allTime) == [])
        #expect(try store.stations([StationID("one")]) == [])
        for filter in [
            StationFilter(), StationFilter(text: "a"), StationFilter(group: "a"), StationFilter(lineup: "a"),
        ] {
            #expect(try store.stations(filter, offset: 0, limit: 10) == StationPage(total: 0, stations: []))
            #expect(try store.stationRows(filter) == [])
        }
        #expect(try store.stationGroups() == [])
        #expect(try store.categories() == [])
        #expect(try store.search(RankedQuery(words: "news", now: now)) == RankedResults(total: 0, matches: []))
        #expect(try store.showings(of: AiringID(1), after: now, limit: 10) == [])
        #expect(try store.importSummaries() == [])
        #expect(try store.version().generation == Generation(0))
        #expect(try scratch.store.version().since == nil)
    }

    @Test(
        arguments: [
            ([0, 1, 2], [0, 1, 2]), ([2, 0], [2, 0]), ([3, 1, 2, 9, 1], [3, 1, 2, 1]), ([], []),
            ([-1, .min, .max], []),
            ([4], []),
        ] as [([Int], [Int])])
    func chosenRowsComeInTheOrderInWhichTheyAreNamed(rows: [Int], found: [Int]) throws {
        let scratch = try ScratchGuide((0..<4).map { "s\($0) 20:00-21:00 Title\($0)" })
        let schedules = try scratch.store.schedules(inRows: rows, during: Day.window("20:00-20:30"))
        #expect(schedules.map(\.row) == found)
        let whole = try scratch.store.schedules(inRows: 0..<4, during: Day.window("20:00-20:30"))
        #expect(schedules == found.map { whole[$0] })
    }

    @Test func stationsComeInTheOrderInWhichTheyAreNamed() throws {
        let scratch = try ScratchGuide((0..<4).map { "s\($0) 20:00-21:00 Title" })
        let ids = ["s3", "nobody", "s0", ""].map { StationID($0) }
        #expect(try scratch.store.stations(ids).map(\.station.id.rawValue) == ["s3", "s0"])
    }

    @Test func categoriesAreCountedByProgrammeTheMostFrequentFirst() throws {
        func record(_ hour: Int, _ title: String, _ categories: [String]) -> String {
            "<programme start=\"\(Day.stamp("\(hour):00"))\" stop=\"\(Day.stamp("\(hour + 1):00"))\" channel=\"one\">"
                + "<title>\(title)</title>" + categories.map { "<category>\($0)</category>" }.joined() + "</programme>"
        }
        // The news are one programme, however often they are on.
        let scratch = try ScratchGuide([
            record(1, "News", ["News"]), record(2, "News", ["News"]), record(3, "Alien", ["Film", "Horror"]),
            record(4, "Solaris", ["Film", "News"]), record(5, "Chess", ["Sport"]), record(6, "Nothing", []),
            record(7, "Empty", [""]),
        ])
        #expect(
            try scratch.store.categories() == [
                CategoryCount(name: "Film", count: 2), CategoryCount(name: "News", count: 1),
                CategoryCount(name: "Sport", count: 1),
            ])
    }

    @Test func theLastImportOfEachSourceIsSummedUp() throws {
        let scratch = try ScratchGuide()
        let later = Day.instant("19:00")
        try scratch.importing(["one 20:00-21:00 A"], as: Source(name: "b"))
        try scratch.importing(["two 20:00-21:00 A", "two 21:00-22:00 B"], as: Source(name: "a"))
        try scratch.importing(
            text: Day.guide(["one 20:00-21:00 A", "one 21:00-22:00 B", "one 21:00-22:00 B"]), as: Source(name: "b"),
            now: later)
        try scratch.store.save(Source(name: "c"))
        let summaries = try scratch.store.importSummaries()
        #expect(summaries.map(\.source) == ["a", "b"])
        #expect(summaries.map(\.at) == [ScratchGuide.now, later])
        #expect(summaries.map(\.read) == [2, 3])
        #expect(summaries.map(\.stored) == [2, 2])
        #expect(summaries.map(\.inserted) == [2, 1])
        #expect(summaries.map { [$0.dropped, $0.changed, $0.removed] } == [[0, 0, 0], [0, 0, 0]])
        let generation = try scratch.store.generation()
        #expect(summaries.last?.generation == generation)
    }

    @Test func generationsOfOneNumberHaveDifferentNonces() throws {
        let scratches = try (0..<2).map { _ in try ScratchGuide(["one 20:00-21:00 A"]) }
        let versions = try scratches.map { try $0.store.version() }
        #expect(versions[0].generation == versions[1].generation)
        #expect(versions[0].nonce != versions[1].nonce)
        #expect(versions.map(\.since) == [ScratchGuide.now, ScratchGuide.now])
        try scratches[0].importing(["one 20:00-21:00 B"])
        #expect(try scratches[0].store.version().nonce != versions[0].nonce)
        #expect(try scratches[0].store.version().generation > versions[0].generation)
        // The log knows earlier generations by their nonces, and none of another guide.
        #expect(try scratches[0].store.version(of: versions[0].generation) == versions[0])
        #expect(try scratches[0].store.version(of: Generation(3)) == nil)
    }
}
