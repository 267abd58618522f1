import EPGAccess
import EPGImport
import EPGModel
import EPGRefresh
import EPGSQL
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

@testable import EPGAdmin
@testable import epgd
@testable import EPGHTTP
@testable import EPGServer
@testable import ServiceTestSupport

/// Adding guides and playlists in the browser.
@Suite("Previews of guides and playlists", .serialized)
struct PreviewTests {
    private func emptyGuide() throws -> ServedGuide { try ServedGuide(bytes: ServedGuide.document(""), as: "empty") }

    @Test func uploadedGuideIsShownBeforeItIsAdded() async throws {
        let guide = try emptyGuide()
        try await AdminServer.run(guide) { server in
            var client = try await server.loggedIn()
            let (location, id) = try await client.upload(try ServedGuide.sample("evening.xml"), named: "evening.xml")
                .preview()
            let page = try await client.preview(at: location)
            expectText(page, contains: ["a guide", "417 programmes", "value=\"Swift EPG sample listings\""])
            // The sample has overlapping airings; rules of the import are named.
            expectText(page, contains: ["overlapping airings (overlap)"])
            expectEqual(try server.read { try $0.sources() }.map(\.source.name), ["empty"])
            let accepted = try await client.accept(previewAt: location, ["id": id, "name": "tonight"])
            expectResponse(accepted, 303, headers: ["location": "/admin/source?name=tonight"])
            #expect(try server.read { try $0.sources() }.first { $0.source.name == "tonight" }?.airings ?? 0 > 300)
            expectResponse(try await client.get("/admin/source?name=tonight"), contains: ["Added “tonight”."])
            expectResponse(try await client.get("/admin"), contains: ["tonight"])
            // It cannot be added twice.
            expectResponse(try await client.post("/admin/preview/accept", ["id": id, "name": "tonight"]), 409)
            expectResponse(try await client.get("/admin/add"), lacks: ["Not added yet"])
        }
    }

    @Test func uploadedPlaylistBecomesALineup() async throws {
        try await AdminServer.run(try ServedGuide()) { server in
            var client = try await server.loggedIn()
            let (location, id) = try await client.upload(
                try ServedGuide.sample("evening.m3u"), named: "my channels.m3u"
            ).preview()
            expectText(try await client.preview(at: location), contains: ["a playlist"])
            _ = try await client.post("/admin/preview/accept", ["id": id, "name": "my channels"])
            expectEqual(try server.read { try $0.lineups() }, ["my channels"])
        }
    }

    @Test func discardedPreviewAddsNothing() async throws {
        try await AdminServer.run(try emptyGuide()) { server in
            var client = try await server.loggedIn()
            let (location, id) = try await client.upload(try ServedGuide.sample("evening.xml"), named: "evening.xml")
                .preview()
            _ = try await client.preview(at: location)
            expectResponse(try await client.post("/admin/preview/discard", ["id": id]), 303)
            expectResponse(try await client.post("/admin/preview/accept", ["id": id, "name": "a"]), 404)
            expectEqual(try server.read { try $0.sources() }.map(\.source.name), ["empty"])
        }
    }

    /// Files that are no guide, and a text of the message.
    private static let otherFiles: [(name: String, bytes: [UInt8], reason: String)] = [
        ("picture.png", [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A, 0, 0, 0, 0], "unknown format"),
        ("page.html", Array("<!DOCTYPE html><html><script>alert(1)</script></html>".utf8), "HTML page"),
        ("cut.xml", Array("<tv><channel id=\"a\"><display-name>A".utf8), "end"),
        ("words.txt", Array("just some words".utf8), "unknown format"),
        ("<img src=x onerror=alert(1)>.xml", Array("<a/>".utf8), "tv"),
    ]

