import ServiceLifecycle
import Synchronization

/// Whether the service is about to end: requests under way are finished, and nobody should send new ones.
final class Draining: Service {
    private let flag = Atomic<Bool>(false)

    var hasBegun: Bool { flag.load(ordering: .relaxed) }

    func run() async throws {
        do { try await gracefulShutdown() } catch is CancellationError {
            // The service ends at once.
        }
        flag.store(true, ordering: .relaxed)
    }
}
