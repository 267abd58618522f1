import Testing

@testable import EPGRefresh

@Suite struct BodyShapeTests {
    private func shape(_ text: String) -> BodyShape {
        let bytes = Array(text.utf8)
        return BodyShape(beginning: Array(bytes.prefix(4096)), end: Array(bytes.suffix(4096)))
    }

    @Test(arguments: [
        "<!DOCTYPE html><html></html>", "\u{FEFF}\r\n <HTML lang=en>",
        "<?xml version=\"1.0\"?>\n<!DOCTYPE html PUBLIC \"\">",
        "<!-- made by hand --><html>", "<head><title>x</title></head>", "<script>location = 'x'</script>",
    ])
    func pageIsToldByItsFirstTag(text: String) {
        #expect(shape(text).isWebPage)
    }

    @Test(arguments: [
        "<tv></tv>", "<?xml version=\"1.0\"?>\n<!DOCTYPE tv SYSTEM \"xmltv.dtd\">\n<tv></tv>", "{\"html\": 1}", "",
        "html", "<htmlx/>", "<!-- <html> --><tv/>", "\u{1F}\u{8B}",
    ])
    func guideIsNoPage(text: String) {
        #expect(!shape(text).isWebPage)
    }

    @Test(
        arguments: [
            ("<html><head><title>Log in</title>", "Log in"),
            ("<HTML><TITLE lang='de'>\n Zu  Hause\u{7} </TITLE>", "Zu Hause"),
            ("<html><title></title>", nil), ("<html><title>no end", nil), ("<html>", nil),
            ("<html><title>\(String(repeating: "x", count: 200))</title>", String(repeating: "x", count: 80)),
        ] as [(String, String?)])
    func titleIsOneShortLine(text: String, expected: String?) {
        #expect(shape(text).pageTitle == expected)
    }

    @Test(arguments: [
        ("<tv></tv>", true), ("<tv></tv >\n<!-- made in 3 s -->\n", true), ("<tv/>", true), ("<tv a=\"1\"/>\n", true),
        ("<?xml version=\"1.0\"?><tv></tv>", true), ("<tv><programme></programme>", false), ("<tv></tv", false),
        ("<tv></t", false), ("<tv><channel id=\"a\"/>", false), ("<tv></tvx>", false), ("<?xml vers", false),
        ("<tv", false), ("<", false),
        ("{\"a\": [1]}\n", true), ("{\"a\": [1]", true), ("{\"a\": 1", false), ("[1, 2", false),
        ("\u{1F}\u{8B}x", true),
    ])
    func textWithoutItsEndIsNotWhole(text: String, expected: Bool) {
        #expect(shape(text).mayBeWhole == expected)
    }

    @Test func wideTextMayBeWhole() {
        let bytes: [UInt8] = [0xFF, 0xFE, 0x3C, 0, 0x74, 0, 0x76, 0]
        #expect(BodyShape(beginning: bytes, end: bytes).mayBeWhole)
    }
}
