import Synchronization
import TestSupport
import Testing

@testable import EPGRefresh

/// Tests of fetches from loopback servers. Expected values are from RFC 9110.
@Suite struct CurlFetcherTests {
    private func fetch(
        _ url: String, limits: FetchLimits = FetchLimits(), entityTag: String? = nil, lastModified: String? = nil,
        folder: String? = nil
    ) throws -> FetchResult {
        var fetcher = CurlFetcher.test(limits: limits)
        fetcher.temporaryFolder = folder
        return try fetcher.fetch(
            FetchRequest(location: .url(url), entityTag: entityTag, lastModified: lastModified))
    }

    private func body(_ result: FetchResult) throws -> FetchedBody {
        guard case .body(let body) = result else { throw MemoryStore.Failure(description: "Expected a body") }
        return body
    }

    /// Returns the reason for which a fetch fails.
    private func reason(
        of reply: LoopbackServer.Reply, limits: FetchLimits = FetchLimits()
    ) throws -> FetchError.Reason? {
        let server = try LoopbackServer { _ in reply }
        defer { server.stop() }
        let error = try fetchError { try fetch(server.url(), limits: limits) }
        #expect(error.location == server.url())
        return error.reason
    }

    @Test func bodyHasValidatorsAndIsThenNotModified() throws {
        let date = "Sat, 28 Mar 2026 03:00:00 GMT"
        let server = try LoopbackServer { request in
            request.headers["if-none-match"] == "\"one\""
                ? .raw("HTTP/1.1 304 Not Modified\r\nETag: \"one\"\r\nConnection: close\r\n\r\n")
                : .status("200 OK", headers: ["eTaG:  \"one\" ", "Last-Modified: \(date)"], body: "<tv></tv>")
        }
        defer { server.stop() }
        let body = try body(fetch(server.url("/guide.xml?key=1")))
        #expect(try TestFolder.contents(of: body.path) == "<tv></tv>")
        #expect((body.byteCount, body.entityTag, body.lastModified) == (9, "\"one\"", date))

        let again = try fetch(server.url(), entityTag: body.entityTag, lastModified: body.lastModified)
        guard case .notModified = again else {
            Issue.record("Expected no body")
            return
        }
        let requests = server.requests
        try #require(requests.count == 2)
        let first = requests[0].headers
        #expect(
            (requests[0].line, first["user-agent"], first["if-none-match"])
                == ("GET /guide.xml?key=1 HTTP/1.1", "swift-epg/test", nil))
        expectText(first["accept-encoding"], contains: ["gzip"])
        #expect(requests[1].headers["if-modified-since"] == date)
    }

    @Test func validatorWithLineBreakIsNotSent() throws {
        let server = try LoopbackServer { _ in .status("200 OK", body: "<tv/>") }
        defer { server.stop() }
        _ = try fetch(server.url(), entityTag: "\"a\"\r\nX-Evil: 1", lastModified: "ä")
        let request = try #require(server.requests.first)
        #expect(["x-evil", "if-none-match", "if-modified-since"].filter { request.headers[$0] != nil } == [])
    }

    @Test func temporaryFileIsPrivateAndDeletedWithItsBody() throws {
        let folder = try TestFolder()
        let text = "<tv source-info-name=\"private\"/>"
        let server = try LoopbackServer { _ in .status("200 OK", body: text) }
        defer { server.stop() }
        var result: FetchResult? = try fetch(server.url(), folder: folder.path)
        let path = try body(#require(result)).path
        #expect(try (folder.names, TestFolder.contents(of: path)) == ([], text))
        result = nil
        // Another test may have opened a file with the same descriptor since.
        #expect((try? TestFolder.contents(of: path)) != text)
    }

    @Test func missingTemporaryFolderIsReportedBeforeAnyRequest() throws {
        let folder = try TestFolder()
        let error = try fetchError { try fetch("http://127.0.0.1:1/", folder: folder.path + "/none") }
        #expect((error.reason, error.kind) == (.inputOutput(2), .inputOutput))
    }

    @Test(arguments: [
        ("404 Not Found", 404), ("410 Gone", 410), ("401 Unauthorized", 401), ("500 Internal Server Error", 500),
        ("503 Service Unavailable", 503), ("204 No Content", 204), ("304 Not Modified", 304),
        ("300 Multiple Choices", 300),
    ])
    func errorStatusIsAFailure(line: String, status: Int) throws {
        let reply = LoopbackServer.Reply.status(line, body: status == 204 || status == 304 ? "" : "<tv></tv>")
        #expect(try reason(of: reply) == .status(status))
    }

    @Test func redirectIsFollowedAndLastValidatorsApply() throws {
        let server = try LoopbackServer { request in
            request.path == "/guide.xml"
                ? .status("301 Moved", headers: ["Location: /new.xml", "ETag: \"old\""], body: "moved")
                : .status("200 OK", headers: ["Last-Modified: today"], body: "<tv/>")
        }
        defer { server.stop() }
        let body = try body(fetch(server.url()))
        #expect(try TestFolder.contents(of: body.path) == "<tv/>")
        #expect((body.entityTag, body.lastModified) == (nil, "today"))
    }

    @Test func emptyBodyIsAFailure() throws {
        #expect(try reason(of: .status("200 OK")) == .empty)
    }

    @Test(arguments: [
        LoopbackServer.Reply.status("200 OK", body: "12345678901"),
        .raw("HTTP/1.1 200 OK\r\nConnection: close\r\n\r\n12345678901"),
        .raw("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nb\r\n12345678901\r\n0\r\n\r\n"),
        // The declared length is sufficient; no byte is sent.
        .raw("HTTP/1.1 200 OK\r\nContent-Length: 9999999999999\r\n\r\n"),
    ])
    func bodyOverTheLimitIsRejected(reply: LoopbackServer.Reply) throws {
        #expect(try reason(of: reply, limits: FetchLimits(byteCount: 10)) == .tooLarge(limit: 10))
    }

    @Test func bodyAtTheLimitIsAccepted() throws {
        let server = try LoopbackServer { _ in .status("200 OK", body: "1234567890") }
        defer { server.stop() }
        #expect(try body(fetch(server.url(), limits: FetchLimits(byteCount: 10))).byteCount == 10)
    }

    @Test func compressedTransferIsDecompressed() throws {
        let server = try LoopbackServer { _ in
            .status("200 OK", headers: ["Content-Encoding: gzip"], body: GzipSample.guide)
        }
        defer { server.stop() }
        let body = try body(fetch(server.url()))
        #expect(try (TestFolder.contents(of: body.path), body.byteCount) == (GzipSample.guideText, 10))
    }

    @Test func limitAppliesToTheDecompressedBody() throws {
        let reply = LoopbackServer.Reply.status(
            "200 OK", headers: ["Content-Encoding: gzip"], body: GzipSample.hundredThousandZeros)
        #expect(try reason(of: reply, limits: FetchLimits(byteCount: 50_000)) == .tooLarge(limit: 50_000))
    }

    @Test(arguments: [
        "HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\n<tv>",
        "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n64\r\n<tv>",
        "",
    ])
    func truncatedBodyIsAFailure(text: String) throws {
        #expect(try reason(of: .raw(text)) == .truncated)
    }

    /// The bytes before the server stalls, the limits, and a part of libcurl's message.
    @Test(arguments: [
        ("", FetchLimits(silenceSeconds: 1), "the last 1 seconds"),
        (
            "HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\n<tv>", FetchLimits(silenceSeconds: 1),
            "the last 1 seconds"
        ),
        ("HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\n<tv>", FetchLimits(totalSeconds: 1), "timed out after"),
    ])
    func stallsAndDurationAreLimited(sent: String, limits: FetchLimits, expected: String) throws {
        guard case .timedOut(let message) = try reason(of: .raw(sent, stalls: true), limits: limits) else {
            Issue.record("The fetch did not time out")
            return
        }
        expectText(message, contains: [expected])
    }

    /// The fetcher has a limit of one hour.
    @Test func timeLimitOfRequestTakesPrecedence() throws {
        let server = try LoopbackServer { _ in
            .raw("HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\n<tv>", stalls: true)
        }
        defer { server.stop() }
        let error = try fetchError {
            try CurlFetcher.test(limits: FetchLimits())
                .fetch(FetchRequest(location: .url(server.url()), timeLimit: 1))
        }
        guard case .timedOut(let message) = error.reason else {
            Issue.record("The fetch did not time out: \(error)")
            return
        }
        // The stall would cause a different message after a minute.
        expectText(message, contains: ["timed out after"])
    }

    @Test func refusedConnectionIsReported() throws {
        let url = "http://127.0.0.1:\(try LoopbackServer.unusedPort())/"
        let error = try fetchError { try fetch(url) }
        #expect((error.reason, error.kind) == (.cannotConnect, .unavailable))
    }

    @Test func serverWithoutTLSIsReported() throws {
        let server = try LoopbackServer { _ in .status("200 OK", body: "<tv/>") }
        defer { server.stop() }
        let error = try fetchError { try fetch(server.url(scheme: "https")) }
        guard case .noTLS(let message) = error.reason, !message.isEmpty else {
            Issue.record("Unexpected error: \(error)")
            return
        }
    }

    @Test(arguments: ["SSH-2.0-OpenSSH_9.2\r\n", "<tv></tv>"])
    func serverWithoutHTTPIsAFailure(text: String) throws {
        guard case .transfer = try reason(of: .raw(text)) else {
            Issue.record("Unexpected reason")
            return
        }
    }

    @Test(arguments: ["http://127.0.0.1:99999999/", "http://[::1/"])
    func urlThatLibcurlCannotParseIsMalformed(url: String) {
        #expect(throws: FetchError(location: url, reason: .malformedLocation)) { try fetch(url) }
    }

    @Test func libcurlRejectsOtherProtocols() throws {
        let error = try fetchError { try fetch("file:///etc/hostname") }
        guard case .transfer(code: 1, _) = error.reason else {
            Issue.record("Unexpected error: \(error)")
            return
        }
    }
}

