import Synchronization

/// Coalesces equal work: a client that wants what another one already waits for gets the same outcome.
///
/// The work is cancelled when the last client that waits for it has gone.
final class SingleFlight<Outcome: Sendable>: Sendable {
    private struct Flight {
        let number: Int
        let task: Task<Outcome, any Error>
        /// The clients that wait for the outcome.
        var waiters = 0
    }

    private struct State {
        var flights: [String: Flight] = [:]
        var nextNumber = 0
    }

    private let state = Mutex(State())

    /// Returns the outcome of the work with a key, and starts the work unless it is under way.
    ///
    /// - Parameters:
    ///   - departure: Announces that the client has gone; `nil` for a client that stays.
    ///   - work: Runs in a task that is cancelled when all clients have gone.
    /// - Throws: What `work` throws.
    func join(
        _ key: String, until departure: ClientDeparture?,
        _ work: @escaping @Sendable () async throws -> Outcome
    ) async throws -> Outcome {
        let flight = state.withLock { state in
            var flight = state.flights[key] ?? self.flight(key, work, &state)
            flight.waiters += 1
            state.flights[key] = flight
            return flight
        }
        guard let departure else { return try await flight.task.value }
        return try await departure.onDeparture {
            self.leave(key, flight.number)
        } during: {
            try await flight.task.value
        }
    }

    /// The number of clients that wait for the outcome with a key.
    func waiterCount(of key: String) -> Int { state.withLock { $0.flights[key]?.waiters ?? 0 } }

    private func flight(
        _ key: String, _ work: @escaping @Sendable () async throws -> Outcome, _ state: inout State
    ) -> Flight {
        state.nextNumber += 1
        let number = state.nextNumber
        let task = Task {
            defer { self.finish(key, number) }
            return try await work()
        }
        return Flight(number: number, task: task)
    }

    /// Counts a client out. After the last one, an equal request starts the work anew.
    private func leave(_ key: String, _ number: Int) {
        let abandoned = state.withLock { state -> Task<Outcome, any Error>? in
            guard var flight = state.flights[key], flight.number == number else { return nil }
            flight.waiters -= 1
            state.flights[key] = flight.waiters > 0 ? flight : nil
            return flight.waiters > 0 ? nil : flight.task
        }
        abandoned?.cancel()
    }

    private func finish(_ key: String, _ number: Int) {
        state.withLock { state in
            if state.flights[key]?.number == number { state.flights[key] = nil }
        }
    }
}
