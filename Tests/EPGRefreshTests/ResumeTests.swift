import Synchronization
import TestSupport
import Testing

@testable import EPGRefresh

/// Tests that an interrupted body is resumed or fetched again, and that the result is always one complete version.
@Suite struct ResumeTests {
    private func text(_ server: RangeServer, attempts: Int = 4) throws -> String {
        try CurlFetcher.test(attempts: attempts).text(server.server.url())
    }

    @Test func onlyTheRemainderIsRequested() throws {
        let server = try RangeServer(RangeServer.Behavior())
        defer { server.server.stop() }
        let request = FetchRequest(
            location: .url(server.server.url()), entityTag: "\"old\"", headers: [.bearer("s3cret")])
        guard case .body(let body) = try CurlFetcher.test(attempts: 4).fetch(request) else {
            Issue.record("Expected a body")
            return
        }
        #expect(try TestFolder.contents(of: body.path) == RangeServer.guide)
        #expect((body.entityTag, body.lastModified) == ("\"one\"", "Sun, 29 Mar 2026 03:00:00 GMT"))
        let requests = server.server.requests
        let fields = ["range", "if-range", "if-none-match"].map { name in requests.map { $0.headers[name] } }
        #expect(fields == [[nil, "bytes=300-"], [nil, "\"one\""], ["\"old\"", nil]])
        let last = requests.last?.headers
        #expect((last?["accept-encoding"], last?["authorization"]) == ("identity", "Bearer s3cret"))
    }

