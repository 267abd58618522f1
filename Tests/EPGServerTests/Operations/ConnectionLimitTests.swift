import EPGModel
import Glibc
import Testing

@testable import EPGServer

@Suite("Limits of connections", .serialized)
struct ConnectionLimitTests {
    private static let get = "GET /healthz HTTP/1.1\r\nHost: a\r\n\r\n"

    private static func request(for address: String) -> String {
        "GET /healthz HTTP/1.1\r\nHost: a\r\nX-Forwarded-For: 1.2.3.4, \(address)\r\n\r\n"
    }

    /// Runs a service with limits that fire in tenths of seconds.
    private func run(
        _ change: (inout ConnectionLimits) -> Void, _ body: @Sendable (GuardedServer) async throws -> Void
    ) async throws {
        try await GuardedServer.run(change: { change(&$0.limits) }, body)
    }

    @Test func anAddressWithTooManyConnectionsIsTold503() async throws {
        try await run {
            $0.connectionsPerAddress = 2
        } _: { server in
            try await RawClient.onThread {
                let first = try RawClient(port: server.port)
                let second = try RawClient(port: server.port)
                try first.send(Self.get)
                try second.send(Self.get)
                #expect(try first.readAnswer().status == 200)
                #expect(try second.readAnswer().status == 200)
                let third = try RawClient(port: server.port)
                let refusal = try third.readAnswer()
                #expect(refusal.status == 503)
                #expect(refusal["retry-after"] == "5")
                #expect(refusal["connection"] == "close")
                #expect(try third.readToEnd().isEmpty)
                // Room comes back with the end of a connection.
                second.close()
                let hasRoom = try eventually { try ask(server.port, Self.get) == 200 }
                #expect(hasRoom)
            }
        }
    }

    @Test func tooManyConnectionsInAllAreTold503() async throws {
        try await run {
            $0.connections = 1
        } _: { server in
            try await RawClient.onThread {
                let first = try RawClient(port: server.port)
                try first.send(Self.get)
                #expect(try first.readAnswer().status == 200)
                #expect(try ask(server.port, "") == 503)
            }
        }
    }

    @Test func aHeadThatTakesTooLongIsTold408() async throws {
        try await run {
            $0.headerTimeout = .milliseconds(200)
        } _: { server in
            try await RawClient.onThread {
                let client = try RawClient(port: server.port)
                // A byte now and then doesn't help.
                for byte in "GET / HT" {
                    _ = Result { try client.send(String(byte)) }
                    usleep(50_000)
                }
                #expect(try client.readAnswer().status == 408)
                #expect(try client.readToEnd().isEmpty)
            }
        }
    }

    @Test func aConnectionThatSaysNothingIsClosed() async throws {
        try await run {
            $0.idleTimeout = .milliseconds(200)
        } _: { server in
            try await RawClient.onThread {
                let client = try RawClient(port: server.port)
                #expect(try client.readToEnd().isEmpty)
                let other = try RawClient(port: server.port)
                try other.send(Self.get)
                #expect(try other.readAnswer().status == 200)
                #expect(try other.readToEnd().isEmpty)
            }
        }
    }

    @Test func aBodyThatComesTooSlowlyIsClosed() async throws {
        // The second request is refused by its rate, so that its body is read and dropped.
        try await run {
            $0.requestsPerMinute = 6
            $0.bodyPeriod = .milliseconds(200)
            $0.bodyBytesPerPeriod = 1000
        } _: { server in
            try await RawClient.onThread {
                let client = try RawClient(port: server.port)
                try client.send(Self.get)
                #expect(try client.readAnswer().status == 200)
                try client.send("POST /x HTTP/1.1\r\nHost: a\r\nContent-Length: 100000\r\n\r\n")
                #expect(try client.readAnswer().status == 429)
                for _ in 0..<8 {
                    _ = Result { try client.send("some bytes") }
                    usleep(50_000)
                }
                #expect(try client.readAnswer().status == 408)
            }
        }
    }

    @Test func aClientThatDoesNotReadIsClosed() async throws {
        try await run {
            $0.writeTimeout = .milliseconds(300)
            $0.requestsPerMinute = 0
        } _: { server in
            let began = ContinuousClock.now
            let failed = try await RawClient.onThread {
                let client = try RawClient(port: server.port)
                let requests = String(repeating: "GET /metrics HTTP/1.1\r\nHost: a\r\n\r\n", count: 200)
                // 200 × 100 answers of some kilobytes are more than the sockets of both sides hold.
                for _ in 0..<100_000 {
                    do { try client.send(requests) } catch { return true }
                }
                return false
            }
            #expect(failed)
            #expect(ContinuousClock.now - began < .seconds(15))
            #expect(try await server.isHealthy())
        }
    }

