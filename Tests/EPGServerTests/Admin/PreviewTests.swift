import EPGImport
import EPGModel
import EPGStore
import Foundation
import HTTPTypes
import Hummingbird
import Logging
import NIOCore
import NIOPosix
import ServiceLifecycle
import TestSupport
import Testing

@testable import EPGServer
@testable import epgd

/// Adding guides and playlists in the browser.
@Suite("Previews of guides and playlists", .serialized)
struct PreviewTests {
    private func emptyGuide() throws -> ServedGuide { try ServedGuide(bytes: ServedGuide.document(""), as: "empty") }

    private func gzipped(_ bytes: [UInt8]) throws -> [UInt8] {
        let folder = FileManager.default.temporaryDirectory.appending(path: "bomb-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { _ = Result { try FileManager.default.removeItem(at: folder) } }
        try Data(bytes).write(to: folder.appending(path: "a"))
        let process = Process()
        process.executableURL = URL(filePath: "/usr/bin/env")
        process.arguments = ["gzip", "-9", folder.appending(path: "a").path]
        try process.run()
        process.waitUntilExit()
        return Array(try Data(contentsOf: folder.appending(path: "a.gz")))
    }

    @Test func uploadedGuideIsShownBeforeItIsAdded() async throws {
        let guide = try emptyGuide()
        try await AdminServer.run(guide) { server in
            var client = try await server.loggedIn()
            let response = try await client.upload(try ServedGuide.sample("evening.xml"), named: "evening.xml")
            let location = try #require(response["location"])
            let page = try await client.preview(at: location)
            #expect(page.contains("a guide") && page.contains("417 programmes"))
            #expect(page.contains("value=\"evening\""))
            // The sample has overlapping airings; rules of the import are named.
            #expect(page.contains("overlapping airings (overlap)"))
            #expect(try server.read { try $0.sources() }.map(\.source.name) == ["empty"])
            let id = String(location.split(separator: "=").last ?? "")
            let accepted = try await client.accept(previewAt: location, ["id": id, "name": "tonight"])
            #expect(accepted.status == 303 && accepted["location"] == "/admin/source?name=tonight")
            #expect(try server.read { try $0.sources() }.first { $0.source.name == "tonight" }?.airings ?? 0 > 300)
            #expect(try await client.get("/admin/source?name=tonight").text.contains("Added “tonight”."))
            #expect(try await client.get("/admin").text.contains("tonight"))
            // It cannot be added twice.
            #expect(try await client.post("/admin/preview/accept", ["id": id, "name": "tonight"]).status == 409)
            #expect(try await !client.get("/admin/add").text.contains("Not added yet"))
        }
    }

    @Test func uploadedPlaylistBecomesALineup() async throws {
        try await AdminServer.run(try ServedGuide()) { server in
            var client = try await server.loggedIn()
            let response = try await client.upload(try ServedGuide.sample("evening.m3u"), named: "my channels.m3u")
            let location = try #require(response["location"])
            #expect(try await client.preview(at: location).contains("a playlist"))
            let id = String(location.split(separator: "=").last ?? "")
            _ = try await client.post("/admin/preview/accept", ["id": id, "name": "my channels"])
            #expect(try server.read { try $0.lineups() } == ["my channels"])
        }
    }

    @Test func discardedPreviewAddsNothing() async throws {
        try await AdminServer.run(try emptyGuide()) { server in
            var client = try await server.loggedIn()
            let response = try await client.upload(try ServedGuide.sample("evening.xml"), named: "evening.xml")
            let location = try #require(response["location"])
            _ = try await client.preview(at: location)
            let id = String(location.split(separator: "=").last ?? "")
            #expect(try await client.post("/admin/preview/discard", ["id": id]).status == 303)
            #expect(try await client.post("/admin/preview/accept", ["id": id, "name": "a"]).status == 404)
            #expect(try server.read { try $0.sources() }.map(\.source.name) == ["empty"])
        }
    }

    /// Files that are no guide, and a text of the message.
    @Test(arguments: [
        ("picture.png", [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A, 0, 0, 0, 0] as [UInt8], "unknown format"),
        ("page.html", Array("<!DOCTYPE html><html><script>alert(1)</script></html>".utf8), "HTML page"),
        ("cut.xml", Array("<tv><channel id=\"a\"><display-name>A".utf8), "end"),
        ("words.txt", Array("just some words".utf8), "unknown format"),
        ("<img src=x onerror=alert(1)>.xml", Array("<a/>".utf8), "tv"),
    ])
    func fileThatIsNoGuideIsExplained(name: String, bytes: [UInt8], reason: String) async throws {
        try await AdminServer.run(try emptyGuide()) { server in
            var client = try await server.loggedIn()
            let location = try #require(try await client.upload(bytes, named: name)["location"])
            let page = try await client.preview(at: location)
            #expect(page.contains(reason), "\(page)")
            #expect(!page.contains("<script>alert") && !page.contains("<img src=x"))
            let id = String(location.split(separator: "=").last ?? "")
            #expect(try await client.post("/admin/preview/accept", ["id": id, "name": "a"]).status == 409)
        }
    }

    @Test func decompressionBombIsRejected() async throws {
        // 200 MB of blanks in 200 kB.
        let bomb = try gzipped(Array("<tv>".utf8) + [UInt8](repeating: 0x20, count: 200_000_000))
        #expect(bomb.count < 1_000_000)
        try await AdminServer.run(try emptyGuide()) { server in
            var client = try await server.loggedIn()
            let location = try #require(try await client.upload(bomb, named: "guide.xml.gz")["location"])
            let page = try await client.preview(at: location)
            #expect(page.contains("a-error"))
            #expect(!page.contains("Add it"))
        }
    }

    @Test func fileAboveTheLimitIsRejected() async throws {
        try await AdminServer.run(try emptyGuide(), change: { $0.importing.maximumSize = 100_000 }) { server in
            let client = try await server.loggedIn()
            let response = try await client.upload([UInt8](repeating: 0x20, count: 300_000), named: "a.xml")
            #expect(response.status == 413)
        }
    }

    @Test func tokenMustPrecedeTheFile() async throws {
        try await AdminServer.run(try emptyGuide()) { server in
            let client = try await server.loggedIn()
            let response = try await client.upload([1, 2, 3], named: "a.xml", tokenFirst: false)
            #expect(response.status == 403)
        }
    }

    @Test func numberOfPreviewsIsLimited() async throws {
        try await AdminServer.run(try emptyGuide()) { server in
            let client = try await server.loggedIn()
            let guide = try ServedGuide.sample("evening.xml")
            for _ in 1...4 { #expect(try await client.upload(guide, named: "a").status == 303) }
            let refused = try await client.upload(guide, named: "a")
            #expect(refused.status == 429)
            #expect(refused.text.contains("<a href=\"/admin/add\">Add a source</a></p>"))
        }
    }

    @Test func failedPreviewMakesRoom() async throws {
        try await AdminServer.run(try emptyGuide()) { server in
            let client = try await server.loggedIn()
            for _ in 1...8 {
                #expect(try await eventually { try await client.upload([0x61], named: "a").status == 303 })
            }
        }
    }

    @Test func failedDownloadIsTriedAgain() async throws {
        try await AdminServer.run(try emptyGuide()) { server in
            var client = try await server.loggedIn()
            // No host has a name with this top-level domain (RFC 6761).
            let first = try #require(
                try await client.post("/admin/add/url", ["url": "http://guide.invalid/a.xml?key=secret"])["location"])
            let page = try await client.preview(at: first)
            #expect(page.contains("Try again") && page.contains("a-error"))
            #expect(!page.contains("secret"))
            let id = String(first.split(separator: "=").last ?? "")
            let second = try #require(try await client.post("/admin/preview/retry", ["id": id])["location"])
            #expect(second != first)
            #expect(try await client.preview(at: second).contains("Try again"))
            #expect(try await client.post("/admin/preview/retry", ["id": id]).status == 404)
        }
    }

    @Test func failedUploadCannotBeTriedAgain() async throws {
        try await AdminServer.run(try emptyGuide()) { server in
            var client = try await server.loggedIn()
            let location = try #require(try await client.upload([0x61], named: "a")["location"])
            #expect(try await !client.preview(at: location).contains("Try again"))
            let id = String(location.split(separator: "=").last ?? "")
            #expect(try await client.post("/admin/preview/retry", ["id": id]).status == 409)
        }
    }

    @Test func refusedUploadStaysInTheAdministration() async throws {
        try await AdminServer.run(try emptyGuide()) { server in
            let client = try await server.loggedIn()
            let refused = try await client.upload([], named: "empty.xml")
            #expect(refused.status == 422)
            #expect(refused.text.contains("<a href=\"/admin/add\">Add a source</a></p>"))
        }
    }

    @Test func abandonedPreviewsAreListedAndDiscarded() async throws {
        try await AdminServer.run(try emptyGuide()) { server in
            var client = try await server.loggedIn()
            for name in ["a", "b", "c", "d"] { #expect(try await client.upload([0x61], named: name).status == 303) }
            let page = try await client.get("/admin/add").text
            #expect(page.contains("Not added yet"))
            let ids = page.matches(of: /name="id" value="([0-9a-f]+)"/).map { String($0.1) }
            #expect(ids.count == 4 && page.contains("aria-label=\"Discard c\""))
            #expect(try await client.post("/admin/preview/discard", ["id": ids[2]]).status == 303)
            #expect(try await !client.get("/admin/add").text.contains("aria-label=\"Discard c\""))
            #expect(try await client.upload([0x61], named: "e").status == 303)
        }
    }

    @Test func abandonedPreviewsExpireWithoutRequests() async throws {
        try await AdminServer.run(try emptyGuide()) { server in
            // Long enough for four previews, however slow the machine is.
            let previews = PreviewTable(
                settings: ImportSettings(), lifetime: .seconds(2))
            for threads in previews.threads { threads.start() }
            weak var abandoned: PreviewTable.Entry?
            abandoned = try previews.begin(.url("http://127.0.0.1:1/"), server.operations)
            for _ in 1...3 { _ = try previews.begin(.url("http://127.0.0.1:1/"), server.operations) }
            #expect(try await eventually { abandoned == nil })
            let next = try previews.begin(.url("http://127.0.0.1:1/"), server.operations)
            #expect(previews.waiting.count == 1)
            previews.discard(next)
            for threads in previews.threads { try await threads.shutdownGracefully() }
        }
    }

    @Test func screensAnswerWhileAnImportAndAChangeWaitForAnotherProcess() async throws {
        let guide = try emptyGuide()
        try guide.addSources()
        try await AdminServer.run(guide) { server in
            var client = try await server.loggedIn()
            let location = try #require(
                try await client.upload(try ServedGuide.sample("evening.xml"), named: "evening.xml")["location"])
            _ = try await client.preview(at: location)
            let id = String(location.split(separator: "=").last ?? "")
            // Another process writes.
            let writer = try GuideStore(writingTo: guide.path, waiting: .always)
            let accepted = try await client.post("/admin/preview/accept", ["id": id, "name": "tonight"])
            #expect(accepted["location"] == location)
            let page = try await client.get(location)
            #expect(page["refresh"] == nil)
            #expect(page.text.contains("<noscript><meta http-equiv=\"refresh\" content=\"2\"></noscript>"))
            #expect(page.text.contains("Adding:") && page.text.contains("data-poll"))
            #expect(try await client.post("/admin/preview/discard", ["id": id]).status == 409)
            let other = try await server.loggedIn()
            let change = Task {
                var other = other
                return try await other.post("/admin/source/remove", ["name": "new"]).status
            }
            for path in ["/admin", "/admin/source?name=east", "/admin/matching", "/admin/lineups", "/admin/changes"] {
                #expect(try await client.get(path).status == 200, "\(path)")
            }
            #expect(try await client.get(location).text.contains("Adding:"))
            try writer.close()
            #expect(try await change.value == 303)
            _ = try await client.preview(at: location)
            #expect(try server.read { try $0.sources() }.first { $0.source.name == "tonight" }?.airings ?? 0 > 300)
        }
    }

    @Test func failedImportIsExplainedAndKeepsThePreview() async throws {
        var limits = ImportLimits()
        limits.programmes = 100
        try await AdminServer.run(try emptyGuide(), limits: limits) { server in
            var client = try await server.loggedIn()
            let location = try #require(
                try await client.upload(try ServedGuide.sample("evening.xml"), named: "evening.xml")["location"])
            _ = try await client.preview(at: location)
            let id = String(location.split(separator: "=").last ?? "")
            let invalid = try await client.post("/admin/preview/accept", ["id": id, "name": "tonight", "zone": "Mars"])
            #expect(invalid.status == 422 && invalid.text.contains("value=\"tonight\""))
            let failed = try await client.accept(previewAt: location, ["id": id, "name": "tonight"])
            #expect(failed.status == 200 && failed.text.contains("Add it"))
            #expect(failed.text.contains("more than 100 programmes"), "\(failed.text)")
            #expect(try server.read { try $0.sources() }.map(\.source.name) == ["empty"])
        }
    }

