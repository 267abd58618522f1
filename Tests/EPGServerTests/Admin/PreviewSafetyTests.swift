import EPGModel
import Foundation
import Glibc
import TestSupport
import Testing

@testable import EPGServer
@testable import epgd

/// URLs and files of administrators that would harm the service or its network.
@Suite("Hostile URLs and files of administrators", .serialized)
struct PreviewSafetyTests {
    private func emptyGuide() throws -> ServedGuide { try ServedGuide(bytes: ServedGuide.document(""), as: "empty") }

    /// Returns the page of a complete preview.
    private func preview(_ url: String, _ client: inout AdminClient) async throws -> String {
        let response = try await client.post("/admin/add/url", ["url": url])
        return try await client.preview(at: try #require(response["location"], "\(response.text)"))
    }

    // MARK: - Addresses

    /// Addresses of this machine and its network, also as programs write them that parse addresses like inet_aton(3), and that
    /// of the metadata of cloud servers.
    @Test(arguments: [
        "127.0.0.1", "localhost", "LOCALHOST", "guide.localhost", "[::1]", "[::ffff:127.0.0.1]", "127.1", "2130706433",
        "0x7f000001", "0177.0.0.1", "0.0.0.0", "169.254.169.254", "10.0.0.1", "192.168.1.1", "172.16.0.1", "100.64.0.1",
        "[fe80::1]", "[fd00::1]", "user:hunter2@127.0.0.1",
    ])
    func localAddressInAURLIsRefused(host: String) async throws {
        let origin = try LoopbackServer(replies: [.status("200 OK", body: "<tv/>")])
        defer { origin.stop() }
        let source = Source(name: "remote", location: "https://guides.example/guide.xml")
        let guide = try emptyGuide()
        try guide.write { try $0.save(source, now: ServedGuide.imported) }
        try await AdminServer.run(guide) { server in
            var client = try await server.loggedIn()
            let url = "http://\(host):\(origin.port)/guide.xml"
            let page = try await preview(url, &client)
            #expect(page.contains("names this machine or its network") && page.contains("source-hosts"), "\(page)")
            #expect(!page.contains("hunter2"))
            // Nor does an existing source get such a URL, which a refresh would request.
            let changed = try await client.post("/admin/source", ["name": "remote", "location": url])
            #expect(changed.status == 422)
            #expect(try server.read { try $0.sourceRecords() }.contains { $0.source.location == source.location })
        }
        #expect(origin.requests.isEmpty)
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
            #expect(page.contains("\(name) has a") && page.contains("source-hosts"), "\(page)")
        }
        #expect(origin.requests.isEmpty)
    }

    /// The name of this machine, if it has a loopback address.
    private static let localName: String? = {
        var buffer = [CChar](repeating: 0, count: 256)
        guard gethostname(&buffer, buffer.count - 1) == 0 else { return nil }
        let name = String(decoding: buffer.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
        let addresses = (try? TestProgram.output(of: "getent", ["ahostsv4", name])) ?? []
        return name != "localhost" && addresses.starts(with: "127.".utf8) ? name : nil
    }()

    /// The settings allow the first server, which leads to another one, by address and by name.
    @Test(arguments: ["127.0.0.1", "127.0.0.2", "localhost", "[::1]", "169.254.169.254"])
    func redirectionToALocalAddressIsRefused(host: String) async throws {
        let target = try LoopbackServer(replies: [.status("200 OK", body: "<tv/>")])
        let origin = try LoopbackServer(
            replies: [.status("302 Found", headers: ["Location: http://\(host):\(target.port)/guide.xml"])])
        defer {
            target.stop()
            origin.stop()
        }
        try await AdminServer.run(try emptyGuide(), settings: "source-hosts: [127.0.0.1]\n") { server in
            var client = try await server.loggedIn()
            let page = try await preview("http://127.0.0.1:\(origin.port)/guide.xml", &client)
            #expect(page.contains("redirects to"), "\(page)")
            #expect(!page.contains("Add it"))
        }
        #expect(origin.requests.count == 1)
        #expect(target.requests.isEmpty)
    }

    // MARK: - Files

    /// Commands that write a small file with 200 MB, and the name of the file.
    private static let bombs = [
        ("xz", "head -c 200000000 /dev/zero | tr '\\0' ' ' | xz -0"),
        ("zstd", "head -c 200000000 /dev/zero | tr '\\0' ' ' | zstd -1 -c"),
        ("bzip2", "head -c 200000000 /dev/zero | tr '\\0' ' ' | bzip2 -1"),
        (
            "zip",
            "head -c 200000000 /dev/zero | tr '\\0' ' ' > guide.xml && zip -q -1 guide.zip guide.xml && cat guide.zip"
        ),
    ]

    @Test(.needs(.programs("xz", "zstd", "bzip2", "zip")), arguments: bombs)
    func archiveOfManyBlanksIsRejected(program: String, command: String) async throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "bomb-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { _ = Result { try FileManager.default.removeItem(at: folder) } }
        let script = "cd '\(folder.path)' && { \(command); } > bomb"
        _ = try TestProgram.output(of: "bash", ["-o", "pipefail", "-c", script])
        let bomb = Array(try Data(contentsOf: folder.appending(path: "bomb")))
        #expect((100..<2_000_000).contains(bomb.count))
        try await expectRejection(of: bomb, named: "guide.\(program)")
    }

    /// Elements and arrays within each other, which a recursive parser would not survive.
    @Test(arguments: [
        ("deep.xml", "<tv>" + String(repeating: "<a>", count: 1_000_000)),
        ("deep.json", "{\"epg\":1,\"programmes\":" + String(repeating: "[", count: 1_000_000)),
        ("deep.json", "[" + String(repeating: "{\"a\":", count: 1_000_000)),
        (
            "laughs.xml",
            "<?xml version=\"1.0\"?><!DOCTYPE tv [<!ENTITY a \"ha\"><!ENTITY b \"&a;&a;&a;&a;&a;&a;&a;&a;\">"
                + "<!ENTITY c \"&b;&b;&b;&b;&b;&b;&b;&b;\">]><tv><channel id=\"&c;&c;&c;&c;\"/>"
        ),
    ])
    func deepFileIsRejected(name: String, text: String) async throws {
        try await expectRejection(of: Array(text.utf8), named: name)
    }

    private func expectRejection(of bytes: [UInt8], named name: String) async throws {
        try await AdminServer.run(try emptyGuide()) { server in
            var client = try await server.loggedIn()
            let location = try #require(try await client.upload(bytes, named: name)["location"])
            let page = try await client.preview(at: location)
            #expect(page.contains("a-error"), "\(page)")
            #expect(!page.contains("Add it"))
            // The service goes on.
            #expect(try await client.get("/admin").status == 200)
        }
    }
}