    @Test func interruptedRemainderIsResumed() throws {
        let server = try RangeServer(RangeServer.Behavior(interruptionOffset: 200, interruptions: 3))
        defer { server.server.stop() }
        #expect(
            try (text(server), server.ranges) == (RangeServer.guide, [nil, "bytes=200-", "bytes=400-", "bytes=600-"]))
    }

    @Test(
        arguments: [
            // If-Range detects another version, and the server sends the complete body.
            (RangeServer.Behavior(changes: true), RangeServer.changedGuide, [nil, "bytes=300-"]),
            // Another version, and a server that ignores If-Range.
            (
                RangeServer.Behavior(changes: true, ignoresIfRange: true), RangeServer.changedGuide,
                [nil, "bytes=300-", nil]
            ),
            // No strong entity tag.
            (RangeServer.Behavior(entityTag: "W/\"one\""), RangeServer.guide, [nil, nil]),
            (RangeServer.Behavior(acceptsRanges: false), RangeServer.guide, [nil, nil]),
            // Another range than requested.
            (RangeServer.Behavior(contentRange: "bytes 0-1189/1190"), RangeServer.guide, [nil, "bytes=300-", nil]),
            (RangeServer.Behavior(contentRange: "bytes 300-400/1190"), RangeServer.guide, [nil, "bytes=300-", nil]),
            (RangeServer.Behavior(contentRange: "nonsense"), RangeServer.guide, [nil, "bytes=300-", nil]),
            (RangeServer.Behavior(isMultipart: true), RangeServer.guide, [nil, "bytes=300-", nil]),
        ] as [(RangeServer.Behavior, String, [String?])])
    func mismatchRestartsTheFetch(behavior: RangeServer.Behavior, expected: String, ranges: [String?]) throws {
        let server = try RangeServer(behavior)
        defer { server.server.stop() }
        #expect(try (text(server), server.ranges) == (expected, ranges))
    }

    @Test func resumingCountsAsAnAttempt() throws {
        let server = try RangeServer(RangeServer.Behavior(changes: true, ignoresIfRange: true))
        defer { server.server.stop() }
        let error = try CurlFetcher.test(attempts: 2).error(server.server.url())
        #expect((error.reason, error.attempts) == (.wrongRange, 2))
    }

    @Test func failureBetweenAttemptsKeepsThePartialBody() throws {
        let full = Array(RangeServer.guide.utf8)
        let headers = ["ETag: \"a\"", "Accept-Ranges: bytes"]
        var broken = LoopbackServer.Reply.status("200 OK", headers: headers, body: full)
        broken.bytes.removeLast(full.count - 100)
        let rest = LoopbackServer.Reply.status(
            "206 Partial Content", headers: headers + ["Content-Range: bytes 100-\(full.count - 1)/\(full.count)"],
            body: Array(full[100...]))
        let server = try LoopbackServer(replies: [broken, .status("503 Busy"), .raw(""), rest])
        defer { server.stop() }
        #expect(try CurlFetcher.test(attempts: 4).text(server.url()) == RangeServer.guide)
        #expect(server.requests.map { $0.headers["range"] } == [nil, "bytes=100-", "bytes=100-", "bytes=100-"])
    }

    @Test func refusedRangeIsNotRequestedAgain() throws {
        let headers = ["ETag: \"a\"", "Accept-Ranges: bytes"]
        var broken = LoopbackServer.Reply.status("200 OK", headers: headers, body: RangeServer.guide)
        broken.bytes.removeLast(100)
        let server = try LoopbackServer(replies: [
            broken, .status("416 Range Not Satisfiable"), .status("200 OK", body: RangeServer.guide),
        ])
        defer { server.stop() }
        #expect(try CurlFetcher.test(attempts: 4).text(server.url()) == RangeServer.guide)
        #expect(server.requests.map { $0.headers["range"] == nil } == [true, false, true])
    }

    /// An entity tag is valid for one URL (RFC 9110, 8.8.3).
    @Test func bodyOfAnotherURLIsNotResumed() throws {
        let headers = ["ETag: \"a\"", "Accept-Ranges: bytes"]
        var broken = LoopbackServer.Reply.status("200 OK", headers: headers, body: RangeServer.guide)
        broken.bytes.removeLast(100)
        let server = try LoopbackServer(replies: [
            .status("302 Found", headers: ["Location: /mirror1"]), broken,
            .status("302 Found", headers: ["Location: /mirror2"]),
            .status("200 OK", headers: headers, body: RangeServer.changedGuide),
        ])
        defer { server.stop() }
        #expect(try CurlFetcher.test(attempts: 2).text(server.url()) == RangeServer.changedGuide)
        let requests = server.requests.map { "\($0.path) \($0.headers["range"] ?? "-")" }
        #expect(requests == ["/guide.xml -", "/mirror1 -", "/guide.xml -", "/mirror2 -"])
    }

    @Test func remainderIsRequestedFromRedirectTarget() throws {
        let full = Array(RangeServer.guide.utf8)
        let headers = ["ETag: \"a\"", "Accept-Ranges: bytes"]
        var broken = LoopbackServer.Reply.status("200 OK", headers: headers, body: full)
        broken.bytes.removeLast(full.count - 100)
        let moved = LoopbackServer.Reply.status("302 Found", headers: ["Location: /mirror"])
        let rest = LoopbackServer.Reply.status(
            "206 Partial Content", headers: headers + ["Content-Range: bytes 100-\(full.count - 1)/\(full.count)"],
            body: Array(full[100...]))
        let server = try LoopbackServer(replies: [moved, broken, moved, rest])
        defer { server.stop() }
        #expect(try CurlFetcher.test(attempts: 2).text(server.url()) == RangeServer.guide)
        #expect(server.requests.map { $0.headers["range"] } == [nil, nil, nil, "bytes=100-"])
    }

    @Test func limitAppliesToTheSumOfTheParts() throws {
        let server = try RangeServer(RangeServer.Behavior())
        defer { server.server.stop() }
        let limits = FetchLimits(byteCount: Int64(RangeServer.guide.utf8.count))
        #expect(try CurlFetcher.test(limits: limits, attempts: 2).text(server.server.url()) == RangeServer.guide)

        let full = Array(RangeServer.guide.utf8)
        let headers = ["ETag: \"a\"", "Accept-Ranges: bytes"]
        var broken = LoopbackServer.Reply.raw("HTTP/1.1 200 OK\r\nETag: \"a\"\r\nAccept-Ranges: bytes\r\n\r\n")
        broken.bytes += full[..<100]
        let rest = LoopbackServer.Reply.status(
            "206 Partial Content", headers: headers + ["Content-Range: bytes 100-\(full.count - 1)/\(full.count)"],
            body: Array(full[100...]))
        let other = try LoopbackServer(replies: [broken, rest])
        defer { other.stop() }
        let tooSmall = FetchLimits(byteCount: Int64(full.count) - 1)
        #expect(
            try CurlFetcher.test(limits: tooSmall, attempts: 2).error(other.url()).reason
                == .tooLarge(limit: tooSmall.byteCount))
    }
}

