import EPGModel
import Glibc
import TestSupport
import Testing

@testable import EPGServer
@testable import ServiceTestSupport

/// Tests of a database that replaces another database and starts at generation 1 as well.
@Suite(.serialized) struct AnotherDatabaseTests {
    private static func records(_ title: String) -> String {
        """
        <channel id="one"><display-name>One</display-name></channel>
        <programme start="20261024180000 +0000" stop="20261024190000 +0000" channel="one"><title>\(title)</title></programme>
        """
    }

    /// Replaces the files of a guide with another guide's files.
    private static func move(_ new: ServedGuide, over old: ServedGuide) {
        for suffix in ["-wal", "-shm", "-search", "-search-wal", "-search-shm"] { unlink(old.path + suffix) }
        rename(new.path + "-search", old.path + "-search")
        rename(new.path, old.path)
    }

    /// Returns the full name of the current generation.
    private static func name(_ port: Int) async throws -> String {
        let text = try await RawClient.get("/api/v1/changes?since=0", port: port).text
        return String(text.firstMatch(of: /"name":"([0-9]+\.[0-9a-z]+)"/)?.1 ?? "")
    }

    @Test func replacedDatabaseHasDifferentURLsAndNotifiesListeners() async throws {
        let (old, new) = (try ServedGuide(Self.records("Old")), try ServedGuide(Self.records("New")))
        let grid = "/api/v1/grid?form=columns&from=2026-10-24T18:00:00Z&hours=1"
        try await RunningServer.run(old) { server in
            let port = server.port
            let before = try await Self.name(port)
            expectPrefix(before, "1.")
            let cached = try await RawClient.get("\(grid)&generation=\(before)", port: port)
            expectText(cached.text, contains: ["Old"])
            expectText(cached["cache-control"] ?? "", contains: ["immutable"])
            let events = try await RawClient.onThread {
                let client = try RawClient(port: port)
                try client.send("GET /api/v1/events HTTP/1.1\r\nHost: a\r\n\r\n")
                _ = try client.readHead()
                let first = String(decoding: try client.readChunk() ?? [], as: UTF8.self)
                Self.move(new, over: old)
                return [first, String(decoding: try client.readChunk() ?? [], as: UTF8.self)]
            }
            let after = try await Self.name(port)
            expectPrefix(after, "1.")
            expectNotEqual(after, before)
            for (event, name) in zip(events, [before, after]) {
                expectEqual(event, "id: \(name)\nevent: generation\ndata: {\"generation\":1,\"name\":\"\(name)\"}\n\n")
            }
            // The old URL is gone. The response at the new URL is immutable.
            try await expectEqual(RawClient.get("\(grid)&generation=\(before)", port: port).status, 409)
            let fresh = try await RawClient.get("\(grid)&generation=\(after)", port: port)
            expectText(fresh.text, contains: ["New"])
            expectText(fresh["cache-control"] ?? "", contains: ["immutable"])
            // A URL with only the number could mean either database, so its response must be revalidated.
            let numbered = try await RawClient.get("\(grid)&generation=1", port: port)
            expectText(numbered.text, contains: ["New"])
            expectText(numbered["cache-control"] ?? "", contains: ["max-age=0"])
            // Clients of the replaced database have to read everything again.
            let changes = try await RawClient.get("/api/v1/changes?since=\(before)", port: port).text
            expectEqual(changes, "{\"since\":1,\"generation\":1,\"name\":\"\(after)\",\"complete\":false}")
            let none = try await RawClient.get("/api/v1/changes?since=\(after)", port: port).text
            expectText(none, contains: ["\"complete\":true"])
            let page = try await RawClient.get("/", port: port).text
            expectText(page, contains: ["data-generation=\"\(after)\""])
        }
    }

    @Test func onlyFeedWithFullGenerationNameIsImmutable() async throws {
        try await RunningServer.run(ServedGuide(Self.records("One"))) { server in
            let name = try await Self.name(server.port)
            for path in ["/xmltv.xml", "/guide.json", "/stations/one.ics"] {
                for (generation, status, isImmutable) in [(name, 200, true), ("1", 200, false), ("1.x", 409, false)] {
                    let target = "\(path)?generation=\(generation)"
                    let response = try await RawClient.get(target, port: server.port)
                    expectEqual(response.status, status, target)
                    expectEqual(response["cache-control"]?.contains("immutable"), isImmutable, target)
                }
            }
        }
    }
}
