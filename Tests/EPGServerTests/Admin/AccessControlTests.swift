import EPGAccess
import EPGCalendar
import EPGModel
import EPGStore
import Foundation
import HTTPTypes
import Logging
import Testing

@testable import EPGServer
@testable import epgd

/// Who may do what: sessions, forms, passwords and tokens.
@Suite("Access to administration", .serialized)
struct AccessControlTests {
    /// A guide without listings.
    private func emptyGuide() throws -> ServedGuide { try ServedGuide(bytes: ServedGuide.document(""), as: "empty") }

    // MARK: - Every route

    @Test func routerHasExactlyTheRoutesOfTheTable() throws {
        let server = try GuideServer(
            GuideDatabase(path: SharedGuides.sample.get().path), settings: ServerSettings(site: Site(zone: .utc)),
            logger: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }, now: { RunningServer.now })
        var table: [String: Set<HTTPRequest.Method>] = [:]
        for route in AdminRoute.all {
            table[route.path, default: [.options]].formUnion(route.method == .get ? [.get, .head] : [route.method])
        }
        let routed = server.routes.filter { path, _ in
            path.hasPrefix("/admin") || path.hasPrefix("/log") && !path.hasPrefix("/logos")
        }
        #expect(routed == table)
        // A route that changes anything checks the token, except the log-in itself.
        #expect(
            Set(AdminRoute.all.filter { $0.access == .anyone }.map(\.path)) == ["/login", "/admin/start"])
        #expect(AdminRoute.all.allSatisfy { [.get, .post].contains($0.method) })
    }

    @Test func noRouteWorksWithoutASessionOfAnAdministrator() async throws {
        try await AdminServer.run(try emptyGuide()) { server in
            let reader = try await server.loggedIn(AdminServer.readerPassword)
            let version = try server.read { try $0.version() }
            for var client in [server.client, AdminClient(port: server.port, cookie: "epg-session=0123"), reader] {
                for route in AdminRoute.all where route.access == .administrator {
                    if route.method == .get {
                        for method in ["GET", "HEAD"] {
                            let response = try await RawClient.request(
                                method, route.path, port: server.port,
                                headers: (client.cookie.map { ["Cookie: \($0)"] } ?? []) + ["Accept: text/html"])
                            #expect(response.status == 303, "\(method) \(route.path)")
                            #expect(response["location"]?.hasPrefix("/login?next=") == true)
                            #expect(response.body.isEmpty)
                        }
                    } else if route.body == .form {
                        let response = try await client.post(route.path, ["name": "empty", "role": "administrator"])
                        #expect(response.status == 401, "POST \(route.path)")
                    } else {
                        #expect(try await client.upload([1], named: "a", path: route.path).status == 401)
                    }
                }
            }
            #expect(try server.read { try $0.version() } == version)
            #expect(server.requests.shown == RefreshState())
        }
    }

    @Test func noRouteWorksWithoutTheTokenOfTheSession() async throws {
        try await AdminServer.run(try emptyGuide()) { server in
            var client = try await server.loggedIn()
            let other = try await server.loggedIn()
            #expect(client.formToken.utf8.count == 64 && client.formToken != other.formToken)
            let version = try server.read { try $0.version() }
            for token in ["", "wrong", other.formToken] {
                client.formToken = token
                for route in AdminRoute.all where route.access != .anyone && route.method == .post {
                    let response =
                        route.body == .form
                        ? try await client.post(route.path, ["name": "empty", "role": "administrator"])
                        : try await client.upload([1], named: "a", path: route.path)
                    #expect(response.status == 403, "POST \(route.path)")
                }
            }
            #expect(try server.read { try $0.version() } == version)
            #expect(try server.access.records().tokens.isEmpty)
            // The session still exists.
            #expect(try await client.get("/admin").status == 200)
        }
    }

    @Test(arguments: [
        [], ["Sec-Fetch-Site: cross-site"], ["Sec-Fetch-Site: same-site"], ["Sec-Fetch-Site: none"], ["Origin: null"],
        ["Origin: https://evil.example"], ["Origin: http://127.0.0.1:1"],
    ])
    func requestFromAnotherSiteIsRejected(headers: [String]) async throws {
        try await AdminServer.run(try emptyGuide()) { server in
            var client = try await server.loggedIn()
            for route in AdminRoute.all where route.method == .post && route.body == .form {
                let response = try await client.post(route.path, ["name": "empty"], headers: headers)
                #expect(response.status == 403, "POST \(route.path)")
            }
            #expect(try await client.get("/admin").status == 200)
        }
    }

    @Test func originOfTheServiceIsAccepted() async throws {
        try await AdminServer.run(try emptyGuide()) { server in
            var client = try await server.loggedIn()
            let response = try await client.post(
                "/admin/refresh", [:], headers: ["Origin: http://127.0.0.1:\(server.port)"])
            #expect(response.status == 303)
            #expect(server.requests.shown.isRequested)
        }
    }

    @Test func tokenMayBeInAHeader() async throws {
        try await AdminServer.run(try emptyGuide()) { server in
            let client = try await server.loggedIn()
            let response = try await RawClient.request(
                "POST", "/admin/refresh", port: server.port,
                headers: [
                    "Cookie: \(client.cookie ?? "")", "Sec-Fetch-Site: same-origin",
                    "X-CSRF-Token: \(client.formToken)",
                ], body: [])
            #expect(response.status == 303)
        }
    }

    @Test func administrationIsOffWithoutAPassword() async throws {
        try await RunningServer.run(try emptyGuide()) { server in
            let response = try await RawClient.get("/admin", port: server.port)
            #expect(response.status == 403)
        }
        let guide = try emptyGuide()
        try await AdminServer.run(guide) { server in
            try server.access.change { $0.administrator = nil }
            let response = try await RawClient.get("/admin", port: server.port)
            #expect(response.status == 403)
            #expect(response.text.contains("epg admin password"))
        }
    }

    @Test func unreadableFileOfPasswordsAdmitsNobody() async throws {
        try await AdminServer.run(try emptyGuide(), requiresLogin: true) { server in
            try Data("something else\n".utf8).write(to: URL(filePath: server.access.path))
            // The file is checked once a second.
            try await Task.sleep(for: .milliseconds(1100))
            #expect(try await RawClient.get("/admin", port: server.port).status == 500)
            #expect(try await RawClient.get("/xmltv.xml", port: server.port).status == 500)
        }
    }

    // MARK: - Sessions

    @Test func cookieIsForThisServiceAndNotForScripts() async throws {
        try await AdminServer.run(try emptyGuide()) { server in
            var client = server.client
            let response = try await client.post("/login", ["password": AdminServer.password])
            let cookie = try #require(response["set-cookie"])
            #expect(
                cookie.wholeMatch(
                    of: /epg-session=[0-9a-f]{64}; Path=\/; Max-Age=86400; HttpOnly; SameSite=Strict/) != nil)
            #expect(response["cache-control"] == "no-store")
            let https = try await client.post(
                "/login", ["password": AdminServer.password],
                headers: ["Sec-Fetch-Site: same-origin", "X-Forwarded-Proto: https"])
            #expect(
                https["set-cookie"]?.wholeMatch(
                    of: /__Host-epg=[0-9a-f]{64}; Path=\/; Max-Age=86400; HttpOnly; SameSite=Strict; Secure/) != nil)
        }
    }

    @Test func publicHTTPSURLMakesTheCookieSecure() async throws {
        try await AdminServer.run(try emptyGuide(), change: { $0.site.publicURL = "https://tv.example" }) { server in
            var client = server.client
            let response = try await client.post(
                "/login", ["password": AdminServer.password],
                headers: ["Sec-Fetch-Site: same-origin", "Host: tv.example"])
            #expect(response["set-cookie"]?.hasPrefix("__Host-epg=") == true)
            // A browser on the same machine may use another address without TLS.
            let local = try await client.post("/login", ["password": AdminServer.password])
            #expect(local["set-cookie"]?.hasPrefix("epg-session=") == true)
        }
    }

    @Test func loginNeverAdoptsAnIdentifierFromTheClient() async throws {
        try await AdminServer.run(try emptyGuide()) { server in
            let planted = String(repeating: "ab", count: 32)
            var client = AdminClient(port: server.port, cookie: "epg-session=\(planted)")
            let response = try await client.post("/login", ["password": AdminServer.password])
            #expect(response.status == 303)
            #expect(client.cookie?.hasSuffix(planted) == false)
            var attacker = AdminClient(port: server.port, cookie: "epg-session=\(planted)")
            #expect(try await attacker.get("/admin").status == 303)
            // A new log-in ends the former session.
            var former = client
            #expect(try await client.post("/login", ["password": AdminServer.password]).status == 303)
            #expect(client.cookie != former.cookie)
            #expect(try await client.get("/admin").status == 200)
            #expect(try await former.get("/admin").status == 303)
        }
    }

    @Test func logOutEndsTheSession() async throws {
        try await AdminServer.run(try emptyGuide()) { server in
            var client = try await server.loggedIn()
            var copy = client
            let response = try await client.post("/logout", [:])
            #expect(response.status == 303)
            #expect(response["set-cookie"]?.contains("Max-Age=0") == true)
            #expect(try await copy.get("/admin").status == 303)
        }
    }

    @Test func newPasswordEndsAllOtherSessions() async throws {
        try await AdminServer.run(try emptyGuide()) { server in
            var (client, other) = (try await server.loggedIn(), try await server.loggedIn())
            var reader = try await server.loggedIn(AdminServer.readerPassword)
            let wrong = try await client.post(
                "/admin/access/password",
                [
                    "role": "administrator", "current": "something else", "password": "a new password",
                    "repeated": "a new password",
                ])
            #expect(wrong.status == 422)
            let different = try await client.post(
                "/admin/access/password",
                [
                    "role": "administrator", "current": AdminServer.password, "password": "a new password",
                    "repeated": "another password",
                ])
            #expect(different.status == 422)
            #expect(try await other.get("/admin").status == 200)
            let right = try await client.post(
                "/admin/access/password",
                [
                    "role": "administrator", "current": AdminServer.password, "password": "a new password",
                    "repeated": "a new password",
                ])
            #expect(right.status == 303)
            #expect(try await client.get("/admin").status == 200)
            #expect(try await other.get("/admin").status == 303)
            #expect(try await server.client.statusOfLogin(AdminServer.password) == 403)
            #expect(try await server.client.statusOfLogin("a new password") == 303)
            // Readers have their own password.
            #expect(try await reader.get("/login?next=/").status == 303)
        }
    }

    @Test func sessionEndsWhenUnusedAndAtTheEndOfItsLife() throws {
        let table = SessionTable()
        var records = AccessRecords()
        let hash = try PasswordHash(of: "correct horse")
        records.administrator = hash
        let start = ContinuousClock.now
        let (id, _) = table.begin(.administrator, .password(hash), at: start)
        #expect(table.session(id, records, at: start + .seconds(7199)) != nil)
        #expect(table.session(id, records, at: start + .seconds(7199 + 7200)) == nil)
        #expect(table.count == 0)
        let (second, _) = table.begin(.administrator, .password(hash), at: start)
        for hour in 1...23 { #expect(table.session(second, records, at: start + .seconds(hour * 3600)) != nil) }
        #expect(table.session(second, records, at: start + .seconds(86_400)) == nil)
        // Without the password, no session of it is valid.
        let (third, _) = table.begin(.administrator, .password(hash), at: start)
        #expect(table.session(third, AccessRecords(), at: start) == nil)
    }

    @Test(arguments: AccessRole.allCases)
    func numberOfSessionsIsLimitedForEachRole(role: AccessRole) throws {
        let table = SessionTable()
        let hash = try PasswordHash(of: "correct horse")
        var records = AccessRecords()
        (records.administrator, records.reader) = (hash, hash)
        let start = ContinuousClock.now
        let other: AccessRole = role == .reader ? .administrator : .reader
        let (kept, _) = table.begin(other, .password(hash), at: start)
        let (first, _) = table.begin(role, .password(hash), at: start)
        for number in 1...role.sessionCapacity {
            _ = table.begin(role, .password(hash), at: start + .seconds(number))
        }
        #expect(table.count == role.sessionCapacity + 1)
        #expect(table.session(first, records, at: start) == nil)
        // Many readers do not end the session of an administrator.
        #expect(table.session(kept, records, at: start) != nil)
    }

    @Test func checkOfASessionIsNoUse() throws {
        let table = SessionTable()
        let hash = try PasswordHash(of: "correct horse")
        var records = AccessRecords()
        records.administrator = hash
        let start = ContinuousClock.now
        let (id, _) = table.begin(.administrator, .password(hash), at: start)
        #expect(table.isValid(id, records, at: start + .seconds(7199)))
        #expect(!table.isValid(id, records, at: start + .seconds(7200)))
        #expect(!table.isValid(id, AccessRecords(), at: start))
        #expect(!table.isValid("x", records, at: start))
    }

    @Test func logOutDeletesCachedPages() async throws {
        try await AdminServer.run(try emptyGuide()) { server in
            var client = try await server.loggedIn()
            #expect(try await client.post("/logout", [:])["clear-site-data"] == "\"cache\"")
        }
    }

    // MARK: - Guessing

    @Test func fiveWrongPasswordsLockTheAddressOut() async throws {
        try await AdminServer.run(try emptyGuide()) { server in
            var session = try await server.loggedIn()
            for _ in 1...5 { #expect(try await server.client.statusOfLogin("wrong password") == 403) }
            var client = server.client
            let response = try await client.post("/login", ["password": AdminServer.password])
            #expect(response.status == 429)
            #expect(response["retry-after"].flatMap { Int($0) }.map { (1...60).contains($0) } == true)
            #expect(response.text.contains("Too many wrong passwords") && response.text.contains("type=\"password\""))
            // Sessions go on.
            #expect(try await session.get("/admin").status == 200)
        }
    }

    @Test func concurrentAttemptsGetNoMoreGuesses() throws {
        let limiter = LoginLimiter()
        let client = ClientAddress(parsing: "192.0.2.1")
        var refused = 0
        for _ in 1...20 {
            do throws(Problem) { _ = try limiter.begin(from: client) } catch { refused += 1 }
        }
        #expect(refused == 15)
        // An attempt that was not checked makes room for another one.
        limiter.end(.unchecked, from: client)
        _ = try limiter.begin(from: client)
        #expect(throws: Problem.self) { try limiter.begin(from: client) }
    }

    @Test func administratorsPasswordForgetsWrongOnes() throws {
        let limiter = LoginLimiter()
        let client = ClientAddress(parsing: "192.0.2.1")
        for _ in 1...5 {
            for outcome in [.wrong, .wrong, .wrong, .wrong, .right(forgetsGuesses: true)] as [LoginLimiter.Outcome] {
                _ = try limiter.begin(from: client)
                limiter.end(outcome, from: client)
            }
        }
    }

    @Test func readersPasswordForgetsNoWrongOnes() async throws {
        try await AdminServer.run(try emptyGuide()) { server async throws in
            for _ in 1...4 { #expect(try await server.client.statusOfLogin("wrong password") == 403) }
            for _ in 1...3 { #expect(try await server.client.statusOfLogin(AdminServer.readerPassword) == 303) }
            #expect(try await server.client.statusOfLogin("wrong password") == 403)
            #expect(try await server.client.statusOfLogin(AdminServer.readerPassword) == 429)
            #expect(try await server.client.statusOfLogin(AdminServer.password) == 429)
        }
    }

    /// Strangers with many addresses must not keep the administrator out.
    @Test func guessesOfManyAddressesDelayLoginsAndRefuseNone() throws {
        let limiter = LoginLimiter()
        var now = ContinuousClock.now
        func delay(_ number: Int) throws -> Duration {
            let client = ClientAddress(parsing: "192.\(number / 62_500).\(number / 250 % 250).\(number % 250)")
            let delay = try limiter.begin(from: client, at: now)
            limiter.end(.wrong, from: client, at: now)
            return delay
        }
        for number in 0..<LoginLimiter.freeFailures { #expect(try delay(number) == .zero) }
        // Each further one doubles the delay, up to ten seconds.
        for (number, seconds) in [1, 2, 4, 8, 10, 10].enumerated() {
            #expect(try delay(100 + number) == .seconds(seconds))
        }
        for number in 1000..<10_000 { #expect(try delay(number) == .seconds(10)) }
        // The administrator waits, and is admitted.
        let own = ClientAddress(parsing: "198.51.100.7")
        #expect(try limiter.begin(from: own, at: now) == .seconds(10))
        limiter.end(.right(forgetsGuesses: true), from: own, at: now)
        // The failures are forgotten after 15 minutes.
        now += .seconds(901)
        #expect(try delay(0) == .zero)
    }

    @Test func trustedProxyNamesTheGuessingClient() async throws {
        try await AdminServer.run(try emptyGuide(), change: { $0.trustedProxies = ["127.0.0.1"] }) {
            server async throws in
            for _ in 1...5 {
                #expect(try await server.statusOfLogin("wrong password", forwardedFor: "192.0.2.1") == 403)
            }
            #expect(try await server.statusOfLogin(AdminServer.password, forwardedFor: "192.0.2.1") == 429)
            // What a client adds itself precedes its address.
            let forged = "203.0.113.9, 192.0.2.1"
            #expect(try await server.statusOfLogin(AdminServer.password, forwardedFor: forged) == 429)
            #expect(try await server.statusOfLogin(AdminServer.password, forwardedFor: "192.0.2.2") == 303)
        }
    }

    @Test func otherClientsCannotNameAnotherAddress() async throws {
        try await AdminServer.run(try emptyGuide(), change: { $0.trustedProxies = ["192.0.2.99"] }) {
            server async throws in
            for number in 1...5 {
                #expect(try await server.statusOfLogin("wrong password", forwardedFor: "192.0.2.\(number)") == 403)
            }
            #expect(try await server.statusOfLogin(AdminServer.password, forwardedFor: "192.0.2.77") == 429)
        }
    }

    // MARK: - Roles

    @Test func rolesCannotHaveTheSamePassword() async throws {
        try await AdminServer.run(try emptyGuide()) { server in
            var client = try await server.loggedIn()
            for (role, password) in [("reader", AdminServer.password), ("administrator", AdminServer.readerPassword)] {
                let response = try await client.post(
                    "/admin/access/password",
                    ["role": role, "current": AdminServer.password, "password": password, "repeated": password])
                #expect(response.status == 422)
                #expect(response.text.contains("must have different passwords"))
            }
            #expect(try await server.client.statusOfLogin(AdminServer.password) == 303)
        }
    }

    // MARK: - The token of administrators

    private static let token = "a token of administrators"

    @Test func tokenAdministersWithoutSessionAndForm() async throws {
        try await AdminServer.run(try emptyGuide(), token: Self.token) { server in
            try server.access.change { $0.administrator = nil }
            let header = "Authorization: Bearer \(Self.token)"
            let page = try await RawClient.get("/admin", port: server.port, headers: [header])
            #expect(page.status == 200 && page["cache-control"] == "no-store")
            let started = try await RawClient.request(
                "POST", "/admin/refresh", port: server.port, headers: [header], body: [])
            #expect(started.status == 303)
            #expect(server.requests.shown.isRequested)
            let client = AdminClient(port: server.port)
            #expect(try await client.upload([0x61], named: "a").status == 401)
            for value in ["Bearer another token of ours", "Bearer ", "Basic \(Self.token)"] {
                let response = try await RawClient.request(
                    "POST", "/admin/refresh", port: server.port, headers: ["Authorization: \(value)"], body: [])
                #expect(response.status == 401)
            }
            // It is for administration only.
            #expect(try await RawClient.get("/login", port: server.port, headers: [header]).status == 200)
        }
    }

    @Test func tokenLogsInUntilTheServiceEnds() async throws {
        try await AdminServer.run(try emptyGuide(), token: Self.token) { server in
            #expect(try await server.client.statusOfLogin(Self.token + "x") == 403)
            var client = try await server.loggedIn(Self.token)
            // It replaces a forgotten password, whose sessions end; this one goes on.
            var other = try await server.loggedIn()
            let changed = try await client.post(
                "/admin/access/password",
                [
                    "role": "administrator", "current": Self.token, "password": "a new password",
                    "repeated": "a new password",
                ])
            #expect(changed.status == 303)
            #expect(try await client.get("/admin").status == 200)
            #expect(try await other.get("/admin").status == 303)
            #expect(try await server.client.statusOfLogin("a new password") == 303)
        }
    }

    @Test func wrongTokensLockTheAddressOut() async throws {
        try await AdminServer.run(try emptyGuide(), token: Self.token) { server async throws in
            func status(_ token: String) async throws -> Int {
                try await RawClient.get(
                    "/admin", port: server.port, headers: ["Authorization: Bearer \(token)"]
                ).status
            }
            for _ in 1...5 { #expect(try await status("a wrong token") == 401) }
            #expect(try await status(Self.token) == 429)
        }
    }

    @Test func requiredLoginDoesNotAcceptTheTokenOfAdministrators() async throws {
        try await AdminServer.run(try emptyGuide(), token: Self.token, requiresLogin: true) { server in
            let response = try await RawClient.get(
                "/api/v1/stations", port: server.port, headers: ["Authorization: Bearer \(Self.token)"])
            #expect(response.status == 401)
        }
    }

    // MARK: - First password

    @Test func linkSetsThePasswordOnce() async throws {
        let token = RandomSecret.make()
        try await AdminServer.run(try emptyGuide(), startToken: token) { server in
            var client = server.client
            #expect(try await client.get("/admin/start?token=\(token)0").status == 403)
            #expect(try await client.get("/admin/start").status == 403)
            // Opening the link, as previews do, does not use it up.
            for _ in 1...3 { #expect(try await client.get("/admin/start?token=\(token)").status == 200) }
            let short = try await client.post(
                "/admin/start", ["token": token, "password": "short", "repeated": "short"])
            #expect(short.status == 422)
            let different = try await client.post(
                "/admin/start", ["token": token, "password": "a new password", "repeated": "another password"])
            #expect(different.status == 422)
            let right = try await client.post(
                "/admin/start", ["token": token, "password": "a new password", "repeated": "a new password"])
            #expect(right.status == 303)
            #expect(right["location"] == "/admin")
            #expect(try await client.get("/admin").text.contains("Log out"))
            var other = server.client
            #expect(try await other.get("/admin/start?token=\(token)").status == 403)
            let again = try await other.post(
                "/admin/start", ["token": token, "password": "a third password", "repeated": "a third password"])
            #expect(again.status == 403)
            // Not even if the password is removed.
            try server.access.change { $0.administrator = nil }
            #expect(try await other.get("/admin/start?token=\(token)").status == 403)
        }
    }

    @Test func linkSetsOneOfTwoConcurrentPasswords() async throws {
        let token = RandomSecret.make()
        try await AdminServer.run(try emptyGuide(), startToken: token) { server in
            let statuses: [Int] = try await withThrowingTaskGroup(of: Int.self) { tasks in
                for number in 1...4 {
                    let password = "password number \(number)"
                    tasks.addTask {
                        var client = server.client
                        return try await client.post(
                            "/admin/start", ["token": token, "password": password, "repeated": password]
                        ).status
                    }
                }
                return try await tasks.reduce(into: [Int]()) { $0.append($1) }
            }
            #expect(statuses.count { $0 == 303 } == 1, "\(statuses)")
        }
    }

    /// The service notices a change of the file within a second, and checks again before it stores a password.
    @Test func linkReplacesNoPasswordOfTheCommand() async throws {
        let token = RandomSecret.make()
        try await AdminServer.run(try emptyGuide(), startToken: token) { server in
            var client = server.client
            #expect(try await client.get("/admin/start?token=\(token)").status == 200)
            try AccessStore(besideGuide: server.guide.path).setPassword("set by the command", of: .administrator)
            let response = try await client.post(
                "/admin/start", ["token": token, "password": "a new password", "repeated": "a new password"])
            #expect(response.status == 403)
            let records = try AccessStore(besideGuide: server.guide.path).records()
            #expect(try records.administrator?.matches("set by the command") == true)
        }
    }

    @Test func linkFromAnotherSiteIsRejected() async throws {
        let token = RandomSecret.make()
        try await AdminServer.run(try emptyGuide(), startToken: token) { server in
            var client = server.client
            let response = try await client.post(
                "/admin/start", ["token": token, "password": "a new password", "repeated": "a new password"],
                headers: ["Origin: https://evil.example"])
            #expect(response.status == 403)
            #expect(try server.access.records().administrator == nil)
        }
    }

    @Test func linkExpires() {
        let link = StartLink(token: "t")
        #expect(link.admits("t") && !link.admits("u") && !link.admits(nil))
        #expect(link.admits("t", at: .now + .seconds(890)))
        #expect(!link.admits("t", at: .now + .seconds(900)))
    }

    // MARK: - Pages

    @Test func pagesAreNeitherCachedNorFramed() async throws {
        try await AdminServer.run(try emptyGuide(), change: { $0.crossOrigins = ["*"] }) { server in
            var client = try await server.loggedIn()
            for route in AdminRoute.all where route.method == .get && route.path != "/admin/start" {
                let path = route.path == "/admin/source" ? "/admin/source?name=empty" : route.path
                let response = try await client.get(path)
                guard [200, 303, 404].contains(response.status) else {
                    Issue.record("\(path): \(response.status)")
                    continue
                }
                #expect(response["cache-control"] == "no-store", "\(path)")
                #expect(response["x-frame-options"] == "DENY", "\(path)")
                #expect(response["etag"] == nil && response["access-control-allow-origin"] == nil, "\(path)")
                let policy = try #require(response["content-security-policy"])
                #expect(policy.contains("frame-ancestors 'none'") && !policy.contains("unsafe"), "\(path)")
                #expect(response.headers.count { $0.name == "content-security-policy" } == 1)
                #expect(response["referrer-policy"] == "same-origin")
            }
        }
    }

    @Test func loginReturnsToAPathOfThisServiceOnly() async throws {
        try await AdminServer.run(try emptyGuide()) { server in
            for (next, expected) in [
                ("/admin/changes?range=week", "/admin/changes?range=week"), ("https://evil.example/", "/admin"),
                ("//evil.example", "/admin"), ("/\\evil.example", "/admin"), ("", "/admin"), ("/login", "/admin"),
            ] {
                var client = server.client
                let response = try await client.post(
                    "/login", ["password": AdminServer.password, "next": next])
                #expect(response["location"] == expected)
            }
        }
    }

    @Test func pageForNewcomersLeadsToAdministration() async throws {
        try await AdminServer.run(try emptyGuide()) { server async throws in
            #expect(try await RawClient.get("/setup", port: server.port).text.contains("href=\"/admin\""))
        }
    }

    // MARK: - Secrets

    @Test func neitherLogsNorPagesContainSecrets() async throws {
        let log = LogLines()
        let secret = "https://user:hunter2@127.0.0.1:1/guide.xml?key=sesame"
        try await AdminServer.run(
            try emptyGuide(), requiresLogin: true, log: log, change: { $0.requestLogLevel = .info }
        ) { server in
            var client = try await server.loggedIn()
            _ = try await server.client.statusOfLogin("a wrong passphrase")
            var token = ""
            let page = try await client.post("/admin/access/token", ["name": "player"]).text
            token = String(page.firstMatch(of: /<code class="a-secret">([0-9a-f]{64})</)?.1 ?? "")
            #expect(token.utf8.count == 64)
            _ = try await RawClient.get("/xmltv.xml?days=1&token=\(token)", port: server.port)
            // The name may be encoded, the URL may be no feed, and browsers are sent to the log-in.
            for target in ["/xmltv.xml?%74oken=\(token)", "/home?a=1&token=\(token)", "/admin?to%6ben=\(token)"] {
                let response = try await RawClient.get(target, port: server.port, headers: ["Accept: text/html"])
                #expect(response["location"]?.contains(token) != true)
                #expect(!response.text.contains(token))
            }
            let next = "/xmltv.xml?token=\(token)".percentEncoded
            _ = try await RawClient.get("/login?next=\(next)", port: server.port)
            _ = try await RawClient.get("/login?next=\(next.percentEncoded)", port: server.port)
            let location = try await client.post("/admin/add/url", ["url": secret])["location"] ?? ""
            var pages = [try await client.preview(at: location)]
            for path in ["/admin", "/admin/access", "/admin/settings"] { pages.append(try await client.get(path).text) }
            let id = client.cookie?.split(separator: "=").last.map(String.init) ?? "?"
            let lines = log.all.joined()
            #expect(lines.contains("administration"))
            #expect(lines.contains("/xmltv.xml?days=1&token=…") && lines.contains("/home?a=1&token=…"))
            for text in [
                AdminServer.password, "a wrong passphrase", token, id, client.formToken, "hunter2", "sesame", "$y$",
            ] {
                #expect(!lines.contains(text), "a log line contains \(text)")
                if text != client.formToken { #expect(!pages.joined().contains(text), "a page contains \(text)") }
            }
        }
    }

    @Test func changesAreLoggedWithClientActionAndResult() async throws {
        let log = LogLines()
        try await AdminServer.run(try emptyGuide(), log: log) { server in
            _ = try await server.client.statusOfLogin("a wrong password")
            var client = try await server.loggedIn()
            _ = try await client.post("/admin/source/remove", ["name": "empty"])
            client.formToken = "x"
            _ = try await client.post("/admin/source/remove", ["name": "empty"])
        }
        let lines = log.all.filter { $0.contains("administration") }
        #expect(lines.count == 4)
        #expect(lines.allSatisfy { $0.contains("client=127.0.0.1") })
        #expect(lines[0].contains("action=/login") && lines[0].contains("status=403"))
        #expect(lines[2].contains("action=/admin/source/remove") && lines[2].contains("subject=empty"))
        #expect(lines[3].contains("status=403") && lines[3].contains("out of date"))
    }
}

extension AdminServer {
    /// Logs in through a proxy, and returns the status.
    func statusOfLogin(_ password: String, forwardedFor value: String) async throws -> Int {
        var client = client
        return try await client.post(
            "/login", ["password": password],
            headers: ["Sec-Fetch-Site: same-origin", "X-Forwarded-For: \(value)"]
        ).status
    }
}

extension AdminClient {
    /// Logs in on a new connection, and returns the status.
    func statusOfLogin(_ password: String) async throws -> Int {
        var copy = AdminClient(port: port)
        return try await copy.post("/login", ["password": password]).status
    }
}
