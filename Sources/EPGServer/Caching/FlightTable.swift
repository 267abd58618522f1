import HTTPTypes
import Synchronization

/// Questions that are being asked: who asks one of them again waits for the answer.
final class FlightTable: Sendable {
    /// How many questions may be asked, or wait to be, at once.
    private let limit: Int
    private let flights = Mutex<[String: Task<CachedAnswer, any Error>]>([:])

    init(limit: Int = 512) {
        self.limit = limit
    }

    /// The answer of the flight of that key, which is begun where there is none.
    ///
    /// It isn't cancelled with one of those who wait for it.
    /// - Throws: ``Problem`` with status 503 where too many are asked already, and what `begin` throws.
    func join(_ key: String, _ begin: @escaping @Sendable () async throws -> CachedAnswer) async throws -> CachedAnswer
    {
        let task = try flights.withLock { flights in
            if let task = flights[key] { return task }
            guard flights.count < limit else {
                throw Problem(.serviceUnavailable, "Too much is asked at once; come back in a moment.", retryAfter: 1)
            }
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
