import EPGModel
import Foundation
import TestSupport
import Testing

/// Tests of `/api/v1/airings/{id}`, `search`, `categories` and `sources`.
@Suite struct AiringTests {
    private let guide: APIGuide

    init() throws { guide = try SharedGuides.sample.get() }

    /// The identifier of the only airing of the sample that matches a search.
    private func identifier(matching query: String) async throws -> Int {
        let found = try await guide.get("/api/v1/search?q=\(query)").json["matches"]
        return try #require(found.list.count == 1 ? found[0]["id"].integer : nil)
    }

    @Test func airingHasAllMembersOfItsProgramme() async throws {
        let id = try await identifier(matching: "lighthouse+keeper's+orchestra")
        let response = try await guide.get("/api/v1/airings/\(id)").json
        expectEqual(response.keys, ["airing", "station", "alternatives", "showings"])
        let airing = response["airing"]
        // sample-data/README.md: Lantern Films, 25th 19:30, has every element of the DTD.
        expectEqual([airing["start"].text, airing["stationName"].text], ["2026-10-25T19:30:00Z", "Lantern Films"])
        expectEqual(response["station"]["row"].integer, 2)
        let members: Set<String> = [
            "titles", "descriptions", "credits", "date", "categories", "ratings", "starRatings", "images",
        ]
        expectEqual(members.subtracting(airing["programme"].keys), [])
    }

    @Test func airingIsInTheRequestedLanguage() async throws {
        let now = try await guide.get("/api/v1/now?rows=1&at=2026-10-24T14:00:00Z").json["stations"][0]["now"]
        let id = try #require(now[0]["id"].integer)
        try await expectEqual(guide.get("/api/v1/airings/\(id)").json["airing"]["title"].text, "Le Dernier Phare")
        let localized = try await guide.get("/api/v1/airings/\(id)?lang=en-GB,en").json["airing"]
        expectEqual(localized["title"].text, "The Last Lighthouse")
        expectEqual(localized["programme"]["titles"].list.count, 2)
    }

    @Test func showingsThatHaveNotEndedAreListedInOrder() async throws {
        func programme(_ day: String, _ hour: String, _ station: String, _ title: String = "Again") -> String {
            "<programme start=\"202610\(day)\(hour)0000 +0000\" stop=\"202610\(day)\(hour)3000 +0000\" channel=\"\(station)\"><title>\(title)</title><desc>The same.</desc></programme>"
        }
        let repeats = try APIGuide(
            programme("24", "10", "a"), programme("24", "20", "b"), programme("25", "09", "a"),
            programme("24", "21", "a", "Other"), programme("24", "17", "a"))
        let ids = try await repeats.get("/api/v1/search?q=again&at=2026-10-24T18:00:00Z").json["matches"].list
        let first = try #require(ids.first { $0["start"].text == "2026-10-25T09:00:00Z" }?["id"].integer)
        let showings = try await repeats.get("/api/v1/airings/\(first)?at=2026-10-24T17:00:00Z").json["showings"].list
        expectEqual(showings.map { $0["start"].text }, ["2026-10-24T17:00:00Z", "2026-10-24T20:00:00Z"])
        expectEqual(showings.map { $0["stationName"].text }, ["a", "b"])
    }

    /// Programmes from 19:00 on, an hour each.
    private static func evening(_ programmes: [(title: String, rest: String)]) -> String {
        programmes.enumerated().map { index, programme in
            let hours = [19 + index, 20 + index].map { "202610\(24 + $0 / 24)" + String(format: "%02d", $0 % 24) }
            return """
                <programme start="\(hours[0])0000 +0000" stop="\(hours[1])0000 +0000" channel="one">\
                <title>\(programme.title)</title>\(programme.rest)</programme>
                """
        }.joined()
    }

    /// Programmes of a minute each on another station from 20:31 on.
    private static func minutes(_ count: Int, _ content: String) -> String {
        (31..<31 + count).map { minute in
            let times = [minute, minute + 1].map { minute in
                "2026102\(4 + (20 + minute / 60) / 24)"
                    + String(format: "%02d%02d00", (20 + minute / 60) % 24, minute % 60)
            }
            return
                "<programme start=\"\(times[0]) +0000\" stop=\"\(times[1]) +0000\" channel=\"two\">\(content)</programme>"
        }.joined()
    }

