import TestSupport
import Testing

@testable import EPGServer
@testable import ServiceTestSupport

/// Tests of responses while the guide changes.
@Suite struct GenerationOrderTests {
    private static let target = "/api/v1/grid?rows=0-9&from=1792864800&hours=3"

    /// The watch checks the database four times a second, so in most rounds it has not seen the change yet.
    @Test func noResponseIsOlderThanThePreviousOne() async throws {
        let guide = try ServedGuide(GenerationOrderTests.programme(0))
        try await RunningServer.run(guide) { server in
            for round in 1...5 {
                _ = try await RawClient.get(GenerationOrderTests.target, port: server.port)
                try guide.importGuide(ServedGuide.document(GenerationOrderTests.programme(round)))
                // The response to a new viewport is read from the current guide.
                let fresh = try await RawClient.get("\(GenerationOrderTests.target)&x=\(round)", port: server.port)
                expectText(fresh.text, contains: ["Part \(round)"])
                let again = try await RawClient.get(GenerationOrderTests.target, port: server.port)
                expectText(again.text, contains: ["Part \(round)"])
            }
        }
    }

    private static func programme(_ round: Int) -> String {
        """
        <programme start="20261024190000 +0000" stop="20261024200000 +0000" channel="a"><title>Part \(round)</title></programme>
        """
    }
}
