import EPGModel
import EPGPicture
import EPGRender
import Glibc
import Synchronization
import TestSupport
import Testing

@testable import EPGServer

/// Tests of the pictures that the service keeps, with pictures from a scripted server.
@Suite struct ArtworkTests {
    /// The server of pictures.
    private final class Pictures: Sendable {
        private let replies = Mutex<[String: Result<[UInt8], ArtworkFailure>]>([:])
        private let requested = Mutex<[String]>([])
        private let running = Mutex((count: 0, maximum: 0))
        /// Microseconds of each download.
        private let delay: UInt32

        init(delay: UInt32 = 0) { self.delay = delay }

        subscript(url: String) -> Result<[UInt8], ArtworkFailure> {
            get { replies.withLock { $0[url] } ?? .success(Pictures.png) }
            set { replies.withLock { $0[url] = newValue } }
        }

        var requests: [String] { requested.withLock { $0 } }
        var maximumRunning: Int { running.withLock { $0.maximum } }

        func settings(of guide: ServedGuide) -> ArtworkSettings {
            ArtworkSettings(folder: guide.path + "-art") { [self] url, isCancelled throws(ArtworkFailure) in
                requested.withLock { $0.append(url) }
                running.withLock { $0 = ($0.count + 1, max($0.maximum, $0.count + 1)) }
                defer { running.withLock { $0.count -= 1 } }
                var left = delay
                while left > 0, !isCancelled() {
                    usleep(min(left, 10_000))
                    left -= min(left, 10_000)
                }
                return try self[url].get()
            }
        }

        /// A red picture of 300 × 200 pixels.
        static let png: [UInt8] = {
            let pixels = (0..<60_000).flatMap { _ in [255, 0, 0, 255] as [UInt8] }
            return (try? PictureFile.png(Bitmap(width: 300, height: 200, pixels: pixels))) ?? []
        }()
    }

    private static let logo = "https://logos.example/one.png"
    private static let poster = "https://posters.example/harbour.jpg"

    private static let records = """
        <channel id="one"><display-name>One</display-name><icon src="\(logo)"/></channel>
        <channel id="two"><display-name>Two</display-name><icon src="http://logos.example/two.png"/></channel>
        <programme start="20261024180000 +0000" stop="20261024190000 +0000" channel="one"><title>Harbour</title>
        <category>Film</category><image type="poster">\(poster)</image></programme>
        <programme start="20261024180000 +0000" stop="20261024190000 +0000" channel="two"><title>Quay</title></programme>
        """

    private static func path(_ url: String, of owner: String) throws -> String {
        "/art/\(owner)/\(ArtworkKey(of: try #require(HTTPURL(url))).text)"
    }

    /// The number of the airing with the poster.
    private func airing(_ server: RunningServer) async throws -> Int {
        let page = try await RawClient.get("/stations/one", port: server.port).text
        return try #require(page.firstMatch(of: /\/airings\/(\d+)/).flatMap { Int($0.1) })
    }

    /// Requests a picture until the service has fetched it, as the page does.
    private func picture(_ path: String, _ server: RunningServer) async throws -> RawResponse {
        while true {
            let response = try await RawClient.get(path, port: server.port)
            if response.status != 503 { return response }
            #expect(response["retry-after"] == "2" && response["cache-control"] == "no-store")
        }
    }

    // MARK: - Pages

