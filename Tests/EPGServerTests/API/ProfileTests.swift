import EPGAccess
import EPGCalendar
import EPGJSON
import EPGModel
import EPGStore
import Foundation
import HTTPTypes
import Logging
import TestSupport
import Testing

@testable import EPGAdmin
@testable import EPGHTTP
@testable import EPGServer
@testable import ServiceTestSupport

/// Tests of profiles over HTTP, and of the parental limit in all responses.
@Suite(.serialized) struct ProfileTests {
    private static let json = "Content-Type: application/json"

    private func guide(_ profiles: [Profile]) throws -> ServedGuide {
        let guide = try ServedGuide("<channel id=\"one.example\"/>")
        try GuideDatabase(path: guide.path).write { writer in
            for profile in profiles { _ = try writer.saveProfile(profile) }
        }
        return guide
    }

    private static func stored(_ guide: ServedGuide) throws -> [Profile] {
        try GuideDatabase(path: guide.path).read { try $0.profiles() }
    }

    /// Replaces the settings of a profile.
    ///
    /// - Parameters:
    ///   - tag: The value of `If-Match`, by default the current one.
    ///   - headers: The headers without `If-Match`.
    private static func put(
        _ settings: String, _ port: Int, name: String = "kids", tag: String? = nil, _ headers: [String] = [json]
    ) async throws -> RawResponse {
        let tag = if let tag { tag } else { try await Self.tag(port, name: name) }
        return try await RawClient.request(
            "PUT", "/api/v1/profiles/\(name)", port: port, headers: headers + ["If-Match: \(tag)"],
            body: Array(settings.utf8))
    }

    /// The tag of a profile; one that no profile has if the service does not return it.
    private static func tag(_ port: Int, name: String = "kids") async throws -> String {
        try await RawClient.get("/api/v1/profiles/\(name)", port: port)["etag"] ?? "\"none\""
    }

    private static func unlock(
        _ pin: String, _ port: Int, name: String = "kids", _ headers: [String] = [json]
    ) async throws -> RawResponse {
        try await RawClient.request(
            "POST", "/api/v1/profiles/\(name)/unlock", port: port, headers: headers, body: Array(pin.utf8))
    }

    // MARK: - Profiles