    @Test func guideOfAURLIsFetchedAndBecomesASource() async throws {
        let origin = try ServedGuide()
        try await RunningServer.run(origin) { remote in
            try await AdminServer.run(try emptyGuide(), settings: "source-hosts: [127.0.0.1]\n") { server in
                var client = try await server.loggedIn()
                let url = "http://127.0.0.1:\(remote.port)/xmltv.xml?days=1&zone=UTC"
                let location = try #require(try await client.post("/admin/add/url", ["url": url])["location"])
                let page = try await client.preview(at: location)
                #expect(page.contains("Add it"), "\(page)")
                // Queries often contain keys.
                #expect(!page.contains("days=1"))
                let id = String(location.split(separator: "=").last ?? "")
                let accepted = try await client.post(
                    "/admin/preview/accept", ["id": id, "name": "remote", "interval": "6h", "zone": "Europe/Paris"])
                #expect(accepted["location"] == "/admin/refresh")
                let source = try server.read { try $0.sourceRecords() }.first { $0.source.name == "remote" }?.source
                #expect(source?.location == url && source?.interval == 21_600 && source?.timeZone == "Europe/Paris")
                #expect(server.requests.shown.isRequested)
            }
        }
    }

    @Test(arguments: ["file:///etc/passwd", "/etc/passwd", "ftp://a.example/", "javascript:alert(1)", "https://a b"])
    func onlyWebURLsAreFetched(url: String) async throws {
        try await AdminServer.run(try emptyGuide()) { server in
            var client = try await server.loggedIn()
            #expect(try await client.post("/admin/add/url", ["url": url]).status == 422)
        }
    }

