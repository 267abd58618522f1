import EPGAccess
import EPGModel
import StoreConformance
import TestSupport
import Testing

@testable import EPGServer
@testable import ServiceTestSupport

/// Responses to errors that no controller handles.
@Suite struct FailureTests {
    private struct Bug: Error {}

    /// A guide whose reads for requests, and whose writes, throw an error.
    private final class FailingGuide: ForwardingStorage, @unchecked Sendable {
        let error: any Error
        /// The time limit of reads for requests.
        let limit: Duration

        init(_ guide: any GuideStorage, _ error: any Error, limit: Duration) {
            (self.error, self.limit) = (error, limit)
            super.init(guide)
        }

        override func read<Value>(
            until limit: ReadingLimit, _ body: (any GuideReading) throws -> Value
        ) throws -> Value {
            if limit.duration == self.limit { throw error }
            return try storage.read(until: limit, body)
        }

        override func write<Value>(
            waiting wait: LockWait, _ body: (any GuideWriting) throws -> Value
        ) throws -> Value { throw error }
    }

    /// Errors of the store, and the status and a part of the response to a read and to a change.
    private static let failures: [(error: any Error & Sendable, status: Int, read: String, change: String)] = [
        (
            StoreError.full(path: "/secret"), 503, "The disk of the guide is full",
            "The disk of the guide is full, so nothing was changed."
        ),
        (
            StoreError.inaccessible(path: "/secret", detail: "disk I/O error"), 503, "The guide is unavailable.",
            "The guide cannot be written, so nothing was changed."
        ),
        (
            StoreError.noPrimary(path: "/secret", detail: ""), 503, "No server of the database",
            "No server of the database accepts changes"
        ),
        (Bug(), 500, "The service failed.", "The service failed."),
    ]

    @Test func responseSaysWhatFailed() async throws {
        for (error, status, read, change) in Self.failures {
            let log = LogLines()
            try await RunningServer.run(
                SharedGuides.served.get(), tokens: ["token": [.imports, .watch]], log: log,
                reading: { FailingGuide($0, error, limit: $1.queryDeadline) }
            ) { server in
                let list = try await RawClient.get("/api/v1/stations", port: server.port)
                expectResponse(list, status, contains: [read], lacks: ["/secret"])
                let page = try await RawClient.get("/stations", port: server.port, headers: ["Accept: text/html"])
                expectResponse(
                    page, status, contains: [status == 503 ? "The guide is unavailable" : "This request failed", read])
                let rule = try await RawClient.request(
                    "POST", "/api/v1/watch", port: server.port,
                    headers: ["Authorization: Bearer token", "Content-Type: application/json"],
                    body: Array(#"{"title":"News"}"#.utf8))
                expectResponse(rule, status, contains: [change], lacks: ["/secret"])
                expectText(log.all.joined(), contains: [rule["x-request-id"] ?? "?"])
            }
        }
    }
}