    @Test func similarAiringsShareAPersonOrWordsOfTheTitle() async throws {
        let film = "<category>Film</category>"
        // The series itself has more airings with its words than a search looks at.
        let series = Self.minutes(60, "<title>Lighthouse Keepers</title><sub-title>Brief</sub-title>")
        let similar = try APIGuide(
            Self.evening([
                ("Lighthouse Keepers", "<credits><actor>Odile Garance</actor></credits>" + film),
                ("Lighthouse Keepers", "<sub-title>Again</sub-title>"), ("Lighthouse News", ""),
                ("The Storm", "<desc>With Odile Garance.</desc>" + film + "<category>Storms</category>"),
                ("Other", "<desc>About lighthouses.</desc>"),
                ("Lighthouse Story", film), ("Lighthouse Story", "<sub-title>Later</sub-title>"),
            ]) + series)
        let at = "at=2026-10-24T18:00:00Z"
        let ids = try await similar.get("/api/v1/search?q=keepers&\(at)").json["matches"].list
        let id = try #require(ids.first?["id"].integer)
        // A limit that locks none of them changes nothing; one that locks the best match, only this.
        let others = ["Lighthouse Story", "Lighthouse News"]
        for (limit, titles) in [
            ("", ["The Storm"] + others), ("&lockAge=21", ["The Storm"] + others), ("&lockCategory=Storms", others),
        ] {
            let found = try await similar.get("/api/v1/airings/\(id)?similar=1&\(at)\(limit)").json["similar"]
            // A person counts more than a word of the title, and the same category more than none.
            expectEqual(found.texts("title"), titles, limit)
        }
        try await expectEqual(similar.get("/api/v1/airings/\(id)?\(at)").json.keys.contains("similar"), false)
        let page = await similar.get("/airings/\(id)?\(at)").text
        expectText(page, contains: ["More like this", "The Storm"])
    }

    @Test func seriesHasTheAiringsOfATitle() async throws {
        // A search for the title finds more airings of another title than it returns.
        let series = try APIGuide(
            Self.evening([
                ("News", "<sub-title>First</sub-title>"), ("Kerb \"side\"", ""),
                ("news", "<sub-title>Second</sub-title>"),
                ("News at Ten", ""), ("Other", "<desc>News</desc>"), ("???", ""),
                ("Series", "<episode-num system=\"xmltv_ns\">0.4.</episode-num>"),
            ]) + Self.minutes(310, "<title>News at Ten</title>"))
        let page = await series.get("/series?title=NEWS&at=2026-10-24T20:30:00Z")
        expectEqual(page.status, 200)
        let text = page.text
        expectText(text, contains: ["<h1 dir=\"auto\">NEWS</h1>", "Second", "First"], lacks: ["News at Ten", "Other"])
        // What is coming is before what is over.
        let places = ["Second", "First"].compactMap { text.range(of: $0)?.lowerBound }
        expectEqual(places, places.sorted())
        for title in ["Kerb%20%22side%22", "Series", "%3F%3F%3F"] {
            let other = await series.get("/series?title=\(title)&at=2026-10-24T18:30:00Z").text
            expectText(other, contains: ["data-rule", "v-match"])
        }
        let none = await series.get("/series?title=none")
        expectEqual(none.status, 200)
        expectText(none.text, contains: ["no airings with this title"], lacks: ["data-rule"])
        for target in ["/series", "/series?title=", "/series?title=a&x=1"] {
            let invalid = await series.get(target)
            expectEqual(invalid.status, 400, target)
        }
        // An episode leads to its series, and another programme does not.
        for (hours, isLinked) in [("19", true), ("20", false), ("25", true)] {
            let now = await series.get(
                "/api/v1/now?at=2026-10-\(Int(hours) ?? 0 > 23 ? 25 : 24)T\(hours == "25" ? "01" : hours):30:00Z")
            let id = try #require(now.json["stations"][0]["now"][0]["id"].integer)
            let airing = await series.get("/airings/\(id)?at=2026-10-24T18:30:00Z").text
            expectEqual(airing.contains("/series?title="), isLinked, hours)
        }
    }

