import EPGAdmin
import EPGModel
import Synchronization

/// The reason for a refresh by the service.
enum RefreshTrigger: Hashable, Sendable {
    /// The service has started: sources are refreshed whose scheduled run it missed.
    case start
    /// A scheduled run.
    case schedule
    /// A retry after a failure.
    case failure
    /// The request of an administrator for sources, due or not; `nil` for all that are due. A forced one accepts guides of any size.
    case request(sources: Set<String>?, isForced: Bool)

    /// Creates a trigger from the options of ``EPGDaemon``; `nil` for an unknown name.
    init?(named name: String, sources: [String], isForced: Bool) {
        switch name {
        case "start": self = .start
        case "schedule": self = .schedule
        case "failure": self = .failure
        case "request": self = .request(sources: sources.isEmpty ? nil : Set(sources), isForced: isForced)
        default: return nil
        }
    }

    /// The options of ``EPGDaemon`` for ``RefreshProcess``.
    var arguments: [String] {
        switch self {
        case .start: ["--refresh-run", "start"]
        case .schedule: ["--refresh-run", "schedule"]
        case .failure: ["--refresh-run", "failure"]
        case .request(let sources, let isForced):
            ["--refresh-run", "request"] + (sources ?? []).sorted().map { "--refresh-source=\($0)" }
                + (isForced ? ["--refresh-forced"] : [])
        }
    }
}

/// The requested refreshes, and the state of the running or last one.
final class RefreshQueue: Sendable {
    private struct State {
        var pending: [RefreshTrigger] = []
        var isCancelled = false
        var shown = RefreshState()
        /// Whether the service should look at its schedule again.
        var isWoken = false
        var waiter: CheckedContinuation<Void, Never>?

        mutating func begin(at now: Instant) {
            shown = RefreshState()
            shown.isRunning = true
            shown.began = now
            isCancelled = false
        }
    }

    private let state = Mutex(State())

    /// The maximum number of waiting requests. Further ones are dropped.
    private static let capacity = 64

    /// The state for administrators.
    var shown: RefreshState {
        state.withLock { state in
            var shown = state.shown
            shown.isRequested = !state.pending.isEmpty
            return shown
        }
    }

    /// Whether the running refresh is to be interrupted.
    var isCancelled: Bool { state.withLock { $0.isCancelled } }

    func add(_ request: RefreshTrigger) {
        wake { state in
            if !state.pending.contains(request), state.pending.count < Self.capacity { state.pending.append(request) }
        }
    }

    /// Interrupts the running refresh, and drops waiting requests.
    func cancel() {
        state.withLock { state in
            state.pending = []
            state.isCancelled = state.shown.isRunning
        }
    }

    /// Makes the service look at its schedule again.
    func wake() { wake { _ in } }

    private func wake(_ change: (inout State) -> Void) {
        let waiter = state.withLock { state in
            change(&state)
            state.isWoken = true
            defer { state.waiter = nil }
            return state.waiter
        }
        waiter?.resume()
    }

    /// Waits for ``add(_:)``, ``wake()`` or the cancellation of the task.
    func wait() async {
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let isDone = state.withLock { state in
                    if state.isWoken || Task.isCancelled { return true }
                    state.waiter = continuation
                    return false
                }
                if isDone { continuation.resume() }
            }
            state.withLock { $0.isWoken = false }
        } onCancel: {
            let waiter = state.withLock { state in
                defer { state.waiter = nil }
                return state.waiter
            }
            waiter?.resume()
        }
    }

    /// Begins the next requested refresh; returns `nil` if there is none.
    func beginRequest(at now: Instant) -> RefreshTrigger? {
        state.withLock { state in
            guard !state.pending.isEmpty else { return nil }
            state.begin(at: now)
            return state.pending.removeFirst()
        }
    }

    /// Begins another refresh.
    func begin(at now: Instant) { state.withLock { $0.begin(at: now) } }

    /// Stores a step of the running refresh.
    func record(_ step: RefreshState.Step) {
        state.withLock { state in
            if let index = state.shown.steps.firstIndex(where: { $0.source == step.source }) {
                state.shown.steps[index] = step
            } else {
                state.shown.steps.append(step)
            }
        }
    }

    /// Ends the running refresh.
    func end(at now: Instant, failure: String?) {
        state.withLock { state in
            state.shown.isRunning = false
            state.shown.ended = now
            state.shown.failure = failure
            state.isCancelled = false
        }
    }
}
