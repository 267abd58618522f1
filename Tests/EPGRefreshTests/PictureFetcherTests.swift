import TestSupport
import Testing

@testable import EPGRefresh

/// Tests of downloads from URLs that a guide names, with hostile servers.
@Suite struct PictureFetcherTests {
    private func bytes(
        _ url: String, privateHosts: Set<String> = ["127.0.0.1"], privateOrigins: Set<String> = [],
        limits: FetchLimits = PictureFetcher.limits
    ) throws(FetchError) -> [UInt8] {
        try PictureFetcher(
            userAgent: "swift-epg/test", privateHosts: { privateHosts }, privateOrigins: privateOrigins, limits: limits
        )
        .bytes(at: url, isCancelled: { false })
    }

    private func isRefused(_ url: String, privateHosts: Set<String> = [], privateOrigins: Set<String> = []) -> Bool {
        do throws(FetchError) {
            _ = try bytes(url, privateHosts: privateHosts, privateOrigins: privateOrigins)
            return false
        } catch {
            if case .refusedAddress = error.reason { return true }
            return false
        }
    }

    private func reason(
        of reply: LoopbackServer.Reply, limits: FetchLimits = PictureFetcher.limits
    ) throws -> FetchError.Reason {
        let server = try LoopbackServer(replies: [reply])
        defer { server.stop() }
        return try fetchError { try bytes(server.url(), limits: limits) }.reason
    }

    @Test func bytesOfThePictureAreReturned() throws {
        let server = try LoopbackServer(replies: [.status("200 OK", body: [1, 2, 3])])
        defer { server.stop() }
        #expect(try bytes(server.url()) == [1, 2, 3])
    }

    /// A source of the configuration may name such an address.
    @Test(arguments: ["127.0.0.1", "localhost", "0x7f.1", "2130706433"])
    func addressOfThisMachineInTheURLIsRefused(host: String) throws {
        let server = try LoopbackServer(replies: [.status("200 OK", body: [1])])
        defer { server.stop() }
        let url = "http://\(host):\(server.port)/"
        let error = try fetchError { try bytes(url, privateHosts: []) }
        guard case .refusedAddress = error.reason else {
            Issue.record("\(String(describing: error))")
            return
        }
        #expect(server.requests.isEmpty)
        #expect(try CurlFetcher.test().text("http://127.0.0.1:\(server.port)/").utf8.count == 1)
    }

    @Test func originOfOwnLogosAllowsNoOtherPort() throws {
        let server = try LoopbackServer(replies: [.status("200 OK", body: [1])])
        defer { server.stop() }
        let other = try LoopbackServer(replies: [.status("200 OK", body: [2])])
        defer { other.stop() }
        let origins: Set = ["http://127.0.0.1:\(server.port)"]
        #expect(try bytes(server.url("/any/logo.png"), privateHosts: [], privateOrigins: origins) == [1])
        let others = [other.url(), "https://127.0.0.1:\(server.port)/", "http://localhost:\(server.port)/"]
        #expect(others.filter { !isRefused($0, privateOrigins: origins) } == [])
        #expect(other.requests.isEmpty)
    }

    /// RFC 5952 has one form; RFC 4291 allows many.
    @Test(arguments: ["::1", "0:0:0:0:0:0:0:1", "0::0001"]) func formsOfAnIPv6AddressAreEqual(host: String) {
        for form in ["::1", "0:0::1"] {
            let url = "http://[\(form)]:1/"
            let isOtherRefused = isRefused(url, privateHosts: ["::2"])
            let areOwnRefused = [
                isRefused(url, privateHosts: ["::1"]), isRefused(url, privateOrigins: ["http://[\(host)]:1"]),
            ]
            #expect((isOtherRefused, areOwnRefused) == (true, [false, false]))
        }
    }

    @Test func redirectToAFileIsRefused() throws {
        #expect(try reason(of: .status("302 Found", headers: ["Location: file:///etc/passwd"])) == .redirectRefused)
    }

    @Test func redirectToAnotherPrivateAddressIsRefused() throws {
        let inner = try LoopbackServer(host: "127.0.0.3", replies: [.status("200 OK", body: [1])])
        defer { inner.stop() }
        let target = "Location: http://127.0.0.3:\(inner.port)/"
        guard case .refusedAddress = try reason(of: .status("302 Found", headers: [target])) else {
            Issue.record("Expected a refusal")
            return
        }
        #expect(inner.requests.isEmpty)
    }

    @Test func webPageIsNotAPicture() throws {
        let page = "<!DOCTYPE html><html><head><title>Log in</title></head></html>"
        #expect(
            try reason(of: .status("200 OK", headers: ["Content-Type: image/png"], body: page))
                == .webPage(title: "Log in"))
    }

    @Test func hugePictureIsRefused() throws {
        let declared = LoopbackServer.Reply.raw("HTTP/1.1 200 OK\r\nContent-Length: 9000000\r\n\r\n", stalls: true)
        var endless = LoopbackServer.Reply.raw("HTTP/1.1 200 OK\r\n\r\n")
        endless.bytes += [UInt8](repeating: 7, count: 9 << 20)
        for reply in [declared, endless] { #expect(try reason(of: reply) == .tooLarge(limit: 8 << 20)) }
    }

    @Test func slowServerIsLeft() throws {
        var limits = PictureFetcher.limits
        limits.totalSeconds = 1
        var reply = LoopbackServer.Reply.raw("HTTP/1.1 200 OK\r\n\r\n" + String(repeating: "x", count: 1000))
        reply.pause = 100_000
        guard case .timedOut = try reason(of: reply, limits: limits) else {
            Issue.record("Expected a timeout")
            return
        }
    }

    @Test func failureIsNotRetried() throws {
        let server = try LoopbackServer(replies: [.status("500 Error")])
        defer { server.stop() }
        let error = try fetchError { try bytes(server.url()) }
        #expect((error.reason, error.isTransient, server.requests.count) == (.status(500), true, 1))
    }
}
