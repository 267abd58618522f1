import EPGModel
import TestSupport
import Testing

@testable import EPGRefresh

/// Tests of the number and the delays of retries, without waiting.
@Suite struct RetryTests {
    private static let guide = "<tv></tv>"
    private let waits = RecordedWaits()

    private func fetcher(attempts: Int = 4, limits: FetchLimits = FetchLimits()) -> CurlFetcher {
        CurlFetcher.test(limits: limits, attempts: attempts, waits: waits)
    }

    private static let transientFailures: [LoopbackServer.Reply] = [
        .status("500 Internal Server Error"), .status("502 Bad Gateway"), .status("503 Service Unavailable"),
        .status("504 Gateway Timeout"), .status("429 Too Many Requests"), .raw(""), .raw("HTTP/1.1 200 OK\r\nCont"),
        .raw("HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\n<tv>"), .raw("HTTP/1.1 200 OK\r\n\r\n<tv>"),
        .raw("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n64\r\n<tv>"),
    ]

    @Test(arguments: transientFailures)
    func transientFailureIsRetried(reply: LoopbackServer.Reply) throws {
        let server = try LoopbackServer(replies: [reply, reply, .status("200 OK", body: Self.guide)])
        defer { server.stop() }
        #expect(try fetcher().text(server.url()) == Self.guide)
        #expect(waits.waits == [.seconds(1), .seconds(2)])
    }

    @Test(arguments: transientFailures)
    func fetchFailsAfterFourAttempts(reply: LoopbackServer.Reply) throws {
        let server = try LoopbackServer(replies: [reply])
        defer { server.stop() }
        let error = try fetcher().error(server.url())
        expectText(error.description, contains: ["4 attempts"])
        #expect((error.attempts, server.requests.count) == (4, 4))
        #expect(waits.waits == [.seconds(1), .seconds(2), .seconds(4)])
    }

    @Test(arguments: [
        LoopbackServer.Reply.status("400 Bad Request"), .status("401 Unauthorized"), .status("403 Forbidden"),
        .status("404 Not Found"), .status("410 Gone"), .status("416 Range Not Satisfiable"), .status("200 OK"),
        .status("204 No Content"), .status("206 Partial Content", body: "<tv></tv>"),
        .status("200 OK", body: "<html></html>"),
        .status("200 OK", headers: ["Content-Encoding: gzip"], body: "<tv></tv>"),
    ])
    func permanentFailureIsNotRetried(reply: LoopbackServer.Reply) throws {
        let server = try LoopbackServer(replies: [reply])
        defer { server.stop() }
        let error = try fetcher().error(server.url())
        #expect((error.attempts, server.requests.count, waits.waits) == (1, 1, []))
    }

    @Test func brokenAndRefusedConnectionsAreRetried() throws {
        var broken = LoopbackServer.Reply.raw("HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\n<tv>")
        broken.resets = true
        let server = try LoopbackServer(replies: [broken, .status("200 OK", body: Self.guide)])
        defer { server.stop() }
        #expect(try fetcher().text(server.url()) == Self.guide)

        let error = try fetcher().error("http://127.0.0.1:\(try LoopbackServer.unusedPort())/")
        #expect((error.reason, error.attempts) == (.cannotConnect, 4))
    }

    @Test(arguments: [
        ("Retry-After: 7", Duration.seconds(7)), ("Retry-After: 0", .zero),
        // The test's clock is 2026-03-29T03:00:00Z, and the server's date is an hour later.
        ("Retry-After: Sun, 29 Mar 2026 04:00:20 GMT\r\nDate: Sun, 29 Mar 2026 04:00:00 GMT", .seconds(20)),
        ("Retry-After: Sun, 29 Mar 2026 03:00:09 GMT", .seconds(9)), ("Retry-After: soon", .seconds(1)),
    ])
    func retryAfterDeterminesTheDelay(header: String, expected: Duration) throws {
        let server = try LoopbackServer(replies: [
            .status("429 Too Many Requests", headers: [header]), .status("200 OK", body: Self.guide),
        ])
        defer { server.stop() }
        #expect(try fetcher().text(server.url()) == Self.guide)
        #expect(waits.waits == [expected])
    }

    @Test func longRetryAfterEndsTheFetch() throws {
        let server = try LoopbackServer(replies: [.status("503 Busy", headers: ["Retry-After: 3600"])])
        defer { server.stop() }
        let error = try fetcher().error(server.url())
        expectText(error.description, contains: ["3600 seconds"])
        #expect((error.attempts, error.retryAfter, waits.waits) == (1, 3600, []))
    }

