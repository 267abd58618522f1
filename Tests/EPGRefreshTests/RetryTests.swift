import Testing

@testable import EPGRefresh

/// What is tried again, how often, and after how long; no test waits.
@Suite struct RetryTests {
    private static let guide = "<tv></tv>"
    private let waits = RecordedWaits()

    private func fetcher(attempts: Int = 4, limits: FetchLimits = FetchLimits()) -> CurlFetcher {
        CurlFetcher(.test(limits: limits, attempts: attempts, waits: waits))
    }

    private static let passing: [LoopbackServer.Reply] = [
        .status("500 Internal Server Error"), .status("502 Bad Gateway"), .status("503 Service Unavailable"),
        .status("504 Gateway Timeout"), .status("429 Too Many Requests"), .raw(""), .raw("HTTP/1.1 200 OK\r\nCont"),
        .raw("HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\n<tv>"), .raw("HTTP/1.1 200 OK\r\n\r\n<tv>"),
        .raw("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n64\r\n<tv>"),
    ]

    @Test(arguments: passing)
    func troubleThatPassesIsTriedAgain(reply: LoopbackServer.Reply) throws {
        let server = try LoopbackServer(replies: [reply, reply, .status("200 OK", body: Self.guide)])
        defer { server.stop() }
        #expect(try fetcher().text(server.address()) == Self.guide)
        #expect(waits.waits == [.seconds(1), .seconds(2)])
    }

    @Test(arguments: passing)
    func fourAttemptsAreAll(reply: LoopbackServer.Reply) throws {
        let server = try LoopbackServer(replies: [reply])
        defer { server.stop() }
        let error = try fetcher().error(server.address())
        #expect(error.attempts == 4)
        #expect(error.description.contains("attempt 4"))
        #expect(server.requests.count == 4)
        #expect(waits.waits == [.seconds(1), .seconds(2), .seconds(4)])
    }

    @Test(arguments: [
        LoopbackServer.Reply.status("400 Bad Request"), .status("401 Unauthorized"), .status("403 Forbidden"),
        .status("404 Not Found"), .status("410 Gone"), .status("416 Range Not Satisfiable"), .status("200 OK"),
        .status("204 No Content"), .status("206 Partial Content", body: "<tv></tv>"),
        .status("200 OK", body: "<html></html>"),
        .status("200 OK", headers: ["Content-Encoding: gzip"], body: "<tv></tv>"),
    ])
    func whatTheServerMeansIsNotTriedAgain(reply: LoopbackServer.Reply) throws {
        let server = try LoopbackServer(replies: [reply])
        defer { server.stop() }
        let error = try fetcher().error(server.address())
        #expect(error.attempts == 1)
        #expect(server.requests.count == 1)
        #expect(waits.waits.isEmpty)
    }

    @Test func brokenAndRefusedConnectionsAreTriedAgain() throws {
        var broken = LoopbackServer.Reply.raw("HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\n<tv>")
        broken.resets = true
        let server = try LoopbackServer(replies: [broken, .status("200 OK", body: Self.guide)])
        defer { server.stop() }
        #expect(try fetcher().text(server.address()) == Self.guide)

        let error = try fetcher().error("http://127.0.0.1:\(try LoopbackServer.unusedPort())/")
        #expect(error.reason == .cannotConnect)
        #expect(error.attempts == 4)
    }

    @Test(arguments: [
        ("Retry-After: 7", Duration.seconds(7)), ("Retry-After: 0", .zero),
        // The test's clock says 2026-03-29T03:00:00Z, the server's date is an hour later.
        ("Retry-After: Sun, 29 Mar 2026 04:00:20 GMT\r\nDate: Sun, 29 Mar 2026 04:00:00 GMT", .seconds(20)),
        ("Retry-After: Sun, 29 Mar 2026 03:00:09 GMT", .seconds(9)), ("Retry-After: soon", .seconds(1)),
    ])
    func serverSaysWhenItIsAskedAgain(header: String, expected: Duration) throws {
        let server = try LoopbackServer(replies: [
            .status("429 Too Many Requests", headers: [header]), .status("200 OK", body: Self.guide),
        ])
        defer { server.stop() }
        #expect(try fetcher().text(server.address()) == Self.guide)
        #expect(waits.waits == [expected])
    }

    @Test func serverThatWantsALongRestIsLeftAlone() throws {
        let server = try LoopbackServer(replies: [.status("503 Busy", headers: ["Retry-After: 3600"])])
        defer { server.stop() }
        let error = try fetcher().error(server.address())
        #expect(error.attempts == 1)
        #expect(error.retryAfter == 3600)
        #expect(error.description.contains("3600 seconds"))
        #expect(waits.waits.isEmpty)
    }

    @Test func waitsCountForTheWholeTime() throws {
        let server = try LoopbackServer(replies: [.status("500 No")])
        defer { server.stop() }
        // Waits of one and two seconds fit, one of four doesn't.
        let error = try fetcher(limits: FetchLimits(totalSeconds: 6)).error(server.address())
        #expect(error.reason == .status(500))
        #expect(error.attempts == 3)
    }

    @Test func secretsAreInNoMessage() throws {
        let server = try LoopbackServer(replies: [.status("401 Unauthorized")])
        defer { server.stop() }
        let address = "http://ann:w0rd@127.0.0.1:\(server.port)/g?key=abc"
        let request = FetchRequest(location: .address(address), headers: [.bearer("s3cret")])
        let error = #expect(throws: FetchError.self) { try fetcher().fetch(request) }
        let words = "\(String(describing: error)) \(String(reflecting: error)) \(error?.description ?? "")"
        for secret in ["s3cret", "w0rd", "abc"] { #expect(!words.contains(secret)) }
    }

    @Test func fieldThatCannotBeSentIsToldBeforeAnythingIsFetched() throws {
        let request = FetchRequest(
            location: .address("http://127.0.0.1:1/"), headers: [HeaderField(name: "X-Key", value: "a\r\nHost: b")])
        let error = #expect(throws: FetchError.self) { try fetcher().fetch(request) }
        #expect(error?.reason == .badHeader("X-Key"))
        #expect(error?.exitCode == 78)
    }
}
