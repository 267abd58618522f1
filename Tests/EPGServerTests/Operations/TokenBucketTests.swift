import Testing

@testable import EPGServer

@Suite("Limits per client")
struct TokenBucketTests {
    private static let second: Int64 = 1_000_000_000

    @Test func burstIsAllowedThenRequestsAreRateLimited() {
        // 120 per minute: two per second, with a burst of twenty.
        var rate = TokenBucket(requestsPerMinute: 120)
        for _ in 0..<20 { #expect(rate.consume(at: 5 * Self.second) == nil) }
        #expect(rate.consume(at: 5 * Self.second) == Self.second / 2)
        #expect(rate.consume(at: 5 * Self.second + Self.second / 4) == Self.second / 4)
        #expect(rate.consume(at: 5 * Self.second + Self.second / 2) == nil)
        #expect(!rate.isFull(at: 6 * Self.second))
        #expect(rate.isFull(at: 16 * Self.second))
    }

    @Test func refusedRequestsDoNotCount() {
        var rate = TokenBucket(requestsPerMinute: 6)
        #expect(rate.consume(at: 0) == nil)
        for _ in 0..<100 { #expect(rate.consume(at: 1) != nil) }
        #expect(rate.consume(at: 10 * Self.second) == nil)
    }

    @Test func rateOfZeroMeansNoLimit() {
        var rate = TokenBucket(requestsPerMinute: 0)
        for _ in 0..<10_000 { #expect(rate.consume(at: 0) == nil) }
    }

    @Test(
        arguments: [
            ("192.0.2.1", "192.0.2.1"), (" 192.0.2.1:8080\t", "192.0.2.1"), ("::1", "0:0:0:0:0:0:0:1"),
            ("[2001:db8::1]:443", "2001:db8:0:0:0:0:0:1"), ("::ffff:192.0.2.1", "192.0.2.1"), ("unix", "unix"),
            ("", nil), ("localhost", nil), ("192.0.2", nil), ("[::1", nil), ("_hidden", nil),
        ] as [(String, String?)])
    func forwardedAddressIsParsedInEveryFormat(text: String, address: String?) {
        #expect(ClientAddress(parsing: text[...])?.description == address)
    }

    @Test func ipv6NetworkCountsAsOneAddress() {
        let one = ClientAddress(parsing: "2001:db8:1:2::1")
        #expect(one?.counted == ClientAddress(parsing: "2001:db8:1:2:ffff::9")?.counted)
        #expect(one?.counted != ClientAddress(parsing: "2001:db8:1:3::1")?.counted)
    }

    @Test func trustedProxiesInARowAreSkipped() throws {
        let table = ClientTable(limits: ConnectionLimits(), proxies: [.four(9), .four(8)])
        let outer = try #require(ClientAddress(parsing: "0.0.0.8"))
        #expect(outer == .four(8))
        func client(_ header: String?) -> ClientAddress { table.client(of: .four(9), forwardedFor: header).address }
        #expect(client("192.0.2.66, 192.0.2.1, 0.0.0.8") == ClientAddress(parsing: "192.0.2.1"))
        #expect(client("192.0.2.66, 192.0.2.1") == ClientAddress(parsing: "192.0.2.1"))
        // The client itself can send the header, but only proxies append to it.
        #expect(client("0.0.0.8, 192.0.2.1") == ClientAddress(parsing: "192.0.2.1"))
        #expect(client("nonsense, 0.0.0.8") == .four(8))
        #expect(client("") == .four(9))
        #expect(table.client(of: .four(7), forwardedFor: "192.0.2.1").address == .four(7))
    }

    @Test func connectionsAreLimitedPerAddressAndInTotal() throws {
        var limits = ConnectionLimits()
        limits.connections = 3
        limits.connectionsPerAddress = 2
        let table = ClientTable(limits: limits, proxies: [.four(9)])
        let one = try #require(table.admit(.four(1)))
        #expect(one.refusal == nil)
        #expect(table.admit(.four(1))?.refusal == .some(nil))
        #expect(table.admit(.four(1))?.refusal == .connectionsOfAddress)
        #expect(table.admit(.four(2))?.refusal == .some(nil))
        #expect(table.admit(.four(2))?.refusal == .connections)
        table.release(one)
        // A proxy has no limit per address.
        #expect(table.admit(.four(9))?.refusal == .some(nil))
        #expect(table.counts.connections == 3)
        #expect(table.counts.accepted == 4)
        #expect(table.counts.refused == 2)
    }

    @Test(arguments: ["a", "a.example:80", "127.0.0.1", "[::1]:8080", "", "xn--a-b.example"])
    func hostWithOptionalPortIsAccepted(text: String) {
        #expect(CheckedHead.isHost(text))
    }

    @Test(arguments: [
        "a b", "a/b", "a:b", "a:123456", "[::1", "[x]", "a@b", "a\\b", "<a>", "[::1]x",
        String(repeating: "a", count: 300),
    ])
    func invalidHostIsRejected(text: String) {
        #expect(!CheckedHead.isHost(text))
    }
}
