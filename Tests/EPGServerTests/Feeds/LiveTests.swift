import EPGModel
import Glibc
import Synchronization
import TestSupport
import Testing

@testable import EPGHTTP
@testable import EPGServer
@testable import ServiceTestSupport

/// Tests of `/api/v1/events` over a real connection and with real imports.
@Suite(.serialized) struct LiveTests {
    /// Opens an event stream.
    private static func listen(_ port: Int, headers: [String] = []) throws -> (RawClient, RawResponse) {
        try listen(RawClient(port: port, timeout: 60), headers: headers)
    }

    private static func listen(_ client: RawClient, headers: [String] = []) throws -> (RawClient, RawResponse) {
        let lines = ["GET /api/v1/events HTTP/1.1", "Host: a"] + headers
        try client.send(lines.joined(separator: "\r\n") + "\r\n\r\n")
        return (client, try client.readHead())
    }

    private static func event(_ generation: Int, _ key: String) -> String {
        "id: \(generation).\(key)\nevent: generation\ndata: {\"generation\":\(generation),\"name\":\"\(generation).\(key)\"}\n\n"
    }

    @Test func clientReceivesTheCurrentGenerationAndEachNewOne() async throws {
        let guide = try ServedGuide()
        try await RunningServer.run(guide) { server in
            try await RawClient.onThread { [port = server.port] in
                let (client, head) = try Self.listen(port)
                expectResponse(
                    head, 200,
                    headers: [
                        "content-type": "text/event-stream", "cache-control": "no-store",
                        "transfer-encoding": "chunked",
                    ])
                let first = String(decoding: try client.readChunk() ?? [], as: UTF8.self)
                let key = String(first.prefix { $0 != "\n" }.dropFirst("id: 1.".count))
                expectNotEqual(key, "")
                expectEqual(first, Self.event(1, key))
                let outcome = try guide.importGuide(try ServedGuide.sample("evening-next.xml"))
                expectEqual(outcome.generation, Generation(2))
                let second = String(decoding: try client.readChunk() ?? [], as: UTF8.self)
                // Each generation has its own nonce.
                let next = String(second.prefix { $0 != "\n" }.dropFirst("id: 2.".count))
                expectNotEqual(next, key)
                expectEqual(second, Self.event(2, next))
            }
        }
    }

