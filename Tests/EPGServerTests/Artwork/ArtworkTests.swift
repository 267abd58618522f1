import EPGImport
import EPGModel
import EPGPostgres
import EPGRefresh
import EPGRender
import EPGStore
import Foundation
import Glibc
import Logging
import NIOPosix
import StoreConformance
import Synchronization
import TestSupport
import Testing
import XMLTV

@testable import epgd
@testable import EPGHTTP
@testable import EPGServer
@testable import ServiceTestSupport

/// Tests of the pictures that the service keeps, with pictures from a scripted server.
@Suite struct ArtworkTests {
    /// The server of pictures.
    private final class Pictures: Sendable {
        private let replies = Mutex<[String: Result<[UInt8], ArtworkFailure>]>([:])
        private let requested = Mutex<[String]>([])
        private let running = Mutex((count: 0, maximum: 0))
        private let cancellations = Mutex(0)
        /// Microseconds of each download from ``slowOrigin``.
        private let delay: UInt32
        private let slowOrigin: String

        init(delay: UInt32 = 0, slowOrigin: String = "http") {
            self.delay = delay
            self.slowOrigin = slowOrigin
        }

        subscript(url: String) -> Result<[UInt8], ArtworkFailure> {
            get { replies.withLock { $0[url] } ?? .success(Pictures.png) }
            set { replies.withLock { $0[url] = newValue } }
        }

        var requests: [String] { requested.withLock { $0 } }
        var maximumRunning: Int { running.withLock { $0.maximum } }
        /// The number of downloads that were canceled before their delay had passed.
        var canceled: Int { cancellations.withLock { $0 } }

        func settings(of guide: ServedGuide) -> ArtworkSettings {
            ArtworkSettings(folder: guide.path + "-art") { [self] url, isCancelled throws(ArtworkFailure) in
                requested.withLock { $0.append(url) }
                running.withLock { $0 = ($0.count + 1, max($0.maximum, $0.count + 1)) }
                defer { running.withLock { $0.count -= 1 } }
                var left = url.hasPrefix(slowOrigin) ? delay : 0
                while left > 0, !isCancelled() {
                    usleep(min(left, 10_000))
                    left -= min(left, 10_000)
                }
                if left > 0 { cancellations.withLock { $0 += 1 } }
                return try self[url].get()
            }
        }

        /// A red picture of 300 × 200 pixels.
        static let png = [UInt8](
            Data(
                base64Encoded: """
                    iVBORw0KGgoAAAANSUhEUgAAASwAAADICAIAAADdvUsCAAABr0lEQVR42u3TQQ0AMBDDsGj8Oe9g9GOrCCqlX2Y23AuYEiGIEEQI\
                    iBBECIgQRAiIEEQIiBBECIgQRAiIEEQIiBBECIgQRAiIEEQIiBBECIgQRAiIEEQIiBBECIgQRAiIEEQIiBBECIgQRAiIEEQIiBBE\
                    CIgQRAiIEEQIiBBECIgQRAiIEEQIiBBECIgQRAiIEEQIiBBECIgQRAiIEEQIiBBECCJ0AYgQRAiIEEQIiBBECIgQRAiIEEQIiBBE\
                    CIgQRAiIEEQIiBBECIgQRAiIEEQIiBBECIgQRAiIEEQIiBBECIgQRAiIEEQIiBBECIgQRAiIEEQIiBBECIgQRAiIEEQIiBBECIgQ\
                    RAiIEEQIiBBECIgQRAiIEEQIiBBECIgQRAiIEEQIIgRECCIERAgiBEQIIgRECCIERAgiBEQIIgRECCIERAgiBEQIIgRECCIERAgi\
                    BEQIIgRECCIERAgiBEQIIgRECCIERAgiBEQIIgRECCIERAgiBEQIIgRECCIERAgiBEQIIgRECCIERAgiBEQIIgRECCIERAgiBEQI\
                    IgRECCIERAgiBBECIgQRAisHX24sci+Yy+0AAAAASUVORK5CYII=
                    """) ?? Data())
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

