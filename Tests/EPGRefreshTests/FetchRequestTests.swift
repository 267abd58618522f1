import Glibc
import Testing

@testable import EPGRefresh

@Suite struct GuideLocationTests {
    @Test(arguments: [
        ("guide.xml", GuideLocation.file(path: "guide.xml")),
        ("/srv/a b/guide.xml", .file(path: "/srv/a b/guide.xml")),
        ("C:guide.xml", .file(path: "C:guide.xml")),
        ("file:///srv/guide.xml", .file(path: "/srv/guide.xml")),
        ("FILE://localhost/srv/a%20b%c3%A9.xml", .file(path: "/srv/a bé.xml")),
        ("http://example.org/guide.xml", .url("http://example.org/guide.xml")),
        ("HTTPS://example.org", .url("HTTPS://example.org")),
    ])
    func schemeDistinguishesURLsFromPaths(text: String, expected: GuideLocation) throws {
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
    func invalidLocationIsRejected(text: String, reason: FetchError.Reason) {
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
        #expect(FetchError(location: text, reason: .truncated).location == shown)
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
    func urlsInThirdPartyTextsAreRedacted(text: String, shown: String) {
        #expect(GuideLocation.redactingURLs(in: text) == shown)
        #expect(GuideLocation.redactingURLs(in: shown) == shown)
        let error = FetchError(location: "grab", reason: .commandFailed(.exit(1), output: text))
        #expect(error.description.contains(shown))
    }
}

@Suite struct HeaderFieldTests {
    @Test func valueIsNeverShown() {
        let header = HeaderField.bearer("s3cret")
        let request = FetchRequest(location: .url("http://example.org/"), headers: [header])
        var dumped = ""
        dump(request, to: &dumped)
        for text in ["\(header)", "\(request)", String(reflecting: request), dumped] {
            #expect(!text.contains("s3cret"))
            #expect(text.contains("Authorization"))
        }
        #expect(header.line == "Authorization: Bearer s3cret")
    }

    @Test(arguments: [
        ("X-Key", "a b", true), ("X-Key", "", true), ("Cookie", "a=ä", true), ("", "a", false), ("X Key", "a", false),
        ("X-Key:", "a", false), ("X-Key", "a\r\nX-Evil: 1", false), ("X-Key\n", "a", false), ("X-Key", "a\0", false),
        ("Range", "bytes=0-1", false), ("if-none-match", "a", false), ("Host", "other.test", false),
        ("Transfer-Encoding", "chunked", false), ("Content-Length", "1", false),
    ])
    func reservedAndInvalidHeadersAreRejected(name: String, value: String, expected: Bool) {
        #expect(HeaderField(name: name, value: value).isAllowed == expected)
    }
}

@Suite struct FetchErrorTests {
    /// The reason, the exit code (sysexits.h) and a part of the message.
    @Test(
        arguments: [
            (.unsupportedScheme("ftp"), 78, "https://"),
            (.malformedLocation, 78, "%20"),
            (.cannotOpen(ENOENT), 66, "path"),
            (.cannotOpen(EACCES), 66, "account"),
            (.notRegularFile, 66, "file"),
            (.inputOutput(ENOSPC), 74, "TMPDIR"),
            (.inputOutput(EIO), 74, "disk"),
            (.empty, 65, "publishes"),
            (.tooLarge(limit: 4096), 65, "split it by stations or days"),
            (.status(401), 69, "password"),
            (.status(404), 69, "Correct the URL"),
            (.status(429), 69, "less often"),
            (.status(503), 69, "next refresh"),
            (.status(204), 69, "curl -v"),
            (.tooManyRedirects(limit: 5), 69, "use that URL"),
            (.redirectRefused, 69, "use that URL"),
            (.unknownHost, 69, "name"),
            (.cannotConnect, 69, "network"),
            (.insecure("self-signed certificate"), 69, "ca-certificates"),
            (.timedOut("too slow"), 69, "next refresh"),
            (.timedOut("too slow"), 69, "“time-limit:” for this source in epg.yml"),
            (.truncated, 69, "next refresh"),
            (.cancelled, 69, "next refresh"),
            (.wrongRange, 69, "next refresh"),
            (.refusedAddress(host: "nas.test", .privateUse, isRedirect: false), 78, "epg.yml"),
            (.refusedAddress(host: "nas.test", .multicast, isRedirect: false), 78, "Correct"),
            (.refusedAddress(host: "10.0.0.1", .privateUse, isRedirect: true), 69, "own URL"),
            (.badHeader("X\r\n"), 78, "letters"),
            (.webPage(title: nil), 65, "browser"),
            (.webPage(title: "Log in"), 65, "“Log in”"),
            (.badEncoding("invalid block type"), 65, "on the server"),
            (.excessiveCompression(ratio: 200), 65, "Nothing was imported"),
            (.cannotRun(ENOENT), 69, "Install"),
            (.cannotRun(EACCES), 69, "account"),
            (.commandFailed(.exit(2), output: ""), 69, "exit code 2. Run it manually"),
            (.commandFailed(.signal(9), output: "a | b"), 69, "signal 9 and wrote: a | b"),
            (.commandFailed(.timedOut(seconds: 9), output: ""), 69, "within 9 seconds"),
            (.commandFailed(.timedOut(seconds: 9), output: ""), 69, "“time-limit:” for this source in epg.yml"),
            (.libraryMissing("no such file"), 69, "apt-get install libcurl4"),
            (.transfer(code: 92, "HTTP/2 stream was reset"), 69, "curl -v"),
        ] as [(FetchError.Reason, Int32, String)])
    func messageNamesLocationAndAdvice(reason: FetchError.Reason, exitCode: Int32, text: String) {
        let error = FetchError(location: "http://ann:secret@example.org/g?key=1", reason: reason)
        #expect(error.exitCode == exitCode)
        #expect(error.description.hasPrefix("http://example.org/g?…: "))
        #expect(error.description.contains(text))
        #expect(error.description.hasSuffix("."))
        // No option raises the size limit.
        #expect(!error.description.contains("raise the limit"))
    }

    @Test(arguments: [(EACCES, "(Permission denied). Check its disk, and that the account"), (ENOSPC, "Free space")])
    func cacheFileIsNamed(code: Int32, advice: String) {
        let error = FetchError(location: "http://example.org/", reason: .cacheFile(path: "/a.json", code))
        #expect(error.exitCode == 74)
        #expect(error.description.contains("cannot read or write /a.json (") && error.description.contains(advice))
    }
}
