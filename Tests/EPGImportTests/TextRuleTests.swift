import EPGModel
import TestSupport
import Testing

/// Rules.md, rule 11: text is trimmed. Only `desc` may have line breaks, and runs of spaces in it collapse. References,
/// CDATA, and comments are resolved by the XML reader and are not part of the text.
@Suite struct TextRuleTests {
    private func programme(_ content: String) throws -> Programme {
        let records = """
            <programme start="20260328180000" stop="20260328190000" channel="one.test">\(content)</programme>
            """
        return try #require(try ImportedGuide(records).onlyAiring()).programme
    }

    @Test(arguments: [
        ("News", "News"), ("  News\n", "News"), ("Late\n      News", "Late News"), ("Late\tNews", "Late News"),
        ("Late  News", "Late  News"), ("Late \r\n News", "Late News"),
        ("晚间新闻联播", "晚间新闻联播"), (" نشرة الأخبار ", "نشرة الأخبار"),
        ("Caf&#xE9; &amp; &lt;bar&gt;", "Café & <bar>"), ("A&#10;B", "A B"),
        ("<![CDATA[A & B]]>", "A & B"), ("A <![CDATA[& ]]>B", "A & B"), ("A<!-- no -->B", "AB"),
        ("A<?x y?>B", "AB"), ("&#x1F3AC;", "🎬"), ("a&apos;b&quot;c", "a'b\"c"),
    ])
    func titleBecomesOneLine(written: String, text: String) throws {
        try expectEqual(programme("<title>\(written)</title>").titles, [LocalizedText(text)])
    }

    @Test(arguments: [
        ("One.\n   Two.", "One.\nTwo."), ("  One.  Two.  ", "One. Two."), ("One.\t\tTwo.", "One. Two."),
        ("One.\n\n\nTwo.", "One.\nTwo."), ("One. \r\n Two.", "One.\nTwo."), ("\n  One.\n", "One."),
        ("第一集\n第二集", "第一集\n第二集"), ("<![CDATA[ One. ]]> <![CDATA[ Two. ]]>", "One. Two."),
    ])
    func descriptionKeepsLinesButNoRunsOfSpaces(written: String, text: String) throws {
        let programme = try programme("<title>T</title><desc>\(written)</desc>")
        expectEqual(programme.descriptions, [LocalizedText(text)])
    }

    @Test func mixedContentKeepsItsTexts() throws {
        let programme = try programme("<title>T</title><desc>Up <b>and</b> down</desc>")
        expectEqual(
            programme.extras,
            [
                .element(
                    ContentElement(
                        name: "desc",
                        children: [
                            .text("Up "), .element(ContentElement(name: "b", children: [.text("and")])), .text(" down"),
                        ]))
            ])
    }

    @Test func externalEntityIsKeptAsWrittenAndReported() throws {
        let text = """
            <?xml version="1.0"?>
            <!DOCTYPE tv SYSTEM "nobody.dtd">
            <tv><programme start="20260328180000" stop="20260328190000" channel="a"><title>A &foo; B</title></programme></tv>
            """
        let guide = try ImportedGuide(bytes: Array(text.utf8))
        try expectEqual(guide.airings(of: "a").map(\.title), ["A &foo; B"])
        try expectContains(guide.findings(), "3 badentity kept")
    }

    /// JSON can express U+0000, unlike XML.
    @Test func nullCharacterIsReplacedAndReported() throws {
        let lines = #"""
            {"type":"guide","version":1,"@source-info-name":"s\u0000"}
            {"type":"station","id":"a","station":{"display-name":["A\u0000B"]}}
            {"type":"airing","station":"a","start":"2026-03-28T18:00:00Z","stop":"2026-03-28T19:00:00Z",\#
            "transmission":{"showview":"1\u0000"},"programme":{"title":["N\u0000"]}}
            """#
        let guide = try ImportedGuide(bytes: Array(lines.utf8))
        try expectEqual(guide.airings(of: "a").map(\.title), ["N\u{FFFD}"])
        try expectEqual(guide.onlyAiring(of: "a")?.transmission.map(\.value), ["1\u{FFFD}"])
        try expectEqual(guide.findings().filter { $0.contains("notwell") }, ["2 notwell kept", "3 notwell kept"])
    }

    @Test func attributesAreDecoded() throws {
        let guide = try ImportedGuide(
            """
            <programme start="20260328180000" stop="20260328190000" channel="a&amp;b" catchup-id="x&#x20;&lt;y">
            <title lang="e&#110;">T</title></programme>
            """)
        let detail = try #require(try guide.onlyAiring(of: "a&b"))
        expectEqual(detail.transmission.map(\.value), ["x <y"])
        expectEqual(detail.programme.titles, [LocalizedText("T", language: "en")])
    }

    @Test func otherEncodingsAreConverted() throws {
        // ISO-8859-1: é is E9, ü is FC.
        let head = "<?xml version=\"1.0\" encoding=\"ISO-8859-1\"?><tv><programme start=\"20260328180000\" "
        let bytes =
            Array((head + "stop=\"20260328190000\" channel=\"a\"><title>Caf").utf8) + [0xE9, 0x20, 0xFC]
            + Array("</title></programme></tv>".utf8)
        try expectEqual(ImportedGuide(bytes: bytes).airings(of: "a").map(\.title), ["Café ü"])
    }
}
