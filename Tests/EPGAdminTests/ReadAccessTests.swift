import EPGAccess
import EPGCalendar
import EPGModel
import EPGOutput
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

/// Reading with `require-login`.
@Suite("Reading with a log-in", .serialized)
struct ReadAccessTests {
    private static let feeds = [
        "/xmltv.xml", "/xmltv.xml.gz", "/guide.json", "/playlist.m3u", "/stations/lantern.example.ics",
    ]
    private static let others = ["/", "/home", "/stations", "/search?q=a", "/api/v1/stations", "/grid.svg", "/metrics"]

    private func guide() throws -> ServedGuide {
        let guide = try ServedGuide()
        try guide.importPlaylist(try ServedGuide.sample("evening.m3u"), named: "evening")
        return guide
    }

    @Test func everythingButTheLoginIsRefusedWithoutCredentials() async throws {
        try await AdminServer.run(try guide(), requiresLogin: true) { server in
            for path in Self.feeds + Self.others {
                for headers in [[], ["Authorization: Bearer wrong"], ["Cookie: epg-session=0123"]] {
                    let response = try await RawClient.get(path, port: server.port, headers: headers)
                    expectResponse(
                        response, 401, headers: ["www-authenticate": "Bearer realm=\"epg\""], "\(path) \(headers)")
                }
            }
            let page = try await RawClient.get("/home?zone=UTC", port: server.port, headers: ["Accept: text/html"])
            expectResponse(page, 303, headers: ["location": "/login?next=%2Fhome%3Fzone%3DUTC"])
            for path in ["/login", "/healthz", "/readyz", "/robots.txt", "/favicon.ico", "/assets/0/guide.css"] {
                expectResponse(try await RawClient.get(path, port: server.port), 200, "\(path)")
            }
            // HEAD reveals nothing either.
            expectResponse(try await RawClient.request("HEAD", "/xmltv.xml", port: server.port), 401)
        }
    }

    /// The paths that need no log-in.
    private static let open: Set<String> = [
        "/healthz", "/readyz", "/robots.txt", "/favicon.ico", "/manifest.webmanifest", "/assets/{version}/{name}",
        "/login", "/admin/start",
    ]

    /// A path for each parameter of a route.
    private static func path(of route: String) -> String {
        let names = [
            "{version}": "0", "{name}": "guide.css", "{kind}": "stations", "{id}": "lantern.example", "{key}": "0123",
        ]
        return names.reduce(route) { $0.replacing($1.key, with: $1.value) }
    }

