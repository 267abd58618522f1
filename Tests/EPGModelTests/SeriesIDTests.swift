import TestSupport
import Testing

@testable import EPGModel

/// Tests of series identifiers, with fictional identifiers in the formats of the systems.
@Suite struct SeriesIDTests {
    private func programme(_ numbers: (String, String)..., title: String? = "Evening News") -> Programme {
        var programme = Programme()
        programme.titles = title.map { [LocalizedText($0)] } ?? []
        programme.episodeNumbers = numbers.map { EpisodeNumber(value: $0.1, system: $0.0) }
        return programme
    }

    @Test(
        arguments: [
            ("dd_progid", "EP01234567.0012", "dd_progid:01234567"),
            ("dd_progid", "SH01234567.0000", "dd_progid:01234567"),
            ("dd_progid", " ep012345670012 ", "dd_progid:01234567"), ("dd_progid", "EP01234567", "dd_progid:01234567"),
            ("dd_progid", "MV01234567.0000", nil), ("dd_progid", "SP01234567.0000", nil),
            ("dd_progid", "EP0123456.0012", nil),
            ("dd_progid", "EP01234567x", nil), ("dd_progid", "EP", nil), ("dd_progid", "", nil),
            ("dd_seriesid", "1000001", "dd_seriesid:1000001"), ("thetvdb.com", "series/70001", "thetvdb.com:70001"),
            ("thetvdb.com", "episode/70001", nil), ("themoviedb.org", "tv/501", "themoviedb.org:501"),
            ("themoviedb.com", "tv/501", "themoviedb.org:501"), ("themoviedb.org", "movie/501", nil),
            ("broadcaster.example", "show/a-b+c:9", "broadcaster.example:a-b+c:9"),
            ("broadcaster.example", "show", nil),
            ("xmltv_ns", "0.1.", "title:evening news"), ("onscreen", "Part 1", "title:evening news"),
            ("SxxExx", "S01E02", "title:evening news"), ("common", "S01E02", "title:evening news"),
            ("original-air-date", "2026-10-25", nil), ("imdb.com", "title/tt1", nil),
        ] as [(String, String, String?)])
    func seriesFollowsEpisodeNumber(system: String, value: String, expected: String?) {
        expectEqual(programme((system, value)).series?.rawValue, expected)
    }

    @Test func identifiersTakePrecedenceOverSitesAndTitles() {
        let all = programme(
            ("xmltv_ns", "0.1."), ("site.example", "show/1"), ("themoviedb.org", "tv/2"), ("thetvdb.com", "series/3"),
            ("dd_seriesid", "4"), ("dd_progid", "EP00000005.0001"))
        expectEqual(all.series?.rawValue, "dd_progid:00000005")
        var fewer = all
        let expected = ["dd_seriesid:4", "thetvdb.com:3", "themoviedb.org:2", "site.example:1", "title:evening news"]
        for series in expected {
            fewer.episodeNumbers.removeLast()
            expectEqual(fewer.series?.rawValue, series)
        }
        fewer.episodeNumbers.removeLast()
        expectEqual(fewer.series, nil)
    }

    @Test func seriesCRIDTakesPrecedenceOverTitle() {
        func crid(_ type: String, _ text: String) -> ContentNode {
            .element(
                ContentElement(
                    name: "crid", attributes: [ContentAttribute(name: "type", value: type)], children: [.text(text)]))
        }
        var episode = programme(("xmltv_ns", "0.1."))
        episode.extras = [crid("item", "/I1"), crid("series", "/S1")]
        expectEqual(episode.series?.rawValue, "crid:/S1")
        episode.extras = [crid("series", "crid://station.example/S1")]
        #expect(episode.series?.rawValue == "crid://station.example/S1")
        episode.extras = [crid("item", "/I1")]
        expectEqual(episode.series?.rawValue, "title:evening news")
    }

    @Test func movieWithEpisodeNumberHasNoSeries() {
        expectEqual(programme(("onscreen", "Part 1"), ("themoviedb.org", "movie/1")).series, nil)
        expectEqual(programme(("xmltv_ns", "0.1."), ("dd_progid", "MV01234567.0000")).series, nil)
    }

    @Test func episodeWithoutTitleHasNoSeries() {
        expectEqual(programme(("xmltv_ns", "0.1."), title: nil).series, nil)
        expectEqual(programme(("xmltv_ns", "0.1."), title: " ").series, nil)
        expectEqual(programme(("xmltv_ns", "0.1."), title: " ÉTÉ ").series?.rawValue, "title:été")
    }
}