    /// Stations with a logo each: `http://HOST/NUMBER.png`.
    private static func stations(_ numbers: Range<Int>, host: String) -> String {
        numbers.map { number in
            "<channel id=\"\(number)\"><display-name>\(number)</display-name>"
                + "<icon src=\"http://\(host)/\(number).png\"/></channel>"
        }.joined()
    }

    /// Requests a picture until the service has fetched it, as the page does.
    private func picture(_ path: String, _ server: RunningServer) async throws -> RawResponse {
        while true {
            let response = try await RawClient.get(path, port: server.port)
            if response.status != 503 { return response }
            expectResponse(response, headers: ["retry-after": "2", "cache-control": "no-store"])
        }
    }

    // MARK: - Pages

    @Test func pageNamesNoOtherServer() async throws {
        let (guide, pictures) = (try ServedGuide(Self.records), Pictures())
        try await RunningServer.run(guide, change: { $0.artwork = pictures.settings(of: guide) }) { server in
            let pages = ["/", "/home", "/stations", "/stations/one", "/search?q=harbour"]
            for path in pages + ["/airings/\(try await airing(server))"] {
                let response = try await RawClient.get(path, port: server.port)
                expectText(response["content-security-policy"] ?? "", contains: ["img-src 'self' data:;"], path)
                let sources = response.text.matches(of: /<img src="([^"]*)"/).map(\.1)
                expectEqual(sources.filter { !$0.hasPrefix("/") || $0.hasPrefix("//") }, [], path)
                let hasLogo = sources.contains { $0.hasPrefix("/art/stations/one/") }
                let hasPoster = sources.contains { $0.hasPrefix("/art/airings/") }
                // On the home page, a picture takes the place of the logo.
                #expect(hasLogo || path.hasPrefix("/search") || path == "/home" && hasPoster, "\(path)")
                #expect(hasPoster || !path.hasPrefix("/airings"), "\(path)")
                expectResponse(response, lacks: ["logos.example", "posters.example"], path)
            }
        }
    }

    @Test func dataOfTheScriptHasBothURLs() async throws {
        let (guide, pictures) = (try ServedGuide(Self.records), Pictures())
        try await RunningServer.run(guide, change: { $0.artwork = pictures.settings(of: guide) }) { server in
            let grid = try await RawClient.get("/api/v1/grid?form=columns&stations=1&hours=2", port: server.port).text
            expectText(
                grid,
                contains: [
                    "\"icon\":\"\(ArtworkTests.logo)\",\"logo\":\"\(try Self.path(Self.logo, of: "stations/one"))\""
                ])
            let number = try await airing(server)
            let picture = try await RawClient.get("/grid.svg?hours=2&thumbnails=sticky", port: server.port)
            expectText(
                picture.text, contains: ["<image href=\"\(try Self.path(Self.poster, of: "airings/\(number)"))\""])
            expectText(picture["content-security-policy"] ?? "", contains: ["img-src 'self';"])
            let details = try await RawClient.get("/api/v1/airings/\(number)", port: server.port).text
            expectText(
                details,
                contains: [
                    "\"poster\":\"\(try Self.path(Self.poster, of: "airings/\(number)"))\"",
                    "\"url\":\"\(Self.poster)\"",
                ])
            expectText(
                try await RawClient.get("/api/v1/now?fields=id,poster", port: server.port).text,
                contains: ["{\"id\":\(number),\"poster\":\"\(try Self.path(Self.poster, of: "airings/\(number)"))\"}"])
        }
    }

    @Test func exportsKeepTheURLsOfTheGuide() async throws {
        let (guide, pictures) = (try ServedGuide(Self.records), Pictures())
        try guide.importPlaylist(Array("#EXTM3U\n#EXTINF:-1 tvg-id=\"one\",One\nhttp://s.example/1\n".utf8), named: "a")
        try await RunningServer.run(guide, change: { $0.artwork = pictures.settings(of: guide) }) { server in
            for path in ["/xmltv.xml", "/guide.json", "/playlist.m3u", "/api/v1/stations"] {
                let text = try await RawClient.get(path, port: server.port).text
                expectText(text, contains: [Self.logo], lacks: ["/art/"], "\(path)")
            }
        }
    }

