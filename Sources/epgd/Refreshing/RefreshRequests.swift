import EPGAdmin
import EPGModel
import EPGRefresh
import EPGRender
import Glibc
import Synchronization

/// The sources that an administrator wants to refresh now.
struct RefreshRequest: Hashable, Sendable {
    /// The names of the sources, due or not; `nil` for all that are due.
    var names: Set<String>?
    /// Whether to accept guides of any size.
    var isForced = false

    /// The options of ``EPGDaemon`` for the refresh process.
    var arguments: [String] {
        (names ?? []).sorted().flatMap { ["--refresh-source", $0] } + (isForced ? ["--refresh-forced"] : [])
    }
}

/// The requested refreshes, and the state of the running or last one.
final class RefreshRequests: Sendable {
    private struct State {
        var pending: [RefreshRequest] = []
        /// The request of the running refresh.
        var current: RefreshRequest?
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

    /// The request of the running refresh; `nil` for a scheduled one.
    var current: RefreshRequest? { state.withLock { $0.current } }

    func add(_ request: RefreshRequest) {
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

    /// Begins the next requested refresh; returns `false` if there is none.
    func begin(at now: Instant) -> Bool {
        state.withLock { state in
            guard !state.pending.isEmpty else { return false }
            state.current = state.pending.removeFirst()
            state.begin(at: now)
            return true
        }
    }

    /// Begins a scheduled refresh.
    func begin(_ trigger: RefreshTrigger, at now: Instant) {
        state.withLock { state in
            state.current = nil
            state.begin(at: now)
        }
    }

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
            state.current = nil
            state.isCancelled = false
        }
    }
}

// MARK: - Steps

extension RefreshState.Step {
    /// Creates a step for administrators.
    init(_ step: RefreshStep) {
        switch step {
        case .requesting(let name): self.init(source: name, kind: .requesting)
        case .fetching(let name, let progress):
            self.init(source: name, kind: .fetching, byteCount: progress.byteCount, total: progress.total ?? 0)
        case .importing(let name, let byteCount): self.init(source: name, kind: .importing, byteCount: byteCount)
        case .reading(let name, let progress):
            self.init(source: name, kind: .importing, byteCount: progress.byteCount, total: progress.total)
        case .ended(let end): self.init(end)
        }
    }

    private init(_ end: SourceRefresh) {
        switch end.outcome {
        case .notDue: self.init(source: end.name, kind: .notDue)
        case .notConfigured: self.init(source: end.name, kind: .notConfigured)
        case .notModified: self.init(source: end.name, kind: .notModified)
        case .unchanged: self.init(source: end.name, kind: .unchanged)
        case .imported(let outcome, let byteCount):
            self.init(
                source: end.name, kind: .imported, byteCount: byteCount, detail: Wording.difference(outcome.airings))
        case .failed(let failure): self.init(source: end.name, kind: .failed, detail: failure.sentence)
        }
    }

    /// The line that the refresh process writes: `KIND BYTES TOTAL SOURCE DETAIL`, without spaces in the texts.
    var line: String {
        "\(kind.rawValue) \(byteCount) \(total) \(source.percentEncoded) \(detail.percentEncoded)\n"
    }

    /// Parses a line without its line break; `nil` for other text.
    init?(line bytes: [UInt8]) {
        let parts = bytes.split(separator: UInt8(ascii: " "), omittingEmptySubsequences: false)
        guard parts.count == 5, let kind = String(validating: parts[0], as: UTF8.self).flatMap(Kind.init(rawValue:)),
            let byteCount = String(validating: parts[1], as: UTF8.self).flatMap({ Int64($0) }),
            let total = String(validating: parts[2], as: UTF8.self).flatMap({ Int64($0) }),
            let source = String(percentDecoding: parts[3]), let detail = String(percentDecoding: parts[4])
        else { return nil }
        self.init(source: source, kind: kind, byteCount: byteCount, total: total, detail: detail)
    }
}

/// Writes the steps of a refresh to standard output, the frequent ones at most five times per second.
final class StepOutput: Sendable {
    private let next = Mutex<(kind: RefreshState.Step.Kind, time: ContinuousClock.Instant)?>(nil)
    private static let interval = Duration.milliseconds(200)

    func write(_ step: RefreshState.Step) {
        let now = ContinuousClock.now
        let isWanted = next.withLock { next in
            if let next, next.kind == step.kind, !step.isFinal, now < next.time { return false }
            next = (step.kind, now + Self.interval)
            return true
        }
        guard isWanted else { return }
        let bytes = Array(step.line.utf8)
        _ = bytes.withUnsafeBytes { Glibc.write(1, $0.baseAddress, $0.count) }
    }
}
