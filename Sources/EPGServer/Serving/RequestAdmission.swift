import Glibc
import HTTPTypes
import NIOPosix
import Synchronization

/// Runs blocking requests of one class on a dedicated thread pool. Limits running and waiting requests, in total and per client,
/// and rejects requests above a limit immediately.
///
/// When a thread is free, the client with the fewest running requests gets it, of several the one that got one least recently;
/// a client that had none counts from its arrival. So no client waits behind the queue of another, and none is passed over for
/// ever. A client with as many running as it may have is passed over. When the task that waits for an answer is cancelled, a waiting request is dropped, and a running one is told by
/// its ``Cancellation``.
final class RequestAdmission: Sendable {
    /// How much of a class may be used, in all and by one client.
    struct Limits: Hashable, Sendable {
        /// Questions that run at once: the number of threads.
        var running: Int
        /// Questions of one client that run at once. Clients on a Unix socket have no share.
        var runningPerClient: Int
        /// Questions that run or wait; 503 above.
        var places: Int
        /// Questions of one client that run or wait; 429 above.
        var placesPerClient: Int
        /// Seconds after which a client that was refused may try again.
        var retryAfter: Int

        /// Grids, pages and other short readings. Three of four threads for one client leave one to the others.
        static let questions = Limits(
            running: 4, runningPerClient: 3, places: 512, placesPerClient: 128, retryAfter: 1)
        /// Full-text searches, the only questions that can take seconds. One runs per client; the others of its places are
        /// for a household behind one address, or a page that searches while its reader types.
        static let searches = Limits(running: 2, runningPerClient: 1, places: 16, placesPerClient: 4, retryAfter: 5)
    }

    /// What a class does now, and what was counted since the start.
    struct Counts: Hashable, Sendable {
        var running = 0
        var waiting = 0
        /// Refused because the client had its share.
        var refusedByShare = 0
        /// Refused because all places were taken.
        var refusedByPlaces = 0
        /// Dropped or interrupted because nobody waited for the answer any more.
        var cancelled = 0
    }

    /// Tells running work that nobody waits for it any more.
    final class Cancellation: Sendable {
        private let flag = Atomic(false)

        var isRequested: Bool { flag.load(ordering: .relaxed) }

        fileprivate func request() { flag.store(true, ordering: .relaxed) }
    }

    private final class Job: Sendable {
        let asker: PeerAddress?
        let cancellation: Cancellation
        /// Does the work and hands over what came of it.
        let perform: @Sendable () -> Void
        /// Hands over that the work wasn't done.
        let refuse: @Sendable (any Error) -> Void

        init(
            for asker: PeerAddress?, _ cancellation: Cancellation, perform: @escaping @Sendable () -> Void,
            refuse: @escaping @Sendable (any Error) -> Void
        ) {
            self.asker = asker
            self.cancellation = cancellation
            self.perform = perform
            self.refuse = refuse
        }
    }

    private struct State {
        /// In the order in which they came, each with its rank by then; see ``newRank``.
        var waiting: [(job: Job, rank: Int)] = []
        var running = AskerCounts()
        var counts = Counts()
        /// Those that run and wait.
        var places = AskerCounts()
        /// The ranks of the clients with places: twice the number of the last turn that each had, or its rank by arrival.
        var ranks: [PeerAddress: Int] = [:]
        /// How many requests have begun.
        var turns = 0

        /// The rank of a client that comes now: before the one that had the last turn, behind all that wait longer.
        private var newRank: Int { 2 * turns - 1 }

        mutating func enter(_ job: Job) {
            if let asker = job.asker, places.count(of: asker) == 0 { ranks[asker] = newRank }
            places.add(job.asker)
            waiting.append((job, newRank))
        }

        /// What a waiting request is ordered by; the smallest runs next.
        func order(of place: Int) -> (running: Int, rank: Int) {
            let (job, rank) = waiting[place]
            return (running.count(of: job.asker), job.asker.flatMap { ranks[$0] } ?? rank)
        }

        mutating func leave(_ asker: PeerAddress?) {
            places.remove(asker)
            if let asker, places.count(of: asker) == 0 { ranks[asker] = nil }
        }
    }

