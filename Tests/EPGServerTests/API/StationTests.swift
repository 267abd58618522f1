import EPGModel
import EPGSQL
import EPGStore
import Foundation
import TestSupport
import Testing

/// Tests of `/api/v1/stations`, `groups`, `lineups`, `now` and `next` against sample-data/README.md and the files it describes.
@Suite struct StationTests {
    private let guide: APIGuide

    init() throws { guide = try SharedGuides.sample.get() }

    @Test func stationsAreInTheOrderOfTheGuideAndPaged() async throws {
        let all = try await guide.get("/api/v1/stations").json
        let rows = try guide.reading { try $0.stations(inRows: 0..<100) }
        expectEqual(all["total"].integer, rows.count)
        expectEqual(all["stations"].texts("id"), rows.map { $0.station.id.rawValue })
        expectEqual(all["stations"].integers("row"), Array(0..<rows.count))
        let page = try await guide.get("/api/v1/stations?offset=2&limit=3").json
        expectEqual(page["stations"].texts("name"), ["Lantern Films", "Kestrel News", "Acorn Kids"])
        expectEqual([page["total"].integer, page["offset"].integer], [rows.count, 2])
        try await expectEqual(guide.get("/api/v1/stations?offset=999999999").json["stations"].list.count, 0)
    }

    @Test(arguments: [
        ("q=HARBOUR", ["harbour-one.example", "harbour-two.example"]), ("q=meridien", ["meridian.example"]),
        ("q=%E6%9C%88%E8%A6%8B", ["tsukimi.example"]), ("group=News", ["kestrel.example"]),
        ("group=General&q=two", ["harbour-two.example"]), ("lineup=evening&group=Films", ["lantern.example"]),
        ("lineup=none", []), ("q=%25", []), ("q=nothing+at+all", []),
    ])
    func filtersSelectMatchingStations(parameters: String, ids: [String]) async throws {
        let found = try await guide.get("/api/v1/stations?" + parameters).json
        expectEqual(found["stations"].list.compactMap { $0["id"].text }, ids)
        expectEqual(found["total"].integer, ids.count)
    }

    @Test func stationHasAllMembers() async throws {
        let station = try await guide.get("/api/v1/stations/lantern.example").json["station"]
        expectEqual(station["row"].integer, 2)
        expectEqual(station["channelNumber"].text, "3")
        expectEqual(station["displayNames"].texts("text"), ["Lantern Films", "Lantern", "7"])
        expectEqual(station["icons"][0]["width"].text, "128")
        expectEqual(station["urls"][0]["url"].text, "https://lantern.example/")
    }

    @Test func identifierWithReservedCharactersIsFound() async throws {
        let odd = try APIGuide(
            "<channel id=\"a/b c?é&amp;%\"><display-name>Odd</display-name></channel>",
            "<programme start=\"20261024180000 +0000\" stop=\"20261024190000 +0000\" channel=\"a/b c?é&amp;%\"><title>T</title></programme>"
        )
        let path = "/api/v1/stations/a%2Fb%20c%3F%C3%A9%26%25"
        try await expectEqual(odd.get(path).json["station"]["name"].text, "Odd")
        try await expectEqual(odd.get(path + "/schedule").json["airings"][0]["title"].text, "T")
    }

    @Test func stationURLsAreHTTPOnly() async throws {
        let hostile = try APIGuide(
            "<channel id=\"a\"><display-name>A</display-name><icon src=\"javascript:alert(1)\"/><icon src=\"https://p.example/a.png\"/><url>JaVaScRiPt:alert(2)</url><url>data:text/html,3</url><url>http://a.example/</url><url>https://user:word@b.example/</url><x><url>vbscript:4</url>kept</x></channel>"
        )
        let response = await hostile.get("/api/v1/stations/a")
        let station = try response.json["station"]
        expectEqual(station["icons"].texts("source"), ["https://p.example/a.png"])
        expectEqual(station["urls"].texts("url"), ["http://a.example/"])
        expectText(
            response.text.lowercased(), contains: ["kept"], lacks: ["javascript:", "data:", "vbscript:", "user:word"])
    }

    // MARK: - Schedules

    @Test func dayFollowsTheTimeZone() async throws {
        // On the 25th the clocks go back: from 23:00Z on the 24th to 00:00Z on the 26th.
        let day = try await guide.get("/api/v1/stations/harbour-one.example/schedule?day=2026-10-25").json
        expectEqual(
            ["from", "to", "day", "zone"].map { day[$0].text },
            ["2026-10-24T23:00:00Z", "2026-10-26T00:00:00Z", "2026-10-25", "Europe/London"])
        let titles = day["airings"].list.compactMap { $0["title"].text }
        let twice = try #require(titles.firstIndex(of: "The Hour That Happens Twice"))
        expectEqual(titles[twice + 1], "The Hour That Happens Twice: Second Time")
        let window = TimeWindow(
            start: Instant(secondsSince1970: 1_792_882_800), end: Instant(secondsSince1970: 1_792_972_800))
        let stored = try guide.reading { try $0.schedule(of: StationID("harbour-one.example"), during: window) }
        expectEqual(day["airings"].integers("id"), stored.airings.map { Int($0.id.rawValue) })
        expectEqual(titles, stored.airings.map(\.title))
    }

