import EPGModel
import EPGOutput
import TestSupport
import Testing

struct TextTemplateTests {
    private static let nodes: [ContentNode] = [
        element("title", "Lantern Bay", lang: "en"), element("title", "Laternenbucht", lang: "de"),
        element("sub-title", "The Storm"), element("desc", "Waves."), element("date", "20190504"),
        element("category", "Drama"),
        .element(
            ContentElement(
                name: "episode-num", attributes: [ContentAttribute(name: "system", value: "xmltv_ns")],
                children: [.text("1.4.")])),
        .element(ContentElement(name: "new")),
        .element(ContentElement(name: "rating", children: [element("value", "12")])),
        .element(
            ContentElement(name: "credits", children: [element("actor", "Ada Moor"), element("actor", "Lee Ray")])),
    ]

    private static func element(_ name: String, _ text: String, lang: String? = nil) -> ContentNode {
        .element(
            ContentElement(
                name: name, attributes: lang.map { [ContentAttribute(name: "lang", value: $0)] } ?? [],
                children: [.text(text)]))
    }

    private func rendered(
        _ template: String, _ nodes: [ContentNode] = Self.nodes, language: String? = nil
    ) throws -> String {
        try TextTemplate(template).rendered {
            $0.value(of: nodes, language: language, station: "Harbour One", genre: Genre(code: 0x10))
        }
    }

    @Test(arguments: [
        ("{title} {new}", "Lantern Bay New"), ("S{season}E{episode}", "S2E5"), ("S{season:2}E{episode:2}", "S02E05"),
        ("{title}: {subtitle}", "Lantern Bay: The Storm"), ("{title} ({year})", "Lantern Bay (2019)"),
        ("{new:*}{title}", "*Lantern Bay"), ("{category} {genre}", "Drama Movie / Drama"), ("{rating}+", "12+"),
        ("{actors}", "Ada Moor, Lee Ray"), ("{station}", "Harbour One"),
        ("{{title}} [[{title}]]", "{title} [Lantern Bay]"),
        ("{description} ", "Waves."),
    ]) func placeholderIsReplacedByItsValue(template: String, text: String) throws {
        try expectEqual(rendered(template), text)
    }

    @Test(arguments: [
        ("{title} {live}", "Lantern Bay"), ("{live} {title}", "Lantern Bay"),
        ("{title} {live} {new}", "Lantern Bay New"),
        ("{live}{title}", "Lantern Bay"), ("{live} {premiere}", ""), ("{title}-{live}", "Lantern Bay-"),
    ]) func missingValueVanishesWithOneSpace(template: String, text: String) throws {
        try expectEqual(rendered(template), text)
    }

    @Test(arguments: [
        ("{title}[ ({part})]", "Lantern Bay"), ("{title}[ S{season}[[{part}]", "Lantern Bay"),
        ("{title}[ S{season:2}E{episode:2}]", "Lantern Bay S02E05"), ("[{live}: ]{title}", "Lantern Bay"),
        ("{title} [{part}] {new}", "Lantern Bay New"), ("[{subtitle}. ]{description}", "The Storm. Waves."),
    ]) func bracketedPartVanishesIfAValueIsMissing(template: String, text: String) throws {
        try expectEqual(rendered(template), text)
    }

    @Test func textInTheLanguageOfTheElementIsPreferred() throws {
        try expectEqual(rendered("{title}", language: "de"), "Laternenbucht")
        try expectEqual(rendered("{title}", language: "fr"), "Lantern Bay")
    }

    @Test func onscreenNumberWithSeasonAndEpisodeIsRead() throws {
        try expectEqual(rendered("{season}x{episode}", [Self.element("episode-num", "S03 E07")]), "3x7")
    }

    @Test(arguments: [
        ("{name}", "unknown placeholder {name}; allowed: {title}, {subtitle}, "),
        ("{title", "missing } after {"), ("title}", "“}” without “{”"), ("{title}]", "“]” without “[”"),
        ("[{title}", "missing ] after ["), ("[a [{title}]]", "must not contain another"),
        ("[ (HD)]", "needs a placeholder"),
        ("{title:3}", "takes nothing after its name"), ("{season:0}", "a number of digits from 1 to 9"),
        ("{season:x}", "a number of digits from 1 to 9"), ("{new:}", "takes the text to write"),
        ("", "expected a template"),
        ("{title}\u{7}", "control characters"),
    ]) func invalidTemplateSaysWhatIsAllowed(template: String, reason: String) throws {
        let error = try #require(throws: TextTemplateError.self) { try TextTemplate(template) }
        #expect(error.reason.contains(reason), "\(error.reason)")
    }
}
