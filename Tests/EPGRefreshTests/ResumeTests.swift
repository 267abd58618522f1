import Testing

@testable import EPGRefresh

/// A body that broke off is taken up again, or fetched anew; what comes is the whole of one edition.
@Suite struct ResumeTests {
    private func text(_ server: RangeServer, attempts: Int = 4) throws -> String {
        try CurlFetcher(.test(attempts: attempts)).text(server.server.address())
    }

    @Test func restIsAskedForAlone() throws {
        let server = try RangeServer(RangeServer.Manner())
        defer { server.server.stop() }
        let request = FetchRequest(
            location: .address(server.server.address()), entityTag: "\"old\"", headers: [.bearer("s3cret")])
        guard case .body(let body) = try CurlFetcher(.test(attempts: 4)).fetch(request) else {
            Issue.record("no body")
            return
        }
        #expect(try TestFolder.contents(of: body.path) == RangeServer.guide)
        #expect(body.entityTag == "\"one\"")
        #expect(body.lastModified == "Sun, 29 Mar 2026 03:00:00 GMT")
        let requests = server.server.requests
        try #require(requests.count == 2)
        #expect(requests.map { $0.headers["range"] } == [nil, "bytes=300-"])
        #expect(requests.map { $0.headers["if-range"] } == [nil, "\"one\""])
        #expect(requests.map { $0.headers["if-none-match"] } == ["\"old\"", nil])
        #expect(requests[1].headers["accept-encoding"] == "identity")
        #expect(requests[1].headers["authorization"] == "Bearer s3cret")
    }

    @Test func restMayBreakOffToo() throws {
        let server = try RangeServer(RangeServer.Manner(breaksAfter: 200, breaks: 3))
        defer { server.server.stop() }
        #expect(try text(server) == RangeServer.guide)
        #expect(server.ranges == [nil, "bytes=200-", "bytes=400-", "bytes=600-"])
    }

    @Test(
        arguments: [
            // Another edition, told by If-Range: all of it comes at once.
            (RangeServer.Manner(changes: true), RangeServer.changedGuide, [nil, "bytes=300-"]),
            // Another edition, and a server that gives its rest all the same.
            (
                RangeServer.Manner(changes: true, ignoresIfRange: true), RangeServer.changedGuide,
                [nil, "bytes=300-", nil]
            ),
            // Nothing that could tell that it is the same.
            (RangeServer.Manner(entityTag: "W/\"one\""), RangeServer.guide, [nil, nil]),
            (RangeServer.Manner(acceptsRanges: false), RangeServer.guide, [nil, nil]),
            // Another part than was asked for.
            (RangeServer.Manner(contentRange: "bytes 0-1189/1190"), RangeServer.guide, [nil, "bytes=300-", nil]),
            (RangeServer.Manner(contentRange: "bytes 300-400/1190"), RangeServer.guide, [nil, "bytes=300-", nil]),
            (RangeServer.Manner(contentRange: "nonsense"), RangeServer.guide, [nil, "bytes=300-", nil]),
            (RangeServer.Manner(isMultipart: true), RangeServer.guide, [nil, "bytes=300-", nil]),
        ] as [(RangeServer.Manner, String, [String?])])
    func whatDoesNotFitBeginsAnew(manner: RangeServer.Manner, expected: String, ranges: [String?]) throws {
        let server = try RangeServer(manner)
        defer { server.server.stop() }
        #expect(try text(server) == expected)
        #expect(server.ranges == ranges)
    }

    @Test func onlyAttemptsThatAreLeftAreUsed() throws {
        let server = try RangeServer(RangeServer.Manner(changes: true, ignoresIfRange: true))
        defer { server.server.stop() }
        let error = try CurlFetcher(.test(attempts: 2)).error(server.server.address())
        #expect(error.reason == .wrongPart)
        #expect(error.attempts == 2)
    }

    @Test func troubleInBetweenDoesNotLoseWhatIsThere() throws {
        let whole = Array(RangeServer.guide.utf8)
        let headers = ["ETag: \"a\"", "Accept-Ranges: bytes"]
        var broken = LoopbackServer.Reply.status("200 OK", headers: headers, body: whole)
        broken.bytes.removeLast(whole.count - 100)
        let rest = LoopbackServer.Reply.status(
            "206 Partial Content", headers: headers + ["Content-Range: bytes 100-\(whole.count - 1)/\(whole.count)"],
            body: Array(whole[100...]))
        let server = try LoopbackServer(replies: [broken, .status("503 Busy"), .raw(""), rest])
        defer { server.stop() }
        #expect(try CurlFetcher(.test(attempts: 4)).text(server.address()) == RangeServer.guide)
        #expect(server.requests.map { $0.headers["range"] } == [nil, "bytes=100-", "bytes=100-", "bytes=100-"])
    }