    @Test func directPicturesNeedNoService() async throws {
        let guide = try ServedGuide(ArtworkTests.records)
        try await RunningServer.run(guide) { server in
            let page = try await RawClient.get("/stations", port: server.port)
            expectResponse(page, contains: ["<img src=\"\(Self.logo)\""])
            expectText(page["content-security-policy"] ?? "", contains: ["img-src http: https: data:;"])
            let path = try Self.path(Self.logo, of: "stations/one")
            expectResponse(try await RawClient.get(path, port: server.port), 404)
        }
    }

    @Test func logoOfTheFolderStaysAtTheRequestedHost() throws {
        let links = ArtworkLinks.kept(publicURL: "https://tv.example")
        let owner = ArtworkOwner.station(StationID("one"))
        let urls = [
            "https://tv.example/logos/one.svg", "/logos/one.svg", "javascript:alert(1)", "data:image/png;base64,AAAA",
        ]
        expectEqual(urls.map { links.url(of: $0, for: owner) }, ["/logos/one.svg", "/logos/one.svg", nil, nil])
        expectPrefix(links.url(of: "https://tv.example/one.svg", for: owner), "/art/stations/one/")
        // printf 'http://a.example/' | sha1sum
        expectEqual(
            links.url(of: "http://a.example/", for: .station(StationID("a/b?c"))),
            "/art/stations/a%2Fb%3Fc/02aee26fc2f372fa601bb370602f61fb")
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
                        expectResponse(
                            response, 200,
                            headers: [
                                "content-type": "image/webp", "cache-control": "public, max-age=604800, immutable",
                                "x-content-type-options": "nosniff",
                            ])
                        expectPrefix(response["content-security-policy"], "default-src 'none'")
                        // "RIFF", the size, "WEBPVP8L", the size, 0x2F, and 14 bits each of width - 1 and height - 1.
                        let bytes = Array(response.body)
                        expectEqual(Array(bytes[8..<16]), Array("WEBPVP8L".utf8))
                        let bits =
                            UInt32(bytes[21]) | UInt32(bytes[22]) << 8 | UInt32(bytes[23]) << 16 | UInt32(bytes[24])
                            << 24
                        expectEqual(bits & 0x3FFF, 127)
                        expectEqual(bits >> 14 & 0x3FFF, 84)
                    }
                }
                let tag = try #require(try await RawClient.get(path, port: server.port)["etag"])
                let again = try await RawClient.get(path, port: server.port, headers: ["If-None-Match: \(tag)"])
                expectResponse(again, 304)
            }
            expectEqual(pictures.requests.count { $0 == Self.logo }, 1)
        }
    }

    @Test func pictureFromItsFileEqualsThatOfTheRouter() async throws {
        let (guide, pictures) = (try ServedGuide(Self.records), Pictures())
        let path = try Self.path(Self.logo, of: "stations/one")
        try await RunningServer.run(guide, change: { $0.artwork = pictures.settings(of: guide) }) { server in
            let response = try await picture(path, server)
            expectResponse(response, 200)
        }
        try await RunningServer.run(guide, change: { $0.artwork = pictures.settings(of: guide) }) { server in
            // The cache is empty.
            let direct = try await RawClient.get(path, port: server.port)
            if ArtworkStoreTests.readsWithoutWaiting {
                let metrics = try await RawClient.get("/metrics", port: server.port).text
                expectText(metrics, contains: ["epg_http_prepared_responses_total 1\n"])
            }
            // A request with credentials goes through the router.
            let routed = try await RawClient.get(path, port: server.port, headers: ["Authorization: x"])
            expectResponse(direct, 200)
            expectEqual(direct.body, routed.body)
            #expect(!direct.body.isEmpty)
            for name in [
                "etag", "cache-control", "content-type", "content-security-policy", "guide-generation", "last-modified",
                "vary", "x-content-type-options",
            ] {
                expectEqual(direct[name], routed[name], "\(name)")
            }
            // What is no plain target goes through the router.
            let others = [path + "?x=1", "/art/stations//" + path.suffix(32), String(path.dropLast()), path + "/../x"]
            for other in others {
                let status = try await RawClient.get(other, port: server.port).status
                #expect([400, 404].contains(status), "\(other): \(status)")
            }
        }
    }

    @Test func posterIsFoundByItsAiring() async throws {
        let (guide, pictures) = (try ServedGuide(Self.records), Pictures())
        try await RunningServer.run(guide, change: { $0.artwork = pictures.settings(of: guide) }) { server in
            let path = try Self.path(Self.poster, of: "airings/\(try await airing(server))")
            expectResponse(try await picture(path, server), 200)
        }
        #expect(pictures.requests.contains(Self.poster))
    }

    @Test func onlyPicturesOfTheGuideAreFetched() async throws {
        let (guide, pictures) = (try ServedGuide(Self.records), Pictures())
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
            for path in paths { expectResponse(try await RawClient.get(path, port: server.port), 404, "\(path)") }
        }
        #expect(Set(pictures.requests).isSubset(of: [Self.logo, "http://logos.example/two.png"]))
    }

    @Test func logosAreFetchedWithoutARequest() async throws {
        let (guide, pictures) = (try ServedGuide(Self.records), Pictures())
        try await RunningServer.run(guide, change: { $0.artwork = pictures.settings(of: guide) }) { server in
            var metrics = ""
            try await expectEventually {
                metrics = try await RawClient.get("/metrics", port: server.port).text
                return metrics.contains("\nepg_artwork_pictures 2\n")
            }
            expectText(
                metrics,
                contains: [
                    "\nepg_artwork_fetches_total 2\n", "\nepg_artwork_bytes 8192\n",
                    "\nepg_artwork_fetched_bytes_total \(2 * Pictures.png.count)\n",
                ])
        }
        expectEqual(Set(pictures.requests), [Self.logo, "http://logos.example/two.png"])
    }

    @Test(.needs(PostgresServer.requirement)) func picturesOfAGuideOnPostgreSQLAreBesideTheSearchIndex() async throws {
        let postgres = try #require(PostgresServer.shared)
        let storage = try PostgresGuide(
            postgres.makeLocation(), backups: .sqlite, cacheFolder: postgres.filesFolder)
        _ = try storage.write { writer in
            try GuideImporter(store: writer).importGuide(
                ChunkSource(ServedGuide.document(Self.records)), as: Source(name: "default"), now: ServedGuide.imported)
        }
        // For the settings only.
        let (guide, pictures) = (try ServedGuide(Self.records), Pictures())
        var settings = pictures.settings(of: guide)
        settings.folder = storage.companionPath + "-art"
        try await RunningServer.run(
            guide, change: { [settings] in $0.artwork = settings }, reading: { _, _ in storage }
        ) { server in
            let poster = try Self.path(Self.poster, of: "airings/\(try await airing(server))")
            for path in [try Self.path(Self.logo, of: "stations/one"), poster] {
                expectResponse(try await picture(path, server), 200)
            }
        }
        let files = FileManager.default.enumerator(atPath: settings.folder)?.compactMap { $0 as? String } ?? []
        expectEqual(files.count { $0.contains(".640.") }, 1)
        #expect(files.count { $0.contains(".128.") } >= 1)
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
        let (guide, pictures) = (try ServedGuide(Self.records), Pictures())
        pictures[Self.logo] = .success(bytes)
        try await RunningServer.run(guide, change: { $0.artwork = pictures.settings(of: guide) }) { server in
            for _ in 0..<3 {
                let response = try await picture(try Self.path(Self.logo, of: "stations/one"), server)
                expectResponse(
                    response, 404,
                    headers: ["content-type": "application/problem+json", "cache-control": "public, max-age=300"])
            }
        }
        expectEqual(pictures.requests.count { $0 == Self.logo }, 1)
    }

    @Test func cachesDoNotKeepUnavailablePictureIfReadersLogIn() async throws {
        let (guide, pictures) = (try ServedGuide(Self.records), Pictures())
        pictures[Self.logo] = .success([])
        try await AdminServer.run(guide, requiresLogin: true, change: { $0.artwork = pictures.settings(of: guide) }) {
            server in
            var client = try await server.loggedIn()
            let path = try Self.path(Self.logo, of: "stations/one")
            var response = try await client.get(path)
            _ = try await eventually {
                if response.status == 503 { response = try await client.get(path) }
                return response.status != 503
            }
            expectResponse(response, 404, headers: ["cache-control": "no-store"])
        }
    }

    @Test(
        arguments: [
            (.failure(ArtworkFailure(reason: "it is away", scope: .attempt)), 599, 601),
            (.failure(ArtworkFailure(reason: "it is away", scope: .host)), 599, 601),
            (.failure(ArtworkFailure(reason: "the disk is full", scope: .machine)), 599, 601),
            // Cut off.
            (.success(Array(Pictures.png.prefix(150))), 599, 601),
            (.failure(ArtworkFailure(reason: "it is missing", scope: .picture)), 86_399, 86_401),
            (.success(Array("GIF89a".utf8)), 86_399, 86_401),
        ] as [(Result<[UInt8], ArtworkFailure>, Int64, Int64)])
    func failureIsRemembered(reply: Result<[UInt8], ArtworkFailure>, before: Int64, after: Int64) async throws {
        let (guide, pictures) = (try ServedGuide(Self.records), Pictures())
        pictures[Self.logo] = reply
        let seconds = Mutex<Int64>(0)
        let now: @Sendable () -> Instant = { RunningServer.now.advanced(by: seconds.withLock { $0 }) }
        try await RunningServer.run(guide, now: now, change: { $0.artwork = pictures.settings(of: guide) }) { server in
            let path = try Self.path(Self.logo, of: "stations/one")
            expectResponse(try await picture(path, server), 404)
            pictures[Self.logo] = .success(Pictures.png)
            seconds.withLock { $0 = before }
            expectResponse(try await picture(path, server), 404)
            seconds.withLock { $0 = after }
            expectResponse(try await picture(path, server), 200)
        }
        expectEqual(pictures.requests.count { $0 == Self.logo }, 2)
    }

    @Test func unreachableHostIsLeftAloneForTenMinutes() async throws {
        let guide = try ServedGuide(
            Self.stations(0..<60, host: "dead.example") + Self.stations(60..<70, host: "live.example"))
        let pictures = Pictures()
        for number in 0..<60 {
            pictures["http://dead.example/\(number).png"] = .failure(
                ArtworkFailure(reason: "it is away", scope: .host))
        }
        let seconds = Mutex<Int64>(0)
        let now: @Sendable () -> Instant = { RunningServer.now.advanced(by: seconds.withLock { $0 }) }
        try await RunningServer.run(guide, now: now, change: { $0.artwork = pictures.settings(of: guide) }) { server in
            try await expectEventually { pictures.requests.count { $0.contains("live") } == 10 }
            for number in 0..<60 {
                let path = try Self.path("http://dead.example/\(number).png", of: "stations/\(number)")
                expectResponse(try await picture(path, server), 404)
            }
            // Four failures, and three that ran at the time of the fourth one.
            let count = pictures.requests.count { $0.contains("dead") }
            #expect((4...7).contains(count))
            pictures["http://dead.example/59.png"] = .success(Pictures.png)
            pictures["http://dead.example/58.png"] = .success(Pictures.png)
            seconds.withLock { $0 = 601 }
            // Another failure is enough now.
            let path = try Self.path("http://dead.example/0.png", of: "stations/0")
            expectResponse(try await picture(path, server), 404)
            let later = try Self.path("http://dead.example/59.png", of: "stations/59")
            expectResponse(try await picture(later, server), 404)
            expectEqual(pictures.requests.count { $0.contains("dead") }, count + 1)
            seconds.withLock { $0 = 1202 }
            // A picture of the host ends that.
            for number in [59, 0, 58] {
                let path = try Self.path("http://dead.example/\(number).png", of: "stations/\(number)")
                expectEqual(try await picture(path, server).status, number == 0 ? 404 : 200)
            }
        }
    }

    @Test func oneHostCannotFillTheQueue() async throws {
        let guide = try ServedGuide(ArtworkTests.records)
        let pictures = Pictures(delay: 600_000_000, slowOrigin: "http://slow.example/")
        let isStopping = Flag()
        let artwork = Artwork(
            pictures.settings(of: guide), isStopping: isStopping, logger: Logger(label: "test"),
            now: { RunningServer.now })
        func url(_ text: String) throws -> (url: HTTPURL, name: ArtworkName) {
            let url = try #require(HTTPURL(text))
            return (url, ArtworkName(key: ArtworkKey(of: url), size: .logo))
        }
        artwork.threads.start()
        let progress = try (0..<600).map { number in
            let slow = try url("http://slow.example/\(number).png")
            return artwork.request(slow.url, as: slow.name)
        }
        expectEqual(progress.count { $0 == .pending }, Artwork.maximumRunningPerHost + Artwork.maximumWaitingPerHost)
        expectEqual(progress.count { $0 == .failed }, 0)
        let fast = try url("http://fast.example/1.png")
        expectEqual(artwork.request(fast.url, as: fast.name), .pending)
        await artwork.awaitFetch(of: fast.name, within: .seconds(60))
        #expect(try artwork.picture(fast.name) != nil)
        isStopping.set()
        try await artwork.threads.shutdownGracefully()
    }

    @Test func folderThatCannotBeWrittenStopsDownloads() async throws {
        let (guide, pictures, log) = (try ServedGuide(Self.stations(0..<40, host: "a.example")), Pictures(), LogLines())
        // A file has no files.
        let folder = guide.path + "-art"
        try Data().write(to: URL(filePath: folder))
        let seconds = Mutex<Int64>(0)
        let now: @Sendable () -> Instant = { RunningServer.now.advanced(by: seconds.withLock { $0 }) }
        try await RunningServer.run(
            guide, now: now, change: { $0.artwork = pictures.settings(of: guide) }, log: log
        ) { server in
            for number in 0..<40 {
                let path = try Self.path("http://a.example/\(number).png", of: "stations/\(number)")
                expectResponse(try await picture(path, server), 404)
            }
            // Those that ran at the time of the first failure.
            #expect(pictures.requests.count <= Artwork.maximumRunningPerHost)
            expectEqual(log.all.count { $0.contains("cannot keep pictures") }, 1)
            try FileManager.default.removeItem(atPath: folder)
            seconds.withLock { $0 = 601 }
            let path = try Self.path("http://a.example/39.png", of: "stations/39")
            expectResponse(try await picture(path, server), 200)
        }
    }

    @Test func pictureThatCannotBeReadIsUnavailableForAMoment() async throws {
        let (guide, pictures) = (try ServedGuide(Self.records), Pictures())
        let path = try Self.path(Self.logo, of: "stations/one")
        try await RunningServer.run(guide, change: { $0.artwork = pictures.settings(of: guide) }) { server in
            let response = try await picture(path, server)
            expectResponse(response, 200)
        }
        let files = FileManager.default.enumerator(atPath: guide.path + "-art")?.compactMap { $0 as? String } ?? []
        let key = try #require(path.split(separator: "/").last)
        let file = guide.path + "-art/" + (try #require(files.first { $0.contains("\(key).128") }))
        try FileManager.default.moveItem(atPath: file, toPath: file + ".away")
        try FileManager.default.createSymbolicLink(atPath: file, withDestinationPath: "/proc/self/mem")
        try await RunningServer.run(guide, change: { $0.artwork = pictures.settings(of: guide) }) { server in
            let response = try await RawClient.get(path, port: server.port)
            expectResponse(response, 503, headers: ["retry-after": "10"])
            try FileManager.default.removeItem(atPath: file)
            try FileManager.default.moveItem(atPath: file + ".away", toPath: file)
            expectResponse(try await RawClient.get(path, port: server.port), 200)
        }
        expectEqual(pictures.requests.count { $0 == Self.logo }, 1)
    }

    @Test func logosAreFetchedThoughOtherPicturesFillTheFolder() async throws {
        let (guide, pictures) = (try ServedGuide(Self.records), Pictures())
        var settings = pictures.settings(of: guide)
        settings.capacity = 1 << 20
        // 250 of 256 blocks.
        let store = ArtworkStore(folder: settings.folder, capacity: settings.capacity)
        for number in 0..<250 {
            let url = try #require(HTTPURL("http://posters.example/\(number).png"))
            try store.insert(
                [1], as: ArtworkName(key: ArtworkKey(of: url), size: .picture),
                at: RunningServer.now)
        }
        try await RunningServer.run(guide, change: { [settings] in $0.artwork = settings }) { server in
            try await expectEventually { pictures.requests.count == 2 }
        }
    }

    /// A guide whose first read for logos fails.
    private final class FailingGuide: ForwardingStorage, @unchecked Sendable {
        struct Failure: Error {}

        let failures = Mutex(0)

        override func read<Value>(
            until limit: ReadingLimit, _ body: (any GuideReading) throws -> Value
        ) throws -> Value {
            // The limit of reads for logos.
            let fails = failures.withLock { count in
                guard limit.duration == .seconds(5), count == 0 else { return false }
                count += 1
                return true
            }
            if fails { throw Failure() }
            return try storage.read(until: limit, body)
        }
    }

    /// The service waits ten seconds before it reads the guide again.
    @Test(.scope(.integration)) func logosAreFetchedAfterAReadThatFailed() async throws {
        let (guide, pictures) = (try ServedGuide(Self.records), Pictures())
        try await RunningServer.run(
            guide, change: { $0.artwork = pictures.settings(of: guide) }, reading: { guide, _ in FailingGuide(guide) }
        ) { _ in
            try await expectEventually { pictures.requests.count == 2 }
        }
    }

    @Test(
        arguments: [
            (.unknownHost, .host), (.cannotConnect, .host), (.timedOut("no byte"), .host),
            (.inputOutput(ENOSPC), .machine), (.libraryMissing("no libcurl"), .machine),
            (.status(503), .attempt), (.truncated, .attempt),
            (.status(404), .picture), (.tooLarge(limit: 1), .picture), (.webPage(title: nil), .picture),
        ] as [(FetchError.Reason, ArtworkFailure.Scope)])
    func scopeOfAFailureFollowsFromItsReason(reason: FetchError.Reason, scope: ArtworkFailure.Scope) {
        expectEqual(ArtworkFailure(FetchError(location: Self.logo, reason: reason)).scope, scope)
    }

    @Test func oldPictureIsShownWhileANewOneIsFetched() async throws {
        let (guide, pictures) = (try ServedGuide(Self.records), Pictures())
        let path = try Self.path(Self.logo, of: "stations/one")
        for days in [0, 29, 31] as [Int64] {
            let now: @Sendable () -> Instant = { RunningServer.now.advanced(by: days * 86_400) }
            try await RunningServer.run(guide, now: now, change: { $0.artwork = pictures.settings(of: guide) }) {
                server in
                expectResponse(try await picture(path, server), 200)
                let expected = days == 31 ? 2 : 1
                try await expectEventually {
                    pictures.requests.filter { $0 == Self.logo }.count == expected
                }
            }
        }
    }

    @Test func slowServersDoNotDelayPages() async throws {
        let stations = (0..<40).map { Self.stations($0..<($0 + 1), host: "slow-\($0 % 2).example") }
        let (guide, pictures) = (try ServedGuide(stations.joined()), Pictures(delay: 1_800_000_000))
        try await RunningServer.run(guide, change: { $0.artwork = pictures.settings(of: guide) }) { server in
            try await withThrowingTaskGroup(of: Int.self) { group in
                for number in 0..<40 {
                    let path = try Self.path(
                        "http://slow-\(number % 2).example/\(number).png", of: "stations/\(number)")
                    group.addTask { try await RawClient.get(path, port: server.port).status }
                }
                for try await status in group { expectEqual(status, 503) }
            }
            expectResponse(try await RawClient.get("/stations", port: server.port), 200)
        }
        // The end of the service ends the downloads.
        expectEqual(pictures.canceled, Artwork.maximumRunning)
        expectEqual(pictures.maximumRunning, Artwork.maximumRunning)
        let hosts = Dictionary(grouping: pictures.requests) { $0.prefix(13) }
        expectEqual(Set(hosts.values.map(\.count)), [Artwork.maximumRunningPerHost])
    }
}
