import TestSupport
import Testing

@testable import EPGServer
@testable import ServiceTestSupport

/// Tests of `/playlist.m3u`.
@Suite(.serialized) struct PlaylistFeedTests {
    private func guide() throws -> ServedGuide {
        let guide = try ServedGuide()
        try guide.importPlaylist(try ServedGuide.sample("evening.m3u"), named: "evening")
        return guide
    }

    @Test func playlistLinksToTheGuideOnTheRequestedHost() async throws {
        let (response, head) = try await RunningServer.run(guide()) { server in
            let headers = ["Host: tv.example:8080"]
            let response = try await RawClient.get("/playlist.m3u", port: server.port, headers: headers)
            return (response, try await RawClient.request("HEAD", "/playlist.m3u", port: server.port, headers: headers))
        }
        let first = response.text.split(separator: "\n")[0]
        let url = "\"http://tv.example:8080/xmltv.xml\""
        expectText(String(first), contains: ["x-tvg-url=" + url, "url-tvg=" + url])
        expectEqual(response["content-type"], "audio/x-mpegurl; charset=utf-8")
        let tag = try #require(response["etag"])
        expectEqual(head["etag"], tag)
        expectEqual(head.body, [])
        let original = String(decoding: try ServedGuide.sample("evening.m3u"), as: UTF8.self)
        let streams = original.split(separator: "\n").filter { $0.hasPrefix("http") }
        expectEqual(response.text.split(separator: "\n").filter { $0.hasPrefix("http") }, streams)
    }

    @Test func publicURLTakesPrecedenceOverTheHost() async throws {
        let response = try await RunningServer.run(
            guide(), change: { $0.site.publicURL = "https://tv.example/guide" },
            { try await RawClient.get("/playlist.m3u?lineup=evening", port: $0.port) })
        expectText(response.text, contains: ["x-tvg-url=\"https://tv.example/guide/xmltv.xml\""])
    }

    @Test func playlistDependsOnTheHostAndAnInvalidHostIsRejected() async throws {
        try await RunningServer.run(guide()) { server in
            let one = try await RawClient.get("/playlist.m3u", port: server.port, headers: ["Host: one.example"])
            let two = try await RawClient.get("/playlist.m3u", port: server.port, headers: ["Host: two.example"])
            expectEqual(Set([one, two].compactMap { $0["etag"] }).count, 2)
            expectText(two.text, contains: ["http://two.example/xmltv.xml"])
            for host in ["a\"b", "a b", "a/b", "ä", "a?b"] {
                let response = try await RawClient.get("/playlist.m3u", port: server.port, headers: ["Host: \(host)"])
                expectEqual(response.status, 400, host)
            }
        }
    }

    @Test func missingLineupIsNotFound() async throws {
        try await RunningServer.run(SharedGuides.served.get()) { server in
            let any = try await RawClient.get("/playlist.m3u", port: server.port)
            let named = try await RawClient.get("/playlist.m3u?lineup=x", port: server.port)
            expectEqual(any.status, 404)
            expectEqual(named.status, 404)
        }
    }
}