    @Test func rangeThatTheServerRefusesIsNotAskedForAgain() throws {
        let headers = ["ETag: \"a\"", "Accept-Ranges: bytes"]
        var broken = LoopbackServer.Reply.status("200 OK", headers: headers, body: RangeServer.guide)
        broken.bytes.removeLast(100)
        let server = try LoopbackServer(replies: [
            broken, .status("416 Range Not Satisfiable"), .status("200 OK", body: RangeServer.guide),
        ])
        defer { server.stop() }
        #expect(try CurlFetcher(.test(attempts: 4)).text(server.address()) == RangeServer.guide)
        #expect(server.requests.map { $0.headers["range"] == nil } == [true, false, true])
    }

    /// A tag is one of its address (RFC 9110, 8.8.3): the same one elsewhere may be another guide's.
    @Test func partOfAnotherAddressIsNotAskedFor() throws {
        let headers = ["ETag: \"a\"", "Accept-Ranges: bytes"]
        var broken = LoopbackServer.Reply.status("200 OK", headers: headers, body: RangeServer.guide)
        broken.bytes.removeLast(100)
        let server = try LoopbackServer(replies: [
            .status("302 Found", headers: ["Location: /mirror1"]), broken,
            .status("302 Found", headers: ["Location: /mirror2"]),
            .status("200 OK", headers: headers, body: RangeServer.changedGuide),
        ])
        defer { server.stop() }
        #expect(try CurlFetcher(.test(attempts: 2)).text(server.address()) == RangeServer.changedGuide)
        #expect(server.requests.map(\.path) == ["/guide.xml", "/mirror1", "/guide.xml", "/mirror2"])
        #expect(server.requests.allSatisfy { $0.headers["range"] == nil })
    }

    @Test func restIsAskedForWhereARedirectLeadsAgain() throws {
        let whole = Array(RangeServer.guide.utf8)
        let headers = ["ETag: \"a\"", "Accept-Ranges: bytes"]
        var broken = LoopbackServer.Reply.status("200 OK", headers: headers, body: whole)
        broken.bytes.removeLast(whole.count - 100)
        let moved = LoopbackServer.Reply.status("302 Found", headers: ["Location: /mirror"])
        let rest = LoopbackServer.Reply.status(
            "206 Partial Content", headers: headers + ["Content-Range: bytes 100-\(whole.count - 1)/\(whole.count)"],
            body: Array(whole[100...]))
        let server = try LoopbackServer(replies: [moved, broken, moved, rest])
        defer { server.stop() }
        #expect(try CurlFetcher(.test(attempts: 2)).text(server.address()) == RangeServer.guide)
        #expect(server.requests.map { $0.headers["range"] } == [nil, nil, nil, "bytes=100-"])
    }

    @Test func limitHoldsForTheSumOfTheParts() throws {
        let server = try RangeServer(RangeServer.Manner())
        defer { server.server.stop() }
        let limits = FetchLimits(byteCount: Int64(RangeServer.guide.utf8.count))
        #expect(try CurlFetcher(.test(limits: limits, attempts: 2)).text(server.server.address()) == RangeServer.guide)

        let whole = Array(RangeServer.guide.utf8)
        let headers = ["ETag: \"a\"", "Accept-Ranges: bytes"]
        var broken = LoopbackServer.Reply.raw("HTTP/1.1 200 OK\r\nETag: \"a\"\r\nAccept-Ranges: bytes\r\n\r\n")
        broken.bytes += whole[..<100]
        let rest = LoopbackServer.Reply.status(
            "206 Partial Content", headers: headers + ["Content-Range: bytes 100-\(whole.count - 1)/\(whole.count)"],
            body: Array(whole[100...]))
        let other = try LoopbackServer(replies: [broken, rest])
        defer { other.stop() }
        let tooSmall = FetchLimits(byteCount: Int64(whole.count) - 1)
        #expect(
            try CurlFetcher(.test(limits: tooSmall, attempts: 2)).error(other.address()).reason
                == .tooLarge(limit: tooSmall.byteCount))
    }
}
