import EPGModel
import Testing

@testable import EPGServer

/// Tests of conditional requests (RFC 9110, 13).
@Suite struct ConditionTests {
    /// The service started at 18:10:00, an hour after the import.
    private static let start = "Sat, 24 Oct 2026 18:10:00 GMT"
    private static let before = "Sat, 24 Oct 2026 18:09:59 GMT"

    @Test(arguments: [
        "/api/v1/stations", "/stations", "/stations/harbour-one.example.ics", "/playlist.m3u", "/grid.svg?at=0",
    ])
    func conditionsAreEvaluatedInTheOrderOfRFC9110(path: String) async throws {
        let guide = try ServedGuide()
        try guide.importPlaylist(Array("#EXTM3U\n#EXTINF:-1,One\nhttp://a.example/1\n".utf8), named: "tv")
        try await RunningServer.run(guide) { server in
            let first = try await RawClient.get(path, port: server.port)
            #expect(first.status == 200)
            #expect(first["last-modified"] == Self.start)
            let tag = try #require(first["etag"])
            let cases: [([String], Int)] = [
                (["If-None-Match: \(tag)"], 304), (["If-None-Match: \"x\""], 200),
                (["If-Match: \(tag)"], 200), (["If-Match: *"], 200), (["If-Match: \"x\", \(tag)"], 200),
                (["If-Match: \"x\""], 412), (["If-Match: W/\(tag)"], 412),
                (["If-Unmodified-Since: \(Self.start)"], 200), (["If-Unmodified-Since: \(Self.before)"], 412),
                (["If-Unmodified-Since: never"], 200),
                (["If-Match: \(tag)", "If-Unmodified-Since: \(Self.before)"], 200),
                (["If-Match: \"x\"", "If-None-Match: \(tag)"], 412),
                (["If-Match: \(tag)", "If-None-Match: \(tag)"], 304),
                (["If-Modified-Since: \(Self.start)"], 304), (["If-Modified-Since: \(Self.before)"], 200),
                (["If-None-Match: \"x\"", "If-Modified-Since: \(Self.start)"], 200),
            ]
            for (headers, status) in cases {
                let response = try await RawClient.get(path, port: server.port, headers: headers)
                #expect(response.status == status, "\(headers)")
                if status == 412 { #expect(response["content-type"] == "application/problem+json") }
            }
            // Conditions apply to HEAD as to GET.
            let head = try await RawClient.request("HEAD", path, port: server.port, headers: ["If-Match: \"x\""])
            #expect(head.status == 412)
        }
    }

    /// A response that follows the clock changes without the guide.
    @Test func responseThatFollowsTheClockHasNoDate() async throws {
        try await RunningServer.run(ServedGuide()) { server in
            let response = try await RawClient.get("/api/v1/now", port: server.port)
            #expect(response["last-modified"] == nil)
            for header in ["If-Modified-Since: \(Self.start)", "If-Unmodified-Since: \(Self.before)"] {
                #expect(try await RawClient.get("/api/v1/now", port: server.port, headers: [header]).status == 200)
            }
            #expect(
                try await RawClient.get("/api/v1/now", port: server.port, headers: ["If-Match: \"x\""]).status == 412)
        }
    }

    @Test(arguments: [("If-Match: *", 200), ("If-Match: \"x\"", 412)])
    func uncacheableResponseMatchesOnlyAnAsterisk(header: String, status: Int) async throws {
        let response = try await RunningServer.run(ServedGuide()) {
            try await RawClient.get("/api/v1/sources", port: $0.port, headers: [header])
        }
        #expect(response.status == status)
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
            let header = "If-Modified-Since: \(date)"
            let response = try await RawClient.get(path, port: server.port, headers: [header])
            #expect(response.status == 200)
        }
    }
}