    @Test func theRateOfAnAddressIsKeptAcrossItsConnections() async throws {
        // 60 in a minute: ten at once, then one each second.
        try await run {
            $0.requestsPerMinute = 60
        } _: { server in
            try await RawClient.onThread {
                for _ in 0..<10 { #expect(try ask(server.port, Self.get) == 200) }
                let client = try RawClient(port: server.port)
                try client.send(Self.get)
                let refusal = try client.readAnswer()
                #expect(refusal.status == 429)
                #expect(refusal["retry-after"] == "1")
                #expect(refusal.text.contains("\"status\":429"))
                // The connection stays, and so does the rate.
                try client.send(Self.get)
                #expect(try client.readAnswer().status == 429)
                usleep(1_100_000)
                try client.send(Self.get)
                #expect(try client.readAnswer().status == 200)
            }
        }
    }

    @Test func theAddressThatAProxyNamesCountsOnlyIfTheProxyIsTrusted() async throws {
        let addresses = [
            "192.0.2.1", "192.0.2.1", "192.0.2.2", "2001:db8::1", "[2001:db8::2]:99", "nonsense", "nonsense",
        ]
        for (isTrusted, expected) in [
            (true, [200, 429, 200, 200, 429, 200, 200]), (false, [200, 429, 429, 429, 429, 429, 429]),
        ] {
            try await GuardedServer.run {
                $0.limits.requestsPerMinute = 1
                if isTrusted { $0.trustedProxies = ["127.0.0.1"] }
            } _: { server in
                try await RawClient.onThread {
                    for (address, status) in zip(addresses, expected) {
                        let given = try ask(server.port, Self.request(for: address))
                        #expect(given == status, "\(address) \(isTrusted)")
                    }
                }
            }
        }
    }

    @Test func threeHundredSlowConnectionsDoNotHurtAHealthyOne() async throws {
        try await run {
            $0.connectionsPerAddress = 1000
        } _: { server in
            let slow = try await RawClient.onThread {
                try (0..<300).map { _ in
                    let client = try RawClient(port: server.port)
                    try client.send("GET /healthz HTTP/1.1\r\nHo")
                    return Kept(client: client)
                }
            }
            let began = ContinuousClock.now
            for _ in 0..<50 { #expect(try await server.isHealthy()) }
            #expect(ContinuousClock.now - began < .seconds(10))
            #expect(slow.count == 300)
        }
    }

    @Test func pipelinedRequestsAreAnsweredInTheirOrder() async throws {
        try await run {
            $0.requestsPerMinute = 0
        } _: { server in
            let statuses = try await RawClient.onThread {
                let client = try RawClient(port: server.port)
                let pair = Self.get + "GET /nothing HTTP/1.1\r\nHost: a\r\n\r\n"
                try client.send(String(repeating: pair, count: 500))
                client.finishSending()
                var statuses: [Int] = []
                for _ in 0..<1000 { statuses.append(try client.readAnswer().status) }
                return try client.readToEnd().isEmpty ? statuses : []
            }
            #expect(statuses == (0..<1000).map { $0.isMultiple(of: 2) ? 200 : 404 })
        }
    }

    /// RFC 9112, 9.3.2.
    @Test(arguments: ["GET /", "GET / HTTP/1.1\r\nA: "])
    func requestBeforeOneThatIsTooLongIsAnsweredFirst(beginning: String) async throws {
        let gate = Gate()
        try await GuardedServer.run(gate: gate) {
            $0.queryDeadline = .seconds(600)
        } _: { server in
            let client = try await RawClient.onThread {
                let client = try RawClient(port: server.port)
                try client.send("GET /api/v1/stations HTTP/1.1\r\nHost: a\r\n\r\n")
                return Kept(client: client)
            }
            #expect(try await gate.isReached())
            try await RawClient.onThread {
                try client.client.send(beginning + String(repeating: "z", count: 100_000))
                // Time for the refusal to overtake the answer.
                usleep(200_000)
                gate.open()
                #expect(try client.client.readAnswer().status == 200)
                #expect([414, 431].contains(try client.client.readAnswer().status))
            }
        }
    }

    @Test func whoWaitsToBeToldToGoOnIsTold() async throws {
        try await GuardedServer.run { server in
            try await RawClient.onThread {
                let client = try RawClient(port: server.port)
                try client.send(
                    "POST /api/v1/sources HTTP/1.1\r\nHost: a\r\nContent-Length: 3\r\nExpect: 100-continue\r\n\r\n")
                #expect(try client.readHead().status == 100)
                #expect(try client.readAnswer().status == 405)
            }
        }
    }

    @Test func whoAsksForAnEndOrSpeaksHTTP10GetsTheAnswerAndTheEnd() async throws {
        try await GuardedServer.run { server in
            try await RawClient.onThread {
                for request in [
                    "GET /metrics HTTP/1.1\r\nHost: a\r\nConnection: Close\r\n\r\n", "GET /metrics HTTP/1.0\r\n\r\n",
                ] {
                    let client = try RawClient(port: server.port)
                    try client.send(request)
                    let answer = try client.readAnswer()
                    #expect(answer.status == 200)
                    #expect(answer["connection"] == "close")
                    #expect(try client.readToEnd().isEmpty)
                }
            }
        }
    }
}

/// The status of the answer to a request on a connection of its own.
private func ask(_ port: Int, _ request: String) throws -> Int {
    let client = try RawClient(port: port)
    try client.send(request)
    return try client.readAnswer().status
}

/// Whether something comes true within two seconds.
private func eventually(_ condition: () throws -> Bool) throws -> Bool {
    for _ in 0..<40 {
        if try condition() { return true }
        usleep(50_000)
    }
    return false
}

/// A connection that is kept and never used again.
private struct Kept: @unchecked Sendable {
    let client: RawClient
}
