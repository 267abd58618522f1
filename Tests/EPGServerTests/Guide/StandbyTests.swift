import EPGModel
import EPGStore
import StoreConformance
import Synchronization
import TestSupport
import Testing

@testable import EPGServer
@testable import ServiceTestSupport

/// Tests of a service that reads a standby behind its primary.
@Suite struct StandbyTests {
    /// A standby that replays the guide of a backup until it catches up with its primary.
    private final class Standby: ForwardingStorage, @unchecked Sendable {
        private let former: GuideDatabase
        private let isCurrent = Atomic(false)

        init(of primary: any GuideStorage, former: GuideDatabase) {
            self.former = former
            super.init(primary)
        }

        func catchUp() { isCurrent.store(true, ordering: .releasing) }

        override func read<Value>(
            until limit: ReadingLimit, _ body: (any GuideReading) throws -> Value
        ) throws -> Value {
            try isCurrent.load(ordering: .acquiring)
                ? storage.read(until: limit, body) : former.read(until: limit, body)
        }

        override func server() -> DatabaseServer? {
            let isCurrent = isCurrent.load(ordering: .acquiring)
            return DatabaseServer(
                host: "replica:5432", role: .standby, lag: isCurrent ? .zero : .milliseconds(1_260),
                generationsBehind: isCurrent ? 0 : 1)
        }
    }

    private static func programme(_ title: String) -> String {
        """
        <programme start="20261024180000 +0000" stop="20261024190000 +0000" channel="a"><title>\(title)</title></programme>
        """
    }

    /// Runs a service whose guide is at the generation before its primary's.
    private func withStandby<Value: Sendable>(
        _ body: @Sendable (RunningServer, Standby, _ newest: Generation) async throws -> Value
    ) async throws -> Value {
        let guide = try ServedGuide(Self.programme("Old"))
        let former = GuideDatabase(path: guide.folder + "/former.sqlite")
        _ = try GuideDatabase(path: guide.path).backUp(to: former.location, target: .new)
        let newest = try guide.importGuide(ServedGuide.document(Self.programme("New"))).generation
        let standby = Standby(of: GuideDatabase(path: guide.path), former: former)
        return try await RunningServer.run(guide, reading: { _, _ in standby }) { server in
            try await expectText(RawClient.get("/api/v1/now", port: server.port).text, contains: ["Old"])
            // The state of the server is read in the background.
            while try await !RawClient.get("/readyz", port: server.port).text.contains("standby") {
                try await Task.sleep(for: .milliseconds(10))
            }
            return try await body(server, standby, newest)
        }
    }

    @Test func generationThatDoesNotArriveIsUnavailable() async throws {
        try await withStandby { server, _, newest in
            // At the same time, because each response takes a second.
            try await withThrowingTaskGroup(of: Void.self) { group in
                for target in ["/api/v1/now?generation=", "/api/v1/changes?since=", "/xmltv.xml?generation="] {
                    group.addTask {
                        let response = try await RawClient.get("\(target)\(newest)", port: server.port)
                        expectResponse(
                            response, 503, headers: ["retry-after": "1", "cache-control": "no-store"], target)
                    }
                }
                try await group.waitForAll()
            }
        }
    }

    @Test func generationThatArrivesIsAwaited() async throws {
        // On a busy machine, the service can see the generation only after the second that it waits. Another service tries it again.
        for _ in 0..<10 {
            let response = try await withStandby { server, standby, newest in
                async let response = RawClient.get("/api/v1/now?generation=\(newest)", port: server.port)
                try await Task.sleep(for: .milliseconds(100))
                standby.catchUp()
                return try await response
            }
            if response.status == 503 { continue }
            return expectResponse(response, 200, contains: ["New"])
        }
        Issue.record("Each of ten services answered 503.")
    }

    /// A generation that the primary has overwritten is not awaited.
    @Test func olderGenerationIsAConflict() async throws {
        try await withStandby { server, _, newest in
            let response = try await RawClient.get("/api/v1/now?generation=\(newest.rawValue - 2)", port: server.port)
            expectEqual(response.status, 409)
        }
    }

    @Test func serverAndLagAreReported() async throws {
        try await withStandby { server, _, _ in
            let readiness = try await RawClient.get("/readyz", port: server.port).text
            expectEqual(readiness, "ready\nstandby replica:5432, 1.2 s and 1 generation behind\n")
            let metrics = try await RawClient.get("/metrics", port: server.port).text.split(separator: "\n")
            let lines: Set<Substring> = [
                #"epg_database_role{host="replica:5432",role="standby"} 1"#,
                #"epg_database_role{host="replica:5432",role="primary"} 0"#, "epg_database_lag_seconds 1.26",
                "epg_database_lag_generations 1",
            ]
            expectEqual(lines.subtracting(metrics), [])
        }
    }
}