    @Test func fileThatIsNoGuideIsExplained() async throws {
        try await AdminServer.run(try emptyGuide()) { server in
            var client = try await server.loggedIn()
            for (name, bytes, reason) in Self.otherFiles {
                let (location, id) = try await client.upload(bytes, named: name).preview()
                let page = try await client.preview(at: location)
                expectText(page, contains: [reason], lacks: ["<script>alert", "<img src=x"], name)
                expectResponse(try await client.post("/admin/preview/accept", ["id": id, "name": "a"]), 409, name)
            }
        }
    }

    /// Uploads that are refused, and the status and a text of the response.
    @Test func refusedUploadIsExplained() async throws {
        let uploads: [(rule: String, bytes: [UInt8], tokenFirst: Bool, status: Int, text: String)] = [
            ("the file exceeds the limit", [UInt8](repeating: 0x20, count: 300_000), true, 413, ""),
            ("the file precedes the token", [1, 2, 3], false, 403, ""),
            ("the file is empty", [], true, 422, "class=\"a-flaw\">Choose a file that is not empty.</span>"),
        ]
        try await AdminServer.run(try emptyGuide(), change: { $0.importing.maximumSize = 100_000 }) { server in
            let client = try await server.loggedIn()
            for (rule, bytes, tokenFirst, status, text) in uploads {
                let response = try await client.upload(bytes, named: "a.xml", tokenFirst: tokenFirst)
                expectResponse(response, status, contains: text.isEmpty ? [] : [text], rule)
            }
        }
    }

    /// The page of a refused upload leads back to the administration.
    private static let linkToAdministration = "<a href=\"/admin/add\">Add a source</a></p>"

    @Test func numberOfPreviewsIsLimited() async throws {
        try await AdminServer.run(try emptyGuide()) { server in
            let client = try await server.loggedIn()
            let guide = try ServedGuide.sample("evening.xml")
            for _ in 1...4 { expectResponse(try await client.upload(guide, named: "a"), 303) }
            let refused = try await client.upload(guide, named: "a")
            expectResponse(refused, 429, contains: [Self.linkToAdministration])
        }
    }

    @Test func failedPreviewMakesRoom() async throws {
        try await AdminServer.run(try emptyGuide()) { server in
            let client = try await server.loggedIn()
            for _ in 1...8 {
                try await expectEventually { try await client.upload([0x61], named: "a").status == 303 }
            }
        }
    }

    @Test func failedDownloadIsTriedAgainButNoUpload() async throws {
        try await AdminServer.run(try emptyGuide()) { server in
            var client = try await server.loggedIn()
            // No host has a name with this top-level domain (RFC 6761).
            let (first, id) = try await client.post("/admin/add/url", ["url": "http://guide.invalid/a.xml?key=secret"])
                .preview()
            let page = try await client.preview(at: first)
            expectText(page, contains: ["Try again", "a-error"], lacks: ["secret"])
            let second = try await client.post("/admin/preview/retry", ["id": id]).preview().location
            #expect(second != first)
            expectText(try await client.preview(at: second), contains: ["Try again"])
            expectResponse(try await client.post("/admin/preview/retry", ["id": id]), 404)
            let (upload, other) = try await client.upload([0x61], named: "a").preview()
            expectText(try await client.preview(at: upload), lacks: ["Try again"])
            expectResponse(try await client.post("/admin/preview/retry", ["id": other]), 409)
        }
    }

