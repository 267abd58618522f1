import EPGAccess
import EPGCalendar
import EPGModel
import EPGStore
import Foundation
import HTTPTypes
import Logging
import TestSupport
import Testing

@testable import EPGAdmin
@testable import epgd
@testable import EPGHTTP
@testable import EPGServer
@testable import ServiceTestSupport

/// Who may do what: sessions, forms, passwords and tokens.
@Suite("Access to administration", .serialized)
struct AccessControlTests {
    /// A guide without listings.
    private func emptyGuide() throws -> ServedGuide { try ServedGuide(bytes: ServedGuide.document(""), as: "empty") }

    // MARK: - Every route

    @Test func routerHasExactlyTheRoutesOfTheTable() throws {
        let guide = try emptyGuide()
        let server = try GuideServer(
            GuideDatabase(path: guide.path),
            administration: { AdminController(nil, imports: UploadSettings(), of: $0) },
            settings: ServerSettings(site: Site(zone: .utc)),
            logger: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }, now: { RunningServer.now })
        var table: [String: Set<HTTPRequest.Method>] = [:]
        for route in AdminRoute.all {
            table[route.path, default: [.options]].formUnion(route.method == .get ? [.get, .head] : [route.method])
        }
        let routed = server.routes.filter { path, _ in
            path.hasPrefix("/admin") || path.hasPrefix("/log") && !path.hasPrefix("/logos")
        }
        expectEqual(routed, table)
        // A route that changes anything checks the token, except the log-in itself.
        expectEqual(Set(AdminRoute.all.filter { $0.group == .everybody }.map(\.path)), ["/login", "/admin/start"])
        #expect(AdminRoute.all.allSatisfy { [.get, .post].contains($0.method) })
    }

    @Test func noRouteWorksWithoutASessionOfAnAdministrator() async throws {
        try await AdminServer.run(try emptyGuide()) { server in
            let reader = try await server.loggedIn(AdminServer.readerPassword)
            let version = try server.read { try $0.version() }
            for var client in [server.client, AdminClient(port: server.port, cookie: "epg-session=0123"), reader] {
                for route in AdminRoute.all where route.group == .administration {
                    if route.method == .get {
                        for method in ["GET", "HEAD"] {
                            let response = try await RawClient.request(
                                method, route.path, port: server.port,
                                headers: (client.cookie.map { ["Cookie: \($0)"] } ?? []) + ["Accept: text/html"])
                            expectResponse(response, 303, "\(method) \(route.path)")
                            expectPrefix(response["location"], "/login?next=", "\(method) \(route.path)")
                            expectEqual(response.body, [], "\(method) \(route.path)")
                        }
                    } else if route.body == .form {
                        let response = try await client.post(route.path, ["name": "empty", "role": "administrator"])
                        expectResponse(response, 401, "POST \(route.path)")
                    } else {
                        expectResponse(try await client.upload([1], named: "a", path: route.path), 401, route.path)
                    }
                }
            }
            expectEqual(try server.read { try $0.version() }, version)
            expectEqual(server.requests.shown, RefreshState())
        }
    }

    @Test func noRouteWorksWithoutTheTokenOfTheSession() async throws {
        try await AdminServer.run(try emptyGuide()) { server in
            let session = try await server.loggedIn()
            let other = try await server.loggedIn()
            expectEqual(session.formToken.utf8.count, 64)
            expectNotEqual(session.formToken, other.formToken)
            let version = try server.read { try $0.version() }
            for token in ["", "wrong", other.formToken] {
                var client = session
                client.formToken = token
                for route in AdminRoute.all where route.group != .everybody && route.method == .post {
                    let response: RawResponse
                    if route.body == .form {
                        response = try await client.post(route.path, ["name": "empty", "role": "administrator"])
                    } else {
                        response = try await client.upload([1], named: "a", path: route.path)
                    }
                    expectResponse(response, 403, "POST \(route.path)")
                }
            }
            expectEqual(try server.read { try $0.version() }, version)
            expectEqual(try server.access.records().tokens.count, 0)
            // The session still exists.
            var last = session
            expectResponse(try await last.get("/admin"), 200)
        }
    }

    @Test func requestFromAnotherSiteIsRejected() async throws {
        let sites: [[String]] = [
            [], ["Sec-Fetch-Site: cross-site"], ["Sec-Fetch-Site: same-site"], ["Sec-Fetch-Site: none"],
            ["Origin: null"], ["Origin: https://evil.example"], ["Origin: http://127.0.0.1:1"],
        ]
        try await AdminServer.run(try emptyGuide()) { server in
            var client = try await server.loggedIn()
            for headers in sites {
                for route in AdminRoute.all where route.method == .post && route.body == .form {
                    let response = try await client.post(route.path, ["name": "empty"], headers: headers)
                    expectResponse(response, 403, "POST \(route.path) \(headers)")
                }
                expectResponse(try await client.get("/admin"), 200, "\(headers)")
            }
        }
    }

    /// A proxy may replace the header `Host`.
    @Test func originOfThePublicURLIsThatOfThisService() async throws {
        try await AdminServer.run(try emptyGuide(), change: { $0.site.publicURL = "https://tv.example" }) { server in
            var client = server.client
            for (origin, status) in [
                ("https://tv.example", 303), ("http://127.0.0.1:\(server.port)", 303), ("http://tv.example", 403),
                ("https://tv.example.evil.example", 403), ("null", 403),
            ] {
                let response = try await client.post(
                    "/login", ["password": AdminServer.password], headers: ["Origin: \(origin)"])
                expectResponse(response, status, origin)
            }
            // The name of a stranger may lead to this service (DNS rebinding).
            for (host, status) in [("evil.example", 403), ("nas:8080", 303), ("nas.lan", 303), ("[::1]:8080", 303)] {
                let response = try await client.post(
                    "/login", ["password": AdminServer.password], headers: ["Origin: http://\(host)", "Host: \(host)"])
                expectResponse(response, status, host)
            }
        }
    }

    @Test func formThatIsTooLargeGets413() async throws {
        try await AdminServer.run(try emptyGuide()) { server in
            var (stranger, client) = (server.client, try await server.loggedIn())
            let text = String(repeating: "x", count: Form.maximumSizeOfLogin)
            expectResponse(
                try await stranger.post("/login", ["password": text]), 413, contains: ["The form is too large."])
            let more = String(repeating: text, count: Form.maximumSize / text.utf8.count)
            expectResponse(
                try await client.post("/admin/settings", ["zone": more]), 413, contains: ["The form is too large."])
        }
    }

    @Test func requestOfThisServiceWithTheTokenIsAccepted() async throws {
        try await AdminServer.run(try emptyGuide()) { server in
            var client = try await server.loggedIn()
            // The token in the form, and the origin of the service.
            let form = try await client.post(
                "/admin/refresh", [:], headers: ["Origin: http://127.0.0.1:\(server.port)"])
            expectResponse(form, 303)
            #expect(server.requests.shown.isRequested)
        }
    }

    @Test func administrationIsOffWithoutAPassword() async throws {
        try await RunningServer.run(try emptyGuide()) { server in
            let response = try await RawClient.get("/admin", port: server.port)
            expectResponse(response, 403)
        }
        let guide = try emptyGuide()
        try await AdminServer.run(guide) { server in
            try server.access.change { $0.administrator = nil }
            let response = try await RawClient.get("/admin", port: server.port)
            expectResponse(response, 403, contains: ["epg admin password"])
        }
    }

    @Test func unreadableFileOfPasswordsAdmitsNobody() async throws {
        try await AdminServer.run(try emptyGuide(), requiresLogin: true) { server in
            try Data("something else\n".utf8).write(to: URL(filePath: server.access.path))
            // The file is checked once a second.
            try await expectEventually { try await RawClient.get("/admin", port: server.port).status == 500 }
            expectResponse(try await RawClient.get("/xmltv.xml", port: server.port), 500)
        }
    }

    // MARK: - Sessions

    @Test func cookieIsForThisServiceAndNotForScripts() async throws {
        try await AdminServer.run(try emptyGuide()) { server in
            var client = server.client
            let response = try await client.post("/login", ["password": AdminServer.password])
            let attributes: Set = ["Path=/", "Max-Age=86400", "HttpOnly", "SameSite=Strict"]
            /// The parts of the cookie, without the identifier of the session.
            func parts(_ response: RawResponse) -> Set<String> {
                let text = (response["set-cookie"] ?? "").replacing(/=[0-9a-f]{64};/, with: "=ID;")
                return Set(text.split(separator: "; ").map(String.init))
            }
            expectEqual(parts(response), attributes.union(["epg-session=ID"]))
            expectResponse(response, headers: ["cache-control": "no-store"])
            let https = try await client.post(
                "/login", ["password": AdminServer.password],
                headers: ["Sec-Fetch-Site: same-origin", "X-Forwarded-Proto: https"])
            expectEqual(parts(https), attributes.union(["__Host-epg=ID", "Secure"]))
        }
    }

    @Test func publicHTTPSURLMakesTheCookieSecure() async throws {
        try await AdminServer.run(try emptyGuide(), change: { $0.site.publicURL = "https://tv.example" }) { server in
            var client = server.client
            let response = try await client.post(
                "/login", ["password": AdminServer.password],
                headers: ["Sec-Fetch-Site: same-origin", "Host: tv.example"])
            expectPrefix(response["set-cookie"], "__Host-epg=")
            // A browser on the same machine may use another address without TLS.
            let local = try await client.post("/login", ["password": AdminServer.password])
            expectPrefix(local["set-cookie"], "epg-session=")
        }
    }

    @Test func loginNeverAdoptsAnIdentifierFromTheClient() async throws {
        try await AdminServer.run(try emptyGuide()) { server in
            let planted = String(repeating: "ab", count: 32)
            var client = AdminClient(port: server.port, cookie: "epg-session=\(planted)")
            let response = try await client.post("/login", ["password": AdminServer.password])
            expectResponse(response, 303)
            expectEqual(client.cookie?.hasSuffix(planted), false)
            var attacker = AdminClient(port: server.port, cookie: "epg-session=\(planted)")
            expectResponse(try await attacker.get("/admin"), 303)
            // A new log-in ends the former session.
            var former = client
            expectResponse(try await client.post("/login", ["password": AdminServer.password]), 303)
            #expect(client.cookie != former.cookie)
            expectResponse(try await client.get("/admin"), 200)
            expectResponse(try await former.get("/admin"), 303)
        }
    }

    @Test func logOutEndsTheSessionAndDeletesCachedPages() async throws {
        try await AdminServer.run(try emptyGuide()) { server in
            var client = try await server.loggedIn()
            var copy = client
            let response = try await client.post("/logout", [:])
            expectResponse(response, 303, headers: ["clear-site-data": "\"cache\""])
            expectText(response["set-cookie"] ?? "", contains: ["Max-Age=0"])
            expectResponse(try await copy.get("/admin"), 303)
        }
    }

    @Test func newPasswordEndsAllOtherSessions() async throws {
        try await AdminServer.run(try emptyGuide()) { server in
            var (client, other) = (try await server.loggedIn(), try await server.loggedIn())
            var reader = try await server.loggedIn(AdminServer.readerPassword)
            for (current, repeated) in [
                ("something else", "a new password"), (AdminServer.password, "another password"),
            ] {
                let response = try await client.post(
                    "/admin/access/password",
                    [
                        "role": "administrator", "current": current, "password": "a new password",
                        "repeated": repeated,
                    ])
                expectResponse(response, 422, "\(current) \(repeated)")
            }
            expectResponse(try await other.get("/admin"), 200)
            let right = try await client.post(
                "/admin/access/password",
                [
                    "role": "administrator", "current": AdminServer.password, "password": "a new password",
                    "repeated": "a new password",
                ])
            expectResponse(right, 303)
            expectResponse(try await client.get("/admin"), 200)
            expectResponse(try await other.get("/admin"), 303)
            expectEqual(try await server.client.statusOfLogin(AdminServer.password), 403)
            expectEqual(try await server.client.statusOfLogin("a new password"), 303)
            // Readers have their own password.
            expectResponse(try await reader.get("/login?next=/"), 303)
        }
    }

    /// The records with one password for both roles, and the password.
    private func records() throws -> (AccessRecords, PasswordHash) {
        let hash = try PasswordHash(of: "correct horse")
        var records = AccessRecords()
        (records.administrator, records.reader) = (hash, hash)
        return (records, hash)
    }

    @Test func sessionEndsWhenUnusedAndAtTheEndOfItsLife() throws {
        let table = SessionTable()
        let (records, password) = try records()
        let start = ContinuousClock.now
        func exists(_ id: String, _ seconds: Int, _ records: AccessRecords) -> Bool {
            table.session(id, records, at: start + .seconds(seconds)) != nil
        }
        let (id, _) = table.begin(.administrator, password, at: start)
        expectEqual([7199, 7199 + 7200].map { exists(id, $0, records) }, [true, false])
        expectEqual(table.count, 0)
        let (second, _) = table.begin(.administrator, password, at: start)
        // Used every hour, for a day.
        expectEqual(
            (1...24).filter { exists(second, $0 * 3600, records) }, Array(1...23))
        // Without the password, no session of it is valid.
        let (third, _) = table.begin(.administrator, password, at: start)
        expectEqual(exists(third, 0, AccessRecords()), false)
    }

    @Test(arguments: AccessRole.allCases)
    func numberOfSessionsIsLimitedForEachRole(role: AccessRole) throws {
        let table = SessionTable()
        let (records, password) = try records()
        let start = ContinuousClock.now
        let other: AccessRole = role == .reader ? .administrator : .reader
        let (kept, _) = table.begin(other, password, at: start)
        let (first, _) = table.begin(role, password, at: start)
        for number in 1...role.sessionCapacity {
            _ = table.begin(role, password, at: start + .seconds(number))
        }
        expectEqual(table.count, role.sessionCapacity + 1)
        // Many readers do not end the session of an administrator.
        expectEqual([first, kept].map { table.session($0, records, at: start) != nil }, [false, true])
    }

    @Test func checkOfASessionIsNoUse() throws {
        let table = SessionTable()
        let (records, password) = try records()
        let start = ContinuousClock.now
        let (id, _) = table.begin(.administrator, password, at: start)
        expectEqual(
            [
                table.isValid(id, records, at: start + .seconds(7199)),
                table.isValid(id, records, at: start + .seconds(7200)),
                table.isValid(id, AccessRecords(), at: start), table.isValid("x", records, at: start),
            ], [true, false, false, false])
    }

    // MARK: - Guessing

    @Test func fiveWrongPasswordsLockTheAddressOut() async throws {
        try await AdminServer.run(try emptyGuide()) { server in
            var session = try await server.loggedIn()
            for _ in 1...5 { expectEqual(try await server.client.statusOfLogin("wrong password"), 403) }
            var client = server.client
            let response = try await client.post("/login", ["password": AdminServer.password])
            expectResponse(response, 429)
            #expect((1...60).contains(response["retry-after"].flatMap { Int($0) } ?? 0))
            expectResponse(response, contains: ["Too many wrong passwords", "type=\"password\""])
            // Sessions go on.
            expectResponse(try await session.get("/admin"), 200)
        }
    }

    @Test func concurrentAttemptsGetNoMoreGuesses() throws {
        let limiter = LoginLimiter()
        let client = ClientAddress(parsing: "192.0.2.1")
        var refused = 0
        for _ in 1...20 {
            do throws(Problem) { _ = try limiter.begin(from: client) } catch { refused += 1 }
        }
        expectEqual(refused, 15)
        // An attempt that was not checked makes room for another attempt.
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
            for _ in 1...4 { expectEqual(try await server.client.statusOfLogin("wrong password"), 403) }
            for _ in 1...3 { expectEqual(try await server.client.statusOfLogin(AdminServer.readerPassword), 303) }
            expectEqual(try await server.client.statusOfLogin("wrong password"), 403)
            expectEqual(try await server.client.statusOfLogin(AdminServer.readerPassword), 429)
            expectEqual(try await server.client.statusOfLogin(AdminServer.password), 429)
        }
    }

    /// Strangers with many addresses must not keep the administrator out.
    @Test func guessesOfManyAddressesDelayLoginsAndRefuseNone() throws {
        let limiter = LoginLimiter()
        var now = ContinuousClock.now
        func delay(_ number: Int) throws -> Duration {
            let client = ClientAddress(parsing: "192.\(number / 62_500).\(number / 250 % 250).\(number % 250)")
            let delay = try limiter.begin(from: client, at: now).delay
            limiter.end(.wrong, from: client, at: now)
            return delay
        }
        for number in 0..<LoginLimiter.freeFailures { expectEqual(try delay(number), .zero) }
        // Each further one doubles the delay, up to ten seconds.
        for (number, seconds) in [1, 2, 4, 8, 10, 10].enumerated() {
            expectEqual(try delay(100 + number), .seconds(seconds))
        }
        // More addresses than the limiter remembers.
        let count = TestScope.current >= .integration ? 9000 : GuessTable.capacity + 100
        for number in 1000..<1000 + count { expectEqual(try delay(number), .seconds(10)) }
        // The administrator waits, and is admitted.
        let own = ClientAddress(parsing: "198.51.100.7")
        expectEqual(try limiter.begin(from: own, at: now).delay, .seconds(10))
        limiter.end(.right(forgetsGuesses: true), from: own, at: now)
        // From now on, the address is known, and does not wait.
        let known = try limiter.begin(from: own, at: now)
        expectEqual(known.delay, .zero)
        expectEqual(known.isKnown, true)
        limiter.end(.unchecked, from: own, at: now)
        // The failures are forgotten after 15 minutes.
        now += .seconds(901)
        expectEqual(try delay(0), .zero)
    }

    /// A log-in through a proxy.
    struct ForwardedLogin: Sendable {
        let address: String
        var isRight = true
        let status: Int
    }

    @Test(
        arguments: [
            // What a client adds itself precedes its address.
            (
                "127.0.0.1",
                Array(repeating: ForwardedLogin(address: "192.0.2.1", isRight: false, status: 403), count: 5) + [
                    ForwardedLogin(address: "192.0.2.1", status: 429),
                    ForwardedLogin(address: "203.0.113.9, 192.0.2.1", status: 429),
                    ForwardedLogin(address: "192.0.2.2", status: 303),
                ]
            ),
            // The client is no trusted proxy, and cannot name another address.
            (
                "192.0.2.99",
                (1...5).map { ForwardedLogin(address: "192.0.2.\($0)", isRight: false, status: 403) } + [
                    ForwardedLogin(address: "192.0.2.77", status: 429)
                ]
            ),
        ] as [(String, [ForwardedLogin])])
    func onlyATrustedProxyNamesTheGuessingClient(proxy: String, logins: [ForwardedLogin]) async throws {
        try await AdminServer.run(try emptyGuide(), change: { $0.trustedProxies = [proxy] }) { server async throws in
            for login in logins {
                let password = login.isRight ? AdminServer.password : "wrong password"
                let status = try await server.statusOfLogin(password, forwardedFor: login.address)
                expectEqual(status, login.status, "\(login)")
            }
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
                expectResponse(response, 422, contains: ["must have different passwords"], role)
            }
            expectEqual(try await server.client.statusOfLogin(AdminServer.password), 303)
        }
    }

    // MARK: - Tokens for administration

    private static let token = "a token of administrators"

    @Test func tokenAdministersWithoutSessionAndForm() async throws {
        try await AdminServer.run(try emptyGuide(), tokens: [Self.token: [.administration]]) { server in
            try server.access.change { $0.administrator = nil }
            let header = "Authorization: Bearer \(Self.token)"
            let page = try await RawClient.get("/admin", port: server.port, headers: [header])
            expectResponse(page, 200, headers: ["cache-control": "no-store"])
            let started = try await RawClient.request(
                "POST", "/admin/refresh", port: server.port, headers: [header], body: [])
            expectResponse(started, 303)
            #expect(server.requests.shown.isRequested)
            let client = AdminClient(port: server.port)
            expectResponse(try await client.upload([0x61], named: "a"), 401)
            for value in ["Bearer another token of ours", "Bearer ", "Basic \(Self.token)"] {
                let response = try await RawClient.request(
                    "POST", "/admin/refresh", port: server.port, headers: ["Authorization: \(value)"], body: [])
                expectResponse(response, 401, value)
            }
            // It is for administration only.
            expectResponse(try await RawClient.get("/login", port: server.port, headers: [header]), 200)
        }
    }

    @Test func wrongTokensLockTheAddressOut() async throws {
        try await AdminServer.run(try emptyGuide(), tokens: [Self.token: [.administration]]) { server async throws in
            func status(_ token: String) async throws -> Int {
                try await RawClient.get(
                    "/admin", port: server.port, headers: ["Authorization: Bearer \(token)"]
                ).status
            }
            for _ in 1...5 { expectEqual(try await status("a wrong token"), 401) }
            expectEqual(try await status(Self.token), 429)
        }
    }

    /// The credentials of a proxy in front, which browsers send with each request.
    @Test func basicHeaderIsNoWrongToken() async throws {
        try await AdminServer.run(try emptyGuide(), tokens: [Self.token: [.administration]]) { server in
            var client = try await server.loggedIn()
            let basic = "Authorization: Basic dXNlcjpwYXNzd29yZA=="
            for _ in 1...6 {
                expectResponse(try await client.get("/admin", headers: [basic, "Accept: text/html"]), 200)
                expectResponse(try await RawClient.get("/admin", port: server.port, headers: [basic]), 303)
            }
            let started = try await client.post("/admin/refresh", [:], headers: [basic, "Sec-Fetch-Site: same-origin"])
            expectResponse(started, 303)
            let response = try await RawClient.get(
                "/admin", port: server.port, headers: ["Authorization: Bearer \(Self.token)"])
            expectResponse(response, 200)
        }
    }

    @Test func requiredLoginDoesNotAcceptTheTokenOfAdministrators() async throws {
        try await AdminServer.run(try emptyGuide(), tokens: [Self.token: [.administration]], requiresLogin: true) {
            server in
            let response = try await RawClient.get(
                "/api/v1/stations", port: server.port, headers: ["Authorization: Bearer \(Self.token)"])
            expectResponse(response, 401)
        }
    }

    // MARK: - First password

    @Test func linkSetsThePasswordOnce() async throws {
        let token = RandomSecret.make()
        try await AdminServer.run(try emptyGuide(), startToken: token) { server in
            var client = server.client
            expectResponse(try await client.get("/admin/start?token=\(token)0"), 403)
            expectResponse(try await client.get("/admin/start"), 403)
            // Opening the link, as previews do, does not use it up.
            for _ in 1...3 { expectResponse(try await client.get("/admin/start?token=\(token)"), 200) }
            let short = try await client.post(
                "/admin/start", ["token": token, "password": "short", "repeated": "short"])
            expectResponse(short, 422)
            let different = try await client.post(
                "/admin/start", ["token": token, "password": "a new password", "repeated": "another password"])
            expectResponse(different, 422)
            let right = try await client.post(
                "/admin/start", ["token": token, "password": "a new password", "repeated": "a new password"])
            expectResponse(right, 303, headers: ["location": "/admin"])
            expectResponse(try await client.get("/admin"), contains: ["Log out"])
            var other = server.client
            expectResponse(try await other.get("/admin/start?token=\(token)"), 403)
            let again = try await other.post(
                "/admin/start", ["token": token, "password": "a third password", "repeated": "a third password"])
            expectResponse(again, 403)
            // Not even if the password is removed.
            try server.access.change { $0.administrator = nil }
            expectResponse(try await other.get("/admin/start?token=\(token)"), 403)
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
            expectEqual(statuses.count { $0 == 303 }, 1, "\(statuses)")
        }
    }

    /// The service notices a change of the file within a second, and checks again before it stores a password.
    @Test func linkReplacesNoPasswordOfTheCommand() async throws {
        let token = RandomSecret.make()
        try await AdminServer.run(try emptyGuide(), startToken: token) { server in
            var client = server.client
            expectResponse(try await client.get("/admin/start?token=\(token)"), 200)
            try AccessStore(besideGuide: server.guide.path).setPassword("set by the command", of: .administrator)
            let response = try await client.post(
                "/admin/start", ["token": token, "password": "a new password", "repeated": "a new password"])
            expectResponse(response, 403)
            let records = try AccessStore(besideGuide: server.guide.path).records()
            expectEqual(try records.administrator?.matches("set by the command"), true)
        }
    }

    @Test func linkFromAnotherSiteIsRejected() async throws {
        let token = RandomSecret.make()
        try await AdminServer.run(try emptyGuide(), startToken: token) { server in
            var client = server.client
            let response = try await client.post(
                "/admin/start", ["token": token, "password": "a new password", "repeated": "a new password"],
                headers: ["Origin: https://evil.example"])
            expectResponse(response, 403)
            expectEqual(try server.access.records().administrator, nil)
        }
    }

    @Test func linkExpires() {
        let link = StartLink(token: "t")
        expectEqual(
            [
                link.admits("t"), link.admits("u"), link.admits(nil), link.admits("t", at: .now + .seconds(890)),
                link.admits("t", at: .now + .seconds(900)),
            ], [true, false, false, true, false])
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
                expectResponse(
                    response,
                    headers: [
                        "cache-control": "no-store", "x-frame-options": "DENY", "etag": nil,
                        "access-control-allow-origin": nil,
                    ], "\(path)")
                let policy = try #require(response["content-security-policy"])
                expectText(policy, contains: ["frame-ancestors 'none'"], lacks: ["unsafe"], "\(path)")
                expectEqual(response.headers.count { $0.name == "content-security-policy" }, 1, path)
                expectResponse(response, headers: ["referrer-policy": "same-origin"], path)
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
                expectEqual(response["location"], expected, next)
            }
        }
    }

    @Test func pageForNewcomersLeadsToAdministration() async throws {
        try await AdminServer.run(try emptyGuide(), startToken: "once") { server async throws in
            let link = "<a class=\"button primary\" href=\"/login?next=/admin\">Set up the guide</a>"
            for path in ["/setup", "/home"] {
                expectResponse(try await RawClient.get(path, port: server.port), contains: [link], path)
            }
            var client = server.client
            expectResponse(
                try await client.get("/login?next=/admin"), 200,
                contains: ["Set a password first", "<code>epg admin password</code>"], lacks: ["name=\"password\""])
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
            let page = try await client.post("/admin/access/token", ["name": "player", "read": "1"]).text
            token = String(page.firstMatch(of: /<code class="a-secret">([0-9a-f]{64})</)?.1 ?? "")
            expectEqual(token.utf8.count, 64)
            _ = try await RawClient.get("/xmltv.xml?days=1&token=\(token)", port: server.port)
            // The name may be encoded, the URL may be no feed, and browsers are sent to the log-in.
            // So are malformed URLs.
            for target in [
                "/xmltv.xml?%74oken=\(token)", "/home?a=1&token=\(token)", "/admin?to%6ben=\(token)",
                "/xmltv.xml;token=\(token)", "/xmltv.xml;a=1;TOKEN=\(token)?a=1", "/xmltv.xml%3Ftoken%3D\(token)",
                "/home?token+=\(token)", "/home?token%20=\(token)", "/home?token%00:\(token)", "/home?token+\(token)=",
                "/home?%25252574oken=\(token)", "/home?%zz%74oken=\(token)", "/home?%FFtoken%FF=\(token)",
                "/home?x;token=\(token)", "/home#token=\(token)", "/home/token=\(token)/\(token)",
            ] {
                let response = try await RawClient.get(target, port: server.port, headers: ["Accept: text/html"])
                expectText(response["location"] ?? "", lacks: [token], target)
                expectResponse(response, lacks: [token], target)
            }
            let next = "/xmltv.xml?token=\(token)".percentEncoded
            _ = try await RawClient.get("/login?next=\(next)", port: server.port)
            _ = try await RawClient.get("/login?next=\(next.percentEncoded)", port: server.port)
            var other = server.client
            let returned = try await other.post(
                "/login", ["password": AdminServer.password, "next": "/xmltv.xml;token=\(token)"])
            expectResponse(returned, 303, headers: ["location": "/xmltv.xml"])
            let location = try await client.post("/admin/add/url", ["url": secret])["location"] ?? ""
            var pages = [try await client.preview(at: location)]
            for path in ["/admin", "/admin/access", "/admin/settings"] { pages.append(try await client.get(path).text) }
            let id = client.cookie?.split(separator: "=").last.map(String.init) ?? "?"
            let lines = log.all.joined()
            expectText(
                lines,
                contains: ["administration", "/xmltv.xml?days=1&token=…", "/home?a=1&token=…", "/xmltv.xml;token=…\""])
            for text in [
                AdminServer.password, "a wrong passphrase", token, id, client.formToken, "hunter2", "sesame", "$y$",
            ] {
                expectText(lines, lacks: [text], "a log line contains \(text)")
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
        expectEqual(lines.count, 4)
        #expect(lines.allSatisfy { $0.contains("client=127.0.0.1") })
        expectText(lines[0], contains: ["action=/login", "status=403"])
        expectText(lines[2], contains: ["action=/admin/source/remove", "subject=empty"])
        expectText(lines[3], contains: ["status=403", "out of date"])
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
