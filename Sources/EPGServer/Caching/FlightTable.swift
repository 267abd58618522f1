import Synchronization

/// Coalesces equal requests: a client that asks what is being asked already waits for the same outcome.
///
/// When the last client that waits for an outcome has gone, the work for it is cancelled.
final class FlightTable<Outcome: Sendable>: Sendable {
    private struct Flight {
        let number: Int
        let task: Task<Outcome, any Error>
        /// Clients that wait for the outcome.
        var waiters = 0
    }

    private struct State {
        var flights: [String: Flight] = [:]
        var nextNumber = 0
    }

    private let state = Mutex(State())

    /// Returns the outcome of the flight with that key, which is begun where there is none.
    ///
    /// - Parameters:
    ///   - departure: Tells when the client goes; `nil` for one that stays.
    ///   - begin: The work, in a task that is cancelled when all clients have gone.
    /// - Throws: What `begin` throws.
    func join(
        _ key: String, until departure: ClientDeparture?,
        _ begin: @escaping @Sendable () async throws -> Outcome
    ) async throws -> Outcome {
        let flight = state.withLock { state in
            var flight = state.flights[key] ?? self.flight(key, begin, &state)
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

    /// The clients that wait for the outcome with that key.
    func waiterCount(of key: String) -> Int { state.withLock { $0.flights[key]?.waiters ?? 0 } }

    private func flight(
        _ key: String, _ begin: @escaping @Sendable () async throws -> Outcome, _ state: inout State
    ) -> Flight {
        state.nextNumber += 1
        let number = state.nextNumber
        let task = Task {
            defer { self.end(key, number) }
            return try await begin()
        }
        return Flight(number: number, task: task)
    }

    /// A client has gone. After the last one has gone, an equal request begins another flight.
    private func leave(_ key: String, _ number: Int) {
        let abandoned = state.withLock { state -> Task<Outcome, any Error>? in
            guard var flight = state.flights[key], flight.number == number else { return nil }
            flight.waiters -= 1
            state.flights[key] = flight.waiters > 0 ? flight : nil
            return flight.waiters > 0 ? nil : flight.task
        }
        abandoned?.cancel()
    }

    private func end(_ key: String, _ number: Int) {
        state.withLock { state in
            if state.flights[key]?.number == number { state.flights[key] = nil }
        }
    }
}
