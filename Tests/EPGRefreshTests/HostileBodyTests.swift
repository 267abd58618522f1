import TestSupport
import Testing

@testable import EPGRefresh

/// Tests of responses with status 200 that are not a guide or are too large.
@Suite struct HostileBodyTests {
    private func reason(
        of reply: LoopbackServer.Reply, limits: FetchLimits = FetchLimits()
    ) throws -> FetchError.Reason {
        let server = try LoopbackServer(replies: [reply])
        defer { server.stop() }
        return try CurlFetcher.test(limits: limits).error(server.url()).reason
    }

    private func text(of reply: LoopbackServer.Reply, limits: FetchLimits = FetchLimits()) throws -> [UInt8] {
        let server = try LoopbackServer(replies: [reply])
        defer { server.stop() }
        let request = FetchRequest(location: .url(server.url()))
        guard case .body(let body) = try CurlFetcher.test(limits: limits).fetch(request) else { return [] }
        return try TestFolder.bytes(of: body.path)
    }

    @Test func webPageIsReportedWithItsTitle() throws {
        let page = "<!DOCTYPE html>\n<html><head><title>Please log in</title></head></html>"
        let reason = try reason(of: .status("200 OK", headers: ["Content-Type: text/html"], body: page))
        #expect(reason == .webPage(title: "Please log in"))
        let error = FetchError(location: "http://example.org/", reason: reason)
        expectText(error.description, contains: ["“Please log in”"])
        #expect(error.kind == .badContent)
    }

    /// The headers of a response, its body, and the body after the transfer. A gzip file in a compressed transfer is decompressed
    /// only once.
    @Test(arguments: [
        ("Content-Encoding: gzip", GzipSample.doubleGuide, GzipSample.guide),
        ("Content-Encoding: gzip, gzip", GzipSample.doubleGuide, Array(GzipSample.guideText.utf8)),
        ("Content-Type: application/gzip", GzipSample.guide, GzipSample.guide),
    ])
    func onlyTheTransferIsDecompressed(header: String, body: [UInt8], expected: [UInt8]) throws {
        #expect(try text(of: .status("200 OK", headers: [header], body: body)) == expected)
    }

    @Test(arguments: ["gzip", "deflate"])
    func wrongContentEncodingIsReported(coding: String) throws {
        let reply = LoopbackServer.Reply.status(
            "200 OK", headers: ["Content-Encoding: \(coding)"], body: "<tv></tv>")
        guard case .badEncoding(let message) = try reason(of: reply) else {
            Issue.record("Unexpected reason")
            return
        }
        #expect(!message.isEmpty)
    }

    /// The response has no length, so only the end of the connection marks its end. The test sends every prefix.
    @Test func truncatedCompressedTransferIsRejected() throws {
        for count in 1..<GzipSample.guide.count {
            var reply = LoopbackServer.Reply.raw("HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\n\r\n")
            reply.bytes += GzipSample.guide[..<count]
            let server = try LoopbackServer(replies: [reply])
            defer { server.stop() }
            do throws(FetchError) {
                guard
                    case .body(let body) = try CurlFetcher.test().fetch(
                        FetchRequest(location: .url(server.url())))
                else { continue }
                // Only the last line break or the trailer is missing; the guide is complete.
                #expect((try? TestFolder.contents(of: body.path))?.hasPrefix("<tv></tv>") == true, "cut after \(count)")
            } catch {
                let isExpected = error.reason == .empty || error.reason == .truncated
                #expect(isExpected, "cut after \(count): \(error)")
            }
        }
    }

    @Test func archiveBombIsDetectedByItsRatio() throws {
        let reply = LoopbackServer.Reply.status(
            "200 OK", headers: ["Content-Encoding: gzip"], body: GzipSample.hundredThousandZeros)
        let limits = FetchLimits(uncheckedByteCount: 50_000)
        #expect(try reason(of: reply, limits: limits) == .excessiveCompression(ratio: 200))
        // 132 bytes for 100,000 is a ratio of 757.
        let counts = try [FetchLimits(compressionRatio: 800, uncheckedByteCount: 50_000), FetchLimits()].map {
            try text(of: reply, limits: $0).count
        }
        #expect(counts == [100_000, 100_000])
    }

    @Test func excessiveContentLengthIsRejectedImmediately() throws {
        let reply = LoopbackServer.Reply.raw(
            "HTTP/1.1 200 OK\r\nContent-Length: 100000000000\r\n\r\n<tv>", stalls: true)
        #expect(try reason(of: reply) == .tooLarge(limit: 4 << 30))
    }

    @Test(arguments: ["200 OK", "404 Not Found", "500 No"])
    func invalidContentLengthIsHandled(status: String) throws {
        for length in ["99999999999999999999999", "-1", "x", "1, 2"] {
            let reply = LoopbackServer.Reply.raw("HTTP/1.1 \(status)\r\nContent-Length: \(length)\r\n\r\n<tv>")
            _ = try reason(of: reply)
        }
    }

    @Test func bodyOfErrorResponseIsNotRead() throws {
        let reply = LoopbackServer.Reply.raw("HTTP/1.1 404 Not Found\r\nContent-Length: 100\r\n\r\nNot", stalls: true)
        #expect(try reason(of: reply) == .status(404))
    }

    @Test func endlessHeadersAreRejected() throws {
        let lines = String(repeating: "X-Filler: \(String(repeating: "x", count: 1000))\r\n", count: 1000)
        let hints = String(repeating: "HTTP/1.1 103 Early Hints\r\nLink: </>\r\n\r\n", count: 20_000)
        for header in ["HTTP/1.1 200 OK\r\n" + lines, hints] {
            guard case .transfer = try reason(of: .raw(header + "\r\n<tv></tv>")) else {
                Issue.record("Unexpected reason")
                return
            }
        }
    }

