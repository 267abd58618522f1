import Glibc
import HTTPTypes
package import NIOPosix
import Synchronization

/// The scheduler of the blocking work of a class of requests on a separate thread pool.
///
/// It limits running and waiting requests, in total and per client, and rejects requests above a limit immediately.
///
/// A free thread serves the client with the fewest running requests, then the one whose last turn is longest ago; a new client
/// counts from its arrival. No client waits behind the queue of another, and none starves. Clients at their limit of running
/// requests are skipped.
///
/// If the task that awaits the result is canceled, a waiting request is dropped, and a running one is notified through a
/// ``Flag``.
package final class RequestAdmission: Sendable {
    /// The limits of a class, in total and per client.
    package struct Limits: Hashable, Sendable {
        /// Running requests, which is the number of threads.
        package var running: Int
        /// Running requests of one client. A client that is not limited, such as one on a Unix socket, may use all
        /// threads.
        package var runningPerClient: Int
        /// Running and waiting requests. The status above this limit is 503.
        package var places: Int
        /// Running and waiting requests of one client. The status above this limit is 429.
        package var placesPerClient: Int
        /// Further places for known clients.
        package var placesOfKnownClients: Int
        /// Seconds after which a rejected client may retry.
        package var retryAfter: Int

        /// Creates limits.
        package init(
            running: Int, runningPerClient: Int, places: Int, placesPerClient: Int, placesOfKnownClients: Int = 0,
            retryAfter: Int
        ) {
            self.running = running
            self.runningPerClient = runningPerClient
            self.places = places
            self.placesPerClient = placesPerClient
            self.placesOfKnownClients = placesOfKnownClients
            self.retryAfter = retryAfter
        }
    }

    /// The current requests, and counts since the start of the service.
    package struct Counts: Hashable, Sendable {
        /// Requests that run, and requests that wait.
        package var running = 0, waiting = 0
        /// Requests rejected because of the limit per client.
        package var refusedByShare = 0
        /// Requests rejected because of the limit in total.
        package var refusedByPlaces = 0
        /// Requests dropped or interrupted because no client waited any longer.
        package var cancelled = 0
    }

    private struct Job: Sendable {
        let client: ClientAddress?
        let isKnown: Bool
        /// Set when no client awaits the result any longer.
        let cancellation: Flag
        /// Does the work, and returns a closure that delivers its result.
        let perform: @Sendable () -> @Sendable () -> Void
        /// Delivers an error instead.
        let fail: @Sendable (any Error) -> Void
    }

    private struct State {
        /// In the order of arrival, each with its rank at that time; see ``newRank``.
        var waiting: [(job: Job, rank: Int)] = []
        var running = ClientCounts()
        /// Running and waiting requests.
        var places = ClientCounts()
        var counts = Counts()
        /// The ranks of the clients with places: twice the number of the last turn of each, or its rank on arrival.
        var ranks: [ClientAddress: Int] = [:]
        /// The number of requests that have begun.
        var turns = 0

        /// The rank of a client that arrives now: before the client that had the last turn, after all that wait longer.
        private var newRank: Int { 2 * turns - 1 }

        mutating func enter(_ job: Job) {
            if let client = job.client, places.count(of: client) == 0 { ranks[client] = newRank }
            places.add(job.client)
            waiting.append((job, newRank))
        }

        /// The order in which waiting requests run; the smallest is next.
        func order(of index: Int) -> (running: Int, rank: Int) {
            let (job, rank) = waiting[index]
            return (running.count(of: job.client), job.client.flatMap { ranks[$0] } ?? rank)
        }

        mutating func release(_ client: ClientAddress?) {
            places.remove(client)
            if let client, places.count(of: client) == 0 { ranks[client] = nil }
        }
    }

    /// The limits of the class.
    let limits: Limits
    /// The threads, which the owner of the service starts and stops.
    package let threads: NIOThreadPool
    private let niceness: Int32
    private let state = Mutex(State())

    /// - Parameter niceness: The nice value of the threads, from 0 to 19 (nice(2)).
    package init(_ limits: Limits, niceness: Int32 = 0) {
        self.limits = limits
        self.niceness = niceness
        threads = NIOThreadPool(numberOfThreads: limits.running)
    }

    /// The current counts.
    package var counts: Counts {
        state.withLock { state in
            var counts = state.counts
            counts.running = state.running.total
            counts.waiting = state.waiting.count
            return counts
        }
    }

    /// Whether nothing runs or waits.
    package var isIdle: Bool { state.withLock { $0.places.total == 0 } }

    /// Runs blocking work on a thread of the class, and returns its outcome.
    ///
    /// - Parameters:
    ///   - client: The client that waits for it; `nil` for one that is not limited.
    ///   - isKnown: Whether the client may use the places of known clients.
    /// - Throws: ``Problem`` with status 429 or 503 above a limit; `CancellationError` if the task is canceled before
    ///   the work begins; any error of the work.
    package func run<Outcome: Sendable>(
        for client: ClientAddress?, isKnown: Bool = false,
        _ work: @escaping @Sendable (_ cancellation: Flag) throws -> Outcome
    ) async throws -> Outcome {
        let cancellation = Flag()
        return try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                enter(
                    Job(client: client, isKnown: isKnown, cancellation: cancellation) {
                        let outcome = Result { try work(cancellation) }
                        return { continuation.resume(with: outcome) }
                    } fail: {
                        continuation.resume(throwing: $0)
                    })
            }
        } onCancel: {
            cancel(cancellation)
        }
    }

    private func enter(_ job: Job) {
        let (error, next) = state.withLock { state -> ((any Error)?, Job?) in
            // The task may be canceled already.
            if job.cancellation.isSet { return (CancellationError(), nil) }
            if state.places.count(of: job.client) >= limits.placesPerClient {
                state.counts.refusedByShare += 1
                let detail = "The server is processing other requests from your address. Retry when they have finished."
                return (Problem(.tooManyRequests, detail, retryAfter: limits.retryAfter), nil)
            }
            if state.places.total >= limits.places + (job.isKnown ? limits.placesOfKnownClients : 0) {
                state.counts.refusedByPlaces += 1
                let detail = "Too many requests are waiting. Try again later."
                return (Problem(.serviceUnavailable, detail, retryAfter: limits.retryAfter), nil)
            }
            state.enter(job)
            return (nil, begin(&state))
        }
        if let error { job.fail(error) }
        if let next { submit(next) }
    }

    /// Returns the request that may run next, and counts it as running; `nil` if all have to wait.
    ///
    /// - Complexity: O(*n*) in the number of waiting requests.
    private func begin(_ state: inout State) -> Job? {
        guard state.running.total < limits.running else { return nil }
        let eligible = state.waiting.indices.filter {
            state.running.count(of: state.waiting[$0].job.client) < limits.runningPerClient
        }
        // `min` returns the first of equal elements.
        guard let index = eligible.min(by: { state.order(of: $0) < state.order(of: $1) }) else { return nil }
        state.turns += 1
        let job = state.waiting.remove(at: index).job
        state.running.add(job.client)
        if let client = job.client { state.ranks[client] = 2 * state.turns }
        return job
    }

    private func submit(_ job: Job) {
        threads.submit { [self] threadState in
            let handOver: @Sendable () -> Void
            switch threadState {
            case .active:
                if niceness > 0 { setpriority(__priority_which_t(PRIO_PROCESS.rawValue), 0, niceness) }
                handOver = job.perform()
            case .cancelled: handOver = { job.fail(CancellationError()) }
            }
            let next = state.withLock { state in
                state.running.remove(job.client)
                state.release(job.client)
                return begin(&state)
            }
            if let next { submit(next) }
            // The client may send its next request after receiving the result, so free its place first.
            handOver()
        }
    }

    private func cancel(_ cancellation: Flag) {
        let dropped = state.withLock { state -> Job? in
            // `enter` reads this if it has yet to run.
            cancellation.set()
            state.counts.cancelled += 1
            guard let index = state.waiting.firstIndex(where: { $0.job.cancellation === cancellation }) else {
                return nil
            }
            let job = state.waiting.remove(at: index).job
            state.release(job.client)
            return job
        }
        dropped?.fail(CancellationError())
    }
}

/// A thread-safe condition that becomes true once.
package final class Flag: Sendable {
    private let state = Atomic(false)

    /// Creates a condition that is false.
    package init() {}

    /// Whether the condition is true.
    package var isSet: Bool { state.load(ordering: .relaxed) }

    /// Makes the condition true.
    package func set() { state.store(true, ordering: .relaxed) }
}

/// A counted use that ends when the lease is released.
package final class Lease: Sendable {
    private let end: @Sendable () -> Void

    /// - Parameter end: Called when the lease is released.
    package init(_ end: @escaping @Sendable () -> Void) { self.end = end }

    deinit { end() }
}
