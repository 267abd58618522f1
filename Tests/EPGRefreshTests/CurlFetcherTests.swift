import Testing

@testable import EPGRefresh

/// Fetches over loopback; the expectations come from RFC 9110 and from what a guide's server may get wrong.
@Suite struct CurlFetcherTests {
    private func fetch(
        _ address: String, limits: FetchLimits = FetchLimits(), entityTag: String? = nil, lastModified: String? = nil,
        folder: String? = nil
    ) throws -> FetchResult {
        var settings = CurlSettings.test(limits: limits)
        settings.temporaryFolder = folder
        return try CurlFetcher(settings).fetch(
            FetchRequest(location: .address(address), entityTag: entityTag, lastModified: lastModified))
    }

    private func body(_ result: FetchResult) throws -> FetchedBody {
        guard case .body(let body) = result else { throw MemoryStore.Broken(description: "no body") }
        return body
    }

    /// The reason of the failure that a reply ends in.
    private func reason(
        of reply: LoopbackServer.Reply, limits: FetchLimits = FetchLimits()
    ) throws -> FetchError.Reason? {
        let server = try LoopbackServer { _ in reply }
        defer { server.stop() }
        let error = #expect(throws: FetchError.self) { try fetch(server.address(), limits: limits) }
        #expect(error?.location == server.address())
        return error?.reason
    }

    @Test func bodyArrivesWithItsValidatorsAndIsThenNotModified() throws {
        let date = "Sat, 28 Mar 2026 03:00:00 GMT"
        let server = try LoopbackServer { request in
            request.headers["if-none-match"] == "\"one\""
                ? .raw("HTTP/1.1 304 Not Modified\r\nETag: \"one\"\r\nConnection: close\r\n\r\n")
                : .status("200 OK", headers: ["eTaG:  \"one\" ", "Last-Modified: \(date)"], body: "<tv></tv>")
        }
        defer { server.stop() }
        let body = try body(fetch(server.address("/guide.xml?key=1")))
        #expect(try TestFolder.contents(of: body.path) == "<tv></tv>")
        #expect(body.byteCount == 9)
        #expect(body.entityTag == "\"one\"")
        #expect(body.lastModified == date)

        let again = try fetch(server.address(), entityTag: body.entityTag, lastModified: body.lastModified)
        guard case .notModified = again else {
            Issue.record("a body came")
            return
        }
        let requests = server.requests
        try #require(requests.count == 2)
        #expect(requests[0].line == "GET /guide.xml?key=1 HTTP/1.1")
        #expect(requests[0].headers["user-agent"] == "swift-epg/test")
        #expect(requests[0].headers["accept-encoding"]?.contains("gzip") == true)
        #expect(requests[0].headers["if-none-match"] == nil)
        #expect(requests[1].headers["if-modified-since"] == date)
    }

    @Test func validatorThatCouldAddAHeaderIsNotSent() throws {
        let server = try LoopbackServer { _ in .status("200 OK", body: "<tv/>") }
        defer { server.stop() }
        _ = try fetch(server.address(), entityTag: "\"a\"\r\nX-Evil: 1", lastModified: "ä")
        let request = try #require(server.requests.first)
        #expect(request.headers["x-evil"] == nil)
        #expect(request.headers["if-none-match"] == nil)
        #expect(request.headers["if-modified-since"] == nil)
    }

    @Test func temporaryFileIsPrivateAndGoesWithItsBody() throws {
        let folder = try TestFolder()
        let server = try LoopbackServer { _ in .status("200 OK", body: "<tv/>") }
        defer { server.stop() }
        var result: FetchResult? = try fetch(server.address(), folder: folder.path)
        let path = try body(#require(result)).path
        #expect(folder.names.isEmpty)
        #expect(try TestFolder.contents(of: path) == "<tv/>")
        result = nil
        #expect(throws: (any Error).self) { try TestFolder.contents(of: path) }
    }

    @Test func missingTemporaryFolderIsToldBeforeAnythingIsFetched() throws {
        let folder = try TestFolder()
        let error = #expect(throws: FetchError.self) {
            try fetch("http://127.0.0.1:1/", folder: folder.path + "/none")
        }
        #expect(error?.reason == .inputOutput(2))
        #expect(error?.exitCode == 74)
    }

    @Test(arguments: [
        ("404 Not Found", 404), ("410 Gone", 410), ("401 Unauthorized", 401), ("500 Internal Server Error", 500),
        ("503 Service Unavailable", 503), ("204 No Content", 204), ("304 Not Modified", 304),
        ("300 Multiple Choices", 300),
    ])
    func statusWithoutAGuideIsAFailure(line: String, status: Int) throws {
        let reply = LoopbackServer.Reply.status(line, body: status == 204 || status == 304 ? "" : "<tv></tv>")
        #expect(try reason(of: reply) == .status(status))
    }

    @Test func redirectIsFollowedAndOnlyTheLastValidatorsCount() throws {
        let server = try LoopbackServer { request in
            request.path == "/guide.xml"
                ? .status("301 Moved", headers: ["Location: /new.xml", "ETag: \"old\""], body: "moved")
                : .status("200 OK", headers: ["Last-Modified: today"], body: "<tv/>")
        }
        defer { server.stop() }
        let body = try body(fetch(server.address()))
        #expect(try TestFolder.contents(of: body.path) == "<tv/>")
        #expect(body.entityTag == nil)
        #expect(body.lastModified == "today")
    }

