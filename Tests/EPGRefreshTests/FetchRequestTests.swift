import Glibc
import TestSupport
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
        var texts = [GuideLocation.displayable(text), FetchError(location: text, reason: .truncated).location]
        if let location = try? GuideLocation(text) { texts += ["\(location)", String(reflecting: location)] }
        #expect(Set(texts) == [shown])
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
        let again = GuideLocation.redactingURLs(in: shown)
        #expect([GuideLocation.redactingURLs(in: text), again] == [shown, shown])
        let error = FetchError(location: "grab", reason: .commandFailed(.exit(1), output: text))
        expectText(error.description, contains: [shown])
    }
}

@Suite struct HeaderFieldTests {
    @Test func valueIsNeverShown() {
        let header = HeaderField.bearer("s3cret")
        let request = FetchRequest(location: .url("http://example.org/"), headers: [header])
        var dumped = ""
        dump(request, to: &dumped)
        for text in ["\(header)", "\(request)", String(reflecting: request), dumped] {
            #expect(!text.contains("s3cret") && text.contains("Authorization"))
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
    /// The reason, the kind and a part of the message.
    @Test(
        arguments: [
            (.unsupportedScheme("ftp"), .configuration, "https://"),
            (.malformedLocation, .configuration, "%20"),
            (.cannotOpen(ENOENT), .noInput, "path"),
            (.cannotOpen(EACCES), .noInput, "account"),
            (.notRegularFile, .noInput, "file"),
            (.inputOutput(ENOSPC), .inputOutput, "TMPDIR"),
            (.inputOutput(EIO), .inputOutput, "disk"),
            (.empty, .badContent, "publishes"),
            (.tooLarge(limit: 4096), .badContent, "split it by stations or days"),
            (.status(401), .unavailable, "password"),
            (.status(404), .unavailable, "Correct the URL"),
            (.status(429), .unavailable, "less often"),
            (.status(503), .unavailable, "next refresh"),
            (.status(204), .unavailable, "curl -v"),
            (.tooManyRedirects(limit: 5), .unavailable, "use that URL"),
            (.redirectRefused, .unavailable, "use that URL"),
            (.unknownHost, .unavailable, "name"),
            (.cannotConnect, .unavailable, "network"),
            (.insecure("self-signed certificate"), .unavailable, "ca-certificates"),
            (.timedOut("too slow"), .unavailable, "next refresh"),
            (.truncated, .unavailable, "next refresh"),
            (.cancelled, .unavailable, "next refresh"),
            (.wrongRange, .unavailable, "next refresh"),
            (.refusedAddress(host: "nas.test", .privateUse, isRedirect: false), .configuration, "nas.test has"),
            (.refusedAddress(host: "nas.test", .multicast, isRedirect: false), .configuration, "Correct"),
            (.refusedAddress(host: "10.0.0.1", .privateUse, isRedirect: true), .unavailable, "own URL"),
            (.badHeader("X\r\n"), .configuration, "letters"),
            (.webPage(title: nil), .badContent, "browser"),
            (.webPage(title: "Log in"), .badContent, "“Log in”"),
            (.badEncoding("invalid block type"), .badContent, "on the server"),
            (.excessiveCompression(ratio: 200), .badContent, "Nothing was imported"),
            (.cannotRun(ENOENT), .unavailable, "Install"),
            (.cannotRun(EACCES), .unavailable, "account"),
            (.commandFailed(.exit(2), output: ""), .unavailable, "exit code 2. Run it manually"),
            (.commandFailed(.signal(9), output: "a | b"), .unavailable, "signal 9 and wrote: a | b"),
            (.commandFailed(.timedOut(seconds: 9), output: ""), .unavailable, "within 9 seconds"),
            (.libraryMissing("cannot load libcurl.so.4"), .unavailable, "cannot load libcurl.so.4."),
            (.transfer(code: 92, "HTTP/2 stream was reset"), .unavailable, "curl -v"),
        ] as [(FetchError.Reason, RefreshFailure.Kind, String)])
    func messageNamesLocationAndAdvice(reason: FetchError.Reason, kind: RefreshFailure.Kind, text: String) {
        let error = FetchError(location: "http://ann:secret@example.org/g?key=1", reason: reason)
        #expect(error.kind == kind)
        expectText(error.description, contains: [text])
        // No option raises the size limit.
        expectText(error.description, lacks: ["raise the limit"])
        #expect(error.description.hasPrefix("http://example.org/g?…: ") && error.description.hasSuffix("."))
    }

    @Test(
        arguments: [
            (.timedOut("too slow"), .raiseTimeLimit),
            (.commandFailed(.timedOut(seconds: 9), output: ""), .raiseTimeLimit),
            (.refusedAddress(host: "nas.test", .privateUse, isRedirect: false), .allowPrivateAddresses),
            (.refusedAddress(host: "nas.test", .multicast, isRedirect: false), nil),
            (.refusedAddress(host: "10.0.0.1", .privateUse, isRedirect: true), nil),
            (.status(429), .requestNow), (.status(503), .requestNow), (.status(404), nil), (.empty, nil),
        ] as [(FetchError.Reason, RefreshFailure.Remedy?)])
    func remedyIsAFact(reason: FetchError.Reason, remedy: RefreshFailure.Remedy?) {
        let error = FetchError(location: "http://example.org/", reason: reason, retryAfter: 60)
        let failure = RefreshFailure(error, kind: .badContent)
        let explained = failure.explained { "\($0)!" }.sentence
        #expect(
            (error.remedy, failure.sentence, explained)
                == (remedy, error.description, error.description + (remedy.map { " \($0)!" } ?? "")))
    }

    @Test(arguments: [(EACCES, "(Permission denied). Check its disk, and that the account"), (ENOSPC, "Free space")])
    func cacheFileIsNamed(code: Int32, advice: String) {
        let error = FetchError(location: "http://example.org/", reason: .cacheFile(path: "/a.json", code))
        #expect(error.kind == .inputOutput)
        expectText(error.description, contains: ["cannot read or write /a.json (", advice])
    }
}
