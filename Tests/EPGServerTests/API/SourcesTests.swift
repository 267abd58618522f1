import EPGModel
import EPGStore
import Foundation
import NIOCore
import Testing
import Yams

@testable import EPGServer

/// Tests of the refresh status in `/api/v1/sources`.
@Suite struct SourcesTests {
    private func sources(nextRefresh: (@Sendable (SourceSummary) -> Instant?)?) async throws -> [String: Loose] {
        let guide = try ServedGuide()
        try guide.addSources()
        let text = try await RunningServer.run(guide, change: { $0.nextRefresh = nextRefresh }) { server in
            try await RawClient.get("/api/v1/sources", port: server.port).text
        }
        #expect(!text.contains("secret"))
        let list = Loose(try JSONSerialization.jsonObject(with: Data(text.utf8)))["sources"].list
        return Dictionary(uniqueKeysWithValues: list.map { ($0["name"].text ?? "", $0) })
    }

    @Test func sourcesReportLastAndNextRefresh() async throws {
        let sources = try await sources { summary in
            summary.source.name == "east" ? RunningServer.now.advanced(by: 3600) : nil
        }
        let east = try #require(sources["east"])
        #expect(east["lastResult"].text == "failed" && east["failed"].flag == true)
        #expect(east["lastDuration"].number == 1.25)
        #expect(east["failures"].integer == 3)
        // One hour after 18:10.
        #expect(east["nextRefresh"].text == "2026-10-24T19:10:00Z")
        let new = try #require(sources["new"])
        #expect(new["failures"].integer == 0)
        #expect(new.keys.isDisjoint(with: ["lastResult", "lastDuration", "nextRefresh", "failed"]))
    }

    @Test func nextRefreshIsMissingIfTheServiceDoesNotRefresh() async throws {
        let sources = try await sources(nextRefresh: nil)
        #expect(sources.count >= 2 && sources.values.allSatisfy { $0["nextRefresh"].value == nil })
    }

    @Test func membersOfSourcesAreDescribed() async throws {
        let text = String(decoding: OpenAPIEndpoint.bytes.readableBytesView, as: UTF8.self)
        let schema = Loose(try Yams.load(yaml: text))["components"]["schemas"]["Source"]
        let described = schema["properties"].keys
        let sources = try await sources { _ in RunningServer.now }
        for source in sources.values {
            #expect(source.keys.isSubset(of: described))
            #expect(source.keys.isSuperset(of: schema["required"].texts))
        }
        // Each member occurs in some source.
        let actual = sources.values.reduce(into: Set<String>()) { $0.formUnion($1.keys) }
        #expect(described.subtracting(actual).isSubset(of: ["timeZone", "interval"]))
        #expect(schema["properties"]["lastResult"]["enum"].texts == RefreshResult.allCases.map(\.rawValue))
    }
}
