import EPGCalendar
import EPGModel
import Foundation
import HTTPTypes
import TestSupport
import Testing

@testable import EPGServer

/// Tests of the parameters `fields`, `maxAge`, `unrated`, `lang`, `lineup` and `group` against evening.xml and evening.m3u.
///
/// Harbour One on the 24th, in UTC: One Wrong Answer 17:30 (unrated), The Ferry Choir 18:15 (unrated, a premiere), Kerbside
/// 19:15 (BBFC PG), Low Water 20:00 (BBFC 15), Harbour News at Ten 21:00 (unrated).
@Suite struct SelectionTests {
    private let guide: APIGuide

    private static let station = "/api/v1/stations/harbour-one.example"
    private static let evening = station + "/schedule?from=2026-10-24T17:30:00Z&to=2026-10-24T21:30:00Z"

    init() throws { guide = try SharedGuides.sample.get() }

    private func titles(_ target: String) async throws -> [String?] {
        try await guide.get(target).json["airings"].texts("title")
    }

    /// The identifier of an airing of Harbour One.
    private func airing(from start: String) async throws -> Int {
        let airings = try await guide.get(Self.evening).json["airings"].list
        return try #require(airings.first { $0["start"].text == start }?["id"].integer)
    }

    // MARK: - Fields

    @Test(arguments: [
        evening, station + "/days/2026-10-24?", "/api/v1/now?at=2026-10-24T18:00:00Z",
        "/api/v1/next?at=2026-10-24T18:00:00Z",
        "/api/v1/search?q=news",
    ])
    func requestingTheDefaultFieldsDoesNotChangeTheResponse(target: String) async throws {
        let names = """
            id,station,start,stop,title,subtitle,description,categories,episode,inferredStop,clump,published,continuation,cut,\
            stationName,row,highlights
            """
        let (all, named) = (await guide.get(target), await guide.get(target + "&fields=" + names))
        expectEqual(all.status, 200)
        expectEqual(all.bytes, named.bytes)
        #expect(await guide.get(target + "&fields=title").bytes.count < all.bytes.count)
    }

