import EPGModel
import Foundation
import TestSupport
import Testing

@testable import ServiceTestSupport

/// Tests of feeds over a real connection, compared with the guide that they contain.
@Suite(.serialized) struct FeedTests {
    @Test func importingAFeedYieldsTheSameGuide() async throws {
        let guide = try SharedGuides.served.get()
        let lines = try guide.lines()
        try await RunningServer.run(guide) { server in
            for path in ["/xmltv.xml.gz?times=published", "/guide.json", "/xmltv.xml?times=published"] {
                let response = try await RawClient.get(path, port: server.port)
                expectEqual(response.status, 200, path)
                try expectEqual(ServedGuide(bytes: response.body).lines(), lines, path)
            }
        }
    }

    @Test func compressedFileHasNoContentEncoding() async throws {
        let (plain, file, encoded) = try await RunningServer.run(SharedGuides.served.get()) { server in
            let plain = try await RawClient.get("/xmltv.xml", port: server.port)
            let file = try await RawClient.get(
                "/xmltv.xml.gz", port: server.port, headers: ["Accept-Encoding: gzip"])
            let encoded = try await RawClient.get("/xmltv.xml", port: server.port, headers: ["Accept-Encoding: gzip"])
            return (plain, file, encoded)
        }
        expectEqual([file["content-encoding"], file["content-type"]], [nil, "application/gzip"])
        try expectEqual(file.decompressedBody(), plain.body)
        expectEqual(
            ["content-encoding", "content-type", "vary"].map { encoded[$0] },
            ["gzip", "application/xml", "Accept-Encoding"])
        try expectEqual(encoded.decompressedBody(), plain.body)
        expectEqual(Set([encoded, plain].compactMap { $0["etag"] }).count, 2)
    }

    @Test func headHasTheHeadersOfGetAndNoBody() async throws {
        try await RunningServer.run(SharedGuides.served.get()) { server in
            let before = try await RawClient.request("HEAD", "/xmltv.xml", port: server.port)
            let get = try await RawClient.get("/xmltv.xml", port: server.port)
            expectEqual(before.status, 200)
            for name in ["etag", "last-modified", "content-type", "cache-control", "accept-ranges", "vary"] {
                let value = try #require(get[name], "\(name)")
                expectEqual(before[name], value, name)
            }
            // The next response follows the headers directly.
            let (head, next) = try await RawClient.onThread { [port = server.port] in
                let client = try RawClient(port: port)
                try client.send("HEAD /xmltv.xml HTTP/1.1\r\nHost: a\r\n\r\n")
                let head = try client.readResponse(toHead: true)
                try client.send("HEAD /xmltv.xml.gz HTTP/1.1\r\nHost: a\r\n\r\n")
                return (head, try client.readResponse(toHead: true))
            }
            expectEqual(head["content-length"], String(get.body.count))
            expectResponse(next, 200, headers: ["content-type": "application/gzip"])
        }
    }

    @Test func headOfUnknownLengthEndsTheConnection() async throws {
        try await RunningServer.run(SharedGuides.served.get()) { server in
            let rest = try await RawClient.onThread { [port = server.port] in
                let client = try RawClient(port: port)
                try client.send("HEAD /guide.json HTTP/1.1\r\nHost: a\r\n\r\n")
                _ = try client.readHead()
                return try client.readToEnd()
            }
            expectEqual(rest, [])
        }
    }

    /// A range and its bytes (RFC 9110, 14.1.2), as offsets from the start or, if negative, from the end.
    private static let ranges: [(range: String, first: Int, end: Int)] = [
        ("bytes=0-0", 0, 1), ("bytes=0-499", 0, 500), ("bytes=500-999", 500, 1000), ("bytes=-500", -500, 0),
        ("bytes=9500-", 9500, 0), ("bytes=100-99999999999999999999", 100, 0), ("BYTES= 7-8", 7, 9),
        ("bytes=-99999999", 0, 0),
    ]

    /// Invalid ranges and several ranges are ignored (RFC 9110, 14.2).
    private static let ignoredRanges = [
        "bytes=5-4", "bytes=0-1,5-6", "lines=0-1", "bytes", "bytes=", "bytes=-", "bytes=a-b", "bytes=1--2",
    ]