    @Test func abandonedPreviewsAreListedAndDiscarded() async throws {
        try await AdminServer.run(try emptyGuide()) { server in
            var client = try await server.loggedIn()
            for name in ["a", "b", "c", "d"] { expectResponse(try await client.upload([0x61], named: name), 303) }
            let page = try await client.get("/admin/add").text
            expectText(page, contains: ["Not added yet"])
            let ids = page.matches(of: /type="hidden" name="id" value="([0-9a-f]+)"/).map { String($0.1) }
            expectText(page, contains: ["aria-label=\"Discard c\""])
            expectEqual(ids.count, 4)
            expectResponse(try await client.post("/admin/preview/discard", ["id": ids[2]]), 303)
            expectResponse(try await client.get("/admin/add"), lacks: ["aria-label=\"Discard c\""])
            expectResponse(try await client.upload([0x61], named: "e"), 303)
            // Several together.
            expectResponse(try await client.post("/admin/preview/discard", ["id": ids[0], "id": ids[1]]), 303)
            expectResponse(
                try await client.get("/admin/add?select=all"),
                contains: ["The previews are discarded", "aria-label=\"Discard d\"", "form=\"selection\" checked"],
                lacks: ["aria-label=\"Discard a\"", "aria-label=\"Discard b\""])
            _ = try await client.post("/admin/preview/discard", [:])
            expectResponse(try await client.get("/admin/add"), contains: ["Select at least one preview."])
        }
    }

    @Test func abandonedPreviewsExpireWithoutRequests() async throws {
        try await AdminServer.run(try emptyGuide()) { server in
            // Long enough for four previews, however slow the machine is.
            let executor = WorkExecutor()
            let previews = PreviewTable(
                settings: UploadSettings(), executor: executor, lifetime: .seconds(2), logger: Logger(label: "test"))
            let folder = SpoolFolder(path: server.guide.folder, capacity: 1 << 20)
            executor.start()
            weak var abandoned: PreviewTable.Entry?
            abandoned = try previews.begin(.url("http://127.0.0.1:1/"), server.operations)
            for _ in 1...2 { _ = try previews.begin(.url("http://127.0.0.1:1/"), server.operations) }
            var file: SpoolFile? = try folder.makeFile()
            try file?.append(try ServedGuide.sample("evening.xml"))
            _ = try previews.begin(.upload("evening.xml"), file: file, server.operations)
            file = nil
            #expect(try Self.spoolFileCount(server.guide) == 1)
            try await expectEventually { abandoned == nil }
            try await expectEventually { try Self.spoolFileCount(server.guide) == 0 }
            let next = try previews.begin(.url("http://127.0.0.1:1/"), server.operations)
            expectEqual(previews.waiting.count, 1)
            previews.discard(next)
            try await executor.shutDown()
        }
    }

    /// Each byte arrives a moment after the last one, so that no limit of stalled downloads applies.
    @Test func slowServerDelaysNeitherOtherPreviewsNorTheEnd() async throws {
        let slow = try LoopbackServer { _ in
            var reply = LoopbackServer.Reply.status("200 OK", body: "<tv>" + String(repeating: " ", count: 1_000_000))
            reply.pause = 1000
            return reply
        }
        let fast = try LoopbackServer(replies: [.status("200 OK", body: try ServedGuide.sample("evening.xml"))])
        defer {
            slow.stop()
            fast.stop()
        }
        let end = try await AdminServer.run(try emptyGuide(), settings: "private-hosts: [127.0.0.1]\n") { server in
            var client = try await server.loggedIn()
            for _ in 1..<PreviewTable.capacity { _ = try await client.post("/admin/add/url", ["url": slow.url()]) }
            try await expectEventually { slow.requests.count == 1 }
            let location = try await client.post("/admin/add/url", ["url": fast.url()]).preview().location
            expectText(try await client.preview(at: location), contains: ["Add it"])
            return ContinuousClock.now
        }
        // The program ends after ten seconds in any case.
        #expect(ContinuousClock.now - end < .seconds(8))
    }

