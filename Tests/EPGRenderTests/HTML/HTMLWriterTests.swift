import TestSupport
import Testing

@testable import EPGRender

/// Tests of escaping and validation in ``HTMLWriter``.
@Suite struct HTMLWriterTests {
    /// Raw and escaped text, for text and attribute values (WHATWG HTML, 13.1.2.3 and 13.1.4).
    static let texts: [(raw: String, escaped: String)] = [
        ("plain", "plain"), ("Tom & Jerry", "Tom &amp; Jerry"), ("&amp;", "&amp;amp;"),
        ("<script>alert(1)</script>", "&lt;script&gt;alert(1)&lt;/script&gt;"),
        (#"" onmouseover="alert(1)"#, "&quot; onmouseover=&quot;alert(1)"),
        ("' autofocus onfocus='alert(1)", "&#39; autofocus onfocus=&#39;alert(1)"),
        ("</title><img src=x onerror=alert(1)>", "&lt;/title&gt;&lt;img src=x onerror=alert(1)&gt;"),
        ("<!-- --><![CDATA[x]]>", "&lt;!-- --&gt;&lt;![CDATA[x]]&gt;"), ("a\u{0}b\u{8}\u{1B}c\u{7F}\u{9B}d", "abcd"),
        ("a\tb\nc", "a\tb\nc"), ("a\rb", "a\nb"), ("a\r\nb", "a\n\nb"), ("\u{FFFE}\u{1FFFF}x", "x"),
        ("\u{2028}é新闻🎬", "\u{2028}é新闻🎬"), ("`${x}`{{y}}", "`${x}`{{y}}"),
    ]

    @Test(arguments: texts)
    func textAndAttributeValueAreEscaped(_ raw: String, _ escaped: String) {
        var html = HTMLWriter()
        html.element("p", text: raw)
        html.void("input", [.text("value", raw)])
        expectEqual(html.markup, "<p>\(escaped)</p><input value=\"\(escaped)\">")
    }

    @Test func attributesWithoutValueAreOmitted() {
        var html = HTMLWriter()
        html.element(
            "a", [.text("title", nil), .flag("hidden", false), .flag("inert"), .class(nil), .number("tabindex", -1)],
            text: "x")
        expectEqual(html.markup, #"<a inert tabindex="-1">x</a>"#)
    }

    @Test(arguments: ["", "a b", "a\"b", "a>b", "ä", "a.b", "a/b", "a\u{0}"])
    func invalidNamesAreOmittedFromClassAndID(_ name: String) {
        var html = HTMLWriter()
        html.element("b", [.id(name), .class(name, "good_1-x")], text: "")
        expectEqual(html.markup, #"<b class="good_1-x"></b>"#)
    }

    @Test func positionsAreInPoints() {
        var html = HTMLWriter()
        html.element("i", [.points(["--x": -12.5, "--w": .nan])], text: "")
        expectEqual(html.markup, #"<i style="--x:-12.5px;--w:0px"></i>"#)
    }

    @Test func scriptsHaveURLsOnly() {
        var html = HTMLWriter()
        html.script(at: "/assets/a.js?v=1&x")
        html.module(at: "javascript:alert(1)")
        expectEqual(html.markup, #"<script src="/assets/a.js?v=1&amp;x"></script><script type="module"></script>"#)
    }
}