@Suite struct FetchObserverTests {
    /// Records progress and cancels the fetch after a number of bytes.
    private final class ProgressRecorder: Sendable {
        let reports = Mutex<[FetchProgress]>([])
        let cancelsAfter: Int64

        init(cancelsAfter: Int64 = .max) { self.cancelsAfter = cancelsAfter }

        var watch: FetchObserver {
            FetchObserver(
                progress: { [self] step in reports.withLock { $0.append(step) } },
                isCancelled: { [self] in reports.withLock { $0.last?.byteCount ?? 0 } >= cancelsAfter })
        }
    }

    @Test func progressIncludesEarlierAttempts() throws {
        let server = try RangeServer(RangeServer.Behavior())
        defer { server.server.stop() }
        let recorder = ProgressRecorder()
        let request = FetchRequest(location: .url(server.server.url()))
        _ = try CurlFetcher.test(attempts: 2).fetch(request, watch: recorder.watch)
        let size = Int64(RangeServer.guide.utf8.count)
        let reports = recorder.reports.withLock { $0 }
        let last = FetchProgress(byteCount: size, total: size)
        #expect(reports.contains(FetchProgress(byteCount: 300, total: size)) && reports.last == last)
        #expect(reports.map(\.byteCount) == reports.map(\.byteCount).sorted())
    }

