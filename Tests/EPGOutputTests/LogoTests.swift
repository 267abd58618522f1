import EPGModel
import EPGOutput
import Foundation
import TestSupport
import Testing

struct LogoTests {
    private func row(
        _ id: String, names: [String] = [], icon: String? = nil, number: String? = nil, channelLogo: String? = nil
    ) -> StationRow {
        StationRow(
            row: 0,
            station: Station(
                id: StationID(id), displayNames: names.map { LocalizedText($0) },
                icons: icon.map { [Icon(source: $0)] } ?? []),
            channelNumber: number.flatMap(ChannelNumber.init), channelLogo: channelLogo)
    }

    private func settings(_ template: String? = nil, order: [LogoSettings.Origin]? = nil) -> LogoSettings {
        var settings = LogoSettings()
        settings.template = template.flatMap(LogoTemplate.init)
        settings.order = order
        return settings
    }

    @Test func placeholdersOfURLArePercentEncoded() throws {
        let row = row("one/two.example", names: ["Größe & Co"], number: "7.1")
        expectEqual(
            LogoTemplate("https://a.example/{id}.png")?.url(for: row), "https://a.example/one%2Ftwo.example.png")
        expectEqual(
            LogoTemplate("https://a.example/{name}")?.url(for: row), "https://a.example/Gr%C3%B6%C3%9Fe%20%26%20Co")
        expectEqual(LogoTemplate("https://a.example/{number}?x")?.url(for: row), "https://a.example/7.1?x")
    }

    @Test func originsAreThoseOfAllURLs() {
        var settings = settings("http://Tuner.example:9981/{id}.png")
        settings.stations = [
            StationLogo(station: StationID("a"), location: "https://[fd00::1]:8080/a.png"),
            StationLogo(station: StationID("b"), location: "http://192.0.2.7/b.png"),
            StationLogo(station: StationID("c"), location: "c.png"),
        ]
        let stations: Set = ["https://[fd00::1]:8080", "http://192.0.2.7"]
        expectEqual(settings.origins, stations.union(["http://tuner.example:9981"]))
        settings.template = LogoTemplate("http://{name}.example/logo.png")
        expectEqual(settings.origins, stations)
        settings.template = LogoTemplate("http://tuner.example:{number}/logo.png")
        expectEqual(settings.origins, stations)
    }

    @Test func stationWithoutNumberHasNoLogoByNumber() {
        expectEqual(LogoTemplate("https://a.example/{number}.png")?.url(for: row("one")), nil)
    }

    @Test(arguments: [
        "ftp://a/{id}", "https://a/{title}", "https://a/{id", "https://a/}", "https://a/ b", "logos/{id}",
    ])
    func invalidURLIsNoTemplate(text: String) {
        expectEqual(LogoTemplate(text), nil)
    }

    @Test func ownLogoPrecedesGuideAndPlaylist() throws {
        let logos = try Logos(settings("https://a.example/{id}"))
        let row = row("one", icon: "https://guide.example/1", channelLogo: "https://list.example/1")
        expectEqual(logos.applied(to: row).station.icons.map(\.source), ["https://a.example/one"])
        expectEqual(logos.logo(inPlaylist: "https://list.example/1", of: row), "https://a.example/one")
    }

    @Test func withoutSettingsGuidePrecedesPlaylistExceptInAPlaylist() {
        let row = row("one", icon: "https://guide.example/1", channelLogo: "https://list.example/1")
        expectEqual(Logos.guide.applied(to: row), row)
        expectEqual(Logos.guide.logo(inPlaylist: "https://list.example/1", of: row), "https://list.example/1")
        expectEqual(Logos.guide.logo(inPlaylist: nil, of: row), "https://guide.example/1")
        let bare = self.row("one", channelLogo: "https://list.example/1")
        expectEqual(Logos.guide.applied(to: bare).station.icons.map(\.source), ["https://list.example/1"])
    }

    @Test func orderIsFollowed() throws {
        let logos = try Logos(settings("https://a.example/{id}", order: [.playlist, .guide]))
        let row = row("one", icon: "https://guide.example/1", channelLogo: "https://list.example/1")
        expectEqual(logos.applied(to: row).station.icons.map(\.source), ["https://list.example/1"])
        expectEqual(logos.applied(to: self.row("two")).station.icons, [])
        expectEqual(logos.logo(inPlaylist: nil, of: row), "https://guide.example/1")
    }