/// Tests of the conditions for a range request and for accepting its response (RFC 9110, 13.1.5, 14.4, 15.3.7).
@Suite struct ResumePointTests {
    private let url: WebURL

    init() throws { url = try WebURL("http://example.org/") }

    private func headers(_ lines: [String]) -> ResponseHeaders {
        var headers = ResponseHeaders()
        for line in lines { Array(line.utf8).withUnsafeBytes { headers.parse(line: $0) } }
        return headers
    }

    /// The headers of a response, the received bytes, and whether the fetch is resumed.
    @Test(
        arguments: [
            (["HTTP/1.1 200 OK", "ETag: \"a\"", "Accept-Ranges: bytes", "Content-Length: 100"], 50, true),
            (["HTTP/1.1 200 OK", "ETag: \"a\"", "Accept-Ranges: Bytes"], 50, true),
            (["HTTP/1.1 206 Partial", "ETag: \"a\"", "Content-Range: bytes 10-99/100"], 50, true),
            (["HTTP/1.1 200 OK", "ETag: W/\"a\"", "Accept-Ranges: bytes"], 50, false),
            (["HTTP/1.1 200 OK", "ETag: a", "Accept-Ranges: bytes"], 50, false),
            (["HTTP/1.1 200 OK", "ETag: \"", "Accept-Ranges: bytes"], 50, false),
            (["HTTP/1.1 200 OK", "Accept-Ranges: bytes", "Last-Modified: today"], 50, false),
            (["HTTP/1.1 200 OK", "ETag: \"a\""], 50, false),
            (["HTTP/1.1 200 OK", "ETag: \"a\"", "Accept-Ranges: none"], 50, false),
            (["HTTP/1.1 200 OK", "ETag: \"a\"", "Accept-Ranges: bytes", "Content-Encoding: gzip"], 50, false),
            (["HTTP/1.1 200 OK", "ETag: \"a\"", "Accept-Ranges: bytes", "Content-Encoding: identity"], 50, true),
            (["HTTP/1.1 200 OK", "ETag: \"a\"", "Accept-Ranges: bytes", "Content-Length: 50"], 50, false),
            // Empty bodies are not resumed.
            (["HTTP/1.1 200 OK", "ETag: \"a\"", "Accept-Ranges: bytes"], 0, false),
        ] as [([String], Int64, Bool)])
    func onlyBodiesWithStrongTagAreResumed(lines: [String], offset: Int64, expected: Bool) {
        #expect((ResumePoint(after: headers(lines), from: url, offset: offset, earlier: nil) != nil) == expected)
    }

    @Test(arguments: [
        (["HTTP/1.1 206 Partial", "ETag: \"a\"", "Content-Range: bytes 50-99/100"], true),
        (["HTTP/1.1 206 Partial", "ETag: \"a\"", "Content-Range: bytes 50-99/*"], true),
        (["HTTP/1.1 200 OK", "ETag: \"a\"", "Content-Range: bytes 50-99/100"], false),
        (["HTTP/1.1 206 Partial", "ETag: \"b\"", "Content-Range: bytes 50-99/100"], false),
        (["HTTP/1.1 206 Partial", "ETag: W/\"a\"", "Content-Range: bytes 50-99/100"], false),
        (["HTTP/1.1 206 Partial", "Content-Range: bytes 50-99/100"], false),
        (["HTTP/1.1 206 Partial", "ETag: \"a\"", "Content-Range: bytes 0-99/100"], false),
        (["HTTP/1.1 206 Partial", "ETag: \"a\"", "Content-Range: bytes 51-99/100"], false),
        (["HTTP/1.1 206 Partial", "ETag: \"a\"", "Content-Range: bytes 50-98/100"], false),
        (["HTTP/1.1 206 Partial", "ETag: \"a\"", "Content-Range: bytes 50-199/200"], false),
        (["HTTP/1.1 206 Partial", "ETag: \"a\"", "Content-Type: multipart/byteranges"], false),
        (["HTTP/1.1 206 Partial", "ETag: \"a\"", "Content-Range: bytes 50-99/100", "Content-Encoding: br"], false),
    ])
    func remainderMustMatch(lines: [String], expected: Bool) throws {
        let first = headers(["HTTP/1.1 200 OK", "ETag: \"a\"", "Accept-Ranges: bytes", "Content-Length: 100"])
        let point = try #require(ResumePoint(after: first, from: url, offset: 50, earlier: nil))
        #expect(point.headerLines == ["Range: bytes=50-", "If-Range: \"a\""])
        #expect(point.isContinued(by: headers(lines)) == expected)
    }

