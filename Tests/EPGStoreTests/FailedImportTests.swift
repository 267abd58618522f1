import EPGImport
import EPGModel
import EPGStore
import Testing

/// A bad file leaves the guide that stood untouched, whatever came before the place where it is bad.
@Suite struct FailedImportTests {
    private static let guide = ["one 20:00-21:00 A", "one 21:00-22:05 B", "one 22:00-23:00 C", "two 20:00-? X"]
    private static let next = Day.guide((0..<300).map { "s\($0 / 30) \($0):00-\($0):30 N\($0): New." })

    private static let badFiles: [String: String] = [
        "cut in the middle of a programme": String(next.prefix(next.count / 2)),
        "cut within the last tag": String(next.dropLast(4)),
        "not well-formed in the middle": next.replacing(">N150<", with: ">N150 & more<"),
        "another root": next.replacing("<tv>", with: "<guide>").replacing("</tv>", with: "</guide>"),
        "an entity bomb": "<!DOCTYPE tv [<!ENTITY a \"&b;&b;\">]>" + next.dropFirst(39),
        "absurd nesting": next.replacing("</tv>", with: String(repeating: "<a>", count: 50)),
        "an HTML page": "<!DOCTYPE html><html><body>502</body></html>",
        "empty": "",
        "something behind the end": next + "<tv/>",
    ]

    @Test(arguments: badFiles.keys.sorted()) func aBadFileChangesNothing(kind: String) throws {
        let scratch = try ScratchGuide(Self.guide)
        let before = try GuideDump(path: scratch.path)
        let text = try #require(Self.badFiles[kind])
        var strict = ImportOptions()
        strict.isStrict = true
        #expect(throws: (any Error).self) { try scratch.importing(text: text, options: strict) }
        #expect(throws: (any Error).self) {
            try scratch.importing(text: text, as: Source(name: "new one"), options: strict)
        }
        #expect(try GuideDump(path: scratch.path) == before)
        // And the next import is as if nothing had been.
        #expect(try !scratch.importing(Self.guide).changedGuide)
        #expect(try scratch.importing(text: Self.next).report.airingsStored == 300)
        #expect(try scratch.store.check().problems == [])
    }

    @Test func aBadFileForANewGuideLeavesAnEmptyOne() throws {
        let scratch = try ScratchGuide()
        #expect(throws: (any Error).self) { try scratch.importing(text: "nothing") }
        #expect(try scratch.store.stationCount() == 0)
        #expect(try scratch.store.generation() == Generation(0))
        #expect(try scratch.store.sources().isEmpty)
    }

    @Test func aBadFileLeavesTheSearchesAsTheyWere() throws {
        let scratch = try ScratchGuide(Self.guide)
        try scratch.store.refreshSearchIndex()
        let text = try #require(Self.badFiles["cut within the last tag"])
        #expect(throws: (any Error).self) { try scratch.importing(text: text) }
        try scratch.importing(["one 20:00-21:00 A", "one 21:00-22:00 Fresh"])
        try scratch.store.refreshSearchIndex()
        func titles(_ words: String) throws -> [String] {
            try scratch.store.search(SearchQuery(words: words, now: ScratchGuide.now)).map(\.airing.title)
        }
        #expect(try titles("Fresh") == ["Fresh"])
        #expect(try titles("New") == [])
        #expect(try titles("A") == ["A"])
    }
}
