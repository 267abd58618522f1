import TestSupport
import Testing

@testable import EPGServer
@testable import ServiceTestSupport

/// Tests of responses that the event loop sends from memory.
@Suite struct PreparedResponseTests {
    private static let target = "/api/v1/grid?form=columns&rows=0-9&from=1792864800&hours=3"

    /// A request with credentials goes through the router.
    private static let routerHeaders = ["Authorization: x"]

    @Test func preparedResponsesEqualThoseOfTheRouter() async throws {
        try await RunningServer.run(SharedGuides.served.get()) { server in
            // The first request reads the day into memory.
            _ = try await RawClient.get(PreparedResponseTests.target, port: server.port)
            for parameters in ["&x=100", "&x=100", "&x=100", "&cluster=60", "&pointsPerHour=33.3&scale=1.5", "&rows=3"]
            {
                let target = PreparedResponseTests.target.replacing(
                    "&rows=0-9", with: parameters == "&rows=3" ? "" : "&rows=0-9")
                let prepared = try await RawClient.get(target + parameters, port: server.port)
                let routed = try await RawClient.get(
                    target + parameters, port: server.port, headers: PreparedResponseTests.routerHeaders)
                expectEqual(prepared.status, 200, parameters)
                expectEqual(prepared.body, routed.body, parameters)
                for name in [
                    "etag", "cache-control", "content-type", "guide-generation", "last-modified", "vary",
                    "x-content-type-options",
                ] {
                    expectEqual(prepared[name], routed[name], "\(name) of \(parameters)")
                }
            }
        }
    }

    @Test func preparedResponsesChangeWithTheGuide() async throws {
        let guide = try ServedGuide(PreparedResponseTests.programme("Old"))
        try await RunningServer.run(guide) { server in
            for _ in 0..<3 {
                let response = try await RawClient.get(PreparedResponseTests.target, port: server.port)
                expectText(response.text, contains: ["\"title\":[\"\",\"Old\",\"\"]"])
            }
            try guide.importGuide(ServedGuide.document(PreparedResponseTests.programme("New")))
            // The watch checks the database four times a second.
            let isNew = try await eventually {
                let response = try await RawClient.get(PreparedResponseTests.target, port: server.port)
                let isNew = response["guide-generation"]?.hasPrefix("2.") == true
                expectText(response.text, contains: ["\"title\":[\"\",\"\(isNew ? "New" : "Old")\",\"\"]"])
                return isNew
            }
            expectEqual(isNew, true)
        }
    }

    private static func programme(_ title: String) -> String {
        """
        <programme start="20261024190000 +0000" stop="20261024200000 +0000" channel="a"><title>\(title)</title></programme>
        """
    }

    @Test func otherRequestsGoThroughTheRouter() async throws {
        try await RunningServer.run(SharedGuides.served.get()) { server in
            for (parameters, status) in [
                ("&width=0", 400), ("&nothing=1", 400), ("&generation=99", 409), ("&from=1", 400), ("&lang=en", 200),
                ("&stations=1", 200), ("&generation=1", 200),
            ] {
                for _ in 0..<2 {
                    let response = try await RawClient.get(PreparedResponseTests.target + parameters, port: server.port)
                    expectEqual(response.status, status, "\(parameters)")
                }
            }
        }
    }

    private static func preparedCount(_ port: Int) async throws -> Int? {
        let text = try await RawClient.get("/metrics", port: port).text
        return text.firstMatch(of: /\nepg_http_prepared_responses_total ([0-9]+)\n/).flatMap { Int($0.1) }
    }

    @Test func repeatedRequestsAndViewportsInMemoryDoNotReachTheRouter() async throws {
        try await RunningServer.run(SharedGuides.served.get()) { server in
            var tag = ""
            // The first response is read from the guide, the second one comes from the cache, and the others are prepared.
            for count in [0, 0, 1, 2] {
                let response = try await RawClient.get("/api/v1/groups", port: server.port)
                try await expectEqual(Self.preparedCount(server.port), count)
                tag = try #require(response["etag"])
            }
            // Browsers and nginx send both conditions.
            let unmodified = try await RawClient.get(
                "/api/v1/groups", port: server.port,
                headers: ["If-None-Match: \(tag)", "If-Modified-Since: Sun, 06 Nov 1994 08:49:37 GMT"])
            expectResponse(unmodified, 304, headers: ["etag": tag])
            try await expectEqual(Self.preparedCount(server.port), 3)
            for (parameters, count) in [("", 3), ("&x=100", 4), ("&x=100", 5), ("&x=100&zone=UTC", 5)] {
                let target = PreparedResponseTests.target + parameters
                try await expectEqual(RawClient.get(target, port: server.port).status, 200, parameters)
                try await expectEqual(Self.preparedCount(server.port), count, "\(parameters)")
            }
        }
    }

    @Test func compressedResponsesEqualPlainOnes() async throws {
        try await RunningServer.run(SharedGuides.served.get()) { server in
            for target in ["/api/v1/stations?limit=500", Self.target, "/"] {
                let plain = try await RawClient.get(target, port: server.port)
                expectNil(plain["content-encoding"], target)
                let plainTag = try #require(plain["etag"])
                for _ in 0..<4 {
                    let compressed = try await RawClient.get(
                        target, port: server.port, headers: ["Accept-Encoding: gzip"])
                    expectResponse(
                        compressed,
                        headers: [
                            "content-encoding": "gzip",
                            "vary": target == "/" ? "Accept-Encoding, Accept-Language" : "Accept-Encoding",
                        ], target)
                    try expectEqual(compressed.decompressedBody(), plain.body, target)
                    let tag = try #require(compressed["etag"])
                    expectEqual(tag, plainTag.dropLast() + "-gz\"", target)
                    for (condition, status) in [(tag, 304), (plainTag, 200)] {
                        let headers = ["Accept-Encoding: gzip", "If-None-Match: \(condition)"]
                        try await expectEqual(
                            RawClient.get(target, port: server.port, headers: headers).status, status, target)
                    }
                }
            }
        }
    }
}
