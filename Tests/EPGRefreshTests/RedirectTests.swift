import Synchronization
import TestSupport
import Testing

@testable import EPGRefresh

/// Tests of redirects between loopback servers, where 127.0.0.2 represents a public address.
@Suite struct RedirectTests {
    private static let guide = "<tv></tv>"

    private static func redirect(to target: String, status: String = "302 Found") -> LoopbackServer.Reply {
        .status(status, headers: ["Location: \(target)"], body: "moved")
    }

    @Test(arguments: ["301 Moved", "302 Found", "303 See Other", "307 Temporary Redirect", "308 Permanent Redirect"])
    func redirectIsFollowed(status: String) throws {
        let server = try LoopbackServer(replies: [
            Self.redirect(to: "/new.xml?a=b", status: status), .status("200 OK", body: Self.guide),
        ])
        defer { server.stop() }
        #expect(try CurlFetcher.test().text(server.url()) == Self.guide)
        #expect(server.requests.map(\.line) == ["GET /guide.xml HTTP/1.1", "GET /new.xml?a=b HTTP/1.1"])
    }

    @Test func atMostFiveRedirectsAreFollowed() throws {
        let steps = (1...5).map { Self.redirect(to: "/\($0)") }
        let server = try LoopbackServer(replies: steps + [.status("200 OK", body: Self.guide)])
        defer { server.stop() }
        #expect(try CurlFetcher.test().text(server.url()) == Self.guide)

        let longer = try LoopbackServer(
            replies: steps + [Self.redirect(to: "/6"), .status("200 OK", body: Self.guide)])
        defer { longer.stop() }
        let reason = try CurlFetcher.test(attempts: 4).error(longer.url()).reason
        #expect((reason, longer.requests.count) == (.tooManyRedirects(limit: 5), 6))
    }

    @Test func bodyOfRedirectIsNotRead() throws {
        let endless = LoopbackServer.Reply.raw(
            "HTTP/1.1 302 Found\r\nLocation: /new.xml\r\nContent-Length: 1000000\r\n\r\nmoved", stalls: true)
        let server = try LoopbackServer(replies: [endless, .status("200 OK", body: Self.guide)])
        defer { server.stop() }
        #expect(try CurlFetcher.test().text(server.url()) == Self.guide)
    }

    @Test func secretsAreSentOnlyToTheConfiguredOrigin() throws {
        let otherServer = try LoopbackServer(host: "127.0.0.2", replies: [.status("200 OK", body: Self.guide)])
        defer { otherServer.stop() }
        let target = otherServer.url("/there")
        let server = try LoopbackServer { request in
            request.path == "/guide.xml" ? Self.redirect(to: "/here") : Self.redirect(to: target)
        }
        defer { server.stop() }
        let url = "http://ann:pass@127.0.0.1:\(server.port)/guide.xml"
        let headers = [HeaderField(name: "X-Key", value: "s3cret"), HeaderField(name: "X-Empty", value: "")]
        #expect(try CurlFetcher.test().text(url, headers: headers) == Self.guide)

        // Base64 of "ann:pass", calculated with coreutils' base64.
        let secrets: [String?] = ["s3cret", "Basic YW5uOnBhc3M="]
        #expect(server.requests.map { [$0.headers["x-key"], $0.headers["authorization"]] } == [secrets, secrets])
        let otherRequest = try #require(otherServer.requests.first)
        #expect(["x-key", "authorization", "cookie", "referer"].filter { otherRequest.headers[$0] != nil } == [])
    }

    @Test func bearerTokenIsNotSentAfterRedirectBack() throws {
        let configuredURL = Mutex("")
        let otherServer = try LoopbackServer(host: "127.0.0.2") { _ in
            Self.redirect(to: configuredURL.withLock { $0 })
        }
        defer { otherServer.stop() }
        let server = try LoopbackServer(host: "127.0.0.2") { request in
            request.path == "/guide.xml"
                ? Self.redirect(to: otherServer.url()) : .status("200 OK", body: Self.guide)
        }
        defer { server.stop() }
        let back = server.url("/back")
        configuredURL.withLock { $0 = back }
        #expect(try CurlFetcher.test().text(server.url(), headers: [.bearer("s3cret")]) == Self.guide)
        let tokens = [server, otherServer].map { $0.requests.map { $0.headers["authorization"] } }
        #expect(tokens == [["Bearer s3cret", nil], [nil]])
    }

    @Test(arguments: [
        "ftp://127.0.0.1/guide.xml", "file:///etc/hostname", "gopher://127.0.0.1/", "dict://127.0.0.1:11/",
        "http://[::1", "http://127.0.0.1:99999/", "javascript:alert(1)",
    ])
    func redirectToOtherSchemeIsRefused(target: String) throws {
        let server = try LoopbackServer(replies: [Self.redirect(to: target)])
        defer { server.stop() }
        let reason = try CurlFetcher.test(attempts: 4).error(server.url()).reason
        #expect((reason, server.requests.count) == (.redirectRefused, 1))
    }

    @Test func notModifiedWithLocationIsNotARedirect() throws {
        let server = try LoopbackServer(replies: [
            .raw("HTTP/1.1 304 Not Modified\r\nLocation: http://127.0.0.2/other\r\nConnection: close\r\n\r\n")
        ])
        defer { server.stop() }
        let request = FetchRequest(location: .url(server.url()), entityTag: "\"a\"")
        guard case .notModified = try CurlFetcher.test().fetch(request) else {
            Issue.record("Expected no body")
            return
        }
        #expect(try CurlFetcher.test().error(server.url()).reason == .status(304))
        #expect(server.requests.count == 2)
    }

    /// Redirects without a location, and statuses that are not redirects.
    @Test(
        arguments: [
            ("301 Moved", nil), ("302 Found", nil), ("308 Permanent Redirect", nil),
            ("300 Multiple Choices", "/new.xml"), ("305 Use Proxy", "/new.xml"), ("304 Not Modified", "/new.xml"),
        ] as [(String, String?)])
    func otherResponseFailsWithItsStatus(status: String, target: String?) throws {
        let server = try LoopbackServer(replies: [
            target.map { Self.redirect(to: $0, status: status) } ?? .status(status)
        ])
        defer { server.stop() }
        let reason = try CurlFetcher.test().error(server.url()).reason
        #expect((reason, server.requests.count) == (.status(Int(status.prefix(3)) ?? 0), 1))
    }
}
