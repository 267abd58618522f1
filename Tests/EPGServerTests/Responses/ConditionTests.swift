import EPGModel
import TestSupport
import Testing

@testable import EPGServer
@testable import ServiceTestSupport

/// Tests of conditional requests (RFC 9110, 13).
@Suite struct ConditionTests {
    /// The service started at 18:10:00, an hour after the import.
    private static let start = "Sat, 24 Oct 2026 18:10:00 GMT"
    private static let before = "Sat, 24 Oct 2026 18:09:59 GMT"

    private static let records = """
        <channel id="one.example"><display-name>One</display-name></channel>
        <programme start="20261024180000 +0000" stop="20261024190000 +0000" channel="one.example"><title>A</title></programme>
        """

    @Test func conditionsAreEvaluatedInTheOrderOfRFC9110() async throws {
        let guide = try ServedGuide(Self.records)
        try guide.importPlaylist(Array("#EXTM3U\n#EXTINF:-1,One\nhttp://a.example/1\n".utf8), named: "tv")
        try await RunningServer.run(guide) { server in
            for path in [
                "/api/v1/stations", "/stations?at=0", "/stations/one.example.ics", "/playlist.m3u", "/grid.svg?at=0",
            ] {
                let first = try await RawClient.get(path, port: server.port)
                expectResponse(first, 200, headers: ["last-modified": Self.start], path)
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
                    expectEqual(response.status, status, "\(path) \(headers)")
                    if status == 412 { expectEqual(response["content-type"], "application/problem+json", path) }
                }
                // Conditions apply to HEAD as to GET.
                let head = try await RawClient.request("HEAD", path, port: server.port, headers: ["If-Match: \"x\""])
                expectEqual(head.status, 412, path)
            }
        }
    }

    /// A response that follows the clock changes without the guide.
    @Test func responseThatFollowsTheClockHasNoDate() async throws {
        try await RunningServer.run(ServedGuide(Self.records)) { server in
            let response = try await RawClient.get("/api/v1/now", port: server.port)
            expectNil(response["last-modified"])
            for (header, status) in [
                ("If-Modified-Since: \(Self.start)", 200), ("If-Unmodified-Since: \(Self.before)", 200),
                ("If-Match: \"x\"", 412),
            ] {
                let response = try await RawClient.get("/api/v1/now", port: server.port, headers: [header])
                expectEqual(response.status, status, header)
            }
        }
    }

    @Test func uncacheableResponseMatchesOnlyAnAsterisk() async throws {
        try await RunningServer.run(ServedGuide(Self.records)) { server in
            for (header, status) in [("If-Match: *", 200), ("If-Match: \"x\"", 412)] {
                let response = try await RawClient.get("/api/v1/sources", port: server.port, headers: [header])
                expectEqual(response.status, status, header)
            }
        }
    }

    /// Title, zone and program may change with a restart, which `If-Modified-Since` does not cover.
    @Test func dateFromBeforeARestartDoesNotMatch() async throws {
        let guide = try ServedGuide(Self.records)
        let dates = try await RunningServer.run(guide) { server in
            var dates: [String: String] = [:]
            for path in ["/api/v1/stations", "/stations?at=0", "/xmltv.xml", "/guide.json"] {
                let response = try await RawClient.get(path, port: server.port)
                let date = try #require(response["last-modified"], "\(path)")
                dates[path] = date
            }
            return dates
        }
        try await RunningServer.run(
            guide, now: { RunningServer.now.advanced(by: 1) }, change: { $0.site.title = "Another title" }
        ) { server in
            for (path, date) in dates {
                let header = "If-Modified-Since: \(date)"
                let response = try await RawClient.get(path, port: server.port, headers: [header])
                expectEqual(response.status, 200, path)
            }
        }
    }
}