    @Test func reconnectingClientReceivesOnlyANewGeneration() async throws {
        try await RunningServer.run(SharedGuides.served.get(), change: { $0.live.heartbeat = .milliseconds(200) }) {
            server in
            let changes = try await RawClient.get("/api/v1/changes?since=0", port: server.port).text
            let name = String(try #require(changes.firstMatch(of: /"name":"([^"]*)"/)).1)
            try await RawClient.onThread { [port = server.port] in
                // A number without a nonce may come from another database.
                for (known, isSent) in [(name, false), ("1", true), ("1.other", true), ("0", true), ("x", true)] {
                    let (client, _) = try Self.listen(port, headers: ["Last-Event-ID: \(known)"])
                    let text = String(decoding: try client.readChunk() ?? [], as: UTF8.self)
                    expectEqual(text.contains("generation"), isSent, "\(known)")
                }
            }
        }
    }

    @Test func streamHasAnEventPerMinuteAndHeartbeatsBetweenThem() async throws {
        let clock = Mutex(Int64(1_792_865_459))
        try await RunningServer.run(
            SharedGuides.served.get(), now: { Instant(secondsSince1970: clock.withLock { $0 }) },
            change: { settings in
                settings.live.heartbeat = .milliseconds(100)
                settings.live.tick = .milliseconds(20)
            }
        ) { server in
            let (first, minute) = try await RawClient.onThread { [port = server.port] in
                let (client, _) = try Self.listen(port)
                _ = try client.readChunk()
                let first = String(decoding: try client.readChunk() ?? [], as: UTF8.self)
                clock.withLock { $0 += 1 }
                var text = ": ping\n\n"
                while text == ": ping\n\n" { text = String(decoding: try client.readChunk() ?? [], as: UTF8.self) }
                return (first, text)
            }
            expectEqual(first, ": ping\n\n")
            expectEqual(minute, "event: now\ndata: {\"at\":1792865460}\n\n")
        }
    }

    @Test func streamAboveTheLimitIsRejectedUntilAnotherOneEnds() async throws {
        try await RunningServer.run(SharedGuides.served.get(), change: { $0.live.maximumCount = 2 }) { server in
            try await RawClient.onThread { [port = server.port] in
                let (first, _) = try Self.listen(port)
                let (second, _) = try Self.listen(port)
                let client = try RawClient(port: port)
                try client.send("GET /api/v1/events HTTP/1.1\r\nHost: a\r\n\r\n")
                let rejection = try client.readResponse()
                expectResponse(rejection, 503, headers: ["retry-after": "30"])
                first.close()
                let isAdmitted = try waitUntil { try Self.listen(port).1.status == 200 }
                expectEqual(isAdmitted, true)
                second.close()
            }
        }
    }

    /// A slow client has at most one pending event of each kind, and a client that reads nothing is disconnected.
    ///
    /// A TCP connection buffers megabytes of events, a Unix socket a few hundred events.
    @Test(.timeLimit(.minutes(30)), arguments: TestScope.current >= .integration ? [true, false] : [true])
    func clientThatReadsNothingIsDisconnected(isUnixSocket: Bool) async throws {
        let minutes = Mutex(Int64(0))
        let guide = try ServedGuide("<channel id=\"a\"/>")
        let path = guide.folder + "/socket"
        try await RunningServer.run(
            guide,
            now: {
                RunningServer.now.advanced(
                    by: 60
                        * minutes.withLock {
                            $0 += 1; return $0
                        })
            },
            change: { settings in
                if isUnixSocket { settings.address = .socket(path: path) }
                settings.live.tick = .microseconds(200)
                settings.live.maximumCount = 1
                settings.limits.writeTimeout = .milliseconds(500)
            }
        ) { server in
            try await RawClient.onThread { [port = server.port] in
                func connect() throws -> RawClient {
                    try isUnixSocket
                        ? RawClient(socketPath: path) : RawClient(port: port, timeout: 60, receiveBufferSize: 2048)
                }
                let (client, head) = try Self.listen(connect())
                expectEqual(head.status, 200)
                try expectEqual(Self.listen(connect()).1.status, 503)
                let isAdmitted = try waitUntil(within: .seconds(1200)) { try Self.listen(connect()).1.status == 200 }
                expectEqual(isAdmitted, true)
                // The stream ends after the events that were sent before. Over TCP, probes of a closed window may be minutes apart.
                if isUnixSocket { _ = try client.readToEnd() }
            }
        }
    }

    @Test func shutdownEndsTheStream() async throws {
        let clock = ContinuousClock()
        try await RunningServer.run(SharedGuides.served.get()) { server in
            let (begun, continuation) = AsyncStream.makeStream(of: Void.self)
            let reading = Task {
                defer { continuation.finish() }
                return try await RawClient.onThread { [port = server.port] in
                    let (client, _) = try Self.listen(port)
                    _ = try client.readChunk()
                    continuation.finish()
                    var isEnded = false
                    while !isEnded { isEnded = try client.readChunk() == nil }
                    return try client.readToEnd()
                }
            }
            for await _ in begun {}
            let start = clock.now
            await server.shutDown()
            let rest = try await reading.value
            expectEqual(rest, [])
            // Far less than the 15 seconds between heartbeats.
            #expect(clock.now - start < .seconds(2))
        }
    }

    @Test func changesListTheAiringsThatChangedSinceAGeneration() async throws {
        let programme = "<programme start=\"20261024120000 +0000\" stop=\"20261024130000 +0000\" channel=\"a\">"
        let guide = try ServedGuide("<channel id=\"a\"/>\(programme)<title>A</title></programme>")
        try guide.importGuide(ServedGuide.document("<channel id=\"a\"/>\(programme)<title>B</title></programme>"))
        try await RunningServer.run(guide) { server in
            let none = try await RawClient.get("/api/v1/changes?since=2", port: server.port)
            let name = String(try #require(none.text.firstMatch(of: /"name":"(2\.[0-9a-z]+)"/)).1)
            let current = "\"generation\":2,\"name\":\"\(name)\""
            expectEqual(
                none.text, "{\"since\":2,\(current),\"complete\":true,\"stationsChanged\":false,\"stations\":[]}")
            let one = try await RawClient.get("/api/v1/changes?since=1", port: server.port)
            let window = "{\"start\":\"2026-10-24T12:00:00Z\",\"end\":\"2026-10-24T13:00:00Z\"}"
            expectPrefix(one.text, "{\"since\":1,\(current),\"complete\":true,\"stationsChanged\":false,")
            expectText(
                one.text,
                contains: [
                    "\"row\":0,\"id\":\"a\",\"whole\":false,\"airings\":[{\"id\":",
                    "\"kind\":\"changed\",\"before\":\(window),\"after\":\(window)}",
                ])
            let later = try await RawClient.get("/api/v1/changes?since=99", port: server.port)
            expectEqual(later.text, "{\"since\":99,\(current),\"complete\":false}")
            for query in ["", "?since=", "?since=-1", "?since=x", "?since=1.", "?since=1.X"] {
                try await expectEqual(RawClient.get("/api/v1/changes" + query, port: server.port).status, 400, query)
            }
        }
    }
}
