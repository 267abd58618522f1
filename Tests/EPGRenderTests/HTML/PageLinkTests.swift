import EPGModel
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
