import EPGAccess
import EPGModel
import EPGServer
import Foundation
import Testing

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
                    #expect(response.status == 401, "\(path) \(headers)")
                    #expect(response["www-authenticate"] == "Bearer realm=\"epg\"")
                }
            }
            let page = try await RawClient.get("/home?zone=UTC", port: server.port, headers: ["Accept: text/html"])
            #expect(page.status == 303)
            #expect(page["location"] == "/login?next=%2Fhome%3Fzone%3DUTC")
            for path in ["/login", "/healthz", "/readyz", "/robots.txt", "/favicon.ico", "/assets/guide.css"] {
                #expect(try await RawClient.get(path, port: server.port).status == 200, "\(path)")
            }
            // HEAD reveals nothing either.
            #expect(try await RawClient.request("HEAD", "/xmltv.xml", port: server.port).status == 401)
        }
    }

    @Test func sessionsOfBothRolesRead() async throws {
        try await AdminServer.run(try guide(), requiresLogin: true) { server in
            for password in [AdminServer.password, AdminServer.readerPassword] {
                var client = server.client
                let response = try await client.post("/login", ["password": password, "next": "/home"])
                #expect(response.status == 303)
                for path in Self.feeds + Self.others {
                    #expect(try await client.get(path).status == 200, "\(path)")
                }
            }
        }
    }

    @Test func tokenReadsFeedsInTheURLAndEverythingInTheHeader() async throws {
        try await AdminServer.run(try guide(), requiresLogin: true) { server in
            let (token, text) = AccessToken.make(named: "player", at: RunningServer.now)
            try server.access.change { $0.tokens.append(token) }
            for path in Self.feeds {
                #expect(try await RawClient.get("\(path)?token=\(text)", port: server.port).status == 200, "\(path)")
                #expect(try await RawClient.get("\(path)?token=\(text)0", port: server.port).status == 401)
            }
            #expect(try await RawClient.get("/home?token=\(text)", port: server.port).status == 401)
            for path in Self.feeds + Self.others {
                let response = try await RawClient.get(
                    path, port: server.port, headers: ["Authorization: Bearer \(text)"])
                #expect(response.status == 200, "\(path)")
            }
            // A token is for reading.
            let admin = try await RawClient.get(
                "/admin", port: server.port, headers: ["Authorization: Bearer \(text)"])
            #expect(admin.status == 303)
            // The playlist names the guide with the token, so that the player can read it.
            let playlist = try await RawClient.get("/playlist.m3u?token=\(text)", port: server.port)
            #expect(playlist.text.contains("/xmltv.xml?token=\(text)"))
        }
    }

    @Test func revokedTokenIsRefused() async throws {
        try await AdminServer.run(try guide(), requiresLogin: true) { server in
            var client = try await server.loggedIn()
            let page = try await client.post("/admin/access/token", ["name": "my player"]).text
            let text = String(try #require(page.firstMatch(of: /<code class="a-secret">([0-9a-f]{64})</)).1)
            let url = "/xmltv.xml?token=\(text)"
            #expect(try await RawClient.get(url, port: server.port).status == 200)
            let list = try await client.get("/admin/access").text
            #expect(list.contains("my player") && !list.contains(text))
            let revoked = try await client.post("/admin/access/token/revoke", ["name": "my player"])
            #expect(revoked.status == 303)
            #expect(try await RawClient.get(url, port: server.port).status == 401)
        }
    }

    @Test func responsesAreForOneClientOnly() async throws {
        try await AdminServer.run(try guide(), requiresLogin: true) { server in
            var client = try await server.loggedIn()
            // Repeated requests would be answered in front of the router without a log-in.
            for _ in 1...3 {
                for path in ["/xmltv.xml", "/", "/api/v1/stations", "/api/v1/grid"] {
                    let response = try await client.get(path)
                    #expect(response.status == 200, "\(path)")
                    #expect(
                        response["cache-control"].map { ["no-store", "private, no-cache"].contains($0) } == true,
                        "\(path) \(response["cache-control"] ?? "-")")
                    #expect(try await RawClient.get(path, port: server.port).status == 401)
                }
            }
            let asset = try await RawClient.get("/assets/guide.css", port: server.port)
            #expect(asset["cache-control"]?.hasPrefix("public") == true)
        }
    }

    @Test func withoutRequiredLoginEverybodyReads() async throws {
        try await AdminServer.run(try guide()) { server in
            for path in Self.feeds + Self.others {
                let response = try await RawClient.get(path, port: server.port)
                #expect(response.status == 200, "\(path)")
            }
        }
    }

    @Test func importsAndMetricsKeepTheirOwnTokens() async throws {
        let token = "token of the metrics"
        try await AdminServer.run(
            try guide(), requiresLogin: true,
            change: { settings in
                settings.metricsToken = Array(token.utf8)
                settings.importing.token = Array("token of imports".utf8)
            }
        ) { server in
            let metrics = try await RawClient.get(
                "/metrics", port: server.port, headers: ["Authorization: Bearer \(token)"])
            #expect(metrics.status == 200)
            let imported = try await RawClient.request(
                "POST", "/api/v1/import?source=a", port: server.port,
                headers: ["Authorization: Bearer token of imports"], body: ServedGuide.document("<channel id=\"a\"/>"))
            #expect(imported.status == 200)
        }
    }
}
