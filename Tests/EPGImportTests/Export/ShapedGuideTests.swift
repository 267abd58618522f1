import EPGImport
import EPGModel
import EPGOutput
import Foundation
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
        #expect(try xmltv { _ in } == guide.xmltv())
    }

    @Test func onlyTheFirstAvailableLanguageIsWritten() throws {
        let text = try xmltv { $0.texts.languages = ["fr", "de", "en"] }
        #expect(text.contains("Laternenbucht") && !text.contains("Lantern Bay"))
        #expect(text.contains("Wellen.") && !text.contains("Waves."))
        // The only subtitle is English.
        #expect(text.contains("The Storm"))
    }

    @Test func unavailableLanguagesKeepAllTexts() throws {
        let text = try xmltv { $0.texts.languages = ["fr"] }
        #expect(text.contains("Laternenbucht") && text.contains("Lantern Bay"))
    }

    @Test func templateUsesTextsOfTheLanguageOfEachTitle() throws {
        let text = try xmltv { $0.texts.title = try TextTemplate("{title} S{season:2}E{episode:2} {new} {live}") }
        #expect(text.contains("<title lang=\"en\">Lantern Bay S02E05 New</title>"))
        #expect(text.contains("<title lang=\"de\">Laternenbucht S02E05 New</title>"))
    }

    @Test func templateAddsAMissingElementAndRemovesAnEmptyOne() throws {
        let nodes: [ContentNode] = [.text("title", "Tides"), .text("sub-title", "x")]
        let text = try xmltv(nodes) {
            $0.texts.description = try TextTemplate("On {station}")
            $0.texts.subtitle = try TextTemplate("{year}")
        }
        #expect(text.contains("<desc>On One</desc>") && !text.contains("sub-title"))
        let (title, description) = (text.range(of: "<title>"), text.range(of: "<desc>"))
        #expect(try #require(title).lowerBound < #require(description).lowerBound)
    }

    @Test func emptyTitleStaysAsItIs() throws {
        #expect(try xmltv([.text("title", "Tides")]) { $0.texts.title = try TextTemplate("{year}") }.contains("Tides"))
    }

    @Test func templatesUseTheOriginalTexts() throws {
        let text = try xmltv([.text("title", "Tides"), .text("desc", "Sea.")]) {
            $0.texts.title = try TextTemplate("* {title}")
            $0.texts.description = try TextTemplate("{title}: {description}")
        }
        #expect(text.contains("<desc>Tides: Sea.</desc>"))
    }

    @Test func droppedElementsAreNotWritten() throws {
        let text = try xmltv { $0.texts.dropped = ["desc", "episode-num", "new"] }
        #expect(!text.contains("<desc") && !text.contains("<episode-num") && !text.contains("<new"))
        #expect(text.contains("<sub-title"))
    }

    @Test func droppedValueIsStillAvailableToTemplates() throws {
        let text = try xmltv {
            $0.texts.title = try TextTemplate("{title}: {subtitle}")
            $0.texts.dropped = ["sub-title"]
        }
        #expect(text.contains("Lantern Bay: The Storm") && !text.contains("<sub-title"))
    }

    @Test func genreFollowsTheCategories() throws {
        let text = try xmltv { $0.genres = .etsi }
        let (first, last) = (text.range(of: "<category>Krimi<"), text.range(of: ">Detective / Thriller<"))
        #expect(try #require(first).lowerBound < #require(last).lowerBound)
        #expect(text.contains("<category lang=\"en\">Detective / Thriller</category>"))
    }

    @Test func genreReplacesTheCategories() throws {
        let text = try xmltv { $0.genres = .etsiOnly }
        #expect(text.contains("Detective / Thriller") && !text.contains("Krimi") && !text.contains("Series"))
        #expect(
            try !xmltv([.text("title", "x"), .text("category", "Qwrtz")]) { $0.genres = .etsiOnly }.contains(
                "<category"))
    }

    @Test func genreThatIsACategoryIsNotRepeated() throws {
        let text = try xmltv([.text("title", "x"), .text("category", "Comedy")]) { $0.genres = .etsi }
        #expect(text.components(separatedBy: "Comedy").count == 2)
    }

    @Test func stationPatternsOverrideInOrder() throws {
        let text = try xmltv {
            var (first, second) = (OutputTexts(), OutputTexts())
            first.title = try TextTemplate("1 {title}")
            first.dropped = ["desc"]
            second.title = try TextTemplate("2 {title}")
            $0.stations = [
                StationTexts(patterns: ["ONE.*"], texts: first), StationTexts(patterns: ["x", "*"], texts: second),
                StationTexts(patterns: ["two"], texts: first),
            ]
        }
        #expect(text.contains(">2 Lantern Bay<") && !text.contains("<desc"))
    }
}
