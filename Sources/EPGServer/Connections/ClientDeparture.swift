import Synchronization

/// Announces that the client of a connection has gone.
/// A client that closes its side counts as gone, as in Go's `net/http` and nginx: TCP does not tell whether it still reads.
final class ClientDeparture: Sendable {
    /// The departure of the client whose request the current task handles.
    @TaskLocal static var current: ClientDeparture?

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