    @Test func emptyBodyIsAFailure() throws {
        #expect(try reason(of: .status("200 OK")) == .empty)
    }

    @Test(arguments: [
        LoopbackServer.Reply.status("200 OK", body: "12345678901"),
        .raw("HTTP/1.1 200 OK\r\nConnection: close\r\n\r\n12345678901"),
        .raw("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nb\r\n12345678901\r\n0\r\n\r\n"),
        // No byte of it is sent: the announced length suffices.
        .raw("HTTP/1.1 200 OK\r\nContent-Length: 9999999999999\r\n\r\n"),
    ])
    func bodyOverTheLimitIsRefused(reply: LoopbackServer.Reply) throws {
        #expect(try reason(of: reply, limits: FetchLimits(byteCount: 10)) == .tooLarge(limit: 10))
    }

    @Test func bodyOfTheLimitIsTaken() throws {
        let server = try LoopbackServer { _ in .status("200 OK", body: "1234567890") }
        defer { server.stop() }
        #expect(try body(fetch(server.address(), limits: FetchLimits(byteCount: 10))).byteCount == 10)
    }

    @Test func compressedTransferIsUnpacked() throws {
        let server = try LoopbackServer { _ in
            .status("200 OK", headers: ["Content-Encoding: gzip"], body: GzipSample.guide)
        }
        defer { server.stop() }
        let body = try body(fetch(server.address()))
        #expect(try TestFolder.contents(of: body.path) == GzipSample.guideText)
        #expect(body.byteCount == 10)
    }

    @Test func limitHoldsForTheUnpackedBody() throws {
        let reply = LoopbackServer.Reply.status(
            "200 OK", headers: ["Content-Encoding: gzip"], body: GzipSample.hundredThousandZeros)
        #expect(try reason(of: reply, limits: FetchLimits(byteCount: 50_000)) == .tooLarge(limit: 50_000))
    }

    @Test(arguments: [
        "HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\n<tv>",
        "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n64\r\n<tv>",
        "",
    ])
    func cutBodyIsAFailure(text: String) throws {
        #expect(try reason(of: .raw(text)) == .cutShort)
    }

    /// What the server sends before it falls silent, the limits, and libcurl's words for the one that was reached.
    @Test(arguments: [
        ("", FetchLimits(silenceSeconds: 1), "the last 1 seconds"),
        (
            "HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\n<tv>", FetchLimits(silenceSeconds: 1),
            "the last 1 seconds"
        ),
        ("HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\n<tv>", FetchLimits(totalSeconds: 1), "timed out after"),
    ])
    func silenceAndLengthAreLimited(sent: String, limits: FetchLimits, expected: String) throws {
        guard case .timedOut(let words) = try reason(of: .raw(sent, stalls: true), limits: limits) else {
            Issue.record("it didn't time out")
            return
        }
        #expect(words.contains(expected))
    }

    /// The fetcher itself would wait for an hour.
    @Test func requestMayHaveATimeOfItsOwn() throws {
        let server = try LoopbackServer { _ in .raw("HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\n<tv>", stalls: true)
        }
        defer { server.stop() }
        let error = #expect(throws: FetchError.self) {
            try CurlFetcher(.test(limits: FetchLimits()))
                .fetch(FetchRequest(location: .address(server.address()), timeLimit: 1))
        }
        guard case .timedOut(let words) = error?.reason else {
            Issue.record("it didn't time out: \(String(describing: error))")
            return
        }
        // Not for its silence, which would be the reason after a minute.
        #expect(words.contains("timed out after"), "\(words)")
    }

    @Test func refusedConnectionIsTold() throws {
        let address = "http://127.0.0.1:\(try LoopbackServer.unusedPort())/"
        let error = #expect(throws: FetchError.self) { try fetch(address) }
        #expect(error?.reason == .cannotConnect)
        #expect(error?.exitCode == 69)
    }

    @Test func serverWithoutTLSIsInsecure() throws {
        let server = try LoopbackServer { _ in .status("200 OK", body: "<tv/>") }
        defer { server.stop() }
        let error = #expect(throws: FetchError.self) { try fetch(server.address(scheme: "https")) }
        guard case .insecure(let words) = error?.reason else {
            Issue.record("unexpected: \(String(describing: error))")
            return
        }
        #expect(!words.isEmpty)
    }

    @Test(arguments: ["SSH-2.0-OpenSSH_9.2\r\n", "<tv></tv>"])
    func serverOfAnotherKindIsAFailure(text: String) throws {
        guard case .transfer = try reason(of: .raw(text)) else {
            Issue.record("another reason")
            return
        }
    }

    @Test(arguments: ["http://127.0.0.1:99999999/", "http://[::1/"])
    func addressThatLibcurlCannotReadIsMalformed(address: String) {
        #expect(throws: FetchError(location: address, reason: .malformedLocation)) { try fetch(address) }
    }

    @Test func otherProtocolsAreRefusedByLibcurlToo() throws {
        let error = #expect(throws: FetchError.self) { try fetch("file:///etc/hostname") }
        guard case .transfer(let code, _) = error?.reason else {
            Issue.record("unexpected: \(String(describing: error))")
            return
        }
        #expect(code == 1)
    }
}
