import EPGModel
import Synchronization
import TestSupport
import Testing

@testable import ServiceTestSupport

/// Tests of the parameters of feeds with a guide small enough to count by hand.
@Suite(.serialized) struct FeedParameterTests {
    /// Returns a guide of two stations with airings from October 23 to 27, 2026.
    private func guide() throws -> ServedGuide {
        let days = (23...27).map { day in
            ["one.test", "two.test"].map { station in
                """
                <programme start="202610\(day)120000 +0000" stop="202610\(day)130000 +0000" channel="\(station)">\
                <title>\(station) \(day)</title></programme>
                """
            }.joined()
        }.joined(separator: "\n")
        let guide = try ServedGuide(
            """
            <channel id="one.test"><display-name>One</display-name></channel>
            <channel id="two.test"><display-name>Two</display-name></channel>
            \(days)
            """)
        let playlist = "#EXTM3U\n#EXTINF:-1 tvg-id=\"two.test\",Two\nhttp://127.0.0.1/two\n"
        try guide.importPlaylist(Array(playlist.utf8), named: "living room")
        return guide
    }

    /// The current time is October 24, 2026, 18:10 UTC.
    private static let selections: [(query: String, airings: Int, stations: Int)] = [
        ("", 10, 2), ("?days=1", 2, 2), ("?days=2", 4, 2), ("?days=1&offset=1", 2, 2), ("?offset=1", 6, 2),
        ("?days=1&at=2026-10-26T01:00:00Z", 2, 2), ("?days=1&at=2026-10-26T01:00:00Z&zone=America/New_York", 2, 2),
        ("?stations=one.*", 5, 1), ("?stations=ONE.TEST,three*", 5, 1), ("?lineup=living%20room", 5, 1),
        ("?lineup=living+room&days=1", 1, 1), ("?from=2026-10-24T13:00:00Z", 6, 2),
        ("?from=2026-10-24T12:59:59Z&to=2026-10-25T12:00:00Z", 2, 2), ("?source=default", 10, 2),
        ("?times=shown&strict=1", 10, 2),
    ]

    @Test func parametersSelectAiringsAndStations() async throws {
        try await RunningServer.run(guide()) { server in
            for (query, airings, stations) in Self.selections {
                let response = try await RawClient.get("/xmltv.xml" + query, port: server.port)
                let text = response.text
                expectEqual(
                    [response.status, text.occurrences(of: "<programme "), text.occurrences(of: "<channel ")],
                    [200, airings, stations], query)
            }
        }
    }

    private static let invalidParameters: [(query: String, status: Int, parameter: String?)] = [
        ("?days=0x1", 400, "days"), ("?days=-1", 400, "days"), ("?lineup=kitchen", 400, "lineup"),
        ("?source=other", 400, "source"), ("?to=2026-10-24T13:00:00Z&from=2026-10-24T13:00:00Z", 400, "to"),
        ("?times=local", 400, "times"), ("?strict=yes", 400, "strict"), ("?colour=red", 400, "colour"),
        ("?zone=UTC", 400, "zone"), ("?days=1&zone=Mars", 400, "zone"), ("?generation=77", 409, "generation"),
        ("?stations=nobody", 404, nil), ("?days=1&days=2", 400, "days"),
    ]

    @Test func invalidParameterIsNamed() async throws {
        try await RunningServer.run(guide()) { server in
            for (query, status, parameter) in Self.invalidParameters {
                let response = try await RawClient.get("/xmltv.xml" + query, port: server.port)
                expectResponse(
                    response, status, headers: ["content-type": "application/problem+json"],
                    contains: parameter.map { ["\"parameter\":\"\($0)\""] } ?? [], query)
            }
        }
    }

    @Test func equivalentURLsHaveTheSameFeed() async throws {
        try await RunningServer.run(guide()) { server in
            let one = try await RawClient.get("/xmltv.xml?days=1&stations=one*", port: server.port)
            let other = try await RawClient.get(
                "/xmltv.xml?stations=one%2A&at=2026-10-24T23:59:00Z&days=1", port: server.port)
            let tag = try #require(one["etag"])
            expectEqual(other["etag"], tag)
            expectEqual(one.body, other.body)
        }
    }

    @Test func feedOfTodayIsModifiedAtMidnight() async throws {
        // Last-Modified is midnight, not the time of the import or of the start of the service.
        let days = Mutex(Int64(0))
        let response = try await RunningServer.run(
            guide(), now: { RunningServer.now.advanced(by: days.withLock { $0 } * 86_400) }
        ) { server in
            let today = try await RawClient.request("HEAD", "/xmltv.xml?days=1", port: server.port)
            expectEqual(today["last-modified"], "Sat, 24 Oct 2026 18:10:00 GMT")
            days.withLock { $0 = 2 }
            return try await RawClient.request("HEAD", "/xmltv.xml?days=1", port: server.port)
        }
        expectEqual(response["last-modified"], "Mon, 26 Oct 2026 00:00:00 GMT")
    }
}

extension String {
    /// Returns the number of occurrences of `text`.
    fileprivate func occurrences(of text: String) -> Int {
        split(separator: text, omittingEmptySubsequences: false).count - 1
    }
}
