import Testing
import XMLTV

@Suite struct XMLTVWriterTests {
    private func written(
        _ elements: [XMLTVElement], indent: Int? = 2, attributes: [XMLTVElement.Attribute] = []
    ) -> String {
        var writer = XMLTVWriter(indent: indent)
        writer.begin(attributes: attributes)
        for element in elements { writer.write(element) }
        writer.end()
        return String(decoding: writer.takeBytes(), as: UTF8.self)
    }

    private static let head = """
        <?xml version="1.0" encoding="UTF-8"?>
        <!DOCTYPE tv SYSTEM "xmltv.dtd">


        """

    @Test func eachElementStandsOnALineOfItsOwn() {
        let programme = XMLTVElement(
            "programme", attributes: [.init("start", "2026"), .init("channel", "one")],
            children: [
                .element(.init("title", attributes: [.init("lang", "en")], text: "News")),
                .text("  \n"),
                .element(.init("credits", children: [.element(.init("actor", text: "A"))])),
                .element(.init("new")),
            ])
        let expected = """
            <tv date="2026">
              <programme start="2026" channel="one">
                <title lang="en">News</title>
                <credits>
                  <actor>A</actor>
                </credits>
                <new />
              </programme>
            </tv>

            """
        #expect(written([programme], attributes: [.init("date", "2026")]) == Self.head + expected)
    }

    @Test func anElementWithTextIsWrittenInOneLine() {
        let actor = XMLTVElement("actor", children: [.text("A "), .element(.init("url", text: "u")), .text("\n")])
        let expected = "<tv>\n  <credits>\n    <actor>A <url>u</url>\n</actor>\n  </credits>\n</tv>\n"
        #expect(written([.init("credits", children: [.element(actor)])]) == Self.head + expected)
    }

    @Test func withoutIndentARecordHasNoWhiteSpaceOfItsOwn() {
        let channel = XMLTVElement("channel", children: [.element(.init("url")), .text(" "), .element(.init("url"))])
        #expect(written([channel], indent: nil) == Self.head + "<tv>\n<channel><url /> <url /></channel>\n</tv>\n")
    }

    // Expected by XML 1.0, fifth edition: 2.2, 2.4, 2.11 and 3.3.3.
    @Test(arguments: [
        ("a & b", "a &amp; b", "a &amp; b"),
        ("<a>", "&lt;a&gt;", "&lt;a&gt;"),
        ("]]>", "]]&gt;", "]]&gt;"),
        ("\"it's\"", "\"it's\"", "&quot;it's&quot;"),
        ("a\r\nb\rc", "a&#13;\nb&#13;c", "a&#13;&#10;b&#13;c"),
        ("a\tb", "a\tb", "a&#9;b"),
        ("a\u{0}\u{1}\u{8}\u{B}\u{1F}b", "ab", "ab"),
        ("a\u{FFFE}\u{FFFF}b\u{FFFD}", "ab\u{FFFD}", "ab\u{FFFD}"),
        (
            "\u{7F}\u{85}\u{2028}\u{1F4FA}\u{FEFF}", "\u{7F}\u{85}\u{2028}\u{1F4FA}\u{FEFF}",
            "\u{7F}\u{85}\u{2028}\u{1F4FA}\u{FEFF}"
        ),
    ])
    func charactersAreEscapedAsTheirPlaceAsksFor(value: String, text: String, attribute: String) {
        let element = XMLTVElement("a", attributes: [.init("b", value)], text: value)
        let expected = "<a b=\"\(attribute)\">\(text)</a>"
        // Compared by bytes: equal strings may differ in them.
        #expect(Array(written([element], indent: nil).utf8) == Array((Self.head + "<tv>\n\(expected)\n</tv>\n").utf8))
    }

    @Test(arguments: ["", "1a", "a b", "a>", "-a", "a\u{0}", "\u{B7}a", "a=\"", "a/"])
    func whatHasNoXMLNameIsLeftOut(name: String) {
        let element = XMLTVElement(
            "a", attributes: [.init(name, "1"), .init("x", "2")], children: [.element(.init(name, text: "lost"))])
        #expect(written([element, .init(name)]) == Self.head + "<tv>\n  <a x=\"2\" />\n</tv>\n")
    }

    @Test(arguments: ["a", "_a", ":a", "a:b", "a1.-", "é", "\u{10000}b", "a\u{B7}"])
    func xmlNamesAreWritten(name: String) {
        #expect(written([.init(name)]) == Self.head + "<tv>\n  <\(name) />\n</tv>\n")
    }

    @Test func ofTwoAttributesOfOneNameTheFirstStands() {
        let element = XMLTVElement("a", attributes: [.init("b", "1"), .init("c", "2"), .init("b", "3")])
        #expect(written([element]) == Self.head + "<tv>\n  <a b=\"1\" c=\"2\" />\n</tv>\n")
    }

    @Test func bytesAreHandedOutOnce() {
        var writer = XMLTVWriter()
        writer.begin(doctype: false)
        #expect(String(decoding: writer.takeBytes(), as: UTF8.self).hasSuffix("?>\n<tv>\n"))
        #expect(writer.count == 0)
        writer.end()
        #expect(String(decoding: writer.takeBytes(), as: UTF8.self) == "</tv>\n")
    }
}
