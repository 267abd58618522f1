import EPGCalendar
import EPGModel
import EPGOutput
import Foundation
import TestSupport
import Testing

@testable import EPGServer
@testable import ServiceTestSupport

/// Tests of the genres, texts and logos that the service writes.
@Suite(.serialized) struct OutputTests {
    private func guide() throws -> ServedGuide {
        try ServedGuide(
            """
            <channel id="one.test"><display-name>One</display-name><icon src="https://guide.example/1.png"/></channel>
            <channel id="two.test"><display-name>Two</display-name></channel>
            <programme start="20261024180000 +0000" stop="20261024190000 +0000" channel="one.test">\
            <title>Lantern Bay</title><sub-title>Storm</sub-title><category>Krimi</category></programme>
            <programme start="20261024180000 +0000" stop="20261024190000 +0000" channel="two.test">\
            <title>Tides</title><category>Krimi</category></programme>
            """)
    }

    private func get(
        _ path: String, _ guide: ServedGuide, headers: [String] = [], change: (inout Site) throws -> Void = { _ in }
    ) async throws -> RawResponse {
        var site = Site(zone: .utc)
        try change(&site)
        let (output, logos, url) = (site.output, site.logos, site.publicURL)
        return try await RunningServer.run(
            guide,
            change: {
                $0.site.output = output
                $0.site.logos = logos
                $0.site.publicURL = url
            },
            { try await RawClient.get(path, port: $0.port, headers: headers) })
    }

    /// Puts a folder with a logo of `two.test` into the folder of the guide.
    private func addLogos(to guide: ServedGuide) throws -> LogoSettings {
        let folder = guide.folder + "/pictures"
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        try Data("<svg xmlns='http://www.w3.org/2000/svg'/>".utf8).write(to: URL(filePath: folder + "/two.test.svg"))
        try Data("secret".utf8).write(to: URL(filePath: guide.folder + "/secret.png"))
        try FileManager.default.createSymbolicLink(
            atPath: folder + "/link.png", withDestinationPath: guide.folder + "/secret.png")
        var settings = LogoSettings()
        settings.folder = folder
        return settings
    }

    @Test func genresParameterAddsOrReplacesCategories() async throws {
        let guide = try guide()
        let genre = "<category lang=\"en\">Detective / Thriller</category>"
        let plain = try await get("/xmltv.xml", guide)
        expectText(plain.text, contains: ["<category>Krimi</category>"], lacks: [genre])
        let added = try await get("/xmltv.xml?genres=etsi", guide)
        expectText(added.text, contains: ["<category>Krimi</category>", genre])
        let replaced = try await get("/guide.json?genres=etsi-only&times=shown", guide)
        expectText(replaced.text, contains: ["Detective / Thriller"], lacks: ["Krimi"])
        try await expectEqual(get("/xmltv.xml?genres=dvb", guide).status, 400)
    }

    @Test func settingIsTheDefaultOfTheGenresParameter() async throws {
        let feed = try await get("/xmltv.xml", guide()) { $0.output.genres = .etsi }
        expectText(feed.text, contains: ["Detective / Thriller"])
        let plain = try await get("/xmltv.xml?genres=none", guide()) { $0.output.genres = .etsi }
        expectText(plain.text, lacks: ["Detective / Thriller"])
    }

    @Test func templatesShapeFeedsAndCalendars() async throws {
        let title = try TextTemplate("{title}[: {subtitle}]")
        try await RunningServer.run(
            guide(),
            change: {
                $0.site.output.texts.title = title
                $0.site.output.texts.dropped = ["sub-title"]
            }
        ) { server in
            for path in ["/xmltv.xml", "/guide.json", "/stations/one.test.ics"] {
                let text = try await RawClient.get(path, port: server.port).text
                expectText(text, contains: ["Lantern Bay: Storm"], path)
                expectEqual(text.components(separatedBy: "Storm").count, 2, path)
            }
        }
    }

    @Test func settingsOfAStationOverrideThoseOfAll() async throws {
        let feed = try await get("/xmltv.xml", guide()) {
            var texts = OutputTexts()
            texts.title = try TextTemplate("* {title}")
            $0.output.texts.title = try TextTemplate("{title} ({station})")
            $0.output.stations = [StationTexts(patterns: ["two.*"], texts: texts)]
        }
        expectText(feed.text, contains: ["<title>Lantern Bay (One)</title>", "<title>* Tides</title>"])
    }

