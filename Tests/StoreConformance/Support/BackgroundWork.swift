import Foundation
import Synchronization
import Testing

/// Blocking work on its own thread, because other tests can occupy all threads of a pool.
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

    /// Returns whether the work still runs after a duration.
    func keepsRunning(for duration: DispatchTimeInterval) -> Bool {
        let isOver = ended.wait(timeout: .now() + duration) == .success
        if isOver { ended.signal() }
        return !isOver
    }

    /// Returns or throws the result of the work. Fails if the work takes more than one minute.
    func value() throws -> Value {
        try #require(ended.wait(timeout: .now() + .seconds(60)) == .success, "the work has not ended")
        ended.signal()
        return try #require(outcome.withLock { $0 }).get()
    }
}
