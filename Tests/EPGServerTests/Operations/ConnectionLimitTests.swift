import EPGModel
import Glibc
import Synchronization
import TestSupport
import Testing

@testable import EPGHTTP
@testable import EPGServer
@testable import ServiceTestSupport

@Suite("Limits of connections", .serialized)
struct ConnectionLimitTests {
    private static let get = "GET /healthz HTTP/1.1\r\nHost: a\r\n\r\n"

    private static func request(for address: String) -> String {
        "GET /healthz HTTP/1.1\r\nHost: a\r\nX-Forwarded-For: 1.2.3.4, \(address)\r\n\r\n"
    }

    /// Runs a service with timeouts of tenths of seconds.
    private func run(
        _ change: (inout ConnectionLimits) -> Void, _ body: @Sendable (GuardedServer) async throws -> Void
    ) async throws {
        try await GuardedServer.run(change: { change(&$0.limits) }, body)
    }

    @Test func connectionsAboveTheLimitOfAnAddressGet503() async throws {
        try await run {
            $0.connectionsPerAddress = 2
        } _: { server in
            try await RawClient.onThread {
                let first = try RawClient(port: server.port)
                let second = try RawClient(port: server.port)
                try first.send(Self.get)
                try second.send(Self.get)
                expectResponse(try first.readResponse(), 200)
                expectResponse(try second.readResponse(), 200)
                let third = try RawClient(port: server.port)
                let rejection = try third.readResponse()
                expectResponse(rejection, 503, headers: ["retry-after": "5", "connection": "close"])
                expectEqual(try third.readToEnd(), [])
                // Closing a connection makes room for another connection.
                second.close()
                let isAccepted = try waitUntil { try responseStatus(server.port, Self.get) == 200 }
                #expect(isAccepted)
            }
        }
    }

    /// The second request waits for the response to the first one, and its body never arrives.
    @Test func rejectedRequestWithMissingBodyIsClosedAndDoesNotDelayShutdown() async throws {
        try await GuardedServer.run(delay: .milliseconds(200)) {
            $0.limits.requestsPerMinute = 6
            $0.limits.bodyPeriod = .milliseconds(300)
        } _: { server in
            try await RawClient.onThread {
                let client = try RawClient(port: server.port)
                try client.send(
                    "GET /api/v1/groups HTTP/1.1\r\nHost: a\r\n\r\n"
                        + "POST /api/v1/import HTTP/1.1\r\nHost: a\r\nContent-Length: 10\r\n\r\n")
                expectResponse(try client.readResponse(), 200)
                expectResponse(try client.readResponse(), 429)
                expectResponse(try client.readResponse(), 408)
                expectEqual(try client.readToEnd(), [])
            }
        }
    }

    @Test func connectionsAboveTheTotalLimitGet503() async throws {
        try await run {
            $0.connections = 1
        } _: { server in
            try await RawClient.onThread {
                let first = try RawClient(port: server.port)
                try first.send(Self.get)
                expectResponse(try first.readResponse(), 200)
                expectEqual(try responseStatus(server.port, ""), 503)
            }
        }
    }

    @Test func slowHeadersGet408() async throws {
        try await run {
            $0.headerTimeout = .milliseconds(200)
        } _: { server in
            try await RawClient.onThread {
                let client = try RawClient(port: server.port)
                // Single bytes do not extend the timeout.
                for byte in "GET / HT" {
                    _ = Result { try client.send(String(byte)) }
                    usleep(50_000)
                }
                expectResponse(try client.readResponse(), 408)
                expectEqual(try client.readToEnd(), [])
            }
        }
    }

    @Test func idleConnectionIsClosed() async throws {
        try await run {
            $0.idleTimeout = .milliseconds(200)
        } _: { server in
            try await RawClient.onThread {
                let client = try RawClient(port: server.port)
                expectEqual(try client.readToEnd(), [])
                let other = try RawClient(port: server.port)
                try other.send(Self.get)
                expectResponse(try other.readResponse(), 200)
                expectEqual(try other.readToEnd(), [])
            }
        }
    }

    @Test func slowBodyGets408() async throws {
        // The second request exceeds the rate, so the service reads its body and drops it.
        try await run {
            $0.requestsPerMinute = 6
            $0.bodyPeriod = .milliseconds(200)
            $0.bodyBytesPerPeriod = 1000
        } _: { server in
            try await RawClient.onThread {
                let client = try RawClient(port: server.port)
                try client.send(Self.get)
                expectResponse(try client.readResponse(), 200)
                try client.send("POST /x HTTP/1.1\r\nHost: a\r\nContent-Length: 100000\r\n\r\n")
                expectResponse(try client.readResponse(), 429)
                for _ in 0..<8 {
                    _ = Result { try client.send("some bytes") }
                    usleep(50_000)
                }
                expectResponse(try client.readResponse(), 408)
            }
        }
    }