    /// Harbour One has a live stream, and catch-up for seven days.
    @Test func streamOfAnAiring() async throws {
        func identifier(_ time: String) async throws -> Int {
            let now = try await guide.get("/api/v1/now?rows=0&at=\(time)").json["stations"][0]["now"]
            return try #require(now[0]["id"].integer)
        }
        let id = try await identifier("2026-10-24T20:10:00Z")
        func stream(_ at: String, _ query: String = "") async -> (status: Int, text: String) {
            let response = await guide.get("/airings/\(id).m3u?at=\(at)\(query)")
            return (response.status, response.text)
        }
        let live = await stream("2026-10-24T20:10:00Z")
        expectEqual(live.status, 200)
        expectEqual(
            live.text,
            "#EXTM3U\n#EXTINF:-1,Low Water · Harbour One\nhttps://streams.example.com/harbour-one.m3u8\n")
        let over = await stream("2026-10-25T12:00:00Z")
        expectText(over.text, contains: ["https://streams.example.com/harbour-one/1792872000/"])
        for (at, query) in [
            ("2026-10-24T19:10:00Z", ""), ("2026-12-01T12:00:00Z", ""), ("2026-10-24T20:10:00Z", "&lockAge=12"),
        ] {
            let none = await stream(at, query)
            expectEqual(none.status, 404, at)
            expectText(none.text, lacks: ["streams.example"])
        }
        await expectEqual(guide.get("/airings/+\(id).m3u?at=2026-10-24T20:10:00Z").status, 404)
        // Pages offer it only where there is one.
        for (at, isOffered) in [
            ("2026-10-24T20:10:00Z", true), ("2026-10-24T19:10:00Z", false), ("2026-10-25T12:00:00Z", true),
        ] {
            let page = await guide.get("/airings/\(id)?at=\(at)").text
            expectEqual(page.contains("class=\"primary\" href=\"/airings/\(id).m3u"), isOffered, at)
        }
    }

    /// “Kerbside” is in the sample guide.
    @Test func lastWordIsAPrefixOnRequestAndOnTheSearchPage() async throws {
        try await expectEqual(guide.get("/api/v1/search?q=kerbs").json["total"].integer, 0)
        let found = try await guide.get("/api/v1/search?q=kerbs&lastWord=prefix").json
        try await expectEqual(guide.get("/api/v1/search?q=kerbside").json["total"].integer, found["total"].integer)
        expectEqual(found["matches"].texts("title").contains("Kerbside"), true, found.json ?? "")
        await expectText(guide.get("/search?q=kerbs").text, contains: ["Kerbside"])
    }

