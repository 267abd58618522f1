import TestSupport
import Testing

@testable import EPGHTTP
@testable import EPGServer
@testable import ServiceTestSupport

/// Tests that searches do not delay other requests and end when their clients leave.
@Suite("Searches and other requests", .serialized, .timeLimit(.minutes(30)))
struct SearchShareTests {
    /// Runs the service behind a proxy that names clients. The gate holds the first `count` reads.
    private static func run(
        holding count: Int, _ body: @Sendable (_ port: Int, Gate) async throws -> Void
    ) async throws {
        let gate = Gate(holding: count)
        try await GuardedServer.run(gate: gate) {
            $0.trustedProxies = ["127.0.0.1"]
            // The gate holds reads with this deadline.
            $0.queryDeadline = TestScope.unreachedTimeLimit
        } _: { server in
            defer { gate.open() }
            try await body(server.port, gate)
        }
    }

    private static func get(_ target: String, _ port: Int, as host: Int) async throws -> RawResponse {
        try await RawClient.get(target, port: port, headers: ["X-Forwarded-For: 192.0.2.\(host)"])
    }

    /// Waits until the metrics contain a line.
    private static func wait(for line: String, _ port: Int) async throws {
        let isFound = try await eventually {
            let text = try await RawClient.get("/metrics", port: port).text
            return text.split(separator: "\n").contains(Substring(line))
        }
        try #require(isFound, "/metrics never contained \(line)")
    }

    @Test func otherRequestsSucceedWhileAllSearchPlacesAreTaken() async throws {
        let limits = WorkClass.searches.limits
        try await Self.run(holding: limits.running) { port, gate in
            try await withThrowingTaskGroup(of: RawResponse.self) { tasks in
                defer { gate.open() }
                // Each client takes all its places.
                let clients = limits.places / limits.placesPerClient
                for place in 0..<limits.places {
                    let path = place.isMultiple(of: 2) ? "/api/v1/search?q=word\(place)" : "/search?q=word\(place)"
                    tasks.addTask { try await Self.get(path, port, as: place % clients) }
                }
                try await Self.wait(
                    for: "epg_readings_waiting{class=\"search\"} \(limits.places - limits.running)", port)
                let share = try await Self.get("/api/v1/search?q=other", port, as: 0)
                expectResponse(share, 429, headers: ["retry-after": "\(limits.retryAfter)"])
                let full = try await Self.get("/search?q=other", port, as: clients)
                expectResponse(full, 503, headers: ["retry-after": "\(limits.retryAfter)"])
                for path in [
                    "/", "/home", "/search", "/readyz", "/healthz", "/metrics", "/api/v1/grid?form=columns&hours=1",
                    "/api/v1/stations", "/xmltv.xml",
                ] {
                    expectResponse(try await Self.get(path, port, as: 0), 200, "\(path)")
                }
                gate.open()
                for try await response in tasks { expectResponse(response, 200) }
            }
            try await Self.wait(for: "epg_readings_running{class=\"search\"} 0", port)
        }
    }

    @Test func oneClientLeavesAThreadToReadsOfOthers() async throws {
        let share = WorkClass.reads.limits.runningPerClient
        try await Self.run(holding: share) { port, gate in
            try await withThrowingTaskGroup(of: RawResponse.self) { tasks in
                defer { gate.open() }
                for limit in 1...share + 1 {
                    tasks.addTask { try await Self.get("/api/v1/stations?limit=\(limit)", port, as: 1) }
                }
                try await Self.wait(for: "epg_readings_running{class=\"read\"} \(share)", port)
                try await Self.wait(for: "epg_readings_waiting{class=\"read\"} 1", port)
                expectResponse(try await Self.get("/api/v1/stations?limit=100", port, as: 2), 200)
                expectResponse(try await Self.get("/", port, as: 2), 200)
                gate.open()
                for try await response in tasks { expectResponse(response, 200) }
            }
        }
    }

    @Test func clientDoesNotWaitInTheQueueOfAnotherClientWithTheSameRequest() async throws {
        try await Self.run(holding: 1) { port, gate in
            try await withThrowingTaskGroup(of: RawResponse.self) { tasks in
                defer { gate.open() }
                tasks.addTask { try await Self.get("/api/v1/search?q=slow", port, as: 1) }
                #expect(try await gate.isReached())
                tasks.addTask { try await Self.get("/api/v1/search?q=news", port, as: 1) }
                try await Self.wait(for: "epg_readings_waiting{class=\"search\"} 1", port)
                expectResponse(try await Self.get("/api/v1/search?q=news", port, as: 2), 200)
                gate.open()
                for try await response in tasks { expectResponse(response, 200) }
            }
        }
    }

    @Test(arguments: [false, true])
    func searchEndsWhenItsClientLeaves(isReset: Bool) async throws {
        try await Self.run(holding: 1) { port, gate in
            let waiting = try await RawClient.onThread {
                let clients = try (0..<2).map { number in
                    let client = try RawClient(port: port)
                    try client.send(
                        "GET /api/v1/search?q=word\(number) HTTP/1.1\r\nHost: a\r\nX-Forwarded-For: 192.0.2.1\r\n\r\n")
                    return TransferableClient(client: client)
                }
                return clients
            }
            #expect(try await gate.isReached())
            try await Self.wait(for: "epg_readings_waiting{class=\"search\"} 1", port)
            for connection in waiting { if isReset { connection.client.reset() } else { connection.client.close() } }
            // The waiting search is dropped, and the running one is canceled.
            try await Self.wait(for: "epg_readings_cancelled_total{class=\"search\"} 2", port)
            try await Self.wait(for: "epg_readings_waiting{class=\"search\"} 0", port)
            expectResponse(try await Self.get("/api/v1/search?q=word2", port, as: 2), 200)
            gate.open()
            try await Self.wait(for: "epg_readings_running{class=\"search\"} 0", port)
        }
    }

    @Test func deadlineCountsFromTheArrivalOfTheRequest() async throws {
        let guide = try SharedGuides.sample.get()
        // No other test caches the response to this search.
        let late = await guide.get("/api/v1/search?q=arrival", arrival: .now - TestScope.unreachedTimeLimit)
        expectEqual(late.status, 503)
        expectText(late.text, contains: ["exceeded the time limit"])
        expectEqual(await guide.get("/api/v1/search?q=arrival").status, 200)
    }
}
