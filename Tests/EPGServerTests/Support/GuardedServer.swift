import EPGServer

/// The service over the sample guide, with limits of a test's own.
struct GuardedServer: Sendable {
    private let server: RunningServer

    /// 0 where it listens on a Unix socket.
    var port: Int { server.port }

    /// Starts the service on a free port of 127.0.0.1, hands it over, and shuts it down.
    ///
    /// - Parameters:
    ///   - delay: How long the guide takes to every question besides.
    ///   - gate: What every question to the guide passes; `nil` for none.
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

    /// Sends bytes on a connection of their own, and reads the answer; `nil` where the connection is closed without one.
    func exchange(_ bytes: String) async throws -> RawAnswer? {
        try await RawClient.onThread { [port] in
            let client = try RawClient(port: port)
            // A server that has refused already may have closed.
            _ = Result { try client.send(bytes) }
            return try? client.readAnswer()
        }
    }

    /// Whether a healthy client is answered.
    func isHealthy() async throws -> Bool {
        try await RawClient.get("/healthz", port: port).status == 200
    }
}
