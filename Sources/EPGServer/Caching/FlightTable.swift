import Synchronization

/// Questions that are being asked: who asks one of them again waits for the answer.
final class FlightTable: Sendable {
    private let flights = Mutex<[String: Task<CachedAnswer, any Error>]>([:])

    /// The answer of the flight of that key, which is begun where there is none.
    ///
    /// It isn't cancelled with one of those who wait for it.
    func join(_ key: String, _ begin: @escaping @Sendable () async throws -> CachedAnswer) async throws -> CachedAnswer
    {
        let task = flights.withLock { flights in
            if let task = flights[key] { return task }
            let task = Task {
                defer { _ = self.flights.withLock { $0.removeValue(forKey: key) } }
                return try await begin()
            }
            flights[key] = task
            return task
        }
        return try await task.value
    }
}
