import EPGImport
import EPGModel
import EPGOutput
import Foundation
import TestSupport
import Testing

/// Tests of genres, texts and logos in exports.
struct ShapedGuideTests {
    private static let bilingual: [ContentNode] = [
        .text("title", "Lantern Bay", ["lang": "en"]), .text("title", "Laternenbucht", ["lang": "de"]),
        .text("sub-title", "The Storm", ["lang": "en"]), .text("desc", "Wellen.", ["lang": "de"]),
        .text("desc", "Waves.", ["lang": "en"]), .text("category", "Series"), .text("category", "Krimi"),
        .text("episode-num", "1.4.", ["system": "xmltv_ns"]), .element("new"),
    ]

    private func xmltv(_ nodes: [ContentNode] = bilingual, _ change: (inout OutputSettings) throws -> Void) throws
        -> String
    {
        var settings = OutputSettings()
        try change(&settings)
        var airing = ExportedAiring.evening()
        airing.nodes = nodes
        let guide = WrittenGuide(stations: [("one.test", [.text("display-name", "One")])], airings: [airing])
        let output = OutputBuffer()
        var visitor = ShapedGuide(for: XMLTVExporter(to: output.append), settings, .guide)
        try guide.export(to: &visitor)
        return output.text
    }

    @Test func withoutSettingsTheGuideIsUnchanged() throws {
        var airing = ExportedAiring.evening()
        airing.nodes = Self.bilingual
        let guide = WrittenGuide(stations: [("one.test", [.text("display-name", "One")])], airings: [airing])
        try expectEqual(xmltv { _ in }, guide.xmltv())
    }

    /// Settings, the content, and what the output contains or lacks.
    private struct Row: CustomTestStringConvertible {
        let testDescription: String
        var nodes = ShapedGuideTests.bilingual
        var contains: [String] = []
        var lacks: [String] = []
        let change: @Sendable (inout OutputSettings) throws -> Void
    }

    private static let languageRows: [Row] = [
        // The only subtitle is English.
        Row(
            testDescription: "only the first available language is written",
            contains: ["Laternenbucht", "Wellen.", "The Storm"], lacks: ["Lantern Bay", "Waves."]
        ) { $0.texts.languages = ["fr", "de", "en"] },
        Row(testDescription: "unavailable languages keep all texts", contains: ["Laternenbucht", "Lantern Bay"]) {
            $0.texts.languages = ["fr"]
        },
    ]

    private static let templateRows: [Row] = [
        Row(
            testDescription: "template uses texts of the language of each title",
            contains: [
                "<title lang=\"en\">Lantern Bay S02E05 New</title>",
                "<title lang=\"de\">Laternenbucht S02E05 New</title>",
            ]
        ) { $0.texts.title = try TextTemplate("{title} S{season:2}E{episode:2} {new} {live}") },
        Row(
            testDescription: "template adds a missing element and removes an empty one",
            nodes: [.text("title", "Tides"), .text("sub-title", "x")], contains: ["<desc>On One</desc>"],
            lacks: ["sub-title"]
        ) {
            $0.texts.description = try TextTemplate("On {station}")
            $0.texts.subtitle = try TextTemplate("{year}")
        },
        Row(testDescription: "empty title stays as it is", nodes: [.text("title", "Tides")], contains: ["Tides"]) {
            $0.texts.title = try TextTemplate("{year}")
        },
        Row(
            testDescription: "templates use the original texts",
            nodes: [.text("title", "Tides"), .text("desc", "Sea.")], contains: ["<desc>Tides: Sea.</desc>"]
        ) {
            $0.texts.title = try TextTemplate("* {title}")
            $0.texts.description = try TextTemplate("{title}: {description}")
        },
        Row(
            testDescription: "dropped value is still available to templates", contains: ["Lantern Bay: The Storm"],
            lacks: ["<sub-title"]
        ) {
            $0.texts.title = try TextTemplate("{title}: {subtitle}")
            $0.texts.dropped = ["sub-title"]
        },
        Row(
            testDescription: "patterns of stations override in order", contains: [">2 Lantern Bay<"], lacks: ["<desc"]
        ) {
            var (first, second) = (OutputTexts(), OutputTexts())
            first.title = try TextTemplate("1 {title}")
            first.dropped = ["desc"]
            second.title = try TextTemplate("2 {title}")
            $0.stations = [
                StationTexts(patterns: ["ONE.*"], texts: first), StationTexts(patterns: ["x", "*"], texts: second),
                StationTexts(patterns: ["two"], texts: first),
            ]
        },
    ]

    private static let elementRows: [Row] = [
        Row(
            testDescription: "dropped elements are not written", contains: ["<sub-title"],
            lacks: ["<desc", "<episode-num", "<new"]
        ) { $0.texts.dropped = ["desc", "episode-num", "new"] },
        Row(
            testDescription: "genre is added to the categories",
            contains: ["<category lang=\"en\">Detective / Thriller</category>"]
        ) { $0.genres = .etsi },
        Row(
            testDescription: "genre replaces the categories", contains: ["Detective / Thriller"],
            lacks: ["Krimi", "Series"]
        ) { $0.genres = .etsiOnly },
        Row(
            testDescription: "categories without a genre are removed",
            nodes: [.text("title", "x"), .text("category", "Qwrtz")], lacks: ["<category"]
        ) { $0.genres = .etsiOnly },
    ]

    @Test(arguments: languageRows + templateRows + elementRows)
    private func outputFollowsSettings(_ row: Row) throws {
        expectText(try xmltv(row.nodes, row.change), contains: row.contains, lacks: row.lacks)
    }

    @Test func addedElementsAreInOrder() throws {
        let described = try xmltv([.text("title", "Tides"), .text("sub-title", "x")]) {
            $0.texts.description = try TextTemplate("On {station}")
        }
        let classified = try xmltv { $0.genres = .etsi }
        for (text, first, last) in [
            (described, "<title>", "<desc>"), (classified, "<category>Krimi<", ">Detective / Thriller<"),
        ] {
            let (first, last) = (text.range(of: first), text.range(of: last))
            #expect(try #require(first).lowerBound < #require(last).lowerBound)
        }
    }

    @Test func genreThatIsACategoryIsNotRepeated() throws {
        let text = try xmltv([.text("title", "x"), .text("category", "Comedy")]) { $0.genres = .etsi }
        expectEqual(text.components(separatedBy: "Comedy").count, 2)
    }
}
