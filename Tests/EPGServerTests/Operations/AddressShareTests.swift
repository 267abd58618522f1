import TestSupport
import Testing

@testable import EPGHTTP
@testable import EPGServer
@testable import ServiceTestSupport

@Suite("Limits per address", .serialized)
struct AddressShareTests {
    /// Opens an event stream as a client behind a proxy.
    private static func listen(_ port: Int, as address: String?) throws -> (RawClient, RawResponse) {
        let client = try RawClient(port: port)
        let header = address.map { "X-Forwarded-For: 203.0.113.9, \($0)\r\n" } ?? ""
        try client.send("GET /api/v1/events HTTP/1.1\r\nHost: a\r\n\(header)\r\n")
        let head = try client.readHead()
        return (client, head)
    }

    @Test func listenersAreLimitedPerAddressAndInTotal() async throws {
        try await RunningServer.run(
            ServedGuide(),
            change: { settings in
                settings.trustedProxies = ["127.0.0.1"]
                settings.live.maximumCountPerAddress = 2
                settings.live.maximumCount = 5
            }
        ) { server in
            try await RawClient.onThread { [port = server.port] in
                var open = [try Self.listen(port, as: "192.0.2.1"), try Self.listen(port, as: "192.0.2.1")]
                #expect(open.allSatisfy { $0.1.status == 200 })
                let rejection = try Self.listen(port, as: "192.0.2.1").1
                expectResponse(rejection, 429, headers: ["retry-after": "30"])
                open.append(try Self.listen(port, as: "192.0.2.2"))
                // All addresses of an IPv6 network count as one.
                open.append(try Self.listen(port, as: "2001:db8::1"))
                open.append(try Self.listen(port, as: "2001:db8::2"))
                #expect(open.allSatisfy { $0.1.status == 200 })
                expectResponse(try Self.listen(port, as: "2001:db8::3").1, 429)
                // The total limit is reached.
                expectResponse(try Self.listen(port, as: "192.0.2.3").1, 503)
                open.removeFirst().0.close()
                var status = 429
                for _ in 0..<200 where status == 429 || status == 503 {
                    status = try Self.listen(port, as: "192.0.2.1").1.status
                }
                expectEqual(status, 200)
            }
        }
    }

    /// A trusted proxy that names no client is not limited.
    @Test(arguments: [([], 429), (["127.0.0.1"], 200)] as [([String], Int)])
    func onlyATrustedProxyCanNameItsClients(proxies: [String], status: Int) async throws {
        try await RunningServer.run(
            ServedGuide(),
            change: { settings in
                settings.trustedProxies = proxies
                settings.live.maximumCountPerAddress = 1
            }
        ) { server in
            try await RawClient.onThread { [port = server.port] in
                let first = try Self.listen(port, as: "192.0.2.1")
                expectResponse(first.1, 200)
                let second = try Self.listen(port, as: "192.0.2.2")
                expectResponse(second.1, status)
                let third = try Self.listen(port, as: nil)
                expectResponse(third.1, status)
                first.0.close()
            }
        }
    }

    @Test(.timeLimit(.minutes(30))) func queuedFeedsAreLimitedPerAddressAndInTotal() async throws {
        let gate = Gate()
        try await GuardedServer.run(gate: gate) {
            $0.trustedProxies = ["127.0.0.1"]
            $0.feeds.maximumQueuePerAddress = 2
            $0.feeds.maximumQueue = 3
            // The gate holds the requests.
            $0.queryDeadline = TestScope.unreachedTimeLimit
            $0.feeds.deadline = TestScope.unreachedTimeLimit
        } _: { server in
            @Sendable func getFeed(_ days: Int, as address: String) async throws -> RawResponse {
                try await RawClient.get(
                    "/xmltv.xml?days=\(days)", port: server.port, headers: ["X-Forwarded-For: \(address)"])
            }
            try await withThrowingTaskGroup(of: RawResponse.self) { tasks in
                defer { gate.open() }
                for days in 1...3 { tasks.addTask { try await getFeed(days, as: "192.0.2.1") } }
                let rejection = try #require(try await tasks.next())
                expectResponse(rejection, 429, headers: ["retry-after": "15"])
                // The queue has room for one of these two requests.
                for host in 2...3 { tasks.addTask { try await getFeed(10 + host, as: "192.0.2.\(host)") } }
                expectEqual(try await tasks.next()?.status, 503)
                gate.open()
                for try await response in tasks { expectResponse(response, 200) }
            }
        }
    }
}