    @Test(arguments: ["/", "/home", "/stations", "/stations/one", "/search?q=harbour", "airing"])
    func pageNamesNoOtherServer(page: String) async throws {
        let (guide, pictures) = (try ServedGuide(ArtworkTests.records), Pictures())
        try await RunningServer.run(guide, change: { $0.artwork = pictures.settings(of: guide) }) { server in
            let path = page == "airing" ? "/airings/\(try await airing(server))" : page
            let response = try await RawClient.get(path, port: server.port)
            #expect(response["content-security-policy"]?.contains("img-src 'self' data:;") == true)
            let sources = response.text.matches(of: /<img src="([^"]*)"/).map(\.1)
            #expect(sources.allSatisfy { $0.hasPrefix("/") && !$0.hasPrefix("//") })
            if !page.hasPrefix("/search") { #expect(sources.contains { $0.hasPrefix("/art/stations/one/") }) }
            if page == "airing" { #expect(sources.contains { $0.hasPrefix("/art/airings/") }) }
            #expect(!response.text.contains("logos.example") && !response.text.contains("posters.example"))
        }
    }

    @Test func dataOfTheScriptHasBothURLs() async throws {
        let (guide, pictures) = (try ServedGuide(ArtworkTests.records), Pictures())
        try await RunningServer.run(guide, change: { $0.artwork = pictures.settings(of: guide) }) { server in
            let grid = try await RawClient.get("/api/v1/grid?form=columns&stations=1&hours=2", port: server.port).text
            #expect(
                grid.contains(
                    "\"icon\":\"\(ArtworkTests.logo)\",\"logo\":\"\(try Self.path(Self.logo, of: "stations/one"))\""))
            let number = try await airing(server)
            let details = try await RawClient.get("/api/v1/airings/\(number)", port: server.port).text
            #expect(details.contains("\"poster\":\"\(try Self.path(Self.poster, of: "airings/\(number)"))\""))
            #expect(details.contains("\"url\":\"\(Self.poster)\""))
        }
    }

    @Test func exportsKeepTheURLsOfTheGuide() async throws {
        let (guide, pictures) = (try ServedGuide(ArtworkTests.records), Pictures())
        try guide.importPlaylist(Array("#EXTM3U\n#EXTINF:-1 tvg-id=\"one\",One\nhttp://s.example/1\n".utf8), named: "a")
        try await RunningServer.run(guide, change: { $0.artwork = pictures.settings(of: guide) }) { server in
            for path in ["/xmltv.xml", "/guide.json", "/playlist.m3u", "/api/v1/stations"] {
                let text = try await RawClient.get(path, port: server.port).text
                #expect(text.contains(Self.logo) && !text.contains("/art/"), "\(path)")
            }
        }
    }

    @Test func directPicturesNeedNoService() async throws {
        let guide = try ServedGuide(ArtworkTests.records)
        try await RunningServer.run(guide) { server in
            let page = try await RawClient.get("/stations", port: server.port)
            #expect(page.text.contains("<img src=\"\(Self.logo)\""))
            #expect(page["content-security-policy"]?.contains("img-src http: https: data:;") == true)
            let path = try Self.path(Self.logo, of: "stations/one")
            #expect(try await RawClient.get(path, port: server.port).status == 404)
        }
    }

