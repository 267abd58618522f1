import EPGModel
import EPGOutput
import Testing

@testable import EPGConfig

/// Tests of `logos`, `genres` and `output`.
struct OutputReaderTests {
    private func read(_ text: String) throws -> OutputSettings {
        try ConfigurationReader.ofTexts(["/f/epg.yml": text]).read(file: "/f/epg.yml").configuration.output
    }

    private func errors(_ text: String) throws -> [String] {
        let refusal = try #require(throws: ConfigurationRefusal.self) { try read(text) }
        return refusal.errors.map(\.description)
    }

    @Test func urlAndFolderAreToldApart() throws {
        #expect(try read("logos: https://a.example/{id}.png").logos.template?.text == "https://a.example/{id}.png")
        #expect(try read("logos: pictures").logos.folder == "/f/pictures")
        #expect(try read("logos: {location: /srv/logos}").logos.folder == "/srv/logos")
        #expect(try read("zone: UTC") == OutputSettings())
    }

    @Test func allLogoSettingsAreParsed() throws {
        let logos = try read(
            """
            logos:
              location: http://a.example/{number}
              order: [playlist, own]
              stations:
                one.example: https://b.example/1.png
            """
        ).logos
        #expect(logos.order == [.playlist, .own])
        #expect(
            logos.stations == [StationLogo(station: StationID("one.example"), location: "https://b.example/1.png")])
    }

    @Test func genresAreNamesOrCodes() throws {
        let words = try read("genres: {Film: comedy, Schlager-: 0x63, Foo: none}").genreWords
        #expect(
            words == [
                GenreWord("Film", Genre(code: 0x14)), GenreWord("Schlager-", Genre(code: 0x63)), GenreWord("Foo", nil),
            ])
    }

    @Test func textsOfAllAndOfSomeStationsAreParsed() throws {
        let settings = try read(
            """
            output:
              genres: etsi-only
              title: "{title} {new}"
              subtitle: "{year}"
              description: "{description}"
              drop: credits
              languages: [de, en]
              stations:
                - stations: "*.uk"
                  title: "{title}"
                - stations: [a, b]
                  drop: [image, url]
            """)
        #expect(settings.genres == .etsiOnly)
        #expect(settings.texts.title?.text == "{title} {new}")
        #expect(settings.texts.dropped == ["credits"] && settings.texts.languages == ["de", "en"])
        #expect(settings.stations.map(\.patterns) == [["*.uk"], ["a", "b"]])
        #expect(settings.stations[1].texts.dropped == ["image", "url"])
    }

    @Test(arguments: [
        (
            "zone: UTC\noutput:\n  title: \"{titel}\"",
            "/f/epg.yml:3: output.title: unknown placeholder {titel}; allowed: {title}, "
        ),
        ("output: {title: [a]}", "/f/epg.yml:1: output.title: expected a template in quotes"),
        (
            "output:\n  drop: [desc, title]",
            "/f/epg.yml:2: output.drop: cannot drop “title”; allowed: XMLTV elements: sub-title, "
        ),
        ("output: {genres: dvb}", "output.genres: invalid value; allowed: one of none, etsi, etsi-only"),
        ("output: {colour: red}", "output.colour: unknown setting; allowed: genres, stations, title, subtitle, "),
        ("output:\n  stations:\n    - title: x", "/f/epg.yml:3: output.stations[0]: missing stations"),
        ("output: {stations: a}", "output.stations: expected a list"),
        (
            "output:\n  stations:\n    - stations: a\n      genres: etsi",
            "/f/epg.yml:4: output.stations[0].genres: unknown setting"
        ),
        ("logos: https://a.example/{title}", "logos: invalid URL; allowed: a URL such as "),
        ("logos: ftp://a.example/{id}", "logos: invalid URL"), ("logos: [a]", "logos: expected one value"),
        (
            "logos: {order: [own, own]}",
            "logos.order: invalid order; allowed: a list of own, guide, playlist, each at most once"
        ),
        ("logos: {path: a}", "logos.path: unknown setting; allowed: location, order, stations"),
        (
            "genres:\n  Film: Comdy",
            "/f/epg.yml:2: genres.Film: unknown genre “Comdy”; allowed: a name such as “Comedy”, "
        ),
        ("genres: {\"-\": none}", "genres.-: a category needs letters or digits"),
        ("genres: [a]", "genres: expected a mapping"),
    ]) func invalidValueIsReportedWithItsLine(text: String, message: String) throws {
        let errors = try errors(text)
        #expect(errors.count == 1 && errors[0].contains(message), "\(errors)")
    }

    /// The description is part of what services with the same responses have in common.
    @Test func descriptionNamesOnlyValues() throws {
        let settings = try read("logos: https://a.example/{id}\noutput: {title: \"{title} {new:*}\", drop: url}\n")
        #expect("\(settings)".contains("{title} {new:*}") && "\(settings)".contains("https://a.example/{id}"))
        #expect(!"\(settings)".contains("0x") && !"\(settings)".contains("$"))
    }

    @Test func everyKeyIsListedForUnknownSettings() throws {
        #expect(try errors("colour: red")[0].hasSuffix("sources, logos, genres, output"))
    }

    @Test func valuesAreShownWithTheirLines() throws {
        let findings = try ConfigurationReader.ofTexts([
            "/f/epg.yml": "output:\n  stations:\n    - stations: a\n      title: \"{title}\"\n"
        ]).read(file: "/f/epg.yml")
        #expect(findings.outputs.map(\.key) == ["output.stations[0].stations", "output.stations[0].title"])
        #expect(findings.outputs.map(\.place.line) == [3, 4])
    }
}