    @Test func remainderOfUnknownTotalIsRejected() throws {
        let first = headers(["HTTP/1.1 200 OK", "ETag: \"a\"", "Accept-Ranges: bytes"])
        let point = try #require(ResumePoint(after: first, from: url, offset: 50, earlier: nil))
        let response = ["HTTP/1.1 206 Partial", "ETag: \"a\""]
        let isContinued = ["*", "100"].map { total in
            point.isContinued(by: headers(response + ["Content-Range: bytes 50-99/\(total)"]))
        }
        #expect(isContinued == [false, true])
    }

    @Test(arguments: [
        "", "bytes", "bytes 1-2", "bytes 2-1/3", "bytes 0-3/3", "bytes -1-2/3", "lines 0-1/2", "bytes */100",
        "bytes 0-1/2/3", "bytes 0-99999999999999999999/*", "bytes 0x1-2/3", "bytes 0-1 /2",
    ])
    func inconsistentRangeIsRejected(text: String) {
        #expect(ContentRange(text) == nil)
    }
}

/// A server that interrupts its first response and then supports range requests (RFC 9110).
final class RangeServer: Sendable {
    /// Variations of the server's behavior.
    struct Behavior: Sendable {
        var entityTag = "\"one\""
        /// Whether the guide and its tag change after the first request.
        var changes = false
        /// Whether the server ignores If-Range.
        var ignoresIfRange = false
        var acceptsRanges = true
        /// The range of the response, if different from the request.
        var contentRange: String?
        /// Number of bytes of the guide after which the server interrupts a response.
        var interruptionOffset = 300
        /// Number of interrupted responses.
        var interruptions = 1
        /// Whether the declared content type is multipart.
        var isMultipart = false
    }

    static let guide = "<tv>" + (0..<100).map { "<!-- \($0) -->" }.joined() + "</tv>"
    static let changedGuide = guide.replacing("<!-- 5 -->", with: "<!-- five -->")

    let server: LoopbackServer

    init(_ behavior: Behavior) throws {
        let count = Mutex(0)
        server = try LoopbackServer { request in
            let number = count.withLock { number in
                number += 1
                return number
            }
            return RangeServer.reply(to: request, number: number, behavior)
        }
    }

    var ranges: [String?] { server.requests.map { $0.headers["range"] } }

    private static func reply(to request: LoopbackServer.Request, number: Int, _ behavior: Behavior)
        -> LoopbackServer.Reply
    {
        let isChanged = behavior.changes && number > 1
        let body = Array((isChanged ? changedGuide : guide).utf8)
        let tag = isChanged ? "\"two\"" : behavior.entityTag
        var headers = ["ETag: \(tag)", "Last-Modified: Sun, 29 Mar 2026 03:00:00 GMT"]
        if behavior.acceptsRanges { headers.append("Accept-Ranges: bytes") }
        var status = "200 OK"
        var part = body
        let offset = request.headers["range"].flatMap { Int($0.dropFirst("bytes=".count).dropLast()) }
        if let offset, behavior.acceptsRanges, request.headers["if-range"] == tag || behavior.ignoresIfRange {
            status = "206 Partial Content"
            part = Array(body[offset...])
            headers.append(
                "Content-Range: \(behavior.contentRange ?? "bytes \(offset)-\(body.count - 1)/\(body.count)")")
            if behavior.isMultipart { headers[headers.count - 1] = "Content-Type: multipart/byteranges; boundary=x" }
        }
        var reply = LoopbackServer.Reply.status(status, headers: headers, body: part)
        if number <= behavior.interruptions { reply.bytes.removeLast(max(0, part.count - behavior.interruptionOffset)) }
        return reply
    }
}
