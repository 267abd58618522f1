import Dispatch
import EPGModel
import Glibc
import StoreConformance
import Synchronization

/// A gate that holds reads of the guide until a test opens it.
final class Gate: Sendable {
    private let reached = DispatchSemaphore(value: 0)
    private let opened = DispatchSemaphore(value: 0)
    /// Number of further reads to hold.
    private let left: Mutex<Int>

    /// - Parameter count: Number of reads to hold; later reads pass.
    init(holding count: Int = .max) {
        left = Mutex(count)
    }

    /// Returns whether a read reaches the gate within a minute.
    func isReached() async throws -> Bool {
        try await RawClient.onThread { self.reached.wait(timeout: .now() + 60) == .success }
    }

    /// Releases all held reads and lets later reads pass.
    func open() { opened.signal() }

    fileprivate func pass() {
        let isHeld = left.withLock { left in
            left -= 1
            return left >= 0
        }
        guard isHeld else { return }
        reached.signal()
        opened.wait()
        opened.signal()
    }
}

/// A guide whose reads wait for a delay and then for a gate.
final class GatedGuide: ForwardingStorage, @unchecked Sendable {
    let delay: Duration
    let gate: Gate?
    /// Time limit of reads for requests. Reads of the watch have a shorter limit; they skip the delay and the gate.
    let limit: Duration

    init(guide: any GuideStorage, delay: Duration, gate: Gate?, limit: Duration) {
        self.delay = delay
        self.gate = gate
        self.limit = limit
        super.init(guide)
    }

    override func read<Value>(
        until limit: ReadingLimit, _ body: (any GuideReading) throws -> Value
    ) throws -> Value {
        try storage.read(until: limit) { reading in
            if limit.duration == self.limit {
                usleep(useconds_t(delay / .microseconds(1)))
                gate?.pass()
            }
            return try body(reading)
        }
    }
}
