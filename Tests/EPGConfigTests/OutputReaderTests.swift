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
        try refusal { try read(text) }.errors.map(\.description)
    }

    @Test func urlAndFolderAreToldApart() throws {
        #expect(try read("logos: https://a.example/{id}.png").logos.template?.text == "https://a.example/{id}.png")
        let folders = try ["pictures", "{location: /srv/logos}"].map { try read("logos: \($0)").logos.folder }
        #expect(folders == ["/f/pictures", "/srv/logos"])
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
        let stations = [StationLogo(station: StationID("one.example"), location: "https://b.example/1.png")]
        #expect((logos.order, logos.stations) == ([.playlist, .own], stations))
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
        let texts = settings.texts
        #expect(
            (settings.genres, texts.title?.text, texts.dropped, texts.languages)
                == (.etsiOnly, "{title} {new}", ["credits"], ["de", "en"]))
        #expect(settings.stations.map(\.patterns) == [["*.uk"], ["a", "b"]])
        #expect(settings.stations.last?.texts.dropped == ["image", "url"])
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
        let text = "\(settings)"
        #expect(text.contains("{title} {new:*}") && text.contains("https://a.example/{id}"), "\(text)")
        #expect(!text.contains("0x") && !text.contains("$"), "\(text)")
    }

    @Test func everyKeyIsListedForUnknownSettings() throws {
        #expect(try errors("colour: red")[0].hasSuffix("sources, logos, genres, output"))
    }

    @Test func valuesAreShownWithTheirLines() throws {
        let findings = try ConfigurationReader.ofTexts([
            "/f/epg.yml": "output:\n  stations:\n    - stations: a\n      title: \"{title}\"\n"
        ]).read(file: "/f/epg.yml")
        #expect(
            findings.outputs.map { "\($0.key) \($0.place.line ?? 0)" }
                == ["output.stations[0].stations 3", "output.stations[0].title 4"])
    }
}