    @Test func settingsChangeEntityTagsOfFeeds() async throws {
        let guide = try guide()
        let plain = try await get("/xmltv.xml", guide)
        let shaped = try await get("/xmltv.xml", guide) { $0.output.texts.title = try TextTemplate("{title}!") }
        expectEqual(Set([plain, shaped].compactMap { $0["etag"] }).count, 2)
    }

    @Test func logoOfAFolderIsServedAndUsedEverywhere() async throws {
        let guide = try guide()
        let settings = try addLogos(to: guide)
        try guide.importPlaylist(
            Array("#EXTM3U\n#EXTINF:-1 tvg-id=\"two.test\",Two\nhttp://127.0.0.1/two\n".utf8), named: "list")
        let host = ["Host: tv.example"]
        func get(_ path: String) async throws -> RawResponse {
            try await self.get(path, guide, headers: host) { $0.logos = try Logos(settings) }
        }
        let logo = try await get("/logos/two.test.svg")
        expectResponse(
            logo, 200, headers: ["content-type": "image/svg+xml", "x-content-type-options": "nosniff"])
        _ = try #require(logo["etag"])
        expectText(logo["content-security-policy"] ?? "", contains: ["default-src 'none'"])
        try await expectText(get("/stations").text, contains: ["src=\"/logos/two.test.svg\""])
        try await expectText(get("/api/v1/stations/two.test").text, contains: ["\"/logos/two.test.svg\""])
        let feed = try await get("/xmltv.xml")
        expectText(
            feed.text,
            contains: [
                "<icon src=\"http://tv.example/logos/two.test.svg\" />", "<icon src=\"https://guide.example/1.png\" />",
            ])
        try await expectText(get("/playlist.m3u").text, contains: ["tvg-logo=\"http://tv.example/logos/two.test.svg\""])
    }

    @Test func publicURLPrecedesTheHostInURLsOfLogos() async throws {
        let guide = try guide()
        let settings = try addLogos(to: guide)
        let feed = try await get("/xmltv.xml", guide, headers: ["Host: other.example"]) {
            $0.publicURL = "https://tv.example"
            $0.logos = try Logos(settings, base: "https://tv.example/logos/")
        }
        expectText(feed.text, contains: ["<icon src=\"https://tv.example/logos/two.test.svg\" />"])
    }

    private static let paths = [
        "/logos/link.png", "/logos/secret.png", "/logos/..%2Fsecret.png", "/logos/%2e%2e%2fsecret.png",
        "/logos/../secret.png",
        "/logos/none.svg", "/logos/two.test.svg%00", "/logos/", "/logos/pictures%2Ftwo.test.svg",
    ]

    @Test func onlyFilesOfTheFolderAreServed() async throws {
        let guide = try guide()
        let logos = try Logos(addLogos(to: guide))
        try await RunningServer.run(guide, change: { $0.site.logos = logos }) { server in
            for path in Self.paths {
                let response = try await RawClient.get(path, port: server.port)
                #expect([400, 404].contains(response.status), "\(path)")
                expectText(response.text, lacks: ["secret\n"], path)
                expectNotEqual(response.text, "secret", path)
            }
        }
    }

    @Test func logoIsRevalidated() async throws {
        let guide = try guide()
        let settings = try addLogos(to: guide)
        let logo = try await get("/logos/two.test.svg", guide) { $0.logos = try Logos(settings) }
        let tag = try #require(logo["etag"])
        let again = try await get("/logos/two.test.svg", guide, headers: ["If-None-Match: \(tag)"]) {
            $0.logos = try Logos(settings)
        }
        expectEqual(again.status, 304)
    }

    @Test func logoOfAPlaylistIsShownForAStationWithoutIcon() async throws {
        let guide = try guide()
        let playlist =
            "#EXTM3U\n#EXTINF:-1 tvg-id=\"two.test\" tvg-logo=\"https://list.example/2.png\",Two\nhttp://127.0.0.1/two\n"
        try guide.importPlaylist(Array(playlist.utf8), named: "list")
        try await expectText(get("/stations", guide).text, contains: ["https://list.example/2.png"])
        try await expectText(get("/xmltv.xml", guide).text, lacks: ["https://list.example/2.png"])
        let feed = try await get("/xmltv.xml", guide) { site in
            var settings = LogoSettings()
            settings.order = [.guide, .playlist]
            site.logos = try Logos(settings)
        }
        expectText(
            feed.text,
            contains: ["<icon src=\"https://list.example/2.png\" />", "<icon src=\"https://guide.example/1.png\" />"])
    }
}
