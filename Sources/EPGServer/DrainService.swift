import ServiceLifecycle
import Synchronization

/// Whether the service is shutting down. It answers requests that were sent before, and is no longer ready for new ones.
final class Draining: Sendable {
    private let flag = Atomic<Bool>(false)

    var hasBegun: Bool { flag.load(ordering: .relaxed) }

    func begin() { flag.store(true, ordering: .relaxed) }
}

/// Delays the shutdown of the services before it in a group.
///
/// Connections and requests that arrived before the shutdown may still wait in the system's queue. Closing the listening socket
/// would reset them.
struct DrainService: Service {
    /// How long connections are still accepted.
    let pause: Duration

    func run() async throws {
        do {
            try await gracefulShutdown()
            try await Task.sleep(for: pause)
        } catch is CancellationError {
            // The group is cancelled, and does not wait.
        }
    }
}
