import EPGModel
import EPGSQL
import EPGStore
import Foundation
import Glibc
import TestSupport
import Testing

@testable import epgd
@testable import EPGHTTP
@testable import ServiceTestSupport

/// URLs and files of administrators that would harm the service or its network.
@Suite("Hostile URLs and files of administrators", .serialized)
struct PreviewSafetyTests {
    private func emptyGuide() throws -> ServedGuide { try ServedGuide(bytes: ServedGuide.document(""), as: "empty") }

    /// Returns the page of a complete preview.
    private func preview(_ url: String, _ client: inout AdminClient) async throws -> String {
        let response = try await client.post("/admin/add/url", ["url": url])
        return try await client.preview(at: try response.preview().location)
    }

    // MARK: - Addresses

    /// Addresses of this machine and its network, also as programs write them that parse addresses like inet_aton(3), and
    /// the address of the metadata of cloud servers.
    private static let localHosts = [
        "127.0.0.1", "localhost", "LOCALHOST", "guide.localhost", "[::1]", "[::ffff:127.0.0.1]", "127.1", "2130706433",
        "0x7f000001", "0177.0.0.1", "0.0.0.0", "169.254.169.254", "10.0.0.1", "192.168.1.1", "172.16.0.1", "100.64.0.1",
        "[fe80::1]", "[fd00::1]", "user:hunter2@127.0.0.1",
    ]

    @Test func localAddressInAURLIsRefused() async throws {
        let origin = try LoopbackServer(replies: [.status("200 OK", body: "<tv/>")])
        defer { origin.stop() }
        let source = Source(name: "remote", location: "https://guides.example/guide.xml")
        let guide = try emptyGuide()
        try guide.write { try $0.save(source, now: ServedGuide.imported) }
        try await AdminServer.run(guide) { server in
            var client = try await server.loggedIn()
            for host in Self.localHosts {
                let url = "http://\(host):\(origin.port)/guide.xml"
                expectText(
                    try await preview(url, &client),
                    contains: ["names this machine or its network", "Allow the host"],
                    lacks: ["hunter2"], host)
                // Nor does an existing source get such a URL, which a refresh would request.
                let changed = try await client.post("/admin/source", ["name": "remote", "location": url])
                expectResponse(changed, 422, host)
            }
            #expect(try server.read { try $0.sourceRecords() }.contains { $0.source.location == source.location })
        }
        expectEqual(origin.requests.count, 0)
    }

    @Test func refusedHostIsAllowedWithACheckbox() async throws {
        let origin = try LoopbackServer(replies: [.status("200 OK", body: "<tv><channel id='a'/></tv>")])
        defer { origin.stop() }
        let url = "http://127.0.0.1:\(origin.port)/guide.xml"
        try await AdminServer.run(try emptyGuide()) { server in
            var client = try await server.loggedIn()
            let (location, id) = try await client.post("/admin/add/url", ["url": url]).preview()
            expectText(
                try await client.preview(at: location), contains: ["Allow the host 127.0.0.1", "name=\"allows-host\""])
            _ = try await client.post("/admin/preview/retry", ["id": id]).preview()
            expectEqual(origin.requests.count, 0)
            let (second, secondID) = try await client.post("/admin/add/url", ["url": url]).preview()
            _ = try await client.preview(at: second)
            let (allowed, _) = try await client.post(
                "/admin/preview/retry", ["id": secondID, "allows-host": "1"]
            ).preview()
            expectText(try await client.preview(at: allowed), contains: ["Add it"])
            expectEqual(origin.requests.count, 1)
            expectEqual(try server.read { try $0.storedSettings() }, ["private-hosts": ["127.0.0.1"]])
        }
        let settings = "private-hosts: [nas.lan]\n"
        try await AdminServer.run(try emptyGuide(), settings: settings) { server in
            var client = try await server.loggedIn()
            let (location, id) = try await client.post("/admin/add/url", ["url": url]).preview()
            _ = try await client.preview(at: location)
            let refused = try await client.post("/admin/preview/retry", ["id": id, "allows-host": "1"])
            expectResponse(refused, 409, contains: ["sets private-hosts"])
        }
    }

    /// A name whose address is only known after it was resolved. Most machines have their own name in /etc/hosts.
    @Test(.enabled(if: Self.localName != nil, "this machine has no name with a local address"))
    func nameWithALocalAddressIsRefused() async throws {
        let name = try #require(Self.localName)
        let origin = try LoopbackServer(replies: [.status("200 OK", body: "<tv/>")])
        defer { origin.stop() }
        try await AdminServer.run(try emptyGuide()) { server in
            var client = try await server.loggedIn()
            let page = try await preview("http://\(name):\(origin.port)/guide.xml", &client)
            expectText(page, contains: ["\(name) has a", "Allow the host"])
        }
        expectEqual(origin.requests.count, 0)
    }