    @Test func interimResponsesAndTrailersAreIgnored() throws {
        let reply = LoopbackServer.Reply.raw(
            "HTTP/1.1 103 Early Hints\r\nETag: \"hint\"\r\n\r\nHTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n"
                + "Trailer: ETag\r\n\r\n9\r\n<tv></tv>\r\n0\r\nETag: \"trailer\"\r\n\r\n")
        let server = try LoopbackServer(replies: [reply])
        defer { server.stop() }
        let request = FetchRequest(location: .url(server.url()))
        guard case .body(let body) = try CurlFetcher.test().fetch(request) else {
            Issue.record("Expected a body")
            return
        }
        #expect((body.byteCount, body.entityTag) == (9, nil))
    }

    /// The server sends a byte every tenth of a second until the minimum rate or the total time ends the transfer.
    @Test(arguments: [
        FetchLimits(silenceSeconds: 1), FetchLimits(totalSeconds: 1, minimumRate: 1),
    ])
    func slowTransferEnds(limits: FetchLimits) throws {
        var reply = LoopbackServer.Reply.raw("HTTP/1.1 200 OK\r\n\r\n<tv>" + String(repeating: " ", count: 1000))
        reply.pause = 100_000
        guard case .timedOut = try reason(of: reply, limits: limits) else {
            Issue.record("Unexpected reason")
            return
        }
    }
}

/// Tests of truncated responses for each framing of HTTP/1.1. The server closes the connection at each of a hundred offsets
/// of its response, and the fetch returns the complete guide or fails.
@Suite struct TruncatedResponseTests {
    enum Framing: String, CaseIterable, Sendable {
        case length, chunked, closed
    }

    private static let guide =
        "<?xml version=\"1.0\"?>\n<!DOCTYPE tv SYSTEM \"xmltv.dtd\">\n<tv>"
        + (0..<40).map { "<programme channel=\"a\" start=\"202603290\($0)\"><title>\($0)</title></programme>" }.joined()
        + "</tv>\n"

    private static func response(_ framing: Framing) -> [UInt8] {
        let head = "HTTP/1.1 200 OK\r\nContent-Type: application/xml\r\n"
        let rest =
            switch framing {
            case .length: "Content-Length: \(guide.utf8.count)\r\n\r\n" + guide
            case .closed: "Connection: close\r\n\r\n" + guide
            case .chunked: "Transfer-Encoding: chunked\r\n\r\n" + chunks() + "0\r\n\r\n"
            }
        return Array((head + rest).utf8)
    }

    /// The guide in chunks of 77 bytes.
    private static func chunks() -> String {
        let bytes = Array(guide.utf8)
        return stride(from: 0, to: bytes.count, by: 77).map { start in
            let chunk = bytes[start..<min(start + 77, bytes.count)]
            return String(chunk.count, radix: 16) + "\r\n" + String(decoding: chunk, as: UTF8.self) + "\r\n"
        }.joined()
    }

    @Test(arguments: Framing.allCases)
    func fetchReturnsCompleteGuideOrFails(framing: Framing) throws {
        let response = Self.response(framing)
        let offsets = (0..<100).map { $0 * response.count / 100 } + [response.count]
        var successes = 0
        for offset in offsets {
            let server = try LoopbackServer(replies: [.init(bytes: Array(response[..<offset]))])
            defer { server.stop() }
            let fetcher = CurlFetcher.test()
            do throws(FetchError) {
                guard case .body(let body) = try fetcher.fetch(FetchRequest(location: .url(server.url())))
                else { continue }
                let text = try? TestFolder.contents(of: body.path)
                #expect(text == Self.guide, "cut at \(offset) of \(response.count)")
                successes += 1
            } catch {
                #expect(error.reason == .truncated, "cut at \(offset) of \(response.count)")
            }
        }
        // Only the complete response succeeds.
        #expect(successes == 1)
    }

    @Test(arguments: Framing.allCases)
    func nextAttemptReturnsTheCompleteGuide(framing: Framing) throws {
        let response = Self.response(framing)
        for offset in stride(from: 0, to: response.count, by: response.count / 20) {
            let server = try LoopbackServer(replies: [.init(bytes: Array(response[..<offset])), .init(bytes: response)])
            defer { server.stop() }
            #expect(try CurlFetcher.test(attempts: 2).text(server.url()) == Self.guide)
        }
    }
}

@Suite struct ResponseHeadersTests {
    private func headers(_ lines: String...) -> ResponseHeaders {
        var headers = ResponseHeaders()
        for line in lines { Array(line.utf8).withUnsafeBytes { headers.parse(line: $0) } }
        return headers
    }

    @Test func headerNamesAreCaseInsensitiveAndValuesTrimmed() {
        let headers = headers("HTTP/2 200\r\n", "ETAG:\t W/\"a b\" \r\n", "last-modified:x\r\n", "\r\n")
        #expect((headers.entityTag, headers.lastModified) == ("W/\"a b\"", "x"))
    }

    @Test(arguments: [
        "ETag:", "ETag: \u{1}", "ETag: ä", "X-ETag: \"a\"", "ETag \"a\"", ":", "",
        "ETag: " + String(repeating: "x", count: 1025),
    ])
    func invalidValueIsDropped(line: String) {
        #expect(headers("HTTP/1.1 200 OK", line).entityTag == nil)
    }

    @Test func statusLineDiscardsEarlierHeaders() {
        let headers = headers("HTTP/1.1 301 Moved", "ETag: \"a\"", "HTTP/1.1 200 OK", "Last-Modified: x")
        #expect((headers.entityTag, headers.lastModified) == (nil, "x"))
    }
}
