import Dispatch
import EPGModel
import EPGServer
import Glibc
import StoreConformance
import Synchronization

/// Holds questions to the guide until a test lets them go.
final class Gate: Sendable {
    private let reached = DispatchSemaphore(value: 0)
    private let opened = DispatchSemaphore(value: 0)
    /// How many more questions are held.
    private let left: Mutex<Int>

    /// - Parameter count: Questions that are held; those that come later pass.
    init(holding count: Int = .max) {
        left = Mutex(count)
    }

    /// Whether a question came to it, within a minute.
    func isReached() async throws -> Bool {
        try await RawClient.onThread { self.reached.wait(timeout: .now() + 60) == .success }
    }

    /// Lets questions go, those that come later too.
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

/// A guide that thinks before it answers, behind a gate.
final class GatedGuide: ForwardingStorage, @unchecked Sendable {
    let delay: Duration
    let gate: Gate?
    /// What questions have; the watch's have less, and neither wait nor pass the gate.
    let limit: Duration

    init(guide: any GuideStorage, delay: Duration, gate: Gate?, limit: Duration) {
        self.delay = delay
        self.gate = gate
        self.limit = limit
        super.init(guide)
    }

    override func read<Answer>(
        until limit: ReadingLimit, _ body: (any GuideReading) throws -> Answer
    ) throws -> Answer {
        try storage.read(until: limit) { reading in
            if limit.duration == self.limit {
                usleep(useconds_t(delay / .microseconds(1)))
                gate?.pass()
            }
            return try body(reading)
        }
    }
}
