import EPGServer
import Testing

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
        #expect(first.contains("x-tvg-url=\"http://tv.example:8080/xmltv.xml\""))
        #expect(first.contains("url-tvg=\"http://tv.example:8080/xmltv.xml\""))
        #expect(response["content-type"] == "audio/x-mpegurl; charset=utf-8")
        #expect(head["etag"] == response["etag"] && head.body.isEmpty)
        let original = String(decoding: try ServedGuide.sample("evening.m3u"), as: UTF8.self)
        let streams = original.split(separator: "\n").filter { $0.hasPrefix("http") }
        #expect(response.text.split(separator: "\n").filter { $0.hasPrefix("http") } == streams)
    }

    @Test func publicURLTakesPrecedenceOverTheHost() async throws {
        let response = try await RunningServer.run(
            guide(), change: { $0.site.publicURL = "https://tv.example/guide" },
            { try await RawClient.get("/playlist.m3u?lineup=evening", port: $0.port) })
        #expect(response.text.contains("x-tvg-url=\"https://tv.example/guide/xmltv.xml\""))
    }

    @Test func playlistDependsOnTheHost() async throws {
        try await RunningServer.run(guide()) { server in
            let one = try await RawClient.get("/playlist.m3u", port: server.port, headers: ["Host: one.example"])
            let two = try await RawClient.get("/playlist.m3u", port: server.port, headers: ["Host: two.example"])
            #expect(one["etag"] != two["etag"])
            #expect(two.text.contains("http://two.example/xmltv.xml"))
        }
    }

    @Test(arguments: ["a\"b", "a b", "a/b", "ä", "a?b"])
    func invalidHostIsRejected(host: String) async throws {
        let response = try await RunningServer.run(guide()) {
            try await RawClient.get("/playlist.m3u", port: $0.port, headers: ["Host: \(host)"])
        }
        #expect(response.status == 400)
    }

    @Test func missingLineupIsNotFound() async throws {
        try await RunningServer.run(ServedGuide()) { server in
            let any = try await RawClient.get("/playlist.m3u", port: server.port)
            let named = try await RawClient.get("/playlist.m3u?lineup=x", port: server.port)
            #expect(any.status == 404)
            #expect(named.status == 404)
        }
    }
}
