import EPGModel
import Testing

/// Where several texts stand, the user's language decides; otherwise the first is the canonical one (facts/xmltv,
/// section 1).
@Suite struct LocalizedTextTests {
    static let titles = [
        LocalizedText("Nachrichten", language: "de"), LocalizedText("News", language: "en_GB"),
        LocalizedText("The News", language: "EN"), LocalizedText("新闻"),
    ]

    @Test(
        arguments: [
            ([], "Nachrichten"), (["en"], "News"), (["en-GB"], "News"), (["EN-gb"], "News"), (["en-US"], "Nachrichten"),
            (["fr", "en"], "News"), (["fr"], "Nachrichten"), (["de-AT", "de"], "Nachrichten"), ([""], "Nachrichten"),
            (["e"], "Nachrichten"), (["-"], "Nachrichten"),
        ] as [([String], String)])
    func thePreferredLanguageDecidesElseTheFirst(languages: [String], text: String) {
        #expect(Self.titles.text(preferring: languages) == text)
    }

    @Test func nothingIsChosenFromNothing() {
        #expect([LocalizedText]().text(preferring: ["en"]) == nil)
    }
}
