import Testing

@testable import EPGRefresh

/// Tests of relative references (RFC 3986, 5.4) and of the origins that receive a password.
@Suite struct WebURLTests {
    @Test(arguments: [
        ("HTTP://Example.ORG/a", "http", "example.org", "80"), ("https://example.org", "https", "example.org", "443"),
        ("http://[::1]:8080/", "http", "::1", "8080"), ("http://ann:x@example.org:81/", "http", "example.org", "81"),
        ("http://0x7f.1/", "http", "127.0.0.1", "80"), ("http://2130706433/", "http", "127.0.0.1", "80"),
    ])
    func originMatchesLibcurlsConnection(text: String, scheme: String, host: String, port: String) throws {
        let url = try WebURL(text)
        #expect(url.origin == WebURL.Origin(scheme: scheme, host: host, port: port))
    }

    @Test(arguments: [
        ("http://example.org/a/b?c", "d", "http://example.org/a/d"),
        ("http://example.org/a/b?c", "/d?e", "http://example.org/d?e"),
        ("http://example.org/a/b", "../d", "http://example.org/d"),
        ("http://example.org/a", "//other.test/d", "http://other.test/d"),
        ("http://example.org/a", "https://other.test/d e", "https://other.test/d%20e"),
        ("http://example.org/a", "/d\u{E9}", "http://example.org/d%c3%a9"),
        ("http://ann:x@example.org/a", "/d", "http://ann:x@example.org/d"),
        ("http://ann:x@example.org/a", "http://example.org:80/d", "http://ann:x@example.org:80/d"),
        ("http://ann:x@example.org/a", "//other.test/d", "http://other.test/d"),
        ("http://ann:x@example.org/a", "http://other.test/d", "http://other.test/d"),
        ("http://ann:x@example.org/a", "https://example.org/d", "https://example.org/d"),
        ("http://ann:x@example.org/a", "http://example.org:81/d", "http://example.org:81/d"),
        ("http://ann:x@example.org/a", "http://bob:y@example.org/d", "http://bob:y@example.org/d"),
    ])
    func redirectIsResolvedAndPasswordIsSentOnlyToItsOrigin(text: String, location: String, expected: String) throws {
        #expect(try WebURL(text).redirected(to: location).text.lowercased() == expected)
    }

    @Test(arguments: ["http://[::1", "http://example.org:99999", "", "example"])
    func invalidURLIsRejected(text: String) {
        #expect(throws: FetchError.self) { try WebURL(text) }
    }

    /// Variables, URL and proxy, according to curl's manual.
    @Test(
        arguments: [
            ([:], "http://a.test/", nil),
            (["http_proxy": "p"], "http://a.test/", "p"), (["HTTP_PROXY": "p"], "http://a.test/", nil),
            (["https_proxy": "p"], "http://a.test/", nil), (["HTTPS_PROXY": "p"], "https://a.test/", "p"),
            (["all_proxy": "p"], "https://a.test/", "p"),
            (["ALL_PROXY": "p", "http_proxy": "q"], "http://a.test/", "q"),
            (["http_proxy": "p", "no_proxy": "*"], "http://a.test/", nil),
            (["http_proxy": "p", "no_proxy": "b.test, a.test"], "http://a.test/", nil),
            (["http_proxy": "p", "NO_PROXY": ".a.test"], "http://x.A.test/", nil),
            (["http_proxy": "p", "no_proxy": "a.test"], "http://xa.test/", "p"),
            (["http_proxy": "p", "no_proxy": "10.0.0.0/8"], "http://10.1.2.3/", nil),
            (["http_proxy": "p", "no_proxy": "10.0.0.1"], "http://10.1.2.3/", "p"),
            (["http_proxy": "p", "no_proxy": "::1"], "http://[::1]/", nil),
            (["http_proxy": ""], "http://a.test/", nil),
        ] as [([String: String], String, String?)])
    func proxyIsReadFromEnvironment(variables: [String: String], url: String, expected: String?) throws {
        let proxy = EnvironmentProxy { variables[$0] }
        #expect(proxy.proxy(for: try WebURL(url)) == expected)
    }
}
