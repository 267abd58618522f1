import TestSupport
import Testing
import XMLTV

/// Tests of ``XMLWriter`` by XML 1.0.
@Suite struct XMLWriterTests {
    /// A text in an element and in an attribute. U+0080 is the euro sign in windows-1252, which has no character at 0x81.
    @Test(
        arguments: [
            ("a < b > c & \"d\" 'e'", "a &lt; b &gt; c &amp; \"d\" 'e'", "a &lt; b &gt; c &amp; &quot;d&quot; 'e'"),
            ("two\r\nlines\tand tab", "two  lines and tab", "two  lines and tab"),
            ("\u{0}\u{8}\u{1F}\u{81}\u{FFFE}\u{FFFF}x", "x", "x"),
            ("5 \u{80} é 絵 \u{FFFD}", "5 € é 絵 \u{FFFD}", "5 € é 絵 \u{FFFD}"),
        ] as [(String, String, String)])
    func textIsEscapedOnOneLine(text: String, inElement: String, inAttribute: String) {
        var xml = XMLWriter()
        xml.element("a", [("b", text)], text: text)
        expectEqual(xml.text, "<a b=\"\(inAttribute)\">\(inElement)</a>")
    }

    @Test func emptyAttributeIsOmitted() {
        var xml = XMLWriter()
        xml.declaration()
        xml.element("a") { xml in
            xml.element("b", [("c", ""), ("d", "1")])
            xml.lineBreak()
            xml.element("e", text: "")
        }
        expectEqual(xml.text, "<?xml version=\"1.0\" encoding=\"utf-8\"?>\n<a><b d=\"1\"/>\n<e></e></a>")
    }
}