    @Test func connectionIsClosedWhenTheClientReadsNothing() async throws {
        try await run {
            $0.writeTimeout = .milliseconds(300)
            $0.requestsPerMinute = 0
        } _: { server in
            let start = ContinuousClock.now
            let failed = try await RawClient.onThread {
                let client = try RawClient(port: server.port)
                let requests = String(repeating: "GET /metrics HTTP/1.1\r\nHost: a\r\n\r\n", count: 200)
                // The responses exceed the buffers of both sockets.
                for _ in 0..<100_000 {
                    do { try client.send(requests) } catch { return true }
                }
                return false
            }
            #expect(failed)
            #expect(ContinuousClock.now - start < .seconds(60))
            #expect(try await server.isHealthy())
        }
    }

    @Test func rateCountsAllConnectionsOfAnAddress() async throws {
        // 60 per minute: a burst of ten, then one per second.
        try await run {
            $0.requestsPerMinute = 60
        } _: { server in
            try await RawClient.onThread {
                let start = ContinuousClock.now
                var accepted = 0
                var client = try RawClient(port: server.port)
                try client.send(Self.get)
                var rejection = try client.readResponse()
                while rejection.status == 200 {
                    accepted += 1
                    client = try RawClient(port: server.port)
                    try client.send(Self.get)
                    rejection = try client.readResponse()
                }
                let seconds = Int((ContinuousClock.now - start).components.seconds)
                #expect((10...10 + seconds + 1).contains(accepted))
                expectResponse(rejection, 429, headers: ["retry-after": "1"], contains: ["\"status\":429"])
                // The connection stays open.
                let isAdmitted = try waitUntil {
                    try client.send(Self.get)
                    return try client.readResponse().status == 200
                }
                #expect(isAdmitted)
            }
        }
    }

    @Test func forwardedAddressIsUsedOnlyFromATrustedProxy() async throws {
        let addresses = [
            "192.0.2.1", "192.0.2.1", "192.0.2.2", "2001:db8::1", "[2001:db8::2]:99", "nonsense", "nonsense",
        ]
        for (isTrusted, expected) in [
            (true, [200, 429, 200, 200, 429, 200, 429]), (false, [200, 429, 429, 429, 429, 429, 429]),
        ] {
            try await GuardedServer.run {
                $0.limits.requestsPerMinute = 1
                if isTrusted { $0.trustedProxies = ["127.0.0.1"] }
            } _: { server in
                try await RawClient.onThread {
                    for (address, status) in zip(addresses, expected) {
                        let actual = try responseStatus(server.port, Self.request(for: address))
                        expectEqual(actual, status, "\(address) \(isTrusted)")
                    }
                }
            }
        }
    }

    @Test func slowConnectionsDoNotDelayOthers() async throws {
        try await run {
            $0.connectionsPerAddress = 1000
        } _: { server in
            let slow = try await RawClient.onThread {
                try (0..<300).map { _ in
                    let client = try RawClient(port: server.port)
                    try client.send("GET /healthz HTTP/1.1\r\nHo")
                    return TransferableClient(client: client)
                }
            }
            let start = ContinuousClock.now
            for _ in 0..<50 { #expect(try await server.isHealthy()) }
            #expect(ContinuousClock.now - start < .seconds(10))
            expectEqual(slow.count, 300)
        }
    }

    @Test func pipelinedRequestsGetResponsesInOrder() async throws {
        try await run {
            $0.requestsPerMinute = 0
        } _: { server in
            let statuses = try await RawClient.onThread {
                let client = try RawClient(port: server.port)
                let pair = Self.get + "GET /nothing HTTP/1.1\r\nHost: a\r\n\r\n"
                try client.send(String(repeating: pair, count: 500))
                client.finishSending()
                var statuses: [Int] = []
                for _ in 0..<1000 { statuses.append(try client.readResponse().status) }
                return try client.readToEnd().isEmpty ? statuses : []
            }
            expectEqual(statuses, (0..<1000).map { $0.isMultiple(of: 2) ? 200 : 404 })
        }
    }

    /// RFC 9112, 9.3.2: responses are in the order of the requests.
    @Test(arguments: ["GET /", "GET / HTTP/1.1\r\nA: "])
    func requestBeforeAnOversizedOneGetsItsResponseFirst(beginning: String) async throws {
        let gate = Gate()
        try await GuardedServer.run(gate: gate) {
            $0.queryDeadline = TestScope.unreachedTimeLimit
        } _: { server in
            let client = try await RawClient.onThread {
                let client = try RawClient(port: server.port)
                try client.send("GET /api/v1/stations HTTP/1.1\r\nHost: a\r\n\r\n")
                return TransferableClient(client: client)
            }
            #expect(try await gate.isReached())
            try await RawClient.onThread {
                try client.client.send(beginning + String(repeating: "z", count: 100_000))
                // Gives the rejection time to overtake the response.
                usleep(200_000)
                gate.open()
                expectResponse(try client.client.readResponse(), 200)
                #expect([414, 431].contains(try client.client.readResponse().status))
            }
        }
    }

    @Test func clientThatExpectsContinueReceivesIt() async throws {
        try await GuardedServer.run { server in
            try await RawClient.onThread {
                let client = try RawClient(port: server.port)
                try client.send(
                    "POST /api/v1/sources HTTP/1.1\r\nHost: a\r\nContent-Length: 3\r\nExpect: 100-continue\r\n\r\n")
                expectResponse(try client.readHead(), 100)
                expectResponse(try client.readResponse(), 405)
            }
        }
    }

    @Test func connectionEndsAfterTheResponseForHTTP10OrClose() async throws {
        try await GuardedServer.run { server in
            try await RawClient.onThread {
                for request in [
                    "GET /metrics HTTP/1.1\r\nHost: a\r\nConnection: Close\r\n\r\n", "GET /metrics HTTP/1.0\r\n\r\n",
                ] {
                    let client = try RawClient(port: server.port)
                    try client.send(request)
                    let response = try client.readResponse()
                    expectResponse(response, 200, headers: ["connection": "close"])
                    expectEqual(try client.readToEnd(), [])
                }
            }
        }
    }
}

@Suite("Connections of hostile clients", .serialized)
struct HostileConnectionTests {
    /// The client does not read for a while, so most of the responses wait in the service.
    @Test func halfClosedClientReceivesEveryResponse() async throws {
        try await GuardedServer.run {
            $0.limits.requestsPerMinute = 0
        } _: { server in
            let statuses = try await RawClient.onThread {
                // The response is cached: requests that need the guide fail after the client leaves.
                expectEqual(try responseStatus(server.port, "GET /openapi.yaml HTTP/1.1\r\nHost: a\r\n\r\n"), 200)
                let client = try RawClient(port: server.port, receiveBufferSize: 128 << 10)
                try client.send(String(repeating: "GET /openapi.yaml HTTP/1.1\r\nHost: a\r\n\r\n", count: 200))
                client.finishSending()
                usleep(500_000)
                let statuses = try (0..<200).map { _ in try client.readResponse().status }
                return try client.readToEnd().isEmpty ? statuses : []
            }
            expectEqual(statuses, Array(repeating: 200, count: 200))
        }
    }

