import EPGCalendar
import EPGModel
import EPGRender
import EPGSQL
import EPGStore
import Glibc
import HTTPTypes
import NIOCore
import TestSupport
import Testing

@testable import EPGHTTP
@testable import EPGServer
@testable import ServiceTestSupport

/// An endpoint with a constant response.
private struct ConstantEndpoint: Endpoint {
    static let path = "/x"

    init(_ parameters: inout ParameterReader) throws(Problem) {}

    func document(from guide: GuideView) throws -> Document { Document(.plain, text: "constant") }
}

/// Tests of which responses may be cached, and for how long.
@Suite struct CacheabilityTests {
    private static let news = """
        <programme start="20261024180000 +0000" stop="20261024190000 +0000" channel="one"><title>Harbour</title></programme>
        """

    @Test func titleZoneAndURLOfTheServiceChangeThePageTag() async throws {
        let guide = try ServedGuide(CacheabilityTests.news)
        let london = try Zone(named: "Europe/London")
        let first = try await RunningServer.run(guide) { try await RawClient.get("/", port: $0.port) }
        let tag = try #require(first["etag"])
        let changes: [(@Sendable (inout Site) -> Void, Int)] = [
            ({ _ in }, 304), ({ $0.title = "Other" }, 200), ({ $0.zone = london }, 200),
            ({ $0.publicURL = "https://tv.example" }, 200),
        ]
        for (change, status) in changes {
            let again = try await RunningServer.run(guide, change: { change(&$0.site) }) { server in
                try await RawClient.get("/", port: server.port, headers: ["If-None-Match: \(tag)"])
            }
            expectEqual(again.status, status)
        }
    }

    /// Each attempt to refresh a source changes its state, but not the generation.
    @Test func statesOfSourcesAreNotCacheable() async throws {
        let guide = try ServedGuide(CacheabilityTests.news)
        let targets = ["/api/v1/sources", "/api/v1/sources?generation=1"]
        try await RunningServer.run(guide) { server in
            for target in targets + targets + targets {
                let before = try await RawClient.get(target, port: server.port, headers: ["If-None-Match: *"])
                expectResponse(
                    before, 200, headers: ["cache-control": "no-store", "etag": nil, "last-modified": nil],
                    lacks: ["failed"], target)
            }
            try guide.write { store in
                var state = SourceState()
                state.lastError = "it is away"
                try store.saveState(state, ofSource: "default")
            }
            for target in targets {
                try await expectText(
                    RawClient.get(target, port: server.port).text, contains: ["\"failed\":true"], target)
            }
        }
    }

    /// The search index is updated after an import, without a new generation.
    @Test func searchResultsOfAnOutdatedIndexAreNotCacheable() async throws {
        let guide = try ServedGuide(CacheabilityTests.news)
        for suffix in ["", "-wal", "-shm"] { unlink(guide.path + "-search" + suffix) }
        try await RunningServer.run(guide) { server in
            let target = "/api/v1/search?q=harbour"
            for target in [target, "/search?q=harbour"] {
                let missing = try await RawClient.get(target, port: server.port)
                expectEqual(missing.status, 503, "\(target)")
                _ = try #require(missing["retry-after"], "\(target)")
            }
            // Similar airings come from the index, and all else does not.
            let similar = ["/api/v1/airings/1?similar=1", "/airings/1"]
            for target in similar {
                let missing = try await RawClient.get(target, port: server.port)
                expectResponse(missing, 200, headers: ["cache-control": "no-store", "etag": nil], target)
            }
            for target in ["/api/v1/airings/1", "/series?title=Harbour"] {
                _ = try await #require(RawClient.get(target, port: server.port)["etag"], "\(target)")
            }
            try guide.write { try $0.refreshSearchIndex() }
            let after = try await RawClient.get(target, port: server.port)
            expectText(after.text, contains: ["Harbour"])
            for target in [target] + similar {
                _ = try await #require(RawClient.get(target, port: server.port)["etag"], "\(target)")
            }
        }
    }

    /// An import may happen after the service gets the version and before it reads the guide.
    @Test func urlWithGenerationIsNotServedFromAnotherOne() throws {
        let guide = try ServedGuide(CacheabilityTests.news)
        let store = try GuideStore(readingFrom: guide.path)
        let site = Site(zone: .utc)
        func version(_ generation: Int64, nonce: Int64 = 1) -> GuideVersion {
            GuideVersion(generation: Generation(generation), nonce: nonce, since: nil)
        }
        let name = GenerationName(version(1), edition: site.edition)
        var parameters = try ParameterReader(
            query: "generation=\(name)", clock: RunningServer.now, defaultZone: .utc)
        let query = try CanonicalQuery(ConstantEndpoint.self, &parameters)
        expectEqual(query.freshness, .immutable)
        var other = site
        other.title = "Another title"
        for (version, site, matches) in [
            (version(1), site, true), (version(2), site, false), (version(1, nonce: 2), site, false),
            (version(1), other, false),
        ] {
            let view = GuideView(
                guide: store, version: version, currentSchedules: CurrentSchedules(capacity: 1 << 20), site: site)
            if matches {
                try expectEqual(String(buffer: query.document(from: view).bytes), "constant")
            } else {
                let problem = #expect(throws: Problem.self) { try query.document(from: view) }
                expectEqual(problem?.status, .conflict)
            }
        }
        try store.close()
    }
}
