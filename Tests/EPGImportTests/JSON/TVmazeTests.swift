import EPGImport
import EPGModel
import EPGSQL
import EPGStore
import TestSupport
import Testing

@Suite struct TVmazeTests {
    private func episode(_ members: String, show: String = "") -> String {
        """
        [{"id": 7, "airstamp": "2024-03-17T19:00:00-04:00"\(members.isEmpty ? "" : ",")\(members),
          "show": {"id": 9, "name": "Sixty", "network": {"id": 2, "name": "CBS", "country": {"code": "US"}},
                   "webChannel": null\(show.isEmpty ? "" : ",")\(show)}}]
        """
    }

    @Test func episodeIsRead() throws {
        let records = try JSONReading.records(
            """
            [{"id": 2582354, "url": "https://www.tvmaze.com/episodes/2582354/x", "name": "Truth to Power", "season": 4,
              "number": 9, "type": "regular", "airdate": "2024-03-17", "airtime": "20:00",
              "airstamp": "2024-03-18T00:00:00+00:00", "runtime": 60, "rating": {"average": 7.5},
              "image": {"medium": "https://example.com/m.jpg", "original": "https://example.com/o.jpg"},
              "summary": "<p>When a <b>woman&#39;s</b> daughter is gone &amp; lost.</p><p>More.</p>",
              "show": {"id": 42181, "name": "The Equalizer", "type": "Scripted", "language": "English",
               "genres": ["Drama", "Crime"], "runtime": 45, "officialSite": "https://example.com/e",
               "network": {"id": 2, "name": "CBS", "country": {"name": "United States", "code": "US"},
                           "officialSite": "https://www.cbs.com/"},
               "webChannel": null, "externals": {"tvrage": null, "thetvdb": 383276, "imdb": "tt11242246"},
               "image": {"medium": "https://example.com/sm.jpg"}, "rating": {"average": 6}, "summary": "<p>Show.</p>"}}]
            """)
        expectEqual(records.faults, [])
        expectEqual(records.stations.map(\.id), ["network-2.tvmaze.com"])
        expectEqual(
            records.stations.first?.nodes.xml, "<display-name>CBS</display-name><url>https://www.cbs.com/</url>")
        let airing = try #require(records.airings.first)
        expectEqual(airing.start, .instant(Instant(secondsSince1970: 1_710_720_000)))
        expectEqual(airing.stop, .instant(Instant(secondsSince1970: 1_710_723_600)))
        expectEqual(
            airing.nodes.xml,
            "<title>The Equalizer</title><sub-title>Truth to Power</sub-title>"
                + "<desc>When a woman's daughter is gone & lost.\nMore.</desc><category>Scripted</category>"
                + "<category>Drama</category><category>Crime</category><language>English</language>"
                + "<url system='tvmaze'>https://www.tvmaze.com/episodes/2582354/x</url>"
                + "<url>https://example.com/e</url><country>US</country>"
                + "<episode-num system='xmltv_ns'>3.8.</episode-num><episode-num system='onscreen'>S04E09</episode-num>"
                + "<episode-num system='tvmaze.com'>episode/2582354</episode-num>"
                + "<episode-num system='thetvdb.com'>series/383276</episode-num>"
                + "<episode-num system='imdb.com'>series/tt11242246</episode-num>"
                + "<star-rating system='tvmaze'><value>7.5/10</value></star-rating>"
                + "<image type='still'>https://example.com/o.jpg</image>"
                + "<image type='poster'>https://example.com/sm.jpg</image>")
    }

    /// `airstamp` has its own offset: 19:00 -04:00 is 23:00 UTC.
    @Test(
        arguments: [
            ("\"runtime\": 30", "\"runtime\": 60", 1800), ("\"runtime\": null", "\"runtime\": 60", 3600),
            ("\"runtime\": null", "\"runtime\": null, \"averageRuntime\": 33", 1980), ("\"runtime\": 0", "", nil),
            ("", "", nil),
        ] as [(String, String, Int64?)])
    func stopUsesMostSpecificRuntime(_ members: String, show: String, seconds: Int64?) throws {
        let airing = try #require(try JSONReading.records(episode(members, show: show)).airings.first)
        let start = Instant(secondsSince1970: 1_710_716_400)
        expectEqual(airing.start, .instant(start))
        expectEqual(airing.stop, seconds.map { .instant(start.advanced(by: $0)) })
    }

