import Dispatch
import EPGModel
import Glibc
import HTTPTypes
import NIOPosix
import Synchronization
import TestSupport
import Testing

@testable import EPGHTTP
@testable import ServiceTestSupport

/// Tests of the limits and the order of a class of requests.
@Suite("Admission of requests", .timeLimit(.minutes(30)))
struct RequestAdmissionTests {
    private static let (one, two, three) = (ClientAddress.four(1), ClientAddress.four(2), ClientAddress.four(3))

    /// Limits of two threads, one per client, and four places, two per client.
    private static let limits = RequestAdmission.Limits(
        running: 2, runningPerClient: 1, places: 4, placesPerClient: 2, retryAfter: 7)

    private func run(
        _ limits: RequestAdmission.Limits = limits, _ body: (RequestAdmission) async throws -> Void
    ) async throws {
        let admission = RequestAdmission(limits)
        admission.threads.start()
        do {
            try await body(admission)
        } catch {
            try await admission.threads.shutdownGracefully()
            throw error
        }
        try await admission.threads.shutdownGracefully()
    }

    /// Waits until the counts meet a condition.
    private func wait(
        for admission: RequestAdmission, until isReached: (RequestAdmission.Counts) -> Bool
    ) async throws {
        try #require(try await eventually { isReached(admission.counts) })
    }

