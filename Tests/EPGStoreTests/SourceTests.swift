import EPGModel
import EPGStore
import Testing

/// Each source's listings are kept apart; which one a station's schedule is taken from is resolved.
@Suite struct SourceTests {
    private let first = Source(name: "first")
    private let second = Source(name: "second")

    @Test func sourcesDoNotTouchEachOther() throws {
        let scratch = try ScratchGuide()
        try scratch.importing(["one 20:00-21:00 A", "two 20:00-21:00 A"], as: first)
        try scratch.importing(["one 20:00-21:00 B", "one 21:00-22:00 B", "three 20:00-21:00 B"], as: second)
        // What covers a station furthest is shown.
        #expect(try scratch.lines() == ["20:00-21:00 B", "21:00-22:00 B"])
        #expect(try scratch.lines(of: "two") == ["20:00-21:00 A"])
        let sources = try scratch.store.sources()
        #expect(sources.map(\.source.name) == ["first", "second"])
        #expect(sources.map(\.airings) == [2, 3])
        #expect(sources.map(\.stations) == [2, 2])
        #expect(try scratch.store.check().problems == [])
    }

    @Test func importingEitherAgainChangesNothing() throws {
        let texts = [
            "<channel id=\"two\"/><channel id=\"one\"><display-name>From the first</display-name></channel>",
            "<channel id=\"one\"><display-name>From the second</display-name></channel>",
        ]
        let scratch = try ScratchGuide()
        try scratch.importing([texts[0], "one 20:00-21:00 A", "two 20:00-21:00 A"], as: first)
        try scratch.importing([texts[1], "one 20:00-22:00 B"], as: second)
        let generation = try scratch.store.generation()
        let before = try GuideDump(path: scratch.path, tables: GuideDump.guideTables)
        #expect(try !scratch.importing([texts[0], "one 20:00-21:00 A", "two 20:00-21:00 A"], as: first).changedGuide)
        #expect(try !scratch.importing([texts[1], "one 20:00-22:00 B"], as: second).changedGuide)
        #expect(try scratch.store.generation() == generation)
        #expect(try GuideDump(path: scratch.path, tables: GuideDump.guideTables) == before)
    }

    @Test func aSourceThatIsRemovedTakesItsListingsAndStationsWithIt() throws {
        let scratch = try ScratchGuide()
        try scratch.importing(["one 20:00-21:00 A", "two 20:00-21:00 A2"], as: first)
        try scratch.importing(["one 20:00-22:00 B", "three 20:00-21:00 B3"], as: second)
        let generation = try scratch.store.generation()
        #expect(try scratch.store.removeSource(named: "second"))
        #expect(try scratch.lines() == ["20:00-21:00 A"])
        #expect(try scratch.store.station(StationID("three")) == nil)
        #expect(try scratch.store.stations(inRows: 0..<9).map(\.station.id.rawValue) == ["one", "two"])
        #expect(try scratch.store.generation() > generation)
        #expect(try scratch.store.check().problems == [])
        #expect(try RawDatabase.number(scratch.path, "SELECT count(*) FROM programme") == 2)
        #expect(try scratch.store.removeSource(named: "first"))
        for table in ["station", "airing", "programme", "coverage", "source", "diagnostic", "import", "transmission"] {
            #expect(try RawDatabase.number(scratch.path, "SELECT count(*) FROM \(table)") == 0)
        }
    }

    @Test func aSourceThatIsNotThereIsNotRemoved() throws {
        let scratch = try ScratchGuide(["one 20:00-21:00 A"])
        #expect(try !scratch.store.removeSource(named: "nobody"))
        #expect(try scratch.store.generation() == Generation(1))
    }

    @Test func howASourceIsReadIsKept() throws {
        let scratch = try ScratchGuide()
        let source = Source(
            name: "日本", location: "https://a.test/x.xml", timeZone: "Asia/Tokyo", shift: -60, interval: 3600,
            priority: -7, stations: ["bbc*", "一?.jp\r", "x"], encoding: "Shift_JIS")
        try scratch.store.save(source)
        #expect(try scratch.store.sources().map(\.source) == [source])
        var changed = source
        changed.location = nil
        changed.timeZone = nil
        changed.interval = nil
        changed.priority = 3
        changed.stations = []
        changed.encoding = nil
        try scratch.store.save(changed)
        #expect(try scratch.store.sources().map(\.source) == [changed])
        #expect(try scratch.store.generation() == Generation(0))
    }
}