    @Test func unreachableURLIsExplained() async throws {
        try await AdminServer.run(try emptyGuide(), settings: "source-hosts: [127.0.0.1]\n") { server in
            var client = try await server.loggedIn()
            let location = try #require(
                try await client.post("/admin/add/url", ["url": "http://127.0.0.1:1/guide.xml"])["location"])
            let page = try await client.preview(at: location)
            #expect(page.contains("127.0.0.1:1/guide.xml") && page.contains("connect"), "\(page)")
        }
    }

    // MARK: - Schedules Direct

    @Test func accountAtSchedulesDirectIsAddedToTheSettingsFile() async throws {
        let text =
            "# Ours.\nsource-hosts: [127.0.0.1]\nretention: 5 d\nsources:\n  # Cable\n  - name: cable\n"
            + "    url: https://a.example/\n\n# The end.\n"
        try await FakeAccount.run { url in
            try await AdminServer.run(try emptyGuide(), settings: text) { server in
                var client = try await server.loggedIn()
                let fields: KeyValuePairs = [
                    "username": "viewer@example.org", "account-password": FakeAccount.password, "server": url,
                ]
                let location = try #require(try await client.post("/admin/add/account", fields)["location"])
                let page = try await client.preview(at: location)
                #expect(page.contains("Harbour Cable") && page.contains("ZZZ-TEST-X · Cable · 99999"), "\(page)")
                #expect(page.contains("value=\"ZZZ-TEST-Y\" checked") && !page.contains(FakeAccount.password))
                let id = String(location.split(separator: "=").last ?? "")
                #expect(try await client.post("/admin/preview/accept", ["id": id, "name": "SD"]).status == 422)
                let taken = try await client.post(
                    "/admin/preview/accept", ["id": id, "name": "empty", "lineup": "ZZZ-TEST-X"])
                #expect(taken.status == 422 && taken.text.contains("already a source"))
                let accepted = try await client.post(
                    "/admin/preview/accept", ["id": id, "name": "My SD", "lineup": "ZZZ-TEST-X"])
                #expect(accepted["location"] == "/admin/refresh", "\(accepted.text)")
                #expect(
                    try String(contentsOfFile: server.settingsPath, encoding: .utf8) == """
                        # Ours.
                        source-hosts: [127.0.0.1]
                        retention: 5 d
                        sources:
                          # Cable
                          - name: cable
                            url: https://a.example/
                          - name: "My SD"
                            url: "\(url)"
                            schedules-direct:
                              username: "viewer@example.org"
                              password: {file: "secrets/my-sd.password"}
                              lineups: ["ZZZ-TEST-X"]

                        # The end.

                        """)
                let secret = server.guide.folder + "/secrets/my-sd.password"
                #expect(try String(contentsOfFile: secret, encoding: .utf8) == FakeAccount.password + "\n")
                let attributes = try FileManager.default.attributesOfItem(atPath: secret)
                #expect(attributes[.posixPermissions] as? Int == 0o600)
                #expect(server.requests.shown.isRequested)
                #expect(try server.operations.settings().sources == ["cable", "My SD"])
            }
        }
    }

    @Test func accountNeedsASettingsFileThatTheServiceCanChange() async throws {
        let guide = try emptyGuide()
        // A file instead of the folder of the settings; permissions do not stop a superuser.
        try Data().write(to: URL(filePath: guide.folder + "/.config"))
        try await AdminServer.run(guide) { server in
            var client = try await server.loggedIn()
            let page = try await client.get("/admin/add").text
            #expect(page.contains("the service has no permission to change") && !page.contains("account-password"))
        }
    }

    @Test func wrongPasswordOfAnAccountIsExplained() async throws {
        try await FakeAccount.run { url in
            try await AdminServer.run(try emptyGuide(), settings: "source-hosts: [127.0.0.1]\n") { server in
                var client = try await server.loggedIn()
                let fields: KeyValuePairs = [
                    "username": "viewer@example.org", "account-password": "not this", "server": url,
                ]
                let location = try #require(try await client.post("/admin/add/account", fields)["location"])
                let page = try await client.preview(at: location)
                #expect(page.contains("the user name or the password is wrong"), "\(page)")
                #expect(!page.contains("not this"))
                for (field, value) in [("username", ""), ("account-password", ""), ("server", "file:///a")] {
                    var fields = ["username": "a", "account-password": "b", "server": ""]
                    fields[field] = value
                    let response = try await client.post(
                        "/admin/add/account",
                        [
                            "username": fields["username"] ?? "", "account-password": fields["account-password"] ?? "",
                            "server": fields["server"] ?? "",
                        ])
                    #expect(response.status == 422, "\(field)")
                }
                let plain = try #require(
                    try await client.post(
                        "/admin/add/account",
                        ["username": "a", "account-password": "b", "server": "http://sd.example/"])["location"])
                #expect(try await client.preview(at: plain).contains("sent unencrypted"))
                let near = try #require(
                    try await client.post(
                        "/admin/add/account",
                        ["username": "a", "account-password": "b", "server": "https://192.168.1.1/"])["location"])
                #expect(try await client.preview(at: near).contains("add the host to “source-hosts”"))
            }
        }
    }
}