    @Test func screensAnswerWhileAnImportAndAChangeWaitForAnotherProcess() async throws {
        let guide = try emptyGuide()
        try guide.addSources()
        try await AdminServer.run(guide) { server in
            var client = try await server.loggedIn()
            let (location, id) = try await client.upload(try ServedGuide.sample("evening.xml"), named: "evening.xml")
                .preview()
            _ = try await client.preview(at: location)
            // Another process writes.
            let writer = try GuideStore(writingTo: guide.path, waiting: .always)
            let accepted = try await client.post("/admin/preview/accept", ["id": id, "name": "tonight"])
            expectEqual(accepted["location"], location)
            let page = try await client.get(location)
            expectResponse(
                page, headers: ["refresh": nil],
                contains: ["<noscript><meta http-equiv=\"refresh\" content=\"2\"></noscript>", "Adding:", "data-poll"])
            expectResponse(try await client.post("/admin/preview/discard", ["id": id]), 409)
            let other = try await server.loggedIn()
            let change = Task {
                var other = other
                return try await other.post("/admin/source/remove", ["name": "new"]).status
            }
            for path in ["/admin", "/admin/source?name=east", "/admin/matching", "/admin/lineups", "/admin/changes"] {
                expectResponse(try await client.get(path), 200, "\(path)")
            }
            expectResponse(try await client.get(location), contains: ["Adding:"])
            try writer.close()
            expectEqual(try await change.value, 303)
            _ = try await client.preview(at: location)
            #expect(try server.read { try $0.sources() }.first { $0.source.name == "tonight" }?.airings ?? 0 > 300)
        }
    }

    @Test func failedImportIsExplainedAndKeepsThePreview() async throws {
        var limits = ImportLimits()
        limits.programmes = 100
        try await AdminServer.run(try emptyGuide(), limits: limits) { server in
            var client = try await server.loggedIn()
            let (location, id) = try await client.upload(try ServedGuide.sample("evening.xml"), named: "evening.xml")
                .preview()
            _ = try await client.preview(at: location)
            let invalid = try await client.post("/admin/preview/accept", ["id": id, "name": "tonight", "zone": "Mars"])
            expectResponse(invalid, 422, contains: ["value=\"tonight\""])
            let failed = try await client.accept(previewAt: location, ["id": id, "name": "tonight"])
            expectResponse(failed, 200, contains: ["Add it", "more than 100 programmes"])
            expectEqual(try server.read { try $0.sources() }.map(\.source.name), ["empty"])
        }
    }

    @Test func guideOfAURLIsFetchedAndBecomesASource() async throws {
        let origin = try ServedGuide()
        try await RunningServer.run(origin) { remote in
            try await AdminServer.run(try emptyGuide(), settings: "private-hosts: [127.0.0.1]\n") { server in
                var client = try await server.loggedIn()
                let url = "http://127.0.0.1:\(remote.port)/xmltv.xml?days=1&zone=UTC"
                let (location, id) = try await client.post("/admin/add/url", ["url": url]).preview()
                let page = try await client.preview(at: location)
                expectText(page, contains: ["Add it"])
                // Queries often contain keys.
                expectText(page, lacks: ["days=1"])
                let accepted = try await client.post(
                    "/admin/preview/accept", ["id": id, "name": "remote", "interval": "6h", "zone": "Europe/Paris"])
                expectResponse(accepted, headers: ["location": location])
                _ = try await client.preview(at: location)
                let source = try server.read { try $0.sourceRecords() }.first { $0.source.name == "remote" }?.source
                expectEqual(
                    source.map { "\($0.location ?? "-") \($0.interval ?? 0) \($0.timeZone ?? "-")" },
                    "\(url) 21600 Europe/Paris")
            }
        }
    }