    @Test func profilesAreListedWithoutTheirSettings() async throws {
        let kids = try Profile(name: "kids", limit: ParentalLimit(maximumAge: 6), pinHash: "$y$secret")
        try await RunningServer.run(try guide([kids, Profile(name: "a b/c")])) { server in
            let response = try await RawClient.get("/api/v1/profiles", port: server.port)
            expectResponse(response, 200, headers: ["cache-control": "private, no-cache"])
            let limits = #""isLimited":"#
            expectEqual(
                response.text, #"{"profiles":[{"name":"a b/c",\#(limits)false},{"name":"kids",\#(limits)true}]}"#)
            for (path, status) in [("/a%20b%2Fc", 200), ("/none", 404), ("?bogus=1", 400)] {
                let other = try await RawClient.get("/api/v1/profiles\(path)", port: server.port)
                expectEqual(other.status, status, path)
            }
        }
    }

    @Test func profileHasSettingsLimitAndTagButNeverTheHashOfItsPIN() async throws {
        let settings =
            #"{"favorites":["two.example","one.example"],"theme":"dark","groups":"on","pictures":"on","fold":"on","hour":300}"#
        let kids = try Profile(
            name: "kids", document: Array(settings.utf8),
            limit: ParentalLimit(maximumAge: 6, hiddenCategories: ["Horror"]), pinHash: "$y$secret")
        try await RunningServer.run(try guide([kids])) { server in
            let response = try await RawClient.get("/api/v1/profiles/kids", port: server.port)
            expectResponse(response, 200, headers: ["cache-control": "private, no-cache"], lacks: ["secret"])
            let tag = try #require(response["etag"])
            let object = Loose(try JSONSerialization.jsonObject(with: Data(response.body)))
            expectEqual(
                object["settings"].json,
                #"{"favorites":["two.example","one.example"],"fold":"on","groups":"on","hour":300,"pictures":"on","theme":"dark"}"#
            )
            expectEqual(object["limit"].json, #"{"hiddenCategories":["Horror"],"maximumAge":6}"#)
            expectEqual((object["hasPIN"].flag, object["acceptsRules"].flag), (true, false))
            let again = try await RawClient.get(
                "/api/v1/profiles/kids", port: server.port, headers: ["If-None-Match: \(tag)"])
            expectEqual(again.status, 304)
        }
    }

    @Test func changeNeedsTheTagOfTheCurrentVersion() async throws {
        let guide = try guide([Profile(name: "kids", limit: ParentalLimit(maximumAge: 6), pinHash: "$y$x")])
        try await RunningServer.run(guide) { server in
            let first = try await Self.tag(server.port)
            let changed = try await Self.put(#"{"favorites": ["one.example"]}"#, server.port)
            expectEqual(changed.status, 204)
            expectNotEqual(changed["etag"], first)
            try await expectEqual(Self.tag(server.port), changed["etag"])
            // Another device has read version 1.
            let late = try await Self.put(#"{"theme": "dark"}"#, server.port, tag: first)
            expectResponse(late, 412, contains: ["Read it again, and repeat the change."])
            let unconditional = try await RawClient.request(
                "PUT", "/api/v1/profiles/kids", port: server.port, headers: [Self.json], body: Array("{}".utf8))
            expectEqual(unconditional.status, 428)
            try await expectEqual(Self.put("{}", server.port, name: "none").status, 404)
        }
        let kids = try #require(try Self.stored(guide).first)
        expectEqual(String(decoding: kids.document, as: UTF8.self), #"{"favorites":["one.example"]}"#)
        // Requests change neither limit nor PIN, and create no profile.
        try expectEqual(
            Self.stored(guide).map { [$0.version.description, $0.limit.maximumAge?.description, $0.pinHash] },
            [["2", "6", "$y$x"]])
    }

    @Test func tagDiffersAfterTheProfileWasAddedAgain() async throws {
        let guide = try guide([Profile(name: "kids")])
        try await RunningServer.run(guide) { server in
            var tags: Set<String> = [try await Self.tag(server.port)]
            let limits = [
                try ParentalLimit(maximumAge: 6), try ParentalLimit(maximumAge: nil, hiddenCategories: ["6"]),
            ]
            // The version is 1 each time.
            for profile in try [
                Profile(name: "kids", limit: limits[0]), Profile(name: "kids", limit: limits[1]),
                Profile(name: "kids", pinHash: "$y$x"), Profile(name: "kids", document: Array(#"{"hour":60}"#.utf8)),
                Profile(name: "kids", acceptsRules: true),
            ] {
                try GuideDatabase(path: guide.path).write { writer in
                    _ = try writer.removeProfile(named: "kids")
                    _ = try writer.saveProfile(profile)
                }
                let isNew = tags.insert(try await Self.tag(server.port)).inserted
                expectEqual(isNew, true, "\(profile)")
            }
        }
    }

    /// Invalid settings and the status of the response.
    private static let invalidSettings: [(body: String, status: Int)] = [
        ("[]", 400), ("{", 400), (#"{"bogus": 1}"#, 400), (#"{"limit": {}}"#, 400), (#"{"favorites": "a"}"#, 400),
        (#"{"favorites": [1]}"#, 400), (#"{"favorites": [""]}"#, 400), (#"{"hidden": {}}"#, 400),
        (#"{"theme": "pink"}"#, 400), (#"{"theme": 1}"#, 400), (#"{"groups": "off"}"#, 400), (#"{"hour": "240"}"#, 400),
        (#"{"hour": 1e9}"#, 400),
        (#"{"zone": "a b"}"#, 400), (#"{"theme": "dark", "theme": "light"}"#, 400),
        ("{\"hidden\": [\(Array(repeating: "\"a\"", count: 2001).joined(separator: ","))]}", 400),
        ("{\"hidden\": [\"\(String(repeating: "a", count: 1001))\"]}", 400),
        ("{\"hidden\": [\"\(String(repeating: "a", count: 70_000))\"]}", 413),
        // The stored form has six bytes for each of these characters, which have three.
        (
            "{\"hidden\": [\((0..<40).map { "\"\(String(repeating: "\u{2028}", count: 300))\($0)\"" }.joined(separator: ","))]}",
            413
        ),
    ]

    @Test func invalidSettingsAreRejected() async throws {
        let guide = try guide([Profile(name: "kids")])
        try await RunningServer.run(guide) { server in
            for (body, status) in Self.invalidSettings {
                let response = try await Self.put(body, server.port)
                expectResponse(
                    response, status, headers: ["content-type": "application/problem+json"], String(body.prefix(60)))
                try expectEqual(Self.stored(guide).map(\.version), [1], body)
            }
        }
    }

    @Test func changesComeFromPagesOfThisServiceAsJSON() async throws {
        let guide = try guide([Profile(name: "kids")])
        try await RunningServer.run(guide) { server in
            for (headers, status) in [
                ([Self.json, "Origin: https://evil.example"], 403), ([Self.json, "Origin: null"], 403),
                ([Self.json, "Sec-Fetch-Site: cross-site"], 403), ([Self.json, "Sec-Fetch-Site: same-site"], 403),
                ([], 415), (["Content-Type: text/plain"], 415),
                (["Content-Type: application/x-www-form-urlencoded"], 415),
            ] {
                try await expectEqual(Self.put("{}", server.port, headers).status, status, "\(headers)")
                try await expectEqual(Self.unlock("{}", server.port, headers).status, status, "\(headers)")
            }
            try expectEqual(Self.stored(guide).map(\.version), [1])
            let changed = try await Self.put("{}", server.port, [Self.json, "Sec-Fetch-Site: same-origin"])
            expectEqual(changed.status, 204)
            // As behind a proxy that does not pass the host: new browsers say that it is the same origin, old ones do not.
            let origin = "Origin: https://tv.example"
            try await expectText(
                Self.put("{}", server.port, [Self.json, origin]).text, contains: ["pass the Host header"])
            let own = [Self.json, "Sec-Fetch-Site: same-origin", origin]
            try await expectEqual(Self.put("{}", server.port, own).status, 204)
        }
    }

    @Test func profilesNeedALogInIfReadersDo() async throws {
        let guide = try guide([Profile(name: "kids")])
        try await AdminServer.run(guide, requiresLogin: true) { server in
            let statuses = [
                try await RawClient.get("/api/v1/profiles", port: server.port).status,
                try await RawClient.get("/api/v1/profiles/kids", port: server.port).status,
                try await Self.put("{}", server.port).status, try await Self.unlock("{}", server.port).status,
            ]
            expectEqual(statuses, [401, 401, 401, 401])
            var client = try await server.loggedIn(AdminServer.readerPassword)
            try await expectEqual(client.get("/api/v1/profiles/kids", headers: []).status, 200)
        }
    }

    // MARK: - PINs

    @Test func pinIsChecked() async throws {
        let hash = try Profile.hash(ofPIN: "2468")
        let guide = try guide([Profile(name: "kids", pinHash: hash), Profile(name: "open")])
        let log = LogLines()
        try await RunningServer.run(guide, log: log) { server in
            let port = server.port
            for body in ["{}", #"{"pin": 2468}"#, #"{"pin": "2468", "name": "x"}"#] {
                try await expectEqual(Self.unlock(body, port).status, 400)
            }
            try await expectEqual(Self.unlock(#"{"pin": "2468"}"#, port, name: "none").status, 404)
            try await expectEqual(Self.unlock(#"{"pin": "any"}"#, port, name: "open").status, 204)
            try await expectEqual(Self.unlock(#"{"pin": "2468"}"#, port).status, 204)
            for pin in ["1357", "2468 ", ""] {
                try await expectEqual(Self.unlock("{\"pin\": \"\(pin)\"}", port).status, 403, pin)
            }
        }
        expectText(log.all.joined(separator: "\n"), lacks: ["1357", hash])
    }

    @Test func screenSetsLimitAndPIN() async throws {
        try await AdminServer.run(try guide([])) { server in
            var client = try await server.loggedIn()
            let added = try await client.post(
                "/admin/profiles/add", ["name": "kids", "age": "12", "categories": "Horror; Crime", "pin": "2468"])
            expectEqual(added.status, 303, "\(added.text)")
            let kids = try #require(try server.read { try $0.profiles() }.first)
            try expectEqual(kids.limit, ParentalLimit(maximumAge: 12, hiddenCategories: ["Crime", "Horror"]))
            expectEqual((kids.hasPIN("2468"), kids.hasPIN("2469")), (true, false))
            try await expectText(client.get("/admin/profiles").text, lacks: [try #require(kids.pinHash)])
            let invalid: [(String, KeyValuePairs<String, String>)] = [
                ("/admin/profiles/add", ["name": "kids"]), ("/admin/profiles", ["name": "kids", "age": "99"]),
                ("/admin/profiles", ["name": "kids", "pin": "1"]), ("/admin/profiles", ["name": "none"]),
            ]
            for (path, form) in invalid {
                try await expectEqual(client.post(path, form).status, 422, "\(path) \(form)")
            }
            // An empty PIN keeps it.
            try await expectEqual(client.post("/admin/profiles", ["name": "kids", "age": ""]).status, 303)
            let changed = try #require(try server.read { try $0.profiles() }.first)
            expectEqual(changed.limit, .none)
            expectEqual(changed.pinHash, kids.pinHash)
            _ = try await client.post("/admin/profiles", ["name": "kids", "no-pin": "1"])
            try expectEqual(server.read { try $0.profiles() }.map(\.pinHash), [nil])
            let forms: [(KeyValuePairs<String, String>, Bool)] = [
                (["name": "kids", "rules": "1"], true), (["name": "kids"], false),
            ]
            for (form, isAccepting) in forms {
                try await expectEqual(client.post("/admin/profiles", form).status, 303)
                try expectEqual(server.read { try $0.profiles() }.map(\.acceptsRules), [isAccepting])
            }
            _ = try await client.post("/admin/profiles/remove", ["name": "kids"])
            try expectEqual(server.read { try $0.profiles() }, [])
        }
    }

    // MARK: - Parental limit

    /// A guide with a programme that is always allowed, and programmes that an age of 12 and the category Horror lock. Every text
    /// of a locked programme contains `zzqxjz`.
    private static let records: String = {
        func programme(_ start: Int, _ word: String, _ details: String) -> String {
            """
            <programme start="20261024\(start)0000 +0000" stop="20261024\(start + 1)0000 +0000" channel="one">\
            <title lang="en">\(word) title</title><title lang="de">\(word) titel</title><sub-title>\(word) part</sub-title>\
            <desc>\(word) storm</desc><credits><actor>\(word) Doe</actor></credits><keyword>\(word) key</keyword>\
            <icon src="http://a.example/\(word).png"/><url>http://a.example/\(word)</url>\(details)</programme>
            """
        }
        return """
            <channel id="one"><display-name>One</display-name></channel>
            <channel id="two"><display-name>Two</display-name></channel>
            \(programme(17, "allowed", "<category>News</category><rating system=\"FSK\"><value>12</value></rating>"))
            \(programme(18, "zzqxjz", "<category>zzqxjz</category><rating system=\"FSK\"><value>16</value></rating>"))
            \(programme(19, "allowed", "<category>News</category><rating system=\"FSK\"><value>12</value></rating>"))
            \(programme(20, "zzqxjzother", "<category>News</category><category>HORROR</category>"))
            """
    }()

    private static let limit = "lockAge=12&lockCategory=horror"

    /// The URLs of all routes that show airings, by the path of the route.
    private static let targets: [String: [String]] = [
        "/": ["/?at=1792864800"], "/home": ["/home?at=1792864800", "/home?at=1792864800&lang=de"],
        "/stations": ["/stations?at=1792864800"], "/stations/{id}": ["/stations/one?day=2026-10-24"],
        "/airings/{id}": (1...4).map { "/airings/\($0)?at=1792858800" },
        "/search": ["/search?q=storm&at=1792864800", "/search?q=zzqxjq&at=1792864800"],
        "/series": ["/series?title=allowed%20title&at=1792858800"],
        "/watch": ["/watch?at=1792858800"], "/setup": ["/setup"],
        "/api/v1/grid": [
            "/api/v1/grid?from=1792854000&hours=8", "/api/v1/grid?from=1792854000&hours=8&form=columns",
            "/api/v1/grid?from=1792854000&hours=8&form=columns&stations=1&rows=0-1",
            "/api/v1/grid?from=1792854000&hours=8&form=columns&lang=de",
        ],
        "/grid.svg": ["/grid.svg?from=1792854000&hours=8"],
        "/api/v1/now": ["/api/v1/now?at=1792865400&fields=id,title,images,ratings,series,links"],
        "/api/v1/next": ["/api/v1/next?at=1792861800"],
        "/api/v1/stations": ["/api/v1/stations"], "/api/v1/stations/{id}": ["/api/v1/stations/one"],
        "/api/v1/stations/{id}/schedule": ["/api/v1/stations/one/schedule?day=2026-10-24&lang=de"],
        "/api/v1/stations/{id}/days/{date}": ["/api/v1/stations/one/days/2026-10-24"],
        "/api/v1/airings/{id}": (1...4).map { "/api/v1/airings/\($0)?at=1792854000&lang=de" },
        "/api/v1/search": [
            "/api/v1/search?q=storm&at=1792864800", "/api/v1/search?q=zzqxjz*", "/api/v1/search?q=zzqxjq",
        ],
        "/api/v1/categories": ["/api/v1/categories"], "/api/v1/groups": ["/api/v1/groups"],
        "/api/v1/duplicates": ["/api/v1/duplicates"],
        "/api/v1/rows": ["/api/v1/rows?from=1792800000&to=1792886400"],
        "/api/v1/lineups": ["/api/v1/lineups"], "/api/v1/versions": ["/api/v1/versions?date=2026-10-24&days=1"],
        "/api/v1/changes": ["/api/v1/changes?since=0"], "/api/v1/sources": ["/api/v1/sources"],
        "/api/v1/marks": ["/api/v1/marks?at=1792858800&from=1792854000"],
        "/api/v1/watch": ["/api/v1/watch?at=1792858800"], "/api/v1/watch/{name}": ["/api/v1/watch/all?at=1792858800"],
        "/api/v1/watch-preview": [
            "station=one", "any=storm&any=zzqxjz", "pattern=zzqxjz|allowed", "station=one&without=x",
        ]
        .map { "/api/v1/watch-preview?at=1792858800&\($0)" },
        "/watch/{name}.ics": ["/watch/all.ics?at=1792858800"], "/watch/{name}.atom": ["/watch/all.atom?at=1792858800"],
        "/stations/{id}.ics": ["/stations/one.ics"], "/airings/{id}.ics": (1...4).map { "/airings/\($0).ics" },
        "/xmltv.xml": ["/xmltv.xml", "/xmltv.xml?source=default"], "/guide.json": ["/guide.json"],
    ]

    /// The routes whose responses contain no airing.
    private static let others: Set<String> = [
        // The same as /xmltv.xml, compressed: see compressedFeedHasTheLimit.
        "/xmltv.xml.gz", "/playlist.m3u", "/logos/{name}", "/assets/{version}/{name}", "/favicon.ico",
        "/manifest.webmanifest",
        "/service-worker.js", "/offline", "/robots.txt", "/openapi.yaml", "/healthz", "/readyz", "/metrics",
        "/api/v1/events", "/api/v1/import", "/api/v1/profiles", "/api/v1/profiles/{name}",
        "/api/v1/profiles/{name}/unlock", "/art/{kind}/{id}/{key}",
        // A limited one has no stream: see streamOfAnAiring.
        "/airings/{id}.m3u",
    ]

    private func limitedGuide() throws -> ServedGuide {
        let guide = try ServedGuide(Self.records)
        try GuideDatabase(path: guide.path).write { writer in
            try writer.refreshSearchIndex()
            try writer.saveWatchRule(WatchRule(name: "all", WatchConditions(station: StationID("one"))))
        }
        return guide
    }

    @Test func everyRouteIsKnownToTheTestOfTheLimit() throws {
        let guide = try limitedGuide()
        let server = try GuideServer(
            GuideDatabase(path: guide.path), settings: ServerSettings(site: Site(zone: .utc)),
            logger: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }, now: { RunningServer.now })
        let others = Set(server.routes.keys).subtracting(AdminRoute.all.map(\.path))
        expectEqual(others, Set(Self.targets.keys).union(Self.others))
        withExtendedLifetime(guide) {}
    }

    @Test func noTextOfALockedProgrammeIsInAnyResponse() async throws {
        try await RunningServer.run(try limitedGuide()) { server in
            var revealing: Set<String> = []
            for (route, targets) in Self.targets {
                for target in targets {
                    let whole = try await RawClient.get(target, port: server.port)
                    expectEqual(whole.status, 200, "\(target)")
                    if whole.text.contains("zzqxjz") { revealing.insert(route) }
                    // Twice, and once in between without a limit, so that caches do not mix them up.
                    for _ in 0..<2 {
                        let limited = try await RawClient.get(
                            target + (target.contains("?") ? "&" : "?") + Self.limit, port: server.port)
                        expectEqual(limited.status, 200, target)
                        expectText(Self.withoutQuery(limited.text), lacks: ["zzqxjz"], target)
                        let again = try await RawClient.get(target, port: server.port)
                        expectEqual(again.text.contains("zzqxjz"), whole.text.contains("zzqxjz"), "\(target)")
                    }
                }
            }
            let silent: Set = [
                "/series", "/setup", "/api/v1/stations", "/api/v1/stations/{id}", "/api/v1/groups",
                "/api/v1/duplicates", "/api/v1/rows",
                "/api/v1/lineups", "/api/v1/versions", "/api/v1/changes", "/api/v1/sources", "/api/v1/marks",
            ]
            expectEqual(Set(Self.targets.keys).subtracting(revealing), silent)
        }
    }

    /// The page of a search repeats the words of the client.
    private static func withoutQuery(_ text: String) -> String {
        text.replacingOccurrences(of: "q=zzqxjz", with: "")
    }

    @Test func lockedAiringKeepsItsTimeAndItsPlace() async throws {
        try await RunningServer.run(try limitedGuide()) { server in
            let target = "/api/v1/stations/one/schedule?day=2026-10-24&lockAge=12&lockCategory=Horror"
            let object = Loose(
                try JSONSerialization.jsonObject(with: Data(try await RawClient.get(target, port: server.port).body)))
            expectEqual(
                object["airings"].list.map(\.["title"].text), ["allowed title", "Locked", "allowed title", "Locked"])
            expectEqual(object["airings"][1]["start"].text, "2026-10-24T18:00:00Z")
            expectEqual(object["airings"][1].keys, ["id", "station", "start", "stop", "title", "inferredStop"])
            let feed = try await RawClient.get("/xmltv.xml?lockAge=12", port: server.port).text
            expectText(feed, contains: [#"start="20261024180000 +0000""#, "<title>Locked</title>"])
            // A higher age allows it.
            let older = try await RawClient.get("/xmltv.xml?lockAge=16", port: server.port).text
            expectText(older, contains: ["zzqxjz title"])
        }
    }

    @Test func compressedFeedHasTheLimit() async throws {
        try await RunningServer.run(try limitedGuide()) { server in
            for (query, hasText) in [("", true), ("?" + Self.limit, false), ("", true)] {
                let file = try await RawClient.get("/xmltv.xml.gz" + query, port: server.port)
                let text = String(decoding: try file.decompressedBody(), as: UTF8.self)
                expectText(text, contains: hasText ? ["</tv>", "zzqxjz"] : ["</tv>"], lacks: hasText ? [] : ["zzqxjz"])
            }
        }
    }

    @Test func lockedAiringCannotBeWatched() async throws {
        let token = "0123456789abcdef0123456789abcdef"
        let headers = [Self.json, "Authorization: Bearer \(token)"]
        try await RunningServer.run(try limitedGuide(), tokens: [token: [.watch]]) { server in
            for (query, status, isOffered) in [("?lockAge=12", 422, false), ("", 201, true)] {
                let response = try await RawClient.request(
                    "POST", "/api/v1/watch" + query, port: server.port, headers: headers,
                    body: Array(#"{"airing": 2}"#.utf8))
                expectEqual(response.status, status, "\(response.text)")
                expectEqual(response.text.contains("locks this programme"), !isOffered)
                let page = try await RawClient.get("/airings/2" + query, port: server.port).text
                let buttons = ["data-rule"]
                expectText(page, contains: isOffered ? buttons : [], lacks: isOffered ? [] : buttons)
            }
        }
    }

    @Test func pagesAndPlaylistsKeepTheLimitInTheirLinks() async throws {
        let guide = try limitedGuide()
        try guide.importPlaylist(Array("#EXTM3U\n#EXTINF:-1 tvg-id=\"one\",One\nhttp://a/1\n".utf8), named: "home")
        try await RunningServer.run(guide) { server in
            let query = "lockAge=12&lockCategory=A%20B&lockCategory=Horror"
            let written = query.replacingOccurrences(of: "&", with: "&amp;")
            for path in ["/", "/home", "/stations", "/stations/one", "/airings/1", "/watch"] {
                let page = try await RawClient.get("\(path)?\(query)", port: server.port).text
                let links = page.matches(of: /<a [^>]*href="(\/[^"]*)"/).map { String($0.output.1) }
                #expect(links.count > 3)
                for link in links where link != "/admin" { expectText(link, contains: [written], path) }
                expectText(page, contains: ["name=\"lockAge\"", "name=\"lockCategory\""], path)
            }
            let playlist = try await RawClient.get("/playlist.m3u?\(query)", port: server.port).text
            expectText(playlist, contains: ["/xmltv.xml?\(query)"])
        }
    }

    @Test func invalidLimitIsRejected() async throws {
        let queries = ["lockAge=22", "lockAge=x", "lockAge=1&lockAge=2", "lockCategory=", "lockCategory=%07"]
        try await RunningServer.run(try limitedGuide()) { server in
            for query in queries {
                let response = try await RawClient.get("/api/v1/now?\(query)", port: server.port)
                expectEqual(response.status, 400, query)
            }
        }
    }
}