    @Test func searchWithoutMatchesSuggestsTitles() async throws {
        let missed = try await guide.get("/api/v1/search?q=kerbsied").json
        expectEqual(missed["suggestions"].json, #"["Kerbside"]"#)
        try await expectEqual(guide.get("/api/v1/search?q=kerbside").json["suggestions"].json, "[]")
        try await expectEqual(guide.get("/api/v1/search?q=xylophonic").json["suggestions"].json, "[]")
        await expectText(
            guide.get("/search?q=kerbsied&at=1792947600").text,
            contains: ["Did you mean <a href=\"/search?q=Kerbside&amp;at=1792947600\" dir=\"auto\">Kerbside</a>?"])
        await expectText(guide.get("/search?q=xylophonic").text, lacks: ["Did you mean"])
    }

    @Test func programmeURLsAreHTTPOnly() async throws {
        let hostile = try APIGuide(
            """
            <programme start="20261024180000 +0000" stop="20261024190000 +0000" channel="a"><title>javascript text stays</title>
            <credits><actor>Ann<image>javascript:1</image><url>https://ann.example/</url><url>javascript:2</url></actor></credits>
            <icon src="javascript:3"/><icon src=" https://p.example/i.png "/><icon src="//p.example/x.png"/>
            <url>javascript:4</url><url system="imdb">https://i.example/</url><url>java&#10;script:5</url>
            <rating><value>12</value><icon src="javascript:6"/></rating>
            <star-rating><value>3/5</value><icon src="data:7"/></star-rating>
            <review type="url">javascript:8</review><review type="text">Fine.</review>
            <image type="poster">javascript:9</image><image type="poster">http://p.example/p.jpg</image>
            <x-extra><icon src="javascript:10"/><url>javascript:11</url><b>kept</b></x-extra></programme>
            """)
        let response = await hostile.get("/api/v1/airings/1")
        let programme = try response.json["airing"]["programme"]
        expectText(
            response.text, contains: ["javascript text stays", "kept"], lacks: ["javascript:", "data:", "script:5"])
        expectEqual(programme["icons"].texts("source"), ["https://p.example/i.png"])
        expectEqual(programme["urls"].texts("url"), ["https://i.example/"])
        expectEqual(programme["images"].texts("url"), ["http://p.example/p.jpg"])
        expectEqual(programme["credits"][0]["urls"].texts("url"), ["https://ann.example/"])
        expectEqual(programme["reviews"].texts("content"), ["Fine."])
    }

    // MARK: - Search

    @Test func searchMatchesWordsInAnyScript() async throws {
        // sample-data/README.md: a search for 新闻 must find these three.
        let found = try await guide.get("/api/v1/search?q=%E6%96%B0%E9%97%BB&limit=200").json
        let titles = Set(found["matches"].list.compactMap { $0["title"].text })
        expectEqual(Set(["晚间新闻联播", "新闻早班车", "午间新闻"]).subtracting(titles), [])
        expectEqual(found["total"].integer, found["matches"].list.count)
        expectEqual(found["isTotalExact"].flag, true)
    }

    @Test func searchListsCurrentAndFutureAiringsFirstAndTitlesBeforeDescriptions() async throws {
        func programme(_ hour: Int, _ title: String, _ description: String) -> String {
            "<programme start=\"20261024\(hour)0000 +0000\" stop=\"20261024\(hour)5900 +0000\" channel=\"a\"><title>\(title)</title><desc>\(description)</desc></programme>"
        }
        let small = try APIGuide(
            programme(16, "Owls early", "x"), programme(18, "On now", "Of owls."), programme(20, "Owls late", "x"),
            programme(21, "Later", "More owls."), programme(17, "Owls before", "x"))
        let found = try await small.get("/api/v1/search?q=owls&at=2026-10-24T18:00:00Z").json["matches"].list
        expectEqual(found.map { $0["title"].text }, ["Owls late", "On now", "Later", "Owls before", "Owls early"])
        let page = try await small.get("/api/v1/search?q=owls&at=2026-10-24T18:00:00Z&offset=1&limit=2").json
        expectEqual(page["matches"].texts("title"), ["On now", "Later"])
        expectEqual(page["total"].integer, 5)
    }

    @Test func highlightsCountUTF16CodeUnits() async throws {
        let small = try APIGuide(
            "<programme start=\"20261024180000 +0000\" stop=\"20261024190000 +0000\" channel=\"a\"><title>🌕 über owls and Owls</title><sub-title>An owl</sub-title></programme>"
        )
        let match = try await small.get("/api/v1/search?q=owls").json["matches"][0]
        expectEqual(match["row"].integer, 0)
        let title = try #require(match["title"].text).utf16.map { $0 }
        let highlight = try #require(match["highlights"].list.first { $0["field"].text == "title" })
        // 🌕 has two code units: “owls” from 8 to 12, “Owls” from 17 to 21.
        expectEqual(highlight["ranges"].list.map(\.integers), [[8, 12], [17, 21]])
        expectEqual(String(decoding: title[8..<12], as: UTF16.self), "owls")
    }

    @Test(arguments: [
        "%22", "*", "AND", "NEAR(", "a+OR+%22", "-", "title:x", "%28%29", "^", "news%22%CC%81",
        "%22%E2%80%8D+OR+%22%EF%B8%8F",
    ])
    func operatorsAndPunctuationAreValidSearches(query: String) async throws {
        await expectEqual(guide.get("/api/v1/search?q=" + query).status, 200)
    }

    // MARK: - Categories and sources

    @Test func categoriesCountProgrammes() async throws {
        func programme(_ hour: Int, _ title: String, _ categories: String...) -> String {
            let elements = categories.map { "<category>\($0)</category>" }.joined()
            return
                "<programme start=\"20261024\(hour)0000 +0000\" stop=\"20261024\(hour)5900 +0000\" channel=\"a\"><title>\(title)</title>\(elements)</programme>"
        }
        let small = try APIGuide(
            programme(10, "A", "Film", "News"), programme(11, "B", "Film"), programme(12, "C", "Wibble"),
            programme(13, "A", "Film", "News"), programme(14, "D"))
        let categories = try await small.get("/api/v1/categories").json["categories"]
        // A is one programme with two airings.
        expectEqual(categories.texts("name"), ["Film", "Wibble"])
        expectEqual(categories.integers("count"), [2, 1])
        expectEqual(categories[0]["genre"].text, "film")
        expectNil(categories[1]["genre"].value)
    }

    @Test func sourcesDoNotIncludeTheirURLs() async throws {
        let sources = try await guide.get("/api/v1/sources").json["sources"]
        expectEqual(sources.texts("name"), ["evening", "oddities"])
        // sample-data/README.md and the import tests: 417 programmes, one of them a duplicate, one without a duration.
        let counts = [
            sources[0]["airings"], sources[0]["stations"], sources[0]["lastImport"]["read"],
            sources[0]["lastImport"]["stored"],
        ]
        expectEqual(counts.map(\.integer), [415, 12, 417, 415])
        expectEqual(sources[0]["lastImport"]["at"].text, "2026-10-24T18:00:20Z")
        expectNil(sources[0]["location"].value)
    }
}
