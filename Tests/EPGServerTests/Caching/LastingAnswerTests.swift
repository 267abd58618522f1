import EPGCalendar
import EPGModel
import EPGStore
import Glibc
import HTTPTypes
import NIOCore
import Testing

@testable import EPGServer

/// What may be kept, and for how long it is what it was.
@Suite struct LastingAnswerTests {
    private static let news = """
        <programme start="20261024180000 +0000" stop="20261024190000 +0000" channel="one"><title>Harbour</title></programme>
        """

    @Test func whatAServiceWithAnotherTitleZoneOrAddressSaysIsAnotherAnswer() async throws {
        let guide = try ServedGuide(LastingAnswerTests.news)
        let london = try Zone(named: "Europe/London")
        let first = try await RunningServer.run(guide) { try await RawClient.get("/", port: $0.port) }
        let tag = try #require(first["etag"])
        let changes: [(@Sendable (inout Site) -> Void, Int)] = [
            ({ _ in }, 304), ({ $0.title = "Other" }, 200), ({ $0.zone = london }, 200),
            ({ $0.publicAddress = "https://tv.example" }, 200),
        ]
        for (change, status) in changes {
            let again = try await RunningServer.run(guide, change: { change(&$0.site) }) { server in
                try await RawClient.get("/", port: server.port, headers: ["If-None-Match: \(tag)"])
            }
            #expect(again.status == status)
        }
    }

    /// The state of a source changes with each attempt to refresh it, the generation doesn't.
    @Test(arguments: ["/api/v1/sources", "/api/v1/sources?generation=1"])
    func theStatesOfSourcesAreNeverKept(target: String) async throws {
        let guide = try ServedGuide(LastingAnswerTests.news)
        try await RunningServer.run(guide) { server in
            for _ in 0..<3 {
                let before = try await RawClient.get(target, port: server.port, headers: ["If-None-Match: *"])
                #expect(before.status == 200)
                #expect(before["cache-control"] == "no-store")
                #expect(before["etag"] == nil && before["last-modified"] == nil)
                #expect(!before.text.contains("failed"))
            }
            try guide.write { store in
                var state = SourceState()
                state.lastError = "it is away"
                try store.saveState(state, ofSource: "default")
            }
            #expect(try await RawClient.get(target, port: server.port).text.contains("\"failed\":true"))
        }
    }

    /// The index for searches is brought up to date after the import, without a new generation.
    @Test func whatIsFoundBeforeTheIndexKnowsTheGuideIsNotKept() async throws {
        let guide = try ServedGuide(LastingAnswerTests.news)
        for suffix in ["", "-wal", "-shm"] { unlink(guide.path + "-search" + suffix) }
        try await RunningServer.run(guide) { server in
            for target in ["/api/v1/airings/1", "/airings/1"] {
                let before = try await RawClient.get(target, port: server.port)
                #expect(before["cache-control"] == "no-store" && before["etag"] == nil, "\(target)")
            }
            let target = "/api/v1/search?q=harbour"
            for target in [target, "/search?q=harbour"] {
                let missing = try await RawClient.get(target, port: server.port)
                #expect(missing.status == 503 && missing["retry-after"] != nil, "\(target)")
            }
            try guide.write { try $0.refreshSearchIndex() }
            let after = try await RawClient.get(target, port: server.port)
            #expect(after.text.contains("Harbour"))
            #expect(after["etag"] != nil)
        }
    }

    /// An import may come between the look at the version and the reading.
    @Test func aGuideOfAnotherGenerationDoesNotAnswerAnAddressThatNamesOne() throws {
        let guide = try ServedGuide(LastingAnswerTests.news)
        let store = try GuideStore(readingFrom: guide.path)
        let site = Site(zone: .utc)
        func version(_ generation: Int64, nonce: Int64 = 1) -> GuideVersion {
            GuideVersion(generation: Generation(generation), nonce: nonce, since: nil)
        }
        let name = GenerationName(version(1), edition: site.edition.name)
        let request = try RequestReader(
            query: "generation=\(name)", captures: [:], clock: RunningServer.now, defaultZone: .utc, host: nil)
        let question = try Question(path: "/x", request, freshness: .live) { _ in Document(.plain, text: "answer") }
        #expect(question.freshness == .immutable)
        var other = site
        other.title = "Another title"
        for (version, site, isRight) in [
            (version(1), site, true), (version(2), site, false), (version(1, nonce: 2), site, false),
            (version(1), other, false),
        ] {
            let view = GuideView(
                guide: store, version: version, standing: StandingSchedules(capacity: 1 << 20), site: site)
            if isRight {
                #expect(try String(buffer: question.answer(view).bytes) == "answer")
            } else {
                let problem = #expect(throws: Problem.self) { try question.answer(view) }
                #expect(problem?.status == .conflict)
            }
        }
        try store.close()
    }
}
