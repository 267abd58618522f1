import EPGModel
import NIOCore
import Synchronization

/// What a listener is still to be told: of each kind only the last, however slow the listener is.
final class LiveNews: Sendable {
    private struct State {
        var generation: GenerationName?
        var minute: Instant?
        var isSignOfLifeDue = false
    }

    /// An element whenever there may be something to tell.
    let signals: AsyncStream<Void>
    private let signal: AsyncStream<Void>.Continuation
    private let state = Mutex(State())

    init() {
        (signals, signal) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
    }

    /// A generation stands.
    func tell(_ generation: GenerationName) {
        state.withLock { $0.generation = generation }
        signal.yield()
    }

    /// A minute has begun.
    func tell(minute: Instant) {
        state.withLock { $0.minute = minute }
        signal.yield()
    }

    /// Nothing was told for a while.
    func giveSignOfLife() {
        state.withLock { $0.isSignOfLifeDue = true }
        signal.yield()
    }

    /// Nothing more is told.
    func end() { signal.finish() }

    /// What is to be told, as `text/event-stream` has it (HTML, 9.2.6); it counts as told then.
    func take() -> ByteBuffer? {
        let state = state.withLock { state in
            defer { state = State() }
            return state
        }
        var text = ""
        if let name = state.generation {
            text += "id: \(name)\nevent: generation\n"
            text += "data: {\"generation\":\(name.generation),\"name\":\"\(name)\"}\n\n"
        }
        if let minute = state.minute { text += "event: now\ndata: {\"at\":\(minute.secondsSince1970)}\n\n" }
        if text.isEmpty, state.isSignOfLifeDue { text = ": ping\n\n" }
        return text.isEmpty ? nil : ByteBuffer(string: text)
    }
}
