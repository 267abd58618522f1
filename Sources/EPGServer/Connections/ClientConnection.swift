import Synchronization

/// The client of a connection, as requests see it.
final class ClientConnection: Sendable {
    /// The connection of the request that the current task handles.
    @TaskLocal static var current: ClientConnection?

    let departure = ClientDeparture()
    private let state: Mutex<ForwardedClient>

    init(_ client: ForwardedClient) { state = Mutex(client) }

    /// The client of the current request. Those of a proxy's connection may differ.
    var client: ForwardedClient {
        get { state.withLock { $0 } }
        set { state.withLock { $0 = newValue } }
    }
}

/// A client, which a trusted proxy may have forwarded a request for.
struct ForwardedClient: Hashable, Sendable {
    /// The address that logs show: that of the connection; for a trusted proxy the one that the proxy has seen.
    let address: ClientAddress
    /// The address that limits count; `nil` for a client that is not limited, which is one on a Unix socket, and a trusted proxy
    /// that names no client.
    let limitedAddress: ClientAddress?
}

/// Announces that the client of a connection has gone.
/// A client that closes its side counts as gone, as in Go's `net/http` and nginx: TCP does not tell whether it still reads.
final class ClientDeparture: Sendable {
    private let state = Mutex<(hasGone: Bool, action: (@Sendable () -> Void)?)>((false, nil))

    func announce() {
        let action = state.withLock { state in
            state.hasGone = true
            return state.action.take()
        }
        action?()
    }

    /// Runs an action when the client goes during `body`, or at once if it has gone. One call at a time.
    func onDeparture<Outcome: Sendable>(
        _ action: @escaping @Sendable () -> Void, during body: () async throws -> Outcome
    ) async throws -> Outcome {
        let hasGone = state.withLock { state in
            if !state.hasGone { state.action = action }
            return state.hasGone
        }
        if hasGone { action() }
        defer { state.withLock { $0.action = nil } }
        return try await body()
    }
}
