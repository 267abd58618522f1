import NIOHTTP1
import Testing

@testable import EPGServer

/// Viewports that are answered out of memory, on the thread of the connection.
@Suite struct QuickAnswerTests {
    private static let target = "/api/v1/grid?form=columns&rows=0-9&from=1792864800&hours=3"

    /// A request that is out of the ordinary goes the long way.
    private static let longWay = ["Authorization: x"]

    @Test func theyAreWhatTheLongWayGives() async throws {
        try await RunningServer.run(try ServedGuide()) { server in
            // The first one reads the day, so that the others needn't.
            _ = try await RawClient.get(QuickAnswerTests.target, port: server.port)
            for parameters in ["&x=100", "&x=100", "&x=100", "&cluster=60", "&pointsPerHour=33.3&scale=1.5", "&rows=3"]
            {
                let target = QuickAnswerTests.target.replacing(
                    "&rows=0-9", with: parameters == "&rows=3" ? "" : "&rows=0-9")
                let quick = try await RawClient.get(target + parameters, port: server.port)
                let long = try await RawClient.get(
                    target + parameters, port: server.port, headers: QuickAnswerTests.longWay)
                #expect(quick.status == 200 && quick.body == long.body)
                for name in [
                    "etag", "cache-control", "content-type", "last-modified", "vary", "x-content-type-options",
                ] {
                    #expect(quick[name] == long[name], "\(name)")
                }
            }
        }
    }

    @Test func theyFollowTheGuide() async throws {
        let guide = try ServedGuide(QuickAnswerTests.programme("Old"))
        try await RunningServer.run(guide) { server in
            for _ in 0..<3 {
                let answer = try await RawClient.get(QuickAnswerTests.target, port: server.port)
                #expect(String(decoding: answer.body, as: UTF8.self).contains("\"title\":[\"\",\"Old\",\"\"]"))
            }
            try guide.take(ServedGuide.document(QuickAnswerTests.programme("New")))
            // The watch looks four times a second.
            for _ in 0..<200 {
                let answer = try await RawClient.get(QuickAnswerTests.target, port: server.port)
                let text = String(decoding: answer.body, as: UTF8.self)
                if text.contains("\"generation\":2") {
                    #expect(text.contains("\"title\":[\"\",\"New\",\"\"]"))
                    return
                }
                #expect(text.contains("\"title\":[\"\",\"Old\",\"\"]"))
                try await Task.sleep(for: .milliseconds(50))
            }
            Issue.record("the new guide never came")
        }
    }

    private static func programme(_ title: String) -> String {
        """
        <programme start="20261024190000 +0000" stop="20261024200000 +0000" channel="a"><title>\(title)</title></programme>
        """
    }

    @Test func whatIsNoneIsLeftToTheLongWay() async throws {
        try await RunningServer.run(try ServedGuide()) { server in
            for (parameters, status) in [
                ("&width=0", 400), ("&nothing=1", 400), ("&generation=99", 409), ("&from=1", 400), ("&lang=en", 200),
                ("&stations=1", 200), ("&generation=1", 200),
            ] {
                for _ in 0..<2 {
                    let answer = try await RawClient.get(QuickAnswerTests.target + parameters, port: server.port)
                    #expect(answer.status == status, "\(parameters)")
                }
            }
        }
    }

    @Test func targetsAreRememberedByEpoch() {
        let asked = AskedBefore()
        #expect(!asked.note("/a", epoch: 1))
        #expect(asked.note("/a", epoch: 1))
        #expect(!asked.note("/b", epoch: 1))
        #expect(!asked.note("/a", epoch: 2))
    }

    @Test(arguments: [("/p?", ""), ("/p?a=b", "a=b"), ("/p?a?b", "a?b")])
    func aQueryIsWhatFollowsThePath(target: String, query: String) throws {
        let head = HTTPRequestHead(
            version: .http1_1, method: .GET, uri: target, headers: HTTPHeaders([("Host", "tv.example")]))
        #expect(try #require(FastRequest(head)).query(ofPath: "/p") == query)
    }

    @Test(arguments: ["/p", "/pp?a", "/q?a", "/"]) func anotherPathHasNone(target: String) throws {
        let head = HTTPRequestHead(
            version: .http1_1, method: .GET, uri: target, headers: HTTPHeaders([("Host", "tv.example")]))
        #expect(try #require(FastRequest(head)).query(ofPath: "/p") == nil)
    }
}
