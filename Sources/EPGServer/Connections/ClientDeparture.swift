import Synchronization

/// Whether the client of a connection has gone, and what to stop when it goes.
///
/// A client that ends its side of the connection counts as gone: TCP doesn't tell it from a client that closed the connection.
/// Go's `net/http` and nginx do the same. It still receives what can be answered from memory.
final class ClientDeparture: Sendable {
    private struct State {
        var hasGone = false
        var action: (@Sendable () -> Void)?
    }

    /// The departure of the client whose connection the current task handles.
    @TaskLocal static var current: ClientDeparture?

    private let state = Mutex(State())

    /// Records that the client has gone, and runs the action that waits for it.
    func announce() {
        let action = state.withLock { state in
            state.hasGone = true
            return state.action.take()
        }
        action?()
    }

    /// Runs the action when the client goes during `body`, at most once; at once where it has gone.
    ///
    /// One request of a connection is answered at a time, so that there is one action.
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
