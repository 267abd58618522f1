import EPGModel
import EPGSQL
import EPGStore
import TestSupport
import Testing
import XMLTV

/// Input and expected meaning from the tests of Jellyfin's reader (jellyfin/Jellyfin.XmlTv, `tests/`).
///
/// Three expectations are intentionally different here:
/// * Without a preferred language, the first title wins, not the one without `lang`: in the DTD, the first is canonical.
/// * Offsets of one to three digits (`+000`, `0`) are rejected rather than read as zero, because `+1` may mean an hour or a
///   minute.
/// * Of two contradicting episode numbers, the first valid one wins, not the last. Both are kept.
@Suite struct JellyfinTests {
    /// `XmlTvReaderDateTimeTests`.
    @Test(
        arguments: [
            ("2016", "2016-01-01T00:00:00Z"), ("201601", "2016-01-01T00:00:00Z"), ("20160101", "2016-01-01T00:00:00Z"),
            ("2016010112", "2016-01-01T12:00:00Z"), ("201601011234", "2016-01-01T12:34:00Z"),
            ("20160101123456", "2016-01-01T12:34:56Z"), ("20160101120000 +0000", "2016-01-01T12:00:00Z"),
            ("20160101120000 +1000", "2016-01-01T02:00:00Z"), ("20160101120000 +0100", "2016-01-01T11:00:00Z"),
            ("20160101120000 +0010", "2016-01-01T11:50:00Z"), ("20160101120000 +0001", "2016-01-01T11:59:00Z"),
            ("20160101120000 -1000", "2016-01-01T22:00:00Z"), ("20160101120000 -0100", "2016-01-01T13:00:00Z"),
            ("20160101120000 -0010", "2016-01-01T12:10:00Z"), ("20160101120000 -0001", "2016-01-01T12:01:00Z"),
            ("2016 -0100", "2016-01-01T01:00:00Z"), ("201601 -0100", "2016-01-01T01:00:00Z"),
            ("20160101 -0100", "2016-01-01T01:00:00Z"), ("2016010112 -0100", "2016-01-01T13:00:00Z"),
            ("201601011200 -0100", "2016-01-01T13:00:00Z"), ("20160101120000 -0100", "2016-01-01T13:00:00Z"),
            ("20160101120000 +00", "2016-01-01T12:00:00Z"),
        ])
    func timeIsParsedAsInstant(text: String, instant: String) throws {
        let time = try XMLTVTime(parsing: Array(text.utf8).span)
        expectEqual(Instant(secondsSince1970: time.secondsSince1970).description, instant)
    }

    /// `XmlTvReaderTagTests`, episode numbers: season, episode, part, and the total of each; 0 for none.
    @Test(
        arguments: [
            ("xmltv_ns", "", [0, 0, 0, 0, 0, 0]), ("xmltv_ns", "..", [0, 0, 0, 0, 0, 0]),
            ("xmltv_ns", " . . ", [0, 0, 0, 0, 0, 0]), ("xmltv_ns", "1.2.", [2, 3, 0, 0, 0, 0]),
            ("xmltv_ns", "1.2.3", [2, 3, 4, 0, 0, 0]), ("xmltv_ns", "1 . 2 . 3", [2, 3, 4, 0, 0, 0]),
            ("xmltv_ns", "1.13.0/1", [2, 14, 1, 0, 0, 1]), ("xmltv_ns", "2/10.3/22.0/2", [3, 4, 1, 10, 22, 2]),
            ("xmltv_ns", "2 / 10 . 3 / 22 . 0 / 2", [3, 4, 1, 10, 22, 2]), ("SxxExx", "", [0, 0, 0, 0, 0, 0]),
            ("SxxExx", "s01e02", [1, 2, 0, 0, 0, 0]), ("SxxExx", "S01E02", [1, 2, 0, 0, 0, 0]),
        ] as [(String, String, [Int])])
    func episodeNumberIsParsedAsPosition(system: String, text: String, numbers: [Int]) {
        let position = EpisodeNumber(value: text, system: system).position
        let counts = [position?.season, position?.episode, position?.part]
        expectEqual(counts.map { $0?.number ?? 0 } + counts.map { $0?.total ?? 0 }, numbers)
    }