    @Test func rejectedHeadRequestHasNoBody() async throws {
        try await GuardedServer.run {
            $0.limits.requestsPerMinute = 6
        } _: { server in
            let statuses = try await RawClient.onThread {
                let client = try RawClient(port: server.port)
                return try (0..<3).map { _ in
                    try client.send("HEAD /healthz HTTP/1.1\r\nHost: a\r\n\r\n")
                    return try client.readResponse(toHead: true).status
                }
            }
            expectEqual(statuses, [200, 429, 429])
        }
    }

    /// The service increases the read size of a connection that sends a lot of data.
    @Test func longURLAfterManyRequestsGets414() async throws {
        try await GuardedServer.run {
            $0.limits.requestsPerMinute = 0
        } _: { server in
            let statuses = try await RawClient.onThread {
                let client = try RawClient(port: server.port)
                for _ in 0..<3 {
                    try client.send(String(repeating: "GET /healthz HTTP/1.1\r\nHost: a\r\n\r\n", count: 1000))
                    for _ in 0..<1000 { _ = try client.readResponse() }
                }
                try client.send("GET /\(String(repeating: "x", count: 30_000)) HTTP/1.1\r\nHost: a\r\n\r\n")
                return try client.readResponse().status
            }
            expectEqual(statuses, 414)
        }
    }

    /// The client neither sends nor closes anything.
    @Test(.timeLimit(.minutes(5))) func drainingServiceClosesConnectionsOfSilentClients() async throws {
        let kept = Mutex<TransferableClient?>(nil)
        try await GuardedServer.run {
            $0.limits.drainPause = .milliseconds(100)
            $0.limits.lingerTimeout = .milliseconds(500)
        } _: { server in
            let client = TransferableClient(client: try RawClient(port: server.port))
            kept.withLock { $0 = client }
            await server.shutDown()
            let rest = try await RawClient.onThread { try client.client.readToEnd() }
            expectEqual(rest, [])
        }
        // The service has stopped although the client has not closed its side.
        kept.withLock { $0 = nil }
    }

    @Test func endlessSpacesAreRejected() async throws {
        try await GuardedServer.run { server in
            for beginning in ["GET / HTTP/1.1\r\nHost: a\r\nX:", "POST / HTTP/1.1\r\nHost: a\r\nContent-Length:", ""] {
                let filler = beginning.isEmpty ? "\r\n" : " "
                let response = try await server.exchange(beginning + String(repeating: filler, count: 40_000))
                expectEqual(response?.status, 431, "\(beginning)")
            }
        }
    }
}

/// Sends a request on a new connection and returns the status of the response.
private func responseStatus(_ port: Int, _ request: String) throws -> Int {
    let client = try RawClient(port: port)
    try client.send(request)
    return try client.readResponse().status
}
