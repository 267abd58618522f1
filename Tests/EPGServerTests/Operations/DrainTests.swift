import Glibc
import Synchronization
import Testing

@testable import EPGServer

@Suite("Shutdown under load", .serialized)
struct DrainTests {
    /// The results of a client.
    private struct Fate: Sendable {
        var answers = 0
        /// Requests that were sent before the shutdown and got no complete response.
        var lost = 0
        var resets = 0
        /// Whether a response announced that the connection ends.
        var wasAskedToGo = false
    }

    private enum Habit: CaseIterable {
        /// One request after another.
        case keepsAlive
        /// Four requests at once.
        case pipelines
        /// A connection for each request.
        case comesAnew
        /// One request every 30 ms.
        case pauses
    }

    /// When the shutdown began; `nil` before.
    private final class End: Sendable {
        private let instant = Mutex<ContinuousClock.Instant?>(nil)

        func begin() { instant.withLock { $0 = .now } }

        func isBefore(_ sent: ContinuousClock.Instant) -> Bool { instant.withLock { $0.map { $0 <= sent } ?? false } }
    }

    /// Sends requests until the service is gone.
    private static func ask(_ habit: Habit, _ number: Int, port: Int, end: End) -> Fate {
        var fate = Fate()
        var client: RawClient?
        var asked = 0
        while true {
            guard let open = client ?? (try? RawClient(port: port)) else { return fate }
            client = open
            let count = habit == .pipelines ? 4 : 1
            let requests = (0..<count).map { index in
                // Each needs the guide.
                "GET /api/v1/now?at=\(number * 100_000 + (asked + index) * 60)&limit=1 HTTP/1.1\r\nHost: a\r\n\r\n"
            }
            asked += count
            guard (try? open.send(requests.joined())) != nil else {
                fate.resets += open.wasReset ? 1 : 0
                client = nil
                if !isOpen(port) { return fate }
                continue
            }
            let sent = ContinuousClock.now
            for _ in 0..<count {
                guard let answer = try? open.readAnswer(), answer.status == 200 || answer.status == 503 else {
                    if !end.isBefore(sent) {
                        fate.lost += 1
                        if open.wasReset { fate.resets += 1 }
                    }
                    client = nil
                    break
                }
                fate.answers += 1
                if answer["connection"] == "close" {
                    fate.wasAskedToGo = true
                    client = nil
                }
            }
            if habit == .comesAnew { client = nil }
            if habit == .pauses { usleep(30_000) }
        }
    }

    private static func isOpen(_ port: Int) -> Bool { (try? RawClient(port: port)) != nil }

    @Test(.timeLimit(.minutes(30))) func requestSentBeforeShutdownGetsAResponse() async throws {
        let end = End()
        let fates = try await GuardedServer.run(delay: .milliseconds(2)) {
            $0.limits.drainPause = .milliseconds(500)
            $0.limits.requestsPerMinute = 0
        } _: { server in
            try await withThrowingTaskGroup(of: Fate.self) { clients in
                for number in 0..<48 {
                    let habit = Habit.allCases[number % Habit.allCases.count]
                    clients.addTask { [port = server.port] in
                        try await RawClient.onThread { Self.ask(habit, number, port: port, end: end) }
                    }
                }
                try await Task.sleep(for: .seconds(1))
                end.begin()
                await server.shutDown()
                return try await clients.reduce(into: []) { $0.append($1) }
            }
        }
        #expect(fates.count == 48)
        #expect(fates.allSatisfy { $0.answers > 0 })
        #expect(fates.reduce(0) { $0 + $1.lost } == 0)
        #expect(fates.reduce(0) { $0 + $1.resets } == 0)
        #expect(fates.contains { $0.wasAskedToGo })
    }

    /// Several requests in one write, of which the service has read only the first when it shuts down.
    @Test func pipelinedRequestsGetResponsesBeforeTheConnectionEnds() async throws {
        let gate = Gate()
        try await GuardedServer.run(gate: gate) {
            $0.queryDeadline = .seconds(600)
        } _: { server in
            async let answers = RawClient.onThread {
                let client = try RawClient(port: server.port)
                try client.send(
                    (1...5).map { "GET /api/v1/now?at=\($0 * 60) HTTP/1.1\r\nHost: a\r\n\r\n" }.joined())
                var answers: [RawAnswer] = []
                for _ in 1...5 { answers.append(try client.readAnswer()) }
                let rest = try client.readToEnd()
                return (answers.map { $0.status }, answers.map { $0["connection"] }, rest.isEmpty && !client.wasReset)
            }
            #expect(try await gate.isReached())
            await server.shutDown()
            try await Task.sleep(for: .milliseconds(100))
            gate.open()
            let (statuses, connections, hasEnded) = try await answers
            #expect(statuses == [200, 200, 200, 200, 200])
            #expect(connections == [nil, nil, nil, nil, "close"])
            #expect(hasEnded)
        }
    }

    @Test func idleConnectionStaysOpenForThePauseAndIsThenClosed() async throws {
        try await GuardedServer.run {
            $0.limits.drainPause = .milliseconds(700)
        } _: { server in
            let (idle, late) = (try RawClient(port: server.port), try RawClient(port: server.port))
            await server.shutDown()
            let (status, wasReset) = try await RawClient.onThread { [idle = Held(idle), late = Held(late)] in
                // The request arrives during the shutdown.
                usleep(300_000)
                try late.client.send("GET /healthz HTTP/1.1\r\nHost: a\r\n\r\n")
                let answer = try late.client.readAnswer()
                #expect(answer["connection"] == "close")
                let rest = try idle.client.readToEnd() + late.client.readToEnd()
                #expect(rest.isEmpty)
                return (answer.status, idle.client.wasReset || late.client.wasReset)
            }
            #expect(status == 200)
            #expect(!wasReset)
        }
    }

    @Test func serviceIsNotReadyDuringShutdown() async throws {
        try await GuardedServer.run {
            $0.limits.drainPause = .seconds(2)
        } _: { server in
            #expect(try await RawClient.get("/readyz", port: server.port).status == 200)
            await server.shutDown()
            var answer = try await RawClient.get("/readyz", port: server.port)
            for _ in 0..<100 where answer.status == 200 {
                answer = try await RawClient.get("/readyz", port: server.port)
            }
            #expect(answer.status == 503)
            #expect(answer.text == "shutting down\n")
            #expect(answer["connection"] == "close")
            // The service is alive and responds.
            #expect(try await RawClient.get("/healthz", port: server.port).status == 200)
            #expect(try await RawClient.get("/api/v1/groups", port: server.port).status == 200)
        }
    }
}

/// A connection that several threads use in turn.
private struct Held: @unchecked Sendable {
    let client: RawClient

    init(_ client: RawClient) {
        self.client = client
    }
}
