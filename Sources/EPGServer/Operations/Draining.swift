import Synchronization

/// Whether the service is about to end: requests that were sent are answered, and nobody should send new ones.
final class Draining: Sendable {
    private let flag = Atomic<Bool>(false)

    var hasBegun: Bool { flag.load(ordering: .relaxed) }

    func begin() { flag.store(true, ordering: .relaxed) }
}
