import Testing

@testable import EPGServer

@Suite("Who may ask how often")
struct AllowanceTests {
    private static let second: Int64 = 1_000_000_000

    @Test func tenSecondsOfRequestsMayComeAtOnceThenOneAtATime() {
        // 120 in a minute: two each second, twenty at once.
        let allowance = RequestAllowance(requestsPerMinute: 120)
        for _ in 0..<20 { #expect(allowance.take(at: 5 * Self.second) == nil) }
        #expect(allowance.take(at: 5 * Self.second) == Self.second / 2)
        #expect(allowance.take(at: 5 * Self.second + Self.second / 4) == Self.second / 4)
        #expect(allowance.take(at: 5 * Self.second + Self.second / 2) == nil)
        #expect(!allowance.isFull(at: 6 * Self.second))
        #expect(allowance.isFull(at: 16 * Self.second))
    }

    @Test func refusedRequestsTakeNothing() {
        let allowance = RequestAllowance(requestsPerMinute: 6)
        #expect(allowance.take(at: 0) == nil)
        for _ in 0..<100 { #expect(allowance.take(at: 1) != nil) }
        #expect(allowance.take(at: 10 * Self.second) == nil)
    }

    @Test func zeroIsNoLimit() {
        let allowance = RequestAllowance(requestsPerMinute: 0)
        for _ in 0..<10_000 { #expect(allowance.take(at: 0) == nil) }
    }

    @Test(
        arguments: [
            ("192.0.2.1", "192.0.2.1"), (" 192.0.2.1:8080\t", "192.0.2.1"), ("::1", "0:0:0:0:0:0:0:1"),
            ("[2001:db8::1]:443", "2001:db8:0:0:0:0:0:1"), ("::ffff:192.0.2.1", "192.0.2.1"), ("unix", "unix"),
            ("", nil), ("localhost", nil), ("192.0.2", nil), ("[::1", nil), ("_hidden", nil),
        ] as [(String, String?)])
    func addressesAsProxiesWriteThem(text: String, address: String?) {
        #expect(PeerAddress(parsing: text[...])?.description == address)
    }

    @Test func aNetworkOfIPv6CountsAsOneAddress() {
        let one = PeerAddress(parsing: "2001:db8:1:2::1")
        #expect(one?.counted == PeerAddress(parsing: "2001:db8:1:2:ffff::9")?.counted)
        #expect(one?.counted != PeerAddress(parsing: "2001:db8:1:3::1")?.counted)
    }

    @Test func connectionsComeAndGo() {
        var limits = ConnectionLimits()
        limits.connections = 3
        limits.connectionsPerAddress = 2
        let table = PeerTable(limits: limits, proxies: [.four(9)])
        guard case .admitted(let one) = table.admit(.four(1)), case .admitted = table.admit(.four(1)) else {
            Issue.record("two are admitted")
            return
        }
        guard case .refused(.tooManyOfAddress) = table.admit(.four(1)) else {
            Issue.record("the third is refused")
            return
        }
        guard case .admitted = table.admit(.four(2)), case .refused(.tooManyConnections) = table.admit(.four(2)) else {
            Issue.record("three in all are admitted")
            return
        }
        table.leave(one)
        guard case .admitted = table.admit(.four(9)) else {
            Issue.record("there is room again")
            return
        }
        #expect(table.counts.connections == 3)
        #expect(table.counts.accepted == 4)
        #expect(table.counts.refused == 2)
    }

    @Test(arguments: ["a", "a.example:80", "127.0.0.1", "[::1]:8080", "", "xn--a-b.example"])
    func hosts(text: String) {
        #expect(CheckedHead.isHost(text))
    }

    @Test(arguments: [
        "a b", "a/b", "a:b", "a:123456", "[::1", "[x]", "a@b", "a\\b", "<a>", "[::1]x",
        String(repeating: "a", count: 300),
    ])
    func whatIsNoHost(text: String) {
        #expect(!CheckedHead.isHost(text))
    }
}