    @Test func rangeReturnsThatPartOfTheFeedAndAnInvalidRangeIsIgnored() async throws {
        try await RunningServer.run(SharedGuides.served.get()) { server in
            // The service writes the feed for this request.
            let first = try await RawClient.get("/xmltv.xml", port: server.port, headers: ["Range: bytes=0-9"])
            let full = try await RawClient.get("/xmltv.xml", port: server.port)
            let (count, tag) = (full.body.count, try #require(full["etag"]))
            expectEqual(first.status, 206)
            expectEqual(first.body, Array(full.body[..<10]))
            #expect(count > 10_000)
            for (range, first, end) in Self.ranges {
                let part = try await RawClient.get("/xmltv.xml", port: server.port, headers: ["Range: \(range)"])
                let expected = (first < 0 ? count + first : first)..<(end <= 0 ? count + end : end)
                let position = "bytes \(expected.lowerBound)-\(expected.upperBound - 1)/\(count)"
                expectEqual(part.status, 206, range)
                expectEqual([part["content-range"], part["etag"]], [position, tag], range)
                expectEqual(part.body, Array(full.body[expected]), range)
            }
            for range in Self.ignoredRanges {
                let response = try await RawClient.get("/xmltv.xml", port: server.port, headers: ["Range: \(range)"])
                expectEqual(response.status, 200, range)
                expectEqual(response.body.count, count, range)
            }
        }
    }

    @Test func unsatisfiableRangeIsRejectedAndTheLengthIsGiven() async throws {
        let (full, part, none) = try await RunningServer.run(SharedGuides.served.get()) { server in
            let full = try await RawClient.get("/xmltv.xml", port: server.port)
            let range = "Range: bytes=\(full.body.count)-"
            let part = try await RawClient.get("/xmltv.xml", port: server.port, headers: [range])
            return (full, part, try await RawClient.get("/xmltv.xml", port: server.port, headers: ["Range: bytes=-0"]))
        }
        expectResponse(
            part, 416,
            headers: ["content-range": "bytes */\(full.body.count)", "content-type": "application/problem+json"])
        expectEqual(none.status, 416)
    }

    @Test func ifRangeRequiresTheEntityTagOfTheFeed() async throws {
        try await RunningServer.run(SharedGuides.served.get()) { server in
            let full = try await RawClient.get("/xmltv.xml", port: server.port)
            let tag = try #require(full["etag"])
            let date = try #require(full["last-modified"])
            for (condition, status) in [(tag, 206), ("\"other\"", 200), ("W/" + tag, 200), (date, 200)] {
                let response = try await RawClient.get(
                    "/xmltv.xml", port: server.port, headers: ["Range: bytes=0-9", "If-Range: \(condition)"])
                expectEqual(response.status, status, "\(condition)")
            }
        }
    }

    @Test func conditionsFollowRFC9110() async throws {
        try await RunningServer.run(SharedGuides.served.get()) { server in
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
                    expectEqual(response.status, status, "\(path) \(condition)")
                    guard status == 304 else { continue }
                    expectEqual(response["etag"], tag, "\(path) \(condition)")
                    expectEqual(response.body, [], "\(path) \(condition)")
                }
                // If-None-Match takes precedence (RFC 9110, 13.2.2).
                let both = try await RawClient.get(
                    path, port: server.port,
                    headers: ["If-None-Match: \"x\"", "If-Modified-Since: Sat, 24 Oct 2026 18:10:00 GMT"])
                expectEqual(both.status, 200)
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
            expectEqual(isNew, true)
            let new = try await RawClient.get(path, port: server.port)
            expectNotEqual(new["etag"], tag)
            try expectEqual(ServedGuide(bytes: new.body).lines(), guide.lines())
        }
    }

    @Test func concurrentRequestsGetTheSameFeed() async throws {
        let bodies = try await RunningServer.run(SharedGuides.served.get()) { server in
            try await withThrowingTaskGroup(of: [UInt8].self) { group in
                for _ in 0..<24 {
                    group.addTask { try await RawClient.get("/xmltv.xml", port: server.port).body }
                }
                return try await group.reduce(into: Set<[UInt8]>()) { $0.insert($1) }
            }
        }
        expectEqual(bodies.count, 1)
    }
}
