import EPGModel
import EPGStore
import Foundation
import NIOCore
import TestSupport
import Testing
import Yams

@testable import EPGServer
@testable import ServiceTestSupport

/// Tests of the refresh status in `/api/v1/sources`.
@Suite struct SourcesTests {
    private func sources(nextRefresh: (@Sendable (SourceSummary) -> Instant?)?) async throws -> [String: Loose] {
        let guide = try ServedGuide()
        try guide.addSources()
        let text = try await RunningServer.run(guide, change: { $0.nextRefresh = nextRefresh }) { server in
            try await RawClient.get("/api/v1/sources", port: server.port).text
        }
        expectText(text, lacks: ["secret"])
        let list = Loose(try JSONSerialization.jsonObject(with: Data(text.utf8)))["sources"].list
        return Dictionary(uniqueKeysWithValues: list.map { ($0["name"].text ?? "", $0) })
    }

    @Test func sourcesReportLastAndNextRefresh() async throws {
        let sources = try await sources { summary in
            summary.source.name == "east" ? RunningServer.now.advanced(by: 3600) : nil
        }
        let east = try #require(sources["east"])
        // One hour after 18:10.
        expectEqual(
            [east["lastResult"].text, east["nextRefresh"].text], ["failed", "2026-10-24T19:10:00Z"])
        expectEqual(east["failed"].flag, true)
        expectEqual(["lastDuration", "failures"].map { east[$0].number }, [1.25, 3])
        let new = try #require(sources["new"])
        expectEqual(new["failures"].integer, 0)
        expectEqual(new.keys.intersection(["lastResult", "lastDuration", "nextRefresh", "failed"]), [])
    }

    @Test func nextRefreshIsMissingIfTheServiceDoesNotRefresh() async throws {
        let sources = try await sources(nextRefresh: nil)
        expectEqual(sources.keys.sorted(), ["default", "east", "new"])
        for (name, source) in sources { expectNil(source["nextRefresh"].value, name) }
    }

    @Test func membersOfSourcesAreDescribed() async throws {
        let text = String(decoding: OpenAPIEndpoint.bytes.readableBytesView, as: UTF8.self)
        let schema = Loose(try Yams.load(yaml: text))["components"]["schemas"]["Source"]
        let described = schema["properties"].keys
        let sources = try await sources { _ in RunningServer.now }
        for (name, source) in sources {
            expectEqual(source.keys.subtracting(described), [], name)
            expectEqual(Set(schema["required"].texts).subtracting(source.keys), [], name)
        }
        // Each member occurs in some source.
        let actual = sources.values.reduce(into: Set<String>()) { $0.formUnion($1.keys) }
        expectEqual(described.subtracting(actual).subtracting(["timeZone", "interval"]), [])
        expectEqual(schema["properties"]["lastResult"]["enum"].texts, RefreshResult.allCases.map(\.rawValue))
    }
}
