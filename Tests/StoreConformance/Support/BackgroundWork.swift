import Foundation
import Synchronization
import Testing

/// Something that blocks, on a thread of its own: other tests may take all threads of a pool.
final class BackgroundWork<Value: Sendable>: Sendable {
    private let outcome = Mutex<Result<Value, any Error>?>(nil)
    private let ended = DispatchSemaphore(value: 0)

    init(_ body: @escaping @Sendable () throws -> Value) {
        Thread.detachNewThread {
            let outcome = Result { try body() }
            self.outcome.withLock { $0 = outcome }
            self.ended.signal()
        }
    }

    /// Whether it goes on for at least so long.
    func goesOn(for duration: DispatchTimeInterval) -> Bool {
        let isOver = ended.wait(timeout: .now() + duration) == .success
        if isOver { ended.signal() }
        return !isOver
    }

    /// What it returns or throws; a failure where it takes more than a minute.
    func value() throws -> Value {
        try #require(ended.wait(timeout: .now() + .seconds(60)) == .success, "the work has not ended")
        ended.signal()
        return try #require(outcome.withLock { $0 }).get()
    }
}
