import EPGModel
import EPGServer
import Synchronization
import Testing

/// `/api/v1/events`, over a real connection and real imports.
@Suite(.serialized) struct LiveTests {
    /// A listener.
    private static func listen(_ port: Int, headers: [String] = []) throws -> (RawClient, RawAnswer) {
        let client = try RawClient(port: port)
        let lines = ["GET /api/v1/events HTTP/1.1", "Host: a"] + headers
        try client.send(lines.joined(separator: "\r\n") + "\r\n\r\n")
        return (client, try client.readHead())
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
                #expect(first == "id: 1\nevent: generation\ndata: {\"generation\":1}\n\n")
                let outcome = try guide.take(try ServedGuide.sample("evening-next.xml"))
                #expect(outcome.generation == Generation(2))
                let second = String(decoding: try client.readChunk() ?? [], as: UTF8.self)
                #expect(second == "id: 2\nevent: generation\ndata: {\"generation\":2}\n\n")
            }
        }
    }

    @Test func whoComesBackIsToldOnlyWhatIsNew() async throws {
        try await RunningServer.run(ServedGuide(), change: { $0.live.heartbeat = .milliseconds(200) }) { server in
            try await RawClient.onThread { [port = server.port] in
                for (known, isTold) in [("1", false), ("0", true), ("x", true)] {
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
                let (client, _) = try Self.listen(port, headers: ["Last-Event-ID: 1"])
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
            #expect(
                none.text
                    == "{\"since\":2,\"generation\":2,\"complete\":true,\"stationsChanged\":false,\"stations\":[]}")
            let one = try await RawClient.get("/api/v1/changes?since=1", port: server.port)
            let window = "{\"start\":\"2026-10-24T12:00:00Z\",\"end\":\"2026-10-24T13:00:00Z\"}"
            #expect(one.text.hasPrefix("{\"since\":1,\"generation\":2,\"complete\":true,\"stationsChanged\":false,"))
            #expect(one.text.contains("\"row\":0,\"id\":\"a\",\"whole\":false,\"airings\":[{\"id\":"))
            #expect(one.text.contains("\"kind\":\"changed\",\"before\":\(window),\"after\":\(window)}"))
            let later = try await RawClient.get("/api/v1/changes?since=99", port: server.port)
            #expect(later.text == "{\"since\":99,\"generation\":2,\"complete\":false}")
            for query in ["", "?since=", "?since=-1", "?since=x"] {
                #expect(try await RawClient.get("/api/v1/changes" + query, port: server.port).status == 400)
            }
        }
    }
}