    @Test func logoOfAStationPrecedesTheTemplate() throws {
        var settings = settings("https://a.example/{id}")
        settings.stations = [StationLogo(station: StationID("one"), location: "https://b.example/x.png")]
        let logos = try Logos(settings)
        expectEqual(logos.applied(to: row("one")).station.icons.map(\.source), ["https://b.example/x.png"])
        expectEqual(logos.applied(to: row("two")).station.icons.map(\.source), ["https://a.example/two"])
    }

    @Test func iconFollowsTheNamesOfAStation() throws {
        let logos = try Logos(settings("https://a.example/{id}"))
        let name = ContentNode.element(ContentElement(name: "display-name", children: [.text("One")]))
        let old = ContentNode.element(
            ContentElement(name: "icon", attributes: [.init(name: "src", value: "https://g.example")]))
        let url = ContentNode.element(ContentElement(name: "url", children: [.text("https://one.example")]))
        let new = ContentNode.element(
            ContentElement(name: "icon", attributes: [.init(name: "src", value: "https://a.example/one")]))
        expectEqual(logos.applied(to: row("one", icon: "https://g.example"), [name, old, url]), [name, new, url])
    }

    // MARK: - Folders

    /// A folder with empty files, removed after the body.
    private func withFolder(_ names: [String], _ body: (String) throws -> Void) throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "logos-\(UUID().uuidString)").path
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        defer { _ = Result { try FileManager.default.removeItem(atPath: folder) } }
        for name in names { try Data(name.utf8).write(to: URL(filePath: "\(folder)/\(name)")) }
        try body(folder)
    }

    @Test func fileIsNamedByIdentifierOrName() throws {
        try withFolder([
            "one.example.png", "HARBOUR twó.svg", "a%2Fb.jpg", "both.png", "both.svg", "notes.txt", ".x.png",
        ]) {
            let folder = try LogoFolder(path: $0)
            expectEqual(folder.file(for: row("one.example")), "one.example.png")
            expectEqual(folder.file(for: row("two.example", names: ["Unknown", "Harbour Two"])), "HARBOUR twó.svg")
            expectEqual(folder.file(for: row("a/b")), "a%2Fb.jpg")
            expectEqual(folder.file(for: row("both")), "both.svg")
            expectEqual(folder.file(for: row("notes")), nil)
            expectEqual(folder.file(for: row("none", names: ["?"])), nil)
            expectEqual(folder.fileNames.count, 5)
        }
    }

    @Test func urlOfAFileIsPercentEncodedBelowTheBase() throws {
        try withFolder(["Harbour Two.png", "three.webp"]) {
            var settings = LogoSettings()
            settings.folder = $0
            settings.stations = [
                StationLogo(station: StationID("x"), location: "three.webp"),
                StationLogo(station: StationID("y"), location: "missing.png"),
            ]
            let logos = try Logos(settings, base: "https://tv.example/logos/")
            let icons = logos.applied(to: row("2", names: ["harbour-two"])).station.icons
            expectEqual(icons.map(\.source), ["https://tv.example/logos/Harbour%20Two.png"])
            expectEqual(
                logos.applied(to: row("x")).station.icons.map(\.source), ["https://tv.example/logos/three.webp"])
            expectEqual(logos.applied(to: row("y")).station.icons, [])
        }
    }

    @Test func onlyRegularFilesOfTheFolderAreOpened() throws {
        try withFolder(["one.png", "notes.txt"]) { path in
            try FileManager.default.createSymbolicLink(atPath: "\(path)/link.png", withDestinationPath: "/etc/passwd")
            try FileManager.default.createDirectory(atPath: "\(path)/folder.png", withIntermediateDirectories: false)
            let folder = try LogoFolder(path: path)
            expectEqual(folder.picture(named: "one.png")?.mediaType, "image/png")
            expectEqual(folder.picture(named: "one.png").map { String(decoding: $0.bytes, as: UTF8.self) }, "one.png")
            for name in [
                "link.png", "folder.png", "notes.txt", "../\(path.split(separator: "/").last ?? "")/one.png", "", ".",
            ] {
                expectEqual(folder.picture(named: name)?.bytes, nil, "\(name)")
            }
        }
    }

    @Test func tooLargeFileIsNotServed() throws {
        try withFolder([]) { path in
            try Data(count: LogoFolder.maximumSize + 1).write(to: URL(filePath: "\(path)/big.png"))
            try expectEqual(LogoFolder(path: path).picture(named: "big.png")?.bytes, nil)
        }
    }
}