    @Test func defaultDayIsTodayInTheZone() async throws {
        // 18:00Z on the 24th is 03:00 on the 25th in Tokyo.
        let path = "/api/v1/stations/harbour-one.example/schedule"
        for (query, day) in [
            ("", "2026-10-24"), ("?zone=Asia/Tokyo", "2026-10-25"), ("?at=2026-10-26T12:00:00Z", "2026-10-26"),
        ] {
            try await expectEqual(guide.get(path + query).json["day"].text, day, query)
        }
        // Samoa had no 30 December 2011.
        let skipped = try await guide.get(path + "?day=2011-12-30&zone=Pacific/Apia").json
        expectEqual(skipped["from"].text, skipped["to"].text)
        expectEqual(skipped["airings"].list.count, 0)
    }

    @Test func fromTakesPrecedenceOverDay() async throws {
        let path = "/api/v1/stations/lantern.example/schedule?from=2026-10-24T18:00:00Z"
        let hour = try await guide.get(path + "&to=2026-10-24T19:00:00Z&day=2026-10-26").json
        // “The Understudy's Understudy” starts at 17:00Z. The airing that starts at 19:00Z does not overlap.
        expectEqual(hour["airings"].texts("start"), ["2026-10-24T17:00:00Z"])
        expectNil(hour["day"].value)
        expectNil(hour["zone"].value)
        try await expectEqual(guide.get(path).json["to"].text, "2026-10-25T18:00:00Z")
    }

    // MARK: - Now and next

    @Test func nowListsCurrentAndNextAirings() async throws {
        let now = try await guide.get("/api/v1/now?at=2026-10-24T18:00:59Z&rows=0,4").json
        expectEqual(now["at"].text, "2026-10-24T18:00:00Z")
        expectEqual(now["total"].integer, 17)
        // evening.xml: 18:30 BST to 19:15, then The Ferry Choir.
        expectEqual(now["stations"][0]["now"].texts("title"), ["One Wrong Answer"])
        expectEqual(now["stations"][0]["next"]["title"].text, "The Ferry Choir")
        expectEqual(now["stations"][0]["next"]["start"].text, "2026-10-24T18:15:00Z")
        // Acorn Kids is off the air after 19:00 BST.
        expectEqual(now["stations"][1]["row"].integer, 4)
        expectEqual(now["stations"][1]["now"].list.count, 0)
    }

    @Test func nextListsOnlyNextAirings() async throws {
        let next = try await guide.get("/api/v1/next?at=2026-10-24T18:00:00Z&limit=2").json
        expectEqual(next["stations"].list.map { $0["next"]["title"].text }, ["The Ferry Choir", "Maps That Lied"])
        expectEqual(next["stations"][0].keys, ["row", "station", "stationName", "next"])
        let afterwards = try await guide.get("/api/v1/next?at=2027-01-01T00:00:00Z&limit=2").json
        expectEqual(afterwards["stations"][0].keys, ["row", "station", "stationName"])
    }

    @Test func nowIsPagedAndLimited() async throws {
        try await expectEqual(guide.get("/api/v1/now?offset=15&limit=500").json["stations"].list.count, 2)
        await expectEqual(guide.get("/api/v1/now?limit=501").status, 400)
        try await expectEqual(guide.get("/api/v1/now?rows=0-999999999").json["stations"].list.count, 17)
        let titles = try await guide.get("/api/v1/now?rows=1&at=2026-10-24T14:00:00Z&lang=en").json["stations"][0][
            "now"]
        expectEqual(titles[0]["title"].text, "The Last Lighthouse")
    }

    // MARK: - Duplicates