    /// The schedule of web channels nests the show differently.
    @Test func webScheduleHasWebChannels() throws {
        let records = try JSONReading.records(
            """
            [{"id": 1, "airstamp": "2024-03-15T07:00:00+00:00", "_embedded": {"show": {"name": "A",
               "network": {"id": 2, "name": "CBS"}, "webChannel": {"id": 310, "name": "Apple TV+", "country": null}}}},
             {"id": 2, "airstamp": "2024-03-15T08:00:00+00:00", "show": {"name": "B",
               "network": null, "webChannel": {"id": 310, "name": "Apple TV+"}}}]
            """)
        expectEqual(records.stations.map(\.id), ["web-310.tvmaze.com"])
        expectEqual(records.airings.map(\.station.rawValue), ["web-310.tvmaze.com", "web-310.tvmaze.com"])
    }

    /// Rules.md, rule 20.
    @Test func releasesAtOneMomentAreAllKept() throws {
        let episodes = [("A", 30), ("B", 60), ("C", 20)].map { name, runtime in
            """
            {"id": 1, "airstamp": "2024-03-15T12:00:00+00:00", "runtime": \(runtime), "_embedded": {"show":
              {"name": "\(name)", "webChannel": {"id": 310, "name": "Stream"}}}}
            """
        }
        let guide = try ImportedGuide(bytes: Array("[\(episodes.joined(separator: ","))]".utf8))
        let airings = try guide.airings(of: "web-310.tvmaze.com")
        expectEqual(airings.map(\.title), ["A", "B", "C"])
        #expect(airings.allSatisfy { $0.clump?.count == 3 && $0.window.seconds == 3600 })
        var bytes: [UInt8] = []
        var exporter = XMLTVExporter(ExportOptions(times: .published)) { bytes += $0 }
        try guide.store.export(ExportSelection(), to: &exporter)
        let again = try ImportedGuide(bytes: bytes).airings(of: "web-310.tvmaze.com")
        expectEqual(again.map(\.title), ["A", "B", "C"])
        expectEqual(again.map(\.window), airings.map(\.window))
    }

    @Test func invalidEpisodeAffectsOnlyItself() throws {
        let good =
            #"{"airstamp": "2024-03-15T08:00:00+00:00", "show": {"name": "B", "network": {"id": 1, "name": "N"}}}"#
        let records = try JSONReading.records(
            """
            [\(good), {"airstamp": null, "show": {"network": {"id": 1}}},
             {"airstamp": "2024-03-15T08:00:00+00:00"}, {"airstamp": "2024-03-15", "show": {"network": {"id": 1}}},
             {"airstamp": "2024-03-15T08:00:00+00:00", "show": {"network": null}}, "x", \(good)]
            """)
        expectEqual(records.airings.count, 2)
        expectEqual(
            records.faults,
            [
                "1 badstart skipped ", "2 notvalid skipped show: missing", "2 badstart skipped 2024-03-15",
                "3 unknownid skipped show.network and show.webChannel: missing", "3 notvalid skipped not an object",
            ])
    }

    @Test(arguments: [
        ("<p>One</p><p>Two</p>", "One\nTwo"), ("a<br/>b<BR>c", "a\nb\nc"), ("<p>A <b>b</b> <i>c</i>.</p>", "A b c."),
        ("a &lt; b &amp;&amp; c", "a < b && c"), ("5 < 6 and 7 > 2", "5 < 6 and 7 > 2"), ("a <", "a <"),
        ("&eacute;t&#233; &#x1F3AC; &bogus; &#xD800; & Co", "été 🎬 &bogus; &#xD800; & Co"),
        ("<script", "<script"), ("<!-- c -->x", "x"), ("  <p> x </p> ", "x"), ("", ""), ("<p></p>", ""),
    ])
    func markupBecomesText(_ html: String, text: String) throws {
        let json = html.replacing("\"", with: "\\\"")
        let airing = try #require(try JSONReading.records(episode("\"summary\": \"\(json)\"")).airings.first)
        expectEqual(airing.nodes.xml("desc"), text.isEmpty ? [] : ["<desc>\(text)</desc>"])
    }

    /// The text consists only of unterminated tags.
    @Test func unterminatedMarkupIsReadInLinearTime() throws {
        let html = String(repeating: "<p", count: 100_000)
        let airing = try #require(try JSONReading.records(episode("\"summary\": \"\(html)\"")).airings.first)
        expectEqual(airing.nodes.xml("desc").first?.utf8.count, html.utf8.count + 13)
    }
}
