import EPGModel
import Testing

@testable import EPGServer

/// Conditional requests (RFC 9110, 13).
@Suite struct ConditionTests {
    /// The service began at 18:10:00, an hour after the guide came.
    private static let began = "Sat, 24 Oct 2026 18:10:00 GMT"
    private static let before = "Sat, 24 Oct 2026 18:09:59 GMT"

    @Test(arguments: [
        "/api/v1/stations", "/stations", "/stations/harbour-one.example.ics", "/playlist.m3u", "/grid.svg?at=0",
    ])
    func conditionsAreEvaluatedInTheOrderOfRFC9110(path: String) async throws {
        let guide = try ServedGuide()
        try guide.take(playlist: Array("#EXTM3U\n#EXTINF:-1,One\nhttp://a.example/1\n".utf8), named: "tv")
        try await RunningServer.run(guide) { server in
            let first = try await RawClient.get(path, port: server.port)
            #expect(first.status == 200)
            #expect(first["last-modified"] == Self.began)
            let tag = try #require(first["etag"])
            let cases: [([String], Int)] = [
                (["If-None-Match: \(tag)"], 304), (["If-None-Match: \"x\""], 200),
                (["If-Match: \(tag)"], 200), (["If-Match: *"], 200), (["If-Match: \"x\", \(tag)"], 200),
                (["If-Match: \"x\""], 412), (["If-Match: W/\(tag)"], 412),
                (["If-Unmodified-Since: \(Self.began)"], 200), (["If-Unmodified-Since: \(Self.before)"], 412),
                (["If-Unmodified-Since: never"], 200),
                (["If-Match: \(tag)", "If-Unmodified-Since: \(Self.before)"], 200),
                (["If-Match: \"x\"", "If-None-Match: \(tag)"], 412),
                (["If-Match: \(tag)", "If-None-Match: \(tag)"], 304),
                (["If-Modified-Since: \(Self.began)"], 304), (["If-Modified-Since: \(Self.before)"], 200),
                (["If-None-Match: \"x\"", "If-Modified-Since: \(Self.began)"], 200),
            ]
            for (fields, status) in cases {
                let answer = try await RawClient.get(path, port: server.port, headers: fields)
                #expect(answer.status == status, "\(fields)")
                if status == 412 { #expect(answer["content-type"] == "application/problem+json") }
            }
            // A condition of HEAD is one of GET.
            let head = try await RawClient.ask("HEAD", path, port: server.port, headers: ["If-Match: \"x\""])
            #expect(head.status == 412)
        }
    }

    /// A response that follows the clock changes without the guide.
    @Test func responseThatFollowsTheClockHasNoDate() async throws {
        try await RunningServer.run(ServedGuide()) { server in
            let answer = try await RawClient.get("/api/v1/now", port: server.port)
            #expect(answer["last-modified"] == nil)
            for field in ["If-Modified-Since: \(Self.began)", "If-Unmodified-Since: \(Self.before)"] {
                #expect(try await RawClient.get("/api/v1/now", port: server.port, headers: [field]).status == 200)
            }
            #expect(
                try await RawClient.get("/api/v1/now", port: server.port, headers: ["If-Match: \"x\""]).status == 412)
        }
    }

    @Test(arguments: [("If-Match: *", 200), ("If-Match: \"x\"", 412)])
    func uncacheableResponseMatchesOnlyAStar(field: String, status: Int) async throws {
        let answer = try await RunningServer.run(ServedGuide()) {
            try await RawClient.get("/api/v1/sources", port: $0.port, headers: [field])
        }
        #expect(answer.status == status)
    }

    /// Title, zone and program may change with a restart, which `If-Modified-Since` does not cover.
    @Test(arguments: ["/api/v1/stations", "/stations", "/xmltv.xml", "/guide.json"])
    func dateFromBeforeARestartDoesNotMatch(path: String) async throws {
        let guide = try ServedGuide()
        let date = try await RunningServer.run(guide) { server in
            try #require(try await RawClient.get(path, port: server.port)["last-modified"])
        }
        try await RunningServer.run(
            guide, now: { RunningServer.now.advanced(by: 1) }, change: { $0.site.title = "Another title" }
        ) { server in
            let field = "If-Modified-Since: \(date)"
            let answer = try await RawClient.get(path, port: server.port, headers: [field])
            #expect(answer.status == 200)
        }
    }
}
