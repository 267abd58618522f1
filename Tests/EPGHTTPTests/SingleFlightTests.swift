import Synchronization
import TestSupport
import Testing

@testable import EPGHTTP
@testable import ServiceTestSupport

/// Counts from several tasks.
private final class Counter: Sendable {
    private let value = Mutex(0)

    var count: Int { value.withLock { $0 } }

    func add() { value.withLock { $0 += 1 } }
}

@Suite struct SingleFlightTests {
    @Test func concurrentWorkWithTheSameKeyRunsOnce() async throws {
        let flights = SingleFlight<CachedResponse>()
        let starts = Counter()
        let response = CachedResponse.sample(bytes: 10)
        try await withThrowingTaskGroup(of: Void.self) { group in
            for _ in 0..<100 {
                group.addTask {
                    _ = try await flights.join("key", until: nil) {
                        starts.add()
                        let haveJoined = try await eventually { flights.waiterCount(of: "key") == 100 }
                        #expect(haveJoined)
                        return response
                    }
                }
            }
            try await group.waitForAll()
        }
        expectEqual(starts.count, 1)
    }

    @Test func workIsCanceledWhenItsLastClientLeaves() async throws {
        let flights = SingleFlight<CachedResponse>()
        let response = CachedResponse.sample(bytes: 10)
        let disconnectSignals = [DisconnectSignal(), DisconnectSignal()]
        let (begun, starter) = AsyncStream.makeStream(of: Void.self)
        let (cancelled, canceller) = AsyncStream.makeStream(of: Void.self)
        let cancellations = Counter()
        let clients = disconnectSignals.map { disconnectSignal in
            Task {
                try await flights.join("key", until: disconnectSignal) {
                    starter.yield()
                    return await withTaskCancellationHandler {
                        for await _ in cancelled { break }
                        return response
                    } onCancel: {
                        cancellations.add()
                        canceller.yield()
                    }
                }
            }
        }
        for await _ in begun { break }
        try #require(try await eventually { flights.waiterCount(of: "key") == 2 })
        disconnectSignals[0].signal()
        expectEqual(cancellations.count, 0)
        expectEqual(flights.waiterCount(of: "key"), 1)
        disconnectSignals[1].signal()
        expectEqual(cancellations.count, 1)
        for client in clients { _ = await client.result }
        // The next client starts the work again.
        let disconnectSignal = DisconnectSignal()
        _ = try await flights.join("key", until: disconnectSignal) { response }
        disconnectSignal.signal()
    }

    @Test func workOfAClientThatHasLeftIsCanceled() async throws {
        let flights = SingleFlight<CachedResponse>()
        let disconnectSignal = DisconnectSignal()
        disconnectSignal.signal()
        await #expect(throws: CancellationError.self) {
            try await flights.join("key", until: disconnectSignal) {
                // Ends at once because the task is canceled.
                try await Task.sleep(for: .seconds(600))
                throw Problem.notFound("Nothing.")
            }
        }
    }

    @Test func workRunsAgainAfterAFailure() async throws {
        let flights = SingleFlight<CachedResponse>()
        let response = CachedResponse.sample(bytes: 10)
        await #expect(throws: Problem.self) {
            try await flights.join("key", until: nil) { throw Problem.notFound("Nothing.") }
        }
        _ = try await flights.join("key", until: nil) { response }
    }
}
