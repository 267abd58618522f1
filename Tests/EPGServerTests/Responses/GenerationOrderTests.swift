import Testing

@testable import EPGServer

/// Responses while the guide changes.
@Suite struct GenerationOrderTests {
    private static let kept = "/api/v1/grid?rows=0-9&from=1792864800&hours=3"

    /// The watch looks four times a second, so in most rounds it does not know of the change yet.
    @Test func noResponseIsOlderThanTheOneBefore() async throws {
        let guide = try ServedGuide(GenerationOrderTests.programme(0))
        try await RunningServer.run(guide) { server in
            for round in 1...5 {
                _ = try await RawClient.get(GenerationOrderTests.kept, port: server.port)
                try guide.take(ServedGuide.document(GenerationOrderTests.programme(round)))
                // An unseen viewport is read from the current guide.
                let fresh = try await RawClient.get("\(GenerationOrderTests.kept)&x=\(round)", port: server.port)
                #expect(GenerationOrderTests.names(round, fresh))
                let again = try await RawClient.get(GenerationOrderTests.kept, port: server.port)
                #expect(GenerationOrderTests.names(round, again))
            }
        }
    }

    private static func names(_ round: Int, _ answer: RawAnswer) -> Bool {
        String(decoding: answer.body, as: UTF8.self).contains("Part \(round)")
    }

    private static func programme(_ round: Int) -> String {
        """
        <programme start="20261024190000 +0000" stop="20261024200000 +0000" channel="a"><title>Part \(round)</title></programme>
        """
    }
}