    let limits: Limits
    /// The threads. The owner of the service starts and stops them.
    let threads: NIOThreadPool
    private let niceness: Int32
    private let state = Mutex(State())

    /// - Parameter niceness: What is added to the priority of the threads, 0 to 19 (nice(2)); more yields to others.
    init(_ limits: Limits, niceness: Int32 = 0) {
        self.limits = limits
        self.niceness = niceness
        threads = NIOThreadPool(numberOfThreads: limits.running)
    }

    var counts: Counts {
        state.withLock { state in
            var counts = state.counts
            counts.running = state.running.total
            counts.waiting = state.waiting.count
            return counts
        }
    }

    /// Runs blocking work when its turn comes.
    ///
    /// - Parameters:
    ///   - asker: Who wants it; `nil` for who isn't limited.
    ///   - work: Runs on a thread of the class.
    /// - Throws: ``Problem`` with status 429 or 503 where there is no place, `CancellationError` where the task was cancelled
    ///   before the work began, and what the work throws.
    func run<Outcome: Sendable>(
        for asker: PeerAddress?, _ work: @escaping @Sendable (Cancellation) throws -> Outcome
    ) async throws -> Outcome {
        let cancellation = Cancellation()
        return try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                enter(
                    Job(for: asker, cancellation) {
                        continuation.resume(with: Result { try work(cancellation) })
                    } refuse: {
                        continuation.resume(throwing: $0)
                    })
            }
        } onCancel: {
            cancel(cancellation)
        }
    }

    private func enter(_ job: Job) {
        let (problem, next) = state.withLock { state -> ((any Error)?, Job?) in
            // Cancelled before it came here.
            if job.cancellation.isRequested { return (CancellationError(), nil) }
            if state.places.count(of: job.asker) >= limits.placesPerClient {
                state.counts.refusedByShare += 1
                return (clientProblem, nil)
            }
            if state.places.total >= limits.places {
                state.counts.refusedByPlaces += 1
                return (placesProblem, nil)
            }
            state.enter(job)
            return (nil, begin(&state))
        }
        if let problem { job.refuse(problem) }
        if let next { submit(next) }
    }

    private var clientProblem: Problem {
        Problem(
            .tooManyRequests, "Other requests from your address are being answered; ask again when they have ended.",
            retryAfter: limits.retryAfter)
    }

    private var placesProblem: Problem {
        Problem(.serviceUnavailable, "Too many requests are waiting; ask again later.", retryAfter: limits.retryAfter)
    }

    /// The job that may run next, which counts as running from now on; `nil` where all have to wait.
    ///
    /// - Complexity: O(waiting jobs).
    private func begin(_ state: inout State) -> Job? {
        guard state.running.total < limits.running else { return nil }
        let eligible = state.waiting.indices.filter {
            state.running.count(of: state.waiting[$0].job.asker) < limits.runningPerClient
        }
        // Of equal ones, `min` gives the first.
        guard let place = eligible.min(by: { state.order(of: $0) < state.order(of: $1) }) else { return nil }
        state.turns += 1
        let job = state.waiting.remove(at: place).job
        state.running.add(job.asker)
        if let asker = job.asker { state.ranks[asker] = 2 * state.turns }
        return job
    }

    private func submit(_ job: Job) {
        threads.submit { [self] threadState in
            switch threadState {
            case .active:
                if niceness > 0 { setpriority(__priority_which_t(PRIO_PROCESS.rawValue), 0, niceness) }
                job.perform()
            case .cancelled: job.refuse(CancellationError())
            }
            let next = state.withLock { state in
                state.running.remove(job.asker)
                state.leave(job.asker)
                return begin(&state)
            }
            if let next { submit(next) }
        }
    }

    private func cancel(_ cancellation: Cancellation) {
        let dropped = state.withLock { state -> Job? in
            // A job that hasn't come yet finds the flag when it does.
            cancellation.request()
            state.counts.cancelled += 1
            guard let place = state.waiting.firstIndex(where: { $0.job.cancellation === cancellation }) else {
                return nil
            }
            let job = state.waiting.remove(at: place).job
            state.leave(job.asker)
            return job
        }
        dropped?.refuse(CancellationError())
    }
}
