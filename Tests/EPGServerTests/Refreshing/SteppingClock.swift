import EPGModel
import Synchronization

/// A clock that advances to the deadline of each sleep without waiting.
final class SteppingClock: Clock {
    struct Instant: InstantProtocol {
        var offset: Duration

        func advanced(by duration: Duration) -> Instant { Instant(offset: offset + duration) }
        func duration(to other: Instant) -> Duration { other.offset - offset }
        static func < (left: Instant, right: Instant) -> Bool { left.offset < right.offset }
    }

    private let start: EPGModel.Instant
    private let state = Mutex((now: Duration.zero, pauses: [Duration]()))

    /// - Parameter start: The time before the first sleep.
    init(_ start: EPGModel.Instant) {
        self.start = start
    }

    var now: Instant { Instant(offset: state.withLock { $0.now }) }
    var minimumResolution: Duration { .zero }

    /// The current time: the start plus all sleeps.
    var currentTime: EPGModel.Instant { start.advanced(by: now.offset.components.seconds) }

    /// The durations of all sleeps, in order.
    var pauses: [Duration] { state.withLock { $0.pauses } }

    func sleep(until deadline: Instant, tolerance: Duration?) async throws {
        try Task.checkCancellation()
        state.withLock { state in
            state.pauses.append(deadline.offset - state.now)
            state.now = max(state.now, deadline.offset)
        }
        await Task.yield()
    }
}
