import TestSupport
import Testing

@testable import EPGRender

/// Tests of the validation of links.
@Suite struct PageLinkTests {
    @Test(arguments: [
        "/", "/airings/7", "/stations/a%2Fb?day=2026-03-29", "?from=1", "#main", "http://tv.example/a.png",
        "https://tv.example", "HTTPS://TV.example/?q=a@b", "http://[::1]:8080/x",
    ])
    func pathsAndHTTPURLsAreAccepted(_ url: String) {
        expectEqual(PageLink(url)?.text, url)
    }

    @Test(arguments: [
        "", " ", "javascript:alert(1)", "JaVaScRiPt:alert(1)", " javascript:alert(1)", "java\nscript:alert(1)",
        "java\tscript:alert(1)", "\u{1}javascript:alert(1)", "data:text/html,<script>", "vbscript:x",
        "file:///etc/passwd",
        "ftp://tv.example/", "blob:http://x/1", "//evil.example/", "/\\evil.example", "\\\\evil.example", "http:",
        "http://",
        "http:///x", "http:evil.example", "https://user@evil.example/", "https://tv.example@evil.example/",
        "relative/path",
        "http://tv.example\u{0}/", "/a\u{7F}", "/a\nb", "http://tv.example\\@evil.example/",
        "&#106;avascript:alert(1)", "view-source:http://x/", "about:blank", "x",
    ])
    func otherURLsAreRejected(_ url: String) {
        expectEqual(PageLink(url), nil)
    }

    @Test func urlsAreTrimmedAndPercentEncoded() {
        expectEqual(PageLink("  /home ")?.text, "/home")
        #expect(PageLink("http://tv.example/a b")?.text == "http://tv.example/a%20b")
        #expect(PageLink("http://tv.example/\u{0}\"")?.text == "http://tv.example/%00%22")
        #expect(PageLink("http://münchen.example/ä")?.text == "http://münchen.example/%C3%A4")
    }

    @Test func invalidURLOmitsAttributeAndAmpersandIsEscaped() {
        var html = HTMLWriter()
        html.element("a", [.url("href", "javascript:alert(1)")], text: "x")
        html.void("img", [.url("src", "https://tv.example/a.png?x=1&y=\"")])
        #expect(html.markup == "<a>x</a><img src=\"https://tv.example/a.png?x=1&amp;y=%22\">")
    }

    @Test func overlongURLIsRejected() {
        #expect(PageLink("/" + String(repeating: "a", count: 3999)) != nil)
        expectEqual(PageLink("/" + String(repeating: "a", count: 4000)), nil)
    }
}

@Suite struct HTTPURLTests {
    @Test(
        arguments: [
            ("https://a.example/x?y#z", "https://a.example/x?y#z"), (" HTTP://A.example ", "HTTP://A.example"),
            ("http://[::1]/", "http://[::1]/"), ("https://a.example/絵.png", "https://a.example/%E7%B5%B5.png"),
            ("javascript:alert(1)", nil),
            ("JaVaScRiPt:x", nil), ("data:image/png;base64,AA", nil), ("//a.example/x", nil), ("/x", nil),
            ("x.png", nil),
            ("", nil), (" ", nil), ("http://", nil), ("https:///x", nil), ("https://?x", nil), ("http://:80/", nil),
            ("https://user@a.example/", nil), ("https://a.example/\nx", "https://a.example/%0Ax"),
            ("https://a.example/\"x", "https://a.example/%22x"), ("https://a.example/a b", "https://a.example/a%20b"),
            ("https://a.example/a%20b", "https://a.example/a%20b"), ("https://a.example/5%", "https://a.example/5%25"),
            ("https://a.example/<x>", "https://a.example/%3Cx%3E"),
            ("https://a.example/?q={a|b}^`\\", "https://a.example/?q=%7Ba%7Cb%7D%5E%60%5C"),
            ("https://a b.example/", nil), ("https://a.example\\@b.example/", nil), ("javascript:alert( 1)", nil),
            ("https:\\\\a.example", nil),
            ("ftp://a.example/", nil),
            ("https://a.example/" + String(repeating: "x", count: 3000), nil),
        ] as [(String, String?)])
    func onlyHTTPURLsAreAccepted(text: String, expected: String?) {
        expectEqual(HTTPURL(text)?.text, expected)
    }
}
