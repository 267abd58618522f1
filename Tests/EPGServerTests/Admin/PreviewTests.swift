import EPGModel
import EPGServer
import Foundation
import Glibc
import Testing

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
            let accepted = try await client.post("/admin/preview/accept", ["id": id, "name": "tonight"])
            #expect(accepted.status == 303)
            #expect(try server.read { try $0.sources() }.first { $0.source.name == "tonight" }?.airings ?? 0 > 300)
            #expect(try await client.get("/admin").text.contains("tonight"))
            // The preview is gone.
            #expect(try await client.get(location).status == 404)
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
            for _ in 1...4 { #expect(try await client.upload([0x61], named: "a").status == 303) }
            #expect(try await client.upload([0x61], named: "a").status == 429)
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
}
