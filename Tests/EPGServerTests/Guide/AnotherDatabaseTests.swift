import EPGModel
import Glibc
import Testing

@testable import EPGServer

/// Tests of a database that replaces another one and starts at generation 1 as well.
@Suite(.serialized) struct AnotherDatabaseTests {
    private static func records(_ title: String) -> String {
        """
        <channel id="one"><display-name>One</display-name></channel>
        <programme start="20261024180000 +0000" stop="20261024190000 +0000" channel="one"><title>\(title)</title></programme>
        """
    }

    /// Replaces the files of a guide with those of another one.
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
            #expect(before.hasPrefix("1."))
            let cached = try await RawClient.get("\(grid)&generation=\(before)", port: port)
            #expect(cached.text.contains("Old"))
            #expect(cached["cache-control"]?.contains("immutable") == true)
            let events = try await RawClient.onThread {
                let client = try RawClient(port: port)
                try client.send("GET /api/v1/events HTTP/1.1\r\nHost: a\r\n\r\n")
                _ = try client.readHead()
                let first = String(decoding: try client.readChunk() ?? [], as: UTF8.self)
                Self.move(new, over: old)
                return [first, String(decoding: try client.readChunk() ?? [], as: UTF8.self)]
            }
            let after = try await Self.name(port)
            #expect(after.hasPrefix("1.") && after != before)
            for (event, name) in zip(events, [before, after]) {
                #expect(event == "id: \(name)\nevent: generation\ndata: {\"generation\":1,\"name\":\"\(name)\"}\n\n")
            }
            // The old URL is gone. The response at the new URL is immutable.
            #expect(try await RawClient.get("\(grid)&generation=\(before)", port: port).status == 409)
            let fresh = try await RawClient.get("\(grid)&generation=\(after)", port: port)
            #expect(fresh.text.contains("New"))
            #expect(fresh["cache-control"]?.contains("immutable") == true)
            // A URL with only the number could mean either database, so its response must be revalidated.
            let numbered = try await RawClient.get("\(grid)&generation=1", port: port)
            #expect(numbered.text.contains("New"))
            #expect(numbered["cache-control"]?.contains("max-age=0") == true)
            // Clients of the replaced database have to read everything again.
            let changes = try await RawClient.get("/api/v1/changes?since=\(before)", port: port).text
            #expect(changes == "{\"since\":1,\"generation\":1,\"name\":\"\(after)\",\"complete\":false}")
            let none = try await RawClient.get("/api/v1/changes?since=\(after)", port: port).text
            #expect(none.contains("\"complete\":true"))
            let page = try await RawClient.get("/", port: port).text
            #expect(page.contains("data-generation=\"\(after)\""))
        }
    }

    @Test(arguments: ["/xmltv.xml", "/guide.json", "/stations/one.ics"])
    func onlyFeedWithFullGenerationNameIsImmutable(path: String) async throws {
        try await RunningServer.run(ServedGuide(Self.records("One"))) { server in
            let name = try await Self.name(server.port)
            for (generation, status, isImmutable) in [(name, 200, true), ("1", 200, false), ("1.x", 409, false)] {
                let response = try await RawClient.get("\(path)?generation=\(generation)", port: server.port)
                #expect(response.status == status, "\(generation)")
                #expect(response["cache-control"]?.contains("immutable") == isImmutable, "\(generation)")
            }
        }
    }
}
