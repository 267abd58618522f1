import EPGCalendar
import EPGModel
import EPGOutput
import EPGServer
import Foundation
import Testing

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
        #expect(plain.text.contains("<category>Krimi</category>") && !plain.text.contains(genre))
        let added = try await get("/xmltv.xml?genres=etsi", guide)
        #expect(added.text.contains("<category>Krimi</category>") && added.text.contains(genre))
        let replaced = try await get("/guide.json?genres=etsi-only&times=shown", guide)
        #expect(!replaced.text.contains("Krimi") && replaced.text.contains("Detective / Thriller"))
        #expect(try await get("/xmltv.xml?genres=dvb", guide).status == 400)
    }

    @Test func settingIsTheDefaultOfTheGenresParameter() async throws {
        let feed = try await get("/xmltv.xml", guide()) { $0.output.genres = .etsi }
        #expect(feed.text.contains("Detective / Thriller"))
        let plain = try await get("/xmltv.xml?genres=none", guide()) { $0.output.genres = .etsi }
        #expect(!plain.text.contains("Detective / Thriller"))
    }

    @Test(arguments: ["/xmltv.xml", "/guide.json", "/stations/one.test.ics"])
    func templatesShapeFeedsAndCalendars(path: String) async throws {
        let feed = try await get(path, guide()) {
            $0.output.texts.title = try TextTemplate("{title}[: {subtitle}]")
            $0.output.texts.dropped = ["sub-title"]
        }
        #expect(feed.text.contains("Lantern Bay: Storm"))
        #expect(feed.text.components(separatedBy: "Storm").count == 2)
    }

    @Test func settingsOfAStationOverrideThoseOfAll() async throws {
        let feed = try await get("/xmltv.xml", guide()) {
            var texts = OutputTexts()
            texts.title = try TextTemplate("* {title}")
            $0.output.texts.title = try TextTemplate("{title} ({station})")
            $0.output.stations = [StationTexts(patterns: ["two.*"], texts: texts)]
        }
        #expect(feed.text.contains("<title>Lantern Bay (One)</title>"))
        #expect(feed.text.contains("<title>* Tides</title>"))
    }

    @Test func settingsChangeEntityTagsOfFeeds() async throws {
        let guide = try guide()
        let plain = try await get("/xmltv.xml", guide)
        let shaped = try await get("/xmltv.xml", guide) { $0.output.texts.title = try TextTemplate("{title}!") }
        #expect(plain["etag"] != shaped["etag"])
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
        #expect(logo.status == 200 && logo["content-type"] == "image/svg+xml" && logo["etag"] != nil)
        #expect(logo["x-content-type-options"] == "nosniff")
        #expect(logo["content-security-policy"]?.contains("default-src 'none'") ?? false)
        #expect(try await get("/stations").text.contains("src=\"/logos/two.test.svg\""))
        #expect(try await get("/api/v1/stations/two.test").text.contains("\"/logos/two.test.svg\""))
        let feed = try await get("/xmltv.xml")
        #expect(feed.text.contains("<icon src=\"http://tv.example/logos/two.test.svg\" />"))
        #expect(feed.text.contains("<icon src=\"https://guide.example/1.png\" />"))
        #expect(try await get("/playlist.m3u").text.contains("tvg-logo=\"http://tv.example/logos/two.test.svg\""))
    }

    @Test func publicURLPrecedesTheHostInURLsOfLogos() async throws {
        let guide = try guide()
        let settings = try addLogos(to: guide)
        let feed = try await get("/xmltv.xml", guide, headers: ["Host: other.example"]) {
            $0.publicURL = "https://tv.example"
            $0.logos = try Logos(settings, base: "https://tv.example/logos/")
        }
        #expect(feed.text.contains("<icon src=\"https://tv.example/logos/two.test.svg\" />"))
    }

    @Test(arguments: [
        "/logos/link.png", "/logos/secret.png", "/logos/..%2Fsecret.png", "/logos/%2e%2e%2fsecret.png",
        "/logos/../secret.png",
        "/logos/none.svg", "/logos/two.test.svg%00", "/logos/", "/logos/pictures%2Ftwo.test.svg",
    ]) func onlyFilesOfTheFolderAreServed(path: String) async throws {
        let guide = try guide()
        let settings = try addLogos(to: guide)
        let response = try await get(path, guide) { $0.logos = try Logos(settings) }
        #expect([400, 404].contains(response.status))
        #expect(!response.text.contains("secret\n") && response.text != "secret")
    }

    @Test func logoIsRevalidated() async throws {
        let guide = try guide()
        let settings = try addLogos(to: guide)
        let tag = try await get("/logos/two.test.svg", guide) { $0.logos = try Logos(settings) }["etag"]
        let again = try await get("/logos/two.test.svg", guide, headers: ["If-None-Match: \(tag ?? "")"]) {
            $0.logos = try Logos(settings)
        }
        #expect(again.status == 304)
    }

    @Test func logoOfAPlaylistIsShownForAStationWithoutIcon() async throws {
        let guide = try guide()
        let playlist =
            "#EXTM3U\n#EXTINF:-1 tvg-id=\"two.test\" tvg-logo=\"https://list.example/2.png\",Two\nhttp://127.0.0.1/two\n"
        try guide.importPlaylist(Array(playlist.utf8), named: "list")
        #expect(try await get("/stations", guide).text.contains("https://list.example/2.png"))
        #expect(try await !get("/xmltv.xml", guide).text.contains("https://list.example/2.png"))
        let feed = try await get("/xmltv.xml", guide) { site in
            var settings = LogoSettings()
            settings.order = [.guide, .playlist]
            site.logos = try Logos(settings)
        }
        #expect(feed.text.contains("<icon src=\"https://list.example/2.png\" />"))
        #expect(feed.text.contains("<icon src=\"https://guide.example/1.png\" />"))
    }
}