    @Test func delaysCountTowardTheTimeLimit() throws {
        let server = try LoopbackServer(replies: [.status("500 No")])
        defer { server.stop() }
        // Delays of one and two seconds fit, one of four does not.
        let error = try fetcher(limits: FetchLimits(totalSeconds: 6)).error(server.url())
        #expect((error.reason, error.attempts) == (.status(500), 3))
    }

    @Test func messagesContainNoSecrets() throws {
        let server = try LoopbackServer(replies: [.status("401 Unauthorized")])
        defer { server.stop() }
        let url = "http://ann:w0rd@127.0.0.1:\(server.port)/g?key=abc"
        let request = FetchRequest(location: .url(url), headers: [.bearer("s3cret")])
        let error = try fetchError { try fetcher().fetch(request) }
        let text = "\(String(describing: error)) \(String(reflecting: error)) \(error.description)"
        expectText(text, lacks: ["s3cret", "w0rd", "abc"])
    }

    @Test func invalidHeaderIsReportedBeforeAnyRequest() throws {
        let request = FetchRequest(
            location: .url("http://127.0.0.1:1/"), headers: [HeaderField(name: "X-Key", value: "a\r\nHost: b")])
        let error = try fetchError { try fetcher().fetch(request) }
        #expect((error.reason, error.kind) == (.badHeader("X-Key"), .configuration))
    }
}

@Suite struct RetryPolicyTests {
    /// The attempts so far, the random number, and the delay in milliseconds: half of 2, 4, 8 … seconds is random.
    @Test(arguments: [
        (1, 0.0, 1000), (1, 0.5, 1500), (2, 0.0, 2000), (3, 0.0, 4000), (3, 0.5, 6000), (6, 0.0, 30_000),
        (60, 0.0, 30_000), (5_000, 0.0, 30_000),
    ])
    func delaysDoubleUpToTheMaximum(attempt: Int, random: Double, expected: Int) {
        let policy = RetryPolicy(attempts: .max)
        #expect(policy.delay(afterAttempt: attempt, random: random) == .milliseconds(expected))
    }

    @Test func lastAttemptIsNotFollowedByARetry() {
        let delays = [3, 4].map { RetryPolicy().delay(afterAttempt: $0, random: 0) != nil }
        #expect(delays + [RetryPolicy.never.delay(afterAttempt: 1, random: 0) != nil] == [true, false, false])
    }

    @Test(
        arguments: [
            (1, 30, 0, .seconds(30)), (1, 30, 0.5, .milliseconds(31_500)), (1, 300, 0, .seconds(300)), (1, 301, 0, nil),
            (4, 1, 0, nil),
        ] as [(Int, Int64, Double, Duration?)])
    func retryAfterIsHonoredUpToALimit(attempt: Int, retryAfter: Int64, random: Double, delay: Duration?) {
        #expect(RetryPolicy().delay(afterAttempt: attempt, retryAfter: retryAfter, random: random) == delay)
    }

    /// RFC 9110, 10.2.3. The date is one minute after the server's `Date`.
    @Test(
        arguments: [
            ("120", nil, 120), ("0", nil, 0), ("99999999999999999999", nil, .max),
            ("Sun, 06 Nov 1994 08:49:37 GMT", "Sun, 06 Nov 1994 08:48:37 GMT", 60),
            ("Sun, 06 Nov 1994 08:49:37 GMT", "Sun, 06 Nov 1994 09:48:37 GMT", 0),
            ("Sun, 06 Nov 1994 08:49:37 GMT", nil, 100), ("Sun, 06 Nov 1994 08:49:37 GMT", "soon", 100),
            ("-1", nil, nil), ("1.5", nil, nil), ("", nil, nil), ("tomorrow", nil, nil),
            ("Sun, 31 Feb 1994 08:49:37 GMT", nil, nil), ("Sun, 06 Nov 1994 24:49:37 GMT", nil, nil),
            ("Sun, 06 Nov 1994 08:49:37 CET", nil, nil), ("Sun, 06 Nov 1994 +8:49:37 GMT", nil, nil),
        ] as [(String, String?, Int64?)])
    func retryAfterIsSecondsOrADate(value: String, date: String?, expected: Int64?) {
        // 1994-11-06T08:49:37Z minus 100 s; `date -u -d '1994-11-06 08:49:37' +%s` prints 784111777.
        let now = Instant(secondsSince1970: 784_111_677)
        #expect(RetryAfter.seconds(value, date: date, now: now) == expected)
    }
}
