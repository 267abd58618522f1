import TestSupport
import Testing

@testable import EPGHTTP

@Suite("Limits per client")
struct TokenBucketTests {
    private static let second: Int64 = 1_000_000_000

    @Test func burstIsAllowedThenRequestsAreRateLimited() {
        // 120 per minute: two per second, with a burst of twenty.
        var rate = TokenBucket(requestsPerMinute: 120)
        for _ in 0..<20 { expectEqual(rate.consume(at: 5 * Self.second), nil) }
        expectEqual(rate.consume(at: 5 * Self.second), Self.second / 2)
        expectEqual(rate.consume(at: 5 * Self.second + Self.second / 4), Self.second / 4)
        expectEqual(rate.consume(at: 5 * Self.second + Self.second / 2), nil)
        #expect(!rate.isFull(at: 6 * Self.second))
        #expect(rate.isFull(at: 16 * Self.second))
    }

    @Test func refusedRequestsDoNotCount() {
        var rate = TokenBucket(requestsPerMinute: 6)
        expectEqual(rate.consume(at: 0), nil)
        for _ in 0..<100 { #expect(rate.consume(at: 1) != nil) }
        expectEqual(rate.consume(at: 10 * Self.second), nil)
    }

    @Test func rateOfZeroMeansNoLimit() {
        var rate = TokenBucket(requestsPerMinute: 0)
        for _ in 0..<10_000 { expectEqual(rate.consume(at: 0), nil) }
    }

    @Test(
        arguments: [
            ("192.0.2.1", "192.0.2.1"), (" 192.0.2.1:8080\t", "192.0.2.1"), ("::1", "0:0:0:0:0:0:0:1"),
            ("[2001:db8::1]:443", "2001:db8:0:0:0:0:0:1"), ("::ffff:192.0.2.1", "192.0.2.1"), ("unix", "unix"),
            ("", nil), ("localhost", nil), ("192.0.2", nil), ("[::1", nil), ("_hidden", nil),
        ] as [(String, String?)])
    func forwardedAddressIsParsedInEveryFormat(text: String, address: String?) {
        expectEqual(ClientAddress(parsing: text[...])?.description, address)
    }

    @Test func ipv6NetworkCountsAsOneAddress() {
        let one = ClientAddress(parsing: "2001:db8:1:2::1")
        expectEqual(one?.counted, ClientAddress(parsing: "2001:db8:1:2:ffff::9")?.counted)
        #expect(one?.counted != ClientAddress(parsing: "2001:db8:1:3::1")?.counted)
    }

    @Test func trustedProxiesInARowAreSkipped() throws {
        let table = ClientTable(limits: ConnectionLimits(), proxies: [.four(9), .four(8)])
        let outer = try #require(ClientAddress(parsing: "0.0.0.8"))
        expectEqual(outer, .four(8))
        func client(_ header: String?) -> ClientAddress { table.client(of: .four(9), forwardedFor: header).address }
        expectEqual(client("192.0.2.66, 192.0.2.1, 0.0.0.8"), ClientAddress(parsing: "192.0.2.1"))
        expectEqual(client("192.0.2.66, 192.0.2.1"), ClientAddress(parsing: "192.0.2.1"))
        // The client itself can send the header, but only proxies append to it.
        expectEqual(client("0.0.0.8, 192.0.2.1"), ClientAddress(parsing: "192.0.2.1"))
        expectEqual(client("nonsense, 0.0.0.8"), .four(8))
        expectEqual(client(""), .four(9))
        func limited(_ header: String?) -> ClientAddress? {
            table.client(of: .four(9), forwardedFor: header).limitedAddress
        }
        expectEqual(limited("192.0.2.1"), ClientAddress(parsing: "192.0.2.1"))
        expectEqual(limited(nil), nil)
        // RFC 7239, 6: proxies may hide the address.
        for hop in ["unknown", "_hidden", "192.0.2.66, nonsense"] { expectEqual(limited(hop), .four(9), hop) }
        expectEqual(table.client(of: .four(7), forwardedFor: "192.0.2.1").address, .four(7))
    }

    @Test func connectionsAreLimitedPerAddressAndInTotal() throws {
        var limits = ConnectionLimits()
        limits.connections = 3
        limits.connectionsPerAddress = 2
        let table = ClientTable(limits: limits, proxies: [.four(9)])
        let one = try #require(table.admit(.four(1)))
        expectEqual(one.refusal, nil)
        func refusals(_ addresses: [ClientAddress]) throws -> [Refusal?] {
            try addresses.map { try #require(table.admit($0)).refusal }
        }
        expectEqual(
            try refusals([.four(1), .four(1), .four(2), .four(2)]), [nil, .connectionsOfAddress, nil, .connections])
        table.release(one)
        // A proxy has no limit per address.
        expectEqual(try refusals([.four(9)]), [nil])
        expectEqual(table.counts.connections, 3)
        expectEqual(table.counts.accepted, 4)
        expectEqual(table.counts.refused, 2)
    }

    @Test(arguments: [
        ("a", true), ("a.example:80", true), ("127.0.0.1", true), ("[::1]:8080", true), ("", true),
        ("xn--a-b.example", true), ("a b", false), ("a/b", false), ("a:b", false), ("a:123456", false), ("[::1", false),
        ("[x]", false), ("a@b", false), ("a\\b", false), ("<a>", false), ("[::1]x", false),
        (String(repeating: "a", count: 300), false),
    ])
    func hostIsANameOrAnAddressWithAnOptionalPort(text: String, isHost: Bool) {
        expectEqual(CheckedHead.isHost(text), isHost)
    }
}