    /// Strangers who fill all places do not keep a known client out.
    @Test func knownClientHasPlacesOfItsOwn() async throws {
        let limits = RequestAdmission.Limits(
            running: 1, runningPerClient: 1, places: 2, placesPerClient: 2, placesOfKnownClients: 1, retryAfter: 7)
        try await run(limits) { admission in
            let gate = Latch()
            defer { gate.open() }
            let strangers = (1...2).map { _ in Task { try await admission.run(for: Self.one) { _ in gate.pass() } } }
            try await wait(for: admission) { ($0.running, $0.waiting) == (1, 1) }
            let refused = await #expect(throws: Problem.self) { try await admission.run(for: Self.two) { _ in } }
            expectEqual(refused?.status, .serviceUnavailable)
            let known = Task { try await admission.run(for: Self.two, isKnown: true) { _ in 2 } }
            try await wait(for: admission) { $0.waiting == 2 }
            let further = await #expect(throws: Problem.self) {
                try await admission.run(for: Self.three, isKnown: true) { _ in }
            }
            expectEqual(further?.status, .serviceUnavailable)
            gate.open()
            expectEqual(try await known.value, 2)
            for stranger in strangers { try await stranger.value }
        }
    }

    @Test func clientAboveItsLimitIsRejectedWhileOthersRun() async throws {
        try await run { admission in
            let gate = Latch()
            defer { gate.open() }
            let running = Task { try await admission.run(for: Self.one) { _ in gate.pass() } }
            try await wait(for: admission) { $0.running == 1 }
            let waiting = Task { try await admission.run(for: Self.one) { _ in } }
            try await wait(for: admission) { $0.waiting == 1 }
            let share = await #expect(throws: Problem.self) { try await admission.run(for: Self.one) { _ in } }
            expectEqual(share?.status, .tooManyRequests)
            expectEqual(share?.retryAfter, 7)
            // The second thread is for others, although a request of the first client waits longer.
            expectEqual(try await admission.run(for: Self.two) { _ in 2 }, 2)
            expectEqual(admission.counts.waiting, 1)
            gate.open()
            try await running.value
            try await waiting.value
            expectEqual(admission.counts, RequestAdmission.Counts(refusedByShare: 1))
        }
    }

    @Test func requestAboveTheLimitInTotalIsRejected() async throws {
        try await run { admission in
            let gate = Latch()
            defer { gate.open() }
            let tasks = [Self.one, Self.one, Self.two, Self.two].map { client in
                Task { try await admission.run(for: client) { _ in gate.pass() } }
            }
            try await wait(for: admission) { $0.running == 2 && $0.waiting == 2 }
            let problem = await #expect(throws: Problem.self) { try await admission.run(for: Self.three) { _ in } }
            expectEqual(problem?.status, .serviceUnavailable)
            expectEqual(problem?.retryAfter, 7)
            gate.open()
            for task in tasks { try await task.value }
            expectEqual(try await admission.run(for: Self.three) { _ in 3 }, 3)
            expectEqual(admission.counts, RequestAdmission.Counts(refusedByPlaces: 1))
        }
    }

    /// Clients on a Unix socket are trusted, and may use all threads.
    @Test func clientsWithoutAnAddressHaveNoLimit() async throws {
        try await run { admission in
            let gate = Latch()
            defer { gate.open() }
            let tasks = (0..<4).map { _ in Task { try await admission.run(for: nil) { _ in gate.pass() } } }
            try await wait(for: admission) { $0.running == 2 && $0.waiting == 2 }
            gate.open()
            for task in tasks { try await task.value }
        }
    }

    /// Two clients have a queue each when a third one arrives.
    @Test(arguments: [1, 2]) func clientWithoutRunningRequestsGoesAheadOfQueuedClients(running: Int) async throws {
        let limits = RequestAdmission.Limits(
            running: running, runningPerClient: running, places: 16, placesPerClient: 8, retryAfter: 7)
        try await run(limits) { admission in
            let gate = Latch()
            defer { gate.open() }
            let order = Mutex<[ClientAddress]>([])
            var tasks: [Task<Void, any Error>] = []
            func enter(_ client: ClientAddress, _ work: @escaping @Sendable () -> Void) async throws {
                let before = admission.counts
                tasks.append(
                    Task {
                        try await admission.run(for: client) { _ in work() }
                    })
                try await wait(for: admission) { $0.running + $0.waiting > before.running + before.waiting }
            }
            for client in [Self.one, Self.two].prefix(running) { try await enter(client) { gate.pass() } }
            for client in [Self.one, Self.one, Self.two, Self.two, Self.three] {
                try await enter(client) { order.withLock { $0.append(client) } }
            }
            gate.open()
            for task in tasks { try await task.value }
            // With one thread, each of the others gets a turn before the first client gets its second.
            let turns = order.withLock { $0 }
            if running == 1 {
                expectEqual(turns, [Self.two, Self.three, Self.one, Self.two, Self.one])
            } else {
                #expect(turns.prefix(3).contains(Self.three), "\(turns)")
            }
        }
    }

    /// Clients that send one request after the other join the queue again each time.
    @Test(arguments: [nil, ClientAddress.four(9)])
    func clientsThatKeepArrivingDoNotStarveAQueue(other: ClientAddress?) async throws {
        let limits = RequestAdmission.Limits(
            running: 1, runningPerClient: 1, places: 16, placesPerClient: 8, retryAfter: 7)
        try await run(limits) { admission in
            let gates = (0..<5).map { _ in Latch() }
            defer { for gate in gates { gate.open() } }
            let order = Recorder()
            var tasks: [Task<Void, any Error>] = []
            func enter(_ client: ClientAddress?) async throws {
                let gate = gates[tasks.count]
                let before = admission.counts
                tasks.append(
                    Task {
                        try await admission.run(for: client) { _ in
                            order.append(client)
                            gate.pass()
                        }
                    })
                try await wait(for: admission) { $0.running + $0.waiting > before.running + before.waiting }
            }
            /// Ends a request and waits until the next one runs.
            func end(_ number: Int) async throws {
                let before = order.clients.count
                gates[number].open()
                while order.clients.count == before { await Task.yield() }
            }
            for client in [Self.one, Self.one, other, Self.two] { try await enter(client) }
            try await end(0)
            try await end(2)
            // This client has no request now and sends another request.
            try await enter(other)
            try await end(3)
            expectEqual(order.clients, [Self.one, other, Self.two, Self.one])
            for gate in gates { gate.open() }
            for task in tasks { try await task.value }
        }
    }

    @Test func canceledWaitingRequestNeverRuns() async throws {
        try await run { admission in
            let gate = Latch()
            defer { gate.open() }
            let runs = Counter()
            let running = Task { try await admission.run(for: Self.one) { _ in gate.pass() } }
            try await wait(for: admission) { $0.running == 1 }
            let waiting = Task { try await admission.run(for: Self.one) { _ in runs.add(1) } }
            try await wait(for: admission) { $0.waiting == 1 }
            waiting.cancel()
            await #expect(throws: CancellationError.self) { try await waiting.value }
            expectEqual(admission.counts, RequestAdmission.Counts(running: 1, cancelled: 1))
            gate.open()
            try await running.value
            expectEqual(runs.value, 0)
        }
    }

    @Test func runningWorkSeesItsCancellation() async throws {
        try await run { admission in
            let task = Task {
                try await admission.run(for: Self.one) { cancellation in
                    while !cancellation.isSet { sched_yield() }
                    throw ReadingError.cancelled
                }
            }
            try await wait(for: admission) { $0.running == 1 }
            task.cancel()
            await #expect(throws: ReadingError.self) { try await task.value }
            try await wait(for: admission) { $0.running == 0 }
        }
    }
}

/// A latch that blocks threads until a test opens it.
private final class Latch: Sendable {
    private let semaphore = DispatchSemaphore(value: 0)

    func open() { semaphore.signal() }

    func pass() {
        semaphore.wait()
        semaphore.signal()
    }
}

/// The clients whose requests have started, in order.
private final class Recorder: Sendable {
    private let begun = Mutex<[ClientAddress?]>([])

    var clients: [ClientAddress?] { begun.withLock { $0 } }

    func append(_ client: ClientAddress?) { begun.withLock { $0.append(client) } }
}
