import EPGModel
import EPGServer
import Glibc
import Synchronization
import Testing

/// `/api/v1/events`, over a real connection and real imports.
@Suite(.serialized) struct LiveTests {
    /// A listener.
    private static func listen(
        _ port: Int, headers: [String] = [], room: Int32? = nil
    ) throws -> (RawClient, RawAnswer) {
        let client = try RawClient(port: port, patience: 60, room: room)
        let lines = ["GET /api/v1/events HTTP/1.1", "Host: a"] + headers
        try client.send(lines.joined(separator: "\r\n") + "\r\n\r\n")
        return (client, try client.readHead())
    }

    private static func event(_ generation: Int, _ key: String) -> String {
        "id: \(generation).\(key)\nevent: generation\ndata: {\"generation\":\(generation),\"name\":\"\(generation).\(key)\"}\n\n"
    }

    @Test func aListenerIsToldTheGenerationAtOnceAndEachNewOne() async throws {
        let guide = try ServedGuide()
        try await RunningServer.run(guide) { server in
            try await RawClient.onThread { [port = server.port] in
                let (client, head) = try Self.listen(port)
                #expect(head.status == 200)
                #expect(head["content-type"] == "text/event-stream")
                #expect(head["cache-control"] == "no-store")
                #expect(head["transfer-encoding"] == "chunked")
                let first = String(decoding: try client.readChunk() ?? [], as: UTF8.self)
                let key = String(first.prefix { $0 != "\n" }.dropFirst("id: 1.".count))
                #expect(!key.isEmpty)
                #expect(first == Self.event(1, key))
                let outcome = try guide.take(try ServedGuide.sample("evening-next.xml"))
                #expect(outcome.generation == Generation(2))
                let second = String(decoding: try client.readChunk() ?? [], as: UTF8.self)
                // Each generation has a nonce of its own.
                let next = String(second.prefix { $0 != "\n" }.dropFirst("id: 2.".count))
                #expect(next != key && second == Self.event(2, next))
            }
        }
    }

