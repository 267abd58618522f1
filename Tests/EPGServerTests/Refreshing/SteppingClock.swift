import EPGModel
import Synchronization

/// A clock on which nobody waits: who sleeps finds that it has moved on.
final class SteppingClock: Clock {
    struct Instant: InstantProtocol {
        var offset: Duration

        func advanced(by duration: Duration) -> Instant { Instant(offset: offset + duration) }
        func duration(to other: Instant) -> Duration { other.offset - offset }
        static func < (left: Instant, right: Instant) -> Bool { left.offset < right.offset }
    }

    private let start: EPGModel.Instant
    private let state = Mutex((now: Duration.zero, pauses: [Duration]()))

    /// - Parameter start: The time of day when nobody has slept yet.
    init(_ start: EPGModel.Instant) {
        self.start = start
    }

    var now: Instant { Instant(offset: state.withLock { $0.now }) }
    var minimumResolution: Duration { .zero }

    /// The time of day.
    var timeOfDay: EPGModel.Instant { start.advanced(by: now.offset.components.seconds) }

    /// How long everybody slept, in order.
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
