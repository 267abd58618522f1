import EPGRefresh
import Testing

@Suite struct GuideLocationTests {
    @Test(arguments: [
        ("guide.xml", GuideLocation.file(path: "guide.xml")),
        ("/srv/a b/guide.xml", .file(path: "/srv/a b/guide.xml")),
        ("C:guide.xml", .file(path: "C:guide.xml")),
        ("file:///srv/guide.xml", .file(path: "/srv/guide.xml")),
        ("FILE://localhost/srv/a%20b%c3%A9.xml", .file(path: "/srv/a bé.xml")),
        ("http://example.org/guide.xml", .address("http://example.org/guide.xml")),
        ("HTTPS://example.org", .address("HTTPS://example.org")),
    ])
    func schemeTellsAddressesFromPaths(text: String, expected: GuideLocation) throws {
        #expect(try GuideLocation(text) == expected)
    }

    @Test(arguments: [
        ("", FetchError.Reason.malformedLocation),
        ("guide\0.xml", .malformedLocation),
        ("http://", .malformedLocation),
        ("http://example.org/a b", .malformedLocation),
        ("http://example.org/a\r\nX: y", .malformedLocation),
        ("file://example.org/guide.xml", .malformedLocation),
        ("file:///a%2", .malformedLocation),
        ("file:///a%00", .malformedLocation),
        ("file:///a%ff", .malformedLocation),
        ("ftp://example.org/guide.xml", .unsupportedScheme("ftp")),
        ("gopher://example.org", .unsupportedScheme("gopher")),
    ])
    func whatIsNoPathAndNoAddressIsRefused(text: String, reason: FetchError.Reason) {
        #expect(throws: FetchError(location: text, reason: reason)) { try GuideLocation(text) }
    }

    @Test(arguments: [
        ("/srv/guide.xml?x", "/srv/guide.xml?x"),
        ("http://example.org/guide.xml", "http://example.org/guide.xml"),
        ("http://ann:secret@example.org:81/guide.xml", "http://example.org:81/guide.xml"),
        ("http://ann:se@cret@example.org/a@b", "http://example.org/a@b"),
        ("http://example.org/xmltv.php?username=ann&password=secret", "http://example.org/xmltv.php?…"),
        ("http://ann:secret@example.org?key=1", "http://example.org?…"),
        ("ftp://ann:secret@example.org/#top", "ftp://example.org/?…"),
        ("http://ann:se/cret@example.org/x", "http://example.org/x"),
    ])
    func passwordsAndKeysAreNotShown(text: String, shown: String) {
        #expect(GuideLocation.displayable(text) == shown)
        #expect(FetchError(location: text, reason: .cutShort).location == shown)
        guard let location = try? GuideLocation(text) else { return }
        #expect("\(location)" == shown && String(reflecting: location) == shown)
    }

    @Test(arguments: [
        ("ann:secret@example.org/guide.xml", "…@example.org/guide.xml"),
        ("https:ann:secret@example.org", "…@example.org"),
        ("//ann:secret@example.org/a?token=x", "//example.org/a?…"),
        (" https://ann:secret@example.org", "https://example.org"),
        ("guides/a:b@c.xml", "guides/a:b@c.xml"), ("mail@example.org", "mail@example.org"),
    ])
    func passwordWithoutASchemeIsNotShown(text: String, shown: String) {
        #expect(GuideLocation.displayable(text) == shown)
    }

    @Test(arguments: [
        ("no URL here", "no URL here"),
        ("GET https://ann:secret@example.org/a?token=x failed", "GET https://example.org/a?… failed"),
        ("\"http://a/?key=1\" and\thttp://b/c", "\"http://a/?…\" and\thttp://b/c"),
        ("url=https://ann:pw@a/b", "url=https://a/b"), ("://", "://"), ("x ://a:b@c", "x ://c"),
        ("<http://u:p@h>", "<http://h>"), ("http://ann:it's@h/x", "http://h/x"), ("'http://h/a?k=1'", "'http://h/a?…'"),
        ("http://u:p@a,http://u:p@b/c?k=1", "http://a,http://b/c?…"),
        ("http://ann:se/cr?et@example.org/x failed", "http://example.org/x failed"),
        ("http://ann@mail.example:se/cret@h:1/x", "http://h:1/x"), ("http://ann:/pw@h", "http://h"),
        ("http://[::1]:80/a@b http://a:80/c@d", "http://[::1]:80/a@b http://a:80/c@d"),
        ("[\"http://u:p@a/\",\"http://u:p@b/\"]", "[\"http://a/\",\"http://b/\"]"),
    ])
    func urlsInForeignTextsAreShownWithoutSecrets(text: String, shown: String) {
        #expect(GuideLocation.redactingURLs(in: text) == shown)
        #expect(GuideLocation.redactingURLs(in: shown) == shown)
        let error = FetchError(location: "grab", reason: .commandFailed(.exit(1), words: text))
        #expect(error.description.contains(shown))
    }
}
