@testable import EPGServer

/// A service with the sample guide and with limits that a test sets.
struct GuardedServer: Sendable {
    private let server: RunningServer

    /// The port; 0 if the service listens on a Unix socket.
    var port: Int { server.port }

    /// Starts the service on a free port of 127.0.0.1, runs `body` and shuts the service down.
    ///
    /// - Parameters:
    ///   - delay: Additional duration of each read of the guide.
    ///   - gate: Gate that each read of the guide passes; `nil` for none.
    static func run<Outcome: Sendable>(
        delay: Duration = .zero, gate: Gate? = nil, change: (inout ServerSettings) -> Void = { _ in },
        _ body: @Sendable (GuardedServer) async throws -> Outcome
    ) async throws -> Outcome {
        let guide = try ServedGuide(bytes: ServedGuide.sample("evening.xml"), as: "sample \"quoted\" \\ feed")
        return try await RunningServer.run(guide, change: change) { pool, settings in
            GatedGuide(guide: pool, delay: delay, gate: gate, limit: settings.queryDeadline)
        } _: { server in
            try await body(GuardedServer(server: server))
        }
    }

    /// Shuts the service down as a signal does.
    func shutDown() async { await server.shutDown() }

    /// Sends bytes on a new connection and returns the response; `nil` if the server closes the connection without one.
    func exchange(_ bytes: String) async throws -> RawResponse? {
        try await RawClient.onThread { [port] in
            let client = try RawClient(port: port)
            // A server that has rejected the request may have closed the connection.
            _ = Result { try client.send(bytes) }
            return try? client.readResponse()
        }
    }

    /// Returns whether the service responds to a valid request.
    func isHealthy() async throws -> Bool {
        try await RawClient.get("/healthz", port: port).status == 200
    }
}