    /// The next refresh asks the server whether the guide has changed since the preview, and writes no listings.
    @Test func acceptedPreviewIsNotDownloadedAgain() async throws {
        let guide = try ServedGuide.sample("evening.xml")
        let (tag, date) = ("\"v1\"", "Sat, 24 Oct 2026 12:00:00 GMT")
        let origin = try LoopbackServer { request in
            let headers = ["ETag: \(tag)", "Last-Modified: \(date)"]
            guard request.headers["if-none-match"] == tag else {
                return .status("200 OK", headers: headers, body: guide)
            }
            return .status("304 Not Modified", headers: headers)
        }
        defer { origin.stop() }
        try await AdminServer.run(try emptyGuide(), settings: "private-hosts: [127.0.0.1]\n") { server in
            var client = try await server.loggedIn()
            let (location, id) = try await client.post("/admin/add/url", ["url": origin.url()]).preview()
            _ = try await client.preview(at: location)
            #expect(try Self.spoolFileCount(server.guide) == 1)
            let accepted = try await client.accept(previewAt: location, ["id": id, "name": "remote"])
            expectResponse(accepted, 303, headers: ["location": "/admin/source?name=remote"])
            expectEqual(origin.requests.count, 1)
            try await expectEventually { try Self.spoolFileCount(server.guide) == 0 }
            let source = try #require(try server.read { try $0.sources() }.first { $0.source.name == "remote" })
            #expect(source.airings > 300)
            let generation = try server.read { try $0.generation() }
            let refresh = RefreshProcess(
                server.operations.current.values.configuration, guide: server.storage,
                logger: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() })
            let report = try refresh.refresh(
                .schedule, at: RunningServer.now.advanced(by: 3600), isCancelled: { false })
            expectEqual(report.sources.map(\.outcome.keyword), ["not-modified"])
            expectEqual(
                origin.requests.map { [$0.headers["if-none-match"], $0.headers["if-modified-since"]] },
                [[nil, nil], [tag, date]])
            expectEqual(try server.read { try $0.generation() }, generation)
        }
    }

    /// The account of the former source is not sent to another server.
    @Test func acceptedPreviewReplacesASource() async throws {
        let origin = try LoopbackServer(replies: [.status("200 OK", body: try ServedGuide.sample("evening.xml"))])
        defer { origin.stop() }
        let former = Source(
            name: "web", location: SchedulesDirectSettings.defaultURL, interval: 60, priority: 3,
            account: SourceAccount(username: "viewer@example.org"))
        let guide = try emptyGuide()
        try guide.write { try $0.save(former, now: ServedGuide.imported) }
        try await AdminServer.run(guide, settings: "private-hosts: [127.0.0.1]\n") { server in
            let account = try #require(AccountName(of: former))
            try server.access.change { $0.accounts[account] = "harbour lights" }
            var client = try await server.loggedIn()
            let (location, id) = try await client.post("/admin/add/url", ["url": origin.url()]).preview()
            _ = try await client.preview(at: location)
            let accepted = try await client.accept(previewAt: location, ["id": id, "name": "web", "interval": "6h"])
            expectResponse(accepted, 303)
            let source = try server.read { try $0.sourceRecords() }.first { $0.source.name == "web" }?.source
            expectEqual(source, Source(name: "web", location: origin.url(), interval: 21_600, priority: 3))
            expectEqual(try server.access.records().accounts, [:])
        }
    }

    /// The preview of an upload, which is discarded, added, or kept until the service ends.
    @Test func fileOfAPreviewVanishesWithIt() async throws {
        let guide = try emptyGuide()
        try await AdminServer.run(guide) { server in
            var client = try await server.loggedIn()
            for end in ["discarded", "added", "kept"] {
                let (location, id) = try await client.upload(
                    try ServedGuide.sample("evening.xml"), named: "evening.xml"
                ).preview()
                _ = try await client.preview(at: location)
                #expect(try Self.spoolFileCount(guide) == 1, "\(end)")
                switch end {
                case "discarded": _ = try await client.post("/admin/preview/discard", ["id": id])
                case "added": _ = try await client.accept(previewAt: location, ["id": id, "name": "tonight"])
                default: return
                }
                try await expectEventually(end) { try Self.spoolFileCount(guide) == 0 }
            }
        }
        try await expectEventually { try Self.spoolFileCount(guide) == 0 }
    }

    /// The clients send a part of a body, and then nothing.
    @Test func uploadsInProgressEndWithTheService() async throws {
        let guide = try emptyGuide()
        let token = "correct horse battery staple"
        let part = "--b\r\nContent-Disposition: form-data; name=\"file\"; filename=\"a.xml\"\r\n\r\n<tv>"
        let requests = [
            "/api/v1/import HTTP/1.1\r\nAuthorization: Bearer i\(token)\r\n\r\n<tv>",
            "/admin/add/file HTTP/1.1\r\nAuthorization: Bearer \(token)\r\nContent-Type: multipart/form-data; boundary=b\r\n\r\n\(part)",
            "/login HTTP/1.1\r\nSec-Fetch-Site: same-origin\r\nContent-Type: application/x-www-form-urlencoded\r\n\r\npassword=",
        ]
        let clients = try await AdminServer.run(
            guide, tokens: [token: [.administration], "i\(token)": [.imports]]
        ) { server in
            let clients = try await RawClient.onThread {
                try requests.map { text in
                    let client = try RawClient(port: server.port)
                    let headers = "\r\nHost: a\r\nContent-Length: 9999\r\n"
                    try client.send("POST " + text.replacing("\r\n", with: headers, maxReplacements: 1))
                    return TransferableClient(client: client)
                }
            }
            try await expectEventually { try Self.spoolFileCount(guide) == 2 }
            return clients
        }
        for client in clients {
            let response = try await RawClient.onThread { try client.client.readResponse() }
            expectResponse(response, 503, contains: ["The service is ending."])
        }
        expectEqual(try Self.spoolFileCount(guide), 0)
    }

    @Test func canceledImportChangesNothing() throws {
        let guide = try emptyGuide()
        let file = try SpoolFolder(path: guide.folder, capacity: 1 << 20).makeFile()
        try file.append(try ServedGuide.sample("evening.xml"))
        let importer = StoreImporter(guide: GuideDatabase(path: guide.path, connections: 1))
        let request = ImportRequest(source: "tonight", now: RunningServer.now)
        #expect(throws: ImportRefusal.stopping) {
            try importer.importBody(file, as: request, waiting: .never, isCancelled: { true }, progress: { _ in })
        }
        expectEqual(try guide.write { try $0.sourceRecords() }.map(\.source.name), ["empty"])
    }

    /// Returns the number of files without a name that this process has open in the folder of a guide.
    private static func spoolFileCount(_ guide: ServedGuide) throws -> Int {
        try FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd").count { descriptor in
            let path = try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/fd/\(descriptor)")
            return path.map { $0.hasPrefix(guide.folder + "/") && $0.hasSuffix(" (deleted)") } ?? false
        }
    }

    @Test func onlyWebURLsAreFetched() async throws {
        try await AdminServer.run(try emptyGuide()) { server in
            var client = try await server.loggedIn()
            for url in ["file:///etc/passwd", "/etc/passwd", "ftp://a.example/", "javascript:alert(1)", "https://a b"] {
                expectResponse(try await client.post("/admin/add/url", ["url": url]), 422, url)
            }
        }
    }

    @Test func unreachableURLIsExplained() async throws {
        try await AdminServer.run(try emptyGuide(), settings: "private-hosts: [127.0.0.1]\n") { server in
            var client = try await server.loggedIn()
            let location = try await client.post("/admin/add/url", ["url": "http://127.0.0.1:1/guide.xml"]).preview()
                .location
            let page = try await client.preview(at: location)
            expectText(page, contains: ["127.0.0.1:1/guide.xml", "connect"])
        }
    }

    // MARK: - Schedules Direct

    @Test func accountAtSchedulesDirectIsAddedToTheDatabaseWithoutItsPassword() async throws {
        let text = "private-hosts: [127.0.0.1]\nsources:\n  - name: cable\n    url: https://a.example/\n"
        try await FakeAccount.run { url in
            try await AdminServer.run(try emptyGuide(), settings: text) { server in
                var client = try await server.loggedIn()
                let fields: KeyValuePairs = [
                    "username": "viewer@example.org", "account-password": FakeAccount.password, "server": url,
                ]
                let (location, id) = try await client.post("/admin/add/account", fields).preview()
                let page = try await client.preview(at: location)
                expectText(
                    page, contains: ["Harbour Cable", "ZZZ-TEST-X · Cable · 99999", "value=\"ZZZ-TEST-Y\" checked"],
                    lacks: [FakeAccount.password])
                expectResponse(try await client.post("/admin/preview/accept", ["id": id, "name": "SD"]), 422)
                let taken = try await client.post(
                    "/admin/preview/accept", ["id": id, "name": "empty", "lineup": "ZZZ-TEST-X"])
                expectResponse(taken, 422, contains: ["already a source"])
                let accepted = try await client.post(
                    "/admin/preview/accept", ["id": id, "name": "My SD", "lineup": "ZZZ-TEST-X"])
                expectResponse(accepted, headers: ["location": "/admin/refresh"])
                expectEqual(try String(contentsOfFile: server.settingsPath, encoding: .utf8), text)
                expectEqual(
                    try server.read { try $0.sourceRecords().map(\.source) }.filter { $0.account != nil },
                    [
                        Source(
                            name: "My SD", location: url,
                            account: SourceAccount(username: "viewer@example.org", lineups: ["ZZZ-TEST-X"]))
                    ])
                expectEqual(
                    try server.access.records().accounts,
                    [AccountName(username: "viewer@example.org", url: url): FakeAccount.password])
                #expect(server.requests.shown.isRequested)
                // Adding the account again changes its lineups, and would store a new password.
                let (again, secondID) = try await client.post("/admin/add/account", fields).preview()
                _ = try await client.preview(at: again)
                let changed = try await client.post(
                    "/admin/preview/accept", ["id": secondID, "name": "My SD", "lineup": "ZZZ-TEST-Y"])
                expectResponse(changed, headers: ["location": "/admin/refresh"])
                expectEqual(
                    try server.read { try $0.sourceRecords() }.compactMap(\.source.account?.lineups), [["ZZZ-TEST-Y"]])
                expectEqual(try server.operations.settings().sources, ["cable"])
                // The URL of the API is no field of the source.
                let source = try await client.get("/admin/source?name=My%20SD").text
                expectText(source, contains: ["Minimum time between"], lacks: ["New URL", FakeAccount.password])
                _ = try await client.post("/admin/source/remove", ["name": "My SD"])
                expectEqual(try server.access.records().accounts, [:])
            }
        }
    }

    @Test func wrongPasswordOfAnAccountIsExplained() async throws {
        try await FakeAccount.run { url in
            try await AdminServer.run(try emptyGuide(), settings: "private-hosts: [127.0.0.1]\n") { server in
                var client = try await server.loggedIn()
                let fields: KeyValuePairs = [
                    "username": "viewer@example.org", "account-password": "not this", "server": url,
                ]
                let location = try await client.post("/admin/add/account", fields).preview().location
                let page = try await client.preview(at: location)
                expectText(page, contains: ["the user name or the password is wrong"], lacks: ["not this"])
                for (field, value) in [("username", ""), ("account-password", ""), ("server", "file:///a")] {
                    var fields = ["username": "a", "account-password": "b", "server": ""]
                    fields[field] = value
                    let response = try await client.post(
                        "/admin/add/account",
                        [
                            "username": fields["username"] ?? "", "account-password": fields["account-password"] ?? "",
                            "server": fields["server"] ?? "",
                        ])
                    expectResponse(response, 422, "\(field)")
                }
                let plain = try await client.post(
                    "/admin/add/account",
                    ["username": "a", "account-password": "b", "server": "http://sd.example/"]
                ).preview().location
                expectText(try await client.preview(at: plain), contains: ["sent unencrypted"])
                let near = try await client.post(
                    "/admin/add/account",
                    ["username": "a", "account-password": "b", "server": "https://192.168.1.1/"]
                ).preview().location
                expectText(
                    try await client.preview(at: near), contains: ["names this machine or its network"])
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