    /// The methods of each path, also of administration.
    private static func routes(of server: AdminServer) throws -> [String: Set<HTTPRequest.Method>] {
        try GuideServer(
            GuideDatabase(path: server.guide.path),
            administration: { AdminController(server.operations, imports: UploadSettings(), of: $0) },
            settings: ServerSettings(site: Site(zone: .utc)),
            logger: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }, now: { RunningServer.now }
        ).routes
    }

    /// Every route of the router, with every method.
    @Test func noRouteRespondsWithoutCredentials() async throws {
        try await AdminServer.run(try guide(), requiresLogin: true) { server in
            let routes = try Self.routes(of: server)
            #expect(routes.count > 50)
            let (token, text) = AccessToken.make(named: "player", at: RunningServer.now)
            try server.access.change { $0.tokens.append(token) }
            for (route, methods) in routes.sorted(by: { $0.key < $1.key }) {
                let path = Self.path(of: route)
                for method in methods.map(\.rawValue).sorted() where method != "OPTIONS" {
                    let response = try await RawClient.request(
                        method, path, port: server.port, body: method == "POST" ? [] : nil)
                    if Self.open.contains(route) {
                        // A log-in from another site.
                        #expect(method != "POST" || response.status == 403, "\(method) \(path)")
                        continue
                    }
                    // Pages of administration lead to the log-in.
                    let isPage = route.hasPrefix("/admin") && method != "POST"
                    #expect(
                        isPage ? response.status == 303 : [401, 403].contains(response.status),
                        "\(method) \(path): \(response.status)")
                    expectResponse(response, headers: ["etag": nil, "last-modified": nil], "\(method) \(path)")
                    guard method == "GET", !route.hasPrefix("/admin"), route != "/api/v1/events" else { continue }
                    let read = try await RawClient.get(
                        path, port: server.port, headers: ["Authorization: Bearer \(text)"])
                    #expect(![401, 403, 303].contains(read.status), "\(path) with a token: \(read.status)")
                    let control = read["cache-control"] ?? ""
                    #expect(["private, no-cache", "no-store"].contains(control), "\(path): \(control)")
                }
            }
        }
    }

    /// The routes that are not for reading. Routes of administration are in a table of their own.
    private static let groups: [AccessGroup: Set<String>] = [
        .everybody: [
            "GET /healthz", "GET /readyz", "GET /robots.txt", "GET /favicon.ico", "GET /manifest.webmanifest",
            "GET /assets/{version}/{name}", "GET /login", "POST /login", "GET /admin/start", "POST /admin/start",
        ],
        .metrics: ["GET /metrics"], .imports: ["POST /api/v1/import"],
        .watchlist: ["POST /api/v1/watch", "PATCH /api/v1/watch/{name}", "DELETE /api/v1/watch/{name}"],
        .session: ["POST /logout"],
    ]

    private static func group(of method: String, _ route: String) -> AccessGroup {
        // HEAD is as GET.
        let name = "\(method == "HEAD" ? "GET" : method) \(route)"
        if let group = groups.first(where: { $0.value.contains(name) })?.key { return group }
        return route == "/admin" || route.hasPrefix("/admin/") ? .administration : .reading
    }

    /// What each credential admits to.
    private static let admitted: [String: Set<AccessGroup>] = [
        "nothing": [.everybody], "metrics": [.everybody, .metrics], "imports": [.everybody, .imports],
        "watchlist": [.everybody, .watchlist],
        "token": [.everybody, .reading], "reader": [.everybody, .reading, .session],
        "administrator": [.everybody, .reading, .watchlist, .session, .administration],
        "program": Set(AccessGroup.allCases).subtracting([.reading]),
    ]

    /// Every route of the router, with every method and every credential.
    @Test func everyCredentialAdmitsToItsGroupsOnly() async throws {
        let program = "a token of administrators"
        try await AdminServer.run(
            try guide(),
            tokens: [
                program: [.administration], "a token of metrics": [.metrics],
                "a token of imports": [.imports], "a token of the watchlist": [.watch],
            ], requiresLogin: true, change: { $0.importing.maximumSize = 1 }
        ) { server in
            let routes = try Self.routes(of: server)
            let (token, text) = AccessToken.make(named: "player", at: RunningServer.now)
            try server.access.change { $0.tokens.append(token) }
            let page = "Sec-Fetch-Site: same-origin"
            let administrator = try await server.loggedIn()
            let reader = try await server.loggedIn(AdminServer.readerPassword)
            let credentials: [String: [String]] = [
                "nothing": [page], "metrics": ["Authorization: Bearer a token of metrics"],
                "imports": ["Authorization: Bearer a token of imports"],
                "watchlist": ["Authorization: Bearer a token of the watchlist"],
                "token": ["Authorization: Bearer \(text)"],
                "reader": [page, "Cookie: \(reader.cookie ?? "")"],
                "administrator": [page, "Cookie: \(administrator.cookie ?? "")"],
                "program": ["Authorization: Bearer \(program)"],
            ]
            /// Parts of the responses of ``AccessMiddleware``, which handlers do not send.
            let refusals = [
                "The token is", "is valid for other URLs", "requires a token", "requires a log-in", "not logged in",
                "Log in as an administrator",
            ]
            for (route, methods) in routes where route != "/api/v1/events" {
                for method in methods.map(\.rawValue) where method != "OPTIONS" {
                    let group = Self.group(of: method, route)
                    for (name, headers) in credentials {
                        // A log-out would end the session. A wrong token counts, and reading tokens are known to reading only.
                        if group == .session, name == "administrator" || name == "reader" { continue }
                        if name == "token", group != .reading, group != .everybody { continue }
                        let response = try await RawClient.request(
                            method, Self.path(of: route), port: server.port, headers: headers,
                            body: method == "GET" || method == "HEAD" ? nil : [])
                        let isRefused =
                            response["location"]?.hasPrefix("/login?next=") == true
                            || [401, 403].contains(response.status)
                                && (method == "HEAD" && group != .everybody
                                    || refusals.contains { response.text.contains($0) })
                        // Changes of profiles are as changes of the watchlist, but also for readers with a session.
                        let isChange = group == .reading && method != "GET" && method != "HEAD"
                        let isAdmitted =
                            isChange && name != "reader"
                            ? Self.admitted[name]?.contains(.watchlist) : Self.admitted[name]?.contains(group)
                        expectEqual(
                            !isRefused, isAdmitted == true,
                            "\(method) \(route) with \(name): \(response.status) \(response.text.prefix(200))")
                    }
                }
            }
        }
    }

    /// Other forms of the path of a route are no way around its check.
    @Test(arguments: [
        "/admin/", "//admin", "/%61dmin", "/admin%2F", "/./admin", "/x/../admin", "/ADMIN", "/admin;a", "/%2e/admin",
        "/admin/settings/", "//admin/settings", "/admin//settings", "/admin%2fsettings", "/%61dmin/settings",
        "//api/v1/stations", "/api/v1/stations/", "/api%2Fv1%2Fstations", "/api/%76%31/stations", "/api/./v1/stations",
        "//xmltv.xml", "/xmltv.xml/", "/%78mltv.xml", "//metrics", "/metrics/", "/%6detrics", "//assets/../admin",
    ])
    func formsOfPathsAreNoWayAround(path: String) async throws {
        try await AdminServer.run(try guide(), requiresLogin: true) { server in
            for method in ["GET", "HEAD", "POST"] {
                let response = try await RawClient.request(
                    method, path, port: server.port, headers: ["Sec-Fetch-Site: same-origin"],
                    body: method == "POST" ? [] : nil)
                #expect([303, 401, 403, 404, 405].contains(response.status), "\(method): \(response.status)")
                expectResponse(response, headers: ["access-control-allow-origin": nil], path)
            }
        }
    }

    @Test func eventsEndWithTheTokenOrTheSession() async throws {
        try await AdminServer.run(
            try guide(), requiresLogin: true, change: { $0.live.tick = .milliseconds(50) }
        ) { server in
            let (token, text) = AccessToken.make(named: "player", at: RunningServer.now)
            try server.access.change { $0.tokens.append(token) }
            var client = try await server.loggedIn()
            for header in ["Authorization: Bearer \(text)", "Cookie: \(client.cookie ?? "")"] {
                let stream = try await RawClient.onThread {
                    let stream = try RawClient(port: server.port)
                    try stream.send("GET /api/v1/events HTTP/1.1\r\nHost: a\r\n\(header)\r\n\r\n")
                    expectResponse(try stream.readHead(), 200)
                    expectText(String(decoding: try stream.readChunk() ?? [], as: UTF8.self), contains: ["generation"])
                    return TransferableClient(client: stream)
                }
                if header.hasPrefix("Cookie") {
                    _ = try await client.post("/logout", [:])
                } else {
                    try server.access.change { $0.tokens = [] }
                }
                // Otherwise, this waits for two minutes and fails.
                try await RawClient.onThread { while try stream.client.readChunk() != nil {} }
            }
        }
    }

    @Test func logosOfFeedsHaveTheToken() async throws {
        let guide = try guide()
        let folder = guide.folder + "/pictures"
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        try Data("<svg xmlns='http://www.w3.org/2000/svg'/>".utf8)
            .write(to: URL(filePath: folder + "/lantern.example.svg"))
        var logos = LogoSettings()
        logos.folder = folder
        let settings = logos
        for requiresLogin in [true, false] {
            try await AdminServer.run(
                guide, requiresLogin: requiresLogin, change: { $0.site.logos = (try? Logos(settings)) ?? .guide }
            ) { server in
                let (token, text) = AccessToken.make(named: "player", at: RunningServer.now)
                try server.access.change { $0.tokens = [token] }
                let url = "/logos/lantern.example.svg"
                for path in ["/xmltv.xml", "/guide.json", "/playlist.m3u"] {
                    let feed = try await RawClient.get("\(path)?token=\(text)", port: server.port)
                    expectResponse(feed, 200, contains: ["127.0.0.1:\(server.port)\(url)"], "\(path)")
                    let hasToken = requiresLogin || path == "/playlist.m3u"
                    expectEqual(feed.text.contains("\(url)?token=\(text)"), hasToken, "\(path)")
                    let bare = try await RawClient.get(
                        path, port: server.port, headers: ["Authorization: Bearer \(text)"])
                    expectResponse(bare, 200, lacks: [text], "\(path)")
                }
                expectResponse(try await RawClient.get("\(url)?token=\(text)", port: server.port), 200)
                let status = try await RawClient.get(url, port: server.port).status
                expectEqual(status, requiresLogin ? 401 : 200)
            }
        }
    }

    /// The URL of the guide has the token, which must not be sent in the clear.
    @Test func playlistBehindHTTPSNamesTheGuideByHTTPS() async throws {
        try await AdminServer.run(try guide(), requiresLogin: true) { server in
            let (token, text) = AccessToken.make(named: "player", at: RunningServer.now)
            try server.access.change { $0.tokens.append(token) }
            for (proto, scheme) in [("https", "https"), ("http", "http"), ("ftp", "http"), ("https", "https")] {
                let playlist = try await RawClient.get(
                    "/playlist.m3u?token=\(text)", port: server.port,
                    headers: ["Host: tv.example", "X-Forwarded-Proto: \(proto)"])
                expectResponse(playlist, contains: ["\"\(scheme)://tv.example/xmltv.xml?token=\(text)\""], "\(proto)")
            }
        }
    }

    @Test func changesOfTheWatchlistNeedATokenForIt() async throws {
        try await AdminServer.run(
            try guide(), tokens: ["token of rules": [.watch], "token of imports": [.imports]], requiresLogin: true
        ) { server in
            for (token, status) in [("token of rules", 404), ("token of imports", 403), ("another token", 401)] {
                let response = try await RawClient.request(
                    "DELETE", "/api/v1/watch/none", port: server.port, headers: ["Authorization: Bearer \(token)"])
                expectResponse(response, status)
            }
            let read = try await RawClient.get(
                "/api/v1/watch", port: server.port, headers: ["Authorization: Bearer token of rules"])
            expectResponse(read, 401)
        }
    }

    @Test func sessionsOfBothRolesRead() async throws {
        try await AdminServer.run(try guide(), requiresLogin: true) { server in
            for password in [AdminServer.password, AdminServer.readerPassword] {
                var client = server.client
                let response = try await client.post("/login", ["password": password, "next": "/home"])
                expectResponse(response, 303)
                for path in Self.feeds + Self.others {
                    expectResponse(try await client.get(path), 200, "\(path)")
                }
            }
        }
    }

    @Test func tokenReadsFeedsInTheURLAndEverythingInTheHeader() async throws {
        try await AdminServer.run(try guide(), requiresLogin: true) { server in
            let (token, text) = AccessToken.make(named: "player", at: RunningServer.now)
            try server.access.change { $0.tokens.append(token) }
            for path in Self.feeds {
                expectResponse(try await RawClient.get("\(path)?token=\(text)", port: server.port), 200, "\(path)")
                expectResponse(try await RawClient.get("\(path)?token=\(text)0", port: server.port), 401)
            }
            expectResponse(try await RawClient.get("/home?token=\(text)", port: server.port), 401)
            for path in Self.feeds + Self.others {
                let response = try await RawClient.get(
                    path, port: server.port, headers: ["Authorization: Bearer \(text)"])
                expectResponse(response, 200, "\(path)")
            }
            // A token is for reading.
            let admin = try await RawClient.get(
                "/admin", port: server.port, headers: ["Authorization: Bearer \(text)"])
            expectResponse(admin, 303)
            // The playlist names the guide with the token, so that the player can read it.
            let playlist = try await RawClient.get("/playlist.m3u?token=\(text)", port: server.port)
            expectResponse(playlist, contains: ["/xmltv.xml?token=\(text)"])
        }
    }

    @Test func tokenForAdministrationReadsTheMetrics() async throws {
        try await AdminServer.run(try guide(), tokens: ["a": [.administration], "b": [.watch]], requiresLogin: true) {
            server in
            for (token, status) in [("a", 200), ("b", 401)] {
                let response = try await RawClient.get(
                    "/metrics", port: server.port, headers: ["Authorization: Bearer \(token)"])
                expectResponse(response, status, token)
            }
        }
    }

    @Test func tokenOfThePageHasTheChosenScopes() async throws {
        try await AdminServer.run(try guide()) { server in
            var client = try await server.loggedIn()
            expectResponse(try await client.post("/admin/access/token", ["name": "none"]), 422, contains: ["Choose"])
            let page = try await client.post(
                "/admin/access/token", ["name": "prometheus", "metrics": "1", "import": "1"])
            expectResponse(
                page, 200, contains: ["Send guides and playlists, Read /metrics"], lacks: ["A feed with it"])
            let text = try #require(page.text.firstMatch(of: /<code class="a-secret">([0-9a-f]{64})</)).1
            expectEqual(try server.access.records().tokens.map(\.scopes), [[.metrics, .imports]])
            for (headers, status) in [([], 401), (["Authorization: Bearer \(text)"], 200)] {
                expectResponse(try await RawClient.get("/metrics", port: server.port, headers: headers), status)
            }
        }
    }

    @Test func revokedTokenIsRefused() async throws {
        try await AdminServer.run(try guide(), requiresLogin: true) { server in
            var client = try await server.loggedIn()
            let page = try await client.post("/admin/access/token", ["name": "my player", "read": "1"]).text
            let text = String(try #require(page.firstMatch(of: /<code class="a-secret">([0-9a-f]{64})</)).1)
            let url = "/xmltv.xml?token=\(text)"
            expectResponse(try await RawClient.get(url, port: server.port), 200)
            let list = try await client.get("/admin/access").text
            expectText(list, contains: ["my player"], lacks: [text])
            let revoked = try await client.post("/admin/access/token/revoke", ["name": "my player"])
            expectResponse(revoked, 303)
            expectResponse(try await RawClient.get(url, port: server.port), 401)
        }
    }

    @Test func responsesAreForOneClientOnly() async throws {
        try await AdminServer.run(try guide(), requiresLogin: true) { server in
            var client = try await server.loggedIn()
            // Repeated requests would be answered in front of the router without a log-in.
            for _ in 1...3 {
                for path in ["/xmltv.xml", "/", "/api/v1/stations", "/api/v1/grid"] {
                    let response = try await client.get(path)
                    expectResponse(response, 200, "\(path)")
                    expectEqual(
                        response["cache-control"].map { ["no-store", "private, no-cache"].contains($0) }, true,
                        "\(path) \(response["cache-control"] ?? "-")")
                    expectResponse(try await RawClient.get(path, port: server.port), 401)
                }
            }
            let asset = try await RawClient.get("/assets/0/guide.css", port: server.port)
            expectPrefix(asset["cache-control"], "public")
        }
    }

    @Test func withoutRequiredLoginEverybodyReads() async throws {
        try await AdminServer.run(try guide()) { server in
            for path in Self.feeds + Self.others {
                let response = try await RawClient.get(path, port: server.port)
                expectResponse(response, 200, "\(path)")
            }
        }
    }

    @Test func importsAndMetricsKeepTheirOwnTokens() async throws {
        let token = "token of the metrics"
        try await AdminServer.run(
            try guide(), tokens: [token: [.metrics], "token of imports": [.imports]], requiresLogin: true
        ) { server in
            let metrics = try await RawClient.get(
                "/metrics", port: server.port, headers: ["Authorization: Bearer \(token)"])
            expectResponse(metrics, 200)
            let imported = try await RawClient.request(
                "POST", "/api/v1/import?source=a", port: server.port,
                headers: ["Authorization: Bearer token of imports"], body: ServedGuide.document("<channel id=\"a\"/>"))
            expectResponse(imported, 200)
        }
    }

    /// The names of profiles and stations may end like feeds.
    @Test(arguments: ["/api/v1/profiles/fam.ics", "/api/v1/stations/one.ics", "/api/v1/watch/rule.atom"])
    func tokenInAURLIsForFeedsOnly(path: String) async throws {
        try await AdminServer.run(try guide(), tokens: ["reading": [.read]], requiresLogin: true) { server in
            expectResponse(try await RawClient.get("\(path)?token=reading", port: server.port), 401)
            let feed = try await RawClient.get("/stations/none.ics?token=reading", port: server.port)
            expectResponse(feed, 404)
        }
    }
}