    /// `XmlTvReaderTagTests`, categories.
    @Test(
        arguments: [
            ("", nil, []), ("<category>series</category>", nil, ["series"]),
            ("<category>series</category><category>Animation</category>", nil, ["series", "Animation"]),
            ("<category lang=\"\">Crime</category><category lang=\"\">Crimen</category>", nil, ["Crime", "Crimen"]),
            (
                "<category lang=\"en\">Crime</category><category lang=\"es\">Crimen</category>", nil,
                ["Crime", "Crimen"]
            ),
            (
                "<category lang=\"en\">Crime</category><category lang=\"es\">Crimen</category>", "de",
                ["Crime", "Crimen"]
            ),
            ("<category>series</category>", "en", ["series"]),
            ("<category lang=\"en\">Crime</category><category lang=\"es\">Crimen</category>", "en", ["Crime"]),
            ("<category lang=\"en\">Crime</category><category lang=\"es\">Crimen</category>", "es", ["Crimen"]),
        ] as [(String, String?, [String])])
    func categoriesFollowLanguageOrAreAll(elements: String, language: String?, expected: [String]) throws {
        let programme = try programme(elements)
        expectEqual(programme.categories.texts(preferring: language.map { [$0] } ?? []), expected)
    }

    /// `XmlTvReaderTagTests`, sub-titles.
    @Test(
        arguments: [
            ("<sub-title>Episode Title</sub-title>", nil, "Episode Title"),
            ("<sub-title lang=\"\">Episode Title</sub-title>", nil, "Episode Title"),
            ("<sub-title lang=\"en\">english</sub-title><sub-title lang=\"es\">spanish</sub-title>", nil, "english"),
            ("<sub-title lang=\"en\">english</sub-title><sub-title lang=\"es\">spanish</sub-title>", "de", "english"),
            ("<sub-title lang=\"en\">english</sub-title><sub-title lang=\"es\">spanish</sub-title>", "en", "english"),
            ("<sub-title lang=\"en\">english</sub-title><sub-title lang=\"es\">spanish</sub-title>", "es", "spanish"),
        ] as [(String, String?, String)])
    func subtitleFollowsLanguageOrIsTheFirst(elements: String, language: String?, expected: String) throws {
        let programme = try programme(elements)
        expectEqual(programme.subtitles.text(preferring: language.map { [$0] } ?? []), expected)
    }

    private func programme(_ elements: String) throws -> Programme {
        let guide = try ImportedGuide(
            "<programme start=\"20220328040000 +0000\" stop=\"20220328050000 +0000\" channel=\"one.test\">\(elements)</programme>"
        )
        return try #require(try guide.onlyAiring()).programme
    }

    // MARK: - Jellyfin's sample guides

    private static let folder = "jellyfin_Jellyfin.XmlTv/tests/Jellyfin.XmlTv.Tests/Test_Data/"

    private func guide(_ name: String) throws -> ImportedGuide {
        let survey = try #require(RealGuide.surveys.first { $0.file == Self.folder + name })
        return try ImportedGuide(bytes: try RealGuide(survey).bytes())
    }

    /// `XmlTvReaderLanguageTests`.
    @Test(
        .needs(.sharedData()),
        arguments: [
            ("es", "Homes Under the Hammer - Spanish", ["Property - Spanish"]),
            ("en", "Homes Under the Hammer - English", ["Property - English"]),
        ])
    func viewerLanguageSelectsTexts(language: String, title: String, categories: [String]) throws {
        let guide = try guide("MultilanguageData.xml")
        let airing = try #require(try guide.airings(of: "UK_RT_2667").first)
        let programme = try #require(try guide.store.airing(airing.id)).programme
        expectEqual(programme.titles.text(preferring: [language]), title)
        expectEqual(programme.categories.texts(preferring: [language]), categories)
    }

