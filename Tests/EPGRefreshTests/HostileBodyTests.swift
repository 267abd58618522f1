import Testing

@testable import EPGRefresh

/// Answers with status 200 that are no guide, or more than one wants.
@Suite struct HostileBodyTests {
    private func reason(
        of reply: LoopbackServer.Reply, limits: FetchLimits = FetchLimits()
    ) throws -> FetchError.Reason {
        let server = try LoopbackServer(replies: [reply])
        defer { server.stop() }
        return try CurlFetcher(.test(limits: limits)).error(server.address()).reason
    }

    private func text(of reply: LoopbackServer.Reply, limits: FetchLimits = FetchLimits()) throws -> [UInt8] {
        let server = try LoopbackServer(replies: [reply])
        defer { server.stop() }
        let request = FetchRequest(location: .address(server.address()))
        guard case .body(let body) = try CurlFetcher(.test(limits: limits)).fetch(request) else { return [] }
        return try TestFolder.bytes(of: body.path)
    }

    @Test func pageOfTheWebIsToldWithItsTitle() throws {
        let page = "<!DOCTYPE html>\n<html><head><title>Please log in</title></head></html>"
        let reason = try reason(of: .status("200 OK", headers: ["Content-Type: text/html"], body: page))
        #expect(reason == .webPage(title: "Please log in"))
        let error = FetchError(location: "http://example.org/", reason: reason)
        #expect(error.description.contains("“Please log in”"))
        #expect(error.exitCode == 65)
    }

    /// A gzip file that is announced as a compressed transfer: unpacked once, whatever it is then.
    @Test func doubleGzipIsUnpackedOnce() throws {
        let once = try text(
            of: .status("200 OK", headers: ["Content-Encoding: gzip"], body: GzipSample.doubleGuide))
        #expect(once == GzipSample.guide)
        let twice = try text(
            of: .status("200 OK", headers: ["Content-Encoding: gzip, gzip"], body: GzipSample.doubleGuide))
        #expect(twice == Array(GzipSample.guideText.utf8))
        let file = try text(
            of: .status("200 OK", headers: ["Content-Type: application/gzip"], body: GzipSample.guide))
        #expect(file == GzipSample.guide)
    }

    @Test(arguments: ["gzip", "deflate"])
    func codingThatIsNotThereIsTold(coding: String) throws {
        let reply = LoopbackServer.Reply.status(
            "200 OK", headers: ["Content-Encoding: \(coding)"], body: "<tv></tv>")
        guard case .badEncoding(let words) = try reason(of: reply) else {
            Issue.record("another reason")
            return
        }
        #expect(!words.isEmpty)
    }

    /// Every beginning of a compressed transfer that the connection alone ends.
    @Test func compressedTransferThatIsCutOffIsNoGuide() throws {
        for count in 1..<GzipSample.guide.count {
            var reply = LoopbackServer.Reply.raw("HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\n\r\n")
            reply.bytes += GzipSample.guide[..<count]
            let server = try LoopbackServer(replies: [reply])
            defer { server.stop() }
            do throws(FetchError) {
                guard
                    case .body(let body) = try CurlFetcher(.test()).fetch(
                        FetchRequest(location: .address(server.address())))
                else { continue }
                // The last line end or the trailer alone is missing: all of the guide is there.
                #expect((try? TestFolder.contents(of: body.path))?.hasPrefix("<tv></tv>") == true, "cut after \(count)")
            } catch {
                let isExpected = error.reason == .empty || error.reason == .cutShort
                #expect(isExpected, "cut after \(count): \(error)")
            }
        }
    }

    @Test func bombIsToldByItsRatio() throws {
        let reply = LoopbackServer.Reply.status(
            "200 OK", headers: ["Content-Encoding: gzip"], body: GzipSample.hundredThousandZeros)
        let limits = FetchLimits(freeByteCount: 50_000)
        #expect(try reason(of: reply, limits: limits) == .unpacksTooFar(ratio: 200))
        // It is 132 bytes for 100,000: 757 times.
        #expect(try text(of: reply, limits: FetchLimits(unpackingRatio: 800, freeByteCount: 50_000)).count == 100_000)
        #expect(try text(of: reply).count == 100_000)
    }

    @Test func hugeLengthIsRefusedBeforeAByteOfIt() throws {
        let reply = LoopbackServer.Reply.raw(
            "HTTP/1.1 200 OK\r\nContent-Length: 100000000000\r\n\r\n<tv>", stalls: true)
        #expect(try reason(of: reply) == .tooLarge(limit: 4 << 30))
    }

    @Test(arguments: ["200 OK", "404 Not Found", "500 No"])
    func lengthThatIsNoNumberDoesNoHarm(status: String) throws {
        for length in ["99999999999999999999999", "-1", "x", "1, 2"] {
            let reply = LoopbackServer.Reply.raw("HTTP/1.1 \(status)\r\nContent-Length: \(length)\r\n\r\n<tv>")
            _ = try reason(of: reply)
        }
    }

    @Test func errorIsNotReadToItsEnd() throws {
        let reply = LoopbackServer.Reply.raw("HTTP/1.1 404 Not Found\r\nContent-Length: 100\r\n\r\nNot", stalls: true)
        #expect(try reason(of: reply) == .status(404))
    }

    @Test func endlessHeaderIsNotRead() throws {
        let lines = String(repeating: "X-Filler: \(String(repeating: "x", count: 1000))\r\n", count: 1000)
        let hints = String(repeating: "HTTP/1.1 103 Early Hints\r\nLink: </>\r\n\r\n", count: 20_000)
        for header in ["HTTP/1.1 200 OK\r\n" + lines, hints] {
            guard case .transfer = try reason(of: .raw(header + "\r\n<tv></tv>")) else {
                Issue.record("another reason")
                return
            }
        }
    }

    @Test func interimAnswersAndTrailersAreNotTheHeader() throws {
        let reply = LoopbackServer.Reply.raw(
            "HTTP/1.1 103 Early Hints\r\nETag: \"hint\"\r\n\r\nHTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n"
                + "Trailer: ETag\r\n\r\n9\r\n<tv></tv>\r\n0\r\nETag: \"trailer\"\r\n\r\n")
        let server = try LoopbackServer(replies: [reply])
        defer { server.stop() }
        let request = FetchRequest(location: .address(server.address()))
        guard case .body(let body) = try CurlFetcher(.test()).fetch(request) else {
            Issue.record("no body")
            return
        }
        #expect(body.byteCount == 9)
        #expect(body.entityTag == nil)
    }

    /// A byte every tenth of a second, so that the connection is never silent: it ends by its rate, or by the whole time.
    @Test(arguments: [
        FetchLimits(silenceSeconds: 1), FetchLimits(totalSeconds: 1, slowestRate: 1),
    ])
    func trickleIsNoTransfer(limits: FetchLimits) throws {
        var reply = LoopbackServer.Reply.raw("HTTP/1.1 200 OK\r\n\r\n<tv>" + String(repeating: " ", count: 1000))
        reply.pause = 100_000
        guard case .timedOut = try reason(of: reply, limits: limits) else {
            Issue.record("another reason")
            return
        }
    }
}