    @Test func canceledTransferEnds() throws {
        let server = try LoopbackServer(replies: [
            .raw("HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\n<tv>", stalls: true)
        ])
        defer { server.stop() }
        let request = FetchRequest(location: .url(server.url()))
        let error = try fetchError {
            try CurlFetcher.test(attempts: 4).fetch(request, watch: ProgressRecorder(cancelsAfter: 4).watch)
        }
        #expect((error.reason, error.attempts) == (.cancelled, 1))
    }

    @Test func canceledDelayEnds() throws {
        let server = try LoopbackServer(replies: [.status("503 Busy", headers: ["Retry-After: 299"])])
        defer { server.stop() }
        var fetcher = CurlFetcher.test(attempts: 4)
        fetcher.clock = .system
        let calls = Mutex(0)
        // Called before the request, at least once during it, and then during the delay.
        let watch = FetchObserver(isCancelled: {
            calls.withLock { $0 += 1 }
            return !server.requests.isEmpty && calls.withLock { $0 } > 20
        })
        let error = try fetchError {
            try fetcher.fetch(FetchRequest(location: .url(server.url())), watch: watch)
        }
        #expect((error.reason, server.requests.count) == (.cancelled, 1))
    }

    @Test func canceledCommandEnds() throws {
        let recorder = ProgressRecorder(cancelsAfter: 5)
        let error = try fetchError {
            try CommandFetcher().fetch(
                FetchRequest(command: ["/bin/sh", "-c", "echo '<tv>'; sleep 60"]), watch: recorder.watch)
        }
        let reports = recorder.reports.withLock { $0 }
        #expect((error.reason, reports) == (.cancelled, [FetchProgress(byteCount: 5, total: nil)]))
    }
}