    @Test func listsHaveOnlySelectedMembers() async throws {
        let fields = "&fields=title,id"
        let schedule = try await guide.get(Self.evening + fields).json
        expectEqual(schedule["airings"].list.map(\.keys), Array(repeating: ["id", "title"], count: 5))
        expectEqual(schedule["stationName"].text, "Harbour One")
        let now = try await guide.get("/api/v1/now?rows=0&at=2026-10-24T18:00:00Z" + fields).json["stations"][0]
        expectEqual(now["now"][0].keys, ["id", "title"])
        expectEqual(now["next"].keys, ["id", "title"])
        let match = try await guide.get("/api/v1/search?q=kerbside&fields=row,title").json["matches"][0]
        expectEqual(match.json, #"{"row":0,"title":"Kerbside"}"#)
        let stations = try await guide.get("/api/v1/stations?limit=1&fields=name,images").json["stations"]
        expectEqual(stations[0].keys, ["name", "images"])
        let logo = stations[0]["images"][0]
        expectEqual(logo["url"].text, "https://images.example.com/logo/harbour-one.png")
        expectEqual([logo["width"].integer, logo["height"].integer], [128, 128])
        let one = try await guide.get(Self.station + "?fields=id").json["station"]
        expectEqual(one.keys, ["id"])
    }

    @Test func additionalFieldsDescribeTheProgramme() async throws {
        let fields = "&fields=title,series,images,ratings,minimumAge,genre,marks"
        let airings = try await guide.get(Self.evening + fields).json["airings"]
        let choir = airings[1]
        expectEqual(choir.keys, ["title", "series", "images", "genre", "marks"])
        expectEqual(
            [choir["title"].text, choir["series"].text, choir["genre"].text],
            ["The Ferry Choir", "title:the ferry choir", "music"])
        expectEqual(choir["images"].texts("url"), ["https://images.example.com/choir.jpg"])
        expectEqual(choir["marks"].texts, ["premiere"])
        let kerbside = airings[2]
        expectEqual(kerbside["minimumAge"].integer, 8)
        expectEqual(kerbside["marks"].texts, ["new"])
        expectEqual([kerbside["ratings"][0]["system"].text, kerbside["ratings"][0]["value"].text], ["BBFC", "PG"])
    }

    @Test(arguments: [("title,id,title", "fields=id%2Ctitle"), ("id,title", "fields=id%2Ctitle"), ("", "")])
    func fieldsHaveACanonicalForm(fields: String, expected: String) throws {
        var parameters = try ParameterReader(
            query: "at=1792864800&zone=UTC&rows=0&fields=" + fields, clock: APIGuide.now, defaultZone: .utc)
        let key = try CanonicalQuery(NowEndpoint.self, &parameters).key
        expectEqual(key, "/api/v1/now?at=1792864800" + (expected.isEmpty ? "" : "&" + expected) + "&rows=0&zone=UTC")
    }

    @Test(arguments: [
        (evening + "&fields=title,bogus", "marks, minimumAge"), ("/api/v1/stations?fields=bogus", "icons, id, images"),
    ])
    func unknownFieldListsAllNames(target: String, names: String) async throws {
        let response = await guide.get(target)
        expectEqual(response.status, 400)
        try expectEqual(response.json["parameter"].text, "fields")
        expectText(response.text, contains: [names])
    }

    @Test func versionDependsOnTheSelection() async throws {
        let selection = "fields=title,images&maxAge=12&lang=en&zone=Europe/London"
        let day = try await guide.get(Self.station + "/days/2026-10-24?" + selection).json
        let version = try #require(day["version"].text)
        let versions = try await guide.get("/api/v1/versions?date=2026-10-24&days=1&limit=1&" + selection).json
        expectEqual(versions["stations"][0]["versions"].texts, [version])
        let plain = try #require(try await guide.get(Self.station + "/days/2026-10-24").json["version"].text)
        expectEqual(Set([version, plain]).count, 2)
        let named = await guide.get(Self.station + "/days/2026-10-24?" + selection + "&version=" + version)
        expectText(named.headers[.cacheControl] ?? "", contains: ["immutable"])
        for name in ["links", "catchup"] {
            for target in [Self.station + "/days/2026-10-24?fields=", "/api/v1/versions?fields="] {
                let response = await guide.get(target + name)
                expectEqual(response.status, 400, target + name)
                try expectEqual(response.json["parameter"].text, "fields", target + name)
            }
        }
    }

    // MARK: - Ages

    @Test(arguments: [
        ("maxAge=21", ["One Wrong Answer", "The Ferry Choir", "Kerbside", "Low Water", "Harbour News at Ten"]),
        ("maxAge=15", ["One Wrong Answer", "The Ferry Choir", "Kerbside", "Low Water", "Harbour News at Ten"]),
        ("maxAge=12", ["One Wrong Answer", "The Ferry Choir", "Kerbside", "Harbour News at Ten"]),
        ("maxAge=7", ["One Wrong Answer", "The Ferry Choir", "Harbour News at Ten"]),
        ("maxAge=15&unrated=0", ["Kerbside", "Low Water"]), ("maxAge=8&unrated=0", ["Kerbside"]),
        ("maxAge=0&unrated=0", []),
        ("unrated=0", ["One Wrong Answer", "The Ferry Choir", "Kerbside", "Low Water", "Harbour News at Ten"]),
    ])
    func airingsForOlderViewersAreOmitted(parameters: String, expected: [String]) async throws {
        try await expectEqual(titles(Self.evening + "&" + parameters), expected)
    }

    @Test func everyListOmitsExcludedAirings() async throws {
        let at = "at=2026-10-24T20:30:00Z"
        let now = try await guide.get("/api/v1/now?rows=0&maxAge=12&\(at)").json["stations"][0]
        expectEqual(now["now"].list.count, 0)
        expectEqual(now["next"]["title"].text, "Harbour News at Ten")
        let rated = try await guide.get("/api/v1/now?rows=0&maxAge=12&unrated=0&\(at)").json["stations"][0]
        expectNil(rated["next"].value)
        expectEqual(rated.keys, ["row", "station", "stationName", "now"])
        let next = try await guide.get("/api/v1/next?rows=0&maxAge=12&at=2026-10-24T19:30:00Z").json["stations"][0]
        expectEqual(next.keys, ["row", "station", "stationName"])
        let day = try await titles(Self.station + "/days/2026-10-24?zone=Europe/London&maxAge=12")
        expectEqual(Set(day).intersection(["Kerbside", "Low Water"]), ["Kerbside"])
        let all = try await guide.get("/api/v1/search?q=carrow&at=2026-10-24T18:00:00Z").json
        let some = try await guide.get("/api/v1/search?q=carrow&at=2026-10-24T18:00:00Z&maxAge=12").json
        // The total includes omitted airings.
        expectEqual(all["total"].integer, some["total"].integer)
        expectNotEqual(all["matches"].list.count, 0)
        expectEqual(some["matches"].list.count, 0)
    }

    @Test func showingsAreSelected() async throws {
        func programme(_ day: Int) -> String {
            """
            <programme start="202610\(day)140000 +0000" stop="202610\(day)150000 +0000" channel="a"><title lang="fr">Phare</title>\
            <title lang="en">Lighthouse</title><rating system="BBFC"><value>12</value></rating></programme>
            """
        }
        let repeats = try APIGuide(programme(24), programme(26))
        let now = try await repeats.get("/api/v1/now?at=2026-10-24T14:00:00Z").json["stations"][0]["now"]
        let target = "/api/v1/airings/\(try #require(now[0]["id"].integer))?at=2026-10-24T14:00:00Z"
        let showings = try await repeats.get(target).json["showings"].list
        expectEqual(showings.map { $0["start"].text }, ["2026-10-26T14:00:00Z"])
        expectEqual(showings.map { $0["title"].text }, ["Phare"])
        let few = try await repeats.get(target + "&maxAge=12&fields=stationName,title&lang=en").json["showings"].list
        expectEqual(few.map(\.keys), [["stationName", "title"]])
        expectEqual(few.map { $0["title"].text }, ["Lighthouse"])
        let young = try await repeats.get(target + "&maxAge=11").json
        expectEqual(young["showings"].list.count, 0)
        expectEqual(young["airing"]["minimumAge"].integer, 12)
    }

    // MARK: - Links and catch-up

    @Test func airingLinksDependOnTheTime() async throws {
        // The Ferry Choir, from 1792865700 to 1792869300.
        let target = "/api/v1/airings/\(try await airing(from: "2026-10-24T18:15:00Z"))"
        func links(_ at: String) async throws -> (links: [[String?]], catchup: [Loose]) {
            let airing = try await guide.get("\(target)?at=\(at)").json["airing"]
            return (
                airing["links"].list.map { [$0["type"].text, $0["url"].text, $0["source"].text] },
                airing["catchup"].list
            )
        }
        let page = ["guide", target.replacing("/api/v1", with: ""), nil]
        let before = try await links("2026-10-24T18:14:00Z")
        expectEqual(before.links, [page])
        expectEqual(before.catchup.count, 0)
        let during = try await links("2026-10-24T18:30:00Z")
        expectEqual(during.links, [page, ["live", "https://streams.example.com/harbour-one.m3u8", "evening"]])
        let after = try await links("2026-10-24T20:00:00Z")
        expectEqual(after.links, [page])
        // catchup-source="https://streams.example.com/harbour-one/{utc}/{lutc}.m3u8"
        expectEqual(
            after.catchup.map { [$0["lineup"].text, $0["channel"].text, $0["url"].text] },
            [["evening", "Harbour One", "https://streams.example.com/harbour-one/1792865700/1792872000.m3u8"]])
        // catchup-days="7"
        try await expectEqual(links("2026-10-31T18:15:00Z").catchup.count, 1)
        try await expectEqual(links("2026-10-31T18:16:00Z").catchup.count, 0)
    }

    @Test func scheduleListsCatchupAvailableAtTheGivenTime() async throws {
        let target =
            Self.station + "/schedule?day=2026-10-24&zone=Europe/London&at=2026-10-24T18:30:00Z&fields=start,catchup"
        let airings = try await guide.get(target).json["airings"].list
        let available = airings.filter { !$0["catchup"].list.isEmpty }.compactMap { $0["start"].text }
        expectEqual(available.last, "2026-10-24T18:15:00Z")
        #expect(available.count < airings.count)
        // Without a day, the schedule covers the day of the given time.
        let today = Self.station + "/schedule?zone=Europe/London&at=2026-10-24T18:30:00Z&fields=start,catchup"
        try await expectEqual(guide.get(today).json["airings"].list.count, airings.count)
        await expectEqual(guide.get(Self.station + "/schedule?to=1792865700&fields=links").status, 400)
    }

    // MARK: - Languages

    @Test func searchAndStationsAreInTheRequestedLanguage() async throws {
        let search = "/api/v1/search?q=phare&at=2026-10-24T12:00:00Z&limit=1"
        let first = try await guide.get(search).json["matches"][0]
        expectEqual(first["title"].text, "Le Dernier Phare")
        expectEqual(first["highlights"][0]["field"].text, "title")
        let english = try await guide.get(search + "&lang=en").json["matches"][0]
        expectEqual(english["title"].text, "The Last Lighthouse")
        // The words of the search are not in this title.
        expectEqual(english["highlights"].texts("field").filter { $0 == "title" }, [])
        let stations = try await guide.get("/api/v1/stations?group=International&lang=en").json["stations"].list
        expectEqual(stations.map { $0["name"].text }, ["Midriver TV", "Tsukimi TV", "Al-Nakhla"])
        let station = try await guide.get("/api/v1/stations/midriver.example?lang=en").json["station"]
        expectEqual(station["displayNames"].texts("text"), ["Midriver TV", "江心卫视"])
        let names = [
            try await guide.get("/api/v1/now?rows=8&lang=en").json["stations"][0]["stationName"].text,
            try await guide.get("/api/v1/next?rows=8&lang=en").json["stations"][0]["stationName"].text,
            try await guide.get("/api/v1/stations/midriver.example/schedule?lang=en").json["stationName"].text,
            try await guide.get("/api/v1/grid?form=columns&stations=1&rows=8&lang=en").json["stations"][0]["name"].text,
        ]
        expectEqual(names, Array(repeating: "Midriver TV", count: 4))
    }

    @Test func pagesAreInTheRequestedLanguage() async throws {
        let view = "at=2026-10-24T14:00:00Z&zone=Europe/London"
        for target in ["/?\(view)", "/search?q=phare&\(view)"] {
            await expectText(guide.get(target).text, contains: ["Le Dernier "])
            let english = await guide.get(target + "&lang=en")
            expectEqual(english.status, 200)
            expectText(english.text, contains: ["The Last Lighthouse"])
        }
        await expectText(guide.get("/?\(view)&lang=en").text, contains: ["Midriver TV"])
    }

    // MARK: - Lineups

    @Test(arguments: [
        ("lineup=evening", Array(0..<12)), ("lineup=evening&rows=3,11-13", [3, 11]),
        ("group=International", [8, 9, 10]),
        ("lineup=evening&group=Radio", [11]), ("group=none", []), ("lineup=evening&rows=12-16", []),
    ])
    func lineupSelectsRowsOfTheGuide(parameters: String, rows: [Int]) async throws {
        let view = "?at=2026-10-24T18:00:00Z&" + parameters
        for path in ["/api/v1/now", "/api/v1/next"] {
            let found = try await guide.get(path + view).json
            expectEqual(found["stations"].integers("row"), rows, "\(path)")
        }
        let columns = try await guide.get("/api/v1/grid\(view)&form=columns&from=2026-10-24T18:00:00Z").json
        expectEqual(columns["rows"].integers, rows)
        let elements = try await guide.get("/api/v1/grid\(view)").json["elements"].list
        expectEqual(elements.filter { $0["kind"].text == "station" }.compactMap { $0["row"].integer }, rows)
        let picture = await guide.get("/grid.svg\(view)")
        expectEqual(picture.status, 200)
        expectEqual(picture.text.contains("Tidewave Radio"), rows.contains(11))
    }

    /// Stations 8, 9 and 10 are international; the twelfth is on the radio.
    @Test func gridHasHeadersOfTheGroupsInTheLineup() async throws {
        let url = "/api/v1/grid?at=2026-10-24T18:00:00Z&from=2026-10-24T18:00:00Z&groups=1&rows=8-11"
        for (lineup, headers) in [
            ("", ["8 International", "11 Radio"]), ("&lineup=evening", ["8 International", "11 Radio"]),
        ] {
            let elements = try await guide.get(url + lineup).json["elements"].list
            let found = elements.filter { $0["kind"].text == "groupHeader" }
                .map { "\($0["row"].integer ?? -1) \($0["label"].text ?? "")" }
            expectEqual(found, headers)
        }
    }

    @Test func lineupIsPaged() async throws {
        let page = try await guide.get("/api/v1/now?group=International&offset=1&limit=1").json
        expectEqual(page["total"].integer, 3)
        expectEqual(page["stations"].integers("row"), [9])
        let versions = try await guide.get("/api/v1/versions?days=1&lineup=evening&offset=10").json
        expectEqual(versions["total"].integer, 12)
        expectEqual(versions["stations"].texts("id"), ["nakhla.example", "tidewave.example"])
    }

    @Test(arguments: ["/api/v1/grid", "/grid.svg", "/api/v1/now", "/api/v1/next", "/api/v1/versions"])
    func missingLineupIsNotFound(path: String) async throws {
        await expectEqual(guide.get(path + "?lineup=none").status, 404)
        await expectEqual(guide.get(path + "?lineup=evening").status, 200)
    }
}