/// A server with the API of Schedules Direct, as far as the preview of an account uses it.
private enum FakeAccount {
    static let password = "harbour lights"
    /// `printf 'harbour lights' | sha1sum`
    private static let hash = "8e4343049b4ad81e1a0fe7bbedd7f9ccfeec30b2"

    static func run(_ body: @Sendable (_ url: String) async throws -> Void) async throws {
        let router = Router()
        router.post("/20141201/token") { request, _ -> Response in
            let text = String(buffer: try await request.body.collect(upTo: 10_000))
            let isRight = text.contains("\"viewer@example.org\"") && text.contains("\"\(hash)\"")
            return json(
                isRight
                    ? #"{"code":0,"message":"OK","token":"t1"}"#
                    : #"{"response":"INVALID_USER","code":4003,"message":"Invalid user."}"#, isRight ? .ok : .badRequest
            )
        }
        router.get("/20141201/status") { _, _ in json(#"{"systemStatus":[{"status":"Online"}],"lineups":[]}"#) }
        router.get("/20141201/lineups") { _, _ in
            json(
                #"{"code":0,"lineups":[{"lineup":"ZZZ-TEST-X","name":"Harbour Cable","transport":"Cable","location":"99999"},{"lineup":"ZZZ-TEST-Y"},{"lineup":"ZZZ-GONE","isDeleted":true}]}"#
            )
        }
        let (ports, continuation) = AsyncStream.makeStream(of: Int.self)
        let application = Application(
            router: router, configuration: ApplicationConfiguration(address: .hostname("127.0.0.1", port: 0)),
            onServerRunning: { continuation.yield($0.localAddress?.port ?? 0) },
            logger: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() })
        let group = ServiceGroup(
            configuration: ServiceGroupConfiguration(services: [application], logger: application.logger))
        try await withThrowingTaskGroup(of: Void.self) { tasks in
            tasks.addTask { try await group.run() }
            let port = await ports.first { _ in true } ?? 0
            do {
                try await body("http://127.0.0.1:\(port)/20141201")
            } catch {
                await group.triggerGracefulShutdown()
                throw error
            }
            await group.triggerGracefulShutdown()
            try await tasks.waitForAll()
        }
    }

    private static func json(_ text: String, _ status: HTTPResponse.Status = .ok) -> Response {
        Response(
            status: status, headers: [.contentType: "application/json"],
            body: ResponseBody(byteBuffer: ByteBuffer(string: text)))
    }
}
