import EPGCalendar
import EPGModel
import HTTPTypes
import NIOCore
import Synchronization
import Testing

@testable import EPGServer

/// Counts from several tasks.
private final class Counter: Sendable {
    private let value = Mutex(0)

    var count: Int { value.withLock { $0 } }

    func add() { value.withLock { $0 += 1 } }
}

@Suite struct AnswerCacheTests {
    private func answer(bytes count: Int) throws -> CachedAnswer {
        let request = try RequestReader(
            query: nil, captures: [:], clock: Instant(secondsSince1970: 0), defaultZone: .utc, host: nil)
        let question = try Question(path: "/x", request, freshness: .live) { _ in Document(.plain, text: "") }
        return CachedAnswer(
            Document(MediaType("image/png", isText: false), ByteBuffer(repeating: 7, count: count)), of: question,
            at: GuideVersion(generation: Generation(1), nonce: 7, since: nil))
    }

    @Test func itNeverHoldsMoreThanItHasRoomFor() throws {
        let cache = AnswerCache(capacity: 100_000)
        for number in 0..<1000 {
            cache.insert(try answer(bytes: 1000), for: "key \(number)")
            #expect(cache.counts.bytes <= 100_000)
        }
        #expect(cache.counts.entries > 20)
        #expect(cache.counts.evictions == 1000 - cache.counts.entries)
    }

    @Test func whatIsUsedStaysAndWhatIsNotGoes() throws {
        let cache = AnswerCache(capacity: 100_000)
        cache.insert(try answer(bytes: 1000), for: "wanted")
        for number in 0..<1000 {
            #expect(cache["wanted"] != nil)
            cache.insert(try answer(bytes: 1000), for: "key \(number)")
        }
        #expect(cache["key 0"] == nil)
    }

    @Test func anAnswerGreaterThanAnEighthOfTheRoomIsNotKept() throws {
        let cache = AnswerCache(capacity: 100_000)
        cache.insert(try answer(bytes: 20_000), for: "large")
        #expect(cache["large"] == nil)
        #expect(cache.counts.bytes == 0)
    }

    @Test func ofManyWhoAskTheSameAtOnceOneAsksTheGuide() async throws {
        let flights = FlightTable<CachedAnswer>()
        let asked = Counter()
        let kept = try answer(bytes: 10)
        try await withThrowingTaskGroup(of: Void.self) { group in
            for _ in 0..<100 {
                group.addTask {
                    _ = try await flights.join("key", until: nil) {
                        asked.add()
                        try await Task.sleep(for: .milliseconds(50))
                        return kept
                    }
                }
            }
            try await group.waitForAll()
        }
        #expect(asked.count == 1)
    }

    @Test func theWorkIsCancelledWhenItsLastClientHasGone() async throws {
        let flights = FlightTable<CachedAnswer>()
        let kept = try answer(bytes: 10)
        let departures = [ClientDeparture(), ClientDeparture()]
        let (begun, starter) = AsyncStream.makeStream(of: Void.self)
        let (cancelled, canceller) = AsyncStream.makeStream(of: Void.self)
        let cancellations = Counter()
        let clients = departures.map { departure in
            Task {
                try await flights.join("key", until: departure) {
                    starter.yield()
                    return await withTaskCancellationHandler {
                        for await _ in cancelled { break }
                        return kept
                    } onCancel: {
                        cancellations.add()
                        canceller.yield()
                    }
                }
            }
        }
        for await _ in begun { break }
        while flights.waiterCount(of: "key") != 2 { try await Task.sleep(for: .milliseconds(1)) }
        departures[0].announce()
        #expect(cancellations.count == 0)
        #expect(flights.waiterCount(of: "key") == 1)
        departures[1].announce()
        #expect(cancellations.count == 1)
        for client in clients { _ = await client.result }
        // Who asks now begins anew.
        let departure = ClientDeparture()
        _ = try await flights.join("key", until: departure) { kept }
        departure.announce()
    }

    @Test func aClientThatHasGoneBeforeItsQuestionBeginsCancelsIt() async throws {
        let flights = FlightTable<CachedAnswer>()
        let departure = ClientDeparture()
        departure.announce()
        await #expect(throws: CancellationError.self) {
            try await flights.join("key", until: departure) {
                // Ends at once, as the task is cancelled.
                try await Task.sleep(for: .seconds(600))
                throw Problem.notFound("Nothing.")
            }
        }
    }

    @Test func afterAFailureTheNextOneAsksAgain() async throws {
        let flights = FlightTable<CachedAnswer>()
        let kept = try answer(bytes: 10)
        await #expect(throws: Problem.self) {
            try await flights.join("key", until: nil) { throw Problem.notFound("Nothing.") }
        }
        _ = try await flights.join("key", until: nil) { kept }
    }
}