    /// The name of this machine, if it has a loopback address.
    private static let localName: String? = {
        var buffer = [CChar](repeating: 0, count: 256)
        guard gethostname(&buffer, buffer.count - 1) == 0 else { return nil }
        let name = String(decoding: buffer.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
        let addresses = (try? TestProgram.output(of: "getent", ["ahostsv4", name])) ?? []
        return name != "localhost" && addresses.starts(with: "127.".utf8) ? name : nil
    }()

    /// The settings allow the first server, which leads to another server, by address and by name.
    @Test func redirectionToALocalAddressIsRefused() async throws {
        try await AdminServer.run(try emptyGuide(), settings: "private-hosts: [127.0.0.1]\n") { server in
            var client = try await server.loggedIn()
            for host in ["127.0.0.1", "127.0.0.2", "localhost", "[::1]", "169.254.169.254"] {
                let target = try LoopbackServer(replies: [.status("200 OK", body: "<tv/>")])
                let origin = try LoopbackServer(
                    replies: [.status("302 Found", headers: ["Location: http://\(host):\(target.port)/guide.xml"])])
                defer {
                    target.stop()
                    origin.stop()
                }
                let page = try await preview("http://127.0.0.1:\(origin.port)/guide.xml", &client)
                expectText(page, contains: ["redirects to"], lacks: ["Add it"], host)
                expectEqual([origin.requests.count, target.requests.count], [1, 0], host)
            }
        }
    }

    // MARK: - Files

    /// The decompressed size of archives. Up to 16 MiB, any ratio is allowed.
    private static let blankCount = TestScope.current >= .integration ? 200_000_000 : 24_000_000

    /// Commands that read blanks and write an archive, and the suffix of its name.
    private static let bombs = [
        ("xz", "xz -0"), ("zstd", "zstd -1 -c"), ("bzip2", "bzip2 -1"),
        ("zip", "cat > guide.xml && zip -q guide.zip guide.xml && cat guide.zip"),
    ]

    @Test(.needs(.programs("xz", "zstd", "bzip2", "zip")), arguments: bombs)
    func archiveOfManyBlanksIsRejected(suffix: String, command: String) async throws {
        try await expectRejectionOfBlanks(suffix, command)
    }

    @Test func gzipFileOfManyBlanksIsRejected() async throws {
        try await expectRejectionOfBlanks("xml.gz", "{ printf '<tv>'; cat; } | gzip -9")
    }

    private func expectRejectionOfBlanks(_ suffix: String, _ command: String) async throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "bomb-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { _ = Result { try FileManager.default.removeItem(at: folder) } }
        let blanks = "head -c \(Self.blankCount) /dev/zero | tr '\\0' ' '"
        let script = "cd '\(folder.path)' && \(blanks) | { \(command); } > bomb"
        _ = try TestProgram.output(of: "bash", ["-o", "pipefail", "-c", script])
        let bomb = Array(try Data(contentsOf: folder.appending(path: "bomb")))
        #expect((100..<2_000_000).contains(bomb.count))
        try await expectRejection(
            of: bomb, named: "guide.\(suffix)",
            saying: suffix == "zip" ? "zip archive has no guide" : "like an archive bomb")
    }

    /// The depth of files, which a recursive parser would not survive.
    private static let depth = TestScope.current >= .integration ? 1_000_000 : 100_000

    @Test(arguments: [
        ("deep.xml", "truncated", "<tv>" + String(repeating: "<a>", count: depth)),
        ("deep.json", "nested deeper", "{\"epg\":1,\"programmes\":" + String(repeating: "[", count: depth)),
        ("deep.json", "nested deeper", "[" + String(repeating: "{\"a\":", count: depth)),
        (
            "laughs.xml", "entit",
            "<?xml version=\"1.0\"?><!DOCTYPE tv [<!ENTITY a \"ha\"><!ENTITY b \"&a;&a;&a;&a;&a;&a;&a;&a;\">"
                + "<!ENTITY c \"&b;&b;&b;&b;&b;&b;&b;&b;\">]><tv><channel id=\"&c;&c;&c;&c;\"/>"
        ),
    ])
    func deepFileIsRejected(name: String, message: String, text: String) async throws {
        try await expectRejection(of: Array(text.utf8), named: name, saying: message)
    }

    private func expectRejection(of bytes: [UInt8], named name: String, saying message: String) async throws {
        try await AdminServer.run(try emptyGuide()) { server in
            var client = try await server.loggedIn()
            let page = try await client.preview(at: try await client.upload(bytes, named: name).preview().location)
            expectText(page, contains: ["a-error", message], lacks: ["Add it"], name)
            // The service goes on.
            expectResponse(try await client.get("/admin"), 200)
        }
    }
}