    @Test func logoOfTheFolderStaysAtTheRequestedHost() throws {
        let links = ArtworkLinks.kept(publicURL: "https://tv.example")
        let owner = ArtworkOwner.station(StationID("one"))
        #expect(links.url(of: "https://tv.example/logos/one.svg", for: owner) == "/logos/one.svg")
        #expect(links.url(of: "/logos/one.svg", for: owner) == "/logos/one.svg")
        #expect(links.url(of: "https://tv.example/one.svg", for: owner)?.hasPrefix("/art/stations/one/") == true)
        #expect(links.url(of: "javascript:alert(1)", for: owner) == nil)
        #expect(links.url(of: "data:image/png;base64,AAAA", for: owner) == nil)
        // printf 'http://a.example/' | sha1sum
        #expect(
            links.url(of: "http://a.example/", for: .station(StationID("a/b?c")))
                == "/art/stations/a%2Fb%3Fc/02aee26fc2f372fa601bb370602f61fb")
    }

    // MARK: - Pictures

    @Test func pictureIsFetchedOnceScaledAndKept() async throws {
        let (guide, pictures) = (try ServedGuide(ArtworkTests.records), Pictures(delay: 50_000))
        let path = try Self.path(Self.logo, of: "stations/one")
        for _ in 0..<2 {
            try await RunningServer.run(guide, change: { $0.artwork = pictures.settings(of: guide) }) { server in
                try await withThrowingTaskGroup(of: RawResponse.self) { group in
                    for _ in 0..<20 { group.addTask { try await picture(path, server) } }
                    for try await response in group {
                        #expect(response.status == 200)
                        #expect(response["content-type"] == "image/webp")
                        #expect(response["cache-control"] == "public, max-age=604800, immutable")
                        #expect(response["x-content-type-options"] == "nosniff")
                        #expect(response["content-security-policy"]?.hasPrefix("default-src 'none'") == true)
                        // "RIFF", the size, "WEBPVP8L", the size, 0x2F, and 14 bits each of width - 1 and height - 1.
                        let bytes = Array(response.body)
                        #expect(Array(bytes[8..<16]) == Array("WEBPVP8L".utf8))
                        let bits =
                            UInt32(bytes[21]) | UInt32(bytes[22]) << 8 | UInt32(bytes[23]) << 16 | UInt32(bytes[24])
                            << 24
                        #expect(bits & 0x3FFF == 127 && bits >> 14 & 0x3FFF == 84)
                    }
                }
                let tag = try #require(try await RawClient.get(path, port: server.port)["etag"])
                let again = try await RawClient.get(path, port: server.port, headers: ["If-None-Match: \(tag)"])
                #expect(again.status == 304)
            }
            #expect(pictures.requests.count { $0 == Self.logo } == 1)
        }
    }

    @Test func posterIsFoundByItsAiring() async throws {
        let (guide, pictures) = (try ServedGuide(ArtworkTests.records), Pictures())
        try await RunningServer.run(guide, change: { $0.artwork = pictures.settings(of: guide) }) { server in
            let path = try Self.path(Self.poster, of: "airings/\(try await airing(server))")
            #expect(try await picture(path, server).status == 200)
        }
        #expect(pictures.requests.contains(Self.poster))
    }

    @Test func onlyPicturesOfTheGuideAreFetched() async throws {
        let (guide, pictures) = (try ServedGuide(ArtworkTests.records), Pictures())
        try await RunningServer.run(guide, change: { $0.artwork = pictures.settings(of: guide) }) { server in
            let other = "http://inside.example/"
            let paths = [
                try Self.path(other, of: "stations/one"), try Self.path(other, of: "airings/1"),
                // The service does not fetch posters by itself.
                try Self.path(Self.poster, of: "stations/one"), try Self.path(Self.poster, of: "airings/999999"),
                try Self.path(Self.poster, of: "airings/x"),
                try Self.path(Self.logo, of: "sources/one"), "/art/stations/one/../../etc", "/art/stations/one/ABC",
                "/art/stations/one/http%3A%2F%2Finside.example",
            ]
            for path in paths { #expect(try await RawClient.get(path, port: server.port).status == 404, "\(path)") }
        }
        #expect(Set(pictures.requests).isSubset(of: [Self.logo, "http://logos.example/two.png"]))
    }

    @Test func logosAreFetchedWithoutARequest() async throws {
        let (guide, pictures) = (try ServedGuide(ArtworkTests.records), Pictures())
        try await RunningServer.run(guide, change: { $0.artwork = pictures.settings(of: guide) }) { server in
            #expect(
                try await eventually {
                    try await RawClient.get("/metrics", port: server.port).text.contains("\nepg_artwork_pictures 2\n")
                })
            let metrics = try await RawClient.get("/metrics", port: server.port).text
            #expect(
                metrics.contains("\nepg_artwork_fetches_total 2\n") && metrics.contains("\nepg_artwork_bytes 8192\n"))
            #expect(metrics.contains("\nepg_artwork_fetched_bytes_total \(2 * Pictures.png.count)\n"))
        }
        #expect(Set(pictures.requests) == [Self.logo, "http://logos.example/two.png"])
    }

    // MARK: - Hostile and slow servers

    /// A picture of 40,000 × 40,000 pixels by its header.
    private static let bomb: [UInt8] = {
        var file = Pictures.png
        file.replaceSubrange(16..<24, with: [0, 0, 0x9C, 0x40, 0, 0, 0x9C, 0x40])
        return file
    }()

    @Test(
        arguments: [
            Array("<svg xmlns=\"http://www.w3.org/2000/svg\"><script>alert(1)</script></svg>".utf8),
            Array("<!DOCTYPE html><script>alert(1)</script>".utf8), Array("GIF89a".utf8) + [1, 0, 1, 0, 0, 0, 0],
            Array("RIFF\u{4}\0\0\0WEBPVP8 ".utf8), [], [0xFF, 0xD8, 0xFF, 0xE0], Array(Pictures.png.prefix(150)), bomb,
        ] as [[UInt8]])
    func bytesThatAreNoPictureAreNeverServed(bytes: [UInt8]) async throws {
        let (guide, pictures) = (try ServedGuide(ArtworkTests.records), Pictures())
        pictures[Self.logo] = .success(bytes)
        try await RunningServer.run(guide, change: { $0.artwork = pictures.settings(of: guide) }) { server in
            for _ in 0..<3 {
                let response = try await picture(try Self.path(Self.logo, of: "stations/one"), server)
                #expect(response.status == 404)
                #expect(response["content-type"] == "application/problem+json")
                #expect(response["cache-control"] == "no-store")
            }
        }
        #expect(pictures.requests.count { $0 == Self.logo } == 1)
    }

    @Test(arguments: [(true, 599, 601), (false, 86_399, 86_401)] as [(Bool, Int64, Int64)])
    func failureIsRemembered(isTransient: Bool, before: Int64, after: Int64) async throws {
        let (guide, pictures) = (try ServedGuide(ArtworkTests.records), Pictures())
        pictures[Self.logo] = .failure(ArtworkFailure(reason: "it is away", isTransient: isTransient))
        let seconds = Mutex<Int64>(0)
        let now: @Sendable () -> Instant = { RunningServer.now.advanced(by: seconds.withLock { $0 }) }
        try await RunningServer.run(guide, now: now, change: { $0.artwork = pictures.settings(of: guide) }) { server in
            let path = try Self.path(Self.logo, of: "stations/one")
            #expect(try await picture(path, server).status == 404)
            pictures[Self.logo] = .success(Pictures.png)
            seconds.withLock { $0 = before }
            #expect(try await picture(path, server).status == 404)
            seconds.withLock { $0 = after }
            #expect(try await picture(path, server).status == 200)
        }
        #expect(pictures.requests.count { $0 == Self.logo } == 2)
    }

    @Test func oldPictureIsShownWhileANewOneIsFetched() async throws {
        let (guide, pictures) = (try ServedGuide(ArtworkTests.records), Pictures())
        let path = try Self.path(Self.logo, of: "stations/one")
        for days in [0, 29, 31] as [Int64] {
            let now: @Sendable () -> Instant = { RunningServer.now.advanced(by: days * 86_400) }
            try await RunningServer.run(guide, now: now, change: { $0.artwork = pictures.settings(of: guide) }) {
                server in
                #expect(try await picture(path, server).status == 200)
                let expected = days == 31 ? 2 : 1
                let isReached = try await eventually {
                    pictures.requests.filter { $0 == Self.logo }.count == expected
                }
                #expect(isReached)
            }
        }
    }

    @Test func slowServersDoNotDelayPages() async throws {
        let stations = (0..<40).map { number in
            "<channel id=\"\(number)\"><display-name>\(number)</display-name>"
                + "<icon src=\"http://slow-\(number % 2).example/\(number).png\"/></channel>"
        }
        let (guide, pictures) = (try ServedGuide(stations.joined()), Pictures(delay: 600_000_000))
        let start = ContinuousClock.now
        try await RunningServer.run(guide, change: { $0.artwork = pictures.settings(of: guide) }) { server in
            try await withThrowingTaskGroup(of: Int.self) { group in
                for number in 0..<40 {
                    let path = try Self.path(
                        "http://slow-\(number % 2).example/\(number).png", of: "stations/\(number)")
                    group.addTask { try await RawClient.get(path, port: server.port).status }
                }
                for try await status in group { #expect(status == 503) }
            }
            #expect(try await RawClient.get("/stations", port: server.port).status == 200)
        }
        // The end of the service ends the downloads.
        #expect(start.duration(to: .now) < .seconds(300))
        #expect(pictures.maximumRunning == Artwork.maximumRunning)
        let hosts = Dictionary(grouping: pictures.requests) { $0.prefix(13) }
        #expect(hosts.values.allSatisfy { $0.count == Artwork.maximumRunningPerHost })
    }
}
