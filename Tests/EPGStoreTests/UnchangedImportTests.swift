import EPGModel
import EPGStore
import Testing

/// Where nothing changed no row of the guide is written, and the generation stays.
@Suite struct UnchangedImportTests {
    private let guide = [
        "one 20:00-21:00 News / Late: With weather.", "one 21:00-? Film", "one 22:00-22:00 Marker",
        "one 22:00-23:00 Talk", "one 22:00-23:00 Talk", "one 22:30-23:30 Music", "two 20:00-? Film",
        "two 20:30-21:30 Gold",
        "<programme start=\"20260328200000\" channel=\"three\" catchup-id=\"7\"><title>T</title></programme>",
        "<channel id=\"four\"><display-name>Four</display-name></channel>", "<programme channel=\"one\"/>",
    ]

    @Test func theSameFileAgainWritesNoRow() throws {
        let scratch = try ScratchGuide()
        let first = try scratch.importing(guide)
        #expect(first.changedGuide && first.generation == Generation(1))
        let before = try GuideDump(path: scratch.path)
        for _ in 0..<3 {
            let again = try scratch.importing(guide)
            #expect(!again.changedGuide)
            #expect(again.generation == Generation(1))
            #expect(again.report == first.report)
            #expect(again.airingsUnchanged == first.report.airingsStored)
            #expect(again.airingsInserted + again.airingsChanged + again.airingsRemoved == 0)
            #expect(again.stationsInserted + again.stationsChanged + again.programmesInserted == 0)
        }
        let after = try GuideDump(path: scratch.path)
        for table in GuideDump.guideTables { #expect(after.tables[table] == before.tables[table]) }
        // What was found is the same, and isn't stored again; the log has a line for each import.
        #expect(after.tables["diagnostic"] == before.tables["diagnostic"])
        #expect(after.tables["import"]?.count == 4)
    }

    @Test func theSameFileInAnotherOrderWritesNoRow() throws {
        let airings = (0..<12).flatMap { hour in
            ["one \(hour):00-\(hour):30 A\(hour)", "two \(hour):00-\(hour):45 B\(hour)", "one \(hour):30-? C\(hour)"]
        }
        // Stations stand in the order of the file, so the first two records stay where they are.
        let scratch = try ScratchGuide(airings)
        let before = try GuideDump(path: scratch.path, tables: GuideDump.guideTables)
        let grouped = airings.filter { $0.hasPrefix("one") } + airings.filter { $0.hasPrefix("two") }
        #expect(try !scratch.importing(grouped).changedGuide)
        #expect(try !scratch.importing(Array(airings[..<2]) + airings[2...].reversed()).changedGuide)
        #expect(try GuideDump(path: scratch.path, tables: GuideDump.guideTables) == before)
    }

    @Test func theSameContentInOtherWordsOfXMLWritesNoRow() throws {
        let head = "<programme start=\"20260328200000 +0000\" stop=\"20260328210000 +0000\" channel=\"one\""
        let spellings = [
            head + "><title lang=\"en\">A &amp; B</title><desc>One. Two.</desc><new/></programme>",
            head
                + ">\n  <title lang='en'><![CDATA[A & B]]></title>\n <desc> One.\t Two.\n</desc>\n <new></new>\n</programme>",
            head
                + "><!-- x --><title lang=\"&#x65;n\">A &#38; B</title><desc>One. <!-- y -->Two.</desc><new /></programme >",
        ]
        let scratch = try ScratchGuide([spellings[0]])
        let before = try GuideDump(path: scratch.path, tables: GuideDump.guideTables)
        for spelling in spellings {
            #expect(try !scratch.importing([spelling]).changedGuide)
            #expect(try GuideDump(path: scratch.path, tables: GuideDump.guideTables) == before)
        }
    }

    @Test func theStateOfTheSourceMayChangeAlone() throws {
        let scratch = try ScratchGuide(guide)
        let before = try GuideDump(path: scratch.path, tables: GuideDump.guideTables)
        var state = SourceState()
        state.entityTag = "\"abc\""
        state.lastSuccess = Day.instant("19:00")
        state.lastEnding = .notModified
        state.lastDuration = .milliseconds(61_250)
        state.failures = 2
        try scratch.store.saveState(state, ofSource: "feed")
        #expect(try GuideDump(path: scratch.path, tables: GuideDump.guideTables) == before)
        #expect(try scratch.store.sources().first?.state == state)
        #expect(try scratch.store.generation() == Generation(1))
    }

    @Test func otherFindingsOfTheSameGuideAreStoredAndTheGuideStays() throws {
        let scratch = try ScratchGuide(["one 20:00-21:00 News"])
        let airings = try GuideDump(path: scratch.path, tables: ["airing", "station", "programme", "guide"])
        let outcome = try scratch.importing(["one 20:00-21:00 News", "<programme channel=\"one\"/>"])
        #expect(!outcome.changedGuide && outcome.generation == Generation(1))
        #expect(try GuideDump(path: scratch.path, tables: ["airing", "station", "programme", "guide"]) == airings)
        var lines: [Int] = []
        try scratch.store.diagnostics(ofImport: outcome.importID) { logged in
            lines.append(logged.diagnostic.line)
            return true
        }
        #expect(lines.contains(4))
    }
}
