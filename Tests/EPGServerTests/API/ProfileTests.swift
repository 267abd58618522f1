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

@testable import EPGServer

/// Tests of profiles over HTTP, and of the parental limit in all responses.
@Suite(.serialized) struct ProfileTests {
    private static let json = "Content-Type: application/json"

    private func guide(_ profiles: [Profile]) throws -> ServedGuide {
        let guide = try ServedGuide(sample: "evening.xml")
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
            #expect(response.status == 200)
            let limits = #""isLimited":"#
            #expect(
                response.text
                    == #"{"profiles":[{"name":"a b/c",\#(limits)false},{"name":"kids",\#(limits)true}]}"#)
            #expect(response["cache-control"] == "private, no-cache")
            #expect(try await RawClient.get("/api/v1/profiles/a%20b%2Fc", port: server.port).status == 200)
            #expect(try await RawClient.get("/api/v1/profiles/none", port: server.port).status == 404)
            #expect(try await RawClient.get("/api/v1/profiles?bogus=1", port: server.port).status == 400)
        }
    }

    @Test func profileHasSettingsLimitAndTagButNeverTheHashOfItsPIN() async throws {
        let settings = #"{"favorites":["two.example","one.example"],"theme":"dark","hour":300}"#
        let kids = try Profile(
            name: "kids", document: Array(settings.utf8),
            limit: ParentalLimit(maximumAge: 6, hiddenCategories: ["Horror"]), pinHash: "$y$secret")
        try await RunningServer.run(try guide([kids])) { server in
            let response = try await RawClient.get("/api/v1/profiles/kids", port: server.port)
            #expect(response.status == 200)
            let tag = try #require(response["etag"])
            #expect(response["cache-control"] == "private, no-cache")
            #expect(!response.text.contains("secret"))
            let object = Loose(try JSONSerialization.jsonObject(with: Data(response.body)))
            #expect(object["settings"]["favorites"].texts == ["two.example", "one.example"])
            #expect(object["settings"]["theme"].text == "dark")
            #expect(object["settings"]["hour"].number == 300)
            #expect(object["limit"]["maximumAge"].integer == 6)
            #expect(object["limit"]["hiddenCategories"].texts == ["Horror"])
            #expect(object["hasPIN"].flag == true)
            let again = try await RawClient.get(
                "/api/v1/profiles/kids", port: server.port, headers: ["If-None-Match: \(tag)"])
            #expect(again.status == 304)
        }
    }

    @Test func changeNeedsTheTagOfTheCurrentVersion() async throws {
        let guide = try guide([Profile(name: "kids", limit: ParentalLimit(maximumAge: 6), pinHash: "$y$x")])
        try await RunningServer.run(guide) { server in
            let first = try await Self.tag(server.port)
            let changed = try await Self.put(#"{"favorites": ["one.example"]}"#, server.port)
            #expect(changed.status == 204)
            #expect(changed["etag"] != first)
            #expect(try await Self.tag(server.port) == changed["etag"])
            // Another device has read version 1.
            let late = try await Self.put(#"{"theme": "dark"}"#, server.port, tag: first)
            #expect(late.status == 412)
            #expect(late.text.contains("Read it again, and repeat the change."))
            let unconditional = try await RawClient.request(
                "PUT", "/api/v1/profiles/kids", port: server.port, headers: [Self.json], body: Array("{}".utf8))
            #expect(unconditional.status == 428)
            #expect(try await Self.put("{}", server.port, name: "none").status == 404)
        }
        let kids = try #require(try Self.stored(guide).first)
        #expect(String(decoding: kids.document, as: UTF8.self) == #"{"favorites":["one.example"]}"#)
        #expect(kids.version == 2)
        // Requests change neither limit nor PIN, and create no profile.
        #expect(kids.limit.maximumAge == 6)
        #expect(kids.pinHash == "$y$x")
        #expect(try Self.stored(guide).count == 1)
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
            ] {
                try GuideDatabase(path: guide.path).write { writer in
                    _ = try writer.removeProfile(named: "kids")
                    _ = try writer.saveProfile(profile)
                }
                let isNew = tags.insert(try await Self.tag(server.port)).inserted
                #expect(isNew, "\(profile)")
            }
        }
    }

    @Test(arguments: [
        ("[]", 400), ("{", 400), (#"{"bogus": 1}"#, 400), (#"{"limit": {}}"#, 400), (#"{"favorites": "a"}"#, 400),
        (#"{"favorites": [1]}"#, 400), (#"{"favorites": [""]}"#, 400), (#"{"hidden": {}}"#, 400),
        (#"{"theme": "pink"}"#, 400), (#"{"theme": 1}"#, 400), (#"{"hour": "240"}"#, 400), (#"{"hour": 1e9}"#, 400),
        (#"{"zone": "a b"}"#, 400), (#"{"theme": "dark", "theme": "light"}"#, 400),
        ("{\"hidden\": [\(Array(repeating: "\"a\"", count: 2001).joined(separator: ","))]}", 400),
        ("{\"hidden\": [\"\(String(repeating: "a", count: 1001))\"]}", 400),
        ("{\"hidden\": [\"\(String(repeating: "a", count: 70_000))\"]}", 413),
        // The stored form has six bytes for each of these characters, which have three.
        (
            "{\"hidden\": [\((0..<40).map { "\"\(String(repeating: "\u{2028}", count: 300))\($0)\"" }.joined(separator: ","))]}",
            413
        ),
    ]) func invalidSettingsAreRejected(body: String, status: Int) async throws {
        let guide = try guide([Profile(name: "kids")])
        try await RunningServer.run(guide) { server in
            let response = try await Self.put(body, server.port)
            #expect(response.status == status, "\(response.text)")
            #expect(response["content-type"] == "application/problem+json")
        }
        #expect(try Self.stored(guide).map(\.version) == [1])
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
                #expect(try await Self.put("{}", server.port, headers).status == status, "\(headers)")
                #expect(try await Self.unlock("{}", server.port, headers).status == status, "\(headers)")
            }
            #expect(try Self.stored(guide).map(\.version) == [1])
            let changed = try await Self.put("{}", server.port, [Self.json, "Sec-Fetch-Site: same-origin"])
            #expect(changed.status == 204)
            // As behind a proxy that does not pass the host.
            let own = [Self.json, "Sec-Fetch-Site: same-origin", "Origin: https://tv.example"]
            #expect(try await Self.put("{}", server.port, own).text.contains("pass the Host header"))
        }
    }

    @Test func profilesNeedALogInIfReadersDo() async throws {
        let guide = try guide([Profile(name: "kids")])
        try await AdminServer.run(guide, requiresLogin: true) { server in
            #expect(try await RawClient.get("/api/v1/profiles", port: server.port).status == 401)
            #expect(try await RawClient.get("/api/v1/profiles/kids", port: server.port).status == 401)
            #expect(try await Self.put("{}", server.port).status == 401)
            #expect(try await Self.unlock("{}", server.port).status == 401)
            var client = try await server.loggedIn(AdminServer.readerPassword)
            #expect(try await client.get("/api/v1/profiles/kids", headers: []).status == 200)
        }
    }

    // MARK: - PINs

    @Test func pinIsCheckedAndGuessesAreLimited() async throws {
        let hash = try PasswordHash(of: "2468", lengths: PasswordHash.pinLengths).text
        let guide = try guide([Profile(name: "kids", pinHash: hash), Profile(name: "open")])
        let log = LogLines()
        try await RunningServer.run(guide, log: log) { server in
            let port = server.port
            for body in ["{}", #"{"pin": 2468}"#, #"{"pin": "2468", "name": "x"}"#] {
                #expect(try await Self.unlock(body, port).status == 400)
            }
            #expect(try await Self.unlock(#"{"pin": "2468"}"#, port, name: "none").status == 404)
            #expect(try await Self.unlock(#"{"pin": "any"}"#, port, name: "open").status == 204)
            #expect(try await Self.unlock(#"{"pin": "2468"}"#, port).status == 204)
            for _ in 0..<5 { #expect(try await Self.unlock(#"{"pin": "1357"}"#, port).status == 403) }
            // The address is locked out, even with the right PIN.
            let refused = try await Self.unlock(#"{"pin": "2468"}"#, port)
            #expect(refused.status == 429)
            #expect(refused["retry-after"] != nil)
            // Other profiles are not.
            #expect(try await Self.unlock(#"{"pin": "any"}"#, port, name: "open").status == 204)
        }
        #expect(log.all.contains { $0.contains("wrong PIN") })
        #expect(!log.all.contains { $0.contains("1357") || $0.contains("$y$") })
    }

    @Test func screenSetsLimitAndPIN() async throws {
        try await AdminServer.run(try guide([])) { server in
            var client = try await server.loggedIn()
            let added = try await client.post(
                "/admin/profiles/add", ["name": "kids", "age": "12", "categories": "Horror; Crime", "pin": "2468"])
            #expect(added.status == 303, "\(added.text)")
            let kids = try #require(try server.read { try $0.profiles() }.first)
            #expect(kids.limit.maximumAge == 12)
            #expect(kids.limit.hiddenCategories == ["Crime", "Horror"])
            let hash = try #require(PasswordHash(stored: kids.pinHash ?? ""))
            #expect(try hash.matches("2468", lengths: PasswordHash.pinLengths))
            #expect(try await !client.get("/admin/profiles").text.contains("$y$"))
            #expect(try await client.post("/admin/profiles/add", ["name": "kids"]).status == 422)
            #expect(try await client.post("/admin/profiles", ["name": "kids", "age": "99"]).status == 422)
            #expect(try await client.post("/admin/profiles", ["name": "kids", "pin": "1"]).status == 422)
            #expect(try await client.post("/admin/profiles", ["name": "none"]).status == 422)
            // An empty PIN keeps it.
            #expect(try await client.post("/admin/profiles", ["name": "kids", "age": ""]).status == 303)
            let changed = try #require(try server.read { try $0.profiles() }.first)
            #expect(changed.limit == .none)
            #expect(changed.pinHash == kids.pinHash)
            _ = try await client.post("/admin/profiles", ["name": "kids", "no-pin": "1"])
            #expect(try server.read { try $0.profiles() }.map(\.pinHash) == [nil])
            _ = try await client.post("/admin/profiles/remove", ["name": "kids"])
            #expect(try server.read { try $0.profiles() } == [])
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
        "/stations": ["/stations"], "/stations/{id}": ["/stations/one?day=2026-10-24"],
        "/airings/{id}": (1...4).map { "/airings/\($0)?at=1792858800" }, "/search": ["/search?q=storm&at=1792864800"],
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
        "/api/v1/search": ["/api/v1/search?q=storm&at=1792864800", "/api/v1/search?q=zzqxjz*"],
        "/api/v1/categories": ["/api/v1/categories"], "/api/v1/groups": ["/api/v1/groups"],
        "/api/v1/lineups": ["/api/v1/lineups"], "/api/v1/versions": ["/api/v1/versions?date=2026-10-24&days=1"],
        "/api/v1/changes": ["/api/v1/changes?since=0"], "/api/v1/sources": ["/api/v1/sources"],
        "/api/v1/marks": ["/api/v1/marks?at=1792858800&from=1792854000"],
        "/api/v1/watch": ["/api/v1/watch?at=1792858800"], "/api/v1/watch/{name}": ["/api/v1/watch/all?at=1792858800"],
        "/watch/{name}.ics": ["/watch/all.ics?at=1792858800"], "/watch/{name}.atom": ["/watch/all.atom?at=1792858800"],
        "/stations/{id}.ics": ["/stations/one.ics"], "/airings/{id}.ics": (1...4).map { "/airings/\($0).ics" },
        "/xmltv.xml": ["/xmltv.xml", "/xmltv.xml?source=default"], "/guide.json": ["/guide.json"],
    ]

    /// The routes whose responses contain no airing.
    private static let others: Set<String> = [
        // The same as /xmltv.xml, compressed: see compressedFeedHasTheLimit.
        "/xmltv.xml.gz", "/playlist.m3u", "/logos/{name}", "/assets/{name}", "/favicon.ico", "/manifest.webmanifest",
        "/service-worker.js", "/offline", "/robots.txt", "/openapi.yaml", "/healthz", "/readyz", "/metrics",
        "/api/v1/events", "/api/v1/import", "/api/v1/profiles", "/api/v1/profiles/{name}",
        "/api/v1/profiles/{name}/unlock", "/art/{kind}/{id}/{key}",
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
        #expect(
            Set(server.routes.keys).subtracting(AdminRoute.paths)
                == Set(Self.targets.keys).union(Self.others))
        withExtendedLifetime(guide) {}
    }

    @Test func noTextOfALockedProgrammeIsInAnyResponse() async throws {
        try await RunningServer.run(try limitedGuide()) { server in
            var revealing: Set<String> = []
            for (route, targets) in Self.targets {
                for target in targets {
                    let whole = try await RawClient.get(target, port: server.port)
                    #expect(whole.status == 200, "\(target)")
                    if whole.text.contains("zzqxjz") { revealing.insert(route) }
                    // Twice, and once in between without a limit, so that caches do not mix them up.
                    for _ in 0..<2 {
                        let limited = try await RawClient.get(
                            target + (target.contains("?") ? "&" : "?") + Self.limit, port: server.port)
                        #expect(limited.status == 200, "\(target)")
                        #expect(!Self.withoutQuery(limited.text).contains("zzqxjz"), "\(target)")
                        let again = try await RawClient.get(target, port: server.port)
                        #expect(again.text.contains("zzqxjz") == whole.text.contains("zzqxjz"), "\(target)")
                    }
                }
            }
            let silent: Set = [
                "/stations", "/setup", "/api/v1/stations", "/api/v1/stations/{id}", "/api/v1/groups",
                "/api/v1/lineups", "/api/v1/versions", "/api/v1/changes", "/api/v1/sources", "/api/v1/marks",
            ]
            #expect(Set(Self.targets.keys).subtracting(revealing) == silent)
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
            #expect(
                object["airings"].list.map(\.["title"].text) == ["allowed title", "Locked", "allowed title", "Locked"])
            #expect(object["airings"][1]["start"].text == "2026-10-24T18:00:00Z")
            #expect(object["airings"][1].keys == ["id", "station", "start", "stop", "title", "inferredStop"])
            let feed = try await RawClient.get("/xmltv.xml?lockAge=12", port: server.port).text
            #expect(feed.contains(#"start="20261024180000 +0000""#))
            #expect(feed.contains("<title>Locked</title>"))
            // A higher age allows it.
            let older = try await RawClient.get("/xmltv.xml?lockAge=16", port: server.port).text
            #expect(older.contains("zzqxjz title"))
        }
    }

    @Test func compressedFeedHasTheLimit() async throws {
        try await RunningServer.run(try limitedGuide()) { server in
            for (query, hasText) in [("", true), ("?" + Self.limit, false), ("", true)] {
                let file = try await RawClient.get("/xmltv.xml.gz" + query, port: server.port)
                let text = String(decoding: try file.decompressedBody(), as: UTF8.self)
                #expect(text.contains("</tv>"))
                #expect(text.contains("zzqxjz") == hasText)
            }
        }
    }

    @Test func lockedAiringCannotBeWatched() async throws {
        let token = "0123456789abcdef0123456789abcdef"
        let headers = [Self.json, "Authorization: Bearer \(token)"]
        try await RunningServer.run(try limitedGuide(), change: { $0.importing.token = Array(token.utf8) }) { server in
            for (query, status, isOffered) in [("?lockAge=12", 422, false), ("", 201, true)] {
                let response = try await RawClient.request(
                    "POST", "/api/v1/watch" + query, port: server.port, headers: headers,
                    body: Array(#"{"airing": 2}"#.utf8))
                #expect(response.status == status, "\(response.text)")
                #expect(response.text.contains("locks this programme") == !isOffered)
                let page = try await RawClient.get("/airings/2" + query, port: server.port).text
                #expect(page.contains("Remind me") == isOffered)
                #expect(page.contains("Every episode") == isOffered)
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
                for link in links where link != "/admin" { #expect(link.contains(written), "\(path): \(link)") }
                for name in ["lockAge", "lockCategory"] { #expect(page.contains("name=\"\(name)\""), "\(path)") }
            }
            let playlist = try await RawClient.get("/playlist.m3u?\(query)", port: server.port).text
            #expect(playlist.contains("/xmltv.xml?\(query)"))
        }
    }

    @Test(arguments: ["lockAge=22", "lockAge=x", "lockAge=1&lockAge=2", "lockCategory=", "lockCategory=%07"])
    func invalidLimitIsRejected(query: String) async throws {
        try await RunningServer.run(try limitedGuide()) { server in
            let response = try await RawClient.get("/api/v1/now?\(query)", port: server.port)
            #expect(response.status == 400)
        }
    }
}
