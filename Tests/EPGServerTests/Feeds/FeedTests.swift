import EPGModel
import Foundation
import TestSupport
import Testing

/// Tests of feeds over a real connection, compared with the guide that they contain.
@Suite(.serialized) struct FeedTests {
    @Test(arguments: ["/xmltv.xml?times=published", "/guide.json", "/xmltv.xml.gz?times=published"])
    func importingAFeedYieldsTheSameGuide(path: String) async throws {
        let guide = try ServedGuide()
        let response = try await RunningServer.run(guide) { try await RawClient.get(path, port: $0.port) }
        #expect(response.status == 200)
        let again = try ServedGuide(bytes: response.body)
        #expect(try again.lines() == guide.lines())
    }

    @Test func compressedFileHasNoContentEncoding() async throws {
        let (plain, file, encoded) = try await RunningServer.run(ServedGuide()) { server in
            let plain = try await RawClient.get("/xmltv.xml", port: server.port)
            let file = try await RawClient.get(
                "/xmltv.xml.gz", port: server.port, headers: ["Accept-Encoding: gzip"])
            let encoded = try await RawClient.get("/xmltv.xml", port: server.port, headers: ["Accept-Encoding: gzip"])
            return (plain, file, encoded)
        }
        #expect(file["content-encoding"] == nil)
        #expect(file["content-type"] == "application/gzip")
        #expect(try file.decompressedBody() == plain.body)
        #expect(encoded["content-encoding"] == "gzip")
        #expect(encoded["content-type"] == "application/xml")
        #expect(encoded["vary"] == "Accept-Encoding")
        #expect(try encoded.decompressedBody() == plain.body)
        #expect(encoded["etag"] != plain["etag"])
    }

    @Test func headHasTheHeadersOfGetAndNoBody() async throws {
        try await RunningServer.run(ServedGuide()) { server in
            let before = try await RawClient.request("HEAD", "/xmltv.xml", port: server.port)
            let get = try await RawClient.get("/xmltv.xml", port: server.port)
            #expect(before.status == 200)
            for name in ["etag", "last-modified", "content-type", "cache-control", "accept-ranges", "vary"] {
                #expect(before[name] == get[name], "\(name)")
                #expect(before[name] != nil, "\(name)")
            }
            // The next response follows the headers directly.
            let (head, next) = try await RawClient.onThread { [port = server.port] in
                let client = try RawClient(port: port)
                try client.send("HEAD /xmltv.xml HTTP/1.1\r\nHost: a\r\n\r\n")
                let head = try client.readResponse(toHead: true)
                try client.send("HEAD /xmltv.xml.gz HTTP/1.1\r\nHost: a\r\n\r\n")
                return (head, try client.readResponse(toHead: true))
            }
            #expect(head["content-length"] == String(get.body.count))
            #expect(next.status == 200)
            #expect(next["content-type"] == "application/gzip")
        }
    }

    @Test func headOfUnknownLengthEndsTheConnection() async throws {
        try await RunningServer.run(ServedGuide()) { server in
            let rest = try await RawClient.onThread { [port = server.port] in
                let client = try RawClient(port: port)
                try client.send("HEAD /guide.json HTTP/1.1\r\nHost: a\r\n\r\n")
                _ = try client.readHead()
                return try client.readToEnd()
            }
            #expect(rest == [])
        }
    }

    /// A range and its bytes (RFC 9110, 14.1.2), as offsets from the start or, if negative, from the end.
    @Test(arguments: [
        ("bytes=0-0", 0, 1), ("bytes=0-499", 0, 500), ("bytes=500-999", 500, 1000), ("bytes=-500", -500, 0),
        ("bytes=9500-", 9500, 0), ("bytes=100-99999999999999999999", 100, 0), ("BYTES= 7-8", 7, 9),
        ("bytes=-99999999", 0, 0),
    ])
    func rangeReturnsThatPartOfTheFeed(range: String, first: Int, end: Int) async throws {
        let (full, part) = try await RunningServer.run(ServedGuide()) { server in
            let full = try await RawClient.get("/xmltv.xml", port: server.port)
            return (full, try await RawClient.get("/xmltv.xml", port: server.port, headers: ["Range: \(range)"]))
        }
        let count = full.body.count
        let expected = (first < 0 ? count + first : first)..<(end <= 0 ? count + end : end)
        #expect(part.status == 206)
        #expect(part["content-range"] == "bytes \(expected.lowerBound)-\(expected.upperBound - 1)/\(count)")
        #expect(part.body == Array(full.body[expected]))
        #expect(part["etag"] == full["etag"])
    }