    @Test func whoComesBackIsToldOnlyWhatIsNew() async throws {
        try await RunningServer.run(ServedGuide(), change: { $0.live.heartbeat = .milliseconds(200) }) { server in
            let changes = try await RawClient.get("/api/v1/changes?since=0", port: server.port).text
            let name = String(try #require(changes.firstMatch(of: /"name":"([^"]*)"/)).1)
            try await RawClient.onThread { [port = server.port] in
                // The number alone may be that of another database.
                for (known, isTold) in [(name, false), ("1", true), ("1.other", true), ("0", true), ("x", true)] {
                    let (client, _) = try Self.listen(port, headers: ["Last-Event-ID: \(known)"])
                    let text = String(decoding: try client.readChunk() ?? [], as: UTF8.self)
                    #expect(text.contains("generation") == isTold, "\(known)")
                }
            }
        }
    }

    @Test func theMinuteIsToldWhenItTurnsAndLifeWhereNothingHappens() async throws {
        let clock = Mutex(Int64(1_792_865_459))
        try await RunningServer.run(
            ServedGuide(), now: { Instant(secondsSince1970: clock.withLock { $0 }) },
            change: { settings in
                settings.live.heartbeat = .milliseconds(100)
                settings.live.tick = .milliseconds(20)
            }
        ) { server in
            let (first, told) = try await RawClient.onThread { [port = server.port] in
                let (client, _) = try Self.listen(port)
                _ = try client.readChunk()
                let first = String(decoding: try client.readChunk() ?? [], as: UTF8.self)
                clock.withLock { $0 += 1 }
                var told = ": ping\n\n"
                while told == ": ping\n\n" { told = String(decoding: try client.readChunk() ?? [], as: UTF8.self) }
                return (first, told)
            }
            #expect(first == ": ping\n\n")
            #expect(told == "event: now\ndata: {\"at\":1792865460}\n\n")
        }
    }

    @Test func oneTooManyIsSentAwayAndComesInWhenAnotherHasGone() async throws {
        try await RunningServer.run(ServedGuide(), change: { $0.live.greatestCount = 2 }) { server in
            try await RawClient.onThread { [port = server.port] in
                let (first, _) = try Self.listen(port)
                let (second, _) = try Self.listen(port)
                let client = try RawClient(port: port)
                try client.send("GET /api/v1/events HTTP/1.1\r\nHost: a\r\n\r\n")
                let refusal = try client.readAnswer()
                #expect(refusal.status == 503)
                #expect(refusal["retry-after"] == "30")
                first.close()
                var status = 503
                for _ in 0..<100 where status == 503 { status = try Self.listen(port).1.status }
                #expect(status == 200)
                second.close()
            }
        }
    }

    /// News pile up for nobody: of what a listener doesn't take only the last is kept, and who takes nothing is let go.
    @Test(.timeLimit(.minutes(30))) func aListenerThatReadsNothingIsLetGoAndItsPlaceIsFree() async throws {
        let minutes = Mutex(Int64(0))
        try await RunningServer.run(
            ServedGuide(),
            now: {
                RunningServer.now.advanced(
                    by: 60
                        * minutes.withLock {
                            $0 += 1; return $0
                        })
            },
            change: { settings in
                settings.live.tick = .microseconds(200)
                settings.live.greatestCount = 1
                settings.limits.writeTimeout = .milliseconds(500)
            }
        ) { server in
            try await RawClient.onThread { [port = server.port] in
                let (client, head) = try Self.listen(port, room: 2048)
                #expect(head.status == 200)
                #expect(try Self.listen(port).1.status == 503)
                var status = 503
                while status == 503 {
                    usleep(100_000)
                    status = try Self.listen(port).1.status
                }
                #expect(status == 200)
                // What was sent before is there to be read, and then the end.
                _ = try client.readToEnd()
            }
        }
    }

    @Test func aShutdownEndsTheStreamAtOnce() async throws {
        let clock = ContinuousClock()
        try await RunningServer.run(ServedGuide()) { server in
            let reading = Task {
                try await RawClient.onThread { [port = server.port] in
                    let (client, _) = try Self.listen(port)
                    _ = try client.readChunk()
                    var isEnded = false
                    while !isEnded { isEnded = try client.readChunk() == nil }
                    return try client.readToEnd()
                }
            }
            try await Task.sleep(for: .milliseconds(300))
            let start = clock.now
            await server.shutDown()
            #expect(try await reading.value == [])
            #expect(clock.now - start < .seconds(2))
        }
    }

    @Test func changesAreThoseOfTheImportBetween() async throws {
        let programme = "<programme start=\"20261024120000 +0000\" stop=\"20261024130000 +0000\" channel=\"a\">"
        let guide = try ServedGuide("<channel id=\"a\"/>\(programme)<title>A</title></programme>")
        try guide.take(ServedGuide.document("<channel id=\"a\"/>\(programme)<title>B</title></programme>"))
        try await RunningServer.run(guide) { server in
            let none = try await RawClient.get("/api/v1/changes?since=2", port: server.port)
            let name = String(try #require(none.text.firstMatch(of: /"name":"(2\.[0-9a-z]+)"/)).1)
            let standing = "\"generation\":2,\"name\":\"\(name)\""
            #expect(
                none.text == "{\"since\":2,\(standing),\"complete\":true,\"stationsChanged\":false,\"stations\":[]}")
            let one = try await RawClient.get("/api/v1/changes?since=1", port: server.port)
            let window = "{\"start\":\"2026-10-24T12:00:00Z\",\"end\":\"2026-10-24T13:00:00Z\"}"
            #expect(one.text.hasPrefix("{\"since\":1,\(standing),\"complete\":true,\"stationsChanged\":false,"))
            #expect(one.text.contains("\"row\":0,\"id\":\"a\",\"whole\":false,\"airings\":[{\"id\":"))
            #expect(one.text.contains("\"kind\":\"changed\",\"before\":\(window),\"after\":\(window)}"))
            let later = try await RawClient.get("/api/v1/changes?since=99", port: server.port)
            #expect(later.text == "{\"since\":99,\(standing),\"complete\":false}")
            for query in ["", "?since=", "?since=-1", "?since=x", "?since=1.", "?since=1.X"] {
                #expect(try await RawClient.get("/api/v1/changes" + query, port: server.port).status == 400)
            }
        }
    }
}