    /// Stations in pairs of a name and its listings: the hours after 18:00Z, each with a letter as title.
    private static func guideWithQualities() throws -> APIGuide {
        let stations = [
            ("quill", "Quill", "abcd"), ("quill-hd", "Quill HD", "abcd"), ("quill-4k", "Quill 4K", ""),
            // Without the first hour, which has ended in the feed.
            ("quill-raw", "Quill RAW", " bcd"),
            // A regional variant, the delayed station, another country, and another number.
            ("rook", "Rook", "abcd"), ("rook-hd", "Rook HD", "abxd"), ("quill+1", "Quill +1", " abcd"),
            ("de.quill", "DE: Quill", "efgh"), ("quill-2", "Quill 2", "abcd"),
            ("late", "Dusk", ""), ("late-hd", "Dusk FHD", "ab"),
        ]
        let records = stations.flatMap { id, name, listings in
            ["<channel id=\"\(id)\"><display-name>\(name)</display-name></channel>"]
                + listings.enumerated().filter { $1 != " " }.map { hour, title in
                    let (start, stop) = (18 + hour, 19 + hour)
                    return
                        "<programme start=\"20261024\(start)0000 +0000\" stop=\"20261024\(stop)0000 +0000\" channel=\"\(id)\"><title>\(title)</title></programme>"
                }
        }
        let playlist = """
            #EXTM3U
            #EXTINF:-1 tvg-id="quill" tvg-chno="7",Quill
            http://tuner.example/7
            #EXTINF:-1 tvg-id="quill" tvg-chno="70",Quill Backup
            http://tuner.example/70
            #EXTINF:-1 tvg-id="quill-hd" tvg-chno="107",Quill HD
            http://tuner.example/107
            """
        return try APIGuide(
            [APIGuide.feed(records)], lineups: [("kitchen", Data(playlist.utf8))])
    }

    @Test func stationsInSeveralQualitiesAreFolded() async throws {
        let guide = try Self.guideWithQualities()
        let ids = try guide.reading { try $0.stations(inRows: 0..<100) }.map { $0.station.id.rawValue }
        let found = try await guide.get("/api/v1/duplicates").json["stations"].list
        let names = try found.map { entry in
            [ids[try #require(entry["row"].integer)]] + entry["folded"].integers.map { ids[$0] }
        }
        // Quill 4K has no listings, and may be the German station, too.
        expectEqual(names, [["quill", "quill-hd", "quill-raw"], ["late-hd", "late"]])
        let rows = try await guide.get("/api/v1/grid?fold=1&hours=4").json["elements"].list
            .filter { $0["kind"].text == "station" }.compactMap { $0["station"].text }
        expectEqual(rows, ids.filter { !["quill-hd", "quill-raw", "late"].contains($0) })
        let columns = try await guide.get("/api/v1/grid?fold=1&hours=4&form=columns&stations=1").json
        expectEqual(columns["rows"].integers.count, rows.count)
    }

    @Test func detailsListOtherChannelsOfTheStation() async throws {
        let guide = try Self.guideWithQualities()
        let airing = try await guide.get("/api/v1/stations/quill/schedule").json["airings"][0]["id"].integer
        let detail = try await guide.get("/api/v1/airings/\(try #require(airing))").json
        let alternatives = detail["alternatives"].list
        expectEqual(alternatives.map { $0["name"].text }, ["Quill Backup", "Quill HD", "Quill RAW"])
        expectEqual(alternatives.map { $0["number"].text }, ["70", "107", nil])
        expectEqual(alternatives.map { $0["lineup"].text }, ["kitchen", "kitchen", nil])
        let fact = detail["airing"]["facts"].list.first { $0["name"].text == "Also on" }
        expectEqual(fact?["text"].text, "70 Quill Backup, 107 Quill HD, Quill RAW")
        let page = await guide.get("/airings/\(try #require(airing))").text
        expectText(page, contains: ["Also on", "107 Quill HD"], lacks: [])
    }

    // MARK: - Groups and lineups

    @Test func groupsAndLineupsComeFromThePlaylist() async throws {
        let groups = try await guide.get("/api/v1/groups").json["groups"].list
        // evening.m3u: the group of Pier Camera shows no station.
        expectEqual(
            groups.compactMap { $0["name"].text },
            ["General", "Films", "News", "Children", "Sport", "Lifestyle", "Documentary", "International", "Radio"])
        expectEqual(groups.map { $0["stations"].integer }, [2, 1, 1, 1, 1, 1, 1, 3, 1])
        // Rows 12 to 16 of evening.xml are in no channel.
        let runs = [
            (0, "General"), (2, "Films"), (3, "News"), (4, "Children"), (5, "Sport"), (6, "Lifestyle"),
            (7, "Documentary"),
            (8, "International"), (11, "Radio"), (12, "Other stations"),
        ]
        for query in ["", "?lineup=evening"] {
            let found = try await guide.get("/api/v1/groups\(query)").json["runs"].list
            expectEqual(found.map { $0["row"].integer }, runs.map(\.0), query)
            expectEqual(found.map { $0["name"].text }, runs.map(\.1), query)
        }
        try await expectEqual(SharedGuides.wide.get().get("/api/v1/groups").text, #"{"groups":[],"runs":[]}"#)
        let lineup = try await guide.get("/api/v1/lineups").json["lineups"][0]
        expectEqual(lineup["name"].text, "evening")
        // sample-data/README.md: 12 of the 13 entries.
        expectEqual(
            [lineup["channels"].integer, lineup["matched"].integer, lineup["groups"].texts.count], [13, 12, 10])
    }
}