    /// Invalid ranges and several ranges are ignored (RFC 9110, 14.2).
    @Test(arguments: [
        "bytes=5-4", "bytes=0-1,5-6", "lines=0-1", "bytes", "bytes=", "bytes=-", "bytes=a-b", "bytes=1--2",
    ])
    func invalidRangeIsIgnored(range: String) async throws {
        let response = try await RunningServer.run(ServedGuide()) {
            try await RawClient.get("/xmltv.xml", port: $0.port, headers: ["Range: \(range)"])
        }
        #expect(response.status == 200)
        #expect(response.body.count > 10_000)
    }

    @Test func unsatisfiableRangeIsRejectedAndTheLengthIsGiven() async throws {
        let (full, part, none) = try await RunningServer.run(ServedGuide()) { server in
            let full = try await RawClient.get("/xmltv.xml", port: server.port)
            let range = "Range: bytes=\(full.body.count)-"
            let part = try await RawClient.get("/xmltv.xml", port: server.port, headers: [range])
            return (full, part, try await RawClient.get("/xmltv.xml", port: server.port, headers: ["Range: bytes=-0"]))
        }
        #expect(part.status == 416)
        #expect(none.status == 416)
        #expect(part["content-range"] == "bytes */\(full.body.count)")
        #expect(part["content-type"] == "application/problem+json")
    }

    @Test func ifRangeRequiresTheEntityTagOfTheFeed() async throws {
        try await RunningServer.run(ServedGuide()) { server in
            let full = try await RawClient.get("/xmltv.xml", port: server.port)
            let tag = try #require(full["etag"])
            let date = try #require(full["last-modified"])
            for (condition, status) in [(tag, 206), ("\"other\"", 200), ("W/" + tag, 200), (date, 200)] {
                let response = try await RawClient.get(
                    "/xmltv.xml", port: server.port, headers: ["Range: bytes=0-9", "If-Range: \(condition)"])
                #expect(response.status == status, "\(condition)")
            }
        }
    }

    @Test func conditionsFollowRFC9110() async throws {
        try await RunningServer.run(ServedGuide()) { server in
            for path in ["/xmltv.xml", "/guide.json", "/xmltv.xml.gz"] {
                let tag = try #require(try await RawClient.request("HEAD", path, port: server.port)["etag"])
                let cases: [(String, Int)] = [
                    ("If-None-Match: \(tag)", 304), ("If-None-Match: W/\(tag), \"x\"", 304), ("If-None-Match: *", 304),
                    ("If-None-Match: \"x\"", 200),
                    // The service started at 2026-10-24T18:10:00Z, an hour after the import.
                    ("If-Modified-Since: Sat, 24 Oct 2026 18:10:00 GMT", 304),
                    ("If-Modified-Since: Saturday, 24-Oct-26 18:10:00 GMT", 304),
                    ("If-Modified-Since: Sat Oct 24 18:10:01 2026", 304),
                    ("If-Modified-Since: Sat, 24 Oct 2026 18:09:59 GMT", 200), ("If-Modified-Since: yesterday", 200),
                    ("If-Match: \(tag)", 200), ("If-Match: *", 200), ("If-Match: \"x\"", 412),
                    ("If-Unmodified-Since: Sat, 24 Oct 2026 18:09:59 GMT", 412),
                ]
                for (condition, status) in cases {
                    let response = try await RawClient.get(path, port: server.port, headers: [condition])
                    #expect(response.status == status, "\(path) \(condition)")
                    #expect(status != 304 || response["etag"] == tag && response.body.isEmpty)
                }
                // If-None-Match takes precedence (RFC 9110, 13.2.2).
                let both = try await RawClient.get(
                    path, port: server.port,
                    headers: ["If-None-Match: \"x\"", "If-Modified-Since: Sat, 24 Oct 2026 18:10:00 GMT"])
                #expect(both.status == 200)
            }
        }
    }

    @Test func feedChangesWithTheGuide() async throws {
        let guide = try ServedGuide()
        let path = "/xmltv.xml?times=published"
        try await RunningServer.run(guide) { server in
            let old = try await RawClient.get(path, port: server.port)
            let tag = try #require(old["etag"])
            _ = try await RawClient.onThread { try guide.importGuide(try ServedGuide.sample("evening-next.xml")) }
            // The service checks the database a few times a second.
            let isNew = try await eventually {
                try await RawClient.get(path, port: server.port, headers: ["If-None-Match: \(tag)"]).status == 200
            }
            #expect(isNew)
            let new = try await RawClient.get(path, port: server.port)
            #expect(new["etag"] != tag)
            #expect(try ServedGuide(bytes: new.body).lines() == guide.lines())
        }
    }

    @Test func concurrentRequestsGetTheSameFeed() async throws {
        let bodies = try await RunningServer.run(ServedGuide()) { server in
            try await withThrowingTaskGroup(of: [UInt8].self) { group in
                for _ in 0..<24 {
                    group.addTask { try await RawClient.get("/xmltv.xml", port: server.port).body }
                }
                return try await group.reduce(into: Set<[UInt8]>()) { $0.insert($1) }
            }
        }
        #expect(bodies.count == 1)
    }
}
