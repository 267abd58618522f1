import EPGModel
import TestSupport
import Testing

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
