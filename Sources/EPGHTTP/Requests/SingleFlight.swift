import Synchronization

/// Coalesces equal work (single-flight): a client that requests work in progress waits for its outcome.
///
/// The work is canceled when the last client that waits for it disconnects.
package final class SingleFlight<Outcome: Sendable>: Sendable {
    /// Work in progress.
    private struct Operation {
        /// Distinguishes the operation from later ones with the same key.
        let number: Int
        let task: Task<Outcome, any Error>
        /// The clients that wait for the outcome.
        var waiters = 0
    }

    private struct State {
        var operations: [String: Operation] = [:]
        var nextNumber = 0
    }

    private let state = Mutex(State())

    /// Creates an object without work in progress.
    package init() {}

    /// Returns the outcome of the work with a key, and starts the work unless it is in progress.
    ///
    /// - Parameters:
    ///   - disconnectSignal: Notifies of the disconnection of the client; `nil` to ignore it.
    ///   - work: Runs in a task that is canceled when all clients have disconnected.
    /// - Throws: The error of `work`.
    package func join(
        _ key: String, until disconnectSignal: DisconnectSignal?,
        _ work: @escaping @Sendable () async throws -> Outcome
    ) async throws -> Outcome {
        let operation = state.withLock { state in
            var operation = state.operations[key] ?? start(key, work, &state)
            operation.waiters += 1
            state.operations[key] = operation
            return operation
        }
        guard let disconnectSignal else { return try await operation.task.value }
        return try await disconnectSignal.withDisconnectHandler {
            self.removeWaiter(key, operation.number)
        } during: {
            try await operation.task.value
        }
    }

    /// The number of clients that wait for the outcome with a key.
    package func waiterCount(of key: String) -> Int { state.withLock { $0.operations[key]?.waiters ?? 0 } }

    private func start(
        _ key: String, _ work: @escaping @Sendable () async throws -> Outcome, _ state: inout State
    ) -> Operation {
        state.nextNumber += 1
        let number = state.nextNumber
        let task = Task {
            defer { self.finish(key, number) }
            return try await work()
        }
        return Operation(number: number, task: task)
    }

    /// Removes a waiting client. If it was the last one, cancels the work; the next equal request starts it again.
    private func removeWaiter(_ key: String, _ number: Int) {
        let abandoned = state.withLock { state -> Task<Outcome, any Error>? in
            guard var operation = state.operations[key], operation.number == number else { return nil }
            operation.waiters -= 1
            state.operations[key] = operation.waiters > 0 ? operation : nil
            return operation.waiters > 0 ? nil : operation.task
        }
        abandoned?.cancel()
    }

    private func finish(_ key: String, _ number: Int) {
        state.withLock { state in
            if state.operations[key]?.number == number { state.operations[key] = nil }
        }
    }
}