    /// `XmlTvReaderTests`, UK data. It is UTF-8 but declares ISO-8859-1.
    @Test(.needs(.sharedData()))
    func britishGuideIsRead() throws {
        let guide = try guide("UK_Data.xml.gz")
        try expectEqual(guide.store.stationCount(), 5)
        let first = try #require(try guide.store.station(StationID("UK_RT_2667"))?.station)
        expectEqual(first.name, "BBC1 HD")
        expectEqual(first.icons, [Icon(source: "Logo_UK_RT_2667", width: "100", height: "200")])
        try expectEqual(guide.store.station(StationID("UK_RT_134"))?.station.icons, [])
        let day = TimeWindow(
            start: Instant(secondsSince1970: 1_448_496_000), end: Instant(secondsSince1970: 1_448_582_400))
        let airings = try guide.store.schedule(of: StationID("UK_RT_2056"), during: day).airings
        let secret = try #require(airings.first { $0.title == "The Secret Life of" })
        expectEqual(secret.window.start.description, "2015-11-26T20:00:00Z")
        expectEqual(secret.window.end.description, "2015-11-26T21:00:00Z")
        expectEqual(secret.description?.hasPrefix("Cameras follow the youngsters' development"), true)
        expectEqual(secret.categories, ["Documentary"])
        expectEqual(secret.subtitle, "The Secret Life of 5 Year Olds")
        let programme = try #require(try guide.store.airing(secret.id)).programme
        let position = try #require(programme.episodeNumbers.compactMap(\.position).first)
        expectEqual(position.season.number, 1)
        expectEqual(position.season.total, nil)
        expectEqual(position.episode.number, 4)
        expectEqual(position.episode.total, 6)
        expectEqual(programme.premiere?.text, "First showing on national terrestrial TV")
        expectEqual(programme.isNew, true)
        let titles = try guide.store.schedule(of: StationID("UK_RT_2667"), during: day).airings.map(\.title)
        expectContains(titles, "Homes Under the Hammer - Title 1")
        expectContains(titles, "Oxford Street Revealed - Title 1")
    }

    /// `XmlTvReaderTests`, Schedules Direct.
    @Test(.needs(.sharedData()))
    func creditsOfAllKindsAreRead() throws {
        let guide = try guide("schedulesdirect.xml")
        let airing = try #require(
            try guide.airings(of: "EPG123.10108.schedulesdirect.org").first { $0.title == "Match Game" })
        let programme = try #require(try guide.store.airing(airing.id)).programme
        expectEqual(programme.credits.count, 9)
        expectEqual(programme.credits.filter { $0.role == "guest" }.count, 6)
        expectEqual(programme.icons.count, 4)
    }

    /// `custom.xml`: images and URLs of a person, reviews, images.
    @Test(.needs(.sharedData()))
    func personHasImagesAndURLs() throws {
        let guide = try guide("custom.xml")
        let airing = try #require(try guide.airings(of: "EPG123.10108.schedulesdirect.org").first)
        let programme = try #require(try guide.store.airing(airing.id)).programme
        let person = try #require(programme.credits.first { $0.name == "Daya Vaidya" })
        expectEqual(person.role, "actor")
        expectEqual(person.character, "Det. Nina Inara")
        expectEqual(person.isGuest, false)
        expectEqual(person.images.map(\.url), ["https://example.com/xxx.jpg"])
        expectEqual(person.urls.map(\.system), ["moviedb", "imdb"])
        expectEqual(programme.reviews.map(\.type), ["text", "text", "url"])
        expectEqual(programme.images.map(\.orientation), ["P", "P", "L", "L"])
    }
}
