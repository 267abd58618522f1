import Glibc
import Synchronization
import TestSupport
import Testing

@testable import EPGHTTP
@testable import EPGServer
@testable import ServiceTestSupport

@Suite("Shutdown under load", .serialized)
struct DrainTests {
    /// The results of a client.
    private struct ClientResult: Sendable {
        var responses = 0
        /// Number of requests that were sent before the shutdown and got no complete response.
        var lost = 0
        var resets = 0
        /// Whether a response had `Connection: close`.
        var receivedClose = false
    }

    private enum RequestPattern: CaseIterable {
        /// One request after another.
        case keepsAlive
        /// Four requests at once.
        case pipelines
        /// A connection for each request.
        case reconnects
        /// One request every 30 ms.
        case pauses
    }

    /// The clients that were served, and the start of the shutdown.
    private final class ShutdownStart: Sendable {
        private let instant = Mutex<ContinuousClock.Instant?>(nil)
        private let clients = Mutex<Set<Int>>([])

        func addServed(_ number: Int) { clients.withLock { _ = $0.insert(number) } }

        var servedCount: Int { clients.withLock { $0.count } }

        func begin() { instant.withLock { $0 = .now } }

        func isBefore(_ sent: ContinuousClock.Instant) -> Bool { instant.withLock { $0.map { $0 <= sent } ?? false } }
    }

    /// Sends requests until the service no longer accepts connections.
    private static func sendRequests(_ pattern: RequestPattern, _ number: Int, port: Int, end: ShutdownStart)
        -> ClientResult
    {
        var result = ClientResult()
        var client: RawClient?
        var requestCount = 0
        while true {
            guard let open = client ?? (try? RawClient(port: port)) else { return result }
            client = open
            let count = pattern == .pipelines ? 4 : 1
            let requests = (0..<count).map { index in
                // Each needs the guide.
                "GET /api/v1/now?at=\(number * 100_000 + (requestCount + index) * 60)&limit=1 HTTP/1.1\r\nHost: a\r\n\r\n"
            }
            requestCount += count
            guard (try? open.send(requests.joined())) != nil else {
                result.resets += open.wasReset ? 1 : 0
                client = nil
                if !isOpen(port) { return result }
                continue
            }
            let sent = ContinuousClock.now
            for _ in 0..<count {
                guard let response = try? open.readResponse(), response.status == 200 || response.status == 503 else {
                    if !end.isBefore(sent) {
                        result.lost += 1
                        if open.wasReset { result.resets += 1 }
                    }
                    client = nil
                    break
                }
                result.responses += 1
                end.addServed(number)
                if response["connection"] == "close" {
                    result.receivedClose = true
                    client = nil
                }
            }
            if pattern == .reconnects { client = nil }
            if pattern == .pauses { usleep(30_000) }
        }
    }

    /// Returns whether the service is not shutting down.
    private static func isReady(_ port: Int) async -> Bool {
        (try? await RawClient.get("/readyz", port: port).status) == 200
    }

    private static func isOpen(_ port: Int) -> Bool { (try? RawClient(port: port)) != nil }

    @Test(.timeLimit(.minutes(30))) func requestSentBeforeShutdownGetsAResponse() async throws {
        let end = ShutdownStart()
        let results = try await GuardedServer.run(delay: .milliseconds(2)) {
            $0.limits.drainPause = .seconds(3)
            $0.limits.requestsPerMinute = 0
        } _: { server in
            try await withThrowingTaskGroup(of: ClientResult.self) { clients in
                for number in 0..<48 {
                    let pattern = RequestPattern.allCases[number % RequestPattern.allCases.count]
                    clients.addTask { [port = server.port] in
                        try await RawClient.onThread { Self.sendRequests(pattern, number, port: port, end: end) }
                    }
                }
                let areServed = try await eventually(within: .seconds(600)) { end.servedCount == 48 }
                #expect(areServed)
                end.begin()
                await server.shutDown()
                return try await clients.reduce(into: []) { $0.append($1) }
            }
        }
        expectEqual(results.count, 48)
        #expect(results.allSatisfy { $0.responses > 0 })
        expectEqual(results.reduce(0) { $0 + $1.lost }, 0)
        expectEqual(results.reduce(0) { $0 + $1.resets }, 0)
        #expect(results.contains { $0.receivedClose })
    }

    /// The client sends several requests in one write. The service has read only the first one when it shuts down.
    @Test func pipelinedRequestsGetResponsesBeforeTheConnectionEnds() async throws {
        let gate = Gate()
        try await GuardedServer.run(gate: gate) {
            $0.queryDeadline = TestScope.unreachedTimeLimit
        } _: { server in
            async let responses = RawClient.onThread {
                let client = try RawClient(port: server.port)
                try client.send(
                    (1...5).map { "GET /api/v1/now?at=\($0 * 60) HTTP/1.1\r\nHost: a\r\n\r\n" }.joined())
                var responses: [RawResponse] = []
                for _ in 1...5 { responses.append(try client.readResponse()) }
                let rest = try client.readToEnd()
                return (
                    responses.map { $0.status }, responses.map { $0["connection"] }, rest.isEmpty && !client.wasReset
                )
            }
            #expect(try await gate.isReached())
            await server.shutDown()
            try await expectEventually { await !Self.isReady(server.port) }
            gate.open()
            let (statuses, connections, hasEnded) = try await responses
            expectEqual(statuses, [200, 200, 200, 200, 200])
            expectEqual(connections, [nil, nil, nil, nil, "close"])
            #expect(hasEnded)
        }
    }

    @Test func idleConnectionIsClosedAfterTheDrainPause() async throws {
        try await GuardedServer.run {
            $0.limits.drainPause = .milliseconds(700)
        } _: { server in
            let (idle, late) = (try RawClient(port: server.port), try RawClient(port: server.port))
            await server.shutDown()
            try await expectEventually { await !Self.isReady(server.port) }
            let (status, wasReset) = try await RawClient.onThread {
                [idle = TransferableClient(client: idle), late = TransferableClient(client: late)] in
                // The request arrives during the shutdown.
                try late.client.send("GET /healthz HTTP/1.1\r\nHost: a\r\n\r\n")
                let response = try late.client.readResponse()
                expectResponse(response, headers: ["connection": "close"])
                let rest = try idle.client.readToEnd() + late.client.readToEnd()
                expectEqual(rest, [])
                return (response.status, idle.client.wasReset || late.client.wasReset)
            }
            expectEqual(status, 200)
            #expect(!wasReset)
        }
    }

    @Test func serviceIsNotReadyDuringShutdown() async throws {
        try await GuardedServer.run {
            $0.limits.drainPause = .seconds(2)
        } _: { server in
            expectResponse(try await RawClient.get("/readyz", port: server.port), 200)
            await server.shutDown()
            try await expectEventually { await !Self.isReady(server.port) }
            let response = try await RawClient.get("/readyz", port: server.port)
            expectResponse(response, 503)
            expectEqual(response.text, "shutting down\n")
            expectResponse(response, headers: ["connection": "close"])
            // The service is alive and responds.
            expectResponse(try await RawClient.get("/healthz", port: server.port), 200)
            expectResponse(try await RawClient.get("/api/v1/groups", port: server.port), 200)
        }
    }
}
